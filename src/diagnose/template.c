/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of rules: texts with numbers in them.
 *
 *   {queue}                   the number of a metric, by its format
 *   {1.33 / ipc}              what an expression gives, without decimals
 *   {misses * ipc:%.1f}       the same, by this format
 *   {pid}                     the pid of the task
 *   {event:branch_misses}     the event that a metric is counted by on this CPU
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "diagnose/rules_part.h"
#include "screen/column_format.h"

#define EVENT "event:"

static struct piece *add(struct template *t, enum piece_kind kind, const char *text, size_t len)
{
	struct piece *p;

	t->piece = xgrow(t->piece, &t->cap, t->n + 1, sizeof *t->piece);
	p = &t->piece[t->n++];
	*p = (struct piece){.kind = kind, .text = xstrndup(text, len)};
	return p;
}

/* A number: what stands before the format, if there is one. */
static int add_number(struct template *t, const char *text, const struct rules *r, struct err *err)
{
	const char *colon = strstr(text, ":%");
	const size_t len = colon ? (size_t)(colon - text) : strlen(text);
	const size_t metric = rules_find_metric(r, text, len);
	const char *format = colon                   ? colon + 1
			     : metric < r->n_metrics ? r->metric[metric].row->format
						     : "%.0f";
	struct column_format shape;
	char *expression;
	int ret = column_format_read(format, &shape, err);

	if (ret || shape.conversion == 's' || shape.conversion == 'h')
		return ret ? ret : err_set(err, EINVAL, "'%s' is no format of a number", format);
	expression = xstrndup(text, len);
	ret = condition_compile(&add(t, PIECE_NUMBER, format, strlen(format))->number, expression,
				r->metrics, err);
	free(expression);
	return ret;
}

static int add_braced(struct template *t, const char *text, const struct rules *r, struct err *err)
{
	size_t metric;

	if (!strcmp(text, "pid")) {
		add(t, PIECE_PID, "", 0);
		return 0;
	}
	if (strncmp(text, EVENT, strlen(EVENT)) != 0)
		return add_number(t, text, r, err);
	text += strlen(EVENT);
	metric = rules_find_metric(r, text, strlen(text));
	if (metric == r->n_metrics)
		return err_set(err, ENOENT, "'%s' is no metric", text);
	add(t, PIECE_EVENT, "", 0)->metric = metric;
	return 0;
}

int template_read(struct template *t, const char *text, const struct rules *r, struct err *err)
{
	int ret = 0;

	while (*text && !ret) {
		size_t n = strcspn(text, "{");
		const char *end = strchr(text, '}');
		char *braced;

		if (n) {
			add(t, PIECE_TEXT, text, n);
			text += n;
			continue;
		}
		if (!end)
			return err_set(err, EINVAL, "'}' is missing behind '%s'", text);
		braced = xstrndup(text + 1, (size_t)(end - text) - 1);
		ret = add_braced(t, braced, r, err);
		free(braced);
		text = end + 1;
	}
	return ret;
}

void template_done(struct template *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->piece[i].text);
		condition_free(t->piece[i].number);
	}
	free(t->piece);
	*t = (struct template){.n = 0};
}

void template_each(const struct template *t, void (*visit)(void *context, struct condition *c),
		   void *context)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->piece[i].number)
			visit(context, t->piece[i].number);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "saved/saved.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define SIZE_MAX_REPORT ((size_t)256 << 20)

#define BEGIN "{\"type\":\"%s\","

static const char *const phase_names[SAVED_PHASES] = {"acquire", "hold", "release"};

bool saved_is_report(const char *path, const char *what)
{
	char *begin = xasprintf(BEGIN, what), head[32] = "";
	bool is = file_read(AT_FDCWD, path, head, sizeof head) > 0 &&
		  !strncmp(head, begin, strlen(begin));

	free(begin);
	return is;
}

int saved_compare(const struct saved_lock *a, const struct saved_lock *b)
{
	int order = strcmp(a->name, b->name);

	order = order ? order : strcmp(a->kind, b->kind);
	return order ? order : strcmp(a->caller, b->caller);
}

static int compare_locks(const void *a, const void *b)
{
	return saved_compare(a, b);
}

double saved_stddev(const struct saved_phase *p)
{
	return p->n > 1 ? sqrt(p->squares / (p->n - 1)) : (double)NAN;
}

/* A copy of a text without the offset in a function, "" where there is none. */
static char *take_text(struct json_object *line, const char *key)
{
	struct json_object *value;
	const char *text = "", *at;

	if (json_object_object_get_ex(line, key, &value) && json_object_get_string(value))
		text = json_object_get_string(value);
	at = strstr(text, "+0x");
	return at && at > text
		       ? xasprintf("%.*s%s", (int)(at - text), text, text[0] == '[' ? "]" : "")
		       : xstrdup(text);
}

/* NaN: it is not there, or null. */
static double take_number(struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) || !value)
		return NAN;
	return json_object_get_double(value);
}

static double or_nothing(double number)
{
	return isnan(number) ? 0 : number;
}

static struct saved_phase take_phase(struct json_object *line, const char *key)
{
	struct json_object *object;
	struct saved_phase p = {.n = 0};
	double sd;

	if (!json_object_object_get_ex(line, key, &object))
		return p;
	p.n = or_nothing(take_number(object, "n"));
	p.mean = or_nothing(take_number(object, "mean"));
	sd = take_number(object, "stddev");
	p.squares = p.n > 1 ? sd * sd * (p.n - 1) : 0;
	return p;
}

static void add_phase(struct saved_phase *to, const struct saved_phase *from)
{
	const double n = to->n + from->n, off = from->mean - to->mean;

	if (!(n > 0))
		return;
	to->squares += from->squares + off * off * to->n * from->n / n;
	to->mean += off * from->n / n;
	to->n = n;
}

static void lock_done(struct saved_lock *l)
{
	free(l->name);
	free(l->kind);
	free(l->caller);
}

static void take_lock(struct saved *s, struct json_object *line)
{
	struct saved_lock l = {
		.name = take_text(line, "name"),
		.kind = take_text(line, "kind"),
		.caller = take_text(line, "caller"),
		.acquisitions = or_nothing(take_number(line, "acquisitions")),
		.contended = take_number(line, "contended"),
	};

	for (int p = 0; p < SAVED_PHASES; p++)
		l.phase[p] = take_phase(line, phase_names[p]);
	s->lock = xgrow(s->lock, &s->cap, s->n + 1, sizeof *s->lock);
	s->lock[s->n++] = l;
}

/* What has the same name, kind and caller becomes one. */
static void join(struct saved *s)
{
	size_t n = 0;

	if (s->n)
		qsort(s->lock, s->n, sizeof *s->lock, compare_locks);
	for (size_t i = 0; i < s->n; i++) {
		struct saved_lock *l = &s->lock[i], *to = n ? &s->lock[n - 1] : NULL;

		if (!to || saved_compare(to, l)) {
			s->lock[n++] = *l;
			continue;
		}
		to->acquisitions += l->acquisitions;
		to->contended += l->contended;
		for (int p = 0; p < SAVED_PHASES; p++)
			add_phase(&to->phase[p], &l->phase[p]);
		lock_done(l);
	}
	s->n = n;
}

/* NULL: it is not there, or null. */
static const char *find_text(struct json_object *line, const char *key)
{
	struct json_object *value;

	return line && json_object_object_get_ex(line, key, &value) ? json_object_get_string(value)
								    : NULL;
}

static int take_line(struct saved *s, const char *path, int number, const char *text,
		     struct err *err)
{
	struct json_object *line = json_tokener_parse(text);
	const char *name = find_text(line, "type"), *unit = find_text(line, "unit");
	int ret = 0;

	if (name && !strcmp(name, "lock") && unit && strcmp(unit, "ns") != 0)
		ret = err_set(err, EINVAL, "%s:%d: its times are in '%s', where only ns are known",
			      path, number, unit);
	else if (name && !strcmp(name, "lock"))
		take_lock(s, line);
	else if (!name || strcmp(name, "locks") != 0)
		ret = err_set(err, EINVAL,
			      "%s:%d: this is no line of a report that 'tiptop locks --format "
			      "json' writes",
			      path, number);
	json_object_put(line);
	return ret;
}

int saved_read(struct saved *s, const char *path, struct err *err)
{
	struct strbuf text;
	ssize_t n;
	int ret = 0, number = 0;

	*s = (struct saved){.n = 0};
	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, path, SIZE_MAX_REPORT, &text);
	if (n < 0)
		ret = err_set(err, (int)-n, "cannot read '%s': %s", path, strerror((int)-n));
	else if (!n)
		ret = err_set(err, EINVAL, "%s: there is nothing in it", path);
	else if ((size_t)n >= SIZE_MAX_REPORT)
		ret = err_set(err, EFBIG, "%s: it is longer than 256 MiB", path);
	for (char *line = text.text, *end; !ret && *line; line = end) {
		end = strchrnul(line, '\n');
		end += *end ? (*end = '\0', 1) : 0;
		ret = take_line(s, path, ++number, line, err);
	}
	strbuf_done(&text);
	if (!ret)
		join(s);
	return ret;
}

void saved_done(struct saved *s)
{
	for (size_t i = 0; i < s->n; i++)
		lock_done(&s->lock[i]);
	free(s->lock);
	*s = (struct saved){.n = 0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/judging.h"

#include <stdlib.h>

#include "app/bound.h"
#include "base/mem.h"
#include "event/machine.h"
#include "model/kinds.h"

struct judging {
	struct judged judged;
	struct setup *setup;
	struct rules *rules; /* NULL: nobody has asked yet */
	struct bound_screens bound;
	struct binding **binding; /* [bound.n] */
	/* Of the sample that was asked about last. */
	uint64_t mono_ns, generation;
	struct value *cell;
	struct verdict *found;
	struct strbuf text;
};

static bool fits(const void *context, const char *arch, const char *model)
{
	return machine_fits(context, 0, arch, model);
}

static void pass_over(void *context, const struct err *err)
{
	(void)context, (void)err;
}

static void make_rules(struct judging *j)
{
	const struct verdict_table *table[] = {&verdict_table_built_in};
	const struct rules_machine machine = {fits, &j->setup->machine};

	j->rules = rules_new(table, sizeof table / sizeof *table, &machine, pass_over, NULL);
	j->cell = xcalloc(rules_n_metrics(j->rules), sizeof *j->cell);
	j->found = xcalloc(judge_max(j->rules), sizeof *j->found);
}

static void unbind(struct judging *j)
{
	bound_screens_done(&j->bound);
	free(j->binding);
	j->binding = NULL;
}

static void bind(struct judging *j)
{
	const size_t n = rules_n_screens(j->rules);
	const struct screen **screen;

	if (j->binding && j->bound.kernel == j->setup->view.kernel)
		return;
	unbind(j);
	screen = xcalloc(n, sizeof *screen);
	for (size_t i = 0; i < n; i++)
		screen[i] = rules_screen(j->rules, i);
	bound_screens_make(&j->bound, j->setup, screen, n);
	free(screen);
	j->binding = xcalloc(n, sizeof *j->binding);
	for (size_t i = 0; i < n; i++)
		j->binding[i] = j->bound.screen[i].binding;
}

static void begin(struct judging *j, const struct sample *sample)
{
	if (!j->rules)
		make_rules(j);
	bind(j);
	if (j->mono_ns == sample->mono_ns && j->generation == sample->generation)
		return;
	j->mono_ns = sample->mono_ns;
	j->generation = sample->generation;
	judge_begin(j->rules, sample);
}

size_t judging_ask(struct judging *j, const struct sample *sample, const struct delta_row *row,
		   const struct value *evidence, const struct verdict **found, struct tell *tell)
{
	const struct verdict_case c = {row, &sample->host, sample->threads, evidence};

	begin(j, sample);
	judge_measure(j->rules, j->binding, &c, j->cell);
	*found = j->found;
	*tell = (struct tell){j->rules, j->binding, row->task, j->cell};
	return judge_row(j->rules, row->task, j->cell, j->found);
}

static const char *word(void *context, const struct sample *sample, const struct delta_row *row)
{
	struct judging *j = context;
	const struct verdict *found;
	struct tell tell;

	if (row->task->kind != &kind_task)
		return NULL;
	strbuf_reset(&j->text);
	if (judging_ask(j, sample, row, NULL, &found, &tell))
		tell_word(&j->text, &found[0]);
	return j->text.text;
}

struct judging *judging_new(struct setup *s)
{
	struct judging *j = xcalloc(1, sizeof *j);

	j->setup = s;
	j->judged = (struct judged){word, j};
	strbuf_init(&j->text);
	strbuf_addstr(&j->text, "");
	return j;
}

void judging_free(struct judging *j)
{
	if (!j)
		return;
	unbind(j);
	rules_free(j->rules);
	free(j->cell);
	free(j->found);
	strbuf_done(&j->text);
	free(j);
}

const struct judged *judging_judged(const struct judging *j)
{
	return &j->judged;
}

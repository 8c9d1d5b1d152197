/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of story_page: the story as tables, for a page for a browser. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "diagnose/story_page.h"
#include "report/report.h"

/* clang-format off */
static const struct report_column program_columns[] = {
	{.csv = "program", .title = "program", .width = -16, .role = REPORT_IS_NAME},
	{.csv = "cpu_s", .csv_digits = 3, .title = "CPU", .digits = 2, .unit = "s"},
	{.csv = "share_pct", .csv_digits = 3, .title = "share", .digits = 1, .unit = "%"},
	{.csv = "tasks", .title = "tasks", .role = REPORT_IS_TIMES},
	{.csv = "ended", .title = "ended"},
	{.csv = "ipc", .csv_digits = 4, .title = "IPC", .digits = 2},
	{.csv = "busiest", .title = "busiest PID", .role = REPORT_IS_PROCESS},
	{.csv = "verdict", .title = "main verdict", .width = -16},
	{.csv = "verdict_pct", .csv_digits = 3, .title = "of its time", .digits = 1, .unit = "%"},
};

static const struct report_column verdict_columns[] = {
	{.csv = "program", .title = "program", .width = -16, .role = REPORT_IS_NAME},
	{.csv = "verdict", .title = "verdict", .width = -16, .role = REPORT_IS_KIND},
	{.csv = "cpu_s", .csv_digits = 3, .title = "CPU", .digits = 2, .unit = "s"},
	{.csv = "share_pct", .csv_digits = 3, .title = "of its time", .digits = 1, .unit = "%"},
	{.csv = "maybe_s", .csv_digits = 3, .title = "not certain", .digits = 2, .unit = "s"},
	{.csv = "busiest_interval", .title = "its numbers in the busiest interval", .width = -40, .unknown = ""},
};

static const struct report_column change_columns[] = {
	{.csv = "time", .title = "time", .width = -29},
	{.csv = "id", .title = "PID", .role = REPORT_IS_PROCESS},
	{.csv = "program", .title = "program", .width = -16},
	{.csv = "column", .title = "column", .width = -8},
	{.csv = "before", .csv_digits = 4, .title = "before", .digits = 2},
	{.csv = "after", .csv_digits = 4, .title = "after", .digits = 2},
	{.csv = "likelier", .csv_digits = 1, .title = "likelier than noise, 10^", .digits = 0},
};

static const struct report_column note_columns[] = {
	{.csv = "time", .title = "time", .width = -29},
	{.csv = "text", .title = "what coincided", .width = -40},
};

static const struct report_column exit_columns[] = {
	{.csv = "time", .title = "time", .width = -29},
	{.csv = "id", .title = "PID", .role = REPORT_IS_PROCESS},
	{.csv = "program", .title = "program", .width = -16},
	{.csv = "signal", .title = "signal"},
	{.csv = "status", .title = "status"},
};
static const struct report_column remark_columns[] = {
	{.csv = "text", .title = "What is not known", .width = -40},
};
/* clang-format on */

#define TYPE(name)                                                                                 \
	static const struct report_type name##_type = {                                            \
		name##_columns, sizeof name##_columns / sizeof *name##_columns, NULL, 1, NULL}

TYPE(program);
TYPE(verdict);
TYPE(change);
TYPE(note);
TYPE(exit);
TYPE(remark);

/* ---- sentences ---- */

/* Adds the lines of the page before its second section, as a note. */
static void add_head(struct report *report, const struct story *s, const struct story_about *about)
{
	struct strbuf text;
	struct page page;
	int sections = 0;

	page_init(&page);
	story_page_make(&page, s, about);
	strbuf_init(&text);
	strbuf_addf(&text, "# %s\n", page.title);
	for (size_t i = 0; i < page.n && sections < 2; i++)
		if (page.line[i].style == PAGE_TITLE)
			sections++;
		else
			strbuf_addf(&text, "#   %s\n", page.line[i].text);
	report_note(report, text.text);
	strbuf_done(&text);
	page_done(&page);
}

static void add_remark(void *report, const char *id, const char *text)
{
	(void)id;
	record_text(report_add(report, &remark_type), "", text);
}

/* ---- tables ---- */

static double percent_of(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void put_word(struct report_record *r, const struct story *s, size_t word,
		     const struct story_time_of *told)
{
	record_textf(r, "", "%s%s", s->word[word] ? s->word[word] : "no verdict",
		     2 * told->maybe_ns > told->cpu_ns ? "?" : "");
}

static size_t main_word(const struct story *s, const struct story_time_of *told)
{
	size_t best = 0;

	for (size_t i = 1; i < s->n_words; i++)
		if (told[i].cpu_ns > told[best].cpu_ns)
			best = i;
	return best;
}

static void add_program(struct report *report, const struct story *s, const struct story_program *p)
{
	struct report_record *r = report_add(report, &program_type);
	const size_t word = main_word(s, p->told);

	record_text(r, "", p->name);
	record_number(r, "", p->cpu_ns / 1e9);
	record_number(r, "", percent_of(p->cpu_ns, s->cpu_ns));
	record_count(r, "", p->n_tasks);
	record_count(r, "", p->n_ended);
	record_number(r, "", p->ipc_ns > 0 ? p->ipc : NAN);
	record_count(r, "", p->busiest);
	if (p->told[word].cpu_ns > 0) {
		put_word(r, s, word, &p->told[word]);
		record_number(r, "", percent_of(p->told[word].cpu_ns, p->cpu_ns));
	} else {
		record_unknown(r, "");
		record_unknown(r, "");
	}
}

static int compare_word_times(const void *a, const void *b, void *context)
{
	const struct story_time_of *told = context;
	const double x = told[*(const size_t *)a].cpu_ns, y = told[*(const size_t *)b].cpu_ns;

	return (x < y) - (x > y);
}

/* Adds the verdicts of a program, the one with the most CPU time first. */
static void add_verdicts(struct report *report, const struct story *s,
			 const struct story_program *p, const struct story_examples *examples)
{
	size_t *word = xcalloc(s->n_words + 1, sizeof *word);

	for (size_t i = 0; i < s->n_words; i++)
		word[i] = i;
	array_sort_with(word, s->n_words, sizeof *word, compare_word_times, p->told);
	for (size_t i = 0; i < s->n_words && p->told[word[i]].cpu_ns > 0; i++) {
		const struct story_time_of *told = &p->told[word[i]];
		struct report_record *r = report_add(report, &verdict_type);

		record_text(r, "", p->name);
		put_word(r, s, word[i], told);
		record_number(r, "", told->cpu_ns / 1e9);
		record_number(r, "", percent_of(told->cpu_ns, p->cpu_ns));
		record_number(r, "", told->maybe_ns / 1e9);
		record_text(r, "", examples->find(examples->context, p->name, word[i]));
	}
	free(word);
}

static void put_time(struct report_record *r, uint64_t wall_ns)
{
	if (wall_ns)
		record_time(r, "", wall_ns);
	else
		record_unknown(r, "");
}

static void add_changes(struct report *report, const struct story *s)
{
	if (s->n_changes)
		report_note(report, "# Phases: when a number changed its level\n");
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct story_change *c = &s->change[i];
		struct report_record *r = report_add(report, &change_type);

		put_time(r, c->at.wall_ns);
		record_count(r, "", c->id);
		record_text(r, "", c->name);
		record_text(r, "", c->of == STORY_IPC ? "IPC" : "%CPU");
		record_number(r, "", c->before);
		record_number(r, "", c->after);
		record_number(r, "", c->likelier);
	}
}

static void add_notes(struct report *report, const struct story *s)
{
	if (s->n_notes)
		report_note(report, "# What coincided\n");
	for (size_t i = 0; i < s->n_notes; i++) {
		struct report_record *r = report_add(report, &note_type);

		put_time(r, s->note[i].at.wall_ns);
		record_text(r, "", s->note[i].text);
	}
}

static void add_exits(struct report *report, const struct story *s)
{
	if (s->n_bad)
		report_note(report, "# What ended badly\n");
	for (size_t i = 0; i < s->n_bad; i++) {
		const struct story_exit *e = &s->bad[i];
		struct report_record *r = report_add(report, &exit_type);

		put_time(r, e->at.wall_ns);
		record_count(r, "", e->id);
		record_text(r, "", e->name);
		record_optional_count(r, "", (uint64_t)e->signal);
		record_optional_count(r, "", e->signal ? 0 : (uint64_t)e->status);
	}
}

void story_add_report(struct report *report, const struct story *s, const struct story_about *about,
		      const struct story_examples *examples)
{
	add_head(report, s, about);
	report_note(report, "# The biggest consumers\n");
	for (size_t i = 0; i < s->n_programs; i++)
		add_program(report, s, s->program[i]);
	report_note(report, "# Why they were no faster: CPU time by verdict\n");
	for (size_t i = 0; i < s->n_programs; i++)
		add_verdicts(report, s, s->program[i], examples);
	add_changes(report, s);
	add_notes(report, s);
	add_exits(report, s);
	story_each_remark(s, add_remark, report);
}

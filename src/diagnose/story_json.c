/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of story: the story as JSON. */
#include <math.h>
#include <stdlib.h>

#include "diagnose/story.h"
#include "report/format.h"

#define SCHEMA 1

/* clang-format off */
REPORT_TYPE(told_type, {.id = "verdict"}, {.id = "cpu_s"}, {.id = "maybe_s"});
REPORT_TYPE(program_type, {.id = "program"}, {.id = "tasks"}, {.id = "ended"}, {.id = "cpu_s"}, {.id = "ipc"},
	    {.id = "busiest"}, {.id = "verdicts"});
REPORT_TYPE(change_type, {.id = "time"}, {.id = "id"}, {.id = "name"}, {.id = "column"}, {.id = "before"},
	    {.id = "after"}, {.id = "likelier"});
REPORT_TYPE(note_type, {.id = "time"}, {.id = "text"}, {.id = "id"});
REPORT_TYPE(exit_type, {.id = "time"}, {.id = "id"}, {.id = "name"}, {.id = "signal"}, {.id = "status"});
REPORT_TYPE(unknown_type, {.id = "metric"}, {.id = "reason"}, {.id = "cpu_s"});

REPORT_TYPE(story_type, {.id = "type"}, {.id = "schema"},
	    {.id = "recording"}, {.id = "host"}, {.id = "arch"}, {.id = "model"}, {.id = "cpus"},
	    {.id = "command", .members = 3}, {.id = "words"}, {.id = "status"}, {.id = "ran_s"},
	    {.id = "from"}, {.id = "to"}, {.id = "intervals"}, {.id = "step_s"}, {.id = "measured_s"},
	    {.id = "gaps"}, {.id = "gaps_s"},
	    {.id = "least_share"}, {.id = "tasks"}, {.id = "began"}, {.id = "ended"}, {.id = "cpu_s"},
	    {.id = "cpu_wait_s"}, {.id = "judged_s"}, {.id = "verdicts"},
	    {.id = "programs"}, {.id = "phases"},
	    {.id = "coincidences"}, {.id = "ended_badly"}, {.id = "oom_kills"},
	    {.id = "not_known"}, {.id = "remarks"}, {.id = "remark_ids"});
/* clang-format on */

/* --- fields of the story --- */

/* Writes null for an empty text. */
static void put_known(struct report_record *r, const char *id, const char *text)
{
	record_text(r, id, text && *text ? text : NULL);
}

static void put_machine(struct report_record *r, const struct story *s,
			const struct story_about *about)
{
	const struct sample_machine *m = about->machine;

	record_text(r, "recording", about->recording);
	put_known(r, "host", m ? m->host : NULL);
	put_known(r, "arch", m ? m->arch : NULL);
	put_known(r, "model", m ? m->model : NULL);
	record_number(r, "cpus", s->n_cpus ? s->n_cpus : NAN);
}

/* Writes null if no command was followed. */
static void put_command(struct report_record *r, const struct story_about *about)
{
	const struct ending *end = about->ending;

	if (!about->command) {
		record_unknown(r, "command");
		return;
	}
	record_group(r, "command");
	record_list(r, "words", 1);
	for (char *const *word = about->command; *word; word++)
		record_item_text(r, *word);
	record_number(r, "status", end && !end->unknown ? end->status : NAN);
	record_number(r, "ran_s", end ? (double)about->ran_ns / 1e9 : NAN);
}

static void put_span(struct report_record *r, const struct story *s)
{
	record_time(r, "from", s->from_ns);
	record_time(r, "to", s->to_ns);
	record_count(r, "intervals", s->n_intervals);
	record_number(r, "step_s", s->step_s ? (double)s->step_s : NAN);
	record_number(r, "measured_s", s->interval_ns / 1e9);
	record_count(r, "gaps", s->n_gaps);
	record_number(r, "gaps_s", s->gap_ns / 1e9);
	record_number(r, "least_share", (double)s->least_share);
	record_count(r, "tasks", s->n_tasks);
	record_count(r, "began", s->n_born);
	record_count(r, "ended", s->n_ended);
	record_number(r, "cpu_s", s->cpu_ns / 1e9);
	record_number(r, "cpu_wait_s", s->wait_known ? s->wait_ns / 1e9 : NAN);
	record_number(r, "judged_s", s->judged_ns / 1e9);
}

/* --- records in lists; they are added before the record of the story --- */

/* The index of the first record of each list among the entries, and the end of the last list. */
struct inner {
	size_t verdicts, programs, changes, notes, exits, unknown, end;
};

/* told: [n_words] of a program, or of all tasks. */
static void add_verdicts(struct report *report, const struct story *s,
			 const struct story_time_of *told)
{
	for (size_t i = 0; i < s->n_words; i++) {
		struct report_record *item;

		if (told[i].cpu_ns <= 0)
			continue;
		item = report_add_inner(report, &told_type);
		record_text(item, "verdict", s->word[i]);
		record_number(item, "cpu_s", told[i].cpu_ns / 1e9);
		record_number(item, "maybe_s", told[i].maybe_ns / 1e9);
	}
}

/* Adds a program; its verdicts are the entries from `first` to before `end`. */
static void add_program(struct report *report, const struct story_program *p, size_t first,
			size_t end)
{
	struct report_record *item = report_add_inner(report, &program_type);

	record_text(item, "program", p->name);
	record_count(item, "tasks", p->n_tasks);
	record_count(item, "ended", p->n_ended);
	record_number(item, "cpu_s", p->cpu_ns / 1e9);
	record_number(item, "ipc", p->ipc_ns > 0 ? p->ipc : NAN);
	record_count(item, "busiest", p->busiest);
	record_records(item, "verdicts", first, end);
}

/* Adds the verdicts of all programs, then the programs. Returns the index of the first program. */
static size_t add_programs(struct report *report, const struct story *s)
{
	size_t *told = xcalloc(s->n_programs + 1, sizeof *told), begin;

	for (size_t i = 0; i < s->n_programs; i++) {
		told[i] = report->n;
		add_verdicts(report, s, s->program[i]->told);
	}
	told[s->n_programs] = report->n;
	for (size_t i = 0; i < s->n_programs; i++)
		add_program(report, s->program[i], told[i], told[i + 1]);
	begin = told[s->n_programs];
	free(told);
	return begin;
}

static void add_changes(struct report *report, const struct story *s)
{
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct story_change *c = &s->change[i];
		struct report_record *item = report_add_inner(report, &change_type);

		record_time(item, "time", c->at.wall_ns);
		record_count(item, "id", c->id);
		record_text(item, "name", c->name);
		record_text(item, "column", c->of == STORY_IPC ? "ipc" : "cpu");
		record_number(item, "before", c->before);
		record_number(item, "after", c->after);
		record_number(item, "likelier", c->likelier);
	}
}

static void add_notes(struct report *report, const struct story *s)
{
	for (size_t i = 0; i < s->n_notes; i++) {
		struct report_record *item = report_add_inner(report, &note_type);

		record_time(item, "time", s->note[i].at.wall_ns);
		record_text(item, "text", s->note[i].text);
		record_text(item, "id", s->note[i].id);
	}
}

static void add_exits(struct report *report, const struct story *s)
{
	for (size_t i = 0; i < s->n_bad; i++) {
		const struct story_exit *e = &s->bad[i];
		struct report_record *item = report_add_inner(report, &exit_type);

		if (e->at.wall_ns)
			record_time(item, "time", e->at.wall_ns);
		else
			record_unknown(item, "time");
		record_count(item, "id", e->id);
		record_text(item, "name", e->name);
		record_optional_count(item, "signal", (uint64_t)e->signal);
		record_optional_count(item, "status", e->signal ? 0 : (uint64_t)e->status);
	}
}

static void add_unknown(struct report *report, const struct story *s, size_t metric)
{
	for (int why = QUALITY_FIRST_NONE; why < N_QUALITIES; why++) {
		const double ns = s->unknown[metric].cpu_ns[why];
		struct report_record *item;

		if (ns <= 0)
			continue;
		item = report_add_inner(report, &unknown_type);
		record_text(item, "metric", rules_metric(s->rules, metric)->name);
		record_text(item, "reason", quality_table[why].name);
		record_number(item, "cpu_s", ns / 1e9);
	}
}

static struct inner add_inner(struct report *report, const struct story *s)
{
	struct inner in;

	in.programs = add_programs(report, s);
	in.verdicts = report->n;
	add_verdicts(report, s, s->told);
	in.changes = report->n;
	add_changes(report, s);
	in.notes = report->n;
	add_notes(report, s);
	in.exits = report->n;
	add_exits(report, s);
	in.unknown = report->n;
	for (size_t i = 0; i < rules_n_metrics(s->rules); i++)
		add_unknown(report, s, i);
	in.end = report->n;
	return in;
}

/* --- the whole story --- */

static void put_remark(void *record, const char *id, const char *text)
{
	(void)id;
	record_item_text(record, text);
}

static void put_remark_id(void *record, const char *id, const char *text)
{
	(void)text;
	record_item_text(record, id);
}

static void put_lists(struct report_record *r, const struct story *s, const struct inner *in)
{
	record_records(r, "verdicts", in->verdicts, in->changes);
	record_records(r, "programs", in->programs, in->verdicts);
	record_records(r, "phases", in->changes, in->notes);
	record_records(r, "coincidences", in->notes, in->exits);
	record_records(r, "ended_badly", in->exits, in->unknown);
	record_number(r, "oom_kills", s->kills_known ? (double)s->kills : NAN);
	record_records(r, "not_known", in->unknown, in->end);
	record_list(r, "remarks", 1);
	story_each_remark(s, put_remark, r);
	record_list(r, "remark_ids", 1);
	story_each_remark(s, put_remark_id, r);
}

void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about)
{
	struct report report;
	struct report_record *r;
	struct inner in;

	report_init(&report);
	in = add_inner(&report, s);
	r = report_add(&report, &story_type);
	record_text(r, "type", "story");
	record_count(r, "schema", SCHEMA);
	put_machine(r, s, about);
	put_command(r, about);
	put_span(r, s);
	put_lists(r, s, &in);
	report_write_json(&report, false, out);
	report_done(&report);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: as JSON. */
#include <math.h>

#include "report/format.h"
#include "story/page.h"
#include "story/part.h"

#define SCHEMA 1

/* clang-format off */
REPORT_TYPE(told_type, {.id = "verdict"}, {.id = "cpu_s"}, {.id = "maybe_s"});
REPORT_TYPE(program_type, {.id = "program"}, {.id = "tasks"}, {.id = "ended"}, {.id = "cpu_s"}, {.id = "ipc"},
	    {.id = "busiest"}, {.id = "verdicts", .of = &told_type});
REPORT_TYPE(change_type, {.id = "time"}, {.id = "id"}, {.id = "name"}, {.id = "column"}, {.id = "before"},
	    {.id = "after"}, {.id = "likelier"});
REPORT_TYPE(note_type, {.id = "time"}, {.id = "text"});
REPORT_TYPE(exit_type, {.id = "time"}, {.id = "id"}, {.id = "name"}, {.id = "signal"}, {.id = "status"});
REPORT_TYPE(unknown_type, {.id = "metric"}, {.id = "reason"}, {.id = "cpu_s"});

REPORT_TYPE(story_type, {.id = "type"}, {.id = "schema"},
	    {.id = "recording"}, {.id = "host"}, {.id = "arch"}, {.id = "model"}, {.id = "cpus"},
	    {.id = "command", .members = 3}, {.id = "words"}, {.id = "status"}, {.id = "ran_s"},
	    {.id = "from"}, {.id = "to"}, {.id = "intervals"}, {.id = "measured_s"}, {.id = "gaps"}, {.id = "gaps_s"},
	    {.id = "least_share"}, {.id = "tasks"}, {.id = "began"}, {.id = "ended"}, {.id = "cpu_s"},
	    {.id = "cpu_wait_s"}, {.id = "judged_s"}, {.id = "verdicts", .of = &told_type},
	    {.id = "programs", .of = &program_type}, {.id = "phases", .of = &change_type},
	    {.id = "coincidences", .of = &note_type}, {.id = "ended_badly", .of = &exit_type}, {.id = "oom_kills"},
	    {.id = "not_known", .of = &unknown_type}, {.id = "remarks"});
/* clang-format on */

/* A text that is empty is not known. */
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

/* null where none was followed. */
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

/* told: [n_words] of a program, or of all. */
static void put_told(struct report_record *r, const struct story *s, const struct story_told *told)
{
	record_list(r, "verdicts", 1);
	for (size_t i = 0; i < s->n_words; i++) {
		struct report_record *item;

		if (told[i].cpu_ns <= 0)
			continue;
		item = record_item_record(r);
		record_text(item, "verdict", s->word[i]);
		record_number(item, "cpu_s", told[i].cpu_ns / 1e9);
		record_number(item, "maybe_s", told[i].maybe_ns / 1e9);
	}
}

static void put_programs(struct report_record *r, const struct story *s)
{
	record_list(r, "programs", 1);
	for (size_t i = 0; i < s->n_programs; i++) {
		const struct story_program *p = s->program[i];
		struct report_record *item = record_item_record(r);

		record_text(item, "program", p->name);
		record_count(item, "tasks", p->n_tasks);
		record_count(item, "ended", p->n_ended);
		record_number(item, "cpu_s", p->cpu_ns / 1e9);
		record_number(item, "ipc", p->ipc_ns > 0 ? p->ipc : NAN);
		record_count(item, "busiest", p->busiest);
		put_told(item, s, p->told);
	}
}

static void put_changes(struct report_record *r, const struct story *s)
{
	record_list(r, "phases", 1);
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct story_change *c = &s->change[i];
		struct report_record *item = record_item_record(r);

		record_time(item, "time", c->at.wall_ns);
		record_count(item, "id", c->id);
		record_text(item, "name", c->name);
		record_text(item, "column", c->of == STORY_IPC ? "ipc" : "cpu");
		record_number(item, "before", c->before);
		record_number(item, "after", c->after);
		record_number(item, "likelier", c->likelier);
	}
}

static void put_notes(struct report_record *r, const struct story *s)
{
	record_list(r, "coincidences", 1);
	for (size_t i = 0; i < s->n_notes; i++) {
		struct report_record *item = record_item_record(r);

		record_time(item, "time", s->note[i].at.wall_ns);
		record_text(item, "text", s->note[i].text);
	}
}

static void put_exits(struct report_record *r, const struct story *s)
{
	record_list(r, "ended_badly", 1);
	for (size_t i = 0; i < s->n_bad; i++) {
		const struct story_exit *e = &s->bad[i];
		struct report_record *item = record_item_record(r);

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

static void put_unknown(struct report_record *r, const struct story *s, size_t metric)
{
	for (int why = QUALITY_FIRST_NONE; why < N_QUALITIES; why++) {
		const double ns = s->unknown[metric].cpu_ns[why];
		struct report_record *item;

		if (ns <= 0)
			continue;
		item = record_item_record(r);
		record_text(item, "metric", rules_metric(s->rules, metric)->name);
		record_text(item, "reason", quality_table[why].name);
		record_number(item, "cpu_s", ns / 1e9);
	}
}

static void put_sentence(void *record, const char *text)
{
	record_item_text(record, text);
}

static void put_lacks(struct report_record *r, const struct story *s)
{
	record_number(r, "oom_kills", s->kills_known ? (double)s->kills : NAN);
	record_list(r, "not_known", 1);
	for (size_t i = 0; i < rules_n_metrics(s->rules); i++)
		put_unknown(r, s, i);
	record_list(r, "remarks", 1);
	story_each_lack(s, put_sentence, r);
}

void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about)
{
	struct report report;
	struct report_record *r;

	report_init(&report);
	r = report_add(&report, &story_type);
	record_text(r, "type", "story");
	record_count(r, "schema", SCHEMA);
	put_machine(r, s, about);
	put_command(r, about);
	put_span(r, s);
	put_told(r, s, s->told);
	put_programs(r, s);
	put_changes(r, s);
	put_notes(r, s);
	put_exits(r, s);
	put_lacks(r, s);
	report_write_json(&report, false, out);
	report_done(&report);
}

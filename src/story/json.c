/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of page: for programs; doc/verdicts.md has the fields. */
#include <math.h>
#include <stdlib.h>

#include "base/json.h"
#include "story/page.h"
#include "story/part.h"

#define SCHEMA 1

static void add_machine(struct strbuf *out, const struct story *s, const struct story_about *about)
{
	const struct sample_machine *m = about->machine;

	json_member_text(out, "recording", about->recording);
	json_member_text(out, "host", m && *m->host ? m->host : NULL);
	json_member_text(out, "arch", m && *m->arch ? m->arch : NULL);
	json_member_text(out, "model", m && *m->model ? m->model : NULL);
	json_key(out, "cpus");
	if (s->n_cpus)
		json_count(out, (uint64_t)s->n_cpus);
	else
		json_text(out, NULL);
}

/* null where none was followed. */
static void add_command(struct strbuf *out, const struct story_about *about)
{
	const struct ending *end = about->ending;

	json_key(out, "command");
	if (!about->command) {
		json_text(out, NULL);
		return;
	}
	json_begin(out, '{');
	json_key(out, "words");
	json_begin(out, '[');
	for (char *const *word = about->command; *word; word++)
		json_text(out, *word);
	json_end(out, ']');
	json_member_number(out, "status", end && !end->unknown ? end->status : NAN);
	json_member_number(out, "ran_s", end ? (double)about->ran_ns / 1e9 : NAN);
	json_end(out, '}');
}

static void add_span(struct strbuf *out, const struct story *s)
{
	json_member_time(out, "from", s->from_ns);
	json_member_time(out, "to", s->to_ns);
	json_member_count(out, "intervals", s->n_intervals);
	json_member_number(out, "measured_s", s->interval_ns / 1e9);
	json_member_count(out, "gaps", s->n_gaps);
	json_member_number(out, "gaps_s", s->gap_ns / 1e9);
	json_member_number(out, "least_share", (double)s->least_share);
}

/* What was told of whom: `of` has it. */
static void add_told(struct strbuf *out, const struct story *s, const struct story_told *told)
{
	json_key(out, "verdicts");
	json_begin(out, '[');
	for (size_t i = 0; i < s->n_words; i++) {
		if (told[i].cpu_ns <= 0)
			continue;
		json_begin(out, '{');
		json_member_text(out, "verdict", s->word[i]);
		json_member_number(out, "cpu_s", told[i].cpu_ns / 1e9);
		json_member_number(out, "maybe_s", told[i].maybe_ns / 1e9);
		json_end(out, '}');
	}
	json_end(out, ']');
}

static void add_program(struct strbuf *out, const struct story *s, const struct story_program *p)
{
	json_begin(out, '{');
	json_member_text(out, "program", p->name);
	json_member_count(out, "tasks", p->n_tasks);
	json_member_count(out, "ended", p->n_ended);
	json_member_number(out, "cpu_s", p->cpu_ns / 1e9);
	json_member_number(out, "ipc", p->ipc_ns > 0 ? p->ipc : NAN);
	json_member_count(out, "busiest", p->busiest);
	add_told(out, s, p->told);
	json_end(out, '}');
}

static void add_unknown(struct strbuf *out, const struct story *s, size_t metric)
{
	for (int why = QUALITY_FIRST_NONE; why < N_QUALITIES; why++) {
		const double ns = s->unknown[metric].cpu_ns[why];

		if (ns <= 0)
			continue;
		json_begin(out, '{');
		json_member_text(out, "metric", rules_metric(s->rules, metric)->name);
		json_member_text(out, "reason", quality_table[why].name);
		json_member_number(out, "cpu_s", ns / 1e9);
		json_end(out, '}');
	}
}

static void add_changes(struct strbuf *out, const struct story *s)
{
	json_key(out, "phases");
	json_begin(out, '[');
	for (size_t i = 0; i < s->n_changes; i++) {
		const struct story_change *c = &s->change[i];

		json_begin(out, '{');
		json_member_time(out, "time", c->at.wall_ns);
		json_member_count(out, "id", c->id);
		json_member_text(out, "name", c->name);
		json_member_text(out, "column", c->of == STORY_IPC ? "ipc" : "cpu");
		json_member_number(out, "before", c->before);
		json_member_number(out, "after", c->after);
		json_member_number(out, "likelier", c->likelier);
		json_end(out, '}');
	}
	json_end(out, ']');
}

static void add_ends(struct strbuf *out, const struct story *s)
{
	json_key(out, "ended_badly");
	json_begin(out, '[');
	for (size_t i = 0; i < s->n_bad; i++) {
		const struct story_exit *e = &s->bad[i];

		json_begin(out, '{');
		if (e->at.wall_ns)
			json_member_time(out, "time", e->at.wall_ns);
		else
			json_member_text(out, "time", NULL);
		json_member_count(out, "id", e->id);
		json_member_text(out, "name", e->name);
		json_member_count(out, e->signal ? "signal" : "status",
				  (uint64_t)(e->signal ? e->signal : e->status));
		json_end(out, '}');
	}
	json_end(out, ']');
}

static void add_notes(struct strbuf *out, const struct story *s)
{
	json_key(out, "coincidences");
	json_begin(out, '[');
	for (size_t i = 0; i < s->n_notes; i++) {
		json_begin(out, '{');
		json_member_time(out, "time", s->note[i].at.wall_ns);
		json_member_text(out, "text", s->note[i].text);
		json_end(out, '}');
	}
	json_end(out, ']');
}

static void add_sentence(void *context, const char *text)
{
	json_text(context, text);
}

void story_add_json(struct strbuf *out, const struct story *s, const struct story_about *about)
{
	json_begin(out, '{');
	json_member_text(out, "type", "story");
	json_member_count(out, "schema", SCHEMA);
	add_machine(out, s, about);
	add_command(out, about);
	add_span(out, s);
	json_member_count(out, "tasks", s->n_tasks);
	json_member_count(out, "began", s->n_born);
	json_member_count(out, "ended", s->n_ended);
	json_member_number(out, "cpu_s", s->cpu_ns / 1e9);
	json_member_number(out, "cpu_wait_s", s->wait_known ? s->wait_ns / 1e9 : NAN);
	json_member_number(out, "judged_s", s->judged_ns / 1e9);
	add_told(out, s, s->told);
	json_key(out, "programs");
	json_begin(out, '[');
	for (size_t i = 0; i < s->n_programs; i++)
		add_program(out, s, s->program[i]);
	json_end(out, ']');
	add_changes(out, s);
	add_notes(out, s);
	add_ends(out, s);
	json_member_number(out, "oom_kills", s->kills_known ? (double)s->kills : NAN);
	json_key(out, "not_known");
	json_begin(out, '[');
	for (size_t i = 0; i < rules_n_metrics(s->rules); i++)
		add_unknown(out, s, i);
	json_end(out, ']');
	json_key(out, "remarks");
	json_begin(out, '[');
	story_each_lack(s, add_sentence, out);
	json_end(out, ']');
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

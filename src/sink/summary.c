/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/summary.h"

#include <inttypes.h>

#include "base/text.h"
#include "view/evaluate.h"
#include "view/format.h"

#define COUNT_WIDTH 20

static const struct delta_row *row_of(const struct summary *s)
{
	return s->frame->row[0].from;
}

struct value summary_cpu(const struct summary *s)
{
	return row_of(s)->cpu_ns;
}

struct value summary_fact(const struct summary *s, enum fact fact)
{
	return delta_fact(row_of(s), fact);
}

/* Whether it is a part of another number, or the same number as one before it. */
static bool is_repeated(const struct sample_events *set, int i)
{
	return set->event[i].part_of || sample_events_find(set, 0, set, i) < i;
}

int summary_next_event(const struct summary *s, int i)
{
	const struct sample_events *set = row_of(s)->events;
	const int n = sample_events_n(set);

	while (i < n && is_repeated(set, i))
		i++;
	return i < n ? i : -1;
}

const char *summary_event_name(const struct summary *s, int i)
{
	const struct sample_event *e = &row_of(s)->events->event[i];

	return *e->given ? e->given : e->resolved;
}

struct value summary_event(const struct summary *s, int i)
{
	return row_of(s)->increment[i];
}

static void add_seconds(struct strbuf *out, const char *what, struct value ns)
{
	strbuf_addstr(out, what);
	if (value_known(ns))
		strbuf_addf(out, " %.3f s", ns.number / 1e9);
	else
		strbuf_addf(out, " %s", quality_table[ns.quality].mark);
}

static void add_command(struct strbuf *out, const struct summary *s)
{
	strbuf_addstr(out, "summary: ");
	for (char *const *word = s->command; *word; word++) {
		strbuf_addstr(out, word == s->command ? "" : " ");
		text_add(out, *word);
	}
	if (s->unknown)
		strbuf_addstr(out, ", and all that it made, ended; nobody knows its status");
	else
		strbuf_addf(out, ", and all that it made, ended with status %d", s->status);
	strbuf_addch(out, '\n');
}

static void add_times(struct strbuf *out, const struct summary *s)
{
	const struct value cpu = summary_cpu(s), share = evaluate_cpu(row_of(s));

	add_seconds(out, "wall", value_exact((double)s->frame->interval_ns));
	add_seconds(out, ", CPU", cpu);
	if (value_known(share))
		strbuf_addf(out, " (%.1f %%)", share.number);
	add_seconds(out, ": user", summary_fact(s, FACT_UTIME_NS));
	add_seconds(out, ", system", summary_fact(s, FACT_STIME_NS));
	strbuf_addch(out, '\n');
}

static void add_event(struct strbuf *out, const struct summary *s, int i, struct value v)
{
	uint64_t count;

	if (value_is_count(v, &count))
		strbuf_addf(out, "%*" PRIu64, COUNT_WIDTH, count);
	else if (value_known(v))
		strbuf_addf(out, "%*.0f", COUNT_WIDTH, v.number);
	else
		strbuf_addf(out, "%*s", COUNT_WIDTH, quality_table[v.quality].mark);
	strbuf_addch(out, ' ');
	text_add(out, summary_event_name(s, i));
	format_quality(out, v);
	strbuf_addch(out, '\n');
}

static void add_ended(struct strbuf *out, const struct summary *s)
{
	if (!s->each) {
		strbuf_addstr(out, "this kernel does not tell what each of its tasks has "
				   "counted: the sum is exact all the same\n");
		return;
	}
	strbuf_addf(out, "of that, %" PRIu64 " task%s that %s ended, as the kernel told", s->ended,
		    s->ended == 1 ? "" : "s", s->ended == 1 ? "has" : "have");
	if (s->lost)
		strbuf_addf(out, ", and %" PRIu64 " whose end was lost", s->lost);
	strbuf_addstr(out, s->damaged ? ", and perhaps more, as a ring was damaged\n" : "\n");
}

const char *summary_level(const struct summary *s)
{
	return s->each ? "each" : "sum";
}

static void add_all_events(struct strbuf *out, const struct summary *s, const char *before)
{
	for (int i = summary_next_event(s, 0); i >= 0; i = summary_next_event(s, i + 1)) {
		strbuf_addstr(out, before);
		add_event(out, s, i, summary_event(s, i));
	}
	if (s->left_out)
		strbuf_addf(out, "%s%s\n", before, s->left_out);
	strbuf_addstr(out, before);
	add_ended(out, s);
	for (int i = s->each ? summary_next_event(s, 0) : -1; i >= 0;
	     i = summary_next_event(s, i + 1)) {
		strbuf_addstr(out, before);
		add_event(out, s, i, s->count[i]);
	}
}

/* More are not read by people; JSON has all. */
#define PROGRAMS_MAX 10

static void add_programs(struct strbuf *out, const struct summary *s, const char *before)
{
	if (s->n_programs && s->names_lost)
		strbuf_addf(out, "%sprograms by CPU time (%" PRIu64 " names were lost):\n", before,
			    s->names_lost);
	else if (s->n_programs)
		strbuf_addf(out, "%sprograms by CPU time:\n", before);
	for (size_t i = 0; i < s->n_programs && i < PROGRAMS_MAX; i++) {
		const struct summary_program *p = &s->program[i];

		strbuf_addf(out, "%s%*.3f s %4" PRIu64 " ", before, COUNT_WIDTH - 2,
			    p->cpu_ns.number / 1e9, p->processes);
		text_add(out, p->name);
		strbuf_addch(out, '\n');
	}
}

void summary_add_text(struct strbuf *out, const struct summary *s, const char *before)
{
	const struct frame *frame = s->frame;

	strbuf_addstr(out, before);
	add_command(out, s);
	strbuf_addstr(out, before);
	add_times(out, s);
	add_all_events(out, s, before);
	add_programs(out, s, before);
	strbuf_addstr(out, before);
	format_header(out, frame);
	strbuf_addf(out, "\n%s", before);
	format_row(out, frame, &frame->row[0]);
	text_add(out, frame->row[0].label);
	strbuf_addch(out, '\n');
}

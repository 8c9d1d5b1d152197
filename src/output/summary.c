/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/summary.h"

#include <inttypes.h>

#include "base/strbuf.h"
#include "model/fact_list.h"
#include "view/evaluate.h"
#include "view/format.h"

/* ---- cpu conflict ---- */

/* How much less than the accounted time the counters may show without a conflict: the sum of a
 * constant, a share of the accounted time, and a time for each task switch. */
#define LESS_NS    50e6
#define LESS_SHARE 0.25
#define SWITCH_NS  2000.0

/* How much less than the counted time the accounting may show without a conflict: a constant and a
 * share, as a busy host of a virtual machine takes half of the time and more. */
#define MORE_NS    100e6
#define MORE_SHARE 0.75

static bool counts_less(const struct cpu_times *t)
{
	return t->accounted_ns - t->counted_ns >
	       LESS_NS + LESS_SHARE * t->accounted_ns + SWITCH_NS * t->switches;
}

static bool counts_more(const struct cpu_times *t)
{
	return t->counted_ns - t->accounted_ns > MORE_NS + MORE_SHARE * t->counted_ns;
}

bool cpu_conflict_add_text(struct strbuf *out, const struct cpu_times *t)
{
	if (counts_less(t))
		strbuf_addf(out,
			    "the counters lack %.3f s of the CPU time that the kernel accounts to "
			    "the command (user and system): some tasks were not counted, which may "
			    "be threads that the kernel made for it",
			    (t->accounted_ns - t->counted_ns) / 1e9);
	else if (counts_more(t))
		strbuf_addf(
			out,
			"user and system lack %.3f s of the CPU time that was counted: they are "
			"of processes that their parents waited for, and not of those that live "
			"on or were left to init",
			(t->counted_ns - t->accounted_ns) / 1e9);
	else
		return false;
	return true;
}

/* ---- summary ---- */

#define COUNT_WIDTH 20

static const struct delta_row *row_of(const struct summary *s)
{
	return s->frame->row[0].from;
}

struct value summary_cpu(const struct summary *s)
{
	return row_of(s)->cpu_ns;
}

/* Returns the CPU time of the programs from index i on. */
static struct value programs_cpu(const struct summary *s, size_t i)
{
	struct value sum = value_exact(0);

	for (; i < s->how.n_programs; i++)
		sum = value_combine(sum.number + s->how.program[i].cpu_ns.number, sum,
				    s->how.program[i].cpu_ns);
	return sum;
}

struct value summary_rest(const struct summary *s)
{
	const struct value all = summary_cpu(s), known = programs_cpu(s, 0);

	return value_combine(all.number - known.number, all, known);
}

struct value summary_fact(const struct summary *s, int fact)
{
	return delta_fact(row_of(s), fact);
}

bool summary_add_conflict(struct strbuf *out, const struct summary *s)
{
	const struct value cpu = summary_cpu(s), user = summary_fact(s, FACT_UTIME_NS),
			   system = summary_fact(s, FACT_STIME_NS),
			   waits = summary_fact(s, FACT_VCSW), others = summary_fact(s, FACT_NVCSW);
	const struct cpu_times times = {cpu.number, user.number + system.number,
					waits.number + others.number};

	return value_known(cpu) && value_known(user) && value_known(system) && value_known(waits) &&
	       value_known(others) && cpu_conflict_add_text(out, &times);
}

/* Returns whether the event is a part of another counter, or equals an earlier event. */
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

/* The software events CPU_CLOCK (0) and TASK_CLOCK (1). */
#define LAST_CLOCK 1

enum unit summary_event_unit(const struct summary *s, int i)
{
	const struct sample_event *e = &row_of(s)->events->event[i];

	return e->kind == EVENT_SOFTWARE && e->config <= LAST_CLOCK ? UNIT_NS : UNIT_COUNT;
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
	for (char *const *word = s->how.command; *word; word++) {
		strbuf_addstr(out, word == s->how.command ? "" : " ");
		text_add(out, *word);
	}
	if (s->runs) {
		strbuf_addstr(out, ", and its descendants: ");
		runs_add_ends(out, s->runs);
	} else if (s->how.unknown) {
		strbuf_addstr(out, ", and its descendants: ended; its status is unknown");
	} else {
		strbuf_addf(out, ", and its descendants: ended with status %d", s->how.status);
	}
	strbuf_addch(out, '\n');
}

/* The smallest visible difference of times, in ns: the summary shows 3 decimals of seconds. */
#define VISIBLE_NS 1e6

/* Appends a hint if getrusage(2) shows more than the counters: it covers the whole life of the
 * command, while the counters start at execve(2). For a short command, the difference is a large
 * part of the time. */
static void add_begin(struct strbuf *out, const struct summary *s)
{
	const struct value cpu = summary_cpu(s), user = summary_fact(s, FACT_UTIME_NS),
			   system = summary_fact(s, FACT_STIME_NS);

	if (value_known(cpu) && value_known(user) && value_known(system) &&
	    user.number + system.number >= cpu.number + VISIBLE_NS)
		strbuf_addstr(out, " since the fork");
}

static void add_times(struct strbuf *out, const struct summary *s, const char *before)
{
	const struct value cpu = summary_cpu(s), share = evaluate_cpu(row_of(s));
	struct strbuf conflict;

	add_seconds(out, "wall", value_exact((double)s->frame->interval_ns));
	add_seconds(out, ", CPU", cpu);
	if (value_known(share))
		strbuf_addf(out, " (%.1f %%)", share.number);
	add_seconds(out, ": user", summary_fact(s, FACT_UTIME_NS));
	add_seconds(out, ", system", summary_fact(s, FACT_STIME_NS));
	add_begin(out, s);
	strbuf_addch(out, '\n');
	strbuf_init(&conflict);
	if (summary_add_conflict(&conflict, s))
		strbuf_addf(out, "%s%s\n", before, conflict.text);
	strbuf_done(&conflict);
}

static bool counts_all_modes(const struct summary *s, int i)
{
	return row_of(s)->events->event[i].modes_too;
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
	format_quality(out, v, false);
	if (value_known(v) && counts_all_modes(s, i))
		strbuf_addstr(out, ", in all modes: the PMU can leave none out");
	strbuf_addch(out, '\n');
}

/* Returns whether there is something to say about tasks that have ended before the command. */
static bool has_ended(const struct summary *s)
{
	return s->how.ended || s->how.lost || s->how.reopened || s->how.damaged;
}

static void add_ended(struct strbuf *out, const struct summary *s)
{
	if (s->how.from_ns) {
		strbuf_addf(out,
			    "the count began %.3f s after the start of the command: what its "
			    "tasks did before is in no number here\n",
			    (double)s->how.from_ns / 1e9);
		return;
	}
	if (s->how.alone) {
		strbuf_addstr(out, "with --repeat, the counts of its single tasks are not read: "
				   "the sum is exact\n");
		return;
	}
	if (!s->how.each) {
		strbuf_addstr(out, "this kernel does not report the counts of each task: the sum "
				   "is exact all the same\n");
		return;
	}
	strbuf_addf(out, "of that, %" PRIu64 " task%s that %s ended, %s", s->how.ended,
		    s->how.ended == 1 ? "" : "s", s->how.ended == 1 ? "has" : "have",
		    s->how.each == ENDING_TRACED ? "each followed to its end (--exact)"
						 : "as the kernel reported");
	if (s->how.lost)
		strbuf_addf(out, ", and %" PRIu64 " whose end was lost", s->how.lost);
	if (s->how.reopened)
		strbuf_addf(out, ", as the kernel's ring stood still (reopened %" PRIu64 " time%s)",
			    s->how.reopened, s->how.reopened == 1 ? "" : "s");
	strbuf_addstr(out, s->how.damaged ? ", and perhaps more, as a ring was damaged\n" : "\n");
}

bool summary_has_ends(const struct summary *s)
{
	return s->how.each && !s->how.from_ns;
}

const char *summary_level(const struct summary *s)
{
	static const char *const names[] = {"sum", "each", "exact"};

	return names[summary_has_ends(s) ? s->how.each : ENDING_SUM];
}

static void add_all_events(struct strbuf *out, const struct summary *s, const char *before)
{
	for (int i = summary_next_event(s, 0); i >= 0; i = summary_next_event(s, i + 1)) {
		strbuf_addstr(out, before);
		add_event(out, s, i, summary_event(s, i));
	}
	if (s->how.left_out)
		strbuf_addf(out, "%s%s\n", before, s->how.left_out);
	if (summary_has_ends(s) && !has_ended(s))
		return;
	strbuf_addstr(out, before);
	add_ended(out, s);
	for (int i = summary_has_ends(s) ? summary_next_event(s, 0) : -1; i >= 0;
	     i = summary_next_event(s, i + 1)) {
		strbuf_addstr(out, before);
		add_event(out, s, i, s->how.count[i]);
	}
}

static void add_program_time(struct strbuf *out, struct value cpu_ns)
{
	if (value_known(cpu_ns))
		strbuf_addf(out, "%*.3f s ", COUNT_WIDTH - 2, cpu_ns.number / 1e9);
	else
		strbuf_addf(out, "%*s s ", COUNT_WIDTH - 2, quality_table[cpu_ns.quality].mark);
}

/* Appends the number of failed processes, unless it is 0. */
static void add_failed(struct strbuf *out, struct value failed)
{
	if (!value_known(failed))
		strbuf_addf(out, ", %s failed", quality_table[failed.quality].mark);
	else if (failed.number > 0)
		strbuf_addf(out, ", %.0f%s failed", failed.number,
			    failed.quality == QUALITY_EXACT ? "" : " or more");
}

/* The most programs listed in text; JSON has all. */
#define PROGRAMS_MAX 10

/* Appends the head of the programs. If the frames lacked rows of descendants, names the option that
 * adds them: else the rows of a shell show nothing of what the summary has. */
static void add_programs_head(struct strbuf *out, const struct summary *s)
{
	uint64_t processes = 0;

	for (size_t i = 0; i < s->how.n_programs; i++)
		processes += s->how.program[i].processes;
	strbuf_addstr(out, "programs by CPU time");
	if (s->how.names_lost)
		strbuf_addf(out, " (%" PRIu64 " names were lost)", s->how.names_lost);
	if (processes && !s->frame->view->children)
		strbuf_addstr(out, "; --children adds rows of these processes");
	strbuf_addstr(out, ":\n");
}

static void add_programs(struct strbuf *out, const struct summary *s, const char *before)
{
	if (s->how.n_programs) {
		strbuf_addstr(out, before);
		add_programs_head(out, s);
	}
	for (size_t i = 0; i < s->how.n_programs && i < PROGRAMS_MAX; i++) {
		const struct ending_program *p = &s->how.program[i];

		strbuf_addstr(out, before);
		add_program_time(out, p->cpu_ns);
		strbuf_addf(out, "%4" PRIu64 " ", p->processes);
		text_add(out, p->name);
		add_failed(out, p->failed);
		strbuf_addch(out, '\n');
	}
	if (s->how.n_programs > PROGRAMS_MAX) {
		strbuf_addstr(out, before);
		add_program_time(out, programs_cpu(s, PROGRAMS_MAX));
		strbuf_addf(out, "     (%zu other programs)\n", s->how.n_programs - PROGRAMS_MAX);
	}
	if (s->how.n_programs) {
		strbuf_addstr(out, before);
		add_program_time(out, summary_rest(s));
		strbuf_addf(out, "     (the first task, and those that live on%s)\n",
			    s->how.lost || s->how.damaged ? " or whose end was lost" : "");
	}
}

static void add_runs(struct strbuf *out, const struct summary *s, const char *before)
{
	runs_add_text(out, s->runs, before);
	if (s->how.left_out)
		strbuf_addf(out, "%s%s\n", before, s->how.left_out);
	strbuf_addf(out, "%sall runs together:\n", before);
}

static void add_run(struct strbuf *out, const struct summary *s, const char *before)
{
	strbuf_addstr(out, before);
	add_times(out, s, before);
	add_all_events(out, s, before);
	if (!s->how.from_ns)
		add_programs(out, s, before);
}

void summary_add_text(struct strbuf *out, const struct summary *s, const char *before)
{
	const struct frame *frame = s->frame;

	strbuf_addstr(out, before);
	add_command(out, s);
	(s->runs ? add_runs : add_run)(out, s, before);
	strbuf_addstr(out, before);
	format_header(out, frame);
	strbuf_addf(out, "\n%s", before);
	format_row(out, frame, &frame->row[0]);
	text_add(out, frame->row[0].label);
	strbuf_addch(out, '\n');
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary - what a command has done, once it has ended: with all that it made, from its first
 * instruction on (collect/command/command_total.h).
 *
 *   summary: make -j2, and all that it made, ended with status 0
 *   wall 12.345 s, CPU 23.456 s (190.0 %): user 20.100 s, system 3.356 s
 *        123456789 page-faults
 *                ? cycles: no permission ...
 *   the counters lack 1.234 s of ...
 *   1 hardware event of the whole command is not counted: ...
 *   of that, 123 tasks that have ended, as the kernel told
 *        123400000 page-faults
 *   programs by CPU time:
 *       17.500 s   25 cc1, 2 failed
 *        0.020 s      (the first task, and those that live on)
 *     PID [ %CPU] %SYS ...               (the columns of the screen, over the whole run)
 */
#ifndef OUTPUT_SUMMARY_H
#define OUTPUT_SUMMARY_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "compare/runs.h"
#include "model/ending.h"
#include "view/frame.h"

/* ---- cpu conflict ----
 *
 * Whether the CPU time that counters of a command have counted contradicts the one
 * that the kernel accounts to it (getrusage(2)): then one of both lacks tasks.
 *
 * Both differ a little where nothing is lacking. The kernel accounts the switches between tasks and
 * what a task does before its counters are open; it rounds to ticks on some configurations; and the
 * time that a host takes from a virtual machine is in the counters alone. None of this makes a
 * conflict.
 */

struct cpu_times {
	double counted_ns, accounted_ns;
	double switches; /* that the kernel accounts */
};

/* Appends a sentence where they contradict each other. Returns whether they do. */
bool cpu_conflict_add_text(struct strbuf *out, const struct cpu_times *times);

/* ---- summary ---- */

struct summary {
	struct ending how;
	/* Of a command that ran several times: each run by itself; NULL: it ran once. Then the
	 * status is the first that is not 0, and the row is of all runs together. */
	const struct runs *runs;
	/* The samples of its row between which it has done all that; for those that keep it. */
	const struct sample *begin, *end;
	/* One row: the command with all that it made, over the time in which it ran. */
	const struct frame *frame;
};

/* Whether what single tasks have counted is a part of the whole: what they did before its count
 * began is in theirs, too. */
bool summary_has_ends(const struct summary *s);
/* How the whole was counted: "each" end is told, or "sum". */
const char *summary_level(const struct summary *s);
/* Its times in ns, each as well as it is known. */
struct value summary_cpu(const struct summary *s);
/* Of the CPU time, what the programs of tasks that have ended do not have: that of the first task,
 * of those that live on, and of those whose end was lost. */
struct value summary_rest(const struct summary *s);
struct value summary_fact(const struct summary *s, enum fact fact);
/* Appends a sentence where its CPU time and what getrusage(2) accounts contradict each other.
 * Returns whether they do. */
bool summary_add_conflict(struct strbuf *out, const struct summary *s);
/* Finds the next event, from i on, that is a number of its own; -1: there is none. */
int summary_next_event(const struct summary *s, int i);
/* The name of event i, as the screen has given it. */
const char *summary_event_name(const struct summary *s, int i);
/* UNIT_NS where it is a clock, else UNIT_COUNT. */
enum unit summary_event_unit(const struct summary *s, int i);
/* What it has counted. */
struct value summary_event(const struct summary *s, int i);
/* Appends the lines, each behind this text. */
void summary_add_text(struct strbuf *out, const struct summary *s, const char *before);

#endif

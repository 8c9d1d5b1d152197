/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary - what a command has done, once it has ended: with all that it made, from its first
 * instruction on (collect/command/command_total.h).
 *
 *   summary: make -j2, and all that it made, ended with status 0
 *   wall 12.345 s, CPU 23.456 s (190.0 %): user 20.100 s, system 3.356 s
 *        123456789 page-faults
 *                ? cycles: no permission ...
 *   the counters lack 1.234 s of ...    (cpu_conflict.h)
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

#include "base/strbuf.h"
#include "compare/runs.h"
#include "model/ending.h"
#include "view/frame.h"

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

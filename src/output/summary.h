/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * summary - writes the counts of a command that has exited, with all its descendants, from its
 * first instruction on (collect/command/command_total.h).
 *
 *   summary: make -j2, and its descendants: ended with status 0
 *   wall 12.345 s, CPU 23.456 s (190.0 %): user 20.100 s, system 3.356 s
 *        123456789 page-faults
 *                ? cycles: no permission ...
 *   the counters lack 1.234 s of ...
 *   1 hardware event of the whole command is not counted: ...
 *   of that, 123 tasks that have ended, as the kernel reported     (if there were any)
 *        123400000 page-faults
 *   programs by CPU time; --children adds rows of these processes:
 *       17.500 s   25 cc1, 2 failed
 *        0.020 s      (the first task, and those that live on)
 *     PID [ %CPU] %SYS ...               (the columns of the screen, over the whole run)
 */
#ifndef OUTPUT_SUMMARY_H
#define OUTPUT_SUMMARY_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "compare/runs.h"
#include "model/detail.h"
#include "view/frame.h"

/* ---- cpu conflict ----
 * Checks whether the CPU time counted for a command contradicts the CPU time that the kernel
 * accounts to it (getrusage(2)). If so, one of the two lacks tasks.
 *
 * Both always differ a little. The kernel also accounts task switches and what a task does before
 * its counters are open; with some configurations it rounds to ticks; and only the counters include
 * the time that a host takes from a virtual machine. These differences are not a conflict. */

struct cpu_times {
	double counted_ns, accounted_ns;
	double switches; /* number of task switches, accounted by the kernel */
};

/* Appends a sentence if they contradict each other, and returns true. */
bool cpu_conflict_add_text(struct strbuf *out, const struct cpu_times *times);

/* ---- summary ---- */

struct summary {
	struct ending how;
	/* The runs of a command that ran several times: its status is then the first status that is
	 * not 0, and its row is over all runs. NULL: it ran once. */
	const struct runs *runs;
	/* Two samples with the command's row, one from its start and one from its end, for sinks
	 * that record them. */
	const struct sample *begin, *end;
	/* A frame with one row: the command with all its descendants, over its run time. */
	const struct frame *frame;
};

/* Returns whether the counts of exited tasks are known and part of the command's count. If counting
 * began late, they are not part of it, since they include the time before. */
bool summary_has_ends(const struct summary *s);
/* Returns how exited tasks were counted: "sum", "each" or "exact". */
const char *summary_level(const struct summary *s);
/* Returns the CPU time in ns, with its quality. */
struct value summary_cpu(const struct summary *s);
/* Returns the CPU time that is not in the list of programs, in ns: of the first task, of tasks
 * still alive, and of tasks whose exit record was lost. */
struct value summary_rest(const struct summary *s);
struct value summary_fact(const struct summary *s, int fact);
/* Appends a sentence if the counted CPU time and that of getrusage(2) contradict each other, and
 * returns true. */
bool summary_add_conflict(struct strbuf *out, const struct summary *s);
/* Returns the next event, from i on, that is neither a part of another counter nor equal to an
 * earlier event; -1: no more. */
int summary_next_event(const struct summary *s, int i);
/* Returns the name of event i in the screen. */
const char *summary_event_name(const struct summary *s, int i);
/* Returns UNIT_NS for a clock, else UNIT_COUNT. */
enum unit summary_event_unit(const struct summary *s, int i);
/* Returns the count of event i. */
struct value summary_event(const struct summary *s, int i);
/* Appends all lines, each with the prefix `before`. */
void summary_add_text(struct strbuf *out, const struct summary *s, const char *before);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics - writes a file in the text format 0.0.4 of Prometheus, for the textfile collector of its
 * node_exporter. Each refresh replaces the whole file.
 *
 * The labels of all series depend only on the options, never on other files: a series keeps its
 * name when another instance starts or ends.
 *
 * The file has a series for each group of tasks, for the groups with the most CPU time. Grouping
 * and the number of groups are set by options: keys of the live screen do not change them. Only a
 * key that shows another screen changes the metrics, since metrics are the columns and counters of
 * the screen.
 *
 * All other groups are added up in the series "other". So the sum over all series is the sum over
 * all tasks, and no number is lost if group names change all the time.
 *
 * The total of a counter continues as long as the sink is open: across generations of samples,
 * ended members, and times in which its group is not written; increments in such times go to
 * "other". Memory is bounded: above METRICS_REMEMBERED groups without members, the groups whose
 * members ended first are forgotten; a metric counts them. If such a group returns, it restarts at
 * 0, as after a restart of tiptop.
 */
#ifndef OUTPUT_METRICS_H
#define OUTPUT_METRICS_H

#include "model/group_key.h"
#include "output/output.h"

#define METRICS_GROUPS     50
#define METRICS_REMEMBERED 2000

/* The destination of the sink must have a path, and must not be opened: each refresh opens a new
 * file. */
extern const struct sink_ops metrics_sink;

/* What to write. The texts are borrowed for the call; NULL: no such label. */
struct metrics_choice {
	enum group_key key; /* the key by which rows are grouped */
	/* Maximum number of groups; 0: METRICS_GROUPS, but all CPUs or sockets if rows are these.
	 */
	size_t n;
	/* Labels of all series: the command of tiptop, the screen that was chosen, and a name to
	 * distinguish instances on one machine. */
	const char *view, *screen, *source;
};

/* Sets the choice; call it before the first frame. */
void metrics_choose(struct sink *sink, const struct metrics_choice *choice);
/* Returns whether another .prom file in the folder of the sink's file has the same series, with the
 * same names and labels: node_exporter would drop one of two. *note: a sentence that says so. */
bool metrics_collide(const struct sink *sink, struct err *note);

#endif

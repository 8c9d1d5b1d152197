/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics - a file in the text format 0.0.4 of Prometheus, for the textfile collector of its
 * node_exporter: written anew at each refresh, and replaced as a whole.
 *
 * The labels that all series have follow from the options alone, never from what other files there
 * are: a series does not change its name because another instance begins or ends.
 *
 * It has a series for each group of tasks, for the groups that used most CPU. What it groups by,
 * and how many there are, is its own: no key of the live screen changes it, but one that shows
 * another screen changes the metrics, since these are the columns and counters of the screen.
 *
 * What the others do has a series, too, which is called "other": so sums over all series are those
 * of all tasks, and no number is lost where names change all the time.
 *
 * The total of a counter goes on for as long as the sink is open: over generations of samples, over
 * the ends of members, and over times in which its group is not among those that are written; what
 * came together in such times is in "other". Memory is bounded: where more than METRICS_REMEMBERED
 * groups without members are remembered, those that ended first are forgotten, which a metric
 * counts. One that comes back begins at 0, as with a start of tiptop.
 */
#ifndef OUTPUT_METRICS_H
#define OUTPUT_METRICS_H

#include "model/group_key.h"
#include "output/output.h"

#define METRICS_GROUPS     50
#define METRICS_REMEMBERED 2000

/* Its destination has a path, and is not open. */
extern const struct sink_ops metrics_sink;

/* What is written. Texts NULL: no such label; they are borrowed for the call. */
struct metrics_choice {
	enum group_key key; /* by what it groups */
	size_t n;           /* how many groups at most; 0: METRICS_GROUPS, and all CPUs */
	/* Labels of all series: the command of tiptop, the screen that was asked for, and a name
	 * that tells the instances of one machine apart. */
	const char *view, *screen, *source;
};

/* Before the first frame. */
void metrics_choose(struct sink *sink, const struct metrics_choice *choice);
/* Looks whether another file of the folder has the same series. *note: a sentence, if there is one.
 */
bool metrics_collide(const struct sink *sink, struct err *note);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics - a file in the text format 0.0.4 of Prometheus, for the textfile collector of its
 * node_exporter: written anew at each refresh, and replaced as a whole.
 *
 * It has a series for each group of tasks, for the groups that used most CPU. What it groups by,
 * and how many there are, is its own: no key of the live screen changes it, but one that shows
 * another screen changes the metrics, since these are the columns and counters of the screen.
 *
 * The total of a counter goes on for as long as the sink is open: over generations of samples, over
 * the ends of members, and over times in which its group is not among those that are written.
 */
#ifndef SINK_METRICS_H
#define SINK_METRICS_H

#include "model/group_key.h"
#include "sink/sink.h"

#define METRICS_GROUPS 50

/* Its destination has a path, and is not open. */
extern const struct sink_ops metrics_sink;

/* By what it groups; n: how many groups at most, 0: METRICS_GROUPS. Before the first frame. */
void metrics_choose(struct sink *sink, enum group_key key, size_t n);

#endif

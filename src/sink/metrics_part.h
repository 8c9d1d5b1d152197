/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_part - what the files of the metrics have in common: the totals that go on
 * (metrics_sum.c) and the text (metrics_text.c).
 */
#ifndef SINK_METRICS_PART_H
#define SINK_METRICS_PART_H

#include "base/hash.h"
#include "view/frame.h"

/* The total of one counter of one group. */
struct metrics_sum {
	char *name;
	double before;       /* what it was when the present count began */
	double last;         /* of the present count */
	uint64_t generation; /* of the samples that it was taken from last */
};

/* A group that has been met. */
struct metrics_group {
	struct group_id id; /* the text is its own */
	char *user;         /* of its members when it was met; "": none, or several */
	struct metrics_sum *sum;
	size_t n, cap;
	uint64_t number; /* of the frame that it was in last */
};

/* All that have been met. */
struct metrics_sums {
	struct hash groups;
};

/* The group of a row, a new one where it is met for the first time. */
struct metrics_group *metrics_group_of(struct metrics_sums *sums, const struct frame_row *row,
				       uint64_t number);
/* Takes a total of the present frame, and returns what it is since the group was met. restarts: it
 * begins anew with each generation of samples. It never falls: where the count has fallen, what it
 * counts from there on is added. */
double metrics_sum_add(struct metrics_group *group, const char *name, double number,
		       uint64_t generation, bool restarts);
/* Forgets groups that are not in this frame, where there are more than so many. */
void metrics_sums_limit(struct metrics_sums *sums, size_t max, uint64_t number);
void metrics_sums_done(struct metrics_sums *sums);

/* A row with its group. */
struct metrics_row {
	const struct frame_row *row;
	struct metrics_group *group;
	double cpu;
};

struct metrics_page {
	const struct frame *frame;
	enum group_key key;
	struct metrics_row *row; /* all, those that are written first */
	size_t n, n_written;
};

/* Writes the metrics of all rows, and takes the totals of those that are not written. */
void metrics_write(struct strbuf *out, const struct metrics_page *page);

#endif

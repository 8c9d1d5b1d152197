/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics_part - what the files of the metrics have in common: rows and totals that go on
 * (metrics.c), names and help texts (metrics_name.c), and the text (metrics_text.c).
 */
#ifndef OUTPUT_METRICS_PART_H
#define OUTPUT_METRICS_PART_H

#include "base/hash.h"
#include "view/frame.h"

/* The total of one counter of one series. */
struct metrics_sum {
	char *name;
	double before;       /* what it was when the present count began */
	double last;         /* of the present count */
	double total;        /* of both */
	double written;      /* what of it belongs to the series; the rest is in "other" */
	uint64_t generation; /* of the samples that it was taken from last */
};

/* The totals of one series that has been met. */
struct metrics_group {
	char *labels; /* as they are written; of a single process, its start is behind them */
	struct metrics_sum *sum;
	size_t n, cap;
	uint64_t number; /* of the frame that it was in last */
};

/* All that have been met. */
struct metrics_sums {
	struct hash groups;
};

/* Returns the totals of these labels, new ones where they are met for the first time. */
struct metrics_group *metrics_group_of(struct metrics_sums *sums, const char *labels,
				       uint64_t number);
/* A total of a frame. */
struct metrics_reading {
	double number;
	uint64_t generation; /* of the samples */
	bool restarts;       /* it begins anew with each generation */
	bool written;        /* its group is among those that are written */
};

/* Takes a total of the present frame, and returns what the series has. It never falls: where the
 * count has fallen, what it counts from there on is added. What came together while the group was
 * not written is passed over. */
double metrics_sum_add(struct metrics_group *group, const char *name,
		       const struct metrics_reading *reading);
/* Adds to a series, and returns what it has. */
double metrics_sum_grow(struct metrics_group *group, const char *name, double growth);
/* Forgets groups that are not in this frame, where there are more than so many. */
void metrics_sums_limit(struct metrics_sums *sums, size_t max, uint64_t number);
void metrics_sums_done(struct metrics_sums *sums);

/* The names of users, by their numbers: a group without members does not have them any more. */
struct metrics_users {
	struct hash name;
};

/* A row that has labels of its own. */
struct metrics_row {
	const struct delta_row *from;
	const char *labels;
	double use; /* the larger, the more it is wanted: by its time */
	const struct frame_row *row;
	struct metrics_group *group;
};

/* Rows and the frame that is made of them. Memory is kept from one refresh to the next. */
struct metrics_rows {
	struct metrics_users users;
	struct metrics_row *row; /* those that are written first */
	size_t n, n_written, cap;
	struct metrics_row other; /* all that are not written, as one; labels NULL: none */
	struct delta delta;       /* of those that are written, in their order, and of the other */
	struct frame frame;
	struct arena labels;
};

void metrics_rows_init(struct metrics_rows *r);
void metrics_rows_done(struct metrics_rows *r);
/* Begins with no rows of this delta of tasks or groups. */
void metrics_rows_begin(struct metrics_rows *r, enum group_key key, const struct delta *of);
void metrics_rows_add(struct metrics_rows *r, enum group_key key, const struct delta_row *row);
/* Makes rows of the same labels one row, puts those to the front that used most CPU, of which `max`
 * are written, makes one row of the others, and builds the frame. */
void metrics_rows_end(struct metrics_rows *r, const struct frame *shown, const struct view *view,
		      size_t max);

#define METRICS_PREFIX "tiptop_"
#define METRICS_OTHER  "other"

/* Sets the name of a metric: with the prefix, in letters, digits and '_'. */
void metrics_name_set(struct strbuf *name, const char *text, const char *suffix);
void metrics_name_set_column(struct strbuf *name, const struct column *column);
/* By what a value of this unit is multiplied for that of its metric. */
double metrics_unit_factor(enum unit unit);

struct metrics_help {
	char *name, *help; /* help NULL: columns of this name differ */
};

/* What the columns of all built-in screens are, by the names of their metrics. */
struct metrics_helps {
	struct metrics_help *row; /* by name */
	size_t n, cap;
};

void metrics_helps_init(struct metrics_helps *h);
void metrics_helps_done(struct metrics_helps *h);
/* Returns the help text of the metric of a column: the same for the same name. */
const char *metrics_helps_find(const struct metrics_helps *h, const char *name);

struct metrics_page {
	const struct metrics_helps *helps;
	const char *common; /* labels of all series, without the braces */
	const struct frame *frame;
	enum group_key key;
	const struct metrics_row *row; /* all, those that are written first */
	size_t n, n_written;
	const struct metrics_row *other; /* the rest, as one; NULL: all are written */
	uint64_t n_forgotten;            /* groups */
	bool again;                      /* the interval has been written already */
};

/* Writes the metrics of all rows, and takes the totals of those that are not written. */
void metrics_write(struct strbuf *out, const struct metrics_page *page);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * metrics - writes a file in the text format 0.0.4 of Prometheus, for the textfile collector of its
 * node_exporter. Each refresh replaces the whole file.
 *
 * The labels of all series depend only on the options, never on other files: a series keeps its
 * name when another instance starts or ends.
 *
 * The file has a series for each group of tasks, for the groups with the most CPU time. Grouping
 * and the number of groups are set by options: keys of the live screen do not change them. The
 * metrics are the columns and counters of the screen, so a key that shows another screen changes
 * which metrics there are; filters of the live screen apply to the tasks.
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

#include "base/lookup.h"
#include "model/group_key.h"
#include "model/kept_groups.h"
#include "output/output.h"
#include "view/frame.h"

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

/* ---- rows, names and text ----
 *
 * For the files of metrics only: rows and continuing totals (metrics.c); names, help texts, and the
 * text of the file (metrics_text.c).
 */

/* The total of one counter of one series. */
struct metrics_sum {
	double before;       /* the total when the current count began */
	double last;         /* the current count */
	double total;        /* before + last */
	double written;      /* the part of total in this series; the rest is in "other" */
	uint64_t generation; /* of the last sample added */
};

/* The line of a metric for one group, kept until its number changes or the group is not written. */
struct metrics_line {
	char *text;         /* name{labels} number; NULL: none */
	size_t n_before, n; /* bytes before the number; all bytes */
	double number;
	bool known; /* the last frame had it */
};

/* The totals of one series. */
struct metrics_group {
	/* As written, followed by a blank and the start time of the row; 0 for groups. */
	char *labels;
	struct metrics_sum *sum; /* by metric, see struct metrics_names */
	size_t n, cap;
	struct metrics_line *line; /* by metric */
	size_t n_lines;
	bool written;    /* in the current frame */
	uint64_t number; /* number of the last frame with this group */
};

/* All series seen. */
struct metrics_sums {
	struct hash groups;
};

/* Returns the totals of these labels; creates them on first use. number: the number of the current
 * frame. */
struct metrics_group *metrics_group_of(struct metrics_sums *sums, const char *labels,
				       uint64_t number);
/* The reading of a total in the current frame. */
struct metrics_reading {
	double number;
	uint64_t generation; /* of the sample */
	bool restarts;       /* it restarts with each generation */
	bool written;        /* its group is written */
};

/* Adds a total of the current frame; returns the value of the series, which never falls: after a
 * fall of the count, only increments from the lower count on are added. Increments while the group
 * is not written are not added. */
double metrics_sum_add(struct metrics_group *group, size_t metric,
		       const struct metrics_reading *reading);
/* Adds an increment to a series; returns its value. */
double metrics_sum_grow(struct metrics_group *group, size_t metric, double growth);
/* If there are more than `max` groups, drops those that are not in the frame with this number. */
void metrics_sums_limit(struct metrics_sums *sums, size_t max, uint64_t number);
void metrics_sums_done(struct metrics_sums *sums);

/* Names of users by uid: the row of a group without members has none. */
struct metrics_users {
	struct hash name;
};

/* A row and its labels. */
struct metrics_row {
	const struct delta_row *from;
	const char *labels;
	double use;                /* sort key, the largest first */
	bool same;                 /* as in the last frame */
	bool lined;                /* all its lines are those of the last frame */
	struct metrics_kept *kept; /* what is kept of its group; NULL: nothing */
	struct metrics_group *group;
};

/* The data that are kept of a group of tasks, while it exists. */
struct metrics_kept {
	struct metrics_group *group; /* NULL: not known yet */
	double use;
	bool final;    /* the labels do not change: the name of the user is known */
	bool is_other; /* they are those of "other" */
	char labels[];
};

/* Rows to write. Memory is reused at each refresh. */
struct metrics_rows {
	struct metrics_users users;
	struct fact_set facts;   /* that the sums of rows need */
	bool sorted;             /* the rows were added in the order of their labels */
	struct metrics_row *row; /* the written ones first */
	size_t n, n_written, cap;
	/* The sum of all rows that are not written. other.labels is NULL if all are written. */
	struct metrics_row other;
	struct delta delta; /* to which the sums of rows belong */
	struct arena labels;
};

void metrics_rows_init(struct metrics_rows *r);
void metrics_rows_done(struct metrics_rows *r);
/* Begins a list of rows of this kind, which are tasks of this delta or groups of them. facts: those
 * that are needed. */
void metrics_rows_begin(struct metrics_rows *r, enum group_key key, const struct kind *kind,
			const struct delta *tasks, struct fact_set facts);
void metrics_rows_add(struct metrics_rows *r, enum group_key key, const struct delta_row *row);
/* Merges rows with equal labels, sorts by use, selects the first `max` for writing, and merges the
 * others. */
void metrics_rows_end(struct metrics_rows *r, size_t max);

#define METRICS_PREFIX "tiptop_"
#define METRICS_OTHER  "other"

/* Sets the name of a metric: prefix, then the text in lower-case letters, digits and '_', then the
 * suffix. */
void metrics_name_set(struct strbuf *name, const char *text, const char *suffix);
void metrics_name_set_column(struct strbuf *name, const struct column *column);
/* Returns the factor by which values of this unit are multiplied in metrics. */
double metrics_unit_factor(enum unit unit);

struct metrics_help {
	char *name, *help; /* help: NULL: columns of this name differ */
};

/* The help texts of the columns of all built-in screens. */
struct metrics_helps {
	struct metrics_help *row; /* sorted by name */
	size_t n, cap;
};

void metrics_helps_init(struct metrics_helps *h);
void metrics_helps_done(struct metrics_helps *h);
/* Returns the help text of a metric by name. */
const char *metrics_helps_find(const struct metrics_helps *h, const char *name);

/* The names of all metrics written so far. A metric keeps its number, also if another screen is
 * shown. */
struct metrics_names {
	char **name;
	size_t n, cap;
};

/* The number that each series of a metric shows. */
enum metrics_source {
	METRICS_COUNT,  /* a total of a counter */
	METRICS_GROWTH, /* a fact that only grows */
	METRICS_STATE,  /* another fact */
	METRICS_MEMBERS,
	METRICS_COLUMN,
};

struct metrics_family {
	enum metrics_source source;
	int index;     /* of the counter, the fact or the column */
	size_t metric; /* its number */
	double factor; /* by which numbers are multiplied */
	char *head;    /* its HELP and TYPE lines */
};

/* The metrics that have series for each group, in the order of the file; kept until the screen has
 * other counters or columns. */
struct metrics_families {
	struct metrics_names names;
	struct metrics_family *row;
	size_t n, cap;
	struct strbuf made_of, wanted; /* the counters and columns, as one text */
};

void metrics_families_init(struct metrics_families *families);
void metrics_families_done(struct metrics_families *families);
/* Makes the list for a screen, unless it is the same. Returns whether it was made. */
bool metrics_families_update(struct metrics_families *families, const struct metrics_helps *helps,
			     const struct binding *binding, enum group_key key);

struct metrics_page {
	const struct metrics_families *families;
	const char *common; /* labels of all series, without the braces */
	struct binding *binding;
	const struct sample *sample;
	uint64_t interval_ns;
	const struct metrics_row *row; /* all rows, the written ones first */
	size_t n, n_written;
	/* The sum of the rows not written; NULL: all are written. */
	const struct metrics_row *other;
	uint64_t n_forgotten; /* groups forgotten so far */
	/* The interval was written before: no increments are added. */
	bool again;
};

/* Appends the metrics of all rows; updates the totals of rows that are not written. */
void metrics_write(struct strbuf *out, const struct metrics_page *page);

#endif

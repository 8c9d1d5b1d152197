/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame - the rows to show, with their cells, filtered and sorted. Sinks must not change it; cells
 * are evaluated on first use (frame_value()).
 *
 * frame_build() is a pure function of a bound screen, view and delta (of processes or threads). It
 * makes rows of the tasks that pass the filter, drops idle ones unless the view wants them, and
 * sorts. A task is idle if it did not run, unless it waited for a CPU, or if its %CPU is below
 * view.cpu_min. Equal values are sorted by id; unknown values come last in either direction. If
 * rows are groups, their members have been filtered before.
 *
 * A task that has ended is shown if it ran in the interval (if its run in the interval is unknown:
 * in its last complete interval), or if idle tasks are shown. A sticky view always shows it, in
 * later frames with its last numbers.
 *
 * Ownership: the frame points into binding, screen, view, delta and its sample, and is valid until
 * one of them changes; it owns rows and cells.
 */
#ifndef VIEW_FRAME_H
#define VIEW_FRAME_H

#include "base/lookup.h"
#include "model/delta.h"
#include "model/rows.h"
#include "screen/binding.h"
#include "view/view.h"

struct changes;
struct frame_tree;
struct history;

#define FRAME_ID_MAX 32
/* Levels of a tree that are indented further; rows at deeper levels are indented like the last of
 * these. */
#define FRAME_RAILS 32

struct frame_row {
	const struct task *task;
	const struct delta_row *from; /* the row of the delta from which the cells are computed */
	/* The id of the parent row in a tree; for a root, and without a tree, the id of the
	 * owner. */
	uint64_t parent;
	int depth; /* in a tree; 0: root, or no tree */
	/* Bit k: the ancestor at depth k + 1, or the row itself, has a further sibling below. */
	uint32_t rails;
	bool ancestor;     /* in a tree: shown only because of its descendants */
	bool collapsed;    /* its numbers are sums over itself and its descendants */
	bool has_children; /* in a tree: shown or hidden */
	/* The character after the id: '+' a process with several threads, '-' a thread other than
	 * the leader, ' '. */
	char mark;
	bool idle;    /* as defined above; idle tasks have a row only if the view shows them */
	bool watched; /* passes view.watch */
	/* For a group the number of members, else kind->label(): for a task the name of its
	 * process, or the command line. */
	const char *label;
	/* The name of the thread if it differs from that of its process; else NULL. */
	const char *thread;
	size_t place;        /* place in a frozen order, from 1 on; 0: none yet */
	const char *verdict; /* the verdict in words, if a column shows it; NULL: unknown */
	/* [screen.n_columns]; read by frame_value(). */
	struct value *cell;
};

/* The quality of a cell that was not evaluated yet. */
#define FRAME_UNEVALUATED N_QUALITIES

/* The order of rows that the view has frozen. */
struct frame_places {
	struct hash place; /* the place of each row, from 1 on, by its identity */
	size_t n;
	/* The settings for which the order was made; if one of them changes, the order is
	 * dropped. */
	const struct screen *screen;
	const struct kind *kind;
	int sort;
	bool reverse, tree, threads;
};

/* The cost of tiptop itself since the previous refresh. */
struct own_cost {
	double cpu_us;        /* CPU time in µs */
	double share_pct;     /* of one CPU */
	size_t tasks, ran;    /* processes that were checked (tasks), and those of them that ran */
	size_t reads;         /* readings of clocks, files and counters */
	size_t groups, n_fds; /* open groups of counters, and their descriptors */
};

struct frame {
	const struct kind *kind; /* of the rows */
	const struct screen *screen;
	struct binding *binding; /* maps the screen's counters to events of the rows */
	const struct view *view;
	bool show_user;            /* show the user beside the columns */
	bool filters_tasks;        /* the view excludes tasks by properties of the task alone */
	const struct delta *delta; /* from which the frame was built */
	const struct sample *sample;
	const struct host *host;
	const struct use_delta *use; /* use of the machine; NULL: unknown */
	const struct own_cost *cost; /* NULL: not known yet */
	/* The history of the rows, and its moment that is shown; NULL: none is kept. */
	const struct history *history;
	uint32_t moment;
	const struct changes *changes; /* the log of changes; NULL: none is kept */
	/* The least share of the interval that an event was on its PMU; 1: no multiplexing. */
	float least_share;
	uint64_t wall_ns, interval_ns; /* interval_ns 0: nothing to show yet */
	uint64_t mark_wall_ns;         /* time of the mark; 0: none */
	uint64_t number;               /* of the refresh, from 0 */
	struct frame_row *row;
	size_t n, cap;
	const struct frame_tree *tree; /* NULL: no tree */
	/* The sum of all rows except ancestors (model/fold_sum.h), in which the CPU time of
	 * children is unknown. Its label has the number of tasks, or of what the rows are: "4
	 * CPUs". NULL: not wanted, or no rows. */
	const struct frame_row *total;
	/* The width of the widest id so far, at least 5, so that columns do not move back. Wider
	 * texts count as FRAME_ID_MAX. */
	int id_width;
	size_t n_tasks; /* tasks, or members of groups, that passed the filter, idle or not, with
			   dead ones that stay */
	size_t n_alive; /* those of them that have not ended */
	/* Numbers of rows for which view.row_filter is false (n_hidden), and unknown (n_unknown).
	 * If the filter depends on the task alone, idle tasks are counted, too. */
	size_t n_hidden, n_unknown;
	/* Number of all tasks, also of those that a filter excludes; of processes that the source
	 * leaves out, threads are not counted. */
	size_t n_all;
	struct frame_places places;
	struct arena arena;
};

/* Returns the value of column i; for a text only its quality, see frame_text(). Cells are evaluated
 * on first use: few of 10,000 rows are on the screen, and of the others only the sorting column is
 * needed. */
struct value frame_evaluate(const struct frame *f, const struct frame_row *row, size_t i);

static inline struct value frame_value(const struct frame *f, const struct frame_row *row, size_t i)
{
	return row->cell[i].quality == FRAME_UNEVALUATED ? frame_evaluate(f, row, i) : row->cell[i];
}

/* Returns the text of column i, a column of texts; NULL: unknown; "": none. */
const char *frame_text(const struct frame *f, const struct frame_row *row, size_t i);
void frame_init(struct frame *f);
void frame_done(struct frame *f);
/* Builds the frame of a refresh. dead: tasks that ended before this interval, shown if the view is
 * sticky; NULL: none. */
void frame_build(struct frame *f, struct binding *binding, const struct view *view,
		 const struct delta *delta, const struct dead_list *dead, uint64_t number);
/* Builds a frame of the tasks that ended in the interval of another frame and pass its filter,
 * whether shown there or not, also if its rows are groups. Sorted by id. */
void frame_build_ended(struct frame *out, const struct frame *of);
/* Returns the index of a row, searching at `hint` first; f->n: not found. */
size_t frame_find_row(const struct frame *f, const struct row_id *id, size_t hint);
/* Finds the row of a task or group, even if the frame does not show it: then only the members task
 * and from of *out are set. Returns false if there is none. *out is valid as long as the frame;
 * allocates in the arena. */
bool frame_find_task(const struct frame *f, const struct row_id *of, struct arena *arena,
		     struct frame_row *out);

/* ---- part ----
 *
 * Functions of a frame for this layer. Pure.
 */

/* Returns whether a task, shown or not, passes those filters of the view that depend on the task
 * alone. */
bool frame_passes(const struct frame *f, const struct task *t);

struct frame_tree;
struct rows_item;

/* Calls take for each item of the delta that is part of the sum of a collapsed row. The frame must
 * still be valid. */
void frame_tree_each(const struct frame *f, const struct frame_row *row,
		     void (*take)(void *context, const struct rows_item *item), void *context);

/* ---- collapse ----
 *
 * Which nodes of the tree are collapsed: a collapsed node is one row, the sum of the node and all
 * its descendants.
 *
 * At first no node is collapsed. All nodes except the roots can be collapsed at once. Each node can
 * be made an exception, until all nodes are collapsed or expanded at once.
 */

struct collapse {
	bool all;            /* all nodes with a parent are collapsed, except the exceptions */
	struct row_id *node; /* the exceptions */
	size_t n, cap;
};

void collapse_done(struct collapse *c);
/* Collapses or expands the node of a row. Returns false if nothing changed. */
bool collapse_set(struct collapse *c, const struct frame_row *row, bool collapsed);
/* Expands all nodes; if all were expanded, collapses all. */
void collapse_toggle_all(struct collapse *c);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame - what is to be shown now: rows of cells, filtered and sorted. Sinks get it read only, but
 * for the cells that are evaluated when they are asked for (frame_value()).
 *
 * frame_build() is a pure function of a bound screen, view and delta (of processes or threads). It
 * makes rows of the tasks that pass the filter, drops idle ones unless the view wants them, and
 * sorts. Idle: it did not run, or its %CPU is below view.cpu_min. Equal values keep the
 * order of ids; unknown values come last in either direction. Where rows are groups, the filter has
 * chosen their members already. A task that ended is shown if it ran in the interval, or in its
 * last complete one where that is all that is known, or if idle ones are shown; in a sticky view
 * always, and also later on, with its last numbers.
 *
 * Ownership: the frame points into binding, screen, view, delta and its sample; rows and cells are
 * its own. Valid until any of them changes.
 */
#ifndef VIEW_FRAME_H
#define VIEW_FRAME_H

#include "base/hash.h"
#include "model/delta.h"
#include "model/ended_rows.h"
#include "screen/binding.h"
#include "view/row_id.h"
#include "view/view.h"

struct changes;
struct frame_tree;
struct history;

#define FRAME_ID_MAX 32
/* So many levels of a tree are told apart; deeper ones look like the last of these. */
#define FRAME_RAILS 32

struct frame_row {
	const struct task *task;
	const struct delta_row *from; /* the counts behind the cells */
	/* The id of the row above it in a tree; of a root, and where there is no tree, that of what
	 * it belongs to. */
	uint64_t parent;
	int depth; /* in a tree; 0: a root, or no tree */
	/* Bit k: on the way from above there is another one to come at depth k + 1. */
	uint32_t rails;
	bool ancestor;     /* it is only there for those below it in a tree */
	bool collapsed;    /* its numbers are sums of all that is below it, and of itself */
	bool has_children; /* in a tree: shown or not */
	/* Behind the id: '+' a process of several threads, '-' a thread that is not
	 * the leader, ' '. */
	char mark;
	bool idle;    /* see above; there only where the view wants idle ones */
	bool watched; /* by view.watch */
	/* Of a group: how many members it has. Else as its kind makes it: of a task, the name of
	 * its process, or the command line. */
	const char *label;
	/* The name of the thread, where it is another than that of its process; else NULL. */
	const char *thread;
	size_t place;        /* where the order is frozen; 0: it is new */
	const char *verdict; /* where a column shows it; NULL: unknown */
	/* [screen.n_columns] See frame_value(). */
	struct value *cell;
};

/* The quality of a cell that was not asked for yet. */
#define FRAME_UNEVALUATED N_QUALITIES

/* The order in which rows stand while the view freezes it. */
struct frame_places {
	struct hash place; /* by what a row is about: where it stands, from 1 on */
	size_t n;
	/* What it was made for: another order begins anew. */
	const struct screen *screen;
	const struct kind *kind;
	int sort;
	bool reverse, tree, threads;
};

/* What tiptop itself used from the refresh before to this one, and what it looked at. */
struct own_cost {
	double cpu_us;
	double share_pct;     /* of one CPU */
	size_t tasks, ran;    /* processes that were looked at; of them, those that ran */
	size_t reads;         /* looks at clocks, files and counters */
	size_t groups, n_fds; /* open for counting */
};

struct frame {
	const struct kind *kind; /* what the rows are of */
	const struct screen *screen;
	struct binding *binding; /* which events of the rows its counters are */
	const struct view *view;
	bool show_user;            /* beside the columns */
	bool filters_tasks;        /* the view wants only some of the tasks, by what they are */
	const struct delta *delta; /* what it was built of */
	const struct sample *sample;
	const struct host *host;
	const struct use_delta *use; /* what the machine did; NULL: not known */
	const struct own_cost *cost; /* NULL: not known yet */
	/* What rows did before, and the moment of it that is shown; NULL: it is not kept. */
	const struct history *history;
	uint32_t moment;
	const struct changes *changes; /* what they began, where that is kept */
	/* The least share of the time that some counter was on its PMU; 1: no events take turns. */
	float least_share;
	uint64_t wall_ns, interval_ns; /* interval 0: nothing to show yet */
	uint64_t mark_wall_ns;         /* since when values are that are since a mark */
	uint64_t number;               /* of the refresh, from 0 */
	struct frame_row *row;
	size_t n, cap;
	const struct frame_tree *tree; /* NULL: rows are none */
	/* One row over all of them but mere ancestors, as model/fold_sum.h adds them up; its label
	 * says how many tasks these are. NULL: the view does not want it, or there are no rows. */
	const struct frame_row *total;
	/* Of the widest id seen so far, 5 at least: columns do not move back. Ids that are texts
	 * may be wider: those count as FRAME_ID_MAX. */
	int id_width;
	size_t n_tasks; /* of groups: of their members; all that passed the filter, idle or not, and
			 * dead ones that stay
			 */
	size_t n_alive; /* of them, those that have not ended */
	/* By view.row_filter: rows that would be shown but do not pass, and of how many nobody
	 * knows whether they do. Of what the task alone tells, also those that are idle. */
	size_t n_hidden, n_unknown;
	/* Those that a filter leaves out, too; where threads are rows, these are not
	 * known one by one. */
	size_t n_all;
	struct frame_places places;
	struct arena arena;
};

/* What column i shows; of a text it is only how well it is known: see frame_text(). A cell is
 * evaluated when it is asked for: of 10,000 rows few are on the screen, and the sorting column is
 * all that is wanted of the others. */
struct value frame_evaluate(const struct frame *f, const struct frame_row *row, size_t i);

static inline struct value frame_value(const struct frame *f, const struct frame_row *row, size_t i)
{
	return row->cell[i].quality == FRAME_UNEVALUATED ? frame_evaluate(f, row, i) : row->cell[i];
}

/* The text of column i, which is one of texts; NULL: it is unknown. "": there is none. */
const char *frame_text(const struct frame *f, const struct frame_row *row, size_t i);
void frame_init(struct frame *f);
void frame_done(struct frame *f);
/* dead: those that ended before this interval, shown where the view is sticky; NULL: none. */
void frame_build(struct frame *f, struct binding *binding, const struct view *view,
		 const struct delta *delta, const struct dead_list *dead, uint64_t number);
/* Builds a frame of the tasks that have ended in the interval of another frame and pass its filter:
 * shown there or not, also where its rows are groups. They are in the order of their ids. */
void frame_build_ended(struct frame *out, const struct frame *of);
/* Where the row of a thing is, looked for at `hint` first; f->n: it is not there. */
size_t frame_find_row(const struct frame *f, const struct row_id *id, size_t hint);

/* ---- part ----
 *
 * What else of a frame its room may ask for. Pure.
 */

/* Whether the filters of the view let a task pass, shown or not, as far as the task alone tells. */
bool frame_passes(const struct frame *f, const struct task *t);

struct frame_tree;
struct rows_item;

/* Gives each item of the delta that the row of a collapsed node is the sum of, while the frame is
 * valid. */
void frame_tree_each(const struct frame *f, const struct frame_row *row,
		     void (*take)(void *context, const struct rows_item *item), void *context);

/* ---- collapse ----
 *
 * Which nodes of the tree are one row with all that is below them.
 *
 * At first none is. All can be, but the roots, whose children would be all that there is; each node
 * can be made an exception, and keeps that as long as it lives.
 */

struct collapse {
	bool all;            /* those that have a parent, but for the exceptions */
	struct row_id *node; /* the exceptions */
	size_t n, cap;
};

void collapse_done(struct collapse *c);
/* Collapses the node of a row, or expands it. False: it was so already. */
bool collapse_set(struct collapse *c, const struct frame_row *row, bool collapsed);
/* Expands all; where all was expanded, collapses all. */
void collapse_toggle_all(struct collapse *c);

#endif

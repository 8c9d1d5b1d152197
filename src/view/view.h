/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view - the settings by which a delta is shown: the only thing that a key press changes.
 *
 * Ownership: session/ has the only view; text fields are owned by the options they come from. A
 * change of threads or kernel needs other counters (the reaction of the key says so). All other
 * fields only need the frame to be rebuilt, so pressing a key never changes a number.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "model/filter.h"
#include "model/group_key.h"
#include "screen/column.h"
#include "view/row_id.h"

struct collapse;
struct judged;

/* Which of several rows a line shows: all, or for each column the largest or the smallest
 * number. */
enum spread { SPREAD_ALL, SPREAD_MAX, SPREAD_MIN };

#define VIEW_COLUMN_MAX 64

/* The graph on the page of a row. */
struct view_graph {
	char column[VIEW_COLUMN_MAX]; /* id of a column; "": see curve_find_column() */
	bool instructions;            /* over instructions, not over time */
	bool user;                    /* draw the sum of the row's user, too, instead of `beside` */
	struct row_id beside;         /* another row to draw; kind NULL: none */
};

struct view {
	/* A letter before a comment is the key that changes the field; an option is the one that
	 * sets it. */
	size_t screen;              /* index into the list of screens */
	int sort;                   /* a column or a field beside them, see view/sort.h */
	bool reverse;               /* R: numbers in ascending order, texts from Z to A */
	bool threads;               /* H: one row per thread */
	const struct kind *members; /* the kind of the members of groups; NULL: tasks */
	/* g: one row per group; GROUP_PROCESS: per process, thread or CPU. */
	enum group_key group;
	/* Enter on a group: shows only members of the group `only`; GROUP_PROCESS: all rows. The
	 * text in `only` is borrowed from the live screen. */
	enum group_key only_key;
	struct group_id only;
	/* F: the followed task, which is shown even if idle. */
	bool follows;
	uint64_t followed_id, followed_start_ns;
	/* Enter: the row whose page is open; kind NULL: none. */
	struct row_id page;
	struct view_graph graph; /* the graph on that page */
	/* Number of times that a page was opened or its details were requested. */
	unsigned page_requests;
	unsigned story_requests; /* V: number of times that the story was requested */
	enum values values;      /* v: the values that columns show */
	/* m: number of marks set; the last one is in effect. 0: none. */
	unsigned marks;
	bool freeze;  /* z: freeze the order of rows */
	bool paused;  /* Z: keep the frame, while counting goes on */
	bool tree;    /* t: children below their parents; not for groups */
	bool parents; /* b: read the parents of tasks, whatever is shown */
	bool heat;    /* colour numbers by their rank in the column, see tui/rows.c */
	/* Collapsed nodes of the tree; NULL: none. */
	struct collapse *collapse;
	/* Groups sum up only the facts that columns use, for outputs that show no other facts. */
	bool few_facts;
	bool idle; /* i: show idle tasks */
	/* The user's choice of `idle` for screens that do not set it themselves. */
	bool default_idle;
	bool kernel;        /* K: count kernel mode, too */
	bool show_user;     /* U: show the user of each row */
	bool total;         /* show a row of sums over all rows */
	enum spread spread; /* used by line_sink; other outputs show all rows */
	bool sticky;        /* S: keep tasks that ended, with their final counts */
	bool children;      /* A: with a command, show its descendants, too */
	/* Samples have the command's descendants for recording, even if they are not shown. Set by
	 * session/. */
	bool record_children;
	/* A without a command: %CPU includes children that have ended. Set by session/. */
	bool with_ended;
	/* Show seconds since 1970 before each row, or in the footer of the live screen. */
	bool epoch;
	bool timestamp;    /* show the number of the refresh, in the same place as `epoch` */
	bool safe_names;   /* in text, a name is one word, and the last field of its line */
	bool verbose;      /* show the cost of tiptop itself, in a line that begins with '#' */
	bool show_cmdline; /* c: show command lines in place of names */
	double cpu_min;    /* tasks below this %CPU are idle, unless they wait for a CPU */
	double delay_s;
	struct filter filter; /* -p and -u; if own_only, filter.uid is the user */
	/* The screen has counters and the user is unprivileged: other users' tasks cannot be
	 * counted. */
	bool own_only;
	/* For line_sink: the tasks that are summed up, if sums are not over CPUs; NULL:
	 * they are. */
	const char *sums_over;
	/* -u: the login name, or the number of a user without one; NULL: not given. */
	const char *uid_name;
	unsigned hidden;    /* l: hidden parts of the live screen, see parts.h; in batch mode all */
	unsigned all_parts; /* --layout: what l returns to, see parts_next() */
	/* --filter, f: selects the rows to show; NULL: all. */
	struct row_filter *row_filter;
	/* The filter as given; NULL: none. If it is for another screen, row_filter is NULL. */
	const char *filter_text;
	const struct judged *judged; /* source of verdicts; NULL: none */
	struct filter watch;         /* -w: these tasks are marked */
	bool watching;               /* whether `watch` is in use */
};

/* Returns the values that columns show. */
struct shown view_shown(const struct view *view);
/* Returns whether rows are shown as a tree: never for groups. */
bool view_is_tree(const struct view *view);
/* Returns whether the user is shown beside the columns: if wanted, and if no column shows the
 * user. */
bool view_shows_user(const struct view *view, const struct screen *screen);
/* Shows a screen. Resets the sorting, as the screen has other columns; shows idle tasks if the
 * screen wants them. */
void view_show_screen(struct view *view, const struct screen_list *screens, size_t screen);
/* Shows or hides idle tasks. On a screen that sets this itself, the choice holds until another
 * screen is shown. */
void view_toggle_idle(struct view *view, const struct screen *screen);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view - how the user wants to see a delta: the only thing that a key press changes.
 *
 * Owner: app/ holds the one view; text fields are owned by the options they come from. A change of
 * threads or kernel needs other counters (the reaction of the key says so); all other fields only
 * need the frame to be built again, so that pressing a key never changes a number.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "model/filter.h"
#include "model/group_key.h"
#include "screen/column_kind.h"
#include "view/row_id.h"

struct collapse;
struct judged;

/* Of several rows: all, or of each column the largest or the smallest number. */
enum spread { SPREAD_ALL, SPREAD_MAX, SPREAD_MIN };

#define VIEW_COLUMN_MAX 64

/* What is drawn on the page of a row. */
struct view_graph {
	char column[VIEW_COLUMN_MAX]; /* the id of a column; "": the one that curve.h says */
	bool instructions;            /* over these, not over time */
	bool user;                    /* all of its user is drawn, too, and no other row */
	struct row_id beside;         /* another row that is drawn, too; its kind is NULL: none */
};

struct view {
	size_t screen;              /* index into the list of screens */
	int sort;                   /* a column of the screen, or one beside them: view/sort.h */
	bool reverse;               /* R: the smallest number first, texts from Z to A */
	bool threads;               /* H: one row a thread */
	const struct kind *members; /* what groups are made of; NULL: tasks */
	/* g: one row for each group of them; GROUP_PROCESS: for each process, thread or CPU. */
	enum group_key group;
	/* Enter on a group: only its members, one by one; GROUP_PROCESS: all. Its text is borrowed
	 * from the screen. */
	enum group_key only_key;
	struct group_id only;
	/* F: the task that the current row follows is shown also where it is idle. */
	bool follows;
	uint64_t followed_id, followed_start_ns;
	/* Enter: the row whose page is open; its kind is NULL: none is. */
	struct row_id page;
	struct view_graph graph; /* what stands on it */
	unsigned page_requests;  /* how often it was opened, or wanted anew with all that it has */
	unsigned story_requests; /* V: how often it was asked what happened */
	enum values values;      /* v: of which time counts are */
	/* m: how many moments were marked; the last one counts. 0: values are not since one. */
	unsigned marks;
	bool freeze;  /* z: rows keep their places */
	bool paused;  /* Z: what is shown stays, while counters go on */
	bool tree;    /* t: children below their parents; not of groups */
	bool parents; /* b: who descends from whom is wanted, whatever is shown */
	bool heat;    /* numbers have colours by the place in their column, see tui/rows.c */
	/* Which nodes of it are one row with what is below; NULL: none. */
	struct collapse *collapse;
	bool idle; /* i: also tasks that did not run */
	/* The same, as the user has it for screens that do not say it themselves. */
	bool default_idle;
	bool kernel;        /* K: count in the kernel, too */
	bool show_user;     /* U */
	bool total;         /* one row over all that are shown */
	enum spread spread; /* in lines; elsewhere all rows are shown */
	bool sticky;        /* S: tasks that ended stay, with their final counts */
	bool children;      /* A: of a command, also what it has made */
	/* The same of samples, whatever is shown of them: they are recorded. Only app/ sets it. */
	bool record_children;
	/* The same without a command: %CPU with that of children that have ended. Only app/ sets
	 * it. */
	bool with_ended;
	/* Seconds since 1970 before each row, or at the foot of the live screen. */
	bool epoch;
	bool timestamp;    /* the number of the refresh, likewise */
	bool safe_names;   /* in text, a name is one word, and the last one of its line */
	bool verbose;      /* what the refresh cost tiptop itself, in a line that begins with '#' */
	bool show_cmdline; /* c */
	double cpu_min;    /* a task below this %CPU counts as idle */
	double delay_s;
	struct filter filter; /* -p and -u; filter.uid also stands for own_only */
	/* An ordinary user's screen with counters: other users' tasks cannot be counted. */
	bool own_only;
	/* Of a line: whose sums these are, where they are not those of CPUs; NULL: they are. */
	const char *sums_over;
	/* Of -u: the login name, or the number that has none; NULL: -u was not given. */
	const char *uid_name;
	unsigned hidden;    /* l: parts of the live screen, see parts.h; in batch mode all */
	unsigned all_parts; /* --layout: what l comes back to, see parts_next() */
	/* --filter, f: which rows are shown of those that are counted; NULL: all. */
	struct row_filter *row_filter;
	/* As it was given; NULL: none was. It may be for another screen: then there is no
	 * row_filter. */
	const char *filter_text;
	const struct judged *judged; /* who has verdicts; NULL: nobody */
	struct filter watch;         /* -w: these tasks are marked */
	bool watching;               /* whether watch is in use */
};

/* What columns show. */
struct shown view_shown(const struct view *view);
/* Whether rows are a tree: groups are none. */
bool view_is_tree(const struct view *view);
/* Whether the user stands beside the columns: it is wanted, and no column shows it. */
bool view_shows_user(const struct view *view, const struct screen *screen);
/* Goes to a screen: its columns are others, so the sorting starts anew; it may want idle tasks. */
void view_show_screen(struct view *view, const struct screen_list *screens, size_t screen);
/* Shows idle tasks, or not any more. What is chosen on a screen that wants them holds until there
 * is another one. */
void view_toggle_idle(struct view *view, const struct screen *screen);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view - the settings by which a delta is shown; keys and options set them. Beside them, what they
 * name: rows by their identity, sort keys, and the parts of the live screen.
 *
 * Ownership: session/ has the only view; text fields are owned by the options they come from. A
 * change of some fields needs other counters or facts, such as of screen, threads, kernel or tree
 * (the reaction of the key says so). After a change of any other field, the frame is only rebuilt
 * from the same delta.
 */
#ifndef VIEW_VIEW_H
#define VIEW_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "model/group_key.h"
#include "model/sample.h"
#include "screen/column.h"
#include "screen/screen.h"

/* ---- keys in sentences ----
 *
 * Sentences for the live screen name keys by their actions, as the user may have bound others:
 * "press " KEY_OF("idle") " to show idle ones". tui/keymap replaces these; they begin and end with
 * control characters, which names of tasks and other texts of users do not have on the screen.
 */

#define KEY_OF_BEGIN   "\001"
#define KEY_OF_END     "\002"
#define KEY_OF(action) KEY_OF_BEGIN action KEY_OF_END

/* ---- identity of rows ----
 *
 * The identity of a row, by which the row is found in later frames, as for the current row and for
 * tags.
 *
 * The only pointer in it is the kind, which outlives all frames.
 */

struct task;

struct row_id {
	const struct kind *kind; /* NULL: no row */
	uint64_t owner;          /* as in struct task: for a thread its process */
	uint64_t id, start_ns;
	uint64_t text; /* hash of the name, if the name is the id; else 0 */
};

/* Return the identity of the row of a task, and whether the row of a task has this identity. */
struct row_id row_id_of(const struct task *task);
bool row_id_is(const struct row_id *id, const struct task *task);

/* ---- sort keys ----
 *
 * The sort key of rows: the index of a column, or a field beside the columns.
 *
 * The keys, from left to right as in the header: SORT_PID, SORT_USER, 0 to n_columns - 1, n_columns
 * for COMMAND. Numbers are sorted in descending order, texts from A to Z; view.reverse reverses
 * both orders.
 */

enum { SORT_PID = -2, SORT_USER = -1 };

/* Returns the default key of a screen: its first column that is not text; 0 if all are texts. */
int sort_first(const struct screen *screen);
/* Returns the column of a key; NULL: it is not a column. */
const struct column *sort_column_of(const struct screen *screen, int sort);
/* Returns whether the key is a text. */
bool sort_is_text(const struct screen *screen, int sort);
/* Returns the name of a key in the header. *len: its length; blanks may follow. */
const char *sort_name(const struct screen *screen, int sort, int *len);

/* Returns the name of a key in settings. */
const char *sort_id(const struct screen *screen, int sort);

/*
 * Parses "NAME", "NAME:asc" or "NAME:desc". NAME is a name in the header, an id, or a part of one
 * name only, in any case. Sets *reverse only if a direction is given. If no key has the name, or
 * several have, returns -EINVAL with a sentence and changes nothing.
 */
int sort_parse(const struct screen *screen, const char *text, int *sort, bool *reverse,
	       struct err *err);

/* Finds the column with this id; else the first column whose only input is this variable.
 * Returns -ENOENT if there is none. */
int sort_find(const struct screen *screen, const char *id, int variable, int *sort);

/* ---- parts of the screen ----
 *
 * The parts of the live screen, their names, and which of them the user has hidden.
 *
 * A set of parts is a mask of PART_BIT()s. Four sets have names: auto, full, compact and table. The
 * header line (PART_NAMES) and the rows cannot be hidden. If the terminal has too few lines, parts
 * are left out: with the set auto; with another set, only if no line would remain for rows.
 */

/* From top to bottom. */
enum part_id {
	PART_TITLE,
	PART_METERS, /* use of CPUs and memory */
	PART_TASKS,
	PART_TABS,
	PART_NOTE,
	PART_NAMES,
	PART_ROWS,
	PART_TOTAL,
	PART_FOOTER,
	N_PARTS
};

#define PART_BIT(part) (1u << (part))
#define PARTS_ALL      (PART_BIT(N_PARTS) - 1)
#define PARTS_AUTO     0u /* nothing is hidden, unless the terminal has too few lines */
#define PARTS_FULL     PART_BIT(N_PARTS) /* nothing is hidden */

/* Return the name and a description of a part; NULL: it cannot be hidden. */
const char *parts_name(int part);
const char *parts_help(int part);
/* Parses the name of a set, or names of the parts to show separated by ',', and sets the parts to
 * hide. Returns -EINVAL with a sentence for an unknown name. */
int parts_parse(const char *text, unsigned *hidden, struct err *err);
/* Returns the i-th name that parts_parse() accepts, sets first; NULL after the last one. */
const char *parts_choice(size_t i);
/* Appends the parts in the form that parts_parse() reads. */
void parts_add(struct strbuf *out, unsigned hidden);
/* Returns the parts to hide next: compact, then table, then all_parts (PARTS_AUTO or
 * PARTS_FULL). */
unsigned parts_next(unsigned hidden, unsigned all_parts);

/* ---- view ---- */

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
	int sort;                   /* a column or a field beside them: a sort key */
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
	bool heat;    /* colour numbers by their rank in the column, see tui/paint_parts.c */
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
	bool timestamp;  /* show the number of the refresh, in the same place as `epoch` */
	bool safe_names; /* in text, a name is one word, and without --fields the last field of its
			    line */
	bool verbose;    /* show the cost of tiptop itself, in a line that begins with '#' */
	bool show_cmdline; /* c: show command lines in place of names */
	double cpu_min;    /* tasks below this %CPU are idle, unless they wait for a CPU */
	double delay_s;
	struct filter filter; /* -p and -u; if own_only, filter.uid is the user */
	/* The screen has counters and the user is unprivileged: other users' tasks cannot be
	 * counted. */
	bool own_only;
	/* For line_sink: the tasks that are summed up, if sums are not over CPUs; NULL: they
	 * are. */
	const char *sums_over;
	/* -u: the login name, or the number of a user without one; NULL: not given. */
	const char *uid_name;
	unsigned hidden;    /* l: PART_BIT()s of hidden parts of the screen; in batch mode all */
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

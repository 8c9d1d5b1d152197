/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of keys: the table. */
#include <limits.h>

#include "ui/key_act.h"
#include "ui/live.h"

#define VIEW(field) offsetof(struct view, field)
#define ALL         UINT_MAX
#define EXPLAIN     PANEL_BIT(PANEL_EXPLAIN)
/* Panels in which can be searched. */
#define TEXTS (EXPLAIN | PANEL_BIT(PANEL_HELP) | PANEL_BIT(PANEL_ERRORS))

/* What belongs together stands together, the most wanted first: the footer takes as many hints as
 * it has room for. */
/* clang-format off */
const struct key_row key_table[] = {
	/* The program. */
	{.action = "help", .keys = "h ? F1", .help = "this help; again to close it", .hint = "help",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_panel, .arg = PANEL_HELP},
	{.action = "quit", .keys = "q F10", .help = "quit; a running command is asked about; in a panel: close it",
	 .hint = "quit", .reaction = REACT_QUIT, .panels = ALL, .act = act_quit},
	{.action = "close", .keys = "ESC",
	 .help = "close a panel, else end the search, following, the list of members; at a prompt: forget it",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_close},
	/* Screens. */
	{.action = "screen-left", .keys = "LEFT S-Tab", .help = "the screen to the left",
	 .hint = "screen", .pair = true, .reaction = REACT_RECONFIGURE, .act = act_screen, .arg = -1},
	{.action = "screen-right", .keys = "RIGHT Tab", .help = "the screen to the right",
	 .reaction = REACT_RECONFIGURE, .act = act_screen, .arg = 1},
	{.action = "screen-number", .keys = "0-9",
	 .help = "the screen of this number; where a longer one begins with it, asks for the rest",
	 .reaction = REACT_RECONFIGURE, .act = act_digit},
	/* The current row. */
	{.action = "up", .keys = "UP", .help = "the row above becomes the current one; a panel scrolls",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move, .arg = KEYCODE_UP},
	{.action = "down", .keys = "DOWN", .help = "the row below",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move, .arg = KEYCODE_DOWN},
	{.action = "page-up", .keys = "PGUP", .help = "a page up",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move, .arg = KEYCODE_PGUP},
	{.action = "page-down", .keys = "PGDN", .help = "a page down",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move, .arg = KEYCODE_PGDN},
	{.action = "first", .keys = "HOME", .help = "the first row, whoever comes to stand there",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move, .arg = KEYCODE_HOME},
	{.action = "last", .keys = "END", .help = "the last row",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_move, .arg = KEYCODE_END},
	/* The order. */
	{.action = "sort-left", .keys = "<", .help = "sort by the column to the left",
	 .hint = "sort", .pair = true, .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort, .arg = -1},
	{.action = "sort-right", .keys = ">", .help = "sort by the column to the right",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort, .arg = 1},
	{.action = "reverse", .keys = "R",
	 .help = "reverse the order: numbers from the smallest on, texts from Z to A, or back",
	 .hint = "reverse", .reaction = REACT_REBUILD, .panels = PANEL_BIT(PANEL_SORT),
	 .act = act_toggle, .arg = VIEW(reverse)},
	{.action = "sort-menu", .keys = "o F6", .help = "choose what to sort by in a list; Enter takes it",
	 .hint = "sort menu", .reaction = REACT_PAINT, .panels = ALL, .act = act_sort_menu, .arg = PANEL_SORT},
	{.action = "leave", .keys = "Backspace", .help = "from the members of a group back to the groups; so does ESC",
	 .reaction = REACT_REBUILD, .act = act_leave},
	{.action = "choose", .keys = "Enter", .help = "list the members of a group; take the chosen line of a list",
	 .reaction = REACT_REBUILD, .panels = PANEL_BIT(PANEL_SORT), .act = act_choose},
	{.action = "sort-cpu", .keys = "P", .help = "sort by %CPU",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by, .arg = BY_CPU},
	{.action = "sort-memory", .keys = "M", .help = "sort by the memory in RAM, where the screen has it",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by, .arg = BY_MEMORY},
	{.action = "sort-time", .keys = "T", .help = "sort by the CPU time so far, where the screen has it",
	 .reaction = REACT_REBUILD, .panels = EXPLAIN, .act = act_sort_by, .arg = BY_TIME},
	/* Searching. */
	{.action = "search", .keys = "/ F3",
	 .help = "search for a text in names or command lines, ids and users; ESC ends it",
	 .hint = "search", .reaction = REACT_PAINT, .panels = TEXTS, .act = act_search},
	{.action = "search-next", .keys = "n", .help = "the next row that has the text",
	 .reaction = REACT_PAINT, .panels = TEXTS, .act = act_search_step, .arg = 1},
	{.action = "search-previous", .keys = "N", .help = "the one before; where no search stands: sort by PID",
	 .reaction = REACT_REBUILD, .panels = TEXTS, .act = act_search_step, .arg = -1},
	/* What is behind it. */
	{.action = "explain", .keys = "x",
	 .help = "explain the sorting column: formula, events, raw counts of a task; < and > go on to others",
	 .hint = "explain", .reaction = REACT_PAINT, .panels = ALL, .act = act_panel, .arg = PANEL_EXPLAIN},
	{.action = "errors", .keys = "e", .help = "the errors so far; again to close them",
	 .hint = "errors", .reaction = REACT_PAINT, .panels = ALL, .act = act_panel, .arg = PANEL_ERRORS},
	/* Whom it shows. */
	{.action = "only", .keys = "p",
	 .help = "show only one task, by its pid, or those with a text in their names; empty: all",
	 .hint = "filter", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_FILTER},
	{.action = "only-user", .keys = "u", .help = "show only the tasks of a user, by name or number; empty: of all",
	 .hint = "only user", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_USER},
	{.action = "idle", .keys = "i", .help = "show idle tasks too, or only those that ran",
	 .hint = "idle", .reaction = REACT_REBUILD, .act = act_idle},
	{.action = "group", .keys = "g",
	 .help = "put tasks together by user, program, session, cgroup, container, and apart again",
	 .hint = "group", .reaction = REACT_REBUILD, .act = act_group},
	{.action = "tree", .keys = "t F5", .help = "put children below their parents, or not",
	 .hint = "tree", .reaction = REACT_REBUILD, .act = act_tree},
	{.action = "expand", .keys = "+", .help = "in a tree, show what is below the current row",
	 .reaction = REACT_REBUILD, .act = act_collapse, .arg = false},
	{.action = "collapse", .keys = "-", .help = "in a tree, make the current row the sum of all that is below it",
	 .reaction = REACT_REBUILD, .act = act_collapse, .arg = true},
	{.action = "expand-all", .keys = "*", .help = "expand all rows of a tree; where all are, collapse all",
	 .reaction = REACT_REBUILD, .act = act_expand_all},
	{.action = "watch", .keys = "w",
	 .help = "watch a task, by its pid, or those with a text in their names: mark them; empty: none",
	 .hint = "watch", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_WATCH},
	{.action = "follow", .keys = "F",
	 .help = "follow the current row's task: it stays the current one, and is shown also when idle; a move ends it",
	 .hint = "follow", .reaction = REACT_REBUILD, .act = act_follow},
	{.action = "tag", .keys = "SPACE",
	 .help = "tag the current row, or not, and go to the next: k is about all of them",
	 .hint = "tag", .reaction = REACT_PAINT, .act = act_tag},
	{.action = "untag", .keys = "Ctrl-U", .help = "take all tags away",
	 .reaction = REACT_PAINT, .act = act_untag},
	/* When. */
	{.action = "keep-place", .keys = "y", .help = "the current row stays on its place, or on its task",
	 .reaction = REACT_PAINT, .act = act_keep_place},
	{.action = "refresh", .keys = "Ctrl-R", .help = "refresh now",
	 .reaction = REACT_REFRESH, .act = act_nothing},
	/* What is done to tasks. */
	{.action = "signal", .keys = "k F9",
	 .help = "send a signal to the tagged tasks, or to the current one: asks for pid and signal",
	 .hint = "kill", .reaction = REACT_PAINT, .acts = true, .act = act_signal},
	{.action = "nice", .keys = "r", .help = "change the nice value of the tagged tasks, or of the current one",
	 .hint = "nice", .reaction = REACT_PAINT, .acts = true, .act = act_nice},
	{.action = "nice-lower", .keys = "F7", .help = "one less: a larger share of the CPU, as r",
	 .reaction = REACT_PAINT, .acts = true, .act = act_nice, .arg = -1},
	{.action = "nice-higher", .keys = "F8", .help = "one more: a smaller share of the CPU, as r",
	 .reaction = REACT_PAINT, .acts = true, .act = act_nice, .arg = 1},
	{.action = "cpus", .keys = "a", .help = "choose the CPUs that the tagged tasks, or the current one, may run on",
	 .hint = "CPUs", .reaction = REACT_PAINT, .acts = true, .act = act_cpus},
	/* How it shows them. */
	{.action = "command", .keys = "c", .help = "show command lines, or names",
	 .hint = "command", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(show_cmdline)},
	{.action = "delay", .keys = "d s", .help = "change the delay between two refreshes, in seconds",
	 .hint = "delay", .reaction = REACT_PAINT, .act = act_ask, .arg = REQUEST_DELAY},
	{.action = "columns-left", .keys = "[ S-LEFT", .help = "scroll to the columns on the left",
	 .hint = "columns", .pair = true, .reaction = REACT_PAINT, .act = act_columns, .arg = -1},
	{.action = "columns-right", .keys = "] S-RIGHT",
	 .help = "scroll to the columns on the right, where not all have room; the one that sorts stays",
	 .reaction = REACT_PAINT, .act = act_columns, .arg = 1},
	{.action = "parts", .keys = "l",
	 .help = "hide what stands around the table: all parts, few, the table alone, and all again",
	 .hint = "layout", .reaction = REACT_REBUILD, .act = act_parts},
	{.action = "threads", .keys = "H", .help = "one row for each thread, or for each process",
	 .hint = "threads", .reaction = REACT_RECONFIGURE, .act = act_toggle, .arg = VIEW(threads)},
	{.action = "kernel", .keys = "K", .help = "count in the kernel too, or only in user mode; counting starts anew",
	 .hint = "kernel", .reaction = REACT_RECONFIGURE, .act = act_toggle, .arg = VIEW(kernel)},
	{.action = "sticky", .keys = "S", .help = "keep tasks that have ended, with their last numbers, or not",
	 .hint = "sticky", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(sticky)},
	{.action = "user", .keys = "U", .help = "show the users, or not",
	 .hint = "user", .reaction = REACT_REBUILD, .act = act_toggle, .arg = VIEW(show_user)},
	{.action = "write", .keys = "W", .help = "write a configuration file that brings the present state back",
	 .hint = "write", .reaction = REACT_PAINT, .acts = true, .act = act_ask, .arg = REQUEST_WRITE},
	{.action = "redraw", .keys = "Ctrl-L", .help = "paint the screen anew",
	 .reaction = REACT_PAINT, .panels = ALL, .act = act_redraw},
};
/* clang-format on */

const size_t key_table_n = sizeof(key_table) / sizeof(key_table[0]);

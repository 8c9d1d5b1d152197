/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * key_act - the actions of keys: the functions that the rows of key_table call. Each changes the
 * view and the state of the screen, and returns the reactions; REACT_NONE if nothing changed. Pure.
 */
#ifndef TUI_KEY_ACT_H
#define TUI_KEY_ACT_H

#include "tui/keymap.h"

/* The arg of act_sort_by(): the quantity to sort by. */
enum { BY_CPU, BY_MEMORY, BY_TIME };

key_act act_panel; /* arg: the panel (enum panel) */
key_act act_close;
key_act act_quit;
key_act act_ask; /* arg: enum request_kind */
key_act act_digit;
key_act act_screen; /* arg: 1 for the next screen, -1 for the previous one */
key_act act_sort;   /* arg: 1 to the right, -1 to the left */
key_act act_sort_by_pid;
key_act act_sort_by;
key_act act_group;
key_act act_tree;
key_act act_values;
key_act act_mark;
key_act act_pause;
key_act act_collapse; /* arg: 1 to collapse, 0 to expand */
key_act act_expand_all;
key_act act_toggle; /* arg: the offset of a bool in struct view */
key_act act_idle;
key_act act_move; /* arg: the code of a key (KEYCODE_UP) */
key_act act_by_place;
key_act act_columns; /* arg: 1 to the right, -1 to the left */
key_act act_parts;
key_act act_redraw;
key_act act_refresh;
key_act act_search;
key_act act_search_step; /* arg: 1 for the next match, -1 for the previous one */
key_act act_tag;
key_act act_untag;
key_act act_tag_family;
key_act act_record;
key_act act_replay;    /* arg: enum replay_key */
key_act act_sort_menu; /* arg: the panel (enum panel) */
key_act act_setup;
key_act act_setup_only; /* an action that only the setup page has */
key_act act_choose;
key_act act_page;
key_act act_story; /* arg: the panel (enum panel) */
key_act act_signal;
key_act act_nice; /* arg: the change of the nice value; 0: ask for a value */
key_act act_cpus;

key_act act_graph_cursor; /* arg: the number of moments */
key_act act_graph_zoom;   /* arg: 1 in, 0 out */
key_act act_graph_pan;    /* arg: 1 forward, -1 back */
key_act act_graph_all;
key_act act_graph_column; /* arg: 1 to the right, -1 to the left */
key_act act_graph_axis;
key_act act_graph_beside;
key_act act_graph_size;
key_act act_follow;
key_act act_leave;

/* Shows the screen with this number, or says why that is not possible. Returns the reactions (enum
 * reaction). */
unsigned key_show_screen(struct ui_state *ui, struct view *view, const struct screen_list *screens,
			 int number);
/* Shows the screen whose number is the digits typed so far, if there are any. Returns the reactions
 * (enum reaction). */
unsigned key_end_digits(struct ui_state *ui, struct view *view, const struct screen_list *screens);
/* Handles Enter, Backspace and ESC while the user types a screen number, and Enter just after a
 * complete number. Returns false if the key means something else; else sets *reactions. */
bool key_edit_digits(struct ui_state *ui, struct view *view, const struct screen_list *screens,
		     int key, unsigned *reactions);
/* Returns whether the row is a task. If not, shows a message. */
bool key_needs_task(struct ui_state *ui, const struct view *view, const struct frame_row *row);
/* Goes back from the members of a group to the groups. Returns the reactions (enum reaction). */
unsigned key_leave_group(struct ui_state *ui, struct view *view);
/* Tags the task ui->family and its descendants, if the frame has the parents of tasks; else does
 * nothing. */
void key_tag_family(struct ui_state *ui, const struct frame *frame);
/* Returns whether the open panel is a menu, a list with a selected line. */
bool key_panel_has_menu(const struct ui_state *ui);
/* Moves the selected line of a menu to the match of the search. */
void key_seek_line(struct ui_state *ui);
/* Returns the variable that a search in the panel sets: the selected line of a menu, or the first
 * visible line of a text. */
size_t *key_place(struct ui_state *ui);
/* Shows the message that no row matches the search. */
void key_say_no_match(struct ui_state *ui);
/* Repeats a search that has found no match so far, as the new frame may have a matching row. */
void key_resume_search(struct ui_state *ui);
/* Moves the selected line of a menu by a key. Returns the reactions (enum reaction). */
unsigned act_menu_move(struct ui_state *ui, int key);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_options - converts options, which are texts, to the view: filters, user, sorting; and back.
 *
 * The options own the strings that the view borrows.
 */
#ifndef SESSION_VIEW_OPTIONS_H
#define SESSION_VIEW_OPTIONS_H

#include "session/setup.h"
#include "tui/setup_page.h"

/* ---- settings ----
 * The options that the setup page shows and sets: those of option_table that a configuration file
 * may have and that are switches, numbers, or one of several names.
 *
 * A new value is set like one in the configuration file: the text is parsed into the options, and
 * the view is updated from them. */

/* Fills config.settings with the current values. */
void settings_find(struct setup *s);
/* Sets an option; *change then has the old value. -EINVAL or -ERANGE with a sentence: nothing is
 * changed. */
int settings_set(struct setup *s, struct setup_change *change, struct err *err);
/* Copies the value of an option that the setup page can set to the options that the key W writes
 * for a command with options of its own. */
void settings_keep(struct configuration *config, const char *name);
void settings_done(struct setting_list *l);

/* ---- view options ---- */

/* Sets view and filters from the options; with a command, only the command is shown. */
int state_begin(struct setup *s, pid_t command, struct err *err);
/* Sets sorting from the options, after the screen was chosen. Ignores a column of the configuration
 * file that the screen does not have; -EINVAL with a sentence for one of the command line. */
int state_choose_sorting(struct setup *s, struct err *err);

/* Set a value that the user typed at a prompt; "" resets a filter, the watched tasks or the user.
 * -EINVAL with the reason: nothing is changed. The caller passes the filter to
 * source->ops->filter(). */
int state_set_filter(struct setup *s, const char *text, struct err *err);
int state_set_watch(struct setup *s, const char *text, struct err *err);
int state_set_screen(struct setup *s, const char *text, struct err *err);
int state_set_user(struct setup *s, const char *text, struct err *err);

/* Limits the view to the user's own tasks if the current screen has counters, no user was chosen,
 * and tasks of others may not be counted. */
void state_hide_others(struct setup *s);

/* Sets the row filter for the current screen; "": none. On failure, nothing is changed. */
int state_set_row_filter(struct setup *s, const char *text, struct err *err);
/* Checks the filter of the options against the current screen. */
int state_check_row_filter(const struct setup *s, struct err *err);
/* Compiles the filter of the options for the current screen; sets filter_fault if it does not
 * fit. */
void state_fit_row_filter(struct setup *s);
/* Returns the note about the screen or its filter for the current frame; "": none. slow: gets the
 * sentence about a filter that took too long. */
const char *state_screen_note(const struct display *display, struct err *slow);
/* Logs advice about a filter that looks like another kind of filter. */
void state_log_filter(struct setup *setup);
/* Returns the facts that the filter needs. */
struct fact_set state_filter_facts(const struct display *display);
/* Lets the command's descendants pass the filter of the view if they are shown with the command. */
void state_fit_family(struct setup *s);
/* Returns the view's filter as the source needs it: with the pid of a process in place of the pid
 * of one of its threads. */
struct filter state_source_filter(const struct setup *s);

/* Undoes the changes of the view since `before` that need other counters. */
void state_keep_counters(struct view *view, const struct view *before);

/* Copies changes made by keys from the view to the options, so that they can be written to a file.
 * An option that already gives the current view keeps its text. */
void state_save(struct setup *s);
/* Calls state_save() before the options are written to a file. The option `children` gets the
 * user's value again, as following a command sets it. */
void state_save_for_file(struct setup *s);

/* Sets the sentence why no task passes -p and -u. -ESRCH: the task with that pid cannot appear any
 * more, as it has exited or belongs to another user. -ENOENT: no task with that name or user exists
 * now, or none of them passes the row filter. 0: no reason known. */
int state_explain_empty(const struct view *view, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * view_options - between the options, which are texts, and the view, which is what they mean:
 * filters, user, sorting.
 *
 * The options own the strings that the view borrows.
 */
#ifndef SESSION_VIEW_OPTIONS_H
#define SESSION_VIEW_OPTIONS_H

#include "session/setup.h"
#include "tui/setup_page.h"

/* ---- settings ----
 *
 * The options as the page of the setup shows and sets them: those of option_table that a
 * configuration file may have and that are switches, numbers, or one of some names.
 *
 * An option that is set here goes the way of the configuration file: its text is read into the
 * options, and the view is made of them again.
 */

/* Makes s->settings what is set now. */
void settings_find(struct setup *s);
/* Gives the option its value; *change then has the one that it had. -EINVAL or -ERANGE with a
 * sentence, and nothing is changed. */
int settings_set(struct setup *s, struct setup_change *change, struct err *err);
void settings_done(struct setting_list *l);

/* ---- view options ---- */

/* Sets the view, and the filters, that the options ask for; with a command, only the command is
 * shown. */
int state_begin(struct setup *s, pid_t command, struct err *err);
/* Sets the sorting that the options ask for, once the screen is chosen. A column of the
 * configuration file that the screen does not have is passed over; -EINVAL with a sentence for one
 * of the command line. */
int state_choose_sorting(struct setup *s, struct err *err);

/* Set what the user asks for at a prompt; "" takes it back. -EINVAL with the reason, and nothing is
 * changed. The source is not told yet: that is source->ops->filter(). */
int state_set_filter(struct setup *s, const char *text, struct err *err);
int state_set_watch(struct setup *s, const char *text, struct err *err);
int state_set_screen(struct setup *s, const char *text, struct err *err);
int state_set_user(struct setup *s, const char *text, struct err *err);

/* Shows an ordinary user who asks for nobody only his own tasks where the present screen has
 * counters, which may not be opened for others. */
void state_hide_others(struct setup *s);

/* Sets which rows are shown, for the present screen; "" for all. On failure, nothing is changed. */
int state_set_row_filter(struct setup *s, const char *text, struct err *err);
/* Whether the filter of the options is one, for the present screen. */
int state_check_row_filter(const struct setup *s, struct err *err);
/* Makes it one for the present screen, or says in filter_fault why it is none there. */
void state_fit_row_filter(struct setup *s);
/* What has to be read for it. */
fact_mask state_filter_facts(const struct setup *s);
/* Lets what the command has made pass where it is shown, and the view wants that. */
void state_fit_family(struct setup *s);
/* The filter of the view as the source wants it: a thread by its process. */
struct filter state_source_filter(const struct setup *s);

/* Makes the view what the options say now, of all that the page of the setup can set. -EINVAL with
 * a sentence. */
int state_take_options(struct setup *s, struct err *err);
/* Whether an option is of the view, and nothing else. */
bool state_shows_at_once(const struct option_row *row);

/* Puts what keys have changed in the view into the options, so that they can be written to a file.
 * An option that brings back what is shown stays as it was written. */
void state_save(struct setup *s);
/* The same for a file. What a command makes is shown by itself: that is nothing for other runs. */
void state_save_for_file(struct setup *s);

#endif

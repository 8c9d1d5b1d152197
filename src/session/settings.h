/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * settings - the options as the page of the setup shows and sets them: those of option_table that a
 * configuration file may have and that are switches, numbers, or one of some names.
 *
 * An option that is set here goes the way of the configuration file: its text is read into the
 * options, and the view is made of them again.
 */
#ifndef SESSION_SETTINGS_H
#define SESSION_SETTINGS_H

#include "session/setup.h"
#include "tui/setup_page.h"

/* Makes s->settings what is set now. */
void settings_find(struct setup *s);
/* Gives the option its value; *change then has the one that it had. -EINVAL or -ERANGE with a
 * sentence, and nothing is changed. */
int settings_set(struct setup *s, struct setup_change *change, struct err *err);
void settings_done(struct setting_list *l);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup - the state of a session, in three parts: the configuration (options and files), the
 * backend (the machine or recording to measure), and the display (the view and the current screen).
 * A function takes only the parts that it uses.
 *
 * config_files.h makes the screens; then setup_start.h calls view_options.h, which makes the view,
 * and backend_open.h, which makes the source.
 */
#ifndef SESSION_SETUP_H
#define SESSION_SETUP_H

#include "session/backend.h"
#include "session/configuration.h"
#include "session/display.h"
#include "session/pipeline.h"

struct setup {
	struct configuration config;
	struct backend backend;
	struct display display;
};

/* Drops the columns of a screen whose events this machine lacks, before the screen is shown. */
void setup_fit(struct setup *s, size_t screen);
void setup_fit_all(struct setup *s);
/* Makes the set of events for the current screen, with one counter for each of its aliases, and
 * describes the counters in *numbers. */
void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers);

#endif

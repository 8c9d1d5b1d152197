/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * configuration - the options, and the declarations of the configuration files.
 *
 * config_files.h fills it. It depends neither on the machine or recording that is measured
 * (backend.h) nor on the display (display.h).
 */
#ifndef SESSION_CONFIGURATION_H
#define SESSION_CONFIGURATION_H

#include "base/log.h"
#include "conf/option.h"
#include "conf/theme.h"
#include "conf/write.h"
#include "model/kinds.h"
#include "pmu/event/own_table.h"
#include "run/preloading.h"
#include "screen/screen.h"
#include "screen/verdict_list.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"

struct setup;

struct configuration {
	struct options options;
	/* Name of the kind of rows; NULL: tasks. */
	const char *rows;
	const char *command_name; /* "system" in "tiptop system"; NULL: none */
	/* Adapts the options to the command of tiptop, after the command line was parsed; options
	 * of the configuration file are then ignored. NULL: not needed. */
	int (*take_options)(struct setup *s, const struct option_list *arguments, struct err *err);
	/* How the followed command writes tables; NULL: it writes none. */
	const struct preloading_use *preload;
	const char *default_screen; /* default screen of the command; NULL: the first */
	struct screen_list screens;
	/* Screens that are not shown: they are not for this machine or not for this kind of rows,
	 * or the option "screens" leaves them out. screen_why_hidden() has the reason. */
	struct screen_list hidden;
	/* Screens of the user's own file, as declared: the key W writes them, and they are compiled
	 * from copies. */
	struct screen_list own_screens;
	struct screen_list choices;   /* columns to choose from, see screen_change.h */
	struct setting_list settings; /* settings to choose from, see view_options.h */
	struct screen_list gone; /* replaced or removed screens, to which frames may still point */
	/* CPUs and events that additional files (added) and the user's own file (own) declare. */
	struct own_table added, own;
	struct theme_list themes;
	const struct theme *theme;   /* the chosen one, in `themes` */
	struct filter_list filters;  /* named filters */
	struct verdict_own verdicts; /* verdicts and metrics of the user's files */
	struct keymap keymap;        /* keys and their actions, with those of the file */
	bool filter_asked;           /* --filter is on the command line */
	bool screen_asked;           /* -S or an equivalent is on the command line */
	bool children_given;   /* value of --children, before the setup of a command changes it */
	struct conf_base file; /* the configuration file as read */
	int n_mistakes;        /* number of configuration faults that end the start */
	struct log log;        /* all faults so far; those of the configuration were printed */
};

/* Returns the kind of rows. */
const struct kind *configuration_kind(const struct configuration *config);
/* Returns whether --encodings lists all known CPUs. */
bool configuration_is_for_all(const struct configuration *config);
/* Returns whether history is kept or recorded. Then the CPU of each task is read, and the machine
 * is described with the caches and sockets that its CPUs share. */
bool configuration_keeps_past(const struct configuration *config);

#endif

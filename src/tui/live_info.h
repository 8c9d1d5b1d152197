/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_info - the data that the live screen shows beside the frame. The main loop fills it in; the
 * screen owns none of it.
 */
#ifndef TUI_LIVE_INFO_H
#define TUI_LIVE_INFO_H

#include "screen/screen.h"

struct keymap;
struct log;
struct origins;
struct page;
struct setting_list;
struct setup_trial;
struct theme;
struct curves;

struct live_info {
	/* One important sentence above the table (why hardware columns are missing), or NULL. */
	const char *note;
	const char *user; /* the owner of the tasks: "root", a login name; NULL: not shown */
	/* The PMU, with its numbers of general and fixed counters: "skylake 4+3"; NULL: unknown. */
	const char *pmu;
	const char *conf_path; /* the default file for writing the configuration (the key W) */
	const struct keymap *keymap; /* the user's bindings of keys; NULL: none */
	bool readonly;               /* refuse keys that change something outside tiptop */
	bool replay;                 /* a recording is shown */
	bool mouse;                  /* handle clicks and the wheel */
	/* The styles of looks: with colours, and without colours. */
	const struct theme *theme, *plain;
	const struct screen_list *screens;
	const struct filter_list *filters; /* the filters that have names (@NAME) */
	/* The hidden screens, which are not in `screens`; NULL: none. */
	const struct screen_list *hidden;
	/* Screens with the columns that the setup can add; NULL: not known. */
	const struct screen_list *choices;
	/* The options that the setup can change; NULL: not known. */
	const struct setting_list *settings;
	const struct setup_trial *trial; /* for the setup: evaluates a column for a row */
	const struct origins *origins;   /* the events of the counters; NULL: not known */
	const struct page *page;         /* the open page of a row; NULL: none */
	const struct curves *curves;     /* the curves on that page; NULL: none */
	const struct page *what; /* the story of what happened, for PANEL_STORY; NULL: none yet */
	/* The faults so far: the footer shows their number, the key e all of them. */
	const struct log *log;
};

#endif

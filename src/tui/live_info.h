/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * live_info - the data that the live screen shows beside the frame. The loop fills it in; the
 * screen owns none of it.
 */
#ifndef TUI_LIVE_INFO_H
#define TUI_LIVE_INFO_H

#include "screen/filter_list.h"
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
	const char *pmu;  /* name and counters of the PMU: "skylake 4+3"; NULL: none, unknown */
	const char *conf_path;       /* the default file of the key W */
	const struct keymap *keymap; /* the user's bindings of keys; NULL: none */
	bool readonly;               /* refuse keys that change something outside tiptop */
	bool replay;                 /* a recording is shown */
	bool mouse;                  /* handle clicks and the wheel */
	/* The styles of looks, with colours and without. */
	const struct theme *theme, *plain;
	const struct screen_list *screens;
	const struct filter_list *filters;   /* the named filters */
	const struct screen_list *hidden;    /* hidden screens (setup); NULL: none */
	const struct screen_list *choices;   /* columns that can be added; NULL: not known */
	const struct setting_list *settings; /* options that can be set; NULL: not known */
	const struct setup_trial *trial;     /* tries a column on a row for the setup */
	const struct origins *origins;       /* the events behind the counters; NULL: not known */
	const struct page *page;             /* the open page of a row; NULL: none */
	const struct curves *curves;         /* the curves on that page; NULL: none */
	const struct page *what;             /* the story, see PANEL_STORY; NULL: none yet */
	/* The faults so far: the footer has their number, the key e shows all. */
	const struct log *log;
};

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup - a session as set up from the options: the parts that the loop runs, and data about them.
 * configuration.h makes the screens, view_options.h the view, backend.h the source; setup_start.h
 * calls them in order.
 */
#ifndef SESSION_SETUP_H
#define SESSION_SETUP_H

#include "base/log.h"
#include "collect/task/proc.h"
#include "conf/option.h"
#include "conf/theme.h"
#include "conf/write.h"
#include "pmu/event/machine.h"
#include "pmu/event/own_table.h"
#include "pmu/perf/sys.h"
#include "record/reader.h"
#include "run/preloading.h"
#include "screen/bind/offer.h"
#include "screen/binding.h"
#include "screen/filter_list.h"
#include "screen/screen.h"
#include "screen/verdict_own.h"
#include "session/pipeline.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"
#include "view/frame.h"
#include "view/origin.h"
#include "view/view.h"

struct verdict_engine;

struct setup {
	struct options options;
	/* Name of the kind of rows; NULL: tasks. */
	const char *rows;
	const char *command_name; /* "system" in "tiptop system"; NULL: none */
	/* Adapts the options to the command, after the command line was parsed; options of the
	 * configuration file are then ignored. NULL: not needed. */
	int (*take_options)(struct setup *s, const struct option_list *arguments, struct err *err);
	/* The object preloaded into the command, and the folder of its tables; NULL: none. */
	const struct preloading_use *preload;
	struct table_folder tables;
	const char *default_screen; /* default screen of the command; NULL: the first */
	struct cpu_list cpus;       /* of --cpus */
	int cgroup_fd;              /* of --cgroup; -1: not open */
	char *sums_over;            /* the view's description of the control group */
	struct screen_list screens;
	/* Screens not for this machine or these rows; screen.needs has the reason. */
	struct screen_list hidden;
	/* Screens of the user's own file, as declared: the key W writes them, and they are compiled
	 * from copies. */
	struct screen_list own_screens;
	struct screen_list choices;   /* columns to choose from, see screen_change.h */
	struct setting_list settings; /* settings to choose from, see view_options.h */
	struct screen_list gone;      /* replaced or removed screens */
	struct own_table added,
		own; /* CPUs and events: of additional files; of the user's own file */
	struct theme_list themes;
	const struct theme *theme;   /* the chosen one, in `themes` */
	struct filter_list filters;  /* named filters */
	struct verdict_own verdicts; /* and metrics, of the user's files */
	struct row_filter *row_filter;
	bool filter_asked;       /* --filter is on the command line */
	bool screen_asked;       /* -S or an equivalent is on the command line */
	struct err filter_fault; /* why it does not fit the current screen; code 0: it fits, or no
				    filter */
	struct view view;
	pid_t command;       /* pid of the command to follow; 0: none */
	bool children_given; /* --children was given, not set by a command's screen */
	/* The command's descendants, once it runs; NULL: unknown. Borrowed. */
	const struct filter_family *family;
	struct collapse collapse; /* collapsed nodes of the tree */
	size_t *also;             /* [n_also] screens recorded beside the current one */
	size_t n_also, cap_also;
	size_t record_screen;   /* screen of the recording's condition */
	fact_mask record_facts; /* facts for the recording's condition */
	fact_mask facts;        /* facts last requested from the source */
	bool more_facts;        /* `facts` has some that the source had not read before */
	struct machine machine;
	struct perf_kernel kernel;
	struct proc *proc;
	struct source *source;
	struct record_reader *recording; /* of --replay; NULL: the running machine */
	struct origins origins;          /* events of the current screen, as texts */
	struct screen_numbers numbers;   /* counters of the current screen on this machine */
	struct binding binding;          /* of the current screen to readings */
	bool counts_others;              /* tasks of other users can be counted */
	struct err hardware;             /* why there are no hardware counters; code 0: there are */
	/* Why the current screen has no hardware counters, if the user did not choose it. */
	struct err remark;
	struct err note;       /* what the current screen cannot count, and why; code 0: nothing */
	struct log log;        /* all faults so far; those of the configuration were printed */
	int n_mistakes;        /* number of configuration faults that end the start */
	struct keymap keymap;  /* with the keys of the file */
	struct conf_base conf; /* the configuration file as read */
	char *user_name;       /* of -u; NULL: none */
	struct verdict_engine *verdict_engine;
};

/* Returns the kind of rows. */
const struct kind *setup_kind(const struct setup *s);
/* Returns whether the screen is for this kind of rows. */
bool setup_is_for_rows(const struct setup *s, const struct screen *screen);
/* Returns whether --encodings lists all known CPUs. */
bool setup_is_for_all(const struct setup *s);
/* With --for-cpu, replaces the machine by that CPU; call it before screens are made. -EINVAL:
 * unknown CPU. */
int setup_use_for_cpu(struct setup *s, struct err *err);
/* Returns the offer of events: of the running machine or the recording. kernel: they are counted in
 * the kernel, too. */
struct offer setup_offer(struct setup *s, bool kernel);
/* Returns the offer by which screens fit the CPU; for a recording from the event tables, whatever
 * was recorded. */
struct offer setup_cpu_offer(struct setup *s);
/* Removes columns of a screen that this machine does not have, before it is shown. */
void setup_fit(struct setup *s, size_t screen);
void setup_fit_all(struct setup *s);
/* Returns the default screen: of the command, or the first; without hardware counters, the first
 * that needs none. */
size_t setup_default_screen(const struct setup *s);
/* Returns the screen of -S, or the default one; below 0: unknown. */
int setup_asked_screen(const struct setup *s);
/* Makes the set of events for the current screen, with one counter for each of its own, and their
 * numbers. */
void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers);
/* Returns whether history is kept or recorded: then tasks are read with the CPUs on which they run,
 * and the machine with what CPUs share. */
bool setup_keeps_past(const struct setup *s);

#endif

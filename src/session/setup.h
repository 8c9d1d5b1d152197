/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup - the state of a session, in three parts: the configuration (options and files), the
 * backend (the machine or recording to measure), and the display (the view and the current screen).
 * A function takes only the parts that it uses, and each part knows only those before it.
 *
 * config_files.h makes the screens; then setup_start.h calls view_options.h, which makes the view,
 * and opens the source.
 */
#ifndef SESSION_SETUP_H
#define SESSION_SETUP_H

#include "base/log.h"
#include "collect/source.h"
#include "collect/task/proc.h"
#include "conf/option.h"
#include "conf/theme.h"
#include "conf/write.h"
#include "model/fact.h"
#include "model/kinds.h"
#include "pmu/event/machine.h"
#include "pmu/event/own_table.h"
#include "pmu/perf/sys.h"
#include "record/reader.h"
#include "run/preloading.h"
#include "run/table_folder.h"
#include "screen/bind/offer.h"
#include "screen/binding.h"
#include "screen/screen.h"
#include "screen/verdict_list.h"
#include "session/pipeline.h"
#include "tui/keymap.h"
#include "tui/setup_page.h"
#include "view/frame.h"
#include "view/row_filter.h"
#include "view/view.h"

/* ---- configuration ----
 *
 * The options, and the declarations of the configuration files.
 *
 * config_files.h fills it. It depends neither on the machine or recording that is measured nor on
 * the display.
 */

struct setup;

struct configuration {
	struct options options;
	/* Name of the kind of rows; NULL: tasks. */
	const char *rows;
	const char *command_name; /* "system" in "tiptop system"; NULL: none */
	/* Adapts the options to the command of tiptop, after the command line was parsed. If it is
	 * set, options of the configuration file are ignored. NULL: not needed. */
	int (*take_options)(struct setup *s, const struct option_list *arguments, struct err *err);
	/* With take_options: the options and keys of the configuration file. The key W keeps these
	 * options, apart from those that were changed in the setup. */
	struct options of_file;
	/* How the followed command writes tables; NULL: it writes none. */
	const struct preloading_use *preload;
	/* Rows are made of the kernel's records of futex(2), not of tables: --kernel with
	 * `preload`. */
	bool kernel_calls;
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
	/* [n_added] the paths of the additional files. */
	char **added_path;
	size_t n_added, cap_added;
	int n_mistakes; /* number of configuration faults that end the start */
	struct log log; /* all faults so far; those of the configuration were printed */
};

/* Puts the configuration file and the option with this conf_name before the sentence, if the value
 * of the option is from the file; returns whether it is. */
bool configuration_name_file(const struct configuration *config, const char *conf_name,
			     struct err *err);
/* Returns the kind of rows. */
const struct kind *configuration_kind(const struct configuration *config);
/* Returns whether --encodings lists all known CPUs. */
bool configuration_is_for_all(const struct configuration *config);
/* Returns whether history is kept or recorded. Then the CPU of each task is read, and the machine
 * is described with the caches and sockets that its CPUs share. */
bool configuration_keeps_past(const struct configuration *config);

/* Checks that writing to `output` (NULL: nothing is written) would overwrite none of the
 * configuration files. -EINVAL with a sentence: it would. */
int configuration_check_output(const struct configuration *config, const char *output,
			       struct err *err);

/* ---- backend ----
 *
 * The running machine that is measured, or the recording of --replay, with its source of samples;
 * and questions that depend on it: which events and screens apply, and which users and processes
 * exist. Names in a recording are never looked up on the running machine.
 *
 * setup_start.h makes it.
 */

struct backend {
	struct machine machine;
	struct perf_kernel kernel;
	struct proc *proc;
	struct source *source;
	struct record_reader *recording; /* the recording of --replay; NULL: samples come from the
					    running machine */
	struct cpu_list cpus;            /* the CPUs of --cpus */
	int cgroup_fd;                   /* descriptor of the group of --cgroup; -1: none */
	struct table_folder tables;      /* where the followed command writes tables */
	pid_t recorded; /* the running process whose calls the kernel records; 0: none */
	pid_t command;  /* pid of the command to follow; 0: none */
	/* The command's descendants, once it runs; NULL: unknown. Borrowed. */
	const struct filter_family *family;
	struct fact_set facts; /* facts that were last requested from the source */
	bool more_facts;       /* `facts` includes facts that the source had not read before */
	bool counts_others;    /* tasks of other users can be counted */
	struct err hardware;   /* why there are no hardware counters; code 0: there are */
};

/* Returns why the running or recorded machine has no hardware counters, valid as long as the
 * backend; NULL: it has, or it is unknown. */
const char *backend_no_counters(const struct backend *backend);

/* Returns whether the running process whose calls the kernel records has ended; false: there is
 * none. */
bool backend_recorded_has_ended(const struct backend *backend);
/* Returns whether the screen is for this kind of rows. */
bool backend_is_for_rows(const struct configuration *config, const struct backend *backend,
			 const struct screen *screen);
/* With --for-cpu, replaces the machine by one with that CPU; call it before screens are made.
 * -EINVAL: unknown CPU. */
int backend_use_for_cpu(const struct configuration *config, struct backend *backend,
			struct err *err);
/* Returns the events on offer (screen/bind/offer.h), of the running machine or of the recording.
 * kernel: they are counted in kernel mode, too. */
struct offer backend_offer(const struct configuration *config, struct backend *backend,
			   bool kernel);
/* Returns the offer that decides which screens are for the CPU. With --replay, too, it has the
 * events of the event tables, not only those that were recorded. */
struct offer backend_cpu_offer(const struct configuration *config, struct backend *backend);
/* Returns the index of the default screen: the one of the command of tiptop, or the first. If that
 * needs hardware counters and there are none, it is the first screen that needs none, preferably
 * one of the user's files. */
size_t backend_default_screen(const struct configuration *config, const struct backend *backend);
/* Returns the index of the screen of -S, or of the default screen; below 0: there is no such
 * screen. */
int backend_asked_screen(const struct configuration *config, const struct backend *backend);
/* Finds a user id by name or number. Returns 0, -EINVAL if there is no such user, or -ERANGE if the
 * number is too large. */
int backend_find_user(const struct backend *backend, const char *text, long *uid, struct err *err);
/* Returns the login name of the user uid; a copy of text if uid has no login name, or with
 * --replay. The caller frees it. */
char *backend_user_name(const struct backend *backend, long uid, const char *text);
/* Returns the process of the thread pid; pid itself if there is no such thread, or with
 * --replay. */
int backend_process_of(const struct backend *backend, int pid);

/* ---- display ----
 *
 * How samples are shown: the view, and the current screen on this machine.
 */

struct verdict_engine;

struct display {
	struct view view;
	struct collapse collapse;      /* collapsed nodes of the tree */
	char *user_name;               /* login name for -u; NULL: none */
	char *sums_over;               /* text for view.sums_over about the control group */
	struct row_filter *row_filter; /* the filter of the view; owned */
	/* Why the filter cannot be applied to the current screen; code 0: it can, or there is
	 * none. */
	struct err filter_fault;
	struct origins origins;        /* events of the current screen, as texts */
	struct screen_numbers numbers; /* counters of the current screen on this machine */
	struct binding binding;        /* binds the current screen to events of readings */
	struct verdict_engine *verdict_engine;
	size_t *also; /* [n_also] screens recorded beside the current one */
	size_t n_also, cap_also;
	size_t record_screen;         /* the screen with the columns of --record-when */
	struct fact_set record_facts; /* facts that --record-when needs */
	/* Why the current screen, which the user did not choose, is one without hardware counters;
	 * code 0: no remark. */
	struct err remark;
	struct err note; /* what the current screen cannot count, and why; code 0: nothing */
};

/* ---- setup ---- */

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * setup - what options become: the parts that the loop runs, and what is known of them. Screens
 * are made by configuration.h, the view by view_options.h, the source by backend.h; setup_start.h
 * does all of it in its order.
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
	/* What rows are of, as the kind is called; NULL: tasks. */
	const char *rows;
	const char *command_name; /* of tiptop, as in "tiptop system"; NULL: none */
	/* What a command makes of its options, once they have been applied: those of the
	 * configuration file are then passed over. NULL: nothing. */
	int (*take_options)(struct setup *s, const struct option_list *arguments, struct err *err);
	/* The object with which the command is run, and the folder of its tables; NULL: as it is.
	 */
	const struct preloading_use *preload;
	struct table_folder tables;
	const char *default_screen; /* of the command, where none is asked for; NULL: the first */
	struct cpu_list cpus;       /* of --cpus */
	int cgroup_fd;              /* of --cgroup; -1: not open */
	char *sums_over;            /* what the view says of it */
	struct screen_list screens;
	/* Those that are not for this machine or these rows; screen.needs says why. */
	struct screen_list hidden;
	/* Those of the user's own file, as they were declared: what the key W writes, and of which
	 * the others are made. */
	struct screen_list own_screens;
	struct screen_list choices;   /* what columns can be taken of, see screen_change.h */
	struct setting_list settings; /* of the same page, see view_options.h */
	struct screen_list gone;      /* those that others have taken the place of */
	struct own_table added, own;  /* CPUs and events of files that only add, and of the file */
	struct theme_list themes;
	const struct theme *theme;   /* the one that was chosen, of them */
	struct filter_list filters;  /* that have names */
	struct verdict_own verdicts; /* and metrics, of the user's files */
	struct row_filter *row_filter;
	bool filter_asked;       /* --filter stands on the command line */
	bool screen_asked;       /* -S does, or what stands for it */
	struct err filter_fault; /* why it is not for the present screen; code 0: it is, or none */
	struct view view;
	pid_t command;       /* the child to follow, or 0 */
	bool children_given; /* --children, before the screen of a command switched it on */
	/* What it has made, once it has begun; NULL: nobody knows. Borrowed. */
	const struct filter_family *family;
	struct collapse collapse; /* what of its tree is collapsed */
	size_t *also;             /* [n_also] screens that are recorded beside the present one */
	size_t n_also, cap_also;
	size_t record_screen;   /* whose columns the condition of a recording names */
	fact_mask record_facts; /* what the condition of a recording needs beside columns */
	fact_mask facts;        /* those that the source was asked for last */
	bool more_facts;        /* there were some among them that it had not read before */
	struct machine machine;
	struct perf_kernel kernel;
	struct proc *proc;
	struct source *source;
	struct record_reader *recording; /* of --replay; NULL: the running machine is shown */
	struct origins origins;          /* the events of the present screen */
	struct screen_numbers numbers;   /* what its counters are here */
	struct binding binding;          /* of it, to whatever is sampled */
	bool counts_others;              /* there are counts of tasks of other users */
	struct err hardware;             /* why there are no hardware counters; code 0: there are */
	/* Why the present screen has no hardware counters, though the user did not ask for it. */
	struct err remark;
	struct err note;       /* what the present screen cannot count, and why; code 0: nothing */
	struct log log;        /* all faults so far; those of the configuration have been printed */
	int n_mistakes;        /* faults of the configuration that end the start */
	struct keymap keymap;  /* what the file says of keys */
	struct conf_base conf; /* the configuration file that was found */
	char *user_name;       /* of -u; NULL: none */
	struct verdict_engine *verdict_engine;
};

/* What rows are of. */
const struct kind *setup_kind(const struct setup *s);
/* Whether the screen is for these rows. */
bool setup_is_for_rows(const struct setup *s, const struct screen *screen);
/* Whether --encodings is for each CPU that is known. */
bool setup_is_for_all(const struct setup *s);
/* Makes the machine the CPU of --for-cpu, where there is one, before screens are made. -EINVAL:
 * there is no such CPU. */
int setup_use_for_cpu(struct setup *s, struct err *err);
/* Returns what says which events there are: the running machine, or a recording. kernel: they are
 * to be counted in the kernel, too. */
struct offer setup_offer(struct setup *s, bool kernel);
/* Returns what says which screens are for the CPU: for a recording the tables, whatever it has. */
struct offer setup_cpu_offer(struct setup *s);
/* Leaves out the columns of a screen that are not for this machine, before it is shown. */
void setup_fit(struct setup *s, size_t screen);
void setup_fit_all(struct setup *s);
/* The screen that is shown where none is asked for: that of the command, or the first; without
 * hardware counters, the first that needs none. */
size_t setup_default_screen(const struct setup *s);
/* The screen that -S names, or the usual one; below 0: -S names none. */
int setup_asked_screen(const struct setup *s);
/* Makes the set of events that the present screen needs, one for each of its counters, and tells
 * what these are. */
void setup_make_events(struct setup *s, struct event_set *events, struct screen_numbers *numbers);
/* Whether what was before is kept, here or in a recording: then tasks are told with the CPUs on
 * which they run, and the machine with what these share. */
bool setup_keeps_past(const struct setup *s);

#endif

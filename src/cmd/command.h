/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - what all commands share: the table of commands ("tiptop NAME"; without a command,
 * tiptop is the monitor), their execution and help, the values that options accept, and sets of
 * counters.
 *
 * A command is one file, such as help.c, and one row of the table: its name, the words that may
 * follow it, its help, its options and its function. The first word of the command line is a
 * command if it does not begin with a dash. ptiptop has no commands, since its first word is a
 * task.
 *
 * Each command has the option -h, which command_run() implements.
 */
#ifndef CMD_COMMAND_H
#define CMD_COMMAND_H

#include <stdbool.h>

#include "base/destination.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "conf/option.h"
#include "pmu/event/machine.h"
#include "pmu/perf/event.h"
#include "report/anonymous.h"
#include "report/format.h"

struct preloading_use;
struct setup;
struct table_options;

struct command {
	const char *name;
	const char *words;   /* the words that may follow the name, for the usage line: "[command]";
				"": none */
	const char *help;    /* one sentence without a full stop, for the list of commands */
	const char *text;    /* further help, in whole lines */
	const char *example; /* an example of a command line, for the help */
	const struct option_set *options;
	const struct option_choices *choices; /* NULL: none */
	/* A form of the command with its own options, and the option that selects it; NULL:
	 * none. */
	const struct command *form;
	const char *form_option;
	bool form_without_command; /* the form is also selected if there is no "-- command" */
	/* The name of the kind of rows (model/sample.h), if the monitor implements the command with
	 * the options of the command; NULL: run() implements the command. */
	const char *rows;
	/* Only with `rows`: the object that is preloaded into the command; NULL: none. */
	const struct preloading_use *preload;
	/* Only with `rows`: prepares the setup of the monitor; NULL: not needed. */
	void (*begin)(struct setup *setup);
	/* Executes the command and prints its output. Returns the exit status. */
	int (*run)(const struct option_list *arguments);
};

extern const struct command command_calls, command_compare, command_compare_runs, command_follow,
	command_help, command_import, command_locks, command_locks_live, command_calls_live,
	command_plot, command_regions, command_report, command_system, command_what;

/* All commands, terminated by NULL. */
extern const struct command *const command_table[];

/* Finds a command by its name; NULL: none. */
const struct command *command_find(const char *name);
/* Returns the command or its form, whichever these words select; argv[0] is the name of the
 * command. */
const struct command *command_choose_form(const struct command *c, int argc, char **argv);
/* Finds the format of this name (NULL: text), and checks that the options of a report that is one
 * table can be combined. */
int command_check_table(enum report_format_id *format, const char *name, bool anonymize,
			const struct table_options *table, struct err *err);
/* Prepares the output file of a command that writes rows as they arise, and leaves dest_begin() to
 * the caller. If the file is appended to, it must begin with this header or, in JSON, with an
 * object of this type; the header is emptied if the file already has one. A page also gets a head
 * that names the measured command (NULL: none); anonymous replaces names in it. -EINVAL: the file
 * begins with something else. */
int command_prepare_output(struct dest *d, enum report_format_id format, const char *type,
			   char *const *command, struct anonymous *anonymous, struct strbuf *header,
			   struct err *err);

/* Appends the names of all commands: "help, follow". */
void command_add_names(struct strbuf *out);
/* Offers the names of all commands as suggestions for an unknown name. */
void command_suggest(struct suggestion *near);

/* ---- choices ----
 *
 * The values that options accept, for the help of commands; they come from the tables that the
 * parsers use.
 */

/* The values for the options of the monitor; those of --group are groups of tasks, regions, locks
 * or calls. */
extern const struct option_choices choices_monitor[], choices_regions[], choices_locks[],
	choices_calls[];
/* The values for the options of tiptop system. */
extern const struct option_choices choices_system[];
/* The values of --format, for commands without further lists: all (choices_rows), or all but CSV
 * (choices_report). */
extern const struct option_choices choices_rows[], choices_report[];

/* ---- execution and help ---- */

/* The long names of the most used options, terminated by NULL. */
extern const char *const command_usual_options[];

/* Executes a command that is implemented by run(); argv[0] is the name of the command. Returns the
 * exit status. */
int command_run(const struct command *c, int argc, char **argv);
/* Returns whether help for all options is wanted: --help=all. */
bool command_wants_all(const struct option_list *arguments);
/* Prints the help of a command. Returns the exit status. */
int command_print_help(const struct command *c, bool all);
/* Appends the help of one command and of its form, in whole lines. Unless `all` is set, the help
 * has at most 60 lines: it leaves out the less usual options of the monitor, and the options of the
 * form. */
void command_add_help(const struct command *c, bool all, struct strbuf *out);

/* ---- usage ----
 *
 * The texts of the options that print something and exit: --help, -v and --version. Each function
 * appends whole lines to `out`.
 */

/* Appends the help: the usual options, in 60 lines at most; with `all`, all options. */
void usage_help(bool all, struct strbuf *out);
void usage_build_info(struct strbuf *out);
void usage_version(struct strbuf *out);

/* ---- sets of counters ----
 *
 * The sets of the option -c, for commands that count several sets alternately.
 *
 * Each list has the syntax of -e, with two additions from cpustat and cputrack of Solaris. Events
 * may be preceded by "pic0=", "pic1=" and so on. In place of an event, "sys" makes the whole list
 * count in the kernel, too, and "nouser" keeps it from counting in user mode. All counters of a set
 * should be in one group, so that they are counted at the same time.
 */

#define COUNTER_SETS_MAX 16

struct counter_sets {
	struct event_set set[COUNTER_SETS_MAX];
	int n;
};

/* Makes the sets. lists: one list on each line. first: an event that becomes the first of each set;
 * NULL: none. kernel: count in the kernel, too, even without "sys". */
int counter_sets_make(struct counter_sets *sets, const char *lists, const char *first, bool kernel,
		      const struct machine *machine, struct perf_sys *sys, struct err *err);
/* Returns whether an event counts in all modes although not wanted, with a sentence about the first
 * one. */
bool counter_sets_explain_modes(const struct counter_sets *sets, struct err *why);
void counter_sets_done(struct counter_sets *sets);

#endif

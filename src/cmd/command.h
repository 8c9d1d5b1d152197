/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - the table of commands: "tiptop NAME". Without a command, tiptop is the monitor.
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

#include "base/destination.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "conf/option.h"
#include "report/format.h"

struct preloading_use;
struct setup;

struct command {
	const char *name;
	const char *words;   /* the words that may follow the name, for the usage line: "[command]";
				"": none */
	const char *help;    /* one sentence without a full stop, for the list of commands */
	const char *text;    /* further help, in whole lines */
	const char *example; /* an example of a command line, for the help */
	const struct option_set *options;
	const struct option_choices *choices; /* see choices.h; NULL: none */
	/* A form of the command with its own options, and the option that selects it; NULL:
	 * none. */
	const struct command *form;
	const char *form_option;
	bool form_without_command; /* the form is also selected if there is no "-- command" */
	/* The name of the kind of rows (model/kind.h), if the monitor implements the command with
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
	command_plot, command_regions, command_report, command_system, command_system_raw,
	command_what;

/* All commands, terminated by NULL. */
extern const struct command *const command_table[];

/* Finds a command by its name; NULL: none. */
const struct command *command_find(const char *name);
/* Returns the command or its form, whichever these words select; argv[0] is the name of the
 * command. */
const struct command *command_choose_form(const struct command *c, int argc, char **argv);
/* Begins the output file of a command that writes rows as they arise. If the file is appended to,
 * it must begin with this header or, in JSON, with an object of this type; the header is emptied if
 * the file already has one. A page also gets a head that names the measured command (NULL: none).
 * -EINVAL: the file begins with something else. */
int command_begin_output(struct dest *d, enum report_format_id format, const char *type,
			 char *const *command, struct strbuf *header, struct err *err);

/* Appends the names of all commands: "help, follow". */
void command_add_names(struct strbuf *out);
/* Offers the names of all commands as suggestions for an unknown name. */
void command_suggest(struct suggestion *near);

#endif

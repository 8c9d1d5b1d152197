/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - the table of commands: "tiptop NAME". Without a command, tiptop is the monitor.
 *
 * A command is one file, as help.c, and one row of the table: its name, the words that may
 * follow, its help, its options and the function that does it. The first word of the command line
 * is a command if it does not begin with a dash. ptiptop has no commands, since its first word is a
 * task.
 *
 * Each command has the option -h, which is done here.
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
	const char *words; /* the words that may follow it, for its usage: "[command]"; "": none */
	const char *help;  /* one sentence without a full stop, as a row of the list */
	const char *text;  /* more of it, for the command's own help, in whole lines */
	const struct option_set *options;
	const struct option_choices *choices; /* see choices.h; NULL: there are none */
	/* A form of it that has options of its own, and the option that asks for it; NULL: none. */
	const struct command *form;
	const char *form_option;
	bool form_without_command; /* the form is also meant where there is no "-- command" */
	/* What the rows are of, as the kind is called, where the monitor itself is the command,
	 * with its options; NULL: run() is. */
	const char *rows;
	/* With rows: the object with which a command is run; NULL: as it is. */
	const struct preloading_use *preload;
	/* With rows: begins the setup of the monitor; NULL: that is as ever. */
	void (*begin)(struct setup *setup);
	/* Does the work and prints what there is to say. Returns the exit status. */
	int (*run)(const struct option_list *arguments);
};

extern const struct command command_calls, command_compare, command_compare_runs, command_follow,
	command_help, command_import, command_locks, command_locks_live, command_calls_live,
	command_plot, command_regions, command_system, command_system_raw, command_what;

/* All commands, then NULL. */
extern const struct command *const command_table[];

/* Finds a command by its name; NULL: there is none. */
const struct command *command_find(const char *name);
/* The form of the command that these words ask for; argv[0] is its name. */
const struct command *command_choose_form(const struct command *c, int argc, char **argv);
/* Begins the file, where rows come as they are made: one that is appended to has to begin with this
 * header, which is then emptied, as it is there; in JSON, with an object of this type. -EINVAL: it
 * begins otherwise. */
int command_begin_output(struct dest *d, enum report_format_id format, const char *type,
			 struct strbuf *header, struct err *err);

/* Appends the names: "help, follow". */
void command_add_names(struct strbuf *out);
/* Offers them for a name that is none of them. */
void command_suggest(struct suggestion *near);

#endif

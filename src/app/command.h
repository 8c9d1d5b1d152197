/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command - the table of commands: "tiptop NAME". Without one, tiptop is the monitor.
 *
 * A command is one file, as command_help.c, and one row of the table: its name, what stands behind
 * it, its help, its options and the function that does it. The first word of the command line is a
 * command where it does not begin with a dash; ptiptop has none, since its first word is a task.
 *
 * Each has the option -h, which is done here.
 */
#ifndef APP_COMMAND_H
#define APP_COMMAND_H

#include "base/strbuf.h"
#include "conf/option.h"

struct command {
	const char *name;
	const char *words; /* that may stand behind it, for its usage: "[command]"; "": none */
	const char *help;  /* one sentence without a full stop, as a row of the list */
	const char *text;  /* the same for its own help, in whole lines */
	const struct option_set *options;
	/* Returns the exit status; what is to be said has been said. */
	int (*run)(const struct option_list *arguments);
};

/* The row of -h, which each command has. */
#define COMMAND_HELP_ROW                                                                           \
	{                                                                                          \
		.group = "Options", .long_name = "help", .short_name = 'h', .kind = OPTION_TASK,   \
		.number = TASK_HELP, .help = "print this text and exit"                            \
	}

extern const struct command command_help;

/* Ended by a NULL. */
extern const struct command *const command_table[];

/* NULL: there is no such command. */
const struct command *command_find(const char *name);
/* argv[0] is its name. Returns the exit status. */
int command_run(const struct command *c, int argc, char **argv);

/* The help of one of them, in whole lines. */
void command_add_help(const struct command *c, struct strbuf *out);
/* Of all, for the help of the program: the lines of their usage, and the list. */
void command_add_usages(struct strbuf *out);
void command_add_list(struct strbuf *out);
/* "help, follow" */
void command_add_names(struct strbuf *out);

#endif

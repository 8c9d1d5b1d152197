/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_run - runs a command (command.h), or prints its help.
 */
#ifndef CMD_COMMAND_RUN_H
#define CMD_COMMAND_RUN_H

#include "cmd/command.h"

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
/* Append the parts about commands to the help of tiptop: a usage line for each command; a list of
 * the commands, with a sentence for each. */
void command_add_usages(struct strbuf *out);
void command_add_list(struct strbuf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * command_run - runs a command (command.h), or prints its help.
 */
#ifndef CMD_COMMAND_RUN_H
#define CMD_COMMAND_RUN_H

#include "cmd/command.h"

/* The options that are asked for most: their long names, ended by NULL. */
extern const char *const command_usual_options[];

/* Runs a command that has run(); argv[0] is its name. Returns the exit status. */
int command_run(const struct command *c, int argc, char **argv);
/* Whether all options are wanted of the help: --help=all. */
bool command_wants_all(const struct option_list *arguments);
/* Prints its help. Returns the exit status. */
int command_print_help(const struct command *c, bool all);
/* Appends the help of one command and of its form, in whole lines. Unless all is wanted, these are
 * 60 at most: of the options of the monitor, the usual ones; of its form, none. */
void command_add_help(const struct command *c, bool all, struct strbuf *out);
/* Append what the help of the program says of all commands: the lines of their usage, and the
 * list. */
void command_add_usages(struct strbuf *out);
void command_add_list(struct strbuf *out);

#endif

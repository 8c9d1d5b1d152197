/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop help [command]. */
#include "cmd/command.h"

#include <errno.h>

#include "base/suggestion.h"
#include "cmd/command_run.h"
#include "cmd/usage.h"
#include "conf/option_rows.h"
#include "run/print_error.h"

static const struct option_row rows[] = {COMMAND_HELP_ROW};

static const struct option_set options = {
	.program = "tiptop help",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.n_words = 1,
};

static int run(const struct option_list *arguments)
{
	const char *name = option_word(arguments, 0);
	const struct command *command = name ? command_find(name) : NULL;
	struct err err = ERR_INIT;
	struct suggestion near;
	struct strbuf text;
	int status;

	strbuf_init(&text);
	if (name && !command) {
		command_add_names(&text);
		suggestion_begin(&near, name);
		command_suggest(&near);
		err_set(&err, EINVAL, "there is no command '%s'%s: tiptop has %s", name,
			suggestion_text(&near), text.text);
		strbuf_done(&text);
		return print_fault(&err, EXIT_USAGE);
	}
	if (command)
		command_add_help(command, command_wants_all(arguments), &text);
	else
		usage_help(command_wants_all(arguments), &text);
	status = print_text(&text, 0);
	strbuf_done(&text);
	return status;
}

const struct command command_help = {
	.name = "help",
	.words = "[command]",
	.help = "print this text, or the help of a command",
	.text = "Prints what tiptop --help prints, or with a command what that takes.\n",
	.options = &options,
	.run = run,
};

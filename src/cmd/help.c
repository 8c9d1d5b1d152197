/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop help [command]. */
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/suggestion.h"
#include "conf/option.h"
#include "run/command_output.h"
#include "run/helper.h"

static const struct option_row rows[] = {COMMAND_HELP_ROW};

static const struct option_set options = {
	.program = "tiptop help",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.n_words = 1,
};

/* Checks that man(1) finds the page; discards the output of man(1). -errno with a sentence: there
 * is no such page, or man(1) cannot be run. */
static int find_page(char *page, const char *command, struct err *err)
{
	char man[] = "man", where[] = "-w";
	char *const argv[] = {man, where, page, NULL};
	const int output = helper_new_file(NULL, err);
	const int file[] = {-1, output, output};
	int status, ret;

	if (output < 0)
		return -EIO;
	ret = helper_run(argv, file, sizeof file / sizeof *file, NULL, "looking for the page",
			 &status);
	close(output);
	if (ret)
		return err_set(
			err, -ret,
			"help: the page %s(1) cannot be opened, as man(1) cannot be run: %s; "
			"this is what 'tiptop %s --help' prints:",
			page, strerror(-ret), command);
	if (status)
		return err_set(err, ENOENT,
			       "help: man(1) has no page %s(1): MANPATH may name the folder where "
			       "tiptop's are; this is what 'tiptop %s --help' prints:",
			       page, command);
	return 0;
}

/* Executes man(1) to show the page of the command. Returns only on failure, with a sentence. */
static void open_page(const struct command *command, struct err *err)
{
	char page[64], man[] = "man";
	char *const argv[] = {man, page, NULL};

	snprintf(page, sizeof page, "tiptop-%s", command->name);
	if (find_page(page, command->name, err))
		return;
	execvp(argv[0], argv);
	err_set(err, errno, "help: cannot run man(1): %s", strerror(errno));
}

static int refuse_name(const char *name)
{
	struct err err = ERR_INIT;
	struct suggestion near;
	struct strbuf text;

	strbuf_init(&text);
	command_add_names(&text);
	suggestion_begin(&near, name);
	command_suggest(&near);
	err_set(&err, EINVAL, "there is no command '%s'%s: tiptop has %s", name,
		suggestion_text(&near), text.text);
	strbuf_done(&text);
	return print_fault(&err, EXIT_USAGE);
}

static int run(const struct option_list *arguments)
{
	const char *name = option_word(arguments, 0);
	const struct command *command = name ? command_find(name) : NULL;
	struct err err = ERR_INIT;
	struct strbuf text;
	int status;

	if (name && !command)
		return refuse_name(name);
	/* There is no page for the command help: it is described in tiptop(1). */
	if (command && command != &command_help) {
		open_page(command, &err);
		print_fault(&err, 0);
	}
	if (command)
		return command_print_help(command, false);
	strbuf_init(&text);
	usage_help(false, &text);
	status = print_text(&text, 0);
	strbuf_done(&text);
	return status;
}

const struct command command_help = {
	.name = "help",
	.words = "[command]",
	.help = "print this text, or open the page of a command",
	.text = "Prints what tiptop --help prints; with a command, opens its manual page, or,\n"
		"where man(1) does not find that, prints what --help of the command prints.\n",
	.example = "tiptop help locks",
	.options = &options,
	.run = run,
};

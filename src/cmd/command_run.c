/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/command_run.h"

#include "run/command_output.h"

/* A command need not have all of these options: "sample", for instance, is for rows of locks. */
const char *const command_usual_options[] = {
	"batch",  "format", "record",  "replay", "delay",       "iterations", "pid",
	"user",   "filter", "threads", "screen", "event",       "sort",       "list-events",
	"sample", "live",   "help",    "check",  "follow-exec", NULL,
};

bool command_wants_all(const struct option_list *arguments)
{
	return option_given(arguments, "help");
}

int command_print_help(const struct command *c, bool all)
{
	struct strbuf text;
	int status;

	strbuf_init(&text);
	command_add_help(c, all, &text);
	status = print_text(&text, 0);
	strbuf_done(&text);
	return status;
}

int command_run(const struct command *c, int argc, char **argv)
{
	struct option_list *arguments = NULL;
	struct err err = ERR_INIT;
	int status;

	if (option_scan(&arguments, c->options, argc, argv, &err))
		return print_fault(&err, EXIT_USAGE);
	if (option_task(arguments) == TASK_HELP)
		status = command_print_help(c, command_wants_all(arguments));
	else
		status = c->run(arguments);
	option_list_free(arguments);
	return status;
}

static void add_usage(const struct command *c, struct strbuf *out)
{
	strbuf_addf(out, "tiptop %s [option]...%s%s\n", c->name, *c->words ? " " : "", c->words);
}

static void add_usage_and_text(const struct command *c, struct strbuf *out)
{
	strbuf_addstr(out, "Usage: ");
	add_usage(c, out);
	strbuf_addf(out, "%sExample: %s\n\n", c->text, c->example);
}

static void add_options(const struct command *c, bool all, struct strbuf *out)
{
	if (all || c->options->row != option_table) {
		option_usage(c->options, c->choices, out);
		return;
	}
	strbuf_addstr(out, "Usual options:\n");
	option_usage_some(c->options, c->choices, command_usual_options, out);
	strbuf_addf(out, "\n'tiptop %s --help=all' lists all.\n", c->name);
}

void command_add_help(const struct command *c, bool all, struct strbuf *out)
{
	add_usage_and_text(c, out);
	add_options(c, all, out);
	if (!c->form)
		return;
	strbuf_addch(out, '\n');
	if (all) {
		command_add_help(c->form, all, out);
		return;
	}
	add_usage_and_text(c->form, out);
	strbuf_addf(out, "'tiptop %s --help=all' lists the options of this form, too.\n", c->name);
}

void command_add_usages(struct strbuf *out)
{
	for (size_t i = 0; command_table[i]; i++) {
		strbuf_addstr(out, "       ");
		add_usage(command_table[i], out);
	}
}

void command_add_list(struct strbuf *out)
{
	strbuf_addstr(out, "Commands of tiptop itself:\n");
	for (size_t i = 0; command_table[i]; i++)
		strbuf_addf(out, "  %-26s  %s\n", command_table[i]->name, command_table[i]->help);
}

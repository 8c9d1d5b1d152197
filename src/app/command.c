/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/command.h"

#include <errno.h>
#include <string.h>

#include "app/say.h"
#include "app/usage.h"

const struct command *const command_table[] = {&command_help,
					       &command_follow,
					       &command_import,
					       &command_compare,
					       &command_calls,
					       &command_locks,
					       &command_plot,
					       &command_regions,
					       &command_system,
					       &command_what,
					       NULL};

const struct command *command_find(const char *name)
{
	size_t i = 0;

	while (command_table[i] && strcmp(command_table[i]->name, name))
		i++;
	return command_table[i];
}

/* Whether the word is this option, perhaps with its argument behind '='. */
static bool is_option(const char *word, const char *option)
{
	const size_t n = strlen(option);

	return !strncmp(word, option, n) && (!word[n] || word[n] == '=');
}

const struct command *command_choose_form(const struct command *c, int argc, char **argv)
{
	bool help = false;
	int i = 1;

	if (!c || !c->form)
		return c;
	for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (c->form_option && is_option(argv[i], c->form_option))
			return c->form;
		help |= !strcmp(argv[i], "-h") || is_option(argv[i], "--help");
	}
	/* The help of the command has that of its form, too. */
	return i == argc && c->form_without_command && !help ? c->form : c;
}

void command_add_names(struct strbuf *out)
{
	for (size_t i = 0; command_table[i]; i++)
		strbuf_addf(out, "%s%s", i ? ", " : "", command_table[i]->name);
}

void command_suggest(struct suggestion *near)
{
	for (size_t i = 0; command_table[i]; i++)
		suggestion_offer(near, command_table[i]->name);
}

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
	status = say_text(&text, 0);
	strbuf_done(&text);
	return status;
}

int command_run(const struct command *c, int argc, char **argv)
{
	struct option_list *arguments = NULL;
	struct err err = ERR_INIT;
	int status;

	if (option_scan(&arguments, c->options, argc, argv, &err))
		return say_fault(&err, EXIT_USAGE);
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
	strbuf_addf(out, "%s\n", c->text);
}

static void add_options(const struct command *c, bool all, struct strbuf *out)
{
	if (all || c->options->row != option_table) {
		option_usage(c->options, c->choices, out);
		return;
	}
	strbuf_addstr(out, "Usual options:\n");
	option_usage_some(c->options, c->choices, usage_usual, out);
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

int command_begin_output(struct dest *d, enum report_format_id format, struct strbuf *header,
			 struct err *err)
{
	int ret = 0;

	if (d->appends)
		ret = dest_check(d, format == REPORT_AS_JSON ? "{" : header->text, err);
	if (d->filled)
		strbuf_reset(header);
	return ret ? ret : dest_begin(d, err);
}

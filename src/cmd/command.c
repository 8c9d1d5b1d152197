/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/command_output.h"

const struct command *const command_table[] = {&command_help,    &command_follow,  &command_import,
					       &command_compare, &command_calls,   &command_locks,
					       &command_plot,    &command_regions, &command_report,
					       &command_system,  &command_what,    NULL};

const struct command *command_find(const char *name)
{
	size_t i = 0;

	while (command_table[i] && strcmp(command_table[i]->name, name))
		i++;
	return command_table[i];
}

/* Returns whether the word is this option, possibly with "=ARGUMENT". */
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
	/* Without "-- command", chooses the form; but not with --help, as the help of the command
	 * includes that of the form. */
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

/* Appends the head of a page. type: the command of tiptop; command: the measured command; NULL:
 * none. */
static void add_about(struct strbuf *out, const char *type, char *const *command)
{
	struct page_about about;
	char *of = xasprintf("tiptop %s", type);

	page_about_init(&about, of, command);
	report_html_add_about(out, &about.about);
	page_about_done(&about);
	free(of);
}

int command_begin_output(struct dest *d, enum report_format_id format, const char *type,
			 char *const *command, struct strbuf *header, struct err *err)
{
	struct strbuf begin;
	int ret = 0;

	strbuf_init(&begin);
	strbuf_addf(&begin, "{\"type\":\"%s\",", type);
	if (d->appends)
		ret = dest_check(d, format == REPORT_AS_JSON ? begin.text : header->text, err);
	strbuf_done(&begin);
	if (d->filled)
		strbuf_reset(header);
	else if (!ret && format == REPORT_AS_HTML)
		add_about(header, type, command);
	return ret ? ret : dest_begin(d, err);
}

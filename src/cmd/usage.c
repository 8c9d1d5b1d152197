/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/usage.h"

#include "cmd/choices.h"
#include "cmd/command_run.h"
#include "conf/option.h"

/* The examples in the help; each can be run as it is. */
static const struct {
	const char *line, *help;
} examples[] = {
	{"tiptop", "all tasks, live; h: the keys, q: quit"},
	{"tiptop -H -p 1", "the threads of one process"},
	{"tiptop -- du -s /usr", "a command, from its start to its end"},
	{"tiptop -b -n 3 -d 1 --format csv", "three refreshes, for a program"},
	{"tiptop -b -n 5 --record run.db && tiptop what run.db", "record, then ask"},
};

static const char purpose[] =
	"Shows what the hardware counters count for each task, again and again;\n"
	"with a command, runs it and shows its tasks only; ptiptop is tiptop -p.\n"
	"\n";

static void add_short(struct strbuf *out)
{
	strbuf_addf(out, "       tiptop name-of-a-command [option]...\n%s", purpose);
	command_add_list(out);
	strbuf_addstr(out, "\nExamples:\n");
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		strbuf_addf(out, "  %-35s # %s\n", examples[i].line, examples[i].help);
	strbuf_addstr(out, "\nUsual options:\n");
	option_usage_some(&option_monitor, choices_monitor, command_usual_options, out);
	strbuf_addstr(out, "\n'tiptop --help=all' lists all options, 'tiptop help NAME' those of "
			   "a command.\n");
}

static void add_all(struct strbuf *out)
{
	command_add_usages(out);
	strbuf_addstr(out, purpose);
	option_usage(&option_monitor, choices_monitor, out);
	strbuf_addch(out, '\n');
	command_add_list(out);
	strbuf_addstr(
		out,
		"\n"
		"A toggle inverts what the configuration file says; without one, it switches on.\n"
		"More is in tiptop(1) and tiptoprc(5); on the live screen, h lists the keys.\n");
}

void usage_help(bool all, struct strbuf *out)
{
	strbuf_addstr(out, "Usage: tiptop [option]...\n"
			   "       tiptop [option]... -- command [argument]...\n"
			   "       ptiptop pid|text [option]...\n");
	if (all)
		add_all(out);
	else
		add_short(out);
}

void usage_build_info(struct strbuf *out)
{
	strbuf_addf(out,
		    "tiptop %s\n"
		    "compiler: %s\n"
		    "libraries: %s\n",
		    PACKAGE_VERSION, __VERSION__, BUILD_LIBRARIES);
}

void usage_version(struct strbuf *out)
{
	strbuf_addf(out,
		    "tiptop %s\n"
		    "Free software under the GNU General Public License, version 2 or, at your\n"
		    "choice, any later one: you may run, study, change and share it. It comes\n"
		    "without any warranty, as far as the law allows.\n",
		    PACKAGE_VERSION);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "app/usage.h"

#include "app/command.h"
#include "conf/option.h"

void usage_help(struct strbuf *out)
{
	strbuf_addstr(out, "Usage: tiptop [option]...\n"
			   "       tiptop [option]... -- command [argument]...\n"
			   "       ptiptop pid|text [option]...\n");
	command_add_usages(out);
	strbuf_addstr(out,
		      "Shows what the hardware counters count for each task, again and again;\n"
		      "with a command, runs it and shows its tasks only; ptiptop is tiptop -p.\n"
		      "\n");
	option_usage(&option_monitor, out);
	strbuf_addch(out, '\n');
	command_add_list(out);
	strbuf_addstr(
		out,
		"\n"
		"A toggle inverts what the configuration file says; without one, it switches on.\n"
		"More is in tiptop(1) and tiptoprc(5); on the live screen, h lists the keys.\n");
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

void usage_list_screens(struct strbuf *out, const struct screen_list *screens)
{
	strbuf_addstr(out, "Available screens:\n");
	for (size_t i = 0; i < screens->n; i++)
		strbuf_addf(out, "%2zu: '%s', %s\n", i, screens->v[i]->name, screens->v[i]->desc);
}

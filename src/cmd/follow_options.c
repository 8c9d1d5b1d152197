/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/follow_options.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "conf/option_rows.h"

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	COMMAND_SETS_ROW(
		struct follow_options, events,
		"counters as for tiptop -e (cycles,instructions); several sets take turns"),
	{.long_name = "interval",
	 .short_name = 'T',
	 .arg = "seconds",
	 .what = "the interval",
	 .kind = OPTION_DOUBLE,
	 .min = 0,
	 .max = OPTION_DELAY_MAX,
	 .offset = offsetof(struct follow_options, interval_s),
	 .help = "a row for each task every so many seconds (1); 0: none"},
	{.long_name = "count",
	 .short_name = 'N',
	 .arg = "number",
	 .what = "the number of intervals",
	 .kind = OPTION_LONG,
	 .min = 1,
	 .max = INT32_MAX,
	 .offset = offsetof(struct follow_options, ticks),
	 .help = "stop after so many intervals; the command goes on to its end"},
	{.long_name = "forks",
	 .short_name = 'f',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, forks),
	 .help = "follow the processes that are made, too"},
	{.long_name = "execs",
	 .short_name = 'e',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, execs),
	 .help = "follow a process beyond its exec, too"},
	{.long_name = "verbose",
	 .short_name = 'v',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, verbose),
	 .help = "rows of first and last tasks, too"},
	COMMAND_CYCLES_ROW(struct follow_options, cycles,
			   "cycles as the first counter of each set"),
	{.long_name = "kernel",
	 .short_name = 'K',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, kernel),
	 .help = "count in the kernel, too"},
	COMMAND_NO_HEADER_ROW(struct follow_options, no_header),
	COMMAND_OUTPUT_ROW(struct follow_options, output,
			   "write to a file, not to standard output"),
	COMMAND_APPEND_ROW(struct follow_options, append),
	COMMAND_FORMAT_ROW(struct follow_options, format, "write in this format"),
	COMMAND_FIELDS_ROW(struct follow_options, fields),
	{.long_name = "record",
	 .arg = "file",
	 .what = "the recording",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct follow_options, record),
	 .help = "write the rows into a recording, too"},
	{.long_name = "replay",
	 .arg = "file",
	 .what = "the recording",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct follow_options, replay),
	 .help = "write the rows of a recording; only -n, -o, --format and --fields go with it"},
	{.long_name = "pid",
	 .short_name = 'p',
	 .arg = "pid",
	 .what = "the process",
	 .kind = OPTION_LONG,
	 .min = 1,
	 .max = INT32_MAX,
	 .offset = offsetof(struct follow_options, pid),
	 .help = "follow a process that runs, instead of a command"},
};

const struct option_set follow_options = {
	.program = "tiptop follow",
	.no_table = "prints each row when something happens",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct follow_options),
	.takes_command = true,
};

int follow_options_check_replay(const struct follow_options *o, char *const *command,
				struct err *err)
{
	const struct {
		bool given;
		const char *name;
	} others[] = {{command != NULL, "a command"},
		      {o->pid, "-p"},
		      {o->events != NULL, "-c"},
		      {o->interval_s != FOLLOW_INTERVAL_S, "-T"},
		      {o->ticks, "-N"},
		      {o->forks, "-f"},
		      {o->execs, "-e"},
		      {o->verbose, "-v"},
		      {o->cycles, "-t"},
		      {o->kernel, "-K"},
		      {o->append, "--append"},
		      {o->record != NULL, "--record"}};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].given)
			return err_set(err, EINVAL,
				       "follow: %s does not go with --replay, which writes what "
				       "was recorded: -n, -o, --format and --fields do",
				       others[i].name);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option_rows - macros for rows of options (conf/option.h) that several commands have.
 *
 * type: the options struct of the command; member: its field that the option sets; text: the help.
 */
#ifndef CONF_OPTION_ROWS_H
#define CONF_OPTION_ROWS_H

#include <stddef.h>

#include "conf/option.h"

/* The row of -h, in each command. */
#define COMMAND_HELP_ROW                                                                           \
	{                                                                                          \
		.group = "Options", .long_name = "help", .short_name = 'h', .arg = "all",          \
		.kind = OPTION_TASK, .number = TASK_HELP,                                          \
		.help = "print this text, or with all forms and options, and exit"                 \
	}

#define COMMAND_ROW(type, member, text) .offset = offsetof(type, member), .help = (text)
#define COMMAND_CONFIG_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "config", .short_name = 'W', .arg = "path",                           \
		.what = "the configuration file", .kind = OPTION_STRING,                           \
		COMMAND_ROW(type, member, text)                                                    \
	}
#define COMMAND_FORMAT_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "format", .arg = "name", .what = "the format", .kind = OPTION_STRING, \
		COMMAND_ROW(type, member, text)                                                    \
	}
/* The row of --events, which may be repeated: each argument is a list of counters, a set. The sets
 * are counted in turns. */
#define COMMAND_SETS_ROW(type, member, text)                                                       \
	{                                                                                          \
		.long_name = "events", .short_name = 'c', .arg = "list",                           \
		.what = "the set of counters", .kind = OPTION_LIST, .between = "\n",               \
		COMMAND_ROW(type, member, text)                                                    \
	}
#define COMMAND_CYCLES_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "cycles", .short_name = 't', .kind = OPTION_FLAG,                     \
		COMMAND_ROW(type, member, text)                                                    \
	}
#define COMMAND_NO_HEADER_ROW(type, member)                                                        \
	{                                                                                          \
		.long_name = "no-header", .short_name = 'n', .kind = OPTION_FLAG,                  \
		COMMAND_ROW(type, member, "no header")                                             \
	}
#define COMMAND_SCREEN_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "screen", .short_name = 'S', .arg = "number|text",                    \
		.what = "the screen", .kind = OPTION_STRING, COMMAND_ROW(type, member, text)       \
	}
/* The rows of the part of a recording (session/selection.h). part: the member with its texts. */
#define COMMAND_PART_ROWS(type, part)                                                              \
	{.long_name = "from",                                                                      \
	 .arg = "time",                                                                            \
	 .what = "the beginning",                                                                  \
	 .kind = OPTION_STRING,                                                                    \
	 COMMAND_ROW(type, part[SELECTION_FROM],                                                   \
		     "from this time on: 14:03, 14:03:20, \"2026-01-31 14:03\", +90 (s after the " \
		     "beginning), -90 (before the end)")},                                         \
		{.long_name = "to",                                                                \
		 .arg = "time",                                                                    \
		 .what = "the end",                                                                \
		 .kind = OPTION_STRING,                                                            \
		 COMMAND_ROW(type, part[SELECTION_TO], "up to this time")},                        \
		{.long_name = "pid",                                                               \
		 .short_name = 'p',                                                                \
		 .arg = "pid|name",                                                                \
		 .what = "the tasks",                                                              \
		 .kind = OPTION_STRING,                                                            \
		 COMMAND_ROW(type, part[SELECTION_PID],                                            \
			     "only this task, or tasks whose names contain this text")},           \
	{                                                                                          \
		.long_name = "filter", .arg = "filter", .what = "the filter",                      \
		.kind = OPTION_STRING,                                                             \
		COMMAND_ROW(type, part[SELECTION_FILTER],                                          \
			    "only tasks that pass this filter of tiptop(1)")                       \
	}
/* The option --step, in s, up to most_s; the caller initializes the member to -1: not given. */
#define COMMAND_STEP_ROW(type, member, most_s)                                                     \
	{                                                                                          \
		.long_name = "step", .arg = "seconds", .what = "the length of intervals",          \
		.kind = OPTION_LONG, .min = 0, .max = (most_s),                                    \
		COMMAND_ROW(type, member,                                                          \
			    "join samples to intervals of this length; 0: do not; unless given, "  \
			    "minutes if there are more than 100,000 readings")                     \
	}
#define COMMAND_COLUMNS_ROW(type, member, text)                                                    \
	{                                                                                          \
		.long_name = "columns", .short_name = 'c', .arg = "id,...", .what = "the columns", \
		.kind = OPTION_LIST, COMMAND_ROW(type, member, text)                               \
	}
#define COMMAND_OUTPUT_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "output", .short_name = 'o', .arg = "file", .what = "the file",       \
		.kind = OPTION_STRING, COMMAND_ROW(type, member, text)                             \
	}
#define COMMAND_APPEND_ROW(type, member)                                                           \
	{                                                                                          \
		.long_name = "append", .kind = OPTION_FLAG,                                        \
		COMMAND_ROW(type, member, "append to the file of -o, if it has the same header")   \
	}
#define COMMAND_FIELDS_ROW(type, member)                                                           \
	{                                                                                          \
		.long_name = "fields", .arg = "id,...", .what = "the fields", .kind = OPTION_LIST, \
		COMMAND_ROW(type, member,                                                          \
			    "write only these fields, in this order: columns of CSV")              \
	}
#define COMMAND_SORT_ROW(type, member)                                                             \
	{                                                                                          \
		.long_name = "sort", .arg = "id[:asc]", .what = "the field to sort by",            \
		.kind = OPTION_STRING,                                                             \
		COMMAND_ROW(type, member,                                                          \
			    "sort by this field, the largest number first, unless :asc is given")  \
	}
/* The rows for struct table_options (session/table_file.h), for a command that prints a table. */
#define COMMAND_TABLE_ROWS(type, member)                                                           \
	COMMAND_OUTPUT_ROW(type, member.output, "write to this file"),                             \
		COMMAND_APPEND_ROW(type, member.append), COMMAND_FIELDS_ROW(type, member.fields),  \
		COMMAND_SORT_ROW(type, member.sort)
#define COMMAND_CPUS_ROW(type, member, text)                                                       \
	{                                                                                          \
		.long_name = "cpus", .arg = "list", .what = "the list of CPUs",                    \
		.kind = OPTION_STRING, COMMAND_ROW(type, member, text)                             \
	}

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop system [interval [count]]: CPUs in place of tasks. */
#include "cmd/command.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/system_words.h"
#include "conf/option.h"
#include "model/kinds.h"
#include "session/setup.h"

#define FIELD(name) .offset = offsetof(struct options, name)

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	{.long_name = "per-reference",
	 .short_name = 'r',
	 .kind = OPTION_FLAG,
	 FIELD(per_reference),
	 .help = "misses per reference and stalls per cycle, in %: the default"},
	{.long_name = "per-instruction",
	 .short_name = 'i',
	 .kind = OPTION_FLAG,
	 FIELD(per_instruction),
	 .help = "misses per 1000 instructions, stalled cycles per instruction"},
	{.long_name = "per-second",
	 .short_name = 's',
	 .kind = OPTION_FLAG,
	 FIELD(per_second),
	 .help = "misses and stalled cycles per second, in millions"},
	{.long_name = "breakdown",
	 .kind = OPTION_FLAG,
	 FIELD(breakdown),
	 .help = "the cycles of an instruction: execution, data, floating point; a line for user "
		 "mode and one for the kernel"},
	{.long_name = "user",
	 .short_name = 'u',
	 .kind = OPTION_FLAG,
	 FIELD(user_only),
	 .help = "count in user mode only"},
	{.long_name = "kernel",
	 .short_name = 'k',
	 .kind = OPTION_FLAG,
	 FIELD(kernel_only),
	 .help = "count in the kernel only"},
	COMMAND_CPUS_ROW(struct options, cpus, "only these CPUs: 0-3,8"),
	{.long_name = "spread",
	 .arg = "name",
	 .what = "the spread",
	 .kind = OPTION_STRING,
	 FIELD(spread),
	 .help = "avg, the default: one line over all CPUs; all: one for each; max, min: the "
		 "largest or smallest number of each column, and its CPU after @"},
	{.long_name = "group",
	 .arg = "key",
	 .what = "the groups",
	 .kind = OPTION_STRING,
	 FIELD(group),
	 .help = "a line for each of these; socket with -S sockets: what its CPUs share"},
	{.long_name = "only",
	 .kind = OPTION_FLAG,
	 FIELD(only),
	 .help = "with a command: count only its tasks, from the first instruction to the last"},
	{.long_name = "cgroup",
	 .arg = "path",
	 .what = "the control group",
	 .kind = OPTION_STRING,
	 FIELD(cgroup),
	 .help = "count only while a task of this control group is on the CPU"},
	{.long_name = "live",
	 .short_name = 'l',
	 .kind = OPTION_FLAG,
	 FIELD(live),
	 .help = "the live screen, with a row for each CPU"},
	{.long_name = "screen",
	 .short_name = 'S',
	 .arg = "name",
	 .what = "the screen",
	 .kind = OPTION_STRING,
	 FIELD(screen),
	 .help = "the columns of this screen, of those with rows=\"CPU\""},
	{.long_name = "epoch",
	 .short_name = 't',
	 .kind = OPTION_FLAG,
	 FIELD(epoch),
	 .help = "begin each line with the seconds since 1970"},
	{.long_name = "output",
	 .short_name = 'o',
	 .arg = "file",
	 .what = "the output file",
	 .kind = OPTION_STRING,
	 FIELD(output),
	 .help = "write to this file"},
	COMMAND_FORMAT_ROW(struct options, format,
			   "rows as of tiptop -b in this format, instead of lines"),
	{.long_name = "fields",
	 .arg = "id,...",
	 .what = "the fields",
	 .kind = OPTION_LIST,
	 FIELD(fields),
	 .help = "with --format: only these fields"},
	{.long_name = "metrics",
	 .arg = "file",
	 .what = "the file of metrics",
	 .kind = OPTION_STRING,
	 FIELD(metrics),
	 .help = "export metrics of each CPU to this file for Prometheus"},
	{.long_name = "metrics-source",
	 .arg = "name",
	 .what = "the source of metrics",
	 .kind = OPTION_STRING,
	 FIELD(metrics_source),
	 .help = "add the label source=NAME to all series of --metrics"},
	{.long_name = "record",
	 .arg = "file",
	 .what = "the recording",
	 .kind = OPTION_STRING,
	 FIELD(record),
	 .help = "record all that is read in this file, for tiptop --replay"},
	COMMAND_CONFIG_ROW(
		struct options, conf_path,
		"read this file, or the .tiptoprc in this folder: its screens, CPUs and events"),
	{.long_name = "raw",
	 .kind = OPTION_FLAG,
	 FIELD(raw),
	 .help = "raw counts in the form of cpustat, with options of their own: see 'tiptop system "
		 "--raw -h'"},
	{.long_name = "list-columns",
	 .kind = OPTION_TASK,
	 .number = TASK_LIST_COLUMNS,
	 .help = "print all columns, with formulas and events, and exit"},
};

static const struct option_set options = {
	.program = "tiptop system",
	.no_table = "prints a line at a time",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct options),
	.n_words = 2,
	.takes_command = true,
};

/* Sets up --only: one line for the command alone, which needs no counters of CPUs. */
static int take_only(struct setup *s, struct err *err)
{
	struct options *o = &s->config.options;

	if (!o->command)
		return err_set(err, EINVAL,
			       "--only is for a command: put it after --, as in 'tiptop system "
			       "--only -- make'");
	if (o->live)
		return err_set(err, EINVAL,
			       "--only counts from the first instruction, so that no other screen "
			       "can be chosen later: 'tiptop -- %s' shows its tasks live",
			       o->command[0]);
	if (o->cpus || o->group || o->spread || o->cgroup)
		return err_set(err, EINVAL,
			       "--only is one line over a command, wherever it runs: --cpus, "
			       "--cgroup, --group and --spread are for CPUs");
	s->config.rows = kind_command.name;
	o->group = xstrdup("machine");
	return 0;
}

/* Sets by --spread how CPUs are grouped to rows, and which of the numbers of a group is shown. */
static int take_spread(struct setup *s, struct err *err)
{
	static const struct {
		const char *name, *group;
		enum spread spread;
	} table[] = {
		{"avg", "machine", SPREAD_ALL},
		{"all", NULL, SPREAD_ALL},
		{"max", NULL, SPREAD_MAX},
		{"min", NULL, SPREAD_MIN},
	};
	struct options *o = &s->config.options;
	size_t i = 0, n = sizeof table / sizeof *table;

	while (o->spread && i < n && strcmp(o->spread, table[i].name) != 0)
		i++;
	if (i == n)
		return err_set(err, EINVAL, "--spread: '%s' is not one of avg, all, max and min",
			       o->spread);
	if (o->format && table[i].spread != SPREAD_ALL)
		return err_set(err, EINVAL,
			       "--spread %s is for lines: with --format, all CPUs are written, of "
			       "which a program finds the largest by itself",
			       o->spread);
	s->display.view.spread = table[i].spread;
	if (o->cgroup)
		s->config.rows = kind_cpu_cgroup.name;
	if (o->group || o->live || !table[i].group)
		return 0;
	/* User mode and the kernel have a line each, as in tables 3 and 4 of F. Pariente,
	 * "Performance Analysis and Monitoring Using Hardware Counters", 2001. */
	if (o->breakdown && !o->user_only && !o->kernel_only && !o->cgroup) {
		s->config.rows = kind_cpu_mode.name;
		o->group = xstrdup("mode");
	} else {
		o->group = xstrdup(table[i].group);
	}
	return 0;
}

/* Selects the screen of -r, -i, -s or --breakdown. */
static int take_screen(struct setup *s, struct err *err)
{
	struct options *o = &s->config.options;
	const struct {
		bool asked;
		const char *screen;
	} table[] = {
		{o->per_reference, "har"},
		{o->per_instruction, "har-i"},
		{o->per_second, "har-s"},
		{o->breakdown, "har-cpi"},
	};
	const char *screen = NULL;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].asked && (screen || o->screen))
			return err_set(err, EINVAL,
				       "-r, -i, -s, --breakdown and -S exclude each other: each "
				       "is a screen");
		if (table[i].asked)
			screen = table[i].screen;
	}
	s->config.screen_asked = screen != NULL;
	s->config.default_screen = "har";
	if (screen)
		o->screen = xstrdup(screen);
	return 0;
}

static int take_options(struct setup *s, const struct option_list *arguments, struct err *err)
{
	struct options *o = &s->config.options;

	/* This was an abbreviation of --raw: the full name would have selected the other form. */
	if (o->raw)
		return err_set(err, EINVAL, "--raw is written in full");
	if (system_take_words(arguments, &o->delay_s, &o->iterations, err) || take_screen(s, err))
		return -EINVAL;
	if (o->user_only && o->kernel_only)
		return err_set(err, EINVAL,
			       "-u and -k exclude each other: without both, all is counted");
	if (o->live && o->iterations)
		return err_set(err, EINVAL, "the live screen (-l) has no end: leave the count out");
	if (system_take_cpus(o->cpus, &s->backend.cpus, err))
		return -EINVAL;
	o->sort = xstrdup("pid:asc");
	o->idle = true;
	o->kernel = !o->user_only;
	o->batch = !o->live;
	o->lines = o->batch && !o->format;
	o->whole_first = o->batch;
	if (o->metrics)
		o->metrics_by = xstrdup("process");
	return o->only ? take_only(s, err) : take_spread(s, err);
}

static void begin(struct setup *s)
{
	s->config.take_options = take_options;
	s->config.options.batch = true;
	s->config.options.delay_s = 1;
}

const struct command command_system = {
	.name = "system",
	.words = "[interval [count]] [-- command]",
	.help = "CPUs in place of tasks, a line for each interval",
	.text = "Counts the tasks of all users on the CPUs, and prints a line for each\n"
		"interval (1 second unless given) with rates that programmers know: mips, cpi,\n"
		"misses of caches (dcm, icm, ecm) and of the TLB (dtm, itm), and cycles that were\n"
		"lost to data, instructions, floating point and branches (dsr, isr, fsr, bsr).\n"
		"The last line is about the whole time. Counting CPUs needs more rights.\n",
	.example = "tiptop system --spread max 5",
	.options = &options,
	.choices = choices_system,
	.form = &command_system_raw,
	.form_option = "--raw",
	.rows = "CPU",
	.begin = begin,
};

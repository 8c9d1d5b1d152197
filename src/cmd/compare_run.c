/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop compare --run A --run B. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/destination.h"
#include "base/mem.h"
#include "cmd/command.h"
#include "cmd/race.h"
#include "compare/contest.h"
#include "conf/option.h"
#include "report/format.h"
#include "run/command_output.h"
#include "run/helper.h"
#include "session/config_files.h"
#include "session/setup_start.h"

_Static_assert(SIDES_MAX <= PROGRESS_TRACKS, "each side has a track");

#define REPEAT     10
#define REPEAT_MAX 1000000000

/* Separates the commands of several --run in the value of the option; users do not type this
 * character. */
#define BETWEEN "\x1e"

struct run_options {
	int task;
	char *commands, *prepare, *screen, *events, *format, *conf_path;
	long repeat, warmups, rows;
	struct table_options table;
	bool ignore_failure, shell, show_output, anonymize;
};

#define RUN_FIELD(name) .offset = offsetof(struct run_options, name)

static const struct option_row run_rows[] = {
	COMMAND_HELP_ROW,
	{.long_name = "run",
	 .arg = "command",
	 .what = "the command",
	 .kind = OPTION_LIST,
	 .between = BETWEEN,
	 RUN_FIELD(commands),
	 .help = "a command to run; give two or more"},
	{.long_name = "repeat",
	 .arg = "number",
	 .what = "the number of rounds",
	 .kind = OPTION_LONG,
	 RUN_FIELD(repeat),
	 .min = 1,
	 .max = REPEAT_MAX,
	 .help = "run all commands in each of this many rounds; 10 unless given"},
	{.long_name = "warmup",
	 .arg = "number",
	 .what = "the number of rounds to warm up",
	 .kind = OPTION_LONG,
	 RUN_FIELD(warmups),
	 .max = REPEAT_MAX,
	 .help = "this many uncounted rounds before"},
	{.long_name = "prepare",
	 .arg = "command",
	 .what = "the command that prepares",
	 .kind = OPTION_STRING,
	 RUN_FIELD(prepare),
	 .help = "run this command before each run, uncounted"},
	{.long_name = "ignore-failure",
	 .kind = OPTION_FLAG,
	 RUN_FIELD(ignore_failure),
	 .help = "continue after a run that fails"},
	{.long_name = "shell",
	 .kind = OPTION_FLAG,
	 RUN_FIELD(shell),
	 .help = "run the commands by sh -c, whose start counts, too"},
	{.long_name = "show-output",
	 .kind = OPTION_FLAG,
	 RUN_FIELD(show_output),
	 .help = "show the output of the commands"},
	COMMAND_SCREEN_ROW(struct run_options, screen,
			   "count what this screen needs; unless given, the first one"),
	{.long_name = "event",
	 .short_name = 'e',
	 .arg = "event,...",
	 .what = "the list of events",
	 .kind = OPTION_LIST,
	 RUN_FIELD(events),
	 .help = "count these events, as tiptop -e"},
	COMMAND_FORMAT_ROW(struct run_options, format, "text unless given"),
	COMMAND_ANONYMIZE_ROW(struct run_options, anonymize),
	{.long_name = "rows",
	 .arg = "number",
	 .what = "the number of rows",
	 .kind = OPTION_LONG,
	 RUN_FIELD(rows),
	 .max = REPEAT_MAX,
	 .help = "at most this many rows; 0, the default: all"},
	COMMAND_TABLE_ROWS(struct run_options, table),
	COMMAND_CONFIG_ROW(struct run_options, conf_path,
			   "read the screens of this file, or of the .tiptoprc in this folder"),
};

static const struct option_set run_option_set = {
	.program = "tiptop compare",
	.no_table = "has no live screen, and so no colours",
	.row = run_rows,
	.n_rows = sizeof run_rows / sizeof *run_rows,
	.size = sizeof(struct run_options),
};

struct run_comparison {
	struct run_options o;
	struct option_list *monitor; /* the given options, as options of the monitor */
	struct setup setup;
	struct signals signals;
	char *what[SIDES_MAX]; /* the commands, as the user wrote them */
	char **prepare;
	struct race race;
	struct progress progress;
	enum report_format_id format;
	struct report_selection selection;
	struct anonymous anonymous;
	struct dest dest;
};

/* --- the commands --- */

static int make_words(char ***out, const char *text, bool shell, const char *what, struct err *err)
{
	if (!shell)
		return words_split(out, text, what, err);
	*out = xcalloc(4, sizeof **out);
	(*out)[0] = xstrdup("sh");
	(*out)[1] = xstrdup("-c");
	(*out)[2] = xstrdup(text);
	return 0;
}

/* Sets the texts of the commands. */
static int split_commands(struct run_comparison *c, struct err *err)
{
	size_t n = 0;

	for (const char *text = c->o.commands; text && n < SIDES_MAX; n++) {
		const char *end = strstr(text, BETWEEN);

		c->what[n] = end ? xstrndup(text, (size_t)(end - text)) : xstrdup(text);
		text = end ? end + strlen(BETWEEN) : NULL;
		if (text && n + 1 == SIDES_MAX)
			return sides_refuse("commands", err);
	}
	if (n < 2)
		return err_set(err, EINVAL,
			       "compare: two commands or more are compared: --run 'COMMAND' --run "
			       "'COMMAND'");
	c->race.n = n;
	return 0;
}

static int take_commands(struct run_comparison *c, struct err *err)
{
	const struct run_options *o = &c->o;

	if (split_commands(c, err))
		return -EINVAL;
	if (o->prepare && make_words(&c->prepare, o->prepare, o->shell, "--prepare", err))
		return -EINVAL;
	for (size_t i = 0; i < c->race.n; i++) {
		struct repeat_config *how = &c->race.how[i];

		*how = (struct repeat_config){
			.prepare = c->prepare,
			.files = o->show_output ? SPAWN_NO_INPUT : SPAWN_QUIET,
			.wanted = o->repeat,
			.warmups = o->warmups,
			.ignore_failure = o->ignore_failure,
			.progress = &c->progress,
			.track = (int)i,
		};
		if (make_words(&how->command, c->what[i], o->shell, "--run", err))
			return -EINVAL;
	}
	return 0;
}

/* Turns the given options into options of the monitor, which decide what is counted, and parses
 * these. */
static int scan_monitor(struct run_comparison *c, struct err *err)
{
	const struct run_options *o = &c->o;
	const struct {
		const char *option;
		char *value;
	} given[] = {{"--screen", o->screen}, {"--event", o->events}, {"--config", o->conf_path}};
	char *word[8] = {(char *)"tiptop", (char *)"--batch"};
	int n = 2;

	for (size_t i = 0; i < sizeof given / sizeof *given; i++)
		if (given[i].value) {
			word[n++] = (char *)given[i].option;
			word[n++] = given[i].value;
		}
	return option_scan(&c->monitor, &option_monitor, n, word, err);
}

/* Makes the report of all runs so far. */
static void make_report(struct report *report, struct run_comparison *c)
{
	struct contest_side side[SIDES_MAX];
	struct contest contest;

	for (size_t i = 0; i < c->race.n; i++)
		side[i] = (struct contest_side){c->what[i], &c->race.side[i].runs};
	report_init(report);
	contest_make(&contest, side, c->race.n, CONTEST_IN_TURNS);
	contest_add(report, &contest, &c->selection);
	report_anonymize(report, &c->anonymous);
	contest_done(&contest);
}

/* Opens the output of the report before any command runs, so that errors of its options are
 * reported first. */
static int open_table(struct run_comparison *c, struct err *err)
{
	const struct table_options *o = &c->o.table;
	struct report report;
	int ret = command_check_table(&c->format, c->o.format, c->o.anonymize, o, err);

	c->selection = (struct report_selection){.fields = o->fields,
						 .sort = o->sort,
						 .rows = (size_t)c->o.rows,
						 .of = "tiptop compare"};
	if (!ret)
		page_about_begin_anonymous(&c->anonymous, c->o.anonymize, NULL);
	if (!ret)
		ret = contest_check(&c->selection, c->race.n, err);
	if (ret)
		return ret;
	make_report(&report, c);
	ret = table_file_open(&c->dest, &report, c->format, o->output, o->append, err);
	report_done(&report);
	return ret ? -EIO : 0;
}

static int begin(struct run_comparison *c, struct err *err)
{
	int ret = take_commands(c, err);

	if (!ret)
		ret = open_table(c, err);
	if (!ret)
		ret = scan_monitor(c, err);
	if (!ret)
		ret = setup_configuration(&c->setup, c->monitor, err);
	if (!ret)
		ret = configuration_check_output(&c->setup.config, c->o.table.output, err);
	if (!ret)
		ret = setup_choose(&c->setup, getpid(), err);
	return ret ? ret : signals_block(&c->signals, SIGNALS_PLAIN, err);
}

/* --- the result --- */

static int race(struct run_comparison *c, struct err *err)
{
	struct progress_task task = {.what = "run", .numbered = true};
	int ret;

	for (size_t i = 0; i < c->race.n; i++)
		task.track[i] = (struct progress_track){side_label[i],
							(double)repetition_total(&c->race.how[i])};
	progress_begin(&c->progress, progress_terminal(c->o.show_output), &task);
	ret = race_run(&c->race, &c->setup, &c->signals, err);
	progress_end(&c->progress);
	return ret;
}

/* Keeps the result in another file if that of -o could not be written: the runs may have taken
 * hours. */
static void keep_result(const struct report *report, enum report_format_id format, struct err *err)
{
	struct strbuf text;

	strbuf_init(&text);
	report_formats[format].write(report, true, &text);
	dest_keep("the result", &text, err);
	strbuf_done(&text);
}

static int write_result(struct run_comparison *c)
{
	struct err err = ERR_INIT;
	struct page_about about;
	struct report report;
	int ret;

	make_report(&report, c);
	page_about_init(&about, "tiptop compare", NULL);
	page_about_anonymize(&about, &c->anonymous, true);
	report.about = &about.about;
	ret = table_file_write(&c->dest, &report, c->format, &err);
	if (ret < 0 && ret != -EPIPE)
		keep_result(&report, c->format, &err);
	report_done(&report);
	page_about_done(&about);
	return table_file_close(&c->dest, ret, &err) ? print_fault(&err, EXIT_FAILED) : 0;
}

/* Prints the results, however the race ended, then the reason for its end. */
static int report_end(struct run_comparison *c, int ret, const struct err *fault)
{
	const struct race *race = &c->race;
	bool any = false;
	struct err why = ERR_INIT;
	int failed, status;

	for (size_t i = 0; i < race->n; i++)
		any = any || race->side[i].runs.n;
	status = any ? write_result(c) : 0;

	if (ret)
		return print_fault(fault, race_status(race) ? race_status(race) : EXIT_FAILED);
	failed = race_explain(race, &why);
	return failed ? print_fault(&why, failed) : status;
}

static void end(struct run_comparison *c)
{
	struct err ignored = ERR_INIT;

	dest_close(&c->dest, true, &ignored);
	race_done(&c->race);
	for (size_t i = 0; i < SIDES_MAX; i++) {
		words_free(c->race.how[i].command);
		free(c->what[i]);
	}
	words_free(c->prepare);
	signals_done(&c->signals);
	anonymous_done(&c->anonymous);
	setup_done(&c->setup);
	option_list_free(c->monitor);
	option_clear(&run_option_set, &c->o);
	free(c);
}

static int run_commands(const struct option_list *arguments)
{
	struct run_comparison *c = xcalloc(1, sizeof *c);
	struct err err = ERR_INIT;
	int ret, status, signal;

	c->o.repeat = REPEAT;
	c->dest = (struct dest)DEST_NONE;
	setup_init(&c->setup);
	signals_begin(&c->signals);
	ret = option_apply(arguments, &c->o, &err);
	if (!ret)
		ret = begin(c, &err);
	if (ret) {
		status = print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	} else {
		ret = race(c, &err);
		status = report_end(c, ret, &err);
	}
	signal = race_signal(&c->race);
	end(c);
	if (signal)
		signals_die(signal);
	return signal ? 128 + signal : status;
}

const struct command command_compare_runs = {
	.name = "compare",
	.words = "--run command --run command ...",
	.help = "say which of two or more commands is faster, and why",
	.text = "Runs commands in turns, counts what each does with all that it makes, and says\n"
		"which takes less time than the first, by how much, and which counters differ.\n",
	.example = "tiptop compare --run './old data' --run './new data'",
	.options = &run_option_set,
	.choices = choices_rows,
	.run = run_commands,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop compare --run A --run B. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/mem.h"
#include "cmd/command.h"
#include "cmd/repeat.h"
#include "compare/contest.h"
#include "conf/option.h"
#include "report/format.h"
#include "run/command_output.h"
#include "run/helper.h"
#include "session/config_files.h"
#include "session/setup_start.h"

/* ---- race ----
 *
 * Runs two commands alternately, each the given number of times.
 *
 * Ownership: setup, signals and the objects that `how` points to are borrowed.
 */

struct race {
	struct repeat_config how[2]; /* to be set before race_run() */
	struct repetition side[2];
	bool begun;
};

/* Prints which events cannot be counted. As they are the same for both commands, prints them only
 * after the first run of the first command. */
static void report_note_once(const struct race *race, const struct repetition *r)
{
	const bool first = r == &race->side[0];

	if (!first || !r->left_out.code || r->begun != 1)
		return;
	progress_hide(r->how->progress);
	print_fault(&r->left_out, 0);
}

/* Runs both commands once; the order alternates: A B, B A. */
static int run_round(struct race *race, int first, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		struct repetition *r = &race->side[i ^ first];

		ret = repetition_run(r, err);
		if (!ret)
			report_note_once(race, r);
		if (r->signal || r->runs.stop)
			break;
	}
	return ret;
}

/* Runs both commands until each has run as often as wanted, one of them has failed, or a signal has
 * ended tiptop. -errno with a sentence: a command cannot be run at all. */
static int race_run(struct race *race, struct setup *setup, struct signals *signals,
		    struct err *err)
{
	int ret = 0;

	for (int i = 0; i < 2; i++)
		repetition_init(&race->side[i], setup, signals, &race->how[i]);
	race->begun = true;
	for (int round = 0;
	     !ret && repetition_has_next(&race->side[0]) && repetition_has_next(&race->side[1]);
	     round++)
		ret = run_round(race, round % 2, err);
	return ret;
}

/* Frees both sides; also after a race that was never run. */
static void race_done(struct race *race)
{
	for (int i = 0; i < 2 && race->begun; i++)
		repetition_done(&race->side[i]);
	race->begun = false;
}

/* Returns the signal that ended tiptop; 0: none. */
static int race_signal(const struct race *race)
{
	return race->side[0].signal ? race->side[0].signal : race->side[1].signal;
}

/* Returns the exit status of a command that could not be run; 0: both could be run. */
static int race_status(const struct race *race)
{
	return race->side[0].status ? race->side[0].status : race->side[1].status;
}

/* Sets why to the reason for which the race stopped early. Returns the exit status; 0: it did not
 * stop early. */
static int race_explain(const struct race *race, struct err *why)
{
	const int status = repetition_explain(&race->side[0], why);

	return status ? status : repetition_explain(&race->side[1], why);
}

/* ---- compare runs ---- */

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
	bool ignore_failure, shell, show_output;
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
	 .help = "a command to run; give two of them"},
	{.long_name = "repeat",
	 .arg = "number",
	 .what = "the number of rounds",
	 .kind = OPTION_LONG,
	 RUN_FIELD(repeat),
	 .min = 1,
	 .max = REPEAT_MAX,
	 .help = "run both commands in each of this many rounds; 10 unless given"},
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
	char *what[2]; /* the commands, as the user wrote them */
	char **prepare;
	struct race race;
	struct progress progress;
	enum report_format_id format;
	struct report_selection selection;
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

static int take_commands(struct run_comparison *c, struct err *err)
{
	const struct run_options *o = &c->o;
	const char *middle = o->commands ? strstr(o->commands, BETWEEN) : NULL;

	if (!middle || strstr(middle + 1, BETWEEN))
		return err_set(
			err, EINVAL,
			"compare: two commands are compared: --run 'COMMAND' --run 'COMMAND'");
	c->what[0] = xstrndup(o->commands, (size_t)(middle - o->commands));
	c->what[1] = xstrdup(middle + strlen(BETWEEN));
	if (o->prepare && make_words(&c->prepare, o->prepare, o->shell, "--prepare", err))
		return -EINVAL;
	for (int i = 0; i < 2; i++) {
		struct repeat_config *how = &c->race.how[i];

		*how = (struct repeat_config){
			.prepare = c->prepare,
			.files = o->show_output ? SPAWN_NO_INPUT : SPAWN_QUIET,
			.wanted = o->repeat,
			.warmups = o->warmups,
			.ignore_failure = o->ignore_failure,
			.progress = &c->progress,
			.track = i,
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

static const char *const race_label[] = {"A", "B"};

/* Makes the report of all runs so far. */
static void make_report(struct report *report, const struct run_comparison *c)
{
	struct contest_side side[2];
	struct contest contest;

	for (int i = 0; i < 2; i++)
		side[i] = (struct contest_side){race_label[i], c->what[i], &c->race.side[i].runs};
	report_init(report);
	contest_make(&contest, &side[0], &side[1], true);
	contest_add(report, &contest, &c->selection);
	contest_done(&contest);
}

/* Opens the output of the report before any command runs, so that errors of its options are
 * reported first. */
static int open_table(struct run_comparison *c, struct err *err)
{
	const struct table_options *o = &c->o.table;
	struct report report;
	int ret = report_find_format(&c->format, c->o.format, REPORT_ALL_FORMATS, err);

	c->selection = (struct report_selection){.fields = o->fields,
						 .sort = o->sort,
						 .rows = (size_t)c->o.rows,
						 .of = "tiptop compare"};
	if (!ret)
		ret = option_check_append(o->append, o->output, err);
	if (!ret)
		ret = contest_check(&c->selection, err);
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
		ret = setup_choose(&c->setup, getpid(), err);
	return ret ? ret : signals_block(&c->signals, SIGNALS_PLAIN, err);
}

/* --- the result --- */

static int race(struct run_comparison *c, struct err *err)
{
	const double runs = (double)repetition_total(&c->race.how[0]);
	int ret;

	progress_begin(&c->progress, progress_terminal(c->o.show_output),
		       &(struct progress_task){
			       .what = "run",
			       .numbered = true,
			       .track = {{race_label[0], runs}, {race_label[1], runs}},
		       });
	ret = race_run(&c->race, &c->setup, &c->signals, err);
	progress_end(&c->progress);
	return ret;
}

static int write_result(struct run_comparison *c)
{
	struct err err = ERR_INIT;
	struct page_about about;
	struct report report;
	int ret;

	make_report(&report, c);
	page_about_init(&about, "tiptop compare", NULL);
	report.about = &about.about;
	ret = table_file_write(&c->dest, &report, c->format, &err);
	report_done(&report);
	page_about_done(&about);
	return table_file_close(&c->dest, ret, &err) ? print_fault(&err, EXIT_FAILED) : 0;
}

/* Prints the results, however the race ended, then the reason for its end. */
static int report_end(struct run_comparison *c, int ret, const struct err *fault)
{
	const struct race *race = &c->race;
	const bool any = race->side[0].runs.n || race->side[1].runs.n;
	const int status = any ? write_result(c) : 0;
	struct err why = ERR_INIT;
	int failed;

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
	for (int i = 0; i < 2; i++) {
		words_free(c->race.how[i].command);
		free(c->what[i]);
	}
	words_free(c->prepare);
	signals_done(&c->signals);
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
	.words = "--run command --run command",
	.help = "say which of two commands is faster, and why",
	.text = "Runs two commands in turns, counts what each does with all that it makes, and\n"
		"says which takes less time, by how much, and which counters differ.\n",
	.example = "tiptop compare --run './old data' --run './new data'",
	.options = &run_option_set,
	.choices = choices_rows,
	.run = run_commands,
};

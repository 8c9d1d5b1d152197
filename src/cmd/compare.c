/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop compare A B. */
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
#include "compare/change.h"
#include "compare/comparison.h"
#include "compare/contest.h"
#include "compare/saved_report.h"
#include "compare/saved_series.h"
#include "conf/option.h"
#include "report/format.h"
#include "run/command_output.h"
#include "run/helper.h"
#include "session/config_files.h"
#include "session/replay_series.h"
#include "session/setup_start.h"

/* Sets the format, and checks that the options of the output can be combined. */
static int check_output(enum report_format_id *format, const char *name, bool anonymize,
			const struct table_options *table, struct err *err)
{
	int ret = report_find_format(format, name, REPORT_ALL_FORMATS, err);

	if (!ret)
		ret = report_check_anonymous(anonymize, *format, err);
	return ret ? ret : option_check_append(table->append, table->output, err);
}

_Static_assert(SIDES_MAX < OPTION_WORDS_MAX,
	       "one side too many fits in the words, and so is refused as a side");
_Static_assert(SIDES_MAX <= PROGRESS_TRACKS, "each side has a track");

static int refuse_sides(const char *of, struct err *err)
{
	return err_set(err, EINVAL, "compare: at most %d %s are compared", SIDES_MAX, of);
}

/* ---- compare --run A --run B ---- */

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
			return refuse_sides("commands", err);
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
	int ret = check_output(&c->format, c->o.format, c->o.anonymize, o, err);

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

static const struct command command_compare_runs = {
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

/* ---- compare A B ---- */

#define ROWS     10
#define ROWS_MAX 1000000000

/* The maximum number of runs of a side. */
#define RUNS_MAX 64

struct compare_options {
	int task;
	struct replay_choice choice;
	char *columns, *format, *event;
	long rows;
	struct table_options table;
	bool anonymize, paired;
};

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	COMMAND_SCREEN_ROW(struct compare_options, choice.screen,
			   "the columns of this screen; unless given, that of the first recording"),
	COMMAND_COLUMNS_ROW(struct compare_options, columns,
			    "only these columns of the screen, by their ids or headers: cpu,ipc"),
	{.long_name = "rows",
	 .arg = "number",
	 .what = "the number of rows",
	 .kind = OPTION_LONG,
	 .offset = offsetof(struct compare_options, rows),
	 .max = ROWS_MAX,
	 .help = "at most this many programs or regions, the first ones; 10 unless given; 0: all"},
	{.long_name = "event",
	 .short_name = 'e',
	 .arg = "event",
	 .what = "the event",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct compare_options, event),
	 .help = "compare the counts of this event: in reports of locks or calls instead of times, "
		 "in those of regions beside them"},
	{.long_name = "paired",
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct compare_options, paired),
	 .help = "run i of each side is a pair with run i of the first one"},
	COMMAND_FORMAT_ROW(struct compare_options, format, "text unless given"),
	COMMAND_ANONYMIZE_ROW(struct compare_options, anonymize),
	COMMAND_TABLE_ROWS(struct compare_options, table),
	COMMAND_CONFIG_ROW(struct compare_options, choice.conf_path,
			   "read the screens of this file, or of the .tiptoprc in this folder"),
};

static const struct option_set options = {
	.program = "tiptop compare",
	.no_table = "has no live screen, and so no colours",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct compare_options),
	.n_words = OPTION_WORDS_MAX,
};

/* With --paired, checks the numbers of runs of all sides. */
static int check_pairs(const struct compare_options *o, const size_t *n_runs, size_t n_sides,
		       struct err *err)
{
	if (!o->paired)
		return 0;
	for (size_t i = 1; i < n_sides; i++)
		if (n_runs[i] != n_runs[0])
			return err_set(
				err, EINVAL,
				"compare: --paired: the sides must have as many runs as each "
				"other, but A has %zu, and %s %zu",
				n_runs[0], side_label[i], n_runs[i]);
	return n_runs[0] > 1 ? 0
			     : err_set(err, EINVAL,
				       "compare: --paired is for several runs of each side: "
				       "FILE,FILE,... FILE,FILE,...");
}

/* A run: a recording, a part of one, or a report of refreshes. */
struct side_run {
	bool is_report;
	struct saved_series report;
	struct selection selection;
	struct replay_series replay;
	bool is_open; /* replay is open */
	const struct group_key_row *key;
	const struct sample_machine *machine;
	struct match_side screen;
	char *word;
};

/* The runs to compare, of all sides. */
struct sides {
	const struct compare_options *o;
	size_t n_sides;
	size_t filling; /* the side whose runs are opened */
	struct side_run *run[SIDES_MAX][RUNS_MAX];
	size_t n[SIDES_MAX];
	struct comparison_side side[SIDES_MAX];
	struct comparison comparison;
};

static int open_recording(struct sides *s, struct side_run *run, const struct side_run *first,
			  struct err *err)
{
	const bool follows = first && !first->is_report;
	struct replay_series *g = &run->replay;
	int ret = selection_parse(&run->selection, run->word, follows ? &first->selection : NULL,
				  err);

	if (ret)
		return err_prefix(err, "compare");
	run->is_open = true;
	ret = replay_series_open(g, &run->selection, &s->o->choice, follows ? &first->replay : NULL,
				 err);
	if (ret)
		return ret;
	/* Each run of a recording has its own machine: that of the first run is shown. */
	run->machine = record_reader_machine(g->setup.backend.recording);
	run->screen.screen = replay_series_screen(g);
	run->screen.origins = &g->setup.display.origins;
	run->key = &group_key_table[group_key_stable(configuration_kind(&g->setup.config))];
	return 0;
}

static int open_report(struct side_run *run, struct err *err)
{
	static const struct origins none = {.n = 0};
	int ret = saved_series_open(&run->report, run->word, err);

	run->machine = run->report.machine;
	run->screen.screen = run->report.screen;
	run->screen.origins = &none;
	run->key = &group_key_table[run->report.key];
	return ret;
}

/* Opens a run, and adds it to its side. */
static int open_run(void *context, const char *word, struct err *err)
{
	struct sides *s = context;
	const size_t i = s->filling;
	const struct side_run *first = s->n[0] ? s->run[0][0] : NULL;
	struct side_run *run;
	int ret;

	if (s->n[i] == RUNS_MAX)
		return err_set(err, EINVAL, "compare: more than %d runs of a side", RUNS_MAX);
	run = s->run[i][s->n[i]++] = xcalloc(1, sizeof *run);
	run->word = xstrdup(word);
	run->screen.label = side_label[i];
	run->is_report = saved_series_match(word);
	ret = run->is_report ? open_report(run, err) : open_recording(s, run, first, err);
	if (!ret && first && first->key != run->key)
		ret = err_set(err, EINVAL, "'%s' has rows of %s, '%s' of %s: give two of one kind",
			      first->word, first->key->kind->many, word, run->key->kind->many);
	return ret;
}

static int open_side(struct sides *s, size_t i, const char *word, struct err *err)
{
	struct comparison_side *side = &s->side[i];
	int ret;

	if (!word)
		return err_set(err, EINVAL,
			       "compare: %s: " SELECTION_HOW
			       "; 'tiptop help compare' says how parts are written",
			       i ? "a second recording, or part of the first, is missing"
				 : "two recordings, or two parts of one, are missing");
	s->filling = i;
	side->what = word;
	ret = saved_word_visit(word, open_run, s, err);
	if (!ret && !s->n[i])
		ret = open_run(s, word, err);
	if (ret)
		return ret;
	side->key = s->run[i][0]->key;
	side->screen = s->run[i][0]->screen;
	side->machine = sample_machine_ref(s->run[i][0]->machine);
	return 0;
}

static int open_sides(struct sides *s, const struct option_list *arguments, struct err *err)
{
	bool several = false, any_recording = false;
	int ret = 0;

	for (size_t i = 0; i < s->n_sides && !ret; i++) {
		ret = open_side(s, i, option_word(arguments, i), err);
		several = several || s->n[i] > 1;
		any_recording = any_recording || !s->n[i] || !s->run[i][0]->is_report;
	}
	if (!ret && s->o->choice.screen && !any_recording)
		ret = err_set(err, EINVAL,
			      "compare: --screen is for recordings: a report has the columns that "
			      "were shown");
	for (size_t i = 0; i < s->n_sides && several; i++)
		s->side[i].n_runs = s->n[i];
	s->comparison.is_paired = s->o->paired;
	return ret ? ret : check_pairs(s->o, s->n, s->n_sides, err);
}

static int collect_run(struct side_run *run, struct series_list *list, struct err *err)
{
	struct err note = ERR_INIT;
	int ret;

	if (run->is_report)
		return saved_series_collect(&run->report, list, err);
	ret = replay_series_collect(&run->replay, (enum group_key)(run->key - group_key_table),
				    VALUES_RATE, list, &note, err);
	if (note.code && !ret)
		print_fault(&note, 0);
	return ret;
}

/* Collects the intervals of the only run or, of several runs, one number for each column and run.
 */
static int collect_side(struct sides *s, size_t i, struct err *err)
{
	struct comparison_side *side = &s->side[i];
	int ret = 0;

	if (!side->n_runs)
		return collect_run(s->run[i][0], &side->list, err);
	for (size_t k = 0; k < s->n[i] && !ret; k++) {
		struct series_list list = {.n = 0};

		ret = comparison_add_list(&s->comparison, i, &s->run[i][k]->screen, &list, err);
		if (!ret)
			ret = collect_run(s->run[i][k], &list, err);
		if (!ret)
			series_list_add_run(&side->list, &list);
		series_list_done(&list);
	}
	return ret;
}

/* Saved reports of tiptop locks, tiptop calls or regions, and their comparison. */
struct reports {
	struct saved_runs side[SIDES_MAX];
	struct saved_change change;
};

/* Compares n saved reports. Reads them into r, which must outlive `report`. */
static int compare_reports(struct reports *r, const struct option_list *arguments, size_t n,
			   const struct compare_options *o,
			   const struct report_selection *selection, struct report *report,
			   struct err *err)
{
	struct saved_change *c = &r->change;
	size_t n_runs[SIDES_MAX];
	int ret = saved_change_check(selection, n, err);

	for (size_t i = 0; i < n && !ret; i++) {
		ret = saved_runs_read(&r->side[i], option_word(arguments, i), o->event, err);
		n_runs[i] = r->side[i].n;
	}
	if (!ret)
		ret = check_pairs(o, n_runs, n, err);
	if (!ret)
		ret = saved_change_make(c, r->side, n, o->paired, err);
	if (!ret)
		saved_change_add(report, c, o->rows ? (size_t)o->rows : c->n, selection);
	return ret;
}

/* Saved reports of commands, and the comparison of their runs. */
struct commands {
	struct runs runs[SIDES_MAX];
	struct contest_side side[SIDES_MAX];
	struct contest contest;
};

static int compare_commands(struct commands *c, const struct option_list *arguments, size_t n,
			    const struct compare_options *o,
			    const struct report_selection *selection, struct report *report,
			    struct err *err)
{
	size_t n_runs[SIDES_MAX];
	int ret = contest_check(selection, n, err);

	if (!ret && (o->event || o->columns))
		ret = err_set(err, EINVAL,
			      "compare: %s is not for reports of commands: all that both have is "
			      "compared",
			      o->event ? "--event" : "--columns");
	for (size_t i = 0; i < n && !ret; i++) {
		const char *word = option_word(arguments, i);

		runs_init(&c->runs[i], 0, 0);
		c->side[i] = (struct contest_side){word, &c->runs[i]};
		ret = saved_command_read(&c->runs[i], word, err);
		n_runs[i] = c->runs[i].n;
	}
	if (!ret)
		ret = check_pairs(o, n_runs, n, err);
	if (ret)
		return ret;
	contest_make(&c->contest, c->side, n, o->paired ? CONTEST_PAIRED : CONTEST_APART);
	contest_add(report, &c->contest, selection);
	return 0;
}

static int compare_recordings(struct sides *s, const struct option_list *arguments, size_t n,
			      const struct compare_options *o,
			      const struct report_selection *selection, struct report *report,
			      struct err *err)
{
	int ret = 0;

	s->n_sides = n < 2 ? 2 : n;
	comparison_init(&s->comparison, s->side, s->n_sides);
	if (o->event)
		ret = err_set(
			err, EINVAL,
			"compare: --event is for reports of tiptop locks, of tiptop "
			"calls and of regions; columns of recordings are chosen by --columns");
	if (!ret)
		ret = open_sides(s, arguments, err);
	if (!ret)
		ret = comparison_choose(&s->comparison, o->columns, err);
	for (size_t i = 0; i < s->n_sides && !ret; i++)
		ret = collect_side(s, i, err);
	if (ret)
		return ret;
	comparison_make(&s->comparison, (size_t)o->rows);
	return comparison_add(report, &s->comparison, selection, err);
}

/* --- all --- */

struct compare_state {
	struct compare_options o;
	struct sides sides;
	struct reports reports;
	struct commands commands;
	enum report_format_id format;
	struct report report;
	struct page_about about;
	struct anonymous anonymous;
	char *words[SIDES_MAX + 1]; /* of the sides, for a page */
	size_t n_words;
};

/* Checks that the output is none of the files in the words, each FILE, or FILE,... with parts. */
static int check_inputs(const char *output, const struct option_list *arguments, struct err *err)
{
	const char *word;
	int ret = 0;

	for (size_t i = 0; !ret && (word = option_word(arguments, i)); i++) {
		char *files = xstrdup(word), *rest = files, *file;

		ret = dest_check_input(output, word, err);
		while (!ret && (file = strsep(&rest, ",")))
			ret = dest_check_input(output, file, err);
		free(files);
	}
	return ret;
}

static int compare(struct compare_state *c, const struct option_list *arguments, struct err *err)
{
	const struct compare_options *o = &c->o;
	const struct report_selection selection = {
		.fields = o->table.fields, .sort = o->table.sort, .of = "tiptop compare"};
	const char *first = option_word(arguments, 0);
	const bool is_command = first && saved_command_match(first);
	const bool is_recording =
		!is_command && (!first || saved_series_match(first) || !saved_is_report(first));
	int ret = check_output(&c->format, o->format, o->anonymize, &o->table, err);

	if (!ret)
		ret = check_inputs(o->table.output, arguments, err);
	if (!ret && option_word(arguments, SIDES_MAX))
		ret = refuse_sides("sides", err);
	if (!ret && !is_recording && c->n_words < 2)
		ret = err_set(err, EINVAL, "compare: a second report is missing");
	if (ret)
		return ret;
	page_about_begin_anonymous(&c->anonymous, o->anonymize, NULL);
	page_about_anonymize(&c->about, &c->anonymous, true);
	if (is_command) {
		struct report_selection limited = selection;

		/* Of each side, as of two. */
		limited.rows = (size_t)o->rows * (c->n_words - 1);
		return compare_commands(&c->commands, arguments, c->n_words, o, &limited,
					&c->report, err);
	}
	if (is_recording)
		return compare_recordings(&c->sides, arguments, c->n_words, o, &selection,
					  &c->report, err);
	return compare_reports(&c->reports, arguments, c->n_words, o, &selection, &c->report, err);
}

static void close_run(struct side_run *run)
{
	selection_done(&run->selection);
	saved_series_done(&run->report);
	if (run->is_open)
		replay_series_close(&run->replay);
	free(run->word);
	free(run);
}

static void close_sides(struct sides *s)
{
	comparison_done(&s->comparison);
	for (size_t i = 0; i < SIDES_MAX; i++) {
		series_list_done(&s->side[i].list);
		sample_machine_unref(s->side[i].machine);
		while (s->n[i])
			close_run(s->run[i][--s->n[i]]);
	}
}

static int run(const struct option_list *arguments)
{
	struct compare_state *c = xcalloc(1, sizeof *c);
	struct err err = ERR_INIT;
	int ret, status = 0;

	c->o.rows = ROWS;
	c->sides.o = &c->o;
	report_init(&c->report);
	while (c->n_words < SIDES_MAX && option_word(arguments, c->n_words)) {
		c->words[c->n_words] = (char *)option_word(arguments, c->n_words);
		c->n_words++;
	}
	page_about_init(&c->about, "tiptop compare", c->words);
	/* The machines of recordings are in the report. */
	c->about.about.host = NULL;
	c->report.about = &c->about.about;
	ret = option_apply(arguments, &c->o, &err);
	if (!ret)
		ret = compare(c, arguments, &err);
	report_anonymize(&c->report, &c->anonymous);
	if (ret)
		status = print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	else if (table_file_put(&c->report, c->format, c->o.table.output, c->o.table.append, &err))
		status = print_fault(&err, EXIT_FAILED);
	report_done(&c->report);
	page_about_done(&c->about);
	anonymous_done(&c->anonymous);
	saved_change_done(&c->reports.change);
	contest_done(&c->commands.contest);
	for (size_t i = 0; i < SIDES_MAX; i++) {
		saved_runs_done(&c->reports.side[i]);
		runs_done(&c->commands.runs[i]);
	}
	close_sides(&c->sides);
	option_clear(&options, &c->o);
	free(c);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.words = "recording recording ...",
	.help = "say what differs between two or more recordings",
	.text = "Compares the programs of a recording, or a part of one, with those of others, by\n"
		"columns; of tiptop regions, the regions, and of tiptop system, the machines:\n"
		"mean, spread, change, and whether that is more than the noise. A report of one\n"
		"of them, --format json, stands for its recording. Reports of tiptop locks,\n"
		"calls or follow, of regions that programs write themselves (tiptop(3)),\n"
		"TIPTOP_FORMAT=json, or of commands are compared lock by lock, function by\n"
		"function, and so on. FILE,FILE,... are several runs of a side. A part is\n"
		"FILE[,from=TIME][,to=TIME][,pid=PID][,filter=FILTER], where each means what the\n"
		"option of that name does. A later one without FILE, such as from=14:10, is of\n"
		"the first file.\n",
	.example = "tiptop compare gcc.db clang.db",
	.options = &options,
	.choices = choices_rows,
	.form = &command_compare_runs,
	.form_option = "--run",
	.run = run,
};

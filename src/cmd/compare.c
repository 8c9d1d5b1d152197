/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop compare A B. */
#include <errno.h>
#include <stdlib.h>

#include "base/destination.h"
#include "base/mem.h"
#include "cmd/command.h"
#include "compare/change.h"
#include "compare/comparison.h"
#include "compare/contest.h"
#include "compare/saved_report.h"
#include "compare/saved_series.h"
#include "conf/option.h"
#include "report/format.h"
#include "run/command_output.h"
#include "session/replay_series.h"

_Static_assert(SIDES_MAX < OPTION_WORDS_MAX,
	       "one side too many fits in the words, and so is refused as a side");

_Static_assert(SIDES_MAX <= PAGE_WORDS_MAX, "the head of a page has all sides");

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

	if (!ret && (o->columns || o->choice.screen))
		ret = err_set(err, EINVAL,
			      "compare: %s is for columns of screens, which these reports lack: "
			      "--event chooses an event",
			      o->columns ? "--columns" : "--screen");
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

	if (!ret && (o->event || o->columns || o->choice.screen))
		ret = err_set(err, EINVAL,
			      "compare: %s is not for reports of commands: all that both have is "
			      "compared",
			      o->event     ? "--event"
			      : o->columns ? "--columns"
					   : "--screen");
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
	int ret = command_check_table(&c->format, o->format, o->anonymize, &o->table, err);

	if (!ret)
		ret = check_inputs(o->table.output, arguments, err);
	if (!ret && option_word(arguments, SIDES_MAX))
		ret = sides_refuse("sides", err);
	if (!ret && !is_recording && c->n_words < 2)
		ret = err_set(err, EINVAL, "compare: a second report is missing");
	if (ret)
		return ret;
	page_about_begin_anonymous(&c->anonymous, o->anonymize, NULL);
	page_about_anonymize(&c->about, &c->anonymous, true);
	if (is_command) {
		struct report_selection limited = selection;

		/* Each side but the first has as many rows as the second of two sides would have.
		 */
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
	c->o.choice.output = c->o.table.output;
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

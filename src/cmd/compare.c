/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop compare A B. */
#include "cmd/choices.h"
#include "cmd/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "compare/change.h"
#include "compare/comparison.h"
#include "compare/contest.h"
#include "compare/saved_command.h"
#include "compare/saved_series.h"
#include "conf/option_rows.h"
#include "run/print_error.h"
#include "session/replay_series.h"
#include "session/table_file.h"

#define ROWS     10
#define ROWS_MAX 1000000000

struct compare_options {
	int task;
	struct replay_choice choice;
	char *columns, *format, *event;
	long rows;
	struct table_options table;
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
	 .help = "at most this many programs, those that used most CPU, or regions, those that "
		 "changed most; the default is 10, 0 stands for all"},
	{.long_name = "event",
	 .short_name = 'e',
	 .arg = "event",
	 .what = "the event",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct compare_options, event),
	 .help = "compare the counts of this event: in reports of locks or calls instead of times, "
		 "in those of regions beside them"},
	COMMAND_FORMAT_ROW(struct compare_options, format, "text unless given"),
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
	.n_words = 2,
};

/* A and B: the recordings, parts of recordings, or reports of refreshes to compare. */
struct sides {
	bool is_report[2];
	struct saved_series report[2];
	struct selection selection[2];
	struct replay_series replay[2];
	bool is_open[2]; /* the replay */
	struct comparison_side side[2];
	struct comparison comparison;
};

static int parse_words(struct sides *s, const struct option_list *arguments, struct err *err)
{
	for (size_t i = 0; i < 2; i++) {
		const struct selection *before = i && !s->is_report[0] ? &s->selection[0] : NULL;
		const char *word = option_word(arguments, i);

		if (!word)
			return err_set(err, EINVAL,
				       "compare: %s: " SELECTION_HOW
				       "; 'tiptop help compare' says how parts are "
				       "written",
				       i ? "a second recording, or part of the first, is missing"
					 : "two recordings, or two parts of one, are missing");
		s->side[i].what = word;
		s->is_report[i] = saved_series_match(word);
		if (!s->is_report[i] && selection_parse(&s->selection[i], word, before, err))
			return err_prefix(err, "compare");
	}
	return 0;
}

static int open_recording(struct sides *s, int i, const struct compare_options *o, struct err *err)
{
	const struct replay_series *before = i && !s->is_report[0] ? &s->replay[0] : NULL;
	struct replay_series *g = &s->replay[i];
	int ret;

	s->is_open[i] = true;
	ret = replay_series_open(g, &s->selection[i], &o->choice, before, err);
	if (ret)
		return ret;
	/* Each run of a recording has its own machine: that of the first run is shown. */
	s->side[i].machine = sample_machine_ref(record_reader_machine(g->setup.backend.recording));
	s->side[i].screen.screen = replay_series_screen(g);
	s->side[i].screen.origins = &g->setup.display.origins;
	s->side[i].key = &group_key_table[group_key_stable(configuration_kind(&g->setup.config))];
	return 0;
}

static int open_report(struct sides *s, int i, struct err *err)
{
	static const struct origins none = {.n = 0};
	struct saved_series *r = &s->report[i];
	int ret = saved_series_open(r, s->side[i].what, err);

	s->side[i].machine = sample_machine_ref(r->machine);
	s->side[i].screen.screen = r->screen;
	s->side[i].screen.origins = &none;
	s->side[i].key = &group_key_table[r->key];
	return ret;
}

static int open_sides(struct sides *s, const struct compare_options *o, struct err *err)
{
	static const char *const label[] = {"A", "B"};
	const struct comparison_side *side = s->side;
	int ret = 0;

	if (o->choice.screen && s->is_report[0] && s->is_report[1])
		ret = err_set(err, EINVAL,
			      "compare: --screen is for recordings: a report has the columns that "
			      "were shown");
	for (int i = 0; i < 2 && !ret; i++) {
		s->side[i].screen.label = label[i];
		ret = s->is_report[i] ? open_report(s, i, err) : open_recording(s, i, o, err);
	}
	if (!ret && side[0].key != side[1].key)
		ret = err_set(err, EINVAL, "'%s' has rows of %s, '%s' of %s: give two of one kind",
			      side[0].what, side[0].key->kind->many, side[1].what,
			      side[1].key->kind->many);
	return ret;
}

static int collect_series(struct sides *s, int i, struct err *err)
{
	struct comparison_side *side = &s->side[i];
	struct err note = ERR_INIT;
	int ret;

	if (s->is_report[i])
		return saved_series_collect(&s->report[i], &side->list, err);
	ret = replay_series_collect(&s->replay[i], (enum group_key)(side->key - group_key_table),
				    VALUES_RATE, &side->list, &note, err);
	if (note.code && !ret)
		print_fault(&note, 0);
	return ret;
}

/* Two saved reports of tiptop locks, tiptop calls or regions, and the comparison of both. */
struct reports {
	struct saved_runs side[2];
	struct saved_change change;
};

/* Compares two saved reports. Reads them into r, which must outlive `report`. */
static int compare_reports(struct reports *r, const struct option_list *arguments,
			   const struct compare_options *o,
			   const struct report_selection *selection, struct report *report,
			   struct err *err)
{
	struct saved_change *c = &r->change;
	int ret = saved_change_check(selection, err);

	for (size_t i = 0; i < 2 && !ret; i++) {
		const char *word = option_word(arguments, i);

		ret = word ? saved_runs_read(&r->side[i], word, o->event, err)
			   : err_set(err, EINVAL, "compare: a second report is missing");
	}
	if (!ret)
		ret = saved_change_make(c, &r->side[0], &r->side[1], err);
	if (!ret)
		saved_change_add(report, c, o->rows ? (size_t)o->rows : c->n, selection);
	return ret;
}

/* Two saved reports of commands, and the comparison of their runs. */
struct commands {
	struct runs runs[2];
	struct contest_side side[2];
	struct contest contest;
};

static int compare_commands(struct commands *c, const struct option_list *arguments,
			    const struct report_selection *selection, struct report *report,
			    struct err *err)
{
	int ret = contest_check(selection, err);

	for (size_t i = 0; i < 2 && !ret; i++) {
		const char *word = option_word(arguments, i);

		runs_init(&c->runs[i], 0, 0);
		c->side[i] = (struct contest_side){i ? "B" : "A", word, &c->runs[i]};
		ret = word ? saved_command_read(&c->runs[i], word, err)
			   : err_set(err, EINVAL, "compare: a second report is missing");
	}
	if (ret)
		return ret;
	contest_make(&c->contest, &c->side[0], &c->side[1], false);
	contest_add(report, &c->contest, selection);
	return 0;
}

static int compare_recordings(struct sides *s, const struct option_list *arguments,
			      const struct compare_options *o,
			      const struct report_selection *selection, struct report *report,
			      struct err *err)
{
	int ret = 0;

	if (o->event)
		ret = err_set(
			err, EINVAL,
			"compare: --event is for reports of tiptop locks, of tiptop "
			"calls and of regions; columns of recordings are chosen by --columns");
	if (!ret)
		ret = parse_words(s, arguments, err);
	if (!ret)
		ret = open_sides(s, o, err);
	if (!ret)
		ret = comparison_choose(&s->comparison, o->columns, err);
	for (int i = 0; i < 2 && !ret; i++)
		ret = collect_series(s, i, err);
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
};

static int compare(struct compare_state *c, const struct option_list *arguments, struct err *err)
{
	const struct compare_options *o = &c->o;
	const struct report_selection selection = {
		.fields = o->table.fields, .sort = o->table.sort, .of = "tiptop compare"};
	const char *first = option_word(arguments, 0);
	int ret = report_find_format(&c->format, o->format, REPORT_ALL_FORMATS, err);

	if (!ret)
		ret = option_check_append(o->table.append, o->table.output, err);
	if (ret)
		return ret;
	if (first && saved_command_match(first)) {
		struct report_selection limited = selection;

		limited.rows = (size_t)o->rows;
		return compare_commands(&c->commands, arguments, &limited, &c->report, err);
	}
	if (first && !saved_series_match(first) && saved_is_report(first))
		return compare_reports(&c->reports, arguments, o, &selection, &c->report, err);
	return compare_recordings(&c->sides, arguments, o, &selection, &c->report, err);
}

static void close_sides(struct sides *s)
{
	comparison_done(&s->comparison);
	for (int i = 0; i < 2; i++) {
		series_list_done(&s->side[i].list);
		sample_machine_unref(s->side[i].machine);
		selection_done(&s->selection[i]);
		saved_series_done(&s->report[i]);
		if (s->is_open[i])
			replay_series_close(&s->replay[i]);
	}
}

static int run(const struct option_list *arguments)
{
	struct compare_state *c = xcalloc(1, sizeof *c);
	struct err err = ERR_INIT;
	int ret, status = 0;

	c->o.rows = ROWS;
	report_init(&c->report);
	comparison_init(&c->sides.comparison, &c->sides.side[0], &c->sides.side[1]);
	ret = option_apply(arguments, &c->o, &err);
	if (!ret)
		ret = compare(c, arguments, &err);
	if (ret)
		status = print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	else if (table_file_put(&c->report, c->format, c->o.table.output, c->o.table.append, &err))
		status = print_fault(&err, EXIT_FAILED);
	report_done(&c->report);
	saved_change_done(&c->reports.change);
	saved_runs_done(&c->reports.side[0]);
	saved_runs_done(&c->reports.side[1]);
	contest_done(&c->commands.contest);
	runs_done(&c->commands.runs[0]);
	runs_done(&c->commands.runs[1]);
	close_sides(&c->sides);
	option_clear(&options, &c->o);
	free(c);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.words = "recording recording",
	.help = "say what differs between two recordings",
	.text = "Compares the programs of two recordings, or of two parts of one, by columns;\n"
		"of tiptop regions, the regions, and of tiptop system, the machines:\n"
		"mean, spread, change, and whether that is more than the noise; or two reports\n"
		"of tiptop locks or of tiptop calls --format json, lock by lock or function by\n"
		"function, or of regions that programs write themselves (tiptop(3)),\n"
		"TIPTOP_FORMAT=json, region by region; FILE,FILE,... are the reports of several\n"
		"runs. A part is\n"
		"FILE[,from=TIME][,to=TIME][,pid=PID][,filter=FILTER], where each means what the\n"
		"option of that name does. A second one without FILE, such as from=14:10, is of\n"
		"the same file.\n",
	.example = "tiptop compare gcc.db clang.db",
	.options = &options,
	.choices = choices_rows,
	.form = &command_compare_runs,
	.form_option = "--run",
	.run = run,
};

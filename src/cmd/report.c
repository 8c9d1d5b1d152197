/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop report -o PAGE.html RECORDING */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "base/mem.h"
#include "cmd/command.h"
#include "conf/option.h"
#include "config.h"
#include "diagnose/story_page.h"
#include "html/html_page.h"
#include "run/command_output.h"
#include "session/page_feed.h"
#include "session/replay_series.h"

/* Bytes of memory for past intervals, which are searched for events that coincide. */
#define HISTORY_BYTES ((size_t)64 << 20)

/* The maximal number of programs, and of verdicts, in the text for readers without scripts. */
#define ROWS 20

#define RECORDINGS_MAX 16

struct report_options {
	int task;
	struct replay_choice choice;
	char *part[N_SELECTION_PARTS];
	long step;
	char *output;
	bool anonymize;
};

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	{.long_name = "output",
	 .short_name = 'o',
	 .arg = "file",
	 .what = "the page",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct report_options, output),
	 .help = "the page to write"},
	COMMAND_PART_ROWS(struct report_options, part),
	COMMAND_STEP_ROW(struct report_options, step, REPLAY_STEP_MAX),
	COMMAND_SCREEN_ROW(struct report_options, choice.screen,
			   "the columns of this screen; unless given, that of the recording"),
	{.long_name = "anonymize",
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct report_options, anonymize),
	 .help = "replace users, containers, the host and the recording by made-up names, and "
		 "leave out arguments; names of programs stay"},
	COMMAND_CONFIG_ROW(struct report_options, choice.conf_path,
			   "read this file, or the .tiptoprc in this folder"),
};

static const struct option_set options = {
	.program = "tiptop report",
	.no_table = "writes a page",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct report_options),
	.n_words = RECORDINGS_MAX,
};

/* ---- reading ---- */

struct report_builder {
	struct setup *setup;
	struct story story;
	struct lanes lanes;
	struct story_command command;
	bool counted; /* the current step has an interval */
};

/* Makes the frame of the current step of the recording, with rows grouped by the key. */
static const struct frame *show(struct report_builder *b, struct pipeline *p, enum group_key key)
{
	struct view *view = &b->setup->display.view;

	view->group = key;
	view->values = VALUES_RATE;
	view->idle = false;
	view->few_facts = true;
	return pipeline_show(p, &b->setup->display.binding, view);
}

static void add_verdict(void *context, const struct story_row *row)
{
	struct report_builder *b = context;
	const struct story *s = &b->story;
	struct lane_example *example;

	if (!row->cell || !b->counted)
		return;
	example = lanes_add_words(
		&b->lanes, row->row->task,
		row->n_found ? s->word_of[judge_rule(s->rules, &row->found[0])] : s->n_words - 1,
		row->row->cpu_ns.number, row->n_found && row->found[0].sure == SURE_MAYBE);
	if (!example || !row->n_found)
		return;
	free(example->text);
	example->text = story_first_verdict(s, row);
}

/* If each step joins several samples, extends the ranges of the lanes to the numbers at each of
 * these samples. */
static void add_moments(struct report_builder *b)
{
	const struct record_moments *m = record_reader_moments(b->setup->backend.recording);
	struct use_delta use[2] = {{.wanted = false}};
	struct arena arena = {0};
	size_t next = 0;

	for (size_t i = 0; m && i < m->n_samples; i++) {
		const struct sample *s = m->sample[i];

		use_compute(&use[i % 2], i ? &use[!(i % 2)] : NULL, &s->use, s->mono_ns, &arena);
		if (i)
			lanes_widen_machine(&b->lanes, &s->host, &use[i % 2]);
		for (; next < m->n && m->v[next].sample == i; next++)
			lanes_widen_task(&b->lanes, m->v[next].task, m->v[next].cpu);
		lanes_end_moment(&b->lanes);
	}
	for (size_t i = 0; m && i < m->n_ranges; i++)
		lanes_widen_range(&b->lanes, m->range[i].task, m->range[i].program,
				  m->range[i].least, m->range[i].most);
	arena_done(&arena);
}

static void add_step(void *context, struct pipeline *p)
{
	struct report_builder *b = context;
	const struct frame *frame = show(b, p, GROUP_PROCESS);

	b->counted = lanes_begin(&b->lanes, frame);
	if (b->counted) {
		lanes_add(&b->lanes, LANE_TASK, frame);
		lanes_add(&b->lanes, LANE_PROGRAM, show(b, p, GROUP_PROGRAM));
		add_moments(b);
	}
	b->setup->display.view.group = GROUP_PROCESS;
	story_feed_watch_step(&b->story, &b->setup->display, p, add_verdict, b);
}

static void end_story(void *context, struct pipeline *p)
{
	struct report_builder *b = context;

	story_feed_end(&b->story, p);
}

/* A recording and its part of the page. */
struct report_part {
	struct selection selection;
	struct replay_series replay;
	struct report_builder builder;
	struct err note; /* a remark on the recording */
	char *kernel;
	struct story_about about;
	bool is_open, is_read;
};

struct report_state {
	struct report_part *part[RECORDINGS_MAX];
	size_t n;
};

/* Makes the reader keep what add_moments() needs of each step. If only some tasks are selected, the
 * peaks of a program must be those of its selected tasks; these need the numbers of each sample. */
static void keep_moments(struct record_reader *r, const struct selection *selection)
{
	if (selection->part[SELECTION_PID] || selection->part[SELECTION_FILTER])
		record_reader_keep_moments(r);
	else
		record_reader_keep_ranges(r);
}

static int read_all(struct report_builder *b, struct replay_series *g, long step, struct err *note,
		    struct err *err)
{
	int ret = replay_series_set_step(g, step, &b->story.step_s, err);

	if (!ret)
		ret = replay_series_visit(g,
					  &(struct replay_visitor){.past = HISTORY_BYTES,
								   .step = add_step,
								   .end = end_story,
								   .context = b},
					  note, err);
	story_end(&b->story);
	lanes_end(&b->lanes);
	if (!ret)
		ret = story_feed_read_command(&b->command, b->setup->backend.recording, err);
	if (!ret && (!b->story.n_tasks || !b->story.n_intervals))
		ret = replay_series_explain_none(g, b->story.n_intervals, "--from or --to",
						 "--pid or --filter", err);
	if (!ret && note->code)
		print_fault(note, 0);
	return ret;
}

/* Opens and reads a recording. before: another recording, whose screen is taken; NULL: none. */
static int read_part(struct report_part *p, const struct report_options *o,
		     const struct replay_series *before, struct err *err)
{
	struct report_builder *b = &p->builder;
	struct replay_series *g = &p->replay;
	int ret;

	p->is_open = true;
	ret = replay_series_open(g, &p->selection, &o->choice, before, err);
	if (!ret && replay_series_check_tasks(g, "report", err))
		ret = -ENODATA;
	if (ret)
		return ret;
	b->setup = &g->setup;
	p->is_read = true;
	story_feed_begin(&b->story, b->setup);
	lanes_init(&b->lanes, replay_series_screen(g), b->story.n_words, 0);
	keep_moments(g->setup.backend.recording, &p->selection);
	return read_all(b, g, o->step, &p->note, err);
}

static int check_once(const struct option_list *arguments, size_t n, const char *word,
		      struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(option_word(arguments, i), word))
			return err_set(err, EINVAL, "report: '%s' is given twice", word);
	return 0;
}

/* Parses the words that name recordings and parts of them; options override these parts. */
static int parse(struct report_state *s, const struct option_list *arguments,
		 const struct report_options *o, struct err *err)
{
	const char *word;

	if (!option_word(arguments, 0))
		return selection_explain_missing("report", " -o PAGE.html", err);
	if (!o->output)
		return err_set(err, EINVAL, "report: -o is missing: the page to write");
	while ((word = option_word(arguments, s->n))) {
		struct report_part *p = xcalloc(1, sizeof *p);

		s->part[s->n++] = p;
		if (check_once(arguments, s->n - 1, word, err))
			return -EINVAL;
		if (selection_parse(&p->selection, word,
				    s->n > 1 ? &s->part[s->n - 2]->selection : NULL, err))
			return err_prefix(err, "report");
		selection_override(&p->selection, o->part);
	}
	return 0;
}

/* ---- writing ---- */

static struct html_about about_part(struct report_part *p)
{
	struct report_builder *b = &p->builder;
	struct record_reader *r = b->setup->backend.recording;

	p->kernel = record_reader_kernel(r);
	p->about = (struct story_about){
		.recording = b->setup->config.options.replay,
		.machine = record_reader_machine(r),
		.command = b->command.words,
		.ending = b->command.ended ? &b->command.ending : NULL,
		.ran_ns = b->command.ran_ns,
		.rows = ROWS,
	};
	return (struct html_about){
		.story = &b->story,
		.about = &p->about,
		.lanes = &b->lanes,
		.kernel = p->kernel,
		.version = PACKAGE_VERSION,
		.note = p->note.code ? p->note.text : NULL,
		.fault = record_reader_fault(r),
	};
}

static int write_page(const struct report_state *s, const struct report_options *o, struct err *err)
{
	struct html_about about[RECORDINGS_MAX];
	struct anonymous anonymous = {.on = o->anonymize};
	struct strbuf page;
	int ret = 0;

	for (size_t i = 0; i < s->n; i++)
		about[i] = about_part(s->part[i]);
	strbuf_init(&page);
	html_page_add(&page, about, s->n, &anonymous);
	if (strcmp(o->output, "-") != 0)
		ret = replace_file(o->output, &page, true, err);
	else if (print_text(&page, 0))
		ret = err_set(err, EIO, "%s", "");
	strbuf_done(&page);
	anonymous_done(&anonymous);
	return ret;
}

static void part_free(struct report_part *p)
{
	if (p->is_read) {
		lanes_done(&p->builder.lanes);
		story_done(&p->builder.story);
	}
	if (p->is_open)
		replay_series_close(&p->replay);
	selection_done(&p->selection);
	free(p->kernel);
	free(p);
}

static int run(const struct option_list *arguments)
{
	struct report_options o = {.step = REPLAY_STEP_AUTO};
	struct report_state s = {.n = 0};
	struct err err = ERR_INIT;
	int ret = option_apply(arguments, &o, &err), status = 0;

	o.choice.output = o.output;
	if (!ret)
		ret = parse(&s, arguments, &o, &err);
	for (size_t i = 0; i < s.n && !ret; i++)
		ret = read_part(s.part[i], &o, i ? &s.part[0]->replay : NULL, &err);
	if (!ret)
		ret = write_page(&s, &o, &err);
	if (ret)
		status = print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	/* Later recordings may refer to the first one, so it is freed last. */
	while (s.n)
		part_free(s.part[--s.n]);
	option_clear(&options, &o);
	return status;
}

const struct command command_report = {
	.name = "report",
	.words = "recording...",
	.help = "write a recording as a page for a browser",
	.text = "Writes one file with tables and charts over time, which a browser shows without\n"
		"fetching anything: to look at, or to mail. --anonymize replaces names in it.\n"
		"Recordings of several machines are one page, side by side by their clocks.\n",
	.example = "tiptop report day.db -o day.html",
	.options = &options,
	.run = run,
};

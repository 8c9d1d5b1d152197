/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop what RECORDING */
#include "cmd/command.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "conf/option.h"
#include "diagnose/story_page.h"
#include "report/format.h"
#include "run/command_output.h"
#include "session/page_feed.h"
#include "session/replay_series.h"
#include "tui/canvas.h"

/* Bytes of memory for past intervals, which are searched for events that coincide. */
#define HISTORY_BYTES ((size_t)64 << 20)

#define ROWS     10
#define ROWS_MAX 1000

/* The width of text; longer lines are hard to read. */
#define TEXT_WIDTH     80
#define TEXT_WIDTH_MIN 40
#define TEXT_WIDTH_MAX 100

struct what_options {
	int task;
	struct replay_choice choice;
	char *part[N_SELECTION_PARTS];
	long step;
	char *format, *output;
	long rows;
	bool anonymize;
	enum report_format_id id; /* that of --format */
};

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	COMMAND_PART_ROWS(struct what_options, part),
	COMMAND_STEP_ROW(struct what_options, step, REPLAY_STEP_MAX),
	{.long_name = "rows",
	 .arg = "number",
	 .what = "the number of programs",
	 .kind = OPTION_LONG,
	 .offset = offsetof(struct what_options, rows),
	 .min = 0,
	 .max = ROWS_MAX,
	 .help = "in text, at most this many programs and verdicts, those with most CPU time; 10 "
		 "unless given; 0: all"},
	COMMAND_FORMAT_ROW(struct what_options, format, "text unless given"),
	COMMAND_ANONYMIZE_ROW(struct what_options, anonymize),
	COMMAND_OUTPUT_ROW(struct what_options, output, "write to this file"),
	COMMAND_CONFIG_ROW(struct what_options, choice.conf_path,
			   "read this file, or the .tiptoprc in this folder"),
};

static const struct option_set options = {
	.program = "tiptop what",
	.no_table = "prints sentences",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct what_options),
	.n_words = 1,
};

/* Parses the word that names the recording and a part of it. --from, --to, --pid and --filter
 * override the part in the word. */
static int parse(struct selection *selection, const struct option_list *arguments,
		 struct what_options *o, struct err *err)
{
	const char *word = option_word(arguments, 0);

	if (report_find_format(&o->id, o->format, REPORT_NO_CSV, err) ||
	    report_check_anonymous(o->anonymize, o->id, err))
		return -EINVAL;
	if (!word)
		return selection_explain_missing("what", "", err);
	if (selection_parse(selection, word, NULL, err))
		return err_prefix(err, "what");
	selection_override(selection, o->part);
	return 0;
}

/* ---- examples ----
 *
 * The numbers behind each verdict of a program, from the interval with the most CPU time.
 */

struct example {
	char *program, *text;
	size_t word;
	double cpu_ns;
};

/* Returns the example of a verdict of a program; NULL: none. Sets *key to its key or, if there is
 * none, to the key for a new one. */
static struct example *find_example(const struct hash *examples, const char *program, size_t word,
				    uint64_t *key)
{
	struct example *e;

	*key = hash_text(program, strlen(program)) + word;
	while ((e = hash_get(examples, *key)) && (e->word != word || strcmp(e->program, program)))
		++*key;
	return e;
}

static const char *example_text(void *context, const char *program, size_t word)
{
	uint64_t key;
	const struct example *e = find_example(context, program, word, &key);

	return e ? e->text : NULL;
}

/* Returns the example to fill with the text of an interval with this CPU time, creating it if
 * needed; NULL: the interval of the existing example has at least as much. */
static struct example *replace_example(struct hash *examples, const char *program, size_t word,
				       double cpu_ns)
{
	uint64_t key;
	struct example *e = find_example(examples, program, word, &key);

	if (e && e->cpu_ns >= cpu_ns)
		return NULL;
	if (!e) {
		e = xcalloc(1, sizeof *e);
		e->program = xstrdup(program);
		e->word = word;
		hash_put(examples, key, e);
	}
	e->cpu_ns = cpu_ns;
	return e;
}

static void examples_done(struct hash *examples)
{
	size_t at = 0;
	struct example *e;

	while ((e = hash_next(examples, &at))) {
		free(e->program);
		free(e->text);
		free(e);
	}
	hash_done(examples);
}

/* ---- the story ---- */

struct story_builder {
	struct setup *setup;
	struct story story;
	struct story_command command;
	struct hash examples; /* empty unless a page is written */
};

static void add_example(void *context, const struct story_row *row)
{
	struct story_builder *t = context;
	const struct story *s = &t->story;
	struct example *e;

	if (!row->cell || !row->n_found)
		return;
	e = replace_example(&t->examples, row->row->task->process,
			    s->word_of[judge_rule(s->rules, &row->found[0])],
			    row->row->cpu_ns.number);
	if (!e)
		return;
	free(e->text);
	e->text = story_first_verdict(s, row);
}

static void add_step(void *context, struct pipeline *p)
{
	struct story_builder *t = context;

	story_feed_add_step(&t->story, &t->setup->display, p);
}

static void add_step_to_page(void *context, struct pipeline *p)
{
	struct story_builder *t = context;

	story_feed_watch_step(&t->story, &t->setup->display, p, add_example, t);
}

static void end_story(void *context, struct pipeline *p)
{
	struct story_builder *t = context;

	story_feed_end(&t->story, p);
}

/* Returns whether the text is written to a file, not to standard output. */
static bool is_to_file(const struct what_options *o)
{
	return o->output && strcmp(o->output, "-") != 0;
}

/* Returns the width of the terminal, within limits; TEXT_WIDTH if the text is not written to a
 * terminal. */
static int text_width(const struct what_options *o)
{
	int width, height;

	if (is_to_file(o) || !winsize_ask(STDOUT_FILENO, &width, &height))
		return TEXT_WIDTH;
	return width < TEXT_WIDTH_MIN ? TEXT_WIDTH_MIN
				      : (width > TEXT_WIDTH_MAX ? TEXT_WIDTH_MAX : width);
}

/* Replaces the names of the recording and of the host, and cuts the command to its program, in what
 * the page says of the recording. */
static void anonymize(struct anonymous *a, struct story_about *about,
		      struct sample_machine *machine, char **command)
{
	about->recording = anonymous_text(a, ANONYMOUS_RECORDING, about->recording);
	if (about->machine) {
		*machine = *about->machine;
		machine->host = anonymous_text(a, ANONYMOUS_HOST, machine->host);
		about->machine = machine;
	}
	if (about->command) {
		*command = (char *)anonymous_first_word(a, *about->command);
		about->command = command;
	}
}

static void write_page(struct strbuf *out, struct story_builder *t, struct story_about *about,
		       bool is_anonymous)
{
	char *words[] = {(char *)about->recording, NULL}, *command[2] = {NULL};
	struct anonymous anonymous = {.on = false};
	const size_t n_notes = t->story.n_notes;
	struct sample_machine machine;
	struct page_about above;
	struct report report;

	page_about_begin_anonymous(&anonymous, is_anonymous, about->command);
	report_init(&report);
	if (is_anonymous) {
		anonymize(&anonymous, about, &machine, command);
		/* Leave out the sentences about coincidences: they contain names of tasks. */
		t->story.n_notes = 0;
	}
	page_about_init(&above, "tiptop what", words);
	/* The machine of the recording is in the report. */
	above.about.host = NULL;
	page_about_anonymize(&above, &anonymous, true);
	report.about = &above.about;
	story_add_report(&report, &t->story, about,
			 &(struct story_examples){example_text, &t->examples});
	t->story.n_notes = n_notes;
	report_anonymize(&report, &anonymous);
	report_write_html(&report, true, out);
	page_about_done(&above);
	report_done(&report);
	anonymous_done(&anonymous);
}

static void write_story(struct strbuf *out, struct story_builder *t, const struct what_options *o)
{
	struct story_about about = {
		.recording = t->setup->config.options.replay,
		.machine = record_reader_machine(t->setup->backend.recording),
		.command = t->command.words,
		.ending = t->command.ended ? &t->command.ending : NULL,
		.ran_ns = t->command.ran_ns,
		.rows = o->rows ? (size_t)o->rows : SIZE_MAX,
	};
	struct page page;

	if (o->id == REPORT_AS_JSON) {
		story_add_json(out, &t->story, &about);
		return;
	}
	if (o->id == REPORT_AS_HTML) {
		write_page(out, t, &about, o->anonymize);
		return;
	}
	page_init(&page);
	story_page_make(&page, &t->story, &about);
	story_page_add_text(out, &page, text_width(o));
	page_done(&page);
}

static int tell(struct replay_series *g, const struct what_options *o, struct strbuf *text,
		struct err *err)
{
	struct story_builder t = {.setup = &g->setup};
	struct err note = ERR_INIT;
	int ret;

	if (replay_series_check_tasks(g, "what", err))
		return -ENODATA;
	story_feed_begin(&t.story, t.setup);
	ret = replay_series_set_step(g, o->step, &t.story.step_s, err);
	if (!ret)
		ret = replay_series_visit(
			g,
			&(struct replay_visitor){.past = HISTORY_BYTES,
						 .step = o->id == REPORT_AS_HTML ? add_step_to_page
										 : add_step,
						 .end = end_story,
						 .context = &t},
			&note, err);
	story_end(&t.story);
	if (!ret)
		ret = story_feed_read_command(&t.command, t.setup->backend.recording, err);
	if (!ret && (!t.story.n_tasks || !t.story.n_intervals))
		ret = replay_series_explain_none(g, t.story.n_intervals, "--from or --to",
						 "--pid or --filter", err);
	if (!ret && note.code)
		print_fault(&note, 0);
	if (!ret)
		write_story(text, &t, o);
	story_done(&t.story);
	examples_done(&t.examples);
	return ret;
}

static int run(const struct option_list *arguments)
{
	struct what_options o = {.rows = ROWS, .step = REPLAY_STEP_AUTO};
	struct selection selection = {.file = NULL};
	struct replay_series *g = xcalloc(1, sizeof *g);
	struct err err = ERR_INIT;
	struct strbuf text;
	bool is_open = false;
	int ret = option_apply(arguments, &o, &err), status;

	strbuf_init(&text);
	if (!ret)
		ret = parse(&selection, arguments, &o, &err);
	if (!ret) {
		is_open = true;
		o.choice.output = o.output;
		ret = replay_series_open(g, &selection, &o.choice, NULL, &err);
	}
	if (!ret)
		ret = tell(g, &o, &text, &err);
	if (!ret && is_to_file(&o))
		ret = replace_file(o.output, &text, true, &err);
	if (ret)
		status = print_fault(&err, is_usage_error(ret) ? EXIT_USAGE : EXIT_FAILED);
	else
		status = is_to_file(&o) ? 0 : print_text(&text, 0);
	strbuf_done(&text);
	if (is_open)
		replay_series_close(g);
	free(g);
	selection_done(&selection);
	option_clear(&options, &o);
	return status;
}

const struct command command_what = {
	.name = "what",
	.words = "recording",
	.help = "tell on one page what happened in a recording",
	.text = "Tells what ran in the time of a recording, or in a part of it, who used\n"
		"most CPU, why they were no faster, and what is not known: text to read, or to\n"
		"send on.\n",
	.example = "tiptop what day.db --from 14:00 --to 14:10",
	.options = &options,
	.choices = choices_report,
	.run = run,
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/replay_series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "base/mem.h"
#include "collect/replay.h"
#include "model/kinds.h"
#include "run/helper.h"
#include "session/config_files.h"
#include "session/replay_session.h"
#include "session/setup_start.h"

/* ---- selection ---- */

struct selection_part_row {
	const char *name;
	const char *option; /* the option of the monitor */
};

static const struct selection_part_row selection_part_table[N_SELECTION_PARTS] = {
	[SELECTION_FROM] = {"from", "--from"},
	[SELECTION_TO] = {"to", "--to"},
	[SELECTION_PID] = {"pid", "--pid"},
	[SELECTION_FILTER] = {"filter", "--filter"},
};

/* Returns the part whose name begins the text, as in "from=14:00"; N_SELECTION_PARTS: none. */
static enum selection_part find_part(const char *text)
{
	int part = 0;

	for (; part < N_SELECTION_PARTS; part++) {
		const size_t n = strlen(selection_part_table[part].name);

		if (!strncmp(text, selection_part_table[part].name, n) && text[n] == '=')
			break;
	}
	return (enum selection_part)part;
}

/* Returns the length up to the next part or the end. */
static size_t length(const char *text)
{
	size_t n = strcspn(text, ",");

	while (text[n] && find_part(text + n + 1) == N_SELECTION_PARTS)
		n += 1 + strcspn(text + n + 1, ",");
	return n;
}

static int add_part(struct selection *s, enum selection_part part, const char *text, size_t n,
		    struct err *err)
{
	const char *name = selection_part_table[part].name;
	const size_t skip = strlen(name) + 1;

	if (s->part[part])
		return err_set(err, EINVAL, "'%s=' is given twice", name);
	if (n == skip)
		return err_set(err, EINVAL, "'%s=' is empty", name);
	s->part[part] = xstrndup(text + skip, n - skip);
	return 0;
}

static int take_file(struct selection *s, const char **word, const struct selection *before,
		     struct err *err)
{
	size_t n;

	if (find_part(*word) != N_SELECTION_PARTS) {
		if (!before)
			return err_set(err, EINVAL, "'%s' names no recording: FILE,%s", *word,
				       *word);
		s->file = xstrdup(before->file);
		return 0;
	}
	n = length(*word);
	if (!n)
		return err_set(err, EINVAL, "'%s' names no recording", *word);
	s->file = xstrndup(*word, n);
	*word += n + ((*word)[n] == ',');
	return 0;
}

int selection_parse(struct selection *out, const char *word, const struct selection *before,
		    struct err *err)
{
	const char *text = word;
	int ret;

	*out = (struct selection){.file = NULL};
	ret = take_file(out, &text, before, err);
	while (!ret && *text) {
		const size_t n = length(text);

		ret = add_part(out, find_part(text), text, n, err);
		text += n + (text[n] == ',');
	}
	return ret;
}

void selection_override(struct selection *s, char *const part[N_SELECTION_PARTS])
{
	for (int i = 0; i < N_SELECTION_PARTS; i++)
		if (part[i]) {
			free(s->part[i]);
			s->part[i] = xstrdup(part[i]);
		}
}

void selection_done(struct selection *s)
{
	free(s->file);
	for (int i = 0; i < N_SELECTION_PARTS; i++)
		free(s->part[i]);
	*s = (struct selection){.file = NULL};
}

int selection_explain_missing(const char *command, const char *options, struct err *err)
{
	return err_set(err, EINVAL,
		       "%s: a recording is missing: " SELECTION_HOW ", and 'tiptop %s FILE%s' "
		       "reads it",
		       command, command, options);
}

/* ---- replay_series ---- */

#define NS_PER_S 1000000000ll

#define WORDS_MAX (8 + 2 * N_SELECTION_PARTS)

/* Builds the command line of the monitor that is equivalent to the selection and the choice, and
 * parses it. */
static int scan(struct replay_series *g, const struct selection *selection,
		const struct replay_choice *choice, struct err *err)
{
	char *word[WORDS_MAX] = {(char *)"tiptop", (char *)"--batch", (char *)"--replay",
				 selection->file};
	int n = 4;

	for (int i = 0; i < N_SELECTION_PARTS; i++)
		if (selection->part[i]) {
			word[n++] = (char *)selection_part_table[i].option;
			word[n++] = selection->part[i];
		}
	if (choice->screen) {
		word[n++] = (char *)"--screen";
		word[n++] = choice->screen;
	}
	if (choice->conf_path) {
		word[n++] = (char *)"--config";
		word[n++] = choice->conf_path;
	}
	return option_scan(&g->arguments, &option_monitor, n, word, err);
}

/* Resets the options to those of the command line, so that only screens and events of the
 * configuration file apply. */
static int forget_options(struct replay_series *g, struct err *err)
{
	struct setup *s = &g->setup;
	int ret;

	options_done(&s->config.options);
	options_init(&s->config.options);
	ret = options_apply(g->arguments, &s->config.options, err);
	recorded_take_modes(&s->config, &s->backend);
	return ret;
}

/* Checks that both recordings have rows of the same kind. */
static int check_kind(const struct setup *s, const struct setup *before, struct err *err)
{
	const enum group_key key = group_key_stable(configuration_kind(&s->config)),
			     other = group_key_stable(configuration_kind(&before->config));

	if (key == other)
		return 0;
	return err_set(err, EINVAL, "'%s' has rows of %s, '%s' of %s: give recordings of one kind",
		       before->config.options.replay, configuration_kind(&before->config)->many,
		       s->config.options.replay, configuration_kind(&s->config)->many);
}

/* Selects the screen with exactly this name. */
static int take_screen(struct setup *s, const char *name, struct err *err)
{
	for (size_t i = 0; i < s->config.screens.n; i++)
		if (!strcmp(s->config.screens.v[i]->name, name)) {
			free(s->config.options.screen);
			s->config.options.screen = xasprintf("%d", s->config.screens.v[i]->number);
			return 0;
		}
	return err_set(err, ENOENT,
		       "there is no screen '%s' for the machine of '%s': -S names one "
		       "that both have",
		       name, s->config.options.replay);
}

static void take_messages(struct log *log, const struct log *from)
{
	for (size_t i = 0; i < from->n; i++)
		log_add(log, from->line[i].kind, from->line[i].text);
}

int replay_series_open(struct replay_series *g, const struct selection *selection,
		       const struct replay_choice *choice, const struct replay_series *before,
		       struct err *err)
{
	struct setup *s = &g->setup;
	int ret;

	g->arguments = NULL;
	setup_init(s);
	if (before)
		take_messages(&s->config.log, &before->setup.config.log);
	ret = dest_check_input(choice->output, selection->file, err);
	if (!ret)
		ret = scan(g, selection, choice, err);
	if (!ret)
		ret = setup_configuration(s, g->arguments, err);
	if (!ret)
		ret = configuration_check_output(&s->config, choice->output, err);
	if (!ret)
		ret = forget_options(g, err);
	if (!ret && before)
		ret = check_kind(s, &before->setup, err);
	if (!ret && before)
		ret = take_screen(s, replay_series_screen(before)->name, err);
	return ret ? ret : setup_start(s, 0, err);
}

const struct screen *replay_series_screen(const struct replay_series *g)
{
	return g->setup.config.screens.v[g->setup.display.view.screen];
}

/* Without steps, reading and judging this many readings takes about a second. */
#define READINGS_AT_ONCE 100000

/* The wanted maximum number of automatic steps. */
#define STEPS_AUTO 200

/* Returns the length of steps for the selection, in s; 0: each sample is read. */
static long choose_step(const struct record_extent *extent)
{
	static const long minutes[] = {1, 2, 5, 10, 20, 30, 60, 120, 240, 480, 1440};
	const int64_t ns = extent->ns / STEPS_AUTO;
	size_t i = 0;

	if (extent->readings <= READINGS_AT_ONCE)
		return 0;
	while (i + 1 < sizeof minutes / sizeof *minutes && minutes[i] * 60 * NS_PER_S < ns)
		i++;
	/* Steps with fewer than two samples would save nothing. */
	return extent->ns / extent->samples <= minutes[i] * 60 * NS_PER_S / 2 ? minutes[i] * 60 : 0;
}

int replay_series_set_step(struct replay_series *g, long step_s, long *out_s, struct err *err)
{
	struct setup *s = &g->setup;
	const int64_t until_ns = source_replay_pace(s->backend.source)->to_ns;
	struct record_extent extent;
	int ret = 0;

	if (step_s == REPLAY_STEP_AUTO) {
		ret = record_reader_extent(s->backend.recording, until_ns, &extent, err);
		step_s = ret ? 0 : choose_step(&extent);
	}
	record_reader_set_step(s->backend.recording, (uint64_t)(step_s * NS_PER_S), until_ns);
	*out_s = step_s;
	return ret;
}

static void take_note(const struct setup *s, struct err *note)
{
	const char *source = s->backend.source->ops->note(s->backend.source);
	const char *text = source ? source : s->display.note.code ? s->display.note.text : NULL;

	if (text)
		err_set(note, ENODATA, "%s: %s", s->config.options.replay, text);
}

int replay_series_visit(struct replay_series *g, const struct replay_visitor *visit,
			struct err *note, struct err *err)
{
	struct setup *s = &g->setup;
	struct pipeline pipeline;
	struct outputs outputs;
	struct reading reading;
	int ret;

	reading_begin(&reading, s, progress_terminal(false));
	outputs_init(&outputs, &s->config.log);
	pipeline_init(&pipeline, s->backend.source, &outputs);
	if (visit->past)
		pipeline_keep_past(&pipeline, visit->past);
	/* No output will come: without this, each sample would be kept for one. */
	ret = outputs_begin(&outputs, err);
	while (!ret && !(ret = pipeline_step(&pipeline, &s->display.view, err))) {
		visit->step(visit->context, &pipeline);
		pipeline.number++;
		reading_note(&reading, &s->backend, &pipeline);
	}
	if (visit->end && pipeline.begun)
		visit->end(visit->context, &pipeline);
	reading_end(&reading);
	take_note(s, note);
	pipeline_done(&pipeline);
	outputs_close(&outputs, false, NULL);
	return ret == SOURCE_END ? 0 : ret;
}

struct series_run {
	struct setup *setup;
	struct series_list *list;
};

static void add_frame(void *context, struct pipeline *p)
{
	const struct series_run *run = context;

	series_list_add(run->list,
			pipeline_show(p, &run->setup->display.binding, &run->setup->display.view));
}

int replay_series_collect(struct replay_series *g, enum group_key key, enum values values,
			  struct series_list *list, struct err *note, struct err *err)
{
	struct series_run run = {&g->setup, list};
	int ret;

	g->setup.display.view.group = key;
	g->setup.display.view.values = values;
	g->setup.display.view.idle = true;
	ret = replay_series_visit(g, &(struct replay_visitor){.step = add_frame, .context = &run},
				  note, err);
	if (!ret && !list->n)
		ret = replay_series_explain_none(g, list->n_intervals,
						 "from= or to=", "pid= or filter=", err);
	return ret;
}

int replay_series_check_tasks(const struct replay_series *g, const char *command, struct err *err)
{
	const char *file = g->setup.config.options.replay;

	if (configuration_kind(&g->setup.config) == &kind_task)
		return 0;
	return err_set(err, ENODATA,
		       "'%s' is a recording of %s, and tiptop %s describes tasks only: "
		       "'tiptop --replay %s' shows it",
		       file, configuration_kind(&g->setup.config)->many, command, file);
}

int replay_series_explain_none(const struct replay_series *g, size_t n_intervals, const char *time,
			       const char *tasks, struct err *err)
{
	const struct options *o = &g->setup.config.options;

	if (n_intervals)
		return err_set(err, ENODATA,
			       "'%s' has no interval of such tasks: give another time, %s",
			       o->replay, tasks);
	return recorded_explain_none(o, g->setup.backend.recording, time, err);
}

void replay_series_close(struct replay_series *g)
{
	setup_done(&g->setup);
	option_list_free(g->arguments);
	g->arguments = NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/recording.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "conf/write.h"
#include "config.h"
#include "model/kinds.h"
#include "output/record_output.h"
#include "pmu/event/merge.h"
#include "run/print_error.h"
#include "run/signals.h"
#include "screen/bind/counters.h"
#include "session/retention_option.h"

static void add_screen(struct setup *s, size_t screen)
{
	for (size_t i = 0; i < s->n_also; i++)
		if (s->also[i] == screen)
			return;
	s->also = xgrow(s->also, &s->cap_also, s->n_also + 1, sizeof *s->also);
	s->also[s->n_also++] = screen;
}

/* Those of a list, or all. */
static int find_screens(struct setup *s, const char *list, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *name;
	int ret = 0;

	while (!ret && (name = strsep(&rest, ","))) {
		const bool all = !strcmp(name, "all");
		const int i = all ? 0 : screen_list_find(&s->screens, name, err);

		ret = i < 0 ? err_prefix(err, "--record-screens") : 0;
		for (size_t k = 0; all && k < s->screens.n; k++)
			add_screen(s, k);
		if (!ret && !all)
			add_screen(s, (size_t)i);
	}
	free(copy);
	return ret;
}

/* Names and values in turn. */
struct texts {
	char **v;
	size_t n, cap;
};

static void add_text(struct texts *texts, const char *text)
{
	texts->v = xgrow(texts->v, &texts->cap, texts->n + 1, sizeof(char *));
	texts->v[texts->n++] = xstrdup_or_null(text);
}

static void add_option(void *context, const char *name, const char *value)
{
	add_text(context, name);
	add_text(context, value);
}

static int check_path(const struct setup *setup, const char *path, struct err *err)
{
	const struct {
		const char *path, *what;
	} others[] = {
		{setup->options.output, "output (-o)"},
		{setup->options.replay, "what is replayed (--replay)"},
		{setup->options.errors_path, "faults (-E)"},
		{setup->conf.path, "the configuration"},
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].path && file_same(path, others[i].path))
			return err_set(err, EINVAL,
				       "the recording (--record) and %s would overwrite each other "
				       "in '%s': name two files",
				       others[i].what, path);
	return 0;
}

int recording_prepare(struct setup *s, struct err *err)
{
	const struct options *o = &s->options;
	struct condition *when = NULL;
	struct record_keep keep;
	int ret = keep_parse(&keep, o, err);

	if (!ret && o->record_screens)
		ret = find_screens(s, o->record_screens, err);
	if (ret || !o->record_when)
		return ret;
	if (condition_compile(&when, o->record_when, s->screens.v[s->view.screen], err))
		return err_prefix(err, "--record-when");
	s->record_facts = condition_facts(when);
	s->record_screen = s->view.screen;
	add_screen(s, s->view.screen);
	condition_free(when);
	return 0;
}

void recording_want(struct setup *s, struct want *want)
{
	const struct offer offer = setup_offer(s, s->view.kernel);
	int lacking = 0;
	char text[ERR_TEXT_MAX];

	want->facts |= s->record_facts;
	for (size_t i = 0; i < s->n_also; i++) {
		const struct screen *screen = s->screens.v[s->also[i]];
		struct event_set events;

		setup_fit(s, s->also[i]);
		counters_make_set(&events, screen, &offer);
		offer.ops->describe(&offer, &events);
		lacking += event_set_merge(&want->events, &events);
		want->facts |= screen->facts;
	}
	if (!lacking)
		return;
	snprintf(text, sizeof text,
		 "%d counters of the screens that are recorded find no room: %d events at most are "
		 "counted of a task",
		 lacking, EVENT_SET_MAX);
	log_add(&s->log, LOG_SCREEN, text);
}

void recording_tell(struct setup *s, const struct frame *frame)
{
	if (s->n_also && frame->interval_ns && frame->least_share < 1)
		log_add(&s->log, LOG_SCREEN,
			"the events of the screens that are recorded (--record-screens) do not fit "
			"on "
			"the PMU together: they take turns, and their counts are scaled");
}

static void screen_text(struct strbuf *out, const struct screen *screen)
{
	conf_format_screen(out, screen, NULL);
}

/* Of the condition, the screen is that of the start: what keys show later has no say in it. */
static int choose(struct sink *sink, struct setup *setup, struct err *err)
{
	const struct offer offer = setup_offer(setup, setup->view.kernel);
	struct record_choice choice = {.n_also = setup->n_also};
	int ret = keep_parse(&choice.keep, &setup->options, err);

	choice.screen = setup->screens.v[setup->record_screen];
	if (!ret && setup->options.record_when)
		ret = condition_compile(&choice.when, setup->options.record_when, choice.screen,
					err);
	if (ret)
		return ret;
	if (choice.when) {
		struct event_set events;

		counters_make_set(&events, choice.screen, &offer);
		offer.ops->describe(&offer, &events);
		counters_tell(&choice.numbers, &events);
		event_set_done(&events);
	}
	choice.also = xcalloc(choice.n_also + 1, sizeof *choice.also);
	for (size_t i = 0; i < choice.n_also; i++)
		choice.also[i] = setup->screens.v[setup->also[i]];
	return record_choose(sink, &choice, err);
}

void recording_say_wait(const char *path)
{
	struct err why = ERR_INIT;

	err_set(&why, EBUSY,
		"another program has locked the recording '%s': tiptop waits some seconds for it; "
		"Ctrl-C gives up what is not written",
		path);
	say_fault(&why, 0);
}

void recording_say_use(const char *path, const struct kind *kind)
{
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "tiptop: '%s' is recorded: ", path);
	if (kind == &kind_task)
		fprintf(stderr, "'tiptop what %s' tells what happened, ", path);
	fprintf(stderr, "'tiptop%s --replay %s' shows it again\n", kind ? "" : " follow", path);
}

static int begin(struct sink *sink, struct setup *setup, const char *path, struct err *err)
{
	struct texts options = {.n = 0};
	struct utsname system;
	struct record_about about = {.kernel = system.release,
				     .version = PACKAGE_VERSION,
				     .command = setup->options.command,
				     .say_wait = recording_say_wait,
				     .says_late = options_are_live(&setup->options),
				     .stops = signals_end_waits};
	int ret;

	uname(&system);
	conf_each_option(&setup->options, add_option, &options);
	add_text(&options, NULL);
	about.option = (const char *const *)options.v;
	ret = record_begin(sink, path, &about, screen_text, err);
	if (!ret)
		ret = choose(sink, setup, err);
	for (size_t i = 0; i < options.n; i++)
		free(options.v[i]);
	free(options.v);
	return ret;
}

struct sink *recording_find(const struct outputs *o)
{
	struct sink *sink = o->first;

	while (sink && sink->ops != &sink_record)
		sink = sink->next;
	return sink;
}

int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err)
{
	const struct dest none = DEST_NONE;
	struct sink *sink;
	int ret = check_path(setup, path, err);

	if (!ret)
		ret = outputs_add(o, &sink, &sink_record, &none, err);
	if (ret)
		return ret;
	ret = begin(sink, setup, path, err);
	if (ret)
		outputs_end(o, sink, NULL);
	else if (record_note(sink))
		log_add(&setup->log, LOG_SCREEN, record_note(sink));
	return ret;
}

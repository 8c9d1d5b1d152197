/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/recorded.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/num.h"
#include "collect/replay.h"
#include "conf/xml.h"
#include "model/kinds.h"
#include "pmu/event/describe.h"
#include "record/follow.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "session/screen_order.h"
#include "session/time_spec.h"

/* Returns whether an option was on when recording. */
static bool option_was_on(struct record_reader *recording, const char *name)
{
	char *value = record_reader_option(recording, name);
	bool on = value && !strcmp(value, "1");

	free(value);
	return on;
}

/* Sets the delay between samples to the recorded one, or to the default: options with default
 * values are not recorded. */
static void take_delay(struct configuration *config, const struct backend *backend)
{
	char *text = record_reader_option(backend->recording, "delay");
	struct options usual;
	double delay_s;

	options_init(&usual);
	config->options.delay_s = usual.delay_s;
	options_done(&usual);
	if (text && !num_parse_double(text, "the delay", 0, OPTION_DELAY_MAX, &delay_s, NULL))
		config->options.delay_s = delay_s;
	free(text);
}

void recorded_take_modes(struct configuration *config, struct backend *backend)
{
	config->options.kernel |= option_was_on(backend->recording, "show_kernel");
	config->options.threads |= option_was_on(backend->recording, "show_threads");
	take_delay(config, backend);
}

int recorded_identify(struct configuration *config, struct backend *backend, struct err *err)
{
	static const char *const nothing[] = {NULL};
	static const struct sample_machine unknown = {.arch = "",
						      .model = "",
						      .boot_id = "",
						      .host = "",
						      .core = nothing,
						      .pmu = nothing};
	const struct event_table *table = backend->machine.table;
	const struct sample_machine *machine;
	const struct kind *kind;
	int ret = record_reader_new(&backend->recording, config->options.replay, err);

	if (ret)
		return ret;
	kind = record_reader_kind(backend->recording);
	config->rows = kind && kind != &kind_task ? kind->name : NULL;
	machine = record_reader_machine(backend->recording);
	machine_restore(&backend->machine, machine ? machine : &unknown);
	backend->machine.table = table;
	perf_foreign_init(&backend->kernel.sys);
	backend->counts_others = true;
	recorded_take_modes(config, backend);
	return 0;
}

/* Ignores faults in screens of the recording, which are not the user's. */
static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static bool has_screen(const struct configuration *config, const char *name)
{
	const struct screen_list *const lists[] = {&config->screens, &config->hidden};

	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < lists[i]->n; k++)
			if (!strcmp(lists[i]->v[k]->name, name))
				return true;
	return false;
}

static void add_screen(struct setup *s, struct screen *screen)
{
	const struct offer offer = backend_cpu_offer(&s->config, &s->backend);
	struct err err = ERR_INIT;

	screen->number = screen_order_free_number(&s->config);
	if (has_screen(&s->config, screen->name) || screen_compile(screen, pass_over, NULL, &err) ||
	    err.code)
		screen_free(screen);
	else if (fit_may_show(screen, &offer))
		screen_list_add(&s->config.screens, screen);
	else
		screen_order_add_hidden(&s->config, screen);
}

/* Reads a screen through a memory file, as conf_read() needs a descriptor. */
static void read_screen(struct setup *s, const char *xml)
{
	struct screen_list list = SCREEN_LIST_INIT;
	int fd = memfd_create("screen", MFD_CLOEXEC);
	const ssize_t len = (ssize_t)strlen(xml);
	struct own_table events;

	if (fd < 0)
		return;
	own_table_init(&events, s->backend.machine.table);
	if (write(fd, xml, (size_t)len) == len && !lseek(fd, 0, SEEK_SET))
		conf_read(fd, s->config.options.replay,
			  &(struct conf_into){.screens = &list, .own = &events}, pass_over, NULL,
			  NULL);
	close(fd);
	for (size_t i = 0; i < list.n; i++)
		add_screen(s, list.v[i]);
	free(list.v);
	own_table_done(&events);
}

void recorded_add_screens(struct setup *s)
{
	const char *name, *xml;

	for (size_t i = 0; (xml = record_reader_screen(s->backend.recording, i, &name)); i++)
		if (!has_screen(&s->config, name))
			read_screen(s, xml);
}

int recorded_screen(const struct configuration *config, const struct backend *backend)
{
	const char *name;

	for (size_t i = 0; record_reader_screen(backend->recording, i, &name); i++)
		for (size_t k = 0; k < config->screens.n; k++)
			if (!strcmp(config->screens.v[k]->name, name))
				return (int)k;
	return 0;
}

#define SECOND_NS 1000000000u

int recorded_find_time(struct backend *backend, const char *text, int64_t after_ns,
		       enum recorded_second second, int64_t *out, struct err *err)
{
	const struct record_span *span;
	struct time_spec when;
	size_t n;
	int ret = record_reader_spans(backend->recording, &span, &n, err);

	for (; !ret && n > 1 && span->end_ns < after_ns; n--)
		span++;
	if (!ret)
		ret = time_spec_parse(text, span, n, &when, err);
	if (ret)
		return ret;
	*out = when.at_ns;
	if (second == SECOND_END)
		when.wall_ns += SECOND_NS - 1;
	return when.is_wall ? record_reader_find_wall(backend->recording, when.wall_ns, after_ns,
						      out, err)
			    : 0;
}

int recorded_explain_none(const struct options *o, const char *time, struct err *err)
{
	if (o->from || o->to)
		return err_set(err, ENODATA, "'%s' has no interval in this time: give another %s",
			       o->replay, time);
	return err_set(err, ENODATA,
		       "'%s' has no interval, as it ended before a second sample was taken: record "
		       "for longer, or with a shorter delay (-d)",
		       o->replay);
}

int recorded_open(struct configuration *config, struct backend *backend, struct err *err)
{
	struct replay_pace pace = {
		.at_once = config->options.batch, .speed = 1, .to_ns = INT64_MAX};
	/* With --from, the live screen pauses there. */
	const bool pauses =
		config->options.from && !config->options.batch && !config->options.iterations;
	int64_t from_ns = 0;
	int ret = 0;

	if (config->options.from)
		ret = recorded_find_time(backend, config->options.from, 0,
					 pauses ? SECOND_END : SECOND_BEGIN, &from_ns, err);
	if (!ret && config->options.to)
		ret = recorded_find_time(backend, config->options.to, from_ns, SECOND_BEGIN,
					 &pace.to_ns, err);
	if (!ret && config->options.from)
		ret = record_reader_seek(backend->recording, from_ns, err);
	/* The interval that ends there takes two samples. */
	if (!ret && pauses) {
		ret = record_reader_step_back(backend->recording, err);
		ret = ret < 0 ? ret : 0;
		pace.pause_after = 2;
	}
	if (!ret)
		backend->source = source_replay_new(backend->recording, &pace);
	return ret;
}

int recorded_explain_empty(const struct options *o, struct record_reader *recording,
			   struct err *err)
{
	struct record_follow_row row;

	if (recording && record_reader_next_follow(recording, &row, err) == 1)
		return err_set(err, ENODATA,
			       "the recording has no samples but rows of tiptop follow: 'tiptop "
			       "follow --replay %s' shows them",
			       o->replay);
	return err_set(err, ENODATA, "there is nothing to show: not one sample");
}

/* Returns why the recording has no number for the event with index `head` of the current screen;
 * QUALITY_EXACT: it has one, or the event was not requested when the recording was made. */
static enum quality why_not_counted(const struct setup *s, int head)
{
	const struct sample_events *recorded = record_reader_events(s->backend.recording);
	const int i =
		recorded ? sample_events_find(recorded, 0, s->display.numbers.events, head) : -1;

	return i < 0 ? QUALITY_EXACT : sample_events_quality(recorded, i);
}

/* Sets the note why the recorded machine did not count the event. */
static void note_refused(struct setup *s, const char *event, enum quality why)
{
	const char *screen = s->config.screens.v[s->display.view.screen]->name;

	if (why == QUALITY_UNSUPPORTED)
		err_set(&s->display.note, ENODATA,
			"the screen '%s' has unknown numbers: the machine of the recording has no "
			"event '%s'",
			screen, event);
	else if (why == QUALITY_DENIED)
		err_set(&s->display.note, ENODATA,
			"the screen '%s' has unknown numbers: the kernel did not let '%s' be "
			"counted when this was recorded; 'tiptop --check' there says what helps",
			screen, event);
	else
		err_set(&s->display.note, ENODATA,
			"the screen '%s' has unknown numbers: '%s' could not be counted when this "
			"was recorded: %s",
			screen, event, quality_text(why, false));
}

void recorded_note(struct setup *s)
{
	const struct screen_numbers *wanted = &s->display.numbers;
	const struct screen *screen = s->config.screens.v[s->display.view.screen];
	enum quality refused = QUALITY_EXACT;
	const char *event = NULL;

	for (int i = 0; i < wanted->n_counters; i++) {
		const int head = wanted->head[i];
		const enum quality why = why_not_counted(s, head);

		if (!counters_are_shown(screen, i))
			continue;
		if (why < QUALITY_FIRST_NONE &&
		    sample_events_quality(wanted->events, head) == QUALITY_NOT_COUNTED) {
			err_set(&s->display.note, ENODATA,
				"the recording lacks counters of the screen '%s': what was not "
				"counted then cannot be shown",
				screen->name);
			return;
		}
		if (why >= QUALITY_FIRST_NONE && !event) {
			refused = why;
			event = wanted->events->event[head].given;
		}
	}
	if (event)
		note_refused(s, event, refused);
}

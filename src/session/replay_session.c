/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/replay_session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "collect/replay.h"
#include "conf/xml.h"
#include "model/kinds.h"
#include "pmu/event/describe.h"
#include "record/follow.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "session/screen_change.h"

/* ---- times ---- */

#define NS_PER_S    1000000000u
#define SECONDS_MAX 1e9

static const char *const dates[] = {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M",
				    "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
static const struct {
	const char *form;
	unsigned seconds; /* duration of the time named */
} times[] = {{"%H:%M:%S", 1}, {"%H:%M", 60}};

/* Returns whether the whole text has this format; sets only the fields in it. */
static bool parse_form(const char *text, const char *form, struct tm *tm)
{
	const struct tm before = *tm;
	const char *end = strptime(text, form, tm);

	if (end && !*end)
		return true;
	*tm = before;
	return false;
}

static uint64_t ns_of(struct tm *tm)
{
	time_t s;

	tm->tm_isdst = -1;
	s = mktime(tm);
	return s > 0 ? (uint64_t)s * NS_PER_S : 0;
}

static int parse_relative(const char *text, int64_t end_ns, int64_t *out, struct err *err)
{
	double s;
	int ret = num_parse_double(text + 1, "the time", 0, SECONDS_MAX, &s, err);
	int64_t ns = ret ? 0 : (int64_t)(s * NS_PER_S);

	*out = *text == '+' ? ns : end_ns - ns;
	return ret;
}

/* Returns the wall time of a time of day, in ns: on the day on which the span begins, or with
 * `next_day` on the next day if the time is before the span. 0: not a time of day. */
static uint64_t time_of_day(const char *text, const struct record_span *span, bool next_day)
{
	const time_t begin_s = (time_t)(span->begin_wall_ns / NS_PER_S);
	struct tm tm;

	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		uint64_t ns;

		if (!localtime_r(&begin_s, &tm))
			break;
		tm.tm_sec = 0;
		if (!parse_form(text, times[i].form, &tm))
			continue;
		ns = ns_of(&tm);
		/* A named second or minute that contains the begin of the span is not before the
		 * span. */
		if (!next_day || ns + (uint64_t)times[i].seconds * NS_PER_S > span->begin_wall_ns)
			return ns;
		tm.tm_mday++;
		return ns_of(&tm);
	}
	return 0;
}

/* Returns the wall time of a time of day, in ns, in the first span that contains it; if none does,
 * on the day on which the first span begins. 0: not a time of day. */
static uint64_t find_of_day(const char *text, const struct record_span *span, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const uint64_t ns = time_of_day(text, &span[i], true);

		if (!ns || ns <= span[i].end_wall_ns)
			return ns;
	}
	return time_of_day(text, &span[0], false);
}

int time_spec_parse(const char *text, const struct record_span *span, size_t n,
		    struct time_spec *out, struct err *err)
{
	static const struct record_span none = {0};
	struct tm tm;

	*out = (struct time_spec){.is_wall = true};
	if (*text == '+' || *text == '-') {
		out->is_wall = false;
		return parse_relative(text, n ? span[n - 1].end_ns : 0, &out->at_ns, err);
	}
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		memset(&tm, 0, sizeof tm);
		if (parse_form(text, dates[i], &tm)) {
			out->wall_ns = ns_of(&tm);
			return 0;
		}
	}
	out->wall_ns = n ? find_of_day(text, span, n) : time_of_day(text, &none, false);
	if (out->wall_ns)
		return 0;
	return err_set(
		err, EINVAL,
		"'%s' is not a time: give 14:03, 2026-01-31 14:03:20, or +90 for seconds after "
		"the beginning, -90 before the end",
		text);
}

/* ---- setup ---- */

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

/* Which end of a second is meant, as a wall time that the user types stands for a whole second. */
enum recorded_second { SECOND_BEGIN, SECOND_END };

/* Returns whether, by the wall clock, the second that begins at wall_ns was not yet over at the
 * recorded time after_ns, or whether a later span shows wall_ns again. span: [n], the first is that
 * of after_ns. */
static bool is_ahead(const struct record_span *span, size_t n, uint64_t wall_ns, int64_t after_ns)
{
	const int64_t ahead_ns = (int64_t)(wall_ns + SECOND_NS - span->begin_wall_ns);

	if (after_ns <= span->begin_ns + ahead_ns)
		return true;
	for (size_t i = 1; i < n; i++)
		if (wall_ns >= span[i].begin_wall_ns && wall_ns <= span[i].end_wall_ns)
			return true;
	return false;
}

/* Converts the text of a time (replay_session.h) to recorded time in *out, in ns. A wall time that
 * occurs more than once is the first one at or after the recorded time after_ns. -EINVAL: not a
 * time, or one that is before after_ns. */
static int recorded_find_time(struct backend *backend, const char *text, int64_t after_ns,
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
	if (n && after_ns > 0 && when.is_wall && !is_ahead(span, n, when.wall_ns, after_ns))
		return err_set(err, EINVAL, "the end '%s' (--to) is before the beginning (--from)",
			       text);
	*out = when.at_ns;
	if (second == SECOND_END)
		when.wall_ns += SECOND_NS - 1;
	return when.is_wall ? record_reader_find_wall(backend->recording, when.wall_ns, after_ns,
						      out, err)
			    : 0;
}

/* If the recording has no samples, but rows of tiptop follow, sets a sentence that says so and
 * returns -ENODATA; else returns 0. */
static int explain_follow(const struct options *o, struct record_reader *recording, struct err *err)
{
	const struct record_span *span;
	struct record_follow_row row;
	size_t n;

	if (record_reader_spans(recording, &span, &n, NULL) || n ||
	    record_reader_next_follow(recording, &row, NULL) != 1)
		return 0;
	return err_set(err, ENODATA,
		       "the recording has no samples but rows of tiptop follow: 'tiptop follow "
		       "--replay %s' shows them",
		       o->replay);
}

int recorded_explain_none(const struct options *o, struct record_reader *recording,
			  const char *time, struct err *err)
{
	int ret = explain_follow(o, recording, err);

	if (ret)
		return ret;
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
	const int ret = recording ? explain_follow(o, recording, err) : 0;

	return ret ? ret : err_set(err, ENODATA, "there is nothing to show: not one sample");
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

/* ---- progress ---- */

/* Returns the length of the recorded time to read, in ns; 0: unknown. *from_ns: its begin. */
static double find_length(const struct backend *backend, int64_t *from_ns)
{
	const int64_t to_ns = source_replay_pace(backend->source)->to_ns;
	const struct record_span *span;
	int64_t end_ns;
	size_t n;

	if (record_reader_spans(backend->recording, &span, &n, NULL) || !n ||
	    record_reader_peek(backend->recording, from_ns, NULL))
		return 0;
	end_ns = span[n - 1].end_ns < to_ns ? span[n - 1].end_ns : to_ns;
	return end_ns > *from_ns ? (double)(end_ns - *from_ns) : 0;
}

void reading_begin(struct reading *r, const struct setup *s,
		   const struct progress_terminal *terminal)
{
	const char *file = s->config.options.replay, *slash = strrchr(file, '/');
	const double length = find_length(&s->backend, &r->from_ns);

	r->refreshes = false;
	strbuf_init(&r->what);
	strbuf_addf(&r->what, "reading %s", slash ? slash + 1 : file);
	progress_begin(&r->progress, terminal,
		       &(struct progress_task){.what = r->what.text, .track = {{NULL, length}}});
}

void reading_begin_refreshes(struct reading *r, long wanted,
			     const struct progress_terminal *terminal)
{
	r->refreshes = true;
	strbuf_init(&r->what);
	progress_begin(&r->progress, terminal,
		       &(struct progress_task){.what = "refresh",
					       .numbered = true,
					       .track = {{NULL, (double)wanted}}});
	progress_begin_unit(&r->progress, 0);
}

void reading_note(struct reading *r, const struct backend *backend, const struct pipeline *p)
{
	uint64_t mono_ns;

	if (!r->progress.terminal)
		return;
	if (r->refreshes) {
		progress_end_unit(&r->progress);
		progress_begin_unit(&r->progress, 0);
		return;
	}
	mono_ns = p->sample[p->newest]->mono_ns;
	progress_set(&r->progress, 0,
		     (double)(record_reader_at(backend->recording, mono_ns) - r->from_ns));
}

void reading_end(struct reading *r)
{
	progress_end(&r->progress);
	strbuf_done(&r->what);
}

/* ---- keys ---- */

#define NS_PER_S  1000000000u
#define MINUTE_NS (60ll * NS_PER_S)

/* The previous interval begins two samples before the last one read. */
#define BACK (-2)

/* Moves the reader so that the last interval that ends at or before this time is read next; before
 * the end of the first interval, the first one. */
static int seek(struct backend *backend, int64_t at_ns, enum replaying_effect *effect,
		struct err *err)
{
	int ret = record_reader_seek(backend->recording, at_ns, err);

	*effect = REPLAYING_JUMP;
	if (!ret)
		ret = record_reader_step_back(backend->recording, err);
	return ret < 0 ? ret : 0;
}

static int jump(struct backend *backend, const char *text, enum replaying_effect *effect,
		struct err *err)
{
	int64_t to_ns;
	int ret = recorded_find_time(backend, text, 0, SECOND_END, &to_ns, err);

	return ret ? ret : seek(backend, to_ns, effect, err);
}

static void change_speed(struct replay_pace *pace, double factor)
{
	const double speed = pace->speed * factor;

	/* During a pause, a key for speed only ends the pause. */
	if (!pace->paused && speed <= REPLAY_SPEED_MAX && speed * REPLAY_SPEED_MAX >= 1)
		pace->speed = speed;
	pace->paused = false;
}

int replaying_handle(struct backend *backend, const struct request *request, uint64_t mono_ns,
		     enum replaying_effect *effect, struct err *err)
{
	struct replay_pace *pace = source_replay_pace(backend->source);

	*effect = REPLAYING_PACE;
	if (request->kind == REQUEST_JUMP)
		return jump(backend, request->text, effect, err);
	switch ((enum replay_key)request->signal) {
	case REPLAY_BACK:
		pace->paused = true;
		*effect = REPLAYING_JUMP;
		return record_reader_skip(backend->recording, BACK, err);
	case REPLAY_ON:
		pace->paused = true;
		*effect = REPLAYING_STEP;
		break;
	case REPLAY_MINUTE_BACK:
		return seek(backend, record_reader_at(backend->recording, mono_ns) - MINUTE_NS,
			    effect, err);
	case REPLAY_MINUTE_ON:
		return seek(backend, record_reader_at(backend->recording, mono_ns) + MINUTE_NS,
			    effect, err);
	case REPLAY_SLOWER:
		change_speed(pace, 0.5);
		break;
	case REPLAY_FASTER:
		change_speed(pace, 2);
		break;
	case REPLAY_PAUSE:
		pace->paused = !pace->paused;
		break;
	}
	return 0;
}

static void add_pause_key(const struct setup *s, const char *does, struct strbuf *out)
{
	struct strbuf key;

	strbuf_init(&key);
	keymap_add_key_of(&s->config.keymap, "pause", &key);
	if (key.len)
		strbuf_addf(out, ": %s %s", key.text, does);
	strbuf_done(&key);
}

/* Appends the position in the recording, and the key that pauses or plays, unless the replay has
 * reached the end: "replay of r.db: 2026-11-22 14:03:20, paused: Z plays". */
static void add_place(const struct setup *s, uint64_t wall_ns, bool at_end, struct strbuf *out)
{
	const struct replay_pace *pace = source_replay_pace(s->backend.source);

	strbuf_addstr(out, "replay of ");
	text_add(out, basename(s->config.options.replay));
	strbuf_addstr(out, ": ");
	clock_add_date(out, wall_ns);
	if (pace->paused)
		strbuf_addstr(out, ", paused");
	else if (pace->speed != 1)
		strbuf_addf(out, ", speed %g", pace->speed);
	else if (!at_end)
		strbuf_addstr(out, ", playing");
	if (!at_end)
		add_pause_key(s, pace->paused ? "plays" : "pauses", out);
}

void replaying_put_place(const struct setup *s, uint64_t wall_ns, bool at_end, int status,
			 char *note, size_t size)
{
	struct strbuf whole;

	strbuf_init(&whole);
	add_place(s, wall_ns, at_end, &whole);
	if (at_end && status >= 0)
		strbuf_addf(&whole, ", the command has ended with status %d", status);
	if (at_end)
		keymap_add_text(&s->config.keymap,
				", the end: " KEY_OF("replay-back") " and " KEY_OF(
					"replay-minute-back") " go back",
				&whole);
	else
		strbuf_addf(&whole, "%s%s", *note ? "; " : "", note);
	snprintf(note, size, "%s", whole.text);
	strbuf_done(&whole);
}

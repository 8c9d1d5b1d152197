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
#include "base/num.h"
#include "conf/option.h"
#include "conf/write.h"
#include "conf/xml.h"
#include "config.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "output/record_output.h"
#include "pmu/event/merge.h"
#include "record/writer.h"
#include "run/command_output.h"
#include "run/wait.h"
#include "screen/bind/counters.h"

/* ---- retention option ----
 * Parses the retention options.
 *
 *   --record-max 500M,7d     a size in K, M or G (of 1024), a time in s, m, h or d, or both
 *   --record-around 5m,30s   time before and after a refresh of --record-when; a single time
 *                            applies to both
 *
 * Errors: -EINVAL with a sentence that names the option. */

/* Default of --record-around. */
#define KEEP_AROUND "5m"

/* Smaller files would hold little but empty tables. */
#define BYTES_MIN (1024 * 1024.0)
#define BYTES_MAX 1e15
#define NS_PER_S  1e9
#define NS_MAX    (1e18)

static const struct {
	char letter;
	bool is_time;
	double of; /* factor to bytes or ns */
} units[] = {
	{'K', false, 1024},
	{'M', false, 1024 * 1024},
	{'G', false, 1024.0 * 1024 * 1024},
	{'s', true, NS_PER_S},
	{'m', true, 60 * NS_PER_S},
	{'h', true, 3600 * NS_PER_S},
	{'d', true, 24 * 3600 * NS_PER_S},
};

/* Parses a number with its unit. *out: in bytes or ns. */
static int parse_amount(const char *text, const char *what, bool *is_time, double *out,
			struct err *err)
{
	const size_t len = strlen(text);
	char *number = xstrdup(text);
	int ret = -EINVAL;

	for (size_t i = 0; len && i < sizeof units / sizeof *units; i++) {
		if (text[len - 1] != units[i].letter)
			continue;
		number[len - 1] = '\0';
		ret = num_parse_double(number, what, 0, BYTES_MAX, out, err);
		*out *= units[i].of;
		*is_time = units[i].is_time;
		free(number);
		return ret;
	}
	free(number);
	return err_set(err, EINVAL, "%s: '%s' is neither a size (K, M, G) nor a time (s, m, h, d)",
		       what, text);
}

/* Calls take() with each word between commas and its index. */
static int each_word(const char *list,
		     int (*take)(struct record_limits *, int, const char *, struct err *),
		     struct record_limits *out, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *word;
	int ret = 0;

	for (int i = 0; !ret && (word = strsep(&rest, ",")); i++)
		ret = take(out, i, word, err);
	free(copy);
	return ret;
}

static int take_max(struct record_limits *out, int i, const char *word, struct err *err)
{
	double amount;
	bool is_time;
	int ret = parse_amount(word, "--record-max", &is_time, &amount, err);

	(void)i;
	if (ret)
		return ret;
	if (is_time && (amount < NS_PER_S || amount > NS_MAX))
		return err_set(err, EINVAL,
			       "--record-max: '%s': a second at least, 30 years at most", word);
	if (!is_time && (amount < BYTES_MIN || amount > BYTES_MAX))
		return err_set(err, EINVAL, "--record-max: '%s': 1M at least", word);
	if (is_time)
		out->ns = (uint64_t)amount;
	else
		out->bytes = (uint64_t)amount;
	return 0;
}

/* Parses a time of --record-around. The first time applies before and after the refresh, unless a
 * second one follows. */
static int take_around(struct record_limits *out, int i, const char *word, struct err *err)
{
	double amount;
	bool is_time;
	int ret = parse_amount(word, "--record-around", &is_time, &amount, err);

	if (ret)
		return ret;
	if (!is_time || amount > NS_MAX || i > 1)
		return err_set(
			err, EINVAL,
			"--record-around: '%s': one time, or two with ',' between them, in s, "
			"m, h or d",
			word);
	if (!i)
		out->before_ns = (uint64_t)amount;
	out->after_ns = (uint64_t)amount;
	return 0;
}

static int keep_parse(struct record_limits *out, const struct options *options, struct err *err)
{
	int ret = 0;

	*out = (struct record_limits){.marked_only = options->record_when};
	if (options->record_around && !options->record_when)
		return err_set(err, EINVAL, "--record-around needs a condition: add --record-when");
	if (options->record_max)
		ret = each_word(options->record_max, take_max, out, err);
	if (!ret && options->record_when)
		ret = each_word(options->record_around ? options->record_around : KEEP_AROUND,
				take_around, out, err);
	return ret;
}

/* ---- recording ---- */

static void add_screen(struct setup *s, size_t screen)
{
	for (size_t i = 0; i < s->display.n_also; i++)
		if (s->display.also[i] == screen)
			return;
	s->display.also = xgrow(s->display.also, &s->display.cap_also, s->display.n_also + 1,
				sizeof *s->display.also);
	s->display.also[s->display.n_also++] = screen;
}

/* Adds the screens of a list of names; the name "all" adds all screens. */
static int find_screens(struct setup *s, const char *list, struct err *err)
{
	char *copy = xstrdup(list), *rest = copy, *name;
	int ret = 0;

	while (!ret && (name = strsep(&rest, ","))) {
		const bool all = !strcmp(name, "all");
		const int i = all ? 0 : screen_list_find(&s->config.screens, name, err);

		ret = i < 0 ? err_prefix(err, "--record-screens") : 0;
		for (size_t k = 0; all && k < s->config.screens.n; k++)
			add_screen(s, k);
		if (!ret && !all)
			add_screen(s, (size_t)i);
	}
	free(copy);
	return ret;
}

/* Names and values of options: each name is followed by its value. */
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

static int check_path(const struct configuration *config, const char *path, struct err *err)
{
	const struct {
		const char *path, *what;
	} others[] = {
		{config->options.output, "output (-o)"},
		{config->options.replay, "what is replayed (--replay)"},
		{config->options.errors_path, "faults (-E)"},
		{config->file.path, "the configuration"},
	};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].path && file_paths_same(path, others[i].path))
			return err_set(err, EINVAL,
				       "the recording (--record) and %s would overwrite each other "
				       "in '%s': name two files",
				       others[i].what, path);
	return 0;
}

int recording_prepare(struct setup *s, struct err *err)
{
	const struct options *o = &s->config.options;
	struct condition *when = NULL;
	struct record_limits keep;
	int ret = keep_parse(&keep, o, err);

	if (!ret && o->record_screens)
		ret = find_screens(s, o->record_screens, err);
	if (ret || !o->record_when)
		return ret;
	if (condition_compile(&when, o->record_when, s->config.screens.v[s->display.view.screen],
			      err))
		return err_prefix(err, "--record-when");
	s->display.record_facts = condition_facts(when);
	s->display.record_screen = s->display.view.screen;
	add_screen(s, s->display.view.screen);
	condition_free(when);
	return 0;
}

struct fact_set recording_facts(const struct setup *s)
{
	if (!s->config.options.record || configuration_kind(&s->config) != &kind_task)
		return s->display.record_facts;
	return fact_or(s->display.record_facts, FACT_SET(FACT_WAIT_NS));
}

void recording_want(struct setup *s, struct want *want)
{
	const struct offer offer = backend_offer(&s->config, &s->backend, s->display.view.kernel);
	int lacking = 0;
	char text[ERR_TEXT_MAX];

	for (size_t i = 0; i < s->display.n_also; i++) {
		const struct screen *screen = s->config.screens.v[s->display.also[i]];
		struct event_set events;

		setup_fit(s, s->display.also[i]);
		counters_make_set(&events, screen, &offer);
		offer.ops->describe(&offer, &events);
		lacking += event_set_merge(&want->events, &events);
		want->facts = fact_or(want->facts, screen->facts);
	}
	if (!lacking)
		return;
	snprintf(text, sizeof text,
		 "%d counters of the screens that are recorded find no room: %d events at most are "
		 "counted of a task",
		 lacking, EVENT_SET_MAX);
	log_add(&s->config.log, LOG_SCREEN, text);
}

void recording_tell(struct setup *s, const struct frame *frame)
{
	if (s->display.n_also && frame->interval_ns && frame->least_share < 1)
		log_add(&s->config.log, LOG_SCREEN,
			"the events of the screens that are recorded (--record-screens) do not fit "
			"on "
			"the PMU together: they take turns, and their counts are scaled");
}

static void screen_text(struct strbuf *out, const struct screen *screen)
{
	conf_format_screen(out, screen, NULL);
}

/* Sets retention, condition and screens of the recording. The condition always uses the screen at
 * the start, even when keys show another screen. */
static int choose(struct sink *sink, struct setup *setup, struct err *err)
{
	const struct offer offer =
		backend_offer(&setup->config, &setup->backend, setup->display.view.kernel);
	struct record_choice choice = {.n_also = setup->display.n_also};
	int ret = keep_parse(&choice.keep, &setup->config.options, err);

	choice.screen = setup->config.screens.v[setup->display.record_screen];
	if (!ret && setup->config.options.record_when)
		ret = condition_compile(&choice.when, setup->config.options.record_when,
					choice.screen, err);
	if (ret)
		return ret;
	if (choice.when) {
		struct event_set events;

		counters_make_set(&events, choice.screen, &offer);
		offer.ops->describe(&offer, &events);
		counters_describe(&choice.numbers, &events);
		event_set_done(&events);
	}
	choice.also = xcalloc(choice.n_also + 1, sizeof *choice.also);
	for (size_t i = 0; i < choice.n_also; i++)
		choice.also[i] = setup->config.screens.v[setup->display.also[i]];
	return record_choose(sink, &choice, err);
}

void recording_say_wait(const char *path)
{
	struct err why = ERR_INIT;

	err_set(&why, EBUSY,
		"another program has locked the recording '%s': tiptop waits some seconds for it; "
		"Ctrl-C gives up what is not written",
		path);
	print_fault(&why, 0);
}

void recording_say_use(const char *path, const struct kind *kind)
{
	if (!isatty(STDERR_FILENO))
		return;
	fprintf(stderr, "tiptop: '%s' is recorded: ", path);
	if (kind == &kind_task)
		fprintf(stderr, "'tiptop what %s' summarizes it, ", path);
	fprintf(stderr, "'tiptop%s --replay %s' shows it again\n", kind ? "" : " follow", path);
}

static int begin(struct sink *sink, struct setup *setup, const char *path, struct err *err)
{
	struct texts options = {.n = 0};
	struct utsname system;
	struct record_about about = {.kernel = system.release,
				     .version = PACKAGE_VERSION,
				     .command = setup->config.options.command,
				     .report_wait = recording_say_wait,
				     .reports_late = options_are_live(&setup->config.options),
				     .stops = signals_end_pending};
	int ret;

	uname(&system);
	conf_each_option(&setup->config.options, add_option, &options);
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
	int ret = check_path(&setup->config, path, err);

	if (!ret)
		ret = outputs_add(o, &sink, &sink_record, &none, err);
	if (ret)
		return ret;
	ret = begin(sink, setup, path, err);
	if (ret)
		outputs_end(o, sink, NULL);
	else if (record_note(sink))
		log_add(&setup->config.log, LOG_SCREEN, record_note(sink));
	return ret;
}

/* Begins a recording with the current sample, so that already the next sample has an interval. */
static int begin_with_sample(struct outputs *o, struct setup *setup, const struct pipeline *p,
			     const char *path, struct err *err)
{
	struct sink *sink;
	int ret = recording_add(o, setup, path, err);

	if (ret)
		return ret;
	sink = recording_find(o);
	ret = sink->ops->sample(sink, p->sample[p->newest], err);
	if (ret)
		outputs_end(o, sink, NULL);
	return ret;
}

int recording_start(struct outputs *o, struct setup *setup, const struct pipeline *p,
		    const char *text, struct err *err)
{
	char *path;
	int ret = conf_expand_path(text, &path, err);

	if (!ret)
		ret = begin_with_sample(o, setup, p, path, err);
	if (ret) {
		free(path);
		return ret;
	}
	free(setup->config.options.record);
	setup->config.options.record = path;
	return 0;
}

void recording_end(struct outputs *o, struct sink *sink, const char *path, struct err *said)
{
	record_hurry(sink);
	outputs_end(o, sink, said);
	if (!said->code)
		snprintf(said->text, sizeof said->text,
			 "the recording has ended: 'tiptop --replay %s' shows it again, 'tiptop "
			 "what %s' says what happened",
			 path, path);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/output.h"

#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"
#include "conf/option.h"
#include "conf/write.h"
#include "conf/xml.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "output/metrics.h"
#include "output/output.h"
#include "output/record_output.h"
#include "pmu/event/describe.h"
#include "record/writer.h"
#include "run/command_output.h"
#include "run/wait.h"
#include "screen/bind/counters.h"
#include "tui/canvas.h"
#include "tui/live.h"

/* ---- files ---- */

/* Returns the path unless it is standard output, which is written in place. */
static const char *replaced_path(const char *path)
{
	return path && file_is(STDOUT_FILENO, path) ? NULL : path;
}

int output_check_files(const struct configuration *config, enum output_file which, const char *path,
		       struct err *err)
{
	const struct options *o = &config->options;
	/* The key W may replace configuration files. */
	const size_t n_added = which == OUTPUT_CONFIGURATION ? 0 : config->n_added;
	const struct dest_file files[] = {
		[OUTPUT_ALL] = {NULL, NULL, DEST_IS_READ},
		[OUTPUT_CONFIGURATION] = {"the saved configuration", NULL, DEST_IS_REPLACED},
		[OUTPUT_PICTURE] = {which == OUTPUT_PICTURE ? "the picture"
							    : "the picture (--screenshot)",
				    replaced_path(o->screenshot), DEST_IS_REPLACED},
		[OUTPUT_RECORDING] = {"the recording (--record)", o->record, DEST_IS_WRITTEN},
		{"the output (-o)", o->output && strcmp(o->output, "-") ? o->output : "/dev/stdout",
		 DEST_IS_WRITTEN},
		{"the faults (-E)", o->errors_path, DEST_IS_WRITTEN},
		{"the metrics (--metrics)", replaced_path(o->metrics), DEST_IS_REPLACED},
		{"the recording that is replayed (--replay)", o->replay, DEST_IS_READ},
		{"the configuration", which == OUTPUT_CONFIGURATION ? NULL : config->file.path,
		 DEST_IS_READ},
	};
	const size_t n = sizeof files / sizeof *files;
	struct dest_file *file = xcalloc(n + n_added, sizeof *file);
	int ret;

	memcpy(file, files, sizeof files);
	if (which)
		file[which].path = path;
	for (size_t i = 0; i < n_added; i++)
		file[n + i] = (struct dest_file){"the configuration", config->added_path[i],
						 DEST_IS_READ};
	ret = dest_check_files(file, n + n_added, err);
	free(file);
	return ret;
}

/* Returns whether the destination is the terminal of the live screen, whatever its name: /dev/tty,
 * for example. */
static bool is_screen(const struct dest *dest)
{
	unsigned device, screen;

	return !ioctl(dest->fd, TIOCGDEV, &device) && !ioctl(STDOUT_FILENO, TIOCGDEV, &screen) &&
	       device == screen;
}

/* ---- faults ---- */

/* Returns ret, but -EIO in place of -EPIPE: for the loop, -EPIPE means that the reader of the
 * output has exited, which is not an error. */
static int refuse(int ret, struct err *err)
{
	if (ret == -EPIPE)
		err->code = EIO;
	return ret ? -err->code : 0;
}

int faults_open(struct faults *f, const struct configuration *config, struct err *err)
{
	const struct options *o = &config->options;
	int ret;

	*f = (struct faults){
		.dest = DEST_NONE, .silent = options_are_live(o), .printed = config->log.n};
	if (output_check_files(config, OUTPUT_ALL, NULL, err)) {
		f->silent = true;
		return -EINVAL;
	}
	if (!o->errors_path)
		return 0;
	f->printed = 0;
	f->silent = false;
	ret = dest_open(&f->dest, o->errors_path, err);
	if (!ret && options_are_live(o) && is_screen(&f->dest))
		ret = err_set(err, EINVAL,
			      "the faults (-E) would overwrite the live screen: name a file, or "
			      "add -b");
	if (!ret)
		ret = dest_begin(&f->dest, err);
	if (ret)
		dest_close(&f->dest, true, NULL);
	f->silent = ret != 0;
	return refuse(ret, err);
}

static void print_to_terminal(struct faults *f, const char *line)
{
	if (f->progress)
		progress_hide(f->progress);
	fputs(line, stderr);
}

int faults_say(struct faults *f, const char *sentence, struct err *err)
{
	struct strbuf line;
	int ret = 0;

	if (f->silent)
		return 0;
	strbuf_init(&line);
	strbuf_addf(&line, "tiptop: %s\n", sentence);
	if (f->dest.fd >= 0)
		ret = refuse(dest_write(&f->dest, line.text, line.len, err), err);
	else
		print_to_terminal(f, line.text);
	strbuf_done(&line);
	return ret;
}

int faults_print(struct faults *f, struct log *log, bool end, struct err *err)
{
	struct strbuf text;
	int ret = 0;

	strbuf_init(&text);
	for (size_t i = end ? 0 : f->printed; i < log->n && !ret; i++) {
		struct log_line *line = &log->line[i];

		if (i < f->printed && line->printed == log_count_news(log, i))
			continue;
		line->printed = log_count_news(log, i);
		strbuf_reset(&text);
		log_put_line(log, i, &text);
		ret = faults_say(f, text.text, err);
	}
	f->printed = log->n;
	for (int kind = 0; end && kind < N_LOG_KINDS && !ret; kind++) {
		strbuf_reset(&text);
		if (log_put_dropped(log, (enum log_kind)kind, &text))
			ret = faults_say(f, text.text, err);
	}
	strbuf_done(&text);
	return ret;
}

bool faults_have_said(const struct faults *f, const struct log *log, const char *sentence)
{
	for (size_t i = 0; !f->silent && f->dest.fd < 0 && i < f->printed; i++)
		if (!strcmp(log->line[i].text, sentence))
			return true;
	return false;
}

int faults_close(struct faults *f, struct err *err)
{
	return refuse(dest_close(&f->dest, false, err), err);
}

/* ---- recording ---- */

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
#define BYTES_MIN  (1024 * 1024.0)
#define BYTES_MAX  (900000 * 1024.0 * 1024 * 1024)
#define NS_PER_S   1e9
#define NS_MAX     (30 * 365.25 * 24 * 3600 * NS_PER_S)
#define NUMBER_MAX 1e30

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
		ret = num_parse_double(number, what, 0, NUMBER_MAX, out, NULL);
		*is_time = units[i].is_time;
		if (!ret)
			*out *= units[i].of;
		break;
	}
	free(number);
	return !ret ? 0
		    : err_set(err, EINVAL,
			      "%s: '%s' is neither a size (K, M, G) nor a time (s, m, h, d)", what,
			      text);
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
	if (!is_time && amount < BYTES_MIN)
		return err_set(err, EINVAL, "--record-max: '%s': 1M at least", word);
	if (!is_time && amount > BYTES_MAX)
		return err_set(err, EINVAL, "--record-max: '%s': 900000G at most", word);
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
	if (!is_time || i > 1)
		return err_set(
			err, EINVAL,
			"--record-around: '%s': one time, or two with ',' between them, in s, "
			"m, h or d",
			word);
	if (amount > NS_MAX)
		return err_set(err, EINVAL, "--record-around: '%s': 30 years at most", word);
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

		/* The first screen would have the empty text in its name. */
		if (!*name)
			ret = err_set(err, EINVAL, "--record-screens: '%s' has an empty name",
				      list);
		else
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
	snprintf(
		text, sizeof text,
		"%d counters of the recorded screens are left out: tiptop counts at most %d events "
		"of a task",
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

/* Adds the output that records into the file `path`. Notes about it go to the log. */
static int recording_add(struct outputs *o, struct setup *setup, const char *path, struct err *err)
{
	const struct dest none = DEST_NONE;
	struct sink *sink;
	int ret = outputs_add(o, &sink, &sink_record, &none, err);

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
		ret = output_check_files(&setup->config, OUTPUT_RECORDING, path, err);
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

void recording_end(struct outputs *o, struct sink *sink, const char *path, const struct kind *kind,
		   struct err *said)
{
	char *what = kind == &kind_task ? xasprintf(", 'tiptop what %s' says what happened", path)
					: xstrdup("");

	record_hurry(sink);
	outputs_end(o, sink, said);
	if (!said->code)
		snprintf(said->text, sizeof said->text,
			 "the recording has ended: 'tiptop --replay %s' shows it again%s", path,
			 what);
	free(what);
}

/* ---- output ---- */

/* Finds the format of --format, or the default format. */
static int find_format(const struct sink_ops **out, const struct options *options, struct err *err)
{
	*out = options->lines ? &line_sink : sink_table[0];
	return options->format ? sink_find(out, options->format, err) : 0;
}

/* Finds the key of --metrics-by; default: program and user. */
static int metrics_key(const struct options *options, enum group_key *key, struct err *err)
{
	*key = GROUP_PROGRAM_USER;
	return options->metrics_by ? group_key_find(options->metrics_by, &kind_task, key, err) : 0;
}

/* Checks options that need --record. On the live screen, a key may begin a recording later. */
static int check_record(const struct options *o, struct err *err)
{
	const char *what = o->record_max       ? "--record-max"
			   : o->record_when    ? "--record-when"
			   : o->record_around  ? "--record-around"
			   : o->record_screens ? "--record-screens"
					       : NULL;

	if (!what || o->record || options_are_live(o))
		return 0;
	return err_set(err, EINVAL, "%s needs a recording: add --record", what);
}

int output_check(const struct options *options, struct err *err)
{
	const struct sink_ops *format;
	enum group_key key;
	int width, height, ret;

	if (check_record(options, err))
		return -EINVAL;
	if (options->metrics_source && (!options->metrics || !*options->metrics_source))
		return err_set(err, EINVAL,
			       options->metrics ? "--metrics-source: the name is empty"
						: "--metrics-source needs metrics: add --metrics");
	if (options->page && options->batch)
		return err_set(
			err, EINVAL,
			"--page needs the live screen: leave out -b, and options that imply it "
			"(--format, --explain-verdict, --repeat)");
	if (options->size && !options->screenshot)
		return err_set(err, EINVAL, "--size needs a picture: add --screenshot");
	if (options->screenshot && !picture_find(options->screenshot, err))
		return -EINVAL;
	if (options->size && shot_parse_size(options->size, &width, &height, err))
		return -EINVAL;
	ret = find_format(&format, options, err);
	return ret ? ret : metrics_key(options, &key, err);
}

int output_check_fields(const struct setup *setup, struct err *err)
{
	const struct options *options = &setup->config.options;
	const struct sink_ops *format;
	int ret = find_format(&format, options, err);

	return ret ? ret
		   : fields_check(options->fields, format->lacks,
				  setup->config.screens.v[setup->display.view.screen],
				  &setup->display.view, err);
}

/* Checks for --append that the header in the file is the one of the lines to append. A file of
 * --repeat may continue one with rows, or its own. */
static int check_header(const struct sink *sink, const struct setup *setup, struct err *err)
{
	const char *summary = setup->config.options.repeat ? sink->ops->summary_header : NULL;
	struct strbuf text;
	int ret;

	if (summary && dest_begins_with(&sink->dest, summary))
		return dest_check(&sink->dest, summary, err);
	strbuf_init(&text);
	ret = sink->ops->header(sink, setup->config.screens.v[setup->display.view.screen],
				&setup->display.view, &text, err);
	if (!ret)
		ret = dest_check(&sink->dest, text.text, err);
	strbuf_done(&text);
	return ret;
}

static int open_file(struct dest *dest, const struct setup *setup, struct err *err)
{
	const char *name = setup->config.options.output;
	const char *path = name && strcmp(name, "-") ? name : NULL;
	int ret = dest_open_or_append(dest, path, setup->config.options.append, err);

	if (!ret && path && options_are_live(&setup->config.options) && is_screen(dest))
		ret = err_set(err, EINVAL,
			      "output (-o) would overwrite the live screen: name a file, or add "
			      "-b");
	if (ret)
		dest_close(dest, true, NULL);
	return ret;
}

static bool is_fifo(const char *path)
{
	struct stat st;

	return path && !stat(path, &st) && S_ISFIFO(st.st_mode);
}

static int add_file(struct outputs *o, const struct setup *setup, struct err *err)
{
	const struct sink_ops *format;
	struct sink *sink;
	struct dest dest = DEST_NONE;
	int ret = find_format(&format, &setup->config.options, err);

	if (!ret)
		ret = open_file(&dest, setup, err);
	if (!ret)
		ret = outputs_add(o, &sink, format, &dest, err);
	if (ret)
		return ret;
	sink->ends_loop = setup->config.options.batch;
	sink->fields = setup->config.options.fields;
	sink->rows = (size_t)setup->config.options.rows;
	return setup->config.options.append ? check_header(sink, setup, err) : 0;
}

struct fact_set output_facts(const struct options *options)
{
	enum group_key key;

	return options->metrics && !metrics_key(options, &key, NULL) ? group_key_table[key].facts
								     : FACT_NONE;
}

static int add_metrics(struct outputs *o, struct setup *setup, struct err *err)
{
	const struct options *options = &setup->config.options;
	const struct dest dest = {.fd = -1, .path = options->metrics};
	const char *command = setup->config.command_name;
	struct metrics_choice choice = {.n = (size_t)options->rows,
					.source = options->metrics_source};
	/* "locks --live" becomes "locks". */
	char *view = command ? xstrndup(command, strcspn(command, " ")) : NULL;
	struct err note = ERR_INIT;
	struct sink *sink;
	int ret = metrics_key(options, &choice.key, err);

	choice.view = view;
	if (setup->config.screen_asked)
		choice.screen = setup->config.screens.v[setup->display.view.screen]->name;
	if (!ret)
		ret = outputs_add(o, &sink, &metrics_sink, &dest, err);
	if (!ret) {
		sink->ends_loop = options->batch;
		metrics_choose(sink, &choice);
		if (metrics_collide(sink, &note))
			log_add(&setup->config.log, LOG_SCREEN, note.text);
	}
	free(view);
	return ret;
}

/* Adds the output of --screenshot, which writes a new file and renames it, so that readers see a
 * complete picture. */
static int add_shot(struct outputs *o, const struct options *options, const struct live_info *info,
		    struct err *err)
{
	struct dest dest = DEST_NONE;
	struct sink *sink;
	int ret = dest_open_beside(&dest, options->screenshot, true, err);

	if (!ret)
		ret = outputs_add(o, &sink, &shot_sink, &dest, err);
	if (!ret) {
		sink->ends_loop = true;
		shot_set_info(sink, info, options->size);
	}
	return ret;
}

int output_open(struct outputs *o, struct sink **screen, struct setup *setup,
		const struct signals *signals, const struct live_info *info, struct err *err)
{
	const struct options *options = &setup->config.options;
	const struct dest none = DEST_NONE;
	const bool waits = is_fifo(options->output);
	int ret = 0;

	*screen = NULL;
	/* Files are opened before the live screen takes the terminal, on which errors are
	 * reported. */
	if (waits)
		signals_unblock(signals, true);
	if (options->batch || options->output)
		ret = add_file(o, setup, err);
	if (waits)
		signals_unblock(signals, false);
	if (!ret && options->metrics)
		ret = add_metrics(o, setup, err);
	if (!ret && options->record)
		ret = recording_add(o, setup, options->record, err);
	if (!ret && options->screenshot)
		ret = add_shot(o, options, info, err);
	if (!ret && options_are_live(options))
		ret = outputs_add(o, screen, &live_sink, &none, err);
	if (ret)
		outputs_close(o, true, NULL);
	else if (*screen)
		(*screen)->ends_loop = true;
	return ret;
}

int output_close(struct outputs *o, struct sink *screen, bool hurry, int ret, struct err *err)
{
	struct err own = ERR_INIT;
	int own_ret;

	if (screen && hurry)
		live_at_once(live_of(screen));
	if (hurry)
		outputs_hurry(o);
	own_ret = outputs_close(o, ret != 0, &own);
	/* After a signal, output that was not read in time is not an error. */
	if (ret || !own_ret || own_ret == -ECANCELED)
		return ret;
	*err = own;
	return own_ret;
}

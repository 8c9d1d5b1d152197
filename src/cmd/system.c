/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop system [interval [count]]: CPUs in place of tasks. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/destination.h"
#include "base/mem.h"
#include "base/num.h"
#include "cmd/command.h"
#include "cmd/listing.h"
#include "collect/cpu/cpus.h"
#include "collect/cpu/ticks.h"
#include "collect/task/procfs.h"
#include "conf/option.h"
#include "model/kinds.h"
#include "pmu/check/refusal.h"
#include "pmu/perf/core.h"
#include "report/format.h"
#include "run/command_output.h"
#include "run/wait.h"
#include "session/config_files.h"
#include "session/setup.h"
#include "session/setup_start.h"

static const struct command command_system_raw;

/* ---- words of both forms ---- */

#define COUNT_MAX 1000000000

/* Parses the words "[interval [count]]"; leaves the number of a missing word unchanged. -EINVAL: a
 * word is not a number, or out of range. */
static int system_take_words(const struct option_list *arguments, double *interval_s, long *count,
			     struct err *err)
{
	const char *interval = option_word(arguments, 0), *times = NULL;

	if (interval)
		times = option_word(arguments, 1);
	if (interval && num_parse_double(interval, "the interval", OPTION_DELAY_MIN,
					 OPTION_DELAY_MAX, interval_s, err))
		return -EINVAL;
	return times ? num_parse_int(times, "the count", 1, COUNT_MAX, count, err) : 0;
}

/* Parses the list of --cpus; NULL: leaves the list unchanged. -EINVAL: it is not a list. */
static int system_take_cpus(const char *text, struct cpu_list *list, struct err *err)
{
	if (!text)
		return 0;
	if (!cpu_list_is(text))
		return err_set(err, EINVAL, "--cpus: '%s' is not a list of CPUs, such as 0-3,8",
			       text);
	cpu_list_parse(list, text);
	return 0;
}

/* ---- raw ----
 *
 * The loop of "tiptop system --raw": sets of counters take turns on the CPUs, and the counts of a
 * set are written when its turn ends.
 *
 * The loop ends after the wanted number of turns (with a period: of cycles through all sets), by a
 * signal, or when the reader of the output has closed the pipe; then the totals are written.
 */

struct raw {
	/* The parameters. */
	double interval_s, period_s; /* period_s: 0: none */
	long count;                  /* number of turns or cycles; 0: unlimited */
	char stamp;                  /* 'u', 'd': a line with the time before each tick; 0: none */
	bool no_header;
	enum report_format_id format;
	struct anonymous anonymous;
	/* Resources that the caller opens and closes. */
	struct ticks ticks;
	int n_sets;
	struct dest dest;
	struct signals signals;
	/* Private state. */
	struct rotation rotation;
	struct pace pace;
	struct strbuf text;
	bool counting; /* a turn has begun */
	long taken;    /* number of turns that have ended */
	bool done;
	int signal; /* the signal that ended the loop; 0: none */
};

static int flush(struct raw *r, struct err *err)
{
	int ret = r->text.len ? dest_write(&r->dest, r->text.text, r->text.len, err) : 0;

	strbuf_reset(&r->text);
	return ret;
}

static int begin_turn(struct raw *r, struct err *err)
{
	struct err note = ERR_INIT;
	int ret = ticks_start(&r->ticks, rotation_set(&r->rotation), &note, err);

	if (ret)
		return ret;
	/* The column of a missing event shows '-'; the reason is reported once for each set. */
	if (note.code && r->rotation.number < r->rotation.n_sets)
		print_fault(&note, 0);
	r->counting = true;
	return pace_at(&r->pace, rotation_end_ns(&r->rotation), err);
}

/* Adds a line with the time, like the tools of Solaris. */
static void add_stamp(struct raw *r)
{
	const time_t at = (time_t)(clock_ns(CLOCK_REALTIME) / 1000000000u);
	struct tm tm;
	char text[64];

	if (!r->stamp)
		return;
	if (r->stamp == 'u')
		strbuf_addf(&r->text, "%lld\n", (long long)at);
	else if (localtime_r(&at, &tm) && strftime(text, sizeof text, "%a %b %e %T %Z %Y", &tm))
		strbuf_addf(&r->text, "%s\n", text);
}

static bool is_complete(const struct raw *r)
{
	return r->count && (r->period_s > 0 ? rotation_cycle(&r->rotation) >= (uint64_t)r->count
					    : r->taken >= r->count);
}

/* Reports skipped turns: among the rows if these are text, else on standard error. */
static void report_late(struct raw *r, uint64_t passed)
{
	const unsigned long long n = passed;
	const char *what = n == 1 ? "turn was" : "turns were";

	if (r->format == REPORT_AS_TEXT)
		strbuf_addf(&r->text, "# late: %llu %s passed over\n", n, what);
	else
		fprintf(stderr, "tiptop: system --raw: late: %llu %s passed over\n", n, what);
}

static int end_turn(struct raw *r, struct err *err)
{
	uint64_t passed;
	int ret;

	add_stamp(r);
	ret = ticks_take(&r->ticks, &r->text, err);
	if (ret)
		return ret;
	r->taken++;
	r->counting = false;
	passed = rotation_next(&r->rotation, clock_ns(CLOCK_MONOTONIC));
	r->done = is_complete(r);
	if (passed && !r->done)
		report_late(r, passed);
	ret = flush(r, err);
	if (ret || r->done)
		return ret;
	if (rotation_start_ns(&r->rotation) <= clock_ns(CLOCK_MONOTONIC))
		return begin_turn(r, err);
	return pace_at(&r->pace, rotation_start_ns(&r->rotation), err);
}

static int on_timer(void *context, int fd, struct err *err)
{
	struct raw *r = context;
	bool due;
	int ret = pace_read_timer(&r->pace, &due, err);

	(void)fd;
	if (ret || !due)
		return ret;
	return r->counting ? end_turn(r, err) : begin_turn(r, err);
}

static int on_signal(void *context, int fd, struct err *err)
{
	struct raw *r = context;
	struct signal_event taken;

	(void)fd, (void)err;
	while ((taken = signals_next(&r->signals)).meaning != SIGNAL_NONE)
		if (taken.meaning == SIGNAL_END) {
			r->signal = taken.number;
			r->done = true;
		}
	return 0;
}

static int on_reader_gone(void *context, int fd, struct err *err)
{
	struct raw *r = context;

	(void)fd, (void)err;
	r->done = true;
	return 0;
}

static int run_turns(struct raw *r, struct err *err)
{
	struct wait wait = WAIT_INIT;
	int ret;

	rotation_begin(&r->rotation, r->n_sets, r->interval_s, r->period_s,
		       clock_ns(CLOCK_MONOTONIC));
	r->ticks.begin_ns = r->rotation.begin_ns;
	ret = begin_turn(r, err);
	while (!ret && !r->done) {
		wait_reset(&wait);
		wait_add(&wait, r->signals.fd, POLLIN, on_signal, r);
		wait_add(&wait, r->pace.timer_fd, POLLIN, on_timer, r);
		wait_add(&wait, r->dest.fd, 0, on_reader_gone, r);
		ret = wait_run(&wait, &r->done, err);
	}
	wait_done(&wait);
	if (ret)
		return ret;
	tick_rows_totals(&r->ticks.rows, &r->text);
	return flush(r, err);
}

/* Runs the loop. Returns 0, or -errno with a sentence; -EPIPE: the reader has closed the pipe. */
static int raw_run(struct raw *r, struct err *err)
{
	int ret = pace_begin(&r->pace, NULL, err);

	strbuf_init(&r->text);
	if (!r->no_header || r->format == REPORT_AS_HTML)
		tick_rows_header(&r->ticks.rows, &r->text);
	if (!ret)
		ret = command_prepare_output(&r->dest, r->format, "raw", NULL, &r->anonymous,
					     &r->text, err);
	if (!ret)
		ret = dest_begin(&r->dest, err);
	if (!ret)
		ret = run_turns(r, err);
	pace_end(&r->pace);
	strbuf_done(&r->text);
	return ret;
}

/* ---- system raw ---- */

#define DEFAULT_INTERVAL_S 5

struct raw_options {
	int task;
	bool raw, cycles, no_header, append, soaker, debug, anonymize;
	double period_s;
	char *events, *stamp, *cpus, *output, *format, *fields, *conf_path;
};

#define RAW_FIELD(name) .offset = offsetof(struct raw_options, name)

static const struct option_row raw_rows[] = {
	{.group = "Options",
	 .long_name = "help",
	 .short_name = 'h',
	 .kind = OPTION_TASK,
	 .number = TASK_LIST_EVENTS,
	 .help = "print this text and the events of this machine, and exit"},
	{.long_name = "raw",
	 .kind = OPTION_FLAG,
	 RAW_FIELD(raw),
	 .help = "raw counts, as cpustat has them"},
	COMMAND_SETS_ROW(struct raw_options, events,
			 "a set of counters as for tiptop -e, in user mode unless ,sys or "
			 ",nouser,sys follows; sets take turns, one per interval"),
	{.long_name = "period",
	 .short_name = 'p',
	 .arg = "seconds",
	 .what = "the period",
	 .kind = OPTION_DOUBLE,
	 .min = 0,
	 .max = OPTION_DELAY_MAX,
	 RAW_FIELD(period_s),
	 .help = "run through all sets once in this many seconds; count is then the number of "
		 "these cycles"},
	COMMAND_CYCLES_ROW(struct raw_options, cycles,
			   "the cycles of the CPU, as the first counter of each set"),
	{.long_name = "stamp",
	 .short_name = 'T',
	 .arg = "u|d",
	 .what = "the time stamp",
	 .kind = OPTION_STRING,
	 RAW_FIELD(stamp),
	 .help = "a line with the time before each tick: seconds since 1970, or as date(1); text "
		 "only"},
	COMMAND_NO_HEADER_ROW(struct raw_options, no_header),
	COMMAND_CPUS_ROW(struct raw_options, cpus, "only these CPUs: 0-3,8"),
	COMMAND_OUTPUT_ROW(struct raw_options, output, "write to this file"),
	COMMAND_APPEND_ROW(struct raw_options, append),
	COMMAND_FORMAT_ROW(struct raw_options, format, "write in this format"),
	COMMAND_ANONYMIZE_ROW(struct raw_options, anonymize),
	COMMAND_FIELDS_ROW(struct raw_options, fields),
	COMMAND_CONFIG_ROW(struct raw_options, conf_path,
			   "read this file, or the .tiptoprc in this folder: its CPUs and events"),
	{.long_name = "soaker",
	 .short_name = 's',
	 .kind = OPTION_FLAG,
	 RAW_FIELD(soaker),
	 .help = "an option of cpustat that is not supported"},
	{.long_name = "debug",
	 .short_name = 'D',
	 .kind = OPTION_FLAG,
	 RAW_FIELD(debug),
	 .help = "an option of cpustat that is not supported"},
};

static const struct option_set raw_option_set = {
	.program = "tiptop system --raw",
	.no_table = "has the options and the lines of cpustat",
	.row = raw_rows,
	.n_rows = sizeof raw_rows / sizeof *raw_rows,
	.size = sizeof(struct raw_options),
	.n_words = 2,
};

struct raw_command {
	struct raw_options options;
	struct setup setup; /* only its machine, events, selected CPUs and source are used */
	struct counter_sets sets;
	struct raw raw;
};

static int check_options(struct raw_command *w, struct err *err)
{
	const struct raw_options *o = &w->options;
	int ret = report_find_format(&w->raw.format, o->format, REPORT_ALL_FORMATS, err);

	if (!ret)
		ret = report_check_anonymous(o->anonymize, w->raw.format, err);
	if (ret)
		return ret;
	if (o->soaker)
		return err_set(err, EINVAL,
			       "-s: there is no thread that soaks idle time up: counters of a CPU "
			       "are enabled in idle, too");
	if (o->debug)
		return err_set(err, EINVAL,
			       "-D: there is no debug mode: 'tiptop --check' says what can be "
			       "counted, and why the rest cannot");
	if (o->stamp && strcmp(o->stamp, "u") != 0 && strcmp(o->stamp, "d") != 0)
		return err_set(err, EINVAL,
			       "-T: '%s' is neither u (seconds since 1970) nor d (date)", o->stamp);
	if (o->stamp && w->raw.format != REPORT_AS_TEXT)
		return err_set(
			err, EINVAL,
			"-T: a line with the time stands in text only: leave out --format or "
			"-T");
	if (!o->events)
		return err_set(err, EINVAL,
			       "system --raw: there is nothing to count: -c cycles,instructions");
	return option_check_append(o->append, o->output, err);
}

static int take_raw_options(struct raw_command *w, const struct option_list *arguments,
			    struct err *err)
{
	const struct raw_options *o = &w->options;
	struct err why = ERR_INIT;
	int ret = option_apply(arguments, &w->options, err);

	if (!ret)
		ret = check_options(w, err);
	if (!ret)
		ret = system_take_cpus(o->cpus, &w->setup.backend.cpus, err);
	if (!ret)
		ret = system_take_words(arguments, &w->raw.interval_s, &w->raw.count, err);
	if (ret)
		return ret;
	w->raw.period_s = o->period_s;
	w->raw.no_header = o->no_header;
	page_about_begin_anonymous(&w->raw.anonymous, o->anonymize, NULL);
	w->raw.stamp = o->stamp ? *o->stamp : '\0';
	ret = counter_sets_make(&w->sets, o->events, o->cycles ? "cycles:uk" : NULL, false,
				&w->setup.backend.machine, &w->setup.backend.kernel.sys, err);
	if (!ret && counter_sets_explain_modes(&w->sets, &why))
		fprintf(stderr, "tiptop: system --raw: %s\n", why.text);
	return ret ? ret
		   : tick_rows_check_fields(w->sets.set, w->sets.n, o->cycles, o->fields, err);
}

/* Opens the source and the output. Fails without permission for CPU-wide events: rows of CPUs are
 * never made from tasks. */
static int open_source(struct raw_command *w, struct err *err)
{
	struct setup *s = &w->setup;
	int ret = refusal_try_cpus(&s->backend.kernel.sys, err);

	if (ret)
		return ret;
	s->backend.proc = procfs_new(err);
	if (!s->backend.proc)
		return -err->code;
	s->backend.source = source_cpus_new(
		&s->backend.kernel.sys, s->backend.proc, &s->backend.machine, NULL,
		&(struct cpus_scope){.only = w->options.cpus ? &s->backend.cpus : NULL});
	ret = configuration_check_output(&s->config, w->options.output, err);
	if (!ret)
		ret = dest_open_or_append(&w->raw.dest, w->options.output, w->options.append, err);
	return ret ? ret : signals_block(&w->raw.signals, SIGNALS_PLAIN, err);
}

static int count(struct raw_command *w, struct err *err)
{
	struct err closing = ERR_INIT;
	int ret = open_source(w, err);

	if (!ret) {
		w->raw.n_sets = w->sets.n;
		ticks_init(&w->raw.ticks, w->raw.format, w->setup.backend.source, w->sets.set,
			   w->sets.n, w->options.cycles);
		ret = tick_rows_choose(&w->raw.ticks.rows, w->options.fields, err);
		if (!ret)
			ret = raw_run(&w->raw, err);
		ticks_done(&w->raw.ticks);
	}
	if (ret == -EPIPE)
		ret = 0;
	if (dest_close(&w->raw.dest, ret, &closing) && !ret)
		ret = err_set(err, closing.code, "%s", closing.text);
	return ret;
}

/* Prints the help and the list of events, like cpustat -h. */
static int print_help(struct raw_command *w)
{
	struct report events;
	struct strbuf text;
	int status;

	strbuf_init(&text);
	report_init(&events);
	command_add_help(&command_system_raw, true, &text);
	strbuf_addch(&text, '\n');
	listing_events(&events, &w->setup.backend.machine, &w->setup.backend.kernel.sys, NULL);
	report_formats[REPORT_AS_TEXT].write(&events, true, &text);
	status = print_text(&text, 0);
	report_done(&events);
	strbuf_done(&text);
	return status;
}

static int run(const struct option_list *arguments)
{
	struct raw_command w = {.raw = {.interval_s = DEFAULT_INTERVAL_S, .dest = DEST_NONE}};
	struct err err = ERR_INIT;
	int status = 0;

	setup_init(&w.setup);
	signals_begin(&w.raw.signals);
	if (option_task(arguments) == TASK_LIST_EVENTS) {
		status = setup_tables(&w.setup.config, &w.setup.backend, arguments, &err)
				 ? print_fault(&err, EXIT_FAILED)
				 : print_help(&w);
	} else if (setup_tables_report(&w.setup, arguments, &err)) {
		status = print_fault(&err, EXIT_FAILED);
	} else if (take_raw_options(&w, arguments, &err)) {
		status = print_fault(&err, EXIT_USAGE);
	} else if (count(&w, &err)) {
		status = print_fault(&err, EXIT_FAILED);
	}
	signals_done(&w.raw.signals);
	counter_sets_done(&w.sets);
	anonymous_done(&w.raw.anonymous);
	setup_done(&w.setup);
	option_clear(&raw_option_set, &w.options);
	if (w.raw.signal)
		signals_die(w.raw.signal);
	return status;
}

static const struct command command_system_raw = {
	.name = "system --raw",
	.words = "[interval [count]]",
	.help = "raw counts of CPUs",
	.text = "Prints what each CPU has counted, as cpustat of Solaris does: a row for each\n"
		"CPU and interval (5 seconds unless given), and at the end the sum of all.\n",
	.example = "tiptop system --raw -c cycles,instructions 1 9",
	.options = &raw_option_set,
	.choices = choices_rows,
	.run = run,
};

/* ---- system ---- */

#define FIELD(name) .offset = offsetof(struct options, name)

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	{.long_name = "per-reference",
	 .short_name = 'r',
	 .kind = OPTION_FLAG,
	 FIELD(per_reference),
	 .help = "misses per reference and stalls per cycle, in %: the default"},
	{.long_name = "per-instruction",
	 .short_name = 'i',
	 .kind = OPTION_FLAG,
	 FIELD(per_instruction),
	 .help = "misses per 1000 instructions, stalled cycles per instruction"},
	{.long_name = "per-second",
	 .short_name = 's',
	 .kind = OPTION_FLAG,
	 FIELD(per_second),
	 .help = "misses and stalled cycles per second, in millions"},
	{.long_name = "breakdown",
	 .kind = OPTION_FLAG,
	 FIELD(breakdown),
	 .help = "the cycles of an instruction: execution, data, floating point; a line for user "
		 "mode and one for the kernel"},
	{.long_name = "user",
	 .short_name = 'u',
	 .kind = OPTION_FLAG,
	 FIELD(user_only),
	 .help = "count in user mode only"},
	{.long_name = "kernel",
	 .short_name = 'k',
	 .kind = OPTION_FLAG,
	 FIELD(kernel_only),
	 .help = "count in the kernel only"},
	COMMAND_CPUS_ROW(struct options, cpus, "only these CPUs: 0-3,8"),
	{.long_name = "spread",
	 .arg = "name",
	 .what = "the spread",
	 .kind = OPTION_STRING,
	 FIELD(spread),
	 .help = "avg, the default: one line over all CPUs; all: one for each; max, min: the "
		 "largest or smallest number of each column, and its CPU after @"},
	{.long_name = "group",
	 .arg = "key",
	 .what = "the groups",
	 .kind = OPTION_STRING,
	 FIELD(group),
	 .help = "a line for each group of CPUs (process: for each CPU); -S sockets needs socket"},
	{.long_name = "only",
	 .kind = OPTION_FLAG,
	 FIELD(only),
	 .help = "with a command: count only its tasks, from the first instruction to the last"},
	{.long_name = "cgroup",
	 .arg = "path",
	 .what = "the control group",
	 .kind = OPTION_STRING,
	 FIELD(cgroup),
	 .help = "count only while a task of this control group is on the CPU"},
	{.long_name = "live",
	 .short_name = 'l',
	 .kind = OPTION_FLAG,
	 FIELD(live),
	 .help = "the live screen, with a row for each CPU"},
	{.long_name = "screen",
	 .short_name = 'S',
	 .arg = "name",
	 .what = "the screen",
	 .kind = OPTION_STRING,
	 FIELD(screen),
	 .help = "the columns of this screen, with rows=\"CPU\" or \"socket\""},
	{.long_name = "epoch",
	 .short_name = 't',
	 .kind = OPTION_FLAG,
	 FIELD(epoch),
	 .help = "begin each line with the seconds since 1970"},
	{.long_name = "output",
	 .short_name = 'o',
	 .arg = "file",
	 .what = "the output file",
	 .kind = OPTION_STRING,
	 FIELD(output),
	 .help = "write to this file"},
	COMMAND_FORMAT_ROW(struct options, format,
			   "rows as of tiptop -b in this format, instead of lines"),
	{.long_name = "fields",
	 .arg = "id,...",
	 .what = "the fields",
	 .kind = OPTION_LIST,
	 FIELD(fields),
	 .help = "with --format: only these fields"},
	{.long_name = "metrics",
	 .arg = "file",
	 .what = "the file of metrics",
	 .kind = OPTION_STRING,
	 .is_file = true,
	 FIELD(metrics),
	 .help = "export metrics of each CPU to this file for Prometheus"},
	{.long_name = "metrics-source",
	 .arg = "name",
	 .what = "the source of metrics",
	 .kind = OPTION_STRING,
	 FIELD(metrics_source),
	 .help = "add the label source=NAME to all series of --metrics"},
	{.long_name = "record",
	 .arg = "file",
	 .what = "the recording",
	 .kind = OPTION_STRING,
	 .is_file = true,
	 FIELD(record),
	 .help = "record in this file all that is read, for tiptop --replay"},
	COMMAND_CONFIG_ROW(struct options, conf_path,
			   "read this file, or the .tiptoprc in this folder: its screens, keys, "
			   "CPUs and events"),
	{.long_name = "raw",
	 .kind = OPTION_FLAG,
	 FIELD(raw),
	 .help = "raw counts in the form of cpustat, with options of their own: see 'tiptop system "
		 "--raw -h'"},
	{.long_name = "list-columns",
	 .kind = OPTION_TASK,
	 .number = TASK_LIST_COLUMNS,
	 .help = "print all columns, with formulas and events, and exit"},
};

static const struct option_set options = {
	.program = "tiptop system",
	.no_table = "prints a line at a time",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct options),
	.n_words = 2,
	.takes_command = true,
};

/* Sets up --only: one line for the command alone, which needs no counters of CPUs. */
static int take_only(struct setup *s, struct err *err)
{
	struct options *o = &s->config.options;

	if (!o->command)
		return err_set(err, EINVAL,
			       "--only is for a command: put it after --, as in 'tiptop system "
			       "--only -- make'");
	if (o->live)
		return err_set(err, EINVAL,
			       "--only counts from the first instruction, so that no other screen "
			       "can be chosen later: 'tiptop -- %s' shows its tasks live",
			       o->command[0]);
	if (o->cpus || o->group || o->spread || o->cgroup)
		return err_set(err, EINVAL,
			       "--only is one line over a command, wherever it runs: --cpus, "
			       "--cgroup, --group and --spread are for CPUs");
	s->config.rows = kind_command.name;
	o->group = xstrdup("machine");
	return 0;
}

/* Sets by --spread how CPUs are grouped to rows, and which of the numbers of a group is shown. */
static int take_spread(struct setup *s, struct err *err)
{
	static const struct {
		const char *name, *group;
		enum spread spread;
	} table[] = {
		{"avg", "machine", SPREAD_ALL},
		{"all", NULL, SPREAD_ALL},
		{"max", NULL, SPREAD_MAX},
		{"min", NULL, SPREAD_MIN},
	};
	struct options *o = &s->config.options;
	size_t i = 0, n = sizeof table / sizeof *table;

	while (o->spread && i < n && strcmp(o->spread, table[i].name) != 0)
		i++;
	if (i == n)
		return err_set(err, EINVAL, "--spread: '%s' is not one of avg, all, max and min",
			       o->spread);
	if (o->format && table[i].spread != SPREAD_ALL)
		return err_set(err, EINVAL,
			       "--spread %s is for lines: with --format, all CPUs are written, of "
			       "which a program finds the largest by itself",
			       o->spread);
	s->display.view.spread = table[i].spread;
	if (o->cgroup)
		s->config.rows = kind_cpu_cgroup.name;
	if (o->group || o->live || !table[i].group)
		return 0;
	/* User mode and the kernel have a line each, as in tables 3 and 4 of F. Pariente,
	 * "Performance Analysis and Monitoring Using Hardware Counters", 2001. */
	if (o->breakdown && !o->user_only && !o->kernel_only && !o->cgroup) {
		s->config.rows = kind_cpu_mode.name;
		o->group = xstrdup("mode");
	} else {
		o->group = xstrdup(table[i].group);
	}
	return 0;
}

/* Selects the screen of -r, -i, -s or --breakdown. */
static int take_screen(struct setup *s, struct err *err)
{
	struct options *o = &s->config.options;
	const struct {
		bool asked;
		const char *screen;
	} table[] = {
		{o->per_reference, "har"},
		{o->per_instruction, "har-i"},
		{o->per_second, "har-s"},
		{o->breakdown, "har-cpi"},
	};
	const char *screen = NULL;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].asked && (screen || o->screen))
			return err_set(err, EINVAL,
				       "-r, -i, -s, --breakdown and -S exclude each other: each "
				       "is a screen");
		if (table[i].asked)
			screen = table[i].screen;
	}
	s->config.screen_asked = screen != NULL;
	s->config.default_screen = "har";
	if (screen)
		o->screen = xstrdup(screen);
	return 0;
}

static int take_options(struct setup *s, const struct option_list *arguments, struct err *err)
{
	struct options *o = &s->config.options;

	/* This was an abbreviation of --raw: the full name would have selected the other form. */
	if (o->raw)
		return err_set(err, EINVAL, "--raw is written in full");
	if (system_take_words(arguments, &o->delay_s, &o->iterations, err) || take_screen(s, err))
		return -EINVAL;
	if (o->user_only && o->kernel_only)
		return err_set(err, EINVAL,
			       "-u and -k exclude each other: without both, all is counted");
	if (o->live && o->iterations)
		return err_set(err, EINVAL, "the live screen (-l) has no end: leave the count out");
	if (system_take_cpus(o->cpus, &s->backend.cpus, err))
		return -EINVAL;
	o->sort = xstrdup("pid:asc");
	o->idle = true;
	o->kernel = !o->user_only;
	o->batch = !o->live;
	o->lines = o->batch && !o->format;
	o->whole_first = o->batch;
	if (o->metrics)
		o->metrics_by = xstrdup("process");
	return o->only ? take_only(s, err) : take_spread(s, err);
}

static void begin(struct setup *s)
{
	s->config.take_options = take_options;
	s->config.options.batch = true;
	s->config.options.delay_s = 1;
}

const struct command command_system = {
	.name = "system",
	.words = "[interval [count]] [-- command]",
	.help = "CPUs in place of tasks, a line for each interval",
	.text = "Counts the tasks of all users on the CPUs, and prints a line for each\n"
		"interval (1 second unless given) with rates that programmers know: mips, cpi,\n"
		"misses of caches (dcm, icm, ecm) and of the TLB (dtm, itm), and cycles that were\n"
		"lost to data, instructions, floating point and branches (dsr, isr, fsr, bsr).\n"
		"The last line is about the whole time. Counting CPUs needs more rights.\n",
	.example = "tiptop system --spread max 5",
	.options = &options,
	.choices = choices_system,
	.form = &command_system_raw,
	.form_option = "--raw",
	.rows = "CPU",
	.begin = begin,
};

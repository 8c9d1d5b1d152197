/* SPDX-License-Identifier: GPL-2.0-or-later */
/* row of command: tiptop follow. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/destination.h"
#include "base/mem.h"
#include "base/num.h"
#include "cmd/command.h"
#include "collect/command/job.h"
#include "collect/command/trace.h"
#include "collect/task/proc_file.h"
#include "conf/option.h"
#include "config.h"
#include "model/fact_list.h"
#include "pmu/check/privilege.h"
#include "pmu/check/refusal.h"
#include "record/follow.h"
#include "record/writer.h"
#include "report/format.h"
#include "run/command_output.h"
#include "run/lifecycle.h"
#include "run/wait.h"
#include "session/output.h"

static const struct option_set follow_options;

/* ---- facts ----
 *
 * Facts from /proc about the followed tasks, for machines without hardware counters.
 *
 * The numbers of a task that has ended are complete, as they are read while the task is a zombie,
 * before the tracer reaps it. To do this, struct follow_facts wraps the system calls of the tracer
 * (trace.h). The kernel does not report the end of the threads that are killed by an exec of
 * another thread: such a thread keeps the numbers of its last reading.
 */

/* The names of the facts that are shown like counters, separated by ','. */
#define FOLLOW_FACTS_NAMES                                                                         \
	"cpu-us,user-us,system-us,wait-us,page-faults,context-switches,cpu-migrations"

struct follow_facts {
	struct trace_sys sys;   /* the system calls of the tracer; take() wraps inner.take() */
	struct trace_sys inner; /* the original system calls */
	uint64_t tick_ns;
	pid_t ended; /* the task whose final numbers are in `last`; 0: none */
	uint64_t last[EVENT_SET_MAX], unknown;
};

#define NS_OF_US 1000

/* One row for each of FOLLOW_FACTS_NAMES, in that order: its number is the sum of these facts,
 * divided by the unit. */
static const struct {
	struct fact_set facts;
	uint64_t unit;
} table[] = {
	{FACT_SET(FACT_CPU_NS), NS_OF_US},       {FACT_SET(FACT_UTIME_NS), NS_OF_US},
	{FACT_SET(FACT_STIME_NS), NS_OF_US},     {FACT_SET(FACT_WAIT_NS), NS_OF_US},
	{FACT_SET(FACT_MINFLT, FACT_MAJFLT), 1}, {FACT_SET(FACT_VCSW, FACT_NVCSW), 1},
	{FACT_SET(FACT_MIGRATIONS), 1},
};

#define TABLE_N (sizeof table / sizeof *table)

/* Reads a file of the thread itself: /proc/TASK/stat would be that of its process. */
static bool read_file(pid_t task, const char *name, char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%d/task/%d/%s", task, task, name);
	return file_read(AT_FDCWD, path, text, size) > 0;
}

static void read_facts(const struct follow_facts *f, pid_t task, struct proc_facts *out)
{
	const struct proc_units units = {.tick_ns = f->tick_ns};
	struct fact_set want = FACT_NONE;
	char text[8192];

	out->known = FACT_NONE;
	for (size_t i = 0; i < TABLE_N; i++)
		want = fact_or(want, table[i].facts);
	for (int i = FACT_FILE_STAT; i < N_FACT_FILES; i++)
		if (fact_any(fact_less(fact_and(want, fact_in_file[i]), out->known)) &&
		    read_file(task, fact_file_name[i], text, sizeof text))
			proc_parse_file(i, text, &units, want, out);
}

/* Reads the number of each row of the table. Returns a mask of the unknown numbers. */
static uint64_t read_numbers(const struct follow_facts *f, pid_t task, uint64_t *out)
{
	struct proc_facts facts;
	uint64_t unknown = 0;

	read_facts(f, task, &facts);
	for (size_t i = 0; i < TABLE_N; i++) {
		out[i] = 0;
		for (int k = 0; k < N_NUMBER_FACTS; k++)
			out[i] += fact_in(table[i].facts, k) && fact_in(facts.known, k)
					  ? facts.fact[k]
					  : 0;
		out[i] /= table[i].unit;
		if (!fact_within(table[i].facts, facts.known))
			unknown |= 1ull << i;
	}
	return unknown;
}

/* Implements job_read; context is a struct follow_facts. */
static uint64_t follow_facts_read(void *context, pid_t task, uint64_t *out)
{
	struct follow_facts *f = context;

	if (task != f->ended)
		return read_numbers(f, task, out);
	memcpy(out, f->last, sizeof f->last);
	return f->unknown;
}

/* Wraps take() of the tracer: if a task has ended, reads its numbers before it is reaped. */
static pid_t take(struct trace_sys *self, pid_t task, int *status, int options)
{
	struct follow_facts *f = (struct follow_facts *)self;
	siginfo_t info = {.si_pid = 0};

	if (!f->inner.wait(&f->inner, task, &info, WEXITED | WSTOPPED | WNOHANG | WNOWAIT) &&
	    info.si_pid) {
		task = info.si_pid;
		f->ended = 0;
		if (!WIFSTOPPED(trace_status(&info))) {
			f->unknown = read_numbers(f, task, f->last);
			f->ended = task;
		}
	}
	return f->inner.take(&f->inner, task, status, options);
}

static void follow_facts_init(struct follow_facts *f)
{
	*f = (struct follow_facts){.inner = trace_kernel(),
				   .tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK)};
	f->sys = f->inner;
	f->sys.take = take;
}

/* Makes a set of counters that has the names of FOLLOW_FACTS_NAMES, but no events. */
static void follow_facts_set(struct event_set *set)
{
	char *names = xstrdup(FOLLOW_FACTS_NAMES), *rest = names, *name;

	event_set_init(set);
	while ((name = strsep(&rest, ",")))
		event_set_add(set, name);
	free(names);
}

/* ---- keep ----
 *
 * Writes rows of tiptop follow into a recording, and replays them.
 *
 * Errors: -errno with a sentence.
 */

/* What to replay, and how to write the rows. */
struct follow_replay {
	const char *path; /* of the recording */
	enum report_format_id format;
	const char *fields; /* NULL: all */
	bool header;        /* a header for each run, if the format has one */
	const char *output; /* NULL: standard output */
	struct anonymous *anonymous;
};

/* Begins a recording. command: the words of the followed command; NULL: a process is followed. *out
 * must be closed, also after a failure. */
static int follow_record_begin(struct record_writer **out, const char *path, char *const *command,
			       const struct counter_sets *sets, struct err *err)
{
	struct record_follow_set recorded[RECORD_FOLLOW_SETS] = {{.n = 0}};
	struct record_about about = {.version = PACKAGE_VERSION,
				     .command = command,
				     .report_wait = recording_say_wait,
				     .stops = signals_end_pending};
	struct utsname system;
	int ret;

	uname(&system);
	about.kernel = system.release;
	for (int s = 0; s < sets->n; s++) {
		recorded[s].n = sets->set[s].n_counters;
		event_set_counter_names(&sets->set[s], recorded[s].name);
	}
	ret = record_writer_new(out, path, &about, err);
	if (!ret)
		ret = record_writer_follow(*out, recorded, sets->n, clock_ns(CLOCK_REALTIME), err);
	return ret;
}

static int follow_record_row(struct record_writer *w, uint64_t time_ns,
			     const struct follow_row *row, const struct event_set *set,
			     struct err *err)
{
	const struct record_follow_row kept = {
		.time_ns = time_ns,
		.event = follow_kind_names[row->kind],
		.process = row->process,
		.task = row->task,
		.made = row->made,
		.image = row->image,
		.set = row->set,
		.value = row->value,
		.ended = row->ended,
		.how = row->how,
	};

	return record_writer_add_follow(w, &kept, set[row->set].n_counters, err);
}

/* --- a replay --- */

struct replay_state {
	const struct follow_replay *how;
	struct record_reader *reader;
	int64_t run; /* the run that these sets belong to; 0: none yet */
	struct event_set set[RECORD_FOLLOW_SETS];
	int n_sets;
	struct follow_lines lines;
	struct strbuf text;
	bool begun;       /* the old file of -o was truncated */
	uint64_t unknown; /* rows of an unknown kind */
};

static void drop_sets(struct replay_state *p)
{
	follow_lines_done(&p->lines);
	for (int s = 0; s < p->n_sets; s++)
		event_set_done(&p->set[s]);
	p->n_sets = 0;
}

static int begin_run(struct replay_state *p, const struct record_follow_row *row, struct err *err)
{
	const struct record_follow_set *recorded;
	const int n = record_reader_follow_sets(p->reader, &recorded);
	int ret;

	drop_sets(p);
	/* A damaged run may have no sets: its rows without counts belong to an empty set. */
	do {
		struct event_set *set = &p->set[p->n_sets];

		event_set_init(set);
		for (int c = 0; p->n_sets < n && c < recorded[p->n_sets].n; c++)
			event_set_add(set, recorded[p->n_sets].name[c]);
	} while (++p->n_sets < n);
	follow_lines_init(&p->lines, p->how->format, p->set, p->n_sets);
	p->lines.counts.anonymous = p->how->anonymous;
	p->lines.counts.page_begun = p->run;
	p->run = row->run;
	ret = follow_lines_choose(&p->lines, p->how->fields, err);
	if (!ret && p->how->header)
		follow_lines_header(&p->lines, &p->text);
	return ret;
}

static void add_row(struct replay_state *p, const struct record_follow_row *row)
{
	struct follow_row shown = {
		.process = row->process,
		.task = row->task,
		.set = row->set,
		.value = row->value,
		.made = row->made,
		.image = row->image,
		.ended = row->ended,
		.how = row->how,
	};
	int kind = 0;

	while (kind < N_FOLLOW_KINDS && strcmp(follow_kind_names[kind], row->event) != 0)
		kind++;
	shown.kind = (enum follow_kind)kind;
	if (kind == N_FOLLOW_KINDS)
		p->unknown++;
	else
		follow_lines_row(&p->lines, &p->text, (double)row->time_ns / 1e9, &shown);
}

/* Reports rows that are missing or unknown. The exit status stays 0, as everything readable was
 * shown. */
static void report_missing(const struct replay_state *p)
{
	const char *path = p->how->path;
	const char *fault = record_reader_fault(p->reader);
	struct err what = ERR_INIT;

	if (fault)
		err_set(&what, EBADMSG, "%s", fault);
	else if (p->unknown)
		err_set(&what, EBADMSG,
			"the recording '%s' has rows that this tiptop does not know: they are left "
			"out",
			path);
	else if (record_reader_follow_is_cut(p->reader))
		err_set(&what, ENODATA,
			"the recording '%s' was ended before what it followed: the last rows are "
			"not in it",
			path);
	if (what.code)
		print_fault(&what, 0);
}

/* Writes the text. Before the first one, truncates the old file of -o. */
static int write_text(struct replay_state *p, struct dest *dest, struct err *err)
{
	int ret = p->begun ? 0 : dest_begin(dest, err);

	p->begun = true;
	if (!ret)
		ret = dest_write(dest, p->text.text, p->text.len, err);
	strbuf_reset(&p->text);
	return ret;
}

static int replay_all(struct replay_state *p, struct dest *dest, struct err *err)
{
	struct record_follow_row row;
	int ret;

	while ((ret = record_reader_next_follow(p->reader, &row, err)) == 1) {
		if (row.run != p->run)
			ret = begin_run(p, &row, err);
		if (ret < 0)
			return ret;
		add_row(p, &row);
		ret = write_text(p, dest, err);
		if (ret)
			return ret;
	}
	return ret;
}

/* Sets the sentence why there is no row. Returns -errno. */
static int explain_no_row(const struct replay_state *p, struct err *err)
{
	const char *fault = record_reader_fault(p->reader);

	if (fault)
		return err_set(err, EBADMSG, "%s", fault);
	return err_set(err, ENODATA,
		       "the recording '%s' has no rows of tiptop follow: 'tiptop --replay' "
		       "shows what is read of tasks",
		       p->how->path);
}

static int write_all(struct replay_state *p, struct err *err)
{
	struct err closing = ERR_INIT;
	struct dest dest;
	int ret = dest_open_or_append(&dest, p->how->output, false, err);

	if (ret)
		return ret;
	ret = replay_all(p, &dest, err);
	if (!ret && !p->run)
		ret = explain_no_row(p, err);
	if (dest_close(&dest, ret, &closing) && !ret)
		ret = err_set(err, closing.code, "%s", closing.text);
	/* -EPIPE: the reader of the rows has closed the pipe, as it has enough. */
	return ret == -EPIPE ? 0 : ret;
}

/* Writes all rows, then reports damage or a cut-off recording. Until the first row is written, the
 * old file of -o stays. -EINVAL: a run lacks a field of --fields. */
static int follow_replay_run(const struct follow_replay *how, struct err *err)
{
	struct replay_state p = {.how = how};
	int ret = record_reader_new(&p.reader, how->path, err);

	if (ret)
		return ret;
	strbuf_init(&p.text);
	ret = write_all(&p, err);
	if (!ret)
		report_missing(&p);
	strbuf_done(&p.text);
	drop_sets(&p);
	record_reader_free(p.reader);
	return ret;
}

/* ---- options ----
 *
 * The options of tiptop follow.
 */

#define FOLLOW_INTERVAL_S 1

struct follow_options {
	int task;
	double interval_s;
	long ticks, pid;
	bool forks, execs, no_header, append, cycles, verbose, kernel, anonymize;
	char *events, *output, *format, *fields, *record, *replay;
};

#define FOLLOW_OPTIONS_INIT                                                                        \
	{                                                                                          \
		.interval_s = FOLLOW_INTERVAL_S                                                    \
	}

static const struct option_row rows[] = {
	COMMAND_HELP_ROW,
	COMMAND_SETS_ROW(
		struct follow_options, events,
		"counters as for tiptop -e (cycles,instructions); several sets take turns"),
	{.long_name = "interval",
	 .short_name = 'T',
	 .arg = "seconds",
	 .what = "the interval",
	 .kind = OPTION_DOUBLE,
	 .min = 0,
	 .max = OPTION_DELAY_MAX,
	 .offset = offsetof(struct follow_options, interval_s),
	 .help = "print a row for each task at this interval, 1 second by default; 0: none"},
	{.long_name = "count",
	 .short_name = 'N',
	 .arg = "number",
	 .what = "the number of intervals",
	 .kind = OPTION_LONG,
	 .min = 1,
	 .max = INT32_MAX,
	 .offset = offsetof(struct follow_options, ticks),
	 .help = "stop after this many intervals; the command runs to its end"},
	{.long_name = "forks",
	 .short_name = 'f',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, forks),
	 .help = "follow child processes, too"},
	{.long_name = "execs",
	 .short_name = 'e',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, execs),
	 .help = "follow processes across execve(2), too"},
	{.long_name = "verbose",
	 .short_name = 'v',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, verbose),
	 .help = "also rows for the first and the last task of each process"},
	COMMAND_CYCLES_ROW(struct follow_options, cycles,
			   "cycles as the first counter of each set"),
	{.long_name = "kernel",
	 .short_name = 'K',
	 .kind = OPTION_FLAG,
	 .offset = offsetof(struct follow_options, kernel),
	 .help = "count in the kernel, too"},
	COMMAND_NO_HEADER_ROW(struct follow_options, no_header),
	COMMAND_OUTPUT_ROW(struct follow_options, output, "write to this file"),
	COMMAND_APPEND_ROW(struct follow_options, append),
	COMMAND_FORMAT_ROW(struct follow_options, format, "write in this format"),
	COMMAND_ANONYMIZE_ROW(struct follow_options, anonymize),
	COMMAND_FIELDS_ROW(struct follow_options, fields),
	{.long_name = "record",
	 .arg = "file",
	 .what = "the recording",
	 .kind = OPTION_STRING,
	 .is_file = true,
	 .offset = offsetof(struct follow_options, record),
	 .help = "write the rows into a recording, too"},
	{.long_name = "replay",
	 .arg = "file",
	 .what = "the recording",
	 .kind = OPTION_STRING,
	 .offset = offsetof(struct follow_options, replay),
	 .help = "write the rows of a recording; only -n, -o, --format, --fields and --anonymize "
		 "go with it"},
	{.long_name = "pid",
	 .short_name = 'p',
	 .arg = "pid",
	 .what = "the process",
	 .kind = OPTION_LONG,
	 .min = 1,
	 .max = INT32_MAX,
	 .offset = offsetof(struct follow_options, pid),
	 .help = "follow a process that runs, instead of a command"},
};

static const struct option_set follow_options = {
	.program = "tiptop follow",
	.no_table = "prints each row when something happens",
	.row = rows,
	.n_rows = sizeof rows / sizeof *rows,
	.size = sizeof(struct follow_options),
	.takes_command = true,
};

/* Refuses options that have no effect with --replay, as the file has the counts already. command:
 * NULL: none. Returns 0 or -EINVAL. */
static int follow_options_check_replay(const struct follow_options *o, char *const *command,
				       struct err *err)
{
	const struct {
		bool given;
		const char *name;
	} others[] = {{command != NULL, "a command"},
		      {o->pid, "-p"},
		      {o->events != NULL, "-c"},
		      {o->interval_s != FOLLOW_INTERVAL_S, "-T"},
		      {o->ticks, "-N"},
		      {o->forks, "-f"},
		      {o->execs, "-e"},
		      {o->verbose, "-v"},
		      {o->cycles, "-t"},
		      {o->kernel, "-K"},
		      {o->append, "--append"},
		      {o->record != NULL, "--record"}};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i].given)
			return err_set(
				err, EINVAL,
				"follow: %s does not go with --replay, which writes what "
				"was recorded: -n, -o, --format, --fields and --anonymize do",
				others[i].name);
	return 0;
}

/* ---- follow ---- */

#define DEFAULT_EVENTS "cycles,instructions"

struct follow_state {
	struct follow_options o;
	struct anonymous anonymous;
	char **command; /* NULL: follows a running process */
	struct machine machine;
	struct perf_kernel kernel;
	struct counter_sets sets;
	enum report_format_id format;
	struct follow_lines lines;
	struct trace_sys tracer;
	struct follow_facts facts;
	bool uses_facts; /* shows facts instead of counters */
	struct trace trace;
	struct job job;
	struct signals signals;
	struct lifecycle life;
	struct pace pace;
	struct dest dest;
	struct strbuf text;
	struct record_writer *recording; /* NULL: none */
	struct err not_recorded;         /* why recording stopped early; code 0: it did not */
	uint64_t begin_ns;
	long ticks;          /* number of intervals shown */
	bool silent;         /* the wanted intervals have been shown */
	bool shortage_noted; /* a lack of descriptors was reported */
};

/* --- rows --- */

static void tell(void *context, const struct follow_row *row)
{
	struct follow_state *f = context;
	const uint64_t time_ns = clock_ns(CLOCK_MONOTONIC) - f->begin_ns;

	if (f->silent)
		return;
	follow_lines_row(&f->lines, &f->text, (double)time_ns / 1e9, row);
	if (f->recording && !f->not_recorded.code)
		follow_record_row(f->recording, time_ns, row, f->sets.set, &f->not_recorded);
}

static int flush(struct follow_state *f, struct err *err)
{
	int ret = f->text.len ? dest_write(&f->dest, f->text.text, f->text.len, err) : 0;

	strbuf_reset(&f->text);
	/* The rows are still written after recording has failed. */
	if (f->not_recorded.code && f->recording) {
		print_fault(&f->not_recorded, 0);
		record_writer_close(f->recording, NULL);
		f->recording = NULL;
	}
	return ret;
}

/* Reports why a task is not counted. A lack of descriptors, which may concern many tasks, is
 * reported once. */
static void report_refused(struct follow_state *f, const struct err *why)
{
	const bool is_short = why->code == EMFILE || why->code == ENFILE;

	if (is_short && f->shortage_noted)
		return;
	f->shortage_noted |= is_short;
	if (is_short)
		fprintf(stderr,
			"tiptop: follow: tasks are not counted from task %d on, while there is "
			"%s\n",
			f->job.refused_task, why->text);
	else
		fprintf(stderr, "tiptop: follow: %s\n", why->text);
}

/* Reports tasks that cannot be counted; their counts are unknown. Fails if tasks cannot be counted
 * at the start. */
static int check_counters(struct follow_state *f, struct err *err)
{
	const struct event_set *set = &f->sets.set[f->job.current];
	const struct event *first = &set->event[0];
	const struct refusal_attempt attempt = {
		.event = first->what ? first->what : first->name,
		.tid = f->job.refused_task,
		.kernel = first->own_modes ? !first->no_kernel : set->kernel,
		.hardware = event_is_hardware(first),
		.absent = first->absent,
		.fewer = f->o.forks ? "leave out -f, or count fewer events with -c"
				    : "count fewer events with -c",
	};
	struct err why = ERR_INIT;

	if (f->job.lost)
		fprintf(stderr,
			"tiptop: follow: process %d is not counted any more: it executes a program "
			"that this user may not read; root may\n",
			f->job.lost);
	f->job.lost = 0;
	if (!f->job.refused)
		return 0;
	refusal_explain(f->job.refused, &attempt, &why);
	f->job.refused = 0;
	if (!f->begin_ns)
		return err_set(err, why.code, "follow: %s", why.text);
	report_refused(f, &why);
	return 0;
}

/* Handles the events of traced tasks. Ends the loop when no task is left. */
static int take_events(void *context, struct err *err)
{
	struct follow_state *f = context;
	struct trace_event event;
	int ret = 0;

	while (!ret && trace_next(&f->trace, &event)) {
		if (!job_handle_event(&f->job, &event))
			trace_detach(&f->trace);
		ret = check_counters(f, err);
		if (!ret && f->begin_ns)
			ret = flush(f, err);
	}
	/* The end of a command is waited for, also if it is not followed any more. */
	f->life.done |= !f->trace.tasks.n && !f->command;
	return ret;
}

/* --- the loop --- */

static int on_tick(void *context, int fd, struct err *err)
{
	struct follow_state *f = context;
	bool due;
	int ret = pace_read_timer(&f->pace, &due, err);

	(void)fd;
	if (ret || !due || f->silent)
		return ret;
	job_tick(&f->job);
	f->silent = f->o.ticks && ++f->ticks >= f->o.ticks;
	/* After the last interval, a process of -p is left running; the end of a command is waited
	 * for. */
	f->life.done |= f->silent && !f->command;
	return flush(f, err);
}

static void add_waits(void *context, struct wait *wait)
{
	struct follow_state *f = context;

	wait_add(wait, f->pace.timer_fd, POLLIN, on_tick, f);
}

/* --- the start --- */

static int begin_ticks(struct follow_state *f, struct err *err)
{
	const double s = f->o.interval_s;
	const int ret = s > 0 ? pace_begin(&f->pace, NULL, err) : 0;

	return ret || s <= 0 ? ret : pace_start(&f->pace, s, s, err);
}

/* Opens the counters while the command is at its first stop. If the command was killed before, it
 * did nothing, and its exit status shows that. */
static int start_command(void *context, struct err *err)
{
	struct follow_state *f = context;
	struct trace_event event;
	int ret;

	f->job.command = true;
	f->trace.kept = f->life.spawn.pid;
	ret = trace_command(&f->trace, f->life.spawn.pid, err);
	if (!ret && trace_await_birth(&f->trace, &event)) {
		job_handle_event(&f->job, &event);
		ret = check_counters(f, err);
		trace_continue(&f->trace);
	}
	f->begin_ns = clock_ns(CLOCK_MONOTONIC);
	return ret ? ret : begin_ticks(f, err);
}

/* Truncates the old file of -o. */
static int begin_output(void *context, struct err *err)
{
	struct follow_state *f = context;

	return dest_begin(&f->dest, err);
}

static int follow_process(struct follow_state *f, struct err *err)
{
	int ret;

	f->begin_ns = clock_ns(CLOCK_MONOTONIC);
	ret = trace_process(&f->trace, (pid_t)f->o.pid, err);
	if (!ret)
		ret = begin_ticks(f, err);
	if (!ret)
		ret = dest_begin(&f->dest, err);
	return ret ? ret : lifecycle_wait(&f->life, err);
}

static const struct lifecycle_hooks hooks = {.started = start_command,
					     .executed = begin_output,
					     .take = take_events,
					     .add_waits = add_waits};

/* Returns whether to write a header; always for a page, as its beginning has the script. */
static bool has_header(const struct follow_state *f)
{
	return !f->o.no_header || f->format == REPORT_AS_HTML;
}

static int prepare_output(struct follow_state *f, struct err *err)
{
	int ret = dest_open_or_append(&f->dest, f->o.output, f->o.append, err);

	if (has_header(f))
		follow_lines_header(&f->lines, &f->text);
	if (!ret)
		ret = command_prepare_output(&f->dest, f->format, "follow", f->command,
					     &f->anonymous, &f->text, err);
	return ret ? ret : dest_try(&f->dest, err);
}

static int follow(struct follow_state *f, struct err *err)
{
	int ret = f->command ? lifecycle_find(&f->life, f->command[0], err) : 0;

	if (!ret)
		ret = prepare_output(f, err);
	if (!ret && f->o.record)
		ret = follow_record_begin(&f->recording, f->o.record, f->command, &f->sets, err);
	if (!ret)
		ret = signals_block(&f->signals, SIGNALS_PLAIN, err);
	if (!ret)
		ret = f->command ? lifecycle_run(&f->life, f->command, SPAWN_OURS, &f->signals, err)
				 : follow_process(f, err);
	return ret;
}

/* Reports tasks that outlive the command; they are not waited for. */
static void report_left(const struct follow_state *f)
{
	if (f->command && f->trace.tasks.n)
		fprintf(stderr,
			"tiptop: follow: the command has ended; %zu task%s that it made go%s on, "
			"and what %s count%s is not in these rows\n",
			f->trace.tasks.n, f->trace.tasks.n == 1 ? "" : "s",
			f->trace.tasks.n == 1 ? "es" : "", f->trace.tasks.n == 1 ? "it" : "they",
			f->trace.tasks.n == 1 ? "s" : "");
}

/* Without hardware counters, shows facts from /proc, unless the user wants events. */
static int choose_counts(struct follow_state *f, struct err *err)
{
	const bool asked = f->o.events || f->o.cycles;
	struct err why = ERR_INIT;
	int ret;

	if (asked || !refusal_try_hardware(&f->kernel.sys, false, NULL, &why)) {
		ret = counter_sets_make(&f->sets, f->o.events ? f->o.events : DEFAULT_EVENTS,
					f->o.cycles ? "cycles" : NULL, f->o.kernel, &f->machine,
					&f->kernel.sys, err);
		if (!ret && counter_sets_explain_modes(&f->sets, &why))
			fprintf(stderr, "tiptop: follow: %s\n", why.text);
		return ret;
	}
	fprintf(stderr,
		"tiptop: follow: %s: what /proc says of each task in place of '-c " DEFAULT_EVENTS
		"'\n",
		why.text);
	f->uses_facts = true;
	follow_facts_init(&f->facts);
	follow_facts_set(&f->sets.set[0]);
	f->sets.n = 1;
	return 0;
}

static int check_files(const struct follow_options *o, struct err *err)
{
	const struct dest_file file[] = {
		{"the recording (--record)", o->record, DEST_IS_WRITTEN},
		{"the rows (-o)", o->output && strcmp(o->output, "-") ? o->output : "/dev/stdout",
		 DEST_IS_WRITTEN},
		{"the recording that is replayed (--replay)", o->replay, DEST_IS_READ},
	};

	return dest_check_files(file, sizeof file / sizeof *file, err) ? err_prefix(err, "follow")
								       : 0;
}

/* Checks everything that must be right before anything is started. */
static int prepare(struct follow_state *f, const struct option_list *arguments, struct err *err)
{
	int ret = option_apply(arguments, &f->o, err);

	if (!ret)
		ret = option_check_append(f->o.append, f->o.output, err);
	if (!ret)
		ret = check_files(&f->o, err);
	if (ret)
		return ret;
	ret = report_find_format(&f->format, f->o.format, REPORT_ALL_FORMATS, err);
	if (!ret)
		ret = report_check_anonymous(f->o.anonymize, f->format, err);
	if (ret)
		return ret;
	f->command = option_command(arguments);
	page_about_begin_anonymous(&f->anonymous, f->o.anonymize, f->command);
	if (f->o.replay)
		return follow_options_check_replay(&f->o, f->command, err);
	if (!f->command == !f->o.pid)
		return err_set(err, EINVAL,
			       "follow: %s: 'tiptop follow -- command' or 'tiptop follow -p pid'",
			       f->command ? "a command and -p do not go together"
					  : "there is nothing to follow");
	if (f->o.ticks && f->o.interval_s <= 0)
		return err_set(
			err, EINVAL,
			"follow: -N counts intervals, and with -T 0 there are none: leave one "
			"of them out");
	machine_init_here(&f->machine);
	perf_kernel_init(&f->kernel, f->machine.core, f->machine.n_cores);
	privilege_wrap(&f->kernel);
	ret = choose_counts(f, err);
	if (!ret) {
		follow_lines_init(&f->lines, f->format, f->sets.set, f->sets.n);
		f->lines.counts.anonymous = &f->anonymous;
	}
	return ret ? ret : follow_lines_choose(&f->lines, f->o.fields, err);
}

/* Prints the events of a recording. Returns the exit status. */
static int replay(struct follow_state *f)
{
	struct err err = ERR_INIT;
	const int ret = follow_replay_run(&(struct follow_replay){.path = f->o.replay,
								  .format = f->format,
								  .fields = f->o.fields,
								  .header = has_header(f),
								  .anonymous = &f->anonymous,
								  .output = f->o.output},
					  &err);

	anonymous_done(&f->anonymous);
	option_clear(&follow_options, &f->o);
	return ret ? print_fault(&err, EXIT_FAILED) : 0;
}

static int run(const struct option_list *arguments)
{
	struct follow_state f = {
		.o = FOLLOW_OPTIONS_INIT, .dest = DEST_NONE, .life = LIFECYCLE_INIT};
	struct err err = ERR_INIT, closing = ERR_INIT;
	int ret = prepare(&f, arguments, &err), status;

	if (ret) {
		follow_lines_done(&f.lines);
		counter_sets_done(&f.sets);
		anonymous_done(&f.anonymous);
		option_clear(&follow_options, &f.o);
		return print_fault(&err, EXIT_USAGE);
	}
	if (f.o.replay)
		return replay(&f);
	signals_begin(&f.signals);
	f.life.hooks = &hooks;
	f.life.context = &f;
	f.life.signals = &f.signals;
	strbuf_init(&f.text);
	f.tracer = trace_kernel();
	trace_init(&f.trace, f.uses_facts ? &f.facts.sys : &f.tracer, f.o.forks);
	f.pace.timer_fd = -1;
	job_init(&f.job, &f.kernel.sys, f.sets.set, f.sets.n);
	if (f.uses_facts)
		job_set_read(&f.job, follow_facts_read, &f.facts);
	f.job.follows_exec = f.o.execs;
	f.job.verbose = f.o.verbose;
	f.job.tell = tell;
	f.job.context = &f;
	ret = follow(&f, &err);
	if (!ret)
		report_left(&f);
	/* The reader of the rows has closed the pipe, as it has enough: the command continues. */
	if (ret == -EPIPE)
		ret = 0;
	trace_done(&f.trace);
	lifecycle_done(&f.life);
	job_done(&f.job);
	if (dest_close(&f.dest, ret, &closing) && !ret)
		ret = err_set(&err, closing.code, "%s", closing.text);
	if (record_writer_close(f.recording, &closing) && !ret)
		ret = err_set(&err, closing.code, "%s", closing.text);
	if (!ret && f.o.record && !f.not_recorded.code)
		recording_say_use(f.o.record, NULL);
	pace_end(&f.pace);
	signals_done(&f.signals);
	strbuf_done(&f.text);
	follow_lines_done(&f.lines);
	counter_sets_done(&f.sets);
	anonymous_done(&f.anonymous);
	option_clear(&follow_options, &f.o);
	if (!f.command && f.life.end_signal)
		signals_die(f.life.end_signal);
	status = lifecycle_exit_status(&f.life, ret || f.not_recorded.code);
	return ret ? print_fault(&err, status) : status;
}

const struct command command_follow = {
	.name = "follow",
	.words = "-- command",
	.help = "count a command through fork, exec and exit",
	.text = "Follows a command, or with -p a process that runs, by ptrace(2): prints a row\n"
		"with exact counts when a task begins, makes another one, executes, ends.\n",
	.example = "tiptop follow -fe -T 0 -- make",
	.options = &follow_options,
	.choices = choices_rows,
	.run = run,
};

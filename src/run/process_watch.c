/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/process_watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "collect/table/table_process.h"
#include "pmu/perf/lives.h"

#define NS_PER_S 1000000000u
/* Tolerance when times of both clocks are compared: the clocks are read one after the other. */
#define TOLERANCE_NS 100000
/* A running program may take this long after its execution to make its table. */
#define TABLE_DELAY_NS (2ull * NS_PER_S)
/* The most programs that a message names. */
#define NAMED_MAX 4
/* Ended processes are first dropped when the list has this many processes, then each time its
 * length has doubled since. */
#define FIRST_DROP 1024
/* PID_MAX_LIMIT of the kernel. */
#define PIDS_MAX (4 << 20)

struct process {
	pid_t pid;
	uint64_t begin_ns;
};

struct execution {
	pid_t pid;
	uint64_t time_ns;
	char name[LIFE_NAME_MAX];
};

struct table {
	uint32_t pid;
	uint64_t begin; /* on the clock of the tables */
};

struct reason {
	pid_t pid;
	uint64_t time_ns;
	const char *text;
};

/* Both clocks at one moment: CLOCK_BOOTTIME, and the clock of the tables. */
struct clock_pair {
	uint64_t boot_ns, ticks;
};

struct process_watch {
	struct lives *lives;
	process_watch_clock *clock;
	pid_t command;
	bool all;
	struct clock_pair begin, end;
	unsigned char *pids;     /* one bit for each pid that a descendant has had */
	struct process *process; /* descendants, without the command */
	size_t n_processes, cap_processes, drop_at;
	struct execution *execution;
	size_t n_executions, cap_executions;
	struct table *table;
	size_t n_tables, cap_tables;
	struct reason *reason;
	size_t n_reasons, cap_reasons;
};

static struct clock_pair read_clocks(process_watch_clock *clock)
{
	return (struct clock_pair){clock_ns(CLOCK_BOOTTIME), clock()};
}

struct process_watch *process_watch_open(struct perf_sys *sys, int n_cpus, pid_t command, bool all,
					 process_watch_clock *clock)
{
	struct process_watch *w;
	struct lives *lives;

	if (lives_open(&lives, sys, n_cpus, command))
		return NULL;
	w = xcalloc(1, sizeof *w);
	*w = (struct process_watch){.lives = lives,
				    .clock = clock,
				    .command = command,
				    .all = all,
				    .begin = read_clocks(clock),
				    .pids = xcalloc(PIDS_MAX / 8, 1),
				    .drop_at = FIRST_DROP};
	return w;
}

/* --- what happens --- */

/* Returns whether the process still runs. /proc has its start time in clock ticks. The kernel takes
 * that time just before it reports the fork, so the time in /proc may be one tick earlier. */
static bool runs(const struct process *p)
{
	const uint64_t tick = p->begin_ns / (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));

	return table_process_lives(p->pid, tick) || table_process_lives(p->pid, tick - 1);
}

static void drop_ended(struct process_watch *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_processes; i++)
		if (runs(&w->process[i]))
			w->process[n++] = w->process[i];
	w->n_processes = n;
	w->drop_at = n < FIRST_DROP / 2 ? FIRST_DROP : 2 * n;
}

static bool pids_have(const struct process_watch *w, pid_t pid)
{
	return pid > 0 && pid < PIDS_MAX && w->pids[pid / 8] >> pid % 8 & 1;
}

static void add_process(struct process_watch *w, const struct life *life)
{
	if (life->process > 0 && life->process < PIDS_MAX)
		w->pids[life->process / 8] |= (unsigned char)(1 << life->process % 8);
	if (w->n_processes == w->drop_at)
		drop_ended(w);
	w->process = xgrow(w->process, &w->cap_processes, w->n_processes + 1, sizeof *w->process);
	w->process[w->n_processes++] =
		(struct process){.pid = life->process, .begin_ns = life->time_ns};
}

static void add_execution(struct process_watch *w, const struct life *life)
{
	struct execution *e;

	w->execution =
		xgrow(w->execution, &w->cap_executions, w->n_executions + 1, sizeof *w->execution);
	e = &w->execution[w->n_executions++];
	*e = (struct execution){.pid = life->process, .time_ns = life->time_ns};
	memcpy(e->name, life->name, sizeof e->name);
	text_sanitize(e->name, '?');
}

void process_watch_update(struct process_watch *w)
{
	struct life life;

	while (lives_next(w->lives, &life)) {
		if (life.what == LIVES_BEGIN && life.process == life.task)
			add_process(w, &life);
		if (life.what == LIVES_NAME && life.executes &&
		    (w->all || life.process == w->command))
			add_execution(w, &life);
	}
}

void process_watch_note_table(struct process_watch *w, uint32_t pid, uint64_t begin)
{
	w->table = xgrow(w->table, &w->cap_tables, w->n_tables + 1, sizeof *w->table);
	w->table[w->n_tables++] = (struct table){pid, begin};
}

void process_watch_note_reason(struct process_watch *w, pid_t pid, uint64_t time_ns,
			       const char *reason)
{
	w->reason = xgrow(w->reason, &w->cap_reasons, w->n_reasons + 1, sizeof *w->reason);
	w->reason[w->n_reasons++] = (struct reason){pid, time_ns, reason};
}

void process_watch_end(struct process_watch *w)
{
	process_watch_update(w);
	w->end = read_clocks(w->clock);
}

/* --- programs without a table --- */

static int compare_executions(const void *x, const void *y)
{
	const struct execution *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

static int compare_tables(const void *x, const void *y)
{
	const struct table *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

uint64_t process_watch_boot_ns(const struct process_watch *w, uint64_t ticks)
{
	const double ns = (double)(w->end.boot_ns - w->begin.boot_ns),
		     all = (double)(w->end.ticks - w->begin.ticks),
		     part = (double)(int64_t)(ticks - w->begin.ticks);

	return w->begin.boot_ns + (uint64_t)(int64_t)(all > 0 ? part / all * ns : 0);
}

static void sort(struct process_watch *w)
{
	array_sort(w->execution, w->n_executions, sizeof *w->execution, compare_executions);
	array_sort(w->table, w->n_tables, sizeof *w->table, compare_tables);
}

/* Finds, for each table, the last program that its process had executed when the table began, and
 * sets has_table[] of that execution. Executions and tables are sorted. Returns false if the
 * process of a table is unknown, as the pid is of another PID namespace. */
static bool match(const struct process_watch *w, bool *has_table)
{
	size_t i = 0;

	for (size_t t = 0; t < w->n_tables; t++) {
		const pid_t pid = (pid_t)w->table[t].pid;
		const uint64_t begin_ns =
			process_watch_boot_ns(w, w->table[t].begin) + TOLERANCE_NS;

		if (pid != w->command && !pids_have(w, pid))
			return false;
		while (i < w->n_executions && w->execution[i].pid < pid)
			i++;
		while (i + 1 < w->n_executions && w->execution[i + 1].pid == pid &&
		       w->execution[i + 1].time_ns <= begin_ns)
			i++;
		if (i < w->n_executions && w->execution[i].pid == pid &&
		    w->execution[i].time_ns <= begin_ns)
			has_table[i] = true;
	}
	return true;
}

/* Returns why the program of an execution has no table; NULL: unknown. Executions are sorted. */
static const char *reason_of(const struct process_watch *w, const struct execution *e)
{
	const bool is_first = e == w->execution || e[-1].pid != e->pid;
	const char *text = NULL;

	for (size_t i = 0; i < w->n_reasons; i++) {
		const struct reason *r = &w->reason[i];

		if (r->pid == e->pid && r->time_ns <= e->time_ns &&
		    (is_first || r->time_ns > e[-1].time_ns))
			text = r->text;
	}
	return text;
}

static void add_name(const struct execution *e, const char *reason, size_t n, struct strbuf *out)
{
	if (n < NAMED_MAX)
		strbuf_addf(out, "%s'%s' (process %d%s%s)", n ? ", " : "", e->name, (int)e->pid,
			    reason ? ", " : "", reason ? reason : "");
}

/* Returns whether the process runs and has executed its program so recently that its table may
 * still come. */
static bool may_get_table(const struct process_watch *w, const struct execution *e)
{
	bool goes_on = false;

	if (e->time_ns + TABLE_DELAY_NS < w->end.boot_ns)
		return false;
	for (size_t i = 0; i < w->n_processes && !goes_on; i++)
		goes_on = w->process[i].pid == e->pid && runs(&w->process[i]);
	return goes_on;
}

size_t process_watch_unmeasured(struct process_watch *w, struct strbuf *out, size_t *unexplained)
{
	bool *has_table = xcalloc(w->n_executions + 1, sizeof *has_table);
	size_t n = 0;
	bool known;

	*unexplained = 0;
	sort(w);
	known = !lives_losses(w->lives).records && match(w, has_table);
	for (size_t i = 0; known && i < w->n_executions; i++) {
		const struct execution *e = &w->execution[i];
		const char *reason = reason_of(w, e);

		if (has_table[i] || may_get_table(w, e))
			continue;
		add_name(e, reason, n++, out);
		*unexplained += !reason;
	}
	if (n > NAMED_MAX)
		strbuf_addf(out, " and %zu more", n - NAMED_MAX);
	free(has_table);
	return n;
}

/* --- processes that run --- */

static bool is_measured(const struct process_watch *w, const struct process *p)
{
	for (size_t i = 0; i < w->n_tables; i++)
		if ((pid_t)w->table[i].pid == p->pid)
			return true;
	return false;
}

size_t process_watch_running(struct process_watch *w, int *pid)
{
	size_t i = 0;

	drop_ended(w);
	while (i < w->n_processes && !is_measured(w, &w->process[i]))
		i++;
	if (w->n_processes)
		*pid = w->process[i < w->n_processes ? i : 0].pid;
	return w->n_processes;
}

void process_watch_close(struct process_watch *w)
{
	if (!w)
		return;
	lives_close(w->lives);
	free(w->pids);
	free(w->process);
	free(w->execution);
	free(w->table);
	free(w->reason);
	free(w);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/command_total.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "collect/command/descendants.h"
#include "collect/command/ended_children.h"
#include "collect/command/traced.h"
#include "collect/task/attach.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "pmu/check/rights.h"
#include "pmu/perf/core.h"
#include "pmu/perf/event.h"
#include "pmu/perf/plan.h"
#include "pmu/perf/ring.h"

/* ---- event choice ----
 *
 * Chooses the events that are counted for a whole command: the events of its rows, as far as the
 * PMU has counters for them beside those of the rows, and some software events, which every machine
 * has.
 */

/* Software events exist on every machine, and take no counter of the PMU. */
static const struct own_event {
	const char *name;
	uint64_t config;
} own_events[] = {
	{"task-clock", PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
	{"context-switches", PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_COUNT_SW_CPU_MIGRATIONS},
};

/* Returns whether the event is this software event, in the default modes. config: perf_sw_ids. */
static bool choice_is_software(const struct event *e, uint64_t config)
{
	return e->type == PERF_TYPE_SOFTWARE && e->config == config && !e->own_modes &&
	       e->quality == QUALITY_EXACT;
}

static void ensure_event(struct event_set *set, const struct own_event *own)
{
	struct event *e;

	for (int i = 0; i < set->n; i++)
		if (choice_is_software(&set->event[i], own->config))
			return;
	e = event_set_add(set, own->name);
	if (!e)
		return;
	e->what = xstrdup(own->name);
	e->pmu = xstrdup("software");
	e->type = PERF_TYPE_SOFTWARE;
	e->config = own->config;
	e->core = EVENT_NO_CORE;
}

/* Returns whether the event takes a hardware counter on this kind of cores. */
static bool takes_counter(const struct event_set *set, int i, int core)
{
	const struct event *e = &set->event[i];

	return e->quality == QUALITY_EXACT && event_is_hardware(e) && e->core == core;
}

/* Returns whether the kernel refuses the event for good; it then takes no counter, and the reason
 * is reported when it is opened for use. Also records in the event whether its PMU can exclude
 * guests and modes. */
static bool is_refused(struct event_set *set, struct perf_sys *sys, int i)
{
	const int fd = event_probe(sys, set, i);

	if (fd >= 0)
		sys->close(sys, fd);
	return fd < 0 && !perf_error_is_transient(fd);
}

/* Tries the hardware events of one kind of cores. Starting with the events of the rows (with none
 * if `alone`), adds the events of the total one by one, and leaves out events that do not fit on
 * the PMU together. Returns the number of events left out. */
static int fit_core(struct event_set *set, struct trial *trial, int core, bool alone)
{
	struct trial_answer answer = {.again = 0};
	int wanted[EVENT_SET_MAX], event[EVENT_SET_MAX], n_wanted = 0, n = 0, left_out = 0;

	for (int i = 0; i < set->n; i++)
		if (takes_counter(set, i, core) && !is_refused(set, trial->sys, i))
			wanted[n_wanted++] = i;
	for (int k = 0; !alone && k < n_wanted; k++)
		event[n++] = wanted[k];
	for (int k = 0; k < n_wanted; k++) {
		if (n < EVENT_SET_MAX) {
			event[n] = wanted[k];
			if (trial_fits(trial, set, event, n + 1, &answer)) {
				n++;
				continue;
			}
		}
		set->event[wanted[k]].quality = QUALITY_NOT_COUNTED;
		left_out++;
	}
	return left_out;
}

/* Leaves out hardware events that do not fit on the PMU together; unless `alone`, also together
 * with the events of the rows. */
static void fit_events(struct event_set *set, struct perf_sys *sys, bool alone, struct err *note)
{
	int left_out = 0;
	struct trial trial;

	trial_init(&trial, sys);
	for (int core = EVENT_NO_CORE; core < CORES_MAX; core++)
		left_out += fit_core(set, &trial, core, alone);
	trial_end(&trial);
	trial_done(&trial);
	if (left_out)
		err_set(note, ENOSPC,
			"%d hardware event%s of the whole command %s not counted: the PMU has no "
			"counters left%s: choose a screen with fewer events",
			left_out, left_out == 1 ? "" : "s", left_out == 1 ? "is" : "are",
			alone ? "" : " beside those of the rows");
}

/* Leaves out hardware events of the set that do not fit on the PMU, as found by a trial, and adds
 * the software events. alone: no rows are counted; otherwise their events must fit, too. note: how
 * many events are left out, and why (code 0: none). */
static void choice_make(struct event_set *set, struct perf_sys *sys, bool alone, struct err *note)
{
	fit_events(set, sys, alone, note);
	for (size_t i = 0; i < sizeof own_events / sizeof *own_events; i++)
		ensure_event(set, &own_events[i]);
}

/* ---- untraced counts ----
 *
 * Counts of traced processes that the counters of their followed tasks (traced.h) do not have. Some
 * are of followed threads before their first stop: a context switch and some microseconds each.
 * Others are of threads that the kernel itself creates for a process, which no tracer sees. A
 * process has such threads if more threads began (descendants.h) than were followed.
 *
 * The row of a process includes all these counts, since threads inherit its counters. The total
 * includes them through counters that all processes inherit from the command.
 */

/* Sum over ended processes; initialize with zeros. */
struct unfollowed {
	uint64_t threads;
};

static uint64_t count_threads(const struct descendant_list *list, pid_t process, uint32_t followed)
{
	const struct descendant *descendants = list ? descendants_find(list, process) : NULL;

	return descendants && descendants->begun > followed ? descendants->begun - followed : 0;
}

/* Adds the counts of an ended process beyond those of its tasks to its entry in `descendants`.
 * final: these counts, of n events; followed: the number of its followed threads. */
static void unfollowed_add(struct unfollowed *u, struct descendant_list *descendants,
			   const struct final *final, uint32_t followed, int n)
{
	const uint64_t threads = count_threads(descendants, final->process, followed);

	u->threads += threads;
	if (final->members)
		descendants_add_counts(descendants, final->process, final->count, n, final->members,
				       (uint32_t)threads);
}

static bool counts_hardware(const struct event_set *set)
{
	for (int i = 0; i < set->plan.n; i++)
		if (set->plan.member[i].group != EVENT_NO_GROUP &&
		    event_is_hardware(&set->event[set->plan.member[i].event]))
			return true;
	return false;
}

/* Returns whether counts of hardware events are missing for threads that were not followed; why:
 * for how many threads. */
static bool unfollowed_lacks(const struct unfollowed *u, const struct event_set *set,
			     struct err *why)
{
	if (!u->threads || !counts_hardware(set))
		return false;
	err_set(why, ENODATA,
		"hardware events of %" PRIu64
		" thread%s that the kernel created for the command are missing, as ptrace(2) does "
		"not report such threads: leave out --exact to count them",
		u->threads, u->threads == 1 ? "" : "s");
	return true;
}

/* ---- program totals ---- */

static struct program *get_program(struct programs *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (!strcmp(p->program[i].name, name))
			return &p->program[i];
	p->program = xgrow(p->program, &p->cap, p->n + 1, sizeof *p->program);
	p->program[p->n] = (struct program){.processes = 0};
	snprintf(p->program[p->n].name, sizeof p->program->name, "%s", name);
	return &p->program[p->n++];
}

void programs_add(struct programs *p, const char *name, bool process, uint64_t cpu_ns)
{
	struct program *program = get_program(p, name);

	program->cpu_ns += cpu_ns;
	program->processes += process;
}

void programs_add_end(struct programs *p, const char *name, int how)
{
	struct program *program = get_program(p, name);

	program->known++;
	program->failed += how != 0;
}

struct value program_failed(const struct program *p)
{
	struct value failed = value_count(p->failed);

	if (p->known >= p->processes)
		return failed;
	failed.quality = QUALITY_PARTIAL;
	return p->failed ? failed : value_none(QUALITY_NOT_READ);
}

static int compare_cpu(const void *a, const void *b)
{
	const struct program *x = a, *y = b;

	if (x->cpu_ns != y->cpu_ns)
		return x->cpu_ns > y->cpu_ns ? -1 : 1;
	return strcmp(x->name, y->name);
}

const struct program *programs_list(struct programs *p, size_t *n)
{
	array_sort(p->program, p->n, sizeof *p->program, compare_cpu);
	*n = p->n;
	return p->program;
}

void programs_done(struct programs *p)
{
	free(p->program);
	*p = (struct programs){.n = 0};
}

/* ---- command total ---- */

/* The most attempts to read a group: while tasks that inherited it exit, it may be unreadable
 * (group.h). */
#define READ_TRIES 50

/* Reports of ends are processed when this many wait; most are of unrelated processes. */
#define EXITS_MAX 1024

struct command_total {
	struct proc *proc;
	struct sample_machine *machine;
	struct attach attach;
	struct group *group;   /* inherited; NULL: not opened, or nothing is inherited */
	struct finals *finals; /* NULL: no final counts are reported */
	struct trace_sys tracer;
	/* a group for each task; NULL: none, or the command cannot be counted */
	struct traced *traced;
	struct descendant_list *descendants; /* NULL: not wanted, or it could not be opened */
	struct programs programs;
	struct end {
		pid_t process, task;
		bool first;
		uint64_t members;
		/* the end of a process, with its counts beyond those of its tasks (traced.h) */
		bool of_process;
		uint32_t followed;
		bool process_ended; /* its process has ended with it; `how` is valid */
		int how;
	} * last;                 /* [n] the ends of tasks that were reported last */
	struct count *last_count; /* [n][plan.n] the counts of last[n] */
	size_t cap_last, cap_last_count;
	uint64_t n_ended;
	struct unfollowed unfollowed;
	uint64_t n_reported; /* reported ends of tasks whose process is in `descendants` */
	struct ring_watch watch;
	uint64_t reopened;
	struct count ended[EVENT_SET_MAX]; /* [i]: of member i, summed over ended tasks */
	struct count now[EVENT_SET_MAX];   /* the last reading of the total */
	uint64_t unread;                   /* bit i: now[i] could not be read */
	struct ended *rows;
	uint8_t counting; /* enum count_state */
	int clock;        /* index of the member that is the task clock; -1: none */
	pid_t pid;
	char *name;
	bool how_known;
	int how; /* exit status of the command, if how_known */
	uint32_t samples;
	enum command_total_mode way;
};

static int find_task_clock(const struct event_set *set)
{
	for (int i = 0; i < set->plan.n; i++)
		if (set->plan.member[i].group != EVENT_NO_GROUP &&
		    choice_is_software(&set->event[set->plan.member[i].event],
				       PERF_COUNT_SW_TASK_CLOCK))
			return i;
	return -1;
}

/* Opens the inherited counters with set.finals if the kernel reports final counts, and the rings
 * for these records. If the rings cannot be opened, opens the counters again without set.finals. */
static void open_inherited(struct command_total *w, struct err *err)
{
	w->counting = (uint8_t)attach_open(&w->attach, w->pid, true, &w->group, err);
	if (!w->group || !w->attach.set.finals ||
	    !finals_open(&w->finals, w->attach.sys, w->group, w->pid))
		return;
	attach_close(&w->attach, w->group);
	w->attach.set.finals = false;
	w->counting = (uint8_t)attach_open(&w->attach, w->pid, true, &w->group, err);
}

/* Follows the command by ptrace(2), with counters for each task. Returns 0, or -errno with a
 * sentence if the command cannot be followed. */
static int open_traced(struct command_total *w, struct err *note, struct err *err)
{
	enum count_state state = COUNT_NONE;
	const int ret = traced_open(&w->traced, &w->attach, &w->tracer, w->pid, &state, note, err);

	w->counting = (uint8_t)state;
	if (ret || state == COUNT_OK)
		return ret;
	traced_close(w->traced);
	w->traced = NULL;
	return 0;
}

struct command_total *command_total_new(struct perf_sys *sys, struct proc *proc,
					const struct sample_machine *machine, struct event_set *set,
					const char *name, enum command_total_mode way,
					struct err *note)
{
	struct command_total *w = xcalloc(1, sizeof *w);
	struct err why = ERR_INIT;

	w->proc = proc;
	w->way = way;
	w->tracer = trace_kernel();
	w->machine = sample_machine_ref(machine);
	w->name = xstrdup(name);
	attach_init(&w->attach, sys);
	if (way == COMMAND_TOTAL_TRACED)
		w->attach.fewer = "leave out --exact";
	choice_make(set, sys, way == COMMAND_TOTAL_ALONE, note);
	/* Configures the events without inheritance, as for single threads; `children` and `finals`
	 * below switch on inheritance and final counts. */
	attach_configure(&w->attach, set, true, &why);
	w->attach.set.children = way != COMMAND_TOTAL_TRACED;
	w->attach.set.finals = way == COMMAND_TOTAL_REPORTED && probe_finals(sys);
	w->clock = find_task_clock(&w->attach.set);
	if (!note->code)
		*note = why;
	return w;
}

static bool is_counted(const struct command_total *w)
{
	return w->group || w->traced;
}

/* Returns whether the final counts of each ended task are known. */
static bool knows_each(const struct command_total *w)
{
	return w->finals || w->traced;
}

static void close_command(struct command_total *w)
{
	ended_free(w->rows);
	programs_done(&w->programs);
	descendants_free(w->descendants);
	finals_close(w->finals);
	traced_close(w->traced);
	attach_close(&w->attach, w->group);
	memset(&w->unfollowed, 0, sizeof w->unfollowed);
	w->rows = NULL;
	w->descendants = NULL;
	w->finals = NULL;
	w->traced = NULL;
	w->group = NULL;
}

int command_total_follow(struct command_total *w, pid_t pid, struct err *note, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = 0;

	close_command(w);
	w->pid = pid;
	if (w->way == COMMAND_TOTAL_TRACED)
		ret = open_traced(w, &why, err);
	else
		open_inherited(w, &why);
	if (is_counted(w) && w->way != COMMAND_TOTAL_ALONE)
		w->descendants =
			descendants_open(w->attach.sys, cpu_numbers_end(CPUS_PRESENT), pid);
	if (w->descendants && w->traced)
		descendants_expect_statuses(w->descendants);
	w->rows = ended_new();
	if (!note->code)
		*note = why;
	return ret;
}

void command_total_set_exits(struct command_total *w, struct exits *exits)
{
	if (w->descendants)
		descendants_set_exits(w->descendants, exits);
	else
		exits_close(exits);
}

int command_total_exits_fd(const struct command_total *w)
{
	return w->descendants ? descendants_fd(w->descendants) : -1;
}

void command_total_poll_exits(struct command_total *w)
{
	if (descendants_poll(w->descendants) >= EXITS_MAX)
		command_total_read_ends(w);
}

void command_total_set_status(struct command_total *w, int how)
{
	w->how_known = true;
	w->how = how;
	if (!w->traced)
		return;
	command_total_read_ends(w);
	traced_detach_all(w->traced);
}

static uint64_t ns_of(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_usec * 1000u;
}

static uint64_t read_total(struct command_total *w, struct count *count)
{
	uint64_t unread = 0;
	int error = -ECHILD;

	if (w->traced)
		return traced_read(w->traced, count);
	for (int i = 0; i < READ_TRIES && error == -ECHILD; i++)
		unread = group_read(w->group, w->attach.sys, count, &error);
	return unread;
}

static void read_counts(struct command_total *w, struct task *t)
{
	t->counting = w->counting;
	if (!is_counted(w))
		return;
	t->unread = read_total(w, t->count);
	if (w->clock >= 0 && !(t->unread >> w->clock & 1))
		task_set_fact(t, FACT_CPU_NS, t->count[w->clock].value);
}

static void set_facts(struct task *t, const struct rusage *used)
{
	task_set_fact(t, FACT_UTIME_NS, ns_of(&used->ru_utime));
	task_set_fact(t, FACT_STIME_NS, ns_of(&used->ru_stime));
	task_set_fact(t, FACT_MINFLT, (uint64_t)used->ru_minflt);
	task_set_fact(t, FACT_MAJFLT, (uint64_t)used->ru_majflt);
	task_set_fact(t, FACT_VCSW, (uint64_t)used->ru_nvcsw);
	task_set_fact(t, FACT_NVCSW, (uint64_t)used->ru_nivcsw);
}

void command_total_sample(struct command_total *w, const struct rusage *used, struct sample *out)
{
	const struct task_texts texts = {.name = w->name};
	struct proc_clocks clocks;
	struct task *t;
	int last_pid;

	sample_reset(out);
	w->proc->host(w->proc, &out->host, &last_pid);
	w->proc->clocks(w->proc, &clocks);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	out->number = ++w->samples;
	out->threads = out->one_set = true;
	out->kind = &kind_command;
	sample_set_machine(out, w->machine);
	t = task_new(&kind_command, *kind_command.facts, is_counted(w) ? w->attach.set.plan.n : 0,
		     &texts);
	t->id = t->owner = (uint64_t)w->pid;
	t->state = '?';
	t->facts_read = out->number;
	task_set_events(t, w->attach.counted);
	read_counts(w, t);
	if (used)
		set_facts(t, used);
	sample_add(out, t);
}

static void note_end(struct command_total *w, size_t n, const struct final *final,
		     const struct traced_end *traced)
{
	const int members = w->attach.set.plan.n;

	w->n_ended += final->first;
	if (!traced || !traced->of_process)
		count_add_members(w->ended, final->count, members, final->members);
	w->last = xgrow(w->last, &w->cap_last, n + 1, sizeof *w->last);
	w->last[n] = (struct end){.process = final->process,
				  .task = final->task,
				  .first = final->first,
				  .members = final->members,
				  .of_process = traced && traced->of_process,
				  .followed = traced ? traced->followed : 0,
				  .process_ended = traced && traced->process_ended,
				  .how = traced ? traced->how : 0};
	w->last_count = xgrow(w->last_count, &w->cap_last_count, (n + 1) * (size_t)members,
			      sizeof *w->last_count);
	memcpy(w->last_count + n * (size_t)members, final->count,
	       (size_t)members * sizeof *w->last_count);
}

/* Takes the reports of ends that wait, into last[]. Returns their number. */
static size_t take_finals(struct command_total *w)
{
	struct traced_end traced;
	struct final final;
	size_t n = 0;

	for (; w->finals && finals_next(w->finals, &final); n++)
		note_end(w, n, &final, NULL);
	for (; w->traced && traced_next(w->traced, &traced); n++)
		note_end(w, n, &traced.final, &traced);
	return n;
}

/* Returns whether this end of a task counts as the end of its process: it is the first end with the
 * ID of the process, which is not the command. If a thread has executed a program, it got the ID of
 * the leader: then two ends of tasks have the ID of the process. */
static bool ends_process(const struct command_total *w, const struct end *end)
{
	struct descendant *descendants = descendants_find(w->descendants, end->process);
	const bool counts = descendants && end->process == end->task && end->process != w->pid &&
			    !descendants->counted;

	if (counts)
		descendants->counted = true;
	return counts;
}

/* Adds the counts of an ended process beyond those of its tasks. */
static void add_unfollowed(struct command_total *w, const struct end *end,
			   const struct count *count)
{
	const int n = w->attach.set.plan.n;
	struct final final = {.process = end->process, .members = end->members};

	memcpy(final.count, count, (size_t)n * sizeof *count);
	unfollowed_add(&w->unfollowed, w->descendants, &final, end->followed, n);
	if (w->clock >= 0 && end->members >> w->clock & 1 && count[w->clock].value)
		programs_add(&w->programs, descendants_name(w->descendants, end->process), false,
			     count[w->clock].value);
}

/* Adds the CPU time of an exited thread to its program, and its process, if it ends, to the program
 * that the process executes. */
static void add_to_program(struct command_total *w, const struct end *end, uint64_t cpu_ns)
{
	programs_add(&w->programs, descendants_name_ended(w->descendants, end->process), false,
		     cpu_ns);
	if (ends_process(w, end))
		programs_add(&w->programs, descendants_name(w->descendants, end->process), true, 0);
}

static void add_end(struct command_total *w, const struct end *end, const struct count *count)
{
	if (end->of_process) {
		add_unfollowed(w, end, count);
		return;
	}
	if (descendants_add_counts(w->descendants, end->process, count, w->attach.set.plan.n,
				   end->members, end->first))
		w->n_reported += end->first;
	if (w->clock >= 0 && end->members >> w->clock & 1)
		add_to_program(w, end, count[w->clock].value);
	if (end->process_ended)
		descendants_set_status(w->descendants, end->process, end->how);
}

void command_total_read_ends(struct command_total *w)
{
	const size_t n = take_finals(w);
	const struct descendant *reported;

	if (!w->descendants)
		return;
	/* The records of starts and names are read after the final counts were taken: those of each
	 * process are older than its end, so none is missing when the counts are added. */
	descendants_read(w->descendants);
	for (size_t i = 0; i < n; i++)
		add_end(w, &w->last[i], w->last_count + i * (size_t)w->attach.set.plan.n);
	for (size_t i = 0;
	     knows_each(w) && (reported = descendants_nth_with_status(w->descendants, i)); i++)
		programs_add_end(&w->programs, reported->name, reported->how);
}

void command_total_begin_rows(struct command_total *w, const struct sample *before)
{
	ended_begin(w->rows, before);
}

/* Opens the rings of final counts again if children end without a record: the rings have stopped
 * working then. */
static void watch_rings(struct command_total *w)
{
	if (w->finals && w->descendants &&
	    ring_watch_update(&w->watch, clock_ns(CLOCK_MONOTONIC),
			      descendants_thread_exits(w->descendants), w->n_reported) &&
	    !finals_reopen(w->finals))
		w->reopened++;
}

void command_total_look(struct command_total *w)
{
	command_total_read_ends(w);
	watch_rings(w);
	if (is_counted(w))
		w->unread = read_total(w, w->now);
}

void command_total_add_rows(struct command_total *w, bool wanted, struct sample *s)
{
	const struct command_counts now = {.command = w->pid,
					   .events = w->attach.counted,
					   .count = w->now,
					   .unread = w->unread,
					   .clock = w->clock,
					   .each = knows_each(w),
					   .how_known = w->how_known,
					   .how = w->how};

	if (!is_counted(w) || !w->descendants)
		return;
	/* Reads reports again, since rows may belong to processes that ended after
	 * command_total_look(). */
	command_total_read_ends(w);
	ended_add_rows(w->rows, w->descendants, &now, wanted, s);
}

bool command_total_has(const struct command_total *w, const struct task *t)
{
	return t->kind == &kind_rest || (w->descendants && descendants_have(w->descendants, t));
}

const struct program *command_total_programs(struct command_total *w, size_t *n)
{
	return programs_list(&w->programs, n);
}

int command_total_fd(const struct command_total *w, size_t i)
{
	return w->finals ? finals_fd(w->finals, i) : -1;
}

struct command_total_ends command_total_ends(const struct command_total *w)
{
	const uint64_t exits = w->descendants ? descendants_thread_exits(w->descendants) : 0;
	struct ring_losses losses = {.records = 0};
	struct err why;
	uint64_t missing;

	if (!knows_each(w))
		return (struct command_total_ends){.each = ENDING_SUM};
	if (w->finals)
		losses = finals_losses(w->finals);
	/* The kernel reports lost records only with the next record, so missing reports are
	 * computed, too. Not for traced tasks: those killed before they did anything may have no
	 * end. */
	if (w->traced)
		missing = traced_missing(w->traced, &why);
	else
		missing = exits > w->n_reported ? exits - w->n_reported : 0;
	return (struct command_total_ends){
		.each = w->traced ? ENDING_TRACED : ENDING_REPORTED,
		.tasks = w->n_ended,
		.lost = losses.records > missing ? losses.records : missing,
		.reopened = w->reopened,
		.damaged = losses.damages > 0,
		.names_lost = w->descendants ? descendants_lost_records(w->descendants) : 0};
}

bool command_total_explain_missing(const struct command_total *w, struct err *why)
{
	struct err first = ERR_INIT;
	const uint64_t n = w->traced ? traced_missing(w->traced, &first) : 0;

	if (n)
		err_set(why, first.code,
			"the total is unknown, as %" PRIu64
			" task%s of the command could not be counted: %s",
			n, n == 1 ? "" : "s", first.text);
	return n || unfollowed_lacks(&w->unfollowed, &w->attach.set, why);
}

struct value command_total_ended_count(const struct command_total *w, int i)
{
	const struct event_member *m = &w->attach.set.plan.member[i];
	const struct count *c = &w->ended[i];

	if (!knows_each(w) || m->group == EVENT_NO_GROUP)
		return value_none(QUALITY_NOT_COUNTED);
	if (c->enabled_ns && !c->running_ns)
		return value_none(QUALITY_NOT_SCHEDULED);
	if (c->running_ns >= c->enabled_ns)
		return value_count(c->value);
	return (struct value){
		.number = (double)c->value * (double)c->enabled_ns / (double)c->running_ns,
		.share = (float)((double)c->running_ns / (double)c->enabled_ns),
		.quality = QUALITY_SCALED,
	};
}

void command_total_free(struct command_total *w)
{
	if (!w)
		return;
	close_command(w);
	free(w->last_count);
	free(w->last);
	attach_done(&w->attach);
	sample_machine_unref(w->machine);
	free(w->name);
	free(w);
}

/* ---- sum of runs ---- */

void run_sum_init(struct run_sum *s)
{
	sample_init(&s->begin);
	sample_init(&s->end);
}

void run_sum_done(struct run_sum *s)
{
	sample_done(&s->end);
	sample_done(&s->begin);
}

static void copy_sample(struct sample *to, const struct sample *from, struct task *t)
{
	sample_reset(to);
	to->mono_ns = from->mono_ns;
	to->boot_ns = from->boot_ns;
	to->wall_ns = from->wall_ns;
	to->generation = from->generation;
	to->number = from->number;
	to->threads = from->threads;
	to->one_set = from->one_set;
	to->host = from->host;
	to->kind = from->kind;
	sample_set_machine(to, from->machine);
	sample_add(to, t);
}

static void add_counts(struct task *t, const struct task *sum, const struct task *from)
{
	t->unread |= sum->unread | from->unread;
	/* The counters of one of the runs could not be opened. */
	if (sum->n_counts != t->n_counts || from->n_counts != t->n_counts)
		t->unread = UINT64_MAX;
	for (int i = 0; i < t->n_counts && t->unread != UINT64_MAX; i++) {
		t->count[i].value += sum->count[i].value - from->count[i].value;
		t->count[i].enabled_ns += sum->count[i].enabled_ns - from->count[i].enabled_ns;
		t->count[i].running_ns += sum->count[i].running_ns - from->count[i].running_ns;
	}
}

static void add_facts(struct task *t, const struct task *sum, const struct task *from)
{
	t->known = fact_and(t->known, fact_and(sum->known, from->known));
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_in(t->known, f))
			*task_fact_place(t, f) += task_fact(sum, f) - task_fact(from, f);
}

/* Returns a reading with `sum` plus the increments between the readings `from` and `to`. */
static struct task *add_up(const struct task *sum, const struct task *from, const struct task *to)
{
	const struct task_texts texts = task_texts(to);
	struct task *t = task_copy(to, to->room, to->n_counts, &texts);

	/* Each run is another process: the sum has the ID of the first run. */
	t->id = sum->id;
	t->owner = sum->owner;
	add_counts(t, sum, from);
	add_facts(t, sum, from);
	return t;
}

void run_sum_add(struct run_sum *s, const struct sample *from, const struct sample *to)
{
	struct task *t;
	uint64_t mono_ns, boot_ns;

	if (!s->end.n) {
		copy_sample(&s->begin, from, task_ref(from->task[0]));
		copy_sample(&s->end, to, task_ref(to->task[0]));
		return;
	}
	mono_ns = s->end.mono_ns + to->mono_ns - from->mono_ns;
	boot_ns = s->end.boot_ns + to->boot_ns - from->boot_ns;
	t = add_up(s->end.task[0], from->task[0], to->task[0]);
	copy_sample(&s->end, to, t);
	s->end.mono_ns = mono_ns;
	s->end.boot_ns = boot_ns;
}

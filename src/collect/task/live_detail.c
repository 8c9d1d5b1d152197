/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/live_detail.h"

#include <errno.h>
#include <string.h>

#include "collect/task/live_process.h"
#include "model/fact_list.h"

/* Sets the CPU time of a process from its CPU clock, which includes threads that have ended. */
static void read_cpu_time(struct live *l, int pid, struct detail *out)
{
	uint64_t ns;

	fact_remove(&out->known, FACT_CPU_NS);
	if (l->proc->cpu_clock(l->proc, pid, &ns))
		return;
	out->fact[FACT_CPU_NS] = ns;
	fact_add(&out->known, FACT_CPU_NS);
}

/* Reads all facts and texts. tid 0: of the process as a whole, without facts per thread: /proc has
 * those of the leader only. Returns 0; -ESRCH if the task has ended, or another task has its pid;
 * or another -errno. */
static int read_facts(struct live *l, int pid, int tid, uint64_t start_ns, struct detail *out)
{
	const struct fact_set want = tid ? fact_all : fact_less(fact_all, fact_per_thread);
	struct proc_facts facts;
	int ret = l->proc->facts(l->proc, pid, tid, want, NULL, &facts);

	if (ret)
		return ret;
	if (facts.start_ns != start_ns)
		return -ESRCH;
	out->state = facts.state;
	out->known = facts.known;
	memcpy(out->fact, facts.fact, sizeof out->fact);
	for (int i = 0; i < N_READ_TEXTS; i++)
		out->text[i] = fact_in(facts.known, FACT_FIRST_READ_TEXT + i)
				       ? arena_strdup(&out->arena, facts.read[i])
				       : NULL;
	if (!tid)
		read_cpu_time(l, pid, out);
	return 0;
}

#define THREAD_FACTS FACT_SET(FACT_CPU_NS, FACT_WAIT_NS, FACT_VCSW)

static void add_count(struct detail_wait *wait, enum detail_count i, const struct proc_facts *facts,
		      int f)
{
	wait->count[i] += facts->fact[f];
	if (!fact_in(facts->known, f))
		wait->known &= ~(1u << i);
}

static bool read_thread(struct live *l, int pid, int tid, struct detail_thread *t,
			struct detail_wait *wait, struct arena *arena)
{
	struct proc_facts facts;

	if (l->proc->facts(l->proc, pid, tid, THREAD_FACTS, NULL, &facts))
		return false;
	add_count(wait, DETAIL_QUEUE_NS, &facts, FACT_WAIT_NS);
	add_count(wait, DETAIL_SWITCHES, &facts, FACT_VCSW);
	*t = (struct detail_thread){
		.id = (uint64_t)tid,
		.known = fact_and(facts.known, FACT_SET(FACT_CPU_NS, FACT_PROC_ID)),
		.cpu_ns = facts.fact[FACT_CPU_NS],
		.cpu = facts.fact[FACT_PROC_ID],
		.state = facts.state,
		.name = arena_strdup(arena, facts.name),
	};
	return true;
}

/* Reads the threads of the process and the sums over them; threads that end meanwhile are left
 * out. */
static void read_threads(struct live *l, int pid, struct detail *out)
{
	const unsigned sums = 1u << DETAIL_QUEUE_NS | 1u << DETAIL_SWITCHES;
	struct detail_thread *thread;
	struct detail_wait wait = {.known = sums};
	size_t n;

	out->n_threads = out->n_more = 0;
	out->threads_error = l->proc->tids(l->proc, pid, &l->tids);
	if (out->threads_error)
		return;
	n = l->tids.n < DETAIL_THREADS_MAX ? l->tids.n : DETAIL_THREADS_MAX;
	out->n_more = l->tids.n - n;
	thread = arena_calloc(&out->arena, n, sizeof *thread);
	out->thread = thread;
	for (size_t i = 0; i < n; i++)
		if (read_thread(l, pid, l->tids.v[i], &thread[out->n_threads], &wait, &out->arena))
			out->n_threads++;
	/* The sums are unknown if a thread is missing. */
	if (out->n_threads < l->tids.n)
		wait.known = 0;
	out->wait.known |= wait.known;
	for (int i = DETAIL_QUEUE_NS; i <= DETAIL_SWITCHES; i++)
		out->wait.count[i] = wait.count[i];
}

static void set_wait(struct detail *d, enum detail_count i, int f)
{
	d->wait.count[i] = d->fact[f];
	d->wait.known &= ~(1u << i);
	d->wait.known |= fact_in(d->known, f) ? 1u << i : 0;
}

/* Reads the waiting times of a task. Call it after read_threads(), which sets the sums over the
 * threads of a process. */
static void read_waits(struct live *l, int pid, int tid, struct detail *out)
{
	out->wait.mono_ns = l->proc->now(l->proc);
	l->proc->waits(l->proc, pid, tid, &out->wait);
	set_wait(out, DETAIL_MINFLT, FACT_MINFLT);
	set_wait(out, DETAIL_MAJFLT, FACT_MAJFLT);
	if (tid) {
		set_wait(out, DETAIL_QUEUE_NS, FACT_WAIT_NS);
		set_wait(out, DETAIL_SWITCHES, FACT_VCSW);
	}
}

static void read_limits(struct live *l, int pid, struct detail *out)
{
	arena_reset(&out->limits_arena);
	out->n_limits = 0;
	out->limits_error = l->proc->limits(l->proc, pid, out);
}

/* Reads the resctrl groups for a thread; tid 0: for the process, whose threads read_threads() has
 * just listed in l->tids. */
static void read_resctrl(struct live *l, int tid, struct detail *out)
{
	if (tid) {
		l->tids.n = 0;
		pid_list_add(&l->tids, tid);
	}
	l->proc->resctrl(l->proc, &l->tids, &out->resctrl);
}

void live_detail(struct source *source, const struct task *task, unsigned want, struct detail *out)
{
	struct live *l = (struct live *)source;
	const int pid = (int)task->owner;
	const bool whole = task_is_leader(task) && !l->want.threads;

	arena_reset(&out->arena);
	out->memory = (struct detail_memory){.read = false};
	out->error = read_facts(l, pid, whole ? 0 : (int)task->id, task->start_ns, out);
	if (out->error)
		return;
	out->wait = (struct detail_wait){.call = DETAIL_CALL_UNKNOWN};
	read_threads(l, pid, out);
	read_waits(l, pid, whole ? 0 : (int)task->id, out);
	if (want & DETAIL_MEMORY)
		out->memory.error = l->proc->memory(l->proc, pid, &out->arena, &out->memory);
	if (want & DETAIL_RESCTRL)
		read_resctrl(l, whole ? 0 : (int)task->id, out);
	if (want & DETAIL_LIMITS)
		read_limits(l, pid, out);
}

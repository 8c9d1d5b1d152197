/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/thread.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inject/lib/clock.h"
#include "inject/preload/locks.h"
#include "inject/preload/process.h"

/* ---- counts ---- */

void counts_add(const struct thread *t, struct locks_quantity *counts, enum locks_phase phase,
		const struct moment *from, const struct moment *to)
{
	const uint32_t unknown = from->unknown | to->unknown;

	for (int i = 0; i < t->events->tt.n; i++)
		if (!(unknown >> i & 1))
			locks_quantity_add(&counts[i * LOCKS_PHASES + phase],
					   to->count[i] - from->count[i]);
}

/* A signal handler may have read the events again after `now`: counts that are older than the last
 * reading are skipped, as they were added already. Counts are not unknown for all of the time
 * because measuring has stopped. */
void counts_add_state(struct thread *t, const struct moment *now)
{
	struct locks_thread *s = t->slot;
	struct moment *last = &t->last;
	const uint32_t unknown = last->unknown | now->unknown;

	if (unknown && process_has_stopped())
		return;
	for (int i = 0; i < t->events->tt.n; i++) {
		if (unknown >> i & 1)
			s->lacking[i] = 1;
		else if (now->count[i] <= last->count[i])
			continue;
		else
			s->count[i][s->state] += now->count[i] - last->count[i];
		last->count[i] = now->count[i];
	}
	last->unknown = now->unknown;
}

/* ---- sched ---- */

/* The CPU time is read in the first ALWAYS waits of a thread, and then in one wait in SAMPLE. */
#define ALWAYS 16
#define SAMPLE 16
/* A call that took more than this time (ns) longer than its CPU time was off the CPU. */
#define AWAY_NS 3000
/* At the end of a thread that lived for less time, the file in /proc is not read. */
#define SHORT_NS 1000000

/* Reads the CPU time of a thread of this process, in ns; tid 0: of the calling thread. Returns
 * false if it cannot be read. The id of a thread's clock is the bitwise complement of the tid, and
 * three bits: CPUCLOCK_PERTHREAD_MASK (4) and CPUCLOCK_SCHED (2) of the kernel. */
static bool read_run(uint32_t tid, uint64_t *ns)
{
	const clockid_t clock =
		tid ? (clockid_t)(~tid << 3 | 6) : (clockid_t)CLOCK_THREAD_CPUTIME_ID;
	struct timespec t;

	if (clock_gettime(clock, &t))
		return false;
	*ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
	return true;
}

/* Reads how long a thread was ready to run without a CPU, in ns, and how often it got one: the
 * second and third number of schedstat. The first one, its CPU time, is not used, as it moves only
 * at ticks of the scheduler. Returns false if the file cannot be read, or if the kernel does not
 * keep these numbers: then all are 0. */
static bool read_delay(const char *path, uint64_t total[LOCKS_TOTALS])
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	char text[96], *end;
	ssize_t n;

	if (fd < 0)
		return false;
	n = read(fd, text, sizeof text - 1);
	close(fd);
	if (n <= 0)
		return false;
	text[n] = '\0';
	strtoull(text, &end, 10);
	total[LOCKS_DELAY] = strtoull(end, &end, 10);
	total[LOCKS_TURNS] = strtoull(end, NULL, 10);
	return total[LOCKS_TURNS] != 0;
}

__thread uint64_t sched_created __attribute__((tls_model("initial-exec")));

static uint64_t ns_since(uint64_t ticks)
{
	return tt_multiply(process_ticks() - ticks, locks.header->ns_per_tick);
}

/* --- totals --- */

void sched_begin(struct locks_thread *slot)
{
	uint64_t *before = slot->sched.before;

	if (process_has_filter() || !read_run(0, &before[LOCKS_RUN]))
		return;
	if (sched_created)
		before[LOCKS_DELAY] = ns_since(sched_created);
	before[LOCKS_TIMED] = sched_created || read_delay("/proc/thread-self/schedstat", before);
	sched_created = 0;
}

/* Returns how much a total has grown; 0 if `before` was estimated too high. */
static uint64_t growth(uint64_t now, uint64_t before)
{
	return now > before ? now - before : 0;
}

static void end(struct locks_thread *slot, uint32_t tid, const char *path)
{
	const bool is_short = ns_since(slot->begin) < SHORT_NS;
	struct locks_sched *s = &slot->sched;
	uint64_t now[LOCKS_TOTALS] = {0};

	if (process_has_filter() || !s->before[LOCKS_TIMED] || !read_run(tid, &now[LOCKS_RUN]) ||
	    (!is_short && !read_delay(path, now)))
		return;
	s->total[LOCKS_TIMED] = 1;
	for (int i = LOCKS_RUN; i <= LOCKS_TURNS; i++)
		s->total[i] = growth(now[i], s->before[i]);
}

void sched_end(struct locks_thread *slot)
{
	end(slot, 0, "/proc/thread-self/schedstat");
}

void sched_end_other(struct locks_thread *slot)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", slot->tid);
	end(slot, slot->tid, path);
}

/* --- waits --- */

/* Reads the CPU time if this wait or call, which begins now, is one of the sample; n: how many
 * there were before. Returns how many it stands for; 0: it was not read. */
static uint32_t sample(uint32_t n, uint64_t now, uint64_t *run)
{
	const uint64_t hash = now * 0x9e3779b97f4a7c15;

	if (n >= ALWAYS && hash >> 32 & (SAMPLE - 1))
		return 0;
	return process_has_filter() || !read_run(0, run) ? 0 : n < ALWAYS ? 1 : SAMPLE;
}

void sched_begin_wait(struct thread *t)
{
	t->wait_weight = sample(t->n_waits, process_ticks(), &t->wait_run);
	t->n_waits++;
}

void sched_end_wait(struct thread *t, enum locks_kind kind, uint64_t ticks)
{
	struct locks_sched *s = &t->slot->sched;
	uint64_t run;

	s->waited[kind] += ticks;
	s->total[LOCKS_BLOCKS] += kind != LOCKS_SPIN;
	if (t->wait_weight && !process_has_filter() && read_run(0, &run))
		s->waited_run[kind] += t->wait_weight * (run - t->wait_run);
	t->wait_weight = 0;
}

void sched_begin_block(struct thread *t, enum locks_blocking what, uint64_t now)
{
	t->block_weight = sample(t->n_blocks, now, &t->block_run);
	t->n_blocks++;
	t->block_what = what;
	t->slot->sched.since[what] = now;
}

void sched_forget_block(struct thread *t)
{
	t->slot->sched.since[t->block_what] = 0;
	t->block_at = 0;
}

void sched_end_block(struct thread *t, enum locks_blocking what, uint64_t ticks)
{
	const uint64_t weight = t->block_weight;
	struct locks_sched *s = &t->slot->sched;
	uint64_t run;

	s->blocked[what] += ticks;
	if (!weight || process_has_filter() || !read_run(0, &run))
		return;
	run -= t->block_run;
	s->sampled[what] += weight * ticks;
	s->sampled_run[what] += weight * run;
	if (tt_multiply(ticks, locks.header->ns_per_tick) > run + AWAY_NS)
		s->total[LOCKS_BLOCKS] += weight;
}

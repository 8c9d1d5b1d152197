/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/sched.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inject/preload/process.h"

/* The waits of a thread whose CPU time is always read; of later ones, one in SAMPLE. */
#define ALWAYS 16
#define SAMPLE 16

/* Returns the CPU time of a thread of this process in ns; tid 0: of the calling thread. A thread's
 * clock has the bitwise complement of its tid, then the bits for "thread" and "exact". */
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

/* Reads the time for which a thread was ready to run without a CPU, and how often it got one: the
 * second and third number of schedstat. The first one, its CPU time, moves only at ticks of the
 * scheduler. All are 0 if the kernel keeps no such times. */
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

/* Reads the totals of a thread that the kernel has; LOCKS_TIMED is 0 if one is unknown. */
static void read_totals(uint32_t tid, const char *path, uint64_t total[LOCKS_TOTALS])
{
	if (!process_has_filter() && read_run(tid, &total[LOCKS_RUN]) && read_delay(path, total))
		total[LOCKS_TIMED] = 1;
}

void sched_begin(struct locks_thread *slot)
{
	read_totals(0, "/proc/thread-self/schedstat", slot->sched.before);
}

static void end(struct locks_sched *s, uint32_t tid, const char *path)
{
	uint64_t now[LOCKS_TOTALS] = {0};

	read_totals(tid, path, now);
	if (!s->before[LOCKS_TIMED] || !now[LOCKS_TIMED])
		return;
	s->total[LOCKS_TIMED] = 1;
	for (int i = LOCKS_RUN; i <= LOCKS_TURNS; i++)
		s->total[i] = now[i] - s->before[i];
}

void sched_end(struct locks_thread *slot)
{
	end(&slot->sched, 0, "/proc/thread-self/schedstat");
}

void sched_end_other(struct locks_thread *slot)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/task/%u/schedstat", slot->tid);
	end(&slot->sched, slot->tid, path);
}

void sched_begin_wait(struct thread *t)
{
	const uint64_t hash = process_ticks() * 0x9e3779b97f4a7c15;

	t->wait_weight = 0;
	if (t->n_waits++ >= ALWAYS && hash >> 32 & (SAMPLE - 1))
		return;
	if (!process_has_filter() && read_run(0, &t->wait_run))
		t->wait_weight = t->n_waits > ALWAYS ? SAMPLE : 1;
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

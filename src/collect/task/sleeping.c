/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/sleeping.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "pmu/check/privilege.h"

/* A process may have vm.max_map_count mappings, 65,530 by default. */
#define MAPPINGS_MAX 16384

/* At most this part of all processes is put to sleep in one refresh, but at least BEGIN_MIN:
 * opening the event of one takes as long as reading some 20 clocks. */
#define BEGIN_PART 16
#define BEGIN_MIN  (2 * SLEEPING_THREADS)

/* The clock of a process that is on a CPU lags by a tick, of 10 ms at most; of one second on a CPU
 * without ticks (nohz_full). If it stands still in this many refreshes after the event was opened,
 * the process was not on a CPU at that time. */
#define CONFIRMED_AFTER 4

/* Returns the number of pages that events may lock: half of the pages that the user may lock,
 * perf_event_mlock_kb for each CPU (perf_event_open(2)), as the other half is left to the user's
 * other programs. LONG_MAX: no limit, with CAP_IPC_LOCK. 0: the limit cannot be read. */
static long max_pages(void)
{
	char text[32];
	long kib;

	if (privilege_held() >> CAP_IPC_LOCK_BIT & 1)
		return LONG_MAX;
	if (file_read(AT_FDCWD, "/proc/sys/kernel/perf_event_mlock_kb", text, sizeof text) <= 0)
		return 0;
	kib = strtol(text, NULL, 10);
	return kib * 1024 / sysconf(_SC_PAGESIZE) * sysconf(_SC_NPROCESSORS_ONLN) / 2;
}

/* Returns whether half of the descriptors are left to counters, as by thread_keep_files(), if n
 * more events are opened. */
static bool has_fds(const struct attach *a, long n)
{
	return a->n_fds + a->n_files + a->n_sleeping + n <= a->max_fds / 2;
}

static void try_self(struct sleeping *s, struct attach *a)
{
	long pages;

	if (!has_fds(a, 1))
		return;
	pages = max_pages();
	s->max = pages < MAPPINGS_MAX ? pages : MAPPINGS_MAX;
	s->proof = s->max > 0 && !sched_in_open(&s->self, a->sys, 0) ? SLEEPING_TRIED
								     : SLEEPING_REFUSED;
	a->n_sleeping += s->proof == SLEEPING_TRIED;
}

void sleeping_update(struct sleeping *s, struct attach *a, size_t n, uint32_t refresh)
{
	s->n_begin = (long)n / BEGIN_PART;
	if (s->n_begin < BEGIN_MIN)
		s->n_begin = BEGIN_MIN;
	if (s->proof == SLEEPING_UNTRIED && refresh >= SLEEPING_AFTER) {
		try_self(s, a);
	} else if (s->proof == SLEEPING_TRIED && sched_in_happened(&s->self)) {
		sleeping_stop(s, a);
		s->proof = SLEEPING_PROVEN;
	}
}

void sleeping_stop(struct sleeping *s, struct attach *a)
{
	if (s->proof != SLEEPING_TRIED)
		return;
	sched_in_close(&s->self, a->sys);
	a->n_sleeping--;
	s->proof = SLEEPING_UNTRIED;
}

bool sleeping_may_begin(const struct sleeping *s, const struct attach *a, const struct process *p,
			uint32_t refresh)
{
	const struct task *t = p->thread[0].task;
	long n;

	if (s->proof != SLEEPING_PROVEN || refresh - p->last_ran < SLEEPING_AFTER || p->sleepless ||
	    !fact_in(t->known, FACT_NUM_THREADS) ||
	    task_fact(t, FACT_NUM_THREADS) > SLEEPING_THREADS)
		return false;
	n = (long)task_fact(t, FACT_NUM_THREADS);
	return n > 0 && (long)(refresh - p->last_ran) >= n * SLEEPING_AFTER && n <= s->n_begin &&
	       a->n_sleeping + n <= s->max && has_fds(a, n);
}

/* Ends an attempt to open an event. */
static void note_failure(struct sleeping *s, const struct attach *a, struct process *p, int ret)
{
	/* There is no further page, mapping or descriptor: some are left to others from now on. */
	if (ret == -ENOBUFS || perf_error_is_transient(ret))
		s->max = a->n_sleeping;
	else /* for example, the user may not count it */
		p->sleepless = true;
}

void sleeping_begin(struct sleeping *s, struct attach *a, struct process *p,
		    const struct pid_list *tids, uint32_t refresh)
{
	int ret;

	s->n_begin -= (long)tids->n;
	/* Threads that exit are counted, but not listed. */
	if (tids->n != task_fact(p->thread[0].task, FACT_NUM_THREADS)) {
		p->sleepless = true;
		return;
	}
	ret = sched_in_open(&p->sched_in, a->sys, tids->v[0]);
	if (ret) {
		note_failure(s, a, p, ret);
		return;
	}
	p->asleep = refresh;
	a->n_sleeping++;
	if (tids->n > 1)
		p->more = xcalloc(tids->n - 1, sizeof *p->more);
	for (size_t i = 1; !ret && i < tids->n; i++) {
		ret = sched_in_open(&p->more[p->n_more], a->sys, tids->v[i]);
		p->n_more += !ret;
		a->n_sleeping += !ret;
	}
	if (!ret)
		return;
	process_wake(p, a);
	note_failure(s, a, p, ret);
}

bool sleeping_trusts(const struct process *p, uint32_t refresh)
{
	return process_sleeps(p) && refresh - p->asleep > CONFIRMED_AFTER &&
	       (uint32_t)p->pid % SLEEPING_CHECKS != refresh % SLEEPING_CHECKS;
}

void sleeping_check(struct attach *a, struct process *p, bool ran, uint32_t refresh)
{
	bool happened = process_was_scheduled(p);

	if (!ran && !happened)
		return;
	/* A process that was on a CPU when the event was opened may stay there. */
	p->sleepless |= !happened && refresh - p->asleep > CONFIRMED_AFTER;
	process_wake(p, a);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The live source when reading takes long. %CPU must be the growth of a task's CPU clock divided by
 * the time between the readings of that task, however long the readings of others take. The crowd
 * are up to ten thousand processes; reading the clock of each takes 80 µs, and a few of them run.
 * The same for threads, whose time is read from /proc or from counters; and with tiptop waiting for
 * a CPU between reading a task's clock and the time.
 */
#include <errno.h>
#include <sys/ioctl.h>

#include "live_rig.h"
#include "model/fact_list.h"

#define SECOND 1000000000ull
#define N_BUSY 11

/* A task that uses this share of a CPU, from from_ns on. */
struct busy {
	uint64_t from_ns;
	double share;
	/* Clock and time of the last read, and of the last read before the present sample. */
	uint64_t clock_ns, at_ns, clock_before, at_before;
};

/* Processes with the pids from 1 to n. N_BUSY of them may run: the first, the last, and some in
 * between. */
struct crowd {
	struct proc proc;
	int n;
	uint64_t now_ns;
	uint64_t clock_takes_ns, facts_take_ns, visit_takes_ns, open_takes_ns;
	/* After every other read of a busy task's clock, tiptop waits this long for a CPU. */
	uint64_t kept_ns;
	unsigned looks;
	struct busy busy[N_BUSY];
	struct pmu pmu;
	struct perf_sys pmu_sys; /* the functions of pmu before the crowd's replaced them */
};

static struct busy *busy_of(struct crowd *c, int pid)
{
	int stride = (c->n - 1) / (N_BUSY - 1);

	return (pid - 1) % stride ? NULL : &c->busy[(pid - 1) / stride];
}

static uint64_t clock_of(const struct crowd *c, const struct busy *b)
{
	return b && c->now_ns > b->from_ns ? (uint64_t)((double)(c->now_ns - b->from_ns) * b->share)
					   : 0;
}

static uint64_t crowd_now(struct proc *proc)
{
	return ((struct crowd *)proc)->now_ns;
}

static void crowd_clocks(struct proc *proc, struct proc_clocks *out)
{
	uint64_t now = crowd_now(proc);

	*out = (struct proc_clocks){now, now, now};
}

static int crowd_host(struct proc *proc, struct host *out, int *last_pid)
{
	(void)proc;
	*out = (struct host){1, 1, 1, 1, 2, 0, 0, 0, false, false};
	*last_pid = ((struct crowd *)proc)->n;
	return 0;
}

static int crowd_pids(struct proc *proc, struct pid_list *out)
{
	out->n = 0;
	for (int pid = 1; pid <= ((struct crowd *)proc)->n; pid++)
		pid_list_add(out, pid);
	return 0;
}

static int crowd_tids(struct proc *proc, int pid, struct pid_list *out)
{
	(void)proc;
	out->n = 0;
	pid_list_add(out, pid);
	return 0;
}

/* Reads the CPU clock of a task, and records clock and time. 0 if the task cannot run. */
static uint64_t tell_clock(struct crowd *c, int pid)
{
	struct busy *b = busy_of(c, pid);

	if (!b)
		return 0;
	b->clock_ns = clock_of(c, b);
	b->at_ns = c->now_ns;
	return b->clock_ns;
}

static int crowd_cpu_clock(struct proc *proc, int pid, uint64_t *ns)
{
	struct crowd *c = (struct crowd *)proc;

	if (pid > c->n)
		return -ESRCH;
	c->now_ns += c->clock_takes_ns;
	*ns = tell_clock(c, pid);
	if (busy_of(c, pid) && c->looks++ % 2)
		c->now_ns += c->kept_ns;
	return 0;
}

static void fill(struct crowd *c, int pid, struct proc_facts *out)
{
	*out = (struct proc_facts){.start_ns = 1, .state = 'S', .name = "one"};
	out->fact[FACT_STIME_NS] = clock_of(c, busy_of(c, pid));
	out->fact[FACT_NUM_THREADS] = 1;
	out->known = FACT_SET(FACT_STIME_NS, FACT_NUM_THREADS);
}

static int crowd_walk(struct proc *proc, const int *pids, size_t n, bool cmdline, proc_visit visit,
		      void *context)
{
	struct crowd *c = (struct crowd *)proc;

	(void)cmdline;
	for (int i = 0; i < (pids ? (int)n : c->n); i++) {
		struct proc_process p = {.pid = pids ? pids[i] : i + 1, .user = "root"};

		c->now_ns += c->visit_takes_ns;
		fill(c, p.pid, &p.facts);
		visit(context, &p);
	}
	return 0;
}

static int crowd_facts(struct proc *proc, int pid, int tid, struct fact_set want,
		       struct proc_files *files, struct proc_facts *out)
{
	struct crowd *c = (struct crowd *)proc;

	(void)files;
	c->now_ns += c->facts_take_ns;
	fill(c, pid, out);
	if (tid && fact_in(want, FACT_CPU_NS)) {
		out->fact[FACT_CPU_NS] = tell_clock(c, tid);
		fact_add(&out->known, FACT_CPU_NS);
	}
	return 0;
}

/* Descriptors of the crowd's counters: CROWD_FD + pid. Each task has one event, which counts its
 * CPU clock. Other descriptors are those of the PMU, for events on tiptop itself. */
#define CROWD_FD 1000000

static struct crowd *crowd_of(struct perf_sys *sys)
{
	return (struct crowd *)((char *)sys - offsetof(struct crowd, pmu));
}

static int crowd_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid, int cpu,
		      int group_fd, unsigned long flags)
{
	struct crowd *c = crowd_of(sys);

	if (!tid)
		return c->pmu_sys.open(sys, attr, tid, cpu, group_fd, flags);
	c->now_ns += c->open_takes_ns;
	return CROWD_FD + tid;
}

static ssize_t crowd_read(struct perf_sys *sys, int fd, void *buf, size_t size)
{
	struct crowd *c = crowd_of(sys);
	uint64_t ns;

	if (fd < CROWD_FD)
		return c->pmu_sys.read(sys, fd, buf, size);
	ns = tell_clock(c, fd - CROWD_FD);
	memcpy(buf, (uint64_t[]){1, ns, ns, ns, (uint64_t)fd}, 5 * sizeof ns);
	return 5 * sizeof ns;
}

static int crowd_ioctl(struct perf_sys *sys, int fd, unsigned long request, void *arg)
{
	if (fd < CROWD_FD)
		return crowd_of(sys)->pmu_sys.ioctl(sys, fd, request, arg);
	if (request == PERF_EVENT_IOC_ID)
		*(uint64_t *)arg = (uint64_t)fd;
	return 0;
}

static int crowd_close(struct perf_sys *sys, int fd)
{
	return fd < CROWD_FD ? crowd_of(sys)->pmu_sys.close(sys, fd) : 0;
}

struct scene {
	struct crowd crowd;
	const char *name;
	struct source *source;
	struct sample sample[2];
	struct delta delta[2];
	int n; /* number of samples so far */
};

static void configure(struct scene *s, bool threads, struct fact_set facts, bool counters)
{
	struct want want = {.facts = facts, .threads = threads, .filter = FILTER_ALL};
	struct err note = ERR_INIT;

	event_set_init(&want.events);
	if (counters)
		event_set_add(&want.events, "event");
	s->source->ops->configure(s->source, &want, &note);
}

/* Takes a sample, a second after the last one. */
static const struct delta *step(struct scene *s)
{
	int new = s->n % 2, old = !new;
	struct err err = ERR_INIT;

	for (int i = 0; i < N_BUSY; i++) {
		s->crowd.busy[i].clock_before = s->crowd.busy[i].clock_ns;
		s->crowd.busy[i].at_before = s->crowd.busy[i].at_ns;
	}
	s->crowd.now_ns += SECOND;
	s->source->ops->next(s->source, &s->sample[new], &err);
	delta_compute(&s->delta[new], s->n ? &s->delta[old] : NULL, s->n ? &s->sample[old] : NULL,
		      &s->sample[new]);
	s->n++;
	return &s->delta[new];
}

/* Takes a sample. Checks that it has `ran` rows, and that the share of a CPU in each row is close
 * to the true one, by the task's clock and the times of its readings. */
static void check_shares(struct scene *s, int ran, const char *what)
{
	const struct delta *d = step(s);
	double worst = 0;

	for (size_t i = 0; i < d->n; i++) {
		const struct busy *b = busy_of(&s->crowd, (int)d->row[i].task->owner);
		double truth =
			(double)(b->clock_ns - b->clock_before) / (double)(b->at_ns - b->at_before);

		worst = fmax(worst, fabs(delta_cpu_share(&d->row[i]).number / truth - 1));
	}
	tap_int((int64_t)d->n, ran, "%s: %s: who ran", s->name, what);
	tap_ok(worst < 0.03, "%s: %s: their shares are at most %.2f %% away from the truth",
	       s->name, what, worst * 100);
}

static void scene_begin(struct scene *s, const char *name, int n)
{
	static const struct proc proc = {
		.now = crowd_now,
		.clocks = crowd_clocks,
		.host = crowd_host,
		.pids = crowd_pids,
		.tids = crowd_tids,
		.cpu_clock = crowd_cpu_clock,
		.walk = crowd_walk,
		.facts = crowd_facts,
	};

	memset(s, 0, sizeof *s);
	s->name = name;
	s->crowd = (struct crowd){
		.proc = proc,
		.n = n,
		.now_ns = 1000 * SECOND,
		.clock_takes_ns = 80000,
		.facts_take_ns = 200000,
		.visit_takes_ns = 100000,
		.open_takes_ns = 2000000,
	};
	for (int i = 0; i < N_BUSY; i++)
		s->crowd.busy[i] = (struct busy){.from_ns = UINT64_MAX, .share = 0.1};
	/* Three tasks run from the beginning: the first, one in the middle, and the last. */
	for (int i = 0; i < N_BUSY; i += 5)
		s->crowd.busy[i].from_ns = 900 * SECOND;
	pmu_init(&s->crowd.pmu);
	s->crowd.pmu_sys = s->crowd.pmu.sys;
	s->crowd.pmu.sys.open = crowd_open;
	s->crowd.pmu.sys.read = crowd_read;
	s->crowd.pmu.sys.ioctl = crowd_ioctl;
	s->crowd.pmu.sys.close = crowd_close;
	s->source = source_live_new(&s->crowd.pmu.sys, &s->crowd.proc, NULL);
	for (int i = 0; i < 2; i++) {
		sample_init(&s->sample[i]);
		delta_init(&s->delta[i]);
	}
}

static void scene_end(struct scene *s)
{
	s->source->ops->free(s->source);
	for (int i = 0; i < 2; i++) {
		delta_done(&s->delta[i]);
		sample_done(&s->sample[i]);
	}
}

/* A few intervals on two screens; meanwhile, two more tasks start to run. */
static void play(struct scene *s, bool threads, struct fact_set facts, bool counters)
{
	configure(s, threads, facts, counters);
	step(s);
	check_shares(s, 3, "the first interval");
	check_shares(s, 3, "the second one");
	/* One starts between two samples, one while the next sample is read. */
	s->crowd.busy[3].from_ns = s->crowd.now_ns + SECOND / 2;
	s->crowd.busy[7].from_ns = s->crowd.now_ns + SECOND + 5000000;
	check_shares(s, 5, "others begin to run");
	check_shares(s, 5, "and go on");
	configure(s, threads, facts, counters);
	step(s);
	check_shares(s, 5, "the first interval of another screen");
	s->crowd.clock_takes_ns /= 100;
	check_shares(s, 5, "looking takes less time than before");
}

int main(void)
{
	static const struct {
		const char *name;
		int n;
		bool threads;
		struct fact_set facts;
		bool counters;
		uint64_t kept_ns;
	} table[] = {
		{"processes", 10000, false, FACT_SET(FACT_STIME_NS), false, 0},
		{"processes with counters", 400, false, FACT_NONE, true, 0},
		{"threads, by their files", 10000, true, FACT_SET(FACT_CPU_NS), false, 0},
		{"threads, by their counters", 400, true, FACT_NONE, true, 0},
		{"tiptop waits", 400, false, FACT_SET(FACT_STIME_NS), false, 60000000},
	};
	static struct scene s;

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		scene_begin(&s, table[i].name, table[i].n);
		s.crowd.kept_ns = table[i].kept_ns;
		play(&s, table[i].threads, table[i].facts, table[i].counters);
		scene_end(&s);
	}
	return tap_done();
}

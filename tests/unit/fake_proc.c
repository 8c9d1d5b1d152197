/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fake_proc.h"
#include "model/fact_list.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static struct world *self_of(struct proc *proc)
{
	return (struct world *)proc;
}

uint64_t world_fact(int fact, uint64_t run_ns)
{
	switch (fact) {
	case FACT_CPU_NS:
		return run_ns;
	case FACT_UTIME_NS:
		return run_ns - run_ns / 4;
	case FACT_STIME_NS:
		return run_ns / 4;
	case FACT_MINFLT:
		return run_ns / 1000;
	case FACT_MAJFLT:
		return run_ns / 10000;
	case FACT_VCSW:
		return run_ns / 100;
	case FACT_NVCSW:
		return run_ns / 200;
	case FACT_MIGRATIONS:
		return run_ns / 400;
	case FACT_WAIT_NS:
		return run_ns / 2;
	default:
		return 0;
	}
}

struct world_task *world_task(struct world *w, int tid)
{
	for (int i = w->n; i-- > 0;)
		if (w->task[i].tid == tid && !w->task[i].gone)
			return &w->task[i];
	return NULL;
}

static struct world_task *leader_of(struct world *w, int pid)
{
	struct world_task *t = world_task(w, pid);

	return t && t->pid == pid ? t : NULL;
}

/* Returns the running time of the whole process, including ended threads, but not those of an
 * earlier process with the same pid. */
static uint64_t run_of_process(struct world *w, const struct world_task *leader)
{
	uint64_t ns = 0;

	for (int i = (int)(leader - w->task); i < w->n; i++)
		if (w->task[i].pid == leader->pid)
			ns += w->task[i].run_ns;
	return ns;
}

static uint64_t count_threads(const struct world *w, int pid)
{
	uint64_t n = 0;

	for (int i = 0; i < w->n; i++)
		n += w->task[i].pid == pid && !w->task[i].gone;
	return n;
}

/* text: NULL: it cannot be read. */
static void set_text(struct proc_facts *out, struct fact_set want, int fact, const char *text)
{
	if (!text || !fact_in(want, fact))
		return;
	out->read[fact - FACT_FIRST_READ_TEXT] = text;
	fact_add(&out->known, fact);
}

/* whole: fill in the facts of the process that this task leads. */
static void fill_facts(struct world *w, const struct world_task *t, bool whole,
		       struct fact_set want, struct proc_facts *out)
{
	uint64_t ns = whole ? run_of_process(w, t) : t->run_ns;

	memset(out, 0, sizeof *out);
	out->start_ns = t->start_ns;
	out->state = t->state;
	snprintf(out->name, sizeof out->name, "%s", t->name);
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		bool in_stat = !fact_table[f].per_thread && f != FACT_CPU_NS;

		if (!in_stat && (!fact_in(want, f) || (whole && f == FACT_CPU_NS)))
			continue;
		out->fact[f] = world_fact(f, fact_table[f].per_thread ? t->run_ns : ns);
		fact_add(&out->known, f);
	}
	out->fact[FACT_NUM_THREADS] = count_threads(w, t->pid);
	out->fact[FACT_SESSION] = (uint64_t)t->session;
	out->fact[FACT_PPID] = (uint64_t)t->parent;
	set_text(out, want, FACT_CGROUP, t->cgroup);
	set_text(out, want, FACT_CONTAINER, t->container);
	set_text(out, want, FACT_EXECUTABLE, t->executable);
}

static uint64_t world_now(struct proc *proc)
{
	return self_of(proc)->now_ns;
}

static void world_clocks(struct proc *proc, struct proc_clocks *out)
{
	uint64_t now = self_of(proc)->now_ns;

	*out = (struct proc_clocks){now, now, 1700000000000000000u + now};
}

static int world_host(struct proc *proc, struct host *out, int *last_pid)
{
	struct world *w = self_of(proc);

	w->calls.host++;
	*out = (struct host){(double)w->now_ns / 1e9, 0.25, 0.5, 0.75, 4, 8192, 0, 0, false, false};
	*last_pid = w->last_pid;
	return 0;
}

static void world_use(struct proc *proc, struct machine_use *out, struct arena *arena)
{
	struct world *w = self_of(proc);

	(void)arena;
	w->calls.use++;
	*out = w->use;
	out->wanted = true;
}

static int world_pids(struct proc *proc, struct pid_list *out)
{
	struct world *w = self_of(proc);

	w->calls.pids++;
	out->n = 0;
	for (int i = 0; i < w->n; i++)
		if (w->task[i].tid == w->task[i].pid && !w->task[i].gone)
			pid_list_add(out, w->task[i].pid);
	return 0;
}

static int world_tids(struct proc *proc, int pid, struct pid_list *out)
{
	struct world *w = self_of(proc);

	w->calls.tids++;
	if (w->on_tids)
		w->on_tids(w, pid);
	out->n = 0;
	for (int i = 0; i < w->n; i++)
		if (w->task[i].pid == pid && !w->task[i].gone)
			pid_list_add(out, w->task[i].tid);
	return out->n ? 0 : -ESRCH;
}

static int world_cpu_clock(struct proc *proc, int pid, uint64_t *ns)
{
	struct world *w = self_of(proc);
	struct world_task *t = leader_of(w, pid);

	w->calls.cpu_clock++;
	if (w->error_clock)
		return -w->error_clock;
	if (!t)
		return -ESRCH;
	*ns = run_of_process(w, t);
	return 0;
}

static bool chosen(const int *pids, size_t n, int pid)
{
	for (size_t i = 0; pids && i < n; i++)
		if (pids[i] == pid)
			return true;
	return !pids;
}

/* The process is in no system call, and its control group was throttled for as long as it ran. */
static void world_waits(struct proc *proc, int pid, int tid, struct detail_wait *out)
{
	const struct world_task *t = leader_of(self_of(proc), pid);

	(void)tid;
	self_of(proc)->calls.waits++;
	out->call = DETAIL_CALL_NONE;
	if (!t)
		return;
	out->count[DETAIL_THROTTLED_NS] = t->run_ns;
	out->known |= 1u << DETAIL_THROTTLED_NS;
}

/* Memory of the group "/box": only the name is known. */
static int world_memory(struct proc *proc, int pid, struct arena *arena, struct detail_memory *out)
{
	struct world *w = self_of(proc);

	w->calls.memory++;
	*out = (struct detail_memory){.read = true};
	if (!leader_of(w, pid))
		return -ESRCH;
	out->group = arena_strdup(arena, "/box");
	out->used = 4096;
	return 0;
}

static int world_limits(struct proc *proc, int pid, struct detail *out)
{
	static const struct detail_limit limit = {"Max open files", "64", "unlimited", "files"};
	struct world *w = self_of(proc);

	w->calls.limits++;
	if (w->error_limits)
		return -w->error_limits;
	if (!leader_of(w, pid))
		return -ESRCH;
	out->limit = &limit;
	out->n_limits = 1;
	return 0;
}

static int world_walk(struct proc *proc, const int *pids, size_t n, bool cmdline, proc_visit visit,
		      void *context)
{
	struct world *w = self_of(proc);
	int found = 0;

	if (pids)
		w->calls.walk_some++;
	else
		w->calls.walk_all++;
	for (int i = 0; i < w->n; i++) {
		const struct world_task *t = &w->task[i];
		struct proc_process p = {
			.pid = t->pid, .uid = t->uid, .user = t->uid ? "someone" : "root"};

		if (t->tid != t->pid || t->gone || !chosen(pids, n, t->pid))
			continue;
		if (w->walk_cut && found++ == w->walk_cut)
			return -ENOMEM;
		p.cmdline = cmdline ? t->cmdline : NULL;
		fill_facts(w, t, true, FACT_NONE, &p.facts);
		visit(context, &p);
	}
	return 0;
}

static int world_facts(struct proc *proc, int pid, int tid, struct fact_set want,
		       struct proc_files *files, struct proc_facts *out)
{
	struct world *w = self_of(proc);
	struct world_task *t;

	w->calls.facts++;
	w->calls.kept += files != NULL;
	if (w->on_facts)
		w->on_facts(w, tid);
	t = tid ? world_task(w, tid) : leader_of(w, pid);
	if (w->error_facts)
		return -w->error_facts;
	if (!t || t->pid != pid)
		return -ESRCH;
	fill_facts(w, t, !tid, want, out);
	if (w->no_time)
		fact_remove(&out->known, FACT_CPU_NS);
	return 0;
}

static void world_add_facts(struct proc *proc, int pid, int tid, struct fact_set want,
			    struct proc_files *files, struct proc_facts *io)
{
	struct world *w = self_of(proc);
	struct world_task *t = tid ? world_task(w, tid) : leader_of(w, pid);

	(void)files;
	w->calls.add_facts++;
	if (!t || t->pid != pid)
		return;
	fill_facts(w, t, !tid, want, io);
	if (w->no_time)
		fact_remove(&io->known, FACT_CPU_NS);
}

/* One resctrl group, whose numbers are all known. */
static void world_resctrl(struct proc *proc, const struct pid_list *own, struct resctrl *io)
{
	self_of(proc)->calls.resctrl++;
	*io = (struct resctrl){.mounted = true, .n = 1, .group[0].n_own = own->n};
}

void world_init(struct world *w, struct pmu *pmu)
{
	memset(w, 0, sizeof *w);
	w->proc = (struct proc){
		.now = world_now,
		.clocks = world_clocks,
		.host = world_host,
		.use = world_use,
		.pids = world_pids,
		.tids = world_tids,
		.cpu_clock = world_cpu_clock,
		.walk = world_walk,
		.facts = world_facts,
		.add_facts = world_add_facts,
		.waits = world_waits,
		.memory = world_memory,
		.resctrl = world_resctrl,
		.limits = world_limits,
	};
	w->pmu = pmu;
	w->now_ns = 1000000000000;
}

void world_wait(struct world *w, uint64_t ns)
{
	w->now_ns += ns;
}

static struct world_task *add_task(struct world *w, int pid, int tid, const char *name)
{
	struct world_task *t = &w->task[w->n < WORLD_TASKS - 1 ? w->n++ : WORLD_TASKS - 1];

	*t = (struct world_task){
		.pid = pid, .tid = tid, .start_ns = w->now_ns / 10000000 * 10000000, .state = 'S'};
	snprintf(t->name, sizeof t->name, "%s", name);
	w->last_pid = tid;
	return t;
}

struct world_task *world_start(struct world *w, int pid, const char *name)
{
	pmu_task_add(w->pmu, pid);
	return add_task(w, pid, pid, name);
}

void world_start_thread(struct world *w, int pid, int tid, int creator)
{
	struct world_task *leader = leader_of(w, pid), *t;

	pmu_thread_add(w->pmu, tid, creator);
	t = add_task(w, pid, tid, leader->name);
	t->uid = leader->uid;
}

void world_run(struct world *w, int tid, uint64_t ns)
{
	world_task(w, tid)->run_ns += ns;
	pmu_run(w->pmu, tid, ns);
}

void world_exec(struct world *w, int pid, const char *name)
{
	struct world_task *t = leader_of(w, pid);

	snprintf(t->name, sizeof t->name, "%s", name);
	pmu_exec(w->pmu, pid);
}

void world_exit(struct world *w, int tid)
{
	struct world_task *t = world_task(w, tid);

	pmu_exit(w->pmu, tid);
	if (t->tid == t->pid)
		t->state = 'Z';
	else
		t->gone = true;
}

void world_reap(struct world *w, int pid)
{
	for (int i = 0; i < w->n; i++) {
		struct world_task *t = &w->task[i];

		if (t->pid != pid || t->gone)
			continue;
		if (t->state != 'Z')
			pmu_exit(w->pmu, t->tid);
		t->gone = true;
	}
}

static uint64_t faulty_now(struct proc *proc)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	return f->inner->now(f->inner);
}

static void faulty_clocks(struct proc *proc, struct proc_clocks *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	f->inner->clocks(f->inner, out);
}

static int faulty_host(struct proc *proc, struct host *out, int *last_pid)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	return fault_now(f->plan, "host") ? -f->plan->error
					  : f->inner->host(f->inner, out, last_pid);
}

static void faulty_use(struct proc *proc, struct machine_use *out, struct arena *arena)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	f->inner->use(f->inner, out, arena);
}

static int faulty_pids(struct proc *proc, struct pid_list *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	out->n = 0;
	return fault_now(f->plan, "pids") ? -f->plan->error : f->inner->pids(f->inner, out);
}

static int faulty_tids(struct proc *proc, int pid, struct pid_list *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	out->n = 0;
	return fault_now(f->plan, "tids") ? -f->plan->error : f->inner->tids(f->inner, pid, out);
}

static int faulty_cpu_clock(struct proc *proc, int pid, uint64_t *ns)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	return fault_now(f->plan, "cpu_clock") ? -f->plan->error
					       : f->inner->cpu_clock(f->inner, pid, ns);
}

static int faulty_walk(struct proc *proc, const int *pids, size_t n, bool cmdline, proc_visit visit,
		       void *context)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	return fault_now(f->plan, "walk")
		       ? -f->plan->error
		       : f->inner->walk(f->inner, pids, n, cmdline, visit, context);
}

static int faulty_facts(struct proc *proc, int pid, int tid, struct fact_set want,
			struct proc_files *files, struct proc_facts *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	out->known = FACT_NONE;
	return fault_now(f->plan, "facts") ? -f->plan->error
					   : f->inner->facts(f->inner, pid, tid, want, files, out);
}

static void faulty_add_facts(struct proc *proc, int pid, int tid, struct fact_set want,
			     struct proc_files *files, struct proc_facts *io)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	if (!fault_now(f->plan, "facts"))
		f->inner->add_facts(f->inner, pid, tid, want, files, io);
}

static void faulty_waits(struct proc *proc, int pid, int tid, struct detail_wait *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	if (!fault_now(f->plan, "waits"))
		f->inner->waits(f->inner, pid, tid, out);
}

static int faulty_memory(struct proc *proc, int pid, struct arena *arena, struct detail_memory *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	return fault_now(f->plan, "memory") ? -f->plan->error
					    : f->inner->memory(f->inner, pid, arena, out);
}

static void faulty_resctrl(struct proc *proc, const struct pid_list *own, struct resctrl *io)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	if (!fault_now(f->plan, "resctrl"))
		f->inner->resctrl(f->inner, own, io);
}

static int faulty_limits(struct proc *proc, int pid, struct detail *out)
{
	struct faulty_proc *f = (struct faulty_proc *)proc;

	return fault_now(f->plan, "limits") ? -f->plan->error
					    : f->inner->limits(f->inner, pid, out);
}

void faulty_proc_init(struct faulty_proc *f, struct proc *inner, struct fault_plan *plan)
{
	f->proc = (struct proc){
		.now = faulty_now,
		.clocks = faulty_clocks,
		.host = faulty_host,
		.use = faulty_use,
		.pids = faulty_pids,
		.tids = faulty_tids,
		.cpu_clock = faulty_cpu_clock,
		.walk = faulty_walk,
		.facts = faulty_facts,
		.add_facts = faulty_add_facts,
		.waits = faulty_waits,
		.memory = faulty_memory,
		.resctrl = faulty_resctrl,
		.limits = faulty_limits,
	};
	f->inner = inner;
	f->plan = plan;
}

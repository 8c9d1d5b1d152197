/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/cpus.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "collect/task/attach.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "model/sample_event.h"
#include "pmu/check/refusal.h"
#include "pmu/event/describe.h"
#include "pmu/perf/event.h"

/* ---- place ---- */

/* Reads the number at the beginning of a topology file of the CPU; -1: none. */
static long read_number(const struct machine *m, int cpu, const char *name)
{
	char *path = xasprintf("%s/cpu%d/topology/%s", m->host->cpus, cpu, name), text[64], *end;
	ssize_t n = file_read(AT_FDCWD, path, text, sizeof text);
	long number = n > 0 ? strtol(text, &end, 10) : -1;

	free(path);
	return n > 0 && end > text ? number : -1;
}

static int find_kind(const struct machine *m, int cpu)
{
	for (int k = 0; k < m->n_cores; k++)
		if (!machine_is_hybrid(m) || cpu_list_has(&m->core[k].cpus, cpu))
			return k;
	return -1;
}

void place_find(struct place *out, const struct machine *machine, int cpu)
{
	out->core = read_number(machine, cpu, "thread_siblings_list");
	out->socket = read_number(machine, cpu, "physical_package_id");
	out->kind = find_kind(machine, cpu);
}

void place_add(struct strbuf *out, const struct machine *machine, const struct place *place)
{
	size_t start = out->len;

	if (place->socket >= 0)
		strbuf_addf(out, "socket %ld", place->socket);
	if (place->core >= 0)
		strbuf_addf(out, "%score %ld", out->len > start ? ", " : "", place->core);
	if (out->len == start)
		strbuf_addch(out, '?');
	if (place->kind >= 0 && machine_is_hybrid(machine))
		strbuf_addf(out, " (%s)", machine_pmu(machine, place->kind));
}

/* ---- control group ---- */

/* Returns the path without the mount point, if the path begins with it. */
static const char *strip_mount(const char *path, const char *mount)
{
	const size_t n = strlen(mount);

	return !strncmp(path, mount, n) && (path[n] == '/' || !path[n]) ? path + n : path;
}

static int explain(int error, const char *path, const char *folder, struct err *err)
{
	if (error == ENOENT || error == ENOTDIR)
		return err_set(err, ENOENT,
			       "there is no control group '%s' (the folder %s): 'tiptop --group "
			       "cgroup' shows those that have tasks",
			       path, folder);
	return err_set(err, error, "the control group '%s' cannot be opened (%s): %s", path, folder,
		       strerror(error));
}

int cgroup_open(const struct group_mounts *mounts, const char *path, struct err *err)
{
	const char *mount = mounts->perf[0] ? mounts->perf : mounts->unified;
	char *folder;
	int fd, ret;

	if (!mount[0])
		return err_set(err, ENOENT,
			       "no hierarchy of control groups that counts events is mounted: "
			       "'mount -t cgroup2 none /sys/fs/cgroup' mounts it");
	path = strip_mount(path, mount);
	folder = xasprintf("%s%s%s", mount, *path && *path != '/' ? "/" : "", path);
	fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = fd < 0 ? explain(errno, *path ? path : "/", folder, err) : fd;
	free(folder);
	return ret;
}

int cgroup_open_here(const char *path, struct err *err)
{
	struct group_mounts mounts = {.known = false};
	struct strbuf text;
	int proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (proc_fd < 0)
		return err_set(err, errno, "cannot open /proc: %s", strerror(errno));
	strbuf_init(&text);
	group_file_find_mounts(&mounts, proc_fd, &text);
	strbuf_done(&text);
	close(proc_fd);
	return cgroup_open(&mounts, path, err);
}

/* ---- mode ----
 *
 * Limits a set of events to one mode of CPUs, and labels the counts with the modes that were
 * wanted.
 *
 * A screen wants each event in user mode, in the kernel or in both. A row of one mode counts events
 * in that mode only, but its readings describe the events with the wanted modes, since the row
 * itself shows its mode. So a screen finds its events in the rows of every mode.
 */

static void narrow_event(struct event_set *set, int i, enum cpu_mode mode)
{
	struct event *e = &set->event[i];
	const bool kernel = mode == CPU_MODE_KERNEL;

	if (e->quality != QUALITY_EXACT)
		return;
	if (e->own_modes) {
		e->no_user = e->no_user || kernel;
		e->no_kernel = e->no_kernel || !kernel;
	}
	if (e->all_modes || (e->own_modes && e->no_user && e->no_kernel) ||
	    (!kernel && event_is_kernel_side(e)))
		e->quality = QUALITY_NOT_COUNTED;
}

/* Limits each event to this mode. Events that never happen in this mode, or whose mode is unknown,
 * are not counted. */
static void mode_narrow(struct event_set *set, enum cpu_mode mode)
{
	set->kernel = mode == CPU_MODE_KERNEL;
	set->no_user = set->kernel;
	for (int i = 0; i < set->n; i++)
		narrow_event(set, i, mode);
}

/* Returns the events `counted` of a set that mode_narrow() has limited, with the modes that they
 * have in `wanted`, the set before. The caller owns the reference. */
static struct sample_events *mode_restore(const struct sample_events *counted,
					  const struct event_plan *plan,
					  const struct event_set *wanted)
{
	struct sample_event event[EVENT_SET_MAX];

	for (int i = 0; i < counted->n; i++) {
		event[i] = counted->event[i];
		event[i].modes = event_to_sample(wanted, plan->member[i].event).modes;
	}
	return sample_events_new(event, counted->n);
}

/* ---- cpu queue ---- */

/* Bytes of /proc/schedstat to read: enough for 8,192 CPUs, each with some lines of scheduling
 * domains. */
#define SCHEDSTAT_MAX (64 << 20)

/* The columns of "cpu0" are the same since version 14, of Linux 2.6.20; current kernels have
 * version 15 or later. */
#define VERSION_MIN   14
#define COLUMN_WAITED 8

static int parse_queue(const char *line, struct cpu_queue *out)
{
	char *end;

	out->cpu = (int)strtol(line, &end, 10);
	for (int column = 1; column <= COLUMN_WAITED; column++) {
		const char *begin = end;

		out->waited_ns = strtoull(begin, &end, 10);
		if (end == begin)
			return -EINVAL;
	}
	return 0;
}

int cpu_queues_parse(const char *text, const struct cpu_queue **out, struct arena *arena)
{
	struct cpu_queue *queue;
	size_t n = 0;

	if (strncmp(text, "version ", strlen("version ")) ||
	    strtol(text + strlen("version "), NULL, 10) < VERSION_MIN)
		return -EINVAL;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++)
		n++;
	queue = arena_calloc(arena, n, sizeof *queue);
	*out = queue;
	n = 0;
	for (const char *p = text; (p = strstr(p, "\ncpu")); p++)
		if (parse_queue(p + strlen("\ncpu"), &queue[n++]))
			return -EINVAL;
	return n ? (int)n : -EINVAL;
}

int cpu_queues_read(const struct cpu_queue **out, struct arena *arena)
{
	struct strbuf text;
	ssize_t n;

	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, "/proc/schedstat", SCHEDSTAT_MAX, &text);
	if (n >= 0)
		n = cpu_queues_parse(text.text, out, arena);
	strbuf_done(&text);
	return (int)n;
}

const struct cpu_queue *cpu_queue_find(const struct cpu_queue *queue, int n, int cpu)
{
	for (int i = 0; i < n; i++)
		if (queue[i].cpu == cpu)
			return &queue[i];
	return NULL;
}

/* ---- cpus ---- */

struct cpu {
	int number;
	bool online;     /* it was in the last list of online CPUs */
	uint64_t starts; /* how often it was seen to come online */
	struct place place;
	struct group *group;
	uint8_t counting;  /* enum count_state */
	struct task *last; /* its last reading; NULL: none */
};

struct cpus {
	struct source source;
	struct proc *proc;
	const struct machine *machine;
	struct sample_machine *description;
	struct cpus_scope scope;
	struct attach attach;
	/* Used only if rows are of one mode. wanted: the events with the modes of the screen;
	 * counted: the events for readings, made from `wanted` and counted_from, a reference to
	 * attach.counted. */
	struct event_set wanted;
	struct sample_events *counted, *counted_from;
	struct want want;
	struct cpu *cpu; /* all CPUs that were ever online, by number */
	size_t n, cap;
	uint64_t tick_ns, generation;
	uint32_t refresh;
	struct err refused; /* why a CPU has no counters; code 0: all have some */
	int (*queues)(const struct cpu_queue **out, struct arena *arena);
	const struct cpu_queue *queue; /* [n_queues], for the present sample */
	int n_queues;
	struct source_cost cost;
};

static struct cpus *self_of(struct source *source)
{
	return (struct cpus *)source;
}

static bool is_wanted(const struct cpus *c, int cpu)
{
	return !c->scope.only || cpu_list_has(c->scope.only, cpu);
}

static void close_cpu(struct cpus *c, struct cpu *cpu)
{
	attach_close(&c->attach, cpu->group);
	cpu->group = NULL;
	cpu->counting = COUNT_NONE;
	task_unref(cpu->last);
	cpu->last = NULL;
}

static void close_all(struct cpus *c)
{
	for (size_t i = 0; i < c->n; i++)
		close_cpu(c, &c->cpu[i]);
	c->refused = (struct err)ERR_INIT;
}

static struct cpu *find_cpu(struct cpus *c, int number)
{
	size_t i = c->n;

	while (i > 0 && c->cpu[i - 1].number > number)
		i--;
	if (i > 0 && c->cpu[i - 1].number == number)
		return &c->cpu[i - 1];
	c->cpu = xgrow(c->cpu, &c->cap, c->n + 1, sizeof *c->cpu);
	memmove(&c->cpu[i + 1], &c->cpu[i], (c->n++ - i) * sizeof *c->cpu);
	c->cpu[i] = (struct cpu){.number = number};
	return &c->cpu[i];
}

/* Opens the counters of a CPU that has none yet; they start at 0. */
static void open_cpu(struct cpus *c, struct cpu *cpu)
{
	struct err err = ERR_INIT;

	if (cpu->group || !c->attach.n_usable)
		return;
	cpu->counting = (uint8_t)attach_open_cpu(&c->attach, cpu->number, &cpu->group, &err);
	if (err.code && !c->refused.code)
		c->refused = err;
}

static void go_online(struct cpus *c, struct cpu *cpu)
{
	cpu->online = true;
	cpu->starts++;
	place_find(&cpu->place, c->machine, cpu->number);
}

static struct task *make_reading(const struct cpus *c, const struct cpu *cpu, int n_counts)
{
	const enum cpu_mode mode = c->scope.mode;
	const struct kind *kind = mode                ? &kind_cpu_mode
				  : c->scope.of_group ? &kind_cpu_cgroup
						      : &kind_cpu;
	char name[32];
	struct task_texts texts = {.name = name};
	struct strbuf place;
	struct task *t;

	snprintf(name, sizeof name, "%d%s%s", cpu->number, mode ? " " : "", cpu_mode_names[mode]);
	strbuf_init(&place);
	place_add(&place, c->machine, &cpu->place);
	texts.cmdline = place.text;
	t = task_new(kind, *kind->facts, n_counts, &texts);
	strbuf_done(&place);
	t->id = t->owner = kind_cpu_mode_id(cpu->number, mode);
	t->start_ns = cpu->starts;
	t->state = '?';
	t->facts_read = c->refresh;
	if (cpu->place.core >= 0)
		task_set_fact(t, FACT_CORE, (uint64_t)cpu->place.core);
	if (cpu->place.socket >= 0)
		task_set_fact(t, FACT_SOCKET, (uint64_t)cpu->place.socket);
	if (cpu->place.kind >= 0)
		task_set_fact(t, FACT_CORE_KIND, (uint64_t)cpu->place.kind);
	return t;
}

static void set_times(const struct cpus *c, struct task *t, const struct cpu_ticks *ticks)
{
	const struct cpu_queue *queue = cpu_queue_find(c->queue, c->n_queues, ticks->cpu);
	/* The times in `ticks` include those of other control groups. */
	if (c->scope.of_group)
		return;
	uint64_t user = ticks->in[CPU_USER] + ticks->in[CPU_NICE];
	uint64_t kernel = ticks->in[CPU_SYSTEM] + ticks->in[CPU_IRQ];

	user *= c->scope.mode != CPU_MODE_KERNEL;
	kernel *= c->scope.mode != CPU_MODE_USER;
	task_set_fact(t, FACT_UTIME_NS, user * c->tick_ns);
	task_set_fact(t, FACT_STIME_NS, kernel * c->tick_ns);
	task_set_fact(t, FACT_CPU_NS, (user + kernel) * c->tick_ns);
	if (c->scope.mode)
		return;
	task_set_fact(t, FACT_IDLE_NS, (ticks->in[CPU_IDLE] - ticks->waiting) * c->tick_ns);
	task_set_fact(t, FACT_IOWAIT_NS, ticks->waiting * c->tick_ns);
	task_set_fact(t, FACT_STEAL_NS, ticks->in[CPU_STOLEN] * c->tick_ns);
	if (queue)
		task_set_fact(t, FACT_WAIT_NS, queue->waited_ns);
}

/* Reads the run queues if they are wanted. If the kernel does not report them, logs why, and drops
 * the previous values. */
static void read_queues(struct cpus *c, struct arena *arena)
{
	const bool wanted = fact_in(c->want.facts, FACT_WAIT_NS) && !c->scope.mode;
	int n = wanted ? c->queues(&c->queue, arena) : 0;
	char text[ERR_TEXT_MAX];

	c->n_queues = n < 0 ? 0 : n;
	if (n >= 0 || c->scope.of_group || !c->want.log)
		return;
	snprintf(text, sizeof text, "the time that tasks wait for a CPU is not known: %s",
		 n == -ENOENT   ? "this kernel has no /proc/schedstat (CONFIG_SCHEDSTATS)"
		 : n == -EINVAL ? "the version of /proc/schedstat is unknown"
				: strerror(-n));
	log_add(c->want.log, LOG_SCREEN, text);
}

/* Sets the counts of events of other kinds of cores to 0, with the enabled time of the events of
 * this kind and running time 0. */
static void zero_other_cores(const struct cpus *c, const struct cpu *cpu, struct task *t)
{
	const struct event_set *set = &c->attach.set;
	uint64_t enabled_ns = 0;

	for (int i = 0; i < set->plan.n; i++)
		if (t->count[i].enabled_ns > enabled_ns)
			enabled_ns = t->count[i].enabled_ns;
	for (int i = 0; i < set->plan.n; i++) {
		int core = set->event[set->plan.member[i].event].core;

		if (core == EVENT_NO_CORE || core == cpu->place.kind)
			continue;
		t->count[i] = (struct count){0, enabled_ns, 0};
		t->unread &= ~(1ull << i);
	}
}

/* Reads the counters of a CPU. If they cannot be read, keeps the counts of the last reading, from
 * where the next interval starts. */
static void read_counts(struct cpus *c, struct cpu *cpu, struct task *t)
{
	const struct task *last = cpu->last && cpu->last->n_counts ? cpu->last : NULL;
	int error;

	t->counting = cpu->counting;
	if (!cpu->group)
		return;
	c->cost.reads++;
	t->unread = group_read(cpu->group, c->attach.sys, t->count, &error);
	if (error) {
		t->unread = ~0ull;
		if (last)
			memcpy(t->count, last->count, t->n_counts * sizeof *t->count);
	} else if (machine_is_hybrid(c->machine)) {
		zero_other_cores(c, cpu, t);
	}
	schedule_note(&c->attach.schedule, &c->attach.set, last ? last->count : NULL, t->count,
		      t->unread | (last ? last->unread : 0));
}

/* Sets the times at which counts and facts of the last row were read, relative to the time of the
 * sample. */
static void set_moment(struct cpus *c, struct sample *out, int64_t facts_us)
{
	int64_t begin_us = (int64_t)(out->mono_ns / 1000);

	out->time[out->n - 1] = (struct task_time){
		.counts_us = (float)((int64_t)(c->proc->now(c->proc) / 1000) - begin_us),
		.facts_us = (float)(facts_us - begin_us),
	};
}

static const struct sample_events *events_of(struct cpus *c)
{
	if (!c->scope.mode)
		return c->attach.counted;
	if (c->counted_from != c->attach.counted) {
		sample_events_unref(c->counted);
		sample_events_unref(c->counted_from);
		c->counted_from = sample_events_ref(c->attach.counted);
		c->counted = mode_restore(c->counted_from, &c->attach.set.plan, &c->wanted);
	}
	return c->counted;
}

/* Adds the row of a CPU to the sample. ticks NULL: the CPU has gone offline, and its final counts
 * are added. */
static void sample_cpu(struct cpus *c, struct cpu *cpu, const struct cpu_ticks *ticks,
		       int64_t facts_us, struct sample *out)
{
	int n_counts = cpu->group ? c->attach.set.plan.n : 0;
	struct task *t = make_reading(c, cpu, n_counts);

	task_set_events(t, events_of(c));
	if (ticks) {
		set_times(c, t, ticks);
	} else {
		t->dead = t->lost = true;
		if (cpu->last)
			for (int f = 0; f < N_NUMBER_FACTS; f++)
				if (fact_in(cpu->last->known, f))
					task_set_fact(t, f, task_fact(cpu->last, f));
	}
	read_counts(c, cpu, t);
	sample_add(out, t);
	set_moment(c, out, facts_us);
	task_unref(cpu->last);
	cpu->last = task_ref(t);
	c->cost.groups += cpu->group != NULL;
	c->cost.tasks++;
}

/* Adds rows of CPUs that have gone offline since the last sample, with their final counts. */
static void sample_offline(struct cpus *c, const struct machine_use *use, int64_t facts_us,
			   struct sample *out)
{
	for (size_t i = 0, k = 0; i < c->n; i++) {
		struct cpu *cpu = &c->cpu[i];

		while (k < use->n_cpus && use->cpu[k].cpu < cpu->number)
			k++;
		if (!cpu->online || (k < use->n_cpus && use->cpu[k].cpu == cpu->number))
			continue;
		if (cpu->last)
			sample_cpu(c, cpu, NULL, facts_us, out);
		close_cpu(c, cpu);
		cpu->online = false;
	}
}

static void sample_all(struct cpus *c, const struct machine_use *use, struct sample *out)
{
	int64_t facts_us = (int64_t)(c->proc->now(c->proc) / 1000);

	sample_offline(c, use, facts_us, out);
	for (size_t i = 0; i < use->n_cpus; i++) {
		struct cpu *cpu;

		if (!is_wanted(c, use->cpu[i].cpu))
			continue;
		cpu = find_cpu(c, use->cpu[i].cpu);
		if (!cpu->online)
			go_online(c, cpu);
		open_cpu(c, cpu);
		sample_cpu(c, cpu, &use->cpu[i], facts_us, out);
	}
	c->cost.ran = c->cost.tasks;
	c->cost.descriptors = c->attach.n_fds;
}

static int cpus_next(struct source *source, struct sample *out, struct err *err)
{
	struct cpus *c = self_of(source);
	struct proc_clocks clocks;
	int last_pid;

	sample_reset(out);
	c->refresh++;
	c->cost = (struct source_cost){.reads = 2};
	c->proc->host(c->proc, &out->host, &last_pid);
	c->proc->clocks(c->proc, &clocks);
	c->proc->use(c->proc, &out->use, &out->arena);
	if (out->use.cpu_error)
		return err_set(err, out->use.cpu_error, "cannot read /proc/stat: %s",
			       strerror(out->use.cpu_error));
	read_queues(c, &out->arena);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	out->generation = c->generation;
	out->number = c->refresh;
	out->threads = true;
	sample_set_machine(out, c->description);
	sample_all(c, &out->use, out);
	sample_sort(out);
	out->last = attach_reconsider(&c->attach);
	if (out->last) {
		close_all(c);
		c->generation++;
	}
	return 0;
}

static int cpus_configure(struct source *source, struct want *want, struct err *note)
{
	struct cpus *c = self_of(source);

	close_all(c);
	c->generation++;
	if (c->scope.mode) {
		event_set_done(&c->wanted);
		event_set_copy(&c->wanted, &want->events);
		mode_narrow(&want->events, c->scope.mode);
	}
	c->attach.no_hardware = want->no_hardware;
	/* As for threads (true): counters of a CPU inherit nothing. */
	attach_configure(&c->attach, &want->events, true, note);
	/* The event was refused on tiptop itself; counting CPUs may need another right. */
	if (note && (note->code == EACCES || note->code == EPERM))
		refusal_try_cpus(c->attach.sys, note);
	c->want = *want;
	return 0;
}

static const struct sample_events *cpus_events(const struct source *source)
{
	return events_of((struct cpus *)source);
}

static bool cpus_go_on(struct source *source, struct want *want)
{
	struct cpus *c = self_of(source);

	if (c->scope.mode)
		mode_narrow(&want->events, c->scope.mode);
	attach_go_on(&c->attach, &want->events);
	c->want = *want;
	return true;
}

/* Filters of tasks do not apply to CPUs. */
static bool cpus_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *cpus_note(const struct source *source)
{
	const struct cpus *c = (const struct cpus *)source;

	return c->refused.code ? c->refused.text : c->attach.why.code ? c->attach.why.text : NULL;
}

static void cpus_cost(const struct source *source, struct source_cost *out)
{
	*out = ((const struct cpus *)source)->cost;
}

static void cpus_free(struct source *source)
{
	struct cpus *c = self_of(source);

	close_all(c);
	attach_done(&c->attach);
	event_set_done(&c->wanted);
	sample_events_unref(c->counted);
	sample_events_unref(c->counted_from);
	sample_machine_unref(c->description);
	free(c->cpu);
	free(c);
}

struct source *source_cpus_new(struct perf_sys *sys, struct proc *proc,
			       const struct machine *machine,
			       const struct sample_machine *description,
			       const struct cpus_scope *scope)
{
	static const struct source_ops ops = {
		.configure = cpus_configure,
		.events = cpus_events,
		.go_on = cpus_go_on,
		.next = cpus_next,
		.filter = cpus_filter,
		.note = cpus_note,
		.cost = cpus_cost,
		.free = cpus_free,
	};
	struct cpus *c = xcalloc(1, sizeof *c);

	c->source.ops = &ops;
	c->proc = proc;
	c->machine = machine;
	if (scope)
		c->scope = *scope;
	c->queues = c->scope.queues ? c->scope.queues : cpu_queues_read;
	event_set_init(&c->wanted);
	c->description = sample_machine_ref(description);
	c->tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	attach_init(&c->attach, sys);
	if (c->scope.of_group)
		c->attach.cgroup_fd = c->scope.group_fd;
	return &c->source;
}

/* ---- modes ---- */

#define N_PARTS 2

struct modes {
	struct source source;
	struct source *part[N_PARTS]; /* [0] user mode, [1] kernel */
	struct sample second;         /* scratch: the sample of the kernel part */
};

static struct modes *modes_of(const struct source *source)
{
	return (struct modes *)source;
}

static const struct source_ops *ops_of(const struct modes *m, int i)
{
	return m->part[i]->ops;
}

/* Returns a copy, for a source that takes over the events. */
static struct want copy_want(const struct want *want)
{
	struct want copy = *want;

	event_set_copy(&copy.events, &want->events);
	return copy;
}

static int modes_configure(struct source *source, struct want *want, struct err *note)
{
	struct modes *m = modes_of(source);
	struct err other = ERR_INIT;
	struct want kernel = copy_want(want);

	ops_of(m, 0)->configure(m->part[0], want, note);
	ops_of(m, 1)->configure(m->part[1], &kernel, &other);
	if (!note->code)
		*note = other;
	return 0;
}

static const struct sample_events *modes_events(const struct source *source)
{
	const struct modes *m = modes_of(source);

	return ops_of(m, 0)->events(m->part[0]);
}

static bool modes_go_on(struct source *source, struct want *want)
{
	struct modes *m = modes_of(source);
	struct want kernel = copy_want(want);

	ops_of(m, 0)->go_on(m->part[0], want);
	return ops_of(m, 1)->go_on(m->part[1], &kernel);
}

/* Adds the rows of another sample; converts their times, which are relative to the start of that
 * sample. */
static void add_rows(struct sample *out, const struct sample *from)
{
	const float later_us = (float)((double)(from->mono_ns - out->mono_ns) / 1000);

	for (size_t i = 0; i < from->n; i++) {
		sample_add(out, task_ref(from->task[i]));
		out->time[out->n - 1] = (struct task_time){from->time[i].counts_us + later_us,
							   from->time[i].facts_us + later_us};
	}
	/* Generations only grow, so two samples have the same sum only if both generations are the
	 * same. */
	out->generation += from->generation;
	out->last |= from->last;
	sample_sort(out);
}

static int modes_next(struct source *source, struct sample *out, struct err *err)
{
	struct modes *m = modes_of(source);
	int ret = ops_of(m, 0)->next(m->part[0], out, err);

	if (!ret)
		ret = ops_of(m, 1)->next(m->part[1], &m->second, err);
	if (!ret)
		add_rows(out, &m->second);
	return ret;
}

static bool modes_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *modes_note(const struct source *source)
{
	const struct modes *m = modes_of(source);
	const char *note = ops_of(m, 0)->note(m->part[0]);

	return note ? note : ops_of(m, 1)->note(m->part[1]);
}

static void modes_cost(const struct source *source, struct source_cost *out)
{
	const struct modes *m = modes_of(source);
	struct source_cost other;

	ops_of(m, 0)->cost(m->part[0], out);
	ops_of(m, 1)->cost(m->part[1], &other);
	out->reads += other.reads;
	out->groups += other.groups;
	out->descriptors += other.descriptors;
	out->refused += other.refused;
}

static void modes_free(struct source *source)
{
	struct modes *m = modes_of(source);

	for (int i = 0; i < N_PARTS; i++)
		ops_of(m, i)->free(m->part[i]);
	sample_done(&m->second);
	free(m);
}

struct source *source_modes_new(struct perf_sys *sys, struct proc *proc,
				const struct machine *machine,
				const struct sample_machine *description,
				const struct cpus_scope *scope)
{
	static const struct source_ops ops = {
		.configure = modes_configure,
		.events = modes_events,
		.go_on = modes_go_on,
		.next = modes_next,
		.filter = modes_filter,
		.note = modes_note,
		.cost = modes_cost,
		.free = modes_free,
	};
	struct modes *m = xcalloc(1, sizeof *m);
	struct cpus_scope part = *scope;

	m->source.ops = &ops;
	for (int i = 0; i < N_PARTS; i++) {
		part.mode = i ? CPU_MODE_KERNEL : CPU_MODE_USER;
		m->part[i] = source_cpus_new(sys, proc, machine, description, &part);
	}
	sample_init(&m->second);
	return &m->source;
}

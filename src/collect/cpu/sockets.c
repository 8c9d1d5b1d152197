/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/sockets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/value.h"
#include "collect/cpu/cpus.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "pmu/check/refusal.h"
#include "pmu/event/describe.h"
#include "pmu/perf/sys.h"

/* ---- pmu instances ---- */

/* Bytes of a list of CPUs: more than a list of every second CPU has. */
#define LIST_MAX (1 << 16)

void pmu_instances_init(struct pmu_instances *b, const struct machine *machine)
{
	*b = (struct pmu_instances){.machine = machine};
	strbuf_init(&b->online);
}

static void forget_pmus(struct pmu_instances *b)
{
	for (size_t i = 0; i < b->n_pmus; i++) {
		free(b->pmu[i].name);
		strbuf_done(&b->pmu[i].cpus);
	}
	b->n_pmus = 0;
}

void pmu_instances_done(struct pmu_instances *b)
{
	forget_pmus(b);
	strbuf_done(&b->online);
	free(b->pmu);
	free(b->v);
	free(b->socket);
}

/* Reads a file again. Returns whether its text has changed. */
static bool read_again(struct strbuf *text, const char *folder, const char *name, const char *file)
{
	char *path = xasprintf("%s/%s/%s", folder, name, file);
	struct strbuf now;
	bool other;

	strbuf_init(&now);
	file_read_all(AT_FDCWD, path, LIST_MAX, &now);
	free(path);
	other = strcmp(now.text, text->text) != 0;
	strbuf_done(text);
	*text = now;
	return other;
}

static bool has_type(const struct machine *m, const char *pmu, uint32_t *type)
{
	char *path = xasprintf("%s/%s/type", m->host->devices, pmu), text[32], *end;
	const ssize_t n = file_read(AT_FDCWD, path, text, sizeof text);

	free(path);
	if (n <= 0)
		return false;
	*type = (uint32_t)strtoul(text, &end, 10);
	return end > text;
}

/* Lists all PMUs of the machine. */
static void list_pmus(struct pmu_instances *b)
{
	struct folder pmus;
	const char *name;
	uint32_t type;

	forget_pmus(b);
	folder_open(&pmus, "%s", b->machine->host->devices);
	while ((name = folder_next(&pmus))) {
		if (!has_type(b->machine, name, &type))
			continue;
		b->pmu = xgrow(b->pmu, &b->cap_pmus, b->n_pmus + 1, sizeof *b->pmu);
		b->pmu[b->n_pmus] = (struct shared_pmu){.name = xstrdup(name), .type = type};
		strbuf_init(&b->pmu[b->n_pmus++].cpus);
	}
}

static const char *name_of(const struct pmu_instances *b, uint32_t type)
{
	for (size_t i = 0; i < b->n_pmus; i++)
		if (b->pmu[i].type == type)
			return b->pmu[i].name;
	return "";
}

/* Keeps only PMUs that have an event of the set. */
static void drop_others(struct pmu_instances *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->n_pmus; i++) {
		if (b->pmu[i].events) {
			b->pmu[n++] = b->pmu[i];
			continue;
		}
		free(b->pmu[i].name);
		strbuf_done(&b->pmu[i].cpus);
	}
	b->n_pmus = n;
}

void pmu_instances_find(struct pmu_instances *b, const struct event_set *set)
{
	list_pmus(b);
	for (int i = 0; i < set->n; i++) {
		const struct event *e = &set->event[i];
		const char *one = name_of(b, e->type);

		if (e->quality != QUALITY_EXACT || !e->shared)
			continue;
		for (size_t k = 0; k < b->n_pmus; k++)
			if (event_sysfs_is_of(b->pmu[k].name, one, e->several))
				b->pmu[k].events |= 1ull << i;
	}
	drop_others(b);
	strbuf_reset(&b->online);
	b->n = b->n_sockets = 0;
}

static void note_socket(struct pmu_instances *b, long socket)
{
	size_t i = b->n_sockets;

	while (i > 0 && b->socket[i - 1] > socket)
		i--;
	if (socket < 0 || (i > 0 && b->socket[i - 1] == socket))
		return;
	b->socket = xgrow(b->socket, &b->cap_sockets, b->n_sockets + 1, sizeof *b->socket);
	memmove(&b->socket[i + 1], &b->socket[i], (b->n_sockets++ - i) * sizeof *b->socket);
	b->socket[i] = socket;
}

static long socket_of(const struct pmu_instances *b, int cpu)
{
	struct place place;

	place_find(&place, b->machine, cpu);
	return place.socket;
}

static void list_sockets(struct pmu_instances *b)
{
	struct cpu_list online;

	b->n_sockets = 0;
	cpu_list_parse(&online, b->online.text);
	for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
		if (cpu_list_has(&online, cpu))
			note_socket(b, socket_of(b, cpu));
}

static void add_instances(struct pmu_instances *b, const struct shared_pmu *pmu, int cpu)
{
	const long socket = socket_of(b, cpu);

	for (uint64_t left = socket < 0 ? 0 : pmu->events; left; left &= left - 1) {
		b->v = xgrow(b->v, &b->cap, b->n + 1, sizeof *b->v);
		b->v[b->n++] = (struct pmu_instance){__builtin_ctzll(left), pmu->type, cpu, socket};
	}
}

static int compare(const void *a, const void *b)
{
	const struct pmu_instance *x = a, *y = b;

	if (x->socket != y->socket)
		return x->socket < y->socket ? -1 : 1;
	if (x->type != y->type)
		return x->type < y->type ? -1 : 1;
	return x->cpu != y->cpu ? x->cpu - y->cpu : x->event - y->event;
}

bool pmu_instances_update(struct pmu_instances *b)
{
	const struct event_host *host = b->machine->host;
	bool other = read_again(&b->online, host->cpus, ".", "online");

	for (size_t i = 0; i < b->n_pmus; i++)
		other |= read_again(&b->pmu[i].cpus, host->devices, b->pmu[i].name, "cpumask");
	if (!other)
		return false;
	list_sockets(b);
	b->n = 0;
	for (size_t i = 0; i < b->n_pmus; i++) {
		struct cpu_list cpus;

		cpu_list_parse(&cpus, b->pmu[i].cpus.text);
		for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
			if (cpu_list_has(&cpus, cpu))
				add_instances(b, &b->pmu[i], cpu);
	}
	array_sort(b->v, b->n, sizeof *b->v, compare);
	return true;
}

/* ---- instance counters ----
 *
 * The open counters of sockets: for each event of a set, one on each of its PMU instances.
 *
 * If an instance of a socket moves to another CPU, all counters of that socket are opened again.
 * Counters that the kernel refuses for the moment are tried again at each update. Once such a
 * counter can be opened, all counters of its socket are opened again, as all parts of a sum must
 * begin at the same time.
 *
 * Cost: a descriptor for each instance, and a system call to read it.
 */

struct counted_socket {
	long number;
	uint64_t starts; /* a new number each time the counters are opened */
	const struct pmu_instance *instance;
	int *fd; /* [n] NOT_OPEN: to be tried again */
	size_t n;
};

struct socket_counters {
	struct perf_sys *sys;
	struct event_set *set; /* borrowed */
	struct pmu_instances instances;
	struct pmu_instance *instance; /* instances whose counters are open or tried again */
	struct counted_socket *socket; /* [n] sorted by number */
	size_t n;
	uint64_t starts;
	int failed[EVENT_SET_MAX]; /* -errno of the last failure to open an event */
	struct err refused;        /* why an event cannot be opened for the moment */
};

#define NOT_OPEN (-1)

/* sys and machine must outlive c. Nothing is counted before instance_counters_begin(). */
static void instance_counters_init(struct socket_counters *c, struct perf_sys *sys,
				   const struct machine *machine)
{
	*c = (struct socket_counters){.sys = sys};
	pmu_instances_init(&c->instances, machine);
}

static void close_socket(struct socket_counters *c, struct counted_socket *socket)
{
	for (size_t i = 0; i < socket->n; i++)
		if (socket->fd[i] != NOT_OPEN)
			c->sys->close(c->sys, socket->fd[i]);
	free(socket->fd);
	socket->fd = NULL;
	socket->n = 0;
}

static void close_all(struct socket_counters *c)
{
	for (size_t i = 0; i < c->n; i++)
		close_socket(c, &c->socket[i]);
	free(c->socket);
	free(c->instance);
	c->socket = NULL;
	c->instance = NULL;
	c->n = 0;
}

static int open_instance(struct socket_counters *c, const struct pmu_instance *instance)
{
	struct perf_event_attr attr;

	event_attr(c->set, instance->event, true, false, &attr);
	attr.type = instance->type;
	return c->sys->open(c->sys, &attr, -1, instance->cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void explain(const struct socket_counters *c, int event, int ret, struct err *err)
{
	const struct event *e = &c->set->event[event];
	const struct refusal_attempt attempt = {.event = e->what ? e->what : e->name,
						.tid = REFUSAL_CPU,
						.kernel = true,
						.hardware = true};

	if (!err->code)
		refusal_explain(ret, &attempt, err);
}

static void open_socket(struct socket_counters *c, struct counted_socket *socket,
			const struct pmu_instance *instance, size_t n)
{
	socket->starts = ++c->starts;
	socket->instance = instance;
	socket->n = n;
	socket->fd = xcalloc(n ? n : 1, sizeof *socket->fd);
	for (size_t i = 0; i < n; i++) {
		const int fd = open_instance(c, &instance[i]);

		socket->fd[i] = fd < 0 ? NOT_OPEN : fd;
		if (fd < 0)
			c->failed[instance[i].event] = fd;
	}
}

static size_t count_instances(const struct pmu_instances *b, size_t first)
{
	size_t n = first;

	while (n < b->n && b->v[n].socket == b->v[first].socket)
		n++;
	return n - first;
}

/* Moves *at to the instances of this socket. Returns their number. */
static size_t find_instances(const struct pmu_instances *b, long socket, size_t *at)
{
	while (*at < b->n && b->v[*at].socket < socket)
		++*at;
	return *at < b->n && b->v[*at].socket == socket ? count_instances(b, *at) : 0;
}

static bool equal_instances(const struct counted_socket *x, const struct pmu_instance *instance,
			    size_t n)
{
	if (x->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (x->instance[i].event != instance[i].event ||
		    x->instance[i].type != instance[i].type ||
		    x->instance[i].cpu != instance[i].cpu)
			return false;
	return true;
}

static struct counted_socket *find_socket(struct counted_socket *v, size_t n, long number)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].number == number)
			return &v[i];
	return NULL;
}

/* Opens counters on the present instances. Sockets whose instances are unchanged keep their
 * counters. */
static void update_instances(struct socket_counters *c)
{
	const struct pmu_instances *b = &c->instances;
	struct socket_counters old = *c;
	size_t at = 0;

	c->n = b->n_sockets;
	c->socket = xcalloc(c->n ? c->n : 1, sizeof *c->socket);
	c->instance = xcalloc(b->n ? b->n : 1, sizeof *c->instance);
	if (b->n)
		memcpy(c->instance, b->v, b->n * sizeof *c->instance);
	for (size_t i = 0; i < c->n; i++) {
		struct counted_socket *new = &c->socket[i];
		struct counted_socket *before = find_socket(old.socket, old.n, b->socket[i]);
		const size_t n = find_instances(b, b->socket[i], &at);

		if (before && equal_instances(before, &c->instance[at], n)) {
			*new = *before;
			new->instance = &c->instance[at];
			*before = (struct counted_socket){.number = -1};
			continue;
		}
		new->number = b->socket[i];
		open_socket(c, new, &c->instance[at], n);
	}
	close_all(&old);
}

/* Returns whether the reason may pass: a CPU has gone offline meanwhile, or a resource is short. */
static bool may_pass(int ret)
{
	return ret == -ENODEV || perf_error_is_transient(ret);
}

/* Tries again to open the counters of a socket that could not be opened, until the first success.
 * Returns whether there was one. */
static bool reopen_failed(struct socket_counters *c, struct counted_socket *socket)
{
	for (size_t i = 0; i < socket->n; i++) {
		int fd;

		if (socket->fd[i] != NOT_OPEN)
			continue;
		fd = open_instance(c, &socket->instance[i]);
		if (fd >= 0) {
			socket->fd[i] = fd;
			return true;
		}
		explain(c, socket->instance[i].event, fd, &c->refused);
	}
	return false;
}

/* Tries again to open counters that could not be opened. If one of a socket can be opened now,
 * opens all counters of the socket again, so that its sums have the same start. */
static void try_again(struct socket_counters *c)
{
	c->refused = (struct err)ERR_INIT;
	for (size_t i = 0; i < c->n; i++) {
		struct counted_socket *socket = &c->socket[i];
		const struct pmu_instance *instance = socket->instance;
		const size_t n = socket->n;

		if (!reopen_failed(c, socket))
			continue;
		close_socket(c, socket);
		open_socket(c, socket, instance, n);
	}
}

/* Finds the present instances, and tries again to open counters that could not be opened. */
static void instance_counters_update(struct socket_counters *c)
{
	if (pmu_instances_update(&c->instances))
		update_instances(c);
	try_again(c);
}

/* Marks events that the kernel refuses for good on some instance, so that they are not opened on
 * any instance. Returns whether there was such an event. */
static bool refuse_failed(struct socket_counters *c, struct err *note)
{
	bool any = false;

	for (int i = 0; i < c->set->n; i++) {
		if (!c->failed[i] || may_pass(c->failed[i]))
			continue;
		c->set->event[i].quality = (uint8_t)event_opening_quality(c->failed[i]);
		explain(c, i, c->failed[i], note);
		any = true;
	}
	return any;
}

static void begin(struct socket_counters *c)
{
	memset(c->failed, 0, sizeof c->failed);
	close_all(c);
	pmu_instances_find(&c->instances, c->set);
	pmu_instances_update(&c->instances);
	update_instances(c);
}

/* Opens the uncore events of the set, which is borrowed. An event that the kernel refuses for good
 * on some instance is not opened on any: its quality tells why, and the note has the reason for the
 * first such event. */
static void instance_counters_begin(struct socket_counters *c, struct event_set *set,
				    struct err *note)
{
	c->set = set;
	begin(c);
	if (refuse_failed(c, note))
		begin(c);
}

static void instance_counters_done(struct socket_counters *c)
{
	close_all(c);
	pmu_instances_done(&c->instances);
}

/* The format of read(2) for an event that leads a group of its own. */
struct one {
	uint64_t nr, enabled_ns, running_ns, value, id;
};

/* Adds the counts of all instances of each event to count[], which the caller has zeroed. Returns
 * the mask of the events that have an instance and were read on all their instances. */
static uint64_t instance_counters_read(const struct socket_counters *c,
				       const struct counted_socket *socket, struct count *count)
{
	uint64_t had = 0, failed = 0;

	for (size_t i = 0; i < socket->n; i++) {
		const int event = socket->instance[i].event;
		struct one one;

		had |= 1ull << event;
		if (socket->fd[i] == NOT_OPEN ||
		    c->sys->read(c->sys, socket->fd[i], &one, sizeof one) != sizeof one) {
			failed |= 1ull << event;
			continue;
		}
		count[event].value += one.value;
		count[event].enabled_ns += one.enabled_ns;
		count[event].running_ns += one.running_ns;
	}
	return had & ~failed;
}

/* ---- sockets ---- */

struct sockets {
	struct source source;
	struct proc *proc;
	struct sample_machine *description;
	struct event_set set;
	struct sample_events *counted;
	struct socket_counters counters;
	struct task **last; /* [n_last] the readings of the last sample */
	size_t n_last, cap_last;
	uint64_t generation;
	uint32_t refresh;
	bool machine_watched;
	struct source_cost cost;
};

static struct sockets *self_of(const struct source *source)
{
	return (struct sockets *)source;
}

/* Marks events of other than uncore PMUs as unsupported: rows of sockets do not count them. */
static void refuse_others(struct sockets *s, struct err *note)
{
	for (int i = 0; i < s->set.n; i++) {
		struct event *e = &s->set.event[i];

		if (e->quality != QUALITY_EXACT || e->shared)
			continue;
		e->quality = QUALITY_UNSUPPORTED;
		if (!note->code)
			err_set(note, EINVAL,
				"'%s' is counted on CPUs, and rows of sockets have only what CPUs "
				"share: 'tiptop system' shows it",
				e->what ? e->what : e->name);
	}
}

static void make_events(struct sockets *s)
{
	struct sample_event event[EVENT_SET_MAX];

	for (int i = 0; i < s->set.n; i++) {
		event[i] = event_to_sample(&s->set, i);
		/* Each event is a group by itself. */
		event[i].group = event[i].quality == QUALITY_EXACT ? (uint16_t)i : SAMPLE_NO_GROUP;
	}
	sample_events_unref(s->counted);
	s->counted = sample_events_new(event, s->set.n);
}

static void forget_last(struct sockets *s)
{
	for (size_t i = 0; i < s->n_last; i++)
		task_unref(s->last[i]);
	s->n_last = 0;
}

static int sockets_configure(struct source *source, struct want *want, struct err *note)
{
	struct sockets *s = self_of(source);

	forget_last(s);
	s->generation++;
	event_set_done(&s->set);
	s->set = want->events;
	event_set_init(&want->events);
	refuse_others(s, note);
	instance_counters_begin(&s->counters, &s->set, note);
	make_events(s);
	return 0;
}

static const struct sample_events *sockets_events(const struct source *source)
{
	return self_of(source)->counted;
}

/* A new screen has other events, so a new generation begins. */
static bool sockets_go_on(struct source *source, struct want *want)
{
	(void)source, (void)want;
	return false;
}

/* Returns the reading of the last sample that came from the same counters as t; NULL: none. */
static const struct task *find_last(const struct sockets *s, const struct task *t)
{
	for (size_t i = 0; i < s->n_last; i++)
		if (s->last[i]->id == t->id && s->last[i]->start_ns == t->start_ns)
			return s->last[i];
	return NULL;
}

/* Reads the counts; an event that could not be read keeps the count of the last reading. */
static void take_counts(struct sockets *s, const struct counted_socket *socket, struct task *t)
{
	const struct task *last = find_last(s, t);
	struct count count[EVENT_SET_MAX];
	uint64_t done;

	memset(count, 0, sizeof count);
	done = instance_counters_read(&s->counters, socket, count);
	t->counting = COUNT_OK;
	for (int i = 0; i < s->set.n; i++) {
		t->unread |= done >> i & 1 ? 0 : 1ull << i;
		if (done >> i & 1)
			t->count[i] = count[i];
		else if (last)
			t->count[i] = last->count[i];
	}
}

/* Appends the CPUs of the counters: "CPU 0,8". */
static void add_cpus(struct strbuf *out, const struct counted_socket *socket)
{
	int last = -1;

	for (size_t i = 0; i < socket->n; i++) {
		int next = -1;

		for (size_t k = 0; k < socket->n; k++)
			if (socket->instance[k].cpu > last &&
			    (next < 0 || socket->instance[k].cpu < next))
				next = socket->instance[k].cpu;
		if (next < 0)
			break;
		strbuf_addf(out, "%s%d", out->len ? "," : "CPU ", next);
		last = next;
	}
}

static struct task *make_reading(const struct sockets *s, const struct counted_socket *socket)
{
	char name[24];
	struct task_texts texts = {.name = name};
	struct strbuf cpus;
	struct task *t;

	snprintf(name, sizeof name, "%ld", socket->number);
	strbuf_init(&cpus);
	add_cpus(&cpus, socket);
	texts.cmdline = cpus.len ? cpus.text : "-";
	t = task_new(&kind_socket, *kind_socket.facts, s->set.n, &texts);
	strbuf_done(&cpus);
	t->id = t->owner = (uint64_t)socket->number;
	t->start_ns = socket->starts;
	t->state = '?';
	t->facts_read = s->refresh;
	task_set_fact(t, FACT_SOCKET, (uint64_t)socket->number);
	task_set_events(t, s->counted);
	return t;
}

static void sample_socket(struct sockets *s, const struct counted_socket *socket,
			  struct sample *out)
{
	struct task *t = make_reading(s, socket);
	float us;

	if (s->set.n)
		take_counts(s, socket, t);
	sample_add(out, t);
	us = (float)((double)(s->proc->now(s->proc) - out->mono_ns) / 1000);
	out->time[out->n - 1] = (struct task_time){us, us};
	s->cost.tasks++;
	s->cost.reads += socket->n;
	s->cost.groups += socket->n;
	s->cost.descriptors += (long)socket->n;
}

static void keep_last(struct sockets *s, const struct sample *out)
{
	forget_last(s);
	for (size_t i = 0; i < out->n; i++) {
		s->last = xgrow(s->last, &s->cap_last, i + 1, sizeof *s->last);
		s->last[s->n_last++] = task_ref(out->task[i]);
	}
}

static int sockets_next(struct source *source, struct sample *out, struct err *err)
{
	struct sockets *s = self_of(source);
	struct proc_clocks clocks;
	int last_pid;

	(void)err;
	sample_reset(out);
	s->cost = (struct source_cost){.reads = 1 + s->counters.instances.n_pmus};
	instance_counters_update(&s->counters);
	s->proc->host(s->proc, &out->host, &last_pid);
	s->proc->clocks(s->proc, &clocks);
	if (s->machine_watched)
		s->proc->use(s->proc, &out->use, &out->arena);
	out->mono_ns = clocks.mono_ns;
	out->boot_ns = clocks.boot_ns;
	out->wall_ns = clocks.wall_ns;
	out->generation = s->generation;
	out->number = ++s->refresh;
	out->threads = out->one_set = true;
	out->kind = &kind_socket;
	sample_set_machine(out, s->description);
	for (size_t i = 0; i < s->counters.n; i++)
		sample_socket(s, &s->counters.socket[i], out);
	sample_sort(out);
	keep_last(s, out);
	s->cost.ran = s->cost.tasks;
	return 0;
}

static void sockets_watch_machine(struct source *source, bool wanted)
{
	self_of(source)->machine_watched = wanted;
}

/* Filters of tasks do not apply to sockets. */
static bool sockets_filter(struct source *source, const struct filter *filter)
{
	(void)source, (void)filter;
	return false;
}

static const char *sockets_note(const struct source *source)
{
	const struct sockets *s = self_of(source);

	if (!s->counters.instances.n_sockets)
		return "the kernel does not report sockets (physical_package_id)";
	return s->counters.refused.code ? s->counters.refused.text : NULL;
}

static void sockets_cost(const struct source *source, struct source_cost *out)
{
	*out = self_of(source)->cost;
}

static void sockets_free(struct source *source)
{
	struct sockets *s = self_of(source);

	instance_counters_done(&s->counters);
	forget_last(s);
	free(s->last);
	event_set_done(&s->set);
	sample_events_unref(s->counted);
	sample_machine_unref(s->description);
	free(s);
}

struct source *source_sockets_new(struct perf_sys *sys, struct proc *proc,
				  const struct machine *machine,
				  const struct sample_machine *description)
{
	static const struct source_ops ops = {
		.configure = sockets_configure,
		.events = sockets_events,
		.go_on = sockets_go_on,
		.next = sockets_next,
		.watch_machine = sockets_watch_machine,
		.filter = sockets_filter,
		.note = sockets_note,
		.cost = sockets_cost,
		.free = sockets_free,
	};
	struct sockets *s = xcalloc(1, sizeof *s);

	s->source.ops = &ops;
	s->proc = proc;
	s->description = sample_machine_ref(description);
	event_set_init(&s->set);
	instance_counters_init(&s->counters, sys, machine);
	return &s->source;
}

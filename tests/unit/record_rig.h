/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * record_rig - samples for recordings, in which tasks start and end and some are idle, and a
 * comparison of the samples of a reader with those written.
 */
#ifndef TESTS_RECORD_RIG_H
#define TESTS_RECORD_RIG_H

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/reader.h"
#include "record/writer.h"
#include "tap.h"

#define N_TASKS   40
#define N_SAMPLES 400

static char folder[128], path[160];
static const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
static struct sample *written[N_SAMPLES];
static uint64_t seed;

static inline unsigned chance(unsigned n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(seed >> 33) % n;
}

static inline struct sample_events *hybrid_events(void)
{
	const struct sample_event event[] = {
		{.given = "cycles",
		 .resolved = "cpu_core/cycles/",
		 .pmu = "cpu_core",
		 .group = 0,
		 .kind = EVENT_HARDWARE,
		 .modes = MODES_ALL},
		{.given = "cycles",
		 .pmu = "cpu_atom",
		 .group = 0,
		 .kind = EVENT_HARDWARE,
		 .core = 1,
		 .part_of = 1,
		 .modes = MODE_USER},
		{.given = "joules",
		 .pmu = "power",
		 .unit = "J",
		 .scale = 0.25,
		 .group = 1,
		 .kind = EVENT_PMU,
		 .config = ~0ull,
		 .core = SAMPLE_ANY_CORE},
		{.given = "none",
		 .group = SAMPLE_NO_GROUP,
		 .kind = EVENT_NONE,
		 .quality = QUALITY_UNSUPPORTED,
		 .lacking = true,
		 .guests_too = true,
		 .modes_too = true},
	};

	return sample_events_new(event, 4);
}

static inline struct task *read_of(uint64_t id, uint64_t n, const struct sample *s,
				   const struct sample_events *events)
{
	const struct task_texts texts = {
		.user = id % 3 ? "me" : "\xff\xfe",
		.name = chance(50) ? "alpha" : "a new name",
		.process = id % 4 ? NULL : "process",
		.cmdline = id % 5 ? NULL : "alpha --with 'words'",
		.read = {id % 2 ? "/a" : NULL, id % 7 ? NULL : "", NULL, "128ns # 256ns", "mutex",
			 id % 3 ? "work+0x1f" : NULL},
	};
	static const struct fact_set some_facts =
		FACT_SET(FACT_CPU_NS, FACT_UTIME_NS, FACT_STIME_NS, FACT_PROC_ID, FACT_MINFLT,
			 FACT_MAJFLT, FACT_VCSW, FACT_NVCSW, FACT_MIGRATIONS, FACT_NUM_THREADS,
			 FACT_RSS_KB, FACT_SESSION);
	const bool counted = chance(4);
	const struct kind *const kinds[] = {&kind_region, &kind_lock, &kind_call};
	const struct kind *kind = id % 11 ? &kind_task : kinds[id % 3];
	struct task *t =
		task_new(kind, chance(3) ? some_facts : fact_all, counted ? events->n : 0, &texts);

	t->id = id;
	t->owner = id - id % 3;
	t->start_ns = id * 1000;
	t->uid = (uint32_t)id;
	t->state = "RSDTZ"[chance(5)];
	t->counting = (uint8_t)(counted ? COUNT_OK : chance(N_COUNT_STATES));
	t->gap = !chance(9);
	t->lost = !chance(9);
	t->unread = chance(3) ? 0 : 2;
	t->facts_read = chance(3) ? s->number : s->number - 1;
	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (chance(4))
			task_set_fact(t, f, (uint64_t)(int64_t)(chance(9) - 4) * n);
	/* Short enough: a recording would move parts of a wait longer than its interval. */
	if (fact_in(t->known, FACT_WAIT_NS))
		task_set_fact(t, FACT_WAIT_NS, n);
	for (int i = 0; counted && i < events->n; i++)
		t->count[i] = (struct count){n * n * 1000003 * (uint64_t)i, n, n - !chance(3)};
	task_set_events(t, events);
	if (!counted || id % 5)
		return t;
	task_make_moved(t);
	for (int i = 0; i < events->n; i++)
		t->moved[i] = i - 2 + (int)(n % 2);
	return t;
}

/* Sets the use of CPUs and memory of sample n: in turn not read, read, and failed. */
static inline void set_use(struct sample *s, uint32_t n)
{
	struct cpu_ticks cpu[4] = {{.cpu = 0}};

	s->use.wanted = n % 5;
	if (!s->use.wanted)
		return;
	s->use.cpu_error = n % 7 ? 0 : EACCES;
	s->use.memory_error = n % 11 ? 0 : ENOENT;
	s->use.memory = (struct memory_use){1000 + n, n, n + 1, 2000, n + 2};
	for (int i = 0; i < 4; i++) {
		cpu[i].cpu = 2 * i;
		for (int k = 0; k < N_CPU_STATES; k++)
			cpu[i].in[k] = ~0ull - n * (unsigned)(i + k);
	}
	s->use.n_cpus = s->use.cpu_error ? 0 : 4 - n % 3;
	s->use.cpu = arena_copy(&s->arena, cpu, s->use.n_cpus * sizeof *cpu);
}

static inline struct sample_machine *hybrid_machine(void)
{
	static const char *const core[] = {"cpu_core", "cpu_atom"}, *const pmu[] = {"cpu_core",
										    NULL};
	/* The resources that each CPU shares. Of the third CPU, most are unknown. */
	static const struct sample_place place[] = {
		{{-1, 0, 0, 0, 0}}, {{-1, 0, 0, 1, 1}}, {{-1, -1, 0, 1, 2}}};

	return sample_machine_new(&(struct sample_machine){.arch = "x86",
							   .model = "06_97",
							   .boot_id = "1",
							   .host = "node1",
							   .n_cores = 2,
							   .core = core,
							   .cpu_kind = (const uint8_t[]){0, 1, 1},
							   .n_cpus = 3,
							   .place = place,
							   .n_places = 3,
							   .pmu = pmu});
}

/* Makes samples in which tasks start and end, and some are idle. */
static inline void make_samples(void)
{
	struct sample_machine *machine = hybrid_machine();
	struct sample_events *sets[2] = {hybrid_events(), hybrid_events()};
	struct task *present[N_TASKS] = {NULL};

	for (uint32_t n = 1; n <= N_SAMPLES; n++) {
		struct sample *s = sample_new();

		s->number = n;
		s->mono_ns = n * 1000000123ull;
		s->boot_ns = s->mono_ns + 5;
		s->wall_ns = 1700000000000000000ull + s->mono_ns;
		s->generation = 1 + n / 150;
		s->threads = n > 300;
		s->host = (struct host){.uptime_s = n,
					.load1 = n % 7 ? 0.5 : (double)NAN,
					.n_cpus = 3,
					.mem_total_kb = n,
					.n_running = (int)n,
					.tick_ns = n * 1000};
		set_use(s, n);
		sample_set_machine(s, machine);
		for (uint64_t i = 0; i < N_TASKS; i++) {
			unsigned fate = chance(10);

			if (present[i] && !fate) {
				task_unref(present[i]);
				present[i] = NULL;
			} else if (fate < 6 && (present[i] || fate == 1)) {
				task_unref(present[i]);
				present[i] = read_of(10 + i, n, s, sets[s->generation % 2]);
			}
			if (!present[i])
				continue;
			sample_add(s, task_ref(present[i]));
			s->time[s->n - 1] = (struct task_time){(float)(i * 7), (float)(i * 9)};
		}
		sample_sort(s);
		written[n - 1] = s;
	}
	for (size_t i = 0; i < N_TASKS; i++)
		task_unref(present[i]);
	sample_events_unref(sets[0]);
	sample_events_unref(sets[1]);
	sample_machine_unref(machine);
}

static inline bool same(const char *x, const char *y)
{
	return x && y ? !strcmp(x, y) : x == y;
}

static inline bool same_event(const struct sample_event *x, const struct sample_event *y)
{
	return sample_event_equal(x, y) && same(x->given, y->given) &&
	       same(x->resolved, y->resolved) && same(x->format, y->format) &&
	       same(x->unit, y->unit) && x->scale == y->scale && x->group == y->group &&
	       x->part_of == y->part_of && x->core == y->core && x->quality == y->quality &&
	       x->lacking == y->lacking && x->guests_too == y->guests_too &&
	       x->modes_too == y->modes_too;
}

/* Returns the name of a difference, NULL if there is none. */
static inline const char *differ(const struct task *x, const struct task *y)
{
	if (task_compare(x, y) || x->uid != y->uid)
		return "who it is";
	if (!same(x->user, y->user) || !same(x->name, y->name) || !same(x->process, y->process) ||
	    !same(x->cmdline, y->cmdline))
		return "texts";
	if (x->dead != y->dead || x->gap != y->gap || x->lost != y->lost || x->ended != y->ended ||
	    x->state != y->state || x->counting != y->counting || x->unread != y->unread)
		return "state";
	for (int f = 0; f < N_FACTS; f++) {
		if (fact_in(x->known, f) != fact_in(y->known, f))
			return "which facts are known";
		if (f < N_NUMBER_FACTS && fact_in(x->known, f) &&
		    task_fact(x, f) != task_fact(y, f))
			return "a fact";
		if (f >= N_NUMBER_FACTS && !same(task_text(x, f), task_text(y, f)))
			return "a text";
	}
	if (x->n_counts != y->n_counts || sample_events_n(x->events) != sample_events_n(y->events))
		return "how many events";
	for (int i = 0; i < sample_events_n(x->events); i++)
		if (!same_event(&x->events->event[i], &y->events->event[i]))
			return "an event";
	if (x->n_counts && memcmp(x->count, y->count, x->n_counts * sizeof *x->count) != 0)
		return "a count";
	if (!x->moved != !y->moved ||
	    (x->moved && memcmp(x->moved, y->moved, x->n_counts * sizeof *x->moved) != 0))
		return "what moved";
	return NULL;
}

/* Returns the index of the previous reading of a task, SIZE_MAX if there is none. */
static inline size_t find(const struct sample *s, const struct task *t)
{
	for (size_t i = 0; i < s->n; i++)
		if (!task_compare(s->task[i], t))
			return i;
	return SIZE_MAX;
}

static inline bool same_use(const struct machine_use *x, const struct machine_use *y)
{
	for (size_t i = 0; i < x->n_cpus && i < y->n_cpus; i++)
		if (x->cpu[i].cpu != y->cpu[i].cpu ||
		    memcmp(x->cpu[i].in, y->cpu[i].in, sizeof x->cpu[i].in) != 0)
			return false;
	return x->wanted == y->wanted && x->cpu_error == y->cpu_error &&
	       x->memory_error == y->memory_error && x->n_cpus == y->n_cpus &&
	       !memcmp(&x->memory, &y->memory, sizeof x->memory);
}

/* Compares a sample with the written one; old: the previous samples, NULL if there are none.
 * Returns the name of a difference, NULL if there is none. */
static inline const char *compare(const struct sample *want, const struct sample *want_old,
				  const struct sample *got, const struct sample *got_old)
{
	const bool compared = want_old && want_old->generation == want->generation;

	if (want->n != got->n || want->mono_ns != got->mono_ns || want->boot_ns != got->boot_ns ||
	    want->wall_ns != got->wall_ns || want->number != got->number ||
	    want->threads != got->threads || want->host.uptime_s != got->host.uptime_s ||
	    isnan(want->host.load1) != isnan(got->host.load1) ||
	    want->host.n_cpus != got->host.n_cpus ||
	    want->host.mem_total_kb != got->host.mem_total_kb ||
	    want->host.n_running != got->host.n_running || want->host.tick_ns != got->host.tick_ns)
		return "the head";
	if (!same_use(&want->use, &got->use))
		return "what the machine is used for";
	if (want_old && compared != (got->generation == got_old->generation))
		return "the generation";
	for (size_t i = 0; i < want->n; i++) {
		const char *what = differ(want->task[i], got->task[i]);
		size_t k = want_old ? find(want_old, want->task[i]) : SIZE_MAX;

		if (what)
			return what;
		if ((want->task[i]->facts_read == want->number) !=
		    (got->task[i]->facts_read == got->number))
			return "how old its facts are";
		if (k == SIZE_MAX)
			continue;
		if ((want_old->task[k] == want->task[i]) != (got_old->task[k] == got->task[i]))
			return "whether it did something";
		if (compared && want_old->task[k] != want->task[i] &&
		    (sample_counts_ns(want, i) - sample_counts_ns(want_old, k) !=
			     sample_counts_ns(got, i) - sample_counts_ns(got_old, k) ||
		     sample_facts_ns(want, i) - sample_facts_ns(want_old, k) !=
			     sample_facts_ns(got, i) - sample_facts_ns(got_old, k)))
			return "its interval";
	}
	return NULL;
}

/* Reads the samples [from, to), and compares them with the written ones. */
static inline void check_from(struct record_reader *r, size_t from, size_t to, const char *name)
{
	struct sample *now, *old = NULL;
	const char *wrong = NULL;
	size_t i = from;

	for (; !wrong && i < to; i++) {
		now = sample_new();
		if (record_reader_next(r, now, NULL))
			wrong = "there is no sample";
		else
			wrong = compare(written[i], i > from ? written[i - 1] : NULL, now, old);
		sample_unref(old);
		old = now;
	}
	tap_ok(!wrong, "%s: from %zu on; in sample %zu: %s", name, from, i, wrong ? wrong : "-");
	sample_unref(old);
}

/* Returns the recorded time of sample i in a recording of all samples. */
static inline int64_t at(size_t i)
{
	return (int64_t)(written[i]->mono_ns - written[0]->mono_ns);
}

static inline struct record_reader *open_it(void)
{
	struct record_reader *r;
	struct err err = ERR_INIT;

	tap_int(record_reader_new(&r, path, &err), 0, "it can be read %s", err.text);
	return r;
}

static inline void rig_begin(const char *name)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/%s.XXXXXX", parent ? parent : P_tmpdir, name);
	if (!mkdtemp(folder))
		exit(1);
	snprintf(path, sizeof path, "%s/r.db", folder);
	make_samples();
}

static inline void rig_end(void)
{
	for (size_t i = 0; i < N_SAMPLES; i++)
		sample_unref(written[i]);
	unlink(path);
	rmdir(folder);
}

#endif

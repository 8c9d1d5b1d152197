/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * recording - writes a recording of made-up tasks with tiptop's own writer, and measures the cost.
 *
 *   recording FILE TASKS BUSY SAMPLES DELAY_MS [NEW]
 *
 * BUSY of the tasks run in each sample, and about NEW % of them, 1 unless given, are replaced by
 * new tasks in each sample, but never the last task; the others are idle. Each has the five events
 * of the screen "default", which are one group, and the facts that it reads. Prints lines of a name
 * and a number: the number of readings, the CPU time of one reading, and the bytes of the file per
 * reading.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/clock.h"
#include "base/num.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/writer.h"
#include "recorded_events.h"

#define CPU_NS CLOCK_PROCESS_CPUTIME_ID
#define FACTS  FACT_SET(FACT_CPU_NS, FACT_STIME_NS, FACT_PROC_ID)
/* Task number i has the ids from (i + 1) * IDS on, the next one for each new task. */
#define IDS 10000
/* 2026-01-31 12:00 UTC. */
#define BEGIN_NS 1769860800000000000ull

enum argument { FILE_NAME = 1, TASKS, BUSY, SAMPLES, DELAY_MS, NEW, N_ARGUMENTS };

/* Returns a random number around the mean: numbers of a realistic size that vary. */
static uint64_t some(uint64_t mean)
{
	static uint64_t seed = 7;

	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return mean / 2 + (uint64_t)((double)(seed >> 11) / 9007199254740992.0 * (double)mean);
}

/* Returns a new reading. before: the previous one; NULL: the first one of its task. */
static struct task *read_task(uint64_t id, uint64_t start_ns, const struct task *before,
			      const struct sample_events *events, uint64_t delay_ns)
{
	static const uint64_t per_ms[RECORDED_EVENTS] = {3000000, 4500000, 900, 12000, 100000};
	char name[24];
	struct task *t;

	snprintf(name, sizeof name, "task%llu", (unsigned long long)(id / IDS % 40));
	t = task_new(&kind_task, FACTS, RECORDED_EVENTS,
		     &(struct task_texts){.user = "me", .name = name});
	t->id = t->owner = id;
	t->start_ns = start_ns;
	t->state = 'R';
	t->counting = COUNT_OK;
	task_set_events(t, events);
	task_set_fact(t, FACT_CPU_NS,
		      (before ? task_fact(before, FACT_CPU_NS) : 0) + some(delay_ns / 2));
	task_set_fact(t, FACT_STIME_NS,
		      (before ? task_fact(before, FACT_STIME_NS) : 0) + some(delay_ns / 20));
	task_set_fact(t, FACT_PROC_ID, some(16));
	for (int i = 0; i < RECORDED_EVENTS; i++) {
		t->count[i].value = (before ? before->count[i].value : 0) +
				    some(per_ms[i] * (delay_ns / 2000000));
		t->count[i].enabled_ns = (before ? before->count[0].enabled_ns : 0) + delay_ns / 2;
		t->count[i].running_ns = t->count[i].enabled_ns;
	}
	return t;
}

/* Returns the next sample. */
static struct sample *next_sample(const struct sample *old, const struct sample_events *events,
				  const long *n, uint32_t number)
{
	const uint64_t delay_ns = (uint64_t)n[DELAY_MS] * 1000000;
	struct sample *s = sample_new();

	s->number = number;
	s->mono_ns = s->boot_ns = 1000000000 + number * delay_ns + some(1000000);
	s->wall_ns = BEGIN_NS + s->mono_ns;
	s->generation = 1;
	s->host = (struct host){.uptime_s = (double)s->boot_ns / 1e9,
				.load1 = 2.5,
				.n_cpus = 16,
				.mem_total_kb = 65536000};
	for (long i = 0; i < n[TASKS]; i++) {
		const uint64_t id = (uint64_t)(i + 1) * IDS;
		struct task *before = old ? old->task[i] : NULL;
		const bool runs = i < n[BUSY];
		const bool starts =
			!before || (runs && some(100) - 100 < (uint64_t)n[NEW] && i + 1 < n[TASKS]);
		struct task *t = !runs && before ? task_ref(before)
				 : starts ? read_task(before ? before->id + 1 : id, s->boot_ns,
						      NULL, events, delay_ns)
					  : read_task(before->id, before->start_ns, before, events,
						      delay_ns);

		if (t != before)
			t->facts_read = number;
		sample_add(s, t);
		s->time[i] = (struct task_time){(float)(i * 3), (float)(i * 3)};
	}
	return s;
}

static int write_all(struct record_writer *w, const long *n, uint64_t *cpu_ns, uint64_t *readings,
		     struct err *err)
{
	static const char *const pmu[] = {"cpu", NULL};
	struct sample_machine *machine =
		sample_machine_new(&(struct sample_machine){.arch = "x86",
							    .model = "06_5E",
							    .host = "node1",
							    .boot_id = "1",
							    .ticks_per_s = 100,
							    .core = pmu,
							    .pmu = pmu});
	struct sample_events *events = recorded_events_new();
	struct sample *old = NULL;
	int ret = 0;

	for (long i = 1; i <= n[SAMPLES] && !ret; i++) {
		struct sample *s = next_sample(old, events, n, (uint32_t)i);
		uint64_t begin;

		sample_set_machine(s, machine);
		begin = clock_ns(CPU_NS);
		ret = record_writer_sample(w, s, err);
		*cpu_ns += clock_ns(CPU_NS) - begin;
		*readings += (uint64_t)(old ? n[BUSY] : n[TASKS]);
		sample_unref(old);
		old = s;
	}
	sample_unref(old);
	sample_events_unref(events);
	sample_machine_unref(machine);
	return ret;
}

static int record(const char *path, const long *n, struct err *err)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	uint64_t cpu_ns = 0, readings = 0, begin;
	struct record_writer *w;
	struct stat st;
	int ret = record_writer_new(&w, path, &about, err), last;

	if (ret)
		return ret;
	ret = write_all(w, n, &cpu_ns, &readings, err);
	begin = clock_ns(CPU_NS);
	last = record_writer_close(w, err);
	cpu_ns += clock_ns(CPU_NS) - begin;
	if (ret || last)
		return ret ? ret : last;
	if (stat(path, &st))
		return err_set(err, errno, "cannot look at '%s': %s", path, strerror(errno));
	printf("readings %llu\n", (unsigned long long)readings);
	printf("cpu_us %.3f\n", (double)cpu_ns / 1e3 / (double)readings);
	printf("bytes %.1f\n", (double)st.st_size / (double)readings);
	return 0;
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	long n[N_ARGUMENTS] = {[NEW] = 1};
	int ret = 0;

	if (argc != N_ARGUMENTS && argc != NEW) {
		fputs("usage: recording FILE TASKS BUSY SAMPLES DELAY_MS [NEW]\n", stderr);
		return 2;
	}
	for (int i = TASKS; i < argc && !ret; i++)
		ret = num_parse_int(argv[i], "an argument", i < NEW, 10000000, &n[i], &err);
	if (!ret && n[BUSY] > n[TASKS])
		ret = err_set(&err, EINVAL, "there are fewer tasks than busy ones");
	if (!ret)
		ret = record(argv[FILE_NAME], n, &err);
	if (ret)
		fprintf(stderr, "recording: %s\n", err.text);
	return ret != 0;
}

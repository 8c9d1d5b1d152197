/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of the Hardware Activity Reporter in F. Pariente, "Performance Analysis and Monitoring
 * Using Hardware Counters" (2001): a user's file defines the CPU, whose two counters are
 * simulated; the counts are chosen so that they give these lines.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "collect/cpu/cpus.h"
#include "conf/xml.h"
#include "fake_proc.h"
#include "fake_sysfs.h"
#include "model/fold_groups.h"
#include "output/output.h"
#include "pmu/event/describe.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "tap.h"
#include "view/frame.h"

#define SECOND    1000000000ull
#define N_LINES   3
#define CPU_CLOCK 1000000000ull /* in Hz, as in the user's file */

static const struct fake_file files[] = {{"devices/cpu/type", "4\n"}};

/* Counts per second of each event, for each line. */
static const struct {
	uint64_t config, value[N_LINES];
} counts[] = {
	{0x3, {6200000, 1080000, 1320000}},
	{0x10003, {2000000, 300000, 400000}},
	{0x80002, {1000000, 100000, 100000}},
	{0x80001, {749000, 77200, 78100}},
	{0xc0002, {100000, 10000, 10000}},
	{0xc0001, {84600, 9900, 9996}},
	{0xd0001, {5000, 20, 0}},
	{0x90002, {600000, 60000, 60000}},
	{0xa0002, {400000, 40000, 40000}},
	{0x90001, {400000, 41000, 40000}},
	{0xa0001, {263000, 27700, 25800}},
	{0xb0002, {700000, 200000, 250000}},
	{0xb0001, {167200, 43520, 54720}},
	{0x30002, {100000, 20000, 20000}},
	{0x20002, {1977800, 274320, 258720}},
	{0x30001, {0, 1080, 0}},
	{0x20001, {192200, 65880, 69960}},
};

/* Groups are multiplexed: each is on the PMU for 1 / TURNS of the time. */
#define TURNS 4

struct scene {
	struct fake_sysfs sysfs;
	struct machine machine;
	struct own_table own;
	struct screen_list screens;
	struct pmu pmu;
	struct world world;
	struct cpu_ticks ticks;
	struct source *source;
	struct screen_numbers numbers;
	struct binding binding;
	struct sample *sample[2];
	struct delta delta[2], groups;
	struct retired_groups retired;
	struct view view;
	struct frame frame;
	struct sink sink;
	int now;
	bool begun;
};

static void complain(void *context, int line, const struct err *err)
{
	(void)context;
	tap_ok(false, "line %d of the file: %s", line, err->text);
}

static struct screen *read_file(struct scene *s)
{
	const struct conf_into into = {.screens = &s->screens, .own = &s->own};
	char *path = xasprintf("%s/doc/examples/ultrasparc2.xml", getenv("srcdir"));
	struct err err = ERR_INIT;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	tap_int(conf_read(fd, path, &into, complain, NULL, &err), 0, "the file: %s", err.text);
	close(fd);
	free(path);
	return s->screens.v[0];
}

static void configure(struct scene *s, struct screen *screen)
{
	const struct offer offer = offer_live(&s->machine, &s->pmu.sys, true);
	struct want want = {.filter = FILTER_ALL};
	struct err note = ERR_INIT;

	tap_ok(!screen_compile(screen, complain, NULL, &note) && fit_may_show(screen, &offer),
	       "its screen is for this CPU");
	fit_screen(screen, &offer);
	counters_make_set(&want.events, screen, &offer);
	event_set_describe(&want.events, &s->machine);
	counters_describe(&s->numbers, &want.events);
	binding_init(&s->binding, screen, &s->numbers);
	s->source = source_cpus_new(&s->pmu.sys, &s->world.proc, &s->machine, NULL, NULL);
	s->source->ops->configure(s->source, &want, &note);
	tap_str(note.text, "", "all of its events can be counted");
}

static void begin(struct scene *s, double delay_s)
{
	struct err err = ERR_INIT;

	memset(s, 0, sizeof *s);
	fake_sysfs_make(&s->sysfs, files, 1);
	machine_init(&s->machine, &s->sysfs.host);
	cpu_parse(&s->machine.cpu, "sparc:ultrasparc2");
	own_table_init(&s->own, &event_table_built_in);
	s->machine.table = &s->own.table;
	pmu_init(&s->pmu);
	s->pmu.script.max_hardware = 2;
	pmu_task_add(&s->pmu, PMU_CPU(0));
	world_init(&s->world, &s->pmu);
	world_wait(&s->world, SECOND);
	s->world.use = (struct machine_use){.wanted = true, .cpu = &s->ticks, .n_cpus = 1};
	for (int i = 0; i < 2; i++)
		delta_init(&s->delta[i]);
	delta_init(&s->groups);
	retired_groups_init(&s->retired);
	frame_init(&s->frame);
	s->view = (struct view){.filter = FILTER_ALL,
				.watch = FILTER_ALL,
				.idle = true,
				.delay_s = delay_s,
				.group = GROUP_MACHINE};
	s->sink.ops = &line_sink;
	dest_use(&s->sink.dest, memfd_create("lines", MFD_CLOEXEC));
	line_sink.open(&s->sink, &err);
	configure(s, read_file(s));
}

static uint64_t count_of(const struct pmu_event *e, int line, double delay_s)
{
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
		if (counts[i].config == e->attr.config)
			return (uint64_t)((double)counts[i].value[line] * delay_s) / TURNS;
	tap_ok(false, "an event of the file: %llx", (unsigned long long)e->attr.config);
	return 0;
}

/* Adds an interval with the counts of this line. */
static void count(struct scene *s, int line)
{
	const uint64_t ns = (uint64_t)(s->view.delay_s * SECOND);

	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &s->pmu.event[i];
		const bool is_clock = e->attr.type == PERF_TYPE_SOFTWARE;

		if (!e->used || !e->open || e->tid != PMU_CPU(0))
			continue;
		e->value += is_clock ? ns / SECOND * CPU_CLOCK : count_of(e, line, s->view.delay_s);
		e->enabled_ns += ns;
		e->running_ns += is_clock ? ns : ns / TURNS;
	}
	world_wait(&s->world, ns);
}

static void show(struct scene *s)
{
	const struct grouping by = {.key = GROUP_MACHINE, .filter = &s->view.filter};
	struct delta *d = &s->delta[!s->now], *old = s->begun ? &s->delta[s->now] : NULL;
	struct sample *sample = sample_new(), *before = s->sample[s->now];
	struct err err = ERR_INIT;

	tap_int(s->source->ops->next(s->source, sample, &err), 0, "a sample: %s", err.text);
	delta_compute(d, old, before, sample);
	retired_groups_update(&s->retired, d, &s->view.filter, false, NULL);
	fold_groups(&s->groups, d, &by, &s->retired);
	line_sink.sample(&s->sink, sample, &err);
	frame_build(&s->frame, &s->binding, &s->view, &s->groups, NULL, 0);
	s->frame.least_share = delta_least_share(d);
	tap_int(line_sink.frame(&s->sink, &s->frame, &err), 0, "a line: %s", err.text);
	s->now = !s->now;
	sample_unref(s->sample[s->now]);
	s->sample[s->now] = sample;
	s->begun = true;
}

/* Returns the written lines up to the summary. Removes the line about multiplexing and all marks
 * (*n_marks: their number), and replaces each run of blanks by a tab, as in the article. */
static char *take_lines(struct scene *s, int *n_marks)
{
	char *text = xcalloc(1, 4096), *to = text, *at = text, *end;
	struct err err = ERR_INIT;
	bool blank = true;

	line_sink.close(&s->sink, &err);
	lseek(s->sink.dest.fd, 0, SEEK_SET);
	tap_ok(read(s->sink.dest.fd, text, 4095) > 0, "there is something to read");
	close(s->sink.dest.fd);
	end = strstr(text, "# all of the last");
	tap_ok(end, "the last line is of the whole time");
	if (end)
		*end = '\0';
	tap_ok(!strncmp(text, "# counted in turns: ", 20), "columns take turns");
	for (at += strcspn(at, "\n") + 1; *at; at++) {
		*n_marks += *at == '~';
		if (*at != ' ' && *at != '~')
			*to++ = *at;
		else if (*at == ' ' && !blank)
			*to++ = '\t';
		blank = *at == ' ' || *at == '\n' || (*at == '~' && blank);
	}
	*to = '\0';
	return text;
}

static void end(struct scene *s)
{
	s->source->ops->free(s->source);
	frame_done(&s->frame);
	retired_groups_done(&s->retired);
	delta_done(&s->groups);
	for (int i = 0; i < 2; i++) {
		delta_done(&s->delta[i]);
		sample_unref(s->sample[i]);
	}
	binding_done(&s->binding);
	screen_numbers_done(&s->numbers);
	screen_list_done(&s->screens);
	own_table_done(&s->own);
	fake_sysfs_remove(&s->sysfs);
	tap_int(s->pmu.n_open, 0, "no descriptor is left open");
	tap_int(s->pmu.bad_calls + s->pmu.orphans, 0, "every call made sense");
}

/* The interval must not matter. In table 2 of the article, mips is not divided by the interval, so
 * at 2 s it would differ. */
static void test_lines(double delay_s, const char *what)
{
	struct scene s;
	int n_marks = 0;
	char *text;

	begin(&s, delay_s);
	show(&s);
	for (int k = 0; k < N_LINES; k++) {
		count(&s, k);
		show(&s);
	}
	text = take_lines(&s, &n_marks);
	tap_str(text,
		"mips\tbus\tcpi\tdcm\ticm\tecm\tdsr\tisr\tfsr\tbsr\n"
		"2\t0.0\t3.1\t33.7\t25.1\t15.4\t15.6\t31.9\t0.0\t3.1\n"
		"0\t0.0\t3.6\t31.3\t22.8\t1.0\t24.4\t25.4\t0.1\t6.1\n"
		"0\t0.0\t3.3\t34.2\t21.9\t0.0\t24.6\t19.6\t0.0\t5.3\n",
		"%s: the article's lines", what);
	tap_int(n_marks, N_LINES * 10, "%s: each number says that it is extrapolated", what);
	free(text);
	end(&s);
}

int main(void)
{
	test_lines(1, "each second");
	test_lines(2, "each two seconds");
	return tap_done();
}

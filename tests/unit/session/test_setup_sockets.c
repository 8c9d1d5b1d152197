/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The screen of sockets on two simulated machines with two sockets each. All counts are known, and
 * so is each number; a recording must yield the same.
 */
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "collect/cpu/sockets.h"
#include "collect/replay.h"
#include "model/kinds.h"
#include "output/output.h"
#include "output/record_output.h"
#include "play_rig.h"
#include "screen/compile.h"
#include "session/pipeline.h"
#include "view/view.h"

#define SECOND  1000000000u
#define N_CPUS  4
#define N_STEPS 4
/* The columns read, write, total, l3r and l3m. */
#define N_COLUMNS 5

static char recording[160];

/* Counts per second of an event, on each PMU instance of the first socket. On the second socket,
 * they are doubled. */
struct amount {
	uint32_t type;
	uint64_t config, value;
};

struct example {
	const char *cpu;
	const struct fake_file *file;
	size_t n;
	struct amount amount[8];
	double want[N_COLUMNS]; /* values of the first socket; NAN: shown as - */
};

/* clang-format off */
#define TOPOLOGY                                                                                   \
	{"cpus/online", "0-3\n"},                                                                  \
	{"cpus/cpu0/topology/physical_package_id", "0\n"},                                         \
	{"cpus/cpu1/topology/physical_package_id", "0\n"},                                         \
	{"cpus/cpu2/topology/physical_package_id", "1\n"},                                         \
	{"cpus/cpu3/topology/physical_package_id", "1\n"},                                         \
	{"devices/cpu/type", "4\n"}
#define FIELDS(pmu)                                                                                \
	{"devices/" pmu "/format/event", "config:0-7,32-35\n"},                                    \
	{"devices/" pmu "/format/umask", "config:8-15\n"}
#define PMU(pmu, type, cpus)                                                                       \
	{"devices/" pmu "/type", type "\n"},                                                       \
	{"devices/" pmu "/cpumask", cpus "\n"}
#define IN_MIB(pmu, event, terms)                                                                  \
	{"devices/" pmu "/events/" event, terms "\n"},                                             \
	{"devices/" pmu "/events/" event ".scale", "6.103515625e-5\n"},                            \
	{"devices/" pmu "/events/" event ".unit", "MiB\n"}
/* clang-format on */

static const struct fake_file server[] = {
	TOPOLOGY,
	PMU("uncore_imc_0", "13", "0,2"),
	PMU("uncore_imc_1", "14", "0,2"),
	FIELDS("uncore_imc_0"),
	IN_MIB("uncore_imc_0", "cas_count_read", "event=0x04,umask=0x03"),
	IN_MIB("uncore_imc_0", "cas_count_write", "event=0x04,umask=0x0c"),
};

static const struct fake_file client[] = {
	TOPOLOGY,
	PMU("uncore_imc_free_running_0", "13", "0,2"),
	PMU("uncore_imc_free_running_1", "14", "0,2"),
	FIELDS("uncore_imc_free_running_0"),
	IN_MIB("uncore_imc_free_running_0", "data_read", "event=0xff,umask=0x20"),
	IN_MIB("uncore_imc_free_running_0", "data_write", "event=0xff,umask=0x30"),
};

static const struct fake_file zen3[] = {
	TOPOLOGY,         PMU("amd_df", "13", "0,2"), FIELDS("amd_df"), PMU("amd_l3", "14", "0-3"),
	FIELDS("amd_l3"),
};

static const struct fake_file zen4[] = {
	TOPOLOGY,
	PMU("amd_umc_0", "13", "0,2"),
	PMU("amd_umc_1", "14", "0,2"),
	FIELDS("amd_umc_0"),
	{"devices/amd_umc_0/format/rdwrmask", "config:8-9\n"},
	PMU("amd_l3", "15", "0,2"),
	FIELDS("amd_l3"),
};

static const struct fake_file nothing[] = {TOPOLOGY};

#define FILES(list) list, sizeof(list) / sizeof *(list)

static const struct example examples[] = {
	{"x86:06_55",
	 FILES(server),
	 {{13, 0x304, 1000000}, {14, 0x304, 500000}, {13, 0xc04, 250000}, {14, 0xc04, 250000}},
	 {96, 32, 128, NAN, NAN}},
	{"x86:06_8C",
	 FILES(client),
	 {{13, 0x20ff, 1000000}, {14, 0x20ff, 500000}, {13, 0x30ff, 250000}, {14, 0x30ff, 250000}},
	 {96, 32, 128, NAN, NAN}},
	{"x86:19_01",
	 FILES(zen3),
	 {{13, 0x3807, 1000000},
	  {13, 0x3847, 2000000},
	  {13, 0x1000038c7ull, 500000},
	  {14, 0xff04, 4000000},
	  {14, 0x0104, 1000000}},
	 {NAN, NAN, 64 * 3.5, 8, 25}},
	{"x86:19_11",
	 FILES(zen4),
	 {{13, 0x10a, 1000000},
	  {14, 0x10a, 500000},
	  {13, 0x20a, 500000},
	  {15, 0xff04, 4000000},
	  {15, 0x0104, 1000000}},
	 {96, 32, 128, 4, 25}},
	{"x86:06_55", FILES(nothing), {{0, 0, 0}}, {NAN, NAN, NAN, NAN, NAN}},
};

static void count(struct play *p, const struct example *x)
{
	for (int i = 0; i < PMU_FDS; i++) {
		struct pmu_event *e = &p->pmu.event[i];

		if (!e->used || !e->open)
			continue;
		for (size_t k = 0; k < sizeof x->amount / sizeof *x->amount; k++)
			if (x->amount[k].type == e->attr.type &&
			    x->amount[k].config == e->attr.config)
				e->value += x->amount[k].value * (e->tid <= PMU_CPU(2) ? 2 : 1);
		e->enabled_ns += SECOND;
		e->running_ns += SECOND;
	}
	world_wait(&p->world, SECOND);
}

static struct screen *fit(struct screen_list *screens, const struct offer *offer)
{
	struct err err = ERR_INIT;
	int i;

	*screens = (struct screen_list)SCREEN_LIST_INIT;
	screen_list_add_built_in(screens, 0, screen_built_in_n);
	i = screen_list_find(screens, "sockets", NULL);
	screen_compile(screens->v[i], play_no_fault, NULL, &err);
	tap_ok(fit_may_show(screens->v[i], offer), "the screen can be shown");
	fit_screen(screens->v[i], offer);
	return screens->v[i];
}

static void begin(struct play *p, const struct example *x)
{
	struct want want = {.filter = FILTER_ALL};
	struct err note = ERR_INIT;
	struct sample_machine *reported;
	struct offer offer;

	memset(p, 0, sizeof *p);
	fake_sysfs_make(&p->sysfs, x->file, x->n);
	machine_init(&p->machine, &p->sysfs.host);
	cpu_parse(&p->machine.cpu, x->cpu);
	pmu_init(&p->pmu);
	for (int i = 0; i < N_CPUS; i++)
		pmu_task_add(&p->pmu, PMU_CPU(i));
	world_init(&p->world, &p->pmu);
	world_wait(&p->world, SECOND);
	p->view = (struct view){.idle = true,
				.filter = FILTER_ALL,
				.delay_s = 1,
				.sort = SORT_PID,
				.reverse = true};
	offer = offer_live(&p->machine, &p->pmu.sys, true);
	offer.sockets = true;
	p->screen = fit(&p->screens, &offer);
	counters_make_set(&want.events, p->screen, &offer);
	event_set_describe(&want.events, &p->machine);
	counters_describe(&p->numbers, &want.events);
	binding_init(&p->binding, p->screen, &p->numbers);
	reported = machine_describe(&p->machine, false);
	p->source = source_sockets_new(&p->pmu.sys, &p->world.proc, &p->machine, reported);
	sample_machine_unref(reported);
	p->source->ops->configure(p->source, &want, &note);
	tap_str(note.text, "", "%s: nothing to complain of", x->cpu);
}

static void check(const struct frame *frame, const struct example *x)
{
	if (!tap_ok(frame->n == 2 && frame->screen->n_columns == N_COLUMNS &&
			    frame->kind == &kind_socket,
		    "%s: two sockets", x->cpu))
		return;
	for (size_t i = 0; i < 2; i++)
		for (size_t k = 0; k < N_COLUMNS; k++) {
			const struct value v = frame_value(frame, &frame->row[i], k);
			const double want = x->want[k] * (i && k < 4 ? 2 : 1);

			if (isnan(want))
				tap_int(v.quality, QUALITY_DIVZERO, "socket %zu: no %s", i,
					frame->screen->column[k].id);
			else
				tap_ok(value_known(v) && fabs(v.number - want) <= 1e-9 * want,
				       "socket %zu: %s is %.9g, of %.9g", i,
				       frame->screen->column[k].id, v.number, want);
		}
}

/* Writes the lines of a source, and checks the last frame. out: outputs that have not begun. */
static void run(struct play *p, struct source *source, struct binding *binding, struct outputs *out,
		const struct example *x, int lines)
{
	const struct frame *frame = NULL;
	struct pipeline pipeline;
	struct sink *sink;
	struct err err = ERR_INIT;

	outputs_add(out, &sink, &line_sink, &(struct dest)DEST_NONE, NULL);
	dest_use(&sink->dest, dup(lines));
	outputs_begin(out, NULL);
	pipeline_init(&pipeline, source, out);
	for (int i = 0; i < N_STEPS && !pipeline_step(&pipeline, &p->view, &err); i++) {
		frame = pipeline_show(&pipeline, binding, &p->view);
		outputs_frame(out, frame, true, NULL);
		pipeline.number++;
		if (source == p->source)
			count(p, x);
	}
	tap_ok(frame != NULL, "there are frames: %s", err.text);
	if (frame)
		check(frame, x);
	outputs_close(out, false, NULL);
	pipeline_done(&pipeline);
}

/* A recording names its screen only: built-in screens are known when it is replayed. */
static void write_name(struct strbuf *out, const struct screen *screen)
{
	strbuf_addstr(out, screen->name);
}

static void look(struct play *p, const struct example *x, int lines)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	struct outputs samples;
	struct sink *sink;
	struct err err = ERR_INIT;

	outputs_init(&samples, NULL);
	outputs_add(&samples, &sink, &sink_record, &(struct dest)DEST_NONE, NULL);
	tap_int(record_begin(sink, recording, &about, write_name, &err), 0, "it is recorded %s",
		err.text);
	run(p, p->source, &p->binding, &samples, x, lines);
}

static void look_again(struct play *p, const struct example *x, int lines)
{
	const struct replay_pace pace = {.at_once = true, .to_ns = INT64_MAX};
	struct record_reader *reader;
	struct screen_numbers numbers;
	struct screen_list screens;
	struct event_set events;
	struct binding binding;
	struct machine machine;
	struct outputs no_output;
	struct source *source;
	struct screen *screen;
	struct offer offer;
	struct err err = ERR_INIT;

	tap_int(record_reader_new(&reader, recording, &err), 0, "it is opened %s", err.text);
	tap_ok(record_reader_kind(reader) == &kind_socket, "it is of sockets");
	machine_restore(&machine, record_reader_machine(reader));
	offer = offer_recorded(&machine, record_reader_events(reader), true);
	screen = fit(&screens, &offer);
	counters_make_set(&events, screen, &offer);
	offer.ops->describe(&offer, &events);
	counters_describe(&numbers, &events);
	event_set_done(&events);
	binding_init(&binding, screen, &numbers);
	source = source_replay_new(reader, &pace);
	outputs_init(&no_output, NULL);
	run(p, source, &binding, &no_output, x, lines);
	source->ops->free(source);
	binding_done(&binding);
	screen_numbers_done(&numbers);
	screen_list_done(&screens);
	record_reader_free(reader);
}

static void read_lines(int fd, struct strbuf *out)
{
	char *path = xasprintf("/proc/self/fd/%d", fd);

	strbuf_init(out);
	file_read_all(AT_FDCWD, path, 1 << 16, out);
	free(path);
	close(fd);
}

static void test(const struct example *x)
{
	const int then = memfd_create("then", MFD_CLOEXEC), now = memfd_create("now", MFD_CLOEXEC);
	static struct play p;
	struct strbuf a, b;

	begin(&p, x);
	look(&p, x, then);
	look_again(&p, x, now);
	read_lines(then, &a);
	read_lines(now, &b);
	tap_ok(strstr(a.text, "# all of the last 3.0 s:") && !strcmp(a.text, b.text),
	       "%s: the lines are the same\n%s", x->cpu, a.text);
	strbuf_done(&a);
	strbuf_done(&b);
	unlink(recording);
	p.source->ops->free(p.source);
	binding_done(&p.binding);
	screen_numbers_done(&p.numbers);
	screen_list_done(&p.screens);
	fake_sysfs_remove(&p.sysfs);
	tap_int(p.pmu.n_open + p.pmu.bad_calls, 0, "nothing is left open, every call made sense");
}

int main(void)
{
	const char *folder = getenv("TMPDIR");

	snprintf(recording, sizeof recording, "%s/sockets-%d.db", folder ? folder : P_tmpdir,
		 (int)getpid());
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++)
		test(&examples[i]);
	return tap_done();
}

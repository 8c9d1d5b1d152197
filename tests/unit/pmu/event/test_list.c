/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list of events: on made-up machines with a scripted PMU, and for other CPUs
 * ($LIBPFM_FORCE_PMU, which libpfm4 reads once per process).
 */
#include "pmu/event/list.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "fake_sysfs.h"
#include "pfm_tables.h"
#include "pmu/event/name.h"
#include "scripted_pmu.h"
#include "tap.h"

static const struct fake_file one_kind[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/cpu/format/umask", "config:8-15\n"},
	{"devices/cpu/format/ldlat", "config1:0-15\n"},
	{"devices/cpu/events/cpu-cycles", "event=0x3c\n"},
	{"devices/cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
	{"devices/cpu/events/param", "event=0x3c,umask=?\n"},
	{"devices/cpu/events/slots", "event=0x00,umask=0x4\n"},
	{"devices/cpu/events/topdown-retiring", "event=0x00,umask=0x80\n"},
	{"devices/cpu/events/topdown-retiring.unit", "slots\n"},
	{"devices/msr/type", "11\n"},
	{"devices/msr/format/event", "config:0-63\n"},
	{"devices/msr/events/tsc", "event=0x00\n"},
	{"devices/software/type", "1\n"},
	{"devices/uncore_imc/type", "12\n"},
	{"devices/uncore_imc/format/event", "config:0-7\n"},
	{"devices/uncore_imc/events/clockticks", "event=0xff\n"},
	{"devices/uncore_imc/events/data_reads", "event=0x1\n"},
	{"devices/uncore_imc/events/data_reads.scale", "6.103515625e-5\n"},
	{"devices/uncore_imc/events/data_reads.unit", "MiB\n"},
	{"devices/uncore_imc/events/data_reads.per-pkg", "1\n"},
	{"tracing/events/enable", "0\n"},
	{"tracing/events/irq/irq_handler_entry/id", "77\n"},
	{"tracing/events/sched/enable", "0\n"},
	{"tracing/events/sched/sched_switch/id", "321\n"},
	{"tracing/events/sched/sched_wakeup/id", "322\n"},
};

static const struct fake_file intel_hybrid[] = {
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "4-7\n"},
	{"devices/cpu_atom/format/event", "config:0-7\n"},
	{"devices/cpu_atom/events/only_atom", "event=0x71\n"},
	{"devices/cpu_atom/events/slots", "event=0x77\n"},
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-3\n"},
	{"devices/cpu_core/format/event", "config:0-7\n"},
	{"devices/cpu_core/format/umask", "config:8-15\n"},
	{"devices/cpu_core/events/slots", "event=0x00,umask=0x4\n"},
};

static const struct fake_file arm_hybrid[] = {
	{"devices/armv8_cortex_a53/type", "8\n"}, {"devices/armv8_cortex_a53/cpus", "0-3\n"},
	{"devices/armv8_cortex_a72/type", "9\n"}, {"devices/armv8_cortex_a72/cpus", "4-5\n"},
	{"cpus/cpu0/cpu_capacity", "485\n"},      {"cpus/cpu4/cpu_capacity", "1024\n"},
};

/* Records calls to the scripted PMU, and returns errors in its place if the test requests it. */
struct watcher {
	struct perf_sys sys;
	struct pmu pmu;
	int error;           /* error of all opens; 0: the result of the PMU */
	uint32_t error_type; /* if `only` is set, just opens of this type fail */
	bool only;
	int n_enabled; /* opens of events that would have counted */
	int n_tracepoints;
};

static int watch_open(struct perf_sys *sys, const struct perf_event_attr *attr, pid_t tid, int cpu,
		      int group_fd, unsigned long flags)
{
	struct watcher *w = (struct watcher *)sys;

	w->n_enabled += !attr->disabled || attr->enable_on_exec || tid != 0;
	w->n_tracepoints += attr->type == PERF_TYPE_TRACEPOINT;
	if (w->error && (!w->only || attr->type == w->error_type))
		return -w->error;
	return w->pmu.sys.open(&w->pmu.sys, attr, tid, cpu, group_fd, flags);
}

static int watch_close(struct perf_sys *sys, int fd)
{
	struct watcher *w = (struct watcher *)sys;

	return w->pmu.sys.close(&w->pmu.sys, fd);
}

static void watch_init(struct watcher *w)
{
	memset(w, 0, sizeof *w);
	w->sys.open = watch_open;
	w->sys.close = watch_close;
	pmu_init(&w->pmu);
}

static void make(struct fake_sysfs *f, struct machine *m, const char *cpu,
		 const struct fake_file *file, size_t n)
{
	fake_sysfs_make(f, file, n);
	machine_init(m, &f->host);
	tap_ok(cpu_parse(&m->cpu, cpu), "the machine %s", cpu);
}

#define MAKE(f, m, cpu, files) make(f, m, cpu, files, sizeof(files) / sizeof *(files))

/* Returns row k of this name, counted from 0; NULL if there are fewer. */
static const struct event_row *find(const struct event_list *l, const char *name, int k)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->row[i].name, name) && !k--)
			return &l->row[i];
	return NULL;
}

struct want {
	const char *name;
	int k;
	const char *pmu;
	uint32_t type;
	uint64_t config, config1;
	enum event_opens opens;
	const char *help; /* a part of the help text */
};

static void check_rows(const struct event_list *l, const struct want *want, size_t n)
{
	for (; n--; want++) {
		const struct event_row *row = find(l, want->name, want->k);

		if (!tap_ok(row && row->has_code && !strcmp(row->pmu, want->pmu) &&
				    row->event.type == want->type &&
				    row->event.config == want->config &&
				    row->event.config1 == want->config1 &&
				    row->opens == want->opens && strstr(row->help, want->help),
			    "%s of %s", want->name, want->pmu) &&
		    row)
			printf("# %s, type %u, config %#llx, %s, %s\n", row->pmu, row->event.type,
			       (unsigned long long)row->event.config,
			       event_opens_table[row->opens].name, row->help);
	}
}

/* Checks what must hold after each list. */
static void check_watcher(const struct watcher *w, const char *what)
{
	tap_ok(!w->n_enabled && w->pmu.calls.open, "%s: nothing is opened that could count", what);
	tap_ok(!w->pmu.n_open && !w->pmu.bad_calls, "%s: all is closed", what);
	tap_ok(w->pmu.most_open <= 8, "%s: few are open at a time", what);
}

static void test_one_kind(void)
{
	static const struct want want[] = {
		{"cycles", 0, "cpu", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0, OPENS_YES,
		 "(also called cpu-cycles)"},
		{"branches", 0, "cpu", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0,
		 OPENS_YES, "(also called branch-instructions)"},
		{"ref-cycles", 0, "cpu", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, 0,
		 OPENS_ABSENT, ""},
		{"page-faults", 0, "software", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0,
		 OPENS_YES, "(also called faults)"},
		{"L1-dcache-load-misses", 0, "cpu", PERF_TYPE_HW_CACHE, 0x10000, 0, OPENS_YES, ""},
		{"node-prefetch-misses", 0, "cpu", PERF_TYPE_HW_CACHE, 0x10206, 0, OPENS_YES, ""},
		{"l3-miss-stall-cycles", 0, "cpu", PERF_TYPE_RAW, 0x60006a3, 0, OPENS_YES,
		 "a load that missed L3 was under way [cycles; CYCLE_ACTIVITY.STALLS_L3_MISS, "
		 "Intel perfmon]"},
		{"cpu/cpu-cycles/", 0, "cpu", 4, 0x3c, 0, OPENS_YES, "event=0x3c"},
		{"mem-loads", 0, "cpu", 4, 0x1cd, 3, OPENS_YES, "event=0xcd,umask=0x1,ldlat=3"},
		{"slots", 0, "cpu", 4, 0x400, 0, OPENS_YES, "event=0x00,umask=0x4"},
		{"topdown-retiring", 0, "cpu", 4, 0x8000, 0, OPENS_YES, "(in slots)"},
		{"msr/tsc/", 0, "msr", 11, 0, 0, OPENS_YES, "event=0x00"},
		{"uncore_imc/clockticks/", 0, "uncore_imc", 12, 0xff, 0, OPENS_REFUSED,
		 "event=0xff"},
	};
	static struct watcher w;
	struct fake_sysfs f;
	struct machine m;
	struct event_list l;
	const struct event_row *row;

	MAKE(&f, &m, "x86:06_7E", one_kind);
	watch_init(&w);
	w.error = EINVAL;
	w.error_type = 12;
	w.only = true;
	w.pmu.script.topdown = true;
	w.pmu.script.missing = 1ull << PERF_COUNT_HW_REF_CPU_CYCLES;
	event_list_make(&l, &m, &w.sys, NULL);
	check_rows(&l, want, sizeof want / sizeof *want);
	row = find(&l, "uncore_imc/data_reads/", 0);
	tap_ok(row && row->has_code && strstr(row->help, "6.103515625e-5 MiB"),
	       "of an event in another unit, its scale and unit are said");
	row = find(&l, "cpu/param/", 0);
	tap_ok(row && !row->has_code && row->opens == OPENS_UNUSABLE &&
		       strstr(row->help, "parameter"),
	       "an event with a parameter is none, and it is said");
	tap_ok(!find(&l, "cpu-cycles", 0) && !find(&l, "page-faults", 1),
	       "one row for the names of one event");
	tap_ok(!find(&l, "macro-fused-uops", 0), "no event of the table that is of other CPUs");
	tap_ok(!find(&l, "tsc", 0), "events of other PMUs have no bare names");
	tap_ok(l.tracepoints == -ENODATA && !w.n_tracepoints, "no tracepoints without a text");
	check_watcher(&w, "one kind of cores");
	event_list_done(&l);
	fake_sysfs_remove(&f);
}

static void test_hybrid(void)
{
	/* clang-format off */
	static const struct want want[] = {
		{"cycles", 0, "cpu_core", PERF_TYPE_HARDWARE, 4ull << 32, 0, OPENS_YES, ""},
		{"cycles", 1, "cpu_atom", PERF_TYPE_HARDWARE, 10ull << 32, 0, OPENS_YES, ""},
		{"bus-cycles", 0, "cpu_core", PERF_TYPE_HARDWARE, 4ull << 32 | 6, 0, OPENS_YES, ""},
		{"bus-cycles", 1, "cpu_atom", PERF_TYPE_HARDWARE, 10ull << 32 | 6, 0, OPENS_ABSENT, ""},
		{"slots", 0, "cpu_atom", 10, 0x77, 0, OPENS_YES, "event=0x77"},
		{"slots", 1, "cpu_core", 4, 0x400, 0, OPENS_YES, "event=0x00,umask=0x4"},
		{"only_atom", 0, "cpu_atom", 10, 0x71, 0, OPENS_YES, ""},
		{"l3-load-misses", 0, "cpu_core", 4, 0x20d1, 0, OPENS_YES, "[loads; MEM_LOAD_RETIRED.L3_MISS"},
		{"l3-load-misses", 1, "cpu_atom", 10, 0x80d1, 0, OPENS_YES, "[loads; MEM_LOAD_UOPS_RETIRED.DRAM_HIT"},
		{"task-clock", 0, "software", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0, OPENS_YES, ""},
	};
	/* clang-format on */
	static struct watcher w;
	struct fake_sysfs f;
	struct machine m;
	struct event_list l;
	const struct event_row *row;

	MAKE(&f, &m, "x86:06_97", intel_hybrid);
	watch_init(&w);
	w.pmu.script.core_type[0] = 4;
	w.pmu.script.core_type[1] = 10;
	w.pmu.script.no_atom = 1ull << 6;
	event_list_make(&l, &m, &w.sys, NULL);
	check_rows(&l, want, sizeof want / sizeof *want);
	tap_ok(!find(&l, "task-clock", 1), "what the kernel counts has one row");
	check_watcher(&w, "two kinds of cores");
	event_list_done(&l);
	event_list_make(&l, &m, &w.sys, "CPU_Atom");
	row = find(&l, "cycles", 0);
	tap_ok(l.n > 40 && row && !strcmp(row->pmu, "cpu_atom") && !find(&l, "cycles", 1),
	       "the events of one PMU");
	event_list_done(&l);
	fake_sysfs_remove(&f);

	MAKE(&f, &m, "arm64:41_D08", arm_hybrid);
	watch_init(&w);
	event_list_make(&l, &m, &w.sys, "ref-cycles");
	row = find(&l, "ref-cycles", 1);
	tap_ok(row && !row->has_code && row->opens == OPENS_ABSENT &&
		       !strcmp(row->pmu, "armv8_cortex_a53") && row->help[0],
	       "a generic event that these cores do not have is absent");
	event_list_done(&l);
	fake_sysfs_remove(&f);
}

/* Errors of the kernel, and the words for them in the list. */
static void test_refusals(void)
{
	static const struct {
		int error;
		const char *word;
	} row[] = {
		{EACCES, "denied"},     {EPERM, "denied"},  {ENOENT, "absent"},
		{ENODEV, "absent"},     {ENOSYS, "absent"}, {EINVAL, "refused"},
		{EOPNOTSUPP, "absent"}, {EBUSY, "busy"},    {EMFILE, "failed"},
	};
	static struct watcher w;
	static const struct event_host bare = {.devices = "/dev/null",
					       .tracing = {"/dev/null", "/dev/null"}};
	struct machine m;
	struct event_list l;

	machine_init(&m, &bare);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		watch_init(&w);
		w.error = row[i].error;
		event_list_make(&l, &m, &w.sys, "bus-cycles");
		tap_ok(l.n == 1, "one event for error %d", row[i].error);
		tap_str(event_opens_table[l.row[0].opens].name, row[i].word, "the word for it");
		tap_str(l.row[0].pmu, "-", "no PMU here");
		event_list_done(&l);
	}
	watch_init(&w);
	w.pmu.script.refuse_exclude_guest = EOPNOTSUPP;
	event_list_make(&l, &m, &w.sys, "bus-cycles");
	tap_ok(l.n == 1 && l.row[0].opens == OPENS_YES, "a PMU that cannot leave guests out");
	event_list_done(&l);
	for (int i = 0; i < N_EVENT_OPENS; i++)
		tap_ok(event_opens_table[i].name && event_opens_table[i].text,
		       "outcome %d is explained", i);
}

static size_t count(const struct machine *m, const char *text)
{
	static struct watcher w;
	struct event_list l;
	size_t n;

	watch_init(&w);
	event_list_make(&l, m, &w.sys, text);
	n = l.n;
	for (size_t i = 0; i < l.n; i++)
		if (!l.row[i].help[0])
			n = 0;
	event_list_done(&l);
	return n;
}

static void test_text(void)
{
	struct fake_sysfs f;
	struct machine m;

	MAKE(&f, &m, "x86:06_7E", one_kind);
	tap_int(count(&m, "iTLB-load-misses"), 1, "a name");
	tap_int(count(&m, "ITLB-LOAD-M"), 1, "a part of it, in any case");
	tap_int(count(&m, "Uncore_IMC"), 2, "a PMU");
	tap_int(count(&m, "LDLAT="), 1, "a part of a description");
	tap_int(count(&m, "BRANCH-instr"), 1, "another name of the event");
	tap_int(count(&m, "no such thing"), 0, "nothing");
	tap_int(count(&m, ".*"), 0, "a text is no pattern");
	tap_ok(count(&m, "") == count(&m, NULL) && count(&m, NULL) > 50, "no text: all");
	fake_sysfs_remove(&f);
}

static void test_tracepoints(void)
{
	static struct watcher w;
	struct fake_sysfs f;
	struct machine m;
	struct event_list l;
	const struct event_row *row;

	MAKE(&f, &m, "x86:06_7E", one_kind);
	watch_init(&w);
	event_list_make(&l, &m, &w.sys, "tracepoint");
	row = find(&l, "sched:sched_switch", 0);
	tap_ok(row && row->event.type == PERF_TYPE_TRACEPOINT && row->event.config == 321 &&
		       row->opens == OPENS_YES,
	       "a tracepoint");
	tap_ok(l.n == 3 && !l.tracepoints, "and all others, but no other file");
	tap_int(w.n_tracepoints, 1, "of which one only is opened");
	check_watcher(&w, "tracepoints");
	event_list_done(&l);

	watch_init(&w);
	w.error = EACCES;
	event_list_make(&l, &m, &w.sys, "SCHED:");
	tap_ok(l.n == 2 && l.row[0].opens == OPENS_DENIED && l.row[1].opens == OPENS_DENIED,
	       "its answer is all others'");
	event_list_done(&l);

	chmod(f.host.tracing[0], 0);
	event_list_make(&l, &m, &w.sys, "sched:");
	if (access(f.host.tracing[0], X_OK))
		tap_ok(!l.n && l.tracepoints == -EACCES, "a tracefs for root only");
	else
		tap_ok(true, "a tracefs for root only # SKIP root may read everything");
	event_list_done(&l);
	chmod(f.host.tracing[0], 0700);
	m.host =
		&(struct event_host){.devices = "/dev/null", .tracing = {"/dev/null", "/dev/null"}};
	event_list_make(&l, &m, &w.sys, "sched:");
	tap_ok(!l.n && l.tracepoints == -ENOENT, "no tracefs");
	event_list_done(&l);
	fake_sysfs_remove(&f);
}

/* An event to find in the list of a CPU, and the results of checking the whole list. */
struct audit {
	const char *name, *help;
	uint64_t config;
	int n, n_pfm;
	int not_resolved, other_code, no_help, bad_help, bad_name, twice;
	bool found, described;
	bool clean;
};

static void audit_row(struct audit *a, const struct event_list *l, size_t i,
		      const struct machine *m)
{
	const struct event_row *row = &l->row[i];
	struct event e = {.name = NULL};
	size_t len = strlen(row->help);

	a->n_pfm += row->event.type == PERF_TYPE_RAW;
	a->no_help += !len;
	a->bad_help += len && (row->help[len - 1] == ' ' || row->help[0] == ' ' ||
			       strpbrk(row->help, "\n\t"));
	a->bad_name += !row->name[0] || strpbrk(row->name, " \n\t,;");
	for (size_t k = 0; k < i; k++)
		a->twice += !strcmp(l->row[k].name, row->name);
	if (!row->has_code)
		return;
	if (event_name_resolve(&e, m, 0, row->name, NULL))
		a->not_resolved++;
	else
		a->other_code += e.type != row->event.type || e.config != row->event.config ||
				 e.config1 != row->event.config1 || e.config2 != row->event.config2;
}

static void audit(struct audit *a)
{
	static const struct event_host bare = {.devices = "/dev/null",
					       .tracing = {"/dev/null", "/dev/null"}};
	static struct watcher w;
	struct event_list l;
	struct machine m;
	const struct event_row *row;

	machine_init(&m, &bare);
	watch_init(&w);
	event_list_make(&l, &m, &w.sys, NULL);
	a->n = (int)l.n;
	for (size_t i = 0; i < l.n; i++)
		audit_row(a, &l, i, &m);
	row = find(&l, a->name, 0);
	a->found = row && row->event.config == a->config;
	a->described = row && strstr(row->help, a->help);
	a->clean = !w.n_enabled && !w.pmu.n_open && !w.pmu.bad_calls && w.pmu.most_open <= 8;
	event_list_done(&l);
}

static void test_vendors(void)
{
	/* clang-format off */
	static const struct {
		const char *pmu;
		int least; /* least number of events with umasks */
		struct audit look;
	} row[] = {
		{"skl",
		 400,
		 {.name = "FP_ASSIST:ANY", .help = "X87 floating-point assists: Cycles with", .config = 0x1001eca}},
		{"icl", 450, {.name = "ASSISTS:FP", .help = "assist", .config = 0x2c1}},
		{"amd64_fam19h_zen3", 120, {.name = "RETIRED_INSTRUCTIONS", .help = "retired", .config = 0xc0}},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct audit a = row[i].look;
		int fd[2];

		if (pipe(fd))
			abort();
		fflush(stdout);
		if (!fork()) {
			setenv("LIBPFM_FORCE_PMU", row[i].pmu, 1);
			audit(&a);
			_exit(write(fd[1], &a, sizeof a) != sizeof a);
		}
		close(fd[1]);
		tap_ok(read(fd[0], &a, sizeof a) == sizeof a, "%s", row[i].pmu);
		close(fd[0]);
		wait(NULL);
		tap_ok(a.n > 50 + row[i].least && a.n_pfm >= row[i].least, "%s has its events",
		       row[i].pmu);
		tap_int(a.not_resolved, 0, "%s: each name can be resolved", row[i].pmu);
		tap_int(a.other_code, 0, "%s: to the same code", row[i].pmu);
		tap_int(a.no_help + a.bad_help, 0, "%s: each has a description of one line",
			row[i].pmu);
		tap_int(a.bad_name, 0, "%s: each name is one word", row[i].pmu);
		tap_int(a.twice, 0, "%s: none is there twice", row[i].pmu);
		tap_ok(a.found && a.described, "%s: %s", row[i].pmu, a.name);
		tap_ok(a.clean, "%s: all is closed, and nothing could count", row[i].pmu);
	}
}

int main(void)
{
	const char *lacking = pfm_tables_lacking();

	/* Must come before this process queries libpfm4 for its own CPU. */
	if (lacking)
		tap_skip("events of x86", lacking);
	else
		test_vendors();
	setenv("LIBPFM_FORCE_PMU", "none", 1);
	test_one_kind();
	test_hybrid();
	test_refusals();
	test_text();
	test_tracepoints();
	return tap_done();
}

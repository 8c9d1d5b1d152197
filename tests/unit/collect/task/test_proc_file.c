/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parsers of /proc files: text as the kernel writes it, damaged text, and random text.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "collect/task/proc_file.h"
#include "model/fact_list.h"
#include "tap.h"

#define TICK_NS 10000000ull

static const struct proc_units units = {TICK_NS, 4};

/* Fields 4 to 39 of stat. Most have a number from which its position can be told. */
#define FIELDS                                                                                     \
	"1 4242 4243 34816 -1 4194560 1001 22 3003 44 550 66 7 8 20 0 9 0 123456 24600576 1480 "   \
	"18446744073709551615 "                                                                    \
	"1 1 0 0 0 0 "                                                                             \
	"65536 3670020 1266777851 1 0 0 17 3"

#define PARSE(file, text, f) proc_parse_file(FACT_FILE_##file, text, &units, fact_all, f)

static const char stat_text[] = "4242 (bash) S " FIELDS " 0 0 0 0 0 0 0 0 0 0 0 0 0\n";

static void check_name(const char *text, const char *name, char state)
{
	struct proc_facts f = {.known = FACT_NONE};

	tap_int(proc_parse_stat(text, &units, &f), 0, "the name '%s'", name);
	tap_str(f.name, name, "is read");
	tap_int(f.state, state, "so is the state");
	tap_int(f.fact[FACT_MINFLT], 1001, "and what stands behind them");
}

/* Whether the CPU time of children is known, by the flags of the task and the signals it ignores.
 */
static void check_children(const char *flags, const char *ignored, bool known, const char *name)
{
	struct proc_facts f = {.known = FACT_NONE};
	char *text =
		xasprintf("1 (a) S 1 1 1 0 -1 %s 0 0 0 0 0 0 7 8 20 0 1 0 5 0 0 0 0 0 0 0 0 0 0 "
			  "%s 0 0 0 0 17 0",
			  flags, ignored);

	tap_int(proc_parse_stat(text, &units, &f), 0, "%s", name);
	tap_int(fact_in(f.known, FACT_CHILD_NS), known, "the time of its children is %s",
		known ? "known" : "unknown");
	free(text);
}

static void test_ignored_children(void)
{
	check_children("4194304", "0", true, "a process that ignores no signal");
	check_children("4194304", "2147418111", true, "one that ignores all but SIGCHLD");
	check_children("4194304", "65536", false, "one that ignores SIGCHLD");
	check_children("2129984", "2147483647", true, "a kernel thread, which ignores all");
}

static void test_stat(void)
{
	const struct fact_set want =
		FACT_SET(FACT_MINFLT, FACT_MAJFLT, FACT_UTIME_NS, FACT_STIME_NS, FACT_NUM_THREADS,
			 FACT_PROC_ID, FACT_NICE, FACT_VSZ_KB, FACT_RSS_KB, FACT_SESSION, FACT_PPID,
			 FACT_CHILD_NS);
	struct proc_facts f = {.known = FACT_NONE};

	tap_int(proc_parse_stat(stat_text, &units, &f), 0, "a stat file");
	tap_str(f.name, "bash", "name");
	tap_int(f.state, 'S', "state");
	tap_int(f.start_ns, 123456 * TICK_NS, "start");
	tap_ok(fact_equal(f.known, want), "the facts that it holds");
	tap_int(f.fact[FACT_MINFLT], 1001, "minor faults");
	tap_int(f.fact[FACT_MAJFLT], 3003, "major faults");
	tap_int(f.fact[FACT_UTIME_NS], 550 * TICK_NS, "time in user mode");
	tap_int(f.fact[FACT_STIME_NS], 66 * TICK_NS, "time in the kernel");
	tap_int(f.fact[FACT_CHILD_NS], (7 + 8) * TICK_NS, "that of ended children, in both");
	tap_int(f.fact[FACT_NUM_THREADS], 9, "threads");
	tap_int(f.fact[FACT_PROC_ID], 3, "processor");
	tap_int(f.fact[FACT_NICE], 0, "nice value");
	tap_int(f.fact[FACT_SESSION], 4243, "session");
	tap_int(f.fact[FACT_PPID], 1, "parent");
	tap_int(f.fact[FACT_VSZ_KB], 24600576 / 1024, "address space, which is in bytes");
	tap_int(f.fact[FACT_RSS_KB], 1480 * 4, "memory, which is in pages");
	test_ignored_children();
	proc_parse_stat("1 (nice) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 -5 17 18 19 20 21 22 23 24 "
			"25 26 27 28 29 30 31 32 33 34 35 36",
			&units, &f);
	tap_int((int64_t)f.fact[FACT_NICE], -5, "a nice value below 0");
	check_name("1 (a b) R " FIELDS, "a b", 'R');
	check_name("1 (a) R 1 2 3) Z " FIELDS, "a) R 1 2 3", 'Z');
	check_name("1 (((() S " FIELDS, "(((", 'S');
	check_name("1 ()) S " FIELDS, ")", 'S');
	check_name("1 () S " FIELDS, "", 'S');
	check_name("1 (new\nline) D " FIELDS, "new\nline", 'D');
	check_name("1 (kworker/u257:12-events_unbound_and_a_long_tail_of_63_bytes_____) I " FIELDS,
		   "kworker/u257:12-events_unbound_and_a_long_tail_of_63_bytes_____", 'I');
}

/* A stat file cut anywhere before the last field that is read is refused. */
static void test_stat_truncated(void)
{
	const char *last = strstr(stat_text, " 17 3 0") + strlen(" 17 ");
	int bad = 0;

	for (size_t n = 0; n < (size_t)(last - stat_text); n++) {
		struct proc_facts f = {.known = FACT_NONE};
		char *text = xstrndup(stat_text, n);

		bad += proc_parse_stat(text, &units, &f) != -EINVAL || fact_any(f.known);
		free(text);
	}
	tap_int(bad, 0, "a stat file that is cut is refused, wherever");
}

static void test_stat_garbage(void)
{
	static const char *const texts[] = {
		"",
		"garbage",
		"1 bash S " FIELDS,
		"1 )bash( S " FIELDS,
		"1 (bash",
		"1 (bash)",
		"1 (bash) ",
		"1 (bash)S " FIELDS,
		"1 (bash) S x" FIELDS,
		"1 (bash) SS " FIELDS,
		("1 (bash) S 1 2 3 four 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 "
		 "26 27 28"),
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct proc_facts f = {.known = FACT_NONE};

		tap_int(proc_parse_stat(texts[i], &units, &f), -EINVAL, "garbage %zu", i);
		tap_ok(!fact_any(f.known), "gives no facts");
	}
}

#define NUMBER "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static void check_cgroup(const char *text, const char *path, const char *what)
{
	struct strbuf out, container;

	strbuf_init(&out);
	strbuf_init(&container);
	tap_int(proc_parse_cgroup(text, &out, &container), path ? 0 : -EINVAL, "a cgroup file: %s",
		what);
	if (path) {
		tap_str(out.text, path, "its path");
		tap_str(container.text, "", "it is in no container");
	}
	strbuf_done(&out);
	strbuf_done(&container);
}

/* With both versions of control groups mounted, either line may name the container. */
static void test_container_of_hierarchies(void)
{
	static const struct {
		const char *text, *path, *container;
	} table[] = {
		{"0::/docker/" NUMBER "\n", "/docker/" NUMBER, "docker:0123456789ab"},
		{"12:memory:/kubepods/pod1/" NUMBER "\n1:name=systemd:/kubepods/pod1/" NUMBER
		 "\n0::/system.slice/containerd.service\n",
		 "/kubepods/pod1/" NUMBER, "kubernetes:0123456789ab"},
		{"12:memory:/docker/" NUMBER
		 "\n1:name=systemd:/system.slice/docker.service\n0::/\n",
		 "/docker/" NUMBER, "docker:0123456789ab"},
		{"1:name=systemd:/\n0::/system.slice/docker-" NUMBER ".scope\n",
		 "/system.slice/docker-" NUMBER ".scope", "docker:0123456789ab"},
		{"2:cpu:/docker/" NUMBER "\n1:name=systemd:/docker/" NUMBER "/init\n"
		 "0::/docker/" NUMBER "/unified\n",
		 "/docker/" NUMBER "/unified", "docker:0123456789ab"},
	};
	struct strbuf path, container;

	strbuf_init(&path);
	strbuf_init(&container);
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		tap_int(proc_parse_cgroup(table[i].text, &path, &container), 0, "hierarchies %zu",
			i);
		tap_str(path.text, table[i].path, "the path that names a container");
		tap_str(container.text, table[i].container, "the container");
	}
	strbuf_done(&path);
	strbuf_done(&container);
}

static void test_cgroup(void)
{
	check_cgroup("0::/user.slice/a b.scope\n", "/user.slice/a b.scope",
		     "the unified hierarchy");
	check_cgroup("0::/a:b\n", "/a:b", "a colon in a name");
	check_cgroup("0::/a", "/a", "without an end of line");
	check_cgroup("0::/\n", "/", "the root");
	check_cgroup("12:memory:/m\n1:name=systemd:/s\n0::/u\n", "/u",
		     "the unified one among others");
	check_cgroup("12:memory:/m\n1:name=systemd:/s\n0::/\n", "/s",
		     "that of systemd, where the unified one says nothing");
	check_cgroup("12:pids:/\n11:memory:/m\n10:cpu,cpuacct:/c\n", "/m",
		     "the first that says something");
	check_cgroup("12:name=other:/o\n11:name=systemd:/s\n", "/s", "another named one");
	check_cgroup("", NULL, "empty");
	check_cgroup("garbage\n", NULL, "garbage");
	check_cgroup("0::/a\n0:garbage\n", NULL, "garbage behind");
}

static void test_status(void)
{
	struct proc_facts f = {.known = FACT_NONE};

	tap_int(PARSE(STATUS,
		      "Name:\tvoluntary_ctxt_switches: 9\nState:\tS (sleeping)\n"
		      "voluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n",
		      &f),
		0, "a status file, though the name looks like a field");
	tap_int(f.fact[FACT_VCSW], 150, "voluntary switches");
	tap_int(f.fact[FACT_NVCSW], 545, "involuntary ones");
	tap_ok(fact_equal(f.known, FACT_SET(FACT_VCSW, FACT_NVCSW)), "nothing else");
	f.known = FACT_NONE;
	tap_int(PARSE(STATUS, "nonvoluntary_ctxt_switches:\t545\n", &f), 0,
		"one of them is missing");
	tap_ok(fact_equal(f.known, FACT_SET(FACT_NVCSW)), "the other is known");
	f.known = FACT_NONE;
	tap_int(PARSE(STATUS, "voluntary_ctxt_switches:\t\nState:\tS\n", &f), -EINVAL, "no number");
	tap_int(PARSE(STATUS, "voluntary_ctxt_switches_of_all:\t5\nvoluntary_ctxt_switches:\t7\n",
		      &f),
		0, "behind a longer name");
	tap_int(f.fact[FACT_VCSW], 7, "the number of the whole name");
	f.known = FACT_NONE;
	tap_int(PARSE(STATUS, "", &f), -EINVAL, "an empty file");
	tap_ok(!fact_any(f.known), "give no facts");
}

static void test_schedstat(void)
{
	struct proc_facts f = {.known = FACT_NONE};

	tap_int(PARSE(SCHEDSTAT, "123456789 987654 42\n", &f), 0, "a schedstat file");
	tap_int(f.fact[FACT_CPU_NS], 123456789, "time on a CPU");
	tap_int(f.fact[FACT_WAIT_NS], 987654, "time in the queue");
	f.known = FACT_NONE;
	tap_int(proc_parse_file(FACT_FILE_SCHEDSTAT, "123456789 987654 42\n", &units,
				FACT_SET(FACT_WAIT_NS), &f),
		0, "of a leader that stands for its process");
	tap_ok(fact_equal(f.known, FACT_SET(FACT_WAIT_NS)), "the time on a CPU is not taken");
	f.known = FACT_NONE;
	tap_int(PARSE(SCHEDSTAT, "123456789\n", &f), -EINVAL, "one number");
	tap_int(PARSE(SCHEDSTAT, "x y z\n", &f), -EINVAL, "no numbers");
	tap_int(PARSE(SCHEDSTAT, "", &f), -EINVAL, "an empty file");
	tap_ok(!fact_any(f.known), "give no facts");
}

static void test_sched(void)
{
	static const char text[] =
		"bash (4242, #threads: 1)\n"
		"-------------------------------------------------------------------\n"
		"se.exec_start                                :     123456789.123456\n"
		"se.nr_migrations                             :                   77\n"
		"nr_switches                                  :                  695\n"
		"nr_voluntary_switches                        :                  150\n"
		"nr_involuntary_switches                      :                  545\n";
	struct proc_facts f = {.known = FACT_NONE};

	tap_int(PARSE(SCHED, text, &f), 0, "a sched file");
	tap_int(f.fact[FACT_MIGRATIONS], 77, "migrations");
	tap_int(f.fact[FACT_VCSW], 150, "voluntary switches, which status has, too");
	tap_int(f.fact[FACT_NVCSW], 545, "involuntary ones");
	f.known = FACT_NONE;
	tap_int(proc_parse_file(FACT_FILE_SCHED, text, &units, FACT_SET(FACT_VCSW), &f), 0,
		"of these, one is wanted");
	tap_ok(fact_equal(f.known, FACT_SET(FACT_VCSW)), "only that is set");
	f.known = FACT_NONE;
	tap_int(PARSE(SCHED, "se.exec_start : 1.2\nnr_switches : 5\n", &f), -EINVAL,
		"without them");
	tap_int(PARSE(SCHED, "x se.nr_migrations : 5\n", &f), -EINVAL,
		"not at the start of a line");
	tap_ok(!fact_any(f.known), "give no facts");
}

/* Each fact of stat or schedstat must be in a field that the parser reads: otherwise its reader
 * would access the array of fields out of bounds. */
static void test_fields(void)
{
	static const int last[N_FACT_FILES] = {
		[FACT_FILE_STAT] = PROC_STAT_FIELDS, [FACT_FILE_SCHEDSTAT] = PROC_SCHEDSTAT_FIELDS};

	for (int f = 0; f < N_FACTS; f++) {
		const struct fact_row *row = &fact_table[f];

		if (last[row->file])
			tap_ok(row->at[0] > 0 && row->at[0] <= last[row->file] && row->at[1] >= 0 &&
				       row->at[1] <= last[row->file],
			       "%s is in a field that is read", row->name);
		else if (row->file)
			tap_ok(row->field, "%s is in a line that has a name", row->name);
		tap_ok(!row->sched_field == !fact_in(fact_in_sched, f),
		       "%s is among the facts of sched if it has a name there", row->name);
	}
}

static void test_loadavg(void)
{
	struct host host = {.n_cpus = 8};
	int last_pid = 0;

	tap_int(proc_parse_loadavg("0.26 1.12 10.04 2/345 98765\n", &host, &last_pid), 0,
		"a loadavg file");
	tap_num(host.load1, 0.26, "one minute");
	tap_num(host.load5, 1.12, "five");
	tap_num(host.load15, 10.04, "fifteen");
	tap_int(last_pid, 98765, "the newest pid");
	tap_int(host.n_running, 2, "who runs");
	tap_int(host.n_cpus, 8, "nothing else is touched");
	tap_int(proc_parse_loadavg("0.26 1.12 10.04 2/345\n", &host, &last_pid), -EINVAL,
		"without the pid");
	tap_int(proc_parse_loadavg("0.26 1.12 10 2/345 98765\n", &host, &last_pid), -EINVAL,
		"a load without digits behind a point");
	tap_int(proc_parse_loadavg("", &host, &last_pid), -EINVAL, "an empty file");
	tap_int(last_pid, 98765, "the old pid stays");
}

#define CPUS_TEXT                                                                                  \
	"cpu  113 20 33 404 5 66 7 8 9 1\n"                                                        \
	"cpu0 100 20 30 400 5 60 7 8 9 1\n"                                                        \
	"cpu12 13 0 3 4 0 6 0 0 0 0\n"                                                             \
	"intr 1 2 3\nctxt 4\n"

static void test_cpus(void)
{
	static const uint64_t first[N_CPU_STATES] = {100, 20, 30, 67, 8, 405};
	struct machine_use use = {.wanted = true};
	struct arena arena = ARENA_INIT;

	tap_int(proc_parse_cpus(CPUS_TEXT, &use, &arena), 0, "a file of CPUs");
	tap_int((long)use.n_cpus, 2, "two are online");
	tap_int(use.cpu[0].cpu, 0, "the first one");
	tap_ok(!memcmp(use.cpu[0].in, first, sizeof first),
	       "softirq is irq, waiting is idle, guests are in user");
	tap_int((long)use.cpu[0].waiting, 5, "of idle, so much was waiting");
	tap_int(use.cpu[1].cpu, 12, "the second one has a number of its own");
	tap_int((long)use.cpu[1].in[CPU_USER], 13, "and ticks");
	tap_int(proc_parse_cpus("cpu  1 2 3 4\ncpu0 1 2 3 4\n", &use, &arena), 0,
		"a kernel of old");
	tap_int((long)use.cpu[0].in[CPU_STOLEN], 0, "knows nothing stolen");
	tap_int(proc_parse_cpus("cpu  1 2 3 4\ncpu0 1 2 3\n", &use, &arena), -EINVAL,
		"too few columns");
	tap_int(proc_parse_cpus("cpu  1 2 3 4\n", &use, &arena), -EINVAL, "no CPU");
	tap_int(proc_parse_cpus("", &use, &arena), -EINVAL, "an empty file");
	tap_int(proc_parse_cpus("cpu 1\ncpu1 1 2 3 4\ncpu1 1 2 3 4\n", &use, &arena), 0,
		"a number again");
	tap_int((long)use.n_cpus, 1, "is not taken");
	arena_done(&arena);
}

#define MEMORY_TEXT                                                                                \
	"MemTotal:       24684096 kB\nMemFree:        22099940 kB\nMemAvailable:   23701388 kB\n"  \
	"Cached: 5 kB\nSwapCached: 7 kB\nSwapTotal:       1000 kB\nSwapFree:         900 kB\n"

static void test_memory(void)
{
	struct memory_use m = {.total = 0};

	tap_int(proc_parse_memory(MEMORY_TEXT, &m), 0, "a file of memory");
	tap_int((long)m.total, 24684096, "all");
	tap_int((long)m.free, 22099940, "free");
	tap_int((long)m.available, 23701388, "available");
	tap_int((long)m.swap_total, 1000, "swap");
	tap_int((long)m.swap_free, 900, "free swap");
	tap_int(proc_parse_memory("MemTotal: 5 kB\nMemFree: 4 kB\n", &m), -EINVAL,
		"not what is available");
}

static int parse_all(const char *text)
{
	struct proc_facts f = {.known = FACT_NONE};
	struct host host = {.n_cpus = 1};
	struct machine_use use = {.wanted = true};
	struct arena arena = ARENA_INIT;
	int last_pid, wrong = 0;

	wrong += (proc_parse_stat(text, &units, &f) == 0) != fact_any(f.known);
	wrong += strnlen(f.name, sizeof f.name) == sizeof f.name;
	f.known = FACT_NONE;
	wrong += (PARSE(STATUS, text, &f) == 0) != fact_any(f.known);
	f.known = FACT_NONE;
	wrong += (PARSE(SCHEDSTAT, text, &f) == 0) != fact_any(f.known);
	f.known = FACT_NONE;
	wrong += (PARSE(SCHED, text, &f) == 0) != fact_any(f.known);
	proc_parse_loadavg(text, &host, &last_pid);
	wrong += (proc_parse_cpus(text, &use, &arena) == 0) != (use.n_cpus != 0);
	proc_parse_memory(text, &use.memory);
	arena_done(&arena);
	return wrong;
}

/* Valid texts with a few bytes changed and perhaps truncated, each in memory of its exact size, so
 * that sanitizers detect a read past the end. */
static void test_fuzz(void)
{
	static const char *const seeds[] = {
		stat_text,
		"Name:\tx\nvoluntary_ctxt_switches:\t150\nnonvoluntary_ctxt_switches:\t545\n",
		"123456789 987654 42\n",
		"se.nr_migrations                             :                   77\n",
		"0.26 1.12 10.04 2/345 98765\n",
		CPUS_TEXT,
		MEMORY_TEXT,
	};
	const int n_seeds = sizeof seeds / sizeof *seeds;
	static const char alphabet[] = "0123456789 ()\n:.-+/\tSZ\xff";
	unsigned random = 20240229;
	int wrong = 0;

	for (int i = 0; i < 50000; i++) {
		const char *seed = seeds[i % n_seeds];
		size_t len = strlen(seed);
		char *text;

		random = random * 1664525 + 1013904223;
		text = xstrndup(seed, random % 4 ? len : (random >> 8) % (len + 1));
		len = strlen(text);
		for (unsigned k = 0; len && k < 1 + (random >> 4) % 5; k++) {
			random = random * 1664525 + 1013904223;
			text[(random >> 8) % len] =
				alphabet[(random >> 20) % (sizeof alphabet - 1)];
		}
		wrong += parse_all(text);
		free(text);
	}
	tap_int(wrong, 0, "50000 spoilt texts: facts come with success only");
}

#define LIMITS_HEAD                                                                                \
	"Limit                     Soft Limit           Hard Limit           Units     \n"

/* Names and units contain blanks; some limits have no unit. */
static void test_limits(void)
{
	static const char text[] = LIMITS_HEAD
		"Max cpu time              unlimited            unlimited            seconds   \n"
		"Max open files            1024                 1048576              files     \n"
		"Max nice priority         0                    0                    \n";
	struct detail d = {.error = 0};
	int bad = 0;

	tap_int(proc_parse_limits(text, &d), 0, "limits");
	tap_int((long)d.n_limits, 3, "one a line");
	tap_str(d.limit[0].name, "Max cpu time", "a name of several words");
	tap_str(d.limit[0].unit, "seconds", "its unit");
	tap_str(d.limit[1].soft, "1024", "the soft limit");
	tap_str(d.limit[1].hard, "1048576", "the hard one");
	tap_str(d.limit[2].name, "Max nice priority", "the last line");
	tap_str(d.limit[2].unit, "", "has no unit");
	for (size_t n = 0; n < sizeof text - 1; n++) {
		char *part = xstrndup(text, n);
		const bool whole = n && part[n - 1] == '\n' && n > strlen(LIMITS_HEAD);

		bad += !proc_parse_limits(part, &d) != whole || (d.n_limits > 0) != whole;
		free(part);
	}
	tap_int(bad, 0, "a text that is cut within a line is refused");
	detail_done(&d);
}

static void test_allowed(void)
{
	struct detail_wait w = {.n_allowed = 0};

	proc_parse_allowed("Name:\tx\nVmRSS:\t1 kB\n", &w);
	tap_int(w.n_allowed, 0, "no line of allowed CPUs: they are unknown");
	proc_parse_allowed("Name:\tx\nCpus_allowed:\t8\nCpus_allowed_list:\t3\nMems:\t1\n", &w);
	tap_str(w.allowed, "3", "one CPU");
	tap_int(w.n_allowed, 1, "is one");
	proc_parse_allowed("Name:\tx\nCpus_allowed_list:\t0-3,8,10-11\n", &w);
	tap_str(w.allowed, "0-3,8,10-11", "ranges");
	tap_int(w.n_allowed, 7, "are counted");
}

static void test_others(void)
{
	static const char stat[] = "cpu  1 2 3 400 5 6 7 8 0 0\n"
				   "cpu0 1 2 3 100 5 6 7 8 0 0\n"
				   "cpu1 1 2 3 200 30 6 7 8 0 0\n"
				   "cpu3 1 2 3 1000 0 6 7 8 0 0\n"
				   "intr 12\n";
	struct detail_wait w = {.known = 1 << DETAIL_MINFLT};

	proc_parse_others(stat, 10, &w);
	tap_int(w.known, 1 << DETAIL_MINFLT, "the allowed CPUs are unknown, and so are others");
	proc_parse_allowed("Name:\tx\nCpus_allowed_list:\t0,2\n", &w);
	proc_parse_others(stat, 10, &w);
	tap_int(w.n_others, 2, "CPUs 1 and 3 are not allowed");
	tap_int((long)w.count[DETAIL_OTHER_IDLE_NS], 12300, "idle, or waiting for a disk");
	tap_int(w.known, 1 << DETAIL_MINFLT | 1 << DETAIL_OTHER_IDLE_NS, "which is known then");
	proc_parse_allowed("Name:\tx\nCpus_allowed_list:\t0-3\n", &w);
	proc_parse_others(stat, 10, &w);
	tap_int(w.n_others, 0, "all are allowed");
	w.known = 0;
	proc_parse_others("cpu  1\ncpu0 1 2 3\n", 10, &w);
	tap_int(w.known, 0, "columns are missing");
}

int main(void)
{
	test_allowed();
	test_others();
	test_limits();
	test_stat();
	test_stat_truncated();
	test_stat_garbage();
	test_cgroup();
	test_container_of_hierarchies();
	test_status();
	test_schedstat();
	test_sched();
	test_fields();
	test_loadavg();
	test_cpus();
	test_memory();
	test_fuzz();
	return tap_done();
}

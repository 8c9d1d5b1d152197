/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reads - the cost of a precise read: table 1 of LiMiT (Demme and Sethumadhavan, ISCA 2011) on this
 * machine. For each way to read 1, 3 and 4 counters: wall, user and kernel time of a reading, the
 * variation of the runs, and the ratio to libtiptop.
 *
 *   reads [-n READS] [-r RUNS] [-l]     -l: the same beside twice as many busy loops as CPUs
 *
 * On a machine without a PMU, the counters are software events, which cannot be read in user space;
 * a way that is not possible is left out, with a note. PAPI is measured if it is installed.
 */
#include <dlfcn.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <tiptop.h>
#include <unistd.h>

#define RUNS_MAX 101

/* The events for tt_open(), by the number of counters. */
static const char *const hardware_events[] = {
	[1] = "instructions",
	[3] = "instructions,cycles,branches",
	[4] = "instructions,cycles,branches,branch-misses",
};
static const char *const software_events[] = {
	[1] = "page-faults",
	[3] = "page-faults,context-switches,cpu-migrations",
	[4] = "page-faults,context-switches,cpu-migrations,major-faults",
};
static const uint64_t hardware_config[] = {PERF_COUNT_HW_INSTRUCTIONS, PERF_COUNT_HW_CPU_CYCLES,
					   PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
					   PERF_COUNT_HW_BRANCH_MISSES};
static const uint64_t software_config[] = {
	PERF_COUNT_SW_PAGE_FAULTS, PERF_COUNT_SW_CONTEXT_SWITCHES, PERF_COUNT_SW_CPU_MIGRATIONS,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ};

static bool has_pmu;

/* Why the last way could not be opened. */
static const char *reason = "the kernel gives no such counters";

/* One way to read. open: opens this number of counters; false: not possible. */
struct way {
	const char *name;
	bool (*open)(int n);
	void (*read)(void);
	void (*close)(void);
	bool any; /* reads no counter: measured once, not for each number of counters */
};

/* --- libtiptop --- */

static struct tt *tt;
static struct tt_value values[TT_MAX_EVENTS];

static bool open_tiptop(int n)
{
	tt = tt_open((has_pmu ? hardware_events : software_events)[n]);
	return tt && tt_state(tt, 0) < TT_DENIED;
}

static void read_tiptop(void)
{
	tt_read(tt, values);
}

static void close_tiptop(void)
{
	tt_close(tt);
	tt = NULL;
}

static bool open_task_clock(int n)
{
	(void)n;
	tt = tt_open("task-clock");
	return tt && tt_state(tt, 0) < TT_DENIED;
}

/* --- read(2) --- */

static int group[4], n_group;

static bool open_group(int n)
{
	for (n_group = 0; n_group < n; n_group++) {
		struct perf_event_attr attr = {
			.type = has_pmu ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
			.size = sizeof attr,
			.config = (has_pmu ? hardware_config : software_config)[n_group],
			.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED |
				       PERF_FORMAT_TOTAL_TIME_RUNNING,
			.exclude_kernel = 1,
		};

		group[n_group] = (int)syscall(SYS_perf_event_open, &attr, 0, -1,
					      n_group ? group[0] : -1, PERF_FLAG_FD_CLOEXEC);
		if (group[n_group] < 0)
			return false;
	}
	return true;
}

static void read_group(void)
{
	uint64_t data[8];

	if (read(group[0], data, sizeof data) < 0)
		abort();
}

static void close_group(void)
{
	for (int i = 0; i < n_group; i++)
		if (group[i] >= 0)
			close(group[i]);
}

/* --- PAPI --- */

static struct {
	void *library;
	int (*init)(int version);
	int (*create)(int *set);
	int (*add)(int set, const char *name);
	int (*start)(int set);
	int (*read)(int set, long long *value);
	int (*stop)(int set, long long *value);
} papi;

static int papi_set;
static long long papi_values[4];

/* Loads PAPI; each version has its own file name and version number. */
static void load_papi(void)
{
	static const struct {
		const char *name;
		int version;
	} table[] = {{"libpapi.so.7.2", 0x07020000},
		     {"libpapi.so.7.1", 0x07010000},
		     {"libpapi.so.7.0", 0x07000000},
		     {"libpapi.so.6.0", 0x06000000}};

	for (size_t i = 0; i < sizeof table / sizeof *table && !papi.library; i++) {
		papi.library = dlopen(table[i].name, RTLD_NOW);
		if (!papi.library)
			continue;
		*(void **)&papi.init = dlsym(papi.library, "PAPI_library_init");
		*(void **)&papi.create = dlsym(papi.library, "PAPI_create_eventset");
		*(void **)&papi.add = dlsym(papi.library, "PAPI_add_named_event");
		*(void **)&papi.start = dlsym(papi.library, "PAPI_start");
		*(void **)&papi.read = dlsym(papi.library, "PAPI_read");
		*(void **)&papi.stop = dlsym(papi.library, "PAPI_stop");
		if (papi.init && papi.create && papi.add && papi.start && papi.read && papi.stop &&
		    papi.init(table[i].version) == table[i].version)
			return;
		fprintf(stderr, "reads: %s is there, but cannot be used\n", table[i].name);
		papi.library = NULL;
	}
}

static bool open_papi(int n)
{
	static const char *const hardware[] = {"PAPI_TOT_INS", "PAPI_TOT_CYC", "PAPI_BR_INS",
					       "PAPI_BR_MSP"};
	static const char *const software[] = {"perf::PAGE-FAULTS", "perf::CONTEXT-SWITCHES",
					       "perf::CPU-MIGRATIONS", "perf::MAJOR-FAULTS"};

	papi_set = -1; /* PAPI_NULL */
	reason = papi.library ? "PAPI cannot count these events here"
			      : "PAPI is not installed (libpapi-dev)";
	if (!papi.library || papi.create(&papi_set))
		return false;
	for (int i = 0; i < n; i++)
		if (papi.add(papi_set, (has_pmu ? hardware : software)[i]))
			return false;
	return !papi.start(papi_set);
}

static void read_papi(void)
{
	papi.read(papi_set, papi_values);
}

static void close_papi(void)
{
	if (papi_set >= 0)
		papi.stop(papi_set, papi_values);
}

/* --- clocks --- */

static bool open_nothing(int n)
{
	(void)n;
	return true;
}

static void close_nothing(void)
{
}

static volatile uint64_t sink;

static void read_ticks(void)
{
#if defined(__x86_64__) || defined(__i386__)
	sink = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
	uint64_t ticks;

	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
	sink = ticks;
#endif
}

static void read_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	sink = (uint64_t)now.tv_nsec;
}

static void read_thread_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	sink = (uint64_t)now.tv_nsec;
}

static const struct way ways[] = {
	{"libtiptop", open_tiptop, read_tiptop, close_tiptop, false},
	{"read(2)", open_group, read_group, close_group, false},
	{"PAPI_read", open_papi, read_papi, close_papi, false},
	{"libtiptop, task-clock", open_task_clock, read_tiptop, close_tiptop, true},
	{"time stamp counter", open_nothing, read_ticks, close_nothing, true},
	{"clock_gettime, monotonic", open_nothing, read_clock, close_nothing, true},
	{"clock_gettime, thread", open_nothing, read_thread_clock, close_nothing, true},
};

/* --- measuring --- */

/* The cost of a reading in ns. */
struct cost {
	double wall, user, kernel;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static double wall_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct cost measure(void (*read_one)(void), long reads)
{
	struct rusage before, after;
	double wall;

	getrusage(RUSAGE_SELF, &before);
	wall = wall_now();
	for (long i = 0; i < reads; i++)
		read_one();
	wall = wall_now() - wall;
	getrusage(RUSAGE_SELF, &after);
	return (struct cost){
		1e9 * wall / (double)reads,
		1e9 * (seconds(after.ru_utime) - seconds(before.ru_utime)) / (double)reads,
		1e9 * (seconds(after.ru_stime) - seconds(before.ru_stime)) / (double)reads,
	};
}

static int compare(const void *x, const void *y)
{
	const struct cost *a = x, *b = y;

	return a->wall < b->wall ? -1 : a->wall > b->wall;
}

/* Prints the line of one way. ours: the wall time of libtiptop with this number of counters; 0:
 * this is libtiptop. Returns the wall time. */
static double print_way(const struct way *way, int n, long reads, int runs, double ours)
{
	struct cost cost[RUNS_MAX];
	const struct cost *median = &cost[runs / 2];

	measure(way->read, reads / 10 + 1);
	for (int k = 0; k < runs; k++)
		cost[k] = measure(way->read, reads);
	qsort(cost, (size_t)runs, sizeof *cost, compare);
	printf("%-26s ", way->name);
	if (way->any)
		printf("%8s", "-");
	else
		printf("%8d", n);
	printf(" %9.1f %9.1f %9.1f %7.1f%%", median->wall, median->user, median->kernel,
	       100 * (cost[runs - 1].wall - cost[0].wall) / median->wall);
	if (ours > 0)
		printf(" %8.2f", median->wall / ours);
	printf("\n");
	fflush(stdout);
	return median->wall;
}

static void print_all(long reads, int runs)
{
	static const int widths[] = {1, 3, 4};
	double first = 0;

	printf("%-26s %8s %9s %9s %9s %8s %8s\n", "# way", "counters", "wall ns", "user ns",
	       "kernel ns", "spread", "ratio");
	for (size_t k = 0; k < sizeof ways / sizeof *ways; k++)
		for (size_t w = 0; w < (ways[k].any ? 1 : sizeof widths / sizeof *widths); w++) {
			static double ours[5];
			const int n = widths[w];

			if (ways[k].open(n)) {
				double wall = print_way(&ways[k], n, reads, runs,
							ways[k].any ? first : ours[n]);

				if (!k)
					ours[n] = wall;
				if (!k && !w)
					first = wall;
			} else {
				printf("%-26s %8d   not run: %s\n", ways[k].name, n, reason);
			}
			ways[k].close();
		}
}

/* --- the machine --- */

static bool find_pmu(void)
{
	struct tt *t = tt_open("instructions");
	bool found = t && tt_state(t, 0) < TT_DENIED;

	printf("# counters: %s\n", found ? hardware_events[4]
					 : "software events, since there are no hardware counters");
	if (!found)
		printf("# %s\n", tt_strerror());
	else
		printf("# read %s\n",
		       tt_state(t, 0) == TT_OK ? "in user space" : "by system calls");
	tt_close(t);
	return found;
}

static pid_t loops[4096];
static long n_loops;

static void end_loops(void)
{
	while (n_loops)
		kill(loops[--n_loops], SIGKILL);
}

/* Starts busy loops, two for each CPU. They end with this program, even if it is killed. */
static void start_loops(void)
{
	const long n = 2 * sysconf(_SC_NPROCESSORS_ONLN);
	const pid_t parent = getpid();

	for (; n_loops < n && n_loops < 4096; n_loops++) {
		loops[n_loops] = fork();
		if (!loops[n_loops]) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			while (getppid() == parent)
				for (volatile int i = 0; i < 100000; i++)
					;
			_exit(0);
		}
	}
	atexit(end_loops);
	printf("# beside %ld loops on %ld CPUs\n", n_loops, n / 2);
}

int main(int argc, char **argv)
{
	long reads = 200000, runs = 7;
	bool load = false;
	int option;

	while ((option = getopt(argc, argv, "n:r:l")) > 0) {
		if (option == 'n')
			reads = strtol(optarg, NULL, 10);
		else if (option == 'r')
			runs = strtol(optarg, NULL, 10);
		else if (option == 'l')
			load = true;
		else
			return 2;
	}
	if (reads < 1 || runs < 1 || runs > RUNS_MAX || optind < argc) {
		fprintf(stderr, "usage: reads [-n reads] [-r runs, up to %d] [-l]\n", RUNS_MAX);
		return 2;
	}
	has_pmu = find_pmu();
	load_papi();
	if (load)
		start_loops();
	print_all(reads, (int)runs);
	return 0;
}

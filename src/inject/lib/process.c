/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* entry of libtiptop: what a program asks of all its regions: their numbers, the report, reset,
 * stop and start; and the start and the end of the process, with its settings in the environment.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <time.h>
#include <tiptop.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "inject/lib/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/descriptor.h"
#include "inject/lib/figures.h"
#include "inject/lib/lines.h"
#include "inject/lib/regions.h"
#include "inject/lib/table.h"
#include "inject/lib/thread.h"

/* ---- control ----
 *
 * Resets, stops and starts the measurement of regions while the program runs.
 */

/* Returns 0; -1, with a sentence for tt_strerror(), if regions are not measured. */
static int check_begun(void)
{
	if (tt_regions.begun)
		return 0;
	tt_error_set(EPERM, "regions are not measured: %s",
		     tt_regions.refusal ? tt_regions.refusal
					: "the program was started without TIPTOP_REGIONS");
	return -1;
}

/* Makes each thread take the slow path at its next region, where it sees the reset or the new
 * start. */
static void call_threads(bool reset)
{
	for (unsigned slot = 1; slot < tt_regions.n_slots; slot++) {
		struct tt_thread *t = tt_regions.thread[slot];

		if (!t)
			continue;
		if (reset)
			__atomic_store_n(&t->behind, true, __ATOMIC_RELAXED);
		__atomic_store_n(&t->quick, false, __ATOMIC_RELEASE);
	}
}

/* Begins a new epoch of regions first to last. Until a thread has noticed the new epoch, it writes
 * to rows of the old one. */
static void reset(uint32_t first, uint32_t last)
{
	struct tt_regions *r = &tt_regions;

	r->header->container.sequence++;
	atomic_thread_fence(memory_order_release);
	for (uint32_t id = first; id <= last; id++) {
		r->region[id - 1].epoch++;
		if (r->ended_row[id])
			tt_regions_renew_row(r->ended_row[id], id);
	}
	call_threads(true);
	atomic_thread_fence(memory_order_release);
	r->header->container.sequence++;
}

int tt_reset(const char *label)
{
	const uint32_t id = label ? tt_regions_look_up(label) : 0;
	struct tt_guard g;

	if (check_begun())
		return -1;
	tt_guard_enter(&g);
	if (tt_regions_is_own() && (id || !label))
		reset(id ? id : 1, id ? id : tt_regions_n());
	tt_guard_leave(&g);
	return 0;
}

int tt_stop(void)
{
	if (check_begun())
		return -1;
	tt_enabled = 0;
	return 0;
}

int tt_start(void)
{
	struct tt_guard g;

	if (check_begun())
		return -1;
	tt_guard_enter(&g);
	if (!tt_enabled) {
		tt_regions.start_ticks = thread_read_ticks(tt_clock_speed() != 0);
		call_threads(false);
	}
	tt_enabled = 1;
	tt_guard_leave(&g);
	return 0;
}

/* ---- sum ----
 *
 * Adds up the rows of a region over threads, which may write to their rows at the same time.
 *
 * A table must exist. `sum` and `scratch` have room for TABLE_ROW_WORDS words; `scratch` is
 * overwritten.
 */

/* The position of a loop over threads. */
struct sum_place {
	unsigned slot;                     /* the last slot that was read */
	const struct tt_exited_rows *kept; /* the next exited thread */
	bool lived;                        /* all living threads have been read */
};

/* The tries to read a row that its thread is writing, and how many of them without a pause. */
#define READ_TRIES 400
#define READ_SPINS 100
#define NAP_NS     1000000

static __attribute__((no_sanitize("thread"))) uint32_t read_sequence(const struct table_row *row)
{
	return __atomic_load_n(&row->sequence, __ATOMIC_ACQUIRE);
}

/* Copies the words of a row, which its thread may be writing. */
static __attribute__((no_sanitize("thread"))) void copy_words(uint64_t *to, const uint64_t *from)
{
	for (size_t i = 0; i < tt_regions.header->row_size / sizeof *to; i++)
		to[i] = __atomic_load_n(&from[i], __ATOMIC_RELAXED);
}

/* Copies a row as of one moment. If its thread lost its CPU while it was writing the row, waits for
 * the thread, but only for a limited time: a torn copy is better than none. */
static void copy_row(struct table_row *to, const struct table_row *from)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	uint32_t before;

	for (int try = 0; try < READ_TRIES; try++) {
		if (try > READ_SPINS)
			nanosleep(&nap, NULL);
		before = read_sequence(from);
		copy_words((void *)to, (const void *)from);
		atomic_thread_fence(memory_order_acquire);
		if (!(before & 1) && before == read_sequence(from))
			return;
	}
}

static void add_row(struct table_row *sum, struct table_row *scratch, const struct table_row *row,
		    uint32_t id)
{
	const uint32_t epoch = tt_regions.region[id - 1].epoch;

	if (!row || row->epoch != epoch)
		return;
	copy_row(scratch, row);
	tt_table_add(sum, scratch, tt_regions.header->n_events);
}

/* Returns the number of the next region, from id on, that any living or exited thread has begun; 0:
 * none. */
static uint32_t tt_sum_find(uint32_t id)
{
	const struct tt_regions *r = &tt_regions;
	struct tt_guard g;
	uint32_t found;

	tt_guard_enter(&g);
	found = tt_regions_next_ended(id);
	for (unsigned slot = 1; slot < r->n_slots; slot++) {
		const uint32_t own = r->thread[slot] ? tt_regions_next_row(r->thread[slot], id) : 0;

		found = own && (!found || own < found) ? own : found;
	}
	tt_guard_leave(&g);
	return found;
}

/* Sets *sum to the sum of the region's rows in all threads, including exited ones. */
static void tt_sum_row(struct table_row *sum, struct table_row *scratch, uint32_t id)
{
	struct tt_regions *r = &tt_regions;
	struct tt_guard g;

	memset(sum, 0, r->header->row_size);
	tt_guard_enter(&g);
	add_row(sum, scratch, r->ended_row[id], id);
	for (unsigned slot = 1; slot < r->n_slots; slot++)
		if (r->thread[slot])
			add_row(sum, scratch, r->thread[slot]->row[id], id);
	tt_guard_leave(&g);
}

/* Copies the row of the next living thread that has called the region. Returns the thread's tid; 0:
 * none. */
static uint32_t next_living(struct table_row *row, uint32_t id, struct sum_place *at)
{
	struct tt_regions *r = &tt_regions;
	const uint32_t epoch = r->region[id - 1].epoch;
	uint32_t tid = 0;
	struct tt_guard g;

	tt_guard_enter(&g);
	while (!tid && ++at->slot < r->n_slots) {
		const struct tt_thread *t = r->thread[at->slot];

		if (!t || !t->row[id] || t->row[id]->epoch != epoch)
			continue;
		copy_row(row, t->row[id]);
		tid = row->calls ? t->slot->tid : 0;
	}
	at->kept = r->kept;
	tt_guard_leave(&g);
	return tid;
}

/* Copies the row of the next exited thread that has called the region. Returns the thread's tid; 0:
 * none. A thread that exits meanwhile may be left out, or come once as living and once as exited.
 */
static uint32_t next_exited(struct table_row *row, uint32_t id, struct sum_place *at)
{
	const size_t row_size = tt_regions.header->row_size;

	while (at->kept) {
		const struct tt_exited_rows *kept = at->kept;

		at->kept = kept->next;
		for (uint32_t i = 0; i < kept->n; i++) {
			const struct table_row *from =
				(const void *)((const char *)kept->rows + i * row_size);

			if (from->id != id || from->epoch != tt_regions.region[id - 1].epoch ||
			    !from->calls)
				continue;
			memcpy(row, from, row_size);
			return kept->tid;
		}
	}
	return 0;
}

/* Copies the region's row of the next thread that has called the region, and returns the thread's
 * tid; 0: no further thread. Begins at *at = {0}: living threads come first, then exited threads
 * whose rows were kept. */
static uint32_t tt_sum_next(struct table_row *row, uint32_t id, struct sum_place *at)
{
	uint32_t tid = 0;

	if (!at->lived) {
		tid = next_living(row, id, at);
		at->lived = !tid;
	}
	return tid ? tid : next_exited(row, id, at);
}

/* Sets *sum to the region's row of the calling thread. */
static void tt_sum_own_row(struct table_row *sum, struct table_row *scratch, uint32_t id)
{
	const struct tt_thread *t = tt_local.thread;
	struct tt_guard g;

	memset(sum, 0, tt_regions.header->row_size);
	tt_guard_enter(&g);
	if (t && t->slot)
		add_row(sum, scratch, t->row[id], id);
	tt_guard_leave(&g);
}

/* ---- numbers ----
 *
 * tt_get_numbers(): a program reads the numbers of its own regions.
 */

_Static_assert(TABLE_UNITS == TT_MAX_UNITS, "as the header says");

/* Sets the numbers to those of a region that was never called. */
static void begin_numbers(struct tt_numbers *n)
{
	const struct tt *found = tt_regions.found;

	*n = (struct tt_numbers){.time_ns = NAN, .n_events = found ? (uint32_t)found->n : 0};
	n->n_units = tt_regions.n_units;
	for (uint32_t u = 0; u < n->n_units; u++)
		n->unit[u] = tt_regions.unit[u];
	for (uint32_t i = 0; i < n->n_events; i++) {
		n->event[i] = found->name[i];
		n->count[i] = NAN;
		n->state[i] = "unread";
	}
}

static double number_of(const struct tt_figure *f)
{
	return f->whole ? tt_real(f->sum) : (double)NAN;
}

static void set_numbers(struct tt_numbers *n, struct table_row *row)
{
	struct tt_figure f = tt_figure_of(tt_regions.header, row, 0);

	n->calls = row->calls;
	memcpy(n->work, row->work, sizeof n->work);
	n->time_ns = number_of(&f);
	for (uint32_t i = 0; i < n->n_events; i++) {
		f = tt_figure_of(tt_regions.header, row, i + 1);
		n->count[i] = number_of(&f);
		n->state[i] = f.state;
	}
}

int tt_get_numbers(const char *label, enum tt_whose whose, struct tt_numbers *numbers)
{
	uint64_t row[TABLE_ROW_WORDS], scratch[TABLE_ROW_WORDS];
	struct table_row *sum = (void *)row;
	uint32_t id;

	if (check_begun())
		return -1;
	if (tt_thread_is_writing()) {
		tt_error_set(EAGAIN, "the signal has interrupted the thread while it was writing "
				     "down a call");
		return -1;
	}
	begin_numbers(numbers);
	id = tt_regions_look_up(label);
	if (!id)
		return 0;
	(whose == TT_THREAD ? tt_sum_own_row : tt_sum_row)(sum, (void *)scratch, id);
	set_numbers(numbers, sum);
	return 0;
}

/* ---- report ----
 *
 * Writes the numbers of the regions of this process, as text, CSV or JSON.
 *
 *   text   a line for each region: calls, time, and each event in total and per call
 *   csv    a header, once in a file, then a line for each region
 *   json   one object a line for each region: "type":"region", label, calls, time_s, events
 *
 * After the regions comes a line for each kind of thing that the numbers leave out: calls, threads
 * and labels for which there was no room, calls that were abandoned, and so on (lines.h).
 *
 * The report is appended to the file, so that several processes may write to one file (lines.h). It
 * may be written by a signal handler, so malloc(3) is not called, and locks are taken only with
 * signals blocked. Times are in s, ms, us or ns. An unknown number is "-", an empty field, or null.
 */

/* --- lacks --- */

/* Other threads may change these numbers meanwhile: each number is read at a different moment. */
static __attribute__((no_sanitize("thread"))) void add_slot(struct tt_lacks *sum,
							    const struct table_slot *slot)
{
	sum->n_abandoned += slot->n_abandoned;
	sum->n_unmatched += slot->n_unmatched;
	sum->n_too_deep += slot->n_too_deep;
	sum->n_rowless += slot->n_rowless;
}

static __attribute__((no_sanitize("thread"))) void add_thread(struct tt_lacks *sum,
							      const struct tt_thread *t)
{
	add_slot(sum, t->slot);
	for (uint32_t id = tt_regions_next_row(t, 1); id; id = tt_regions_next_row(t, id + 1))
		sum->n_going_on += tt_regions_depth(t, id);
}

static void sum_lacks(struct tt_lacks *sum)
{
	struct tt_guard g;

	sum->threads_joined = tt_regions.threads_joined;
	tt_guard_enter(&g);
	add_slot(sum, tt_regions.ended.block[0]);
	for (unsigned slot = 1; slot < tt_regions.n_slots; slot++)
		if (tt_regions.thread[slot])
			add_thread(sum, tt_regions.thread[slot]);
	tt_guard_leave(&g);
}

/* --- writing --- */

/* The memory that a report needs. */
struct room {
	struct tt_output output;
	uint64_t sum[TABLE_ROW_WORDS], scratch[TABLE_ROW_WORDS];
};

static void write_threads(struct room *room, const struct tt_lines *lines, uint32_t id)
{
	struct tt_subject of = {tt_regions.region[id - 1].label, 0};
	struct sum_place at = {.slot = 0};

	while ((of.tid = tt_sum_next((void *)room->scratch, id, &at)))
		lines->row(&room->output, &of, (void *)room->scratch);
}

static void write_regions(struct room *room)
{
	const struct tt_lines *lines = tt_lines_find(tt_regions.format);
	struct table_row *sum = (void *)room->sum;
	struct tt_output *o = &room->output;
	const uint32_t n = tt_regions_n();
	struct tt_lacks lacks = {.n_waited = 0};

	o->held = lines->once;
	lines->head(o);
	o->held = false;
	if (lines->once && tt_destination_begins_with(o->text, o->n))
		tt_output_drop(o);
	for (uint32_t id = tt_sum_find(1); id && id <= n; id = tt_sum_find(id + 1)) {
		tt_sum_row(sum, (void *)room->scratch, id);
		lacks.n_waited += sum->n_waited;
		if (sum->calls)
			lines->row(o, &(struct tt_subject){tt_regions.region[id - 1].label, 0},
				   sum);
		if (sum->calls && tt_regions.by_thread)
			write_threads(room, lines, id);
	}
	sum_lacks(&lacks);
	tt_lacks_write(o, lines, &lacks);
}

static ssize_t write_file(struct tt_output *o, const char *text, size_t size)
{
	return tt_destination_write(o->fd, text, size);
}

static int report(struct room *room)
{
	const int fd = tt_destination_open();

	if (fd < 0)
		return -1;
	tt_output_begin(&room->output, tt_regions.header, fd, write_file);
	room->output.n_derived = tt_derived_n(tt_regions.header);
	write_regions(room);
	tt_output_end(&room->output);
	tt_destination_close(fd);
	return room->output.failed ? -1 : 0;
}

/* Writes the report with memory on the stack, if mmap(2) fails. */
static __attribute__((noinline)) int report_on_stack(void)
{
	struct room room;

	return report(&room);
}

static int write_report(void)
{
	struct room *room;
	int ret;

	if (check_begun() || !__atomic_load_n(&tt_regions.header, __ATOMIC_ACQUIRE))
		return -1;
	/* Not on the stack, as the stack of a signal handler may be small. */
	room = mmap(NULL, sizeof *room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (room == MAP_FAILED)
		return report_on_stack();
	ret = report(room);
	munmap(room, sizeof *room);
	return ret;
}

/* Writes the report, and once more for each signal handler that requested it in the meantime. */
static int write_reports(void)
{
	int ret;

	tt_local.n_reports = 1;
	do
		ret = write_report();
	while (__atomic_sub_fetch(&tt_local.n_reports, 1, __ATOMIC_RELAXED) > 0);
	return ret;
}

/* The most requests that may wait for a report in progress in their thread. If there are more, the
 * report was probably left by longjmp(3), and a new one is written. */
#define REPORTS_WAITING 16

/* Preserves errno, as a signal handler may interrupt the program before it reads errno. A handler
 * that interrupts a report of its own thread requests another report, which is written after the
 * interrupted one: the handler itself would wait forever for the lock of the interrupted report. */
int tt_report(void)
{
	const int error = errno;
	int ret = 0;

	if (tt_thread_defer_report())
		return 0;
	if (tt_local.n_reports > 0 && tt_local.n_reports <= REPORTS_WAITING)
		tt_local.n_reports++;
	else
		ret = write_reports();
	errno = error;
	return ret;
}

static void on_signal(int signal)
{
	(void)signal;
	tt_report();
}

int tt_report_on(int signal)
{
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	sigemptyset(&action.sa_mask);
	return sigaction(signal, &action, NULL);
}

/* ---- start ---- */

int tt_enabled;

static const char *setting(const char *name, const char *otherwise)
{
	const char *value = secure_getenv(name);

	return value ? value : otherwise;
}

/* Returns why system calls are not safe; NULL: they are. A seccomp filter that was set before the
 * program was executed may kill the program for a system call. The filter of a container, which the
 * container's first process has, too, is safe: it allows programs of all kinds. */
static const char *find_filter(void)
{
	const struct syscall_filters own = syscall_filters_read(SYSCALL_FILTERS_OWN);

	if (own.n < 0)
		return "/proc/self/status does not tell whether a filter of system calls "
		       "(seccomp(2)) was set before the program began";
	if (!own.n || syscall_filters_read("/proc/1/status").n == own.n)
		return NULL;
	return "a filter of system calls (seccomp(2)) was set before the program began: it may end "
	       "the program for a system call of libtiptop";
}

/* Returns why regions are not measured although TIPTOP_REGIONS is set; NULL: they are. */
static const char *find_refusal(void)
{
	return secure_getenv("TIPTOP_REGIONS")
		       ? find_filter()
		       : "a program with other rights than its user's ignores TIPTOP_REGIONS";
}

/* Returns the index of the word that is the value of a setting. Returns 0 if the setting has no
 * value; or if it has an unknown word, which is reported on standard error. */
static int choose(const char *name, const char *const word[], int n)
{
	const char *value = setting(name, word[0]);

	for (int i = 0; i < n; i++)
		if (!strcmp(value, word[i]))
			return i;
	dprintf(STDERR_FILENO,
		"tiptop: %s=%s is not known, so regions are measured as with '%s': it can be", name,
		value, word[0]);
	for (int i = 0; i < n; i++)
		dprintf(STDERR_FILENO, "%s %s", i ? i + 1 < n ? "," : " or" : "", word[i]);
	dprintf(STDERR_FILENO, "\n");
	return 0;
}

static void choose_all(void)
{
	static const char *const format[] = {"text", "csv", "json"}, *const yes[] = {"no", "yes"};

	snprintf(tt_regions.format, sizeof tt_regions.format, "%s",
		 format[choose("TIPTOP_FORMAT", format, 3)]);
	tt_regions.subtract = choose("TIPTOP_SUBTRACT", yes, 2);
	tt_regions.in_order = choose("TIPTOP_IN_ORDER", yes, 2);
	tt_regions.by_thread = choose("TIPTOP_THREADS", yes, 2);
}

static void find_events(const char *events)
{
	tt_regions.found = tt_counters_find(events);
	for (int i = 0; tt_regions.found && i < tt_count(tt_regions.found); i++)
		if (tt_regions.found->unknown[i])
			dprintf(STDERR_FILENO, "tiptop: TIPTOP_REGIONS: %s\n",
				tt_regions.found->unknown[i]);
	if (!tt_regions.found)
		dprintf(STDERR_FILENO,
			"tiptop: TIPTOP_REGIONS: regions are measured without events: %s\n",
			tt_strerror());
}

/* Does the work that calls malloc(3) or takes long, so that no region has to do it when it begins.
 */
static void prepare(const char *events)
{
	if (events[0])
		find_events(events);
	file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", tt_regions.boot_id,
		  sizeof tt_regions.boot_id);
	snprintf(tt_regions.program, sizeof tt_regions.program, "%s",
		 program_invocation_short_name);
	tt_regions.file.fd = -1;
	tt_clock_speed();
	tt_fork_mark();
	tt_thread_prepare();
}

/* Finds the rank that a launcher put into the environment. Variables of MPI come before those of
 * launchers that also start other programs. */
static void find_rank(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_RANK", /* Open MPI: "Environment variables set for MPI
					   applications"; seen in 4.1.4 */
		"MV2_COMM_WORLD_RANK",  /* MVAPICH2: user guide, MPIRUN_RSH parameters */
		"PMIX_RANK",            /* PMIx; Open MPI 4.1.4 sets it, too; srun --mpi=pmix */
		"PMI_RANK",       /* Hydra of MPICH, seen in 4.0.2; Intel MPI; srun --mpi=pmi2 */
		"PALS_RANKID",    /* PALS of Cray: pals.h */
		"FLUX_TASK_RANK", /* Flux: flux-environment(7) */
		"SLURM_PROCID",   /* Slurm: srun(1), output environment variables */
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *rank = setting(names[i], "");
		size_t n;

		while (rank[0] == '0' && rank[1])
			rank++;
		n = strspn(rank, "0123456789");
		if (!n || rank[n] || n >= sizeof tt_regions.rank)
			continue;
		memcpy(tt_regions.rank, rank, n + 1);
		return;
	}
}

/* Copies a name, with %r replaced by the rank, %p by the pid, and %h by the host. Returns false if
 * the result is too long. */
static bool expand(char *out, size_t size, const char *name)
{
	size_t n = 0;

	for (; *name && n < size; name++) {
		const char *rank = tt_regions.rank[0] ? tt_regions.rank : "-";
		const char next = *name == '%' ? name[1] : '\0';

		name += next && strchr("rph%", next) ? 1 : 0;
		if (next == 'p')
			n += (size_t)snprintf(out + n, size - n, "%ld", (long)getpid());
		else if (next == 'r' || next == 'h')
			n += (size_t)snprintf(out + n, size - n, "%s",
					      next == 'r' ? rank : tt_regions.host);
		else
			n += (size_t)snprintf(out + n, size - n, "%c", *name);
	}
	return n < size;
}

static void begin_report(void)
{
	const char *name = setting("TIPTOP_REPORT", "");
	char path[PATH_MAX] = "";
	const int ret =
		expand(path, sizeof path, name) ? tt_destination_begin(path) : -ENAMETOOLONG;

	if (ret)
		dprintf(STDERR_FILENO,
			"tiptop: the report of regions cannot be written to '%s': %s\n", name,
			strerror(-ret));
}

/* Keeps a plug-in that contains libtiptop.a from being unmapped: threads still exit through its
 * code. */
static void stay(void)
{
	Dl_info own;

	if (dladdr(&tt_regions, &own))
		dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* Initializes libtiptop in a child of fork(). A child that runs as root makes its file for the
 * keeper at once, as it may later have given up the permission to do so. */
static void begin_child(void)
{
	const int error = errno;

	tt_thread_forget();
	if (tt_regions.keeper[0] && getauxval(AT_EUID) == 0)
		tt_regions_make_file();
	errno = error;
}

static void begin_keeping(void)
{
	snprintf(tt_regions.keeper, sizeof tt_regions.keeper, "%s", setting("TIPTOP_KEEPER", ""));
	if (tt_regions.keeper[0])
		tt_regions_make_file();
}

__attribute__((constructor)) static void start(void)
{
	const char *events = getenv("TIPTOP_REGIONS");

	tt_regions.refusal = events ? find_refusal() : NULL;
	if (!events || tt_regions.refusal)
		return;
	stay();
	gethostname(tt_regions.host, sizeof tt_regions.host - 1);
	find_rank();
	begin_report();
	choose_all();
	prepare(events);
	pthread_atfork(NULL, NULL, begin_child);
	begin_keeping();
	tt_regions.begun = true;
	tt_enabled = 1;
}

/* Leaves the report to the keeper, unless the file lacks numbers that only this process has. */
static void leave_table(struct table_header *h)
{
	if (h->n_unseen || h->is_private) {
		write_report();
		h->is_private = 1;
	}
	h->wall_end = clock_ns(CLOCK_REALTIME);
}

__attribute__((destructor)) static void end(void)
{
	struct tt_regions *r = &tt_regions;

	if (!tt_regions_has_file())
		return;
	tt_enabled = 0;
	if (tt_table_file_is_kept(r)) {
		if (r->header)
			leave_table(r->header);
		return;
	}
	if (r->header)
		write_report();
	if (r->path[0])
		unlink(r->path);
}

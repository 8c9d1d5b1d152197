/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "inject/lib/clock.h"
#include "inject/lib/container.h"
#include "inject/preload/next.h"

/* ---- guard ---- */

/* 0: free; 1: taken; 2: taken, with threads waiting. */
static atomic_uint word;
/* The result of guard_is_own() in this thread. */
static __thread bool own __attribute__((tls_model("initial-exec")));

static void sleep_or_wake(int operation, unsigned number)
{
	syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, number, NULL, NULL, 0);
}

/* All signals but the two that the C library uses internally. */
static const uint64_t all_signals = ~(3ull << 31);

static void set_mask(const uint64_t *mask, uint64_t *before)
{
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, mask, before, sizeof *mask);
}

static void guard_enter(struct guard *g)
{
	unsigned was = 0;

	g->error = errno;
	set_mask(&all_signals, &g->mask);
	own = true;
	/* A sanitizer may intercept this function and initialize itself in it; the sanitizer's
	 * calls are not counted, as `own` is set. */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &g->cancellation);
	if (atomic_compare_exchange_strong(&word, &was, 1))
		return;
	while (atomic_exchange(&word, 2))
		sleep_or_wake(FUTEX_WAIT, 2);
}

void guard_leave(const struct guard *g)
{
	if (atomic_exchange(&word, 0) == 2)
		sleep_or_wake(FUTEX_WAKE, 1);
	own = false;
	set_mask(&g->mask, NULL);
	pthread_setcancelstate(g->cancellation, NULL);
	errno = g->error;
}

/* Make guard_is_own() true, and false again, without taking the guard. They make no system call, so
 * signals are not blocked. */
static void guard_enter_alone(void)
{
	own = true;
}

static void guard_leave_alone(void)
{
	own = false;
}

bool guard_is_own(void)
{
	return own;
}

/* In a child: frees the guard, as the thread that held it does not exist there. The signal mask
 * stays unchanged. */
static void guard_forget(void)
{
	atomic_store(&word, 0);
}

/* ---- readable ---- */

/* The smallest page size of all machines. */
#define PAGE ((uintptr_t)4096)

/* The kernel is made to read 8 bytes of each page as a signal mask, for an operation that does not
 * exist: EFAULT means that the bytes cannot be read. */
bool readable_check(const void *from, size_t size)
{
	const uintptr_t end = (uintptr_t)from + size;
	const int error = errno;
	bool readable = end > (uintptr_t)from;

	for (uintptr_t at = (uintptr_t)from & -(uintptr_t)8; readable && at < end;
	     at = (at & -PAGE) + PAGE)
		readable = at && (!syscall(SYS_rt_sigprocmask, -1, at, NULL, _NSIG / 8) ||
				  errno != EFAULT);
	errno = error;
	return readable;
}

/* ---- process ---- */

/* The table takes at most this fraction (1/8) of the address space that the program may have. */
#define AS_SHARE 8

bool process_steady;

/* *mark shows whether this process is a child with a copy of its parent's memory. It lies in a page
 * that the kernel clears in a child, however the child was created. */
enum { MARK_CHILD, MARK_LEAVING, MARK_OWN };
static atomic_int *mark;

static atomic_bool is_decided; /* whether this process is measured has been decided */
static void *table;            /* NULL: this process is not measured */
static bool measures_children; /* the children of this process are to be measured, too */
/* The table of the parent, in a child for which this has not been decided; NULL: none. */
static void *parent_table;

atomic_bool process_paused;
/* The filters that the program has set, or is about to: if there are any, measuring will not start
 * in the process's children. */
static atomic_uint n_filters;
static struct process_stop stop;

static char kept[PATH_MAX]; /* the variable's value; "": not read yet, or not set */

/* Returns the value of the variable at the start of the program; NULL: not set. It is kept, as a
 * program may clear its environment before it forks (nginx does). */
static const char *find_text(void)
{
	const char *text = *kept ? NULL : secure_getenv(process_hooks.variable);

	if (text && (size_t)snprintf(kept, sizeof kept, "%s", text) >= sizeof kept)
		*kept = '\0';
	return *kept ? kept : NULL;
}

/* The contents of the environment variable that asks for measuring. parent: the process whose
 * children are measured, 0: any, -1: the variable has another form. */
struct wish {
	long parent, n_filters;
	const char *folder; /* NULL: not to be measured */
};

static struct wish parse_variable(void)
{
	const char *text = find_text();
	struct wish w = {.parent = -1};
	char *end;

	if (!text)
		return w;
	w.parent = strtol(text, &end, 10);
	if (*end != ':')
		return w;
	w.n_filters = strtol(end + 1, &end, 10);
	if (*end == ':')
		w.folder = end + 1;
	return w;
}

/* Tells tiptop, by opening a mark, that this program is not measured although it should be. Does so
 * once: children of fork(2) run the same program. */
static void open_mark(const char *folder, const char *name)
{
	static atomic_flag opened = ATOMIC_FLAG_INIT;
	char path[PATH_MAX];
	long fd;

	if (atomic_flag_test_and_set(&opened))
		return;
	if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
		return;
	fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		syscall(SYS_close, fd);
}

/* Opens the mark of a program under more filters than tiptop has. If the parent is unknown, it may
 * also be a program that is not to be measured. */
static void report_filtered(const struct wish *w, const struct syscall_filters *f)
{
	if (!w->parent || !f->parent || w->parent == f->parent)
		open_mark(w->folder, f->n < 0 ? PROCESS_MARK_NO_PROC : PROCESS_MARK_FILTERED);
}

/* Checks, once, the seccomp filters under which the program was executed; its children have the
 * same, or further ones that seccomp.h handles. If there are more filters than tiptop has, this
 * object makes no system call after those of report_filtered(). */
static void check_filters(void)
{
	static atomic_flag checked = ATOMIC_FLAG_INIT;
	const int error = errno;
	struct syscall_filters f;
	struct wish w;

	guard_enter_alone();
	w = parse_variable();
	if (w.folder && !atomic_flag_test_and_set(&checked)) {
		f = syscall_filters_read(SYSCALL_FILTERS_OWN);
		if (f.n < 0 || f.n > w.n_filters) {
			atomic_store(&process_paused, true);
			report_filtered(&w, &f);
		}
	}
	/* Without a folder, this program is not to be measured. */
	if (!w.folder)
		atomic_store(&process_paused, true);
	guard_leave_alone();
	errno = error;
}

/* Returns the folder; NULL: this process is not to be measured. */
static const char *find_folder(void)
{
	const struct wish w = parse_variable();

	measures_children = !w.parent;
	return !w.parent || w.parent == getppid() ? w.folder : NULL;
}

/* Makes the file of the table. The file's name has a number, as a process that executes another
 * program has a table for each program. */
static int make_file(const char *folder)
{
	char path[PATH_MAX];
	int fd = -1;

	errno = EEXIST;
	for (unsigned n = 0; n < 1000 && fd < 0 && errno == EEXIST; n++) {
		if (snprintf(path, sizeof path, "%s/" PROCESS_FILE_PREFIX "%ld.%03u", folder,
			     (long)getpid(), n) >= (int)sizeof path)
			return -1;
		fd = open(path, PROCESS_FILE_FLAGS, PROCESS_FILE_MODE);
	}
	return fd;
}

static bool is_below(int resource, size_t size)
{
	struct rlimit limit;

	return !getrlimit(resource, &limit) && limit.rlim_cur < size;
}

/* Checks the program's resource limits: the kernel would kill the program for a file that is too
 * large (SIGXFSZ), and the program lacks the address space that is taken here. Returns 0, or the
 * errno for a limit that is too low. */
static int find_limit(size_t size)
{
	return is_below(RLIMIT_FSIZE, size)           ? EFBIG
	       : is_below(RLIMIT_AS, AS_SHARE * size) ? ENOMEM
						      : 0;
}

/* Writes into the file why the table could not be made. */
static void note_failure(int fd, int error)
{
	struct container begin = {.header_size = (uint32_t)error};

	memcpy(begin.magic, CONTAINER_FAILED, sizeof begin.magic);
	/* If RLIMIT_FSIZE forbids the write, the file stays empty: tiptop takes this as EFBIG. */
	if (!is_below(RLIMIT_FSIZE, sizeof begin) &&
	    write(fd, &begin, offsetof(struct container, layout)) < 0)
		return;
}

static void *map_file(int fd, size_t size)
{
	void *p = MAP_FAILED;
	int error = find_limit(size);

	if (!error && ftruncate(fd, (off_t)size))
		error = errno;
	if (!error) {
		p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
		error = p == MAP_FAILED ? errno : 0;
	}
	if (error)
		note_failure(fd, error);
	return p == MAP_FAILED ? NULL : p;
}

static bool make_mark(void)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	void *p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	/* Without the mark, a child would write into its parent's table. */
	if (p == MAP_FAILED || madvise(p, page, MADV_WIPEONFORK))
		return false;
	mark = p;
	atomic_store(mark, MARK_OWN);
	return true;
}

/* Returns why the file of a table could not be made, for an errno. */
static enum left_out find_reason(int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		return LEFT_OUT_USER;
	case EMFILE:
	case ENFILE:
		return LEFT_OUT_DESCRIPTORS;
	default:
		return LEFT_OUT_FOLDER;
	}
}

/* The C library's clock_gettime(), for a clock that is not steady: tiptop-calls.so wraps
 * clock_gettime(), and its wrapper reads this clock. */
static __typeof__(&clock_gettime) real_clock;

static void begin_clock(void)
{
	process_steady = tt_clock_speed() != 0;
	if (!process_steady)
		real_clock = (__typeof__(real_clock))next_find("clock_gettime", NULL);
}

static void make_table(const char *folder)
{
	const int fd = make_file(folder);
	const enum left_out reason = fd < 0 ? find_reason(errno) : LEFT_OUT_N;
	void *file = fd >= 0 ? map_file(fd, process_hooks.size) : NULL;

	if (fd >= 0)
		close(fd);
	else if (parent_table)
		process_hooks.leave_out(parent_table, reason);
	else if (reason == LEFT_OUT_USER)
		open_mark(folder, PROCESS_MARK_OTHER_USER);
	begin_clock();
	if (file && process_hooks.make(file))
		table = file;
}

static void unmap_parent_table(void)
{
	if (parent_table)
		munmap(parent_table, process_hooks.size);
	parent_table = NULL;
}

bool process_begin(void)
{
	const char *folder;
	struct guard g;

	if (process_has_stopped())
		return false;
	if (atomic_load_explicit(&is_decided, memory_order_acquire))
		return table != NULL;
	/* Statically linked sanitizer runtimes call wrapped functions, and thereby this function,
	 * before the C library has set up the environment. */
	if (!*kept && !environ)
		return false;
	check_filters();
	if (!process_enter(&g))
		return false;
	folder = find_folder();
	if (!atomic_load(&is_decided) && folder && (mark || make_mark()))
		make_table(folder);
	unmap_parent_table();
	atomic_store_explicit(&is_decided, true, memory_order_release);
	guard_leave(&g);
	return table != NULL;
}

bool process_forget_parent(void)
{
	int was = MARK_CHILD;
	struct guard g;

	if (!mark || atomic_load_explicit(mark, memory_order_acquire) == MARK_OWN ||
	    process_has_stopped())
		return false;
	if (process_has_filter()) {
		atomic_store(&process_paused, true);
		if (table && measures_children)
			process_hooks.leave_out(table, LEFT_OUT_FILTERED);
		return true;
	}
	if (!atomic_compare_exchange_strong(mark, &was, MARK_LEAVING)) {
		while (atomic_load(mark) == MARK_LEAVING)
			;
		return false;
	}
	guard_forget();
	guard_enter(&g);
	if (table) {
		unmap_parent_table();
		parent_table = table;
	}
	table = NULL;
	process_hooks.forget();
	atomic_store(&is_decided, false);
	guard_leave(&g);
	atomic_store(mark, MARK_OWN);
	return true;
}

bool process_has_stopped(void)
{
	return atomic_load_explicit(&process_paused, memory_order_acquire);
}

bool process_enter(struct guard *g)
{
	if (process_has_stopped())
		return false;
	guard_enter(g);
	if (!process_has_stopped())
		return true;
	guard_leave(g);
	return false;
}

bool process_pause(void)
{
	const uint32_t thread = process_hooks.thread_id();
	struct guard g;

	process_forget_parent();
	if (process_has_stopped() || (thread && thread != (uint32_t)syscall(SYS_gettid)))
		return false;
	guard_enter(&g);
	/* Read before the pause, as the clock may be a system call. */
	stop = (struct process_stop){.end = process_ticks(), .ns_per_tick = process_ns_per_tick()};
	atomic_store(&process_paused, true);
	guard_leave(&g);
	return true;
}

void process_resume(void)
{
	atomic_store(&process_paused, false);
}

void process_stop(uint32_t lacking)
{
	stop.lacking = lacking;
	if (table)
		process_hooks.stop(&stop);
}

void process_skip_children(void)
{
	atomic_fetch_add(&n_filters, 1);
}

void process_take_children(void)
{
	atomic_fetch_sub(&n_filters, 1);
}

bool process_has_filter(void)
{
	return atomic_load_explicit(&n_filters, memory_order_relaxed) != 0;
}

bool process_has_new_filters(void)
{
	const int error = errno;
	struct syscall_filters f;
	long known;

	guard_enter_alone();
	known = parse_variable().n_filters;
	f = syscall_filters_read(SYSCALL_FILTERS_OWN);
	guard_leave_alone();
	errno = error;
	return f.n < 0 || f.n > known;
}

bool process_make_real(void *from, size_t size)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)from & -page;

	/* Kernels before 5.14 do not know MADV_POPULATE_WRITE: EINVAL. */
	return !madvise((void *)at, (uintptr_t)from + size - at, MADV_POPULATE_WRITE) ||
	       errno == EINVAL;
}

uint64_t process_ns_per_tick(void)
{
	return process_steady ? tt_clock_speed() : 1ull << 32;
}

uint64_t process_slow_ticks(void)
{
	struct timespec t;

	/* Before process_begin(), no wrapper reads the clock. */
	if (!real_clock || real_clock(CLOCK_MONOTONIC, &t))
		return clock_ns(CLOCK_MONOTONIC);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- asan ---- */

/* part of process: options for the runtime of the address sanitizer. If the runtime is a shared
 * library, it aborts the program when another object is loaded before it, as it might miss calls.
 * These objects pass all calls on to the runtime, so its check is switched off. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

/* Returns default options, which ASAN_OPTIONS can override. If the program defines this function
 * itself, the program's function is used. */
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The only file of this layer with #if: libproc2 4.0.5 changed the arguments of PIDS_VAL. */
#include "collect/task/proc_lib.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libproc2/pids.h>
#include <linux/magic.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "collect/task/group_memory.h"
#include "collect/task/proc_file.h"
#include "collect/task/resctrl.h"
#include "config.h"
#include "model/fact_list.h"
#include "pmu/check/rights.h"

/* ---- command line ----
 *
 * The arguments of a process as one text. Pure.
 */

/* Converts the contents of /proc/PID/cmdline, in which each argument ends with a NUL, into one line
 * with blanks between the arguments. If the program has erased all arguments, the line is its name
 * in brackets, as ps(1) shows kernel threads. Returns raw->text. */
static const char *command_line_make(struct strbuf *raw, const char *name)
{
	while (raw->len && !raw->text[raw->len - 1])
		raw->len--;
	for (size_t i = 0; i < raw->len; i++)
		if (!raw->text[i])
			raw->text[i] = ' ';
	if (raw->len)
		raw->text[raw->len] = '\0';
	else
		strbuf_addf(raw, "[%s]", name);
	return raw->text;
}

/* ---- proc lib ---- */

#ifdef PIDS_VAL_TAKES_INFO
#define VALUE(item, type, stack, info) PIDS_VAL(item, type, stack, info)
#else
#define VALUE(item, type, stack, info) PIDS_VAL(item, type, stack)
#endif

#define SELECT_MAX 255 /* libproc2 accepts at most this many pids in one call */
#define LIB_ERASED "?" /* libproc2's command line if the program has erased its arguments */

enum item {
	ITEM_PID,
	ITEM_EUID,
	ITEM_EUSER,
	ITEM_CMD,
	ITEM_STATE,
	ITEM_BEGAN,
	ITEM_USER,
	ITEM_SYSTEM,
	ITEM_ALL_TIME, /* user and system time, with those of children that were waited for */
	ITEM_PROCESSOR,
	ITEM_MINFLT,
	ITEM_MAJFLT,
	ITEM_NLWP,
	ITEM_SESSION,
	ITEM_PARENT,
	ITEM_NICE,
	ITEM_VSIZE,
	ITEM_RSS,
	ITEM_CMDLINE, /* must be the last item, as it is cut off if it is not wanted */
	N_ITEMS
};

static const enum pids_item items[N_ITEMS] = {
	[ITEM_PID] = PIDS_ID_PID,          [ITEM_EUID] = PIDS_ID_EUID,
	[ITEM_EUSER] = PIDS_ID_EUSER,      [ITEM_CMD] = PIDS_CMD,
	[ITEM_STATE] = PIDS_STATE,         [ITEM_BEGAN] = PIDS_TICS_BEGAN,
	[ITEM_USER] = PIDS_TICS_USER,      [ITEM_SYSTEM] = PIDS_TICS_SYSTEM,
	[ITEM_ALL_TIME] = PIDS_TICS_ALL_C, [ITEM_PROCESSOR] = PIDS_PROCESSOR,
	[ITEM_MINFLT] = PIDS_FLT_MIN,      [ITEM_MAJFLT] = PIDS_FLT_MAJ,
	[ITEM_NLWP] = PIDS_NLWP,           [ITEM_NICE] = PIDS_NICE,
	[ITEM_VSIZE] = PIDS_VSIZE_BYTES,   [ITEM_RSS] = PIDS_RSS,
	[ITEM_SESSION] = PIDS_ID_SESSION,  [ITEM_PARENT] = PIDS_ID_PPID,
	[ITEM_CMDLINE] = PIDS_CMDLINE,
};

struct proc_lib {
	struct proc proc;
	int proc_fd;
	struct proc_units units;
	uint64_t mem_total_kb;
	int n_cpus;
	struct group_mounts mounts;
	struct strbuf text; /* contents of the file that was read last */
	struct strbuf read[N_READ_TEXTS];
	/* for walks of chosen processes: [0] without command lines, [1] with */
	struct pids_info *chosen[2];
};

static struct proc_lib *self_of(struct proc *proc)
{
	return (struct proc_lib *)proc;
}

static uint64_t lib_now(struct proc *proc)
{
	(void)proc;
	return clock_ns(CLOCK_MONOTONIC);
}

static void lib_clocks(struct proc *proc, struct proc_clocks *out)
{
	out->mono_ns = lib_now(proc);
	out->boot_ns = clock_ns(CLOCK_BOOTTIME);
	out->wall_ns = clock_ns(CLOCK_REALTIME);
}

static int lib_host(struct proc *proc, struct host *out, int *last_pid)
{
	struct proc_lib *self = self_of(proc);
	char text[128];
	ssize_t n = file_read(self->proc_fd, "loadavg", text, sizeof text);

	*out = (struct host){.n_cpus = self->n_cpus,
			     .mem_total_kb = self->mem_total_kb,
			     .contained = rights_pid_namespace() == NAMESPACE_OTHER,
			     .tick_ns = clock_tick_ns(),
			     .uptime_s = (double)clock_ns(CLOCK_BOOTTIME) / 1e9};
	out->load1 = out->load5 = out->load15 = NAN;
	return n < 0 ? (int)n : proc_parse_loadavg(text, out, last_pid);
}

/* Bytes of /proc/stat to read: enough for 8,192 CPUs, with lines of at most 200 bytes. The line of
 * interrupts after them is not needed. */
#define STAT_MAX   (2 << 20)
#define MEMORY_MAX 8192

static void lib_use(struct proc *proc, struct machine_use *out, struct arena *arena)
{
	struct proc_lib *self = self_of(proc);
	ssize_t n = file_read_all(self->proc_fd, "stat", STAT_MAX, &self->text);

	*out = (struct machine_use){.wanted = true};
	out->cpu_error = n < 0 ? (int)-n : -proc_parse_cpus(self->text.text, out, arena);
	n = file_read_all(self->proc_fd, "meminfo", MEMORY_MAX, &self->text);
	out->memory_error = n < 0 ? (int)-n : -proc_parse_memory(self->text.text, &out->memory);
}

/* Lists the entries of a folder whose names are numbers. Returns 0, or -errno; -ESRCH if there is
 * no such folder. */
static int list_numbers(int dir_fd, const char *path, struct pid_list *out)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;

	out->n = 0;
	if (!dir) {
		int ret = errno == ENOENT ? -ESRCH : -errno;

		if (fd >= 0)
			close(fd);
		return ret;
	}
	while ((e = readdir(dir))) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		pid_list_add(out, (int)strtol(e->d_name, NULL, 10));
	}
	closedir(dir);
	return 0;
}

static int lib_pids(struct proc *proc, struct pid_list *out)
{
	return list_numbers(self_of(proc)->proc_fd, ".", out);
}

static int lib_tids(struct proc *proc, int pid, struct pid_list *out)
{
	char path[32];

	snprintf(path, sizeof path, "%d/task", pid);
	return list_numbers(self_of(proc)->proc_fd, path, out);
}

static int lib_cpu_clock(struct proc *proc, int pid, uint64_t *ns)
{
	/* The ID that clock_getcpuclockid(3) returns, without its extra system call. */
	clockid_t id = (clockid_t)(~(unsigned)pid << 3 | 2);
	struct timespec t;

	(void)proc;
	if (clock_gettime(id, &t))
		return errno == EINVAL ? -ESRCH : -errno;
	*ns = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	return 0;
}

/* Bytes of a file of a task. In status, the list of supplementary groups alone may have 65,536
 * numbers of 11 bytes. */
#define TASK_FILE_MAX (1 << 20)

#define TASK_PATH_MAX 64

/* Writes the path PID/NAME (tid 0) or PID/task/TID/NAME. */
static void make_path(char path[TASK_PATH_MAX], int pid, int tid, const char *name)
{
	if (tid)
		snprintf(path, TASK_PATH_MAX, "%d/task/%d/%s", pid, tid, name);
	else
		snprintf(path, TASK_PATH_MAX, "%d/%s", pid, name);
}

static ssize_t read_task_file(struct proc_lib *self, int pid, int tid, const char *name)
{
	char path[TASK_PATH_MAX];
	ssize_t n;

	make_path(path, pid, tid, name);
	n = file_read_all(self->proc_fd, path, TASK_FILE_MAX, &self->text);
	return n == -ENOENT ? -ESRCH : n;
}

/* Reads a file of facts. files: where the file is kept open; NULL: it is closed. After the end of
 * the task, a kept file fails with ESRCH, even if another task has its pid now. */
static ssize_t read_fact_file(struct proc_lib *self, int pid, int tid, int file,
			      struct proc_files *files)
{
	char path[TASK_PATH_MAX];
	int *fd = files ? &files->fd[file] : NULL;

	if (fd && *fd < 0) {
		make_path(path, pid, tid, fact_file_name[file]);
		*fd = openat(self->proc_fd, path, O_RDONLY | O_CLOEXEC);
	}
	if (fd && *fd >= 0)
		return file_read_again(*fd, TASK_FILE_MAX, &self->text);
	return read_task_file(self, pid, tid, fact_file_name[file]);
}

/* Reads the command line of a process. If the leader has ended, its memory is gone, so the command
 * line is read from another thread. Valid until the next file is read; NULL: no thread has it. */
static const char *read_cmdline(struct proc_lib *self, int pid, const char *name)
{
	struct pid_list tids = {NULL, 0, 0};
	ssize_t n = read_task_file(self, pid, 0, "cmdline");

	if (n <= 0)
		lib_tids(&self->proc, pid, &tids);
	for (size_t i = 0; i < tids.n && n <= 0; i++)
		n = read_task_file(self, pid, tids.v[i], "cmdline");
	free(tids.v);
	return n > 0 ? command_line_make(&self->text, name) : NULL;
}

static void visit_stack(struct proc_lib *self, struct pids_stack *stack, struct pids_info *info,
			bool cmdline, proc_visit visit, void *context)
{
	struct proc_process p = {.pid = VALUE(ITEM_PID, s_int, stack, info)};
	struct proc_facts *f = &p.facts;

	(void)info; /* unused where PIDS_VAL takes three arguments */
	p.uid = VALUE(ITEM_EUID, u_int, stack, info);
	p.user = VALUE(ITEM_EUSER, str, stack, info);
	snprintf(f->name, sizeof f->name, "%s", VALUE(ITEM_CMD, str, stack, info));
	f->state = (char)VALUE(ITEM_STATE, s_ch, stack, info);
	if (cmdline)
		p.cmdline = VALUE(ITEM_CMDLINE, str, stack, info);
	if (p.cmdline && (!strcmp(p.cmdline, LIB_ERASED) ||
			  (f->state == 'Z' && VALUE(ITEM_NLWP, s_int, stack, info) > 1)))
		p.cmdline = read_cmdline(self, p.pid, f->name);
	if (p.cmdline && !*p.cmdline)
		p.cmdline = NULL;
	f->start_ns = VALUE(ITEM_BEGAN, ull_int, stack, info) * self->units.tick_ns;
	proc_set_fact(f, FACT_UTIME_NS,
		      VALUE(ITEM_USER, ull_int, stack, info) * self->units.tick_ns);
	proc_set_fact(f, FACT_STIME_NS,
		      VALUE(ITEM_SYSTEM, ull_int, stack, info) * self->units.tick_ns);
	/* ITEM_ALL_TIME is the time of the process with that of its children. */
	proc_set_fact(f, FACT_CHILD_NS,
		      VALUE(ITEM_ALL_TIME, ull_int, stack, info) * self->units.tick_ns -
			      f->fact[FACT_UTIME_NS] - f->fact[FACT_STIME_NS]);
	proc_set_fact(f, FACT_PROC_ID, (uint64_t)VALUE(ITEM_PROCESSOR, s_int, stack, info));
	proc_set_fact(f, FACT_MINFLT, VALUE(ITEM_MINFLT, ul_int, stack, info));
	proc_set_fact(f, FACT_MAJFLT, VALUE(ITEM_MAJFLT, ul_int, stack, info));
	proc_set_fact(f, FACT_NUM_THREADS, (uint64_t)VALUE(ITEM_NLWP, s_int, stack, info));
	proc_set_fact(f, FACT_SESSION, (uint64_t)VALUE(ITEM_SESSION, s_int, stack, info));
	proc_set_fact(f, FACT_PPID, (uint64_t)VALUE(ITEM_PARENT, s_int, stack, info));
	proc_set_fact(f, FACT_NICE, (uint64_t)VALUE(ITEM_NICE, s_int, stack, info));
	proc_set_fact(f, FACT_VSZ_KB, VALUE(ITEM_VSIZE, ul_int, stack, info) / 1024);
	proc_set_fact(f, FACT_RSS_KB, VALUE(ITEM_RSS, ul_int, stack, info) * self->units.page_kb);
	visit(context, &p);
}

/* Visits the processes that libproc2 has fetched. fetch NULL: libproc2 failed, with the reason in
 * errno. Returns 0, or -errno. */
static int visit_fetch(struct proc_lib *self, struct pids_fetch *fetch, struct pids_info *info,
		       bool cmdline, proc_visit visit, void *context)
{
	if (!fetch)
		return errno ? -errno : -EIO;
	for (int i = 0; i < fetch->counts->total; i++)
		visit_stack(self, fetch->stacks[i], info, cmdline, visit, context);
	return 0;
}

/* Visits all processes one by one, so that libproc2 need not hold all of them at once. If some were
 * visited, only ENOMEM is an error: libproc2 ran out of memory and left out some processes. Other
 * values of errno come from tasks that ended during the walk. Returns 0, or -errno. */
static int visit_all(struct proc_lib *self, struct pids_info *info, bool cmdline, proc_visit visit,
		     void *context)
{
	struct pids_stack *stack;
	size_t n = 0;

	for (; (stack = procps_pids_get(info, PIDS_FETCH_TASKS_ONLY)); n++)
		visit_stack(self, stack, info, cmdline, visit, context);
	if (n && errno != ENOMEM)
		return 0;
	return errno ? -errno : -EIO;
}

static int make_info(struct pids_info **info, bool cmdline)
{
	enum pids_item wanted[N_ITEMS];

	memcpy(wanted, items, sizeof wanted);
	return procps_pids_new(info, wanted, cmdline ? N_ITEMS : N_ITEMS - 1);
}

/* Visits all processes. Frees libproc2's memory afterwards, since such a walk is rare. */
static int walk_all(struct proc_lib *self, bool cmdline, proc_visit visit, void *context)
{
	struct pids_info *info = NULL;
	int ret = make_info(&info, cmdline);

	if (ret < 0)
		return ret;
	errno = 0;
	ret = visit_all(self, info, cmdline, visit, context);
	procps_pids_unref(&info);
	return ret;
}

/* Visits chosen processes, as most refreshes do. Keeps libproc2's memory: libproc2 4.0.2 allocates
 * and clears it for 1,024 processes, which takes longer than reading a few. */
static int walk_chosen(struct proc_lib *self, const int *pids, size_t n, bool cmdline,
		       proc_visit visit, void *context)
{
	struct pids_info **info = &self->chosen[cmdline];
	int ret = *info ? 0 : make_info(info, cmdline);

	for (size_t i = 0; ret >= 0 && i < n; i += SELECT_MAX) {
		unsigned chosen[SELECT_MAX];
		size_t k = n - i < SELECT_MAX ? n - i : SELECT_MAX;

		for (size_t j = 0; j < k; j++)
			chosen[j] = (unsigned)pids[i + j];
		errno = 0;
		ret = visit_fetch(self, procps_pids_select(*info, chosen, (int)k, PIDS_SELECT_PID),
				  *info, cmdline, visit, context);
	}
	return ret;
}

static int lib_walk(struct proc *proc, const int *pids, size_t n, bool cmdline, proc_visit visit,
		    void *context)
{
	struct proc_lib *self = self_of(proc);

	return pids ? walk_chosen(self, pids, n, cmdline, visit, context)
		    : walk_all(self, cmdline, visit, context);
}

/* Returns the emptied buffer for the text of this fact. */
static struct strbuf *begin_text(struct proc_lib *self, int fact)
{
	struct strbuf *text = &self->read[fact - FACT_FIRST_READ_TEXT];

	strbuf_reset(text);
	return text;
}

static void set_text(struct proc_facts *out, int fact, const struct strbuf *text)
{
	out->read[fact - FACT_FIRST_READ_TEXT] = text->text;
	fact_add(&out->known, fact);
}

static void read_cgroup(struct proc_lib *self, int pid, int tid, struct proc_facts *out)
{
	struct strbuf *path = begin_text(self, FACT_CGROUP),
		      *container = begin_text(self, FACT_CONTAINER);

	if (read_task_file(self, pid, tid, "cgroup") <= 0 ||
	    proc_parse_cgroup(self->text.text, path, container))
		return;
	set_text(out, FACT_CGROUP, path);
	set_text(out, FACT_CONTAINER, container);
}

/* Sets the path of the executable. It is empty for a kernel thread, which has no memory and no
 * executable, and stays unknown for a task that has ended. */
static void read_executable(struct proc_lib *self, int pid, int tid, struct proc_facts *out)
{
	struct strbuf *text = begin_text(self, FACT_EXECUTABLE);
	bool of_kernel = !out->fact[FACT_VSZ_KB] && out->state != 'Z' && out->state != 'X';
	char path[TASK_PATH_MAX];
	ssize_t n;

	make_path(path, pid, tid, "exe");
	n = file_read_link(self->proc_fd, path, text);
	if (n >= 0 || (n == -ENOENT && of_kernel))
		set_text(out, FACT_EXECUTABLE, text);
}

/* Sets the wanted facts of the files other than stat. A file that cannot be read leaves its facts
 * unknown, which is no error. */
static void read_number_files(struct proc_lib *self, int pid, int tid, struct fact_set want,
			      struct proc_files *files, struct proc_facts *out)
{
	/* The CPU time in schedstat is that of one thread; the CPU clock has that of a process. */
	if (!tid)
		fact_remove(&want, FACT_CPU_NS);
	for (int i = FACT_FILE_STAT + 1; i < N_FACT_FILES; i++)
		if (fact_any(fact_less(fact_and(want, fact_in_file[i]), out->known)) &&
		    read_fact_file(self, pid, tid, i, files) > 0)
			proc_parse_file(i, self->text.text, &self->units, want, out);
}

static int lib_facts(struct proc *proc, int pid, int tid, struct fact_set want,
		     struct proc_files *files, struct proc_facts *out)
{
	struct proc_lib *self = self_of(proc);
	ssize_t n = read_fact_file(self, pid, tid, FACT_FILE_STAT, files);

	out->known = FACT_NONE;
	if (n < 0)
		return (int)n;
	if (proc_parse_stat(self->text.text, &self->units, out))
		return -EINVAL;
	/* Facts of a process are the same in the files of all its threads: only the leader keeps
	 * them. */
	if (tid && tid != pid)
		out->known = fact_less(out->known, fact_of_process);
	read_number_files(self, pid, tid, want, files, out);
	if (fact_in(want, FACT_CGROUP) || fact_in(want, FACT_CONTAINER))
		read_cgroup(self, pid, tid, out);
	if (fact_in(want, FACT_EXECUTABLE))
		read_executable(self, pid, tid, out);
	return 0;
}

static int lib_limits(struct proc *proc, int pid, struct detail *out)
{
	struct proc_lib *self = self_of(proc);
	ssize_t n = read_task_file(self, pid, 0, "limits");

	return n < 0 ? (int)n : proc_parse_limits(self->text.text, out);
}

static void lib_waits(struct proc *proc, int pid, int tid, struct detail_wait *out)
{
	struct proc_lib *self = self_of(proc);

	out->call = read_task_file(self, pid, tid, "syscall") > 0
			    ? proc_parse_syscall(self->text.text)
			    : DETAIL_CALL_UNKNOWN;
	if (read_task_file(self, pid, tid, "wchan") > 0)
		proc_parse_wchan(self->text.text, out);
	if (read_task_file(self, pid, tid, "status") > 0)
		proc_parse_allowed(self->text.text, out);
	if (out->n_allowed && file_read_all(self->proc_fd, "stat", STAT_MAX, &self->text) > 0)
		proc_parse_others(self->text.text, self->units.tick_ns, out);
	if (read_task_file(self, pid, tid, "cgroup") > 0)
		group_file_read(&self->mounts, self->proc_fd, &self->text, out);
}

static int lib_memory(struct proc *proc, int pid, struct arena *arena, struct detail_memory *out)
{
	struct proc_lib *self = self_of(proc);
	const ssize_t n = read_task_file(self, pid, 0, "cgroup");

	if (n > 0)
		group_memory_read(&self->mounts, self->proc_fd, &self->text, arena, out);
	return n < 0 ? (int)n : 0;
}

/* Checks that proc_fd is a mounted /proc of this PID namespace. Uses only system calls that reading
 * /proc needs anyway, since the seccomp filter of a container may refuse others. */
static int check_proc(int proc_fd, struct err *err)
{
	int error = errno;
	struct statfs fs;
	char text[64];
	ssize_t n;

	if (proc_fd < 0 && error != ENOENT)
		return err_set(err, error, "cannot open /proc: %s", strerror(error));
	if (proc_fd < 0 || (!fstatfs(proc_fd, &fs) && fs.f_type != PROC_SUPER_MAGIC))
		return err_set(err, ENOENT, "/proc is not mounted: 'mount -t proc proc /proc'");
	n = file_read(proc_fd, "self/stat", text, sizeof text);
	if (n < 0 && n != -ENOENT)
		return err_set(err, (int)-n, "cannot read /proc/self/stat: %s", strerror((int)-n));
	if (strtol(text, NULL, 10) != getpid())
		return err_set(err, ESRCH,
			       "/proc shows another pid namespace than this one: 'mount -t proc "
			       "proc /proc'");
	return 0;
}

struct proc *proc_lib_new(struct err *err)
{
	struct proc_lib *self = xcalloc(1, sizeof *self);

	self->proc = (struct proc){
		.now = lib_now,
		.clocks = lib_clocks,
		.host = lib_host,
		.use = lib_use,
		.pids = lib_pids,
		.tids = lib_tids,
		.cpu_clock = lib_cpu_clock,
		.walk = lib_walk,
		.facts = lib_facts,
		.waits = lib_waits,
		.memory = lib_memory,
		.resctrl = resctrl_read_here,
		.limits = lib_limits,
	};
	self->units.tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	self->units.page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	self->mem_total_kb = (uint64_t)sysconf(_SC_PHYS_PAGES) * self->units.page_kb;
	self->n_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	strbuf_init(&self->text);
	for (int i = 0; i < N_READ_TEXTS; i++)
		strbuf_init(&self->read[i]);
	self->proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (check_proc(self->proc_fd, err)) {
		proc_lib_free(&self->proc);
		return NULL;
	}
	return &self->proc;
}

void proc_lib_free(struct proc *proc)
{
	if (!proc)
		return;
	if (self_of(proc)->proc_fd >= 0)
		close(self_of(proc)->proc_fd);
	for (int i = 0; i < 2; i++)
		if (self_of(proc)->chosen[i])
			procps_pids_unref(&self_of(proc)->chosen[i]);
	strbuf_done(&self_of(proc)->text);
	for (int i = 0; i < N_READ_TEXTS; i++)
		strbuf_done(&self_of(proc)->read[i]);
	free(proc);
}

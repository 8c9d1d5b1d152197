/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <math.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/strbuf.h"
#include "collect/task/group_file.h"
#include "collect/task/proc_file.h"
#include "model/fact_list.h"
#include "pmu/check/rights.h"

/* ---- out of memory ---- */

#define VMSTAT_MAX 65536

int oom_parse_kills(const char *text, uint64_t *n)
{
	static const char key[] = "\noom_kill ";
	const char *line = strstr(text, key);

	if (!line || !isdigit((unsigned char)line[strlen(key)]))
		return -ENODATA;
	*n = strtoull(line + strlen(key), NULL, 10);
	return 0;
}

int oom_read_kills(uint64_t *n)
{
	struct strbuf text;
	ssize_t read;
	int ret;

	strbuf_init(&text);
	read = file_read_all(AT_FDCWD, "/proc/vmstat", VMSTAT_MAX, &text);
	ret = read < 0 ? (int)read : oom_parse_kills(text.text, n);
	strbuf_done(&text);
	return ret;
}

/* ---- resctrl ---- */

#define RESCTRL_MOUNT "/sys/fs/resctrl"

/* Limits: number of L3 caches, bytes of a file `tasks`, bytes of any other file. */
#define DOMAINS_MAX 64
#define TASKS_MAX   (1 << 20)
#define FILE_MAX    64

static const char *const usage_files[N_RESCTRL_NUMBERS] = {
	[RESCTRL_OCCUPANCY] = "llc_occupancy",
	[RESCTRL_TOTAL] = "mbm_total_bytes",
	[RESCTRL_LOCAL] = "mbm_local_bytes",
};

/* Texts that the kernel writes in place of a number. */
static const struct {
	const char *text;
	enum resctrl_why why;
} words[] = {
	{"Unavailable", RESCTRL_UNAVAILABLE},
	{"Error", RESCTRL_ERROR},
	{"Unassigned", RESCTRL_UNASSIGNED},
};

/* ---- one file ---- */

static ssize_t read_file(const struct resctrl_look *look, const char *group, const char *file,
			 size_t max)
{
	char *path = xasprintf("%s%s/%s", look->mount, group, file);
	const ssize_t n = file_read_lines(AT_FDCWD, path, max, look->text);

	free(path);
	return n;
}

static enum resctrl_why parse_number(const char *text, uint64_t *number)
{
	char *end;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(text, words[i].text, strlen(words[i].text)))
			return words[i].why;
	errno = 0;
	*number = strtoull(text, &end, 10);
	return end == text || *text == '-' || errno || (*end && *end != '\n') ? RESCTRL_UNREADABLE
									      : RESCTRL_KNOWN;
}

/* Adds number i of one L3 to the sum over all L3. The sum is known only if the number of each L3 is
 * known. */
static void add_domain(const struct resctrl_look *look, struct resctrl_group *g, const char *domain,
		       int i)
{
	char *file = xasprintf("mon_data/%s/%s", domain, usage_files[i]);
	const ssize_t n = read_file(look, g->name, file, FILE_MAX);
	enum resctrl_why why = RESCTRL_UNREADABLE;
	uint64_t number = 0;

	if (n > 0)
		why = parse_number(look->text->text, &number);
	else if (n == -ENOENT)
		why = RESCTRL_ABSENT;
	free(file);
	g->sum[i] += number;
	if (g->sum_why[i] == RESCTRL_KNOWN)
		g->sum_why[i] = why;
}

static void read_numbers(const struct resctrl_look *look, struct resctrl_group *g)
{
	struct folder data;
	const char *name;
	int n = 0;

	folder_open(&data, "%s%s/mon_data", look->mount, g->name);
	while ((name = folder_next(&data))) {
		if (strncmp(name, "mon_L3_", 7) != 0 || n++ >= DOMAINS_MAX)
			continue;
		for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
			add_domain(look, g, name, i);
	}
	for (int i = 0; (n == 0 || n > DOMAINS_MAX) && i < N_RESCTRL_NUMBERS; i++)
		g->sum_why[i] = n ? RESCTRL_UNREADABLE : RESCTRL_ABSENT;
}

/* ---- its tasks ---- */

static bool is_own(const struct resctrl_look *look, long tid)
{
	for (size_t i = 0; i < look->n_tids; i++)
		if (look->tid[i] == tid)
			return true;
	return false;
}

static void read_tasks(const struct resctrl_look *look, struct resctrl_group *g)
{
	ssize_t n;

	if (!*g->name)
		return;
	n = read_file(look, g->name, "cpus_list", FILE_MAX);
	g->has_cpus = n < 0 || look->text->text[strspn(look->text->text, " \n")];
	n = read_file(look, g->name, "tasks", TASKS_MAX);
	g->tasks_known = n >= 0 && n <= TASKS_MAX;
	if (!g->tasks_known)
		return;
	for (char *at = look->text->text, *end;; at = end) {
		const long tid = strtol(at, &end, 10);

		if (end == at)
			break;
		g->n_tasks++;
		g->n_own += is_own(look, tid);
	}
}

/* ---- all groups ---- */

/* Sets a rate from two sums. Counters of the kernel do not wrap: if the sum is less than before,
 * another group has this name, or the hardware has lost its counts. */
static void set_rate(struct resctrl_group *g, const struct resctrl_group *before, int i)
{
	g->why[i] = g->sum_why[i];
	if (g->why[i] != RESCTRL_KNOWN)
		return;
	if (!before || before->sum_why[i] != RESCTRL_KNOWN || g->mono_ns <= before->mono_ns)
		g->why[i] = RESCTRL_FIRST;
	else if (g->sum[i] < before->sum[i])
		g->why[i] = RESCTRL_RESET;
	else
		g->number[i] = (double)(g->sum[i] - before->sum[i]) * 1e9 /
			       (double)(g->mono_ns - before->mono_ns);
}

static const struct resctrl_group *find(const struct resctrl *r, const struct resctrl_group *g)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->group[i].name, g->name) && r->group[i].inode == g->inode)
			return &r->group[i];
	return NULL;
}

struct reading {
	const struct resctrl_look *look;
	const struct resctrl *before;
	struct resctrl *out;
};

/* Adds a group, unless it has been removed meanwhile; without room for it, only counts it in
 * n_more. */
static void add_group(const struct reading *r, const char *name)
{
	struct resctrl_group g = {.mono_ns = r->look->mono_ns};
	char *path = xasprintf("%s%s", r->look->mount, name);
	struct stat st;
	const bool is_there = !stat(path, &st) && S_ISDIR(st.st_mode);

	free(path);
	if (!is_there)
		return;
	if (r->out->n == RESCTRL_GROUPS_MAX || strlen(name) >= sizeof g.name) {
		r->out->n_more++;
		return;
	}
	snprintf(g.name, sizeof g.name, "%s", name);
	g.inode = st.st_ino;
	read_tasks(r->look, &g);
	read_numbers(r->look, &g);
	g.why[RESCTRL_OCCUPANCY] = g.sum_why[RESCTRL_OCCUPANCY];
	g.number[RESCTRL_OCCUPANCY] = (double)g.sum[RESCTRL_OCCUPANCY];
	for (int i = RESCTRL_TOTAL; i < N_RESCTRL_NUMBERS; i++)
		set_rate(&g, find(r->before, &g), i);
	r->out->group[r->out->n++] = g;
}

static void add_with_subgroups(const struct reading *r, const char *group)
{
	struct folder parts;
	const char *name;

	add_group(r, group);
	folder_open(&parts, "%s%s/mon_groups", r->look->mount, group);
	while ((name = folder_next(&parts))) {
		char *path = xasprintf("%s/mon_groups/%s", group, name);

		add_group(r, path);
		free(path);
	}
}

/* Moves the group of the task to the front: of the groups that have threads of the task, the one
 * with the longest path. If no group below the root has one, it is the root group, which is certain
 * only if the tasks of all groups are known. */
static void put_own_first(struct resctrl *r)
{
	struct resctrl_group own;
	bool all = !r->n_more;
	size_t at = 0;

	for (size_t i = 1; i < r->n; i++) {
		all = all && r->group[i].tasks_known;
		if (r->group[i].n_own && strlen(r->group[i].name) >= strlen(r->group[at].name))
			at = i;
	}
	r->own_known = at || all;
	own = r->group[at];
	memmove(&r->group[1], &r->group[0], at * sizeof own);
	r->group[0] = own;
}

void resctrl_read(const struct resctrl_look *look, struct resctrl *io)
{
	struct resctrl *before = xmalloc(sizeof *before);
	const struct reading r = {look, before, io};
	struct folder groups;
	const char *name;

	*before = *io;
	*io = (struct resctrl){.mounted = false};
	/* Without a mount the folder is empty; without monitoring it has no mon_data. */
	if (folder_open(&groups, "%s/mon_data", look->mount) >= 0) {
		io->mounted = true;
		while (folder_next(&groups))
			;
		add_with_subgroups(&r, "");
		folder_open(&groups, "%s", look->mount);
		while ((name = folder_next(&groups))) {
			char *path = xasprintf("/%s", name);

			if (strcmp(name, "info") && strcmp(name, "mon_groups") &&
			    strcmp(name, "mon_data"))
				add_with_subgroups(&r, path);
			free(path);
		}
		if (io->n)
			put_own_first(io);
	}
	free(before);
}

/* Reads the groups of this machine below RESCTRL_MOUNT, as the function `resctrl` of struct
 * proc. */
static void resctrl_read_here(struct proc *proc, const struct pid_list *own, struct resctrl *io)
{
	struct strbuf text;

	strbuf_init(&text);
	resctrl_read(&(struct resctrl_look){.mount = RESCTRL_MOUNT,
					    .mono_ns = proc->now(proc),
					    .tid = own->v,
					    .n_tids = own->n,
					    .text = &text},
		     io);
	strbuf_done(&text);
}

/* ---- command line ----
 *
 * The arguments of a process as one text. Pure.
 */

/* Bytes of a command line to read: as many as ps(1) shows of one. */
#define COMMAND_LINE_MAX (128 << 10)

/* Converts the contents of /proc/PID/cmdline, in which each argument ends with a NUL, into one line
 * with blanks between the arguments, and for ends of lines in them. If there are no arguments
 * (kernel threads, zombies, programs that have erased them), the line is the name in brackets, as
 * ps(1) shows it. Returns raw->text. */
static const char *command_line_make(struct strbuf *raw, const char *name, bool zombie)
{
	while (raw->len && !raw->text[raw->len - 1])
		raw->len--;
	for (size_t i = 0; i < raw->len; i++)
		if (!raw->text[i] || raw->text[i] == '\n')
			raw->text[i] = ' ';
	if (raw->len)
		raw->text[raw->len] = '\0';
	else
		strbuf_addf(raw, zombie ? "[%s] <defunct>" : "[%s]", name);
	return raw->text;
}

/* ---- user names ----
 *
 * The names of users, each looked up once: a lookup may read a file or ask a server.
 */

/* Returns the login name of a user, or the uid as text if it has none. Valid until the names are
 * freed. */
static const char *user_name(struct hash *names, uint32_t uid)
{
	char *name = hash_get(names, uid);
	const struct passwd *pw;

	if (name)
		return name;
	pw = getpwuid(uid);
	name = pw && *pw->pw_name ? xstrdup(pw->pw_name) : xasprintf("%u", uid);
	hash_put(names, uid, name);
	return name;
}

static void user_names_done(struct hash *names)
{
	size_t at = 0;
	char *name;

	while ((name = hash_next(names, &at)))
		free(name);
	hash_done(names);
}

/* ---- procfs ---- */

/* The files of the machine that refreshes read, and how many bytes of them. */
enum machine_file { MACHINE_LOADAVG, MACHINE_STAT, MACHINE_MEMINFO, N_MACHINE_FILES };

struct machine_row {
	const char *name;
	size_t max;
};

static const struct machine_row machine_table[N_MACHINE_FILES] = {
	[MACHINE_LOADAVG] = {"loadavg", 128},
	/* Enough for 8,192 CPUs, with lines of at most 200 bytes. The line of interrupts after them
	 * is not needed. */
	[MACHINE_STAT] = {"stat", 2 << 20},
	[MACHINE_MEMINFO] = {"meminfo", 8192},
};

struct procfs {
	struct proc proc;
	int proc_fd;
	int machine_fd[N_MACHINE_FILES]; /* -1: not open */
	bool contained;                  /* in a PID namespace below the first */
	bool hides;                      /* as in struct host */
	struct proc_units units;
	uint64_t mem_total_kb;
	int n_cpus;
	struct group_mounts mounts;
	struct strbuf path; /* task_path() */
	struct strbuf text; /* contents of the file that was read last */
	struct strbuf line; /* the command line that was read last */
	struct strbuf read[N_READ_TEXTS];
	struct hash users;      /* user_name() */
	struct pid_list walked; /* scratch of a walk */
};

static struct procfs *self_of(struct proc *proc)
{
	return (struct procfs *)proc;
}

static void close_file(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static uint64_t procfs_now(struct proc *proc)
{
	(void)proc;
	return clock_ns(CLOCK_MONOTONIC);
}

static void procfs_clocks(struct proc *proc, struct proc_clocks *out)
{
	out->mono_ns = procfs_now(proc);
	out->boot_ns = clock_ns(CLOCK_BOOTTIME);
	out->wall_ns = clock_ns(CLOCK_REALTIME);
}

/* Reads a file of the machine, and keeps it open for the next time: reading an open file again
 * takes a third of the system calls. Returns as file_read_all(). */
static ssize_t read_machine_file(struct procfs *self, enum machine_file file)
{
	const struct machine_row *row = &machine_table[file];
	int *fd = &self->machine_fd[file];
	ssize_t n;

	if (*fd < 0)
		*fd = openat(self->proc_fd, row->name, O_RDONLY | O_CLOEXEC);
	if (*fd < 0) {
		n = -errno;
		strbuf_reset(&self->text);
		return n;
	}
	n = file_read_again(*fd, row->max, &self->text);
	if (n < 0)
		close_file(fd);
	return n;
}

static int procfs_host(struct proc *proc, struct host *out, int *last_pid)
{
	struct procfs *self = self_of(proc);
	ssize_t n = read_machine_file(self, MACHINE_LOADAVG);

	*out = (struct host){.n_cpus = self->n_cpus,
			     .mem_total_kb = self->mem_total_kb,
			     .contained = self->contained,
			     .hides = self->hides,
			     .tick_ns = clock_tick_ns(),
			     .uptime_s = (double)clock_ns(CLOCK_BOOTTIME) / 1e9};
	out->load1 = out->load5 = out->load15 = NAN;
	return n < 0 ? (int)n : proc_parse_loadavg(self->text.text, out, last_pid);
}

static void procfs_use(struct proc *proc, struct machine_use *out, struct arena *arena)
{
	struct procfs *self = self_of(proc);
	ssize_t n = read_machine_file(self, MACHINE_STAT);

	*out = (struct machine_use){.wanted = true};
	out->cpu_error = n < 0 ? (int)-n : -proc_parse_cpus(self->text.text, out, arena);
	n = read_machine_file(self, MACHINE_MEMINFO);
	out->memory_error = n < 0 ? (int)-n : -proc_parse_memory(self->text.text, &out->memory);
}

/* Lists the entries of a folder whose names are numbers. Returns 0, or -errno, with the entries up
 * to the error; -ESRCH if there is no such folder. */
static int list_numbers(int dir_fd, const char *path, struct pid_list *out)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *e;
	int ret;

	out->n = 0;
	if (!dir) {
		ret = errno == ENOENT ? -ESRCH : -errno;
		if (fd >= 0)
			close(fd);
		return ret;
	}
	for (errno = 0; (e = readdir(dir)); errno = 0) {
		if (e->d_name[0] < '1' || e->d_name[0] > '9')
			continue;
		pid_list_add(out, (int)strtol(e->d_name, NULL, 10));
	}
	ret = -errno;
	closedir(dir);
	return ret;
}

static int procfs_pids(struct proc *proc, struct pid_list *out)
{
	return list_numbers(self_of(proc)->proc_fd, ".", out);
}

static int procfs_cpu_clock(struct proc *proc, int pid, uint64_t *ns)
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

/* Returns the path PID/NAME (tid 0) or PID/task/TID/NAME; name NULL: the path of the folder. Valid
 * until the next call. */
static const char *task_path(struct procfs *self, int pid, int tid, const char *name)
{
	struct strbuf *path = &self->path;

	strbuf_reset(path);
	num_add_count(path, (uint64_t)pid);
	if (tid) {
		strbuf_addstr(path, "/task/");
		num_add_count(path, (uint64_t)tid);
	}
	if (name) {
		strbuf_addch(path, '/');
		strbuf_addstr(path, name);
	}
	return path->text;
}

static int procfs_tids(struct proc *proc, int pid, struct pid_list *out)
{
	struct procfs *self = self_of(proc);

	return list_numbers(self->proc_fd, task_path(self, pid, 0, "task"), out);
}

static ssize_t read_task_file(struct procfs *self, int pid, int tid, const char *name)
{
	ssize_t n = file_read_all(self->proc_fd, task_path(self, pid, tid, name), TASK_FILE_MAX,
				  &self->text);

	return n == -ENOENT ? -ESRCH : n;
}

static ssize_t read_line(struct procfs *self, int pid, int tid)
{
	return file_read_all(self->proc_fd, task_path(self, pid, tid, "cmdline"), COMMAND_LINE_MAX,
			     &self->line);
}

/* Reads a file of facts. files: where the file is kept open; NULL: it is closed. After the end of
 * the task, a kept file fails with ESRCH, even if another task has its pid now. */
static ssize_t read_fact_file(struct procfs *self, int pid, int tid, int file,
			      struct proc_files *files)
{
	int *fd = files ? &files->fd[file] : NULL;

	if (fd && *fd < 0)
		*fd = openat(self->proc_fd, task_path(self, pid, tid, fact_file_name[file]),
			     O_RDONLY | O_CLOEXEC);
	if (fd && *fd >= 0)
		return file_read_again(*fd, TASK_FILE_MAX, &self->text);
	return read_task_file(self, pid, tid, fact_file_name[file]);
}

/* Returns the emptied buffer for the text of this fact. */
static struct strbuf *begin_text(struct procfs *self, int fact)
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

static void read_cgroup(struct procfs *self, int pid, int tid, struct proc_facts *out)
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
static void read_executable(struct procfs *self, int pid, int tid, struct proc_facts *out)
{
	struct strbuf *text = begin_text(self, FACT_EXECUTABLE);
	bool of_kernel = !out->fact[FACT_VSZ_KB] && out->state != 'Z' && out->state != 'X';
	ssize_t n = file_read_link(self->proc_fd, task_path(self, pid, tid, "exe"), text);

	if (n >= 0 || (n == -ENOENT && of_kernel))
		set_text(out, FACT_EXECUTABLE, text);
}

/* Sets the wanted facts of the files other than stat. A file that cannot be read leaves its facts
 * unknown, which is no error. */
static void read_number_files(struct procfs *self, int pid, int tid, struct fact_set want,
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

static void procfs_add_facts(struct proc *proc, int pid, int tid, struct fact_set want,
			     struct proc_files *files, struct proc_facts *io)
{
	struct procfs *self = self_of(proc);

	read_number_files(self, pid, tid, want, files, io);
	if (fact_in(want, FACT_CGROUP) || fact_in(want, FACT_CONTAINER))
		read_cgroup(self, pid, tid, io);
	if (fact_in(want, FACT_EXECUTABLE))
		read_executable(self, pid, tid, io);
}

static int procfs_facts(struct proc *proc, int pid, int tid, struct fact_set want,
			struct proc_files *files, struct proc_facts *out)
{
	struct procfs *self = self_of(proc);
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
	procfs_add_facts(proc, pid, tid, want, files, out);
	return 0;
}

/* Reads the command line of a process. If the leader has ended, its memory is gone, so the command
 * line is read from another thread. Valid until the next one is read; NULL: it cannot be read. */
static const char *read_command_line(struct procfs *self, int pid, const struct proc_facts *facts)
{
	struct pid_list tids = {NULL, 0, 0};
	ssize_t n = read_line(self, pid, 0);
	const bool zombie = facts->state == 'Z',
		   leaderless = zombie && facts->fact[FACT_NUM_THREADS] > 1;

	if (leaderless)
		procfs_tids(&self->proc, pid, &tids);
	for (size_t i = 0; i < tids.n && n <= 0; i++)
		n = read_line(self, pid, tids.v[i]);
	free(tids.v);
	if (n < 0 || (leaderless && !n))
		return NULL;
	return command_line_make(&self->line, facts->name, zombie);
}

/* Visits a process unless it has ended or cannot be read. With the mount option hidepid=1 of /proc,
 * processes of other users cannot be read. */
static void visit_process(struct procfs *self, int pid, bool cmdline, proc_visit visit,
			  void *context)
{
	struct proc_process p;
	struct stat folder;

	/* The folder belongs to the effective user, even if the files in it belong to root: those
	 * of a process that must not be dumped do. */
	if (fstatat(self->proc_fd, task_path(self, pid, 0, NULL), &folder, 0) ||
	    procfs_facts(&self->proc, pid, 0, FACT_NONE, NULL, &p.facts))
		return;
	p.pid = pid;
	p.uid = folder.st_uid;
	p.user = user_name(&self->users, p.uid);
	p.cmdline = cmdline ? read_command_line(self, pid, &p.facts) : NULL;
	visit(context, &p);
}

static int procfs_walk(struct proc *proc, const int *pids, size_t n, bool cmdline, proc_visit visit,
		       void *context)
{
	struct procfs *self = self_of(proc);
	int ret = 0;

	if (!pids) {
		ret = procfs_pids(proc, &self->walked);
		pids = self->walked.v;
		n = self->walked.n;
	}
	for (size_t i = 0; i < n; i++)
		visit_process(self, pids[i], cmdline, visit, context);
	return ret;
}

static int procfs_limits(struct proc *proc, int pid, struct detail *out)
{
	struct procfs *self = self_of(proc);
	ssize_t n = read_task_file(self, pid, 0, "limits");

	return n < 0 ? (int)n : proc_parse_limits(self->text.text, out);
}

static void procfs_waits(struct proc *proc, int pid, int tid, struct detail_wait *out)
{
	struct procfs *self = self_of(proc);

	out->call = read_task_file(self, pid, tid, "syscall") > 0
			    ? proc_parse_syscall(self->text.text)
			    : DETAIL_CALL_UNKNOWN;
	if (read_task_file(self, pid, tid, "wchan") > 0)
		proc_parse_wchan(self->text.text, out);
	if (read_task_file(self, pid, tid, "status") > 0)
		proc_parse_allowed(self->text.text, out);
	if (out->n_allowed && read_machine_file(self, MACHINE_STAT) > 0)
		proc_parse_others(self->text.text, self->units.tick_ns, out);
	if (read_task_file(self, pid, tid, "cgroup") > 0)
		group_file_read(&self->mounts, self->proc_fd, &self->text, out);
}

static int procfs_memory(struct proc *proc, int pid, struct arena *arena, struct detail_memory *out)
{
	struct procfs *self = self_of(proc);
	const ssize_t n = read_task_file(self, pid, 0, "cgroup");

	if (n > 0)
		group_memory_read(&self->mounts, self->proc_fd, &self->text, arena, out);
	return n < 0 ? (int)n : 0;
}

/* Checks that proc_fd is a mounted /proc of this PID namespace. Needs no other system calls than
 * reading /proc, since the seccomp filter of a container may refuse them; a failure of fstatfs(2)
 * is ignored. */
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

struct proc *procfs_new(struct err *err)
{
	struct procfs *self = xcalloc(1, sizeof *self);

	self->proc = (struct proc){
		.now = procfs_now,
		.clocks = procfs_clocks,
		.host = procfs_host,
		.use = procfs_use,
		.pids = procfs_pids,
		.tids = procfs_tids,
		.cpu_clock = procfs_cpu_clock,
		.walk = procfs_walk,
		.facts = procfs_facts,
		.add_facts = procfs_add_facts,
		.waits = procfs_waits,
		.memory = procfs_memory,
		.resctrl = resctrl_read_here,
		.limits = procfs_limits,
	};
	self->units.tick_ns = 1000000000u / (uint64_t)sysconf(_SC_CLK_TCK);
	self->units.page_kb = (uint64_t)sysconf(_SC_PAGESIZE) / 1024;
	self->mem_total_kb = (uint64_t)sysconf(_SC_PHYS_PAGES) * self->units.page_kb;
	self->contained = rights_pid_namespace() == NAMESPACE_OTHER;
	self->hides = rights_proc_hides();
	for (int i = 0; i < N_MACHINE_FILES; i++)
		self->machine_fd[i] = -1;
	self->n_cpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	strbuf_init(&self->path);
	strbuf_init(&self->text);
	strbuf_init(&self->line);
	for (int i = 0; i < N_READ_TEXTS; i++)
		strbuf_init(&self->read[i]);
	self->proc_fd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (check_proc(self->proc_fd, err)) {
		procfs_free(&self->proc);
		return NULL;
	}
	return &self->proc;
}

void procfs_free(struct proc *proc)
{
	if (!proc)
		return;
	close_file(&self_of(proc)->proc_fd);
	for (int i = 0; i < N_MACHINE_FILES; i++)
		close_file(&self_of(proc)->machine_fd[i]);
	user_names_done(&self_of(proc)->users);
	free(self_of(proc)->walked.v);
	strbuf_done(&self_of(proc)->path);
	strbuf_done(&self_of(proc)->text);
	strbuf_done(&self_of(proc)->line);
	for (int i = 0; i < N_READ_TEXTS; i++)
		strbuf_done(&self_of(proc)->read[i]);
	free(proc);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real /proc, and a list of its processes that cannot be read to its end. The linker replaces
 * readdir64() by the function below.
 */
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collect/task/procfs.h"
#include "model/fact_list.h"
#include "tap.h"

static int allowed = -1; /* processes until a call fails; negative: none fails */

struct dirent64 *__real_readdir64(DIR *dir);
struct dirent64 *__wrap_readdir64(DIR *dir);

/* NULL means the end of the list, or an error with its reason in errno. */
struct dirent64 *__wrap_readdir64(DIR *dir)
{
	struct dirent64 *entry = __real_readdir64(dir);

	if (!entry || entry->d_name[0] < '1' || entry->d_name[0] > '9' || allowed-- != 0)
		return entry;
	errno = ENOMEM;
	return NULL;
}

struct seen {
	int n;
	pid_t of; /* the process whose command line is copied */
	char cmdline[128], name[PROC_NAME_MAX], user[64];
	long uid;
	bool self;
	long parent;       /* pid of this process's parent */
	uint64_t child_ns; /* CPU time of its children that were waited for */
};

static void visit(void *context, const struct proc_process *process)
{
	struct seen *seen = context;

	seen->n++;
	if (process->pid == seen->of) {
		snprintf(seen->cmdline, sizeof seen->cmdline, "%s",
			 process->cmdline ? process->cmdline : "none");
		snprintf(seen->name, sizeof seen->name, "%s", process->facts.name);
		snprintf(seen->user, sizeof seen->user, "%s", process->user);
		seen->uid = process->uid;
	}
	if (process->pid != getpid())
		return;
	seen->self = true;
	seen->parent = (long)process->facts.fact[FACT_PPID];
	seen->child_ns = process->facts.fact[FACT_CHILD_NS];
}

static void test_walk(struct proc *proc)
{
	struct seen seen = {.n = 0};

	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), 0, "a walk");
	tap_ok(seen.self, "finds this process");
	tap_int(seen.parent, getppid(), "and its parent");
	seen = (struct seen){.n = 0};
	allowed = 1;
	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), -ENOMEM,
		"one that is cut off is no success");
	tap_int(seen.n, 1, "though it found some");
	allowed = 0;
	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), -ENOMEM,
		"nor is one that finds no process");
	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), 0, "the next one goes to the end");
}

static void test_host(struct proc *proc)
{
	FILE *file = fopen("/proc/meminfo", "r");
	unsigned long long total = 0;
	struct host host;
	int last_pid, before;
	pid_t pid;

	tap_ok(file && fscanf(file, "MemTotal: %llu kB", &total) == 1, "what meminfo says");
	if (file)
		fclose(file);
	tap_int(proc->host(proc, &host, &last_pid), 0, "the machine");
	tap_int((long)host.mem_total_kb, (long)total, "has this memory");
	before = last_pid;
	pid = fork();
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	tap_int(proc->host(proc, &host, &last_pid), 0, "once more");
	tap_ok(last_pid != before, "announces a newer process");
}

static void test_use(struct proc *proc)
{
	struct arena arena = ARENA_INIT;
	struct machine_use use;
	struct host host;
	int last_pid;

	proc->host(proc, &host, &last_pid);
	proc->use(proc, &use, &arena);
	tap_int(use.cpu_error, 0, "CPUs are read");
	tap_int((long)use.n_cpus, sysconf(_SC_NPROCESSORS_ONLN), "those that are online");
	tap_ok(use.cpu[0].in[CPU_USER] + use.cpu[0].in[CPU_SYSTEM] > 0, "the first one has worked");
	tap_int(use.memory_error, 0, "memory is read");
	tap_int((long)use.memory.total, (long)host.mem_total_kb, "all that there is");
	tap_ok(use.memory.available > 0 && use.memory.available <= use.memory.total,
	       "a part of it is available");
	arena_done(&arena);
}

/* Facts of this process, compared with what the test reads from /proc. */
static void test_texts(struct proc *proc)
{
	const struct fact_set want = FACT_SET(FACT_CGROUP, FACT_CONTAINER, FACT_EXECUTABLE);
	struct proc_facts facts = {.known = FACT_NONE};
	char exe[4096] = "", cgroup[4096] = "";
	FILE *file = fopen("/proc/self/cgroup", "r");

	tap_ok(readlink("/proc/self/exe", exe, sizeof exe - 1) > 0, "this program has a file");
	tap_ok(file && fread(cgroup, 1, sizeof cgroup - 1, file) > 0, "and a control group");
	if (file)
		fclose(file);
	tap_int(proc->facts(proc, getpid(), 0, want, NULL, &facts), 0, "texts of this process");
	tap_ok(fact_within(want, facts.known), "are known");
	tap_str(facts.read[FACT_EXECUTABLE - FACT_FIRST_READ_TEXT], exe, "the file");
	tap_ok(strstr(cgroup, facts.read[FACT_CGROUP - FACT_FIRST_READ_TEXT]) != NULL,
	       "the control group");
	tap_int((long)facts.fact[FACT_SESSION], getsid(0), "the session");
	tap_int((long)facts.fact[FACT_PPID], getppid(), "the parent");
	tap_int(proc->facts(proc, getpid(), getpid(), want, NULL, &facts), 0,
		"texts of its first thread");
	tap_str(facts.read[FACT_EXECUTABLE - FACT_FIRST_READ_TEXT], exe, "the same file");
	tap_int(proc->facts(proc, getpid(), 0, FACT_NONE, NULL, &facts), 0,
		"what is not asked for");
	tap_ok(!fact_any(fact_and(facts.known, want)), "is not read");
}

/* The executable of a zombie is unknown, not empty. */
static void test_zombie(struct proc *proc)
{
	struct proc_facts facts = {.known = 0};
	struct seen seen = {.n = 0};
	char line[PROC_NAME_MAX + 16];
	pid_t pid = fork();
	siginfo_t info;

	if (!pid)
		_exit(0);
	waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	tap_int(proc->facts(proc, pid, 0, FACT_SET(FACT_EXECUTABLE), NULL, &facts), 0, "a zombie");
	tap_int(facts.state, 'Z', "is one");
	tap_int(fact_in(facts.known, FACT_EXECUTABLE), 0, "its file is unknown");
	seen.of = pid;
	tap_int(proc->walk(proc, &pid, 1, true, visit, &seen), 0, "a walk to it");
	snprintf(line, sizeof line, "[%s] <defunct>", seen.name);
	tap_str(seen.cmdline, line, "has a command line that says so");
	waitpid(pid, NULL, 0);
	seen = (struct seen){.of = pid};
	tap_int(proc->walk(proc, &pid, 1, true, visit, &seen), 0, "a walk to one that is gone");
	tap_int(seen.n, 0, "does not find it");
}

/* Files of /proc that are kept open yield current values, and fail once the task has ended. */
static void test_files(struct proc *proc)
{
	const struct fact_set want = FACT_SET(FACT_WAIT_NS, FACT_MIGRATIONS, FACT_VCSW);
	struct proc_files *files = proc_files_new();
	struct proc_facts before = {.known = FACT_NONE}, after = {.known = FACT_NONE};
	pid_t pid = fork();

	if (!pid) {
		for (;;)
			usleep(1000);
	}
	tap_int(proc->facts(proc, pid, 0, want, files, &before), 0, "facts of a task");
	tap_ok(files->fd[FACT_FILE_STAT] >= 0, "its file stays open");
	usleep(50000);
	tap_int(proc->facts(proc, pid, 0, want, files, &after), 0, "the same a second time");
	tap_ok(fact_equal(after.known, before.known), "as many are known");
	tap_ok(after.fact[FACT_VCSW] > before.fact[FACT_VCSW], "they are the present ones");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_int(proc->facts(proc, pid, 0, want, files, &after), -ESRCH, "it has ended");
	proc_files_free(files);
}

#define ODD_NAME "a) b\n(c"

/* Forks a process that overwrites its arguments with text, followed by NULs. */
static pid_t begin_with_arguments(char *argv[], const char *text)
{
	char *end = argv[0] + strlen(argv[0]);
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_NAME, ODD_NAME);
		memset(argv[0], 0, (size_t)(end - argv[0]));
		memcpy(argv[0], text, strlen(text));
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	tap_int(read(ready[0], &byte, 1), 1, "a process has changed its arguments");
	close(ready[0]);
	close(ready[1]);
	return pid;
}

static void check_arguments(struct proc *proc, char *argv[], const char *text, const char *shown,
			    const char *what)
{
	const pid_t pid = begin_with_arguments(argv, text);
	struct seen seen = {.of = pid};

	tap_int(proc->walk(proc, &pid, 1, true, visit, &seen), 0, "a walk to it");
	tap_str(seen.cmdline, shown, "%s", what);
	tap_str(seen.name, ODD_NAME, "its name is as it is");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* Erased arguments are shown as the name in brackets, not as ?, which stands for unknown values. */
static void test_arguments(struct proc *proc, char *argv[])
{
	check_arguments(proc, argv, "", "[" ODD_NAME "]",
			"its name in brackets, where it has none");
	check_arguments(proc, argv, "?", "?", "a question mark is one");
	check_arguments(proc, argv, "serving", "serving", "a text of its own is that text");
	check_arguments(proc, argv, "two\nlines", "two lines", "the end of a line is a blank");
}

/* Forks a process that becomes another user's, so that the files of its folder belong to root. */
static void test_user(struct proc *proc)
{
	enum { OTHER_UID = 61234 };
	const struct passwd *pw = getpwuid(geteuid());
	struct seen seen = {.of = getpid()};
	pid_t pid = getpid();
	int end[2];
	char byte;

	tap_int(proc->walk(proc, &pid, 1, false, visit, &seen), 0, "a walk to this process");
	tap_int(seen.uid, geteuid(), "has its user");
	tap_ok(!pw || !strcmp(seen.user, pw->pw_name), "and the name of that one");
	if (geteuid() || getpwuid(OTHER_UID) || pipe(end)) {
		tap_skip("a process of another user", "only root can make one");
		return;
	}
	pid = fork();
	if (!pid) {
		if (!setuid(OTHER_UID) && write(end[1], "", 1) == 1)
			pause();
		_exit(0);
	}
	close(end[1]);
	seen = (struct seen){.of = pid};
	tap_int(read(end[0], &byte, 1), 1, "a process of another user");
	tap_int(proc->walk(proc, &pid, 1, false, visit, &seen), 0, "a walk to it");
	tap_int(seen.uid, OTHER_UID, "has that user");
	tap_str(seen.user, "61234", "who has no name");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(end[0]);
}

static void *wait_for_kill(void *ready)
{
	/* The leader must have ended: no thread joins its thread, so wait for its state. */
	char path[64], text[256] = "";

	snprintf(path, sizeof path, "/proc/%d/stat", getpid());
	while (!strstr(text, ") Z ")) {
		FILE *file = fopen(path, "r");

		if (!file || !fgets(text, sizeof text, file))
			_exit(1);
		fclose(file);
	}
	if (write(*(int *)ready, "", 1) == 1)
		pause();
	return NULL;
}

/* A process whose first thread has ended while another goes on. */
static void test_leaderless(struct proc *proc, const char *name)
{
	struct seen seen = {.n = 0};
	pthread_t thread;
	int ready[2];
	char byte;
	pid_t pid;

	tap_int(pipe(ready), 0, "a pipe");
	pid = fork();
	if (!pid) {
		if (!pthread_create(&thread, NULL, wait_for_kill, &ready[1]))
			syscall(SYS_exit, 0);
		_exit(1);
	}
	close(ready[1]);
	tap_int(read(ready[0], &byte, 1), 1, "a process without its first thread");
	seen.of = pid;
	tap_int(proc->walk(proc, &pid, 1, true, visit, &seen), 0, "a walk to it");
	tap_ok(*seen.cmdline && !strncmp(seen.cmdline, name, strlen(seen.cmdline)),
	       "has its command line");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	close(ready[0]);
}

static void *wait_for_end(void *end)
{
	char byte;

	return read(*(int *)end, &byte, 1) ? end : NULL;
}

static int second_tid(struct proc *proc)
{
	struct pid_list tids = {NULL, 0, 0};
	int tid = 0;

	if (!proc->tids(proc, getpid(), &tids) && tids.n > 1)
		tid = tids.v[0] == getpid() ? tids.v[1] : tids.v[0];
	free(tids.v);
	return tid;
}

static uint64_t whole_ticks(struct timeval time, uint64_t tick_ns)
{
	const uint64_t ns = (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_usec * 1000;

	return ns / tick_ns * tick_ns;
}

/* The CPU time of children, compared with getrusage(2). */
static void test_children(struct proc *proc)
{
	const uint64_t tick_ns = 1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK);
	struct proc_facts facts = {.known = FACT_NONE};
	struct seen seen = {.n = 0};
	struct rusage used;
	pthread_t thread;
	uint64_t child_ns;
	int end[2], pid = fork();

	if (!pid) {
		while (clock() < CLOCKS_PER_SEC / 20)
			;
		_exit(0);
	}
	waitpid(pid, NULL, 0);
	getrusage(RUSAGE_CHILDREN, &used);
	child_ns = whole_ticks(used.ru_utime, tick_ns) + whole_ticks(used.ru_stime, tick_ns);
	tap_ok(child_ns >= 3 * tick_ns, "a child has worked");
	pid = getpid();
	tap_int(proc->facts(proc, pid, 0, FACT_NONE, NULL, &facts), 0, "this process");
	tap_int((long)facts.fact[FACT_CHILD_NS], (long)child_ns, "has the time of the child");
	proc->walk(proc, &pid, 1, false, visit, &seen);
	tap_int((long)seen.child_ns, (long)child_ns, "so says a walk");
	tap_int(pipe(end), 0, "a pipe");
	tap_int(pthread_create(&thread, NULL, wait_for_end, &end[0]), 0, "a thread");
	tap_int(proc->facts(proc, pid, pid, FACT_NONE, NULL, &facts), 0, "the first thread");
	tap_ok(fact_in(facts.known, FACT_CHILD_NS), "has it, too");
	tap_int(proc->facts(proc, pid, second_tid(proc), FACT_NONE, NULL, &facts), 0,
		"the other one");
	tap_ok(!fact_in(facts.known, FACT_CHILD_NS), "does not count it once more");
	close(end[1]);
	pthread_join(thread, NULL);
	close(end[0]);
}

int main(int argc, char *argv[])
{
	struct err err = ERR_INIT;
	struct proc *proc = procfs_new(&err);

	(void)argc;
	if (!proc) {
		tap_ok(false, "%s", err.text);
		return tap_done();
	}
	test_walk(proc);
	test_host(proc);
	test_use(proc);
	test_texts(proc);
	test_zombie(proc);
	test_files(proc);
	test_children(proc);
	test_user(proc);
	test_leaderless(proc, argv[0]);
	test_arguments(proc, argv);
	procfs_free(proc);
	return tap_done();
}

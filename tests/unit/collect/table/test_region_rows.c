/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The source of regions with the real /proc. This program forks a process to be read, which enters
 * its two regions on command.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tiptop.h>
#include <unistd.h>

#include "collect/table/region_rows.h"
#include "collect/task/procfs.h"
#include "fake_proc.h"
#include "faulty_sys.h"
#include "inject/lib/table.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"

/* --- the victim --- */

/* The command to fork; smaller numbers are numbers of calls. */
#define FORK 100

static volatile char pages[64][4096] __attribute__((aligned(4096)));

TT_REGION(work, "work");
TT_REGION(idle, "idle");

/* Forks a child that runs a region and writes its pid to the pipe. */
static void fork_child(void)
{
	signal(SIGCHLD, SIG_IGN);
	if (fork())
		return;
	TT_BEGIN(work);
	TT_END(work);
	if (write(1, &(pid_t){getpid()}, sizeof(pid_t)) == sizeof(pid_t))
		pause();
	_exit(0);
}

static int be_victim(void)
{
	char order;

	TT_BEGIN(idle);
	TT_END(idle);
	while (read(0, &order, 1) == 1) {
		if (order == FORK) {
			fork_child();
			continue;
		}
		for (int i = 0; i < order; i++) {
			TT_BEGIN(work);
			pages[i][0] = 1;
			TT_END(work);
		}
		if (write(1, &order, 1) != 1)
			return 1;
	}
	return 0;
}

static pid_t victim;
static int order_fd, answer_fd;

static void start_victim(void)
{
	int order[2], answer[2];

	if (pipe2(order, O_CLOEXEC) || pipe2(answer, O_CLOEXEC))
		abort();
	fflush(stdout);
	victim = fork();
	if (!victim) {
		dup2(order[0], 0);
		dup2(answer[1], 1);
		setenv("TIPTOP_REGIONS", "page-faults,task-clock", 1);
		setenv("TIPTOP_REPORT", "/dev/null", 1);
		unsetenv("XDG_RUNTIME_DIR");
		execl("/proc/self/exe", "victim", "victim", NULL);
		_exit(1);
	}
	close(order[0]);
	close(answer[1]);
	order_fd = order[1];
	answer_fd = answer[0];
}

static void call(char n)
{
	if (write(order_fd, &n, 1) != 1 || read(answer_fd, &n, 1) != 1)
		abort();
}

/* --- the source --- */

static struct proc *proc;
static struct machine machine;
static struct source *source;
static struct sample sample;
static struct log log_of_faults;

static void begin(void)
{
	struct want want = {.filter = FILTER_ALL, .log = &log_of_faults};

	want.filter.pid = victim;
	event_set_init(&want.events);
	source = source_regions_new(proc, &machine, NULL, NULL);
	tap_ok(source->ops->go_on(source, &want), "any screen may be shown");
	sample_init(&sample);
}

static void next(void)
{
	struct err err = ERR_INIT;

	if (source->ops->next(source, &sample, &err))
		tap_ok(false, "%s", err.text);
}

static const struct task *find(const char *label)
{
	for (size_t i = 0; i < sample.n; i++)
		if (!strcmp(sample.task[i]->name, label))
			return sample.task[i];
	return NULL;
}

static long calls(const char *label)
{
	const struct task *t = find(label);

	return t && fact_in(t->known, FACT_CALLS) ? (long)task_fact(t, FACT_CALLS) : -1;
}

static void check_living(void)
{
	const struct task *idle_task;
	uint64_t faults;

	call(3);
	next();
	tap_int(sample.n, 2, "two regions");
	tap_ok(sample.kind == &kind_region, "the sample says what its rows are");
	tap_int(calls("work"), 3, "calls so far");
	tap_int(calls("idle"), 1, "of the other");
	tap_int(task_number(find("work")), victim, "of this process");
	tap_str(task_text(find("work"), FACT_PROGRAM), "exe", "which has a name");
	tap_int(sample_events_n(find("work")->events), 2, "two events are counted");
	idle_task = task_ref(find("idle"));
	faults = find("work")->count[0].value;
	call(5);
	next();
	tap_int(calls("work"), 8, "calls go on");
	faults = find("work")->count[0].value - faults;
	tap_ok(faults >= 2 && faults < 5,
	       "two of these touch a page for the first time, and the system hardly any: %d",
	       (int)faults);
	tap_ok(find("idle") == idle_task, "nothing new is read of the region that was not called");
	task_unref(idle_task);
}

/* Creates a second source for one process. */
static struct source *begin_other(struct proc *of, pid_t pid)
{
	struct source *other = source_regions_new(of, &machine, NULL, NULL);
	struct want want = {.filter = FILTER_ALL};

	want.filter.pid = pid;
	event_set_init(&want.events);
	other->ops->go_on(other, &want);
	return other;
}

/* Returns whether a new source reports that the process has no regions. */
static bool says_none(void)
{
	struct source *other = begin_other(proc, victim);
	struct err err = ERR_INIT;
	struct sample first;
	bool says;

	sample_init(&first);
	says = other->ops->next(other, &first, &err) || other->ops->note(other);
	sample_done(&first);
	other->ops->free(other);
	return says;
}

/* The process sleeps, so its CPU clock does not advance: the next refresh must look again because
 * of the error, not because the process ran. */
static void check_failed_look(const char *kind)
{
	struct fault_plan plan = {.kind = kind, .fail_at = 1, .error = EINTR};
	struct faulty_proc faulty;
	struct source *other;
	struct err err = ERR_INIT;
	struct sample s;

	faulty_proc_init(&faulty, proc, &plan);
	other = begin_other(&faulty.proc, victim);
	sample_init(&s);
	other->ops->next(other, &s, &err);
	tap_ok(plan.reached && !s.n && other->ops->note(other),
	       "%s fails at the first look: there are no regions yet", kind);
	other->ops->next(other, &s, &err);
	tap_ok(s.n == 2 && !other->ops->note(other), "the next refresh looks once more");
	sample_done(&s);
	other->ops->free(other);
}

/* A child inherits the labels of its parent, but only regions that the child has begun are rows. */
static void check_child(void)
{
	const char order = FORK;
	struct source *other;
	struct err err = ERR_INIT;
	struct sample s;
	char path[64];
	pid_t child;

	if (write(order_fd, &order, 1) != 1 ||
	    read(answer_fd, &child, sizeof child) != sizeof child)
		abort();
	other = begin_other(proc, child);
	sample_init(&s);
	other->ops->next(other, &s, &err);
	tap_int(s.n, 1, "a child has the region that it has begun alone");
	tap_str(s.n ? s.task[0]->name : "", "work", "not the one that its parent alone has begun");
	sample_done(&s);
	other->ops->free(other);
	kill(child, SIGKILL);
	snprintf(path, sizeof path, "/dev/shm/" TABLE_FILE_PREFIX "%d.0", (int)child);
	unlink(path);
}

/* The start of the file is overwritten: the regions are unknown then, and the log says why. Once
 * restored, the file is read again. */
static void check_damage(void)
{
	char path[64];
	struct stat s;

	snprintf(path, sizeof path, "/dev/shm/" TABLE_FILE_PREFIX "%d.0", (int)victim);
	tap_ok(!stat(path, &s) && (s.st_mode & 0777) == 0600, "the file is its user's");
	call(1);
	{
		int fd = open(path, O_RDWR | O_CLOEXEC);
		char magic[8];

		tap_ok(pread(fd, magic, 8, 0) == 8 && pwrite(fd, "nonsense", 8, 0) == 8,
		       "it becomes nonsense");
		next();
		tap_int(calls("work"), -1, "nothing is known of it then");
		tap_ok(log_of_faults.n == 1 &&
			       strstr(log_of_faults.line[0].text, "is of another version"),
		       "and it is said why");
		tap_ok(!says_none(), "not that there are none");
		tap_ok(pwrite(fd, magic, 8, 0) == 8, "it is mended");
		close(fd);
	}
	next();
	tap_int(calls("work"), 9, "and read again");
}

static void check_end(void)
{
	struct filter filter = FILTER_ALL;

	call(2);
	close(order_fd);
	waitpid(victim, NULL, 0);
	next();
	tap_int(calls("work"), 11, "what it did last is in one sample more");
	tap_ok(find("work")->dead && find("idle")->dead, "and that it has ended");
	next();
	tap_int(sample.n, 0, "then it is gone");
	tap_ok(source->ops->note(source) && strstr(source->ops->note(source), "has no regions"),
	       "which is said");
	filter.uid = (long)geteuid() + 1;
	source->ops->filter(source, &filter);
	next();
	tap_ok(strstr(source->ops->note(source), "no process of this user has regions: "),
	       "of another user, nothing is said about all processes");
}

/* The processes of a command are left out by a filter, whatever they have. */
static void check_command(void)
{
	struct source *of = source_regions_new(proc, &machine, NULL, "/no/such/folder");
	struct want want = {.filter = FILTER_ALL};
	struct filter filter = FILTER_ALL;
	struct err err = ERR_INIT;

	event_set_init(&want.events);
	of->ops->go_on(of, &want);
	of->ops->next(of, &sample, &err);
	tap_ok(strstr(of->ops->note(of), "the command has measured no regions"),
	       "a command without regions");
	filter.pid = victim;
	of->ops->filter(of, &filter);
	of->ops->next(of, &sample, &err);
	tap_ok(strstr(of->ops->note(of), "no process that passes the filter (-p, -u) has regions"),
	       "with a filter, nothing is said about all of its processes");
	of->ops->free(of);
}

static void check_kill(void)
{
	struct filter filter = FILTER_ALL;
	char path[64];
	size_t n = 0;

	start_victim();
	call(4);
	filter.pid = victim;
	tap_ok(source->ops->filter(source, &filter), "another process");
	next();
	tap_int(calls("work"), 4, "has its own numbers");
	snprintf(path, sizeof path, "/dev/shm/" TABLE_FILE_PREFIX "%d.0", (int)victim);
	kill(victim, SIGKILL);
	waitpid(victim, NULL, 0);
	next();
	n = sample.n;
	tap_ok(n == 2 && find("work")->dead && calls("work") == 4,
	       "one that is killed has its last numbers, too");
	tap_ok(!access(path, F_OK), "its file is left over");
	source->ops->free(source);
	sample_done(&sample);
	begin();
	tap_ok(access(path, F_OK) != 0, "and the next tiptop removes it");
}

int main(int argc, char **argv)
{
	struct err err = ERR_INIT;

	(void)argv;
	if (argc > 1)
		return be_victim();
	machine_init(&machine, &event_host_here);
	proc = procfs_new(&err);
	start_victim();
	call(0);
	begin();
	check_living();
	check_failed_look("cpu_clock");
	check_failed_look("walk");
	check_child();
	check_damage();
	check_end();
	check_command();
	check_kill();
	source->ops->free(source);
	sample_done(&sample);
	log_done(&log_of_faults);
	procfs_free(proc);
	return tap_done();
}

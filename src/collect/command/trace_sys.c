/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/trace_sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/num.h"

/* Maximum bytes of the list of children of a task. */
#define CHILDREN_SIZE (1 << 20)

static int kernel_request(struct trace_sys *self, int request, pid_t task, unsigned long number)
{
	(void)self;
	return ptrace(request, task, NULL, number) ? -errno : 0;
}

static int kernel_message(struct trace_sys *self, pid_t task, unsigned long *out)
{
	(void)self;
	return ptrace(PTRACE_GETEVENTMSG, task, NULL, out) ? -errno : 0;
}

static pid_t kernel_take(struct trace_sys *self, pid_t task, int *status, int options)
{
	const pid_t taken = waitpid(task, status, options | __WALL);

	(void)self;
	return taken < 0 ? -errno : taken;
}

static int kernel_wait(struct trace_sys *self, pid_t task, siginfo_t *out, int options)
{
	const idtype_t type = task < 0 ? P_ALL : P_PID;

	(void)self;
	out->si_pid = 0;
	return waitid(type, task < 0 ? 0 : (id_t)task, out, options | __WALL) ? -errno : 0;
}

static bool kernel_is_thread(struct trace_sys *self, pid_t task, pid_t process)
{
	(void)self;
	return syscall(SYS_tgkill, process, task, 0) == 0;
}

static int kernel_status(struct trace_sys *self, pid_t task, struct task_status *out)
{
	(void)self;
	return task_status_read(task, out);
}

static void add_task(struct trace_tasks *out, const char *text)
{
	long task;

	if (num_parse_int(text, "a task", 1, INT32_MAX, &task, NULL))
		return;
	out->task = xgrow(out->task, &out->cap, out->n + 1, sizeof *out->task);
	out->task[out->n++] = (pid_t)task;
}

static int kernel_threads(struct trace_sys *self, pid_t process, struct trace_tasks *out)
{
	struct folder folder;
	const char *name;
	const int ret = folder_open(&folder, "/proc/%d/task", process);

	(void)self;
	while ((name = folder_next(&folder)))
		add_task(out, name);
	return ret < 0 ? ret : 0;
}

static int kernel_children(struct trace_sys *self, pid_t task, struct trace_tasks *out)
{
	struct strbuf text;
	char path[64];
	ssize_t n;

	(void)self;
	snprintf(path, sizeof path, "/proc/%d/task/%d/children", task, task);
	strbuf_init(&text);
	n = file_read_lines(AT_FDCWD, path, CHILDREN_SIZE, &text);
	for (char *next, *one = strtok_r(text.text, " \n", &next); n > 0 && one;
	     one = strtok_r(NULL, " \n", &next))
		add_task(out, one);
	strbuf_done(&text);
	return n < 0 ? (int)n : 0;
}

int trace_status(const siginfo_t *info)
{
	switch (info->si_code) {
	case CLD_EXITED:
		return W_EXITCODE(info->si_status, 0);
	case CLD_KILLED:
	case CLD_DUMPED:
		return W_EXITCODE(0, info->si_status);
	default:
		return W_STOPCODE(info->si_status);
	}
}

struct trace_sys trace_kernel(void)
{
	return (struct trace_sys){kernel_request, kernel_message,   kernel_take,
				  kernel_wait,    kernel_is_thread, kernel_status,
				  kernel_threads, kernel_children};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/refusal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "pmu/check/privilege.h"
#include "pmu/check/rights.h"
#include "pmu/event/machine.h"

static bool may_count(void)
{
	struct perf_kernel kernel;

	perf_kernel_init(&kernel, NULL, 0);
	privilege_wrap(&kernel);
	return !probe_software(&kernel.sys, false, false);
}

static bool has_seccomp_filter(void)
{
	return probe_status("Seccomp", 10) == 2;
}

const char *refusal_remedy(void)
{
	if (geteuid())
		return "run tiptop as root or with the capability CAP_PERFMON";
	if (!(probe_status("CapEff", 16) >> CAP_PERFMON_BIT & 1))
		return "run tiptop with the capability CAP_PERFMON, which this root lacks, as in a "
		       "container";
	return "look for a security module or a user namespace that forbids it, as this root has "
	       "the capability CAP_PERFMON";
}

static int explain_denied(int ret, const struct refusal_attempt *a, struct err *err)
{
	int level = probe_paranoid();

	if (ret != -EACCES && has_seccomp_filter())
		return err_set(err, -ret,
			       "a seccomp filter forbids perf_event_open(2), as containers have by "
			       "default: allow it in the container's seccomp profile, or start the "
			       "container with the capability PERFMON");
	if (level == PROBE_PARANOID_UNKNOWN)
		return err_set(err, -ret, "the kernel refuses to count (%s): %s",
			       code_name_error(-ret), refusal_remedy());
	/* Mainline kernels have no level above 2. */
	if (level >= 3 && !may_count())
		return err_set(
			err, -ret,
			"the kernel lets only root count (kernel.perf_event_paranoid is %d): "
			"'sysctl kernel.perf_event_paranoid=2' lets users count their own tasks",
			level);
	if (a->tid == REFUSAL_CPU)
		return err_set(err, -ret,
			       "CPUs may not be counted, as that includes tasks of all users and "
			       "kernel.perf_event_paranoid is %d: 'sysctl "
			       "kernel.perf_event_paranoid=0' allows it, or %s",
			       level, refusal_remedy());
	if (a->no_modes && level >= 2)
		return err_set(
			err, -ret,
			"'%s' cannot be counted in user mode alone, and the kernel may not be "
			"counted since kernel.perf_event_paranoid is %d: 'sysctl "
			"kernel.perf_event_paranoid=1' allows it, or %s",
			a->event ? a->event : "cycles", level, refusal_remedy());
	if (a->kernel && level >= 2)
		return err_set(
			err, -ret,
			"counting '%s' in the kernel (-K, :k) is refused since "
			"kernel.perf_event_paranoid is %d: 'sysctl kernel.perf_event_paranoid=1' "
			"allows it, or count in user mode only",
			a->event ? a->event : "cycles", level);
	if (!a->tid)
		return err_set(err, -ret,
			       "the kernel refuses to count '%s' (%s; kernel.perf_event_paranoid "
			       "is %d): %s",
			       a->event ? a->event : "cycles", strerror(-ret), level,
			       refusal_remedy());
	return err_set(err, -ret,
		       "task %d may not be counted: it belongs to another user or is protected; %s",
		       (int)a->tid, refusal_remedy());
}

static int explain_no_descriptor(int ret, const struct refusal_attempt *a, struct err *err)
{
	const char *fewer = a->fewer ? a->fewer : "count fewer tasks with -p or -u";
	struct rlimit limit = {0, 0};

	if (ret == -ENFILE)
		return err_set(err, -ret,
			       "the machine has no file descriptor left: raise the sysctl "
			       "fs.file-max, or %s",
			       fewer);
	getrlimit(RLIMIT_NOFILE, &limit);
	return err_set(err, -ret,
		       "no file descriptor left (the limit is %llu): raise it with 'ulimit -n', or "
		       "%s",
		       (unsigned long long)limit.rlim_cur, fewer);
}

static int explain_absent(int ret, const struct refusal_attempt *a, struct err *err)
{
	const char *name = code_name_error(-ret);

	if (a->absent)
		return pmuv3_refuse(a->absent, a->event, err);
	if (!a->hardware)
		return err_set(err, -ret, "this kernel does not have the event '%s' (%s)", a->event,
			       name);
	if (!a->event || a->no_hardware)
		return err_set(err, -ret,
			       "this machine has no hardware counters: only what the kernel counts "
			       "is shown");
	return err_set(err, -ret, "this machine has no hardware counter for '%s' (%s)", a->event,
		       name);
}

static int explain_shared(int ret, const char *event, struct err *err)
{
	return err_set(
		err, -ret,
		"'%s' counts for a whole socket, or another part of the machine that CPUs "
		"share, and its counts cannot be attributed to a task or a CPU: 'tiptop system "
		"--group socket' shows it, on a screen with rows=\"socket\"",
		event);
}

static int explain_untried(int ret, const char *event, struct err *err)
{
	return err_set(
		err, -ret,
		"the PMU refuses '%s' in user mode (%s): either it cannot exclude the kernel, or "
		"the event does not fit this CPU; to find out which, tiptop needs permission to "
		"count in the kernel: %s",
		event, code_name_error(-ret), refusal_remedy());
}

int refusal_explain(int ret, const struct refusal_attempt *a, struct err *err)
{
	const char *event = a->event ? a->event : "cycles";

	switch (-ret) {
	case EACCES:
	case EPERM:
		return explain_denied(ret, a, err);
	case EMFILE:
	case ENFILE:
		return explain_no_descriptor(ret, a, err);
	case ENOENT:
	case ENODEV:
		return explain_absent(ret, a, err);
	case EOPNOTSUPP:
		return a->untried ? explain_untried(ret, event, err) : explain_absent(ret, a, err);
	case EINVAL:
		if (a->untried)
			return explain_untried(ret, event, err);
		return err_set(err, -ret,
			       "the PMU refuses the event '%s': its config does not fit this CPU",
			       event);
	case ENOMEM:
		return err_set(err, -ret,
			       "the kernel has no memory left to count '%s': it is tried again",
			       event);
	case EBUSY:
		return err_set(err, -ret,
			       "another program holds the PMU for itself: end it to count '%s'",
			       event);
	case EXDEV:
		return explain_shared(ret, event, err);
	case ESRCH:
		return err_set(err, -ret, "task %d has ended", (int)a->tid);
	case ENOSYS:
		/* Some seccomp filters answer with ENOSYS. */
		if (has_seccomp_filter())
			return explain_denied(ret, a, err);
		return err_set(
			err, -ret,
			"this kernel was built without performance counters (CONFIG_PERF_EVENTS)");
	default:
		return err_set(err, -ret, "cannot count '%s': %s", event, strerror(-ret));
	}
}

void refusal_explain_modes(const char *event, struct err *err)
{
	err_set(err, EOPNOTSUPP,
		"'%s' is counted in all modes, in the kernel and in guests, too, since the PMU of "
		"this machine can leave none out: a CPU or a hypervisor with a newer PMU may help "
		"(RISC-V: the extensions Sscofpmf and Smcntrpmf)",
		event);
}

int refusal_try_hardware(struct perf_sys *sys, bool kernel, bool *all_modes, struct err *err)
{
	struct refusal_attempt attempt = {.kernel = kernel, .hardware = true};
	struct event cycles = {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
	struct event_set set = {.event = &cycles, .n = 1, .kernel = kernel};
	int ret = event_probe(sys, &set, 0);

	attempt.untried = cycles.modes_denied;
	if (ret < 0)
		return refusal_explain(ret, &attempt, err);
	sys->close(sys, ret);
	if (all_modes)
		*all_modes = event_is_beyond_modes(&cycles);
	return 0;
}

/* Opens an event that needs no PMU on CPU 0, to test the permission. Returns 0 or -errno; 0 also if
 * the CPU is offline (-ENODEV). */
static int open_dummy(struct perf_sys *sys, int pid, unsigned long flags)
{
	struct event dummy = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_DUMMY};
	struct event_set set = {.event = &dummy, .n = 1};
	struct perf_event_attr attr;
	int fd;

	event_attr(&set, 0, true, false, &attr);
	fd = sys->open(sys, &attr, pid, 0, -1, PERF_FLAG_FD_CLOEXEC | flags);
	if (fd < 0)
		return fd == -ENODEV ? 0 : fd;
	sys->close(sys, fd);
	return 0;
}

static const struct refusal_attempt on_cpu = {.event = "dummy", .tid = REFUSAL_CPU, .kernel = true};

int refusal_try_cpus(struct perf_sys *sys, struct err *err)
{
	const int ret = open_dummy(sys, -1, 0);

	return ret ? refusal_explain(ret, &on_cpu, err) : 0;
}

int refusal_try_cgroup(struct perf_sys *sys, int group_fd, const char *path, struct err *err)
{
	const int ret = open_dummy(sys, group_fd, PERF_FLAG_PID_CGROUP);

	switch (-ret) {
	case 0:
		return 0;
	case EBADF:
		return err_set(err, EBADF, "'%s' is a folder, but no control group", path);
	case ENOENT:
		return err_set(err, ENOENT,
			       "the control group '%s' does not count events: write +perf_event to "
			       "cgroup.subtree_control in the group above it",
			       path);
	case EINVAL:
		return err_set(err, EINVAL,
			       "this kernel was built without counting of control groups "
			       "(CONFIG_CGROUP_PERF)");
	default:
		return refusal_explain(ret, &on_cpu, err);
	}
}

/* ---- task_status ---- */

/* Returns the value of a field: the text after `name` ("\nNAME:") and blanks. "": there is no such
 * field. */
static const char *field(const char *status, const char *name)
{
	const char *p = strstr(status, name);

	return p ? p + strlen(name) + strspn(p + strlen(name), " \t") : "";
}

static void parse_status(const char *status, struct task_status *out)
{
	const char *effective = field(status, "\nUid:");

	/* The real user id precedes the effective one. */
	effective += strcspn(effective, "\t");
	out->state = field(status, "\nState:")[0];
	out->process = (int)strtol(field(status, "\nTgid:"), NULL, 10);
	out->parent = (int)strtol(field(status, "\nPPid:"), NULL, 10);
	out->uid = strtol(effective, NULL, 10);
	out->tracer = (int)strtol(field(status, "\nTracerPid:"), NULL, 10);
	/* A zombie has no VmSize either. */
	out->kernel = out->state != 'Z' && out->state != 'X' && !*field(status, "\nVmSize:");
}

int task_status_read(int tid, struct task_status *out)
{
	struct strbuf status;
	char path[64];
	ssize_t n;
	bool raised;

	strbuf_init(&status);
	snprintf(path, sizeof path, "/proc/%d/status", tid);
	raised = privilege_raise();
	n = file_read_all(AT_FDCWD, path, FILE_STATUS_MAX, &status);
	privilege_lower(raised);
	if (n > 0)
		parse_status(status.text, out);
	strbuf_done(&status);
	if (n <= 0)
		return n ? (int)n : -ESRCH;
	return 0;
}

/* ---- refusals of ptrace(2) ---- */

/* The levels of kernel.yama.ptrace_scope above 0: they allow ptrace(2) of children only, to root
 * only, or not at all. */
enum { SCOPE_CHILDREN = 1, SCOPE_ROOT = 2, SCOPE_NONE = 3 };

static int read_scope(void)
{
	char text[16];

	return file_read(AT_FDCWD, "/proc/sys/kernel/yama/ptrace_scope", text, sizeof text) > 0
		       ? (int)strtol(text, NULL, 10)
		       : 0;
}

void trace_facts_read(struct trace_facts *f)
{
	struct task_status status = {.state = 'Z'};
	char path[64];

	f->ended = task_status_read(f->task, &status) || status.state == 'Z';
	f->kernel = status.kernel;
	f->tracer = status.tracer;
	snprintf(path, sizeof path, "/proc/%d/comm", f->tracer);
	if (f->tracer)
		file_read(AT_FDCWD, path, f->tracer_name, sizeof f->tracer_name);
	f->tracer_name[strcspn(f->tracer_name, "\n")] = '\0';
	f->scope = read_scope();
	f->uid = status.uid;
	f->user = (long)geteuid();
	f->root = f->user == 0;
	f->readable = !access("/proc/self/exe", R_OK);
}

static int refuse_by_yama(const struct trace_facts *f, struct err *err)
{
	if (f->scope >= SCOPE_NONE)
		return err_set(err, EPERM,
			       "task %d cannot be followed: kernel.yama.ptrace_scope is %d, which "
			       "forbids ptrace(2) to all until the next start of the machine",
			       f->task, f->scope);
	if (f->scope == SCOPE_ROOT)
		return err_set(err, EPERM,
			       "task %d cannot be followed: kernel.yama.ptrace_scope is 2, which "
			       "allows ptrace(2) to root only: 'sysctl kernel.yama.ptrace_scope=1' "
			       "allows 'tiptop follow -- command'",
			       f->task);
	return err_set(err, EPERM,
		       "task %d cannot be followed: kernel.yama.ptrace_scope is 1, which allows "
		       "ptrace(2) of children of tiptop only ('tiptop follow -- command'): 'sysctl "
		       "kernel.yama.ptrace_scope=0' allows it of all your processes",
		       f->task);
}

static bool is_refused_by_yama(const struct trace_facts *f)
{
	return f->scope >= SCOPE_NONE ||
	       (!f->root && f->scope >= (f->command ? SCOPE_ROOT : SCOPE_CHILDREN));
}

/* Explains why a command, a child of tiptop, cannot be traced. If the user may not read the
 * file of tiptop, the kernel protects the child as it protects tiptop itself. */
static int refuse_command(const struct trace_facts *f, struct err *err)
{
	char program[128];

	privilege_find_program(program, sizeof program);
	if (!f->readable)
		return err_set(err, EPERM,
			       "the command cannot be followed: the kernel protects tiptop, since "
			       "you may not read its file: 'chmod a+r %s' allows it",
			       program);
	return err_set(err, EPERM,
		       "the command cannot be followed: a security module or the filter of a "
		       "container forbids ptrace(2)");
}

int trace_refusal_explain(const struct trace_facts *f, struct err *err)
{
	if (f->ended)
		return err_set(err, EPERM, "task %d cannot be followed: it has ended", f->task);
	if (f->kernel)
		return err_set(err, EPERM,
			       "task %d cannot be followed: it is a thread of the kernel", f->task);
	if (f->tracer)
		return err_set(err, EPERM,
			       "task %d cannot be followed: process %d (%s) traces it, and a task "
			       "has only one tracer: end that process first",
			       f->task, f->tracer, f->tracer_name);
	if (!f->root && f->uid != f->user)
		return err_set(
			err, EPERM,
			"task %d cannot be followed: it belongs to user %ld: root and that user "
			"can follow it",
			f->task, f->uid);
	if (is_refused_by_yama(f))
		return refuse_by_yama(f, err);
	if (f->command)
		return refuse_command(f, err);
	return err_set(
		err, EPERM,
		"task %d cannot be followed: it has more rights than tiptop or protects its "
		"memory, or a security module or the filter of a container forbids ptrace(2)",
		f->task);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "check/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "check/privilege.h"
#include "perf/trial.h"

int probe_paranoid(void)
{
	char text[32], *end;
	long level;

	if (file_read(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", text, sizeof text) <= 0)
		return PROBE_PARANOID_UNKNOWN;
	level = strtol(text, &end, 10);
	return end == text ? PROBE_PARANOID_UNKNOWN : (int)level;
}

/* The list of supplementary groups alone may have 65,536 numbers of 11 bytes. */
#define STATUS_MAX (1 << 20)

uint64_t probe_status(const char *field, int base)
{
	struct strbuf text;
	uint64_t number = 0;
	char name[32];
	const char *p;

	strbuf_init(&text);
	snprintf(name, sizeof name, "\n%s:", field);
	if (file_read_all(AT_FDCWD, "/proc/self/status", STATUS_MAX, &text) > 0) {
		p = strstr(text.text, name);
		number = p ? strtoull(p + strlen(name), NULL, base) : 0;
	}
	strbuf_done(&text);
	return number;
}

bool probe_may_count_others(void)
{
	uint64_t caps = privilege_held();

	return geteuid() == 0 || (caps >> CAP_PERFMON_BIT & 1) || (caps >> CAP_SYS_ADMIN_BIT & 1);
}

int probe_software(struct perf_sys *sys, bool kernel, bool inherit)
{
	struct event clock = {.type = PERF_TYPE_SOFTWARE, .config = PERF_COUNT_SW_TASK_CLOCK};
	struct event_set set = {.event = &clock, .n = 1, .kernel = kernel, .inherit = inherit};
	int fd = event_probe(sys, &set, 0);

	if (fd >= 0)
		sys->close(sys, fd);
	return fd < 0 ? fd : 0;
}

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

static int explain_denied(int ret, const struct probe_attempt *a, struct err *err)
{
	int level = probe_paranoid();

	if (ret != -EACCES && has_seccomp_filter())
		return err_set(err, -ret,
			       "a seccomp filter forbids perf_event_open(2), as containers have by "
			       "default: allow it in the container's seccomp profile, or start the "
			       "container with the capability PERFMON");
	if (level == PROBE_PARANOID_UNKNOWN)
		return err_set(err, -ret,
			       "the kernel refuses to count (%s): run tiptop as root or with the "
			       "capability CAP_PERFMON",
			       strerrorname_np(-ret));
	/* Kernels as they are released know no level above 2. */
	if (level >= 3 && !may_count())
		return err_set(
			err, -ret,
			"the kernel lets only root count (kernel.perf_event_paranoid is %d): "
			"'sysctl kernel.perf_event_paranoid=2' lets users count their own tasks",
			level);
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
			       "is %d): run tiptop as root",
			       a->event ? a->event : "cycles", strerror(-ret), level);
	return err_set(err, -ret,
		       "task %d may not be counted: it belongs to another user or is protected; "
		       "run tiptop as root or with the capability CAP_PERFMON",
		       (int)a->tid);
}

static int explain_no_descriptor(int ret, struct err *err)
{
	struct rlimit limit = {0, 0};

	if (ret == -ENFILE)
		return err_set(err, -ret,
			       "the machine has no file descriptor left: raise the sysctl "
			       "fs.file-max, or count fewer tasks with -p or -u");
	getrlimit(RLIMIT_NOFILE, &limit);
	return err_set(err, -ret,
		       "no file descriptor left (the limit is %llu): raise it with 'ulimit -n', or "
		       "count fewer tasks with -p or -u",
		       (unsigned long long)limit.rlim_cur);
}

static int explain_absent(int ret, const struct probe_attempt *a, struct err *err)
{
	const char *name = strerrorname_np(-ret);

	if (!a->hardware)
		return err_set(err, -ret, "this kernel does not have the event '%s' (%s)", a->event,
			       name);
	if (!a->event)
		return err_set(err, -ret,
			       "this machine has no hardware counters, as most virtual machines: "
			       "only what the kernel itself counts can be shown");
	return err_set(err, -ret, "this machine has no hardware counter for '%s' (%s)", a->event,
		       name);
}

int probe_explain(int ret, const struct probe_attempt *a, struct err *err)
{
	const char *event = a->event ? a->event : "cycles";

	switch (-ret) {
	case EACCES:
	case EPERM:
		return explain_denied(ret, a, err);
	case EMFILE:
	case ENFILE:
		return explain_no_descriptor(ret, err);
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return explain_absent(ret, a, err);
	case EINVAL:
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
	case ESRCH:
		return err_set(err, -ret, "task %d has ended", (int)a->tid);
	case ENOSYS:
		/* Some filters say so. */
		if (has_seccomp_filter())
			return explain_denied(ret, a, err);
		return err_set(
			err, -ret,
			"this kernel was built without performance counters (CONFIG_PERF_EVENTS)");
	default:
		return err_set(err, -ret, "cannot count '%s': %s", event, strerror(-ret));
	}
}

int probe_hardware(struct perf_sys *sys, bool kernel, struct err *err)
{
	const struct probe_attempt attempt = {NULL, 0, kernel, true};
	struct event cycles = {.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
	struct event_set set = {.event = &cycles, .n = 1, .kernel = kernel};
	int ret = event_probe(sys, &set, 0);

	if (ret < 0)
		return probe_explain(ret, &attempt, err);
	sys->close(sys, ret);
	return 0;
}

/* Adds to the group, as long as the kernel takes more. Returns the size of the group. */
static int grow_group(struct perf_sys *sys, const struct event_set *set, int *fd, int max)
{
	struct perf_event_attr attr;
	int n = 0;

	while (n < max) {
		event_attr(set, n % set->n, !n, false, &attr);
		fd[n] = sys->open(sys, &attr, 0, -1, n ? fd[0] : -1, PERF_FLAG_FD_CLOEXEC);
		if (fd[n] < 0)
			break;
		n++;
	}
	return n;
}

/* Cycles and instructions of this kind of cores, and whether they refuse to leave guests out. */
static void bind_pair(struct event event[2], struct event_set *set, struct perf_sys *sys,
		      const struct machine *m, int core)
{
	event[0] = (struct event){.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_CPU_CYCLES};
	event[1] = (struct event){.type = PERF_TYPE_HARDWARE, .config = PERF_COUNT_HW_INSTRUCTIONS};
	*set = (struct event_set){.event = event, .n = 2};
	for (int i = 0; i < set->n; i++) {
		int fd = machine_bind(m, core, &event[i], NULL) ? -1 : event_probe(sys, set, i);

		if (fd >= 0)
			sys->close(sys, fd);
	}
}

int probe_group(struct perf_sys *sys, const struct machine *m, int core, int max)
{
	struct event event[2];
	struct event_set set;
	int *fd = xcalloc((size_t)max, sizeof *fd), n;

	bind_pair(event, &set, sys, m, core);
	n = grow_group(sys, &set, fd, max);
	for (int i = n; i-- > 0;)
		sys->close(sys, fd[i]);
	free(fd);
	return n;
}

int probe_group_now(struct perf_sys *sys, const struct machine *m, int core, int n)
{
	struct trial_answer answer = {.again = 0};
	int turn[EVENT_SET_MAX];
	struct event event[2];
	struct event_set set;
	struct trial trial;

	bind_pair(event, &set, sys, m, core);
	for (int i = 0; i < n; i++)
		turn[i] = i % 2;
	trial_init(&trial, sys);
	while (n > 0 && !trial_fits(&trial, &set, turn, n, &answer))
		n--;
	trial_end(&trial);
	trial_done(&trial);
	return n;
}

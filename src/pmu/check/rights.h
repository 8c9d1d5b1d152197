/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rights - finds out what this machine, kernel and user allow to count, by reading /proc and by
 * opening events on tiptop itself (probe_...()), and explains it as findings for --check.
 *
 * rights_read() collects facts; the functions that return a finding depend on these facts only.
 *
 * The rules: perf_event_open(2) and Documentation/admin-guide/perf-security.rst of the kernel. The
 * levels of kernel.perf_event_paranoid up to 2 mean the same on all kernels. Mainline kernels have
 * no higher level. Debian's kernels exclude users at 3 and above, Ubuntu's at 4, and on some of
 * them even CAP_PERFMON is not enough: above 2, only trying to open an event gives certainty.
 * Capabilities are effective in the initial user namespace only.
 */
#ifndef PMU_CHECK_RIGHTS_H
#define PMU_CHECK_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/event/machine.h"
#include "pmu/perf/sys.h"

/* ---- findings ----
 *
 * One result of --check: a mark, a sentence and perhaps a remedy.
 *
 * Sentences start with a small letter and have no full stop; those longer than the buffers are cut.
 * A remedy is one line, if possible a command that can be copied. A finding without a fault has no
 * remedy.
 */

enum finding_mark {
	FINDING_FACT, /* neither good nor bad */
	FINDING_OK,
	FINDING_WARN, /* something works only in part */
	FINDING_NO,   /* something does not work */
};

#define FINDING_TEXT_MAX   512
#define FINDING_REMEDY_MAX 256

struct finding {
	enum finding_mark mark;
	char text[FINDING_TEXT_MAX];
	char remedy[FINDING_REMEDY_MAX]; /* "": none */
};

/* Makes a finding without a remedy. */
struct finding finding_make(enum finding_mark mark, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void finding_set_remedy(struct finding *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- probes ---- */

/* Returns kernel.perf_event_paranoid; PROBE_PARANOID_UNKNOWN: it cannot be read. */
#define PROBE_PARANOID_UNKNOWN (-100)
int probe_paranoid(void);

/* Returns a number from /proc/self/status. field: the name of the field, without the ':'; base: of
 * the number, 10 or 16. Returns 0 if there is no such field. */
uint64_t probe_status(const char *field, int base);

/* Returns whether this process may count tasks of other users, as root or with CAP_PERFMON or
 * CAP_SYS_ADMIN. */
bool probe_may_count_others(void);

/* Opens a software event on tiptop itself, which tests the rights without a PMU. kernel: count in
 * the kernel, too; inherit: count new threads, too. Returns 0 or -errno. */
int probe_software(struct perf_sys *sys, bool kernel, bool inherit);

/* Returns whether this kernel reports the final counts of each task that ends (pmu/perf/ring.h).
 * To find out, starts a process whose child ends, and looks for the record of the child. Takes
 * about 1 ms. */
bool probe_finals(struct perf_sys *sys);

/* Returns the size of the largest group, at most `max`, that the kernel opens on this kind of
 * cores; its events alternate between cycles and instructions. 0: no event can be opened. */
int probe_group(struct perf_sys *sys, const struct machine *m, int core, int max);
/* Returns how many of n events (at most EVENT_SET_MAX), alternating between cycles and
 * instructions, can be on the PMU together now, while other programs may hold counters. */
int probe_group_now(struct perf_sys *sys, const struct machine *m, int core, int n);

/* ---- rights ---- */

enum rights_kernel { KERNEL_MAINLINE, KERNEL_DEBIAN, KERNEL_UBUNTU };

/* Whether a namespace is the initial one of the machine. */
enum rights_namespace { NAMESPACE_UNKNOWN, NAMESPACE_INITIAL, NAMESPACE_OTHER };

struct rights {
	int paranoid;     /* from probe_paranoid() */
	char release[65]; /* of the kernel: "6.1.0-28-amd64" */
	int version;      /* from capability_kernel_version(): 5009 is Linux 5.9 */
	enum rights_kernel kernel;
	bool root; /* the effective user id is 0 */
	/* /proc/self/status could be read; if false, no_new_privs and filter are unknown. */
	bool known;
	uint64_t caps;     /* from privilege_held(); bits: enum capability */
	bool no_new_privs; /* execve(2) grants no capabilities */
	bool filter;       /* a seccomp filter is active */
	/* What indicates a container: the path of a file, or a word in /proc/1/cgroup; NULL:
	 * nothing. */
	const char *container;
	enum rights_namespace user_ns, pid_ns;
	bool hides; /* from rights_proc_hides() */
	/* The results, 0 or -errno, of opening a software event on tiptop itself in three ways: in
	 * user mode; in user mode and in the kernel; in user mode with inherit_thread. */
	int user_ret, kernel_ret, inherit_ret;
};

/* Returns which distribution built the kernel, from the version that uname(2) returns: "#1 SMP
 * PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)". */
enum rights_kernel rights_kernel_of(const char *version);
/* Finds a word that indicates a container, such as "docker", in the text of /proc/1/cgroup; NULL:
 * none. */
const char *rights_container_of(const char *cgroup);

/* Returns whether the pid namespace is the initial one: only then does this process see all
 * processes of the machine. */
enum rights_namespace rights_pid_namespace(void);
/* Returns whether /proc hides processes of other users from this one (mount option hidepid). */
bool rights_proc_hides(void);
void rights_read(struct rights *r, struct perf_sys *sys);

/* Returns whether the process is in a container, where root has fewer rights than on the
 * machine. */
bool rights_is_contained(const struct rights *r);
/* Returns the prefix of a command for the administrator: "sudo "; "" for root; in a container
 * "outside of the container: sudo ". */
const char *rights_sudo(const struct rights *r);
/* Returns whether tasks of other users can be counted. */
bool rights_may_count_others(const struct rights *r);

/* Explains the level of kernel.perf_event_paranoid. */
struct finding rights_find_level(const struct rights *r);
struct finding rights_find_caps(const struct rights *r);
struct finding rights_find_seccomp(const struct rights *r);
struct finding rights_find_container(const struct rights *r);
/* Only if /proc hides processes. */
struct finding rights_find_hidden(const struct rights *r);

/* Findings about counting: the user's own tasks, their time in the kernel, tasks of other users,
 * new threads. The last three findings are valid only if rights_find_own() returns FINDING_OK.
 * program: the path of tiptop, for the remedy. */
struct finding rights_find_own(const struct rights *r, const char *program);
struct finding rights_find_kernel(const struct rights *r);
struct finding rights_find_others(const struct rights *r, const char *program);
struct finding rights_find_threads(const struct rights *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rights - what the kernel lets this user count.
 *
 * rights_read() collects facts; the findings are pure functions of them.
 *
 * The rules: perf_event_open(2) and Documentation/admin-guide/perf-security.rst of the kernel.
 * kernel.perf_event_paranoid means the same on all kernels up to 2. Above, kernels as they are
 * released know no further level, while those of Debian shut users out at 3 and more, those of
 * Ubuntu at 4, and CAP_PERFMON is not enough on all of them: there, only trying tells. Capabilities
 * count in the initial user namespace only.
 */
#ifndef PMU_CHECK_RIGHTS_H
#define PMU_CHECK_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu/check/finding.h"
#include "pmu/perf/sys.h"

enum rights_kernel { KERNEL_MAINLINE, KERNEL_DEBIAN, KERNEL_UBUNTU };

/* Whether a namespace is the machine's own. */
enum rights_namespace { NAMESPACE_UNKNOWN, NAMESPACE_INITIAL, NAMESPACE_OTHER };

struct rights {
	int paranoid;     /* as probe_paranoid() gives it */
	char release[65]; /* of the kernel: "6.1.0-28-amd64" */
	int version;      /* 1000 * major + minor: 5009 is Linux 5.9 */
	enum rights_kernel kernel;
	bool root;         /* the effective user id is 0 */
	bool known;        /* the next three are: /proc/self/status could be read */
	uint64_t caps;     /* effective capabilities; bits are enum probe_cap */
	bool no_new_privs; /* execve(2) gives no capabilities */
	bool filter;       /* there is a seccomp filter */
	/* Why this looks like a container: a file or a word; NULL: it does not. */
	const char *container;
	enum rights_namespace user_ns, pid_ns;
	/* What came of opening a software event on tiptop itself, 0 or -errno: in user mode; in the
	 * kernel, too; in user mode for the threads to come, too. */
	int user_ret, kernel_ret, inherit_ret;
};

/* Tells whose kernel it is by the version that uname(2) gives: "#1 SMP PREEMPT_DYNAMIC Debian
 * 6.1.119-1 (2024-11-22)". */
enum rights_kernel rights_kernel_of(const char *version);
/* Returns 5009 for "5.9.0-1-amd64"; 0 where the release has another form. */
int rights_version_of(const char *release);
/* The capabilities with which the program may count tasks of other users, as
 * setcap(8) names them. */
const char *rights_caps_to_give(int version);
/* Finds the word for a container in the text of /proc/1/cgroup: "docker"; NULL: there is none. */
const char *rights_container_of(const char *cgroup);

/* Whether this process sees all processes of the machine. */
enum rights_namespace rights_pid_namespace(void);
void rights_read(struct rights *r, struct perf_sys *sys);

/* Whether the process is in a container, whose root is not that of the machine. */
bool rights_is_contained(const struct rights *r);
/* What a command for the administrator begins with: "sudo "; "" for root. */
const char *rights_sudo(const struct rights *r);
/* Whether kernel.perf_event_paranoid does not bind this user. */
bool rights_is_privileged(const struct rights *r);
/* Whether tasks of other users can be counted. */
bool rights_may_count_others(const struct rights *r);

/* What the level means. */
struct finding rights_find_level(const struct rights *r);
struct finding rights_find_caps(const struct rights *r);
struct finding rights_find_seccomp(const struct rights *r);
struct finding rights_find_container(const struct rights *r);

/* What may be counted: one's own tasks, the kernel's part of them, the tasks of others, threads to
 * come. The last three only mean something where rights_find_own() says yes. program: the path of
 * tiptop, for the remedy. */
struct finding rights_find_own(const struct rights *r, const char *program);
struct finding rights_find_kernel(const struct rights *r);
struct finding rights_find_others(const struct rights *r, const char *program);
struct finding rights_find_threads(const struct rights *r);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The permissions to count: findings for each level of perf_event_paranoid, kind of kernel and set
 * of capabilities; and groups and permissions on a scripted PMU. */
#include <errno.h>
#include <unistd.h>

#include "pmu/check/privilege.h"
#include "pmu/check/rights.h"
#include "scripted_pmu.h"
#include "tap.h"

#define PROGRAM "/usr/bin/tiptop"
#define PERFMON (1ull << CAP_PERFMON_BIT)
#define ADMIN   (1ull << CAP_SYS_ADMIN_BIT)
#define PTRACE  (1ull << CAP_SYS_PTRACE_BIT)

/* The rights of an ordinary user on Linux 6.1. */
#define USER                                                                                       \
	.known = true, .version = 6001, .user_ns = NAMESPACE_INITIAL, .pid_ns = NAMESPACE_INITIAL

struct level_row {
	const char *name;
	struct rights rights;
	const char *level; /* text after "kernel.perf_event_paranoid is N" */
	/* Mark, text and remedy of each finding. If the text has a ':', only the part after it. */
	const char *own;
	const char *kernel;
	const char *others;
};

#define OWN_YES    "ok this user's own tasks can be counted, in user mode"
#define KERNEL_YES "ok their time in the kernel can be counted, too (-K)"
#define OTHERS_YES "ok tasks of other users can be counted"
#define OTHERS_NO                                                                                  \
	"warn tasks of other users may not be counted: that needs CAP_PERFMON | sudo setcap "      \
	"cap_perfmon=ep " PROGRAM
#define USER_MODE ": users count their own tasks, in user mode"
#define SAME_AS_2 ", which is the same as 2 on this kernel" USER_MODE " only"
#define NOT_BOUND "; this user is not bound by it"
#define KERNEL_AT(level)                                                                           \
	"warn what they do in the kernel (-K) may not be counted: kernel.perf_event_paranoid "     \
	"is " level " | sudo sysctl kernel.perf_event_paranoid=1"
#define SHUT_OUT(level, why)                                                                       \
	"no nothing may be counted: kernel.perf_event_paranoid is " level why                      \
	" | sudo sysctl kernel.perf_event_paranoid=2"

static const struct level_row level_table[] = {
	{"level -1",
	 {.paranoid = -1, USER},
	 USER_MODE " and in the kernel",
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_NO},
	{"level 0",
	 {.paranoid = 0, USER},
	 USER_MODE " and in the kernel",
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_NO},
	{"level 1",
	 {.paranoid = 1, USER},
	 USER_MODE " and in the kernel",
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_NO},
	{"level 2",
	 {.paranoid = 2, USER, .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 KERNEL_AT("2"),
	 OTHERS_NO},
	{"level 2 of Debian",
	 {.paranoid = 2, USER, .kernel = KERNEL_DEBIAN, .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 KERNEL_AT("2"),
	 OTHERS_NO},
	{"level 3 of mainline",
	 {.paranoid = 3, USER, .kernel_ret = -EACCES},
	 SAME_AS_2,
	 OWN_YES,
	 KERNEL_AT("3"),
	 "warn tasks of other users may not be counted: that needs CAP_PERFMON | sudo " PROGRAM},
	{"level 4 of mainline, root",
	 {.paranoid = 4, USER, .root = true, .caps = ADMIN},
	 SAME_AS_2 NOT_BOUND,
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_YES},
	{"level 3 of Debian",
	 {.paranoid = 3, USER, .kernel = KERNEL_DEBIAN, .user_ret = -EACCES, .kernel_ret = -EACCES},
	 ": users count nothing (a level of Debian's kernels)",
	 SHUT_OUT("3", ""),
	 NULL,
	 NULL},
	{"level 3 of Debian, CAP_PERFMON that is not enough",
	 {.paranoid = 3, USER, .kernel = KERNEL_DEBIAN, .caps = PERFMON, .user_ret = -EACCES},
	 ": users count nothing (a level of Debian's kernels)",
	 SHUT_OUT("3", ", where CAP_PERFMON is not enough"),
	 NULL,
	 NULL},
	{"level 3 of Debian, CAP_PERFMON that is enough",
	 {.paranoid = 3, USER, .kernel = KERNEL_DEBIAN, .caps = PERFMON},
	 ": users count nothing (a level of Debian's kernels)" NOT_BOUND,
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_YES},
	{"level 3 of Ubuntu, whose kernels act at 4",
	 {.paranoid = 3, USER, .kernel = KERNEL_UBUNTU, .kernel_ret = -EACCES},
	 SAME_AS_2,
	 OWN_YES,
	 KERNEL_AT("3"),
	 "warn tasks of other users may not be counted: that needs CAP_PERFMON | sudo " PROGRAM},
	{"level 4 of Ubuntu",
	 {.paranoid = 4, USER, .kernel = KERNEL_UBUNTU, .user_ret = -EACCES, .kernel_ret = -EACCES},
	 ": users count nothing (a level of Ubuntu's kernels)",
	 SHUT_OUT("4", ""),
	 NULL,
	 NULL},
	{"level 4 of Ubuntu, root",
	 {.paranoid = 4, USER, .kernel = KERNEL_UBUNTU, .root = true, .caps = ADMIN | PERFMON},
	 ": users count nothing (a level of Ubuntu's kernels)" NOT_BOUND,
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_YES},
	{"level 3 that a kernel of no known name enforces",
	 {.paranoid = 3, USER, .user_ret = -EACCES},
	 ": users count nothing (a level of some distributions' kernels)",
	 SHUT_OUT("3", ""),
	 NULL,
	 NULL},
	{"level 2, CAP_PERFMON",
	 {.paranoid = 2, USER, .caps = PERFMON},
	 USER_MODE " only" NOT_BOUND,
	 OWN_YES,
	 KERNEL_YES,
	 OTHERS_YES},
	{"level 2, CAP_SYS_PTRACE",
	 {.paranoid = 2, USER, .caps = PTRACE, .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 KERNEL_AT("2"),
	 OTHERS_YES},
	{"level 2, Linux 5.8",
	 {.paranoid = 2, .known = true, .version = 5008, .caps = PERFMON},
	 USER_MODE " only" NOT_BOUND,
	 OWN_YES,
	 KERNEL_YES,
	 "warn tasks of other users may not be counted: that needs CAP_SYS_PTRACE | sudo setcap "
	 "cap_perfmon,cap_sys_ptrace=ep " PROGRAM},
	{"level 2, Linux 5.4, where CAP_PERFMON is not known",
	 {.paranoid = 2, .known = true, .version = 5004, .caps = PERFMON, .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 KERNEL_AT("2"),
	 "warn tasks of other users may not be counted: that needs CAP_SYS_PTRACE | sudo " PROGRAM},
	{"level 2, root of a user namespace",
	 {.paranoid = 2,
	  .known = true,
	  .version = 6001,
	  .root = true,
	  .caps = ~0ull,
	  .user_ns = NAMESPACE_OTHER,
	  .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 "warn what they do in the kernel (-K) may not be counted: kernel.perf_event_paranoid is 2 "
	 "| outside of the container: sudo sysctl kernel.perf_event_paranoid=1",
	 "warn tasks of other users may not be counted: that needs CAP_PERFMON in the initial "
	 "user namespace | outside of the user namespace: sudo " PROGRAM},
	{"level 2, root without capabilities",
	 {.paranoid = 2, USER, .root = true, .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 "warn what they do in the kernel (-K) may not be counted: kernel.perf_event_paranoid is 2 "
	 "| outside of the container: sudo sysctl kernel.perf_event_paranoid=1",
	 "warn tasks of other users may not be counted: that needs CAP_PERFMON | docker run "
	 "--cap-add PERFMON ..."},
	{"level 2, no_new_privs",
	 {.paranoid = 2, USER, .no_new_privs = true, .kernel_ret = -EACCES},
	 USER_MODE " only",
	 OWN_YES,
	 KERNEL_AT("2"),
	 "warn tasks of other users may not be counted: that needs CAP_PERFMON | where "
	 "no_new_privs is not set: sudo " PROGRAM},
	{"a seccomp filter in a container",
	 {.paranoid = 2, USER, .filter = true, .container = "/.dockerenv", .user_ret = -EPERM},
	 USER_MODE " only",
	 "no nothing may be counted: a seccomp filter forbids perf_event_open(2); a profile that "
	 "allows this call is safer than none | docker run --security-opt seccomp=unconfined ...",
	 NULL,
	 NULL},
	{"a seccomp filter that says ENOSYS, elsewhere",
	 {.paranoid = 2, USER, .filter = true, .user_ret = -ENOSYS},
	 USER_MODE " only",
	 "no nothing may be counted: a seccomp filter forbids perf_event_open(2); a profile that "
	 "allows this call is safer than none | in the unit of the service: "
	 "SystemCallFilter=perf_event_open",
	 NULL,
	 NULL},
	{"a filter that has nothing to do with it",
	 {.paranoid = 3, USER, .kernel = KERNEL_DEBIAN, .filter = true, .user_ret = -EACCES},
	 ": users count nothing (a level of Debian's kernels)",
	 SHUT_OUT("3", ""),
	 NULL,
	 NULL},
	{"no performance counters in the kernel",
	 {.paranoid = PROBE_PARANOID_UNKNOWN, USER, .user_ret = -ENOSYS},
	 NULL,
	 "no nothing can be counted: this kernel was built without CONFIG_PERF_EVENTS",
	 NULL,
	 NULL},
	{"refused at level 1",
	 {.paranoid = 1, USER, .user_ret = -EACCES},
	 USER_MODE " and in the kernel",
	 "no nothing may be counted: perf_event_open(2) is refused with 'Permission denied', "
	 "perhaps by a security module | sudo " PROGRAM " --check",
	 NULL,
	 NULL},
};

static const char *as_text(const struct finding *f, char *buf, size_t size)
{
	static const char *const mark[] = {"fact", "ok", "warn", "no"};

	snprintf(buf, size, "%s %s%s%s", mark[f->mark], f->text, f->remedy[0] ? " | " : "",
		 f->remedy);
	return buf;
}

static void check(const struct finding f, const char *want, const char *name, const char *what)
{
	char text[FINDING_TEXT_MAX + FINDING_REMEDY_MAX + 16];

	tap_str(as_text(&f, text, sizeof text), want, "%s: %s", name, what);
}

static void test_levels(void)
{
	for (size_t i = 0; i < sizeof level_table / sizeof *level_table; i++) {
		const struct level_row *row = &level_table[i];
		char level[FINDING_TEXT_MAX] = "fact kernel.perf_event_paranoid cannot be read";

		if (row->level)
			snprintf(level, sizeof level, "fact kernel.perf_event_paranoid is %d%s",
				 row->rights.paranoid, row->level);
		check(rights_find_level(&row->rights), level, row->name, "the level");
		check(rights_find_own(&row->rights, PROGRAM), row->own, row->name, "own tasks");
		if (row->kernel)
			check(rights_find_kernel(&row->rights), row->kernel, row->name,
			      "in the kernel");
		if (row->others)
			check(rights_find_others(&row->rights, PROGRAM), row->others, row->name,
			      "others' tasks");
	}
}

static void test_process(void)
{
	struct rights r = {USER};

	check(rights_find_caps(&r), "fact none of CAP_PERFMON, CAP_SYS_ADMIN and CAP_SYS_PTRACE",
	      "capabilities", "none");
	r.no_new_privs = true;
	check(rights_find_caps(&r),
	      "fact none of CAP_PERFMON, CAP_SYS_ADMIN and CAP_SYS_PTRACE; no_new_privs is set: "
	      "setcap(8) is without effect",
	      "capabilities", "and no_new_privs");
	r.caps = PERFMON | PTRACE;
	check(rights_find_caps(&r), "fact CAP_PERFMON, CAP_SYS_PTRACE", "capabilities", "two");
	r.user_ns = NAMESPACE_OTHER;
	check(rights_find_caps(&r),
	      "fact CAP_PERFMON, CAP_SYS_PTRACE, valid in this user namespace only: "
	      "perf_event_open(2) needs them in the initial one",
	      "capabilities", "of a user namespace");

	check(rights_find_seccomp(&r), "ok no filter", "seccomp", "none");
	r.filter = true;
	check(rights_find_seccomp(&r), "ok a filter, which lets perf_event_open(2) through",
	      "seccomp", "a mild one");
	r.user_ret = -EPERM;
	check(rights_find_seccomp(&r), "fact a filter, which forbids perf_event_open(2)", "seccomp",
	      "a strict one");
}

static void test_surroundings(void)
{
	struct rights r = {USER};

	check(rights_find_container(&r), "ok none", "container", "none");
	r.container = "/.dockerenv";
	check(rights_find_container(&r),
	      "ok there is '/.dockerenv', but the pid namespace is the machine's: all tasks can be "
	      "seen",
	      "container", "its file, and no pid namespace");
	r.hides = true;
	check(rights_find_container(&r),
	      "ok there is '/.dockerenv', but the pid namespace is the machine's", "container",
	      "and /proc hides tasks");
	check(rights_find_hidden(&r),
	      "warn /proc is mounted with hidepid: only this user's tasks can be seen | sudo mount "
	      "-o remount,hidepid=0 /proc",
	      "hidden tasks", "and what to do");
	r.pid_ns = NAMESPACE_OTHER;
	check(rights_find_container(&r),
	      "warn the pid namespace is not the machine's ('/.dockerenv'): only tasks in it can "
	      "be seen | docker run --pid=host ...",
	      "container", "with a pid namespace");

	r = (struct rights){.version = 6001, .root = true};
	r.caps = PERFMON;
	check(rights_find_caps(&r), "fact CAP_PERFMON", "no /proc", "capabilities need none");
	r.caps = 0;
	check(rights_find_seccomp(&r), "fact not known: /proc/self/status cannot be read",
	      "no /proc", "seccomp");
	check(rights_find_container(&r), "fact not known: /proc/self/ns/pid cannot be read",
	      "no /proc", "container");
	check(rights_find_others(&r, PROGRAM),
	      "fact whether tasks of other users may be counted is not known", "no /proc",
	      "others' tasks");

	r = (struct rights){USER};
	tap_str(rights_sudo(&r), "sudo ", "a command of the administrator's, for a user");
	r.root = true;
	r.caps = ADMIN;
	tap_str(rights_sudo(&r), "", "for root");
	r.pid_ns = NAMESPACE_OTHER;
	tap_str(rights_sudo(&r), "outside of the container: sudo ", "for root of a container");
	r.pid_ns = NAMESPACE_INITIAL;
	r.caps = 0;
	tap_str(rights_sudo(&r), "outside of the container: sudo ",
		"for root without capabilities");

	r = (struct rights){USER};
	check(rights_find_threads(&r),
	      "ok new threads are counted with the process that starts them (inherit_thread)",
	      "threads", "inherit_thread");
	r.inherit_ret = -EINVAL;
	check(rights_find_threads(&r),
	      "warn threads are counted one by one, with descriptors for each: inherit_thread is "
	      "refused, which came with Linux 5.13 (Invalid argument)",
	      "threads", "without it");
}

static void test_texts_of_the_kernel(void)
{
	tap_int(rights_kernel_of("#1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)"),
		KERNEL_DEBIAN, "Debian");
	tap_int(rights_kernel_of("#45-Ubuntu SMP PREEMPT_DYNAMIC Fri Aug 30 12:02:04 UTC 2024"),
		KERNEL_UBUNTU, "Ubuntu");
	tap_int(rights_kernel_of("#47~22.04.1-Ubuntu SMP Wed Oct 2 16:16:55 UTC 2"), KERNEL_UBUNTU,
		"Ubuntu, newer kernel");
	tap_int(rights_kernel_of("#1 SMP PREEMPT_DYNAMIC @0"), KERNEL_MAINLINE, "another kernel");
	tap_int(capability_kernel_version("6.1.0-28-amd64"), 6001, "the version of 6.1.0-28-amd64");
	tap_int(capability_kernel_version("5.13"), 5013, "the version of 5.13");
	tap_int(capability_kernel_version("rolling"), 0, "no version");
	tap_str(rights_container_of("0::/system.slice/docker-0123.scope\n"), "docker",
		"docker's group");
	tap_str(rights_container_of("0::/kubepods.slice/kubepods-pod1.slice/cri-1.scope\n"),
		"kubepods", "a pod's group");
	tap_ok(!rights_container_of("0::/init.scope\n"), "no container's group");
	tap_ok(!rights_container_of(""), "no groups at all");
}

static void test_probe(void)
{
	struct machine one = {.n_cores = 0}, two = {.core = {{.name = "cpu_core", .type = 4},
							     {.name = "cpu_atom", .type = 10}},
						    .n_cores = 2};
	static struct pmu pmu;

	pmu_init(&pmu);
	pmu_task_add(&pmu, 0);
	tap_int(probe_group(&pmu.sys, &one, 0, 12), 12,
		"groups: no limit but that of the question");
	pmu.script.max_hardware = 6;
	tap_int(probe_group(&pmu.sys, &one, 0, 12), 6, "groups: as the PMU allows");
	pmu.script.refuse_exclude_guest = EINVAL;
	tap_int(probe_group(&pmu.sys, &one, 0, 12), 6, "groups: the PMU cannot leave guests out");
	pmu.script = (struct pmu_script){.core_type = {4, 10}, .core_max = {8, 5}};
	tap_int(probe_group(&pmu.sys, &two, 0, 12), 8, "groups: of one kind of cores");
	tap_int(probe_group(&pmu.sys, &two, 1, 12), 5, "groups: of the other");
	pmu.script = (struct pmu_script){.missing = 1ull << PERF_COUNT_HW_CPU_CYCLES};
	tap_int(probe_group(&pmu.sys, &one, 0, 12), 0, "groups: without cycles there is none");

	pmu.script = (struct pmu_script){.refuse_inherit_thread = true};
	tap_int(probe_software(&pmu.sys, false, false), 0, "a software event");
	tap_int(probe_software(&pmu.sys, false, true), -EINVAL,
		"a software event that inherit_thread is refused for");
	pmu.script.denied = 1ull << PERF_COUNT_SW_TASK_CLOCK;
	tap_int(probe_software(&pmu.sys, true, false), -EACCES, "a software event that is denied");
	tap_int(pmu.n_open, 0, "nothing stays open");
	tap_int(pmu.bad_calls, 0, "no bad calls");
}

static void test_caps_to_give(void)
{
	tap_str(capability_to_give(6001), "cap_perfmon", "capabilities to give: Linux 6.1");
	tap_str(capability_to_give(5009), "cap_perfmon", "capabilities to give: Linux 5.9");
	tap_str(capability_to_give(5008), "cap_perfmon,cap_sys_ptrace",
		"capabilities to give: Linux 5.8");
	tap_str(capability_to_give(5004), "cap_sys_ptrace", "capabilities to give: Linux 5.4");
	tap_str(capability_to_give(0), "cap_perfmon", "capabilities to give: an unknown kernel");
}

/* The rights of this process: only what holds on any machine is checked. */
static void test_read(void)
{
	struct rights r;
	struct perf_kernel kernel;

	perf_kernel_init(&kernel, NULL, 0);
	rights_read(&r, &kernel.sys);
	tap_int(r.root, geteuid() == 0, "here: root or not");
	tap_ok(r.version >= 3000 && r.version < 100000, "here: a version of Linux: %d", r.version);
	tap_int(r.paranoid, probe_paranoid(), "here: the level");
	tap_int(r.caps, probe_status("CapEff", 16), "here: capabilities");
	tap_int(probe_status("NoSuchField", 10), 0, "a field that /proc/self/status does not have");
	tap_int(probe_status("Pid", 10), getpid(), "a field that it has");
}

int main(void)
{
	test_levels();
	test_process();
	test_surroundings();
	test_texts_of_the_kernel();
	test_probe();
	test_caps_to_give();
	test_read();
	return tap_done();
}

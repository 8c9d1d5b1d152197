/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/rights.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/check/privilege.h"
#include "pmu/perf/plan.h"
#include "pmu/perf/ring.h"

/* ---- findings ---- */

struct finding finding_make(enum finding_mark mark, const char *fmt, ...)
{
	struct finding f = {.mark = mark};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f.text, sizeof f.text, fmt, ap);
	va_end(ap);
	text_sanitize(f.text, '?');
	return f;
}

void finding_set_remedy(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(f->remedy, sizeof f->remedy, fmt, ap);
	va_end(ap);
	text_sanitize(f->remedy, '?');
}

/* ---- finals ----
 *
 * Final counts of tasks that inherited counters.
 */

#define END_MS 2000 /* ample: the parent only forks */

/* Waits for a byte, creates a child that ends at once, and ends. */
static _Noreturn void run_parent(int go_fd)
{
	pid_t child;
	ssize_t n;
	char go;

	do
		n = read(go_fd, &go, 1);
	while (n < 0 && errno == EINTR);
	child = n == 1 ? fork() : -1;
	if (child)
		child_await(child, CHILD_NO_LIMIT, NULL);
	_exit(0);
}

/* Opens the rings of the group on the parent, lets the parent go on, and returns whether the final
 * counts of the parent's child arrive. */
static bool await_child(struct perf_sys *sys, const struct group *group, pid_t parent, int go_fd)
{
	struct finals *finals;
	struct final final;
	bool seen = false;

	if (finals_open(&finals, sys, group, parent))
		return false;
	if (write(go_fd, "g", 1) == 1)
		child_finish(parent, END_MS);
	while (!seen && finals_next(finals, &final))
		seen = final.process != parent && final.members;
	finals_close(finals);
	return seen;
}

static bool try_on(struct perf_sys *sys, pid_t parent, int go_fd)
{
	struct event faults = {.type = PERF_TYPE_SOFTWARE,
			       .config = PERF_COUNT_SW_PAGE_FAULTS,
			       .core = EVENT_NO_CORE};
	struct event_set set = {.event = &faults,
				.n = 1,
				.children = true,
				.finals = true,
				.plan = {.n = 1, .n_fds = 1, .n_groups = 1}};
	struct group *group;
	bool seen;

	if (group_open(&group, sys, &set, parent, false))
		return false;
	seen = await_child(sys, group, parent, go_fd);
	group_close(group, sys);
	return seen;
}

bool probe_finals(struct perf_sys *sys)
{
	int go[2];
	bool seen;
	pid_t parent;

	if (!sys->map || pipe2(go, O_CLOEXEC))
		return false;
	parent = fork();
	if (!parent) {
		close(go[1]);
		run_parent(go[0]);
	}
	close(go[0]);
	seen = parent > 0 && try_on(sys, parent, go[1]);
	/* A parent that still waits for the byte reads the end of the file instead, and ends. */
	close(go[1]);
	child_finish(parent, END_MS);
	return seen;
}

/* ---- probes ---- */

int probe_paranoid(void)
{
	char text[32], *end;
	long level;

	if (file_read(AT_FDCWD, "/proc/sys/kernel/perf_event_paranoid", text, sizeof text) <= 0)
		return PROBE_PARANOID_UNKNOWN;
	level = strtol(text, &end, 10);
	return end == text ? PROBE_PARANOID_UNKNOWN : (int)level;
}

uint64_t probe_status(const char *field, int base)
{
	struct strbuf text;
	uint64_t number = 0;
	char name[32];
	const char *p;

	strbuf_init(&text);
	snprintf(name, sizeof name, "\n%s:", field);
	if (file_read_all(AT_FDCWD, "/proc/self/status", FILE_STATUS_MAX, &text) > 0) {
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

/* Adds events to the group as long as the kernel accepts them. Returns the size of the group. */
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

/* Makes events for cycles and instructions on this kind of cores, and probes whether their PMU can
 * exclude guests. */
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

/* ---- rights ---- */

/* The initial namespaces have fixed inode numbers: PROC_USER_INIT_INO and PROC_PID_INIT_INO in the
 * kernel's proc_ns.h. */
#define USER_NS_INODE 0xeffffffdu
#define PID_NS_INODE  0xeffffffcu

enum rights_kernel rights_kernel_of(const char *version)
{
	if (strstr(version, " Debian "))
		return KERNEL_DEBIAN;
	return strstr(version, "-Ubuntu") ? KERNEL_UBUNTU : KERNEL_MAINLINE;
}

const char *rights_container_of(const char *cgroup)
{
	static const char *const words[] = {"docker", "containerd", "kubepods", "libpod", "lxc"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(cgroup, words[i]))
			return words[i];
	return NULL;
}

static const char *find_container(void)
{
	static const char *const files[] = {"/.dockerenv", "/run/.containerenv"};
	char cgroup[4096];

	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		if (!access(files[i], F_OK))
			return files[i];
	file_read(AT_FDCWD, "/proc/1/cgroup", cgroup, sizeof cgroup);
	return rights_container_of(cgroup);
}

static enum rights_namespace namespace_of(const char *path, ino_t initial)
{
	struct stat st;

	if (stat(path, &st))
		return NAMESPACE_UNKNOWN;
	return st.st_ino == initial ? NAMESPACE_INITIAL : NAMESPACE_OTHER;
}

enum rights_namespace rights_pid_namespace(void)
{
	return namespace_of("/proc/self/ns/pid", PID_NS_INODE);
}

bool rights_proc_hides(void)
{
	const int fd = open("/proc/1/stat", O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		close(fd);
	/* The first process always exists. */
	return fd < 0 && !access("/proc/self/stat", R_OK);
}

void rights_read(struct rights *r, struct perf_sys *sys)
{
	struct utsname name;

	memset(r, 0, sizeof *r);
	r->paranoid = probe_paranoid();
	if (!uname(&name)) {
		snprintf(r->release, sizeof r->release, "%s", name.release);
		r->version = capability_kernel_version(name.release);
		r->kernel = rights_kernel_of(name.version);
	}
	r->root = geteuid() == 0;
	r->known = probe_status("Pid", 10);
	r->caps = privilege_held();
	r->no_new_privs = probe_status("NoNewPrivs", 10) == 1;
	r->filter = probe_status("Seccomp", 10) == 2;
	r->container = find_container();
	r->user_ns = namespace_of("/proc/self/ns/user", USER_NS_INODE);
	r->pid_ns = rights_pid_namespace();
	r->hides = rights_proc_hides();
	r->user_ret = probe_software(sys, false, false);
	r->kernel_ret = probe_software(sys, true, false);
	r->inherit_ret = probe_software(sys, false, true);
}

static bool has(const struct rights *r, enum capability cap)
{
	return r->user_ns != NAMESPACE_OTHER && r->caps >> cap & 1;
}

bool rights_is_contained(const struct rights *r)
{
	return r->pid_ns == NAMESPACE_OTHER || r->user_ns == NAMESPACE_OTHER ||
	       (r->root && !has(r, CAP_SYS_ADMIN_BIT));
}

const char *rights_sudo(const struct rights *r)
{
	if (rights_is_contained(r))
		return "outside of the container: sudo ";
	return r->root ? "" : "sudo ";
}

/* Returns whether this user is exempt from kernel.perf_event_paranoid. */
static bool rights_is_privileged(const struct rights *r)
{
	if (has(r, CAP_SYS_ADMIN_BIT))
		return true;
	return has(r, CAP_PERFMON_BIT) && r->version >= 5008 && (r->paranoid < 3 || !r->user_ret);
}

/* Returns whether this kernel, at the present level of kernel.perf_event_paranoid, forbids users
 * without privileges all counting. */
static bool shuts_users_out(const struct rights *r)
{
	if (r->paranoid < 3)
		return false;
	if (r->user_ret == -EACCES)
		return true;
	if (!r->user_ret && !rights_is_privileged(r))
		return false;
	return r->kernel == KERNEL_DEBIAN || (r->kernel == KERNEL_UBUNTU && r->paranoid >= 4);
}

/* Since Linux 5.9, CAP_PERFMON allows counting other users' tasks; earlier kernels require
 * CAP_SYS_PTRACE. */
bool rights_may_count_others(const struct rights *r)
{
	if (r->user_ret)
		return false;
	return has(r, CAP_SYS_PTRACE_BIT) || (r->version >= 5009 && rights_is_privileged(r));
}

struct finding rights_find_level(const struct rights *r)
{
	static const char *const whose[] = {"a level of some distributions' kernels",
					    "a level of Debian's kernels",
					    "a level of Ubuntu's kernels"};
	const char *bound = rights_is_privileged(r) ? "; this user is not bound by it" : "";

	if (r->paranoid == PROBE_PARANOID_UNKNOWN)
		return finding_make(FINDING_FACT, "kernel.perf_event_paranoid cannot be read");
	if (shuts_users_out(r))
		return finding_make(FINDING_FACT,
				    "kernel.perf_event_paranoid is %d: users count nothing (%s)%s",
				    r->paranoid, whose[r->kernel], bound);
	if (r->paranoid > 2)
		return finding_make(FINDING_FACT,
				    "kernel.perf_event_paranoid is %d, which is the same as 2 on "
				    "this kernel: users count their own tasks, in user mode only%s",
				    r->paranoid, bound);
	return finding_make(
		FINDING_FACT,
		"kernel.perf_event_paranoid is %d: users count their own tasks, in user mode%s%s",
		r->paranoid, r->paranoid == 2 ? " only" : " and in the kernel", bound);
}

static bool filter_forbids(const struct rights *r)
{
	return r->filter && (r->user_ret == -EPERM || r->user_ret == -ENOSYS);
}

static struct finding find_own_filtered(const struct rights *r)
{
	struct finding f = finding_make(
		FINDING_NO, "nothing may be counted: a seccomp filter forbids perf_event_open(2); "
			    "a profile that allows this call is safer than none");

	if (r->container || rights_is_contained(r))
		finding_set_remedy(&f, "docker run --security-opt seccomp=unconfined ...");
	else
		finding_set_remedy(&f,
				   "in the unit of the service: SystemCallFilter=perf_event_open");
	return f;
}

struct finding rights_find_own(const struct rights *r, const char *program)
{
	struct finding f;

	if (!r->user_ret)
		return finding_make(FINDING_OK,
				    "this user's own tasks can be counted, in user mode");
	if (filter_forbids(r))
		return find_own_filtered(r);
	if (r->user_ret == -ENOSYS)
		return finding_make(
			FINDING_NO,
			"nothing can be counted: this kernel was built without CONFIG_PERF_EVENTS");
	if (!shuts_users_out(r)) {
		f = finding_make(FINDING_NO,
				 "nothing may be counted: perf_event_open(2) is refused with '%s', "
				 "perhaps by a security module",
				 strerror(-r->user_ret));
		finding_set_remedy(&f, "%s%s --check", rights_sudo(r), program);
		return f;
	}
	f = finding_make(FINDING_NO, "nothing may be counted: kernel.perf_event_paranoid is %d%s",
			 r->paranoid,
			 has(r, CAP_PERFMON_BIT) ? ", where CAP_PERFMON is not enough" : "");
	finding_set_remedy(&f, "%ssysctl kernel.perf_event_paranoid=2", rights_sudo(r));
	return f;
}

struct finding rights_find_kernel(const struct rights *r)
{
	struct finding f;

	if (!r->kernel_ret)
		return finding_make(FINDING_OK,
				    "their time in the kernel can be counted, too (-K)");
	if (r->paranoid < 2)
		return finding_make(FINDING_WARN,
				    "what they do in the kernel (-K) cannot be counted: %s",
				    strerror(-r->kernel_ret));
	f = finding_make(FINDING_WARN,
			 "what they do in the kernel (-K) may not be counted: "
			 "kernel.perf_event_paranoid is %d",
			 r->paranoid);
	finding_set_remedy(&f, "%ssysctl kernel.perf_event_paranoid=1", rights_sudo(r));
	return f;
}

struct finding rights_find_others(const struct rights *r, const char *program)
{
	struct finding f;

	if (rights_may_count_others(r))
		return finding_make(FINDING_OK, "tasks of other users can be counted");
	if (!r->known)
		return finding_make(FINDING_FACT,
				    "whether tasks of other users may be counted is not known");
	f = finding_make(FINDING_WARN, "tasks of other users may not be counted: that needs %s%s",
			 r->version >= 5009 ? "CAP_PERFMON" : "CAP_SYS_PTRACE",
			 r->user_ns == NAMESPACE_OTHER ? " in the initial user namespace" : "");
	if (r->user_ns == NAMESPACE_OTHER)
		finding_set_remedy(&f, "outside of the user namespace: sudo %s", program);
	else if (r->root)
		finding_set_remedy(&f, "docker run --cap-add %s ...",
				   r->version >= 5009 ? "PERFMON" : "SYS_PTRACE");
	else if (r->no_new_privs)
		finding_set_remedy(&f, "where no_new_privs is not set: sudo %s", program);
	else if (r->version < 5008 || r->paranoid > 2)
		finding_set_remedy(&f, "sudo %s", program);
	else
		finding_set_remedy(&f, "sudo setcap %s=ep %s", capability_to_give(r->version),
				   program);
	return f;
}

struct finding rights_find_threads(const struct rights *r)
{
	if (!r->inherit_ret)
		return finding_make(FINDING_OK, "new threads are counted with the process that "
						"starts them (inherit_thread)");
	return finding_make(FINDING_WARN,
			    "threads are counted one by one, with descriptors for each: "
			    "inherit_thread is refused, which came with Linux 5.13 (%s)",
			    strerror(-r->inherit_ret));
}

struct finding rights_find_caps(const struct rights *r)
{
	static const struct {
		enum capability cap;
		const char *name;
	} caps[] = {{CAP_PERFMON_BIT, "CAP_PERFMON"},
		    {CAP_SYS_ADMIN_BIT, "CAP_SYS_ADMIN"},
		    {CAP_SYS_PTRACE_BIT, "CAP_SYS_PTRACE"}};
	char list[64] = "";
	size_t n = 0;

	for (size_t i = 0; i < sizeof caps / sizeof *caps; i++)
		if (r->caps >> caps[i].cap & 1)
			n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "",
					      caps[i].name);
	if (!n)
		return finding_make(
			FINDING_FACT, "none of CAP_PERFMON, CAP_SYS_ADMIN and CAP_SYS_PTRACE%s",
			r->no_new_privs ? "; no_new_privs is set: setcap(8) is without effect"
					: "");
	return finding_make(FINDING_FACT, "%s%s", list,
			    r->user_ns == NAMESPACE_OTHER
				    ? ", valid in this user namespace only: perf_event_open(2) "
				      "needs them in the initial one"
				    : "");
}

struct finding rights_find_seccomp(const struct rights *r)
{
	if (!r->known)
		return finding_make(FINDING_FACT, "not known: /proc/self/status cannot be read");
	if (!r->filter)
		return finding_make(FINDING_OK, "no filter");
	return filter_forbids(r)
		       ? finding_make(FINDING_FACT, "a filter, which forbids perf_event_open(2)")
		       : finding_make(FINDING_OK,
				      "a filter, which lets perf_event_open(2) through");
}

struct finding rights_find_container(const struct rights *r)
{
	struct finding f;

	if (r->pid_ns == NAMESPACE_OTHER) {
		f = finding_make(FINDING_WARN,
				 "the pid namespace is not the machine's%s%s%s: only tasks in it "
				 "can be seen",
				 r->container ? " ('" : "", r->container ? r->container : "",
				 r->container ? "')" : "");
		finding_set_remedy(&f, "docker run --pid=host ...");
		return f;
	}
	if (r->pid_ns == NAMESPACE_UNKNOWN)
		return finding_make(FINDING_FACT, "not known: /proc/self/ns/pid cannot be read");
	if (!r->container)
		return finding_make(FINDING_OK, "none");
	return finding_make(FINDING_OK, "there is '%s', but the pid namespace is the machine's%s",
			    r->container, r->hides ? "" : ": all tasks can be seen");
}

struct finding rights_find_hidden(const struct rights *r)
{
	struct finding f = finding_make(FINDING_WARN, "/proc is mounted with hidepid: only this "
						      "user's tasks can be seen");

	finding_set_remedy(&f, "%smount -o remount,hidepid=0 /proc", rights_sudo(r));
	return f;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/check/privilege.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/num.h"

/* ---- capability ---- */

int capability_kernel_version(const char *release)
{
	char *end;
	long major = strtol(release, &end, 10), minor;

	if (*end != '.')
		return 0;
	minor = strtol(end + 1, NULL, 10);
	if (major <= 0 || major >= 1000 || minor < 0 || minor >= 1000)
		return 0;
	return (int)(1000 * major + minor);
}

const char *capability_to_give(int version)
{
	if (version == 5008)
		return "cap_perfmon,cap_sys_ptrace";
	return version && version < 5008 ? "cap_sys_ptrace" : "cap_perfmon";
}

/* ---- privilege ---- */

#define KEPT (1ull << CAP_PERFMON_BIT | 1ull << CAP_SYS_ADMIN_BIT | 1ull << CAP_SYS_PTRACE_BIT)

/* The sets of capget(2), as 64 bits each. */
struct sets {
	uint64_t effective, permitted, inheritable;
};

static int get_sets(struct sets *s)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	*s = (struct sets){0, 0, 0};
	if (syscall(SYS_capget, &header, data))
		return -errno;
	for (int i = _LINUX_CAPABILITY_U32S_3; i-- > 0;) {
		s->effective = s->effective << 32 | data[i].effective;
		s->permitted = s->permitted << 32 | data[i].permitted;
		s->inheritable = s->inheritable << 32 | data[i].inheritable;
	}
	return 0;
}

static int set_sets(const struct sets *s)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];

	for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
		data[i].effective = (uint32_t)(s->effective >> 32 * i);
		data[i].permitted = (uint32_t)(s->permitted >> 32 * i);
		data[i].inheritable = (uint32_t)(s->inheritable >> 32 * i);
	}
	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

bool privilege_from_file(void)
{
	return getauxval(AT_SECURE) && getuid();
}

void privilege_find_program(char *path, size_t size)
{
	ssize_t n = readlink("/proc/self/exe", path, size - 1);

	if (n <= 0 || (size_t)n == size - 1)
		snprintf(path, size, "tiptop");
	else
		path[n] = '\0';
}

static int refuse_ids(const char *kind, unsigned real, unsigned effective, struct err *err)
{
	struct utsname name = {.release = ""};
	char program[128];

	privilege_find_program(program, sizeof program);
	uname(&name);
	return err_set(err, EPERM,
		       "set-%s-ID programs do all that their caller wants (real id %u, effective "
		       "id %u), which tiptop refuses: 'chmod ug-s %s' and 'setcap %s=ep %s' let "
		       "everybody count, and nothing else",
		       kind, real, effective, program,
		       capability_to_give(capability_kernel_version(name.release)), program);
}

int privilege_begin(struct err *err)
{
	struct sets s;
	int ret;

	if (getuid() != geteuid())
		return refuse_ids("user", getuid(), geteuid(), err);
	if (getgid() != getegid())
		return refuse_ids("group", getgid(), getegid(), err);
	if (!privilege_from_file())
		return 0;
	ret = get_sets(&s);
	if (!ret) {
		s = (struct sets){.permitted = s.permitted & KEPT};
		ret = set_sets(&s);
	}
	if (!ret && prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) && errno != EINVAL)
		ret = -errno;
	return ret ? err_set(err, -ret,
			     "the capabilities of the program's file cannot be lowered: %s",
			     strerror(-ret))
		   : 0;
}

bool privilege_raise(void)
{
	struct sets s;

	if (!privilege_from_file() || get_sets(&s) || s.effective == s.permitted)
		return false;
	s.effective = s.permitted;
	return !set_sets(&s);
}

void privilege_lower(bool raised)
{
	int error = errno;
	struct sets s;

	/* set_sets() cannot fail here: the kernel refuses only to add capabilities, never to remove
	 * them. */
	if (raised && !get_sets(&s)) {
		s.effective = 0;
		set_sets(&s);
	}
	errno = error;
}

static int open_raised(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid,
		       int cpu, int group_fd, unsigned long flags)
{
	bool raised = privilege_raise();
	int fd = perf_kernel_open(self, attr, tid, cpu, group_fd, flags);

	privilege_lower(raised);
	return fd;
}

void privilege_wrap(struct perf_kernel *k)
{
	k->sys.open = open_raised;
}

uint64_t privilege_held(void)
{
	struct sets s;

	get_sets(&s);
	return privilege_from_file() ? s.permitted : s.effective;
}

static bool is_one_of(int fd, const int *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == fd)
			return true;
	return false;
}

int privilege_close_files(const int *keep, size_t n)
{
	DIR *dir;

	if (!privilege_from_file())
		return 0;
	dir = opendir("/proc/self/fd");
	if (!dir)
		return -errno;
	for (struct dirent *e; (e = readdir(dir));) {
		long fd;

		if (num_parse_int(e->d_name, "a descriptor", 0, INT32_MAX, &fd, NULL) ||
		    fd == dirfd(dir) || is_one_of((int)fd, keep, n))
			continue;
		if (fcntl((int)fd, F_GETFD) & FD_CLOEXEC)
			close((int)fd);
	}
	closedir(dir);
	return 0;
}

int privilege_drop(void)
{
	const struct sets none = {0, 0, 0};

	return privilege_from_file() ? set_sets(&none) : 0;
}

int privilege_allow_trace(void)
{
	struct sets s;
	int ret;

	/* A user who has no permission to read the file must not read it in memory either. */
	if (!privilege_from_file() || access("/proc/self/exe", R_OK))
		return 0;
	ret = get_sets(&s);
	if (ret || s.permitted || s.inheritable)
		return ret ? ret : -EPERM;
	return prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) ? -errno : 0;
}

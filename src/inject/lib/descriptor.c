/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/descriptor.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Returns the lowest number to which descriptors are moved. */
static int lowest(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur / 2 > DESCRIPTOR_HIGH)
		return DESCRIPTOR_HIGH;
	return limit.rlim_cur / 2 > STDERR_FILENO ? (int)(limit.rlim_cur / 2) : STDERR_FILENO + 1;
}

int tt_descriptor_lift(int fd)
{
	const int high = fcntl(fd, F_DUPFD_CLOEXEC, lowest()), ret = high < 0 ? -EMFILE : high;

	close(fd);
	return ret;
}

/* Makes the system call directly, as the program may define a read() that replaces the C library's.
 */
static long read_system(int fd, void *to, size_t size)
{
	return syscall(SYS_read, fd, to, size);
}

bool tt_descriptor_read(int fd, struct descriptor_group *group)
{
	const int error = errno;
	bool read = false;

	if (fd >= 0 && read_system(fd, group, 0) < 0 && errno == ENOSPC)
		read = read_system(fd, group, sizeof *group) >=
		       (long)offsetof(struct descriptor_group, counter);
	errno = error;
	return read;
}

void tt_descriptor_close(int fd, uint64_t id)
{
	const int error = errno;
	struct descriptor_group group;

	if (!tt_descriptor_read(fd, &group))
		return;
	for (uint64_t i = 0; i < group.n && i < DESCRIPTOR_COUNTERS; i++)
		if (group.counter[i].id == id) {
			close(fd);
			break;
		}
	errno = error;
}

/* ---- destination ---- */

static struct {
	char path[PATH_MAX]; /* absolute; "": standard error */
	int fd; /* descriptor of the file that was opened at the start, or of standard error; -1:
		   none */
	struct stat file, root; /* of fd, and of the root folder, at the start */
	bool has_root;
	bool begun; /* tt_destination_begins_with() was called before */
} to = {.fd = -1};

/* Opens to.path with O_NONBLOCK, as the open would otherwise block until a FIFO has a reader. Then
 * the flag is cleared, so writes block. */
static int open_path(void)
{
	const int fd = open(
		to.path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);

	if (fd < 0)
		return -errno;
	fcntl(fd, F_SETFL, O_APPEND);
	return fd;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_rdev == b->st_rdev;
}

/* Sets to.path, made absolute by the current folder. */
static int set_path(const char *path)
{
	size_t n = 0;

	if (path[0] != '/') {
		if (!getcwd(to.path, sizeof to.path))
			return -errno;
		n = strlen(to.path);
		to.path[n++] = '/';
	}
	if (n + strlen(path) >= sizeof to.path) {
		to.path[0] = '\0';
		return -ENAMETOOLONG;
	}
	memcpy(to.path + n, path, strlen(path) + 1);
	return 0;
}

int tt_destination_begin(const char *path)
{
	int ret = path[0] ? set_path(path) : 0, fd = STDERR_FILENO;

	to.has_root = !stat("/", &to.root);
	if (path[0] && !ret) {
		fd = open_path();
		fd = fd < 0 ? fd : tt_descriptor_lift(fd);
		ret = fd < 0 ? fd : 0;
	}
	if (!ret && !fstat(fd, &to.file))
		to.fd = fd;
	return ret;
}

bool tt_destination_has_root(void)
{
	struct stat now;

	return to.has_root && !stat("/", &now) && is_same(&now, &to.root);
}

int tt_destination_open(void)
{
	struct stat now;
	int fd = -1;

	if (to.path[0] && tt_destination_has_root() && (fd = open_path()) >= 0)
		fd = tt_descriptor_lift(fd);
	if (fd >= 0)
		return fd;
	return to.fd >= 0 && !fstat(to.fd, &now) && is_same(&now, &to.file) ? to.fd : -EBADF;
}

/* Removes a pending signal. The kernel sends it to the thread that writes. */
static void take_signal(int signal)
{
	const struct timespec now = {.tv_nsec = 0};
	sigset_t only;

	sigemptyset(&only);
	sigaddset(&only, signal);
	sigtimedwait(&only, NULL, &now);
}

ssize_t tt_destination_write(int fd, const char *text, size_t size)
{
	static const int quiet[] = {SIGPIPE, SIGXFSZ, SIGTTOU};
	sigset_t blocked, mask, pending;
	ssize_t n;
	int error;

	sigemptyset(&blocked);
	for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
		sigaddset(&blocked, quiet[i]);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &blocked, &mask);
	n = write(fd, text, size);
	error = errno;
	if (n < 0 && error == EPIPE && !sigismember(&pending, SIGPIPE))
		take_signal(SIGPIPE);
	if (n < 0 && error == EFBIG && !sigismember(&pending, SIGXFSZ))
		take_signal(SIGXFSZ);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	errno = error;
	return n;
}

void tt_destination_close(int fd)
{
	if (fd != to.fd)
		close(fd);
}

static bool compare(int fd, const char *text, size_t n)
{
	char piece[256];

	for (size_t at = 0; at < n;) {
		const size_t most = n - at < sizeof piece ? n - at : sizeof piece;
		const ssize_t got = pread(fd, piece, most, (off_t)at);

		if (got <= 0 || memcmp(piece, text + at, (size_t)got) != 0)
			return false;
		at += (size_t)got;
	}
	return true;
}

bool tt_destination_begins_with(const char *text, size_t n)
{
	const bool begun = to.begun;
	struct stat s;
	int fd = -1;
	bool same;

	to.begun = true;
	if (to.path[0] && tt_destination_has_root() && !stat(to.path, &s) && S_ISREG(s.st_mode))
		fd = open(to.path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return begun;
	same = compare(fd, text, n);
	close(fd);
	return same;
}

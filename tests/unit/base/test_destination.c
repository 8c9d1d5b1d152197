/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Destinations: files in a folder of the test, pipes, and a terminal without a reader.
 */
#include "base/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

/* Returns the content of a file, "none" if there is no such file. */
static const char *content(const char *path, char *buf, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, size - 1);

	if (fd >= 0)
		close(fd);
	buf[n > 0 ? n : 0] = '\0';
	return n < 0 ? "none" : buf;
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	tap_ok(write(fd, text, strlen(text)) == (ssize_t)strlen(text) && !close(fd), "a file '%s'",
	       path);
}

#define CONTENT(path) content(path, (char[64]){0}, 64)

static void test_in_place(void)
{
	struct err err = ERR_INIT;
	struct dest d;

	put("old", "what was there");
	tap_int(dest_open(&d, "old", &err), 0, "a file that is there");
	tap_str(CONTENT("old"), "what was there", "opening loses nothing");
	tap_int(dest_close(&d, true, &err), 0, "all fails before the beginning");
	tap_str(CONTENT("old"), "what was there", "nothing is lost");
	tap_ok(!dest_open(&d, "old", &err) && !dest_try(&d, &err), "a try");
	tap_str(CONTENT("old"), "what was there", "loses nothing");
	dest_close(&d, true, &err);
	tap_ok(!dest_open(&d, "old", &err) && !dest_begin(&d, &err), "at the beginning");
	tap_str(CONTENT("old"), "", "what was there goes");
	tap_int(dest_write(&d, "new", 3, &err), 0, "it is written to");
	tap_int(dest_close(&d, true, &err), 0, "all fails later");
	tap_str(CONTENT("old"), "new", "what was written stays");

	tap_int(dest_open(&d, "fresh", &err), 0, "a file that is not there");
	tap_str(CONTENT("fresh"), "", "is made");
	tap_int(dest_close(&d, true, &err), 0, "all fails");
	tap_str(CONTENT("fresh"), "none", "it is not left behind");
	tap_ok(!dest_open(&d, "fresh", &err) && !dest_begin(&d, &err), "again");
	dest_write(&d, "half", 4, &err);
	dest_close(&d, true, &err);
	tap_str(CONTENT("fresh"), "half", "one that has something is");

	tap_ok(!symlink("nothing", "dangling"), "a link to nothing");
	tap_int(dest_open(&d, "dangling", &err), 0, "is followed");
	dest_close(&d, true, &err);
	tap_ok(!access("dangling", F_OK), "and neither the link nor what it leads to goes");
}

static void test_beside(void)
{
	struct err err = ERR_INIT;
	struct stat st;
	struct dest d;
	mode_t mask = umask(027);

	put("rows", "old");
	tap_int(dest_open_beside(&d, "rows", true, &err), 0, "beside a file that is there");
	dest_write(&d, "new rows", 8, &err);
	tap_str(CONTENT("rows"), "old", "readers see the old one until the end");
	tap_int(dest_close(&d, false, &err), 0, "the end");
	tap_str(CONTENT("rows"), "new rows", "then the new one");
	tap_ok(!stat("rows", &st) && (st.st_mode & 07777) == 0640, "mode 0644 less the umask");
	umask(mask);

	dest_open_beside(&d, "rows", true, &err);
	dest_write(&d, "half", 4, &err);
	tap_int(dest_close(&d, true, &err), 0, "all fails");
	tap_str(CONTENT("rows"), "new rows", "the old one stays");
	dest_open_beside(&d, "rows", false, &err);
	tap_int(dest_close(&d, false, &err), -EEXIST, "one that may not be overwritten");
	tap_str(CONTENT("rows"), "new rows", "stays, too");
	tap_int(dest_open_beside(&d, "none/rows", true, &err), -ENOENT,
		"a folder that is not there");
	tap_str(err.text, "cannot write 'none/rows': No such file or directory", "with a sentence");
	tap_int(system("test \"$(ls rows*)\" = rows"), 0, "nothing is left beside it");
}

static bool no_exchange; /* the file system cannot exchange files */
static int n_exchanged;

/* Takes the place of the C library's function. */
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags)
{
	int ret;

	if (flags & RENAME_EXCHANGE && no_exchange) {
		errno = EINVAL;
		return -1;
	}
	ret = (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
	n_exchanged += flags & RENAME_EXCHANGE && !ret;
	return ret;
}

/* Replaces the file "often" by one that need not survive a crash. */
static void replace_transient(const char *text)
{
	struct err err = ERR_INIT;
	struct dest d;

	dest_open_beside(&d, "often", true, &err);
	d.transient = true;
	dest_write(&d, text, strlen(text), &err);
	tap_int(dest_close(&d, false, &err), 0, "a file that is replaced often: %s", text);
	tap_str(CONTENT("often"), text, "has the new text");
}

static void test_transient(void)
{
	replace_transient("first");
	tap_int(n_exchanged, 0, "there was no file to exchange it with");
	tap_int(link("often", "kept"), 0, "the old file has a second name");
	replace_transient("second");
	tap_str(CONTENT("kept"), "first", "the old one is as it was");
	if (syscall(SYS_renameat2, AT_FDCWD, "often", AT_FDCWD, "kept", RENAME_EXCHANGE) &&
	    errno == EINVAL)
		tap_skip("the files are exchanged", "the file system cannot do that");
	else
		tap_int(n_exchanged, 1, "the files are exchanged");
	no_exchange = true;
	replace_transient("third");
	tap_int(system("test \"$(ls often*)\" = often"), 0, "nothing is left beside it");
	unlink("often");
	unlink("kept");
}

/* A FIFO is written to, not replaced by a file. A link stays, too, and the file to which it points
 * is replaced. */
static void test_beside_special(void)
{
	struct err err = ERR_INIT;
	char text[8] = {0};
	struct stat st;
	struct dest d;
	int reader;

	tap_ok(!mkfifo("fifo", 0600) && !symlink("fifo", "to-fifo"), "a FIFO, and a link to it");
	tap_int(dest_open_beside(&d, "fifo", true, &err), -ENXIO, "without a reader");
	tap_str(err.text, "cannot write 'fifo': it is a FIFO that no program reads, or a socket",
		"it is refused");
	reader = open("fifo", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	tap_int(dest_open_beside(&d, "to-fifo", true, &err), 0, "with one");
	tap_ok(!dest_begin(&d, &err) && !dest_write(&d, "rows", 4, &err) &&
		       !dest_close(&d, false, &err),
	       "it is written to");
	tap_ok(read(reader, text, sizeof text) == 4 && !strcmp(text, "rows"), "the reader has it");
	tap_ok(!lstat("fifo", &st) && S_ISFIFO(st.st_mode), "it is a FIFO still");
	tap_ok(!lstat("to-fifo", &st) && S_ISLNK(st.st_mode), "and the link one");
	close(reader);
	put("rows", "old");
	tap_ok(!symlink("rows", "to-rows"), "a link to a file");
	dest_open_beside(&d, "to-rows", true, &err);
	tap_ok(!dest_write(&d, "new", 3, &err) && !dest_close(&d, false, &err), "is written to");
	tap_str(CONTENT("rows"), "new", "the file is replaced");
	tap_ok(!lstat("to-rows", &st) && S_ISLNK(st.st_mode), "the link stays");
	tap_int(dest_open_beside(&d, ".", true, &err), -EISDIR, "a folder is refused");
	tap_int(system("test \"$(ls -d fifo* rows* to-* | tr '\\n' ' ')\" = "
		       "'fifo rows to-fifo to-rows '"),
		0, "nothing else is there");
	unlink("fifo"), unlink("to-fifo"), unlink("to-rows");
}

/* Uses a device node made by the test: if the test fails, no node of the machine is lost. */
static void test_beside_device(void)
{
	struct err err = ERR_INIT;
	struct stat st;
	struct dest d;

	if (mknod("full", S_IFCHR | 0600, makedev(1, 7)) || dest_open(&d, "full", &err)) {
		tap_ok(true, "a device # SKIP no node can be made here");
		unlink("full");
		return;
	}
	dest_close(&d, true, &err);
	tap_int(dest_open_beside(&d, "full", true, &err), 0, "a device that is full");
	tap_int(dest_write(&d, "x", 1, &err), -ENOSPC, "takes nothing");
	dest_close(&d, true, &err);
	tap_ok(!lstat("full", &st) && S_ISCHR(st.st_mode) && (st.st_mode & 07777) == 0600,
	       "and is the same device still");
	unlink("full");
}

/* Standard output is a file: opened by a link like /dev/stdout, it is continued, not replaced. The
 * link is one made by the test, so that /dev/stdout is not lost if the test fails. */
static void test_beside_output(void)
{
	const int usual = dup(STDOUT_FILENO);
	struct err err = ERR_INIT;
	struct dest d;
	int ret;

	put("rows", "");
	tap_int(symlink("/proc/self/fd/1", "output"), 0, "a link to standard output");
	fflush(stdout);
	dup2(open("rows", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
	ret = write(STDOUT_FILENO, "first ", 6) == 6 ? dest_open_beside(&d, "output", true, &err)
						     : -1;
	if (!ret)
		ret = dest_begin(&d, &err) | dest_write(&d, "second", 6, &err) |
		      dest_close(&d, false, &err);
	dup2(usual, STDOUT_FILENO);
	close(usual);
	tap_int(ret, 0, "by its name");
	tap_str(CONTENT("rows"), "first second", "is written to");
	unlink("output");
}

static void test_refused(void)
{
	struct err err = ERR_INIT;
	struct dest d;

	tap_int(dest_open(&d, ".", &err), -EISDIR, "a folder");
	tap_str(err.text, "cannot write '.': Is a directory", "with a sentence");
	tap_int(dest_close(&d, true, &err), 0, "closing what was not opened is nothing");
	tap_int(dest_open(&d, "/dev/full", &err), 0, "a full disk");
	tap_int(dest_try(&d, &err), 0, "a full disk: not seen before it is written to");
	tap_int(dest_begin(&d, &err), 0, "has nothing to be cut off");
	tap_int(dest_write(&d, "x", 1, &err), -ENOSPC, "a full disk: -ENOSPC");
	close(d.fd);
	tap_int(dest_write(&d, "x", 1, &err), -EBADF, "a closed descriptor: -EBADF");
	tap_int(dest_write(&d, "x", 0, &err), 0, "nothing to write is no failure");
	tap_int(dest_close(&d, false, &err), -EBADF, "the end says what is wrong");
	tap_str(err.text, "cannot write '/dev/full': Bad file descriptor", "with a sentence");
	dest_use(&d, STDOUT_FILENO);
	tap_ok(!dest_close(&d, false, &err) && fcntl(STDOUT_FILENO, F_GETFD) >= 0,
	       "standard output stays open");
}

/* A child that reads slowly. Returns 1 if it got exactly n bytes in order, else 0. */
static int read_slowly(int fd, size_t size)
{
	size_t got = 0;
	bool good = true;
	char buf[777];
	ssize_t n;

	while ((n = read(fd, buf, sizeof buf)) > 0) {
		for (ssize_t i = 0; i < n; i++)
			good &= buf[i] == (char)((got + (size_t)i) % 251);
		got += (size_t)n;
		if (got % 7 == 0)
			poll(NULL, 0, 1);
	}
	return good && got == size;
}

/* A pipe holds 64 KiB; if it is full, write(2) blocks, or fails with EAGAIN if O_NONBLOCK is
 * set. */
static void test_short_writes(int flags, const char *what)
{
	const size_t size = 1000003;
	char *data = malloc(size);
	struct err err = ERR_INIT;
	int fds[2], status = 0;
	struct dest dest;
	pid_t pid;

	for (size_t i = 0; i < size; i++)
		data[i] = (char)(i % 251);
	tap_int(pipe(fds), 0, "%s: a pipe", what);
	fflush(stdout);
	pid = fork();
	if (!pid) {
		close(fds[1]);
		_exit(read_slowly(fds[0], size));
	}
	close(fds[0]);
	fcntl(fds[1], F_SETFL, flags);
	dest_use(&dest, fds[1]);
	tap_int(dest_write(&dest, data, size, &err), 0, "%s: all is written", what);
	close(fds[1]);
	waitpid(pid, &status, 0);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 1, "%s: and all of it arrives, in order",
	       what);
	free(data);
}

static bool stop_at_third(void *context)
{
	return ++*(int *)context == 3;
}

/* If nothing reads, a write ends when it is requested to stop, and not before. */
static void test_stop(void)
{
	static const char data[1 << 18];
	int fds[2], bell[2], asked = 2;
	struct dest_wake wake = {.stop = stop_at_third, .context = &asked};
	struct err err = ERR_INIT;
	struct dest dest;

	tap_ok(!pipe(fds) && !pipe(bell) && write(bell[1], "w", 1) == 1,
	       "two pipes, one of which wakes");
	dest_use(&dest, fds[1]);
	wake.fd = bell[0];
	dest.wake = &wake;
	tap_int(dest_write(&dest, data, 100, &err), 0, "what fits is written, whatever woke it");
	tap_int(asked, 2, "without asking whether to stop");
	asked = 0;
	tap_int(dest_write(&dest, data, sizeof data, &err), -ECANCELED,
		"a full pipe: -ECANCELED where it is to stop");
	tap_int(asked, 3, "it asked each time that it was woken");
	for (int i = 0; i < 2; i++)
		close(fds[i]), close(bell[i]);
}

static volatile sig_atomic_t rang;

static void ring(int number)
{
	(void)number;
	rang = 1;
}

/* Returns whether the descriptor accepts no more output, or SIGALRM had to interrupt a blocked
 * write. */
static bool stop_when_full(void *context)
{
	struct pollfd fd = {.fd = *(int *)context, .events = POLLOUT};

	return rang || poll(&fd, 1, 0) == 0;
}

/* A terminal that nothing reads is full after some bytes. A write to it can still be requested to
 * stop, and does not block. n_before bytes are written before, so that there is room for a part of
 * the write only. */
static void test_terminal(size_t n_before)
{
	static const char data[1 << 20];
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), bell[2], slave;
	struct sigaction action = {.sa_handler = ring};
	struct dest_wake wake = {.stop = stop_when_full, .context = &slave};
	struct err err = ERR_INIT;
	struct dest dest;

	tap_ok(master >= 0 && !grantpt(master) && !unlockpt(master), "a terminal");
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	tap_ok(!pipe(bell) && write(bell[1], "w", 1) == 1, "and a pipe that wakes");
	tap_int(write(slave, data, n_before), (long)n_before, "what is there before");
	wake.fd = bell[0];
	dest_use(&dest, slave);
	dest.wake = &wake;
	rang = 0;
	sigaction(SIGALRM, &action, NULL);
	alarm(20);
	tap_int(dest_write(&dest, data, sizeof data, &err), -ECANCELED,
		"a full terminal: it can be told to stop");
	alarm(0);
	tap_ok(!rang, "and nothing else had to end the write");
	tap_ok(!(fcntl(slave, F_GETFL) & O_NONBLOCK), "others who have it open still wait for it");
	dest_close(&dest, false, &err);
	close(slave), close(master), close(bell[0]), close(bell[1]);
}

static void test_append(void)
{
	struct err err = ERR_INIT;
	struct dest d;

	put("rows", "a,b\n1,2\n");
	tap_ok(!dest_open_append(&d, "rows", &err) && d.filled, "a file to append to");
	tap_int(dest_check(&d, "a,b\n", &err), 0, "that begins as it should");
	tap_int(dest_begin(&d, &err), 0, "at the beginning");
	dest_write(&d, "3,4\n", 4, &err);
	dest_close(&d, false, &err);
	tap_str(CONTENT("rows"), "a,b\n1,2\n3,4\n", "what was there stays");
	dest_open_append(&d, "rows", &err);
	tap_int(dest_check(&d, "a,c\n", &err), -EINVAL, "another header");
	tap_str(err.text,
		"cannot append to 'rows': it does not begin with 'a,c': name another file, or "
		"leave out --append to overwrite it",
		"is told");
	tap_int(dest_check(&d, "a,b\n1,2\n3,4\n5", &err), -EINVAL, "a file that is shorter");
	dest_close(&d, true, &err);
	put("rows", "a,b\n1,");
	dest_open_append(&d, "rows", &err);
	tap_int(dest_check(&d, "a,b\n", &err), -EINVAL, "a line that is not whole");
	tap_str(err.text,
		"cannot append to 'rows': its last line is incomplete: delete that line, or name "
		"another file",
		"is told");
	dest_close(&d, true, &err);
	tap_str(CONTENT("rows"), "a,b\n1,", "and nothing is lost");
	tap_ok(!dest_open_append(&d, "none-yet", &err) && !d.filled, "one that is not there");
	tap_int(dest_check(&d, "a,b\n", &err), 0, "begins with anything");
	dest_close(&d, true, &err);
	tap_int(dest_open_or_append(&d, "-", true, &err), 0, "the file '-'");
	tap_ok(!d.path && !d.appends && access("-", F_OK), "is standard output");
	dest_close(&d, true, &err);
	unlink("rows");
}

/* The size of the file is limited, as on a full file system: the file is truncated to complete
 * lines. */
static void test_cut_back(void)
{
	struct rlimit old, small = {.rlim_cur = 10};
	struct err err = ERR_INIT;
	struct dest d;
	int ret;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	put("full", "");
	dest_open(&d, "full", &err);
	setrlimit(RLIMIT_FSIZE, &small);
	ret = dest_write(&d, "12\n45\n789012\n", 13, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	tap_int(ret, -EFBIG, "what is too long");
	tap_str(CONTENT("full"), "12\n45\n", "is cut back to the last whole line");
	dest_write(&d, "6\n", 2, &err);
	tap_str(CONTENT("full"), "12\n45\n6\n", "behind which it can go on");
	setrlimit(RLIMIT_FSIZE, &small);
	ret = dest_write(&d, "0123456", 7, &err);
	setrlimit(RLIMIT_FSIZE, &old);
	tap_int(ret, -EFBIG, "a line that does not fit");
	tap_str(CONTENT("full"), "12\n45\n6\n", "is not there");
	dest_close(&d, true, &err);
	unlink("full");
}

/* After a signal (impatient), a write does not wait for the reader. */
static void test_impatient(void)
{
	char block[4096] = {0};
	struct err err = ERR_INIT;
	struct dest d;
	int fds[2];

	tap_int(pipe(fds), 0, "a pipe");
	fcntl(fds[1], F_SETFL, O_NONBLOCK);
	while (write(fds[1], block, sizeof block) > 0)
		;
	dest_use(&d, fds[1]);
	d.impatient = true;
	tap_int(dest_write(&d, "x", 1, &err), -ECANCELED, "that is full is not waited for");
	tap_ok(read(fds[0], block, sizeof block) == sizeof block, "its reader reads");
	tap_int(dest_write(&d, "x", 1, &err), 0, "then it takes something");
	dest_close(&d, true, &err);
	close(fds[0]);
	close(fds[1]);
}

/* Checks two files of a command, the second at another path. */
static void check_pair(const char *path, const char *other, enum dest_use use,
		       enum dest_use other_use, const char *sentence)
{
	const struct dest_file file[] = {
		{"one", path, use}, {"none", NULL, DEST_IS_READ}, {"two", other, other_use}};
	struct err err = ERR_INIT;
	const int ret = dest_check_files(file, 3, &err);

	tap_int(ret, sentence ? -EINVAL : 0, "'%s' and '%s'", path, other);
	tap_str(err.text, sentence ? sentence : "", "'%s' and '%s': the sentence", path, other);
}

static void test_files(void)
{
	put("old", "what was there");
	tap_ok(!symlink("old", "link") && !symlink("../no folder/x", "lost") &&
		       !symlink("a", "b") && !symlink("b", "a") && !symlink("./link2", "link1") &&
		       !symlink("./missing", "link2"),
	       "links");
	check_pair("old", "./link", DEST_IS_WRITTEN, DEST_IS_WRITTEN,
		   "one and two would overwrite each other in 'old': name two files");
	check_pair("old", "link", DEST_IS_WRITTEN, DEST_IS_READ,
		   "one would overwrite two, 'link': name another file");
	check_pair("old", "link", DEST_IS_READ, DEST_IS_REPLACED,
		   "two would replace one, 'old': name another file");
	check_pair("old", "link", DEST_IS_WRITTEN, DEST_IS_REPLACED,
		   "two would replace one, 'old': name another file");
	check_pair("old", "link", DEST_IS_READ, DEST_IS_READ, NULL);
	check_pair("missing", "link1", DEST_IS_WRITTEN, DEST_IS_WRITTEN,
		   "one and two would overwrite each other in 'missing': name two files");
	check_pair("missing", "../missing", DEST_IS_WRITTEN, DEST_IS_WRITTEN, NULL);
	check_pair("missing", "old", DEST_IS_WRITTEN, DEST_IS_WRITTEN, NULL);
	check_pair("lost", "lost", DEST_IS_WRITTEN, DEST_IS_WRITTEN, NULL);
	check_pair("a", "b", DEST_IS_WRITTEN, DEST_IS_WRITTEN, NULL);
	check_pair("/dev/null", "/dev/null", DEST_IS_WRITTEN, DEST_IS_WRITTEN, NULL);
	for (const char *const *name =
		     (const char *const[]){"link", "lost", "a", "b", "link1", "link2", NULL};
	     *name; name++)
		unlink(*name);
}

int main(void)
{
	char folder[] = P_tmpdir "/tiptop-dest-XXXXXX";

	signal(SIGPIPE, SIG_IGN);
	if (!mkdtemp(folder) || chdir(folder))
		return 99;
	test_in_place();
	test_beside();
	test_transient();
	test_beside_special();
	test_beside_device();
	test_beside_output();
	test_refused();
	test_short_writes(0, "a pipe");
	test_short_writes(O_NONBLOCK, "a pipe that does not wait");
	test_stop();
	test_append();
	test_cut_back();
	test_impatient();
	test_files();
	for (size_t n_before = 0; n_before < 4000; n_before += 1000)
		test_terminal(n_before);
	for (const char *const *name =
		     (const char *const[]){"old", "fresh", "dangling", "nothing", "rows", NULL};
	     *name; name++)
		unlink(*name);
	tap_int(chdir("/") || rmdir(folder), 0, "nothing else is left behind");
	return tap_done();
}

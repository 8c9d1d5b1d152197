/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "app/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

#define PROGRAM     "gnuplot"
#define PICTURE_MAX (256 << 20)
#define SAID_MAX    4096

/* What gnuplot gets and gives: files in memory, by their descriptors there. */
enum { FILE_OUT = 1, FILE_SAID = 2, FILE_DATA = 3, FILE_SCRIPT = 4, N_FILES };

/* Above those that gnuplot has, so that none of these is in the way. */
static int new_file(const struct strbuf *text, struct err *err)
{
	const int low = memfd_create("plot", MFD_CLOEXEC);
	const int fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, N_FILES);
	size_t done = 0;
	ssize_t n = 0;

	if (low >= 0)
		close(low);
	while (fd >= 0 && text && done < text->len && n >= 0) {
		n = write(fd, text->text + done, text->len - done);
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0 && n >= 0)
		return fd;
	err_set(err, errno, "cannot keep what is to be drawn: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	return -1;
}

static int open_files(int file[N_FILES], const struct strbuf *script, const struct strbuf *data,
		      struct err *err)
{
	for (int i = 0; i < N_FILES; i++)
		file[i] = -1;
	for (int i = FILE_OUT; i < N_FILES; i++) {
		file[i] = new_file(i == FILE_DATA ? data : i == FILE_SCRIPT ? script : NULL, err);
		if (file[i] < 0)
			return -err->code;
	}
	return 0;
}

static void close_files(int file[N_FILES])
{
	for (int i = 0; i < N_FILES; i++)
		if (file[i] >= 0)
			close(file[i]);
}

/* From its begin, wherever it was written last. */
static ssize_t read_file(int fd, size_t max, struct strbuf *out)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return file_read_all(AT_FDCWD, path, max, out);
}

/* The child has the signals that every program has. */
static int start(pid_t *pid, const int file[N_FILES], char *const argv[])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, all;
	int ret;

	sigemptyset(&none);
	sigfillset(&all);
	posix_spawn_file_actions_init(&actions);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &all);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	for (int i = FILE_OUT; i < N_FILES; i++)
		posix_spawn_file_actions_adddup2(&actions, file[i], i);
	ret = posix_spawnp(pid, PROGRAM, &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return -ret;
}

static int await(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

/* The first line with a reason: before it, gnuplot shows the place in the script. */
static int complain(int said_fd, struct err *err)
{
	struct strbuf said;
	char *line, *rest = NULL, *reason = NULL;

	strbuf_init(&said);
	read_file(said_fd, SAID_MAX, &said);
	for (line = strtok_r(said.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (!reason && line[strspn(line, " \t^")])
			reason = line + strspn(line, " \t");
	err_set(err, EIO, "gnuplot could not draw: %s", reason ? reason : "it does not say why");
	strbuf_done(&said);
	return -EIO;
}

static int run(const int file[N_FILES], char *const argv[], struct strbuf *picture, struct err *err)
{
	pid_t pid;
	int ret = start(&pid, file, argv);

	if (ret == -ENOENT)
		return err_set(
			err, ENOENT,
			"pictures are drawn by gnuplot, which is not installed: it is in the "
			"package gnuplot-nox (Debian, Ubuntu) or gnuplot (Fedora, Arch)");
	if (ret)
		return err_set(err, -ret, "cannot run gnuplot: %s", strerror(-ret));
	if (await(pid) || read_file(file[FILE_OUT], PICTURE_MAX, picture) <= 0)
		return complain(file[FILE_SAID], err);
	return 0;
}

int gnuplot_run(const struct strbuf *script, const struct strbuf *data,
		const struct strbuf *argument, size_t n_arguments, struct strbuf *picture,
		struct err *err)
{
	char *argv[4 + GNUPLOT_ARGUMENTS_MAX + 1] = {(char *)PROGRAM, (char *)"--default-settings",
						     (char *)"-c", (char *)"/dev/fd/4"};
	int file[N_FILES], ret;

	for (size_t i = 0; i < n_arguments && i < GNUPLOT_ARGUMENTS_MAX; i++)
		argv[4 + i] = argument[i].text;
	ret = open_files(file, script, data, err);
	if (!ret)
		ret = run(file, argv, picture, err);
	close_files(file);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/call_additions.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "run/helper.h"

#define MESSAGES_MAX 65536

/* Files in memory. awk gets each file as the descriptor with its number, so FILE_CODE is its
 * standard output and FILE_MESSAGES its standard error. cc gets FILE_MESSAGES as both, FILE_CODE as
 * descriptor 3 and FILE_FLAGS as descriptor 4. */
enum { FILE_CODE = 1, FILE_MESSAGES = 2, FILE_SCRIPT = 3, FILE_LIST = 4, FILE_FLAGS = 5, N_FILES };

/* --- the folder --- */

static int make_folder(struct call_additions *a, struct err *err)
{
	const char *parent = secure_getenv("TMPDIR");
	struct statvfs system;

	if (!parent || parent[0] != '/')
		parent = "/tmp";
	if (snprintf(a->folder, sizeof a->folder, "%s/tiptop-calls.XXXXXX", parent) >=
	    (int)sizeof a->folder)
		errno = ENAMETOOLONG;
	else if (mkdtemp(a->folder))
		errno = 0;
	if (errno) {
		a->folder[0] = '\0';
		return err_set(err, errno, "calls: cannot make a folder in '%s': %s", parent,
			       strerror(errno));
	}
	if (!statvfs(a->folder, &system) && system.f_flag & ST_NOEXEC)
		return err_set(err, EACCES,
			       "calls: nothing in '%s' may be executed (noexec): name another "
			       "folder with TMPDIR",
			       parent);
	return 0;
}

/* --- error messages of the helpers --- */

/* Returns whether the line is an error message of the compiler or the linker, not the line in which
 * cc only reports that the linker failed. */
static bool is_error(const char *line)
{
	return strstr(line, "error: ") && !strstr(line, "ld returned") &&
	       !strstr(line, "linker command failed");
}

/* Sets an error with the first error line of the helper, or its first line: warnings may come
 * before the error. Returns -EINVAL. */
static int set_helper_error(int messages_fd, const char *who, struct err *err)
{
	struct strbuf said;
	char *line, *rest = NULL, *first = NULL, *error = NULL;

	strbuf_init(&said);
	helper_read_file(messages_fd, MESSAGES_MAX, &said);
	for (line = strtok_r(said.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		first = first ? first : line;
		error = error || !is_error(line) ? error : line;
	}
	line = error ? error : first;
	if (line)
		text_sanitize(line, '?');
	err_set(err, EINVAL, "calls: %s%s", who, line ? line : "it failed without a message");
	strbuf_done(&said);
	return -EINVAL;
}

static int run(struct call_additions *a, char *const argv[], const int *file, int n,
	       const char *who, struct err *err)
{
	int status, ret = helper_run(argv, file, n, a->signals, "compiling the functions", &status);

	if (ret == -EINTR) {
		a->ended_by = status;
		return err_set(err, EINTR, "calls: a signal ended tiptop while %s ran", argv[0]);
	}
	if (ret == -ENOENT)
		return err_set(err, ENOENT,
			       "calls: functions are added by %s, which is not installed: it is in "
			       "the package %s",
			       argv[0], !strcmp(argv[0], "cc") ? "gcc or clang" : "mawk or gawk");
	if (ret)
		return err_set(err, -ret, "calls: cannot run %s: %s", argv[0], strerror(-ret));
	return status ? set_helper_error(file[FILE_MESSAGES], who, err) : 0;
}

/* Runs awk, which converts the file into C. A relative path gets the prefix "./": awk would take an
 * argument with "=" for an assignment, and "-" for its standard input. */
static int make_code(struct call_additions *a, const int file[N_FILES], const char *path,
		     struct err *err)
{
	struct strbuf name;
	char *argv[] = {(char *)"awk",
			(char *)"-v",
			(char *)"make=more",
			(char *)"-v",
			(char *)"flags=/dev/fd/5",
			(char *)"-f",
			(char *)"/dev/fd/3",
			(char *)"/dev/fd/4",
			NULL,
			NULL};
	int ret;

	strbuf_init(&name);
	strbuf_addf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
	argv[8] = name.text;
	ret = run(a, argv, file, N_FILES, "", err);
	strbuf_done(&name);
	return ret;
}

static int compile(struct call_additions *a, const int made[N_FILES], const char *path,
		   struct err *err)
{
	const int file[] = {-1, made[FILE_MESSAGES], made[FILE_MESSAGES], made[FILE_CODE],
			    made[FILE_FLAGS]};
	const char *slash = strrchr(path, '/');
	struct strbuf headers;
	char *argv[] = {(char *)"cc",
			(char *)"-std=gnu11",
			(char *)"-D_GNU_SOURCE",
			(char *)"-O2",
			(char *)"-fPIC",
			(char *)"-shared",
			(char *)"-fexceptions",
			(char *)"-fno-builtin",
			(char *)"-Werror=implicit-function-declaration",
			(char *)"-Werror=incompatible-pointer-types",
			(char *)"-o",
			a->object,
			NULL,
			(char *)"-x",
			(char *)"c",
			(char *)"/dev/fd/3",
			(char *)"-x",
			(char *)"none",
			(char *)"-Wl,-z,nodelete",
			(char *)"-Wl,--no-as-needed",
			(char *)"@/dev/fd/4",
			NULL};
	int ret;

	snprintf(a->object, sizeof a->object, "%s/more.so", a->folder);
	strbuf_init(&headers);
	strbuf_addf(&headers, "-I%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	argv[12] = headers.text;
	ret = run(a, argv, file, sizeof file / sizeof *file, "cc: ", err);
	strbuf_done(&headers);
	return ret;
}

static int open_files(int file[N_FILES], struct err *err)
{
	const char *const *text[N_FILES] = {[FILE_SCRIPT] = calls_awk, [FILE_LIST] = calls_list};
	struct strbuf all;
	int ret = 0;

	strbuf_init(&all);
	for (int i = FILE_CODE; i < N_FILES && !ret; i++) {
		strbuf_reset(&all);
		for (const char *const *line = text[i]; line && *line; line++)
			strbuf_addf(&all, "%s\n", *line);
		file[i] = helper_new_file(&all, err);
		ret = file[i] < 0 ? -err->code : 0;
	}
	strbuf_done(&all);
	return ret;
}

static int check_readable(const char *path, struct err *err)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat s;
	int error = fd < 0 || fstat(fd, &s) ? errno : S_ISREG(s.st_mode) ? 0 : EINVAL;

	if (fd >= 0)
		close(fd);
	return error ? err_set(err, error, "calls: cannot read '%s': %s", path,
			       error == EINVAL ? "it is not a regular file" : strerror(error))
		     : 0;
}

int call_additions_make(struct call_additions *a, const char *path, const struct signals *signals,
			struct err *err)
{
	int file[N_FILES] = {-1, -1, -1, -1, -1, -1}, ret = check_readable(path, err);

	*a = (struct call_additions){.folder = "", .signals = signals};
	if (!ret)
		ret = open_files(file, err);
	if (!ret)
		ret = make_code(a, file, path, err);
	if (!ret)
		ret = make_folder(a, err);
	if (!ret)
		ret = compile(a, file, path, err);
	for (int i = 0; i < N_FILES; i++)
		if (file[i] >= 0)
			close(file[i]);
	return ret;
}

void call_additions_remove(struct call_additions *a)
{
	if (a->object[0])
		unlink(a->object);
	if (a->folder[0])
		rmdir(a->folder);
	*a = (struct call_additions){.folder = ""};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/gnuplot.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "run/helper.h"

#define PROGRAM     "gnuplot"
#define PICTURE_MAX (256 << 20)
#define SAID_MAX    4096

/* What gnuplot gets and gives: files in memory, by their descriptors there. */
enum { FILE_OUT = 1, FILE_SAID = 2, FILE_DATA = 3, FILE_SCRIPT = 4, N_FILES };

static int open_files(int file[N_FILES], const struct strbuf *script, const struct strbuf *data,
		      struct err *err)
{
	for (int i = 0; i < N_FILES; i++)
		file[i] = -1;
	for (int i = FILE_OUT; i < N_FILES; i++) {
		file[i] = helper_new_file(i == FILE_DATA     ? data
					  : i == FILE_SCRIPT ? script
							     : NULL,
					  err);
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

/* The first line with a reason: before it, gnuplot shows the place in the script. */
static int complain(int said_fd, struct err *err)
{
	struct strbuf said;
	char *line, *rest = NULL, *reason = NULL;

	strbuf_init(&said);
	helper_read_file(said_fd, SAID_MAX, &said);
	for (line = strtok_r(said.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (!reason && line[strspn(line, " \t^")])
			reason = line + strspn(line, " \t");
	err_set(err, EIO, "gnuplot could not draw: %s", reason ? reason : "it does not say why");
	strbuf_done(&said);
	return -EIO;
}

static int run(const int file[N_FILES], char *const argv[], struct strbuf *picture, struct err *err)
{
	int status, ret = helper_run(argv, file, N_FILES, NULL, "drawing the picture", &status);

	if (ret == -ENOENT)
		return err_set(
			err, ENOENT,
			"pictures are drawn by gnuplot, which is not installed: it is in the "
			"package gnuplot-nox (Debian, Ubuntu) or gnuplot (Fedora, Arch)");
	if (ret)
		return err_set(err, -ret, "cannot run gnuplot: %s", strerror(-ret));
	if (status || helper_read_file(file[FILE_OUT], PICTURE_MAX, picture) <= 0)
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names in a folder.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"

static const char *const names[] = {"b", ".hidden", "a", "B"};

static void make_file(const char *name)
{
	const int fd = open(name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	if (fd >= 0)
		close(fd);
}

static void test_folder(void)
{
	struct folder f;

	tap_ok(folder_open(&f, "%s", ".") >= 3, "a folder");
	tap_str(folder_next(&f), "B", "names in the order of bytes");
	tap_str(folder_next(&f), "a", "the second");
	tap_str(folder_next(&f), "b", "the third, without the hidden one");
	tap_ok(!folder_next(&f), "the end");
	tap_ok(!folder_next(&f), "and again");
	tap_int(folder_open(&f, "%s", "none"), -ENOENT, "no such folder");
	tap_ok(!folder_next(&f), "has no names");
}

int main(void)
{
	char folder[] = P_tmpdir "/tiptop-file-XXXXXX";

	if (!mkdtemp(folder) || chdir(folder)) {
		perror(folder);
		return 1;
	}
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		make_file(names[i]);
	test_folder();
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		unlink(names[i]);
	rmdir(folder);
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/oom.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

#define VMSTAT_MAX 65536

int oom_parse_kills(const char *text, uint64_t *n)
{
	static const char key[] = "\noom_kill ";
	const char *line = strstr(text, key);

	if (!line || !isdigit((unsigned char)line[strlen(key)]))
		return -ENODATA;
	*n = strtoull(line + strlen(key), NULL, 10);
	return 0;
}

int oom_read_kills(uint64_t *n)
{
	struct strbuf text;
	ssize_t read;
	int ret;

	strbuf_init(&text);
	read = file_read_all(AT_FDCWD, "/proc/vmstat", VMSTAT_MAX, &text);
	ret = read < 0 ? (int)read : oom_parse_kills(text.text, n);
	strbuf_done(&text);
	return ret;
}

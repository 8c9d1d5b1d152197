/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of metrics: other files of the folder.
 *
 * node_exporter reads all files *.prom of its folder. Each file of tiptop has the series
 * tiptop_interval_seconds, and all its series have the labels of that one. So two files have series
 * in common exactly where they have this one.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"
#include "output/metrics_part.h"

#define FILE_MAX (1 << 24)

static bool is_collected(const char *name)
{
	const size_t n = strlen(name);

	return n >= 5 && !strcmp(name + n - 5, ".prom");
}

/* Whether the file, which is another one than `own`, has a line of this series. */
static bool has_series(const char *path, const char *own, const char *series)
{
	char *line = xasprintf("\n%s ", series);
	struct strbuf text;
	struct stat st;
	bool found;

	strbuf_init(&text);
	found = !stat(path, &st) && S_ISREG(st.st_mode) && !file_same(path, own) &&
		file_read_all(AT_FDCWD, path, FILE_MAX, &text) > 0 && strstr(text.text, line);
	strbuf_done(&text);
	free(line);
	return found;
}

char *metrics_folder_find(const char *own, const char *common)
{
	const char *slash = strrchr(own, '/');
	const int n = slash ? (int)(slash + 1 - own) : 0;
	char *series, *found = NULL;
	struct folder folder;
	const char *name;

	if (!is_collected(own) || folder_open(&folder, "%.*s", n ? n : 1, n ? own : ".") < 0)
		return NULL;
	series = xasprintf(*common ? METRICS_PREFIX "interval_seconds{%s}"
				   : METRICS_PREFIX "interval_seconds%s",
			   common);
	while ((name = folder_next(&folder))) {
		char *path = xasprintf("%.*s%s", n, own, name);

		if (!found && is_collected(name) && has_series(path, own, series))
			found = xstrdup(name);
		free(path);
	}
	free(series);
	return found;
}

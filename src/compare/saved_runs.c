/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"

/* The next file of the word, which goes on at *rest then; NULL: there is none. */
static char *take_file(const char **rest)
{
	const char *begin = *rest, *end = strchrnul(begin, ',');

	if (!*begin)
		return NULL;
	*rest = *end ? end + 1 : end;
	return xstrndup(begin, (size_t)(end - begin));
}

bool saved_runs_are_meant(const char *word)
{
	const char *whole = word;
	char *first = take_file(&word);
	const bool are = saved_is_report(whole) || (first && saved_is_report(first));

	free(first);
	return are;
}

static int read_one(struct saved_runs *r, const char *path, const char *event, struct err *err)
{
	r->run = xgrow(r->run, &r->cap, r->n + 1, sizeof *r->run);
	return saved_read(&r->run[r->n++], path, event, err);
}

int saved_runs_read(struct saved_runs *r, const char *word, const char *event, struct err *err)
{
	int ret = 0;

	*r = (struct saved_runs){.what = word};
	if (saved_is_report(word) || !strchr(word, ','))
		return read_one(r, word, event, err);
	for (char *path; !ret && (path = take_file(&word)); free(path))
		ret = read_one(r, path, event, err);
	return ret;
}

void saved_runs_done(struct saved_runs *r)
{
	for (size_t i = 0; i < r->n; i++)
		saved_done(&r->run[i]);
	free(r->run);
	*r = (struct saved_runs){.n = 0};
}

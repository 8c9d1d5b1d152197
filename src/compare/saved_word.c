/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_word.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

bool saved_word_is_list(const char *word)
{
	return strchr(word, ',') && access(word, F_OK) != 0;
}

/* Returns a copy of the next file name of the word and advances *rest; NULL: the end. */
static char *take_file(const char **rest, bool is_list)
{
	const char *begin = *rest, *end = is_list ? strchrnul(begin, ',') : begin + strlen(begin);

	if (!*begin)
		return NULL;
	*rest = *end ? end + 1 : end;
	return xstrndup(begin, (size_t)(end - begin));
}

bool saved_word_begins(const char *word, const char *type)
{
	char *path = take_file(&word, saved_word_is_list(word)), text[64];
	char *begin = xasprintf("{\"type\":\"%s\",", type);
	const ssize_t n = (ssize_t)strlen(begin);
	const bool begins =
		path && file_read(AT_FDCWD, path, text, (size_t)n + 1) == n && !strcmp(text, begin);

	free(begin);
	free(path);
	return begins;
}

int saved_word_visit(const char *word,
		     int (*read)(void *context, const char *path, struct err *err), void *context,
		     struct err *err)
{
	const bool is_list = saved_word_is_list(word);
	int ret = 0;

	for (char *path; !ret && (path = take_file(&word, is_list)); free(path))
		ret = read(context, path, err);
	return ret;
}

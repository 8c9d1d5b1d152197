/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_word.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

/* Returns whether the first n characters are the name of a file. */
static bool is_file(const char *name, size_t n)
{
	char *copy = xstrndup(name, n);
	const bool is = access(copy, F_OK) == 0;

	free(copy);
	return is;
}

/* Returns the end of the first file of a list, with its parts: the next ','; after the first part,
 * the next ',' before the name of an existing file, as parts may contain ','. */
static const char *find_end(const char *begin)
{
	const char *end = strchrnul(begin, ',');

	while (*end) {
		const size_t n = strcspn(end + 1, ",");
		const bool has_part = memchr(begin, '=', (size_t)(end - begin) + 1 + n);

		if (!has_part || is_file(end + 1, n))
			break;
		end += 1 + n;
	}
	return end;
}

bool saved_word_is_list(const char *word)
{
	const char *comma = strchr(word, ',');

	/* The first comma may be a part of a name. */
	for (const char *end = comma; end && *end;) {
		end = strchrnul(end + 1, ',');
		if (is_file(word, (size_t)(end - word)))
			return false;
	}
	return comma && *find_end(word);
}

/* Returns a copy of the next file of the word and advances *rest; NULL: the end. */
static char *take_file(const char **rest, bool is_list)
{
	const char *begin = *rest, *end = is_list ? find_end(begin) : begin + strlen(begin);

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

/* Returns whether a list names the file `path` before `end`. */
static bool is_named_before(const char *list, const char *end, const char *path)
{
	char *before;
	bool is = false;

	while (list < end && !is && (before = take_file(&list, true))) {
		is = !strcmp(before, path);
		free(before);
	}
	return is;
}

int saved_word_visit(const char *word,
		     int (*read)(void *context, const char *path, struct err *err), void *context,
		     struct err *err)
{
	const bool is_list = saved_word_is_list(word);
	const char *rest = word, *begin = word;
	int ret = 0;

	for (char *path; !ret && (path = take_file(&rest, is_list)); free(path)) {
		if (is_list && is_named_before(word, begin, path))
			ret = err_set(err, EINVAL, "'%s' names '%s' twice: it would count twice",
				      word, path);
		else
			ret = read(context, path, err);
		begin = rest;
	}
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

#define BLANKS " \t\n"

/* Appends the text up to the closing quote; *at is after the opening quote. False: there is no
 * closing quote. */
static bool take_quoted(struct strbuf *word, const char **at, char quote)
{
	const char *c = *at;

	for (; *c && *c != quote; c++) {
		if (quote == '"' && *c == '\\' && (c[1] == '"' || c[1] == '\\'))
			c++;
		strbuf_addch(word, *c);
	}
	*at = *c ? c + 1 : c;
	return *c;
}

/* Reads a word. Returns why the word is incomplete; NULL: it is complete. */
static const char *take_word(struct strbuf *word, const char **at)
{
	while (**at && !strchr(BLANKS, **at)) {
		const char c = *(*at)++;

		if (c == '\'' || c == '"') {
			if (!take_quoted(word, at, c))
				return "a quote has no end";
		} else if (c != '\\') {
			strbuf_addch(word, c);
		} else if (**at) {
			strbuf_addch(word, *(*at)++);
		} else {
			return "no character follows the last backslash";
		}
	}
	return NULL;
}

int words_split(char ***out, const char *text, const char *what, struct err *err)
{
	const char *at = text + strspn(text, BLANKS), *why = NULL;
	size_t n = 0, cap = 0;
	char **words = xgrow(NULL, &cap, 1, sizeof *words);
	struct strbuf word;

	strbuf_init(&word);
	words[0] = NULL;
	while (*at && !why) {
		strbuf_reset(&word);
		why = take_word(&word, &at);
		at += strspn(at, BLANKS);
		words = xgrow(words, &cap, n + 2, sizeof *words);
		words[n++] = xstrdup(word.text);
		words[n] = NULL;
	}
	strbuf_done(&word);
	if (!why && !n)
		why = "there is no word in it";
	*out = words;
	if (!why)
		return 0;
	words_free(words);
	*out = NULL;
	return err_set(err, EINVAL, "%s: %s: '%s'", what, why, text);
}

void words_free(char **words)
{
	for (char **word = words; word && *word; word++)
		free(*word);
	free(words);
}

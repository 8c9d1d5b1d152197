/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/child.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/strbuf.h"

#define LONGEST_MS 16 /* the longest pause between two polls */

/* Returns 1 if the child was reaped, 0 if it still runs, or -errno. */
static int reap(pid_t pid, int *status, int options)
{
	pid_t reaped;

	do
		reaped = waitpid(pid, status, options);
	while (reaped < 0 && errno == EINTR);
	return reaped < 0 ? -errno : reaped > 0;
}

/* Polls until the child is reaped or the time is up. The pauses begin short, since most children
 * end at once. Returns as reap() does. */
static int reap_until(pid_t pid, int *status, uint64_t until_ns)
{
	int ms = 1, ret;

	while (!(ret = reap(pid, status, WNOHANG)) && clock_ns(CLOCK_MONOTONIC) < until_ns) {
		poll(NULL, 0, ms);
		ms *= ms < LONGEST_MS ? 2 : 1;
	}
	return ret;
}

int child_await(pid_t pid, int limit_ms, int *status)
{
	int ignored, *to = status ? status : &ignored, ret;

	if (pid <= 0)
		return -ECHILD;
	if (limit_ms < 0)
		ret = reap(pid, to, 0);
	else
		ret = reap_until(pid, to, clock_ns(CLOCK_MONOTONIC) + (uint64_t)limit_ms * 1000000);
	return ret < 0 ? ret : ret ? 0 : -ETIMEDOUT;
}

int child_finish(pid_t pid, int limit_ms)
{
	int status = CHILD_LOST;
	int ret = child_await(pid, limit_ms, &status);

	if (ret == -ETIMEDOUT && !kill(pid, SIGKILL))
		ret = child_await(pid, CHILD_NO_LIMIT, &status);
	return ret ? CHILD_LOST : status;
}

/* ---- words ---- */

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
		why = "the text has no words";
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

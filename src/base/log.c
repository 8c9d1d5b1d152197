/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static struct log_line *find_line(struct log *log, enum log_kind kind, const char *key)
{
	for (size_t i = 0; i < log->n; i++)
		if (log->line[i].kind == kind && !strcmp(log->line[i].key, key))
			return &log->line[i];
	return NULL;
}

/* Counts a line that is not kept, once. Two keys with one hash count once: it only shows a count.
 */
static void drop_line(struct hash *dropped, const char *key)
{
	if (dropped->n < LOG_DROPPED_MAX)
		hash_put(dropped, hash_text(key, strlen(key)), dropped);
}

static struct log_line *add_line(struct log *log, enum log_kind kind, const char *key,
				 const char *sentence)
{
	size_t of_kind = 0;

	for (size_t i = 0; i < log->n; i++)
		of_kind += log->line[i].kind == kind;
	if (of_kind == LOG_MAX) {
		drop_line(&log->dropped[kind], key);
		return NULL;
	}
	log->line = xgrow(log->line, &log->cap, log->n + 1, sizeof *log->line);
	log->line[log->n] = (struct log_line){
		.kind = kind, .text = xstrdup(sentence), .key = xstrdup(key), .tasks = HASH_INIT};
	return &log->line[log->n++];
}

bool log_add(struct log *log, enum log_kind kind, const char *sentence)
{
	return !find_line(log, kind, sentence) && add_line(log, kind, sentence, sentence);
}

/* Cuts the number out of "task 4711" in the text `key`. Returns whether the text has this "task
 * 4711". */
static bool cut_task(char *key, int task)
{
	char name[32], *found = NULL;
	int n = snprintf(name, sizeof name, "task %d", task);

	for (char *at = key; !found && (at = strstr(at, name)); at++)
		if (!isdigit((unsigned char)at[n]))
			found = at;
	if (found)
		memmove(found + strlen("task "), found + n, strlen(found + n) + 1);
	return found;
}

bool log_add_task(struct log *log, int task, const char *sentence)
{
	char *key = xstrdup(sentence);
	bool named = cut_task(key, task);
	struct log_line *known = find_line(log, LOG_TASK, key), *line = known;

	if (!line)
		line = add_line(log, LOG_TASK, key, sentence);
	if (line && named && line->tasks.n < LOG_TASKS_MAX)
		hash_put(&line->tasks, (uint64_t)task, line->text);
	free(key);
	return line && !known;
}

bool log_set(struct log *log, enum log_kind kind, const char *key, const char *sentence)
{
	struct log_line *line = find_line(log, kind, key);

	if (!line)
		return add_line(log, kind, key, sentence);
	if (!strcmp(line->text, sentence))
		return false;
	free(line->text);
	line->text = xstrdup(sentence);
	line->n_changes++;
	return false;
}

unsigned long log_count_news(const struct log *log, size_t i)
{
	return log->line[i].tasks.n + log->line[i].n_changes;
}

void log_done(struct log *log)
{
	for (size_t i = 0; i < log->n; i++) {
		free(log->line[i].text);
		free(log->line[i].key);
		hash_done(&log->line[i].tasks);
	}
	for (int kind = 0; kind < N_LOG_KINDS; kind++)
		hash_done(&log->dropped[kind]);
	free(log->line);
	*log = (struct log)LOG_INIT;
}

void log_put_line(const struct log *log, size_t i, struct strbuf *out)
{
	size_t n = log->line[i].tasks.n;

	strbuf_addstr(out, log->line[i].text);
	if (n > 1)
		strbuf_addf(out, " (and %zu%s more task%s)", n - 1, n == LOG_TASKS_MAX ? " or" : "",
			    n == 2 ? "" : "s");
}

bool log_put_dropped(const struct log *log, enum log_kind kind, struct strbuf *out)
{
	static const char *const whose[] = {[LOG_CONFIGURATION] = "the configuration",
					    [LOG_SCREEN] = "screens",
					    [LOG_TASK] = "tasks"};
	const size_t n = log->dropped[kind].n;

	if (n)
		strbuf_addf(out, "%zu%s more fault%s of %s came later; only the first %d are kept",
			    n, n == LOG_DROPPED_MAX ? " or" : "", n == 1 ? "" : "s", whose[kind],
			    LOG_MAX);
	return n > 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log - collects faults as sentences, each sentence once, for the error panel and the error file.
 *
 * Many tasks may have the same fault. They share one line, "... (and 997 more tasks)": the sentence
 * of the first task, and the number of the others. The log keeps at most LOG_MAX lines of each
 * kind, so that faults of one kind neither fill the memory nor push out those of other kinds;
 * further lines are only counted, each once, up to LOG_DROPPED_MAX.
 *
 * Ownership: the log owns its lines; log_done() frees them.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/lookup.h"
#include "base/strbuf.h"

#define LOG_MAX         1000
#define LOG_DROPPED_MAX 20000
#define LOG_TASKS_MAX   20000 /* the most tasks that one line counts */

enum log_kind {
	LOG_CONFIGURATION, /* faults of the configuration file */
	LOG_SCREEN,        /* events or features that a screen, or the whole machine, lacks */
	LOG_TASK,          /* faults of single tasks */
	N_LOG_KINDS
};

struct log_line {
	enum log_kind kind;
	char *text, *key;  /* key: the text without the pid of the task, or that of log_set() */
	struct hash tasks; /* the tasks that have this fault, by pid */
	unsigned long n_changes; /* how often log_set() has changed the text */
	/* The result of log_count_news() when the reader last showed this line; set by the
	 * reader. */
	unsigned long printed;
};

struct log {
	struct log_line *line;
	size_t n, cap;
	struct hash dropped[N_LOG_KINDS]; /* by hash_text() of their keys */
};

#define LOG_INIT                                                                                   \
	{                                                                                          \
		NULL, 0, 0,                                                                        \
		{                                                                                  \
			HASH_INIT                                                                  \
		}                                                                                  \
	}

/* Adds a fault. Returns whether its sentence is new and was kept. */
bool log_add(struct log *log, enum log_kind kind, const char *sentence);
/* Adds a fault of one task, which the sentence calls "task 4711". Tasks whose sentences differ only
 * in this number share one line. A task that its sentence does not name is not counted in the line.
 * Returns as log_add() does. */
bool log_add_task(struct log *log, int task, const char *sentence);
/* Adds a fault whose sentence contains a changing number; if the key is known, replaces its
 * sentence. Returns as log_add() does. */
bool log_set(struct log *log, enum log_kind kind, const char *key, const char *sentence);
void log_done(struct log *log);

/* Returns how many tasks and changes line i has; the line has news while this exceeds `printed`. */
unsigned long log_count_news(const struct log *log, size_t i);

/* Appends line i, with the number of further tasks. */
void log_put_line(const struct log *log, size_t i, struct strbuf *out);
/* Appends "5 more faults of tasks came later; ..." if faults of this kind were dropped. Returns
 * whether any were. */
bool log_put_dropped(const struct log *log, enum log_kind kind, struct strbuf *out);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log - the faults met so far, as sentences, each once: for the error window and the error file.
 *
 * Many tasks may have the same fault. It is then one line, "... (and 997 more tasks)": the sentence
 * of the first task, and the number of the others. The log keeps at most LOG_MAX lines of each
 * kind, so that faults of one kind neither fill the memory nor silence the other kinds; later ones
 * are only counted.
 *
 * Ownership: the log owns its lines; log_done() frees them.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#include "base/hash.h"
#include "base/strbuf.h"

#define LOG_MAX       1000
#define LOG_TASKS_MAX 20000 /* tasks that one line tells apart; further ones are not counted */

enum log_kind {
	LOG_CONFIGURATION, /* what is wrong in the file */
	LOG_SCREEN,        /* what a screen, or the whole machine, lacks */
	LOG_TASK,          /* what is wrong with one task */
	N_LOG_KINDS
};

struct log_line {
	enum log_kind kind;
	char *text, *key;        /* key: the text without the number of the task */
	struct hash tasks;       /* all that have this fault */
	unsigned long n_changes; /* how often log_set() has changed the text */
	/* How many of these tasks and changes the reader has been told of; the reader sets it. */
	unsigned long told;
};

struct log {
	struct log_line *line;
	size_t n, cap;
	unsigned long dropped[N_LOG_KINDS];
};

#define LOG_INIT                                                                                   \
	{                                                                                          \
		NULL, 0, 0,                                                                        \
		{                                                                                  \
			0                                                                          \
		}                                                                                  \
	}

/* Adds a fault. Returns whether its sentence is new and was kept. */
bool log_add(struct log *log, enum log_kind kind, const char *sentence);
/* Adds a fault of one task, which the sentence calls "task 4711". A sentence that does not name its
 * task is the same line for all tasks. Returns as log_add() does. */
bool log_add_task(struct log *log, int task, const char *sentence);
/* Adds a fault that has a number, or changes the sentence that the fault with this key has. Returns
 * as log_add() does. */
bool log_set(struct log *log, enum log_kind kind, const char *key, const char *sentence);
void log_done(struct log *log);

/* How many tasks and changes line i has. */
unsigned long log_count_news(const struct log *log, size_t i);

/* Appends line i as it is shown, with the number of further tasks. */
void log_put_line(const struct log *log, size_t i, struct strbuf *out);
/* Appends "5 more faults of tasks came later; ...", if faults of this kind were dropped. Returns
 * whether some were. */
bool log_put_dropped(const struct log *log, enum log_kind kind, struct strbuf *out);

#endif

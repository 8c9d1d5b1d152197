/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * log - the faults met so far, as sentences, each once: for the error window and the error file.
 *
 * At most LOG_MAX are kept: a fault that comes with every refresh must not fill the memory. Later ones are only
 * counted in `dropped`.
 *
 * Ownership: the log owns its lines; log_done() frees them.
 */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>
#include <stddef.h>

#define LOG_MAX 1000

struct log {
	char **line;
	size_t n, cap;
	unsigned long dropped;
};

#define LOG_INIT                                                                                                       \
	{                                                                                                              \
		NULL, 0, 0, 0                                                                                          \
	}

/* Returns whether it is new, and was kept. */
bool log_add(struct log *log, const char *sentence);
void log_done(struct log *log);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/log.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool log_add(struct log *log, const char *sentence)
{
	for (size_t i = 0; i < log->n; i++)
		if (!strcmp(log->line[i], sentence))
			return false;
	if (log->n == LOG_MAX) {
		log->dropped++;
		return false;
	}
	log->line = xgrow(log->line, &log->cap, log->n + 1, sizeof *log->line);
	log->line[log->n++] = xstrdup(sentence);
	return true;
}

void log_done(struct log *log)
{
	for (size_t i = 0; i < log->n; i++)
		free(log->line[i]);
	free(log->line);
	*log = (struct log)LOG_INIT;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * follow_options - the options of tiptop follow.
 */
#ifndef CMD_FOLLOW_OPTIONS_H
#define CMD_FOLLOW_OPTIONS_H

#include <stdbool.h>

#include "conf/option.h"

#define FOLLOW_INTERVAL_S 1

struct follow_options {
	int task;
	double interval_s;
	long ticks, pid;
	bool forks, execs, no_header, append, cycles, verbose, kernel;
	char *events, *output, *format, *fields, *record, *replay;
};

#define FOLLOW_OPTIONS_INIT                                                                        \
	{                                                                                          \
		.interval_s = FOLLOW_INTERVAL_S                                                    \
	}

extern const struct option_set follow_options;

/* Refuses what does not go with --replay: what was counted is in the file, and nothing more.
 * command: NULL: none. -EINVAL. */
int follow_options_check_replay(const struct follow_options *o, char *const *command,
				struct err *err);

#endif

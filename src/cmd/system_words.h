/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * system_words - parses the arguments that tiptop system and tiptop system --raw have in common.
 */
#ifndef CMD_SYSTEM_WORDS_H
#define CMD_SYSTEM_WORDS_H

#include "conf/option.h"
#include "pmu/perf/affinity.h"

/* Parses the words "[interval [count]]"; leaves the number of a missing word unchanged. -EINVAL: a
 * word is not a number, or out of range. */
int system_take_words(const struct option_list *arguments, double *interval_s, long *count,
		      struct err *err);
/* Parses the list of --cpus; NULL: leaves the list unchanged. -EINVAL: it is not a list. */
int system_take_cpus(const char *text, struct cpu_list *list, struct err *err);

#endif

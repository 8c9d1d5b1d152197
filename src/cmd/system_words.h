/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * system_words - what tiptop system and its form --raw are given alike.
 */
#ifndef CMD_SYSTEM_WORDS_H
#define CMD_SYSTEM_WORDS_H

#include "conf/option.h"
#include "pmu/perf/affinity.h"

/* The words "[interval [count]]"; what is not there stays as it is. -EINVAL: a number that is none,
 * or too large or small. */
int system_take_words(const struct option_list *arguments, double *interval_s, long *count,
		      struct err *err);
/* The list of --cpus; NULL: none was given, and the list stays as it is. -EINVAL: it is no list. */
int system_take_cpus(const char *text, struct cpu_list *list, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * detail - what there is to be known of one task beyond its reading: all facts, its threads, its
 * limits. It is read when somebody looks at that task, and is in no sample.
 *
 * Limits cost a file more and hardly ever change: they stay until they are wanted again.
 *
 * Ownership: everything that it points to lies in its arenas.
 */
#ifndef MODEL_DETAIL_H
#define MODEL_DETAIL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "model/fact.h"

/* More threads than these are only counted. */
#define DETAIL_THREADS_MAX 100

struct detail_thread {
	uint64_t id;
	fact_mask known;      /* CPU_NS and PROC_ID */
	uint64_t cpu_ns, cpu; /* time on a CPU so far; the one on which it ran last */
	char state;           /* as in /proc */
	const char *name;
};

/* As the kernel writes it. */
struct detail_limit {
	const char *name, *soft, *hard;
	const char *unit; /* "": it has none */
};

struct detail {
	int error; /* why nothing could be read, -ESRCH: it has ended; 0: all that follows holds */
	char state;
	fact_mask known;
	uint64_t fact[N_NUMBER_FACTS];
	const char *text[N_READ_TEXTS]; /* the facts from FACT_FIRST_READ_TEXT on, where known */
	int threads_error;              /* why there are no threads: -errno */
	const struct detail_thread *thread;
	size_t n_threads;
	size_t n_more; /* threads that were not read, as they are too many */
	int limits_error;
	const struct detail_limit *limit;
	size_t n_limits;
	struct arena arena, limits_arena;
};

void detail_done(struct detail *d);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span - what a row did in some refreshes that follow each other, from its history. Pure.
 */
#ifndef VIEW_SPAN_H
#define VIEW_SPAN_H

#include "model/history.h"
#include "view/row_id.h"

/* So many refreshes at most. */
#define SPAN 8

/* Sums; NaN where a part of one is not known. */
struct span {
	int n;            /* refreshes in which it ran */
	double cpu_share; /* 1 is one CPU, in one of them */
	double seconds;   /* of all */
	double instructions, cycles, misses, mispredicted;
	int cpu[SPAN]; /* on which it ran; -1: it did not, or nobody knows */
};

/* Reads the moments [from, to), which are kept; threads: rows were threads. */
void span_read(struct span *s, const struct history *history, const struct row_id *of, bool threads,
	       uint32_t from, uint32_t to);
/* The CPU on which it was most often; -1: nobody knows. */
int span_usual_cpu(const struct span *s);
/* Of caches. */
double span_misses_second(const struct span *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * names - what the names in the formulas of a file stand for: the time, constants, other metrics of
 * the file, and events, which become counters.
 *
 * Ownership: the counters and their texts are those of the names; import_names_done() frees them.
 */
#ifndef SCREEN_IMPORT_NAMES_H
#define SCREEN_IMPORT_NAMES_H

#include "pmu/event/machine.h"
#include "screen/import/file.h"
#include "screen/import/formula.h"

struct import_names {
	const struct foreign_file *file;
	const struct machine *machine;
	const struct foreign_metric *metric; /* the one at work; NULL: none */
	/* Of the metrics of slots, which are only counted behind their leader: whether the metric
	 * at work has met one, and the leader, and on which cores. */
	bool has_slots_part, has_slots;
	int slots_core;
	/* Those that were found so far: of the screen that is made. */
	struct {
		char *alias, *event;
	} * counter;
	size_t n_counters, cap_counters;
};

/* As struct formula_names has it; context: the names. Adds a counter for an event that is met for
 * the first time. */
int import_names_find(void *context, const char *name, struct formula_meaning *out,
		      struct err *err);
/* Whether the CPU has an event of this name: 1, or 0; -ENOENT where only that CPU could say. Adds
 * no counter. */
int import_names_has(void *context, const char *name, struct err *err);
/* Begins with a metric. */
void import_names_begin(struct import_names *n, const struct foreign_metric *metric);
/* The name of the leader that the metric at work lacks, as a formula has it; "": it lacks none. The
 * caller frees it. */
char *import_names_leader(const struct import_names *n);
/* Forgets the counters from this one on. */
void import_names_drop(struct import_names *n, size_t from);
void import_names_done(struct import_names *n);

/* The metric of this name, that of the cores of the metric at work first; or NULL. */
const struct foreign_metric *import_names_metric(const struct import_names *n, const char *name);

#endif

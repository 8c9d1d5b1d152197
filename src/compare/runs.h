/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs - what a command has done in each of several runs: numbers of the whole run, each with its
 * quality.
 *
 *   runs_init(&r, wanted, warmups);
 *   runs_begin(&r, &end);                                     a run has ended so
 *   runs_put(&r, "wall", UNIT_S, value);                      for each of its measures
 *   ...
 *   runs_variation(&r, 0, &variation); runs_add_text(&out, &r, "");
 *   runs_done(&r);
 *
 * A measure that a run has not put is unknown there. Only known numbers are in a variation, so that
 * it says of how many it is. Runs are numbered from 1 on.
 */
#ifndef COMPARE_RUNS_H
#define COMPARE_RUNS_H

#include "base/strbuf.h"
#include "base/unit.h"
#include "base/value.h"
#include "base/variation.h"
#include "report/format.h"

/* How a run has ended. */
struct run_end {
	int status; /* what a shell would say */
	int signal; /* that has ended it; 0: none */
	bool lost;  /* nobody knows its status */
};

struct run_measure {
	char *name;
	enum unit unit;      /* of time, or UNIT_COUNT */
	bool coarse;         /* the kernel has it in steps: none stands out by it */
	struct value *value; /* [n] of the runs */
	size_t cap;
};

struct runs {
	long wanted, warmups; /* as many as were asked for */
	struct run_end *end;  /* [n] */
	size_t n, cap;
	struct run_measure *measure;
	size_t n_measures, cap_measures;
	/* The run that failed, so that no other came after it; those to warm up are the first. 0:
	 * none did, or it was passed over. */
	long stop;
	struct run_end stop_end;
};

void runs_init(struct runs *r, long wanted, long warmups);
void runs_done(struct runs *r);
/* Begins a run, which is over. */
void runs_begin(struct runs *r, const struct run_end *end);
/* Sets what the last run has of a measure, which is made where it is new. Returns that. */
struct run_measure *runs_put(struct runs *r, const char *name, enum unit unit, struct value value);

/* A run has failed that is not kept, and is the last. */
void runs_stop(struct runs *r, long run, const struct run_end *end);
/* The status of the first that failed; 0: none did. */
int runs_status(const struct runs *r);

bool run_failed(const struct run_end *end);
/* Appends " with status 3", " by signal 11". */
void run_add_end(struct strbuf *out, const struct run_end *end);
/* The known numbers of a measure, in the order of the runs; run, unless NULL: of which. Returns how
 * many there are. */
size_t runs_numbers(const struct runs *r, size_t measure, double *number, size_t *run);
void runs_variation(const struct runs *r, size_t measure, struct variation *out);
/* The worst quality that numbers of a measure have; where none is known, why. */
struct value runs_worst(const struct runs *r, size_t measure);
/* Marks runs that stand out by this measure, stands_out[r->n]. Returns how many. */
size_t runs_mark_outliers(const struct runs *r, size_t measure, bool *stands_out);

/* Appends "run 3 of 10 ended with status 1", of the one that stopped them. */
void runs_add_stop(struct strbuf *out, const struct runs *r);
/* Appends "10 runs after 2 to warm up, all ended with status 0", or which did not. */
void runs_add_ends(struct strbuf *out, const struct runs *r);
/* Appends a table of the measures and what stands out, each line behind this text. */
void runs_add_text(struct strbuf *out, const struct runs *r, const char *before);
/* Appends a line of what stands out by a measure, behind this text; nothing where nothing does. */
void runs_add_outliers(struct strbuf *out, const struct runs *r, size_t measure,
		       const char *before);
/* Appends an object for JSON. */
void runs_add_json(struct strbuf *out, const struct runs *r);

/* The same as columns of a record: of a group, these are its members. */
#define RUNS_MEMBERS 9
#define RUNS_COLUMNS                                                                               \
	{.id = "n"}, {.id = "wanted"}, {.id = "warmups"}, {.id = "confidence"}, {.id = "ends"},    \
		{.id = "stopped_by", .members = 2}, {.id = "status"}, {.id = "signal"},            \
	{                                                                                          \
		.id = "measures"                                                                   \
	}

/* Where they begin. */
struct runs_inner {
	size_t ends, measures;
};

/* Adds the inner records of the runs, before the record that has them. */
struct runs_inner runs_add_inner(const struct runs *r, struct report *report);
/* Fills these columns. */
void runs_fill(const struct runs *r, struct runs_inner inner, struct report_record *record);

#endif

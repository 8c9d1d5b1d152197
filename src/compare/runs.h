/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * runs - the results of several runs of a command: numbers of the whole run, each with its quality.
 *
 *   runs_init(&r, wanted, warmups);
 *   runs_begin(&r, &end);                                     adds a run, with the way it ended
 *   runs_put(&r, "wall", UNIT_S, value);                      for each of its measures
 *   ...
 *   runs_variation(&r, 0, &variation); runs_add_text(&out, &r, "");
 *   runs_done(&r);
 *
 * A measure that was not put for a run is unknown there. A variation has only the known numbers;
 * its n says how many. Runs are numbered from 1.
 */
#ifndef COMPARE_RUNS_H
#define COMPARE_RUNS_H

#include "base/significance.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "base/value.h"
#include "report/format.h"

/* How a run has ended. */
struct run_end {
	int status; /* the exit status as a shell reports it */
	int signal; /* the signal that ended it; 0: none, or unknown */
	bool lost;  /* the exit status is unknown */
};

struct run_measure {
	char *name;
	enum unit unit;      /* UNIT_COUNT, or the unit of a time */
	bool coarse;         /* the kernel counts it in coarse steps, so outliers mean nothing */
	struct value *value; /* [n] one for each run */
	size_t cap;
};

struct runs {
	long wanted, warmups; /* as the user wanted them */
	struct run_end *end;  /* [n] */
	size_t n, cap;
	struct run_measure *measure;
	size_t n_measures, cap_measures;
	/* The number of the failed run after which no more were started, warm-up runs counted; 0:
	 * none failed, or failures are ignored. */
	long stop;
	struct run_end stop_end;
};

void runs_init(struct runs *r, long wanted, long warmups);
void runs_done(struct runs *r);
/* Adds a run that has ended. */
void runs_begin(struct runs *r, const struct run_end *end);
/* Sets a measure of the last run; adds the measure if it is new. Returns the measure. */
struct run_measure *runs_put(struct runs *r, const char *name, enum unit unit, struct value value);
/* Returns the measure with this name; NULL: there is none. */
struct run_measure *runs_find(const struct runs *r, const char *name);

/* Sets r->stop: the number of a failed run that is not among the results, and after which no more
 * runs are started. */
void runs_stop(struct runs *r, long run, const struct run_end *end);
/* Returns the exit status of the first failed run; 0: none failed. */
int runs_status(const struct runs *r);

bool run_failed(const struct run_end *end);
/* Appends " with status 3", " by signal 11". */
void run_add_end(struct strbuf *out, const struct run_end *end);
/* Copies the known numbers of a measure, in the order of the runs; run: NULL, or gets
 * the index of the run of each number. Returns how many numbers there are. */
size_t runs_numbers(const struct runs *r, size_t measure, double *number, size_t *run);
void runs_variation(const struct runs *r, size_t measure, struct variation *out);
/* Returns a value with the worst quality among the known numbers of a measure; if none is known, a
 * value with the reason. */
struct value runs_worst(const struct runs *r, size_t measure);
/* Sets stands_out[r->n]: true for each run that is an outlier of this measure. Returns the
 * number of outliers. */
size_t runs_mark_outliers(const struct runs *r, size_t measure, bool *stands_out);

/* Appends "run 3 of 10 ended with status 1", about the run that stopped the series. */
void runs_add_stop(struct strbuf *out, const struct runs *r);
/* Appends "10 runs after 2 to warm up, all ended with status 0", or the runs that failed. */
void runs_add_ends(struct strbuf *out, const struct runs *r);
/* Appends a table of the measures and the outliers, with the text `before` at the beginning of each
 * line. */
void runs_add_text(struct strbuf *out, const struct runs *r, const char *before);
/* Appends the text `before` and a line with the outliers of a measure; nothing if there are
 * none. */
void runs_add_outliers(struct strbuf *out, const struct runs *r, size_t measure,
		       const char *before);
/* Appends the runs as a JSON object. */
void runs_add_json(struct strbuf *out, const struct runs *r);

/* The columns of a record for the runs, or the members of a group for them. */
#define RUNS_MEMBERS 9
#define RUNS_COLUMNS                                                                               \
	{.id = "n"}, {.id = "wanted"}, {.id = "warmups"}, {.id = "confidence"}, {.id = "ends"},    \
		{.id = "stopped_by", .members = 2}, {.id = "status"}, {.id = "signal"},            \
	{                                                                                          \
		.id = "measures"                                                                   \
	}

/* The indices of the first inner record of each kind. */
struct runs_inner {
	size_t ends, measures;
};

/* Adds the inner records of the runs, before the record that contains them. */
struct runs_inner runs_add_inner(const struct runs *r, struct report *report);
/* Sets the columns of RUNS_COLUMNS. */
void runs_fill(const struct runs *r, struct runs_inner inner, struct report_record *record);

#endif

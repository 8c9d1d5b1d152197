/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output - sinks, which write samples or frames: a struct of functions for each kind of output, the
 * fields that formats for programs write, and lists of sinks, which serve several at once. The
 * formats that --format offers have a row in SINK_FORMATS.
 *
 * A function that is NULL is not called. A sink holds the state of its format, and the destination
 * to which it writes; a list of sinks opens and closes both. Endings (closing brackets, last lines)
 * are written by close(), so that the main loop does not depend on the format.
 *
 * Cells are written with report/report.h, as in reports. Rows are not records of a report: filling
 * a record and copying its texts costs 6 % more instructions at each refresh than writing the cells
 * directly.
 *
 * Errors: -errno with a sentence. -EPIPE (the reader has exited) and -ECANCELED (a stop was
 * requested) end the output, but are not failures.
 */
#ifndef OUTPUT_OUTPUT_H
#define OUTPUT_OUTPUT_H

#include "base/destination.h"
#include "base/err.h"
#include "base/log.h"
#include "model/sample.h"
#include "output/summary.h"
#include "report/report.h"
#include "view/frame.h"

struct sink {
	const struct sink_ops *ops;
	struct dest dest; /* where it writes; not open if the sink has no destination */
	void *state;      /* of the format; created by open(), freed by close() */
	bool ends_loop;   /* its end ends the loop; else the loop continues without it */
	/* Fields to write, see fields_find(); NULL: those that the format writes by default.
	 * Borrowed. */
	const char *fields;
	size_t rows; /* maximum number of rows of each frame; 0: all */
	struct sink *next;
};

struct sink_ops {
	const char *name, *help;
	bool redraws;     /* wants frames rebuilt from the same sample after a key, too */
	bool machine_use; /* wants the use of CPUs and memory of the machine in samples */
	unsigned lacks;   /* bits of the fields (enum field) that it cannot write */
	int (*open)(struct sink *sink, struct err *err);
	/* Appends the text with which an existing file must begin, so that the output can be
	 * appended to it. */
	int (*header)(const struct sink *sink, const struct screen *screen, const struct view *view,
		      struct strbuf *out, struct err *err);
	/* The beginning of a summary, and so of a file of --repeat, which has no rows; NULL: none.
	 */
	const char *summary_header;
	int (*sample)(struct sink *sink, const struct sample *sample, struct err *err);
	int (*frame)(struct sink *sink, const struct frame *frame, struct err *err);
	/* The command that was followed has exited. */
	int (*summary)(struct sink *sink, const struct summary *summary, struct err *err);
	/* One of several runs of the command has ended; the summary of all comes at the end. */
	int (*run)(struct sink *sink, const struct summary *summary, struct err *err);
	int (*close)(struct sink *sink, struct err *err);
};

/* The formats, a row for each. The first one is the default. */
#define SINK_FORMATS(row) row(sink_text) row(sink_csv) row(sink_json) row(sink_verdicts)

#define SINK_DECLARE(name) extern const struct sink_ops name;
SINK_FORMATS(SINK_DECLARE)
#undef SINK_DECLARE

/* All formats, NULL-terminated. */
extern const struct sink_ops *const sink_table[];

/* Finds a format by name. Returns -EINVAL with a sentence that lists the formats if there is
 * none. */
int sink_find(const struct sink_ops **out, const char *name, struct err *err);

/* Lines like those of vmstat(8): for each refresh, and at the end for the whole time. */
extern const struct sink_ops line_sink;

/* ---- fields ----
 *
 * The fields of a row in formats for programs, and their contents: columns of the screen, and
 * further fields such as the time.
 *
 * screen/column.h reserves the ids of the further fields, so that no column has them. The only
 * exception is "user": if a column has this id, it names the column.
 */

enum field {
	FIELD_TIMESTAMP,
	FIELD_MONO,
	FIELD_INTERVAL,
	FIELD_HOST,
	FIELD_SCREEN,
	FIELD_VALUE_KIND, /* what columns of counts show: a name of values_name */
	FIELD_KIND,
	FIELD_PID,
	FIELD_TID,
	FIELD_NAME,
	FIELD_USER,
	FIELD_MEMBERS,
	FIELD_COMMAND,
	FIELD_COLUMN,
	FIELD_EXIT,    /* exit status of a task that exited, see FACT_EXIT */
	FIELD_LIVED,   /* lifetime of a task that exited, in seconds */
	FIELD_QUALITY, /* the qualities of all columns that are not exact */
	N_FIELDS
};

/* The id of each field; NULL: FIELD_COLUMN, as columns have their own. */
extern const char *const field_ids[N_FIELDS];

struct field_ref {
	enum field field;
	size_t column; /* index of the column, if field is FIELD_COLUMN */
};

struct fields {
	struct field_ref *v;
	size_t n, cap;
};

/* Finds the fields of a list "pid,cpu,ipc", in its order; NULL: the default fields, which do not
 * include mono_s, host and screen. -EINVAL with a sentence: a field is named twice, or the screen
 * lacks it; partly: fields that the screen lacks are ignored instead. The caller frees *out with
 * fields_done(). */
int fields_find(struct fields *out, const char *list, bool partly, const struct screen *screen,
		const struct view *view, struct err *err);
/* Checks a list for a format that cannot write some fields. lacks: their bits, see struct sink_ops.
 * -EINVAL with a sentence: the list has a field that the screen or the format lacks. */
int fields_check(const char *list, unsigned lacks, const struct screen *screen,
		 const struct view *view, struct err *err);
void fields_done(struct fields *f);
bool fields_have(const struct fields *f, enum field field);

#define FIELD_TEXT_MAX 24

/* Returns the content of a field; REPORT_ABSENT: the row does not have the field. FIELD_TIMESTAMP
 * and FIELD_QUALITY are written by the caller. buf: memory for a number that is returned as a
 * text. */
struct report_scalar field_scalar(struct field_ref ref, const struct frame *frame,
				  const struct frame_row *row, char buf[FIELD_TEXT_MAX]);

/* ---- lists of sinks ----
 *
 * A list of sinks: each sample and each frame goes to all of them.
 *
 * If a sink that ends the loop fails, its failure is returned at once, and so is -ECANCELED of any
 * sink. Any other sink that fails is closed and removed: its failure is logged, the other sinks
 * continue, and outputs_close() returns the failure, except for -EPIPE.
 *
 * The sink added last is served first. Samples before outputs_begin() are held back until then:
 * text that is written earlier would be truncated with the old content of the file.
 */

struct outputs {
	struct sink *first; /* NULL: none */
	struct log *log;    /* borrowed */
	struct err fault;   /* the first failure that did not end the loop; code 0: none */
	bool begun;
	/* Samples held back until outputs_begin(). */
	struct sample **early;
	size_t n_early, cap_early;
};

void outputs_init(struct outputs *o, struct log *log);
/* Opens a sink with this destination, open or not. Takes ownership of the destination, and closes
 * it on failure. */
int outputs_add(struct outputs *o, struct sink **out, const struct sink_ops *ops,
		const struct dest *dest, struct err *err);
/* Sets, for all sinks of the list, the condition that ends their waits for readers
 * (base/destination.h). Borrowed. */
void outputs_set_wake(struct outputs *o, const struct dest_wake *wake);
/* Begins to write, starting with the samples held back. The old content of files is truncated here,
 * after everything that can fail was tried. */
int outputs_begin(struct outputs *o, struct err *err);
/* Returns whether a sink wants the use of CPUs and memory. */
bool outputs_want_machine_use(const struct outputs *o);
int outputs_sample(struct outputs *o, const struct sample *sample, struct err *err);
/* Writes a frame. refresh: it shows a new sample; else it was rebuilt after a key. */
int outputs_frame(struct outputs *o, const struct frame *frame, bool refresh, struct err *err);
/* Writes the frame of a new sample to all sinks without `redraws`, while the live screen is
 * paused. */
int outputs_frame_unseen(struct outputs *o, const struct frame *frame, struct err *err);
/* Writes the summary when the command has exited, to sinks that have a function for it. */
int outputs_summary(struct outputs *o, const struct summary *summary, struct err *err);
/* Writes one of several runs, to sinks that have a function for it. Its two samples may be shared
 * (sample_new()). */
int outputs_run(struct outputs *o, const struct summary *summary, struct err *err);
/* Removes the sink with this descriptor, as its reader has exited. */
int outputs_lose(struct outputs *o, int fd, struct err *err);
/* Makes all sinks stop waiting for their readers: output that a reader does not accept at once is
 * lost. Called after a signal, before endings are written. */
void outputs_hurry(struct outputs *o);
/* Closes one sink that is finished. */
int outputs_end(struct outputs *o, struct sink *sink, struct err *err);
/* Closes all sinks. failed: the output is incomplete. Returns the first failure. */
int outputs_close(struct outputs *o, bool failed, struct err *err);

#endif

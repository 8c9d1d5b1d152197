/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output - the interface of sinks, which write samples or frames: a struct of functions for each
 * kind of output. The formats that --format offers have a row in SINK_FORMATS.
 *
 * A function that is NULL is not called. A sink holds the state of its format, and the destination
 * to which it writes; output_list.h opens and closes both. Endings (closing brackets, last lines)
 * are written by close(), so that the main loop does not depend on the format.
 *
 * Cells are written with report/record.h, as in reports. Rows are not records of a report: filling
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
#include "model/sample.h"
#include "output/summary.h"
#include "report/record.h"
#include "view/frame.h"

struct sink {
	const struct sink_ops *ops;
	struct dest dest; /* where it writes; not open if the sink has no destination */
	void *state;      /* of the format; created by open(), freed by close() */
	bool ends_loop;   /* its end ends the loop; else the loop continues without it */
	/* Fields to write, see output/fields.h; NULL: those that the format writes by default.
	 * Borrowed. */
	const char *fields;
	size_t rows; /* maximum number of rows of each frame; 0: all */
	struct sink *next;
};

struct sink_ops {
	const char *name, *help;
	bool redraws;     /* wants frames rebuilt from the same sample after a key, too */
	bool machine_use; /* wants the use of CPUs and memory of the machine in samples */
	unsigned lacks;   /* bits of the fields (output/fields.h) that it cannot write */
	int (*open)(struct sink *sink, struct err *err);
	/* Appends the text with which an existing file must begin, so that the output can be
	 * appended to it. */
	int (*header)(const struct sink *sink, const struct screen *screen, const struct view *view,
		      struct strbuf *out, struct err *err);
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

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * region_table - the table of regions of a process (inject/lib/table.h): finds its file, copies it
 * at one moment, summed over its threads, and writes its report.
 *
 * inject/table_reader.h reads the table, so all indices and sizes in a copy are within their
 * bounds, whatever the file contains.
 */
#ifndef COLLECT_TABLE_REGION_TABLE_H
#define COLLECT_TABLE_REGION_TABLE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/destination.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "inject/lib/lines.h"
#include "inject/lib/table.h"
#include "report/format.h"
#include "report/select.h"

/* ---- copy ---- */

struct table_copy {
	struct table_header header;  /* its texts are terminated and have no control characters */
	struct table_region *region; /* [header.n_regions] */
	struct table_slot slots;     /* sums over all threads; tid is unused */
	/* Unfinished calls; and rows, or the table itself, that the process was writing when it
	 * ended. */
	uint64_t n_going_on, n_torn;
	/* [header.n_regions] of header.row_size bytes; sequence and depth are unused. epoch 0: no
	 * thread of the process has begun the region, whose label comes from the parent process. */
	void *rows;
	void *scratch;           /* the rows of one slot */
	size_t cap, cap_scratch; /* sizes of rows and of scratch, in bytes */
};

void table_copy_init(struct table_copy *c);
void table_copy_done(struct table_copy *c);

/* Replaces the contents of the copy. ended: the process has ended, so a write in progress stays
 * unfinished: the table is read as it is. Returns 0; or -errno with a sentence that continues "the
 * table of regions of the process 4711", and then the copy is empty. -EAGAIN: the table changed
 * during each attempt to read it. */
int table_copy_read(struct table_copy *c, int fd, bool ended, struct err *err);

/* Returns what is missing in the numbers. The caller sets the field `of`. */
struct tt_lacks table_copy_lacks(const struct table_copy *c);

/* Returns the row of region i. */
struct table_row *table_copy_row(const struct table_copy *c, uint32_t i);

/* ---- file ----
 *
 * Finds and opens the file with the table of regions of a process (inject/lib/table.h).
 *
 * /proc/PID/maps shows the file, which the process has mapped. Its path is looked up below
 * /proc/PID/root, as the process may be in a container. By then, another file may be at this path,
 * so the file is checked before it is opened. It must be the mapped file itself, by device and
 * inode, a regular file, in memory (tmpfs), and belong to the user of the process.
 *
 * File systems that may hang must not be accessed: a user can mount a FUSE file system at any place
 * in a private mount namespace. So the path is looked up in the cache of the kernel only
 * (RESOLVE_CACHED). The kernel has each folder of the path in its cache, as the file is mapped.
 * Linux before 5.12 has no RESOLVE_CACHED: there, the lookup may hang as long as such a file system
 * does.
 */

/* A mapped file, from /proc/PID/maps. */
struct region_place {
	dev_t device;
	ino_t inode;
	char path[4096];
};

/* Opens the table of this process for reading. Returns the descriptor; -ENOENT, without a sentence,
 * if the process has no table, or with one if the file is not found; -ESRCH, without a sentence, if
 * the process has ended or its status cannot be read; or another -errno with a sentence. */
int regions_find(int pid, struct err *err);

/* Opens the table of a process at the place that was found in its maps. Returns as
 * regions_find(). */
int regions_open(int pid, const struct region_place *place, struct err *err);

/* Returns whether the process that made the table still uses it: it holds a lock on the file until
 * it ends. */
bool regions_is_held(int fd);

/* ---- report ----
 *
 * Writes the report of the regions of a process from its table, in the form of the report that the
 * process itself writes (inject/lib/process.c). If the process still runs, or has ended otherwise
 * than by exit(3), a line says so.
 */

struct regions_report {
	uint64_t wall_begin;      /* when the table was made, in ns since the epoch */
	struct strbuf head, rows; /* head: the header line of CSV */
};

/* Format and contents of reports. */
struct regions_form {
	enum report_format_id format;
	const struct report_selection *selection; /* NULL: everything */
	/* Collects the columns of all processes; NULL: not wanted. */
	struct report_own_type *known;
};

/* Makes the report. runs: the process has not ended. */
void regions_report_make(struct regions_report *r, const struct table_copy *c,
			 const struct regions_form *form, bool runs);
void regions_report_done(struct regions_report *r);

/* Sorts the reports by the time at which their tables were made, and appends them. Leaves out a
 * header line that equals the header line of the previous report, or, for the first report, that of
 * the file. behind: the file to which the reports are appended; NULL: none. */
void regions_reports_add(struct regions_report *r, size_t n, const struct dest *behind,
			 struct strbuf *out);

#endif

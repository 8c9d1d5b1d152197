/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * saved_report - reads a report of one run: of locks (`tiptop locks --format json`), of library
 * calls (`tiptop calls --format json`), of regions (written by the measured program, see
 * tiptop(3)), or of processes (`tiptop follow --format json`, by program). The report has the cost
 * by keys: name, kind and caller. Several reports of a side are named in one word (saved_word).
 *
 * Lines with the same keys are added, whatever their processes and addresses; but a later line on a
 * region of a process replaces the earlier one, as it includes the same calls.
 * Callers are compared without the offset in their function, and so are locks that are named by a
 * place in a function: another version of the program has other offsets.
 *
 * Each entry has amounts, defined by its type: the time of an acquisition, for example, or the
 * counts of an event in place of the time. A mean or deviation that the report does not have is
 * NaN, and so is what is computed from it; a missing number of calls is 0.
 */
#ifndef COMPARE_SAVED_REPORT_H
#define COMPARE_SAVED_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/significance.h"
#include "report/report.h"

/* ---- saved_word ----
 *
 * Splits a word of the command line that names the runs of one side: FILE or
 * FILE,FILE,..., where each file is a report or a recording. A recording may be followed by
 * parts, such as ",from=TIME". A name that contains ',' can only be given alone.
 */

/* Returns whether the word names several files. */
bool saved_word_is_list(const char *word);
/* Returns whether the first file begins with a JSON object whose first member is this "type". */
bool saved_word_begins(const char *word, const char *type);
/* Calls read() for each file, with its parts, as long as read() returns 0. Returns the result of
 * the last call; 0: the word has no files. -EINVAL: it names a file, with the same parts, twice. */
int saved_word_visit(const char *word,
		     int (*read)(void *context, const char *path, struct err *err), void *context,
		     struct err *err);

/* ---- saved_report ---- */

/* ---- saved types ----
 *
 * The types of reports, with the columns of their lines, as their writers declare them. The roles
 * of the columns say which are keys of an entry, and which have its amounts.
 */

/* A type of report. */
struct saved_type {
	const char *report,
		*line;     /* types of its lines: report: about a process; line: with an entry */
	const char *did;   /* the word for the number of occurrences */
	const char *count; /* the name of that number */
	/* Types of lines that are sums of others, or have no numbers; NULL: none. */
	const char *other[2];
	/* In reports without a line about a process: the name of the time among the events. NULL:
	 * the report has such a line. */
	const char *time;
	const char *of, *writer; /* what such a report is about, and its writer, for sentences */
	/* Declares the columns of a line. event: the event that has columns; NULL: none has, only
	 * the time. */
	void (*declare)(struct report_own_type *t, const char *event);
	/* Lines are rows of tiptop follow: the counters are the amounts, the program of a process
	 * is the name, and each process, or part of it between two execve(2), is an item. */
	bool is_follow;
};

/* An amount of entries, such as the time of an acquisition. */
struct saved_amount {
	const char *name; /* that of its columns; borrowed */
	/* "ns", or the name of an event; NULL: the report does not have the amount. */
	const char *unit;
	bool has_time, has_event; /* it has columns of the time, and of the event */
};

/* ---- saved report ---- */

struct saved_entry {
	char *key[REPORT_KEYS];  /* name, kind and caller; "": the entry has no such key */
	double count, contended; /* contended: NaN: unknown */
	char *process;           /* of a region: the process and its start, as text; else NULL */
	size_t line;
	struct moments *amount; /* [n_amounts] */
	size_t n_amounts;
};

/* The program of a process, by the name of its last execution. */
struct saved_program {
	double pid;
	char *name;
};

/* Returns the name; kind and caller follow it in key[]. */
static inline const char *saved_name(const struct saved_entry *e)
{
	return e->key[0];
}

struct saved {
	char *path;
	const struct saved_type *type;
	char *event; /* the event of the amounts, else the first that was counted; NULL: none */
	bool by_event;
	char *key_id[REPORT_KEYS]; /* ids of the columns of the keys; NULL: there is no such key */
	struct saved_amount *amount;
	size_t n_amounts, cap_amounts;
	/* Of tiptop follow: the counters, and the programs of the processes so far. */
	char **counter;
	size_t n_counters, cap_counters;
	struct saved_program *program;
	size_t n_programs, cap_programs;
	double ending_pid;  /* the process of the last row, if that row ends a program; else 0 */
	bool partial;       /* some of the counts are of a part of the time, or of the threads */
	double command_pid; /* the process of the first row; 0: no row was read */
	bool has_end;       /* that process has ended */
	struct saved_entry *entry; /* sorted by the keys */
	size_t n, cap;
	/* While reading: the lines of this report and the further reports that are still missing,
	 * as the head of a process has their numbers, unless an older version wrote it; the columns
	 * of the lines, and the last line. */
	double n_lines, n_reports;
	struct report_own_type *columns;
	struct report_record record;
};

/* Returns the amount with this name; n_amounts: there is none. */
size_t saved_find_amount(const struct saved *s, const char *name);
/* Returns an amount of an entry; NULL: the entry does not have it. */
const struct moments *saved_amount_of(const struct saved_entry *e, size_t amount);

/* Returns whether the first file of a word begins like such a report, or with a
 * damaged line of JSON. */
bool saved_is_report(const char *word);
/* Reads a report. event: reads the amounts of this event; NULL: reads those of the time and, for
 * library calls, of the first event. -errno with a sentence that names the file. */
int saved_read(struct saved *s, const char *path, const char *event, struct err *err);
void saved_done(struct saved *s);

/* Compares the keys; returns as strcmp(3) does. */
int saved_compare(const struct saved_entry *a, const struct saved_entry *b);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * minute - the list of the last readings in a minute of a recording, and its form in the table
 * minute.
 *
 * A minute is a range of samples of one run and one generation, in which the wall clock shows the
 * same minute. The writer makes its list while it writes the samples, so that a reader in steps
 * (record_reader_set_step()) finds the last reading of each task without reading all others.
 *
 * Lists are checked: minute_parse() checks the checksum of a list and that its numbers agree with
 * each other; the reader compares it with the samples and the readings (reader_steps.c). Without a
 * list, all readings of the minute are read.
 *
 * Pure: no file, no clock.
 */
#ifndef RECORD_MINUTE_H
#define RECORD_MINUTE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define MINUTE_NS 60000000000ull
/* A longer list is neither written nor read. */
#define MINUTE_BYTES_MAX ((size_t)3 << 20)

/* The smallest and the largest CPU usage at a sample, in millionths of one CPU. */
struct minute_range {
	bool known;
	uint64_t least, most;
};

/* The n readings of a task in the minute. After execve(2), a task has another row in the table
 * task; after its events and its row changed at once, it has another entry. */
struct minute_entry {
	int64_t reading, layout; /* the last reading, and the id of its layout */
	int64_t row, first_row;  /* ids in the table task of the last and of the first reading */
	int64_t previous;        /* the reading before the first one; 0: none to compare with */
	int64_t begins;          /* id of the sample of the first reading */
	uint64_t n;
	uint64_t unread; /* the events that were read in no reading */
	bool gap;        /* counters were closed before one of the readings */
	struct minute_range cpu;
};

/* The tasks with one process name. The range is over the samples in which they used CPU time. */
struct minute_program {
	int64_t row; /* in the table task: of a task with this name */
	struct minute_range cpu;
};

/* Initialized with zeros. */
struct minute_list {
	int64_t first_sample, last_sample;
	int64_t first_reading, next_reading; /* its readings are [first, next) */
	struct minute_entry *v;              /* [n], in the order of their readings */
	size_t n, cap;
	struct minute_program *program; /* [n_programs] */
	size_t n_programs, cap_programs;
};

/* Empties the list; keeps its memory. */
void minute_reset(struct minute_list *l);
void minute_done(struct minute_list *l);
/* Appends an entry or a program, filled with zeros, and returns it; valid until the next one. */
struct minute_entry *minute_add(struct minute_list *l);
struct minute_program *minute_add_program(struct minute_list *l);
/* Sorts the entries by their readings. */
void minute_sort(struct minute_list *l);
/* Appends the bytes of a sorted list. */
void minute_format(const struct minute_list *l, struct strbuf *out);
/* Parses bytes; returns false if they are not those of a list, or if its numbers contradict each
 * other. */
bool minute_parse(struct minute_list *l, const void *bytes, size_t n);
/* Extends a range to another one, or to a usage. */
void minute_widen(struct minute_range *range, const struct minute_range *by);
void minute_widen_to(struct minute_range *range, uint64_t usage);

/* Two readings of a task, one after the other. */
struct minute_use {
	bool old, old_known; /* there is an earlier reading; its CPU time is known */
	bool known;          /* the CPU time of the later reading is known */
	uint64_t old_cpu_ns, cpu_ns;
	int64_t interval_ns; /* between both readings; 0: not recorded */
	uint64_t start_ns;   /* the start of the task, CLOCK_BOOTTIME */
	/* The time of the sample before that of the later reading, by CLOCK_BOOTTIME; and of both
	 * samples, by CLOCK_MONOTONIC. */
	uint64_t sample_boot_ns;
	uint64_t sample_mono_ns[2];
};

/* Computes the CPU usage of a task between two readings; 1: one CPU. Returns false if it is
 * unknown: a CPU time or the interval is unknown, or the first reading of the task has CPU time
 * from before the interval, as the task began earlier. */
bool minute_usage(const struct minute_use *u, double *usage);
/* Converts a usage to millionths. */
uint64_t minute_millionths(double usage);

#endif

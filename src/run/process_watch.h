/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_watch - the processes that descend from a command, and the programs that these execute,
 * as the kernel's software events tell it (pmu/perf/lives.h): which of the programs have made no
 * table, and which processes still run.
 *
 *   process_watch_open()                 before the command is executed
 *   process_watch_update()               at least some times a second: the rings are small
 *   process_watch_note_table()           for each table that was read
 *   process_watch_note_reason()          for each reason that is known
 *   process_watch_end()                  the command has ended
 *   process_watch_unmeasured(), process_watch_running()
 *
 * A program has a table if one of its process begins between its execution and the next one. The
 * clock of tables is put to that of the kernel's events by two moments at which both were read.
 */
#ifndef RUN_PROCESS_WATCH_H
#define RUN_PROCESS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "pmu/perf/sys.h"

struct process_watch;
typedef uint64_t process_watch_clock(void);

/* all: programs of all descendants are to have tables, not only those of the command. NULL: the
 * kernel refuses, and nothing is known. clock: that of the tables. */
struct process_watch *process_watch_open(struct perf_sys *sys, int n_cpus, pid_t command, bool all,
					 process_watch_clock *clock);
void process_watch_update(struct process_watch *w);
/* Notes a table of this process that begins at this moment of its clock. */
void process_watch_note_table(struct process_watch *w, uint32_t pid, uint64_t begin);
/* Notes why the program has no table that the process executed next after this time, by
 * CLOCK_BOOTTIME: a text that lives on. */
void process_watch_note_reason(struct process_watch *w, pid_t pid, uint64_t time_ns,
			       const char *reason);
/* Notes that no more programs are of interest: the command has ended. */
void process_watch_end(struct process_watch *w);

/* Appends the programs without a table, "'a' (process 4711), 'b' (process 4712, linked
 * statically)", the first ones. Returns how many there are; unexplained: of these, without a
 * reason. 0 also where records were lost, or where pids are those of another namespace, so that it
 * is not known. */
size_t process_watch_unmeasured(struct process_watch *w, struct strbuf *out, size_t *unexplained);
/* Returns how many descendants run; pid: of the first one, if possible of one that has a table. */
size_t process_watch_running(struct process_watch *w, int *pid);
/* NULL is fine. */
void process_watch_close(struct process_watch *w);

#endif

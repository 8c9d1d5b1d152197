/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * process_watch - the descendants of a command and the programs that they execute, from the
 * software events of the kernel (pmu/perf/lives.h): which programs have made no table, and which
 * processes still run.
 *
 *   process_watch_open()                 before the command is executed
 *   process_watch_update()               some times a second: the ring buffers are small
 *   process_watch_note_table()           for each table that was read
 *   process_watch_note_reason()          for each known reason
 *   process_watch_end()                  after the command has ended
 *   process_watch_unmeasured(), process_watch_running()
 *
 * A table belongs to the last program that its process had executed when the table began. For this
 * comparison, times of the clock of the tables are converted to the clock of the kernel: both
 * clocks are read at the start and at the end of the watch.
 */
#ifndef RUN_PROCESS_WATCH_H
#define RUN_PROCESS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "pmu/perf/sys.h"

struct process_watch;
typedef uint64_t process_watch_clock(void);

/* Starts to watch. all: expect tables of the programs of all descendants, not only of the command.
 * clock: the clock of the tables. Returns NULL if the kernel refuses the events. */
struct process_watch *process_watch_open(struct perf_sys *sys, int n_cpus, pid_t command, bool all,
					 process_watch_clock *clock);
void process_watch_update(struct process_watch *w);
/* Adds a table of this process. begin: when the table began, on the clock of the tables. */
void process_watch_note_table(struct process_watch *w, uint32_t pid, uint64_t begin);
/* Adds the reason why the next program that the process executes after this time has no table.
 * time_ns: on CLOCK_BOOTTIME; reason: borrowed until process_watch_close(). */
void process_watch_note_reason(struct process_watch *w, pid_t pid, uint64_t time_ns,
			       const char *reason);
/* Reads the remaining events of the kernel, and both clocks; call it when the command has ended. */
void process_watch_end(struct process_watch *w);

/* Appends the first programs without a table: "'a' (process 4711), 'b' (process 4712, linked
 * statically)". Returns the number of all programs without a table; *unexplained: the number of
 * those without a known reason. Also returns 0 if the number cannot be known: records were lost, or
 * pids are of another PID namespace. */
size_t process_watch_unmeasured(struct process_watch *w, struct strbuf *out, size_t *unexplained);
/* Returns the number of descendants that run. *pid: the pid of one that has a table, or else of the
 * first one; unchanged if none runs. */
size_t process_watch_running(struct process_watch *w, int *pid);
/* Converts a time of the clock of the tables to CLOCK_BOOTTIME, after process_watch_end(). */
uint64_t process_watch_boot_ns(const struct process_watch *w, uint64_t ticks);
/* NULL is allowed. */
void process_watch_close(struct process_watch *w);

#endif

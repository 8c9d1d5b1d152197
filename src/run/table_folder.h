/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * table_folder - the folder in which measured processes make their tables: in memory, and private
 * to the user; its tables, which are collected while the command runs; and which programs have made
 * none (struct process_watch).
 *
 * tiptop locks its folder (flock(2)) until it ends; then it removes the tables of processes that
 * have ended. A process that continues to run keeps its table, so that --live shows the process.
 * Each later start of tiptop locks, calls or regions removes the tables that no process has mapped
 * any more (collect/table/table_folder.h), also if the tiptop that made the folder was killed.
 *
 * A program that is not measured because it was executed under a filter of system calls, or by
 * another user, only opens a mark in the folder (inject/preload/process.h), so that tiptop can
 * count such programs. So other users may search the folder, but neither list nor read what is in
 * it.
 *
 * If a process executes several programs, the folder has a table for each, numbered in the order of
 * execution.
 */
#ifndef RUN_TABLE_FOLDER_H
#define RUN_TABLE_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/file.h"
#include "base/strbuf.h"
#include "pmu/perf/sys.h"
#include "run/kept_tables.h"

#define TABLE_FOLDER_MAX 160

/* Why programs are not measured. */
enum table_folder_mark {
	TABLE_FOLDER_FILTERED,
	TABLE_FOLDER_NO_PROC,
	TABLE_FOLDER_OTHER_USER,
	TABLE_FOLDER_MARKS
};

struct table_folder {
	char path[TABLE_FOLDER_MAX]; /* "": none */
	int lock_fd;
	/* inotify(7) on the marks that unmeasured programs open, and on the ends of tables; -1:
	 * neither is watched */
	int mark_fd;
	int mark[TABLE_FOLDER_MARKS];          /* the watch of each mark */
	unsigned n_marked[TABLE_FOLDER_MARKS]; /* not passed to the caller yet */
	/* Collection: */
	int ends;                 /* the watch of the folder; -1: tables are not collected */
	struct kept_tables *kept; /* NULL: none */
	struct table_end *end;    /* [n_ends] tables to collect */
	size_t n_ends, cap_ends;
	bool missed; /* ends may be missing in this list */
};

/* Creates the folder, in $XDG_RUNTIME_DIR or /dev/shm, after removing stale tables from both. what:
 * the command, such as "locks", for the name of the folder and messages. Returns 0, or -errno with
 * a sentence. */
int table_folder_make(struct table_folder *f, const char *what, struct err *err);

/* ---- collection ----
 *
 * The tables of processes that have ended take memory, and a command may create thousands of
 * processes. So they are kept elsewhere (kept_tables.h) and removed while the command runs.
 *
 * The kernel reports (IN_CLOSE_WRITE) when the last process has unmapped a table, because it has
 * ended or has executed another program. A table of a process that has executed another program is
 * collected when that process has ended: until then, its number is not given to another table.
 */

/* Starts to watch the ends of tables. Without it, or if the kernel refuses, all tables stay in the
 * folder. */
void table_folder_watch_ends(struct table_folder *f);
/* Collects the tables of processes that have ended; some times a second. Costs one system call if
 * none has. */
void table_folder_collect(struct table_folder *f);

/* ---- the tables ---- */

/* A table: a file of the folder, or one that was collected. */
struct table_name {
	char *text;     /* name of the file */
	uint64_t start; /* of its process (field 22 of /proc/PID/stat); 0: unknown */
	size_t kept;    /* its number among kept tables; TABLE_FOLDER_FILE: a file */
};
#define TABLE_FOLDER_FILE SIZE_MAX

struct table_list {
	struct table_name *v; /* [n] */
	size_t n, cap;
};

/* Lists all tables, sorted by the texts of their pids; those of one process in the order in which
 * it executed their programs. */
void table_folder_list(const struct table_folder *f, struct table_list *out);
void table_list_done(struct table_list *l);

/* Reads a table into `to`. ended: the process has ended, so a write in progress stays unfinished:
 * the table is read as it is. Returns 0, or -errno with a sentence; -EAGAIN: the table changed
 * during each try. */
typedef int (*table_reader)(void *to, int fd, bool ended, struct err *err);
/* Opens a table of the list, which must belong to this user, and reads it. If the table is still in
 * the middle of a write after several tries, it is read as it is, as if its process had been killed
 * during the write. what: as for table_folder_make(). Returns 0, or -errno with a sentence;
 * TABLE_FOLDER_NOT_BEGUN: a running process is about to make the table. */
#define TABLE_FOLDER_NOT_BEGUN 1
int table_folder_read(const struct table_folder *f, const char *what, const struct table_name *name,
		      table_reader read, void *to, struct err *err);
/* Adds the number of programs since the last call that were not measured, by their marks. */
void table_folder_count_marks(struct table_folder *f, unsigned n[TABLE_FOLDER_MARKS]);
/* Removes the tables that no process has mapped any more, whatever their pids, which may be of
 * another PID namespace; and the folder if it is empty. */
void table_folder_remove(struct table_folder *f);
/* Like table_folder_remove(), for a command whose processes continue to run and may make tables
 * later: keeps the folder in any case, and each table that a process has still mapped. */
void table_folder_leave(struct table_folder *f);

/* ---- programs without a table ----
 *
 * The descendants of a command and the programs that they execute, from the software events of the
 * kernel (pmu/perf/ring.h): which programs have made no table, when programs ended, and which
 * processes still run.
 *
 *   process_watch_open()                 before the command is executed
 *   process_watch_update()               some times a second: the ring buffers are small
 *   process_watch_note_table()           for each table that was read
 *   process_watch_note_unread()          for each table that could not be read
 *   process_watch_note_reason()          for each known reason, as process_watch_read_reasons()
 *   process_watch_end()                  after the command has ended
 *   process_watch_unmeasured(), process_watch_running(), process_watch_program_end()
 *
 * A table belongs to the last program that its process had executed when the table began. For this
 * comparison, times of the clock of the tables are converted to the clock of the kernel: both
 * clocks are read at the start and at the end of the watch.
 */

struct process_watch;
typedef uint64_t process_watch_clock(void);

/* Starts to watch. all: expect tables of the programs of all descendants, not only of the command.
 * clock: the clock of the tables. Returns NULL if the kernel refuses the events. */
struct process_watch *process_watch_open(struct perf_sys *sys, int n_cpus, pid_t command, bool all,
					 process_watch_clock *clock);
void process_watch_update(struct process_watch *w);
/* Adds a table of this process. begin: when the table began, on the clock of the tables. */
void process_watch_note_table(struct process_watch *w, uint32_t pid, uint64_t begin);
/* Adds a table of this process that could not be read: one of the programs that it executed, and
 * that have no other table, is then not counted as a program without a table. */
void process_watch_note_unread(struct process_watch *w, pid_t pid);
/* Adds the reason why the next program that the process executes after this time has no table.
 * time_ns: on CLOCK_BOOTTIME; reason: borrowed until process_watch_close(). */
void process_watch_note_reason(struct process_watch *w, pid_t pid, uint64_t time_ns,
			       const char *reason);
/* Adds the reasons that tiptop-exec.so has left in the folder of the tables
 * (inject/preload/exec.h), with --follow-exec. */
void process_watch_read_reasons(struct process_watch *w, const char *folder);
/* Reads the remaining events of the kernel, and both clocks; call it when the command has ended. */
void process_watch_end(struct process_watch *w);

/* Appends the first programs without a table: "'a' (process 4711), 'b' (process 4712, linked
 * statically)". Returns the number of all programs without a table; *unexplained: the number of
 * those without a known reason. Also returns 0 if the number cannot be known: records were lost, or
 * pids are of another PID namespace. */
size_t process_watch_unmeasured(struct process_watch *w, struct strbuf *out, size_t *unexplained);
/* Returns the number of descendants that run and may load the object. *pid: the pid of one that has
 * a table, or else of the first one; unchanged if there is none. *n_static: the number of those
 * that run and are linked statically, so that they cannot load it. */
size_t process_watch_running(struct process_watch *w, int *pid, size_t *n_static);
/* Returns when the program of a table ended, on the clock of the tables: its process executed
 * another program (*executes), or ended. begin: when the table began. Returns 0 if it runs, or if
 * this is unknown. After process_watch_end(). */
uint64_t process_watch_program_end(const struct process_watch *w, uint32_t pid, uint64_t begin,
				   bool *executes);
/* Converts a time of the clock of the tables to CLOCK_BOOTTIME, after process_watch_end(). */
uint64_t process_watch_boot_ns(const struct process_watch *w, uint64_t ticks);
/* NULL is allowed. */
void process_watch_close(struct process_watch *w);

#endif

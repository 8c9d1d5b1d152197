/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_file - parsers of files in /proc: those that every refresh reads, and those for details.
 * Formats: proc(5).
 *
 * The parsers are pure. Those that return int return 0, or -EINVAL if the text has another format.
 */
#ifndef COLLECT_TASK_PROC_FILE_H
#define COLLECT_TASK_PROC_FILE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "collect/task/proc.h"

/* ---- container ----
 *
 * Finds the container of a task from the path of its control group: container engines create a
 * group for each container, with the ID of the container in its name. Pure.
 */

/* Appends the container: "docker:0123456789ab", with the ID shortened as the engine itself does, or
 * "lxc:name". Of nested containers, it is the outermost, which an engine of this machine has
 * started. Returns false and appends nothing if the path is in no container. */
bool container_of_cgroup(const char *path, struct strbuf *out);

/* ---- proc file ---- */

/* Units of numbers in /proc: the length of a clock tick, and the size of a page in KiB. */
struct proc_units {
	uint64_t tick_ns, page_kb;
};

/* Number of fields that are parsed in stat and schedstat, whose fields have no names; no row of
 * fact_table uses a later field. */
#define PROC_STAT_FIELDS      39
#define PROC_SCHEDSTAT_FIELDS 3

/* Parses /proc/PID/stat. Sets all facts in it, the state, name and start. The CPU time of children
 * is unknown for a process that ignores SIGCHLD: the kernel then does not add it. */
int proc_parse_stat(const char *text, const struct proc_units *units, struct proc_facts *out);
/* Parses a file of /proc/PID by the rows of fact_table (model/fact.h). Sets those wanted facts that
 * the file has, also facts that are usually read from another file; of stat, all facts. Returns
 * -EINVAL if the file has none of them. */
int proc_parse_file(int file, const char *text, const struct proc_units *units,
		    struct fact_set want, struct proc_facts *out);
/* Parses /proc/PID/cgroup: sets the path of the control group, and its container; empty: none. If
 * the task is in several hierarchies, chooses one whose path names a container: on version 1, an
 * engine may leave its containers in the group of its daemon in the unified hierarchy. Otherwise
 * prefers the unified hierarchy, then that of systemd, then any other; a path that is the root
 * comes last. After an error, both texts are undefined. */
int proc_parse_cgroup(const char *text, struct strbuf *path, struct strbuf *container);
/* Parses PID/syscall. Returns the number of the current system call; DETAIL_CALL_NONE: the task is
 * in none, or runs on a CPU. */
long proc_parse_syscall(const char *text);
/* Parses PID/wchan, the kernel function in which the task sleeps; "0": it does not sleep, or the
 * kernel does not say it. */
void proc_parse_wchan(const char *text, struct detail_wait *out);
/* Parses the allowed CPUs in PID/status; changes nothing if the file has no such line, or one too
 * long for out->allowed. */
void proc_parse_allowed(const char *text, struct detail_wait *out);
/* Sums up, from /proc/stat, the idle time of all CPUs on which the task may not run, and counts
 * these CPUs. Changes nothing if the allowed CPUs are unknown. */
void proc_parse_others(const char *text, uint64_t tick_ns, struct detail_wait *out);

/* Parses /proc/PID/limits: sets limit and n_limits. */
int proc_parse_limits(const char *text, struct detail *out);
/* Parses /proc/stat: the ticks of each CPU, in an array in the arena. Stops at a CPU whose number
 * is not above that of the CPU before it, so that the array is in ascending order. */
int proc_parse_cpus(const char *text, struct machine_use *out, struct arena *arena);
/* Parses /proc/meminfo. Linux before 3.14 has no MemAvailable: -EINVAL. */
int proc_parse_memory(const char *text, struct memory_use *out);
/* Parses /proc/loadavg: load averages, number of running threads, and the last pid. */
int proc_parse_loadavg(const char *text, struct host *host, int *last_pid);

#endif

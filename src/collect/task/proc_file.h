/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_file - parsers of the few files that are read at every refresh. libproc2 would take three
 * times as long for one task (25 to 35 µs); it reads everything else. Formats: proc(5).
 *
 * The parsers are pure. Each returns 0, or -EINVAL if the text has another format.
 */
#ifndef COLLECT_TASK_PROC_FILE_H
#define COLLECT_TASK_PROC_FILE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "collect/task/proc.h"

/* ---- container ----
 *
 * Finds the container of a task from the path of its control group: engines create a group for each
 * container, and its name contains the ID. Pure.
 */

/* Appends the container: "docker:0123456789ab", with the ID shortened as the engine itself does, or
 * "lxc:name". Of nested containers it is the outermost one, which this machine has started. Returns
 * false, with nothing appended, if the path is in no container. */
bool container_of_cgroup(const char *path, struct strbuf *out);

/* ---- proc file ---- */

/* Units of the kernel. */
struct proc_units {
	uint64_t tick_ns, page_kb;
};

/* The last fields that are used of files without field names; no row of fact_table uses a later
 * one. */
#define PROC_STAT_FIELDS      39
#define PROC_SCHEDSTAT_FIELDS 3

/* Sets a fact, and marks it as known. */
void proc_set_fact(struct proc_facts *out, enum fact fact, uint64_t value);

/* Parses /proc/PID/stat. Sets all its facts, the state, name and start. */
int proc_parse_stat(const char *text, const struct proc_units *units, struct proc_facts *out);
/* Parses a file of /proc/PID by the rows of fact_table (model/fact.h). Sets the wanted facts that
 * it has, also those that are usually read from another file; all facts of stat. Returns -EINVAL if
 * it has none of them. */
int proc_parse_file(enum fact_file file, const char *text, const struct proc_units *units,
		    fact_mask want, struct proc_facts *out);
/* Parses /proc/PID/cgroup: the path of the control group, and its container; empty: none. Of
 * several hierarchies it takes one whose path names a container: with version 1, engines may leave
 * their containers in the group of their daemon in the unified hierarchy. Else it takes the most
 * telling one: unified, systemd, any other, the root. After an error both texts are undefined. */
int proc_parse_cgroup(const char *text, struct strbuf *path, struct strbuf *container);
/* Parses PID/syscall. Returns the number of the call, or DETAIL_CALL_NONE. */
long proc_parse_syscall(const char *text);
/* Parses PID/wchan, which is "0" if the task does not sleep. */
void proc_parse_wchan(const char *text, struct detail_wait *out);
/* Parses the allowed CPUs of PID/status; without that line, changes nothing. */
void proc_parse_allowed(const char *text, struct detail_wait *out);
/* Sums up, from /proc/stat, the idle time of all CPUs that are not allowed, and counts them;
 * changes nothing if the allowed CPUs are unknown. */
void proc_parse_others(const char *text, uint64_t tick_ns, struct detail_wait *out);

/* Parses /proc/PID/limits: sets limit and n_limits. */
int proc_parse_limits(const char *text, struct detail *out);
/* Parses /proc/stat: the ticks of each CPU, in an array in the arena. The list ends at a CPU whose
 * number is not above that of the CPU before it. */
int proc_parse_cpus(const char *text, struct machine_use *out, struct arena *arena);
/* Parses /proc/meminfo. Linux before 3.14 has no MemAvailable: -EINVAL. */
int proc_parse_memory(const char *text, struct memory_use *out);
/* Parses /proc/loadavg: load averages, number of running threads, and the last pid. */
int proc_parse_loadavg(const char *text, struct host *host, int *last_pid);

#endif

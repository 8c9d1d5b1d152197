/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * proc_file - the few files that are read at every refresh, parsed. Those of a task: libproc2 would
 * cost three times as much for one task (25 to 35 µs); it reads everything else. Formats: proc(5).
 *
 * The parsers are pure. Each returns 0, or -EINVAL where the text is not of the format.
 */
#ifndef COLLECT_TASK_PROC_FILE_H
#define COLLECT_TASK_PROC_FILE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "collect/task/proc.h"

/* ---- container ----
 *
 * In which container a task is, by the path of its control group: engines give each
 * container a group of its own, whose name says which one it is. Pure.
 */

/* Appends the container: "docker:0123456789ab", as the engine itself shortens numbers, or
 * "lxc:name". Of containers within each other it is the outermost one, which this machine has
 * started. False, and nothing appended: the path is in no container. */
bool container_of_cgroup(const char *path, struct strbuf *out);

/* ---- proc file ---- */

/* The kernel's units. */
struct proc_units {
	uint64_t tick_ns, page_kb;
};

/* The last fields that are read of files without names: rows of facts have no others. */
#define PROC_STAT_FIELDS      39
#define PROC_SCHEDSTAT_FIELDS 3

/* Sets a fact, and marks it as known. */
void proc_set_fact(struct proc_facts *out, enum fact fact, uint64_t value);

/* Parses /proc/PID/stat. Sets all facts that it holds, state, name and start. */
int proc_parse_stat(const char *text, const struct proc_units *units, struct proc_facts *out);
/* Parses a file of /proc/PID as the rows of facts say (model/fact.h). Sets those of the wanted
 * facts that it holds; of stat, all. -EINVAL: none of them. */
int proc_parse_file(enum fact_file file, const char *text, const struct proc_units *units,
		    fact_mask want, struct proc_facts *out);
/* /proc/PID/cgroup: the path of the control group, and the container that it is in; empty: none.
 * Of several hierarchies, it is that of one which names a container: beside version 1, engines may
 * leave their containers in the group of their daemon in the unified one. Else it is the one that
 * tells most. What is refused leaves the two undefined. */
int proc_parse_cgroup(const char *text, struct strbuf *path, struct strbuf *container);
/* Reads PID/syscall: the number of the call, or DETAIL_CALL_NONE. */
long proc_parse_syscall(const char *text);
/* Reads PID/wchan, which is "0" where there is nothing to tell. */
void proc_parse_wchan(const char *text, struct detail_wait *out);
/* Reads the CPUs that are allowed from PID/status; leaves them as they are where it has none. */
void proc_parse_allowed(const char *text, struct detail_wait *out);
/* Reads from /proc/stat how many other CPUs there are, and how long they were idle, once those that
 * are allowed have been read; leaves both as they are where these are not known. */
void proc_parse_others(const char *text, uint64_t tick_ns, struct detail_wait *out);

/* /proc/PID/limits: sets limit and n_limits. */
int proc_parse_limits(const char *text, struct detail *out);
/* /proc/stat: the ticks of each CPU, which lie in the arena. Numbers of CPUs that go back end the
 * list. */
int proc_parse_cpus(const char *text, struct machine_use *out, struct arena *arena);
/* /proc/meminfo. Linux before 3.14 does not tell what is available. */
int proc_parse_memory(const char *text, struct memory_use *out);
/* /proc/loadavg: load averages, how many threads are running, and the last pid. */
int proc_parse_loadavg(const char *text, struct host *host, int *last_pid);

#endif

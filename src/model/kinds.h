/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds - the kinds of rows that tiptop itself has.
 */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "model/sample.h"

/* Processes, or their threads if these are the rows: the id is the pid or tid, the owner the
 * process. */
extern const struct kind kind_task;

/* CPUs: the id, and the name, is the number of the CPU; the command line is its place (socket and
 * core). start_ns distinguishes the periods in which the CPU was online. */
extern const struct kind kind_cpu;

/* The work of a control group on one CPU; the id is the number of the CPU. */
extern const struct kind kind_cpu_cgroup;

/* The modes in which a CPU can be counted. */
enum cpu_mode { CPU_MODE_ALL, CPU_MODE_USER, CPU_MODE_KERNEL, N_CPU_MODES };
extern const char *const cpu_mode_names[N_CPU_MODES];

/* The work of a CPU in one mode, counted with the events of the CPU that can be restricted to that
 * mode. The name is the number of the CPU and the mode, "0 user". */
extern const struct kind kind_cpu_mode;
uint64_t kind_cpu_mode_id(int cpu, enum cpu_mode mode);
/* Returns the mode from the id of such a row. */
enum cpu_mode kind_cpu_mode_of(uint64_t id);

/* The resources that the CPUs of a socket share, counted by PMUs of the socket. Its `like` is not
 * kind_cpu, as no number belongs to a CPU. The id, and the name, is the number of the socket; the
 * command line lists the CPUs on which it is counted. */
extern const struct kind kind_socket;

/* The sum of a command and its descendants: the id is the first pid of the command. */
extern const struct kind kind_command;

/* Regions of code that programs measure themselves: task.name is the name of the region,
 * task.process the name of the program. */
extern const struct kind kind_region;
/* Locks of a process, one row for each caller: task.name is the name of the lock, task.process the
 * name of the program. */
extern const struct kind kind_lock;
/* Library functions that a process calls: task.name is the name of the function, task.process the
 * name of the program. */
extern const struct kind kind_call;
/* Returns the id of a lock or call, from its row in a table of the process. A process that executes
 * several programs has several tables. */
uint64_t kind_table_id(int pid, unsigned table, size_t row);
/* The counts of a command and its descendants that no other row shows. Its id is 0, which is not a
 * PID. */
extern const struct kind kind_rest;
/* Returns the id of region i in a table of a process. */
uint64_t kind_region_id(int pid, unsigned table, uint32_t i);

/* Returns whether a kind is `of`, or has it as its `like`. */
bool kind_is(const struct kind *kind, const struct kind *of);

/* Returns the kind with this name; NULL: none. */
const struct kind *kinds_find(const char *name);

#endif

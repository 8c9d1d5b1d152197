/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kinds - the kinds of things that rows are of. A further one is a further row here.
 */
#ifndef MODEL_KINDS_H
#define MODEL_KINDS_H

#include "model/kind.h"

/* Processes, or their threads where these are the rows: the id is the pid or the tid, the owner the
 * process. */
extern const struct kind kind_task;

/* CPUs: the id is the number that the kernel gives them, which is the name, too; in the place of a
 * command line there is the place where it is. start_ns tells the times apart that it
 * came online. */
extern const struct kind kind_cpu;

/* What a control group does on a CPU, whose number is the id. */
extern const struct kind kind_cpu_cgroup;

/* In which modes a CPU is counted. */
enum cpu_mode { CPU_MODE_ALL, CPU_MODE_USER, CPU_MODE_KERNEL, N_CPU_MODES };
extern const char *const cpu_mode_names[N_CPU_MODES];

/* What a CPU does in one mode: its events are those that were wanted of the CPU, as far as they
 * happen in that mode. The name is the number of the CPU and the mode, "0 user". */
extern const struct kind kind_cpu_mode;
uint64_t kind_cpu_mode_id(int cpu, enum cpu_mode mode);
/* Which mode the row with this id is of. */
enum cpu_mode kind_cpu_mode_of(uint64_t id);

/* What the CPUs of a socket share, by PMUs that count for all of them: no kind of CPU, as nothing
 * of it is a CPU's. The id is the number of the socket, which is the name, too; in the place of a
 * command line there are the CPUs on which it is counted. */
extern const struct kind kind_socket;

/* A command with all that it makes, in a sum: the id is the pid that it began with. */
extern const struct kind kind_command;

/* Regions of code that programs measure themselves: the name is that of the region, the process has
 * the program's. */
extern const struct kind kind_region;
/* Locks of a process, each with who acquires it: the name is that of the lock, the process has the
 * program's. */
extern const struct kind kind_lock;
/* Functions of libraries that a process calls: the name is that of the function, the process has
 * the program's. */
extern const struct kind kind_call;
/* The id of a row of a table of the process, which has several where it executes programs. */
uint64_t kind_table_id(int pid, unsigned table, size_t row);
/* What a command with all that it made has done and no other row shows: nobody has its id, 0. */
extern const struct kind kind_rest;
/* The id of region i of a process. */
uint64_t kind_region_id(int pid, unsigned table, uint32_t i);

/* Whether it is of that kind, or like it. */
bool kind_is(const struct kind *kind, const struct kind *of);

/* Finds a kind by its name; NULL: there is none. */
const struct kind *kinds_find(const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege - capabilities that the file of the program gives (setcap(8)): used for counting and
 * for nothing else.
 *
 * Whoever may run a program that has them must not get more by it than the numbers. So they are
 * effective only while counters are opened and /proc is read, between privilege_raise() and
 * privilege_lower(); files, commands and signals get none. Only those are kept that counting may
 * need, and execve(2) finds none that it could hand on. A program that is set-user-ID or
 * set-group-ID would give its caller much more, so it is refused.
 *
 * The kernel protects a process that has gained capabilities from its own user: he can neither
 * attach to it by ptrace(2) nor open its /proc/PID/mem. A child has this protection until its
 * execve(2), and so tiptop itself, without capabilities that are effective, could not follow the
 * command from its start. The child becomes an ordinary process of the user in this order:
 *
 *   privilege_close_files()  before, he could take counters of tasks of others (pidfd_getfd(2))
 *   privilege_drop()         before, he could make it do what it may do
 *   privilege_allow_trace()   now he may attach; refused while a capability is left
 *
 * At each step before the last, the kernel still refuses him. What he can read in such a child is
 * what tiptop had in memory at its fork(2): numbers that it shows him anyway, and its own
 * addresses; mapped counters do not go into a child. What he can change is a process without
 * rights, and the number that it writes to tell why the command could not be executed.
 *
 * The capabilities of a user who has them without the file (root; ambient ones) stay as they are:
 * he may do with them what he likes. The kernel tells the two apart: AT_SECURE is set where a
 * program has gained something by its file.
 */
#ifndef PMU_CHECK_PRIVILEGE_H
#define PMU_CHECK_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmu/perf/sys.h"

/* To be called before all else. -EPERM where the program runs with the rights of another user or
 * group, or its capabilities cannot be put aside. */
int privilege_begin(struct err *err);

/* Makes the capabilities effective. Returns whether there was anything to raise; privilege_lower()
 * has to know it, since pairs of these calls may be nested. */
bool privilege_raise(void);
/* Takes back what the privilege_raise() that returned `raised` did. errno stays as it is. */
void privilege_lower(bool raised);

/* From now on they are raised while it opens a counter. */
void privilege_wrap(struct perf_kernel *k);

/* The capabilities that are effective while a counter is opened; bit i is capability i. */
uint64_t privilege_held(void);

/* Whether the program has gained capabilities by its file; root never does. */
bool privilege_from_file(void);

/* Only in a child that is to become a command; they do nothing where the file gives nothing. 0 or
 * -errno. */
/* Closes all descriptors that execve(2) would close, but those in keep. */
int privilege_close_files(const int *keep, size_t n);
/* Gives up all capabilities for good. */
int privilege_drop(void);
/* Lets the user of the child attach to it, unless he may not read the program. */
int privilege_allow_trace(void);

/* The path of the program, to be named in commands. */
void privilege_find_program(char *path, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege - capabilities that the file of the program has (setcap(8)): used for counting and for
 * nothing else.
 *
 * A user who runs a program with capabilities must gain nothing but the numbers. So the
 * capabilities are effective only while counters are opened and /proc is read, between
 * privilege_raise() and privilege_lower(); files, commands and signals are handled without them.
 * Only those that counting may need are kept, and none are inheritable across execve(2). A
 * set-user-ID or set-group-ID program would give its caller much more, so tiptop refuses to run as
 * one.
 *
 * The kernel protects a process that has gained capabilities from its own user, who can neither
 * attach to it by ptrace(2) nor open its /proc/PID/mem. A child has this protection until its
 * execve(2), so tiptop itself, whose capabilities are not effective, could not follow the command
 * from its start. The child becomes an ordinary process of the user in this order:
 *
 *   privilege_close_files()  first: else the user could take counters of other users' tasks
 *                            (pidfd_getfd(2))
 *   privilege_drop()         second: else the user could make the child use its capabilities
 *   privilege_allow_trace()   now the user can attach; refused while a capability is left
 *
 * Before the last step, the kernel still refuses the user. What the user can then read in the child
 * is the memory of tiptop at its fork(2): numbers that tiptop shows anyway, and its own addresses;
 * mapped counters are not inherited by a child. What the user can change is a process without
 * rights, and the error number by which it reports that the command could not be executed.
 *
 * Capabilities that a user has without the file (root; ambient ones) stay as they are. The kernel
 * makes the difference visible: AT_SECURE is set if the file of a program gave it something.
 */
#ifndef PMU_CHECK_PRIVILEGE_H
#define PMU_CHECK_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmu/perf/sys.h"

/* Must be called first. -EPERM: the program runs with the rights of another user or group, or its
 * capabilities cannot be made ineffective. */
int privilege_begin(struct err *err);

/* Makes the capabilities effective. Returns whether that changed anything; to be passed to
 * privilege_lower(), as pairs of these calls may be nested. */
bool privilege_raise(void);
/* Undoes the privilege_raise() that returned `raised`. Keeps errno. */
void privilege_lower(bool raised);

/* Makes the kernel's open() raise the capabilities while it opens a counter. */
void privilege_wrap(struct perf_kernel *k);

/* Returns the capabilities that are effective while a counter is opened; bit i is capability i. */
uint64_t privilege_held(void);

/* Returns whether the file of the program gave it capabilities; always false for root. */
bool privilege_from_file(void);

/* Only for a child that is to become a command; these do nothing if the file has no capabilities.
 * They return 0 or -errno. */
/* Closes all descriptors that execve(2) would close, except those in `keep`. */
int privilege_close_files(const int *keep, size_t n);
/* Drops all capabilities irrevocably. */
int privilege_drop(void);
/* Allows the user to attach to the child, unless the user has no permission to read the program. */
int privilege_allow_trace(void);

/* Sets `path` to the path of the program, for use in commands; to "tiptop" if it is unknown. */
void privilege_find_program(char *path, size_t size);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * privilege - restricts the capabilities that the program's file gives it (setcap(8)) to counting.
 *
 * A user who runs a program with capabilities must gain nothing but the numbers. So the
 * capabilities are effective only while counters are opened and /proc is read, between
 * privilege_raise() and privilege_lower(); files, commands and signals are handled without them.
 * Only capabilities that counting may need are kept, and none is inheritable across execve(2). A
 * set-user-ID or set-group-ID program would give its caller much more, so tiptop refuses to run as
 * one.
 *
 * The kernel protects a process that has gained capabilities from its own user, who can neither
 * attach to it by ptrace(2) nor open its /proc/PID/mem. A child is protected, too, until its
 * execve(2), so tiptop itself, while its capabilities are not effective, could not follow the
 * command from its start. The child therefore becomes an ordinary process of the user, by these
 * steps:
 *
 *   privilege_close_files()  first: else the user could take counters of other users' tasks
 *                            (pidfd_getfd(2))
 *   privilege_drop()         second: else the user could make the child use its capabilities
 *   privilege_allow_trace()   now the user can attach; refused while a capability is left
 *
 * Until the last step, the kernel refuses to let the user attach. After it, the user can read the
 * memory of the child, a copy of tiptop's memory at the fork(2): numbers that tiptop shows anyway,
 * and addresses; mapped counters are not inherited by a child. The user can also change the child,
 * which has no privileges, and the error number by which the child reports that the command could
 * not be executed.
 *
 * Capabilities that the user has without the file (root, or ambient capabilities) stay as they are.
 * They are distinguished by AT_SECURE (getauxval(3)), which the kernel sets if a program's file
 * gave it privileges.
 *
 * capability_to_give() says which of the capabilities(7) a kernel version requires for counting.
 */
#ifndef PMU_CHECK_PRIVILEGE_H
#define PMU_CHECK_PRIVILEGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "pmu/perf/sys.h"

/* ---- capability ----
 *
 * The capabilities(7) that decide what can be counted, and which of them each kernel version
 * requires.
 */

/* Bit numbers in CapEff and the other masks of capabilities in /proc/PID/status. */
enum capability {
	CAP_IPC_LOCK_BIT = 14,
	CAP_SYS_PTRACE_BIT = 19,
	CAP_SYS_ADMIN_BIT = 21,
	CAP_SYS_RESOURCE_BIT = 24,
	CAP_PERFMON_BIT = 38
};

/* Returns 5009 for "5.9.0-1-amd64", a release as uname(2) gives it; 0 for another form. */
int capability_kernel_version(const char *release);

/* Returns the capabilities that allow counting tasks of other users on a kernel of this version,
 * as setcap(8) names them. */
const char *capability_to_give(int version);

/* ---- privilege ---- */

/* Makes the capabilities ineffective until privilege_raise(); must be called before all else.
 * -EPERM: the program runs as a set-user-ID or set-group-ID program; other -errno: the capabilities
 * cannot be made ineffective. */
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

/* Returns whether the program's file gave it capabilities; always false for root. */
bool privilege_from_file(void);

/* The next three functions are for a child that is to become a command. They do nothing if the
 * program's file has no capabilities. They return 0 or -errno. */
/* Closes all descriptors that execve(2) would close, except those in `keep`. */
int privilege_close_files(const int *keep, size_t n);
/* Drops all capabilities; they cannot be regained. */
int privilege_drop(void);
/* Allows the user to attach to the child, unless the user has no permission to read the program. */
int privilege_allow_trace(void);

/* Sets `path` to the path of the program, for use in commands; to "tiptop" if it is unknown. */
void privilege_find_program(char *path, size_t size);

#endif

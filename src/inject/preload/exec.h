/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec - adds the preloaded objects to the environment of programs that are executed without them:
 * --follow-exec of tiptop locks and tiptop calls.
 *
 * This is a separate object, tiptop-exec.so, which the option preloads before the measuring
 * objects. It wraps the exec family and posix_spawn(3). If a measured program executes another
 * program with an environment that lacks the objects, this object passes a completed environment
 * (exec_env.h). Conditions: the new program can load the objects (exec_env.h), the files of the
 * objects can be read from this process, and the environment fits on the stack. If a condition
 * fails, the call is made unchanged, and the reason is noted (exec_note). If nothing is missing,
 * the call is made unchanged, too.
 *
 * All of this may run between vfork(2) and exec(2), or in a signal handler: it allocates no memory,
 * takes no lock, and writes only to the stack. Arguments, status and errno are as without this
 * object. Its system calls go directly to the C library's syscall(), so that they are not counted
 * as the program's. A seccomp filter (seccomp.h) might kill the program for these system calls:
 * once the program has set a filter, environments are not completed any more.
 *
 * Not covered: system(3), popen(3) and wordexp(3), which call internal functions of the C library;
 * and programs that make the system call in their own code.
 */
#ifndef INJECT_PRELOAD_EXEC_H
#define INJECT_PRELOAD_EXEC_H

#include <stdint.h>

/* ---- exec_note ----
 *
 * Notes why an executed program cannot be measured, in a file beside the tables; tiptop
 * reports the reasons with --follow-exec.
 *
 * Each note is appended by one write(2), so that notes of several processes do not mix. A note
 * applies to the next program that the process executes. If this execution fails, the note applies
 * to no program.
 */

/* A hidden file, so that it is not taken for a table. */
#define EXEC_NOTE_FILE ".reasons"

struct exec_note {
	uint64_t boot_ns; /* time of the note, by CLOCK_BOOTTIME */
	int32_t pid;
	uint32_t kind; /* enum exec_file_kind */
};

/* ---- exec ---- */

/* Stops completing environments, in this process and its children. Called by the measuring objects,
 * in which the function's address is NULL if this object is not loaded. */
void tiptop_exec_leave(void) __attribute__((weak, visibility("default")));

#endif

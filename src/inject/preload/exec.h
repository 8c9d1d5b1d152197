/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec - puts the objects that measure back into the environment of programs that are executed
 * without them: --follow-exec of tiptop locks and tiptop calls.
 *
 * It is an object of its own, tiptop-exec.so, which is preloaded before the others where that is
 * wanted. It stands before execve(2) and its kin and before posix_spawn(3), and hands them another
 * environment (exec_env.h) where a measured program would execute one that is to be measured
 * without them. That is done where the program can load them (exec_file.h), where their files can
 * be opened from inside of the process, and where the environment has room on the stack; else the
 * call is as the program made it, and why that is so is noted (exec_note.h). It is so, too, where
 * nothing is lacking.
 *
 * All of this may be between vfork(2) and exec(2), or in a handler of a signal: it takes no memory
 * and no lock, and writes to nothing but the stack. Arguments, status and errno are as without it.
 * Its system calls go to the C library's syscall() directly, so that they are not counted as the
 * program's. A filter of system calls (seccomp.h) might end the program for them: once one was set,
 * nothing is put back any more.
 *
 * system(3), popen(3) and wordexp(3) execute by functions of the C library's own, which cannot be
 * stood before; nor can what a program executes by a system call in its own code.
 */
#ifndef INJECT_PRELOAD_EXEC_H
#define INJECT_PRELOAD_EXEC_H

/* Lets the process and its children execute programs as they do it themselves. It is called by the
 * objects that measure, which find it where this one is loaded. */
void tiptop_exec_leave(void) __attribute__((weak, visibility("default")));

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_file - whether a program that is about to be executed can load objects of LD_PRELOAD that
 * are made for this process.
 *
 * The file is looked at as the kernel does it: a script is followed to its interpreter. A program
 * can if it is an ELF file of the same class and machine, its interpreter is that of this C
 * library, and it gets no other rights than this process has. One that has a sanitizer's library in
 * front ends where another object comes before it, so it cannot.
 *
 * All of it may be called between vfork(2) and exec(2): it makes system calls, and nothing else.
 */
#ifndef INJECT_PRELOAD_EXEC_FILE_H
#define INJECT_PRELOAD_EXEC_FILE_H

#include <stdbool.h>

enum exec_file_kind {
	EXEC_FILE_LOADS,
	EXEC_FILE_UNKNOWN, /* it cannot be read, or only the kernel knows what it is */
	EXEC_FILE_STATIC,
	EXEC_FILE_OTHER_LIBRARY,
	EXEC_FILE_OTHER_MACHINE,
	EXEC_FILE_RIGHTS,
	EXEC_FILE_SANITIZER,
	/* What is not in the file. */
	EXEC_FILE_NO_OBJECT, /* those objects cannot be opened from here */
	EXEC_FILE_NO_ROOM,   /* for another environment */
	EXEC_FILE_KINDS
};

/* syscall() of the C library, behind whatever stands before it. */
typedef long exec_kernel_function(long, ...);
extern exec_kernel_function *exec_kernel;

/* folder: as openat(2) has it. shell: a text without an interpreter is executed by the shell, as
 * execvp(3) does it. errno changes. */
enum exec_file_kind exec_file_check(int folder, const char *path, bool shell);
/* Whether a library of this name, or path, is that of a sanitizer, which has to be the first one.
 */
bool exec_file_is_sanitizer(const char *name);

#endif

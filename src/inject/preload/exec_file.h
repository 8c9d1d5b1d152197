/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_file - checks whether a program that is about to be executed can load the objects in
 * LD_PRELOAD of this process.
 *
 * The file is examined as the kernel does: a script is followed to its interpreter. A program can
 * load the objects if it is an ELF file of the same class and machine, its interpreter is that of
 * this C library, and it gets the same rights as this process. A program whose first library is
 * that of a sanitizer cannot load them: it aborts if another object is loaded before that library.
 *
 * The functions may be called between vfork(2) and exec(2): they only make system calls.
 */
#ifndef INJECT_PRELOAD_EXEC_FILE_H
#define INJECT_PRELOAD_EXEC_FILE_H

#include <stdbool.h>

enum exec_file_kind {
	EXEC_FILE_LOADS,
	EXEC_FILE_UNKNOWN, /* cannot be read, or is of a type that only the kernel knows */
	EXEC_FILE_STATIC,
	EXEC_FILE_OTHER_LIBRARY,
	EXEC_FILE_OTHER_MACHINE,
	EXEC_FILE_RIGHTS,
	EXEC_FILE_SANITIZER,
	/* Reasons outside the file. */
	EXEC_FILE_NO_OBJECT, /* the objects cannot be read from this process */
	EXEC_FILE_NO_ROOM,   /* no room on the stack for another environment */
	EXEC_FILE_KINDS
};

/* syscall() of the C library itself, not of a wrapper. */
typedef long exec_kernel_function(long, ...);
extern exec_kernel_function *exec_kernel;

/* Checks the file at `path`, relative to `folder` as for openat(2). shell: if the file is neither
 * ELF nor a script, it is executed by the shell, as by execvp(3). Changes errno. */
enum exec_file_kind exec_file_check(int folder, const char *path, bool shell);
/* Returns whether a library of this name or path is that of a sanitizer, which must be loaded
 * first.
 */
bool exec_file_is_sanitizer(const char *name);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_file - checks whether a program can load the preloaded objects, by its file, before it is
 * executed. It has no state, so that tiptop checks its command with it, too.
 */
#ifndef INJECT_PRELOAD_EXEC_FILE_H
#define INJECT_PRELOAD_EXEC_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "inject/lib/arch.h"

/* ---- exec_text ----
 *
 * String functions for use between fork(2) and exec(2). Those of the C library would be
 * counted as calls of the program (calls.h); the barriers keep the compiler from turning the loops
 * into calls of the C library.
 */

static inline size_t exec_text_length(const char *s)
{
	size_t n = 0;

	for (; s[n]; n++)
		ARCH_BARRIER();
	return n;
}

static inline void exec_text_copy(char *to, const char *from, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		to[i] = from[i];
		ARCH_BARRIER();
	}
}

static inline bool exec_text_equals(const char *a, const char *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i] != b[i])
			return false;
	return true;
}

/* Returns the text after the prefix; NULL: the text does not begin with it. */
static inline const char *exec_text_after(const char *s, const char *prefix)
{
	for (; *prefix; s++, prefix++)
		if (*s != *prefix)
			return NULL;
	return s;
}

/* Returns the first of these two characters, or the end of the text. */
static inline const char *exec_text_find(const char *s, char one, char other)
{
	while (*s && *s != one && *s != other)
		s++;
	return s;
}

/* ---- exec_file ----
 *
 * Checks whether a program that is about to be executed can load the objects in
 * LD_PRELOAD of this process.
 *
 * The file is examined as the kernel does: a script is followed to its interpreter. A program can
 * load the objects if it is an ELF file of the same class and machine, its interpreter is that of
 * this C library, and it gets the same rights as this process. A program whose first library is
 * that of a sanitizer cannot load them: it aborts if another object is loaded before that library.
 *
 * The functions may be called between vfork(2) and exec(2): they only make system calls.
 */

enum exec_file_kind {
	EXEC_FILE_LOADS,
	EXEC_FILE_UNKNOWN, /* cannot be read, or is of a type that only the kernel knows */
	EXEC_FILE_STATIC,
	EXEC_FILE_MUSL, /* its loader would end it, as it cannot load the objects */
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

/* Checks the file at `path`, relative to `folder` as for openat(2). shell: if the file is neither
 * ELF nor a script, it is executed by the shell, as by execvp(3). kernel makes the system calls.
 * Changes errno. */
enum exec_file_kind exec_file_check(exec_kernel_function *kernel, int folder, const char *path,
				    bool shell);
/* Checks the file of this name, without a slash, that execvp(3) finds in the folders of PATH. */
enum exec_file_kind exec_file_check_in_path(exec_kernel_function *kernel, const char *name);
/* Returns whether a library of this name or path is that of a sanitizer, which must be loaded
 * first.
 */
bool exec_file_is_sanitizer(const char *name);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_env - completes the environment of an executed program from which the preloaded objects are
 * missing.
 *
 * tiptop lists its objects in EXEC_VARIABLE, in the format of LD_PRELOAD. The variables that they
 * need are copied when the program starts, as the program may clear or overwrite its environment.
 * In the environment of an executed program, LD_PRELOAD gets the objects again, before those of the
 * user; but after them if the user's first object is that of a sanitizer, which must come first.
 * The variables of the objects are added if the variable with the folder is missing.
 *
 * The environment is made on the caller's stack:
 *
 *   struct exec_env e;
 *   if (exec_env_is_incomplete(&e, envp) && exec_env_fits(&e))
 *           exec_env_make(&e, alloca(exec_env_size(&e)));
 *
 * All functions but exec_env_begin() may be called between vfork(2) and exec(2): they use functions
 * for texts of their own (exec_text). exec_file_check() tells whether the program can load the
 * objects.
 */
#ifndef INJECT_PRELOAD_EXEC_ENV_H
#define INJECT_PRELOAD_EXEC_ENV_H

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

/* ---- exec_env ---- */

/* The variable with the paths of the objects, separated by colons. */
#define EXEC_VARIABLE "TIPTOP_EXEC"

struct exec_env {
	char *const *from;   /* the environment to complete */
	size_t n;            /* number of variables in `from` */
	const char *preload; /* the value of LD_PRELOAD; NULL: not set */
	size_t preload_at;   /* the index of LD_PRELOAD in `from` */
	bool objects;        /* objects are missing */
	bool variables;      /* variables that the objects need are missing */
};

/* Copies what the objects need from the environment of this process. */
void exec_env_begin(void);
/* Returns whether a program that this process (or a child of it) executes is to be measured. */
bool exec_env_is_measured(bool by_child);
/* Returns the folder for tables of the i-th measuring object, from 0 on; NULL: there are fewer
 * objects. */
const char *exec_env_folder(unsigned i);
/* Returns whether objects or variables are missing in an environment, and sets *e for the functions
 * below. from: NULL is an empty environment. */
bool exec_env_is_incomplete(struct exec_env *e, char *const *from);
/* Returns whether the completed environment is small enough for the stack; true if nothing is
 * missing, as no other environment is made then. */
bool exec_env_fits(const struct exec_env *e);
/* Returns whether the files of all objects can be read from this process. */
bool exec_env_has_objects(void);
/* Returns the size of the completed environment in bytes. */
size_t exec_env_size(const struct exec_env *e);
/* Makes the completed environment in memory of exec_env_size() bytes, aligned for pointers, and
 * returns it. */
char **exec_env_make(const struct exec_env *e, void *memory);

#endif

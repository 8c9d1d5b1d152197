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
 * From the environment of a program that the objects would end, they are removed.
 *
 * The environment is made on the caller's stack:
 *
 *   struct exec_env e;
 *   if (exec_env_is_incomplete(&e, envp) && exec_env_fits(&e))
 *           exec_env_make(&e, alloca(exec_env_size(&e)));
 *
 * All functions but exec_env_begin() may be called between vfork(2) and exec(2): they use functions
 * for texts of their own (exec_text).
 */
#ifndef INJECT_PRELOAD_EXEC_ENV_H
#define INJECT_PRELOAD_EXEC_ENV_H

#include <stdbool.h>
#include <stddef.h>

#include "inject/preload/exec_file.h"

extern exec_kernel_function *exec_kernel;

/* The variable with the paths of the objects, separated by colons. */
#define EXEC_VARIABLE "TIPTOP_EXEC"

struct exec_env {
	char *const *from;   /* the environment to complete */
	size_t n;            /* number of variables in `from` */
	const char *preload; /* the value of LD_PRELOAD; NULL: not set */
	size_t preload_at;   /* the index of LD_PRELOAD in `from` */
	bool objects;        /* objects are missing */
	bool variables;      /* a variable with the folder of an object's tables is missing */
};

/* Copies what the objects need from the environment of this process. */
void exec_env_begin(void);
/* Returns whether a program that this process (or a child of it) executes is to be measured. */
bool exec_env_is_measured(bool by_child);
/* Returns the folder for tables of the i-th measuring object, from 0 on; NULL: there are fewer
 * objects. */
const char *exec_env_folder(unsigned i);
/* Returns whether objects, or variables with their folders, are missing in an environment, and sets
 * *e for the functions below. from: NULL is an empty environment. */
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
/* Returns whether the environment lists objects of tiptop in LD_PRELOAD, and is small enough for
 * the stack without them. */
bool exec_env_can_remove(const struct exec_env *e);
/* Returns the size of the environment without the objects in bytes. */
size_t exec_env_size_without(const struct exec_env *e);
/* Makes the environment without the objects, for a program that they would end, as exec_env_make()
 * does. */
char **exec_env_make_without(const struct exec_env *e, void *memory);

#endif

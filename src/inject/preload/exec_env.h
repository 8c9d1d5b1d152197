/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_env - the environment that a program gets in which a measured one has lost the objects.
 *
 * tiptop names its objects in EXEC_VARIABLE, as LD_PRELOAD has them. What they need of the
 * environment is kept when the program begins, as it may clear its own, or write over it. In the
 * environment of another program, LD_PRELOAD gets the objects again, before those of the user; only
 * where the first of these is that of a sanitizer, which has to be the first one, behind them. The
 * variables of the objects come back where that of the folder is not there.
 *
 * An environment is made on the stack of whoever executes:
 *
 *   struct exec_env e;
 *   if (exec_env_is_incomplete(&e, envp, ...) && exec_env_fits(&e))
 *           exec_env_make(&e, alloca(exec_env_size(&e)));
 *
 * All but exec_env_begin() may be called between vfork(2) and exec(2).
 */
#ifndef INJECT_PRELOAD_EXEC_ENV_H
#define INJECT_PRELOAD_EXEC_ENV_H

#include <stdbool.h>
#include <stddef.h>

/* The objects, with a colon between them. */
#define EXEC_VARIABLE "TIPTOP_EXEC"

struct exec_env {
	char *const *from;
	size_t n;            /* how many variables that has */
	const char *preload; /* the value of its LD_PRELOAD; NULL: there is none */
	size_t preload_at;   /* which one that is */
	bool objects;        /* the objects are lacking */
	bool variables;      /* and so is what they need */
};

/* Keeps what is in the environment of this process. */
void exec_env_begin(void);
/* Whether a program is measured that this process executes, or that a child of it does. */
bool exec_env_is_measured(bool by_child);
/* Returns the folders of those that measure, one after the other; NULL: there is no i-th one. */
const char *exec_env_folder(unsigned i);
/* Whether this environment lacks what is to be there; NULL is an empty one. */
bool exec_env_is_incomplete(struct exec_env *e, char *const *from);
/* Whether a stack has room for one more like it. */
bool exec_env_fits(const struct exec_env *e);
/* Whether the files of all objects can be opened from here. */
bool exec_env_has_objects(void);
/* In bytes. */
size_t exec_env_size(const struct exec_env *e);
/* Makes it in memory of that size, which is aligned for pointers. */
char **exec_env_make(const struct exec_env *e, void *memory);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * calls_real - finds the functions of the C library that the wrappers call, by their numbers.
 *
 * The functions are looked up by name in the objects after this one. If an old version of a
 * function has another struct layout, the list says which version to look up. The lookup may
 * allocate memory; until the lookup is done, memory comes from a small array in this object. If the
 * program defines malloc() itself, the program's malloc() is called instead, and the functions that
 * it calls are looked up first. A function that this C library does not have aborts the program
 * with a sentence; only a program built for a newer C library can call it.
 */
#ifndef INJECT_PRELOAD_CALLS_REAL_H
#define INJECT_PRELOAD_CALLS_REAL_H

#include <stdbool.h>

#include "inject/preload/calls_table.h"

/* Tables that config/calls.awk generates from the list. */
struct calls_symbol {
	const char *name, *version; /* version: NULL: any */
};
struct calls_special {
	uint32_t malloc, calloc, realloc, free, prctl, pthread_create, thrd_create;
};

/* Further functions, of an object that is loaded after this one: it has its own wrappers, and its
 * find() looks up the wrapped functions as next_find() does. first: the first version of the C
 * library on this architecture. */
struct calls_more {
	uint32_t n;
	const struct calls_function *function; /* [n] */
	void (*find)(const char *first);
};
extern const struct calls_more tiptop_calls_more __attribute__((weak, visibility("default")));

extern const uint32_t calls_n_listed; /* functions in the list */
extern uint32_t calls_n; /* functions in the list and in the other object; set by the lookup */
extern const struct calls_function calls_functions[]; /* [calls_n_listed]; [0] has the number 1 */
extern const struct calls_symbol calls_symbols[];     /* [calls_n_listed]: their symbols */
extern const struct calls_special
	calls_special; /* numbers of the functions that this object treats specially */
/* The real functions, by number; [0] is not used. Wrappers cast them to their types. */
extern void (*calls_real[])(void);

enum calls_jump_number {
	CALLS_JUMP_longjmp,
	CALLS_JUMP__longjmp,
	CALLS_JUMP_siglongjmp,
	CALLS_JUMP___longjmp_chk,
	CALLS_JUMPS
};
extern void (*calls_real_jump[CALLS_JUMPS])(void);

/* Returns how many functions the other object has; 0: it is not loaded, or has too many. */
uint32_t calls_n_extra(void);
/* Redirects calls of two kinds to this object: of thread creation, so that threads start in this
 * object; and of prctl(2), which sets seccomp filters. Called when all functions are found. */
void calls_redirect(void);
/* Finds all functions, once. Returns false if called from inside the lookup. */
bool calls_real_find(void);
/* Finds one function of the list that is called from inside the lookup. */
void calls_real_find_early(uint32_t function);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * calls_real - the functions of the C library behind the wrappers, by their numbers.
 *
 * They are found by their names behind this object, with the version that the list says where an
 * old one has another layout. Until they are found, memory comes from a small place of this object:
 * finding them may ask for some, and nobody has it yet. A program that has its own malloc() is
 * asked for it instead; what that calls is found first. A function that this C library does not
 * have ends the program that calls it, with a sentence: only who was built for a newer one can.
 */
#ifndef INJECT_PRELOAD_CALLS_REAL_H
#define INJECT_PRELOAD_CALLS_REAL_H

#include <stdbool.h>

#include "inject/preload/calls_table.h"

/* What config/calls.awk makes of the list. */
struct calls_symbol {
	const char *name, *version; /* version: NULL where it is not asked for */
};
struct calls_special {
	uint32_t malloc, calloc, realloc, free, prctl, pthread_create, thrd_create;
};

/* More functions, of an object that is loaded behind this one: it has wrappers of its own, and
 * finds what they stand before, as next_find() does; first: the first version of the C library. */
struct calls_more {
	uint32_t n;
	const struct calls_function *function; /* [n] */
	void (*find)(const char *first);
};
extern const struct calls_more tiptop_calls_more __attribute__((weak, visibility("default")));

extern const uint32_t calls_n_listed; /* how many the list has */
extern uint32_t calls_n;              /* and with those of the other object, once all are found */
extern const struct calls_function
	calls_functions[]; /* [calls_n_listed]: the first one has the number 1 */
extern const struct calls_symbol calls_symbols[]; /* [calls_n_listed]: what is called for them */
extern const struct calls_special calls_special;  /* numbers of those that are needed here */
/* A wrapper calls it as what it is. [0] is none. */
extern void (*calls_real[])(void);

enum calls_jump_number {
	CALLS_JUMP_longjmp,
	CALLS_JUMP__longjmp,
	CALLS_JUMP_siglongjmp,
	CALLS_JUMP___longjmp_chk,
	CALLS_JUMPS
};
extern void (*calls_real_jump[CALLS_JUMPS])(void);

/* How many functions the other object has; 0: there is none, or it has too many. */
uint32_t calls_n_extra(void);
/* Threads that are created begin with this object, and it sees filters of system calls. Once all
 * are found. */
void calls_redirect(void);
/* Finds all, once. False: they are being found, below this call. */
bool calls_real_find(void);
/* Finds one of the list, where it is called while they are being found. */
void calls_real_find_early(uint32_t function);

#endif

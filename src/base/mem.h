/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * mem - allocation that cannot fail, and arenas.
 *
 * A monitor that has no memory left cannot do anything sensible: the x-functions abort with one
 * line on standard error. Other failures are returned as errors (err.h).
 *
 * An arena hands out memory that is freed all at once. arena_reset() takes all of it back but keeps
 * the blocks: a program that fills the same arena at every refresh soon allocates nothing. An arena
 * that has grown large is given back to the system at a reset, if less than a quarter of it was
 * used since the reset before. Pointers from an arena are valid until its reset.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stdarg.h>
#include <stddef.h>

/* ---- the x-functions ----
 *
 * Each returns memory that the caller frees with free(3). xmalloc() and xreallocarray() do not
 * clear it.
 */

void *xmalloc(size_t size);
void *xcalloc(size_t n, size_t size);
void *xreallocarray(void *old, size_t n, size_t size);
char *xstrdup(const char *s);
/* Returns NULL for NULL. */
char *xstrdup_or_null(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
char *xvasprintf(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

/* Copies a text with its terminator to *at, in a block that has room for it, and advances *at past
 * it. Returns the copy. */
char *mem_put_text(char **at, const char *text);

/* Makes room for at least `need` elements of a growing array: doubles *cap, never shrinks. */
void *xgrow(void *array, size_t *cap, size_t need, size_t size);

/* ---- arenas ---- */

struct arena_block;

struct arena {
	struct arena_block *first, *current;
};

#define ARENA_INIT                                                                                 \
	{                                                                                          \
		NULL, NULL                                                                         \
	}

/* Returns memory that is aligned for any type, and not cleared. */
void *arena_alloc(struct arena *a, size_t size);
/* Returns n elements of `size` bytes, cleared. */
void *arena_calloc(struct arena *a, size_t n, size_t size);
void *arena_copy(struct arena *a, const void *data, size_t size);
char *arena_strdup(struct arena *a, const char *s);
void arena_reset(struct arena *a);
void arena_done(struct arena *a);
/* Returns the bytes that the arena holds, used or not. */
size_t arena_size(const struct arena *a);

#endif

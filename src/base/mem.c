/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_MIN ((size_t)16 * 1024)

static _Noreturn void out_of_memory(size_t size)
{
	fprintf(stderr, "tiptop: out of memory (%zu bytes wanted)\n", size);
	abort();
}

void *xmalloc(size_t size)
{
	void *p = malloc(size ? size : 1);

	if (!p)
		out_of_memory(size);
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory(n * size);
	return p;
}

void *xreallocarray(void *old, size_t n, size_t size)
{
	void *p = reallocarray(old, n ? n : 1, size ? size : 1);

	if (!p)
		out_of_memory(n * size);
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xstrdup_or_null(const char *s)
{
	return s ? xstrdup(s) : NULL;
}

char *xstrndup(const char *s, size_t n)
{
	size_t len = strnlen(s, n);
	char *copy = xmalloc(len + 1);

	memcpy(copy, s, len);
	copy[len] = '\0';
	return copy;
}

char *xvasprintf(const char *fmt, va_list ap)
{
	char *s;

	if (vasprintf(&s, fmt, ap) < 0)
		out_of_memory(0);
	return s;
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	char *s;

	va_start(ap, fmt);
	s = xvasprintf(fmt, ap);
	va_end(ap);
	return s;
}

char *mem_put_text(char **at, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = memcpy(*at, text, size);

	*at += size;
	return copy;
}

void *xgrow(void *array, size_t *cap, size_t need, size_t size)
{
	size_t n = *cap;

	if (need <= n)
		return array;
	while (n < need)
		n = n ? n * 2 : 16;
	*cap = n;
	return xreallocarray(array, n, size);
}

struct arena_block {
	struct arena_block *next;
	size_t size, used;
	_Alignas(max_align_t) char data[];
};

static struct arena_block *block_new(size_t size)
{
	struct arena_block *b = xmalloc(sizeof *b + size);

	b->next = NULL;
	b->size = size;
	b->used = 0;
	return b;
}

/* Returns the next block with room for `size` bytes; allocates one if there is none. Blocks that
 * are too small for this request stay in the chain, for smaller ones after a reset. */
static struct arena_block *block_with_room(struct arena *a, size_t size)
{
	struct arena_block *b = a->current, *fresh;
	size_t wanted = size > ARENA_BLOCK_MIN ? size : ARENA_BLOCK_MIN;

	for (; b; b = b->next) {
		if (b->size - b->used >= size)
			return b;
		if (!b->next)
			break;
	}
	/* Doubling the blocks keeps their number logarithmic. */
	if (b && b->size < ((size_t)1 << 20) && b->size * 2 > wanted)
		wanted = b->size * 2;
	fresh = block_new(wanted);
	if (b)
		b->next = fresh;
	else
		a->first = fresh;
	return fresh;
}

void *arena_alloc(struct arena *a, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	struct arena_block *b;
	void *p;

	size = (size + align - 1) & ~(align - 1);
	b = block_with_room(a, size);
	a->current = b;
	p = b->data + b->used;
	b->used += size;
	return p;
}

void *arena_calloc(struct arena *a, size_t n, size_t size)
{
	void *p;

	if (size && n > (size_t)-1 / size)
		out_of_memory((size_t)-1);
	p = arena_alloc(a, n * size);
	if (n && size)
		memset(p, 0, n * size);
	return p;
}

void *arena_copy(struct arena *a, const void *data, size_t size)
{
	void *p = arena_alloc(a, size);

	/* With size 0, data may be NULL. */
	if (size)
		memcpy(p, data, size);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_copy(a, s, strlen(s) + 1);
}

/* An arena up to this size (in bytes) is kept at a reset: giving it back to the system would save
 * little. */
#define ARENA_KEEP ((size_t)128 * 1024)

void arena_reset(struct arena *a)
{
	size_t size = 0, used = 0;

	for (struct arena_block *b = a->first; b; b = b->next) {
		size += b->size;
		used += b->used;
		b->used = 0;
	}
	a->current = a->first;
	if (size > ARENA_KEEP && used < size / 4)
		arena_done(a);
}

void arena_done(struct arena *a)
{
	struct arena_block *b = a->first, *next;

	for (; b; b = next) {
		next = b->next;
		free(b);
	}
	a->first = a->current = NULL;
}

size_t arena_size(const struct arena *a)
{
	size_t n = 0;

	for (const struct arena_block *b = a->first; b; b = b->next)
		n += b->size;
	return n;
}

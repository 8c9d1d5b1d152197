/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/calls_real.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "inject/preload/next.h"

#define PLACE_SIZE 65536

static void missing(void)
{
	static const char text[] =
		"tiptop-calls.so: a function was called that this C library does not have\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof text - 1);

	(void)n;
	abort();
}

uint32_t calls_n;
void (*calls_real_jump[CALLS_JUMPS])(void);

static const struct calls_symbol jumps[CALLS_JUMPS] = {
	[CALLS_JUMP_longjmp] = {"longjmp", NULL},
	[CALLS_JUMP__longjmp] = {"_longjmp", NULL},
	[CALLS_JUMP_siglongjmp] = {"siglongjmp", NULL},
	[CALLS_JUMP___longjmp_chk] = {"__longjmp_chk", NULL},
};

/* --- memory during the lookup: one thread --- */

/* A piece of memory, preceded by its size. Freed pieces are not reused. */
static struct piece {
	_Alignas(max_align_t) size_t size;
	_Alignas(max_align_t) char byte[];
} * last;
static _Alignas(4096) char allocated[PLACE_SIZE];
static size_t used;

static bool is_in_place(const void *p)
{
	return (uintptr_t)p >= (uintptr_t)allocated &&
	       (uintptr_t)p < (uintptr_t)allocated + sizeof allocated;
}

static void *take(size_t size)
{
	const size_t room = sizeof *last + (size + 63) / 64 * 64;

	if (size > sizeof allocated || room > sizeof allocated - used)
		return NULL;
	last = (struct piece *)(void *)(allocated + used);
	last->size = size;
	used += room;
	return last->byte;
}

/* The memory is 0, as it was never used before. */
static void *early_calloc(size_t n, size_t size)
{
	return size && n > PLACE_SIZE / size ? NULL : take(n * size);
}

static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

/* Reallocates memory before the lookup is done. Afterwards, moves pieces to memory of the real
 * allocator, and passes other memory to the real realloc(). */
static void *early_realloc(void *p, size_t size)
{
	const struct piece *old;
	char *new;

	if (real_realloc && (!p || !is_in_place(p)))
		return real_realloc(p, size);
	new = real_realloc ? real_realloc(NULL, size) : take(size);
	if (!new || !p)
		return new;
	old = (const void *)((char *)p - offsetof(struct piece, byte));
	for (size_t i = 0; i < size && i < old->size; i++)
		((volatile char *)new)[i] = ((char *)p)[i];
	return new;
}

static void early_free(void *p)
{
	if (real_free && !is_in_place(p))
		real_free(p);
}

/* --- finding --- */

static void (*find(const struct calls_symbol *s))(void)
{
	void *found = next_find(s->name, s->version);
	void (*function)(void);

	*(void **)(void *)&function = found;
	return found ? function : missing;
}

static void use_early_memory(void)
{
	calls_real[calls_special.malloc] = (void (*)(void))take;
	calls_real[calls_special.calloc] = (void (*)(void))early_calloc;
	calls_real[calls_special.realloc] = (void (*)(void))early_realloc;
	calls_real[calls_special.free] = (void (*)(void))early_free;
}

static bool is_allocator(uint32_t number)
{
	return number == calls_special.malloc || number == calls_special.calloc ||
	       number == calls_special.realloc || number == calls_special.free;
}

/* Installs the real functions. If pieces were handed out, early_realloc() and early_free() stay
 * installed, as the program may still hold pieces. */
static void use_real_memory(void)
{
	real_realloc = (void *(*)(void *, size_t))find(&calls_symbols[calls_special.realloc - 1]);
	real_free = (void (*)(void *))find(&calls_symbols[calls_special.free - 1]);
	calls_real[calls_special.malloc] = find(&calls_symbols[calls_special.malloc - 1]);
	calls_real[calls_special.calloc] = find(&calls_symbols[calls_special.calloc - 1]);
	if (used)
		return;
	calls_real[calls_special.realloc] = (void (*)(void))real_realloc;
	calls_real[calls_special.free] = (void (*)(void))real_free;
}

/* True while this thread runs calls_real_find(). The lookup calls wrapped functions: malloc() and
 * others, and functions that an allocator of the program calls. */
static __thread bool finding __attribute__((tls_model("initial-exec")));
enum { UNKNOWN, FINDING, FOUND };
static atomic_int state;

uint32_t calls_n_extra(void)
{
	const struct calls_more *more = &tiptop_calls_more;

	return more && more->n <= CALLS_FUNCTIONS_MAX - calls_n_listed ? more->n : 0;
}

static void find_all(void)
{
	use_early_memory();
	if (calls_n_extra())
		tiptop_calls_more.find(ARCH_FIRST_GLIBC);
	for (uint32_t i = 1; i <= calls_n_listed; i++)
		if (!is_allocator(i))
			calls_real[i] = find(&calls_symbols[i - 1]);
	for (size_t i = 0; i < CALLS_JUMPS; i++)
		calls_real_jump[i] = find(&jumps[i]);
	use_real_memory();
	calls_n = calls_n_listed + calls_n_extra();
	calls_redirect();
}

void calls_real_find_early(uint32_t function)
{
	if (!calls_real[function])
		calls_real[function] = find(&calls_symbols[function - 1]);
}

bool calls_real_find(void)
{
	int was = UNKNOWN;

	if (atomic_load_explicit(&state, memory_order_acquire) == FOUND)
		return true;
	if (finding)
		return false;
	if (!atomic_compare_exchange_strong(&state, &was, FINDING)) {
		while (atomic_load(&state) != FOUND)
			;
		return true;
	}
	finding = true;
	find_all();
	finding = false;
	atomic_store_explicit(&state, FOUND, memory_order_release);
	return true;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/abandoned.h"

#include <string.h>
#include <sys/auxv.h>

#include "inject/lib/arch.h"

/* The kernel maps nothing else within this distance below the highest address of the main stack:
 * MIN_GAP of its mmap_base(). */
#define MAIN_STACK_MAX ((uintptr_t)128 << 20)
/* The assumed stack size of threads other than the main thread. It is small, as the memory below a
 * small stack may be the stack of another thread. */
#define STACK_MAX ((uintptr_t)1 << 20)

/* Finds the high end of the stack without pthread_getattr_np(), which would allocate memory and
 * read /proc. In the main thread, the random bytes that the kernel passes (AT_RANDOM) lie near the
 * high end; in other threads, the C library's descriptor of the thread, to which the thread pointer
 * refers. */
void tt_stack_find(struct tt_thread *t)
{
	const uintptr_t here = (uintptr_t)__builtin_frame_address(0);

	t->stack_high = getauxval(AT_RANDOM);
	t->stack_low = t->stack_high - MAIN_STACK_MAX;
	if (here >= t->stack_low && here < t->stack_high)
		return;
	t->stack_high = arch_thread();
	t->stack_low = t->stack_high - STACK_MAX;
}

static bool is_own(const struct tt_thread *t, uintptr_t height)
{
	return height >= t->stack_low && height < t->stack_high;
}

void tt_abandon(struct tt_thread *t, struct tt_frame *f)
{
	uint32_t id = f->id;

	if (id == THREAD_ABANDONED ||
	    !__atomic_compare_exchange_n(&f->id, &id, THREAD_ABANDONED, false, __ATOMIC_RELAXED,
					 __ATOMIC_RELAXED))
		return;
	f->row->depth--;
	f->row->n_async -= id == THREAD_ASYNC;
	t->slot->n_abandoned++;
}

/* Discards the calls that have no frame if the last frame is marked as abandoned: they are inside
 * the call of that frame. */
static void abandon_frameless(struct tt_thread *t)
{
	if (!t->n_frameless || t->limit[-1].id != THREAD_ABANDONED)
		return;
	t->slot->n_abandoned += t->n_frameless;
	t->n_frameless = 0;
	t->top = t->limit;
}

/* Prepares a frame for sums over the regions inside its call. */
static void begin_inner(struct tt_frame *outer)
{
	if (!outer->has_inner) {
		memset(outer->inner, 0, sizeof outer->inner);
		outer->n_inner = outer->n_within = 0;
	}
	outer->has_inner = true;
}

static void add_inner(struct tt_frame *outer, const struct tt_frame *f, uint32_t n_events)
{
	begin_inner(outer);
	outer->n_inner += f->n_inner;
	outer->n_within += f->n_within;
	for (uint32_t i = 0; i <= n_events; i++)
		outer->inner[i] += f->inner[i];
}

void tt_abandoned_pop(struct tt_thread *t, struct tt_frame *top)
{
	for (; top[-1].id == THREAD_ABANDONED; top--)
		if (top[-1].has_inner)
			add_inner(top - 2, top - 1, t->n_events);
	t->top = top;
}

static void pop_all(struct tt_thread *t)
{
	abandon_frameless(t);
	tt_abandoned_pop(t, t->top);
}

void tt_abandon_all(struct tt_thread *t)
{
	for (struct tt_frame *f = t->limit < t->top ? t->limit : t->top; --f > t->frame;)
		tt_abandon(t, f);
	pop_all(t);
}

void tt_abandon_earlier(struct tt_thread *t, const struct tt_region *region,
			const struct tt_place *place)
{
	bool found = false;

	if (region->flags & TT_INTERPRETED)
		return;
	/* If the call of a frame began higher up the stack, the new call is a recursion. The frames
	 * below it were compared when that call began, so the search ends. */
	for (struct tt_frame *f = t->top; --f > t->frame;) {
		if (f->id != thread_region_id(region))
			continue;
		if (f->stack > place->stack)
			break;
		if ((f->stack < place->stack || f->code == place->code) && is_own(t, f->stack) &&
		    is_own(t, place->stack)) {
			tt_abandon(t, f);
			found = true;
		}
	}
	if (found)
		pop_all(t);
}

void tt_abandon_deeper(struct tt_thread *t, const struct tt_place *place)
{
	if (!is_own(t, place->stack))
		return;
	for (struct tt_frame *f = t->limit; --f > t->frame && f->stack < place->stack;)
		if (is_own(t, f->stack))
			tt_abandon(t, f);
	pop_all(t);
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * calls - what is written when a function of the list is called and returns, in memory that belongs
 * to the thread alone.
 *
 * A wrapper stands before each function of the list; config/calls.awk makes them. It begins with
 * CALLS_ENTER(its number) and calls the function by its row of calls_real. When the wrapper is left
 * the call is over, be it by a return, an exception or a cancellation. Where longjmp() has jumped
 * over the return, that is found with the next call, by the addresses of both on the stack.
 *
 * A call that comes while this object writes, in a handler of a signal, is counted; its time is
 * that of whom it has interrupted. What this object calls by itself is not counted (guard.h).
 */
#ifndef INJECT_PRELOAD_CALLS_H
#define INJECT_PRELOAD_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/preload/calls_table.h"
#include "inject/preload/events.h"

/* Calls that can be under way in each other; those within are counted, and have no time. */
#define CALLS_DEPTH 64

struct calls_frame {
	uint32_t function; /* its number */
	uintptr_t at;      /* where its wrapper is on the stack */
	uint64_t begin;
	uint64_t self; /* the time in it, up to `since` of the slot */
};

/* What a thread has of its own, in memory that the kernel clears in a child. */
struct calls_state {
	uint32_t ready;    /* the slot may be written */
	uint32_t here;     /* 1: it has a slot; 0 in a child, where all of this is cleared */
	uint32_t depth;    /* how many frames there are */
	uint32_t rounds;   /* of destructors, at the thread's end */
	uint32_t measured; /* what `ready` becomes when it was written: 0 once measuring stops */
	uintptr_t high;    /* no frame of the thread's stack is above */
	struct calls_thread *slot;
	uint32_t place; /* the number of its slot */
	struct calls_frame frame[CALLS_DEPTH];
	struct events *events; /* NULL: nothing is counted but the time */
	uint64_t *counts;      /* of the slot */
	struct moment last;    /* when the thread came to where it is */
	struct events own_events;
};

extern __thread struct calls_state *calls_state __attribute__((tls_model("initial-exec")));

/* A call; own is NULL where it is not measured. */
struct calls_call {
	struct calls_state *own;
	uint32_t level; /* which frame it has, from 1 on */
	uintptr_t at;
};

/* Where calls_state is not ready: what there is to measure with, made where that can be; NULL: this
 * call is not measured, or is counted already. The functions of calls_real are there then. */
struct calls_state *calls_begin_thread(uint32_t function);
/* The table; NULL: nothing is measured, or not any more. */
struct calls_header *calls_header(void);
/* Notes what measuring takes, as the table has it: it is the same in children of fork(2), which
 * find it in their tables. */
void calls_note_cost(void);

/* What was counted since own->last was where the thread was; now it is `now`. */
void calls_add_counts(struct calls_state *own, const struct moment *now);

static inline struct calls_row *calls_row(const struct calls_state *own, uint32_t function)
{
	return &calls_rows(own->slot)[function - 1];
}

/* Between them no handler of a signal writes, and no reader takes what it sees for whole. */
static inline void calls_open(struct calls_state *own)
{
	own->ready = 0;
	ARCH_BARRIER();
	++own->slot->sequence;
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void calls_close(struct calls_state *own)
{
	__atomic_thread_fence(__ATOMIC_RELEASE);
	++own->slot->sequence;
	ARCH_BARRIER();
	own->ready = own->measured;
}

/* The time up to now was spent where the thread is: in the innermost frame; or in the program, as
 * it is behind a jump, too. A handler of a signal may have been here since the clock was read. */
static inline void calls_add_time(struct calls_state *own, const struct moment *now)
{
	struct calls_thread *s = own->slot;
	const uint64_t time = now->ticks - s->since;

	if (__builtin_expect(now->ticks <= s->since, 0))
		return;
	if (s->function) {
		own->frame[own->depth - 1].self += time;
		calls_row(own, s->function)->self += time;
	} else {
		s->program += time;
	}
	s->since = now->ticks;
	if (__builtin_expect(own->events != NULL, 0))
		calls_add_counts(own, now);
}

static inline uint32_t calls_top(const struct calls_state *own)
{
	return own->depth ? own->frame[own->depth - 1].function : 0;
}

/* The innermost frame is over. */
static inline void calls_pop(struct calls_state *own, uint64_t now)
{
	const struct calls_frame *f = &own->frame[--own->depth];
	struct calls_row *row = calls_row(own, f->function);
	const uint64_t time = now > f->begin ? now - f->begin : 0;
	const double self = (double)(int64_t)f->self;

	row->squares += self * self;
	if (--row->depth)
		return;
	row->total += time;
	if (__builtin_expect(time > row->max, 0))
		row->max = time;
}

/* Frames that are no more, as somebody is below them on the stack: they were jumped over. A frame
 * above `high` is of another stack, as that of a handler. */
static inline void calls_pop_skipped(struct calls_state *own, uintptr_t at, uint64_t now)
{
	while (own->depth && at >= own->frame[own->depth - 1].at && at <= own->high)
		calls_pop(own, now);
}

static inline void calls_enter(struct calls_call *c, uint32_t function)
{
	struct calls_state *own = c->own;
	struct calls_row *row;
	struct moment now;

	events_read_before(own->events, &now);
	calls_open(own);
	calls_add_time(own, &now);
	calls_pop_skipped(own, c->at, now.ticks);
	row = calls_row(own, function);
	row->calls++;
	row->nested += own->depth != 0;
	if (__builtin_expect(own->depth < CALLS_DEPTH, 1)) {
		own->frame[own->depth++] = (struct calls_frame){function, c->at, now.ticks, 0};
		row->depth++;
		c->level = own->depth;
	} else {
		own->slot->n_too_deep++;
		row->squares = __builtin_nan("");
	}
	own->slot->function = calls_top(own);
	calls_close(own);
}

/* In a child the frame is not there; nor where its thread has ended, or somebody has jumped. */
static inline bool calls_has_frame(const struct calls_call *c)
{
	const struct calls_state *own = c->own;

	return own && c->level && own == calls_state && own->ready && own->depth >= c->level &&
	       own->frame[c->level - 1].at == c->at;
}

/* It is over, and so are those that it has called. */
static inline void calls_return(struct calls_call *c)
{
	struct calls_state *own = c->own;
	struct moment now;

	events_read_after(own->events, &now);
	calls_open(own);
	calls_add_time(own, &now);
	while (own->depth >= c->level)
		calls_pop(own, now.ticks);
	own->slot->function = calls_top(own);
	calls_close(own);
}

static inline void calls_leave(struct calls_call *c)
{
	if (__builtin_expect(calls_has_frame(c), 1))
		calls_return(c);
}

#define CALLS_PUBLIC __attribute__((visibility("default")))

#define CALLS_ENTER(function)                                                                      \
	__attribute__((cleanup(calls_leave))) struct calls_call call = {                           \
		.own = calls_state, .at = (uintptr_t)__builtin_frame_address(0)};                  \
                                                                                                   \
	if (__builtin_expect(!call.own->ready, 0))                                                 \
		call.own = calls_begin_thread(function);                                           \
	if (__builtin_expect(call.own != NULL, 1))                                                 \
	calls_enter(&call, function)

#endif

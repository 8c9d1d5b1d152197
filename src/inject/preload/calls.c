/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/calls.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <threads.h>
#include <unistd.h>

#include "inject/preload/next.h"
#include "inject/preload/process.h"
#include "inject/preload/seccomp.h"

/* ---- calls_real ---- */

/* Redirects calls of two kinds to this object: of thread creation, so that threads start in this
 * object; and of prctl(2), which sets seccomp filters. Called when all functions are found. */
static void calls_redirect(void);

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

/* Returns the number of functions of tiptop_calls_more; 0: its object is not loaded, or has too
 * many. */
static uint32_t calls_n_extra(void)
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

/* Finds one function of the list that is called from inside the lookup. */
static void calls_real_find_early(uint32_t function)
{
	if (!calls_real[function])
		calls_real[function] = find(&calls_symbols[function - 1]);
}

/* Finds all functions, once. Returns false if called from inside the lookup. */
static bool calls_real_find(void)
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

/* ---- calls_thread ----
 *
 * The table of this process, and start and exit of its threads.
 */

/* The states of threads without a slot. no_thread: the thread has not been entered yet; no_slot: no
 * slot was free for the thread; exited: the thread's exit was recorded. */
static struct calls_state no_thread, no_slot, exited;
__thread struct calls_state *calls_state __attribute__((tls_model("initial-exec"))) = &no_thread;

/* Changed under the guard. */
static struct calls_header *header;                /* NULL: not measured */
static struct calls_state *taken[CALLS_SLOTS_MAX]; /* by slot; NULL: free */
static pthread_key_t key;                          /* its destructor runs when a thread exits */
static bool has_key;

static struct calls_thread *slot_of(uint32_t place)
{
	return (void *)((char *)header + calls_slot_offset(calls_n, place));
}

/* Returns the counts of a slot; NULL: no events. */
static uint64_t *counts_of(uint32_t place)
{
	return header->n_events ? (void *)((char *)header + calls_counts_offset(header, place))
				: NULL;
}

static size_t counts_size(void)
{
	return calls_counts_size(calls_n, header->n_events);
}

/* --- the table --- */

/* The cost of measuring, as in the header; 0: unknown. */
static uint64_t overhead, inside, event_overhead[EVENT_NOTES_MAX];

/* Saves the cost of measuring from the table, for the tables of children of fork(2). */
static void calls_note_cost(void)
{
	overhead = header->overhead;
	inside = header->inside;
	for (int i = 0; i < EVENT_NOTES_MAX; i++)
		event_overhead[i] = header->event[i].overhead;
}

static void describe_cost(struct calls_header *h)
{
	h->overhead = overhead;
	h->inside = inside;
	for (int i = 0; i < EVENT_NOTES_MAX; i++)
		h->event[i].overhead = event_overhead[i];
}

static bool make_table(void *file)
{
	struct calls_header *h = file;
	struct calls_function *function = (void *)((char *)file + calls_functions_offset());
	struct container_place place[CALLS_SECTIONS - 1];

	events_begin(false);
	if (!process_make_real(file, calls_slot_offset(calls_n, 1)))
		return false;
	h->n_events = (uint32_t)events_n();
	events_name(h->event);
	h->n_functions = calls_n;
	h->n_slots = calls_max_slots(calls_n, h->n_events);
	calls_places(place, h);
	tt_container_fill(&h->container, &calls_plan, place);
	h->ns_per_tick = process_ns_per_tick();
	describe_cost(h);
	h->begin = process_ticks();
	memcpy(function, calls_functions, calls_n_listed * sizeof *function);
	if (calls_n_extra())
		memcpy(function + calls_n_listed, tiptop_calls_more.function,
		       calls_n_extra() * sizeof *function);
	tt_container_publish(&h->container);
	header = h;
	if (h->n_events && !process_make_real(counts_of(0), counts_size()))
		header = NULL;
	return header;
}

/* In a child: forgets the table of the parent. The memory of the parent's thread states stays
 * mapped, and is not used any more. */
static void forget(void)
{
	header = NULL;
	calls_state = &no_thread;
	memset(taken, 0, sizeof taken);
	events_forget();
}

static void stop(const struct process_stop *why)
{
	for (uint32_t place = 1; place < header->n_slots; place++)
		if (taken[place])
			taken[place]->measured = taken[place]->ready = 0;
	header->lacking_call = why->lacking;
	header->ns_per_tick = why->ns_per_tick;
	header->end = why->end;
}

static uint32_t thread_id(void)
{
	return calls_state->here ? calls_state->slot->tid : 0;
}

static void leave_out(void *table, enum left_out why)
{
	__atomic_fetch_add(&((struct calls_header *)table)->n_left_out[why], 1, __ATOMIC_RELAXED);
}

const struct process_hooks process_hooks = {
	.variable = "TIPTOP_CALLS",
	.size = CALLS_SIZE_MAX,
	.make = make_table,
	.forget = forget,
	.stop = stop,
	.leave_out = leave_out,
	.thread_id = thread_id,
};

struct calls_header *calls_header(void)
{
	return process_has_stopped() ? NULL : header;
}

/* --- the exit of a thread --- */

static void leave_counts(struct calls_state *own)
{
	calls_counts_add(counts_of(0), own->counts, calls_n + 1, header->n_events,
			 own->slot->lacking);
	clear(own->counts, counts_size());
	events_close(&own->own_events, own->place);
}

static void leave(struct calls_state *own)
{
	const uint32_t place = own->place;
	struct moment now;
	struct guard g;

	events_read_after(own->events, &now);
	own->ready = 0;
	if (!process_enter(&g))
		return;
	calls_add_time(own, &now);
	header->container.sequence++;
	atomic_thread_fence(memory_order_release);
	if (header->n_events)
		leave_counts(own);
	calls_thread_add(slot_of(0), own->slot, calls_n);
	clear(own->slot, calls_slot_size(calls_n));
	taken[place] = NULL;
	header->n_ended++;
	atomic_thread_fence(memory_order_release);
	header->container.sequence++;
	munmap(own, sizeof *own);
	calls_state = &exited;
	guard_leave(&g);
}

/* Destructors of other keys may still call measured functions, so the exit is recorded in the last
 * round of destructors. */
static void on_end(void *thread)
{
	struct calls_state *own = thread;

	if (process_has_stopped() || process_forget_parent() || !header || own != calls_state)
		return;
	if (++own->rounds < PTHREAD_DESTRUCTOR_ITERATIONS)
		pthread_setspecific(key, own);
	else
		leave(own);
}

/* --- the start of a thread --- */

/* Returns the number of a free slot, after populating its memory (process_make_real()); 0: no slot
 * is free, or there is no memory. */
static uint32_t take_place(void)
{
	uint32_t place = 1;

	while (place < header->n_slots && taken[place])
		place++;
	if (place == header->n_slots ||
	    !process_make_real(slot_of(place), calls_slot_size(calls_n)) ||
	    (header->n_events && !process_make_real(counts_of(place), counts_size())))
		return 0;
	return place;
}

/* Opens the events. If none can be read, own->events is NULL, so that no time is spent on them. */
static void open_events(struct calls_state *own, uint32_t place)
{
	uint32_t lacking;

	events_open(&own->own_events, place);
	events_read(&own->own_events, &own->last);
	lacking = events_note(&own->own_events, header->event);
	for (int i = 0; i < events_n(); i++)
		own->slot->lacking[i] = lacking >> i & 1;
	own->events = lacking + 1 == 1u << events_n() ? NULL : &own->own_events;
	own->counts = counts_of(place);
}

static struct calls_state *make(uint32_t place)
{
	struct calls_state *own =
		mmap(NULL, sizeof *own, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct calls_thread *slot = slot_of(place);

	if (own == MAP_FAILED)
		return NULL;
	/* process_begin() has checked that the kernel supports MADV_WIPEONFORK. */
	madvise(own, sizeof *own, MADV_WIPEONFORK);
	taken[place] = own;
	slot->number = ++header->n_threads;
	own->slot = slot;
	if (events_n())
		open_events(own, place);
	slot->begin = slot->since = process_ticks();
	atomic_thread_fence(memory_order_release);
	slot->tid = (uint32_t)syscall(SYS_gettid);
	own->place = place;
	own->high = UINTPTR_MAX;
	own->here = own->measured = 1;
	return own;
}

static struct calls_state *enter_thread(void)
{
	struct calls_state *own = NULL;
	uint32_t place;
	struct guard g;

	if (!process_enter(&g))
		return NULL;
	if (!has_key)
		has_key = !pthread_key_create(&key, on_end);
	place = take_place();
	if (place)
		own = make(place);
	if (!own)
		header->n_homeless++;
	calls_state = own ? own : &no_slot;
	guard_leave(&g);
	return own;
}

/* Finds the real functions; preserves errno for the caller. function: as for calls_begin_thread().
 */
static bool find_real(uint32_t function)
{
	const int error = errno;
	const bool found = calls_real_find();

	if (!found && function && function <= calls_n_listed)
		calls_real_find_early(function);
	errno = error;
	return found;
}

/* Counts a call in a signal handler that interrupted a change of the slot. */
static void count(struct calls_state *own, uint32_t function)
{
	struct calls_row *row = calls_row(own, function);

	__atomic_fetch_add(&row->amid, 1, __ATOMIC_RELAXED);
}

struct calls_state *calls_begin_thread(uint32_t function)
{
	struct calls_state *own = calls_state;

	if (!find_real(function) || guard_is_own() || process_has_stopped())
		return NULL;
	if (own->here) {
		if (function)
			count(own, function);
		return NULL;
	}
	process_forget_parent();
	if (!process_begin() || calls_state == &no_slot)
		return NULL;
	if (calls_state == &exited) {
		__atomic_fetch_add(&header->n_late, 1, __ATOMIC_RELAXED);
		return NULL;
	}
	own = enter_thread();
	if (!own)
		return NULL;
	/* `ready` is set after pthread_setspecific(), which may allocate memory: otherwise this
	 * would be counted as a call of the thread. */
	if (has_key)
		pthread_setspecific(key, own);
	own->ready = 1;
	return own;
}

/* ---- calls_jump ----
 *
 * Wraps longjmp() and its variants, which are not measured. After a jump, the thread
 * counts as being in the program until its next call, whose address on the stack shows which calls
 * were left.
 */

static void begin_jump(void)
{
	struct calls_state *own = calls_state;
	struct moment now;

	if (!own->ready) {
		calls_begin_thread(0);
		return;
	}
	events_read_after(own->events, &now);
	calls_open(own);
	calls_add_time(own, &now);
	own->slot->function = 0;
	calls_close(own);
}

#define JUMP(name)                                                                                 \
	CALLS_PUBLIC _Noreturn void jump_##name(void *to, int value) __asm__(#name);               \
	void jump_##name(void *to, int value)                                                      \
	{                                                                                          \
		begin_jump();                                                                      \
		((void (*)(void *, int))calls_real_jump[CALLS_JUMP_##name])(to, value);            \
		__builtin_unreachable();                                                           \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* ---- calls_more ----
 *
 * Functions with which the wrappers of another object begin and end a call
 * (calls_real). That object numbers its functions from 1 on, and knows only the size of struct
 * calls_call.
 */

CALLS_PUBLIC void tiptop_calls_enter(struct calls_call *call, uint32_t number, void *at);
CALLS_PUBLIC void tiptop_calls_leave(struct calls_call *call);

void tiptop_calls_enter(struct calls_call *call, uint32_t number, void *at)
{
	const uint32_t function = calls_n_listed + number;

	*call = (struct calls_call){.own = calls_state, .at = (uintptr_t)at};
	if (number > calls_n_extra())
		call->own = NULL;
	else if (!call->own->ready)
		call->own = calls_begin_thread(function);
	if (call->own)
		calls_enter(call, function);
}

void tiptop_calls_leave(struct calls_call *call)
{
	calls_leave(call);
}

/* ---- calls_start ----
 *
 * Start and end of the process, start of threads, and calibration of the cost.
 */

#define CALIBRATIONS 20

/* The start function of a thread, POSIX or C11, and its argument. */
struct begin {
	void *(*start)(void *);
	int (*start11)(void *);
	void *argument;
};

typedef int create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int create11_function(thrd_t *, thrd_start_t, void *);

static create_function *real_create;
static create11_function *real_create11;
static seccomp_prctl_function *real_control;
static _Atomic(seccomp_syscall_function *) real_syscall;

/* Allocates a copy by the real malloc(), as allocations of this object must not be counted. */
static struct begin *new_begin(const struct begin *from)
{
	struct begin *begin = ((void *(*)(size_t))calls_real[calls_special.malloc])(sizeof *begin);

	if (begin)
		*begin = *from;
	return begin;
}

static void free_begin(struct begin *begin)
{
	((void (*)(void *))calls_real[calls_special.free])(begin);
}

/* Enters the thread, so that its time begins here, and notes the upper end of its stack. Frees
 * `context`. */
static struct begin take_begin(void *context, uintptr_t high)
{
	const struct begin begin = *(struct begin *)context;
	struct calls_state *own;

	free_begin(context);
	own = calls_begin_thread(0);
	if (own)
		own->high = high;
	return begin;
}

static void *run(void *context)
{
	const struct begin begin = take_begin(context, (uintptr_t)__builtin_frame_address(0));

	return begin.start(begin.argument);
}

static int run11(void *context)
{
	const struct begin begin = take_begin(context, (uintptr_t)__builtin_frame_address(0));

	return begin.start11(begin.argument);
}

static int create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
		  void *argument)
{
	struct begin *begin;
	int ret;

	if (!calls_header())
		return real_create(thread, attributes, start, argument);
	begin = new_begin(&(struct begin){.start = start, .argument = argument});
	ret = begin ? real_create(thread, attributes, run, begin) : EAGAIN;
	if (ret)
		free_begin(begin);
	return ret;
}

static int create11(thrd_t *thread, thrd_start_t start, void *argument)
{
	struct begin *begin;
	int ret;

	if (!calls_header())
		return real_create11(thread, start, argument);
	begin = new_begin(&(struct begin){.start11 = start, .argument = argument});
	ret = begin ? real_create11(thread, run11, begin) : thrd_nomem;
	if (ret != thrd_success)
		free_begin(begin);
	return ret;
}

static int control(int option, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, option);
	seccomp_take_arguments(argument, list);
	va_end(list);
	return seccomp_call_prctl(real_control, option, argument);
}

static void find_syscall(void)
{
	real_syscall = (seccomp_syscall_function *)next_find("syscall", NULL);
}

/* This function is not in the list of functions, as this object calls it, too. */
CALLS_PUBLIC long syscall(long number, ...)
{
	long argument[SECCOMP_CALL_ARGUMENTS];
	va_list list;

	va_start(list, number);
	seccomp_take_arguments(argument, list);
	va_end(list);
	if (!real_syscall)
		find_syscall();
	return seccomp_call_syscall(real_syscall, number, argument);
}

static void calls_redirect(void)
{
	find_syscall(); /* needed by the guard */
	real_control = (seccomp_prctl_function *)calls_real[calls_special.prctl];
	calls_real[calls_special.prctl] = (void (*)(void))control;
	real_create = (create_function *)calls_real[calls_special.pthread_create];
	real_create11 = (create11_function *)calls_real[calls_special.thrd_create];
	calls_real[calls_special.pthread_create] = (void (*)(void))create;
	calls_real[calls_special.thrd_create] = (void (*)(void))create11;
}

static void take_least(uint64_t *least, uint64_t x, bool first)
{
	if (first || x < *least)
		*least = x;
}

/* Measures the cost of calls in a thread that is not in the table. As the clock may have coarse
 * steps, many calls are measured together; the least of several such sums leaves out interrupts. */
static void calibrate(struct calls_header *h)
{
	static struct {
		struct calls_thread slot;
		struct calls_row row;
	} s;
	static struct calls_state own;
	static uint64_t counts[2 * EVENT_NOTES_MAX];
	const uint64_t *self = &calls_rows(&s.slot)->self;

	own = (struct calls_state){.ready = 1,
				   .measured = 1,
				   .here = 1,
				   .slot = &s.slot,
				   .events = calls_state->events,
				   .counts = counts};
	h->overhead = h->inside = UINT64_MAX;
	for (int try = 0; try < CALIBRATIONS; try++) {
		const uint64_t before = *self;
		struct moment begin, end;
		uint64_t ticks;

		events_read_after(own.events, &begin);

		for (int i = 0; i < CALLS_OVERHEAD_UNIT; i++) {
			struct calls_call call = {.own = &own, .at = 1};

			calls_enter(&call, 1);
			calls_return(&call);
		}
		events_read_after(own.events, &end);
		ticks = end.ticks - begin.ticks;
		for (int i = 0; own.events && i < events_n(); i++)
			take_least(&h->event[i].overhead, end.count[i] - begin.count[i], !try);
		h->overhead = ticks < h->overhead ? ticks : h->overhead;
		h->inside = *self - before < h->inside ? *self - before : h->inside;
	}
}

__attribute__((constructor)) static void start(void)
{
	calls_begin_thread(0);
	if (!calls_header())
		return;
	calibrate(calls_header());
	calls_note_cost();
}

__attribute__((destructor)) static void end(void)
{
	struct calls_state *own;
	struct moment now;
	struct guard g;

	/* A child must end its own table, not the table of its parent. */
	calls_begin_thread(0);
	if (!calls_header())
		return;
	events_read_after(calls_state->events, &now);
	if (!process_enter(&g))
		return;
	own = calls_state;
	own->ready = 0;
	if (own->here) {
		own->slot->sequence++;
		calls_add_time(own, &now);
		own->slot->sequence++;
	}
	/* Measured again, as a longer measurement of the clock's speed is more precise. */
	calls_header()->ns_per_tick = process_ns_per_tick();
	calls_header()->end = process_ticks();
	own->ready = own->here;
	guard_leave(&g);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_pairs.h"

#include <errno.h>
#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"

/* The first of the kernel's own numbers for calls that a signal has interrupted: ERESTARTSYS. */
#define FIRST_RESTART 512

/* The call of a thread. */
struct call {
	enum { CALL_OPEN, CALL_STOPPED } state; /* STOPPED: a signal has interrupted it */
	uint64_t end_ns;                        /* of a stopped call */
	bool in_loss;                           /* records may have been lost when it began */
	uint64_t n_losses;                      /* of futex_pairs when it began */
	struct syscall_record enter;
};

struct futex_pairs {
	futex_pairs_visit *visit;
	void *context;
	struct hash calls; /* by tid */
	uint64_t n_losses, lost_until_ns;
	struct futex_pairs_numbers numbers;
};

struct futex_pairs *futex_pairs_new(futex_pairs_visit *visit, void *context)
{
	struct futex_pairs *p = xcalloc(1, sizeof *p);

	*p = (struct futex_pairs){.visit = visit, .context = context, .calls = HASH_INIT};
	return p;
}

static struct futex_operation operation_of(const struct syscall_record *enter)
{
	long argument[SYSCALL_ARGUMENTS];

	for (int i = 0; i < SYSCALL_ARGUMENTS; i++)
		argument[i] = (long)enter->call.argument[i];
	return futex_operation_of((long)enter->call.number, argument);
}

/* Visits the pair of a call and its end, and frees the call. */
static void finish(struct futex_pairs *p, struct call *c, uint64_t end_ns, int64_t result,
		   bool under_way)
{
	const struct futex_pair pair = {
		.process = c->enter.process,
		.task = c->enter.task,
		.begin_ns = c->enter.time_ns,
		.end_ns = end_ns > c->enter.time_ns ? end_ns : c->enter.time_ns,
		.operation = operation_of(&c->enter),
		.under_way = under_way,
		.result = under_way ? 0 : result,
		.enter = &c->enter,
	};

	if (c->n_losses == p->n_losses && !c->in_loss)
		p->visit(p->context, &pair);
	else
		p->numbers.n_unpaired++;
	free(c);
}

/* Frees a call whose end is unknown. */
static void drop(struct futex_pairs *p, struct call *c)
{
	p->numbers.n_unpaired++;
	free(c);
}

static struct call *remove_call(struct futex_pairs *p, pid_t task)
{
	return hash_remove(&p->calls, (uint64_t)task);
}

/* Ends the call of a thread that does something else now. A call that a signal has interrupted is
 * over; the end of another one was lost. */
static void pass(struct futex_pairs *p, pid_t task)
{
	struct call *c = remove_call(p, task);

	if (c && c->state == CALL_STOPPED)
		finish(p, c, c->end_ns, -EINTR, false);
	else if (c)
		drop(p, c);
}

static void enter(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c;

	pass(p, record->task);
	c = xmalloc(sizeof *c);
	*c = (struct call){.state = CALL_OPEN,
			   .in_loss = record->time_ns <= p->lost_until_ns,
			   .n_losses = p->n_losses,
			   .enter = *record};
	hash_put(&p->calls, (uint64_t)record->task, c);
	p->numbers.n_calls++;
}

static void leave(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c = hash_get(&p->calls, (uint64_t)record->task);

	if (!c || c->state == CALL_STOPPED || c->enter.call.number != record->call.number) {
		pass(p, record->task);
		p->numbers.n_calls++;
		p->numbers.n_unpaired++;
	} else if (record->call.result <= -FIRST_RESTART) {
		c->state = CALL_STOPPED;
		c->end_ns = record->time_ns;
	} else {
		remove_call(p, record->task);
		finish(p, c, record->time_ns, record->call.result, false);
	}
}

/* Ends the call of a thread that exits: it is still under way. */
static void end(struct futex_pairs *p, const struct syscall_record *record)
{
	struct call *c = remove_call(p, record->task);

	if (c)
		finish(p, c, c->state == CALL_STOPPED ? c->end_ns : record->time_ns, 0, true);
}

void futex_pairs_add(struct futex_pairs *p, const struct syscall_record *record)
{
	switch (record->what) {
	case SYSCALLS_ENTER:
		if (futex_is_call((long)record->call.number))
			enter(p, record);
		break;
	case SYSCALLS_EXIT:
		if (futex_is_call((long)record->call.number))
			leave(p, record);
		break;
	case SYSCALLS_END:
		end(p, record);
		break;
	case SYSCALLS_FORK: /* a thread with this id has exited unseen */
	case SYSCALLS_EXEC:
		pass(p, record->task);
		break;
	case SYSCALLS_LOST:
		p->n_losses++;
		if (record->until_ns > p->lost_until_ns)
			p->lost_until_ns = record->until_ns;
		break;
	case SYSCALLS_NAME:
	case SYSCALLS_MAP:
		break;
	}
}

void futex_pairs_end(struct futex_pairs *p, uint64_t now_ns)
{
	struct call *c;
	size_t pos = 0;

	while ((c = hash_next(&p->calls, &pos)))
		finish(p, c, c->state == CALL_STOPPED ? c->end_ns : now_ns, 0, true);
	hash_done(&p->calls);
	p->calls = (struct hash)HASH_INIT;
}

struct futex_pairs_numbers futex_pairs_numbers(const struct futex_pairs *p)
{
	return p->numbers;
}

void futex_pairs_free(struct futex_pairs *p)
{
	struct call *c;
	size_t pos = 0;

	if (!p)
		return;
	while ((c = hash_next(&p->calls, &pos)))
		free(c);
	hash_done(&p->calls);
	free(p);
}

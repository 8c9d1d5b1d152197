/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/futex_operation.h"

#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>

/* FUTEX_LOCK_PI2, which headers before Linux 5.14 do not have. */
#define LOCK_PI2 13

static const struct operation {
	enum futex_role role;
	bool inherits;
} operations[] = {
	[FUTEX_WAIT] = {FUTEX_ROLE_WAIT, false},
	[FUTEX_WAKE] = {FUTEX_ROLE_WAKE, false},
	[FUTEX_REQUEUE] = {FUTEX_ROLE_WAKE, false},
	[FUTEX_CMP_REQUEUE] = {FUTEX_ROLE_WAKE, false},
	[FUTEX_WAKE_OP] = {FUTEX_ROLE_WAKE, false},
	[FUTEX_LOCK_PI] = {FUTEX_ROLE_WAIT, true},
	[FUTEX_UNLOCK_PI] = {FUTEX_ROLE_WAKE, true},
	[FUTEX_WAIT_BITSET] = {FUTEX_ROLE_WAIT, false},
	[FUTEX_WAKE_BITSET] = {FUTEX_ROLE_WAKE, false},
	[FUTEX_WAIT_REQUEUE_PI] = {FUTEX_ROLE_WAIT, false},
	[FUTEX_CMP_REQUEUE_PI] = {FUTEX_ROLE_WAKE, false},
	[LOCK_PI2] = {FUTEX_ROLE_WAIT, true},
};

static const struct futex_operation none = {.role = FUTEX_ROLE_NONE};

/* Clears the role of a call without a valid address. The kernel refuses it. */
static struct futex_operation check_address(struct futex_operation o)
{
	return o.address && !(o.address & 3) ? o : none;
}

static struct futex_operation of_futex(const long *argument)
{
	const unsigned number = (unsigned)argument[1] & FUTEX_CMD_MASK;
	const struct operation *operation;

	if (number >= sizeof operations / sizeof *operations)
		return none;
	operation = &operations[number];
	return check_address((struct futex_operation){
		.role = operation->role,
		.address = (uintptr_t)argument[0],
		.inherits = operation->inherits,
	});
}

struct futex_operation futex_operation_of(long number, const long *argument)
{
	struct futex_operation o = {.address = (uintptr_t)argument[0]};

	switch (number) {
	case FUTEX_CALL_WAIT:
		o.role = FUTEX_ROLE_WAIT;
		break;
	case FUTEX_CALL_WAITV:
		o.role = FUTEX_ROLE_WAIT;
		o.is_vector = true;
		break;
	case FUTEX_CALL_WAKE:
		o.role = FUTEX_ROLE_WAKE;
		break;
	case FUTEX_CALL_REQUEUE:
		o.role = FUTEX_ROLE_WAKE;
		o.is_vector = true;
		break;
	default:
		return of_futex(argument);
	}
	return check_address(o);
}

size_t futex_object_size(enum locks_kind kind)
{
	/* Objects of C11 have the same sizes. */
	static const size_t sizes[LOCKS_N_KINDS] = {
		[LOCKS_MUTEX] = sizeof(pthread_mutex_t),
		[LOCKS_RWLOCK] = sizeof(pthread_rwlock_t),
		[LOCKS_SPIN] = sizeof(pthread_spinlock_t),
		[LOCKS_COND] = sizeof(pthread_cond_t),
		[LOCKS_SEMAPHORE] = sizeof(sem_t),
		[LOCKS_BARRIER] = sizeof(pthread_barrier_t),
		[LOCKS_FUTEX] = sizeof(uint32_t),
	};

	return sizes[kind];
}

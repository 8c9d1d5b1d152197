/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/schedstat: the time that tasks waited in the queue of each CPU. */
#include "collect/cpu/cpus.h"

#include <errno.h>
#include <stdio.h>

#include "tap.h"

/* Text as Linux 6.1 writes it, with the lines of the domains shortened. */
#define TEXT                                                                                       \
	"version 15\n"                                                                             \
	"timestamp 4295204178\n"                                                                   \
	"cpu0 1 0 3 4 5 6 70000000000 18446744073709551615 9\n"                                    \
	"domain0 00000003 1 2 3\n"                                                                 \
	"cpu12 0 0 0 0 0 0 7 8 9\n"                                                                \
	"domain0 00000003 1 2 3\n"

static void check(const char *text, int want, const char *what)
{
	const struct cpu_queue *queue = NULL;
	struct arena arena = ARENA_INIT;

	tap_int(cpu_queues_parse(text, &queue, &arena), want, "%s", what);
	arena_done(&arena);
}

static void test_text(void)
{
	const struct cpu_queue *queue = NULL, *found;
	struct arena arena = ARENA_INIT;
	const int n = cpu_queues_parse(TEXT, &queue, &arena);

	tap_int(n, 2, "two CPUs");
	found = cpu_queue_find(queue, n, 0);
	tap_ok(found && found->waited_ns == UINT64_MAX, "the eighth number, with all its digits");
	found = cpu_queue_find(queue, n, 12);
	tap_ok(found && found->waited_ns == 8, "that of the second one");
	tap_ok(!cpu_queue_find(queue, n, 1), "a CPU that is not there");
	arena_done(&arena);
}

/* The running kernel may lack /proc/schedstat. If it has the file, its format must be accepted. */
static void test_here(void)
{
	const struct cpu_queue *queue = NULL;
	struct arena arena = ARENA_INIT;
	const int n = cpu_queues_read(&queue, &arena);

	tap_ok(n > 0 || n == -ENOENT || n == -EACCES, "that of this machine: %d", n);
	arena_done(&arena);
}

int main(void)
{
	test_text();
	check("version 17\ncpu0 1 2 3 4 5 6 7 8 9\n", 1, "a later version");
	check("version 13\ncpu0 1 2 3 4 5 6 7 8 9 10 11 12\n", -EINVAL, "one of other columns");
	check("version 15\ncpu0 1 2 3 4 5 6 7\n", -EINVAL, "too few numbers");
	check("version 15\n", -EINVAL, "no CPU");
	check("cpu0 1 2 3 4 5 6 7 8 9\n", -EINVAL, "no version");
	check("", -EINVAL, "nothing");
	test_here();
	return tap_done();
}

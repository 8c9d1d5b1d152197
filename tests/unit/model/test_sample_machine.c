/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The use of CPUs between two samples: shares computed by hand, intervals that are too short, CPUs
 * that appear and disappear.
 */
#include <errno.h>

#include "model/sample.h"
#include "tap.h"

#define MS 1000000ull

/* ticks in: user, nice, system, irq, stolen, idle */
#define TICKS(number, u, n, s, i, st, id)                                                          \
	{                                                                                          \
		.cpu = number, .in = { u, n, s, i, st, id }                                        \
	}

static struct arena arena = ARENA_INIT;

static struct machine_use use_of(const struct cpu_ticks *cpu, size_t n)
{
	return (struct machine_use){.wanted = true, .cpu = cpu, .n_cpus = n};
}

/* Returns the CPUs and their busy times in %, as text: "0:34.0 1:-". */
static const char *busy_of(const struct use_delta *d)
{
	static char text[256];
	size_t len = 0;

	text[0] = '\0';
	for (size_t i = 0; i < d->n_shares; i++) {
		const struct cpu_share *s = &d->share[i];

		len += (size_t)snprintf(text + len, sizeof text - len, "%s%d:", i ? " " : "",
					s->cpu);
		if (value_known(s->busy))
			len += (size_t)snprintf(text + len, sizeof text - len, "%.1f",
						s->busy.number);
		else
			len += (size_t)snprintf(text + len, sizeof text - len, "%s",
						quality_table[s->busy.quality].name);
	}
	return text;
}

static void test_shares(void)
{
	static const struct cpu_ticks first[] = {TICKS(0, 100, 10, 50, 5, 7, 1000),
						 TICKS(1, 0, 0, 0, 0, 0, 500)},
				      second[] = {TICKS(0, 120, 15, 58, 6, 23, 1150),
						  TICKS(1, 0, 0, 0, 0, 0, 700)};
	const struct machine_use a = use_of(first, 2), b = use_of(second, 2);
	struct use_delta one, two;

	use_compute(&one, NULL, &a, 1000 * MS, &arena);
	tap_str(busy_of(&one), "0:fresh 1:fresh", "one sample has no shares");
	use_compute(&two, &one, &b, 3000 * MS, &arena);
	/* (20 + 5 + 8 + 1) / (20 + 5 + 8 + 1 + 16 + 150) */
	tap_str(busy_of(&two), "0:17.0 1:0.0", "busy: what was neither stolen nor idle");
	tap_ok(two.share[0].in[CPU_USER].number == 10, "user: 20 of 200");
	tap_ok(two.share[0].in[CPU_NICE].number == 2.5, "nice: 5 of 200");
	tap_ok(two.share[0].in[CPU_SYSTEM].number == 4, "system: 8 of 200");
	tap_ok(two.share[0].in[CPU_IRQ].number == 0.5, "interrupts: 1 of 200");
	tap_ok(two.share[0].in[CPU_STOLEN].number == 8, "stolen: 16 of 200");
	tap_ok(two.share[0].in[CPU_IDLE].number == 75, "idle: 150 of 200");
}

static void test_strange(void)
{
	static const struct cpu_ticks first[] = {TICKS(0, 100, 0, 0, 0, 0, 1000)},
				      back[] = {TICKS(0, 110, 0, 0, 0, 0, 995)},
				      same[] = {TICKS(0, 110, 0, 0, 0, 0, 995)};
	const struct machine_use a = use_of(first, 1), b = use_of(back, 1), c = use_of(same, 1),
				 failed = {.wanted = true, .cpu_error = EACCES},
				 unwanted = {.wanted = false};
	struct use_delta one, two, three, none;

	use_compute(&one, NULL, &a, 1000 * MS, &arena);
	use_compute(&two, &one, &b, 2000 * MS, &arena);
	tap_str(busy_of(&two), "0:not-read", "idle time that goes back says nothing of the rest");
	use_compute(&three, &two, &c, 3000 * MS, &arena);
	tap_str(busy_of(&three), "0:divzero", "no tick at all: no share, and not 0");
	use_compute(&none, &two, &failed, 3000 * MS, &arena);
	tap_int(none.cpu_error, EACCES, "what cannot be read has a reason");
	tap_int((long)none.n_shares, 0, "and no number");
	use_compute(&none, &two, &unwanted, 3000 * MS, &arena);
	tap_ok(!none.wanted && !none.n_shares, "a fact that is not wanted is absent");
	use_compute(&three, &none, &c, 4000 * MS, &arena);
	tap_str(busy_of(&three), "0:fresh", "then it restarts");
}

static void test_short_intervals(void)
{
	static const struct cpu_ticks first[] = {TICKS(0, 0, 0, 0, 0, 0, 0)},
				      second[] = {TICKS(0, 50, 0, 0, 0, 0, 50)},
				      third[] = {TICKS(0, 52, 0, 0, 0, 0, 50)},
				      fourth[] = {TICKS(0, 60, 0, 0, 0, 0, 80)};
	const struct machine_use a = use_of(first, 1), b = use_of(second, 1), c = use_of(third, 1),
				 d = use_of(fourth, 1);
	struct use_delta one, two, three, four;

	use_compute(&one, NULL, &a, 0, &arena);
	use_compute(&two, &one, &b, 1000 * MS, &arena);
	tap_str(busy_of(&two), "0:50.0", "an interval of a second");
	use_compute(&three, &two, &c, 1020 * MS, &arena);
	tap_str(busy_of(&three), "0:50.0", "20 ms later, its shares stay");
	use_compute(&four, &three, &d, 1400 * MS, &arena);
	tap_str(busy_of(&four), "0:25.0", "and the next interval begins where theirs ended");
}

static void test_hotplug(void)
{
	static const struct cpu_ticks all[] = {TICKS(0, 0, 0, 0, 0, 0, 0),
					       TICKS(1, 0, 0, 0, 0, 0, 0),
					       TICKS(3, 0, 0, 0, 0, 0, 0)},
				      some[] = {TICKS(0, 50, 0, 0, 0, 0, 50),
						TICKS(3, 10, 0, 0, 0, 0, 90)},
				      others[] = {TICKS(0, 50, 0, 0, 0, 0, 150),
						  TICKS(1, 9, 0, 0, 0, 0, 9),
						  TICKS(2, 9, 0, 0, 0, 0, 9),
						  TICKS(3, 10, 0, 0, 0, 0, 190)},
				      later[] = {TICKS(0, 60, 0, 0, 0, 0, 240),
						 TICKS(1, 19, 0, 0, 0, 0, 99),
						 TICKS(2, 59, 0, 0, 0, 0, 59)};
	const struct machine_use a = use_of(all, 3), b = use_of(some, 2), c = use_of(others, 4),
				 d = use_of(later, 3);
	struct use_delta one, two, three, four;

	use_compute(&one, NULL, &a, 0, &arena);
	use_compute(&two, &one, &b, 1000 * MS, &arena);
	tap_str(busy_of(&two), "0:50.0 1:gone 3:10.0", "a CPU that went stays, without a number");
	use_compute(&three, &two, &b, 2000 * MS, &arena);
	tap_ok(strstr(busy_of(&three), " 1:gone "), "and so at each refresh");
	use_compute(&three, &two, &c, 2000 * MS, &arena);
	tap_str(busy_of(&three), "0:0.0 1:fresh 2:fresh 3:0.0",
		"one that came back is new, as one that was never there");
	use_compute(&four, &three, &d, 3000 * MS, &arena);
	tap_str(busy_of(&four), "0:10.0 1:10.0 2:50.0 3:gone",
		"then it has numbers; the last may go");
}

int main(void)
{
	test_shares();
	test_strange();
	test_short_intervals();
	test_hotplug();
	arena_done(&arena);
	return tap_done();
}

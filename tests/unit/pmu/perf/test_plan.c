/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The grouping of events: the counters of a column are in one group, with as few groups as the PMU
 * permits, on one kind of cores and on two.
 */
#include "pmu/perf/core.h"
#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "tap.h"

#define CORE 4
#define ATOM 10

/* Makes n counters of the PMU, with config 0, 1, ... and the names a, b, ... */
static void make_set(struct event_set *set, int n)
{
	event_set_init(set);
	for (int i = 0; i < n; i++)
		event_set_add(set, (char[]){(char)('a' + i), '\0'})->config = (uint64_t)i;
}

static void join(struct event_set *set, const char *names)
{
	uint64_t counters = 0;

	for (; *names; names++)
		counters |= 1ull << (*names - 'a');
	event_set_join(set, counters);
}

/* Returns the plan as text, "ab c -d": groups of members, upper-case for the second kind of cores,
 * '-' before an event that is never opened. */
static const char *plan_text(const struct event_set *set)
{
	static char text[256];
	char *p = text;

	for (int i = 0; i < set->plan.n; i++) {
		const struct event_member *m = &set->plan.member[i];
		const struct event *e = &set->event[m->event];

		if (i && m->group != m[-1].group)
			*p++ = ' ';
		if (m->group == EVENT_NO_GROUP)
			*p++ = '-';
		*p++ = (char)(e->name[0] - (e->core == 1 ? 'a' - 'A' : 0));
	}
	*p = '\0';
	return text;
}

/* Returns the bundle of each member, as digits. Members of a bundle are on the PMU together. */
static const char *bundles_text(const struct event_set *set)
{
	static char text[EVENT_SET_MAX + 1];

	for (int i = 0; i < set->plan.n; i++)
		text[i] = (char)('0' + set->plan.member[i].bundle);
	text[set->plan.n] = '\0';
	return text;
}

/* Makes the plan with a trial that has no earlier verdicts. */
static void plan_on(struct event_set *set, struct pmu *pmu)
{
	struct trial trial;

	trial_init(&trial, &pmu->sys);
	plan_make(set, &trial);
	trial_done(&trial);
}

static void check_open(const struct pmu *pmu)
{
	tap_int(pmu->n_open, 0, "nothing is left open");
	tap_ok(!pmu->away, "and tiptop is where it was");
	tap_int(pmu->bad_calls, 0, "every call made sense");
}

static void test_columns(void)
{
	/* clang-format off */
	static const struct {
		const char *name, *column[5];
		int n, most;
		const char *want;
	} table[] = {
		{"all that fits is one group", {"ab", "cb", NULL}, 4, 0, "abcd"},
		{"the counters of a column stay together", {"ab", "cd", NULL}, 4, 2, "ab cd"},
		{"whatever their order", {"ac", "bd", NULL}, 4, 2, "ac bd"},
		{"a counter of two columns is in both groups", {"ab", "cb", "db", NULL}, 4, 2, "ab bc bd"},
		{"groups are filled before new ones are made", {"ab", "cb", "db", NULL}, 4, 3, "abc bd"},
		{"a column that fits nowhere is counted one by one", {"abc", NULL}, 3, 2, "ab c"},
		{"what no column wants together, too", {NULL}, 3, 2, "ab c"},
		{"one counter at a time", {"ab", "cb", NULL}, 3, 1, "a b c"},
		{"a column within another", {"abc", "ab", "c", NULL}, 3, 3, "abc"},
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct event_set set;
		struct pmu pmu;

		pmu_init(&pmu);
		pmu.script.max_hardware = table[i].most;
		make_set(&set, table[i].n);
		for (int c = 0; table[i].column[c]; c++)
			join(&set, table[i].column[c]);
		plan_on(&set, &pmu);
		tap_str(plan_text(&set), table[i].want, "%s", table[i].name);
		event_set_done(&set);
		check_open(&pmu);
	}
}

static void test_bundles(void)
{
	struct event_set set;
	struct pmu pmu;

	pmu_init(&pmu);
	pmu.script.max_hardware = 2;
	make_set(&set, 3);
	join(&set, "ab");
	join(&set, "cb");
	join(&set, "b");
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "ab bc", "two groups share a counter");
	tap_str(bundles_text(&set), "0011", "each is a bundle");
	tap_int(set.plan.n_fds, 4, "the descriptors of a task");
	tap_ok(!set.plan.member[2].part_of, "a counter once more is not part of the first");
	event_set_done(&set);
	check_open(&pmu);
}

/* Software events are never in a group with hardware events; unsupported events are in no group. */
static void test_kinds(void)
{
	struct event_set set;
	struct pmu pmu;

	pmu_init(&pmu);
	make_set(&set, 5);
	set.event[1].type = PERF_TYPE_SOFTWARE;
	set.event[1].core = EVENT_NO_CORE;
	set.event[2].quality = QUALITY_UNSUPPORTED;
	set.event[3].type = PERF_TYPE_TRACEPOINT;
	set.event[3].core = EVENT_NO_CORE;
	join(&set, "abc");
	join(&set, "c");
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "ae bd -c", "hardware, software, nothing");
	tap_str(bundles_text(&set), "00112", "each a bundle of its own");
	event_set_done(&set);
	check_open(&pmu);
}

static void test_slots_lead(void)
{
	struct event_set set;
	struct pmu pmu;
	int fd;

	pmu_init(&pmu);
	pmu.script.topdown = true;
	make_set(&set, 4);
	for (int i = 0; i < 3; i++) {
		set.event[i].type = PERF_TYPE_RAW;
		set.event[i].config = i == 2 ? 0x400 : 0x8000u + (unsigned)i * 0x100u;
		set.event[i].topdown = i == 2 ? TOPDOWN_SLOTS : TOPDOWN_METRIC;
	}
	join(&set, "abc");
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "cabd", "slots lead, whatever the order");
	fd = event_probe(&pmu.sys, &set, 0);
	tap_ok(fd >= 0, "a metric is probed behind slots");
	pmu.sys.close(&pmu.sys, fd);
	event_set_done(&set);
	check_open(&pmu);
}

/* A topdown metric in a column without slots still needs slots as its leader. */
static void test_metric_alone(void)
{
	struct event_set set;
	struct pmu pmu;

	pmu_init(&pmu);
	pmu.script.topdown = true;
	pmu.script.max_hardware = 2;
	make_set(&set, 3);
	for (int i = 0; i < 3; i++) {
		set.event[i].type = PERF_TYPE_RAW;
		set.event[i].config = i == 0 ? 0x400 : 0x8000u + (unsigned)i * 0x100u;
		set.event[i].topdown = i == 0 ? TOPDOWN_SLOTS : TOPDOWN_METRIC;
	}
	join(&set, "b");
	join(&set, "c");
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "ab ac", "slots come along, in each group");
	event_set_done(&set);
	check_open(&pmu);
}

/* Makes n counters on two kinds of cores. */
static void make_hybrid(struct event_set *set, int n)
{
	event_set_init(set);
	for (int i = 0; i < n; i++) {
		char name[] = {(char)('a' + i), '\0'};

		event_set_add(set, name)->config = (uint64_t)i | (uint64_t)CORE << 32;
		*event_set_add_part(set, name) = (struct event){
			.name = set->event[set->n - 1].name,
			.counter = (uint8_t)i,
			.config = (uint64_t)i | (uint64_t)ATOM << 32,
			.core = 1,
		};
	}
}

static void test_hybrid(void)
{
	struct event_set set;
	struct pmu pmu;

	pmu_init(&pmu);
	pmu.script.core_type[0] = CORE;
	pmu.script.core_type[1] = ATOM;
	make_hybrid(&set, 3);
	join(&set, "ab");
	join(&set, "cb");
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "abc ABC", "a group for each kind of cores");
	for (int i = 0; i < 3; i++)
		tap_ok(!set.plan.member[i].part_of && set.plan.member[3 + i].part_of == i + 1,
		       "counter %d has two parts, the fast one stands for it", i);
	pmu.script.core_max[1] = 2;
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "ab AB bc BC", "what one kind cannot hold is cut on both");
	tap_int(set.plan.member[6].part_of, 5, "the second group has parts of its own");
	tap_str(bundles_text(&set), "00001111",
		"on each kind of cores, the same counters are together");
	set.event[4].quality = QUALITY_UNSUPPORTED;
	plan_on(&set, &pmu);
	tap_str(plan_text(&set), "ab AB b BC -c",
		"a part that cannot be had is a part all the same");
	tap_int(set.plan.member[7].part_of, 7, "of the one that can");
	tap_str(bundles_text(&set), "00001111", "in its bundle");
	event_set_done(&set);
	check_open(&pmu);
}

/* A plan has 64 members at most: in a full set, no counter is in two groups. */
static void test_full(void)
{
	uint64_t seen = 0;
	struct event_set set;
	struct pmu pmu;

	pmu_init(&pmu);
	pmu.script.max_hardware = 2;
	event_set_init(&set);
	for (int i = 0; i < EVENT_SET_MAX; i++)
		event_set_add(&set, "a")->config = (uint64_t)i;
	tap_ok(!event_set_add(&set, "a") && !event_set_add_part(&set, "a"), "a full set");
	for (int i = 1; i < EVENT_SET_MAX; i++)
		event_set_join(&set, 1ull << i | 1);
	plan_on(&set, &pmu);
	tap_int(set.plan.n, EVENT_SET_MAX, "each counter once");
	for (int i = 0; i < EVENT_SET_MAX; i++)
		seen |= 1ull << set.event[set.plan.member[i].event].counter;
	tap_ok(seen == UINT64_MAX, "all of them");
	event_set_done(&set);
	check_open(&pmu);
}

int main(void)
{
	test_columns();
	test_bundles();
	test_kinds();
	test_slots_lead();
	test_metric_alone();
	test_hybrid();
	test_full();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events of readings: equality, the numbers that they make, and joined sets.
 */
#include <stdlib.h>

#include "model/sample_event.h"
#include "tap.h"

#define USER (MODE_USER | MODE_HOST)
#define EVENT(k, p, m, c)                                                                          \
	{                                                                                          \
		.given = "CYC", .pmu = p, .kind = k, .modes = m, .config = c                       \
	}
#define TRACEPOINT(name, id)                                                                       \
	{                                                                                          \
		.resolved = name, .pmu = "tracepoint", .kind = EVENT_TRACEPOINT, .config = id      \
	}

static void test_equal(void)
{
	static const struct {
		const char *name;
		struct sample_event x, y;
		bool equal;
	} table[] = {
		{"the same", EVENT(EVENT_RAW, "cpu", USER, 1), EVENT(EVENT_RAW, "cpu", USER, 1),
		 true},
		{"whatever a screen calls it",
		 EVENT(EVENT_RAW, "cpu", USER, 1),
		 {.given = "CYCLES", .pmu = "cpu", .kind = EVENT_RAW, .modes = USER, .config = 1},
		 true},
		{"whatever came of it",
		 EVENT(EVENT_RAW, "cpu", USER, 1),
		 {.pmu = "cpu",
		  .kind = EVENT_RAW,
		  .modes = USER,
		  .config = 1,
		  .group = 3,
		  .quality = QUALITY_DENIED,
		  .guests_too = true},
		 true},
		{"another PMU", EVENT(EVENT_RAW, "cpu", USER, 1),
		 EVENT(EVENT_RAW, "cpu_atom", USER, 1), false},
		{"another kind", EVENT(EVENT_RAW, "cpu", USER, 1),
		 EVENT(EVENT_CACHE, "cpu", USER, 1), false},
		{"other modes", EVENT(EVENT_RAW, "cpu", USER, 1),
		 EVENT(EVENT_RAW, "cpu", MODES_ALL, 1), false},
		{"another config", EVENT(EVENT_RAW, "cpu", USER, 1),
		 EVENT(EVENT_RAW, "cpu", USER, 2), false},
		{"two that are missing", EVENT(EVENT_NONE, "cpu", USER, 1),
		 EVENT(EVENT_NONE, "cpu", 0, 0), true},
		{"a tracepoint has its name", TRACEPOINT("sched:sched_switch", 7),
		 TRACEPOINT("sched:sched_switch", 8), true},
		{"not its id of this boot", TRACEPOINT("sched:sched_switch", 7),
		 TRACEPOINT("irq:irq_handler_entry", 7), false},
	};
	struct sample_event x = EVENT(EVENT_RAW, "cpu", USER, 1), y = x;

	x.config1 = 1;
	tap_ok(!sample_event_equal(&x, &y), "another config1");
	x.config1 = 0;
	x.config2 = 1;
	tap_ok(!sample_event_equal(&x, &y), "another config2");
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		tap_int(sample_event_equal(&table[i].x, &table[i].y), table[i].equal, "%s",
			table[i].name);
		tap_int(sample_event_equal(&table[i].y, &table[i].x), table[i].equal,
			"%s, the other way round", table[i].name);
	}
}

static void test_set(void)
{
	char name[] = "cycles";
	struct sample_event event[] = {{.given = name}, {.config = 3}};
	struct sample_events *set = sample_events_new(event, 2);

	name[0] = 'x';
	tap_str(set->event[0].given, "cycles", "a set has its own texts");
	tap_str(set->event[1].pmu, "", "no text is NULL");
	tap_int((int)set->event[1].config, 3, "and its own events");
	tap_ok(sample_events_ref(set) == set && set->refs == 2, "it is shared");
	sample_events_unref(set);
	tap_int((int)set->refs, 1, "and lives until its last user releases it");
	sample_events_unref(set);
	tap_ok(!sample_events_ref(NULL) && !sample_events_n(NULL), "no set has no events");
	sample_events_unref(NULL);
}

/* Makes the numbers a and b on two kinds of cores, and c on any. b lacks its second part. */
static struct sample_events *make_hybrid(uint64_t a, uint64_t b)
{
	const struct sample_event event[] = {
		{.pmu = "cpu_core", .kind = EVENT_RAW, .config = a},
		{.pmu = "cpu_core", .kind = EVENT_RAW, .config = b},
		{.pmu = "cpu_atom", .kind = EVENT_RAW, .config = a, .core = 1, .part_of = 1},
		{.pmu = "cpu_atom",
		 .kind = EVENT_NONE,
		 .core = 1,
		 .part_of = 2,
		 .quality = QUALITY_UNSUPPORTED,
		 .group = SAMPLE_NO_GROUP},
		{.pmu = "software", .kind = EVENT_SOFTWARE, .core = SAMPLE_ANY_CORE, .group = 1},
	};

	return sample_events_new(event, 5);
}

static void test_numbers(void)
{
	struct sample_events *x = make_hybrid(1, 2), *y = make_hybrid(2, 1);
	const struct sample_event alone = {.pmu = "cpu_core", .kind = EVENT_RAW, .config = 1};
	struct sample_events *one = sample_events_new(&alone, 1);

	tap_int(sample_events_next_part(x, 0, 0), 2, "the second part of a number");
	tap_int(sample_events_next_part(x, 0, 2), 5, "has none behind it");
	tap_int(sample_events_quality(x, 1), QUALITY_EXACT,
		"a number can be had where one part can");
	tap_int(sample_events_find(x, 0, x, 1), 1, "a number is found");
	tap_int(sample_events_find(x, 2, x, 1), -1, "but not once more");
	tap_int(sample_events_find(x, 0, y, 0), -1, "one of which a part is missing is another");
	tap_int(sample_events_find(x, 0, y, 4), 4, "what any core counts is the same");
	tap_int(sample_events_find(x, 0, one, 0), -1, "half a number is another one");
	sample_events_unref(x);
	sample_events_unref(y);
	sample_events_unref(one);
}

static void test_join(void)
{
	struct sample_events *x = make_hybrid(1, 2), *y = make_hybrid(3, 2), *joined, *again;

	joined = sample_events_join(x, y);
	tap_int(joined->n, 7, "a joined set has what only the other one has");
	tap_int((int)joined->event[5].config, 3, "behind its own");
	tap_ok(joined->event[6].part_of == 6 && joined->event[6].core == 1, "with all parts");
	tap_int(joined->event[5].group, 2, "in groups of their own");
	tap_int(sample_events_find(joined, 0, y, 0), 5, "where it is found");
	again = sample_events_join(joined, y);
	tap_ok(again == joined, "what has all already stays as it is");
	sample_events_unref(again);
	again = sample_events_join(NULL, x);
	tap_ok(again == x, "nothing adds nothing");
	sample_events_unref(again);
	sample_events_unref(joined);
	sample_events_unref(x);
	sample_events_unref(y);
}

static void test_machine(void)
{
	char arch[] = "x86";
	const char *const core[] = {"cpu_core", "cpu_atom"};
	const char *const pmu[] = {"cpu_atom", "cpu_core", "msr", NULL};
	const uint8_t kind[] = {0, 0, 1};
	struct sample_place place[] = {{{0}}, {{0}}};
	const struct sample_machine from = {
		.n_cores = 2,
		.ticks_per_s = 100,
		.arch = arch,
		.model = "06_97",
		.boot_id = "",
		.host = "node-7",
		.cpu_kind = kind,
		.n_cpus = 3,
		.place = place,
		.n_places = 2,
		.core = core,
		.pmu = pmu,
	};
	struct sample_machine *m = sample_machine_new(&from);

	arch[0] = 'y';
	place[1].first[SHARE_CORE] = 1;
	tap_str(m->arch, "x86", "a machine has its own texts");
	tap_str(m->host, "node-7", "its name");
	tap_str(m->core[1], "cpu_atom", "its kinds of cores");
	tap_str(m->pmu[2], "msr", "and its PMUs");
	tap_ok(!m->pmu[3], "which end");
	tap_int(sample_machine_kind(m, 1), 0, "a CPU is of a kind of cores");
	tap_int(sample_machine_kind(m, 2), 1, "another one of another");
	tap_int(sample_machine_kind(m, 3), 0, "one that came later is of the first");
	tap_int((int)sample_machine_share(m, 0, 1), SHARE_CORE, "its places are its own, too");
	tap_int(sample_machine_kind(NULL, 2), 0, "where the machine is not known, all are");
	tap_ok(sample_machine_ref(m) == m && m->refs == 2, "it is shared");
	sample_machine_unref(m);
	sample_machine_unref(m);
	tap_ok(!sample_machine_ref(NULL), "no machine is none");
	sample_machine_unref(NULL);
}

int main(void)
{
	test_equal();
	test_set();
	test_numbers();
	test_join();
	test_machine();
	return tap_done();
}

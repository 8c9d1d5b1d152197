/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of CPUs in lists of models, events by name, and the choice of an event on a CPU.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/sample_event.h"
#include "pmu/event/own_table.h"
#include "pmu/event/table.h"
#include "tap.h"

static const struct cpu_name cpus[] = {
	{"skylake", "06_4E;06_5E", "x", NULL},
	{"alder-lake", "06_97", "x", NULL},
	{"golden-cove", "06_8F;alder-lake@cpu_core", "x", NULL},
	{"gracemont", "06_BE; 06_97@cpu_atom", "x", NULL},
	{"new", "skylake;golden-cove", "x", NULL},
	{"round", "roundabout", "x", NULL},
	{"roundabout", "round", "x", NULL},
};

static const struct event_choice misses[] = {
	{.model = "skylake", .event = "r1", .source = "x"},
	{.model = "golden-cove", .event = "r2;  A:B", .source = "x"},
	{.model = "gracemont", .event = "cpu/event=0x3/", .source = "x"},
	{.arch = "x86", .event = "LAST;cycles:k;cpu/event=0x4/k", .source = "x"},
};
static const struct event_choice hits[] = {{.model = "skylake", .event = "r5", .source = "x"}};
static const struct event_choice own_hits[] = {{.event = "r6", .source = "x"}};

static const struct event_def events[] = {
	{"cache-hits", "hits", "hits of the cache", hits, 1, NULL},
	{"cache-miss", "misses", "misses of the cache", misses, 4, NULL},
};
static const struct event_def own_events[] = {
	{"cache-hits", "hits", "own ones", own_hits, 1, NULL}};
static const struct cpu_name own_cpus[] = {{"mine", "skylake;41_D0C", "x", NULL}};

static const struct event_table below = {cpus, 7, events, 2, NULL};
static const struct event_table above = {own_cpus, 1, own_events, 1, &below};

static void test_fits(void)
{
	static const struct {
		const char *model, *pmu, *list;
		bool want;
	} table[] = {
		{"06_4E", "cpu", "skylake", true},
		{"06_4E", "cpu", "06_5E ; skylake", true},
		{"06_4E", "cpu", "skylak", false},
		{"06_4E", "cpu", "skylake-server", false},
		{"06_4E", "cpu", "nothing", false},
		{"06_4E", "cpu", "new", true},
		{"06_4E", "cpu", "mine", true},
		{"06_4E", "cpu", "round", false},
		{"06_97", "cpu_core", "golden-cove", true},
		{"06_97", "cpu_atom", "golden-cove", false},
		{"06_97", "cpu_core", "gracemont", false},
		{"06_97", "cpu_atom", "gracemont", true},
		{"06_97", "cpu_core", "new", true},
		{"06_97", "cpu_atom", "new", false},
		{"06_97", "", "new", false},
		{"06_97", NULL, "golden-cove", true},
		{"06_97", NULL, "gracemont", true},
		{"06_97", "cpu_atom", "alder-lake", true},
		{"06_97", "cpu_core", "06_97@cpu_core", true},
		{"06_97", "cpu_core", "06_97@cpu", false},
		{"06_97", "cpu", "06_97@cpu_core", false},
		{"06_8F", "cpu", "golden-cove", true},
		{"06_BE", "cpu", "gracemont", true},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct cpu_id id = {"x86", "", CPU_INTEL};

		snprintf(id.model, sizeof id.model, "%s", table[i].model);
		tap_ok(event_table_fits(&above, &id, table[i].pmu, "x86", table[i].list) ==
			       table[i].want,
		       "%s, PMU %s, is %s'%s'", table[i].model, table[i].pmu ? table[i].pmu : "any",
		       table[i].want ? "" : "not ", table[i].list);
	}
	tap_ok(event_table_find_cpu(&above, "skylake", 7) &&
		       !event_table_find_cpu(&above, "skylake", 6),
	       "a CPU by its whole name");
	tap_ok(!event_table_find_cpu(NULL, "skylake", 7), "no table has none");
}

static void test_find(void)
{
	const struct event_def *e = event_table_find(&above, "cache-hits:u", 10);

	tap_str(e ? e->desc : "", "own ones", "the table above goes first");
	e = event_table_find(&above, "cache-miss", 10);
	tap_str(e ? e->desc : "", "misses of the cache",
		"what it does not have is of the one below");
	tap_ok(!event_table_find(&above, "cache-mis", 9), "no event by a part of its name");
	tap_ok(!event_table_find(NULL, "cache-miss", 10), "no table has none");
}

static void test_names(void)
{
	static const struct {
		const char *model, *pmu, *list, *want;
	} table[] = {
		{"06_4E", "cpu", "cycles; A:B ;r1", "cycles|A:B|r1|"},
		{"06_4E", "cpu", "", ""},
		{"06_4E", "cpu", "cache-miss", "r1|LAST|cycles:k|cpu/event=0x4/k|"},
		{"06_97", "cpu_core", "cache-miss", "r2|A:B|LAST|cycles:k|cpu/event=0x4/k|"},
		{"06_97", "cpu_atom", "cache-miss",
		 "cpu/event=0x3/|LAST|cycles:k|cpu/event=0x4/k|"},
		{"06_97", "cpu_atom", "cache-miss:u",
		 "cpu/event=0x3/u|LAST:u|cycles:k|cpu/event=0x4/k|"},
		{"06_4E", "cpu", "x;cache-miss;y", "x|r1|LAST|cycles:k|cpu/event=0x4/k|y|"},
		{"06_4E", "cpu", "cache-hits:uk;cycles:u", "r6:uk|cycles:u|"},
		{"06_4E", "cpu", "cache-hits;cache-hits:k", "r6|r6:k|"},
		{"41_D0C", "", "x", "x|"},
	};

	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct cpu_id id = {"x86", "", CPU_INTEL};
		struct event_names names;
		struct strbuf got;
		char *name;

		snprintf(id.model, sizeof id.model, "%s", table[i].model);
		strbuf_init(&got);
		event_names_init(&names, &above, &id, table[i].pmu, false, table[i].list);
		while ((name = event_names_next(&names))) {
			strbuf_addf(&got, "%s|", name);
			free(name);
		}
		event_names_done(&names);
		tap_str(got.text, table[i].want, "%s on %s, PMU %s", table[i].list, table[i].model,
			table[i].pmu);
		strbuf_done(&got);
	}
}

/* The weight of a choice applies to the names of that choice only. */
static void test_weights(void)
{
	static const struct event_choice choice[] = {
		{.model = "skylake", .event = "a; b", .weight = "5", .source = "x"},
		{.event = "c; d", .code = "r1", .source = "x"},
	};
	static const struct event_def event = {"own-x", "x", "x", choice, 2, NULL};
	const struct event_table table = {.event = &event, .n_events = 1, .below = &below};
	const struct cpu_id id = {"x86", "06_4E", CPU_INTEL};

	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		struct event_names names;
		struct strbuf got;
		char *name;

		strbuf_init(&got);
		event_names_init(&names, &table, &id, "cpu", elsewhere, "x;own-x;y");
		while ((name = event_names_next(&names))) {
			strbuf_addf(&got, "%s*%s|", name, names.weight ? names.weight : "");
			free(name);
		}
		event_names_done(&names);
		tap_str(got.text, elsewhere ? "x*|a*5|b*5|r1*|y*|" : "x*|a*5|b*5|c*|d*|y*|",
			"weights and codes, %s", elsewhere ? "elsewhere" : "here");
		strbuf_done(&got);
	}
}

/* An event without a choice for this CPU is skipped. */
static void test_none(void)
{
	const struct cpu_id id = {"x86", "06_97", CPU_INTEL};
	struct event_names names;
	char *name;

	event_names_init(&names, &below, &id, "cpu", false, "cache-hits; cycles");
	name = event_names_next(&names);
	tap_str(name ? name : "", "cycles", "an event that this CPU does not have is passed over");
	free(name);
	tap_ok(!event_names_next(&names), "and that is all");
	event_names_done(&names);
	event_names_init(&names, &above, &id, "cpu", false, "cache-hits:u; cycles");
	free(event_names_next(&names));
	event_names_done(&names);
	tap_ok(true, "who stops early loses nothing");
}

/* Texts are copied: the test overwrites the originals. */
static void test_own(void)
{
	char name[] = "cache-hits", models[] = "06_4E", again[] = "cache-new";
	struct own_table own;
	const struct event_def *e;
	const struct cpu_id id = {"x86", "06_4E", CPU_INTEL};

	own_table_init(&own, &below);
	tap_ok(event_table_find(&own.table, "cache-hits", 10) == &events[0],
	       "an empty one has what lies below");
	own_table_add_cpu(&own,
			  &(struct cpu_name){.name = "mine", .models = models, .place = "f:1"});
	own_table_add_event(&own, &(struct event_def){.name = name, .desc = "first"});
	own_table_add_choice(&own, &(struct event_choice){.event = "r1"});
	own_table_add_event(&own, &(struct event_def){.name = again, .desc = "new"});
	for (int i = 0; i < 20; i++)
		own_table_add_choice(
			&own, &(struct event_choice){.model = models, .event = i ? name : "r2"});
	name[0] = models[0] = again[0] = 'X';
	tap_ok(event_table_fits(&own.table, &id, "cpu", NULL, "mine"), "its own CPU");
	tap_ok(event_table_fits(&own.table, &id, "cpu", NULL, "skylake"), "and those below");
	e = event_table_find(&own.table, "cache-hits", 10);
	tap_ok(e && !strcmp(e->desc, "first") && e->n_choices == 1,
	       "its own event goes before the one below");
	e = event_table_find(&own.table, "cache-new", 9);
	tap_ok(e && e->n_choices == 20 && !strcmp(e->choice[19].event, "cache-hits") && !e->unit,
	       "one of many choices");
	own_table_add_event(&own, &(struct event_def){.name = "cache-hits", .desc = "second"});
	own_table_add_cpu(&own, &(struct cpu_name){.name = "mine", .models = "06_5E"});
	e = event_table_find(&own.table, "cache-hits", 10);
	tap_ok(e && !strcmp(e->desc, "second") && !e->n_choices && own.table.n_events == 2,
	       "an event takes the place of the old one");
	tap_ok(!event_table_fits(&own.table, &id, "cpu", NULL, "mine") && own.table.n_cpus == 1,
	       "and so does a CPU");
	own_table_done(&own);
}

int main(void)
{
	test_fits();
	test_find();
	test_names();
	test_none();
	test_weights();
	test_own();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The origins of the events of a set: PMU, code, modes and meaning of each.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "pmu/event/list.h"
#include "screen/bind/encodings.h"
#include "tap.h"

bool __wrap_meaning_add(struct strbuf *out, const struct event *e, const struct machine *m);

/* Replaces the real function (ld --wrap): the meaning is the name with which the event was
 * declared. */
bool __wrap_meaning_add(struct strbuf *out, const struct event *e, const struct machine *m)
{
	(void)m;
	if (!strcmp(e->what, "unheard-of"))
		return false;
	strbuf_addf(out, "it counts %s", e->what);
	return true;
}

static const struct machine plain = {.core = {{.name = "cpu", .type = 4}}, .n_cores = 1},
			    bare = {.n_cores = 0},
			    arm = {.core = {{.name = "armv8_cortex_a72", .type = 8}}, .n_cores = 1},
			    hybrid = {.core = {{.name = "cpu_core", .type = 4},
					       {.name = "cpu_atom", .type = 10}},
				      .n_cores = 2};

/* clang-format off */
static const struct {
	const struct machine *machine;
	const char *what;
	struct event event;
	bool kernel;
	const char *pmu, *code, *modes;
} event_table[] = {
	{&plain, "instructions", {.type = 0, .config = 1}, false, "cpu", "type 0, config 0x1", "user mode"},
	{&plain, "instructions", {.type = 0, .config = 1}, true, "cpu", "type 0, config 0x1", "user mode and kernel"},
	{&bare, "r1c2", {.type = 4, .config = 0x1c2}, false, "cpu", "type 4, config 0x1c2", "user mode"},
	{&plain,
	 "FP_ASSIST:ANY:u",
	 {.type = 4, .config = 0x1eca, .config1 = 0x10, .config2 = 3, .own_modes = true, .no_kernel = true,
	  .no_hv = true},
	 true,
	 "cpu",
	 "type 4, config 0x1eca, config1 0x10, config2 0x3",
	 "user mode"},
	{&plain,
	 "cycles:k",
	 {.type = 0, .own_modes = true, .no_user = true, .no_hv = true},
	 false,
	 "cpu",
	 "type 0, config 0x0",
	 "kernel"},
	{&plain,
	 "cycles:uh",
	 {.type = 0, .own_modes = true, .no_kernel = true},
	 false,
	 "cpu",
	 "type 0, config 0x0",
	 "user mode and hypervisor"},
	{&plain,
	 "cycles:G",
	 {.type = 0, .no_host = true, .guest_too = true},
	 false,
	 "cpu",
	 "type 0, config 0x0",
	 "user mode of guests only"},
	{&plain, "cycles", {.type = 0, .guest_too = true}, false, "cpu", "type 0, config 0x0", "user mode, guests too"},
	{&plain,
	 "cycles",
	 {.type = 0, .modes_forced = true},
	 false,
	 "cpu",
	 "type 0, config 0x0",
	 "all modes, of which its PMU can leave none out"},
	{&arm,
	 "armv8_cortex_a72/l1d_cache_refill/",
	 {.type = 8, .config = 3},
	 false,
	 "armv8_cortex_a72",
	 "type 8, config 0x3",
	 "user mode"},
	{&hybrid,
	 "cycles",
	 {.type = 0, .config = 0xa00000000, .core = 1},
	 false,
	 "cpu_atom",
	 "type 0, config 0xa00000000",
	 "user mode"},
	{&plain,
	 "msr/tsc/",
	 {.type = 14, .core = EVENT_NO_CORE, .all_modes = true},
	 false,
	 "msr",
	 "type 14, config 0x0",
	 "all modes"},
	{&plain, "ivb_unc_cbo0::X", {.type = 17}, false, "of type 17", "type 17, config 0x0", "user mode"},
	{&plain,
	 "page-faults",
	 {.type = 1, .config = 2, .core = EVENT_NO_CORE},
	 false,
	 "software",
	 "type 1, config 0x2",
	 "user mode"},
	{&plain,
	 "context-switches",
	 {.type = 1, .config = 3, .core = EVENT_NO_CORE},
	 false,
	 "software",
	 "type 1, config 0x3",
	 "user mode and kernel"},
	{&plain,
	 "sched:sched_switch",
	 {.type = 2, .config = 316, .core = EVENT_NO_CORE, .all_modes = true},
	 false,
	 "tracepoint",
	 "type 2, config 0x13c",
	 "all modes"},
};
/* clang-format on */

static void check_event(size_t i)
{
	const char *what = event_table[i].what;
	char *meaning = xasprintf("it counts %s", what);
	struct origins e = {NULL, 0};
	struct event_set set;
	struct event *event;
	char *name;

	event_set_init(&set);
	set.kernel = event_table[i].kernel;
	event = event_set_add(&set, "alias");
	name = event->name;
	*event = event_table[i].event;
	event->name = name;
	event->what = xstrdup(what);
	origins_fill(&e, &set, event_table[i].machine);
	tap_int(e.n, 1, "%s: one event", what);
	tap_str(e.v->counter, "alias", "of its counter");
	tap_str(e.v->what, what, "as declared");
	tap_str(e.v->pmu, event_table[i].pmu, "its PMU");
	tap_str(e.v->code, event_table[i].code, "its code");
	tap_str(e.v->modes, event_table[i].modes, "its modes");
	tap_str(e.v->meaning, meaning, "its meaning");
	free(meaning);
	origins_done(&e);
	event_set_done(&set);
}

static void test_unknown(void)
{
	struct origins e = {NULL, 0};
	struct event_set set;

	event_set_init(&set);
	event_set_add(&set, "absent")->quality = QUALITY_UNSUPPORTED;
	event_set_add(&set, "silent")->what = xstrdup("unheard-of");
	event_set_add_part(&set, "silent")->quality = QUALITY_UNSUPPORTED;
	origins_fill(&e, &set, &hybrid);
	tap_int(e.n, 3, "all events, in their order");
	tap_str(e.v[0].counter, "absent", "a counter that this machine lacks");
	tap_ok(!e.v[0].what && !e.v[0].pmu && !e.v[0].code && !e.v[0].modes && !e.v[0].meaning,
	       "has only its name");
	tap_ok(e.v[1].what && e.v[1].code && !e.v[1].meaning, "an event of unknown meaning");
	tap_str(e.v[2].counter, "silent", "a part of it on other cores");
	tap_ok(!e.v[2].what, "which is not there");
	event_set_done(&set);
	event_set_init(&set);
	origins_fill(&e, &set, &hybrid);
	tap_int(e.n, 0, "a screen without counters: nothing is left of the one before");
	origins_done(&e);
	event_set_done(&set);
}

/* A long meaning is cut to three lines of the panel. */
static void test_long_meaning(void)
{
	struct origins e = {NULL, 0};
	struct event_set set;
	char what[300], want[sizeof what + 16];

	for (size_t i = 0; i < sizeof what - 1; i++)
		what[i] = i % 10 == 9 ? ' ' : (char)('0' + i % 10);
	what[sizeof what - 1] = '\0';
	event_set_init(&set);
	event_set_add(&set, "long")->what = xstrdup(what);
	event_set_add(&set, "fits")->what = xstrndup(what, 204 - strlen("it counts "));
	origins_fill(&e, &set, &plain);
	snprintf(want, sizeof want, "it counts %.189s...", what);
	tap_str(e.v[0].meaning, want, "a long one is cut between words");
	tap_ok(strlen(e.v[0].meaning) <= 204, "to what fits");
	tap_int(strlen(e.v[1].meaning), 204, "one that fits is whole");
	origins_done(&e);
	event_set_done(&set);
}

int main(void)
{
	for (size_t i = 0; i < sizeof event_table / sizeof *event_table; i++)
		check_event(i);
	test_unknown();
	test_long_meaning();
	return tap_done();
}

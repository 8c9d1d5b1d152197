/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events that a process counts, converted to the events and counts of a reading. */
#include "collect/table/tables.h"

#include <errno.h>

#include "model/kinds.h"
#include "tap.h"

static struct machine machine;

static struct sample_events *make(void)
{
	const struct tables_event event[] = {{"page-faults", QUALITY_EXACT, 'u', 0},
					     {"page-faults", QUALITY_EXACT, 'k', 0},
					     {"page-faults", QUALITY_EXACT, 0, 0},
					     {"minor-faults", QUALITY_DENIED, 0, 0},
					     {"no such event", QUALITY_EXACT, 0, 0}};

	return tables_events_new(&machine, event, sizeof event / sizeof *event);
}

static void test_names(void)
{
	struct sample_events *set = make();

	tap_int(set->n, 5, "an event for each");
	tap_str(set->event[0].given, "page-faults:u", "by its name with the modifier");
	tap_int(set->event[0].modes & (MODE_USER | MODE_KERNEL), MODE_USER, "in user mode");
	tap_int(set->event[1].modes & (MODE_USER | MODE_KERNEL), MODE_KERNEL, "in the kernel");
	tap_ok(!sample_event_equal(&set->event[0], &set->event[1]), "these are two");
	tap_ok(sample_event_equal(&set->event[0], &set->event[2]),
	       "without a modifier it counts in user mode");
	tap_int(set->event[3].quality, QUALITY_DENIED, "one that the process was refused");
	tap_int(set->event[4].quality, QUALITY_UNSUPPORTED, "one that is unknown here");
	tap_int(set->event[0].group, set->event[3].group, "all are read at one moment");
	sample_events_unref(set);
}

static void test_counts(void)
{
	const uint64_t count[] = {7, 8, 9, 10, 11};
	struct sample_events *set = make();
	struct task *t = task_new(&kind_call, FACT_NONE, set->n, &(struct task_texts){.name = "f"});

	task_set_events(t, set);
	tables_set_counts(t, count, 1 << 1 | 1 << 4, 1000);
	tap_int((long long)t->count[0].value, 7, "the counts, in their order");
	tap_int((long long)t->count[3].value, 10, "to the last one");
	tap_int((long long)t->unread, 1 << 1 | 1 << 4, "what is not known is not read");
	tap_ok(t->count[2].enabled_ns == 1000 && t->count[2].running_ns == 1000,
	       "they had their counters all the time");
	task_unref(t);
	sample_events_unref(set);
}

static void test_quality(void)
{
	struct event_note note = {.n_threads = {0, 0, 0}};

	tap_int(tables_event_quality(&note), QUALITY_EXACT, "no thread was refused so far");
	note.n_threads[EVENT_REFUSED] = 2;
	note.error = EACCES;
	tap_int(tables_event_quality(&note), QUALITY_DENIED, "all were, for lack of permission");
	note.error = ENOENT;
	tap_int(tables_event_quality(&note), QUALITY_UNSUPPORTED, "or as there is none");
	note.n_threads[EVENT_BY_CALL] = 1;
	tap_int(tables_event_quality(&note), QUALITY_EXACT, "some have it");
}

int main(void)
{
	machine_init(&machine, &event_host_here);
	test_names();
	test_counts();
	test_quality();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/saved_types.h"

#include <stdio.h>
#include <string.h>

#include "profile/calls/lines.h"
#include "profile/locks/lines.h"

#define TIME "time-ns"

static void name(struct event_note *note, const char *event)
{
	snprintf(note->name, sizeof note->name, "%s", event ? event : "");
}

static void declare_locks(struct report_own_type *t, const char *event)
{
	struct event_note note = {.overhead = 0};

	name(&note, event);
	locks_lines_declare(t, &note, event ? 1 : 0, false);
}

/* In two modes. */
static void declare_calls(struct report_own_type *t, const char *event)
{
	struct event_note note[2] = {{.overhead = 0}};

	name(&note[0], event);
	name(&note[1], event);
	calls_lines_declare(t, note, event ? 2 : 0);
}

static const struct report_column region_columns[] = {
	{.id = "label", .role = REPORT_IS_NAME},   {.id = "pid", .role = REPORT_IS_PROCESS},
	{.id = "host", .role = REPORT_IS_PROCESS}, {.id = "started", .role = REPORT_IS_PROCESS},
	{.id = "calls", .role = REPORT_IS_TIMES},
};

static void add_event(struct report_own_type *t, const char *id, const char *amount,
		      const char *event)
{
	const size_t group = report_own_type_add(t, (struct report_column){.id = id});

	report_own_type_add(
		t, (struct report_column){
			   .id = "mean", .role = REPORT_IS_MEAN, .amount = amount, .event = event});
	report_own_type_add(t, (struct report_column){.id = "stddev",
						      .role = REPORT_IS_SD_OF_ALL,
						      .amount = amount,
						      .event = event});
	report_own_type_group(t, group);
}

/* As inject/lib/lines.c writes them, which runs in programs and has no reports of this kind. */
static void declare_regions(struct report_own_type *t, const char *event)
{
	size_t events;

	report_own_type_init(t, region_columns, sizeof region_columns / sizeof *region_columns);
	events = report_own_type_add(t, (struct report_column){.id = "events"});
	add_event(t, TIME, "time", NULL);
	if (event)
		add_event(t, event, "event", event);
	report_own_type_group(t, events);
}

const char *const saved_writer = "'tiptop locks --format json'";

static const struct saved_type types[] = {
	{.report = "locks",
	 .line = "lock",
	 .count = "acquisitions",
	 .did = "acquired",
	 .kind = "kind",
	 .has_callers = true,
	 .amount = {"acquire", "hold", "release"},
	 .of = "tiptop locks",
	 .writer = "'tiptop locks --format json'",
	 .declare = declare_locks},
	{.report = "calls",
	 .line = "call",
	 .count = "calls",
	 .did = "calls",
	 .kind = "group",
	 .amount = {"self", "user", "kernel"},
	 .in_modes = true,
	 .other = {"group", "part"},
	 .of = "tiptop calls",
	 .writer = "'tiptop calls --format json'",
	 .declare = declare_calls},
	{.report = "region",
	 .line = "region",
	 .count = "calls",
	 .did = "calls",
	 .amount = {"time", "event", NULL},
	 .other = {"lack", "thread"},
	 .time = TIME,
	 .of = "regions of a program",
	 .writer = "a program with TIPTOP_FORMAT=json",
	 .declare = declare_regions},
};

const struct saved_type *saved_type_find(const char *report)
{
	for (size_t i = 0; report && i < sizeof types / sizeof *types; i++)
		if (!strcmp(report, types[i].report))
			return &types[i];
	return NULL;
}

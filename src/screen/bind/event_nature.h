/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * event_nature - what kind of event a name is of, by the name alone: the event need not be known
 * here.
 */
#ifndef SCREEN_BIND_EVENT_NATURE_H
#define SCREEN_BIND_EVENT_NATURE_H

#define EVENT_MODIFIERS "ukhGH"
#define EVENT_PHASE_BIT 8

/* Those that ratios tell apart. */
enum event_kind { EVENT_KIND_OTHER, EVENT_KIND_CORE, EVENT_KIND_INSTRUCTIONS, EVENT_KIND_CYCLES };

struct event_nature {
	enum event_kind kind;
	/* Bit i: the modifier EVENT_MODIFIERS[i]; from EVENT_PHASE_BIT on: the phase. */
	unsigned int modes;
};

/* Tells the nature of an event. Where alternatives have different natures, none is known. */
struct event_nature event_nature_of(const char *name);
/* Returns the unit of what the kernel counts itself, "ns"; NULL: it is a number of events. */
const char *event_nature_unit(const char *name);

#endif

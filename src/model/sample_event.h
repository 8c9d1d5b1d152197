/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sample_event - what was counted, told so completely that neither the machine nor the screen of
 * then is needed to understand it.
 *
 * Equality. Two events are the same where PMU name, kind, configs, modes and what a count stands
 * for are. What a screen calls them makes no difference, and no number does that a kernel gives
 * anew at each boot: the type of a PMU is not kept, and tracepoints are compared by their names.
 *
 * Numbers. On a hybrid machine one number is several events, one for each kind of cores. The first
 * of them, the head, stands for the number; the others say so in part_of. Two numbers are the same
 * where each part of one is the same as a part of the other. An event that a kind of cores does not
 * have is a part all the same, of kind EVENT_NONE. Parts may be in steps of their own: in a cycle
 * of one kind of cores there are more slots than in one of another.
 *
 * Groups. Numbers of the same group are on the PMU at the same time, on each kind of cores by
 * itself: only a ratio of such numbers is true while the kernel takes turns. The same number may be
 * in several groups.
 *
 * Sets. A struct sample_events is one block of memory with all its strings. It never changes, and
 * lives as long as somebody holds a reference; a reading holds one to the set that its counts are
 * of. So readings of different sets may stand in one sample.
 */
#ifndef MODEL_SAMPLE_EVENT_H
#define MODEL_SAMPLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/count.h"
#include "base/value.h"

/* The most events in the set of a reading, which are bits of task.unread. */
#define SAMPLE_MAX_EVENTS 64

#define SAMPLE_ANY_CORE (-1)
#define SAMPLE_NO_GROUP UINT16_MAX

enum event_kind {
	EVENT_NONE,       /* this machine, or this kind of cores, has no such event */
	EVENT_HARDWARE,   /* a generic event: PERF_COUNT_HW_* */
	EVENT_CACHE,      /* a generic event of a cache: PERF_COUNT_HW_CACHE_* */
	EVENT_RAW,        /* a code of the PMU of the cores */
	EVENT_SOFTWARE,   /* the kernel counts it: PERF_COUNT_SW_* */
	EVENT_TRACEPOINT, /* a place in the kernel */
	EVENT_PMU,        /* a code of a PMU outside of the cores */
	N_EVENT_KINDS
};

/* Bits of sample_event.modes: in which modes it was to be counted. */
#define MODE_USER   1u
#define MODE_KERNEL 2u
#define MODE_HV     4u
#define MODE_GUEST  8u
#define MODE_HOST   16u
#define MODES_ALL   31u
/* The same of what rows of locks count: while a lock was acquired, held, or released. */
#define MODE_ACQUIRE 32u
#define MODE_HOLD    64u
#define MODE_RELEASE 128u

/* No text is NULL. */
struct sample_event {
	const char *given;    /* as the screen or the user called it: "FP_ASSIST:ANY" */
	const char *resolved; /* in the words of its PMU: "cpu/event=0xca,umask=0x1e/" */
	const char *pmu;      /* as in sysfs; "cpu" where that has none for the cores; "software" */
	const char *format;   /* the fields of its configs: "event=config:0-7 umask=config:8-15" */
	const char *unit;     /* of scale; "" where it is a number of events */
	uint64_t config, config1, config2; /* a generic event without the type of its PMU */
	double scale;     /* what one count stands for; 0 stands for 1; or SCALE_NOTHING */
	uint16_t group;   /* SAMPLE_NO_GROUP: it was never opened */
	uint16_t part_of; /* 1 + the head of the number of which it is a further part; else 0 */
	uint8_t kind;     /* enum event_kind */
	uint8_t modes;
	int8_t core; /* the kind of cores that counts it, 0 is the fastest; or SAMPLE_ANY_CORE */
	uint8_t quality; /* QUALITY_EXACT, or why nobody here could have it */
	bool guests_too; /* the PMU could not leave out guests */
	bool modes_too;  /* nor any mode: it counted in all of them */
	bool lacking;    /* a head: the set had no room for its parts on other kinds of cores */
};

struct sample_events {
	uint32_t refs;
	int n;
	bool in_parts; /* a number of it has further parts */
	struct sample_event event[];
};

/* The name of a kind in lists, "hardware". */
const char *event_kind_name(enum event_kind kind);

bool sample_event_equal(const struct sample_event *x, const struct sample_event *y);

/* Makes a set: a copy of these events, with one reference. A NULL text becomes "". */
struct sample_events *sample_events_new(const struct sample_event *event, int n);
/* NULL is fine, and gives NULL. */
struct sample_events *sample_events_ref(const struct sample_events *set);
void sample_events_unref(const struct sample_events *set);
/* The number of events in the set; 0 where there is no set. */
static inline int sample_events_n(const struct sample_events *set)
{
	return set ? set->n : 0;
}

/* Finds the next part, behind event i, of the number at `head`; set->n where there is none. Begin
 * with the head itself. */
static inline int sample_events_next_part(const struct sample_events *set, int head, int i)
{
	if (!set->in_parts)
		return set->n;
	for (i++; i < set->n; i++)
		if (set->event[i].part_of == head + 1)
			break;
	return i;
}
/* The reason why no part of the number can be had; QUALITY_EXACT where at least one can. */
enum quality sample_events_quality(const struct sample_events *set, int head);
/* Finds the first head, from `from` on, whose number is the one at `head` of `other`; -1 where
 * there is none. */
int sample_events_find(const struct sample_events *set, int from, const struct sample_events *other,
		       int head);

/* Joins two sets: the numbers of `a` come first and keep their places; numbers of b that a has
 * already are not repeated; a itself is returned where that is enough. Returns a new reference. The
 * join may have more than SAMPLE_MAX_EVENTS, as only a fold uses it. */
struct sample_events *sample_events_join(const struct sample_events *a,
					 const struct sample_events *b);

#endif

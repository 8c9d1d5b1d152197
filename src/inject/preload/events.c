/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/events.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The most threads whose descriptors are noted, so that a child can close them. */
#define THREADS 1025

/* Counters that all kinds of Intel cores have, as in inject/lib/counters.c. */
static const struct page_limits limits = {.n_general = 6, .n_fixed = 3};

/* The events, shared by all threads. */
static struct event part[COUNTERS_PARTS_MAX];
static char name[TT_MAX_EVENTS][EVENTS_NAME_MAX];
static struct event_set set = {.event = part};
static int n_events, task_clock = -1;

/* The open descriptors of each thread, and the kernel's ids of their events. */
static struct kept {
	int fd[COUNTERS_PARTS_MAX];
	uint64_t id[COUNTERS_PARTS_MAX];
	int n;
} kept[THREADS];

/* --- the variable --- */

/* Reads a hexadecimal number; returns whether the character `end` follows it. */
static bool take(const char **at, char end, uint64_t *number)
{
	char *behind;

	*number = strtoull(*at, &behind, 16);
	*at = behind + 1;
	return *behind == end;
}

static void set_flags(struct event *e, uint64_t flags)
{
	e->own_modes = flags & EVENTS_OWN_MODES;
	e->no_user = flags & EVENTS_NO_USER;
	e->no_kernel = flags & EVENTS_NO_KERNEL;
	e->no_hv = flags & EVENTS_NO_HV;
	e->all_modes = flags & EVENTS_ALL_MODES;
	e->guest_too = flags & EVENTS_GUEST_TOO;
	e->no_host = flags & EVENTS_NO_HOST;
	e->quality = flags & EVENTS_LACKING ? QUALITY_UNSUPPORTED : QUALITY_EXACT;
}

/* Reads one part of an event. Returns false if it is not valid, or there is no room for it. */
static bool parse_part(const char **at, bool with_clock)
{
	enum { EVENT, TYPE, CONFIG, CONFIG1, CONFIG2, FLAGS, CORE, N };
	uint64_t x[N];
	struct event *e = &part[set.n];
	size_t len;

	for (int i = 0; i < N; i++)
		if (!take(at, ',', &x[i]))
			return false;
	len = strcspn(*at, ";");
	if (set.n == COUNTERS_PARTS_MAX || x[EVENT] >= TT_MAX_EVENTS || len >= EVENTS_NAME_MAX)
		return false;
	*e = (struct event){.counter = (uint8_t)x[EVENT],
			    .type = (uint32_t)x[TYPE],
			    .config = x[CONFIG],
			    .config1 = x[CONFIG1],
			    .config2 = x[CONFIG2],
			    .core = (int8_t)x[CORE]};
	set_flags(e, x[FLAGS]);
	memcpy(name[e->counter], *at, len);
	name[e->counter][len] = '\0';
	if (with_clock && e->quality == QUALITY_EXACT && e->type == PERF_TYPE_SOFTWARE &&
	    e->config == PERF_COUNT_SW_TASK_CLOCK)
		task_clock = e->counter;
	n_events = e->counter + 1;
	set.n++;
	*at += len + ((*at)[len] == ';');
	return true;
}

void events_begin(bool with_clock)
{
	static bool begun;
	const char *at = begun ? NULL : secure_getenv(EVENTS_VARIABLE);

	begun = true;
	while (at && *at && parse_part(&at, with_clock))
		;
	set.n_counters = n_events;
}

int events_n(void)
{
	return n_events;
}

bool events_has_task_clock(void)
{
	return task_clock >= 0;
}

void events_name(struct event_note note[])
{
	for (int i = 0; i < n_events; i++)
		memcpy(note[i].name, name[i], sizeof name[i]);
}

/* --- descriptors --- */

/* Returns whether event i counts in all modes, as its PMU cannot exclude any. Either tiptop has
 * found this, or the opening in this process. Tracepoints are left out, as they have no modes. */
static bool is_in_all_modes(const struct tt *t, int i)
{
	bool all = t->all_modes >> i & 1;

	for (int k = 0; k < set.n; k++)
		all |= part[k].counter == i && part[k].all_modes &&
		       part[k].type != PERF_TYPE_TRACEPOINT;
	return all;
}

/* Closes the descriptors; events with a mapped page go on counting. */
static void close_all(struct tt *t)
{
	for (int i = 0; i < t->n_parts; i++) {
		tt_descriptor_close(t->part[i].fd, t->part[i].id);
		t->part[i].fd = t->part[i].leader = -1;
	}
}

static void note_descriptors(const struct tt *t, struct kept *k)
{
	for (k->n = 0; k->n < t->n_parts; k->n++) {
		k->fd[k->n] = t->part[k->n].fd;
		k->id[k->n] = t->part[k->n].id;
	}
}

/* --- a thread --- */

void events_open(struct events *e, uint32_t thread)
{
	struct tt *t = &e->tt;

	*t = (struct tt){.n = n_events, .clock = task_clock, .set = set};
	t->limits = set.n > n_events ? &limits : NULL;
	t->mark.opening = 1;
	for (int i = 0; i < set.n; i++)
		t->state[part[i].counter] = TT_NO_PMU;
	kept[thread].n = 0;
	tt_counters_open(t);
	if (tt_counters_need_calls(t))
		note_descriptors(t, &kept[thread]);
	else
		close_all(t);
}

uint32_t events_note(const struct events *e, struct event_note note[])
{
	static const enum event_reading readings[] = {
		[TT_OK] = EVENT_BY_USER,      [TT_TSC] = EVENT_BY_USER,
		[TT_SYSCALL] = EVENT_BY_CALL, [TT_SCALED] = EVENT_BY_CALL,
		[TT_DENIED] = EVENT_REFUSED,  [TT_NO_PMU] = EVENT_REFUSED,
	};
	uint32_t lacking = 0;

	for (int i = 0; i < n_events; i++) {
		const enum event_reading r = readings[e->tt.state[i]];

		note[i].n_threads[r]++;
		if (r != EVENT_REFUSED) {
			note[i].all_modes += is_in_all_modes(&e->tt, i);
			continue;
		}
		note[i].error = e->tt.reason[i] ? e->tt.reason[i] : ENOENT;
		lacking |= 1u << i;
	}
	return lacking;
}

void events_close(struct events *e, uint32_t thread)
{
	tt_counters_close(&e->tt);
	kept[thread].n = 0;
}

/* Closes only descriptors that still refer to the events: the program may have closed and reused
 * them. */
void events_forget(void)
{
	for (int thread = 0; thread < THREADS; thread++) {
		struct kept *k = &kept[thread];

		for (int i = 0; i < k->n; i++)
			tt_descriptor_close(k->fd[i], k->id[i]);
		k->n = 0;
	}
}

/* --- readings --- */

/* Returns whether a count is exact; a multiplexed one is treated as unknown. */
static bool is_known(const struct tt_value *v)
{
	return v->state != TT_SCALED && v->state < TT_DENIED && v->enabled == v->running;
}

void events_read(struct events *e, struct moment *m)
{
	struct tt_value value[TT_MAX_EVENTS];
	bool plain;

	if (atomic_load_explicit(&process_paused, memory_order_relaxed)) {
		m->unknown = UINT32_MAX;
		return;
	}
	plain = e->tt.read(&e->tt, value);
	m->unknown = 0;
	for (int i = 0; i < e->tt.n; i++) {
		m->count[i] = value[i].count;
		m->unknown |= (uint32_t)(!plain && !is_known(&value[i])) << i;
	}
}

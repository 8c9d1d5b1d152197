/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/sample_event.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const char *event_kind_name(enum event_kind kind)
{
	static const char *const table[N_EVENT_KINDS] = {
		[EVENT_NONE] = "none",         [EVENT_HARDWARE] = "hardware",
		[EVENT_CACHE] = "cache",       [EVENT_RAW] = "raw",
		[EVENT_SOFTWARE] = "software", [EVENT_TRACEPOINT] = "tracepoint",
		[EVENT_PMU] = "pmu",
	};

	return table[kind];
}

bool sample_event_equal(const struct sample_event *x, const struct sample_event *y)
{
	if (x->kind != y->kind || strcmp(x->pmu, y->pmu))
		return false;
	if (x->kind == EVENT_NONE)
		return true;
	if (x->modes != y->modes || x->scale != y->scale)
		return false;
	/* The config of a tracepoint is an id that is valid until the next boot. */
	if (x->kind == EVENT_TRACEPOINT)
		return !strcmp(x->resolved, y->resolved);
	return x->config == y->config && x->config1 == y->config1 && x->config2 == y->config2;
}

/* Returns "" for NULL. */
static const char *text_of(const char *text)
{
	return text ? text : "";
}

static size_t text_size(const char *text)
{
	return strlen(text_of(text)) + 1;
}

struct sample_events *sample_events_new(const struct sample_event *event, int n)
{
	struct sample_events *set;
	size_t texts = 0;
	char *at;

	for (int i = 0; i < n; i++)
		texts += text_size(event[i].given) + text_size(event[i].resolved) +
			 text_size(event[i].pmu) + text_size(event[i].format) +
			 text_size(event[i].unit);
	set = xcalloc(1, sizeof *set + (size_t)n * sizeof *event + texts);
	set->refs = 1;
	set->n = n;
	at = (char *)&set->event[n];
	for (int i = 0; i < n; i++) {
		struct sample_event *e = &set->event[i];

		*e = event[i];
		e->given = mem_put_text(&at, text_of(e->given));
		e->resolved = mem_put_text(&at, text_of(e->resolved));
		e->pmu = mem_put_text(&at, text_of(e->pmu));
		e->format = mem_put_text(&at, text_of(e->format));
		e->unit = mem_put_text(&at, text_of(e->unit));
		set->in_parts |= e->part_of != 0;
	}
	return set;
}

struct sample_events *sample_events_ref(const struct sample_events *set)
{
	struct sample_events *shared = (struct sample_events *)set;

	if (shared)
		shared->refs++;
	return shared;
}

void sample_events_unref(const struct sample_events *set)
{
	struct sample_events *shared = (struct sample_events *)set;

	if (shared && --shared->refs == 0)
		free(shared);
}

enum quality sample_events_quality(const struct sample_events *set, int head)
{
	for (int i = head; i < set->n; i = sample_events_next_part(set, head, i))
		if (set->event[i].quality == QUALITY_EXACT)
			return QUALITY_EXACT;
	return set->event[head].quality;
}

static int count_parts(const struct sample_events *set, int head)
{
	int n = 0;

	for (int i = head; i < set->n; i = sample_events_next_part(set, head, i))
		n++;
	return n;
}

static bool has_part(const struct sample_events *set, int head, const struct sample_event *part)
{
	for (int i = head; i < set->n; i = sample_events_next_part(set, head, i))
		if (sample_event_equal(&set->event[i], part))
			return true;
	return false;
}

static bool same_number(const struct sample_events *x, int head, const struct sample_events *y,
			int other)
{
	if (count_parts(x, head) != count_parts(y, other))
		return false;
	for (int i = head; i < x->n; i = sample_events_next_part(x, head, i))
		if (!has_part(y, other, &x->event[i]))
			return false;
	return true;
}

int sample_events_find(const struct sample_events *set, int from, const struct sample_events *other,
		       int head)
{
	for (int i = from; i < set->n; i++)
		if (!set->event[i].part_of && same_number(set, i, other, head))
			return i;
	return -1;
}

/* A joined set under construction. */
struct joined {
	struct sample_event *event;
	int n;
	uint32_t first_group; /* number of the first group taken over from b */
};

static void take_number(struct joined *j, const struct sample_events *from, int head)
{
	int first = j->n;

	for (int i = head; i < from->n; i = sample_events_next_part(from, head, i)) {
		struct sample_event *e = &j->event[j->n++];
		uint32_t group = j->first_group + from->event[i].group;

		*e = from->event[i];
		e->part_of = (uint16_t)(i == head ? 0 : first + 1);
		if (e->group != SAMPLE_NO_GROUP)
			e->group = (uint16_t)(group < SAMPLE_NO_GROUP ? group : SAMPLE_NO_GROUP);
	}
}

static uint32_t count_groups(const struct sample_events *set)
{
	uint32_t n = 0;

	for (int i = 0; i < set->n; i++)
		if (set->event[i].group != SAMPLE_NO_GROUP && set->event[i].group >= n)
			n = set->event[i].group + 1u;
	return n;
}

struct sample_events *sample_events_join(const struct sample_events *a,
					 const struct sample_events *b)
{
	struct sample_events *set;
	struct joined j;

	if (a == b || !a || !b)
		return sample_events_ref(a ? a : b);
	j = (struct joined){
		.event = xcalloc((size_t)a->n + (size_t)b->n, sizeof *j.event),
		.n = a->n,
		.first_group = count_groups(a),
	};
	if (a->n)
		memcpy(j.event, a->event, (size_t)a->n * sizeof *j.event);
	for (int i = 0; i < b->n; i++)
		if (!b->event[i].part_of && sample_events_find(a, 0, b, i) < 0)
			take_number(&j, b, i);
	set = j.n == a->n ? sample_events_ref(a) : sample_events_new(j.event, j.n);
	free(j.event);
	return set;
}

/* ---- machine ---- */

static size_t count_texts(const char *const *list)
{
	size_t n = 0;

	while (list[n])
		n++;
	return n;
}

static size_t texts_size(const char *const *list, size_t n)
{
	size_t size = 0;

	for (size_t i = 0; i < n; i++)
		size += strlen(list[i]) + 1;
	return size;
}

struct sample_machine *sample_machine_new(const struct sample_machine *from)
{
	const size_t n_cores = (size_t)from->n_cores, n_pmus = count_texts(from->pmu);
	const char *const single[] = {from->arch, from->model, from->boot_id, from->host};
	const size_t size = texts_size(single, sizeof single / sizeof *single) +
			    texts_size(from->core, n_cores) + texts_size(from->pmu, n_pmus) +
			    (size_t)from->n_cpus;
	const size_t places = (size_t)from->n_places * sizeof *from->place;
	struct sample_machine *m =
		xcalloc(1, sizeof *m + (n_cores + n_pmus + 1) * sizeof(char *) + places + size);
	const char **list = (const char **)(m + 1);
	struct sample_place *place = (struct sample_place *)(list + n_cores + n_pmus + 1);
	char *at = (char *)place + places;

	*m = *from;
	m->refs = 1;
	m->arch = mem_put_text(&at, from->arch);
	m->model = mem_put_text(&at, from->model);
	m->boot_id = mem_put_text(&at, from->boot_id);
	m->host = mem_put_text(&at, from->host);
	m->core = list;
	m->pmu = list + n_cores;
	for (size_t i = 0; i < n_cores; i++)
		list[i] = mem_put_text(&at, from->core[i]);
	for (size_t i = 0; i < n_pmus; i++)
		list[n_cores + i] = mem_put_text(&at, from->pmu[i]);
	m->place = place;
	if (places)
		memcpy(place, from->place, places);
	m->cpu_kind = (const uint8_t *)at;
	if (from->n_cpus)
		memcpy(at, from->cpu_kind, (size_t)from->n_cpus);
	return m;
}

int sample_machine_kind(const struct sample_machine *machine, int cpu)
{
	return machine && cpu >= 0 && cpu < machine->n_cpus ? machine->cpu_kind[cpu] : 0;
}

enum sample_share sample_machine_share(const struct sample_machine *machine, int a, int b)
{
	const int n = machine ? machine->n_places : 0;
	int share = SHARE_CORE;

	if (a < 0 || b < 0)
		return SHARE_NOTHING;
	if (a == b)
		return SHARE_CPU;
	if (a >= n || b >= n)
		return SHARE_NOTHING;
	while (share > SHARE_NOTHING &&
	       (machine->place[a].first[share] < 0 ||
		machine->place[a].first[share] != machine->place[b].first[share]))
		share--;
	return (enum sample_share)share;
}

struct sample_machine *sample_machine_ref(const struct sample_machine *machine)
{
	struct sample_machine *shared = (struct sample_machine *)machine;

	if (shared)
		shared->refs++;
	return shared;
}

void sample_machine_unref(const struct sample_machine *machine)
{
	struct sample_machine *shared = (struct sample_machine *)machine;

	if (shared && --shared->refs == 0)
		free(shared);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "pmu/event/describe.h"

#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/perf_name.h"
#include "pmu/perf/core.h"

/* ---- one event ---- */

enum event_kind event_kind_of(const struct event *e)
{
	if (!e->what && e->quality != QUALITY_EXACT)
		return EVENT_NONE;
	switch (e->type) {
	case PERF_TYPE_HARDWARE:
		return EVENT_HARDWARE;
	case PERF_TYPE_HW_CACHE:
		return EVENT_CACHE;
	case PERF_TYPE_SOFTWARE:
		return EVENT_SOFTWARE;
	case PERF_TYPE_TRACEPOINT:
		return EVENT_TRACEPOINT;
	default:
		return e->core == EVENT_NO_CORE || e->all_modes ? EVENT_PMU : EVENT_RAW;
	}
}

/* Returns the modes as the user selected them: if a PMU also counts guests, or all modes, because
 * it cannot exclude them, guests_too and modes_too say so. */
static uint8_t modes_of(const struct event_set *set, int i)
{
	const struct event *e = &set->event[i];
	struct event wished = *e;
	struct event_set alone = *set;
	static const uint8_t of_phase[N_EVENT_PHASES] = {
		[EVENT_ACQUIRE] = MODE_ACQUIRE,
		[EVENT_HOLD] = MODE_HOLD,
		[EVENT_RELEASE] = MODE_RELEASE,
	};
	struct perf_event_attr attr;
	unsigned modes = of_phase[e->phase];

	if (e->all_modes)
		return (uint8_t)(modes | MODES_ALL);
	wished.modes_forced = false;
	alone.event = &wished;
	event_attr(&alone, 0, true, false, &attr);
	modes |= attr.exclude_user ? 0 : MODE_USER;
	modes |= attr.exclude_kernel ? 0 : MODE_KERNEL;
	modes |= attr.exclude_hv ? 0 : MODE_HV;
	modes |= attr.exclude_host ? 0 : MODE_HOST;
	modes |= attr.exclude_guest || e->guest_forced ? 0 : MODE_GUEST;
	return (uint8_t)modes;
}

struct sample_event event_to_sample(const struct event_set *set, int i)
{
	const struct event *e = &set->event[i];
	enum event_kind kind = event_kind_of(e);
	/* On a hybrid machine, the upper half of the config of a generic event is the type of the
	 * PMU. */
	bool generic = kind == EVENT_HARDWARE || kind == EVENT_CACHE;

	return (struct sample_event){
		.given = e->what ? e->what : e->name,
		.resolved = e->resolved ? e->resolved : "",
		.pmu = e->pmu ? e->pmu : "",
		.format = e->format ? e->format : "",
		.unit = e->unit,
		.config = generic ? e->config & UINT32_MAX : e->config,
		.config1 = e->config1,
		.config2 = e->config2,
		.scale = e->scale,
		.group = SAMPLE_NO_GROUP,
		.kind = (uint8_t)kind,
		.modes = modes_of(set, i),
		.core = e->core == EVENT_NO_CORE ? SAMPLE_ANY_CORE : e->core,
		.quality = e->quality,
		.guests_too = e->guest_forced,
		.modes_too = event_is_beyond_modes(e),
		.lacking = e->lacking,
	};
}

/* ---- places ---- */

/* The number of cache indices that are tried: more than any CPU has, instruction caches
 * included. */
#define CACHES_MAX 16

struct places {
	const char *cpus; /* the folder of the CPUs in sysfs */
	struct sample_place *v;
	int n;
};

/* Reads a file in the folder of the CPUs; false: there is none. */
static bool read_text(const struct places *p, struct strbuf *out, const char *path)
{
	char *whole = xasprintf("%s/%s", p->cpus, path);
	const ssize_t n = file_read_all(AT_FDCWD, whole, 1 << 16, out);

	free(whole);
	return n > 0;
}

/* Reads from the file the list of CPUs that share `what`, and stores for each of them the first CPU
 * of the list. */
static void read_list(struct places *p, const char *path, enum sample_share what)
{
	struct strbuf text;
	struct cpu_list list;
	int first = -1;

	strbuf_init(&text);
	cpu_list_parse(&list, read_text(p, &text, path) ? text.text : "");
	for (int cpu = 0; cpu < p->n; cpu++) {
		if (!cpu_list_has(&list, cpu))
			continue;
		if (first < 0)
			first = cpu;
		p->v[cpu].first[what] = (int16_t)first;
	}
	strbuf_done(&text);
}

static void read_core(struct places *p, int cpu)
{
	char *path = xasprintf("cpu%d/topology/thread_siblings_list", cpu);

	read_list(p, path, SHARE_CORE);
	free(path);
}

/* Returns the level of a cache; 0: there is no cache with this index. */
static int read_level(const struct places *p, int cpu, int index)
{
	char *path = xasprintf("cpu%d/cache/index%d/level", cpu, index);
	struct strbuf text;
	int level = 0;

	strbuf_init(&text);
	if (read_text(p, &text, path))
		level = (int)strtol(text.text, NULL, 10);
	strbuf_done(&text);
	free(path);
	return level;
}

static void read_caches(struct places *p, int cpu)
{
	int level = 1;

	for (int i = 0; i < CACHES_MAX && level > 0; i++) {
		char *path;

		level = read_level(p, cpu, i);
		if (level != 2 && level != 3)
			continue;
		path = xasprintf("cpu%d/cache/index%d/shared_cpu_list", cpu, i);
		read_list(p, path, level == 2 ? SHARE_L2 : SHARE_L3);
		free(path);
	}
}

static void read_nodes(struct places *p)
{
	struct folder nodes;
	const char *name;

	folder_open(&nodes, "%s/../node", p->cpus);
	while ((name = folder_next(&nodes))) {
		char *path;

		if (strncmp(name, "node", 4) || !isdigit((unsigned char)name[4]))
			continue;
		path = xasprintf("../node/%s/cpulist", name);
		read_list(p, path, SHARE_NODE);
		free(path);
	}
}

/* Returns the highest number of an online CPU plus 1. */
static int count_cpus(const struct places *p, struct cpu_list *online)
{
	struct strbuf text;
	int n = 0;

	strbuf_init(&text);
	cpu_list_parse(online, read_text(p, &text, "online") ? text.text : "");
	strbuf_done(&text);
	for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++)
		if (cpu_list_has(online, cpu))
			n = cpu + 1;
	return n;
}

int places_read(const struct event_host *host, struct sample_place **out)
{
	struct places p = {.cpus = host->cpus};
	struct cpu_list online;

	p.n = count_cpus(&p, &online);
	p.v = p.n ? xcalloc((size_t)p.n, sizeof *p.v) : NULL;
	for (int cpu = 0; cpu < p.n; cpu++)
		for (int share = 0; share < SHARE_CPU; share++)
			p.v[cpu].first[share] = -1;
	for (int cpu = 0; cpu < p.n; cpu++) {
		if (!cpu_list_has(&online, cpu))
			continue;
		if (p.v[cpu].first[SHARE_CORE] < 0)
			read_core(&p, cpu);
		if (p.v[cpu].first[SHARE_L2] < 0 || p.v[cpu].first[SHARE_L3] < 0)
			read_caches(&p, cpu);
	}
	if (p.n)
		read_nodes(&p);
	*out = p.v;
	return p.n;
}

/* ---- sets and machines ---- */

/* Reads the first line of a file without its end; "": the file cannot be read. */
static void read_line(char *text, size_t size, const char *path)
{
	file_read(AT_FDCWD, path, text, size);
	text[strcspn(text, "\n")] = '\0';
}

static void read_pmu_file(char *text, size_t size, const struct machine *m, const char *pmu,
			  const char *file)
{
	char *path = xasprintf("%s/%s/%s", m->host->devices, pmu, file);

	read_line(text, size, path);
	free(path);
}

/* Returns the name of the PMU that has this type in sysfs; "": there is none. The caller frees the
 * name. */
static char *find_pmu(const struct machine *m, uint32_t type)
{
	char *want = xasprintf("%u", type), *found = NULL;
	struct folder pmus;
	const char *name;

	folder_open(&pmus, "%s", m->host->devices);
	while ((name = folder_next(&pmus))) {
		char text[32];

		read_pmu_file(text, sizeof text, m, name, "type");
		if (!found && !strcmp(text, want))
			found = xstrdup(name);
	}
	free(want);
	return found ? found : xstrdup("");
}

static char *name_pmu(const struct event *e, const struct machine *m)
{
	switch (event_kind_of(e)) {
	case EVENT_SOFTWARE:
		return xstrdup("software");
	case EVENT_TRACEPOINT:
		return xstrdup("tracepoint");
	case EVENT_PMU:
		return find_pmu(m, e->type);
	default:
		return xstrdup(e->core >= 0 && e->core < m->n_cores ? m->core[e->core].name
								    : "cpu");
	}
}

/* Returns the fields of a PMU's config words: "event=config:0-7 umask=config:8-15". */
static char *read_format(const struct machine *m, const char *pmu)
{
	struct strbuf format;
	struct folder terms;
	const char *term;

	strbuf_init(&format);
	folder_open(&terms, "%s/%s/format", m->host->devices, pmu);
	while ((term = folder_next(&terms))) {
		char text[256], *file = xasprintf("format/%s", term);

		read_pmu_file(text, sizeof text, m, pmu, file);
		free(file);
		strbuf_addf(&format, "%s%s=%s", format.len ? " " : "", term, text);
	}
	return format.text ? format.text : xstrdup("");
}

/* Extracts the bits of the mask from the word, the lowest first. */
static uint64_t get_field(uint64_t word, uint64_t mask)
{
	uint64_t value = 0;

	for (int i = 0; mask; mask &= mask - 1, i++)
		if (word & mask & -mask)
			value |= 1ull << i;
	return value;
}

static void add_term(struct strbuf *out, const char *term, int len, uint64_t value)
{
	strbuf_addf(out, "%s%.*s=0x%llx", out->text[out->len - 1] == '/' ? "" : ",", len, term,
		    (unsigned long long)value);
}

/* Appends a term for each field of the format that is not 0 in the config words, and clears the
 * bits of these fields. */
static void add_fields(struct strbuf *out, const char *format, uint64_t word[3])
{
	for (size_t n; *format; format += n + (format[n] == ' ')) {
		int term = (int)strcspn(format, "=");
		struct event_field f;
		char *text;
		uint64_t value;

		n = strcspn(format, " ");
		text = xstrndup(format + term + 1, n - (size_t)term - 1);
		value = event_field_parse(&f, text, NULL) ? 0 : get_field(word[f.word], f.mask);
		free(text);
		if (!value)
			continue;
		add_term(out, format, term, value);
		word[f.word] &= ~f.mask;
	}
}

/* Returns the code of the event in the terms of its PMU: "cpu/event=0xca,umask=0x1e/". If the
 * fields do not cover all bits of a word, the whole word is added as config, config1 or config2. */
static char *resolve_code(const struct event *e)
{
	const uint64_t all[3] = {e->config, e->config1, e->config2};
	static const char *const words[3] = {"config", "config1", "config2"};
	uint64_t word[3] = {e->config, e->config1, e->config2};
	struct strbuf out;

	strbuf_init(&out);
	strbuf_addf(&out, "%s/", e->pmu);
	add_fields(&out, e->format, word);
	for (int i = 0; i < 3; i++)
		if (word[i])
			add_term(&out, words[i], (int)strlen(words[i]), all[i]);
	if (!all[0] && !all[1] && !all[2])
		add_term(&out, words[0], (int)strlen(words[0]), 0);
	strbuf_addch(&out, '/');
	return out.text;
}

/* State of the search for the name of a generic event. */
struct search {
	const struct event *event;
	char *name;
};

static void compare(void *context, const char *name, const char *also)
{
	struct search *s = context;
	uint64_t config;
	uint32_t type;

	(void)also;
	/* On a hybrid machine, the upper half of the config is the type of the PMU. */
	if (!s->name && generic_find(name, &type, &config) && type == s->event->type &&
	    config == (s->event->config & UINT32_MAX))
		s->name = xstrdup(name);
}

static char *resolve_generic(const struct event *e)
{
	struct search s = {.event = e};

	generic_each(compare, &s);
	return s.name ? s.name : resolve_code(e);
}

/* Returns "sched:sched_switch", without modifiers. */
static char *tracepoint_name(const struct event *e)
{
	const char *what = e->what ? e->what : "";
	size_t system = strcspn(what, ":");

	return xstrndup(what, what[system] ? system + 1 + strcspn(what + system + 1, ":") : system);
}

static char *resolve(const struct event *e)
{
	switch (event_kind_of(e)) {
	case EVENT_NONE:
		return xstrdup("");
	case EVENT_TRACEPOINT:
		return tracepoint_name(e);
	case EVENT_HARDWARE:
	case EVENT_CACHE:
	case EVENT_SOFTWARE:
		return resolve_generic(e);
	default:
		return resolve_code(e);
	}
}

/* If several PMUs count the event, returns the name of the PMU without its number: "uncore_imc" for
 * "uncore_imc_0". Else returns the name. */
static char *common_name(const struct event *e, const char *pmu)
{
	const char *number = e->several ? strrchr(pmu, '_') : NULL;

	return number ? xstrndup(pmu, (size_t)(number - pmu)) : xstrdup(pmu);
}

void event_set_describe(struct event_set *set, const struct machine *m)
{
	for (int i = 0; i < set->n; i++) {
		struct event *e = &set->event[i];
		const struct event *same = NULL;
		char *pmu = name_pmu(e, m);

		free(e->pmu);
		free(e->format);
		free(e->resolved);
		e->pmu = common_name(e, pmu);
		for (int k = 0; k < i && !same; k++)
			same = strcmp(set->event[k].pmu, e->pmu) ? NULL : &set->event[k];
		e->format = same ? xstrdup(same->format) : read_format(m, pmu);
		e->resolved = resolve(e);
		free(pmu);
	}
}

/* Returns the names of all PMUs, terminated by NULL. */
static char **list_pmus(const struct machine *m)
{
	struct folder pmus;
	const char *name;
	char **list;
	size_t n = 0;
	int found = folder_open(&pmus, "%s", m->host->devices);

	list = xcalloc((size_t)(found > 0 ? found : 0) + 1, sizeof(char *));
	while ((name = folder_next(&pmus)))
		list[n++] = xstrdup(name);
	return list;
}

/* Sets kind[cpu] to the index of the CPU's kind of cores. Returns the highest CPU number plus 1; 0:
 * the machine has only one kind. */
static int list_kinds(const struct machine *m, uint8_t kind[AFFINITY_CPUS])
{
	int n = 0;

	memset(kind, 0, AFFINITY_CPUS);
	for (int i = 0; m->n_cores > 1 && i < m->n_cores; i++) {
		const struct cpu_list *cpus = &m->core[i].cpus;

		for (int cpu = 0; cpu < AFFINITY_CPUS; cpu++) {
			if (!CPU_ISSET_S((size_t)cpu, sizeof cpus->set, cpus->set))
				continue;
			kind[cpu] = (uint8_t)i;
			n = cpu >= n ? cpu + 1 : n;
		}
	}
	return n;
}

struct sample_machine *machine_describe(const struct machine *m, bool places)
{
	const char *core[CORES_MAX] = {NULL};
	char **pmus = list_pmus(m), boot_id[64] = "", name[HOST_NAME_MAX + 2] = "";
	struct sample_machine from, *description;
	struct sample_place *place = NULL;
	const int n_places = places ? places_read(m->host, &place) : 0;
	uint8_t kind[AFFINITY_CPUS];

	for (int i = 0; i < m->n_cores; i++)
		core[i] = m->core[i].name;
	if (m->host->boot_id)
		read_line(boot_id, sizeof boot_id, m->host->boot_id);
	if (m->host->name)
		read_line(name, sizeof name, m->host->name);
	from = (struct sample_machine){
		.n_cores = m->n_cores,
		.ticks_per_s = sysconf(_SC_CLK_TCK),
		.arch = m->cpu.arch,
		.model = m->cpu.model,
		.boot_id = boot_id,
		.host = name,
		.cpu_kind = kind,
		.n_cpus = list_kinds(m, kind),
		.place = place,
		.n_places = n_places,
		.core = core,
		.pmu = (const char *const *)pmus,
	};
	description = sample_machine_new(&from);
	for (size_t i = 0; pmus[i]; i++)
		free(pmus[i]);
	free(pmus);
	free(place);
	return description;
}

void machine_restore(struct machine *m, const struct sample_machine *description)
{
	char *cpu = xasprintf("%s:%s", description->arch, description->model);

	memset(m, 0, sizeof *m);
	cpu_parse(&m->cpu, cpu);
	free(cpu);
	m->table = &event_table_built_in;
	m->host = &event_host_empty;
	m->elsewhere = true;
	/* A kernel that described PMUs, but no core PMU, cannot count events of the cores. */
	m->takes_codes = description->n_cores || !description->pmu[0];
	for (; m->n_cores < description->n_cores && m->n_cores < CORES_MAX; m->n_cores++)
		snprintf(m->core[m->n_cores].name, sizeof m->core[0].name, "%s",
			 description->core[m->n_cores]);
}

/* ---- merge ---- */

static int count_parts(const struct event_set *set, int counter)
{
	int n = 0;

	for (int i = 0; i < set->n; i++)
		n += set->event[i].counter == counter;
	return n;
}

static bool has_part(const struct event_set *set, int counter, const struct sample_event *part)
{
	for (int i = 0; i < set->n; i++) {
		const struct sample_event e = event_to_sample(set, i);

		if (set->event[i].counter == counter && sample_event_equal(&e, part))
			return true;
	}
	return false;
}

static bool is_same(const struct event_set *set, int counter, const struct event_set *other,
		    int its_counter)
{
	bool known = false;

	if (count_parts(set, counter) != count_parts(other, its_counter))
		return false;
	for (int i = 0; i < other->n; i++) {
		const struct sample_event e = event_to_sample(other, i);

		if (other->event[i].counter != its_counter)
			continue;
		known = known || e.kind != EVENT_NONE;
		if (!has_part(set, counter, &e))
			return false;
	}
	return known;
}

int event_set_find(const struct event_set *set, const struct event_set *other, int counter)
{
	for (int c = 0; c < set->n_counters; c++)
		if (is_same(set, c, other, counter))
			return c;
	return -1;
}

/* Translates the counters of the other set into those of the set. bit[c]: the mask of the counter
 * of the set that equals counter c of the other set; 0: there is none. */
struct counter_places {
	uint64_t bit[EVENT_SET_MAX];
};

static uint64_t move_mask(const struct counter_places *places, uint64_t counters)
{
	uint64_t moved = 0;

	for (; counters; counters &= counters - 1)
		moved |= places->bit[__builtin_ctzll(counters)];
	return moved;
}

static struct counter_places find_places(const struct event_set *set, const struct event_set *other)
{
	struct counter_places places = {{0}};

	for (int c = 0; c < other->n_counters; c++) {
		int found = event_set_find(set, other, c);

		if (found >= 0)
			places.bit[c] = 1ull << found;
	}
	return places;
}

void event_set_rejoin(struct event_set *set, const struct event_set *other)
{
	const struct counter_places places = find_places(set, other);

	set->n_together = 0;
	for (int t = 0; t < other->n_together; t++)
		event_set_join(set, move_mask(&places, other->together[t]));
	set->n_wishes = other->n_wishes;
}

/* Moves the events of a counter from the other set to the set; false: the set has no room for all
 * of them. */
static bool add_counter(struct event_set *set, struct event_set *other, int counter)
{
	bool first = true;

	if (set->n + count_parts(other, counter) > EVENT_SET_MAX)
		return false;
	for (int i = 0; i < other->n; i++) {
		struct event *from = &other->event[i], *e;
		char *name;
		uint8_t place;

		if (from->counter != counter)
			continue;
		e = first ? event_set_add(set, from->name) : event_set_add_part(set, from->name);
		name = e->name;
		place = e->counter;
		*e = *from;
		e->name = name;
		e->counter = place;
		from->what = from->pmu = from->format = from->resolved = NULL;
		first = false;
	}
	return true;
}

/* Joins the lists of masks (event_set.together) of both sets; the user's wishes stay at the end. */
static void join_all(struct event_set *set, const struct event_set *other,
		     const struct counter_places *places)
{
	const int columns = set->n_together - set->n_wishes,
		  its_columns = other->n_together - other->n_wishes;
	struct event_set joined = {.n_together = 0};

	for (int t = 0; t < columns; t++)
		event_set_join(&joined, set->together[t]);
	for (int t = 0; t < its_columns; t++)
		event_set_join(&joined, move_mask(places, other->together[t]));
	for (int t = columns; t < set->n_together; t++)
		event_set_join(&joined, set->together[t]);
	for (int t = its_columns; t < other->n_together; t++)
		event_set_join(&joined, move_mask(places, other->together[t]));
	free(set->together);
	set->together = joined.together;
	set->n_together = joined.n_together;
	set->n_wishes += other->n_wishes;
}

int event_set_merge(struct event_set *set, struct event_set *other)
{
	struct counter_places places = {{0}};
	int left_out = 0;

	/* This also finds equal counters that were added earlier in this loop. */
	for (int c = 0; c < other->n_counters; c++) {
		int found = event_set_find(set, other, c);

		if (found >= 0)
			places.bit[c] = 1ull << found;
		else if (add_counter(set, other, c))
			places.bit[c] = 1ull << (set->n_counters - 1);
		else
			left_out++;
	}
	join_all(set, other, &places);
	event_set_done(other);
	return left_out;
}

void event_set_dedupe(struct event_set *set)
{
	struct event_set once;

	event_set_init(&once);
	once.kernel = set->kernel;
	once.no_user = set->no_user;
	once.inherit = set->inherit;
	event_set_merge(&once, set);
	*set = once;
}

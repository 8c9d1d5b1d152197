/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "model/fact_list.h"

/* ---- machine use ---- */

/* Returns the growth of a counter; 0 if it went back a little, as the kernel's sums may. */
static uint64_t growth(uint64_t from, uint64_t to)
{
	return to > from ? to - from : 0;
}

static struct value percent(uint64_t part, uint64_t all)
{
	return value_divide(value_exact(100 * (double)part), value_exact((double)all));
}

static struct cpu_share unknown(int cpu, enum quality why)
{
	struct cpu_share share = {.cpu = cpu, .busy = value_none(why)};

	for (int s = 0; s < N_CPU_STATES; s++)
		share.in[s] = value_none(why);
	return share;
}

static struct cpu_share share_of(const struct cpu_ticks *from, const struct cpu_ticks *to)
{
	struct cpu_share share = {.cpu = to->cpu};
	uint64_t grown[N_CPU_STATES], busy = 0, all = 0;

	/* The idle time went back: the shares of the other states would add up to 100 %. */
	if (to->in[CPU_IDLE] < from->in[CPU_IDLE])
		return unknown(to->cpu, QUALITY_NOT_READ);
	for (int s = 0; s < N_CPU_STATES; s++) {
		grown[s] = growth(from->in[s], to->in[s]);
		busy += s < CPU_STOLEN ? grown[s] : 0;
		all += grown[s];
	}
	for (int s = 0; s < N_CPU_STATES; s++)
		share.in[s] = percent(grown[s], all);
	share.busy = percent(busy, all);
	return share;
}

/* Computes the shares of each CPU that is online now or has an entry in `before`, sorted by
 * number. */
static void compare(struct use_delta *out, const struct use_delta *before,
		    const struct machine_use *now, struct arena *arena)
{
	const size_t n_old = before ? before->n_shares : 0, n_base = before ? before->n_base : 0;
	struct cpu_share *share = arena_calloc(arena, n_old + now->n_cpus, sizeof *share);
	size_t old = 0, base = 0, n = 0;

	for (size_t i = 0; i < now->n_cpus || old < n_old; n++) {
		const struct cpu_ticks *to = i < now->n_cpus ? &now->cpu[i] : NULL;

		if (old < n_old && (!to || before->share[old].cpu < to->cpu)) {
			share[n] = unknown(before->share[old++].cpu, QUALITY_GONE);
			continue;
		}
		old += old < n_old && before->share[old].cpu == to->cpu;
		while (base < n_base && before->base[base].cpu < to->cpu)
			base++;
		share[n] = base < n_base && before->base[base].cpu == to->cpu
				   ? share_of(&before->base[base], to)
				   : unknown(to->cpu, QUALITY_FRESH);
		i++;
	}
	out->share = share;
	out->n_shares = n;
}

/* Keeps the shares of the last interval. */
static void keep(struct use_delta *out, const struct use_delta *before, struct arena *arena)
{
	out->share = arena_copy(arena, before->share, before->n_shares * sizeof *before->share);
	out->n_shares = before->n_shares;
	out->base = arena_copy(arena, before->base, before->n_base * sizeof *before->base);
	out->n_base = before->n_base;
	out->base_ns = before->base_ns;
}

void use_compute(struct use_delta *out, const struct use_delta *before,
		 const struct machine_use *now, uint64_t now_ns, struct arena *arena)
{
	*out = (struct use_delta){
		.wanted = now->wanted,
		.cpu_error = now->cpu_error,
		.memory_error = now->memory_error,
		.memory = now->memory,
	};
	if (!now->n_cpus)
		return;
	if (before && before->n_base && now_ns - before->base_ns < USE_INTERVAL_MIN_NS) {
		keep(out, before, arena);
		return;
	}
	compare(out, before, now, arena);
	out->interval_ns = before && before->n_base ? now_ns - before->base_ns : 0;
	out->base = arena_copy(arena, now->cpu, now->n_cpus * sizeof *now->cpu);
	out->n_base = now->n_cpus;
	out->base_ns = now_ns;
}

/* ---- sample ---- */

static size_t text_size(const char *text)
{
	return text ? strlen(text) + 1 : 0;
}

struct task_texts task_texts(const struct task *t)
{
	struct task_texts texts = {
		.user = t->user, .name = t->name, .process = t->process, .cmdline = t->cmdline};

	for (int i = 0; i < N_READ_TEXTS; i++) {
		const int f = FACT_FIRST_READ_TEXT + i;

		texts.read[i] =
			fact_in(t->known, f) ? (const char *)(uintptr_t)task_fact(t, f) : NULL;
	}
	return texts;
}

/* Returns the bytes of the texts whose facts are in `room`. */
static size_t read_texts_size(struct fact_set room, const struct task_texts *texts)
{
	size_t size = 0;

	for (int i = 0; i < N_READ_TEXTS; i++)
		size += fact_in(room, FACT_FIRST_READ_TEXT + i) ? text_size(texts->read[i]) : 0;
	return size;
}

static void put_read_texts(struct task *t, char **at, const struct task_texts *texts)
{
	for (int i = 0; i < N_READ_TEXTS; i++) {
		int fact = FACT_FIRST_READ_TEXT + i;

		if (texts->read[i] && fact_in(t->room, fact))
			task_set_fact(t, fact, (uintptr_t)mem_put_text(at, texts->read[i]));
	}
}

struct task *task_new(const struct kind *kind, struct fact_set room, int n_counts,
		      const struct task_texts *texts)
{
	const size_t counts = (size_t)n_counts * sizeof(struct count);
	const struct fact_set own = fact_and(room, *kind->facts);
	const size_t facts = (size_t)fact_count(own) * sizeof(uint64_t);
	const char *user = texts->user ? texts->user : "", *name = texts->name ? texts->name : "";
	const char *other = texts->process && strcmp(texts->process, name) ? texts->process : NULL;
	struct task *t = xcalloc(1, sizeof *t + counts + facts + text_size(user) + text_size(name) +
					    text_size(other) + text_size(texts->cmdline) +
					    read_texts_size(own, texts));
	char *at = (char *)(t + 1);

	t->refs = 1;
	t->kind = kind;
	t->state = '?';
	t->room = own;
	t->n_counts = (uint8_t)n_counts;
	t->count = n_counts ? (struct count *)at : NULL;
	at += counts;
	t->fact = (uint64_t *)at;
	at += facts;
	t->user = mem_put_text(&at, user);
	t->name = mem_put_text(&at, name);
	t->process = other ? mem_put_text(&at, other) : t->name;
	t->cmdline = texts->cmdline ? mem_put_text(&at, texts->cmdline) : NULL;
	put_read_texts(t, &at, texts);
	return t;
}

void task_make_moved(struct task *t)
{
	t->moved = xcalloc((size_t)t->events->n, sizeof *t->moved);
}

size_t task_size(const struct task *t)
{
	const struct task_texts texts = task_texts(t);

	return sizeof *t + (size_t)t->n_counts * sizeof *t->count +
	       (t->moved ? (size_t)t->events->n * sizeof *t->moved : 0) +
	       (size_t)fact_count(t->room) * sizeof *t->fact + text_size(t->user) +
	       text_size(t->name) + (t->process == t->name ? 0 : text_size(t->process)) +
	       text_size(t->cmdline) + read_texts_size(t->room, &texts);
}

/* Copies the known numbers that the copy has room for. */
static void copy_numbers(struct task *copy, const struct task *t)
{
	struct fact_set known = fact_and(t->known, fact_numbers);

	if (fact_equal(copy->room, t->room)) {
		memcpy(copy->fact, t->fact,
		       (size_t)fact_count(fact_and(t->room, fact_numbers)) * sizeof *t->fact);
		copy->known = fact_or(copy->known, known);
		return;
	}
	for (int f; (f = fact_take(&known)) >= 0;)
		task_set_fact(copy, f, task_fact(t, f));
}

struct task *task_copy(const struct task *t, struct fact_set room, int n_counts,
		       const struct task_texts *texts)
{
	struct task *copy = task_new(t->kind, room, n_counts, texts);

	copy->dead = t->dead;
	copy->gap = t->gap;
	copy->lost = t->lost;
	copy->early_facts = t->early_facts;
	copy->ended = t->ended;
	copy->counting = t->counting;
	copy->state = t->state;
	copy->id = t->id;
	copy->owner = t->owner;
	copy->start_ns = t->start_ns;
	copy->uid = t->uid;
	copy->facts_read = t->facts_read;
	copy->events = sample_events_ref(t->events);
	copy_numbers(copy, t);
	if (n_counts && n_counts == t->n_counts) {
		copy->unread = t->unread;
		memcpy(copy->count, t->count, (size_t)n_counts * sizeof *copy->count);
		if (t->moved) {
			task_make_moved(copy);
			memcpy(copy->moved, t->moved, (size_t)n_counts * sizeof *copy->moved);
		}
	}
	return copy;
}

struct task *task_ref(const struct task *t)
{
	struct task *shared = (struct task *)t;

	shared->refs++;
	return shared;
}

void task_unref(const struct task *t)
{
	struct task *shared = (struct task *)t;

	if (!shared || --shared->refs)
		return;
	sample_events_unref(shared->events);
	free(shared->moved);
	free(shared);
}

void task_set_events(struct task *t, const struct sample_events *events)
{
	struct sample_events *old = t->events;

	t->events = sample_events_ref(events);
	sample_events_unref(old);
}

void task_set_fact(struct task *t, int fact, uint64_t value)
{
	if (!fact_in(t->room, fact))
		return;
	*task_fact_place(t, fact) = value;
	fact_add(&t->known, fact);
}

void task_set_numbers(struct task *t, struct fact_set known, const uint64_t *number)
{
	const struct fact_set numbers = fact_and(t->room, fact_numbers);
	struct fact_set left = numbers;
	uint64_t *to = t->fact;

	for (int f; (f = fact_take(&left)) >= 0; to++)
		if (fact_in(known, f))
			*to = number[f];
	t->known = fact_or(t->known, fact_and(known, numbers));
}

/* Returns a state as a text; NULL: proc(5) does not list it; "": the members of a group differ in
 * it. */
static const char *state_text(char state)
{
	static const char texts[][2] = {"",  "R", "S", "D", "T", "t", "Z",
					"X", "I", "x", "K", "W", "P"};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i][0] == state)
			return texts[i];
	return NULL;
}

const char *task_text(const struct task *t, int fact)
{
	if (!fact_in(*t->kind->facts, fact))
		return NULL;
	switch (fact) {
	case FACT_USER:
		return t->user;
	case FACT_STATE:
		/* A task that has ended is no longer in the state that was read last. */
		return state_text(t->dead && t->state != 'Z' ? 'X' : t->state);
	case FACT_PROGRAM:
		return t->process;
	default:
		return fact_in(t->known, fact) ? (const char *)(uintptr_t)task_fact(t, fact) : NULL;
	}
}

void sample_init(struct sample *s)
{
	memset(s, 0, sizeof *s);
}

static void drop_tasks(struct sample *s)
{
	for (size_t i = 0; i < s->n; i++)
		task_unref(s->task[i]);
	s->n = 0;
}

void sample_done(struct sample *s)
{
	drop_tasks(s);
	sample_machine_unref(s->machine);
	free(s->task);
	free(s->time);
	arena_done(&s->arena);
	memset(s, 0, sizeof *s);
}

struct sample *sample_new(void)
{
	struct sample *s = xcalloc(1, sizeof *s);

	s->refs = 1;
	return s;
}

struct sample *sample_ref(const struct sample *s)
{
	struct sample *shared = (struct sample *)s;

	shared->refs++;
	return shared;
}

void sample_unref(const struct sample *s)
{
	struct sample *shared = (struct sample *)s;

	if (!shared || --shared->refs)
		return;
	sample_done(shared);
	free(shared);
}

void sample_set_machine(struct sample *s, const struct sample_machine *machine)
{
	sample_machine_unref(s->machine);
	s->machine = sample_machine_ref(machine);
}

void sample_reset(struct sample *s)
{
	struct sample old = *s;

	drop_tasks(&old);
	sample_machine_unref(old.machine);
	arena_reset(&old.arena);
	*s = (struct sample){
		.refs = old.refs,
		.task = old.task,
		.time = old.time,
		.cap = old.cap,
		.cap_time = old.cap_time,
		.arena = old.arena,
	};
}

struct task *sample_add(struct sample *s, struct task *t)
{
	if (s->n >= s->cap)
		s->task = xgrow(s->task, &s->cap, s->n + 1, sizeof(struct task *));
	if (s->n >= s->cap_time)
		s->time = xgrow(s->time, &s->cap_time, s->n + 1, sizeof *s->time);
	s->time[s->n] = (struct task_time){0, 0};
	s->task[s->n++] = t;
	return t;
}

/* A task and its time, for sorting. */
struct row {
	struct task *task;
	struct task_time time;
};

static int compare_rows(const void *a, const void *b)
{
	return task_compare(((const struct row *)a)->task, ((const struct row *)b)->task);
}

static void sort_rows(struct sample *s)
{
	struct row *row = xcalloc(s->n, sizeof *row);

	for (size_t i = 0; i < s->n; i++)
		row[i] = (struct row){s->task[i], s->time[i]};
	array_sort(row, s->n, sizeof *row, compare_rows);
	for (size_t i = 0; i < s->n; i++) {
		s->task[i] = row[i].task;
		s->time[i] = row[i].time;
	}
	free(row);
}

void sample_sort(struct sample *s)
{
	/* Most samples are sorted already. */
	for (size_t i = 1; i < s->n; i++)
		if (task_compare(s->task[i - 1], s->task[i]) > 0) {
			sort_rows(s);
			return;
		}
}

static int compare_task(const void *task, const void *element)
{
	return task_compare(task, *(struct task *const *)element);
}

struct task *sample_find(const struct sample *s, const struct task *t)
{
	struct task *const *found = array_find(t, s->task, s->n, sizeof *s->task, compare_task);

	return found ? *found : NULL;
}

static uint64_t moment(const struct sample *s, float us)
{
	return s->mono_ns + (uint64_t)((int64_t)us * 1000);
}

uint64_t sample_counts_ns(const struct sample *s, size_t i)
{
	return moment(s, s->time[i].counts_us);
}

uint64_t sample_facts_ns(const struct sample *s, size_t i)
{
	return moment(s, s->time[i].facts_us);
}

enum quality count_state_quality(enum count_state state)
{
	static const enum quality table[N_COUNT_STATES] = {
		[COUNT_NONE] = QUALITY_NOT_READ,
		[COUNT_OK] = QUALITY_EXACT,
		[COUNT_INHERITED] = QUALITY_EXACT,
		[COUNT_DENIED] = QUALITY_DENIED,
		[COUNT_UNSUPPORTED] = QUALITY_UNSUPPORTED,
		[COUNT_NOFILE] = QUALITY_NOFILE,
		[COUNT_GONE] = QUALITY_GONE,
		[COUNT_REFUSED] = QUALITY_NOT_READ,
		[COUNT_IDLE] = QUALITY_EXACT,
		[COUNT_WHOLE] = QUALITY_EXACT,
	};

	return table[state];
}

/* ---- filter ---- */

static unsigned conditions_of(const struct filter *f)
{
	return (f->pid ? CONDITION_PID : 0u) | (f->uid >= 0 ? CONDITION_USER : 0u) |
	       (f->text ? CONDITION_TEXT : 0u);
}

bool filter_applies(const struct filter *f, const struct kind *kind)
{
	return conditions_of(f) & kind->conditions;
}

int filter_names(const struct task *t, bool use_cmdline, const char *name[FILTER_NAMES_MAX])
{
	if (use_cmdline && t->cmdline) {
		name[0] = t->cmdline;
		return 1;
	}
	name[0] = t->name;
	name[1] = t->process;
	return 2;
}

static bool has_text(const struct task *t, bool use_cmdline, const char *text)
{
	const char *name[FILTER_NAMES_MAX];

	for (int i = filter_names(t, use_cmdline, name); i--;)
		if (strstr(name[i], text))
			return true;
	return false;
}

bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline)
{
	const unsigned asked = conditions_of(f) & t->kind->conditions;

	if (asked & CONDITION_USER && t->uid != (unsigned long)f->uid)
		return false;
	if (asked & CONDITION_PID && (uint64_t)f->pid != t->owner &&
	    (uint64_t)f->pid != task_number(t) && !(f->family && f->family->has(f->family, t)))
		return false;
	return !(asked & CONDITION_TEXT) || has_text(t, use_cmdline, f->text);
}

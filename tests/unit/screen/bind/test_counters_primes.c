/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The built-in screens with random samples. Each (PMU, config, modes) counts a prime of its own, so
 * that a number taken from a wrong event is detected. 10,000 random samples go through delta and
 * frame, for all built-in screens on all CPUs that the tables distinguish.
 *
 * The expected cells follow from the events that the screen opens: type, configs and modes of
 * perf_event_attr. In the samples, events have other names, another order and other groups than the
 * screen would give them. There are also events of other screens and other modes, and some are
 * missing.
 */
#include "cpu_child.h"
#include "model/kinds.h"
#include "model/rows.h"
#include "pmu/event/describe.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"
#include "tap.h"
#include "view/frame.h"

#define N_SAMPLES 10000
#define N_TASKS   3
#define SECOND    1000000000u

/* ---- primes ---- */

struct key {
	char *text;
	uint64_t prime;
};

/* A screen and its events: [0] in user mode, [1] with the kernel. */
struct shown_screen {
	struct screen *screen;
	struct event_set set[2];
	struct screen_numbers numbers;
	struct binding binding;
};

struct play {
	const struct machine *machine;
	struct strbuf *out;
	struct shown_screen *shown;
	size_t n_shown;
	struct key *key;
	size_t n_keys, cap_keys;
	uint64_t seed;
	unsigned cells, known;
};

static unsigned pick(struct play *p, size_t n)
{
	p->seed = p->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((p->seed >> 33) % n);
}

static uint64_t next_prime(uint64_t n)
{
	for (bool prime = false; !prime;) {
		prime = true;
		n++;
		for (uint64_t d = 2; d * d <= n && prime; d++)
			prime = n % d;
	}
	return n;
}

/* Returns the prime of an event, by the attributes with which it is opened. */
static uint64_t prime_of(struct play *p, const struct event_set *set, int i)
{
	const struct event *e = &set->event[i];
	struct perf_event_attr attr;
	char *text;

	event_attr(set, i, true, false, &attr);
	text = xasprintf("%u %llx %llx %llx %d%d%d%d%d", e->type, (unsigned long long)e->config,
			 (unsigned long long)e->config1, (unsigned long long)e->config2,
			 attr.exclude_user, attr.exclude_kernel, attr.exclude_hv,
			 attr.exclude_guest, attr.exclude_host);
	for (size_t k = 0; k < p->n_keys; k++)
		if (!strcmp(p->key[k].text, text)) {
			free(text);
			return p->key[k].prime;
		}
	p->key = xgrow(p->key, &p->cap_keys, p->n_keys + 1, sizeof *p->key);
	p->key[p->n_keys] =
		(struct key){text, next_prime(p->n_keys ? p->key[p->n_keys - 1].prime : 1)};
	return p->key[p->n_keys++].prime;
}

/* Returns the scale of the event's counts. */
static uint64_t steps_of(const struct event *e)
{
	return e->scale == SCALE_NOTHING ? 0 : e->scale ? (uint64_t)e->scale : 1;
}

/* Returns the sum over the available parts of a counter, 0 if there are none. */
static uint64_t counter_primes(struct play *p, const struct event_set *set, int counter)
{
	uint64_t sum = 0;

	for (int i = 0; i < set->n; i++)
		if (set->event[i].counter == counter && set->event[i].quality == QUALITY_EXACT)
			sum += prime_of(p, set, i) * steps_of(&set->event[i]);
	return sum;
}

/* Returns a number that distinguishes counters with equal sums; 0 if there are no parts. */
static uint64_t counter_id(struct play *p, const struct event_set *set, int counter)
{
	uint64_t id = 0;

	for (int i = 0; i < set->n; i++)
		if (set->event[i].counter == counter && set->event[i].quality == QUALITY_EXACT)
			id = id * 1000003 + prime_of(p, set, i) * 8 + steps_of(&set->event[i]);
	return id;
}

/* ---- random readings ---- */

/* The events and counts of a task. */
struct reading {
	struct sample_event event[SAMPLE_MAX_EVENTS];
	uint64_t prime[SAMPLE_MAX_EVENTS];
	uint64_t id[SAMPLE_MAX_EVENTS]; /* for a head: the id of its counter */
	int n;
	uint64_t factor; /* multiplies all counts of the interval */
};

/* Adds a counter of a set, under the name of another one. */
static void add_number(struct play *p, struct reading *r, const struct event_set *set, int counter,
		       uint16_t group)
{
	const struct screen *other = p->shown[pick(p, p->n_shown)].screen;
	uint64_t id = counter_id(p, set, counter);
	int head = r->n;

	for (int i = 0; i < set->n && id; i++) {
		if (set->event[i].counter != counter)
			continue;
		if (r->n == SAMPLE_MAX_EVENTS) {
			r->n = head;
			return;
		}
		r->event[r->n] = event_to_sample(set, i);
		r->event[r->n].given =
			other->n_aliases ? other->alias[pick(p, other->n_aliases)] : "x";
		r->event[r->n].part_of = (uint16_t)(r->n == head ? 0 : head + 1);
		r->event[r->n].group = r->event[r->n].core == SAMPLE_ANY_CORE ? 100 : group;
		r->prime[r->n] = set->event[i].quality == QUALITY_EXACT ? prime_of(p, set, i) : 0;
		r->id[r->n++] = id;
	}
}

static void make_reading(struct play *p, struct reading *r, size_t screen)
{
	unsigned n = 1 + pick(p, 20);

	*r = (struct reading){.factor = 1 + pick(p, 9)};
	for (unsigned i = 0; i < n; i++) {
		const struct shown_screen *from =
			&p->shown[pick(p, 3) ? screen : pick(p, p->n_shown)];
		const struct event_set *set = &from->set[!pick(p, 4)];

		if (set->n_counters)
			add_number(p, r, set, (int)pick(p, (size_t)set->n_counters),
				   (uint16_t)(i / 4));
	}
}

/* Counts differ by group, as if groups were multiplexed. */
static uint64_t weight(const struct reading *r, int i)
{
	return r->event[i].group + 1u;
}

static void add_task(struct sample *s, const struct reading *r, int id, unsigned k)
{
	struct sample_events *events = sample_events_new(r->event, r->n);
	struct task *t = sample_add(
		s, task_new(&kind_task, FACT_NONE, r->n, &(struct task_texts){.name = "task"}));
	int last = -1;

	t->id = t->owner = (uint64_t)id;
	t->start_ns = 5;
	t->counting = COUNT_OK;
	task_set_events(t, events);
	sample_events_unref(events);
	for (int i = 0; i < r->n; i++) {
		int head = r->event[i].part_of ? r->event[i].part_of - 1 : i;

		t->count[i].value = r->prime[i] * weight(r, head) * (1 + k * r->factor);
		t->count[i].enabled_ns = k * SECOND;
		/* Only the first part of each counter runs, all the time. */
		if (r->event[i].quality == QUALITY_EXACT && last != head) {
			t->count[i].running_ns = k * SECOND;
			last = head;
		}
	}
}

/* ---- what a cell has to be ---- */

struct expected {
	struct play *play;
	const struct event_set *set;
	const struct column *column;
	const struct reading *reading;
};

/* Returns the index of the first head with this id in this group; group -1: in any group. */
static int find_number(const struct reading *r, uint64_t id, int group)
{
	for (int i = 0; i < r->n; i++)
		if (!r->event[i].part_of && r->id[i] == id &&
		    (group < 0 || r->event[i].group == group))
			return i;
	return -1;
}

/* Returns whether the group has all counters of the column that core PMUs count. */
static bool has_all(const struct expected *x, int group)
{
	for (size_t k = 0; k < expr_n_refs(x->column->expr); k++) {
		int counter = expr_ref_at(x->column->expr, k).symbol;
		uint64_t id = counter_id(x->play, x->set, counter);
		int any = find_number(x->reading, id, -1);

		if (any >= 0 && x->reading->event[any].core != SAMPLE_ANY_CORE &&
		    find_number(x->reading, id, group) < 0)
			return false;
	}
	return true;
}

static struct value expect_count(const void *row, struct expr_ref ref)
{
	const struct expected *x = row;
	const struct reading *r = x->reading;
	uint64_t sum = counter_primes(x->play, x->set, ref.symbol);
	uint64_t id = counter_id(x->play, x->set, ref.symbol);
	int found = find_number(r, id, -1);

	if (!id)
		return value_none(QUALITY_UNSUPPORTED);
	if (found < 0)
		return value_none(QUALITY_NOT_COUNTED);
	for (int group = 0; group < 100 && r->event[found].core != SAMPLE_ANY_CORE; group++)
		if (find_number(r, id, group) >= 0 && has_all(x, group)) {
			found = find_number(r, id, group);
			break;
		}
	return value_count(sum * weight(r, found) * (r->factor + (ref.mode == EXPR_TOTAL)));
}

static bool is_of_counters(const struct column *column)
{
	for (size_t k = 0; k < expr_n_refs(column->expr); k++)
		if (expr_ref_at(column->expr, k).symbol >= SYMBOL_VARIABLE)
			return false;
	return expr_n_refs(column->expr) > 0;
}

static void check_row(struct play *p, const struct shown_screen *shown, const struct frame *frame,
		      const struct frame_row *row, const struct reading *r)
{
	for (size_t i = 0; i < shown->screen->n_columns; i++) {
		const struct expected x = {p, &shown->set[0], &shown->screen->column[i], r};
		struct value want, got = frame_value(frame, row, i);

		if (!is_of_counters(x.column))
			continue;
		want = expr_eval(x.column->expr, expect_count, NULL, &x);
		p->cells++;
		p->known += value_known(want);
		if (got.quality == want.quality &&
		    (!value_known(want) ||
		     fabs(got.number - want.number) <= 1e-9 * fabs(want.number)))
			continue;
		strbuf_addf(p->out, "bad: %s %s is %s %.10g, not %s %.10g\n", shown->screen->name,
			    x.column->header, quality_table[got.quality].name, got.number,
			    quality_table[want.quality].name, want.number);
	}
}

/* Checks a random sample, shown by this screen. */
static void play_sample(struct play *p, size_t i)
{
	struct shown_screen *shown = &p->shown[i];
	const struct view view = {.idle = true, .filter = FILTER_ALL};
	struct reading reading[N_TASKS];
	struct sample sample[2];
	struct delta delta[2], processes;
	struct frame frame;

	frame_init(&frame);
	delta_init(&processes);
	for (int t = 0; t < N_TASKS; t++)
		make_reading(p, &reading[t], i);
	for (unsigned k = 0; k < 2; k++) {
		sample_init(&sample[k]);
		delta_init(&delta[k]);
		sample[k].mono_ns = sample[k].boot_ns = (100 + k) * (uint64_t)SECOND;
	}
	for (int t = 0; t < N_TASKS; t++) {
		add_task(&sample[0], &reading[t], t + 1, 0);
		add_task(&sample[1], &reading[t], t + 1, 1);
		/* Both samples must share the set. */
		task_set_events(sample[1].task[t], sample[0].task[t]->events);
	}
	delta_compute(&delta[0], NULL, NULL, &sample[0]);
	delta_compute(&delta[1], &delta[0], &sample[0], &sample[1]);
	fold_processes(&processes, &delta[1]);
	frame_build(&frame, &shown->binding, &view, &processes, NULL, 1);
	for (size_t row = 0; row < frame.n; row++)
		check_row(p, shown, &frame, &frame.row[row], &reading[frame.row[row].task->id - 1]);
	frame_done(&frame);
	delta_done(&processes);
	for (int k = 0; k < 2; k++) {
		delta_done(&delta[k]);
		sample_done(&sample[k]);
	}
}

/* ---- one CPU ---- */

static void ignore(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static void add_shown(struct play *p, struct screen *screen, struct perf_sys *sys)
{
	struct shown_screen *shown = &p->shown[p->n_shown];

	struct offer offer = offer_live(p->machine, sys, false);

	screen_compile(screen, ignore, NULL, NULL);
	if (!fit_may_show(screen, &offer))
		return;
	fit_screen(screen, &offer);
	shown->screen = screen;
	for (int kernel = 0; kernel < 2; kernel++) {
		offer.kernel = kernel;
		counters_make_set(&shown->set[kernel], screen, &offer);
		event_set_describe(&shown->set[kernel], p->machine);
	}
	counters_describe(&shown->numbers, &shown->set[0]);
	binding_init(&shown->binding, screen, &shown->numbers);
	p->n_shown++;
}

static void free_play(struct play *p)
{
	for (size_t i = 0; i < p->n_shown; i++) {
		binding_done(&p->shown[i].binding);
		screen_numbers_done(&p->shown[i].numbers);
		event_set_done(&p->shown[i].set[0]);
		event_set_done(&p->shown[i].set[1]);
	}
	for (size_t i = 0; i < p->n_keys; i++)
		free(p->key[i].text);
	free(p->key);
	free(p->shown);
}

static void play_cpu(struct strbuf *out, const void *context, const struct machine *m,
		     struct perf_sys *sys)
{
	struct screen_list list = SCREEN_LIST_INIT;
	struct play p = {.machine = m, .out = out, .seed = *(const size_t *)context};

	screen_list_add_built_in(&list, 0, screen_built_in_n);
	p.shown = xcalloc(list.n, sizeof *p.shown);
	for (size_t i = 0; i < list.n; i++)
		add_shown(&p, list.v[i], sys);
	for (size_t i = 0; i < N_SAMPLES / N_PLAYED_CPUS + 2 * p.n_shown && p.n_shown; i++)
		play_sample(&p, i % p.n_shown);
	strbuf_addf(out, "%u %u\n", p.cells, p.known);
	free_play(&p);
	screen_list_done(&list);
}

int main(void)
{
	unsigned all_cells = 0, all_known = 0, cells, known;

	for (size_t i = 0; i < N_PLAYED_CPUS; i++) {
		const struct played_cpu cpu = played_cpu_at(i);
		struct strbuf reported;

		strbuf_init(&reported);
		cpu_child_ask(&reported, &cpu, play_cpu, &i);
		if (sscanf(reported.text, "%u %u", &cells, &known) == 2) {
			tap_ok(true, "%s: %u cells", cpu.cpu, cells);
			all_cells += cells;
			all_known += known;
		} else {
			tap_str(reported.text, "", "%s: every number is that of its own event",
				cpu.cpu);
		}
		strbuf_done(&reported);
	}
	tap_ok(all_cells > 10 * N_SAMPLES, "%u cells were compared", all_cells);
	tap_ok(all_known > all_cells / 20, "%u of them had a number", all_known);
	return tap_done();
}

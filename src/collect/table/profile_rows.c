/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/profile_rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "collect/table/tables.h"
#include "inject/lib/clock.h"
#include "inject/preload/table_note.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "profile/calls/report.h"
#include "profile/locks/report.h"
#include "profile/locks/resolver.h"
#include "profile/locks/symbol.h"

/* ---- rows of locks ---- */

/* A reading waits for names until their lookup has used NAMES_CPU_NS of CPU time; but at most
 * NAMES_MAX_NS, in case the lookup gets no CPU. */
#define NAMES_CPU_NS  200000000ull
#define NAMES_MAX_NS  3000000000ull
#define NAMES_POLL_MS 20

/* Maximum number of counts in a row: one for each event and phase. */
#define COUNTS (LOCKS_EVENTS * LOCKS_PHASES)

/* The numbers of a row that change. */
struct lock_numbers {
	uint64_t n[LOCKS_PHASES];
	uint64_t ticks[LOCKS_PHASES]; /* an estimate if not all operations were timed */
	uint64_t unknown;             /* bit p: ticks[p] is unknown at present */
	uint64_t contended, owner_changes;
	/* ticks spent in attempts to acquire; never falls, though a wait that has just ended may be
	 * missing in the table */
	uint64_t trying;
	uint64_t count[COUNTS];
	uint64_t unread; /* bit i: count[i] was not read in every call */
};

struct lock_row {
	uint32_t instance; /* 0: the row of all locks that had no room in the table */
	uint64_t place;    /* address of the caller */
	struct lock_numbers now,
		reported; /* now: as in the table; reported: as in the last reading */
	/* The sums of the row when its ticks were last known; NULL if all operations are timed. */
	struct locks_row *known;
	bool named;   /* name and caller are final */
	bool renamed; /* name or caller has changed since the last reading */
	bool knows_contended;
	bool knows_owner; /* owner changes are known, and this row has them */
	bool is_shared;   /* the lock is in shared memory, at `shared` */
	struct shared_place shared;
	char *name, *caller;
	const char *kind;
};

struct lock_table {
	const struct machine *machine;
	struct sample_events *events; /* NULL: not read yet */
	uint32_t n_events;            /* number of events that the process counts */
	struct locks_copy copy;
	struct resolver *names;
	uint64_t ns_per_tick; /* ns per tick, times 2^32 */
	struct lock_row *row;
	size_t n, cap;
	struct hash by_key; /* index of each row, plus 1, by key_of() */
	/* Facts of the process that were logged: */
	/* modules checked so far, of which those with unmeasured locks were logged */
	uint32_t logged_modules;
	bool logged_stop; /* measuring has stopped */
};

static void *make_lock_table(const struct machine *machine)
{
	struct lock_table *t = xcalloc(1, sizeof *t);

	t->machine = machine;
	locks_copy_init(&t->copy);
	t->names = resolver_new(NULL, 0);
	return t;
}

static void free_lock_table(void *table)
{
	struct lock_table *t = table;

	for (size_t i = 0; i < t->n; i++) {
		free(t->row[i].name);
		free(t->row[i].caller);
		free(t->row[i].known);
	}
	free(t->row);
	hash_done(&t->by_key);
	resolver_free(t->names);
	locks_copy_done(&t->copy);
	sample_events_unref(t->events);
	free(t);
}

/* --- rows --- */

/* Returns the hash key of a row: rows with the same hash have consecutive keys. */
static uint64_t key_of(const struct lock_table *t, uint32_t instance, uint64_t place)
{
	const uint64_t both[] = {instance, place};
	uint64_t key = hash_text((const char *)both, sizeof both);
	uintptr_t number;

	while ((number = (uintptr_t)hash_get(&t->by_key, key)) &&
	       (t->row[number - 1].instance != instance || t->row[number - 1].place != place))
		key++;
	return key;
}

/* Sets the name and caller of a row. Until the name of a place in the code is found, the offset in
 * its file is used. */
static void name_row(struct lock_table *t, struct lock_row *row, const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;
	const size_t misses = resolver_n_misses(t->names);
	struct strbuf text;

	strbuf_init(&text);
	locks_name_add(t->names, &text, i);
	free(row->name);
	row->name = xstrdup(text.text);
	strbuf_reset(&text);
	locks_name_add_caller(t->names, &text, i ? line->sum.caller : 0);
	free(row->caller);
	row->caller = xstrdup(text.text);
	strbuf_done(&text);
	row->named = misses == resolver_n_misses(t->names);
	row->renamed = true;
}

/* Sets the place of a lock in shared memory. A row keeps its place, as the copy is invalid after a
 * reading that failed. */
static void set_shared(const struct lock_table *t, struct lock_row *row,
		       const struct locks_instance *lock)
{
	const struct locks_module *file = locks_copy_module(&t->copy, row->place);

	row->is_shared = lock && lock->memory.inode;
	if (!row->is_shared)
		return;
	row->shared = (struct shared_place){.kind = lock->kind,
					    .memory = lock->memory,
					    .offset = locks_place_address(row->place)};
	if (file) {
		row->shared.file = hash_text(file->path, strlen(file->path)) ^ file->inode;
		row->shared.offset -= file->begin;
	}
}

static void describe(struct lock_table *t, struct lock_row *row, const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;

	name_row(t, row, line);
	row->kind = locks_name_kind(i, line->sum.shared);
	row->knows_contended = locks_name_knows_contended(i);
	row->knows_owner = locks_name_knows_owner(i) && line->sum.caller == i->first_caller;
	set_shared(t, row, i);
}

static struct lock_row *lock_row_of(struct lock_table *t, const struct locks_line *line)
{
	const uint32_t instance = line->instance ? line->sum.instance : 0;
	const uint64_t place = line->instance ? line->sum.caller : 0;
	const uint64_t key = key_of(t, instance, place);
	const uintptr_t number = (uintptr_t)hash_get(&t->by_key, key);

	if (number)
		return &t->row[number - 1];
	t->row = xgrow(t->row, &t->cap, t->n + 1, sizeof *t->row);
	t->row[t->n] = (struct lock_row){.instance = instance, .place = place};
	describe(t, &t->row[t->n], line);
	hash_put(&t->by_key, key, (void *)(uintptr_t)++t->n);
	return &t->row[t->n - 1];
}

/* Sets the counts. A count is marked as unread if the event was not read in every call: a signal
 * interrupted a call, or the kernel refused the event to a thread. */
static void take_lock_counts(struct lock_numbers *now, const struct locks_line *line,
			     uint32_t n_events)
{
	now->unread = 0;
	for (uint32_t i = 0; line->counts && i < n_events * LOCKS_PHASES; i++) {
		now->count[i] = locks_sum(&line->counts[i]);
		now->unread |= (uint64_t)(line->counts[i].n < line->sum.phase[i % LOCKS_PHASES].n)
			       << i;
	}
}

/* Returns the difference of two rows, reduced to the fields that locks_estimate() needs. */
static struct locks_row row_difference(const struct locks_row *now, const struct locks_row *then,
				       int phase)
{
	struct locks_row row = {.contended = now->contended - then->contended,
				.waited = now->waited - then->waited};

	row.untimed[phase] = now->untimed[phase] - then->untimed[phase];
	row.phase[phase].n = now->phase[phase].n - then->phase[phase].n;
	row.phase[phase].shifted = locks_sum(&now->phase[phase]) - locks_sum(&then->phase[phase]);
	return row;
}

/* Adds estimates for the interval. The sum over intervals never falls, while one estimate over the
 * whole time could. Ticks stay unknown until an operation was timed from which the untimed ones can
 * be estimated. */
static void add_estimates(struct lock_row *row, const struct locks_row *sum)
{
	if (!row->known)
		row->known = xcalloc(1, sizeof *row->known);
	row->now.unknown = 0;
	for (int p = 0; p < LOCKS_PHASES; p++) {
		const struct locks_row more = row_difference(sum, row->known, p);
		const struct locks_estimate e = locks_estimate(&more, (enum locks_phase)p);

		if (!e.n)
			continue;
		if (!e.known) {
			row->now.unknown |= 1ull << p;
			continue;
		}
		row->now.ticks[p] += e.sum;
		row->known->phase[p] = sum->phase[p];
		row->known->untimed[p] = sum->untimed[p];
		if (p == LOCKS_ACQUIRE) {
			row->known->contended = sum->contended;
			row->known->waited = sum->waited;
		}
	}
}

/* Sets the ticks spent in attempts to acquire: successful ones (measured or estimated), failed
 * ones, and waits in progress. */
static void set_trying(struct lock_numbers *now, const struct locks_row *sum)
{
	const uint64_t ticks = now->ticks[LOCKS_ACQUIRE] + sum->lost + sum->under_way;

	if (ticks > now->trying)
		now->trying = ticks;
}

static void add_line(struct lock_table *t, const struct locks_line *line)
{
	struct lock_row *row = lock_row_of(t, line);

	for (int p = 0; p < LOCKS_PHASES; p++)
		row->now.n[p] = locks_n(&line->sum, (enum locks_phase)p);
	if (t->copy.header.sample > 1)
		add_estimates(row, &line->sum);
	else
		for (int p = 0; p < LOCKS_PHASES; p++)
			row->now.ticks[p] = locks_sum(&line->sum.phase[p]);
	set_trying(&row->now, &line->sum);
	take_lock_counts(&row->now, line, t->n_events);
	row->now.contended = line->sum.contended;
	row->now.owner_changes = row->knows_owner ? line->instance->owner_changes : 0;
}

/* Waits for names. Names that take longer are set at a later reading. */
static void wait_for_names(struct lock_table *t)
{
	const uint64_t begin = clock_ns(CLOCK_MONOTONIC), cpu = resolver_cpu_ns(t->names);

	while (resolver_step(t->names) && resolver_n_missing(t->names) &&
	       resolver_cpu_ns(t->names) - cpu < NAMES_CPU_NS &&
	       clock_ns(CLOCK_MONOTONIC) - begin < NAMES_MAX_NS)
		resolver_wait(t->names, NAMES_POLL_MS);
}

static void add_lines(struct lock_table *t, const struct locks_report *report)
{
	for (size_t i = 0; i < report->n; i++)
		add_line(t, &report->line[i]);
	if (!resolver_n_missing(t->names))
		return;
	wait_for_names(t);
	for (size_t i = 0; i < report->n; i++) {
		struct lock_row *row = lock_row_of(t, &report->line[i]);

		if (!row->named)
			name_row(t, row, &report->line[i]);
	}
}

/* Sets the events at the first reading. */
static void begin_lock_table(struct lock_table *t, const struct locks_header *h)
{
	static const enum event_phase phase[LOCKS_PHASES] = {[LOCKS_ACQUIRE] = EVENT_ACQUIRE,
							     [LOCKS_HOLD] = EVENT_HOLD,
							     [LOCKS_RELEASE] = EVENT_RELEASE};
	struct tables_event event[COUNTS];

	t->ns_per_tick = h->ns_per_tick;
	t->n_events = h->n_events;
	for (uint32_t i = 0; i < h->n_events * LOCKS_PHASES; i++) {
		const struct event_note *note = &h->event[i / LOCKS_PHASES];

		event[i] = (struct tables_event){.name = note->name,
						 .quality = tables_event_quality(note),
						 .phase = phase[i % LOCKS_PHASES]};
	}
	t->events = tables_events_new(t->machine, event, h->n_events * LOCKS_PHASES);
}

/* Updates the rows from the copy. */
static void take_copy(struct lock_table *t)
{
	struct locks_report report;

	if (!t->events)
		begin_lock_table(t, &t->copy.header);
	resolver_set_process(t->names,
			     &(struct perf_map_process){(pid_t)t->copy.header.container.pid,
							t->copy.header.container.start_ticks});
	if (resolver_set_modules(t->names, t->copy.module, t->copy.header.n_modules))
		for (size_t i = 0; i < t->n; i++)
			t->row[i].named = false;
	locks_report_make(&report, &t->copy, locks_report_clock());
	add_lines(t, &report);
	locks_report_done(&report);
}

static int read_lock_table(void *table, int fd, bool ended, struct err *err)
{
	struct lock_table *t = table;
	const int ret = locks_copy_read(&t->copy, fd, ended, err);

	if (ret)
		return ret;
	if (t->events && t->copy.header.n_events != t->n_events)
		return err_set(err, EBADMSG, "is damaged");
	take_copy(t);
	return 0;
}

void lock_copies_put(void *table, struct locks_copy *copy)
{
	struct lock_table *t = table;

	/* A copy may have a further module between the others. The log has each sentence once. */
	if (copy->header.n_modules != t->copy.header.n_modules)
		t->logged_modules = 0;
	locks_copy_done(&t->copy);
	t->copy = *copy;
	locks_copy_init(copy);
	take_copy(t);
}

static bool describe_lock_table(void *table, struct strbuf *out)
{
	struct lock_table *t = table;
	const struct locks_header *h = &t->copy.header;

	if (!t->logged_stop &&
	    header_set_stop(out, h->lacking_call, h->end - h->begin, h->ns_per_tick))
		return t->logged_stop = true;
	while (t->logged_modules < t->copy.header.n_modules)
		if (futex_waits_explain(&t->copy.module[t->logged_modules++], t->copy.kernel.used,
					out))
			return true;
	return false;
}

static size_t count_lock_rows(const void *table)
{
	return ((const struct lock_table *)table)->n;
}

static bool is_lock_idle(const void *table, size_t i)
{
	const struct lock_row *row = &((const struct lock_table *)table)->row[i];

	return !row->renamed && !memcmp(&row->now, &row->reported, sizeof row->now);
}

static bool find_shared_lock(const void *table, size_t i, struct shared_place *out)
{
	const struct lock_row *row = &((const struct lock_table *)table)->row[i];

	*out = row->shared;
	return row->is_shared;
}

static struct task *make_lock_reading(void *table, size_t i, const struct table_process *process)
{
	static const int count[LOCKS_PHASES] = {FACT_ACQUISITIONS, FACT_HOLDS, FACT_RELEASES};
	static const int time[LOCKS_PHASES] = {FACT_ACQUIRE_NS, FACT_HOLD_NS, FACT_RELEASE_NS};
	const struct lock_table *t = table;
	struct lock_row *row = &t->row[i];
	struct task_texts texts = {.user = process->user,
				   .name = row->name,
				   .process = process->name,
				   .cmdline = process->cmdline};
	struct task *reading;

	texts.read[FACT_KIND - FACT_FIRST_READ_TEXT] = row->kind;
	texts.read[FACT_CALLER - FACT_FIRST_READ_TEXT] = row->caller;
	reading = task_new(&kind_lock, fact_less(fact_of_table[FACT_OF_LOCK], fact_always_read()),
			   sample_events_n(t->events), &texts);
	task_set_events(reading, t->events);
	for (int p = 0; p < LOCKS_PHASES; p++) {
		task_set_fact(reading, count[p], row->now.n[p]);
		if (!(row->now.unknown >> p & 1))
			task_set_fact(reading, time[p],
				      tt_multiply(row->now.ticks[p], t->ns_per_tick));
	}
	/* Attempts include acquisitions, whose time may be unknown. */
	if (!(row->now.unknown >> LOCKS_ACQUIRE & 1))
		task_set_fact(reading, FACT_TRYING_NS,
			      tt_multiply(row->now.trying, t->ns_per_tick));
	if (row->knows_contended)
		task_set_fact(reading, FACT_CONTENDED, row->now.contended);
	if (row->knows_owner)
		task_set_fact(reading, FACT_OWNER_CHANGES, row->now.owner_changes);
	tables_set_counts(reading, row->now.count, row->now.unread,
			  tt_multiply(row->now.ticks[LOCKS_ACQUIRE] + row->now.ticks[LOCKS_HOLD],
				      t->ns_per_tick));
	row->reported = row->now;
	row->renamed = false;
	return reading;
}

const struct tables_use lock_tables = {
	.kind = &kind_lock,
	.what = "locks",
	.make = make_lock_table,
	.free = free_lock_table,
	.read = read_lock_table,
	.tell = describe_lock_table,
	.n = count_lock_rows,
	.is_idle = is_lock_idle,
	.shared = find_shared_lock,
	.row = make_lock_reading,
};

const struct tables_use lock_copies = {
	.kind = &kind_lock,
	.what = "locks",
	.make = make_lock_table,
	.free = free_lock_table,
	.tell = describe_lock_table,
	.n = count_lock_rows,
	.is_idle = is_lock_idle,
	.shared = find_shared_lock,
	.row = make_lock_reading,
};

/* ---- rows of calls ---- */

#define PROGRAM_FACTS FACT_SET(FACT_SELF_NS)

/* The numbers of a row that change. */
struct call_numbers {
	uint64_t calls, self, max;
	uint64_t count[EVENT_NOTES_MAX];
};

struct call_row {
	uint32_t function; /* number of the function, from 1 on; 0: the program itself */
	struct call_numbers now,
		reported;   /* now: as in the table; reported: as in the last reading */
	bool knows_max;     /* see calls_report_has_total() */
	char *name, *group; /* name and group of the function; NULL: the program */
};

struct call_table {
	const struct machine *machine;
	struct sample_events *events; /* NULL: not read yet */
	uint32_t n_events;
	uint64_t unread;      /* bit i: a thread exists whose count of event i is unknown */
	uint64_t ns_per_tick; /* ns per tick, times 2^32; 0: not read yet */
	uint64_t clock;       /* the time before the last reading of the living process, in ticks */
	struct call_row *row;
	size_t n, cap;
	uint32_t *number; /* [n_functions] row of each function, from 1 on; 0: none */
	uint32_t n_functions;
	/* the system call for lack of which measuring stopped; 0: it did not */
	uint32_t lacking_call;
	uint64_t stopped; /* when measuring stopped, in ticks since its start */
	bool logged_stop;
};

static void *make_call_table(const struct machine *machine)
{
	struct call_table *t = xcalloc(1, sizeof *t);

	t->machine = machine;
	return t;
}

static void free_call_table(void *table)
{
	struct call_table *t = table;

	for (size_t i = 0; i < t->n; i++) {
		free(t->row[i].name);
		free(t->row[i].group);
	}
	free(t->row);
	free(t->number);
	sample_events_unref(t->events);
	free(t);
}

/* --- rows --- */

static struct call_row *add_row(struct call_table *t, uint32_t function)
{
	t->row = xgrow(t->row, &t->cap, t->n + 1, sizeof *t->row);
	t->row[t->n] = (struct call_row){.function = function};
	return &t->row[t->n++];
}

static struct call_row *call_row_of(struct call_table *t, const struct calls_report *r, uint32_t i)
{
	struct call_row *row;

	if (t->number[i])
		return &t->row[t->number[i] - 1];
	row = add_row(t, i + 1);
	row->name = xstrdup(r->function[i].name);
	row->group = xstrdup(r->function[i].group);
	t->number[i] = (uint32_t)t->n;
	return row;
}

static void grow_to(uint64_t *n, uint64_t to)
{
	if (to > *n)
		*n = to;
}

/* Updates the counts of a row. function: number of the function, from 1 on; 0: the program. */
static void take_call_counts(const struct call_table *t, const struct calls_report *r,
			     uint32_t function, struct call_numbers *now)
{
	for (uint32_t e = 0; e < t->n_events; e++)
		grow_to(&now->count[e], r->counts[function * t->n_events + e]);
}

static void take(struct call_table *t, const struct calls_report *r)
{
	const struct calls_row *sum = calls_rows(r->sum);

	t->unread = 0;
	for (uint32_t e = 0; e < t->n_events; e++)
		t->unread |= (uint64_t)(r->sum->lacking[e] > 0) << e;
	if (!t->n)
		add_row(t, 0);
	grow_to(&t->row[0].now.self, r->sum->program);
	take_call_counts(t, r, 0, &t->row[0].now);
	for (uint32_t i = 0; i < t->n_functions; i++)
		if (sum[i].calls || sum[i].amid) {
			struct call_row *row = call_row_of(t, r, i);
			struct call_numbers *now = &row->now;

			row->knows_max |= calls_report_has_total(&sum[i]);
			grow_to(&now->calls, sum[i].calls + sum[i].amid);
			grow_to(&now->self, sum[i].self);
			grow_to(&now->max, sum[i].max);
			take_call_counts(t, r, i + 1, now);
		}
}

/* Sets the events and functions at the first reading. Events come in pairs: for user mode and for
 * the kernel. */
static void begin_call_table(struct call_table *t, const struct calls_header *h)
{
	struct tables_event event[EVENT_NOTES_MAX];

	t->ns_per_tick = h->ns_per_tick;
	t->n_functions = h->n_functions;
	t->n_events = h->n_events;
	t->number = xcalloc(t->n_functions, sizeof *t->number);
	for (uint32_t e = 0; e < t->n_events; e++)
		event[e] = (struct tables_event){.name = h->event[e].name,
						 .quality = tables_event_quality(&h->event[e]),
						 .mode = e % 2 ? 'k' : 'u'};
	t->events = tables_events_new(t->machine, event, t->n_events);
}

static int read_call_table(void *table, int fd, bool ended, struct err *err)
{
	struct call_table *t = table;
	const uint64_t clock = ended ? t->clock : calls_report_clock();
	struct calls_report r;
	int ret = calls_report_read(&r, fd, ended, err);

	if (ret)
		return ret;
	if (!t->events)
		begin_call_table(t, &r.header);
	if (r.header.n_functions != t->n_functions || r.header.n_events != t->n_events)
		ret = err_set(err, EBADMSG, "is damaged");
	if (!ret) {
		calls_report_close(&r, clock);
		take(t, &r);
		t->clock = clock;
		t->lacking_call = r.header.lacking_call;
		t->stopped = r.header.end - r.header.begin;
	}
	calls_report_done(&r);
	return ret;
}

static bool describe_call_table(void *table, struct strbuf *out)
{
	struct call_table *t = table;

	if (t->logged_stop || !header_set_stop(out, t->lacking_call, t->stopped, t->ns_per_tick))
		return false;
	return t->logged_stop = true;
}

static size_t count_call_rows(const void *table)
{
	return ((const struct call_table *)table)->n;
}

static bool is_call_idle(const void *table, size_t i)
{
	const struct call_row *row = &((const struct call_table *)table)->row[i];

	return row->now.calls == row->reported.calls && row->now.self == row->reported.self;
}

static struct task *make_call_reading(void *table, size_t i, const struct table_process *process)
{
	const struct call_table *t = table;
	struct call_row *row = &t->row[i];
	struct task_texts texts = {.user = process->user,
				   .name = row->function ? row->name : "(program)",
				   .process = process->name,
				   .cmdline = process->cmdline};
	struct task *reading;

	texts.read[FACT_KIND - FACT_FIRST_READ_TEXT] = row->group;
	reading =
		task_new(&kind_call,
			 row->function ? fact_less(fact_of_table[FACT_OF_CALL], fact_always_read())
				       : PROGRAM_FACTS,
			 sample_events_n(t->events), &texts);
	task_set_events(reading, t->events);
	task_set_fact(reading, FACT_SELF_NS, tt_multiply(row->now.self, t->ns_per_tick));
	if (row->function) {
		task_set_fact(reading, FACT_CALLS, row->now.calls);
		if (row->knows_max)
			task_set_fact(reading, FACT_MAX_NS,
				      tt_multiply(row->now.max, t->ns_per_tick));
	}
	tables_set_counts(reading, row->now.count, t->unread, task_fact(reading, FACT_SELF_NS));
	row->reported = row->now;
	return reading;
}

const struct tables_use call_tables = {
	.kind = &kind_call,
	.what = "calls",
	.make = make_call_table,
	.free = free_call_table,
	.read = read_call_table,
	.tell = describe_call_table,
	.n = count_call_rows,
	.is_idle = is_call_idle,
	.row = make_call_reading,
};

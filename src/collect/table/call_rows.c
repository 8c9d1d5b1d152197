/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/call_rows.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "collect/table/tables.h"
#include "inject/lib/clock.h"
#include "inject/preload/table_note.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "profile/calls/report.h"

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
			struct call_numbers *now = &call_row_of(t, r, i)->now;

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
		task_set_fact(reading, FACT_MAX_NS, tt_multiply(row->now.max, t->ns_per_tick));
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

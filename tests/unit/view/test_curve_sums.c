/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The past of groups: sums over the members at each moment, including ended members; and unknown
 * moments. Rows of deltas are made up.
 */
#include <string.h>

#include "model/group_key.h"
#include "model/kinds.h"
#include "tap.h"
#include "view/curve.h"
#include "view/row_filter.h"

#define SECOND    1000000000ull
#define N_TASKS   4
#define N_EVENTS  2
#define N_MOMENTS 8

/* Three tasks of ann, one of bob. The set of the last one has another event. */
static const struct {
	uint64_t id;
	uint32_t uid;
	const char *user, *name;
} tasks[N_TASKS] = {
	{10, 1, "ann", "a"}, {11, 1, "ann", "b"}, {12, 2, "bob", "c"}, {13, 1, "ann", "d"}};

/* The CPU time of each task in an interval of a second, in units of 10 ms. -1: it has no row.
 * FRESH: the row has no interval. */
#define FRESH (-2)

struct rig {
	struct history *history;
	struct sample_events *events, *other;
	struct sample sample;
	struct view view;
	struct frame frame;
	struct delta delta;
	struct task task[N_TASKS];
	struct value count[N_TASKS][N_EVENTS];
	struct delta_sums sums[N_TASKS];
	struct delta_row row[N_TASKS];
};

static void begin(struct rig *r, size_t bytes)
{
	const struct sample_event event[] = {{.kind = EVENT_HARDWARE, .config = 1},
					     {.kind = EVENT_HARDWARE, .config = 0},
					     {.kind = EVENT_HARDWARE, .config = 3}};

	memset(r, 0, sizeof *r);
	r->history = history_new(bytes);
	r->events = sample_events_new(event, 2);
	r->other = sample_events_new(&event[1], 2);
	r->view = (struct view){.filter = FILTER_ALL};
	r->delta.joins = event_joins_new();
	r->frame = (struct frame){
		.sample = &r->sample, .view = &r->view, .delta = &r->delta, .history = r->history};
	for (size_t i = 0; i < N_TASKS; i++)
		r->task[i] = (struct task){.kind = &kind_task,
					   .refs = 1000000,
					   .id = tasks[i].id,
					   .owner = tasks[i].id,
					   .uid = tasks[i].uid,
					   .user = tasks[i].user,
					   .name = tasks[i].name,
					   .process = tasks[i].name};
}

static void end(struct rig *r)
{
	history_free(r->history);
	event_joins_free(r->delta.joins);
	sample_events_unref(r->events);
	sample_events_unref(r->other);
}

/* Fills the row of a task. Instructions are twice the cycles, three times for task b. */
static void fill(struct rig *r, struct delta_row *row, size_t i, int part)
{
	const double ns = part * 1e7, ipc = i == 1 ? 3 : 2;

	/* The first event of the last task's set is cycles. */
	r->count[i][0] = value_exact(i == 3 ? ns : ns * ipc);
	r->count[i][1] = value_exact(i == 3 ? 5 : ns);
	r->sums[i] = (struct delta_sums){.cpu_share = value_exact(part / 100.0)};
	*row = (struct delta_row){.task = &r->task[i],
				  .old = &r->task[i],
				  .n_members = 1,
				  .counts_ns = SECOND,
				  .facts_ns = SECOND,
				  .cpu_ns = value_exact(ns),
				  .fast_ns = value_none(QUALITY_UNSUPPORTED),
				  .core_ns = value_none(QUALITY_UNSUPPORTED),
				  .events = i == 3 ? r->other : r->events,
				  .increment = r->count[i],
				  .sums = &r->sums[i],
				  .fresh = part == FRESH};
}

/* Adds an interval of a second; starts: one of a new generation, of which nothing is known. */
static void step(struct rig *r, const int part[N_TASKS], bool starts)
{
	struct delta delta = {.sample = &r->sample, .interval_ns = starts ? 0 : SECOND};

	r->sample.mono_ns += SECOND;
	delta.row = r->row;
	for (size_t i = 0; i < N_TASKS; i++)
		if (part[i] != -1)
			fill(r, &r->row[delta.n++], i, part[i]);
	history_add(r->history, &delta);
	r->frame.moment = history_last(r->history);
}

static struct value ask_cpu(const void *context, const struct delta_row *row)
{
	(void)context;
	return value_divide(row->cpu_ns, value_exact(1e7));
}

/* Returns the increment of an event: the order of the events in a sum is not specified. */
static struct value find(const struct delta_row *row, uint64_t config)
{
	for (int i = 0; i < sample_events_n(row->events); i++)
		if (row->events->event[i].config == config)
			return row->increment[i];
	return value_none(QUALITY_NOT_COUNTED);
}

static struct value ask_ipc(const void *context, const struct delta_row *row)
{
	(void)context;
	return value_divide(find(row, 1), find(row, 0));
}

/* Returns the values of a task's user at all moments as text. */
static const char *past(struct rig *r, size_t of, past_compute *ask)
{
	static char text[256];
	const struct row_id user = past_sum_of_user(&r->task[of]);
	const uint32_t first = history_first(r->history);
	const size_t n = history_last(r->history) + 1 - first;
	struct value v[64];
	size_t len = 0;

	*text = '\0';
	past_sum_each(&r->frame, &user, first, n, ask, NULL, v);
	for (size_t i = 0; i < n; i++)
		len += value_known(v[i])
			       ? (size_t)snprintf(text + len, sizeof text - len, " %g%s",
						  v[i].number, quality_table[v[i].quality].mark)
			       : (size_t)snprintf(text + len, sizeof text - len, " ?");
	return text;
}

static void test_sums(void)
{
	struct rig r;

	begin(&r, 1 << 20);
	step(&r, (const int[]){50, -1, 70, -1}, false);
	step(&r, (const int[]){20, 30, 70, -1}, false);
	step(&r, (const int[]){-1, 10, 70, -1}, false);
	step(&r, (const int[]){-1, -1, 70, -1}, false);
	step(&r, (const int[]){40, 40, -1, -1}, false);
	tap_str(past(&r, 0, ask_cpu), " 50 50 10 0 80", "increments are added, idle ones are 0");
	tap_str(past(&r, 0, ask_ipc), " 2 2.6 3 ? 2.5", "ratios are those of the sums");
	tap_str(past(&r, 2, ask_cpu), " 70 70 70 70 0", "another user has his own");
	r.view.filter.uid = 2;
	tap_str(past(&r, 0, ask_cpu), " ? ? ? ? ?", "who does not pass the filter is no member");
	r.view = (struct view){.filter = FILTER_ALL};
	r.sample.threads = true;
	tap_str(past(&r, 0, ask_cpu), " ? ? ? ? ?", "nor is a process where rows are threads");
	end(&r);
}

static void test_gone(void)
{
	struct rig r;

	begin(&r, 1 << 20);
	step(&r, (const int[]){50, 10, -1, -1}, false);
	r.task[1].dead = true;
	step(&r, (const int[]){50, 5, -1, -1}, false);
	step(&r, (const int[]){50, -1, -1, -1}, false);
	tap_str(past(&r, 0, ask_cpu), " 60 55 50", "who has ended stays where he was");
	step(&r, (const int[]){50, -1, -1, 30}, false);
	tap_str(past(&r, 0, ask_ipc), " 2.16667 2.09091 2 1.25*",
		"who lacks an event makes the sum partial, as now");
	end(&r);
}

static void test_gaps(void)
{
	struct rig r;

	begin(&r, 1 << 20);
	step(&r, (const int[]){50, 10, -1, -1}, false);
	step(&r, (const int[]){50, -1, -1, -1}, false);
	step(&r, (const int[]){FRESH, FRESH, -1, -1}, true);
	step(&r, (const int[]){50, 10, -1, -1}, false);
	tap_str(past(&r, 0, ask_cpu), " 60 50 ? 60", "where counting restarts, there is a gap");
	step(&r, (const int[]){50, -1, -1, -1}, false);
	step(&r, (const int[]){50, FRESH, -1, -1}, false);
	step(&r, (const int[]){50, 20, -1, -1}, false);
	tap_str(past(&r, 0, ask_cpu), " 60 50 ? 60 ? ? 70",
		"and where one is seen again, since it was seen last");
	end(&r);
}

/* Begins a rig with the first limit of memory at which records are dropped as wanted, as their size
 * depends on the machine. add: adds the records; returns whether they were dropped so. */
static void begin_dropped(struct rig *r, bool (*add)(struct rig *r))
{
	size_t limit = 2500;

	for (begin(r, limit); !add(r) && limit < 6000; begin(r, limit)) {
		end(r);
		limit += 100;
	}
}

static int count_unknown(struct rig *r)
{
	int n = 0;

	for (const char *at = past(r, 0, ask_cpu); (at = strstr(at, " ?")); at++)
		n++;
	return n;
}

static bool add_past_one(struct rig *r)
{
	int n;

	step(r, (const int[]){-1, 10, -1, -1}, false);
	for (int i = 0; i < 50; i++)
		step(r, (const int[]){50, -1, -1, -1}, false);
	n = count_unknown(r);
	return n > 2 && n < 50;
}

/* If a task's record was dropped from the history, the sum of its user is unknown at those
 * moments. */
static void test_dropped(void)
{
	const char *text;
	struct rig r;
	int n;

	begin_dropped(&r, add_past_one);
	n = count_unknown(&r);
	text = past(&r, 0, ask_cpu);
	tap_ok(n > 2 && n < 50, "before what is dropped nothing is known: %d", n);
	tap_ok(!strncmp(text, " ? ?", 4) && strstr(text, " 50 50 50"), "only behind it:%s", text);
	end(&r);
}

static uint32_t cut_of(const struct rig *r, size_t i)
{
	const struct history_track *track = history_find(r->history, &r->task[i], false);

	return track ? history_track_cut(track) : 0;
}

static bool add_past_begin(struct rig *r)
{
	step(r, (const int[]){50, -1, -1, -1}, false);
	for (int i = 0; i < 60 && !cut_of(r, 0); i++)
		step(r, (const int[]){50, i < 5 ? 10 : -1, -1, -1}, false);
	return !history_lost(r->history) && cut_of(r, 0) > 5 && !cut_of(r, 1);
}

/* Of a task that ran all the time, the start of its record is dropped first. The sum is unknown
 * there, although another member has a record. */
static void test_begin_dropped(void)
{
	struct rig r;

	begin_dropped(&r, add_past_begin);
	tap_ok(!history_lost(r.history), "for no task is all of it lost");
	tap_ok(cut_of(&r, 0) > 5 && !cut_of(&r, 1), "but the begin of one");
	tap_ok(!strncmp(past(&r, 0, ask_cpu), " ? ? ? ? ? ?", 12), "it is unknown: %s",
	       past(&r, 0, ask_cpu));
	end(&r);
}

int main(void)
{
	test_sums();
	test_gone();
	test_gaps();
	test_dropped();
	test_begin_dropped();
	return tap_done();
}

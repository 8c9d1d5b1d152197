/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bindings of metrics to the events of rows are cached. Rows with several sets of events in
 * turn must have the same metrics as each set alone; and rows with numbers of all qualities the
 * same as their columns.
 */
#include "diagnose/rules.h"
#include "model/kinds.h"
#include "screen/compile.h"
#include "verdict_rig.h"
#include "view/evaluate.h"

/* Rows of the same CPU, each with the events of a screen; the first has no events. */
#define N_ROWS 4

static const char *const screens[N_ROWS] = {NULL, "why", "default", "memory"};

struct row {
	struct screen_numbers counted;
	struct value increment[EVENT_SET_MAX];
	struct delta_row row;
};

static void make_row(struct row *out, struct verdict_rig *r, const char *name, struct task *task)
{
	struct err err = ERR_INIT;

	memset(out, 0, sizeof *out);
	if (name) {
		struct screen *screen = r->list.v[screen_list_find(&r->list, name, &err)];

		if (screen != r->screen && !screen->alias)
			screen_compile(screen, rig_ignore, NULL, NULL);
		rig_tell_numbers_of(r, screen, &out->counted);
	}
	for (int i = 0; i < sample_events_n(out->counted.events); i++)
		out->increment[i] = sample_events_quality(out->counted.events, i)
					    ? value_none(QUALITY_UNSUPPORTED)
					    : value_exact(1000 * (i + 1));
	out->row = (struct delta_row){.task = task,
				      .old = task,
				      .counts_ns = 1000000000,
				      .cpu_counted = true,
				      .cpu_ns = value_exact(500e6),
				      .events = out->counted.events,
				      .increment = out->increment,
				      .total = out->increment};
}

static void take(struct verdict_rig *r, struct measures *m, const struct row *row)
{
	static const struct host host = {.n_cpus = 1};

	measures_compute(m, &(struct verdict_case){.row = &row->row, .host = &host}, r->cell);
}

static bool same(const struct value *a, const struct value *b, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (a[i].quality != b[i].quality ||
		    (value_known(a[i]) && a[i].number != b[i].number))
			return false;
	return true;
}

static size_t count_known(const struct value *v, size_t n)
{
	size_t known = 0;

	for (size_t i = 0; i < n; i++)
		known += value_known(v[i]);
	return known;
}

static bool is_equal(struct value a, struct value b)
{
	return a.quality == b.quality && (!value_known(a) || a.number == b.number);
}

/* Returns the first known value of the columns of a metric, computed without a cache. */
static struct value from_columns(const struct verdict_rig *r, const struct metric *m,
				 const struct delta_row *row)
{
	static const struct host host = {.n_cpus = 1};
	struct value v = value_none(QUALITY_NOT_READ);

	for (size_t i = 0; i < m->n_sources && !value_known(v); i++) {
		const struct metric_source *s = &m->source[i];
		const struct value x = evaluate_column(
			&r->rules->screens.v[s->screen]->column[s->column],
			(struct shown){.values = VALUES_INTERVAL}, row, &host,
			binding_column(r->bound[s->screen], row->events, s->column));

		if (value_known(x) || x.quality != QUALITY_UNSUPPORTED || i == 0 ||
		    v.quality == QUALITY_UNSUPPORTED)
			v = value_combine(x.number * s->times, x, value_exact(0));
	}
	return v;
}

/* Gives the increments of the row other qualities. */
static void shake(struct row *row, const struct value *plain, unsigned *seed)
{
	static const enum quality quality[] = {QUALITY_SCALED, QUALITY_FRESH,  QUALITY_NOT_READ,
					       QUALITY_GONE,   QUALITY_DENIED, QUALITY_EXACT};

	for (int i = 0; i < sample_events_n(row->counted.events); i++) {
		enum quality q;

		*seed = *seed * 1664525u + 1013904223u;
		q = quality[(*seed >> 16) % 6];
		row->increment[i] = plain[i];
		if (!value_known(plain[i]) || *seed >> 31)
			continue;
		row->increment[i] = q >= QUALITY_FIRST_NONE
					    ? value_none(q)
					    : (struct value){q ? 77 : 0, q ? 0.5f : 1, q, 0};
	}
}

/* Compares with the columns: no evidence, so a metric of columns alone has their value. */
static void test_qualities(struct verdict_rig *r, struct row *row, const char *of)
{
	const struct rules *rules = r->rules;
	struct value plain[EVENT_SET_MAX];
	size_t wrong = 0, compared = 0;
	unsigned seed = 1;

	memcpy(plain, row->increment, sizeof plain);
	for (int turn = 0; turn < 100; turn++) {
		shake(row, plain, &seed);
		take(r, r->measures, row);
		for (size_t i = 0; i < rules->n_metrics; i++) {
			const struct metric *m = &rules->metric[i];

			if (m->row->expr || m->evidence >= 0 || m->row->single)
				continue;
			compared++;
			wrong += !is_equal(r->cell[i], from_columns(r, m, &row->row));
		}
	}
	memcpy(row->increment, plain, sizeof plain);
	tap_ok(compared >= 500 && !wrong, "%s: %zu of %zu metrics are not as their columns", of,
	       wrong, compared);
}

static void test_cpu(const char *cpu)
{
	struct task *task =
		task_new(&kind_task, FACT_NONE, 0, &(struct task_texts){.name = "work"});
	struct verdict_rig r;
	struct row row[N_ROWS];
	struct value *alone[N_ROWS];
	size_t n, known[N_ROWS];

	verdict_rig_begin(&r, cpu, "why");
	n = rules_n_metrics(r.rules);
	for (size_t i = 0; i < N_ROWS; i++) {
		struct measures *m = measures_new(r.rules, r.bound);

		make_row(&row[i], &r, screens[i], task);
		take(&r, m, &row[i]);
		alone[i] = xcalloc(n, sizeof *alone[i]);
		memcpy(alone[i], r.cell, n * sizeof *alone[i]);
		known[i] = count_known(alone[i], n);
		measures_free(m);
	}
	tap_ok(known[1] > known[2] && known[2] > known[0], "%s: %zu, %zu and %zu metrics are known",
	       cpu, known[1], known[2], known[0]);
	for (size_t i = 0; i < 3 * N_ROWS; i++) {
		take(&r, r.measures, &row[i % N_ROWS]);
		tap_ok(same(r.cell, alone[i % N_ROWS], n), "%s, %s: the same as alone", cpu,
		       screens[i % N_ROWS] ? screens[i % N_ROWS] : "no events");
	}
	for (size_t i = 0; i < N_ROWS; i++)
		test_qualities(&r, &row[i], screens[i] ? screens[i] : "no events");
	/* The same events with another count. */
	row[1].increment[0] = value_exact(77);
	take(&r, r.measures, &row[1]);
	tap_ok(!same(r.cell, alone[1], n), "what is counted is read of each row");
	for (size_t i = 0; i < N_ROWS; i++) {
		screen_numbers_done(&row[i].counted);
		free(alone[i]);
	}
	verdict_rig_end(&r);
	task_unref(task);
}

int main(void)
{
	test_cpu("skylake");
	test_cpu("zen4");
	test_cpu("neoverse-v2");
	return tap_done();
}

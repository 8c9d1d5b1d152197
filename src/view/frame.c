/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define PID_WIDTH_MIN 5 /* as in 2.3.1 */

void frame_init(struct frame *f)
{
	memset(f, 0, sizeof *f);
}

void frame_done(struct frame *f)
{
	free(f->row);
	arena_done(&f->arena);
	memset(f, 0, sizeof *f);
}

/* What an expression is evaluated for. */
struct context {
	const struct delta_row *row;
	const uint8_t *pick; /* [n_counters] the events that stand for the counters; NULL: those of the same number */
	double interval_s;
};

static struct value scale(struct value v, double factor)
{
	v.number *= factor;
	v.rest = 0;
	return v;
}

/* 100 × (time in ns) / interval. */
static struct value percent(struct value ns, double interval_s)
{
	return value_divide(scale(ns, 100e-9), value_exact(interval_s));
}

/* Time in the kernel comes in whole ticks, time on a CPU in ns: a part is not more than the whole. */
static struct value at_most(struct value part, struct value whole)
{
	if (value_known(part) && whole.quality == QUALITY_EXACT && part.number > whole.number)
		part.number = whole.number;
	return part;
}

static struct value by_mode(const struct context *c, enum expr_mode mode, struct value now, struct value increment)
{
	if (mode == EXPR_TOTAL)
		return now;
	return mode == EXPR_DELTA ? increment : value_divide(increment, value_exact(c->interval_s));
}

static struct value load_variable(const struct context *c, int variable, enum expr_mode mode)
{
	const struct delta_row *row = c->row;
	int fact = variable - VARIABLE_FIRST_FACT;

	switch (variable) {
	case VARIABLE_CPU_TOT:
		return percent(row->cpu_ns, c->interval_s);
	case VARIABLE_CPU_SYS:
		return percent(at_most(delta_fact(row, FACT_STIME_NS), row->cpu_ns), c->interval_s);
	case VARIABLE_FAST_CORES:
		return value_divide(scale(row->fast_ns, 100), row->core_ns);
	case VARIABLE_CPU_USER:
		return percent(at_most(delta_fact(row, FACT_UTIME_NS), row->cpu_ns), c->interval_s);
	default:
		/* A state has no increment. */
		if (fact_table[fact].kind == FACT_GAUGE && mode != EXPR_TOTAL)
			return value_none(QUALITY_NOT_READ);
		return by_mode(c, mode, delta_fact_now(row, (enum fact)fact), delta_fact(row, (enum fact)fact));
	}
}

static struct value load(const void *context, struct expr_ref ref)
{
	const struct context *c = context;
	int event = ref.symbol;

	if (ref.symbol >= SYMBOL_VARIABLE)
		return load_variable(c, ref.symbol - SYMBOL_VARIABLE, ref.mode);
	if (c->pick)
		event = c->pick[event];
	return by_mode(c, ref.mode, c->row->total[event], c->row->increment[event]);
}

struct value frame_cpu_percent(const struct delta_row *row, uint64_t interval_ns)
{
	return percent(row->cpu_ns, (double)interval_ns / 1e9);
}

static bool is_idle(const struct delta_row *row, uint64_t interval_ns, double cpu_min)
{
	struct value cpu = frame_cpu_percent(row, interval_ns);

	return !value_known(cpu) || cpu.number <= 0 || cpu.number < cpu_min;
}

/* '-': a thread that is not the leader; '+': a leader that is not alone. */
static char mark_of(const struct delta_row *row)
{
	struct value n = delta_fact_now(row, FACT_NUM_THREADS);

	if (row->task->id != row->task->pid)
		return '-';
	return (value_known(n) ? n.number > 1 : row->n_threads > 1) ? '+' : ' ';
}

static const char *command_of(const struct task *t, bool cmdline)
{
	return cmdline && t->cmdline ? t->cmdline : t->process;
}

static void add_row(struct frame *f, const struct delta_row *from, uint64_t interval_ns, bool idle)
{
	const struct sample *s = f->sample;
	struct context context = {from, NULL, (double)interval_ns / 1e9};
	struct value *cell = arena_calloc(&f->arena, f->screen->n_columns, sizeof *cell);

	for (size_t i = 0; i < f->screen->n_columns; i++) {
		context.pick = s->pick ? s->pick + i * (size_t)s->n_counters : NULL;
		cell[i] = expr_eval(f->screen->column[i].expr, load, &context);
	}
	f->row = xgrow(f->row, &f->cap, f->n + 1, sizeof *f->row);
	f->row[f->n++] = (struct frame_row){
		.task = from->task,
		.from = from,
		.mark = mark_of(from),
		.idle = idle,
		.watched = f->view->watching && filter_match(&f->view->watch, from->task, f->view->show_cmdline),
		.command = command_of(from->task, f->view->show_cmdline),
		.thread = strcmp(from->task->name, from->task->process) ? from->task->name : NULL,
		.cell = cell,
	};
}

/* How x and y compare by the sorting column, smallest first; unknown values are not compared here. */
static int compare_key(const struct frame *f, const struct frame_row *x, const struct frame_row *y)
{
	size_t column = f->view->sort_column;
	double a, b;

	if (column >= f->screen->n_columns)
		return strcmp(x->command, y->command);
	a = x->cell[column].number;
	b = y->cell[column].number;
	return a < b ? -1 : a > b;
}

static bool key_known(const struct frame *f, const struct frame_row *row)
{
	size_t column = f->view->sort_column;

	return column >= f->screen->n_columns || value_known(row->cell[column]);
}

static int compare_rows(const void *a, const void *b, void *context)
{
	const struct frame *f = context;
	const struct frame_row *x = a, *y = b;
	bool x_known = key_known(f, x), y_known = key_known(f, y);
	int order = 0;

	if (x_known != y_known)
		return x_known ? -1 : 1;
	if (x_known)
		order = compare_key(f, x, y);
	if (order)
		return f->view->ascending ? order : -order;
	return x->task->id < y->task->id ? -1 : x->task->id > y->task->id;
}

static int digits(int32_t id)
{
	int n = 1;

	for (; id >= 10; id /= 10)
		n++;
	return n;
}

/* Sets pid_width, too, by all that are there. */
static void add_living(struct frame *f, const struct delta *delta)
{
	const struct view *view = f->view;
	struct delta_item item = {.n = 0};
	int32_t largest = 0;

	while (delta_next(delta, &item)) {
		const struct task *t = item.task;
		bool idle = !item.row || is_idle(item.row, delta->interval_ns, view->cpu_min);

		largest = t->id > largest ? t->id : largest;
		if (!filter_match(&view->filter, t, view->show_cmdline))
			continue;
		f->n_tasks++;
		if (!delta->interval_ns || (idle && !view->idle && !(view->sticky && t->dead)))
			continue;
		add_row(f, item.row ? item.row : delta_idle_row(delta, &item, &f->arena), delta->interval_ns, idle);
	}
	if (digits(largest) > f->pid_width)
		f->pid_width = digits(largest);
}

static void add_dead(struct frame *f, const struct dead_list *dead)
{
	for (size_t i = 0; i < dead->n; i++) {
		const struct dead_row *row = dead->row[i];

		if (!filter_match(&f->view->filter, row->row.task, f->view->show_cmdline))
			continue;
		f->n_tasks++;
		add_row(f, &row->row, row->interval_ns, false);
	}
}

void frame_build(struct frame *f, const struct screen *screen, const struct view *view, const struct delta *delta,
		 const struct dead_list *dead, uint64_t number)
{
	struct frame old = *f;

	arena_reset(&old.arena);
	/* Rows of idle tasks that are not wanted any more need not be kept room for. */
	if (old.cap / 8 > old.n) {
		free(old.row);
		old.row = NULL;
		old.cap = 0;
	}
	*f = (struct frame){
		.screen = screen,
		.view = view,
		.sample = delta->sample,
		.host = &delta->sample->host,
		.wall_ns = delta->sample->wall_ns,
		.interval_ns = delta->interval_ns,
		.number = number,
		.pid_width = old.pid_width > PID_WIDTH_MIN ? old.pid_width : PID_WIDTH_MIN,
		.row = old.row,
		.cap = old.cap,
		.arena = old.arena,
	};
	add_living(f, delta);
	if (dead && view->sticky)
		add_dead(f, dead);
	if (f->n)
		qsort_r(f->row, f->n, sizeof *f->row, compare_rows, f);
}

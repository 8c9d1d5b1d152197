/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/page.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/unit.h"
#include "model/fact_list.h"
#include "model/history.h"
#include "view/format.h"
#include "view/interference.h"

/* ---- table ---- */

/* The minimal width of the last column. */
#define REST_MIN 20

void page_layout_init(struct page_layout *laid)
{
	strbuf_init(&laid->fixed);
	strbuf_init(&laid->below);
}

void page_layout_done(struct page_layout *laid)
{
	strbuf_done(&laid->fixed);
	strbuf_done(&laid->below);
}

/* Returns the number of columns that fit. */
static int count_fitting(const struct page_table *table, int width)
{
	int n = 0, x = 0;

	for (; n < table->n; n++) {
		const struct page_column *c = &table->column[n];

		x += c->gap + (c->width ? c->width : REST_MIN);
		if (x > width)
			break;
	}
	return n;
}

static const char *text_of(const struct page_cells *row, int i)
{
	return row->cell ? row->cell[i] : row->table->column[i].name;
}

static void add_cut(struct strbuf *out, const char *text, int width)
{
	const size_t start = out->len;

	strbuf_addstr(out, text);
	while (text_length(out->text + start) > width) {
		while (text_continues(out->text[--out->len]))
			;
		out->text[out->len] = '\0';
	}
}

static void add_cell(struct strbuf *out, const struct page_column *c, const char *text)
{
	const size_t start = out->len;
	const int free = c->width - text_length(text);

	if (!c->is_text)
		strbuf_pad(out, ' ', free);
	add_cut(out, text, c->is_text ? c->width : text_length(text));
	if (c->is_text)
		strbuf_pad(out, ' ', c->width - text_length(out->text + start));
}

static void add_below(struct strbuf *out, const struct page_cells *row, int i)
{
	if (!row->cell || !row->cell[i])
		return;
	strbuf_addf(out, "%s%s %s", out->len ? ", " : "", row->table->column[i].name, row->cell[i]);
}

static void trim(struct strbuf *text)
{
	while (text->len && text->text[text->len - 1] == ' ')
		text->text[--text->len] = '\0';
}

void page_table_layout(struct page_layout *laid, const struct page_cells *row, int width)
{
	const struct page_table *table = row->table;
	const int n = count_fitting(table, width);
	int last = -1;
	bool more = false;

	strbuf_reset(&laid->fixed);
	strbuf_reset(&laid->below);
	laid->x = 0;
	laid->rest = "";
	for (int i = 0; i < n; i++)
		if (text_of(row, i))
			last = i;
	for (int i = n; i < table->n; i++)
		more = more || text_of(row, i);
	for (int i = 0; i <= last; i++) {
		const struct page_column *c = &table->column[i];
		const char *text = text_of(row, i);

		strbuf_pad(&laid->fixed, ' ', c->gap);
		/* The last text may be longer than its column. */
		if (i == last && c->is_text && !(more && c->width))
			laid->rest = text;
		else
			add_cell(&laid->fixed, c, text ? text : "");
	}
	if (!*laid->rest)
		trim(&laid->fixed);
	laid->x = text_length(laid->fixed.text);
	for (int i = n; i < table->n; i++)
		add_below(&laid->below, row, i);
}

/* ---- facts ----
 *
 * The sections with facts, threads and limits of a task.
 */

#define VALUE_WIDTH 10
#define TIME_WIDTH  9

/* ---- facts ---- */

/* Returns a fact from the sample; if it is unknown or stale there, from the details. */
static struct value fact_of(const struct page_writer *w, int f)
{
	const struct detail *d = w->in->detail;
	const struct value v = delta_fact_now(w->row->from, f);

	if (v.quality == QUALITY_EXACT || w->row->task->dead || !d || d->error ||
	    !fact_in(d->known, f))
		return v;
	return fact_table[f].kind == FACT_COUNTER ? value_count(d->fact[f])
						  : value_exact((double)(int64_t)d->fact[f]);
}

/* Appends times and sizes shortened, other numbers with all digits. */
static void add_number(struct strbuf *out, int f, struct value v)
{
	const enum unit unit = fact_table[f].unit;

	if (!value_known(v))
		return;
	if (unit == UNIT_NS || unit == UNIT_KIB)
		unit_add(out, unit, v.number);
	else
		strbuf_addf(out, "%.0f", v.number);
}

/* Returns the length of a help text without its unit, "(ns)": numbers are shown with other units
 * here. */
static size_t help_length(const char *help)
{
	const char *unit = strstr(help, " (");

	return unit ? (size_t)(unit - help) : strlen(help);
}

static void write_fact(struct page_writer *w, int f, struct value v)
{
	const struct fact_row *fact = &fact_table[f];
	struct strbuf number;

	strbuf_init(&number);
	add_number(&number, f, v);
	strbuf_pad(&w->text, ' ', VALUE_WIDTH - (int)number.len);
	strbuf_addf(&w->text, "%s%s %s%.*s", number.text, quality_table[v.quality].mark,
		    v.quality == QUALITY_EXACT ? " " : "", (int)help_length(fact->help),
		    fact->help);
	format_quality(&w->text, v, w->row->task->dead);
	page_add(w, PAGE_ENTRY, fact->name);
	strbuf_done(&number);
}

static void page_write_facts(struct page_writer *w)
{
	const struct kind *kind = w->row->task->kind;
	struct strbuf left;

	strbuf_init(&left);
	if (fact_any(fact_and(*kind->facts, fact_numbers)))
		page_add_text(w, PAGE_TITLE, NULL, "Facts, of now or since it began");
	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		const struct value v = fact_of(w, f);

		if (!fact_in(*kind->facts, f) || (fact_table[f].of_ended && !w->row->task->dead))
			continue;
		if (v.quality == QUALITY_NOT_READ)
			strbuf_addf(&left, "%s%s", left.len ? ", " : "", fact_table[f].name);
		else
			write_fact(w, f, v);
	}
	if (left.len) {
		strbuf_addf(&w->text, "not read now: %s", left.text);
		page_add(w, PAGE_TEXT, NULL);
	}
	strbuf_done(&left);
}

/* ---- threads ---- */

static void write_thread(struct page_writer *w, uint64_t id, char state, struct value cpu,
			 struct value time, const char *name)
{
	struct strbuf part;
	char label[32];

	strbuf_init(&part);
	strbuf_addf(&w->text, "%c ", state);
	if (value_known(cpu))
		strbuf_addf(&w->text, "%4.0f", cpu.number);
	else
		strbuf_addf(&w->text, "%4s", quality_table[cpu.quality].mark);
	if (value_known(time))
		unit_add(&part, UNIT_NS, time.number);
	else
		strbuf_addstr(&part, quality_table[time.quality].mark);
	strbuf_pad(&w->text, ' ', 1 + TIME_WIDTH - (int)part.len);
	strbuf_addf(&w->text, "%s ", part.text);
	text_add(&w->text, name);
	snprintf(label, sizeof label, "%" PRIu64, id);
	page_add(w, PAGE_ENTRY, label);
	strbuf_done(&part);
}

static void write_threads_head(struct page_writer *w)
{
	strbuf_addf(&w->text, "S  CPU%*s NAME", 1 + TIME_WIDTH, "TIME");
	page_add(w, PAGE_HEAD, "TID");
}

static struct value known_or_not(bool known, uint64_t number)
{
	return known ? value_count(number) : value_none(QUALITY_NOT_READ);
}

static void write_read_threads(struct page_writer *w, const struct detail *d)
{
	write_threads_head(w);
	for (size_t i = 0; i < d->n_threads; i++) {
		const struct detail_thread *t = &d->thread[i];

		write_thread(w, t->id, t->state,
			     known_or_not(fact_in(t->known, FACT_PROC_ID), t->cpu),
			     known_or_not(fact_in(t->known, FACT_CPU_NS), t->cpu_ns), t->name);
	}
	if (!d->n_more)
		return;
	strbuf_addf(&w->text, "and %zu more: only the first %d are read", d->n_more,
		    DETAIL_THREADS_MAX);
	page_add(w, PAGE_TEXT, NULL);
}

static struct value fact_of_task(const struct task *t, int f)
{
	const bool known = fact_in(t->known, f);

	return known_or_not(known, known ? task_fact(t, f) : 0);
}

/* Used if rows are threads, as then the sample has all threads of the process. */
static void write_sampled_threads(struct page_writer *w)
{
	const struct sample *s = w->in->frame->sample;
	const struct owner owner = task_owner(w->row->task);

	write_threads_head(w);
	for (size_t i = 0; i < s->n; i++)
		if (task_has_owner(s->task[i], owner))
			write_thread(w, s->task[i]->id, s->task[i]->state,
				     fact_of_task(s->task[i], FACT_PROC_ID),
				     fact_of_task(s->task[i], FACT_CPU_NS), s->task[i]->name);
}

static void page_write_threads(struct page_writer *w)
{
	const struct detail *d = w->in->detail;

	if (!w->row->task->kind->pid)
		return;
	page_add_text(w, PAGE_TITLE, NULL, "Threads, and the CPUs on which they ran last");
	if (d && !d->error && !d->threads_error) {
		write_read_threads(w, d);
		return;
	}
	if (!d && w->in->frame->sample->threads) {
		write_sampled_threads(w);
		return;
	}
	if (d)
		strbuf_addf(&w->text, "none were read: %s",
			    strerror(-(d->error ? d->error : d->threads_error)));
	else
		strbuf_addstr(&w->text, "not known: there are processes here, not their threads");
	page_add(w, PAGE_TEXT, NULL);
}

/* ---- limits ---- */

/* Writes the limits with their units; the kernel gives no unit for some. */
static void page_write_limits(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	int error;

	if (!w->row->task->kind->pid || !d)
		return;
	/* Limits that were read stay when the task has ended. */
	error = d->n_limits ? 0 : d->error ? d->error : d->limits_error;
	page_add_text(w, PAGE_TITLE, NULL, "Limits, as they were when this page was opened");
	if (error) {
		strbuf_addf(&w->text, "/proc/%" PRIu64 "/limits cannot be read: %s",
			    w->row->task->owner, strerror(-error));
		page_add(w, PAGE_TEXT, NULL);
		return;
	}
	strbuf_addf(&w->text, "%12s  %12s", "SOFT", "HARD");
	page_add(w, PAGE_HEAD, "");
	for (size_t i = 0; i < d->n_limits; i++) {
		const struct detail_limit *l = &d->limit[i];

		strbuf_addf(&w->text, "%12s  %12s  %s", l->soft, l->hard, l->unit);
		page_add(w, PAGE_ENTRY, l->name);
	}
}

/* ---- identity ----
 *
 * The section that identifies the task.
 */

static void add_state(struct strbuf *out, char state)
{
	static const struct {
		char letter;
		const char *word;
	} states[] = {
		{'R', "running or ready to run"},
		{'S', "sleeping"},
		{'D', "uninterruptible sleep"},
		{'T', "stopped"},
		{'t', "traced"},
		{'Z', "ended, not yet reaped"},
		{'X', "ended"},
		{'I', "kernel idle"},
	};

	for (size_t i = 0; i < sizeof states / sizeof *states; i++)
		if (states[i].letter == state) {
			strbuf_addf(out, "%c %s", state, states[i].word);
			return;
		}
	strbuf_addstr(out, "?");
}

/* Writes "2026-11-22 08:12:03, 25:12.0 ago". */
static void write_start(struct page_writer *w)
{
	const struct sample *s = w->in->frame->sample;
	const uint64_t start_ns = w->row->task->start_ns;

	clock_add_date(&w->text, s->wall_ns - s->boot_ns + start_ns);
	strbuf_addstr(&w->text, ", ");
	unit_add(&w->text, UNIT_NS, s->boot_ns > start_ns ? (double)(s->boot_ns - start_ns) : 0.0);
	strbuf_addstr(&w->text, " ago");
	page_add(w, PAGE_ENTRY, "started");
}

/* Writes a fact that is a text, if it was read. */
static void write_fact_text(struct page_writer *w, int f, const char *label)
{
	const struct detail *d = w->in->detail;
	const char *text = task_text(w->row->task, f);

	if (!text && d && !d->error)
		text = d->text[f - FACT_FIRST_READ_TEXT];
	if (!text)
		return;
	text_add(&w->text, *text ? text : "-");
	page_add(w, PAGE_ENTRY, label);
}

static void write_parent(struct page_writer *w)
{
	const struct sample *s = w->in->frame->sample;
	const struct detail *d = w->in->detail;
	struct value parent = delta_fact_now(w->row->from, FACT_PPID);

	if (!value_known(parent) && d && !d->error && fact_in(d->known, FACT_PPID))
		parent = value_exact((double)d->fact[FACT_PPID]);
	if (!value_known(parent))
		return;
	strbuf_addf(&w->text, parent.number > 0 ? "%.0f" : "none", parent.number);
	for (size_t i = 0; i < s->n; i++)
		if (task_is_leader(s->task[i]) && (double)s->task[i]->id == parent.number &&
		    s->task[i]->kind == w->row->task->kind) {
			strbuf_addch(&w->text, ' ');
			text_add(&w->text, s->task[i]->process);
			break;
		}
	page_add(w, PAGE_ENTRY, "parent");
}

/* Writes "process, 4 threads" or "thread of process 4711 java". */
static void write_kind(struct page_writer *w)
{
	const struct task *t = w->row->task;
	const struct value n = delta_fact_now(w->row->from, FACT_NUM_THREADS);

	strbuf_addstr(&w->text, t->kind->name);
	if (w->in->frame->sample->threads) {
		strbuf_reset(&w->text);
		strbuf_addf(&w->text, "%s of %s %" PRIu64 " ", t->kind->part, t->kind->name,
			    t->owner);
		text_add(&w->text, t->process);
	} else if (value_known(n)) {
		strbuf_addf(&w->text, ", %.0f %s%s", n.number, t->kind->part,
			    n.number == 1 ? "" : "s");
	}
	page_add(w, PAGE_ENTRY, "kind");
}

/* Command lines with more bytes are written at the end of the page. */
#define COMMAND_MAX 240

static bool is_long(const struct task *t)
{
	return t->cmdline && strlen(t->cmdline) > COMMAND_MAX;
}

static void write_command(struct page_writer *w)
{
	const struct task *t = w->row->task;
	size_t n = COMMAND_MAX;

	if (!t->cmdline) {
		strbuf_addstr(&w->text, "none: a task of the kernel has none, or it was not read");
	} else if (is_long(t)) {
		char *start;

		while (text_continues(t->cmdline[n]))
			n--;
		start = xstrndup(t->cmdline, n);
		text_add(&w->text, start);
		strbuf_addstr(&w->text, "... (all of it is at the end)");
		free(start);
	} else {
		text_add(&w->text, t->cmdline);
	}
	page_add(w, PAGE_ENTRY, "command");
}

/* Writes a command line that is too long for the beginning of the page. */
static void page_write_long_command(struct page_writer *w)
{
	if (!is_long(w->row->task))
		return;
	page_add_text(w, PAGE_TITLE, NULL, "Command line");
	text_add(&w->text, w->row->task->cmdline);
	page_add(w, PAGE_TEXT, NULL);
}

/* Writes "CPU 3 only, of 8": a task that may not run on all CPUs may wait while others are idle. */
static void write_allowed(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	const int n_cpus = w->in->frame->host->n_cpus;

	if (!d || d->error || !d->wait.n_allowed)
		return;
	strbuf_addf(&w->text, "CPU%s %s", d->wait.n_allowed == 1 ? "" : "s", d->wait.allowed);
	if (d->wait.n_allowed < n_cpus)
		strbuf_addf(&w->text, " only, of %d: it may wait for these while others are idle",
			    n_cpus);
	page_add(w, PAGE_ENTRY, "may run on");
}

static void write_task(struct page_writer *w)
{
	const struct task *t = w->row->task;

	write_kind(w);
	text_add(&w->text, t->user);
	if (t->uid != TASK_UID_UNKNOWN)
		strbuf_addf(&w->text, " (%" PRIu32 ")", t->uid);
	page_add(w, PAGE_ENTRY, "user");
	write_start(w);
	write_command(w);
	add_state(&w->text, t->state);
	page_add(w, PAGE_ENTRY, "state");
	write_parent(w);
	write_allowed(w);
	write_fact_text(w, FACT_EXECUTABLE, "program");
	write_fact_text(w, FACT_CGROUP, "cgroup");
	write_fact_text(w, FACT_CONTAINER, "container");
}

/* Writes the kind of a row that is not a task; of a group, also the number of its members. */
static void write_other(struct page_writer *w)
{
	const struct task *t = w->row->task;

	strbuf_addstr(&w->text, t->kind->id_help);
	page_add(w, PAGE_ENTRY, "kind");
	if (!t->kind->counts_members)
		return;
	strbuf_addf(&w->text, "%d: Enter on its row lists them", w->row->from->n_members);
	page_add(w, PAGE_ENTRY, "members");
}

static void page_write_identity(struct page_writer *w)
{
	if (w->row->task->kind->pid)
		write_task(w);
	else
		write_other(w);
}

/* ---- memory ----
 *
 * The section with the memory of the task's control groups.
 */

static void add_bytes(struct page_writer *w, uint64_t bytes)
{
	struct strbuf number;

	strbuf_init(&number);
	unit_add(&number, UNIT_BYTES, (double)bytes);
	strbuf_pad(&w->text, ' ', VALUE_WIDTH - (int)number.len);
	strbuf_addf(&w->text, "%s  ", number.text);
	strbuf_done(&number);
}

/* Writes " 4.0G of the group /user.slice, which has 3.1G: above it, tasks are killed". */
static void write_bound(struct page_writer *w, const struct detail_bound *b, const char *label,
			const char *help)
{
	if (b->why) {
		strbuf_addf(&w->text, "%*s  ", VALUE_WIDTH, "?");
		text_add(&w->text, b->why);
	} else if (!b->group || b->bytes == DETAIL_NO_LIMIT) {
		strbuf_addf(&w->text, "%*s  in any of its control groups%s: above a limit, %s",
			    VALUE_WIDTH, "none",
			    w->in->detail->memory.is_whole
				    ? ""
				    : " that is visible here; groups above them may have one",
			    help);
	} else {
		add_bytes(w, b->bytes);
		strbuf_addstr(&w->text, "of the group ");
		text_add(&w->text, b->group);
		if (b->used_known) {
			strbuf_addstr(&w->text, ", which has ");
			unit_add(&w->text, UNIT_BYTES, (double)b->used);
		}
		strbuf_addf(&w->text, ": above it, %s", help);
	}
	page_add(w, PAGE_ENTRY, label);
}

static void write_use(struct page_writer *w, const struct detail_memory *m)
{
	if (m->why) {
		strbuf_addf(&w->text, "%*s  ", VALUE_WIDTH, "?");
		text_add(&w->text, m->why);
	} else {
		add_bytes(w, m->used);
		strbuf_addstr(&w->text, "used by all of the group ");
		text_add(&w->text, m->group);
	}
	page_add(w, PAGE_ENTRY, "used");
}

static void page_write_memory(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	const struct detail_memory *m = d ? &d->memory : NULL;

	if (!w->row->task->kind->pid || !m || !(m->read || m->error))
		return;
	page_add_text(w, PAGE_TITLE, NULL, "Memory of its control group");
	if (m->error) {
		strbuf_addf(&w->text, "/proc/%" PRIu64 "/cgroup cannot be read: %s",
			    w->row->task->owner, strerror(-m->error));
		page_add(w, PAGE_TEXT, NULL);
		return;
	}
	write_use(w, m);
	if (!m->group && !m->max.group && !m->max.why)
		return;
	write_bound(w, &m->max, "max", "tasks are killed");
	if (m->has_high)
		write_bound(w, &m->high, "high", "they are slowed down");
}

/* ---- phases ----
 *
 * The section with the changes of level of the row's numbers.
 */

/* The maximal number of changes shown, the last ones; below them is the number of earlier ones. */
#define SHOWN_MAX 12

static void phases_add_number(struct strbuf *out, const struct column *column, double number)
{
	struct strbuf cell;

	strbuf_init(&cell);
	format_cell(&cell, column, value_exact(number), false);
	strbuf_addstr(out, format_trim_cell(&cell, column));
	strbuf_done(&cell);
}

/* Writes "14:03:12 IPC 1.90 -> 1.10, noise 0.03; 10^9 times likelier than no change". */
static void write_change(struct page_writer *w, const struct phases_change *c)
{
	const struct curves *curves = w->in->curves;
	int len;
	const char *name = screen_column_name(c->column, &len);
	struct strbuf label;

	strbuf_init(&label);
	clock_add_time_of_day(&label, curves->wall_ns[c->change.when - curves->first]);
	strbuf_addf(&w->text, "%.*s ", len, name);
	phases_add_number(&w->text, c->column, c->change.before);
	strbuf_addstr(&w->text, " -> ");
	phases_add_number(&w->text, c->column, c->change.after);
	strbuf_addstr(&w->text, ", noise ");
	phases_add_number(&w->text, c->column, c->change.noise);
	strbuf_addf(&w->text, "; 10^%.0f times likelier than no change", c->change.likelier);
	page_add(w, PAGE_ENTRY, label.text);
	strbuf_done(&label);
}

static void page_write_phases(struct page_writer *w)
{
	const struct phases *p = w->in->curves ? &w->in->curves->phases : NULL;
	const size_t first = p && p->n > SHOWN_MAX ? p->n - SHOWN_MAX : 0;

	if (!p || !p->n)
		return;
	page_add_text(w, PAGE_TITLE, NULL,
		      "Phases: when a number changed, and stayed so for 8 refreshes or more");
	for (size_t i = first; i < p->n; i++)
		write_change(w, &p->v[i]);
	if (!first)
		return;
	strbuf_addf(&w->text, "and %zu before these", first);
	page_add(w, PAGE_TEXT, NULL);
}

/* ---- resctrl ----
 *
 * The section with cache occupancy and memory bandwidth of groups, from resctrl.
 */

#define NUMBER_WIDTH 9

static const struct {
	const char *head, *what;
} numbers[N_RESCTRL_NUMBERS] = {
	[RESCTRL_OCCUPANCY] = {"of L3", "L3"},
	[RESCTRL_TOTAL] = {"memory/s", "memory"},
	[RESCTRL_LOCAL] = {"local/s", "local memory"},
};

static void resctrl_add_number(struct page_writer *w, const struct resctrl_group *g, int i)
{
	struct strbuf text;

	strbuf_init(&text);
	if (g->why[i] == RESCTRL_KNOWN)
		unit_add(&text, UNIT_BYTES, g->number[i]);
	else
		strbuf_addch(&text, '?');
	strbuf_pad(&w->text, ' ', NUMBER_WIDTH - (int)text.len);
	strbuf_addf(&w->text, "%s ", text.text);
	strbuf_done(&text);
}

/* Appends which tasks are in the group: its numbers are those of the task only if nothing else
 * counts in it. */
static void add_group_tasks(struct page_writer *w, const struct resctrl_group *g)
{
	if (!*g->name)
		strbuf_addstr(&w->text, ": all that is in no other group");
	else if (!g->tasks_known)
		strbuf_addstr(&w->text, ": its tasks are unknown");
	else if (g->n_own && g->n_own == g->n_tasks && !g->has_cpus)
		strbuf_addstr(&w->text, ": this task alone");
	else if (g->n_own)
		strbuf_addf(&w->text, ": %zu threads, %zu of them of this task", g->n_tasks,
			    g->n_own);
	else
		strbuf_addf(&w->text, ": %zu threads, none of this task", g->n_tasks);
	if (*g->name && g->has_cpus)
		strbuf_addstr(&w->text, ", and what runs on its CPUs");
}

static void write_group(struct page_writer *w, const struct resctrl_group *g)
{
	for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
		resctrl_add_number(w, g, i);
	strbuf_addch(&w->text, ' ');
	text_add(&w->text, *g->name ? g->name : "/");
	add_group_tasks(w, g);
	for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
		if (g->why[i] != RESCTRL_KNOWN)
			strbuf_addf(&w->text, "; %s: %s", numbers[i].what,
				    resctrl_why_text[g->why[i]]);
	page_add(w, PAGE_ENTRY, "");
}

void page_write_resctrl(struct page_writer *w)
{
	const struct detail *d = w->in->detail;
	const struct resctrl *r = d ? &d->resctrl : NULL;

	if (!w->row->task->kind->pid || !r || !r->n)
		return;
	page_add_text(w, PAGE_TITLE, NULL,
		      "What groups of tasks hold of caches, and move from and to memory (resctrl)");
	for (int i = 0; i < N_RESCTRL_NUMBERS; i++)
		strbuf_addf(&w->text, "%*s ", NUMBER_WIDTH, numbers[i].head);
	strbuf_addstr(&w->text, " group");
	page_add(w, PAGE_HEAD, "");
	for (size_t i = 0; i < r->n; i++)
		write_group(w, &r->group[i]);
	if (r->n_more)
		strbuf_addf(&w->text, "and %zu more groups, which are not read", r->n_more);
	if (r->n_more)
		page_add(w, PAGE_TEXT, NULL);
	page_add_text(w, PAGE_TEXT, NULL,
		      r->own_known
			      ? "The group of this task comes first. A number is that of one task "
				"only if the task is alone in its group."
			      : "The group of this task is unknown.");
}

/* ---- interference ----
 *
 * The section with the drops of the row's IPC that have a possible cause: another task that began
 * or changed its phase close to the drop, and can disturb the row.
 */

/* The maximal number of drops shown; the last ones. */
#define DROPS_MAX 3

static bool is_of(const struct change *c, const struct row_id *of)
{
	return c->of.kind == of->kind && c->of.id == of->id && c->of.start_ns == of->start_ns;
}

void page_write_interference(struct page_writer *w)
{
	const struct frame *frame = w->in->frame;
	const struct interference_input in = {
		.changes = frame->changes,
		.history = frame->history,
		.machine = frame->sample->machine,
		.threads = frame->sample->threads,
		.last = frame->moment,
	};
	const char *lack = NULL;
	struct interference found;
	int n = 0;

	for (size_t i = changes_n(frame->changes); i-- > 0 && n < DROPS_MAX;) {
		if (!is_of(changes_at(frame->changes, i), &w->page->of))
			continue;
		if (!lack)
			lack = interference_missing(&in, i);
		if (!interference_find(&found, &in, i))
			continue;
		if (!n++)
			page_add_text(w, PAGE_TITLE, NULL,
				      "Interference: possible causes of drops of its IPC");
		interference_describe(&w->text, &found);
		page_add(w, PAGE_TEXT, NULL);
		interference_explain(&w->text, &found);
		page_add(w, PAGE_ENTRY, "");
	}
	if (n || !lack)
		return;
	page_add_text(w, PAGE_TITLE, NULL,
		      "Interference: its IPC dropped, and the cause is unknown");
	strbuf_addf(&w->text, "Unknown here, or not recorded: %s", lack);
	page_add(w, PAGE_TEXT, NULL);
}

/* ---- page ---- */

void page_init(struct page *p)
{
	memset(p, 0, sizeof *p);
}

void page_done(struct page *p)
{
	free(p->line);
	arena_done(&p->arena);
	page_init(p);
}

void page_reset(struct page *p, const struct row_id *of)
{
	arena_reset(&p->arena);
	p->of = *of;
	p->title = p->note = NULL;
	p->n = 0;
}

void page_add_text(struct page_writer *w, enum page_style style, const char *label,
		   const char *text)
{
	struct page *p = w->page;

	p->line = xgrow(p->line, &p->cap, p->n + 1, sizeof *p->line);
	p->line[p->n++] = (struct page_line){.style = style,
					     .label = label ? arena_strdup(&p->arena, label) : NULL,
					     .text = arena_strdup(&p->arena, text)};
}

void page_add(struct page_writer *w, enum page_style style, const char *label)
{
	page_add_text(w, style, label, w->text.text);
	strbuf_reset(&w->text);
}

static void write_title(struct page_writer *w)
{
	const struct task *t = w->row->task;
	const char *kind = w->in->frame->sample->threads ? t->kind->part : t->kind->name;

	strbuf_addstr(&w->text, kind);
	if (!t->kind->id_is_text)
		strbuf_addf(&w->text, " %" PRIu64, t->id);
	strbuf_addch(&w->text, ' ');
	text_add(&w->text, t->name);
	w->page->title = arena_strdup(&w->page->arena, w->text.text);
	strbuf_reset(&w->text);
}

/* Returns the sentence why the row is not in the frame. If the task has ended, the error of its
 * details is -ESRCH. */
static const char *gone_reason(const struct page_input *in)
{
	if (in->detail && in->detail->error == -ESRCH)
		return "it has ended: these are the last numbers that were read";
	return "it is not among what is read now: these are the last numbers that were read";
}

void page_build(struct page *p, const struct page_input *in)
{
	struct page_writer w = {.page = p, .in = in};
	struct arena scratch = ARENA_INIT;
	struct frame_row row;
	const struct row_id of = p->of;

	if (!frame_find_task(in->frame, &of, &scratch, &row)) {
		p->note = gone_reason(in);
		arena_done(&scratch);
		return;
	}
	page_reset(p, &of);
	w.row = &row;
	strbuf_init(&w.text);
	write_title(&w);
	if (row.task->dead)
		p->note = "it has ended: these are its final counts";
	for (size_t i = 0; i < in->n_verdicts; i++)
		page_add_text(&w, in->verdict[i].style, in->verdict[i].label, in->verdict[i].text);
	if (in->n_verdicts)
		page_add_text(&w, PAGE_TITLE, NULL, "What it is");
	page_write_identity(&w);
	page_write_phases(&w);
	page_write_interference(&w);
	page_write_resctrl(&w);
	page_write_columns(&w);
	page_write_events(&w);
	page_write_facts(&w);
	page_write_threads(&w);
	page_write_memory(&w);
	page_write_limits(&w);
	page_write_long_command(&w);
	strbuf_done(&w.text);
	arena_done(&scratch);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/encodings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/sample_event.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/list.h"
#include "pmu/event/name.h"
#include "pmu/event/table.h"
#include "screen/bind/counters.h"
#include "screen/bind/offer.h"
#include "screen/compile.h"

/* The context in which lines are added. */
struct place {
	struct strbuf *out;
	const struct machine *machine;
	const struct screen *screen;
	const struct event_set *set;
};

void encodings_add_head(struct strbuf *out)
{
	strbuf_addstr(
		out, "cpu\tscreen\tcolumn\tcounter\tevent\ttype\tconfig\tconfig1\tgroup\tweight\n");
}

/* Appends a field and its separator. Control characters, such as tabs in users' texts, become
 * blanks. */
static void add_field(struct strbuf *out, const char *text, char end)
{
	for (text = *text ? text : "-"; *text; text++)
		strbuf_addch(out, (unsigned char)*text < ' ' ? ' ' : *text);
	strbuf_addch(out, end);
}

static void begin_line(const struct place *p, const char *column, const char *counter)
{
	add_field(p->out, p->machine->cpu.model, '\t');
	add_field(p->out, p->screen->name, '\t');
	add_field(p->out, column, '\t');
	add_field(p->out, counter, '\t');
}

static void add_without(const struct place *p, const char *column, const char *counter,
			const char *reason)
{
	begin_line(p, column, counter);
	add_field(p->out, reason, '\t');
	strbuf_addstr(p->out, "-\t-\t-\t-\t-\n");
}

/* Returns the group of an event: 1 + the index of the group's first counter; 0: a software event.
 * Counters that are joined directly, or through other counters, are in one group. */
static int group_of(const struct event_set *set, const struct event *e)
{
	uint64_t group = 1ull << e->counter, before = 0, hardware = 0;

	if (!event_is_hardware(e))
		return 0;
	for (int i = 0; i < set->n; i++)
		if (event_is_hardware(&set->event[i]))
			hardware |= 1ull << set->event[i].counter;
	while (group != before) {
		before = group;
		for (int t = 0; t < set->n_together; t++)
			if (set->together[t] & hardware & group)
				group |= set->together[t] & hardware;
	}
	return __builtin_ctzll(group) + 1;
}

/* Returns the value of one count. */
static double weight_of(const struct event *e)
{
	if (e->scale == SCALE_NOTHING)
		return 0;
	return e->scale != 0 ? e->scale : 1;
}

static void add_event(const struct place *p, const char *column, const struct event *e)
{
	const struct machine *m = p->machine;
	const char *pmu = e->core == EVENT_NO_CORE ? NULL : machine_pmu(m, e->core);
	const struct event_choice *choice = NULL;
	char *counter =
		machine_is_hybrid(m) && pmu ? xasprintf("%s@%s", e->name, pmu) : xstrdup(e->name);

	if (e->quality != QUALITY_EXACT) {
		add_without(p, column, counter, "no event of it is known for these cores");
	} else {
		event_names_find(m->table, &m->cpu, pmu, e->what, &choice);
		begin_line(p, column, counter);
		add_field(p->out, choice && choice->name ? choice->name : e->what, '\t');
		machine_add_type(p->out, m, e);
		strbuf_addf(p->out, "\t0x%" PRIx64 "\t0x%" PRIx64 "\t0x%x\t", machine_config(m, e),
			    e->config1, (unsigned)group_of(p->set, e));
		strbuf_addf(p->out, "%.15g\n", weight_of(e));
	}
	free(counter);
}

static void add_column(const struct place *p, const struct column *c)
{
	for (size_t i = 0; i < expr_n_refs(c->expr); i++)
		for (int k = 0; k < p->set->n; k++)
			if (p->set->event[k].counter == expr_ref_at(c->expr, i).symbol)
				add_event(p, c->id, &p->set->event[k]);
}

static bool has_event(const struct event_set *set, int counter)
{
	for (int i = 0; i < set->n; i++)
		if (set->event[i].counter == counter && set->event[i].quality == QUALITY_EXACT)
			return true;
	return false;
}

/* The error code of a reason other than a missing event of this CPU. If several reasons apply, one
 * about a missing event is preferred. */
#define OTHER_CPU_ONLY 1

/* Sets err to the reason why this machine has no event for the alias. */
static void explain_counter(const struct place *p, const char *alias, struct err *err)
{
	const struct machine *m = p->machine;

	err_set(err, OTHER_CPU_ONLY, "the counter '%s' is declared for other CPUs", alias);
	for (size_t i = 0; i < p->screen->n_counters; i++) {
		const struct counter_decl *c = &p->screen->counter[i];
		const char *list = c->event;
		struct event e = {.name = NULL};
		char *name;

		if (strcmp(c->alias, alias) || !machine_fits(m, -1, c->arch, c->model) || !list)
			continue;
		name = event_name_next(&list);
		if (name && event_name_resolve(&e, m, 0, name, err))
			err_prefix(err, "counter '%s'", alias);
		free(name);
		return;
	}
}

/* Sets err to the reason why the column is not shown. p->set must have the events of all columns of
 * the screen. */
static void explain_column(const struct place *p, const struct column *c, struct err *err)
{
	for (size_t i = 0; i < expr_n_refs(c->expr); i++) {
		int symbol = expr_ref_at(c->expr, i).symbol;

		if (symbol < SYMBOL_VARIABLE && !has_event(p->set, symbol)) {
			explain_counter(p, p->screen->alias[symbol], err);
			return;
		}
	}
	err_set(err, OTHER_CPU_ONLY, "%s",
		fit_tells_cores_apart(c) && !machine_is_hybrid(p->machine)
			? "all cores are of one kind"
			: "one of its counters is absent here");
}

static bool has_id(const struct screen *s, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(s->column[i].id, id))
			return true;
	return false;
}

/* Returns whether a column with this id is not optional. */
static bool is_needed(const struct screen *s, const char *id)
{
	for (size_t i = 0; i < s->n_columns; i++)
		if (!s->column[i].optional && !strcmp(s->column[i].id, id))
			return true;
	return false;
}

/* Sets err to the reason why no column with this id is shown; id NULL: why the screen is hidden.
 * Columns that share an id are for different CPUs: the reason for the column of this CPU is
 * used. */
static void explain(const struct place *p, const char *id, struct err *err)
{
	const struct screen *s = p->screen;

	for (size_t i = 0; i < s->n_columns; i++) {
		const struct column *c = &s->column[i];
		struct err own = ERR_INIT;

		if (id ? strcmp(c->id, id) != 0 : !is_needed(s, c->id) || counters_known(p->set, c))
			continue;
		explain_column(p, c, &own);
		if (!err->code || (err->code == OTHER_CPU_ONLY && own.code != OTHER_CPU_ONLY))
			*err = own;
	}
}

/* Adds a line for each id of which no column is shown. p has the screen with all columns, and the
 * set for it. */
static void add_hidden_columns(const struct place *p, const struct screen *shown)
{
	const struct screen *s = p->screen;

	for (size_t i = 0; i < s->n_columns; i++) {
		const char *id = s->column[i].id;
		struct err err = ERR_INIT;

		if (has_id(shown, shown->n_columns, id) || has_id(s, i, id))
			continue;
		explain(p, id, &err);
		add_without(p, id, "", err.text);
	}
}

static void add_hidden_screen(const struct place *p)
{
	const char *needs = p->screen->needs;
	struct err err = ERR_INIT;
	char *reason;

	explain(p, NULL, &err);
	reason = xasprintf("%s%s%s", err.code ? err.text : "none of its columns has events here",
			   needs ? "; " : "", needs ? needs : "");
	add_without(p, "", "", reason);
	free(reason);
}

static void pass_over(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

static void add_compiled(struct place *p, struct screen *shown, const struct offer *offer)
{
	struct event_set all, set;

	counters_make_set(&all, p->screen, offer);
	p->set = &all;
	if (fit_may_show(shown, offer)) {
		fit_screen(shown, offer);
		counters_make_set(&set, shown, offer);
		p->set = &set;
		for (size_t i = 0; i < shown->n_columns; i++)
			add_column(p, &shown->column[i]);
		event_set_done(&set);
		p->set = &all;
		add_hidden_columns(p, shown);
	} else {
		add_hidden_screen(p);
	}
	event_set_done(&all);
}

void encodings_add(struct strbuf *out, const struct screen *declared, const struct machine *m,
		   struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);
	struct screen *whole = screen_copy(declared), *shown = screen_copy(declared);
	struct place place = {.out = out, .machine = m, .screen = whole};
	struct err err = ERR_INIT;

	if (screen_compile(whole, pass_over, NULL, &err) ||
	    screen_compile(shown, pass_over, NULL, &err))
		add_without(&place, "", "", err.text[0] ? err.text : "it cannot be read");
	else
		add_compiled(&place, shown, &offer);
	screen_free(shown);
	screen_free(whole);
}

/* ---- origins ---- */

/* The maximal length of a meaning: three lines of a panel with 80 columns. All texts of tiptop are
 * shorter, and most texts of vendors. */
#define MEANING_MAX 204

/* Returns whether the event's type is one that any core PMU has, or the type of this core PMU. */
static bool is_core_type(const struct event *e, const struct core_pmu *core)
{
	return e->type == PERF_TYPE_HARDWARE || e->type == PERF_TYPE_HW_CACHE ||
	       e->type == PERF_TYPE_RAW || (core && e->type == core->type);
}

/* Returns the name of the event's PMU. The name of an event outside of the cores begins with it:
 * "msr/tsc/". */
static char *describe_pmu(const struct event *e, const struct machine *m)
{
	const struct core_pmu *core =
		e->core >= 0 && e->core < m->n_cores ? &m->core[e->core] : NULL;
	size_t named = strcspn(e->what, "/");

	if (e->type == PERF_TYPE_SOFTWARE)
		return xstrdup("software");
	if (e->type == PERF_TYPE_TRACEPOINT)
		return xstrdup("tracepoint");
	if (is_core_type(e, core))
		return xstrdup(core ? core->name : "cpu");
	return e->what[named] ? xstrndup(e->what, named) : xasprintf("of type %" PRIu32, e->type);
}

static char *describe_code(const struct event *e)
{
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "type %" PRIu32 ", config 0x%" PRIx64, e->type, e->config);
	if (e->config1)
		strbuf_addf(&text, ", config1 0x%" PRIx64, e->config1);
	if (e->config2)
		strbuf_addf(&text, ", config2 0x%" PRIx64, e->config2);
	if (e->scale && e->unit[0])
		strbuf_addf(&text, ", in steps of %g %s", e->scale, e->unit);
	else if (e->scale == SCALE_NOTHING)
		strbuf_addstr(&text, ", which stands for nothing here");
	else if (e->scale)
		strbuf_addf(&text, ", which stands for %g each", e->scale);
	return text.text;
}

/* Returns the modes in which the event counts, as they are passed to the kernel. The hypervisor is
 * not mentioned if kernel mode is counted. */
static char *describe_modes(const struct event_set *set, int i)
{
	struct perf_event_attr attr;
	struct strbuf text;

	if (set->event[i].all_modes)
		return xstrdup("all modes");
	if (event_is_beyond_modes(&set->event[i]))
		return xstrdup("all modes, of which its PMU can leave none out");
	event_attr(set, i, true, false, &attr);
	strbuf_init(&text);
	strbuf_addstr(&text, attr.exclude_user ? "" : "user mode");
	if (!attr.exclude_kernel)
		strbuf_addf(&text, "%skernel", text.len ? " and " : "");
	else if (!attr.exclude_hv)
		strbuf_addf(&text, "%shypervisor", text.len ? " and " : "");
	if (attr.exclude_host)
		strbuf_addstr(&text, " of guests only");
	else if (!attr.exclude_guest)
		strbuf_addstr(&text, ", guests too");
	return text.text;
}

/* Returns the meaning of the event, cut between words if it is too long; NULL: unknown. */
static char *describe_meaning(const struct event *e, const struct machine *m)
{
	struct strbuf text;
	char *meaning = NULL;

	strbuf_init(&text);
	if (meaning_add(&text, e, m)) {
		size_t n = text.len;

		if (n > MEANING_MAX)
			for (n = MEANING_MAX - 3; n > 0 && text.text[n] != ' '; n--)
				;
		meaning = xasprintf("%.*s%s", (int)n, text.text, n < text.len ? "..." : "");
	}
	strbuf_done(&text);
	return meaning;
}

static void add_origin(struct origins *out, const struct event_set *set, int i,
		       const struct machine *m)
{
	const struct event *e = &set->event[i];
	struct origin *x = &out->v[out->n++];

	*x = (struct origin){.counter = xstrdup(e->name)};
	if (!e->what)
		return;
	x->what = xstrdup(e->what);
	x->pmu = describe_pmu(e, m);
	x->code = describe_code(e);
	x->modes = describe_modes(set, i);
	x->meaning = describe_meaning(e, m);
}

void origins_fill(struct origins *out, const struct event_set *set, const struct machine *m)
{
	origins_done(out);
	out->v = xcalloc((size_t)set->n, sizeof *out->v);
	for (int i = 0; i < set->n; i++)
		add_origin(out, set, i, m);
}

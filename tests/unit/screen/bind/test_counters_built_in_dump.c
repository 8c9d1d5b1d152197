/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events that each built-in screen opens on each CPU that the tables distinguish, with
 * libpfm4's tables and without: the columns, and each counter with its type, configs and modes. The
 * golden files show when a change of the tables changes what is counted on a CPU.
 */
#include "cpu_child.h"
#include "golden.h"
#include "model/kinds.h"
#include "pfm_tables.h"
#include "screen/bind/counters.h"
#include "screen/compile.h"
#include "screen/screen.h"

static void ignore(void *context, int line, const struct err *err)
{
	(void)context, (void)line, (void)err;
}

/* Adds the modes: u user, k kernel, h hypervisor, G guests, H host. */
static void add_modes(struct strbuf *out, const struct event_set *set, int i)
{
	struct perf_event_attr attr;

	event_attr(set, i, true, false, &attr);
	strbuf_addf(out, " %s%s%s%s%s", attr.exclude_user ? "" : "u",
		    attr.exclude_kernel ? "" : "k", attr.exclude_hv ? "" : "h",
		    attr.exclude_guest ? "" : "G", attr.exclude_host ? "" : "H");
}

static void add_event(struct strbuf *out, const struct event_set *set, int i,
		      const struct machine *m)
{
	const struct event *e = &set->event[i];

	strbuf_addf(out, "  %s", e->name);
	if (machine_is_hybrid(m) && e->core != EVENT_NO_CORE)
		strbuf_addf(out, "@%s", m->core[e->core].name);
	strbuf_addf(out, " %u:%#llx", e->type, (unsigned long long)e->config);
	if (e->config1 || e->config2)
		strbuf_addf(out, ":%#llx:%#llx", (unsigned long long)e->config1,
			    (unsigned long long)e->config2);
	add_modes(out, set, i);
	if (e->scale)
		strbuf_addf(out, " x %g", e->scale);
	strbuf_addch(out, '\n');
}

/* Adds the column and its counters, which should be in one group. */
static void add_column(struct strbuf *out, const struct screen *s, size_t i)
{
	const struct column *c = &s->column[i];

	strbuf_addf(out, "  %s%s:", c->header + strspn(c->header, " "), c->optional ? "?" : "");
	for (size_t k = 0; k < expr_n_refs(c->expr); k++) {
		int symbol = expr_ref_at(c->expr, k).symbol;

		strbuf_addf(out, " %s",
			    (size_t)symbol < s->n_aliases
				    ? s->alias[symbol]
				    : variable_at(symbol - SYMBOL_VARIABLE).name);
	}
	strbuf_addch(out, '\n');
}

static void add_screen(struct strbuf *out, struct screen *s, const struct machine *m,
		       struct perf_sys *sys)
{
	const struct offer offer = offer_live(m, sys, false);
	struct event_set set;

	screen_compile(s, ignore, NULL, NULL);
	if (!fit_may_show(s, &offer)) {
		strbuf_addf(out, " %s hidden\n", s->name);
		return;
	}
	strbuf_addf(out, " %s\n", s->name);
	fit_screen(s, &offer);
	counters_make_set(&set, s, &offer);
	for (size_t i = 0; i < s->n_columns; i++)
		add_column(out, s, i);
	for (int i = 0; i < set.n; i++)
		if (set.event[i].quality == QUALITY_EXACT)
			add_event(out, &set, i, m);
	event_set_done(&set);
}

static void tell(struct strbuf *out, const void *context, const struct machine *m,
		 struct perf_sys *sys)
{
	struct screen_list list = SCREEN_LIST_INIT;

	(void)context;
	screen_list_add_built_in(&list, 0, screen_built_in_n);
	/* The codes of screens of CPUs are in known_codes.h; screens of locks and calls have
	 * none. */
	for (size_t i = 0; i < list.n; i++)
		if (!list.v[i]->rows || (strcmp(list.v[i]->rows, kind_cpu.name) != 0 &&
					 strcmp(list.v[i]->rows, kind_lock.name) != 0 &&
					 strcmp(list.v[i]->rows, kind_call.name) != 0))
			add_screen(out, list.v[i], m, sys);
	screen_list_done(&list);
}

/* The output of CPUs; those with the same output are in one paragraph. */
struct dump {
	struct strbuf heads, reported;
};

static void add_cpu(struct dump *dump, size_t *n, const struct played_cpu *c, const char *tables)
{
	struct played_cpu played = *c;
	struct strbuf reported;
	size_t i = 0;

	played.tables = tables;
	strbuf_init(&reported);
	cpu_child_ask(&reported, &played, tell, NULL);
	while (i < *n && strcmp(dump[i].reported.text, reported.text))
		i++;
	if (i == *n) {
		strbuf_init(&dump[i].heads);
		strbuf_init(&dump[i].reported);
		strbuf_addstr(&dump[i].reported, reported.text);
		++*n;
	}
	strbuf_addf(&dump[i].heads, "%s %s %s", c->cpu, tables, c->pmu[0] ? c->pmu[0]->name : "-");
	for (int k = 1; k < 3 && c->pmu[k]; k++)
		strbuf_addf(&dump[i].heads, " %s", c->pmu[k]->name);
	strbuf_addch(&dump[i].heads, '\n');
	strbuf_done(&reported);
}

/* tables: name of libpfm4's tables; NULL: those of each CPU, skipping CPUs without. */
static void test_dump(const char *name, const char *tables)
{
	struct dump *dump = xcalloc(N_PLAYED_CPUS, sizeof *dump);
	struct strbuf all;
	size_t n = 0;

	for (size_t i = 0; i < N_PLAYED_CPUS; i++) {
		const struct played_cpu c = played_cpu_at(i);

		if (tables || strcmp(c.tables, NO_TABLES))
			add_cpu(dump, &n, &c, tables ? tables : c.tables);
	}
	strbuf_init(&all);
	for (size_t i = 0; i < n; i++) {
		strbuf_addf(&all, "%s%s", dump[i].heads.text, dump[i].reported.text);
		strbuf_done(&dump[i].heads);
		strbuf_done(&dump[i].reported);
	}
	golden_check("screens", name, all.text);
	strbuf_done(&all);
	free(dump);
}

int main(void)
{
	const char *lacking = pfm_tables_lacking();

	if (lacking)
		tap_skip("with-libpfm4", lacking);
	else
		test_dump("with-libpfm4", NULL);
	test_dump("without-libpfm4", NO_TABLES);
	return tap_done();
}

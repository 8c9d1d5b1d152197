/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/event/describe.h"
#include "pmu/event/name.h"
#include "pmu/event/raw_event.h"
#include "pmu/event/table.h"

/* Appends a suggestion for the first name of the declaration to the sentence. */
static void suggest(const struct counter_decl *c, const struct machine *machine, struct err *err)
{
	const char *list = c->event;
	char *name = event_name_next(&list);

	event_suggest_add(machine, name, err);
	free(name);
}

/* Checks the names of a declaration. Appends them to *what, "'A', 'B'", sets *n to their number,
 * and err to the reason why the first unknown name is unknown. Returns 0 if a name is known;
 * -EINVAL if a name is invalid on any machine; else -ENOENT. */
static int check_names(const struct counter_decl *c, const struct machine *machine,
		       struct strbuf *what, int *n, struct err *err)
{
	const char *list = c->event;
	struct candidate candidate = {.decl = c};
	bool known = false;

	for (*n = 0; (candidate.name = event_name_next(&list)); ++*n) {
		struct err why = ERR_INIT;
		struct event e = {.name = NULL};
		int ret = candidate_resolve(&e, &candidate, machine, 0, &why);

		/* A name is known if one kind of cores knows it. */
		for (int core = 1; ret && core < machine_kinds(machine); core++)
			ret = candidate_resolve(&e, &candidate, machine, core, NULL) ? ret : 0;

		strbuf_addf(what, "%s'%s'", *n ? ", " : "", candidate.name);
		free(candidate.name);
		known = known || !ret;
		if (ret && (!err->code || ret == -EINVAL))
			*err = why;
		if (ret == -EINVAL)
			return -EINVAL;
	}
	if (!*n)
		return err_set(err, EINVAL, "the event '%s' names nothing", c->event);
	if (!known)
		suggest(c, machine, err);
	return known ? 0 : -ENOENT;
}

/* Returns whether the alias of c has another declaration for this CPU whose event is known. */
static bool has_other(const struct screen *screen, const struct counter_decl *c,
		      const struct machine *machine)
{
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *other = &screen->counter[i];
		struct strbuf what;
		int n, ret = 0;

		if (other == c || strcmp(other->alias, c->alias) ||
		    !machine_fits(machine, -1, other->arch, other->model))
			continue;
		strbuf_init(&what);
		if (other->event)
			ret = check_names(other, machine, &what, &n, &(struct err)ERR_INIT);
		strbuf_done(&what);
		if (!ret)
			return true;
	}
	return false;
}

/* Returns whether the event table has a name of the declaration, perhaps for other CPUs only. */
static bool is_of_table(const struct counter_decl *c, const struct machine *machine)
{
	const char *list = c->event;
	bool found = false;
	char *name;

	while (!found && (name = event_name_next(&list))) {
		found = event_table_find(machine->table, name, strcspn(name, ":"));
		free(name);
	}
	return found;
}

/* Returns whether an event of the declaration is known on this kind of cores. quick: returns true
 * only if that is certain without slow lookups. */
static bool knows_declaration(const struct counter_decl *c, const struct offer *offer, int core,
			      bool quick)
{
	const struct machine *m = offer->machine;
	struct candidate candidate = {.decl = c};
	struct event e = {.name = NULL};
	struct event_names names;
	bool known = false;

	if (!c->event)
		return !offer->ops->resolve(offer, &e, core, &candidate);
	event_names_init(&names, m->table, &m->cpu, machine_pmu(m, core), m->takes_codes, c->event);
	while (!known && (candidate.name = event_names_next(&names))) {
		candidate.weight = names.weight;
		known = quick ? offer->ops->is_certain(offer, candidate.name) &&
					!event_weight_is_slots(candidate.weight)
			      : !offer->ops->resolve(offer, &e, core, &candidate);
		free(candidate.name);
	}
	event_names_done(&names);
	return known;
}

/* Returns whether the offer has the event of the declaration. A recording may have an event that
 * this machine does not know, because a file of the recorded machine defined it. */
static bool is_known(const struct counter_decl *c, const struct offer *offer)
{
	for (int core = 0; core < machine_kinds(offer->machine); core++)
		if (knows_declaration(c, offer, core, false))
			return true;
	return false;
}

/* Checks the event of a declaration. Returns 0; or -errno with a sentence, to which the caller adds
 * screen and alias. */
static int check_event(const struct screen *screen, const struct counter_decl *c,
		       const struct offer *offer, struct err *err)
{
	const struct machine *machine = offer->machine;
	struct strbuf what;
	int n, ret;

	strbuf_init(&what);
	ret = check_names(c, machine, &what, &n, err);
	if (ret == -ENOENT &&
	    (!machine_fits(machine, -1, c->arch, c->model) || has_other(screen, c, machine) ||
	     is_of_table(c, machine) || is_known(c, offer)))
		ret = 0;
	else if (ret == -ENOENT && n > 1)
		err_prefix(err, "none of %s is known here", what.text);
	strbuf_done(&what);
	err->code = -ret;
	return ret;
}

int counters_check_event(const char *event, const struct offer *offer, struct err *err)
{
	const struct counter_decl decl = {.event = (char *)event};
	struct strbuf what;
	int n, ret;

	strbuf_init(&what);
	ret = check_names(&decl, offer->machine, &what, &n, err);
	if (ret == -ENOENT && is_known(&decl, offer))
		ret = 0;
	else if (ret == -ENOENT && n > 1)
		err_prefix(err, "none of %s is known here", what.text);
	strbuf_done(&what);
	return ret;
}

int counters_check_events(const struct screen *screen, const struct offer *offer, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = 0;

	for (size_t i = 0; i < screen->n_counters && !ret; i++)
		ret = counters_check_event(screen->counter[i].event, offer, &why);
	if (!ret)
		return 0;
	return err_set(err, -ret, "%s%s", why.text,
		       ret == -ENOENT ? ": 'tiptop --list-events' lists those that are known" : "");
}

void counters_check(const struct screen *screen, const struct offer *offer, screen_report report,
		    void *context)
{
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];
		struct err err = ERR_INIT;
		struct event e = {.name = NULL};

		if (c->event ? !check_event(screen, c, offer, &err)
			     : !candidate_config(&e, c, offer->machine, 0, &err))
			continue;
		err_prefix(&err, "screen '%s', counter '%s'", screen->name, c->alias);
		report(context, c->line, &err);
	}
}

/* A search for the event of one counter on one kind of cores. */
struct search {
	struct event_set *set;
	int i; /* index of the event in the set */
	int core;
	const struct offer *offer;
};

static char *describe(const struct candidate *c)
{
	if (c->name)
		return xstrdup(c->name);
	return xasprintf("%s %s", c->decl->type ? c->decl->type : "HARDWARE", c->decl->config);
}

/* Does nothing and returns false if this machine does not know the candidate. Else returns true if
 * the current event of the search is available, which ends the search; if it is not, replaces it
 * with the candidate and returns false. */
static bool try_candidate(const struct search *s, const struct candidate *c)
{
	struct event *e = &s->set->event[s->i], next = *e;

	if (s->offer->ops->resolve(s->offer, &next, s->core, c))
		return false;
	if (e->quality == QUALITY_EXACT && s->offer->ops->has(s->offer, s->set, s->i))
		return true;
	free(next.what);
	next.what = describe(c);
	*e = next;
	return false;
}

static bool try_declaration(const struct search *s, const struct counter_decl *c)
{
	const struct machine *m = s->offer->machine;
	struct candidate candidate = {.decl = c};
	struct event_names names;
	bool found = false;

	if (!c->event)
		return try_candidate(s, &candidate);
	event_names_init(&names, m->table, &m->cpu, machine_pmu(m, s->core), m->takes_codes,
			 c->event);
	while (!found && (candidate.name = event_names_next(&names))) {
		candidate.weight = names.weight;
		found = try_candidate(s, &candidate);
		free(candidate.name);
	}
	event_names_done(&names);
	return found;
}

static void find_event(const struct search *s, const struct screen *screen, const char *alias)
{
	bool fits = false;

	s->set->event[s->i].quality = QUALITY_UNSUPPORTED;
	s->set->event[s->i].core = (int8_t)s->core;
	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];

		if (strcmp(c->alias, alias) ||
		    !machine_fits(s->offer->machine, s->core, c->arch, c->model))
			continue;
		if (try_declaration(s, c))
			return;
		fits = true;
	}
	if (fits && !s->set->event[s->i].what)
		s->set->event[s->i].quality = s->offer->lack;
}

char *counters_choice(const char *event, const struct offer *offer)
{
	const struct counter_decl decl = {.event = (char *)event};
	char *taken = NULL;
	bool differ = false;

	for (int core = 0; core < machine_kinds(offer->machine) && !differ; core++) {
		struct event_set set;
		struct search s = {&set, 0, core, offer};
		const char *what;

		event_set_init(&set);
		event_set_add(&set, event)->quality = QUALITY_UNSUPPORTED;
		set.event[0].core = (int8_t)core;
		try_declaration(&s, &decl);
		what = set.event[0].what;
		differ = taken && what && strcmp(taken, what);
		if (!taken && what)
			taken = xstrdup(what);
		event_set_done(&set);
	}
	if (!differ)
		return taken;
	free(taken);
	return NULL;
}

static bool know_alias(const struct screen *screen, const char *alias, const struct offer *offer,
		       bool quick)
{
	const struct machine *m = offer->machine;

	for (size_t i = 0; i < screen->n_counters; i++) {
		const struct counter_decl *c = &screen->counter[i];

		for (int core = 0; !strcmp(c->alias, alias) && core < machine_kinds(m); core++)
			if (machine_fits(m, core, c->arch, c->model) &&
			    knows_declaration(c, offer, core, quick))
				return true;
	}
	return false;
}

/* Returns whether at least one kind of cores of this machine knows an event that is declared for
 * the alias. Only looks up names and opens nothing. Events given by numbers and generic events need
 * no lookup in sysfs and libpfm4, which would be slow. */
static bool counters_know_alias(const struct screen *screen, const char *alias,
				const struct offer *offer)
{
	return know_alias(screen, alias, offer, true) || know_alias(screen, alias, offer, false);
}

bool counters_are_shown(const struct screen *screen, int alias)
{
	for (size_t i = 0; i < screen->n_columns; i++)
		for (size_t k = 0; k < expr_n_refs(screen->column[i].expr); k++)
			if (expr_ref_at(screen->column[i].expr, k).symbol == alias)
				return true;
	return false;
}

/* Adds the counter of alias a, with an event for each kind of cores. An event that no PMU of cores
 * counts is added only once; that of an alias without a column is not looked up. If there would be
 * no space left for one event of each remaining alias, the counter gets fewer events and is marked
 * as `lacking`. */
static void add_counter(struct event_set *set, const struct screen *screen, size_t a,
			const struct offer *offer)
{
	const int kinds = machine_kinds(offer->machine);
	const char *alias = screen->alias[a];
	size_t to_come = screen->n_aliases - a - 1;

	event_set_add(set, alias)->quality = QUALITY_UNSUPPORTED;
	if (!counters_are_shown(screen, (int)a))
		return;
	for (int core = 0; core < kinds; core++) {
		struct search s = {set, set->n - 1, core, offer};

		find_event(&s, screen, alias);
		if (set->event[s.i].core == EVENT_NO_CORE || core + 1 == kinds)
			return;
		if ((size_t)set->n + to_come == EVENT_SET_MAX) {
			set->event[s.i].lacking = true;
			return;
		}
		event_set_add_part(set, alias);
	}
}

static void join_column(struct event_set *set, const struct column *column)
{
	uint64_t counters = 0;

	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		int symbol = expr_ref_at(column->expr, i).symbol;

		if (symbol < set->n_counters)
			counters |= 1ull << symbol;
	}
	event_set_join(set, counters);
}

/* Joins the counters whose declarations have the same join number. */
static void join_declared(struct event_set *set, const struct screen *screen)
{
	uint64_t counters;

	for (int join = 1; join <= (int)screen->n_counters; join++) {
		counters = 0;
		for (size_t i = 0; i < screen->n_counters; i++)
			for (size_t a = 0; screen->counter[i].join == join && a < screen->n_aliases;
			     a++)
				if (!strcmp(screen->alias[a], screen->counter[i].alias))
					counters |= 1ull << a;
		if (counters) {
			event_set_join(set, counters);
			set->n_wishes++;
		}
	}
}

void counters_make_set(struct event_set *set, const struct screen *screen,
		       const struct offer *offer)
{
	event_set_init(set);
	set->kernel = offer->kernel;
	for (size_t i = 0; i < screen->n_aliases; i++)
		add_counter(set, screen, i, offer);
	for (size_t i = 0; i < screen->n_columns; i++)
		join_column(set, &screen->column[i]);
	join_declared(set, screen);
}

void counters_describe(struct screen_numbers *out, const struct event_set *set)
{
	struct sample_event event[EVENT_SET_MAX];
	int head[EVENT_SET_MAX] = {0};

	/* The parts of a counter are adjacent. */
	for (int i = 0; i < set->n; i++) {
		bool first = i == 0 || set->event[i].counter != set->event[i - 1].counter;

		if (first)
			head[set->event[i].counter] = i;
		event[i] = event_to_sample(set, i);
		event[i].part_of = (uint16_t)(first ? 0 : head[set->event[i].counter] + 1);
	}
	screen_numbers_init(out, sample_events_new(event, set->n), head, set->n_counters);
}

/* Returns whether this machine knows an event of the counter. Before events are opened, a known
 * event has QUALITY_EXACT. */
static bool resolved(const struct event_set *set, int counter)
{
	for (int i = 0; i < set->n; i++)
		if (set->event[i].counter == counter && set->event[i].quality == QUALITY_EXACT)
			return true;
	return false;
}

static bool has_counter(struct event_set *set, int counter, const struct offer *offer)
{
	for (int i = 0; i < set->n; i++)
		if (set->event[i].counter == counter && set->event[i].quality == QUALITY_EXACT &&
		    offer->ops->has(offer, set, i))
			return true;
	return false;
}

bool counters_available(struct event_set *set, const struct column *column,
			const struct offer *offer)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		struct expr_ref ref = expr_ref_at(column->expr, i);

		if (ref.symbol < SYMBOL_VARIABLE && !has_counter(set, ref.symbol, offer))
			return false;
	}
	return true;
}

bool counters_known(const struct event_set *set, const struct column *column)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++) {
		struct expr_ref ref = expr_ref_at(column->expr, i);

		if (ref.symbol < SYMBOL_VARIABLE && !resolved(set, ref.symbol))
			return false;
	}
	return true;
}

/* ---- fit ---- */

bool fit_tells_cores_apart(const struct column *column)
{
	for (size_t i = 0; i < expr_n_refs(column->expr); i++)
		if (expr_ref_at(column->expr, i).symbol == SYMBOL_VARIABLE + VARIABLE_FAST_CORES)
			return true;
	return false;
}

static bool same_id(const struct screen *screen, size_t i, size_t k)
{
	return !strcmp(screen->column[i].id, screen->column[k].id);
}

static bool id_is_taken(const struct screen *screen, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (same_id(screen, i, k))
			return true;
	return false;
}

/* Keeps one of the columns that share the id of column i, the first of them, and drops the others.
 * Keeps the first whose events this machine knows; if there is none, the last. */
static void choose_variant(struct screen *screen, const struct event_set *set, size_t i)
{
	size_t chosen = i;
	bool optional = true;

	for (size_t k = i; k < screen->n_columns; k++) {
		if (!same_id(screen, i, k))
			continue;
		optional = optional && screen->column[k].optional;
		if (!counters_known(set, &screen->column[chosen]))
			chosen = k;
	}
	screen->column[chosen].optional = optional;
	for (size_t k = screen->n_columns; k-- > i;)
		if (k != chosen && same_id(screen, chosen, k)) {
			screen_drop_column(screen, k);
			chosen -= k < chosen;
		}
}

static bool can_be_shown(const struct column *column, struct event_set *set,
			 const struct offer *offer)
{
	if (fit_tells_cores_apart(column) && !machine_is_hybrid(offer->machine))
		return false;
	return counters_available(set, column, offer);
}

static bool knows_column(const struct screen *screen, size_t i, const struct offer *offer)
{
	const struct expr *expr = screen->column[i].expr;

	for (size_t k = 0; k < expr_n_refs(expr); k++) {
		size_t symbol = (size_t)expr_ref_at(expr, k).symbol;

		if (symbol < screen->n_aliases &&
		    !counters_know_alias(screen, screen->alias[symbol], offer))
			return false;
	}
	return true;
}

/* Returns whether this CPU has the events of one of the columns with the id of column i, or can do
 * without them, because all of them are optional. */
static bool can_do_without(const struct screen *screen, size_t i, const struct offer *offer)
{
	bool optional = true;

	for (size_t k = i; k < screen->n_columns; k++)
		if (same_id(screen, i, k))
			optional = optional && screen->column[k].optional;
	for (size_t k = i; k < screen->n_columns && !optional; k++)
		if (same_id(screen, i, k) && knows_column(screen, k, offer))
			return true;
	return optional;
}

bool fit_may_show(const struct screen *screen, const struct offer *offer)
{
	if (screen->file && !screen->needs)
		return true;
	for (size_t i = 0; i < screen->n_columns; i++)
		if (!id_is_taken(screen, i) && !can_do_without(screen, i, offer))
			return false;
	return true;
}

void fit_screen(struct screen *screen, const struct offer *offer)
{
	struct event_set set;

	if (screen->fitted)
		return;
	screen->fitted = true;
	counters_make_set(&set, screen, offer);
	for (size_t i = screen->n_columns; i-- > 0;)
		if (!id_is_taken(screen, i))
			choose_variant(screen, &set, i);
	for (size_t i = screen->n_columns; i-- > 0 && screen->n_columns > 1;)
		if (screen->column[i].optional && !can_be_shown(&screen->column[i], &set, offer))
			screen_drop_column(screen, i);
	event_set_done(&set);
}

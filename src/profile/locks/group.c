/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/group.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "profile/locks/resolver.h"

static const char *const key_names[] = {
	[LOCKS_BY_VARIABLE] = "variable", [LOCKS_BY_PLACE] = "place",
	[LOCKS_BY_LOCK] = "lock",         [LOCKS_BY_KIND] = "kind",
	[LOCKS_BY_PROCESS] = "process",   [LOCKS_BY_THREAD] = "thread",
};

const char *locks_group_key_name(enum locks_group_key key)
{
	return key < LOCKS_BY_ARRAY ? key_names[key] : NULL;
}

int locks_group_find(enum locks_group_key *key, const char *name, struct err *err)
{
	struct suggestion near;

	suggestion_begin(&near, name);
	for (int k = LOCKS_BY_VARIABLE; k <= LOCKS_BY_THREAD; k++) {
		suggestion_offer(&near, key_names[k]);
		if (strcmp(name, key_names[k]) != 0)
			continue;
		*key = (enum locks_group_key)k;
		return 0;
	}
	return err_set(err, EINVAL,
		       "--group: there is no group '%s'%s: variable, place, lock, kind, process or "
		       "thread",
		       name, suggestion_text(&near));
}

/* --- names --- */

/* Appends the name of a lock; if it is a variable, without the offset in it. */
static void add_variable(struct strbuf *out, const struct locks_instance *i, struct resolver *names)
{
	const size_t at = out->len;

	locks_name_add(names, out, i);
	if (i && out->text[at] != '[') {
		text_cut_offset(out->text + at);
		out->len = strlen(out->text);
	}
}

static const char *part_of_process(const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;

	if (!i)
		return "other";
	if (i->kind == LOCKS_FUTEX)
		return line->idle ? "idle futexes" : "futexes";
	if (locks_is_held((enum locks_kind)i->kind))
		return "locks";
	return line->idle ? "idle waits" : "waits";
}

/* Appends the name of the group to which a line belongs. */
static void add_group_name(struct strbuf *out, enum locks_group_key key,
			   const struct locks_line *line, struct resolver *names)
{
	if (key == LOCKS_BY_PLACE)
		locks_name_add_caller(names, out, line->sum.caller);
	else if (key == LOCKS_BY_KIND)
		strbuf_addstr(out, locks_name_kind(line->instance, line->sum.shared));
	else if (key == LOCKS_BY_PROCESS)
		strbuf_addstr(out, part_of_process(line));
	else if (key == LOCKS_BY_LOCK)
		locks_name_add(names, out, line->instance);
	else
		add_variable(out, line->instance, names);
}

/* --- groups --- */

struct item {
	const struct locks_line *line;
	char *key; /* equal for all lines of a group */
	size_t group;
};

/* Returns the address of the symbol that a lock is in, or the caller that acquired it first if the
 * lock has no name: file-local variables, and functions, of several files may have one name. */
static uint64_t find_symbol(const struct locks_instance *i, struct resolver *names)
{
	uint64_t found = i ? i->first_caller : 0;
	struct strbuf name;
	size_t len;

	strbuf_init(&name);
	locks_name_add(names, &name, i);
	if (i && name.text[0] != '[') {
		text_cut_offset(name.text);
		len = strlen(name.text);
		found = locks_place(i->address, i->layer) -
			(len < name.len ? strtoull(name.text + len + 1, NULL, 16) : 0);
	}
	strbuf_done(&name);
	return found;
}

/* Returns a text that is equal for all lines of a group, and different otherwise; owned by the
 * caller. */
static char *make_key(enum locks_group_key key, const struct locks_line *line,
		      struct resolver *names)
{
	const struct locks_instance *i = line->instance;
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "%d %d ", i ? (int)i->kind : -1, line->idle);
	if (key == LOCKS_BY_PROCESS)
		strbuf_reset(&text);
	if (key == LOCKS_BY_LOCK)
		strbuf_addf(&text, "%p", (const void *)i);
	else if (key == LOCKS_BY_PLACE)
		strbuf_addf(&text, "%" PRIx64, line->sum.caller);
	else
		add_group_name(&text, key, line, names);
	if (key == LOCKS_BY_VARIABLE || key == LOCKS_BY_ARRAY)
		strbuf_addf(&text, " %" PRIx64, find_symbol(i, names));
	if (key == LOCKS_BY_ARRAY)
		strbuf_addf(&text, " %" PRIx64, line->sum.caller);
	return text.text;
}

/* Sorts by key, then by lock and caller. */
static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	const int order = strcmp(x->key, y->key);

	return order ? order : locks_report_compare_rows(&x->line->sum, &y->line->sum);
}

static int compare_by_row(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	return locks_report_compare_rows(&x->line->sum, &y->line->sum);
}

static bool are_alike(const struct item *x, const struct item *y)
{
	return !strcmp(x->key, y->key);
}

static uint64_t count_locks(const struct locks_line *line)
{
	return !line->instance ? 0 : line->instance->several ? line->instance->generation : 1;
}

static const char *kind_of(const struct locks_line *line)
{
	return locks_name_kind(line->instance, line->sum.shared);
}

/* Returns the kind of a group with one line more; NULL: several kinds. */
static const char *join_kinds(const char *kind, const struct locks_line *line)
{
	const char *other = kind_of(line);

	if (!kind || !strcmp(kind, other))
		return kind;
	return !strncmp(kind, "rwlock", 6) && !strncmp(other, "rwlock", 6) ? "rwlock" : NULL;
}

/* Adds a line to its group, except for its sum, which add_group() adds. is_new: it is the first
 * line with its lock. */
static void add_line(struct locks_line *to, const struct locks_line *from, bool is_new,
		     const struct locks_copy *c)
{
	struct locks_group *g = &to->group;

	if (is_new) {
		g->n_locks += count_locks(from);
		g->knows_owner &= locks_name_knows_owner(from->instance);
		g->owner_changes += from->instance ? from->instance->owner_changes : 0;
		if (from->instance && from->instance->n_processes > g->n_processes)
			g->n_processes = from->instance->n_processes;
	}
	g->several_callers |= to->sum.caller != from->sum.caller;
	g->kind = join_kinds(g->kind, from);
	/* The group is no more certain than its least certain line. */
	if (from->certainty > to->certainty)
		to->certainty = from->certainty;
	if (to->counts && from->counts)
		locks_counts_add(to->counts, from->counts, c->header.n_events);
}

/* Sums the n lines of a group. */
static void add_group(struct locks_groups *g, enum locks_group_key key, struct item *item, size_t n,
		      const struct locks_copy *c, struct resolver *names)
{
	struct locks_line *to = &g->line[g->n];
	struct strbuf name;

	*to = *item->line;
	to->counts = g->counts ? &g->counts[g->n * c->header.n_events * LOCKS_PHASES] : NULL;
	to->holder = to->holder_ticks = 0;
	to->group = (struct locks_group){.kind = kind_of(item->line),
					 .knows_owner = key != LOCKS_BY_PLACE};
	for (size_t i = 0; i < n; i++) {
		if (i)
			locks_row_add(&to->sum, &item[i].line->sum);
		add_line(to, item[i].line,
			 !i || item[i].line->instance != item[i - 1].line->instance, c);
		item[i].group = g->n;
	}
	strbuf_init(&name);
	add_group_name(&name, key, to, names);
	g->name = xgrow(g->name, &g->cap_names, g->n_names + 1, sizeof *g->name);
	to->group.name = g->name[g->n_names++] = name.text;
	g->n++;
}

/* Adds lines that are in no group as they are. */
static void keep_lines(struct locks_groups *g, struct item *item, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		item[i].group = g->n;
		g->line[g->n++] = *item[i].line;
	}
}

/* Returns whether n lines that differ only in their locks have too few locks for a group, or are
 * only one. */
static bool are_few(const struct item *item, size_t n)
{
	uint64_t locks = 0;

	for (size_t i = 0; i < n; i++)
		locks += count_locks(item[i].line);
	return locks < LOCKS_FOLD || n < 2;
}

/* --- holders --- */

struct held {
	size_t group;
	uint64_t holder, ticks;
};

static int compare_held(const void *a, const void *b)
{
	const struct held *x = a, *y = b;

	if (x->group != y->group)
		return x->group < y->group ? -1 : 1;
	return (x->holder > y->holder) - (x->holder < y->holder);
}

/* Sets the holder of each group. Sorts the items by lock and caller, as the waits of the report
 * are. */
static void find_holders(struct locks_groups *g, struct item *item, size_t n,
			 const struct locks_copy *c, const struct locks_report *r)
{
	struct held *held = xcalloc(c->header.n_waits + 1, sizeof *held);
	uint64_t ticks = 0;
	size_t n_held = 0;

	array_sort(item, n, sizeof *item, compare_by_row);
	for (size_t i = 0, at = 0; i < c->header.n_waits && at < n;) {
		const struct locks_wait *w = &r->wait[i];
		const struct locks_row row = {.instance = w->instance, .caller = w->frame[0]};
		const int order = locks_report_compare_rows(&item[at].line->sum, &row);

		if (!order && w->holder)
			held[n_held++] = (struct held){item[at].group, w->holder, w->ticks};
		i += order >= 0;
		at += order < 0;
	}
	array_sort(held, n_held, sizeof *held, compare_held);
	for (size_t i = 0; i < n_held; i++) {
		struct locks_line *line = &g->line[held[i].group];

		ticks = i && !compare_held(&held[i], &held[i - 1]) ? ticks + held[i].ticks
								   : held[i].ticks;
		if (ticks > line->holder_ticks) {
			line->holder = held[i].holder;
			line->holder_ticks = ticks;
		}
	}
	free(held);
}

/* --- all --- */

static void add_groups(struct locks_groups *g, enum locks_group_key key, struct item *item,
		       size_t n_items, const struct locks_copy *c, struct resolver *names)
{
	for (size_t i = 0, n; i < n_items; i += n) {
		for (n = 1; i + n < n_items && are_alike(&item[i + n], &item[i]);)
			n++;
		if (key == LOCKS_BY_ARRAY && are_few(&item[i], n))
			keep_lines(g, &item[i], n);
		else
			add_group(g, key, &item[i], n, c, names);
	}
}

void locks_groups_make(struct locks_groups *g, enum locks_group_key key, const struct locks_copy *c,
		       const struct locks_report *r, struct resolver *names)
{
	struct item *item = xcalloc(r->n + 1, sizeof *item);

	*g = (struct locks_groups){.line = xcalloc(r->n + 1, sizeof *g->line)};
	if (c->header.n_events)
		g->counts =
			xcalloc((r->n + 1) * c->header.n_events * LOCKS_PHASES, sizeof *g->counts);
	for (size_t i = 0; i < r->n; i++) {
		item[i].line = &r->line[i];
		item[i].key = make_key(key, &r->line[i], names);
	}
	array_sort(item, r->n, sizeof *item, compare_items);
	add_groups(g, key, item, r->n, c, names);
	find_holders(g, item, r->n, c, r);
	locks_report_sort(g->line, g->n);
	for (size_t i = 0; i < r->n; i++)
		free(item[i].key);
	free(item);
}

void locks_groups_done(struct locks_groups *g)
{
	for (size_t i = 0; i < g->n_names; i++)
		free(g->name[i]);
	free(g->name);
	free(g->line);
	free(g->counts);
	*g = (struct locks_groups){.n = 0};
}

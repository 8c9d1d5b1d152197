/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/folded.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "inject/lib/clock.h"
#include "profile/locks/resolver.h"

/* Appends a name without its offset in the function; replaces ';', which separates names. */
static void add_part(struct strbuf *out, char *name)
{
	text_cut_offset(name);
	for (char *p = name; (p = strchr(p, ';'));)
		*p = ':';
	strbuf_addstr(out, name);
}

/* Appends the name of a function; without symbols, the name of its file. */
static void add_function(struct resolver *names, struct strbuf *out, uint64_t address)
{
	struct strbuf name;

	strbuf_init(&name);
	if (resolver_add_name(names, &name, address) || resolver_add_file(names, &name, address))
		add_part(out, name.text);
	else
		strbuf_addstr(out, "?");
	strbuf_done(&name);
}

static bool is_futex(const struct locks_instance *i)
{
	return i && i->kind == LOCKS_FUTEX;
}

/* Appends the name of a lock: its variable, else the caller that acquired it first. */
static void add_lock(const struct locks_copy *c, struct resolver *names, struct strbuf *out,
		     const struct locks_wait *w)
{
	const struct locks_instance *i = w->instance ? &c->instance[w->instance - 1] : NULL;
	struct strbuf name;

	strbuf_init(&name);
	strbuf_addstr(out, is_futex(i) ? ";[futex " : ";[lock ");
	if (i && !i->several &&
	    resolver_add_name(names, &name, locks_place(i->address, i->layer))) {
		add_part(out, name.text);
	} else if (i) {
		strbuf_addstr(out, "of ");
		add_function(names, out, i->first_caller - 1);
	} else {
		strbuf_addstr(out, "other");
	}
	strbuf_addch(out, ']');
	strbuf_done(&name);
}

/* Appends the place that held the lock; of a futex, the place that woke the thread. */
static void add_holder(const struct locks_copy *c, struct resolver *names, struct strbuf *out,
		       const struct locks_wait *w)
{
	const bool wakes = w->instance && is_futex(&c->instance[w->instance - 1]);

	if (!w->holder)
		return;
	strbuf_addstr(out, wakes ? ";[woken by " : ";[held by ");
	add_function(names, out, w->holder - 1);
	strbuf_addch(out, ']');
}

/* Appends the group of a wait; nothing for LOCKS_BY_PROCESS, as each line begins with the process.
 */
static void add_group(const struct locks_copy *c, struct resolver *names, enum locks_group_key key,
		      struct strbuf *out, const struct locks_wait *w)
{
	const struct locks_instance *i = w->instance ? &c->instance[w->instance - 1] : NULL;

	if (key == LOCKS_BY_PLACE) {
		strbuf_addch(out, ';');
		add_function(names, out, w->frame[0] - 1);
	} else if (key == LOCKS_BY_KIND) {
		/* A record of waits does not say whether readers or writers waited. */
		strbuf_addf(out, ";[%s]",
			    !i                        ? "other"
			    : i->kind == LOCKS_RWLOCK ? "rwlock"
						      : locks_name_kind(i, false));
	} else if (key == LOCKS_BY_VARIABLE || key == LOCKS_BY_LOCK) {
		add_lock(c, names, out, w);
		if (i && key == LOCKS_BY_LOCK)
			strbuf_addf(out, " 0x%" PRIx64 "#%" PRIu32, i->address, i->generation);
	}
}

void locks_folded_add(const struct locks_copy *c, struct resolver *names, enum locks_group_key key,
		      struct strbuf *out)
{
	for (uint32_t i = 0; i < c->header.n_waits; i++) {
		const struct locks_wait *w = &c->wait[i];

		if (!w->n)
			continue;
		strbuf_addf(out, "process %u", c->header.container.pid);
		add_group(c, names, key, out, w);
		/* Frames are return addresses: the call is before them. */
		for (uint32_t k = w->n_frames; k; k--) {
			strbuf_addch(out, ';');
			add_function(names, out, w->frame[k - 1] - 1);
		}
		add_lock(c, names, out, w);
		add_holder(c, names, out, w);
		strbuf_addf(out, " %" PRIu64 "\n", tt_multiply(w->ticks, c->header.ns_per_tick));
	}
}

/* Appends the waits of a chain, the last one first. */
static void add_chain(const struct locks_copy *c, struct resolver *names, struct strbuf *out,
		      const struct locks_chain *chain)
{
	const struct locks_wait *waits[LOCKS_CHAIN_DEPTH + 1];
	int n = 0;

	for (; chain && n <= LOCKS_CHAIN_DEPTH; chain = locks_chains_next(c, chain))
		waits[n++] = &c->wait[chain->wait];
	add_holder(c, names, out, waits[n - 1]);
	while (n--) {
		add_lock(c, names, out, waits[n]);
		strbuf_addch(out, ';');
		add_function(names, out, waits[n]->frame[0] - 1);
	}
}

void locks_folded_add_chains(const struct locks_copy *c, struct resolver *names, struct strbuf *out)
{
	for (uint32_t i = 1; i < c->header.n_chains; i++) {
		const struct locks_chain *chain = &c->chain[i];

		if (!chain->n)
			continue;
		strbuf_addf(out, "process %u", c->header.container.pid);
		add_chain(c, names, out, chain);
		strbuf_addf(out, " %" PRIu64 "\n",
			    tt_multiply(chain->ticks, c->header.ns_per_tick));
	}
}

/* ---- chains ---- */

const struct locks_chain *locks_chains_next(const struct locks_copy *copy,
					    const struct locks_chain *chain)
{
	return chain->next ? &copy->chain[chain->next] : NULL;
}

static const struct locks_wait *wait_of(const struct locks_copy *copy,
					const struct locks_chain *chain)
{
	return &copy->wait[chain->wait];
}

/* --- names --- */

void locks_chains_add_lock(struct strbuf *out, const struct locks_copy *copy,
			   const struct locks_chain *chain, struct resolver *names)
{
	const uint32_t instance = wait_of(copy, chain)->instance;

	locks_name_add(names, out, instance ? &copy->instance[instance - 1] : NULL);
}

/* Appends the name of a function without the offset in it; if the name is unknown, file and offset.
 */
static void add_function_name(struct strbuf *out, struct resolver *names, uint64_t caller)
{
	const size_t at = out->len;

	if (!resolver_add_name(names, out, caller - 1)) {
		locks_name_add_caller(names, out, caller);
		return;
	}
	text_cut_offset(out->text + at);
	out->len = strlen(out->text);
}

void locks_chains_add_caller(struct strbuf *out, const struct locks_copy *copy,
			     const struct locks_chain *chain, struct resolver *names)
{
	add_function_name(out, names, wait_of(copy, chain)->frame[0]);
}

bool locks_chains_add_holder(struct strbuf *out, const struct locks_copy *copy,
			     const struct locks_chain *chain, struct resolver *names)
{
	while (chain->next)
		chain = locks_chains_next(copy, chain);
	if (wait_of(copy, chain)->holder)
		add_function_name(out, names, wait_of(copy, chain)->holder);
	return wait_of(copy, chain)->holder != 0;
}

static char *make_text(const struct locks_copy *copy, const struct locks_chain *chain,
		       struct resolver *names)
{
	struct strbuf text;

	strbuf_init(&text);
	for (const struct locks_chain *at = chain; at; at = locks_chains_next(copy, at)) {
		locks_chains_add_lock(&text, copy, at, names);
		strbuf_addstr(&text, " (");
		locks_chains_add_caller(&text, copy, at, names);
		strbuf_addstr(&text, at->next ? ") > " : ")");
	}
	return text.text;
}

/* --- sums --- */

static int compare_texts(const void *a, const void *b)
{
	const struct chain_sum *x = a, *y = b;

	return strcmp(x->text, y->text);
}

static int compare_ticks(const void *a, const void *b)
{
	const struct chain_sum *x = a, *y = b;

	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? 1 : -1;
	return compare_texts(a, b);
}

/* Sums chains with the same text, which follow each other. */
static void join(struct locks_chains *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i++) {
		if (n && !compare_texts(&c->v[n - 1], &c->v[i])) {
			c->v[n - 1].n += c->v[i].n;
			c->v[n - 1].ticks += c->v[i].ticks;
			if (c->v[i].chain->ticks > c->v[n - 1].chain->ticks)
				c->v[n - 1].chain = c->v[i].chain;
			free(c->v[i].text);
		} else {
			c->v[n++] = c->v[i];
		}
	}
	c->n = n;
}

void locks_chains_make(struct locks_chains *c, const struct locks_copy *copy,
		       struct resolver *names)
{
	const uint32_t n = copy->header.n_chains;

	*c = (struct locks_chains){.v = xcalloc(n + 1, sizeof *c->v)};
	for (uint32_t i = 1; i < n; i++) {
		const struct locks_chain *chain = &copy->chain[i];

		c->ticks += chain->ticks;
		if (!chain->n || !chain->next)
			continue;
		c->listed += chain->ticks;
		c->v[c->n++] = (struct chain_sum){make_text(copy, chain, names), chain, chain->n,
						  chain->ticks};
	}
	array_sort(c->v, c->n, sizeof *c->v, compare_texts);
	join(c);
	array_sort(c->v, c->n, sizeof *c->v, compare_ticks);
}

void locks_chains_done(struct locks_chains *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->v[i].text);
	free(c->v);
	*c = (struct locks_chains){.n = 0};
}

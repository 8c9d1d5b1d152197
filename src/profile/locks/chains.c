/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/chains.h"

#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/locks/resolver.h"

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

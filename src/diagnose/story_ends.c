/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of story: what ended badly, in sentences. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "diagnose/story_part.h"

/* More are not read by people; JSON has all. */
#define ENDS_MAX 20

/* Those of one name that ended in the same way. */
struct alike {
	const struct story_exit *first;
	size_t n;
};

static int compare_ways(const struct story_exit *x, const struct story_exit *y)
{
	if (x->signal != y->signal)
		return x->signal < y->signal ? -1 : 1;
	if (x->status != y->status)
		return x->status < y->status ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* Of one way, they keep the order of the story. */
static int compare_exits(const void *a, const void *b)
{
	const struct story_exit *x = ((const struct alike *)a)->first;
	const struct story_exit *y = ((const struct alike *)b)->first;
	const int ways = compare_ways(x, y);

	return ways ? ways : (x > y) - (x < y);
}

static int compare_first(const void *a, const void *b)
{
	const struct story_exit *x = ((const struct alike *)a)->first;
	const struct story_exit *y = ((const struct alike *)b)->first;

	return (x > y) - (x < y);
}

/* Returns how many ways there are; those that came first stand first. */
static size_t gather(const struct story *s, struct alike *out)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n_bad; i++)
		out[i] = (struct alike){&s->bad[i], 1};
	if (s->n_bad)
		qsort(out, s->n_bad, sizeof *out, compare_exits);
	for (size_t i = 0; i < s->n_bad; i++)
		if (n && !compare_ways(out[n - 1].first, out[i].first))
			out[n - 1].n++;
		else
			out[n++] = out[i];
	if (n)
		qsort(out, n, sizeof *out, compare_first);
	return n;
}

static void add_end(struct strbuf *out, const struct alike *a)
{
	const struct story_exit *e = a->first;
	const char *signal = sigabbrev_np(e->signal);

	if (e->at.wall_ns) {
		clock_add_date(out, e->at.wall_ns);
		strbuf_addstr(out, "  ");
	}
	strbuf_addf(out, "%" PRIu64 " ", e->id);
	text_add(out, e->name);
	if (!e->signal)
		strbuf_addf(out, ": ended with status %d", e->status);
	else
		strbuf_addf(out, ": ended by signal %d%s%s%s", e->signal, signal ? " (SIG" : "",
			    signal ? signal : "", signal ? ")" : "");
	if (a->n > 1)
		strbuf_addf(out, "; %zu more did so", a->n - 1);
}

void story_each_end(const struct story *s, void (*say)(void *context, const char *text),
		    void *context)
{
	struct alike *way = xcalloc(s->n_bad, sizeof *way);
	const size_t n = gather(s, way);
	struct strbuf text;
	size_t others = 0;

	strbuf_init(&text);
	for (size_t i = 0; i < n; i++) {
		strbuf_reset(&text);
		add_end(&text, &way[i]);
		if (i < ENDS_MAX)
			say(context, text.text);
		else
			others += way[i].n;
	}
	strbuf_reset(&text);
	if (others) {
		strbuf_addf(&text, "and %zu more, in other ways", others);
		say(context, text.text);
	}
	strbuf_done(&text);
	free(way);
}

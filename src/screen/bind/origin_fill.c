/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/bind/origin_fill.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "model/sample_event.h"
#include "pmu/event/meaning.h"

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
	if (set->event[i].modes_forced)
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: a report of locks as text for people. */
#include <inttypes.h>
#include <string.h>

#include "inject/preload/header.h"
#include "profile/locks/futex_waits.h"
#include "profile/locks/lines_part.h"
#include "profile/locks/lock_name.h"

static void add_sentence(struct strbuf *out, uint64_t n, const char *what)
{
	if (n)
		strbuf_addf(out, "#   %s: %" PRIu64 "\n", what, n);
}

/* In front of an estimate. */
static const char *mark_of(const struct locks_estimate *e)
{
	return e->exact ? "" : "~";
}

static void add_means(const struct locks_lines *l, struct strbuf *out)
{
	static const char *const words[] = {"acquired in", "held for", "released in"};

	if (!locks_n(&l->report->all, LOCKS_ACQUIRE))
		return;
	strbuf_addstr(out, "#   on average");
	for (int p = 0; p < LOCKS_PHASES; p++) {
		const struct locks_estimate e =
			locks_estimate(&l->report->all, (enum locks_phase)p);

		strbuf_addf(out, "%s %s ", p ? "," : "", words[p]);
		if (e.known)
			strbuf_addf(out, "%s%.0f ns", mark_of(&e), lines_mean(l, &e));
		else
			strbuf_addch(out, '?');
	}
	strbuf_addch(out, '\n');
}

/* Who waits by the kernel itself. */
static void add_futex(const struct locks_lines *l, struct strbuf *out)
{
	if (!l->report->n_futex)
		return;
	strbuf_addf(out, "#   calls of futex(2) by the program itself, first by ");
	lines_add_caller(l, out, l->copy->header.futex_caller);
	strbuf_addf(out, ", whose locks are not here: %" PRIu64 "\n", l->report->n_futex);
}

static void add_unseen(const struct locks_lines *l, struct strbuf *out)
{
	struct strbuf part;

	strbuf_init(&part);
	for (uint32_t i = 0; i < l->copy->header.n_modules; i++)
		if (unseen_tell(&l->copy->module[i], &part))
			strbuf_addf(out, "#   %s\n", part.text);
	strbuf_done(&part);
}

static void add_states(const struct locks_lines *l, struct strbuf *out, uint64_t time)
{
	const uint64_t *ticks = l->report->ticks;

	if (lines_is_sampled(l))
		strbuf_addf(
			out,
			"#   one in %u acquisitions was timed, and all that found their lock "
			"taken: what ~ stands before is estimated\n"
			"#   waiting for these and in waits %.1f %%, in tiptop %.1f %%; whether "
			"a lock was held else is not known\n",
			l->copy->header.sample, lines_percent(ticks[LOCKS_WAITING], time),
			lines_percent(ticks[LOCKS_OWN], time));
	else
		strbuf_addf(out,
			    "#   waiting %.1f %%, holding %.1f %%, neither %.1f %%, in tiptop "
			    "%.1f %%\n",
			    lines_percent(ticks[LOCKS_WAITING], time),
			    lines_percent(ticks[LOCKS_HOLDING], time),
			    lines_percent(ticks[LOCKS_FREE], time),
			    lines_percent(ticks[LOCKS_OWN], time));
}

static void add_overhead(const struct locks_lines *l, struct strbuf *out, uint64_t time)
{
	const struct locks_header *h = &l->copy->header;

	if (!h->overhead_ticks) {
		strbuf_addstr(out, "#   what measuring takes was not measured in this process\n");
		return;
	}
	strbuf_addf(out, "#   measuring takes %" PRIu64 " ns an acquisition",
		    lines_ns(l, h->overhead_ticks));
	if (lines_is_sampled(l))
		strbuf_addf(out, " that is timed and %" PRIu64 " ns one that is not",
			    lines_ns(l, h->counted_ticks));
	strbuf_addf(out, ", %.1f %% of the time", lines_percent(l->report->own, time));
	if (l->report->cpu_ns)
		strbuf_addf(out, " and %.1f %% of the CPU time",
			    lines_percent(lines_ns(l, l->report->own), l->report->cpu_ns));
	strbuf_addstr(out, ", which is in these times\n");
}

void lines_add_head(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_header *h = &l->copy->header;
	const struct locks_report *r = l->report;
	const uint64_t time = locks_report_time(r), n = locks_n(&r->all, LOCKS_ACQUIRE);

	strbuf_addf(out, "# locks of process %u: %u thread%s, %.3f s of %s time\n",
		    h->container.pid, h->n_threads, h->n_threads == 1 ? "" : "s",
		    (double)lines_ns(l, time) / 1e9, h->n_threads == 1 ? "its" : "their");
	header_add_stop(out, h->lacking_call, lines_ns(l, h->end - h->begin));
	add_states(l, out, time);
	strbuf_addf(out,
		    "#   %" PRIu64 " acquisition%s of %s%" PRIu64 " lock%s, %.3f in 10,000 ticks "
		    "of the clock; times are no cycles\n",
		    n, n == 1 ? "" : "s", r->at_least ? "at least " : "", r->instances,
		    r->instances == 1 ? "" : "s", lines_density(r));
	add_means(l, out);
	add_overhead(l, out, time);
	for (uint32_t e = 0; e < h->n_events; e++)
		lines_events_add_text_head(l, out, e);
	add_sentence(out, h->n_homeless,
		     "threads without room in the table, whose locks are not here");
	if (r->n_under_way)
		strbuf_addf(out,
			    "#   waits that had not ended at the end: %" PRIu64
			    ", for %.3f ms so far\n",
			    r->n_under_way, (double)lines_ns(l, r->under_way) / 1e6);
	add_sentence(out, locks_report_held(r),
		     "acquisitions that had not been released at the end");
	add_sentence(out, r->n_unmeasured,
		     "calls of signal handlers amid the measuring, which are not here");
	add_sentence(out, r->n_too_deep,
		     "acquisitions with too many locks below them to know how long they held");
	add_sentence(out, r->n_unmatched, "releases of what the thread had not acquired");
	add_futex(l, out);
	add_unseen(l, out);
	if (resolver_given_up(l->names))
		strbuf_addf(out,
			    "#   %zu names and lines of the source were not looked up, as %s: file "
			    "and offset stand for a name\n",
			    resolver_given_up(l->names), resolver_reason(l->names));
}

void lines_add_place(const struct locks_lines *l, struct strbuf *out, uint64_t caller)
{
	struct strbuf source;
	const char *name;

	lines_add_caller(l, out, caller);
	strbuf_init(&source);
	if (locks_name_add_source(l->names, &source, caller)) {
		name = strrchr(source.text, '/');
		strbuf_addf(out, " (%s)", name ? name + 1 : source.text);
	}
	strbuf_done(&source);
}

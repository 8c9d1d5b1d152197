/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: a report of locks as text for people. */
#include <inttypes.h>
#include <string.h>

#include "locks/lines_part.h"
#include "locks/name.h"
#include "locks/unseen.h"
#include "preload/header.h"

/* A column of names is no wider: a longer one moves what is behind it. */
#define MAX_WIDTH 48

/* The columns that are names, and how wide they are. */
enum { NAME, KIND, INSTANCE, CALLER, N_NAMES };

struct widths {
	int of[N_NAMES];
};

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

static void add_head(const struct locks_lines *l, struct strbuf *out)
{
	const struct locks_header *h = &l->copy->header;
	const struct locks_report *r = l->report;
	const uint64_t time = locks_report_time(r);

	strbuf_addf(out, "# locks of process %u: %u thread%s, %.3f s of %s time\n", h->pid,
		    h->n_threads, h->n_threads == 1 ? "" : "s", (double)lines_ns(l, time) / 1e9,
		    h->n_threads == 1 ? "its" : "their");
	header_add_stop(out, h->lacking_call, lines_ns(l, h->end - h->begin));
	add_states(l, out, time);
	strbuf_addf(out,
		    "#   %" PRIu64 " acquisitions of %s%" PRIu64 " lock%s, %.3f in 10,000 ticks of "
		    "the clock; times are no cycles\n",
		    locks_n(&r->all, LOCKS_ACQUIRE), r->at_least ? "at least " : "", r->instances,
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

/* The line of the source, if it is known, without the folder of its file. */
static void add_caller(const struct locks_lines *l, struct strbuf *out, uint64_t caller)
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

/* What stands in a column of names; line NULL: its header. */
static void add_cell(const struct locks_lines *l, struct strbuf *out, const struct locks_line *line,
		     int column)
{
	static const char *const headers[N_NAMES] = {"# lock", "kind", "instance", "caller"};

	if (!line)
		strbuf_addstr(out, headers[column]);
	else if (column == NAME)
		lines_add_name(l, out, line->instance);
	else if (column == KIND)
		strbuf_addstr(out, lines_kind(line));
	else if (column == CALLER)
		add_caller(l, out, line->sum.caller);
	else if (line->instance)
		lines_add_instance(out, line->instance);
	else
		strbuf_addch(out, '-');
}

static void widen(const struct locks_lines *l, struct widths *w, const struct locks_line *line)
{
	for (int c = 0; c < N_NAMES; c++) {
		struct strbuf cell;
		int width;

		strbuf_init(&cell);
		add_cell(l, &cell, line, c);
		width = cell.len < MAX_WIDTH ? (int)cell.len : MAX_WIDTH;
		if (width > w->of[c])
			w->of[c] = width;
		strbuf_done(&cell);
	}
}

static void add_cells(const struct locks_lines *l, struct strbuf *out, const struct widths *w,
		      const struct locks_line *line)
{
	for (int c = 0; c < N_NAMES; c++) {
		const size_t begin = out->len;

		add_cell(l, out, line, c);
		strbuf_pad(out, ' ', w->of[c] - (int)(out->len - begin));
		strbuf_addch(out, ' ');
	}
}

static void add_heading(const struct locks_lines *l, struct strbuf *out, const struct widths *w)
{
	add_cells(l, out, w, NULL);
	strbuf_addf(out, "%10s %6s %8s %11s %5s %11s", "acquired", "cont%", "owners", "failed in",
		    "wait", "so far");
	for (int p = 0; p < LOCKS_PHASES; p++)
		strbuf_addf(out, " %10s %8s %10s", lines_phase_names[p], "ns each", "max us");
	strbuf_addstr(out, " waited for\n");
}

/* The same of an event: a table of its own. */
static void add_event_heading(const struct locks_lines *l, struct strbuf *out,
			      const struct widths *w, uint32_t event)
{
	strbuf_addf(out, "\n# %s of each lock\n", l->copy->header.event[event].name);
	add_cells(l, out, w, NULL);
	strbuf_addf(out, "%10s", "counted");
	for (int p = 0; p < LOCKS_PHASES; p++)
		strbuf_addf(out, " %14s %10s %12s", lines_phase_names[p], "each", "max");
	strbuf_addch(out, '\n');
}

static void add_event_line(const struct locks_lines *l, struct strbuf *out, const struct widths *w,
			   const struct locks_line *line, uint32_t event)
{
	const struct locks_quantity *q = &line->counts[event * LOCKS_PHASES];

	add_cells(l, out, w, line);
	strbuf_addf(out, "%10" PRIu64, q[LOCKS_ACQUIRE].n);
	for (int p = 0; p < LOCKS_PHASES; p++)
		if (q[p].n)
			strbuf_addf(out, " %14" PRIu64 " %10.1f %12" PRIu64, locks_sum(&q[p]),
				    (double)locks_sum(&q[p]) / (double)q[p].n, q[p].max);
		else
			strbuf_addf(out, " %14s %10s %12s", "-", "-", "-");
	strbuf_addch(out, '\n');
}

static void add_event(const struct locks_lines *l, struct strbuf *out, const struct widths *w,
		      uint32_t event)
{
	add_event_heading(l, out, w, event);
	for (size_t i = 0; i < l->report->n; i++)
		add_event_line(l, out, w, &l->report->line[i], event);
}

static void add_phase(const struct locks_lines *l, struct strbuf *out, const struct locks_row *row,
		      enum locks_phase phase)
{
	const struct locks_estimate e = locks_estimate(row, phase);
	struct strbuf sum, mean;

	strbuf_init(&sum);
	strbuf_init(&mean);
	if (e.known) {
		strbuf_addf(&sum, "%s%.3fms", mark_of(&e), (double)lines_ns(l, e.sum) / 1e6);
		strbuf_addf(&mean, "%s%.0f", mark_of(&e), lines_mean(l, &e));
	}
	strbuf_addf(out, " %10s %8s", e.known ? sum.text : "-", e.known ? mean.text : "-");
	if (row->phase[phase].n)
		strbuf_addf(out, " %10.3f", (double)lines_ns(l, e.max) / 1e3);
	else
		strbuf_addf(out, " %10s", "-");
	strbuf_done(&sum);
	strbuf_done(&mean);
}

/* Attempts that did not get it, and waits that have not ended. */
static void add_rest(const struct locks_lines *l, struct strbuf *out, const struct locks_row *row)
{
	if (row->failed)
		strbuf_addf(out, " %9.3fms", (double)lines_ns(l, row->lost) / 1e6);
	else
		strbuf_addf(out, " %11s", "-");
	if (row->n_under_way)
		strbuf_addf(out, " %5" PRIu64 " %9.3fms", row->n_under_way,
			    (double)lines_ns(l, row->under_way) / 1e6);
	else
		strbuf_addf(out, " %5s %11s", "-", "-");
}

/* Whose hold it waited for, and in which part of the time that it waited. */
static void add_holder(const struct locks_lines *l, struct strbuf *out,
		       const struct locks_line *line)
{
	if (!line->holder) {
		strbuf_addstr(out, " -");
		return;
	}
	strbuf_addch(out, ' ');
	lines_add_caller(l, out, line->holder);
	strbuf_addf(out, " %.0f %%",
		    lines_percent(line->holder_ticks, line->sum.waited + line->sum.under_way));
}

static void add_line(const struct locks_lines *l, struct strbuf *out, const struct widths *w,
		     const struct locks_line *line)
{
	const struct locks_row *sum = &line->sum;
	const uint64_t n = locks_n(sum, LOCKS_ACQUIRE);

	add_cells(l, out, w, line);
	strbuf_addf(out, "%10" PRIu64, n);
	if (n && lines_knows_contended(line))
		strbuf_addf(out, " %6.1f", lines_percent(sum->contended, n));
	else
		strbuf_addf(out, " %6s", "-");
	if (lines_knows_owner(line))
		strbuf_addf(out, " %8" PRIu64, line->instance->owner_changes);
	else
		strbuf_addf(out, " %8s", "-");
	add_rest(l, out, sum);
	for (int p = 0; p < LOCKS_PHASES; p++)
		add_phase(l, out, sum, (enum locks_phase)p);
	add_holder(l, out, line);
	strbuf_addch(out, '\n');
}

void lines_text_add(const struct locks_lines *l, struct strbuf *out)
{
	struct widths w = {{0}};

	add_head(l, out);
	if (l->threads) {
		lines_threads_add_text(l, out);
		return;
	}
	widen(l, &w, NULL);
	for (size_t i = 0; i < l->report->n; i++)
		widen(l, &w, &l->report->line[i]);
	add_heading(l, out, &w);
	for (size_t i = 0; i < l->report->n; i++)
		add_line(l, out, &w, &l->report->line[i]);
	for (uint32_t e = 0; e < l->copy->header.n_events; e++)
		if (lines_knows_event(l, e))
			add_event(l, out, &w, e);
}

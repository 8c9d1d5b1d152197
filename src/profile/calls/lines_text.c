/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: the sentences above the tables, for people. */
#include <inttypes.h>

#include "base/text.h"
#include "inject/preload/header.h"
#include "profile/calls/lines_part.h"

static const struct calls_row *library(const struct calls_report *r)
{
	return &r->line[CALLS_LIBRARY].sum;
}

/* what: as text_choose() takes it. */
static void add_sentence(struct strbuf *out, uint64_t n, const char *what)
{
	char sentence[128];

	text_choose(sentence, sizeof sentence, what, n);
	if (n)
		strbuf_addf(out, "#   %" PRIu64 " %s\n", n, sentence);
}

static void add_overhead(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	if (!h->overhead) {
		strbuf_addstr(out, "#   what measuring takes was not measured in this process\n");
		return;
	}
	strbuf_addf(
		out,
		"#   measuring takes %.1f ns a call, of which %.1f are in its own time: %.1f %% "
		"of all",
		calls_overhead_ns(r, h->overhead), calls_overhead_ns(r, h->inside),
		r->time ? calls_share(r, r->own) : 0);
	if (r->cpu_ns)
		strbuf_addf(out, " and %.1f %% of the CPU time",
			    100 * (double)calls_ns(r, r->own) / (double)r->cpu_ns);
	strbuf_addstr(out, ", which is in these times\n");
}

static void add_events(const struct calls_report *r, struct strbuf *out)
{
	for (uint32_t e = 0; e < r->header.n_events; e++) {
		const struct event_note *n = &r->header.event[e];

		strbuf_addf(out, "#   %s in %s mode: ", n->name, calls_mode_names[e % 2]);
		if (calls_report_knows(r, e))
			strbuf_addf(out, "%" PRIu64, r->count[e]);
		else
			strbuf_addch(out, '-');
		if (n->all_modes)
			strbuf_addstr(out, ", " EVENT_NOTE_ALL_MODES);
		if (n->n_threads[EVENT_BY_USER])
			strbuf_addf(out, ", read in user space");
		if (n->n_threads[EVENT_BY_CALL])
			strbuf_addf(out,
				    ", read by system calls in %" PRIu32
				    " thread%s, as user space cannot: that is in the times",
				    n->n_threads[EVENT_BY_CALL],
				    n->n_threads[EVENT_BY_CALL] == 1 ? "" : "s");
		if (calls_report_knows(r, e))
			strbuf_addf(out, "; measuring counts %.1f a call",
				    (double)n->overhead / CALLS_OVERHEAD_UNIT);
		if (r->sum->lacking[e])
			strbuf_addf(out, "; not known in %" PRIu32 " thread%s: %s",
				    r->sum->lacking[e], r->sum->lacking[e] == 1 ? "" : "s",
				    event_note_reason(n) ? event_note_reason(n) : EVENT_NOTE_LOST);
		strbuf_addch(out, '\n');
	}
}

void calls_lines_add_head(const struct calls_report *r, struct strbuf *out)
{
	const struct calls_header *h = &r->header;

	strbuf_addf(out, "# library calls of process %u: %u thread%s, %.3f s of %s time\n",
		    h->container.pid, h->n_threads, h->n_threads == 1 ? "" : "s",
		    (double)calls_ns(r, r->time) / 1e9, h->n_threads == 1 ? "its" : "their");
	strbuf_addstr(out,
		      "#   times are those of a clock, not cycles of a CPU: user and kernel are "
		      "not told apart\n");
	header_add_stop(out, h->lacking_call, calls_ns(r, h->end - h->begin));
	add_events(r, out);
	add_overhead(r, out);
	add_sentence(out, h->n_homeless,
		     "{thread|threads} had no room in the table: {its|their} calls are not here");
	add_sentence(out, library(r)->depth, "{call|calls} had not returned when it ended");
	add_sentence(out, library(r)->amid,
		     "{call of a signal handler|calls of signal handlers} came amid the measuring: "
		     "{its|their} "
		     "time is with others");
	add_sentence(
		out, r->n_too_deep,
		"{call|calls} had too many others below {it|them}: {its|their} time is with these");
	add_sentence(out, h->n_late, "{call|calls} of threads that had ended {is|are} not here");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/read_progress.h"

#include <string.h>

#include "collect/replay.h"

/* Returns the length of the recorded time to read, in ns; 0: unknown. *from_ns: its begin. */
static double find_length(const struct backend *backend, int64_t *from_ns)
{
	const int64_t to_ns = source_replay_pace(backend->source)->to_ns;
	const struct record_span *span;
	int64_t end_ns;
	size_t n;

	if (record_reader_spans(backend->recording, &span, &n, NULL) || !n ||
	    record_reader_peek(backend->recording, from_ns, NULL))
		return 0;
	end_ns = span[n - 1].end_ns < to_ns ? span[n - 1].end_ns : to_ns;
	return end_ns > *from_ns ? (double)(end_ns - *from_ns) : 0;
}

void reading_begin(struct reading *r, const struct setup *s,
		   const struct progress_terminal *terminal)
{
	const char *file = s->config.options.replay, *slash = strrchr(file, '/');
	const double length = find_length(&s->backend, &r->from_ns);

	r->refreshes = false;
	strbuf_init(&r->what);
	strbuf_addf(&r->what, "reading %s", slash ? slash + 1 : file);
	progress_begin(&r->progress, terminal,
		       &(struct progress_task){.what = r->what.text, .track = {{NULL, length}}});
}

void reading_begin_refreshes(struct reading *r, long wanted,
			     const struct progress_terminal *terminal)
{
	r->refreshes = true;
	strbuf_init(&r->what);
	progress_begin(&r->progress, terminal,
		       &(struct progress_task){.what = "refresh",
					       .numbered = true,
					       .track = {{NULL, (double)wanted}}});
	progress_begin_unit(&r->progress, 0);
}

void reading_note(struct reading *r, const struct backend *backend, const struct pipeline *p)
{
	uint64_t mono_ns;

	if (!r->progress.terminal)
		return;
	if (r->refreshes) {
		progress_end_unit(&r->progress);
		progress_begin_unit(&r->progress, 0);
		return;
	}
	mono_ns = p->sample[p->newest]->mono_ns;
	progress_set(&r->progress, 0,
		     (double)(record_reader_at(backend->recording, mono_ns) - r->from_ns));
}

void reading_end(struct reading *r)
{
	progress_end(&r->progress);
	strbuf_done(&r->what);
}

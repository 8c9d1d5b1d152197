/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of loop: how far it is, where all that is shown goes to files. */
#include <sys/stat.h>

#include "run/progress_terminal.h"
#include "session/loop_part.h"

/* At the other end of a pipe may be a pager, which has the terminal. */
static bool writes_files_only(const struct outputs *outputs)
{
	struct stat file;

	for (const struct sink *sink = outputs->first; sink; sink = sink->next)
		if (sink->dest.fd >= 0 && (fstat(sink->dest.fd, &file) || !S_ISREG(file.st_mode)))
			return false;
	return true;
}

void loop_begin_progress(struct loop *loop)
{
	const struct setup *s = loop->setup;
	const long wanted = loop_wanted(loop);
	const bool is_said = !options_are_live(&s->options) && !loop->life->spawn.pid &&
			     (wanted || s->recording) && writes_files_only(loop->outputs);
	const struct progress_terminal *terminal = is_said ? progress_terminal(false) : NULL;

	loop->counts_refreshes = wanted;
	loop->faults->progress = &loop->reading.progress;
	if (!wanted && s->recording) {
		reading_begin(&loop->reading, s, terminal);
		return;
	}
	strbuf_init(&loop->reading.what);
	progress_begin(&loop->reading.progress, terminal,
		       &(struct progress_task){.what = "refresh",
					       .numbered = true,
					       .track = {{NULL, (double)wanted}}});
	progress_unit(&loop->reading.progress, 0);
}

void loop_note_progress(struct loop *loop)
{
	struct progress *progress = &loop->reading.progress;

	if (!progress->terminal)
		return;
	if (!loop->counts_refreshes) {
		reading_note(&loop->reading, loop->setup, loop->pipeline);
		return;
	}
	progress_step(progress);
	progress_unit(progress, 0);
}

void loop_end_progress(struct loop *loop)
{
	loop->faults->progress = NULL;
	reading_end(&loop->reading);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_progress - shows how much of a recording was read, by recorded time; or how many refreshes
 * were made.
 *
 *   reading_begin(); reading_note() after each step; reading_end()
 */
#ifndef SESSION_READ_PROGRESS_H
#define SESSION_READ_PROGRESS_H

#include "base/progress.h"
#include "session/pipeline.h"
#include "session/setup.h"

struct reading {
	struct progress progress;
	struct strbuf what;
	int64_t from_ns; /* recorded time of the first sample */
	bool refreshes;  /* refreshes are counted */
};

/* Call it before the recording is read. terminal: shows the progress; borrowed; NULL: not shown. */
void reading_begin(struct reading *r, const struct setup *s,
		   const struct progress_terminal *terminal);
/* The same for refreshes. wanted: their number; 0: unlimited. */
void reading_begin_refreshes(struct reading *r, long wanted,
			     const struct progress_terminal *terminal);
void reading_note(struct reading *r, const struct backend *backend, const struct pipeline *p);
void reading_end(struct reading *r);

#endif

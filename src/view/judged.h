/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judged - the interface to verdicts about rows: the text of the variable VERDICT. It is
 * implemented above this layer, and called only if a column or condition uses that variable.
 */
#ifndef VIEW_JUDGED_H
#define VIEW_JUDGED_H

#include "base/strbuf.h"
#include "model/delta.h"

struct judged {
	/* Returns the verdict of a row of this sample in one or two words; NULL: none. Valid until
	 * the next call. */
	const char *(*word)(void *context, const struct sample *sample,
			    const struct delta_row *row);
	/* Appends all verdicts of a row, one per line. Returns false if there are none. */
	bool (*explain)(void *context, const struct sample *sample, const struct delta_row *row,
			struct strbuf *out);
	void *context;
};

/* Returns the word of the verdict; NULL: none, or judged is NULL. */
static inline const char *judged_word(const struct judged *judged, const struct sample *sample,
				      const struct delta_row *row)
{
	return judged ? judged->word(judged->context, sample, row) : NULL;
}

#endif

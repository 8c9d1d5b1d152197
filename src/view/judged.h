/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * judged - who says in words why a row is no faster: the text of the variable VERDICT. Who judges
 * stands above this layer, and is asked only where a column or a condition names it.
 */
#ifndef VIEW_JUDGED_H
#define VIEW_JUDGED_H

#include "base/strbuf.h"
#include "model/delta.h"

struct judged {
	/* A word or two of a row of this sample; NULL: nothing can be said of such rows. Valid
	 * until the next call. */
	const char *(*word)(void *context, const struct sample *sample,
			    const struct delta_row *row);
	/* Appends all verdicts of such a row, a line for each thing that there is to say. False:
	 * nothing can be said. */
	bool (*explain)(void *context, const struct sample *sample, const struct delta_row *row,
			struct strbuf *out);
	void *context;
};

/* The same; NULL also where nobody judges. */
static inline const char *judged_word(const struct judged *judged, const struct sample *sample,
				      const struct delta_row *row)
{
	return judged ? judged->word(judged->context, sample, row) : NULL;
}

#endif

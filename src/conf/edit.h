/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edit - changes of a text, each of some of its bytes, which are all made at once. Pure.
 *
 * Places are offsets into the text as it was; they do not move while changes are collected. Changes
 * do not overlap; of those at the same place, the first that was collected comes first.
 */
#ifndef CONF_EDIT_H
#define CONF_EDIT_H

#include <stddef.h>

#include "base/strbuf.h"

struct edit {
	size_t from, to; /* these bytes go; none where both are equal */
	char *text;      /* and this stands in their place */
};

struct edits {
	struct edit *v;
	size_t n, cap;
};

#define EDITS_INIT                                                                                 \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* Puts a copy of text in the place of the bytes [from, to). */
void edits_add(struct edits *e, size_t from, size_t to, const char *text);
/* Appends the bytes [from, to) of the text, with the changes that lie in them. */
void edits_apply(const struct edits *e, const char *text, size_t from, size_t to,
		 struct strbuf *out);
/* Takes back the changes that lie in the bytes [from, to). */
void edits_forget(struct edits *e, size_t from, size_t to);
void edits_done(struct edits *e);

#endif

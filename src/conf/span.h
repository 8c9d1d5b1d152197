/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * span - where the elements and attributes of an XML text stand, to the byte; so that one of them
 * can be changed and all else left as it is.
 *
 * libxml2 says on which line an element ends, but not at which bytes it stands, and nothing at all
 * of attributes. It has read the same text before, so what is here only has to find things, not to
 * judge them: quotes, comments, CDATA and processing instructions are what can hide a '<'.
 * There is no <!DOCTYPE> (xml.h).
 *
 * Elements come in the order of their start tags: number i of xml.h is v[i - 1]. All places are
 * offsets into the text; the text is not kept.
 */
#ifndef CONF_SPAN_H
#define CONF_SPAN_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes [from, to). */
struct span {
	size_t from, to;
};

struct span_attr {
	struct span name, value; /* the value without its quotes */
};

struct span_element {
	struct span name;  /* with the prefix of a name space */
	struct span tag;   /* from '<' to behind '>' */
	struct span whole; /* with the end tag; that of an empty element is its tag */
	size_t end_tag;    /* where the end tag begins; of an empty element, where "/>" does */
	bool empty;        /* it has no end tag */
	size_t first_attr, n_attrs;
};

struct span_list {
	struct span_element *v;
	struct span_attr *attr; /* of all elements */
	size_t n, cap, n_attrs, cap_attrs;
};

#define SPAN_LIST_INIT                                                                             \
	{                                                                                          \
		NULL, NULL, 0, 0, 0, 0                                                             \
	}

/* Whether it could be read: false for what libxml2 would not have read, either, and for an encoding
 * in which '<' is not that byte (UTF-16). */
bool span_scan(struct span_list *out, const char *text, size_t len);
void span_list_done(struct span_list *l);

#endif

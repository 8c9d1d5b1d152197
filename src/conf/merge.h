/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge - changes the text of a configuration file and leaves all else as it is, byte by byte:
 * comments, blanks, line ends, order, encoding. Pure.
 *
 * Two trees (node.h) describe the change: what the file says, as far as tiptop reads it, and what
 * it should say. An element is in both if both have its number (xml.h): only the values of changed
 * attributes are replaced. An element that is only in the first tree is removed with the lines that
 * it fills, but without comments beside it. An element that is only in the second tree (number 0)
 * is inserted after its predecessor, on a line of its own if that has one, with the same
 * indentation. If the order differs, as few elements as possible are moved.
 *
 * Text that is in neither tree stays unchanged.
 */
#ifndef CONF_MERGE_H
#define CONF_MERGE_H

#include "base/err.h"
#include "conf/node.h"

/* Appends the new text. -ENOTSUP with a sentence about `path`: the encoding of the text is not
 * based on ASCII (UTF-16), so that no element can be found. */
int conf_merge(struct strbuf *out, const char *path, const struct strbuf *text,
	       const struct node *says, const struct node *wanted, struct err *err);

#endif

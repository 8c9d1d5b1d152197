/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge - changes elements and attributes in the text of a configuration file, and leaves all other
 * bytes as they are: comments, blanks, line ends, order, encoding. Pure.
 *
 * Two trees (node.h) describe the change. `says` has what the file says, as far as tiptop reads it;
 * `wanted` has what it should say. Elements of both trees are matched by their numbers (xml.h).
 *
 * Of an element in both trees, only changed attributes are replaced, added or removed. An element
 * that is only in `says` is removed with the lines that it fills, but comments beside it stay. An
 * element that is only in `wanted` (number 0) is inserted after its predecessor: on a line of its
 * own with the same indentation, if the predecessor has a line of its own. If the order differs, as
 * few elements as possible are moved. Text that no tree describes stays unchanged.
 */
#ifndef CONF_MERGE_H
#define CONF_MERGE_H

#include "base/err.h"
#include "conf/node.h"

/* Appends the changed text. Returns -ENOTSUP with a sentence about `path` if the encoding of the
 * text is not based on ASCII (UTF-16), so that no element can be found. */
int conf_merge(struct strbuf *out, const char *path, const struct strbuf *text,
	       const struct node *says, const struct node *wanted, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge - the text of a configuration file with changes in it, and nothing else different: its
 * comments, its blanks, its line ends, its order, its encoding stay, byte for byte. Pure.
 *
 * What changes is told by two trees (node.h): what the file says, as far as it is looked at, and
 * what it is to say. An element of both is found by its number (xml.h): where an attribute is
 * another one, only its value is written anew. One that is only in the first is taken out, with the
 * line or lines that it fills, but not the comments beside it; one that is only in the second
 * (number 0) is put behind the one that it follows, on a line of its own where that one has one,
 * and indented like it. Of those that have another order, as few as can be are moved.
 *
 * What neither tree has stays as it is, whatever it is.
 */
#ifndef CONF_MERGE_H
#define CONF_MERGE_H

#include "base/err.h"
#include "conf/node.h"

/* Appends the new text. -ENOTSUP with a sentence about `path` where the text is in an encoding
 * without ASCII (UTF-16), in which nothing is found. */
int conf_merge(struct strbuf *out, const char *path, const struct strbuf *text,
	       const struct node *says, const struct node *wanted, struct err *err);

#endif

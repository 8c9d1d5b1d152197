/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge - changes elements and attributes in the text of a configuration file, and leaves all other
 * bytes as they are: comments, blanks, line ends, order, encoding. Pure.
 *
 * Two trees (struct node) describe the change. `says` has what the file says, as far as tiptop
 * reads it; `wanted` has what it should say. Elements of both trees are matched by their numbers
 * (xml.h).
 *
 * Of an element in both trees, only changed attributes are replaced, added or removed. An element
 * that is only in `says` is removed with the lines that it fills, but comments beside it stay. An
 * element that is only in `wanted` (number 0) is inserted after its predecessor: on a line of its
 * own with the same indentation, if the predecessor has a line of its own. If the order differs, as
 * few elements as possible are moved. Text that no tree describes stays unchanged.
 */
#ifndef CONF_MERGE_H
#define CONF_MERGE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/strbuf.h"

/* ---- node ----
 *
 * A tree of the elements, with their attributes, that are to be written to a configuration file.
 *
 * write.c makes a tree from the program's state. The tree becomes the text of a new file, or is
 * merged into an existing file (conf_merge()). Nodes live in an arena of the caller. Tags and names
 * of attributes are borrowed; texts of attributes are copied.
 */

struct node_attr {
	const char *name;
	char *text;
	struct node_attr *next;
};

struct node {
	const char *tag;
	int element; /* number of the element in the file, see xml.h; 0: new */
	bool holds;  /* may have children: it has an end tag even without any */
	/* Where it is inserted if its parent has no child with the same tag in the file. True:
	 * before all other children; false: after them. */
	bool leads;
	struct node_attr *attr, *last_attr;
	struct node *child, *last, *next;
};

/* Creates an element as the last child of the parent; parent NULL: it is the root. */
struct node *node_add(struct arena *a, struct node *parent, const char *tag, int element);
/* Adds an attribute; does nothing if text is NULL. A byte that XML cannot represent (most control
 * characters, invalid UTF-8) becomes '?'. */
void node_set(struct arena *a, struct node *n, const char *name, const char *text);

/* The style in which a tree is written as text. */
struct node_style {
	const char *indent;  /* the indentation of the element itself */
	const char *unit;    /* the indentation that each level of children adds */
	const char *newline; /* line break; NULL: all on one line, without indentation */
	const char *prefix;  /* namespace prefix of each tag, with its ':'; "": none */
	bool ascii;          /* characters outside of ASCII are written as references: "&#233;" */
};

/* Appends the element, without the indentation of its first line and without a newline at the
 * end. */
void node_add_text(struct strbuf *out, const struct node *n, const struct node_style *style);
/* Returns whether XML can represent all characters of the text. */
bool node_can_hold(const char *text);

/* ---- merge ---- */

/* Appends the changed text. Returns -ENOTSUP with a sentence about `path` if the encoding of the
 * text is not based on ASCII (UTF-16), so that no element can be found. */
int conf_merge(struct strbuf *out, const char *path, const struct strbuf *text,
	       const struct node *says, const struct node *wanted, struct err *err);

#endif

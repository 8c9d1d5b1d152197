/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node - a tree of the elements, with their attributes, that are to be written to a configuration
 * file.
 *
 * write.c makes a tree from the program's state. The tree becomes the text of a new file, or is
 * merged into an existing file (merge.h). Nodes live in an arena of the caller. Tags and names of
 * attributes are borrowed; texts of attributes are copied.
 */
#ifndef CONF_NODE_H
#define CONF_NODE_H

#include <stdbool.h>

#include "base/mem.h"
#include "base/strbuf.h"

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
/* Returns the text of the attribute with this name; NULL: none. */
const char *node_get(const struct node *n, const char *name);

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
/* Appends the text as an attribute value for quotes of this kind, without the quotes. */
void node_add_value(struct strbuf *out, const char *text, char quote, bool ascii);
/* Returns whether XML can represent all characters of the text. */
bool node_can_hold(const char *text);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node - what is to be written of a configuration file: elements with their attributes, as a tree.
 *
 * The state of the program is made such a tree (write.c), which becomes the text of a new file, or
 * is compared with what an old one says (merge.h). Nodes live in an arena of the caller; tags and
 * names are not copied, texts are.
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
	int element; /* the number that its element has in the file, see xml.h; 0: it is new */
	bool holds;  /* others may be inside: it has an end tag, even where there are none */
	bool leads;  /* where there is none of its tag yet, it stands before all others */
	struct node_attr *attr, *last_attr;
	struct node *child, *last, *next;
};

/* Adds an element behind the last one inside of the parent; NULL: it is the outermost. */
struct node *node_add(struct arena *a, struct node *parent, const char *tag, int element);
/* Adds an attribute; nothing where text is NULL. A byte that XML cannot hold (most control
 * characters, what is no UTF-8) becomes '?'. */
void node_set(struct arena *a, struct node *n, const char *name, const char *text);
/* The text of an attribute; NULL: there is none of this name. */
const char *node_get(const struct node *n, const char *name);

/* How a tree is written. */
struct node_style {
	const char *indent;  /* before the element itself */
	const char *unit;    /* and more of it before each that is inside */
	const char *newline; /* NULL: all in one line, without indents */
	const char *prefix;  /* of a name space, with its ':', before each tag; "" for none */
	bool ascii;          /* other characters are written as references */
};

/* Appends the element, without the indent of its first line and without a newline behind. */
void node_add_text(struct strbuf *out, const struct node *n, const struct node_style *style);
/* Appends the text as the value of an attribute that stands between such quotes. */
void node_add_value(struct strbuf *out, const char *text, char quote, bool ascii);
/* Whether XML can hold all characters of the text. */
bool node_can_hold(const char *text);

#endif

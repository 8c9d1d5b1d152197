/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * node - the elements of a configuration file to write, with their attributes, as a tree.
 *
 * write.c makes a tree of the program's state, which becomes the text of a new file or is merged
 * into an old one (merge.h). Nodes live in an arena of the caller; tags and names are not copied,
 * texts are.
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
	bool leads;  /* without another one of its tag, it is inserted before all others */
	struct node_attr *attr, *last_attr;
	struct node *child, *last, *next;
};

/* Appends a child element to the parent; NULL: it is the root. */
struct node *node_add(struct arena *a, struct node *parent, const char *tag, int element);
/* Adds an attribute; does nothing if text is NULL. A byte that XML cannot represent (most control
 * characters, invalid UTF-8) becomes '?'. */
void node_set(struct arena *a, struct node *n, const char *name, const char *text);
/* Returns the text of an attribute; NULL: none of this name. */
const char *node_get(const struct node *n, const char *name);

/* How a tree is written. */
struct node_style {
	const char *indent;  /* before the element itself */
	const char *unit;    /* added to it for each level of children */
	const char *newline; /* line break; NULL: all on one line, without indentation */
	const char *prefix;  /* namespace prefix of each tag, with its ':'; "": none */
	bool ascii;          /* other characters are written as references */
};

/* Appends the element, without the indentation of its first line and without a newline at the
 * end. */
void node_add_text(struct strbuf *out, const struct node *n, const struct node_style *style);
/* Appends the text as an attribute value between quotes of this kind. */
void node_add_value(struct strbuf *out, const char *text, char quote, bool ascii);
/* Returns whether XML can represent all characters of the text. */
bool node_can_hold(const char *text);

#endif

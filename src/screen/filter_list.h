/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter_list - the named filters of users, in the order of the files.
 *
 * A filter may name columns, so it is compiled only when it is used with a screen; here it is a
 * text.
 */
#ifndef SCREEN_FILTER_LIST_H
#define SCREEN_FILTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct named_filter {
	char *name, *text;
	char *desc;       /* NULL: none */
	int line;         /* in its file */
	bool from_folder; /* its file may only add filters */
};

/* Owns its filters and their texts. */
struct filter_list {
	struct named_filter *v;
	size_t n, cap;
};

#define FILTER_LIST_INIT                                                                           \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* Returns whether the name is valid: letters, digits, '_' and '-'. */
bool filter_list_is_name(const char *name);
/* Returns the filter with this name; NULL: none. */
const struct named_filter *filter_list_find(const struct filter_list *l, const char *name);
/* Adds a filter. Copies the texts and sets the other fields to 0. The result is valid until the
 * next add. */
struct named_filter *filter_list_add(struct filter_list *l, const char *name, const char *text,
				     const char *desc);
void filter_list_done(struct filter_list *l);

#endif

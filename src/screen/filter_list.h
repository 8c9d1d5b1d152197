/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter_list - the filters that users have given a name to, in the order of the files.
 *
 * What a filter says is only known with a screen, whose columns it may name: until it is used it is
 * a text.
 */
#ifndef SCREEN_FILTER_LIST_H
#define SCREEN_FILTER_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct named_filter {
	char *name, *text;
	char *desc;       /* NULL: none */
	int line;         /* in the file that it comes from */
	bool from_folder; /* of a file that only adds */
};

/* It owns its filters and their texts. */
struct filter_list {
	struct named_filter *v;
	size_t n, cap;
};

#define FILTER_LIST_INIT                                                                           \
	{                                                                                          \
		NULL, 0, 0                                                                         \
	}

/* A name is letters, digits, '_' and '-'. */
bool filter_list_is_name(const char *name);
/* NULL: there is none of this name. */
const struct named_filter *filter_list_find(const struct filter_list *l, const char *name);
/* The new element is cleared but for its texts, which are copied; valid until the next add. */
struct named_filter *filter_list_add(struct filter_list *l, const char *name, const char *text,
				     const char *desc);
void filter_list_done(struct filter_list *l);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/filter_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

bool filter_list_is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_-";

	return *name && !name[strspn(name, allowed)];
}

const struct named_filter *filter_list_find(const struct filter_list *l, const char *name)
{
	for (size_t i = 0; i < l->n; i++)
		if (!strcmp(l->v[i].name, name))
			return &l->v[i];
	return NULL;
}

struct named_filter *filter_list_add(struct filter_list *l, const char *name, const char *text,
				     const char *desc)
{
	struct named_filter *f;

	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	f = &l->v[l->n++];
	*f = (struct named_filter){
		.name = xstrdup(name), .text = xstrdup(text), .desc = xstrdup_or_null(desc)};
	return f;
}

void filter_list_done(struct filter_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		free(l->v[i].name);
		free(l->v[i].text);
		free(l->v[i].desc);
	}
	free(l->v);
	*l = (struct filter_list)FILTER_LIST_INIT;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of option: keys of one's own. */
#include <stdlib.h>

#include "base/mem.h"
#include "conf/option.h"

void options_add_key(struct options *o, const char *set, const char *key, const char *action,
		     int line)
{
	o->keys = xgrow(o->keys, &o->cap_keys, o->n_keys + 1, sizeof *o->keys);
	o->keys[o->n_keys++] = (struct key_choice){xstrdup_or_null(set), xstrdup_or_null(key),
						   xstrdup_or_null(action), line};
}

void options_free_keys(struct options *o)
{
	for (size_t i = 0; i < o->n_keys; i++) {
		free(o->keys[i].set);
		free(o->keys[i].key);
		free(o->keys[i].action);
	}
	free(o->keys);
}

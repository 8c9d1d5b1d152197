/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of option: what else a file has of them: keys of one's own, and where it sets options. */
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

void options_add_place(struct options *o, const char *conf_name, int element)
{
	o->places = xgrow(o->places, &o->cap_places, o->n_places + 1, sizeof *o->places);
	o->places[o->n_places++] = (struct option_place){option_find_conf(conf_name), element};
}

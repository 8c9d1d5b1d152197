/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_rows.h"

#include <stdlib.h>

#include "base/mem.h"

struct locks_row *futex_rows_get(struct futex_rows *r, uint32_t instance, uint64_t caller)
{
	const uint64_t key = caller * 0x9e3779b97f4a7c15 ^ instance;
	const size_t first = futex_value_to_number(hash_get(&r->by_key, key));

	for (size_t i = first; i; i = r->row[i - 1].next)
		if (r->row[i - 1].instance == instance && r->row[i - 1].caller == caller)
			return &r->row[i - 1];
	r->row = xgrow(r->row, &r->cap, r->n + 1, sizeof *r->row);
	r->row[r->n++] =
		(struct locks_row){.instance = instance, .caller = caller, .next = (uint32_t)first};
	hash_put(&r->by_key, key, futex_number_to_value(r->n));
	return &r->row[r->n - 1];
}

void futex_rows_done(struct futex_rows *r)
{
	free(r->row);
	hash_done(&r->by_key);
	*r = (struct futex_rows){.n = 0};
}

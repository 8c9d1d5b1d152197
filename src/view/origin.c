/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/origin.h"

#include <stdlib.h>

void origins_done(struct origins *e)
{
	for (size_t i = 0; i < e->n; i++) {
		struct origin *x = &e->v[i];

		free(x->counter);
		free(x->what);
		free(x->pmu);
		free(x->code);
		free(x->modes);
		free(x->meaning);
	}
	free(e->v);
	*e = (struct origins){NULL, 0};
}

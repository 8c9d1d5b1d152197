/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/explain.h"

#include <stdlib.h>

void explain_done(struct explain *e)
{
	for (size_t i = 0; i < e->n; i++) {
		struct explain_event *x = &e->v[i];

		free(x->counter);
		free(x->what);
		free(x->pmu);
		free(x->code);
		free(x->modes);
		free(x->meaning);
	}
	free(e->v);
	*e = (struct explain){NULL, 0};
}

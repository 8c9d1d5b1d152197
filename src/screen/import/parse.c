/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of import: parses the files of likwid and perf into their parts, which stay texts.
 */
#include "screen/import/import.h"

#include <stdlib.h>

#include "base/mem.h"

void foreign_file_done(struct foreign_file *f)
{
	for (size_t i = 0; i < f->n_counters; i++) {
		free(f->counter[i].alias);
		free(f->counter[i].event);
		free(f->counter[i].terms);
		free(f->counter[i].lack);
	}
	for (size_t i = 0; i < f->n_metrics; i++) {
		free(f->metric[i].name);
		free(f->metric[i].formula);
		free(f->metric[i].desc);
		free(f->metric[i].unit);
		free(f->metric[i].threshold);
		free(f->metric[i].pmu);
	}
	free(f->counter);
	free(f->metric);
	free(f->desc);
	*f = (struct foreign_file){.desc = NULL};
}

struct foreign_counter *foreign_file_add_counter(struct foreign_file *f)
{
	struct foreign_counter *c;

	f->counter = xgrow(f->counter, &f->cap_counters, f->n_counters + 1, sizeof *f->counter);
	c = &f->counter[f->n_counters++];
	*c = (struct foreign_counter){.alias = NULL};
	return c;
}

struct foreign_metric *foreign_file_add_metric(struct foreign_file *f)
{
	struct foreign_metric *m;

	f->metric = xgrow(f->metric, &f->cap_metrics, f->n_metrics + 1, sizeof *f->metric);
	m = &f->metric[f->n_metrics++];
	*m = (struct foreign_metric){.factor = 1};
	return m;
}

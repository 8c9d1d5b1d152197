/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * events - the events of other tools' files, by the names of screens.
 *
 * An event is looked for among the generic ones, the events of the table whose choice for this CPU
 * has that name of the maker (pmu/event/maker.h), what the kernel describes, and libpfm4's.
 */
#ifndef SCREEN_IMPORT_EVENTS_H
#define SCREEN_IMPORT_EVENTS_H

#include "base/strbuf.h"
#include "pmu/event/machine.h"

struct foreign_event {
	const char *name;  /* "FP_ARITH_INST_RETIRED.SCALAR", "cpu_core/EVENT,cmask=1/k" */
	const char *terms; /* further ones, as between the '/'; NULL: none */
	const char *pmu;   /* of one kind of cores; NULL: any */
};

/* Appends what a <counter> of a screen has as its event. -ENOENT with a sentence where there is no
 * counterpart, -EINVAL where nobody could read it. */
int import_event(struct strbuf *out, const struct machine *m, const struct foreign_event *event,
		 struct err *err);

#endif

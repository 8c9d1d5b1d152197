/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/detail.h"

void detail_done(struct detail *d)
{
	arena_done(&d->arena);
	arena_done(&d->limits_arena);
	*d = (struct detail){.error = 0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/detail.h"

/* ---- resctrl ---- */

const char *const resctrl_why_text[N_RESCTRL_WHYS] = {
	[RESCTRL_KNOWN] = "",
	[RESCTRL_ABSENT] = "this machine does not count it",
	[RESCTRL_UNAVAILABLE] = "the hardware had no number at this moment",
	[RESCTRL_ERROR] = "the hardware refuses the number",
	[RESCTRL_UNASSIGNED] = "no counter is given to this group",
	[RESCTRL_UNREADABLE] = "its file cannot be read",
	[RESCTRL_FIRST] = "seen once so far",
	[RESCTRL_RESET] = "its counter was reset",
};

/* ---- detail ---- */

void detail_done(struct detail *d)
{
	arena_done(&d->arena);
	arena_done(&d->limits_arena);
	*d = (struct detail){.error = 0};
}

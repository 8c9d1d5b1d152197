/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screens_rig - three screens "a", "b" and "c" of three columns each, for keys that switch between
 * screens.
 */
#ifndef TESTS_SCREENS_RIG_H
#define TESTS_SCREENS_RIG_H

#include "screen/compile.h"
#include "screen/screen.h"

/* Adds a screen; report: the callback of screen_compile(). */
static inline void screens_rig_add(struct screen_list *l,
				   void (*report)(void *context, int line, const struct err *err))
{
	static const char *const name[] = {"a", "b", "c"};

	for (size_t i = 0; i < 3; i++) {
		struct screen *s = screen_new(name[i], "");

		for (size_t k = 0; k < 3; k++)
			screen_add_column(s, " X", "%f", "", "1");
		screen_compile(s, report, NULL, NULL);
		screen_list_add(l, s);
		screen_list_number(l);
	}
}

#endif

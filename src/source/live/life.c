/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/live/life.h"

#include <stdint.h>

/* What is not named is LIFE_REFUSED. */
/* clang-format off */
static const uint8_t life_table[N_LIVES][N_LIFE_EVENTS] = {
	[LIFE_UNWANTED] = {
		[LIFE_WANT] = LIFE_NEW, [LIFE_LEAVE] = LIFE_UNWANTED, [LIFE_RESTART] = LIFE_UNWANTED,
		[LIFE_REPLACE] = LIFE_GONE, [LIFE_VANISH] = LIFE_GONE,
	},
	[LIFE_NEW] = {
		[LIFE_WANT] = LIFE_NEW, [LIFE_LEAVE] = LIFE_UNWANTED, [LIFE_RESTART] = LIFE_NEW,
		[LIFE_LOOK] = LIFE_WATCHED, [LIFE_END] = LIFE_REPORTED, [LIFE_REPLACE] = LIFE_GONE,
	},
	[LIFE_WATCHED] = {
		[LIFE_WANT] = LIFE_WATCHED, [LIFE_LEAVE] = LIFE_UNWANTED, [LIFE_RESTART] = LIFE_NEW,
		[LIFE_LOOK] = LIFE_WATCHED, [LIFE_END] = LIFE_ENDED, [LIFE_REPLACE] = LIFE_ENDED,
	},
	[LIFE_ENDED] = {
		[LIFE_REPLACE] = LIFE_ENDED, [LIFE_REPORT] = LIFE_REPORTED,
	},
	[LIFE_REPORTED] = {
		[LIFE_WANT] = LIFE_REPORTED, [LIFE_LEAVE] = LIFE_REPORTED, [LIFE_RESTART] = LIFE_REPORTED,
		[LIFE_REPLACE] = LIFE_GONE, [LIFE_VANISH] = LIFE_GONE,
	},
};

static const uint8_t thread_table[N_THREAD_LIVES][N_THREAD_EVENTS] = {
	[THREAD_LIVES] = {
		[THREAD_END] = THREAD_ENDED, [THREAD_DROP] = THREAD_GONE,
	},
	[THREAD_ENDED] = {
		[THREAD_RETURN] = THREAD_LIVES, [THREAD_DROP] = THREAD_GONE,
	},
};

/* clang-format on */

enum life life_after(enum life state, enum life_event event)
{
	return (enum life)life_table[state][event];
}

enum thread_life thread_life_after(enum thread_life state, enum thread_event event)
{
	return (enum thread_life)thread_table[state][event];
}

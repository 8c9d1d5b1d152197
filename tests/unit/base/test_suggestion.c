/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The most similar known name for a mistyped one.
 */
#include "base/suggestion.h"

#include <string.h>

#include "tap.h"

static const char *const known[] = {"system",  "follow", "locks", "calls", "delay",
				    "CPU_TOT", "ns",     "csv",   "pid"};

static const struct {
	const char *typed, *text;
} cases[] = {
	{"sytem", " (did you mean 'system'?)"},
	{"SYSTEM", " (did you mean 'system'?)"},
	{"dely", " (did you mean 'delay'?)"},
	{"CPU_TOTAL", " (did you mean 'CPU_TOT'?)"},
	{"cpu_tto", " (did you mean 'CPU_TOT'?)"},
	{"lcoks", " (did you mean 'locks'?)"},
	{"cvs", " (did you mean 'csv'?)"}, /* a swap of neighbours is a single change */
	{"PDI", " (did you mean 'pid'?)"},
	{"vsc", ""}, /* the swapped letters are not neighbours */
	{"callss", " (did you mean 'calls'?)"},
	{"nosuchname", ""},
	{"xs", ""}, /* two letters are too few: many names are near them */
	{"", ""},
};

static void check_known(void)
{
	struct suggestion s;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		suggestion_begin(&s, cases[i].typed);
		for (size_t k = 0; k < sizeof known / sizeof *known; k++)
			suggestion_offer(&s, known[k]);
		tap_str(suggestion_text(&s), cases[i].text, "'%s'", cases[i].typed);
	}
}

static void check_long(void)
{
	char name[2 * SUGGESTION_NAME_MAX];
	struct suggestion s;

	memset(name, 'a', sizeof name - 1);
	name[sizeof name - 1] = '\0';
	suggestion_begin(&s, name);
	suggestion_offer(&s, name);
	tap_ok(!suggestion_best(&s), "a name beyond the limit has none");
	suggestion_begin_part(&s, "delay > 3", 5);
	suggestion_offer(&s, name);
	suggestion_offer(&s, "delta");
	suggestion_offer(&s, "delays");
	suggestion_offer(&s, "delay");
	tap_str(suggestion_best(&s), "delays", "the nearest one of a part");
}

int main(void)
{
	check_known();
	check_long();
	return tap_done();
}

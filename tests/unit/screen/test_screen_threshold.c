/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/mem.h"
#include "screen/screen.h"
#include "tap.h"

static void test_operators(void)
{
	static const struct {
		const char *text;
		bool below, equal, above; /* results for 0.4, 0.5 and 0.6 */
	} want[] = {
		{"< 0.5", true, false, false},  {"lt 0.5", true, false, false},
		{"<=0.5", true, true, false},   {"le  0.5", true, true, false},
		{">0.5", false, false, true},   {"gt 0.5", false, false, true},
		{">= 0.5", false, true, true},  {"ge 0.5", false, true, true},
		{"== 0.5", false, true, false}, {"eq 5e-1", false, true, false},
		{"!= 0.5", true, false, true},  {"ne 0.5", true, false, true},
		{"> -1", true, true, true},
	};

	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		struct threshold t = {.text = xstrdup(want[i].text)}, none = {.text = NULL};

		tap_int(threshold_read(&t, NULL), 0, "'%s' is a threshold", want[i].text);
		tap_ok(threshold_level(&t, &none, value_exact(0.4)) == (enum level)want[i].below &&
			       threshold_level(&t, &none, value_exact(0.5)) ==
				       (enum level)want[i].equal &&
			       threshold_level(&t, &none, value_exact(0.6)) ==
				       (enum level)want[i].above,
		       "and holds where it should");
		threshold_done(&t);
	}
}

static void test_faults(void)
{
	static const char *const bad[] = {"",  "0.5", "=0.5",  "lt0.5",
					  "<", "< x", "< 1 2", "less 1"};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct threshold t = {.text = xstrdup(bad[i])};

		tap_ok(threshold_read(&t, &err) == -EINVAL && err.text[0], "'%s' is none: %s",
		       bad[i], err.text);
		threshold_done(&t);
	}
}

static void test_levels(void)
{
	struct threshold warn = {.text = xstrdup("< 1")}, crit = {.text = xstrdup("< 0.5")};
	struct threshold none = {.text = NULL};
	struct value rough = value_stale(0.7);

	tap_ok(!threshold_read(&warn, NULL) && !threshold_read(&crit, NULL) &&
		       !threshold_read(&none, NULL),
	       "none is read, too");
	tap_int(threshold_level(&warn, &crit, value_exact(0.7)), LEVEL_WARN, "beyond the first");
	tap_int(threshold_level(&warn, &crit, value_exact(0.4)), LEVEL_CRIT, "beyond both");
	tap_int(threshold_level(&warn, &crit, value_exact(1)), LEVEL_NONE, "beyond none");
	tap_int(threshold_level(&none, &crit, value_exact(0.4)), LEVEL_CRIT,
		"there may be one only");
	tap_int(threshold_level(&none, &none, value_exact(0.4)), LEVEL_NONE, "or none");
	tap_int(threshold_level(&warn, &crit, rough), LEVEL_WARN, "an estimate is a number, too");
	tap_int(threshold_level(&warn, &crit, value_none(QUALITY_DENIED)), LEVEL_NONE,
		"what is not known is beyond nothing");
	threshold_done(&warn);
	threshold_done(&crit);
}

int main(void)
{
	test_operators();
	test_faults();
	test_levels();
	return tap_done();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/weight.h"

#include <stdlib.h>
#include <string.h>

#include "base/num.h"
#include "base/value.h"

/* Larger than any useful weight. */
#define WEIGHT_MAX 1e9

bool event_weight_is_slots(const char *weight)
{
	return weight && !strcmp(weight, "slots");
}

int event_weight_check(const char *weight, struct err *err)
{
	double number;

	if (event_weight_is_slots(weight))
		return 0;
	return num_parse_double(weight, "the weight", 0, WEIGHT_MAX, &number, err);
}

double event_weight_scale(const char *weight)
{
	const double scale = weight ? strtod(weight, NULL) : 0;

	return weight && scale == 0 ? SCALE_NOTHING : scale;
}

bool event_weight_fits(const char *weight, double scale)
{
	return event_weight_is_slots(weight) ? scale > 0 : scale == event_weight_scale(weight);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/difference.h"

#include <math.h>

const char *const difference_result_name[N_DIFFERENCE_RESULTS] = {
	[DIFFERENCE_NOISE] = "noise", [DIFFERENCE_MORE] = "more",       [DIFFERENCE_LESS] = "less",
	[DIFFERENCE_FEW] = "too-few", [DIFFERENCE_UNKNOWN] = "unknown",
};

double difference_pct(double first, double amount)
{
	return fabs(first) > 0 ? 100 * amount / fabs(first) : (double)NAN;
}

enum difference_result difference_classify(double difference, bool tested, bool differs)
{
	if (isnan(difference))
		return DIFFERENCE_UNKNOWN;
	if (!tested)
		return DIFFERENCE_FEW;
	if (!differs)
		return DIFFERENCE_NOISE;
	return difference > 0 ? DIFFERENCE_MORE : DIFFERENCE_LESS;
}

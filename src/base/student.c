/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/student.h"

#include <math.h>

double student_within(double t, int freedom)
{
	const double theta = atan(t / sqrt(freedom)), c = cos(theta);
	const int odd = freedom % 2;
	double term = odd ? c : 1, sum = 0;

	for (int power = odd; power <= freedom - 2; power += 2) {
		sum += term;
		term *= (power + 1.0) / (power + 2) * c * c;
	}
	return odd ? (theta + sin(theta) * sum) / M_PI_2 : sin(theta) * sum;
}

double student_quantile(double within, int freedom)
{
	double low = 0, high = 1;

	while (student_within(high, freedom) < within)
		high *= 2;
	for (double middle = high / 2; middle > low && middle < high; middle = (low + high) / 2)
		if (student_within(middle, freedom) < within)
			low = middle;
		else
			high = middle;
	return high;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/variation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/moments.h"
#include "base/student.h"

void variation_measure(struct variation *out, const double *number, size_t n)
{
	struct moments all;

	moments_measure(&all, number, n);
	*out = (struct variation){n, all.mean, NAN, NAN, moments_sd(&all), NAN};
	for (size_t i = 0; i < n; i++) {
		out->least = fmin(out->least, number[i]);
		out->most = fmax(out->most, number[i]);
	}
	if (n >= VARIATION_LEAST)
		out->margin = student_quantile(VARIATION_CONFIDENCE, (int)n - 1) * out->sd /
			      sqrt((double)n);
}

/* The standard error of the difference of two means, and its degrees of freedom (Welch), rounded
 * down. */
struct welch {
	double error;
	int freedom;
};

/* Computes *w. Returns false if a or b has fewer than VARIATION_LEAST numbers, or ones so large
 * that their variance is not finite. If the error is 0, the degrees of freedom are undefined, and
 * set to 0. */
static bool welch_of(struct welch *w, const struct variation *a, const struct variation *b)
{
	const double p = a->sd * a->sd / (double)a->n, q = b->sd * b->sd / (double)b->n;
	double share, freedom;

	*w = (struct welch){.error = 0};
	if (a->n < VARIATION_LEAST || b->n < VARIATION_LEAST || !isfinite(p + q))
		return false;
	if (p + q <= 0)
		return true;
	/* Of shares of the sum, as squares of large numbers are not finite, those of small ones 0.
	 */
	share = p / (p + q);
	freedom = 1 / (share * share / (double)(a->n - 1) +
		       (1 - share) * (1 - share) / (double)(b->n - 1));
	*w = (struct welch){sqrt(p + q), (int)(freedom + 1e-9)};
	return true;
}

double variation_margin(const struct variation *a, const struct variation *b)
{
	struct welch w;

	if (!welch_of(&w, a, b))
		return NAN;
	return w.error > 0 ? student_quantile(VARIATION_CONFIDENCE, w.freedom) * w.error : 0;
}

double variation_p_between(const struct variation *a, const struct variation *b)
{
	struct welch w;

	if (!welch_of(&w, a, b))
		return NAN;
	if (w.error <= 0)
		return a->mean == b->mean ? 1 : 0;
	return 1 - student_within(fabs(a->mean - b->mean) / w.error, w.freedom);
}

double variation_p_value(const struct variation *s)
{
	const double error = s->sd / sqrt((double)s->n);

	if (s->n < VARIATION_LEAST)
		return NAN;
	if (error <= 0)
		return s->mean == 0 ? 1 : 0;
	return 1 - student_within(fabs(s->mean) / error, (int)s->n - 1);
}

/* Returns the index of the smallest p-value that is not corrected yet; n: none is left. */
static size_t find_smallest(const double *chance, const bool *done, size_t n)
{
	size_t at = n;

	for (size_t i = 0; i < n; i++)
		if (!done[i] && !isnan(chance[i]) && (at == n || chance[i] < chance[at]))
			at = i;
	return at;
}

void variation_correct_p(double *chance, size_t n)
{
	bool *done = xcalloc(n + 1, sizeof *done);
	double largest = 0;
	size_t left = 0;

	for (size_t i = 0; i < n; i++)
		left += !isnan(chance[i]);
	for (size_t i; (i = find_smallest(chance, done, n)) < n; left--) {
		largest = fmax(largest, fmin(1, chance[i] * (double)left));
		chance[i] = largest;
		done[i] = true;
	}
	free(done);
}

static int compare_numbers(const void *x, const void *y)
{
	const double a = *(const double *)x, b = *(const double *)y;

	return a < b ? -1 : a > b;
}

/* Returns the median. Sorts the numbers. */
static double median_of(double *number, size_t n)
{
	array_sort(number, n, sizeof *number, compare_numbers);
	return n % 2 ? number[n / 2] : (number[n / 2 - 1] + number[n / 2]) / 2;
}

/* Factors by which the median and the mean of the distances are multiplied to give the standard
 * deviation of a normal distribution. */
#define SD_OF_MEDIAN 1.4826
#define SD_OF_MEAN   1.2533

static double plain_mean(const double *number, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += number[i];
	return sum / (double)n;
}

/* Estimates the standard deviation of n counts, of which at least half equal `middle`, from their
 * sorted distances. Returns the larger of two estimates: from the mean of the smaller three
 * quarters of the distances; and from the mean of all distances, limited to the standard deviation
 * of random events (Poisson). */
static double sd_of_counts(double middle, const double *distance, size_t n)
{
	const double most = SD_OF_MEAN * plain_mean(distance, n);

	return fmax(SD_OF_MEAN * plain_mean(distance, n * 3 / 4),
		    fmin(most, sqrt(fmax(1, middle))));
}

size_t variation_mark_outliers(const double *number, size_t n, bool *stands_out)
{
	double *room, middle, sd;
	size_t marked = 0;

	memset(stands_out, 0, n * sizeof *stands_out);
	if (n < VARIATION_OUTLIER_LEAST)
		return 0;
	room = xcalloc(n, sizeof *room);
	memmove(room, number, n * sizeof *room);
	middle = median_of(room, n);
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(number[i] - middle);
	sd = SD_OF_MEDIAN * median_of(room, n);
	if (sd <= 0)
		sd = sd_of_counts(middle, room, n);
	for (size_t i = 0; i < n; i++) {
		stands_out[i] = fabs(number[i] - middle) > VARIATION_OUTLIER_FROM * sd;
		marked += stands_out[i];
	}
	free(room);
	return marked;
}

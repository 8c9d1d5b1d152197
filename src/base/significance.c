/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/significance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"

/* ---- mean error ---- */

double mean_error_margin(const struct mean_error *e, double within)
{
	return e->error > 0 ? student_quantile(within, e->freedom) * e->error : e->error;
}

double mean_error_chance(const struct mean_error *e, double mean)
{
	if (isnan(e->error))
		return NAN;
	if (e->error <= 0)
		return mean == 0 ? 1 : 0;
	return 1 - student_within(fabs(mean) / e->error, e->freedom);
}

/* ---- moments ---- */

/* 95 % of normally distributed numbers are within this many standard deviations. */
#define DEVIATIONS 1.96

/* Returns the mean. The second pass ensures that the mean of equal numbers is exactly that
 * number. */
static double mean_of(const double *number, size_t n)
{
	double sum = 0, rest = 0, mean;

	for (size_t i = 0; i < n; i++)
		sum += number[i];
	mean = sum / (double)n;
	for (size_t i = 0; i < n; i++)
		rest += number[i] - mean;
	return mean + rest / (double)n;
}

void moments_measure(struct moments *out, const double *number, size_t n)
{
	*out = (struct moments){.n = (double)n, .measured = (double)n, .mean = NAN};
	if (n)
		out->mean = mean_of(number, n);
	for (size_t i = 0; i < n; i++)
		out->squares += (number[i] - out->mean) * (number[i] - out->mean);
}

void moments_add(struct moments *to, const struct moments *from)
{
	const double n = to->n + from->n, off = from->mean - to->mean;
	const double measured = to->measured + from->measured;

	if (!(n > 0))
		return;
	to->squares += from->squares;
	if (measured > 0)
		to->squares += off * off * to->measured * from->measured / measured;
	to->mean += off * from->n / n;
	to->n = n;
	to->measured = measured;
}

double moments_sd(const struct moments *m)
{
	return m->measured > 1 ? sqrt(m->squares / (m->measured - 1)) : (double)NAN;
}

double moments_margin(double n_a, double sd_a, double n_b, double sd_b)
{
	return DEVIATIONS * moments_error(n_a, sd_a, n_b, sd_b).error;
}

struct mean_error moments_error(double n_a, double sd_a, double n_b, double sd_b)
{
	return (struct mean_error){sqrt(sd_a * sd_a / n_a + sd_b * sd_b / n_b), 0};
}

/* ---- variation ---- */

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

struct mean_error variation_error(const struct variation *s)
{
	return (struct mean_error){
		s->n < VARIATION_LEAST ? (double)NAN : s->sd / sqrt((double)s->n), (int)s->n - 1};
}

/* The degrees of freedom are rounded down. */
struct mean_error variation_error_between(const struct variation *a, const struct variation *b)
{
	const double p = a->sd * a->sd / (double)a->n, q = b->sd * b->sd / (double)b->n;
	double share, freedom;

	if (a->n < VARIATION_LEAST || b->n < VARIATION_LEAST || !isfinite(p + q))
		return (struct mean_error){.error = NAN};
	if (p + q <= 0)
		return (struct mean_error){.error = 0};
	/* Computed from shares of the sum: the squares of p and q themselves may be infinite or 0.
	 */
	share = p / (p + q);
	freedom = 1 / (share * share / (double)(a->n - 1) +
		       (1 - share) * (1 - share) / (double)(b->n - 1));
	return (struct mean_error){sqrt(p + q), (int)(freedom + 1e-9)};
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

/* If numbers are distributed normally, their standard deviation is the median, or the mean, of
 * their distances from the middle, multiplied by this factor. */
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

/* ---- means ---- */

/* With fewer than COSINES_MIN, Student's t is so large that no difference is found in ten numbers.
 * More than COSINES_MAX would hardly make t smaller, and are no longer slow waves. */
#define COSINES_MIN 3
#define COSINES_MAX 64
/* The largest autocorrelation that is assumed: in one series, a larger one cannot be distinguished
 * from a drift. */
#define PHI_MAX 0.97

/* Adds up the products of neighbouring deviations from the mean. */
static void add_products(struct means_summary *s, const double *number)
{
	for (size_t i = 1; i < s->n; i++)
		s->products += (number[i] - s->mean) * (number[i - 1] - s->mean);
}

static int cosines_of(size_t n)
{
	const double cosines = round(0.4 * pow((double)n, 2.0 / 3));

	return (int)fmin(fmax(cosines, COSINES_MIN), COSINES_MAX);
}

/* Returns the weight of the j-th cosine in the series. Each value of the cosine is computed from
 * the two values before it: cos((k + 1) x) = 2 cos(x) cos(k x) - cos((k - 1) x). */
static double projection(const struct means_summary *s, const double *number, int j)
{
	const double step = M_PI * j / (double)s->n, twice = 2 * cos(step);
	double c = cos(step / 2), before = c, sum = 0;

	for (size_t i = 0; i < s->n; i++) {
		const double next = twice * c - before;

		sum += c * (number[i] - s->mean);
		before = c;
		c = next;
	}
	return sqrt(2 / (double)s->n) * sum;
}

void means_summarize(struct means_summary *out, const double *number, size_t n)
{
	struct moments all;
	double power = 0;

	moments_measure(&all, number, n);
	*out = (struct means_summary){
		.n = n, .mean = all.mean, .sd = moments_sd(&all), .squares = all.squares};
	add_products(out, number);
	if (n < MEANS_LEAST)
		return;
	out->freedom = cosines_of(n);
	for (int j = 1; j <= out->freedom; j++) {
		const double weight = projection(out, number, j);

		power += weight * weight;
	}
	out->variance = power / out->freedom / (double)n;
}

/* Returns the correlation of a number with the one before it (AR(1) phi), estimated from both
 * series together, since one series alone gives a poor estimate. The estimate is corrected for its
 * bias: from short series, it is too small (Marriott and Pope, Biometrika 41, 1954). */
static double estimate_phi(const struct means_summary *a, const struct means_summary *b)
{
	const double n = (double)(a->n + b->n) / 2, squares = a->squares + b->squares;
	const double seen = squares > 0 ? (a->products + b->products) / squares : 0;

	return fmin(fmax((n * seen + 1) / (n - 4), 0), PHI_MAX);
}

/* Returns the variance of the mean of an AR(1) series with this phi. Corrects the sum of squares,
 * too, which is too small because it is taken around the mean of the sample. */
static double variance_by_phi(const struct means_summary *s, double phi)
{
	const double n = (double)s->n, odd = 1 - phi;
	const double share = ((1 + phi) / odd - 2 * phi * (1 - pow(phi, n)) / (n * odd * odd)) / n;

	return s->squares / n * share / (1 - share);
}

/* Returns the degrees of freedom of the sum of two variances (Welch), rounded down, so that the
 * margin is rather too wide. */
static int joint_freedom(const struct means_summary *a, double variance_a,
			 const struct means_summary *b, double variance_b)
{
	const double sum = variance_a + variance_b;
	const double parts =
		variance_a * variance_a / a->freedom + variance_b * variance_b / b->freedom;
	const int least = a->freedom < b->freedom ? a->freedom : b->freedom;

	/* 1e-9: rounding may leave a whole number slightly too small. */
	return parts > 0 ? (int)fmax(least, sum * sum / parts + 1e-9) : least;
}

void means_compare(struct means_difference *out, const struct means_summary *a,
		   const struct means_summary *b)
{
	double phi, variance_a, variance_b;

	*out = (struct means_difference){
		.difference = b->mean - a->mean, .error = {NAN, 0}, .margin = NAN};
	out->tested = a->freedom && b->freedom;
	if (!out->tested)
		return;
	phi = estimate_phi(a, b);
	variance_a = fmax(a->variance, variance_by_phi(a, phi));
	variance_b = fmax(b->variance, variance_by_phi(b, phi));
	out->error = (struct mean_error){sqrt(variance_a + variance_b),
					 joint_freedom(a, variance_a, b, variance_b)};
	out->margin = mean_error_margin(&out->error, MEANS_CONFIDENCE);
	out->differ = fabs(out->difference) > out->margin;
}

/* ---- difference ---- */

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

/* ---- student ---- */

static double within_by_sums(double t, int freedom)
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

double student_within(double t, int freedom)
{
	return freedom ? within_by_sums(t, freedom) : erf(t / M_SQRT2);
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

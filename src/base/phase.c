/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/phase.h"

#include <math.h>
#include <string.h>

/* The limit of the logarithm of the likelihood ratio. */
#define LIMIT 11.5
/* The limit in a phase of at most YOUNG samples, except in the very first phase: a number that has
 * just changed may change again. */
#define LIMIT_YOUNG 9
#define YOUNG       40
/* The fewest samples before a change. */
#define BEFORE_LEAST 8
/* The largest weight, as a number of samples, of all samples that have left the window: noise of
 * long ago says little about the present. */
#define OLD_MAX 200
/* The largest phi, the coefficient of AR(1). When phi of the present phase and phi of earlier
 * phases are averaged, that of earlier ones counts as at most PHI_SAMPLES_MAX samples. */
#define PHI_MAX         0.9
#define PHI_SAMPLES_MAX 200
/* The least noise, as a share of the number. */
#define NOISE_LEAST 0.003
/* The least test statistic (chi squared) of the difference between the levels before and after a
 * change. It leaves out the sample at which the number jumps, so that a single outlier does not
 * count as another level. */
#define LEVEL 9.0
/* The share of the samples after a change that must be beyond the middle between both means. */
#define BEYOND_LEAST 0.75

/* Sums over successive samples. */
struct sums {
	double n, sum, squares;
	double products; /* sum of the products of each sample with the one before */
	double first, last;
};

/* A place where the mean may have changed. */
struct split {
	int after; /* the number of samples after the place */
	/* phi of AR(1); the number of samples before the place; the test statistic of the levels
	 * (LEVEL). */
	double phi, samples, level;
	double ratio; /* the share of the variance that the change explains */
	/* The means before and after the place, and the standard deviation around them. */
	double before, behind, noise;
};

static double sample_at(const struct phase *p, int i)
{
	return (double)p->sample[i];
}

static struct sums all_sums(const struct phase *p)
{
	struct sums all = {p->n_old, p->sum, p->squares, p->products, (double)p->first, 0};
	double last = (double)p->last_old;

	for (int i = 0; i < p->n; i++) {
		const double x = sample_at(p, i);

		all.products += all.n > 0 ? x * last : 0;
		all.n++;
		all.sum += x;
		all.squares += x * x;
		last = x;
	}
	all.last = last;
	return all;
}

/* Returns the sum of the products of neighbours, each less the mean. */
static double centred_products(const struct sums *s)
{
	const double mean = s->sum / s->n;

	return s->products - mean * (2 * s->sum - s->first - s->last) + (s->n - 1) * mean * mean;
}

static double centred_squares(const struct sums *s)
{
	return s->squares - s->sum * s->sum / s->n;
}

/* Returns phi: the correlation of a sample with the one before it, around the means of both sides,
 * corrected for the bias that two estimated means cause (Marriott and Pope, 1954). */
static double estimate_phi(const struct phase *p, const struct sums *before,
			   const struct sums *after)
{
	const double n = before->n + after->n;
	const double squares = centred_squares(before) + centred_squares(after);
	const double raw =
		squares > 0 ? (centred_products(before) + centred_products(after)) / squares : 0;
	const double phi = raw + 2 * (1 + 3 * raw) / n;

	return fmin(fmax((phi * n + p->phi * p->n_phi) / (n + p->n_phi), 0), PHI_MAX);
}

/* Measures how much of the variance a step of the mean explains. To remove the autocorrelation, phi
 * times the sample before is subtracted from each sample. In the resulting series, a step of 1 is 1
 * at its place and 1 - phi after it. */
static void measure(struct split *s, const struct phase *p, const struct sums *all,
		    const struct sums *before, const struct sums *after, double floor)
{
	const double phi = estimate_phi(p, before, after), c = 1 - phi, n = all->n - 1;
	const double y = all->sum - all->first - phi * (all->sum - all->last);
	const double yy = all->squares - all->first * all->first - 2 * phi * all->products +
			  phi * phi * (all->squares - all->last * all->last);
	const double step = 1 + c * (after->n - 1), steps = 1 + c * c * (after->n - 1);
	const double jump = after->first - phi * before->last;
	const double step_y =
		jump + c * (after->sum - after->first - phi * (after->sum - after->last));
	const double size = steps - step * step / n;
	const double by = step_y - step * y / n;
	const double explained = by * by / size;
	const double whole = yy - y * y / n;

	const double later = step_y - jump,
		     rest = fmax(whole - explained, n * c * c * floor * floor);
	const double level = later / c / (after->n - 1) - (y - jump - later / c) / (before->n - 1);

	s->ratio = explained / (explained + rest);
	s->level = level * level * (after->n - 1) * (before->n - 1) / (n - 1) * n / rest;
	s->phi = phi;
	s->samples = before->n;
	s->before = before->sum / before->n;
	s->behind = after->sum / after->n;
	s->noise = sqrt(fmax(centred_squares(before) + centred_squares(after), 0) / all->n);
}

/* Returns the split with the largest ratio. */
static struct split find_split(const struct phase *p, const struct sums *all)
{
	const double floor = NOISE_LEAST * fabs((double)p->base + all->sum / all->n);
	struct split best = {.ratio = 0};
	struct sums after = {.last = all->last};

	for (int i = p->n - 1; i > 0 && all->n - after.n > BEFORE_LEAST; i--) {
		const double x = sample_at(p, i);
		struct split s = {.after = p->n - i};
		struct sums before;

		after.products += after.n > 0 ? x * after.first : 0;
		after.first = x;
		after.n++;
		after.sum += x;
		after.squares += x * x;
		if (s.after < 2)
			continue;
		before = (struct sums){all->n - after.n,
				       all->sum - after.sum,
				       all->squares - after.squares,
				       all->products - after.products - x * sample_at(p, i - 1),
				       all->first,
				       sample_at(p, i - 1)};
		measure(&s, p, all, &before, &after, floor);
		if (s.ratio > best.ratio)
			best = s;
	}
	return best;
}

/* Returns whether the change lasts: enough samples follow it, their level differs clearly from the
 * old one (LEVEL), and most of them are nearer to the new mean than to the old one. */
static bool is_lasting(const struct phase *p, const struct split *s)
{
	const double middle = (s->before + s->behind) / 2;
	int beyond = 0;

	for (int i = p->n - s->after; i < p->n; i++)
		beyond += (sample_at(p, i) > middle) == (s->behind > s->before);
	return s->after >= PHASE_LEAST && s->level >= LEVEL && beyond >= BEYOND_LEAST * s->after;
}

static void forget_old(struct phase *p)
{
	const double part = OLD_MAX / p->n_old;

	if (part >= 1)
		return;
	p->n_old *= part;
	p->sum *= part;
	p->squares *= part;
	p->products *= part;
}

/* Moves the oldest sample of the window into the sums. */
static void leave_window(struct phase *p)
{
	const double old = sample_at(p, 0);

	p->products += p->n_old > 0 ? old * (double)p->last_old : 0;
	p->n_old++;
	p->sum += old;
	p->squares += old * old;
	p->last_old = (float)old;
	forget_old(p);
}

/* Drops the first n samples of the window. */
static void drop(struct phase *p, int n)
{
	p->n = (uint8_t)(p->n - n);
	memmove(p->sample, p->sample + n, p->n * sizeof *p->sample);
	memmove(p->when, p->when + n, p->n * sizeof *p->when);
}

static void push(struct phase *p, double x, uint32_t when)
{
	if (p->n == PHASE_WINDOW) {
		leave_window(p);
		drop(p, 1);
	}
	p->sample[p->n] = (float)x;
	p->when[p->n++] = when;
}

/* Begins a new phase that consists of the samples after the split. */
static void begin_phase(struct phase *p, const struct split *s)
{
	drop(p, p->n - s->after);
	p->n_old = p->sum = p->squares = p->products = 0;
	p->first = p->sample[0];
	p->phi = s->phi;
	p->n_phi = fmin(p->n_phi + s->samples, PHI_SAMPLES_MAX);
}

/* Returns the limit for the logarithm of the likelihood ratio. */
static double limit_of(const struct phase *p, const struct sums *all)
{
	const bool is_first = p->n_phi <= 0;

	return is_first || all->n > YOUNG ? LIMIT : LIMIT_YOUNG;
}

/* Tests quickly whether the mean may have changed at any place: treats the samples as independent,
 * and uses half of the limit. The answer is nearly always no, which saves the full test. */
static bool may_have_changed(const struct phase *p, const struct sums *all)
{
	const double whole = centred_squares(all), n = all->n;
	const double least = whole * -expm1(-limit_of(p, all) / n);
	double sum = 0;

	for (int i = p->n - 1, k = 1; i > 0 && n - k >= BEFORE_LEAST; i--, k++) {
		double by;

		sum += sample_at(p, i);
		by = sum * n - all->sum * k;
		if (by * by >= least * n * k * (n - k))
			return true;
	}
	return false;
}

static bool detect_change(struct phase *p, struct phase_change *change)
{
	struct sums all;
	struct split best;
	double likelihood;

	if (p->n_old + p->n < BEFORE_LEAST + PHASE_LEAST)
		return false;
	all = all_sums(p);
	if (!may_have_changed(p, &all))
		return false;
	best = find_split(p, &all);
	likelihood = -0.5 * (all.n - 1) * log1p(-best.ratio);
	if (likelihood < limit_of(p, &all) || !is_lasting(p, &best))
		return false;
	begin_phase(p, &best);
	*change = (struct phase_change){.when = p->when[0],
					.before = (double)p->base + best.before,
					.after = (double)p->base + best.behind,
					.noise = best.noise,
					.likelier = likelihood / M_LN10};
	return true;
}

bool phase_add_same(struct phase *p, double number, uint32_t n, uint32_t when,
		    struct phase_change *change)
{
	if (!p->n)
		p->base = (float)number;
	for (uint32_t i = 0; i < n; i++)
		push(p, number - (double)p->base, when + i);
	return n && detect_change(p, change);
}

bool phase_add(struct phase *p, double number, uint32_t when, struct phase_change *change)
{
	return phase_add_same(p, number, 1, when, change);
}

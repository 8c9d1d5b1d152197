/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes of level in generated series with known positions: how many are found, and how many are
 * false. The seeds are fixed. doc/phases.md has figures of the same series.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/phase.h"
#include "tap.h"

#define SERIES_MAX 4000
#define NEAR       2

/* ---- noise ---- */

static uint64_t state;

static double uniform(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(state >> 11) + 0.5) / 0x1p53;
}

static double gauss(void)
{
	return sqrt(-2 * log(uniform())) * cos(2 * M_PI * uniform());
}

static double laplace(void)
{
	const double u = uniform() - 0.5;

	return (u < 0 ? 1 : -1) * log(1 - 2 * fabs(u)) / M_SQRT2;
}

static double flat(void)
{
	return (uniform() - 0.5) * sqrt(12);
}

/* Noise of variance 1; phi: the correlation of successive samples. */
struct noise {
	const char *name;
	double (*draw)(void);
	double phi;
};

static const struct noise noises[] = {
	{"white", gauss, 0},    {"uniform", flat, 0},   {"Laplace", laplace, 0},
	{"AR 0.3", gauss, 0.3}, {"AR 0.6", gauss, 0.6},
};

#define N_NOISES (sizeof noises / sizeof *noises)

static double next_noise(const struct noise *noise, double *x)
{
	*x = noise->phi * *x + sqrt(1 - noise->phi * noise->phi) * noise->draw();
	return *x;
}

/* ---- series ---- */

struct series {
	double x[SERIES_MAX];
	int n;
	/* True if a change was found at [from - NEAR, to + NEAR]; more changes may be found within
	 * a ramp. */
	struct {
		int from, to;
		bool found;
	} change[64];
	int n_changes;
};

/* Sums over many series. */
struct score {
	int changes, found, alarms, right;
};

static void begin(struct series *s, uint64_t seed)
{
	memset(s, 0, sizeof *s);
	state = seed * 2654435761u + 1;
}

/* Adds n samples on this level, in units of the noise above an IPC of 1.5. */
static void add(struct series *s, const struct noise *noise, double *x, double level, int n)
{
	for (; n > 0; n--)
		s->x[s->n++] = 1.5 + 0.05 * (level + next_noise(noise, x));
}

static void add_change(struct series *s, int from, int to)
{
	s->change[s->n_changes].from = from;
	s->change[s->n_changes++].to = to;
}

/* Steps of 3 to 8 times the noise, up and down, each 20 to 60 samples long. */
static void make_steps(struct series *s, const struct noise *noise)
{
	double x = 0, level = 0;

	add(s, noise, &x, level, 40);
	for (int i = 0; i < 10; i++) {
		const double size = 3 + 5 * uniform();

		add_change(s, s->n, s->n);
		level += level > 0 || (level == 0 && i % 2) ? -size : size;
		add(s, noise, &x, level, 20 + (int)(40 * uniform()));
	}
}

/* Ramps from one level to another within 6 to 12 samples. */
static void make_ramps(struct series *s, const struct noise *noise)
{
	double x = 0, level = 0;

	for (int i = 0; i < 6; i++) {
		const int n = 6 + (int)(6 * uniform());
		const double size = i % 2 ? -10 : 10;

		add(s, noise, &x, level, 60);
		add_change(s, s->n, s->n + n);
		for (int k = 0; k < n; k++)
			add(s, noise, &x, level + size * k / n, 1);
		level += size;
	}
	add(s, noise, &x, level, 60);
}

/* From time to time, one to five samples far from the level. */
static void make_bursts(struct series *s, const struct noise *noise)
{
	double x = 0;

	for (int i = 0; i < 12; i++) {
		add(s, noise, &x, 0, 20 + (int)(40 * uniform()));
		add(s, noise, &x, 6 + 10 * uniform(), 1 + (int)(5 * uniform()));
	}
	add(s, noise, &x, 0, 60);
}

/* A wave whose period is shorter than a phase. */
static void make_waves(struct series *s, const struct noise *noise)
{
	const double period = 4 + 6 * uniform(), size = 1 + 4 * uniform();
	double x = 0;

	for (int i = 0; i < 400; i++)
		add(s, noise, &x, size * sin(2 * M_PI * i / period), 1);
}

/* Alternately high and low, each long enough to be a phase. */
static void make_square(struct series *s, const struct noise *noise)
{
	const int half = 20 + (int)(20 * uniform());
	double x = 0;

	for (int i = 0; i < 12; i++) {
		if (i)
			add_change(s, s->n, s->n);
		add(s, noise, &x, i % 2 ? 5 : 0, half);
	}
}

static void judge(struct series *s, struct score *score)
{
	struct phase p = {.n = 0};
	struct phase_change c;

	for (int i = 0; i < s->n; i++) {
		bool right = false;

		if (!phase_add(&p, s->x[i], (uint32_t)i, &c))
			continue;
		for (int k = 0; k < s->n_changes; k++)
			if ((int)c.when >= s->change[k].from - NEAR &&
			    (int)c.when <= s->change[k].to + NEAR &&
			    (!s->change[k].found || s->change[k].to > s->change[k].from))
				right = s->change[k].found = true;
		score->alarms++;
		score->right += right;
	}
	score->changes += s->n_changes;
	for (int k = 0; k < s->n_changes; k++)
		score->found += s->change[k].found;
}

static double part(int n, int of)
{
	return of ? (double)n / of : 1;
}

static void test_series(void)
{
	static const struct {
		const char *name;
		void (*make)(struct series *s, const struct noise *noise);
		int seeds;
	} kinds[] = {{"steps", make_steps, 6},
		     {"ramps", make_ramps, 2},
		     {"bursts", make_bursts, 2},
		     {"waves", make_waves, 2},
		     {"square waves", make_square, 2}};
	static struct series s;
	struct score all = {0};
	int n = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		for (size_t k = 0; k < N_NOISES; k++) {
			struct score score = {0};

			for (int seed = 1; seed <= kinds[i].seeds; seed++, n++) {
				begin(&s, (uint64_t)(seed + 10 * (int)i + 100 * (int)k));
				kinds[i].make(&s, &noises[k]);
				judge(&s, &score);
			}
			printf("# %s, %s noise: %d of %d found, %d of %d alarms right\n",
			       kinds[i].name, noises[k].name, score.found, score.changes,
			       score.right, score.alarms);
			tap_ok(score.changes || !score.alarms, "%s have no changes", kinds[i].name);
			all.changes += score.changes;
			all.found += score.found;
			all.alarms += score.alarms;
			all.right += score.right;
		}
	tap_ok(n >= 60, "%d series", n);
	tap_ok(part(all.found, all.changes) >= 0.9, "recall %.3f", part(all.found, all.changes));
	tap_ok(part(all.right, all.alarms) >= 0.9, "precision %.3f", part(all.right, all.alarms));
}

/* Steps of this size, each `length` samples long. */
static struct score score_steps(const struct noise *noise, double size, int length)
{
	static struct series s;
	struct score score = {0};

	for (uint64_t seed = 1; seed <= 100; seed++) {
		double x = 0;

		begin(&s, seed);
		for (int i = 0; i < 10; i++) {
			if (i)
				add_change(&s, s.n, s.n);
			add(&s, noise, &x, i % 2 ? size : 0, length);
		}
		judge(&s, &score);
	}
	printf("# steps of %g, %d long, %s noise: recall %.3f, precision %.3f\n", size, length,
	       noise->name, part(score.found, score.changes), part(score.right, score.alarms));
	return score;
}

/* Returns the least recall for steps of this size and length. In autocorrelated noise, even a test
 * that knows the noise misses the shortest and smallest steps, see test_ideal(). */
static double least_recall(const struct noise *noise, int size, int length)
{
	if (noise->phi < 0.5)
		return noise->phi > 0 && size == 3 && length == 20 ? 0.78 : 0.9;
	if (size == 4)
		return length == 20 ? 0.87 : 0.9;
	return length == 20 ? 0.48 : 0.8;
}

/* For the shortest and smallest steps, recall is limited, but the reported changes are true. */
static void test_shortest(void)
{
	for (size_t k = 0; k < N_NOISES; k++)
		for (int length = 20; length <= 40; length += 20)
			for (int size = 3; size <= 4; size++) {
				const struct score score = score_steps(&noises[k], size, length);
				const double recall = part(score.found, score.changes);

				tap_ok(recall >= least_recall(&noises[k], size, length),
				       "%s: recall %.3f", noises[k].name, recall);
				tap_ok(part(score.right, score.alarms) >= 0.9, "precision %.3f",
				       part(score.right, score.alarms));
			}
}

/* ---- the best that can be had ---- */

/* The threshold of a test that knows the noise, with the same rate of false alarms as
 * src/base/phase.c. */
#define IDEAL_LIMIT 10.25

/* Returns the log-likelihood ratio of a new mean from `at` on, if the noise is known: variance 1
 * and phi. */
static double ideal_likelihood(const double *x, int n, int at, double phi)
{
	double sum = 0, step = 0, steps = 0, by = 0;

	for (int t = 1; t < n; t++) {
		const double y = x[t] - phi * x[t - 1];
		const double s = t < at ? 0 : t == at ? 1 : 1 - phi;

		sum += y;
		step += s;
		steps += s * s;
		by += s * y;
	}
	by -= step * sum / (n - 1);
	return by * by / (steps - step * step / (n - 1)) / (1 - phi * phi) / 2;
}

static int ideal_place(const double *x, int n, double phi)
{
	double best = IDEAL_LIMIT;
	int place = -1;

	for (int at = n < PHASE_WINDOW ? 8 : n - PHASE_WINDOW; at <= n - PHASE_LEAST; at++) {
		const double likelihood = at < 8 ? 0 : ideal_likelihood(x, n, at, phi);

		if (likelihood > best) {
			best = likelihood;
			place = at;
		}
	}
	return place;
}

/* The recall of a test that knows the noise, but not the two means, for comparison: 20 samples,
 * then 20 samples on a level 3 times the noise away. */
static void test_ideal(double phi, double least, double most)
{
	const struct noise noise = {"AR", gauss, phi};
	int found = 0, alarms = 0, quiet = 0, was_quiet = 0;
	double x[64] = {0}, state_of = 0;

	state = 11;
	for (int i = 0; i < 4000; i++) {
		bool seen = false;

		for (int t = 0; t < 40; t++)
			x[t] = (t < 20 ? 0 : 3) + next_noise(&noise, &state_of);
		for (int n = 28; n <= 40 && !seen; n++) {
			const int place = ideal_place(x, n, phi);

			seen = place >= 20 - NEAR && place <= 20 + NEAR;
		}
		found += seen;
	}
	for (int i = 0; i < 200000; i++) {
		memmove(x, x + 1, 63 * sizeof *x);
		x[63] = next_noise(&noise, &state_of);
		/* An alarm in consecutive windows counts once. */
		quiet = i >= 64 && ideal_place(x, 64, phi) >= 0 ? 0 : quiet + 1;
		alarms += quiet == 0 && was_quiet >= PHASE_WINDOW;
		was_quiet = quiet;
	}
	printf("# a test that knows the noise, AR %.1f: recall %.3f, %d alarms in 200,000 "
	       "samples\n",
	       phi, found / 4000.0, alarms);
	tap_ok(alarms >= 2 && alarms <= 6, "some 20 in a million: %d", alarms);
	tap_ok(found >= least * 4000 && found <= most * 4000, "its recall is %.3f", found / 4000.0);
}

/* A million samples of each noise, without a change. */
static void test_false_alarms(void)
{
	for (size_t k = 0; k < N_NOISES; k++) {
		struct phase p = {.n = 0};
		struct phase_change c;
		double x = 0;
		int alarms = 0;

		state = 42 + k;
		for (uint32_t i = 0; i < 1000000; i++)
			alarms += phase_add(&p, 1.5 + 0.05 * next_noise(&noises[k], &x), i, &c);
		printf("# %s noise: %d alarms in a million samples\n", noises[k].name, alarms);
		tap_ok(alarms <= (noises[k].draw == laplace ? 40 : 20), "%s noise: %d alarms",
		       noises[k].name, alarms);
	}
}

/* A large change, followed by noise on one level: the change is found, and few false ones
 * follow. */
static void test_behind_a_change(void)
{
	for (size_t k = 0; k < N_NOISES; k++) {
		struct phase_change c;
		double x = 0;
		int seen = 0, false_ones = 0;

		state = 7 + k;
		for (int i = 0; i < 2000; i++) {
			struct phase p = {.n = 0};
			int n = 0;

			for (uint32_t t = 0; t < 200; t++)
				n += phase_add(&p,
					       1.5 + 0.05 * ((t < 60 ? 0 : 12) +
							     next_noise(&noises[k], &x)),
					       t, &c);
			seen += n > 0;
			false_ones += n > 1 ? n - 1 : 0;
		}
		printf("# %s noise: %d of 2000 changes of 12 times the noise are seen, and %d "
		       "false "
		       "ones behind them\n",
		       noises[k].name, seen, false_ones);
		tap_int(seen, 2000, "%s noise: each is seen", noises[k].name);
		tap_ok(false_ones <= (noises[k].phi > 0.5 ? 260 : 60), "%d false ones behind them",
		       false_ones);
	}
}

/* The data of a found change, and series without noise. */
static void test_change(void)
{
	struct phase p = {.n = 0};
	struct phase_change c;
	int seen = 0;

	for (uint32_t i = 0; i < 60; i++)
		if (phase_add(&p, (i < 40 ? 1.9 : 1.1) + (i % 2 ? 0.01 : -0.01), 1000 + i, &c))
			seen++;
	tap_int(seen, 1, "one change");
	tap_int((long)c.when, 1040, "where it was");
	tap_ok(fabs(c.before - 1.9) < 1e-3 && fabs(c.after - 1.1) < 1e-3, "from 1.9 to 1.1");
	tap_ok(c.noise > 0 && c.noise < 0.05, "the noise around them");
	tap_ok(c.likelier > 6, "10^%.0f times likelier than none", c.likelier);
	p = (struct phase){.n = 0};
	for (uint32_t i = seen = 0; i < 200; i++)
		seen += phase_add(&p, 100, i, &c);
	tap_int(seen, 0, "what never changes has no phases");
	for (uint32_t i = 0; i < 100; i++)
		seen += phase_add(&p, 100.2, i, &c);
	tap_int(seen, 0, "nor has what changes by less than matters");
	for (uint32_t i = 0; i < 30; i++)
		seen += phase_add(&p, 110, i, &c);
	tap_int(seen, 1, "a tenth does");
	for (uint32_t i = 0; i < 30; i++)
		seen += phase_add(&p, 0, i, &c);
	tap_int(seen, 2, "and so does an end of all work");
	p = (struct phase){.n = 0};
	phase_add_same(&p, 1, 20, 100, &c);
	tap_ok(!phase_add_same(&p, 3, PHASE_LEAST - 1, 120, &c), "many at once are too few");
	tap_ok(phase_add_same(&p, 3, 10, 120 + PHASE_LEAST - 1, &c), "or enough");
	tap_ok(c.when == 120 && c.before == 1 && c.after == 3, "and the place is known: %u",
	       c.when);
	tap_ok(sizeof p <= 400, "%zu bytes, whatever came", sizeof p);
}

int main(void)
{
	test_change();
	test_series();
	test_shortest();
	test_ideal(0.6, 0.7, 0.9);
	test_ideal(0.3, 0.8, 0.99);
	test_false_alarms();
	test_behind_a_change();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase - when a number that is measured again and again changed its level: a sequential test in
 * constant memory. Pure.
 *
 * The test is the window-limited generalized likelihood ratio (Willsky and Jones, A generalized
 * likelihood ratio approach to the detection and estimation of jumps in linear systems, IEEE
 * Transactions on Automatic Control 21(1), 1976; Lai, Sequential changepoint detection in quality
 * control and dynamical systems, Journal of the Royal Statistical Society B 57(4), 1995): for each
 * of the last PHASE_WINDOW samples, how much likelier the samples are with another mean from there
 * on than with one mean. The noise is taken as autoregressive of the first order, AR(1), since what
 * a program does resembles what it did just before; how much, is estimated on both sides of the
 * change that is tested, so that the change itself does not look like it. Where the likelihood is
 * above a limit, the best of these places is the change.
 *
 * A change must last: PHASE_LEAST samples at least, of which most are beyond the middle of both
 * means, so that single samples far off are none. It must be large enough to matter: changes below
 * a hundredth of the number are noise, even where there is no other.
 *
 * A phase that is young is believed to end sooner: what changed a short while ago is more likely to
 * change again than what never did (Wilson, Nassar and Gold, Bayesian online learning of the hazard
 * rate in change-point problems, Neural Computation 22(9), 2010). There, the limit is a lower one.
 *
 * The limit is that of some 5 false alarms in a million samples of noise, white or AR(1) 0.6; see
 * doc/phases.md, which has what was measured, and tests/unit/base/.
 */
#ifndef BASE_PHASE_H
#define BASE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#define PHASE_WINDOW 32
#define PHASE_LEAST  8

/* All 0: no sample was seen. */
struct phase {
	/* The last samples of the phase, less base, and what the caller calls them. */
	float sample[PHASE_WINDOW];
	uint32_t when[PHASE_WINDOW];
	uint8_t n;
	float base;
	float first; /* sample of the phase */
	/* What is older, of this phase: how many, their sum, that of their squares, and of their
	 * products with the sample before; the last one. */
	double n_old, sum, squares, products;
	float last_old;
	/* How much a sample resembled the one before in earlier phases, and by how many samples. */
	double phi, n_phi;
};

struct phase_change {
	uint32_t when;        /* the first sample behind it */
	double before, after; /* the means */
	double noise;         /* the standard deviation around them */
	/* How much likelier the samples are with the change than without it, as a logarithm to the
	 * base 10. */
	double likelier;
};

/* Takes the next sample, a finite number. True: a change is seen, and the phase behind it has
 * begun. */
bool phase_add(struct phase *p, double number, uint32_t when, struct phase_change *change);
/* The same of n samples that follow each other, are the same number, and are called from `when` on;
 * only behind the last one it is asked whether a change is seen. */
bool phase_add_same(struct phase *p, double number, uint32_t n, uint32_t when,
		    struct phase_change *change);

#endif

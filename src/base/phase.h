/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * phase - detects when a number that is measured repeatedly changes its level: a sequential test in
 * constant memory. Pure.
 *
 * The test is the window-limited generalized likelihood ratio (Willsky and Jones, A generalized
 * likelihood ratio approach to the detection and estimation of jumps in linear systems, IEEE
 * Transactions on Automatic Control 21(1), 1976; Lai, Sequential changepoint detection in quality
 * control and dynamical systems, Journal of the Royal Statistical Society B 57(4), 1995): for each
 * of the last PHASE_WINDOW samples, it compares how likely all samples are if the mean changes at
 * that sample, and how likely they are with a single mean. The noise is modelled as autoregressive
 * of the first order, AR(1), since a program mostly goes on with what it did just before. The
 * coefficient phi of AR(1) is estimated separately before and after the tested change, so that the
 * change itself does not look like autocorrelation. If the likelihood ratio exceeds a limit, the
 * sample with the largest ratio is the change.
 *
 * A change must last: at least PHASE_LEAST samples, most of them beyond the middle between both
 * means, so that single outliers are not changes. It must be large enough to matter: the noise is
 * taken to be at least 0.3 % of the number, even if the samples vary less.
 *
 * A young phase is expected to end sooner: a number that changed a short while ago is more likely
 * to change again than one that never did (Wilson, Nassar and Gold, Bayesian online learning of the
 * hazard rate in change-point problems, Neural Computation 22(9), 2010). So the limit is lower in a
 * young phase.
 *
 * The limit gives some 5 false alarms in a million samples of noise, white or AR(1) 0.6; see
 * doc/phases.md for the measurements, and tests/unit/base/.
 */
#ifndef BASE_PHASE_H
#define BASE_PHASE_H

#include <stdbool.h>
#include <stdint.h>

#define PHASE_WINDOW 32
#define PHASE_LEAST  8

/* The state of the detector. All zeros: no sample yet. */
struct phase {
	/* The last samples of the phase, less `base`, and the caller's time or index of each.
	 * `base` is the very first sample: a float holds the small difference more precisely. */
	float sample[PHASE_WINDOW];
	uint32_t when[PHASE_WINDOW];
	uint8_t n;
	float base;
	float first; /* the first sample of the phase */
	/* The samples of this phase that have left the window: their number, their sum, the sums of
	 * their squares and of the products of neighbours; and the last of these samples. */
	double n_old, sum, squares, products;
	float last_old;
	/* The coefficient phi of AR(1) as estimated in earlier phases, and its weight: the number
	 * of samples that it was estimated from, limited. */
	double phi, n_phi;
};

struct phase_change {
	uint32_t when;        /* the first sample after the change */
	double before, after; /* the means before and after it */
	double noise;         /* the standard deviation around these means */
	/* How much likelier the samples are with the change than without it, as a logarithm to base
	 * 10. */
	double likelier;
};

/* Adds the next sample, a finite number. Returns true if it reveals a change; the phase after the
 * change has then begun. */
bool phase_add(struct phase *p, double number, uint32_t when, struct phase_change *change);
/* Adds n successive samples of the same number, named `when`, when + 1 and so on; tests for a
 * change only after the last one. */
bool phase_add_same(struct phase *p, double number, uint32_t n, uint32_t when,
		    struct phase_change *change);

#endif

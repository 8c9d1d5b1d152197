/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen_evidence - what somebody who looked at a task has seen, as evidence. Pure.
 *
 * What grows while it waits is an increment between two looks. Where it sleeps is told by the
 * system call that it is in, and where that may be for many reasons, by the function of the kernel:
 * both are of that one moment.
 */
#ifndef DIAGNOSE_SEEN_EVIDENCE_H
#define DIAGNOSE_SEEN_EVIDENCE_H

#include "diagnose/evidence.h"
#include "model/detail.h"

/* before: its last look; one without a time: there was none. */
void place_take(struct value out[N_EVIDENCE], const struct detail_wait *before,
		const struct detail *now);

#endif

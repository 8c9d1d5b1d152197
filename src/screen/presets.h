/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * presets - the built-in screens, as declarations (not compiled).
 *
 * "default" and "branch" are those of tiptop 2.3.1, their headers and formats included: scripts depend on them.
 * "software" needs no hardware counter. Formulas, units and sources stand beside each column in presets*.c.
 */
#ifndef SCREEN_PRESETS_H
#define SCREEN_PRESETS_H

#include "screen/screen.h"

/* Appends the screens of 2.3.1, which are made from hardware counters. */
void presets_add_hardware(struct screen_list *l);
/* Appends those for today's CPUs: memory, stalls, frontend, topdown, flops_dp, flops_sp, fp, system. */
void presets_add_today(struct screen_list *l);
/* Appends the screens that work on any machine. */
void presets_add_software(struct screen_list *l);

#endif

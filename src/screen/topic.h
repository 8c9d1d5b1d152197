/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topic - what a column is about: the heading below which it stands where columns are chosen.
 *
 * Each variable has one topic (model/topic.h), declared in its row. A column has that of the first
 * variable in its expression; one that names a counter is about counters. What it takes over from
 * other columns of its screen counts as its own.
 */
#ifndef SCREEN_TOPIC_H
#define SCREEN_TOPIC_H

#include <stddef.h>

#include "model/fact.h"

struct screen;

/* The headings, in the order in which they stand. */
extern const char *const topic_title[N_TOPICS];

/* TOPIC_OTHER: the table lacks it, which is a mistake. */
enum topic topic_of_variable(int variable);
/* Sets the topic of each column of a declared screen. */
void topic_set(struct screen *s);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * story_part - what the files of story have in common.
 */
#ifndef DIAGNOSE_STORY_PART_H
#define DIAGNOSE_STORY_PART_H

#include "diagnose/story.h"

/* The words that were told, the one of most time first; word: [n_words]. Returns how many. */
size_t story_rank_words(const struct story *s, size_t *word);

/* Who ended badly, in sentences: those of one name that ended in the same way are one. */
void story_each_end(const struct story *s, void (*say)(void *context, const char *text),
		    void *context);

/* What was not known, in sentences. */
void story_each_lack(const struct story *s, void (*say)(void *context, const char *text),
		     void *context);

#endif

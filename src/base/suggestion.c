/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/suggestion.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define NAME_MIN 3 /* any name of two characters would be near any other of that length */

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool is_same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Returns the distance of the first i characters of a and the first k of b. row: the distances for
 * k, k - 1 and k - 2, by i; those for k are computed up to i - 1. */
static size_t cell(const char *a, size_t i, const char *b, size_t k, size_t *const row[3])
{
	size_t best = least(least(row[1][i], row[0][i - 1]) + 1,
			    row[1][i - 1] + !is_same(a[i - 1], b[k - 1]));

	if (i > 1 && k > 1 && is_same(a[i - 1], b[k - 2]) && is_same(a[i - 2], b[k - 1]))
		best = least(best, row[2][i - 2] + 1);
	return best;
}

/* Returns the distance of two names; limit + 1: it exceeds the limit. */
static size_t distance(const char *a, const char *b, size_t limit)
{
	size_t n = strlen(a), m = strlen(b), cells[3][SUGGESTION_NAME_MAX + 1];
	size_t *row[3] = {cells[0], cells[1], cells[2]};

	if (m > n + limit || n > m + limit)
		return limit + 1;
	for (size_t i = 0; i <= n; i++)
		row[0][i] = i;
	for (size_t k = 1; k <= m; k++) {
		size_t *const oldest = row[2];

		row[2] = row[1];
		row[1] = row[0];
		row[0] = oldest;
		row[0][0] = k;
		for (size_t i = 1; i <= n; i++)
			row[0][i] = cell(a, i, b, k, row);
	}
	return row[0][n] <= limit ? row[0][n] : limit + 1;
}

static void set_name(struct suggestion *s, const char *name, size_t len)
{
	if (len < NAME_MIN || len > SUGGESTION_NAME_MAX)
		len = 0;
	memcpy(s->name, name, len);
	s->name[len] = '\0';
}

void suggestion_begin_part(struct suggestion *s, const char *name, size_t len)
{
	set_name(s, name, len);
	s->best[0] = '\0';
	s->limit = (len + 3) / 4;
}

void suggestion_begin(struct suggestion *s, const char *name)
{
	suggestion_begin_part(s, name, strlen(name));
}

void suggestion_retype(struct suggestion *s, const char *name)
{
	set_name(s, name, strlen(name));
}

void suggestion_offer(struct suggestion *s, const char *known)
{
	size_t apart;

	/* The typed name is known, but wrong at this place: suggesting it would not help. */
	if (!s->name[0] || strlen(known) > SUGGESTION_NAME_MAX || !strcmp(s->name, known))
		return;
	apart = distance(s->name, known, s->limit);
	if (apart > s->limit || (s->best[0] && apart == s->limit))
		return;
	snprintf(s->best, sizeof s->best, "%s", known);
	s->limit = apart;
}

const char *suggestion_best(const struct suggestion *s)
{
	return s->best[0] ? s->best : NULL;
}

const char *suggestion_text(struct suggestion *s)
{
	return suggestion_prefixed(s, "");
}

const char *suggestion_prefixed(struct suggestion *s, const char *prefix)
{
	s->text[0] = '\0';
	if (s->best[0])
		snprintf(s->text, sizeof s->text, " (did you mean '%s%s'?)", prefix, s->best);
	return s->text;
}

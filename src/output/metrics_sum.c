/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of metrics: totals that go on. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "output/metrics_part.h"

struct metrics_group *metrics_group_of(struct metrics_sums *sums, const char *labels,
				       uint64_t number)
{
	uint64_t key = hash_text(labels, strlen(labels));
	struct metrics_group *group;

	/* Two groups may have one key: then the next key is tried. */
	for (; (group = hash_get(&sums->groups, key)); key++)
		if (!strcmp(group->labels, labels))
			break;
	if (!group) {
		group = xcalloc(1, sizeof *group);
		group->labels = xstrdup(labels);
		hash_put(&sums->groups, key, group);
	}
	group->number = number;
	return group;
}

static struct metrics_sum *find(struct metrics_group *group, const char *name)
{
	for (size_t i = 0; i < group->n; i++)
		if (!strcmp(group->sum[i].name, name))
			return &group->sum[i];
	return NULL;
}

/* Finds a sum, or adds one that is 0. */
static struct metrics_sum *get(struct metrics_group *group, const char *name)
{
	struct metrics_sum *s = find(group, name);

	if (s)
		return s;
	group->sum = xgrow(group->sum, &group->cap, group->n + 1, sizeof *group->sum);
	s = &group->sum[group->n++];
	*s = (struct metrics_sum){.name = xstrdup(name)};
	return s;
}

double metrics_sum_add(struct metrics_group *group, const char *name,
		       const struct metrics_reading *reading)
{
	struct metrics_sum *s = get(group, name);
	const double number = reading->number, total = s->total;

	if (reading->restarts && s->generation != reading->generation)
		s->before += s->last;
	else if (number < s->last)
		s->before += s->last - number;
	s->generation = reading->generation;
	s->last = number;
	s->total = s->before + s->last;
	if (reading->written)
		s->written += s->total - total;
	return s->written;
}

double metrics_sum_grow(struct metrics_group *group, const char *name, double growth)
{
	struct metrics_sum *s = get(group, name);

	s->written += growth;
	return s->written;
}

static void free_group(struct metrics_group *group)
{
	for (size_t i = 0; i < group->n; i++)
		free(group->sum[i].name);
	free(group->sum);
	free(group->labels);
	free(group);
}

void metrics_sums_limit(struct metrics_sums *sums, size_t max, uint64_t number)
{
	struct hash kept = HASH_INIT;
	struct metrics_group *group;
	size_t pos = 0;

	if (sums->groups.n <= max)
		return;
	while ((group = hash_next(&sums->groups, &pos))) {
		uint64_t key = hash_text(group->labels, strlen(group->labels));

		if (group->number != number) {
			free_group(group);
			continue;
		}
		while (hash_get(&kept, key))
			key++;
		hash_put(&kept, key, group);
	}
	hash_done(&sums->groups);
	sums->groups = kept;
}

void metrics_sums_done(struct metrics_sums *sums)
{
	struct metrics_group *group;
	size_t pos = 0;

	while ((group = hash_next(&sums->groups, &pos)))
		free_group(group);
	hash_done(&sums->groups);
}

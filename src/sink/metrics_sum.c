/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of metrics: totals that go on. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sink/metrics_part.h"

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

double metrics_sum_add(struct metrics_group *group, const char *name, double number,
		       uint64_t generation, bool restarts)
{
	struct metrics_sum *s = find(group, name);

	if (!s) {
		group->sum = xgrow(group->sum, &group->cap, group->n + 1, sizeof *group->sum);
		s = &group->sum[group->n++];
		*s = (struct metrics_sum){.name = xstrdup(name), .generation = generation};
	}
	if (restarts && s->generation != generation)
		s->before += s->last;
	else if (number < s->last)
		s->before += s->last - number;
	s->generation = generation;
	s->last = number;
	return s->before + s->last;
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

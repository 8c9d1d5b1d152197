/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The counts of ended members when there are too many groups: the oldest are forgotten. */
#include "model/fold_groups.h"

#include "delta_rig.h"

static const struct filter all = FILTER_ALL;

/* In each interval, another program ends. */
static void test_limit_by_age(void)
{
	static const char *const name[] = {"p0", "p1", "p2"};
	const struct retired_key *key;
	struct steps steps;
	struct retired_groups retired;

	begin(&steps, 4, 1);
	for (int i = 0; i < 3; i++)
		for (int k = 0; k < 2; k++) {
			struct task *t = add(&steps.sample[i + k], 10 + i, 1, COUNT_NONE);

			t->user = "joe";
			t->name = t->process = name[i];
			t->dead = k == 1;
		}
	compute(&steps);
	retired_groups_init(&retired);
	retired.max = 2;
	retired.only = GROUP_PROGRAM;
	for (int k = 1; k < 4; k++)
		retired_groups_update(&retired, &steps.delta[k], &all, false, NULL);
	key = &retired.key[GROUP_PROGRAM];
	tap_int((long)key->n, 1, "of three groups, those that ended first are forgotten");
	tap_str(key->n ? key->v[0]->id.text : "", "p2", "the last one is not");
	tap_int((long)retired.n_forgotten, 2, "they are counted");
	tap_int((long)retired.key[GROUP_USER].n, 0, "of another key, nothing is kept");
	retired_groups_done(&retired);
	done(&steps);
}

int main(void)
{
	test_limit_by_age();
	return tap_done();
}

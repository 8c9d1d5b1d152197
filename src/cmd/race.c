/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/race.h"

#include "run/print_error.h"

/* What cannot be counted is said once: it is the same for both. */
static void say_note(const struct race *race, const struct repeating *r)
{
	const bool first = r == &race->side[0];

	if (!first || !r->left_out.code || r->begun != 1)
		return;
	progress_hide(r->how->progress);
	say_fault(&r->left_out, 0);
}

/* The one that began last time is the second now: A B, B A. */
static int run_round(struct race *race, int first, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < 2 && !ret; i++) {
		struct repeating *r = &race->side[i ^ first];

		ret = repeating_run(r, err);
		if (!ret)
			say_note(race, r);
		if (r->signal || r->runs.stop)
			break;
	}
	return ret;
}

int race_run(struct race *race, struct setup *setup, struct signals *signals, struct err *err)
{
	int ret = 0;

	for (int i = 0; i < 2; i++)
		repeating_init(&race->side[i], setup, signals, &race->how[i]);
	race->begun = true;
	for (int round = 0;
	     !ret && repeating_goes_on(&race->side[0]) && repeating_goes_on(&race->side[1]);
	     round++)
		ret = run_round(race, round % 2, err);
	return ret;
}

void race_done(struct race *race)
{
	for (int i = 0; i < 2 && race->begun; i++)
		repeating_done(&race->side[i]);
	race->begun = false;
}

int race_signal(const struct race *race)
{
	return race->side[0].signal ? race->side[0].signal : race->side[1].signal;
}

int race_status(const struct race *race)
{
	return race->side[0].status ? race->side[0].status : race->side[1].status;
}

int race_explain(const struct race *race, struct err *why)
{
	const int status = repeating_explain(&race->side[0], why);

	return status ? status : repeating_explain(&race->side[1], why);
}

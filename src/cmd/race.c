/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/race.h"

#include "run/command_output.h"

/* Returns the command with this place in a round: A B H C G D F E of eight, all moved by one
 * command in each round. With an odd number, the order is reversed after n rounds, for n rounds. */
static size_t command_at(const struct race *race, size_t round, size_t place)
{
	const size_t n = race->n;
	const size_t i = n % 2 && round / n % 2 ? n - 1 - place : place;

	return (round + (i % 2 ? (i + 1) / 2 : n - i / 2)) % n;
}

/* Prints which events cannot be counted. As they are the same for all commands, prints them only
 * after the first run of the first command. */
static void report_note_once(const struct race *race, const struct repetition *r)
{
	const bool first = r == &race->side[0];

	if (!first || !r->left_out.code || r->begun != 1)
		return;
	progress_hide(r->how->progress);
	print_fault(&r->left_out, 0);
}

static int run_round(struct race *race, size_t round, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < race->n && !ret; i++) {
		struct repetition *r = &race->side[command_at(race, round, i)];

		ret = repetition_run(r, err);
		if (!ret)
			report_note_once(race, r);
		if (r->signal || r->runs.stop)
			break;
	}
	return ret;
}

/* Returns whether all commands have another run to do. */
static bool has_next(const struct race *race)
{
	for (size_t i = 0; i < race->n; i++)
		if (!repetition_has_next(&race->side[i]))
			return false;
	return true;
}

int race_run(struct race *race, struct setup *setup, struct signals *signals, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < race->n; i++)
		repetition_init(&race->side[i], setup, signals, &race->how[i]);
	race->begun = true;
	for (size_t round = 0; !ret && has_next(race); round++)
		ret = run_round(race, round, err);
	return ret;
}

void race_done(struct race *race)
{
	for (size_t i = 0; i < race->n && race->begun; i++)
		repetition_done(&race->side[i]);
	race->begun = false;
}

int race_signal(const struct race *race)
{
	int signal = 0;

	for (size_t i = 0; i < race->n && !signal; i++)
		signal = race->side[i].signal;
	return signal;
}

int race_status(const struct race *race)
{
	int status = 0;

	for (size_t i = 0; i < race->n && !status; i++)
		status = race->side[i].status;
	return status;
}

int race_explain(const struct race *race, struct err *why)
{
	int status = 0;

	for (size_t i = 0; i < race->n && !status; i++)
		status = repetition_explain(&race->side[i], why);
	return status;
}

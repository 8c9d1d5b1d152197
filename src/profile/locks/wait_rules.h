/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wait_rules - decides by the rules of config/waits.list what waits are for: a lock, which another
 * thread has, or work; and how certain that is.
 */
#ifndef PROFILE_LOCKS_WAIT_RULES_H
#define PROFILE_LOCKS_WAIT_RULES_H

#include <stdbool.h>

#include "base/err.h"
#include "inject/preload/table.h"

/* The numbers that rules compare; config/waits.list describes them. */
enum wait_evidence {
	WAIT_WAITS,
	WAIT_WAKES,
	WAIT_HANDED,
	WAIT_BALANCED,
	WAIT_BROADCASTS,
	WAIT_TIMEOUTS,
	WAIT_INHERITING,
	WAIT_EVIDENCE
};

/* The most certain first. */
enum wait_certainty { WAIT_SURE, WAIT_LIKELY, WAIT_MAYBE, WAIT_CERTAINTIES };

struct wait_use {
	bool is_work;
	enum wait_certainty certainty;
};

/* The lines of config/waits.list, and NULL at the end. */
extern const char *const waits_list[];

struct wait_rules;

/* Returns the rules of config/waits.list. */
struct wait_rules *wait_rules_new(void);
void wait_rules_free(struct wait_rules *rules);
/* Adds the rules in a file of the user, which come before those of config/waits.list. Returns 0, or
 * -errno with a sentence. */
int wait_rules_read(struct wait_rules *rules, const char *path, struct err *err);
/* Returns the use by the first rule whose conditions are all true; without one, work, WAIT_MAYBE.
 * known: NaN for what is unknown. */
struct wait_use wait_rules_decide(const struct wait_rules *rules, enum locks_kind kind,
				  const double known[WAIT_EVIDENCE]);
/* Returns "sure", "likely" or "maybe". */
const char *wait_rules_certainty(enum wait_certainty certainty);

#endif

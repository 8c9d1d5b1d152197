/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: what threads did with their time. */
#include <inttypes.h>
#include <math.h>

#include "profile/locks/lines_part.h"

/* clang-format off */
static const struct {
	const char *id, *csv, *title, *words;
} names[STATES_N] = {
	[STATES_RUNNING]  = {"running", "running_ns", "running%", "running"},
	[STATES_RUNNABLE] = {"runnable", "runnable_ns", "ready%", "ready to run"},
	[STATES_LOCK]	  = {"blocked_lock", "blocked_lock_ns", "lock%", "blocked for a lock"},
	[STATES_WORK]	  = {"blocked_work", "blocked_work_ns", "work%", "for work"},
	[STATES_OTHER]	  = {"unknown", "unknown_ns", "unknown%", "unknown"},
};
/* clang-format on */

void lines_states_declare(struct report_own_type *t, bool is_thread)
{
	for (int s = 0; s < STATES_N; s++) {
		report_own_type_add(t,
				    (struct report_column){.id = names[s].id,
							   .csv = is_thread ? names[s].csv : NULL});
		if (is_thread)
			report_own_type_add(t, (struct report_column){.title = names[s].title,
								      .width = 8,
								      .digits = 1,
								      .rank = 6,
								      .field = names[s].csv});
	}
}

/* The times of threads without totals are unknown: all of their life is STATES_OTHER. */
void lines_states_put(struct report_record *record, const struct states *s, bool is_thread)
{
	const uint64_t life = states_sum(s);

	for (int i = 0; i < STATES_N; i++) {
		const bool known = s->n_known || i == STATES_OTHER;

		record_value(record, names[i].id, lines_known(s->ns[i], known));
		if (is_thread)
			record_number(record, "",
				      known ? lines_percent(s->ns[i], life) : (double)NAN);
	}
}

void lines_states_add_text(const struct states *s, struct strbuf *out)
{
	const uint64_t life = states_sum(s);

	if (!s->n_known) {
		strbuf_addstr(out, "#   how long the threads ran is unknown: the process did not "
				   "read it at its end\n");
		return;
	}
	strbuf_addstr(out, "#   of this time by the kernel:");
	for (int i = 0; i < STATES_N; i++)
		strbuf_addf(out, "%s %s %.1f %%", i ? "," : "", names[i].words,
			    lines_percent(s->ns[i], life));
	strbuf_addch(out, '\n');
	if (s->n_threads > s->n_known)
		strbuf_addf(out,
			    "#   threads of which it is unknown how long they ran: %" PRIu64 "\n",
			    s->n_threads - s->n_known);
}

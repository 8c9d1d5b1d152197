/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables in the comment of process_table.h agree with the code: each listed transition occurs,
 * every other one is refused.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/task/process_table.h"
#include "tap.h"

static int after_life(int state, int event)
{
	return (int)life_after((enum life)state, (enum life_event)event);
}

static int after_thread(int state, int event)
{
	return (int)thread_life_after((enum thread_life)state, (enum thread_event)event);
}

static int after_counters(int state, int event)
{
	return (int)counters_after((enum counters)state, (enum counters_event)event);
}

/* One of the three tables. Names are in the order of the enums; the first state is 1. */
struct machine {
	const char *name;
	const char *state[8], *event[9];
	int n_states, n_events;
	int (*after)(int state, int event);
};

static const struct machine machine_table[] = {
	{
		.name = "process",
		.state = {"-", "UNWANTED", "NEW", "WATCHED", "ENDED", "REPORTED", "GONE"},
		.event = {"WANT", "LEAVE", "RESTART", "LOOK", "END", "REPLACE", "REPORT", "VANISH"},
		.n_states = N_LIVES,
		.n_events = N_LIFE_EVENTS,
		.after = after_life,
	},
	{
		.name = "thread",
		.state = {"-", "LIVES", "ENDED", "GONE"},
		.event = {"END", "RETURN", "DROP"},
		.n_states = N_THREAD_LIVES,
		.n_events = N_THREAD_EVENTS,
		.after = after_thread,
	},
	{
		.name = "counters",
		.state = {"-", "UNTRIED", "IDLE", "OPEN", "WAIT", "REVOKED", "ABSENT", "FINAL"},
		.event = {"SLEEP", "OPENED", "SHORT", "REFUSED", "REVOKE", "RESET", "END"},
		.n_states = N_COUNTERS,
		.n_events = N_COUNTERS_EVENTS,
		.after = after_counters,
	},
};

/* Returns the next word of a row. Single letters, which name an action, and "|" are skipped. */
static const char *next_word(char **row)
{
	const char *word = strtok_r(*row, " |\n", row);

	while (word && !word[1] && *word != '-')
		word = strtok_r(NULL, " |\n", row);
	return word ? word : "(none)";
}

static void check_row(const struct machine *m, int state, char *row)
{
	tap_str(next_word(&row), m->state[state], "%s: the row of %s", m->name, m->state[state]);
	for (int event = 0; event < m->n_events; event++)
		tap_str(m->state[m->after(state, event)], next_word(&row), "%s: %s + %s", m->name,
			m->state[state], m->event[event]);
	tap_str(next_word(&row), "(none)", "%s: no other event", m->name);
}

/* Lines of a table begin with " *   ". The second line is the rule below the heading. */
#define LINE_START 5

static void check_machine(const struct machine *m, FILE *header)
{
	char line[160] = "", *row;

	rewind(header);
	while (strncmp(line, " *   ", LINE_START) ||
	       strncmp(line + LINE_START, m->name, strlen(m->name)))
		if (!fgets(line, sizeof line, header)) {
			tap_ok(false, "the header has a table of %s", m->name);
			return;
		}
	row = line + LINE_START;
	tap_str(next_word(&row), m->name, "%s: its name", m->name);
	for (int event = 0; event < m->n_events; event++)
		tap_str(next_word(&row), m->event[event], "%s: the column of %s", m->name,
			m->event[event]);
	tap_str(next_word(&row), "(none)", "%s: no other column", m->name);
	tap_ok(fgets(line, sizeof line, header), "%s: a rule", m->name);
	for (int state = 1; state < m->n_states; state++) {
		tap_ok(fgets(line, sizeof line, header), "%s: a row", m->name);
		row = line + LINE_START;
		check_row(m, state, row);
	}
	tap_ok(fgets(line, sizeof line, header) && !strcmp(line, " *\n"), "%s: no other row",
	       m->name);
}

int main(void)
{
	const char *srcdir = getenv("srcdir");
	char path[4096];
	FILE *header;

	snprintf(path, sizeof path, "%s/src/collect/task/process_table.h", srcdir ? srcdir : ".");
	header = fopen(path, "r");
	if (!tap_ok(header, "the header can be read: %s", path))
		return tap_done();
	for (size_t i = 0; i < sizeof machine_table / sizeof machine_table[0]; i++)
		check_machine(&machine_table[i], header);
	fclose(header);
	return tap_done();
}

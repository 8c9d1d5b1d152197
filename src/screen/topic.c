/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/topic.h"

#include <string.h>

#include "screen/expr/lex.h"
#include "screen/screen.h"

/* Columns that take over others that take over others: a circle ends here. */
#define DEPTH_MAX 8

const char *const topic_title[N_TOPICS] = {
	[TOPIC_IDENTITY] = "Which task it is",
	[TOPIC_CPU_TIME] = "CPU time",
	[TOPIC_WAITING] = "Waiting and scheduling",
	[TOPIC_MEMORY] = "Memory and page faults",
	[TOPIC_COUNTERS] = "Counters",
	[TOPIC_REGIONS] = "Regions of code and library calls",
	[TOPIC_LOCKS] = "Locks",
	[TOPIC_PLACE] = "CPUs, cores and sockets",
	[TOPIC_OTHER] = "Others",
};

static const enum topic derived_topic[VARIABLE_FIRST_FACT] = {
	[VARIABLE_CPU_TOT] = TOPIC_CPU_TIME,    [VARIABLE_CPU_SYS] = TOPIC_CPU_TIME,
	[VARIABLE_CPU_USER] = TOPIC_CPU_TIME,   [VARIABLE_FAST_CORES] = TOPIC_CPU_TIME,
	[VARIABLE_MEM_TOTAL_KB] = TOPIC_MEMORY, [VARIABLE_VERDICT] = TOPIC_WAITING,
};

enum topic topic_of_variable(int variable)
{
	if (variable < VARIABLE_FIRST_FACT)
		return derived_topic[variable];
	return fact_table[variable - VARIABLE_FIRST_FACT].topic;
}

static bool is_counter(const struct screen *s, const struct lexer *l)
{
	for (size_t i = 0; i < s->n_counters; i++)
		if (lex_is(l, s->counter[i].alias))
			return true;
	return false;
}

static enum topic topic_of_name(const struct lexer *l)
{
	for (int v = 0; v < N_VARIABLES; v++)
		if (lex_is(l, variable_at(v).name))
			return topic_of_variable(v);
	return TOPIC_OTHER;
}

/* The column of the screen that the token names, perhaps in [ ]; n_columns: none. */
static size_t column_of(const struct screen *s, const struct token *t)
{
	const size_t edge = t->kind == TOKEN_BRACKET;

	return screen_find_column(s, 0, t->text + edge, t->len - 2 * edge);
}

static enum topic topic_of(const struct screen *s, const char *text, int depth)
{
	enum topic first = TOPIC_OTHER;
	struct lexer l;

	for (lex_start(&l, text); l.token.kind != TOKEN_END; lex_next(&l)) {
		enum topic topic = TOPIC_OTHER;
		size_t i;

		if (l.token.kind != TOKEN_NAME && l.token.kind != TOKEN_BRACKET)
			continue;
		if (is_counter(s, &l))
			return TOPIC_COUNTERS;
		topic = topic_of_name(&l);
		i = topic ? s->n_columns : column_of(s, &l.token);
		if (i < s->n_columns && depth < DEPTH_MAX)
			topic = topic_of(s, s->column[i].text, depth + 1);
		if (topic == TOPIC_COUNTERS)
			return topic;
		first = first ? first : topic;
	}
	return first;
}

void topic_set(struct screen *s)
{
	for (size_t i = 0; i < s->n_columns; i++)
		s->column[i].topic = topic_of(s, s->column[i].text, 0);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/fact.h"

#include "model/fact_list.h"

_Static_assert(N_FACTS <= FACT_MAX, "a set of facts has room for all");
_Static_assert(N_READ_TEXTS <= FACT_TEXTS_MAX && N_FACT_FILES <= FACT_FILES_MAX, "so have structs");

/* clang-format off */
enum { PER_THREAD = 1, OF_PROCESS = 2, OF_ENDED = 4, DRIFTS = 8, ADDS = 16, IN_SCHED = 32 };

/* The kinds of rows, as FACT_ROWS writes them. */
enum {
	TASK = 1 << FACT_OF_TASK,
	CPU = 1 << FACT_OF_CPU,
	CPU_CGROUP = 1 << FACT_OF_CPU_CGROUP,
	CPU_MODE = 1 << FACT_OF_CPU_MODE,
	CPU_SOCKET = 1 << FACT_OF_CPU_SOCKET,
	COMMAND = 1 << FACT_OF_COMMAND,
	REGION = 1 << FACT_OF_REGION,
	LOCK = 1 << FACT_OF_LOCK,
	CALL = 1 << FACT_OF_CALL,
	REST = 1 << FACT_OF_REST
};

#define ROW(with, id_, kind_, unit_, topic_, of_, traits_, file_, ...) \
	[FACT_##id_] = {.name = #id_, .kind = FACT_##kind_, .unit = UNIT_##unit_, \
		.topic = TOPIC_##topic_, .per_thread = ((traits_) & PER_THREAD) != 0, \
		.of_process = ((traits_) & OF_PROCESS) != 0, .of_ended = ((traits_) & OF_ENDED) != 0, \
		.drifts = ((traits_) & DRIFTS) != 0, .adds = ((traits_) & ADDS) != 0, \
		.file = FACT_FILE_##file_, __VA_ARGS__},

const struct fact_row fact_table[N_FACTS] = {FACT_ROWS(ROW, )};
const int fact_n = N_FACTS;

/* Sets: each row adds its bit to its word if the condition holds. */
#define OF(w, with, id_, kind_, unit_, topic_, of_, ...) \
	| ((of_) & (with) ? FACT_BIT(w, FACT_##id_) : 0)
#define TRAIT(w, with, id_, kind_, unit_, topic_, of_, traits_, ...) \
	| ((traits_) & (with) ? FACT_BIT(w, FACT_##id_) : 0)
#define FILE(w, with, id_, kind_, unit_, topic_, of_, traits_, file_, ...) \
	| (FACT_FILE_##file_ == (with) ? FACT_BIT(w, FACT_##id_) : 0)
#define OF_0(...) OF(0, __VA_ARGS__)
#define OF_1(...) OF(1, __VA_ARGS__)
#define TRAIT_0(...) TRAIT(0, __VA_ARGS__)
#define TRAIT_1(...) TRAIT(1, __VA_ARGS__)
#define FILE_0(...) FILE(0, __VA_ARGS__)
#define FILE_1(...) FILE(1, __VA_ARGS__)

#define SET_OF(kind) [FACT_OF_##kind] = {{0 FACT_ROWS(OF_0, kind), 0 FACT_ROWS(OF_1, kind)}}
#define SET_TRAIT(trait) {{0 FACT_ROWS(TRAIT_0, trait), 0 FACT_ROWS(TRAIT_1, trait)}}
#define SET_FILE(with, file, ...) \
	[FACT_FILE_##file] = {{0 FACT_ROWS(FILE_0, FACT_FILE_##file), 0 FACT_ROWS(FILE_1, FACT_FILE_##file)}},

const struct fact_set fact_of_table[N_FACT_OF] = {
	SET_OF(TASK), SET_OF(CPU), SET_OF(CPU_CGROUP), SET_OF(CPU_MODE), SET_OF(CPU_SOCKET),
	SET_OF(COMMAND), SET_OF(REGION), SET_OF(LOCK), SET_OF(CALL), SET_OF(REST),
};

const struct fact_set fact_in_file[N_FACT_FILES] = {
	FACT_FILE_ROWS(SET_FILE, )
};

#define FILE_NAME(with, file, name) [FACT_FILE_##file] = name,

const char *const fact_file_name[N_FACT_FILES] = {[FACT_FILE_NONE] = "", FACT_FILE_ROWS(FILE_NAME, )};
/* clang-format on */

/* The facts below number n. */
#define SET_BELOW(n)                                                                               \
	{                                                                                          \
		{                                                                                  \
			FACT_BELOW(0, n), FACT_BELOW(1, n)                                         \
		}                                                                                  \
	}

const struct fact_set fact_all = SET_BELOW(N_FACTS);
const struct fact_set fact_numbers = SET_BELOW(N_NUMBER_FACTS);
const struct fact_set fact_per_thread = SET_TRAIT(PER_THREAD);
const struct fact_set fact_of_process = SET_TRAIT(OF_PROCESS);
const struct fact_set fact_drifting = SET_TRAIT(DRIFTS);
const struct fact_set fact_in_sched = SET_TRAIT(IN_SCHED);

struct fact_set fact_always_read(void)
{
	return fact_less((struct fact_set)SET_BELOW(FACT_FIRST_READ_TEXT), fact_numbers);
}

struct fact_set fact_read_texts(void)
{
	return fact_less(fact_all, (struct fact_set)SET_BELOW(FACT_FIRST_READ_TEXT));
}

void fact_add_origin(struct strbuf *out, int fact)
{
	const struct fact_row *row = &fact_table[fact];

	if (row->origin)
		strbuf_addstr(out, row->origin);
	else
		strbuf_addf(out, "%s: %s", fact_file_name[row->file], row->field);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fact - numbers and texts about tasks (from /proc and CPU clocks), about CPUs and sockets,
 * and about regions, locks and calls (from the tables of programs).
 *
 * One row per fact, in model/fact_list.h, which has the number of each fact, too: an int. The name
 * is the one that expressions use. A counter only grows; a gauge is a state, which may be below 0
 * (as int64_t). Nothing is computed from a text. For several tasks together, a counter is summed
 * up, and so is a gauge that adds: memory (shared memory is counted for each task) and threads. Any
 * other fact has a value only if all of these tasks have the same. A fact marked per_thread exists
 * for threads only: a process has the sum over its threads, including the last readings of those
 * that have ended. A fact marked of_process exists for processes only: it is a fact of the leader.
 * A fact marked of_ended is known only of tasks that have ended.
 */
#ifndef MODEL_FACT_H
#define MODEL_FACT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "base/unit.h"

/* ---- topic ----
 *
 * The subject of a number: each fact and each variable has one. Lists of columns are grouped by it,
 * see screen/screen.h.
 */

enum topic {
	TOPIC_OTHER, /* columns that use no fact, counter or variable */
	TOPIC_IDENTITY,
	TOPIC_CPU_TIME,
	TOPIC_WAITING,
	TOPIC_MEMORY,
	TOPIC_COUNTERS,
	TOPIC_REGIONS,
	TOPIC_LOCKS,
	TOPIC_PLACE,
	N_TOPICS
};

/* ---- fact ---- */

enum fact_kind { FACT_COUNTER, FACT_GAUGE, FACT_TEXT };

/* The factor of a number in a file. */
enum fact_scale { FACT_AS_IS, FACT_TICKS, FACT_BYTES, FACT_PAGES };

/* The kinds of rows that may have a fact (model/kinds.h). */
enum fact_of {
	FACT_OF_TASK,
	FACT_OF_CPU,
	FACT_OF_CPU_CGROUP,
	FACT_OF_CPU_MODE,
	FACT_OF_CPU_SOCKET,
	FACT_OF_COMMAND,
	FACT_OF_REGION,
	FACT_OF_LOCK,
	FACT_OF_CALL,
	FACT_OF_REST,
	N_FACT_OF
};

struct fact_row {
	const char *name;
	enum fact_kind kind;
	enum unit unit;
	enum topic topic;
	bool per_thread;
	bool of_process;
	bool of_ended;
	bool drifts; /* may change while the task does not run */
	bool adds;   /* a gauge of a whole process that can be summed over processes */
	int file;    /* a FACT_FILE_... of fact_list.h */
	/* The place of the number in its file: the name of the field, in files that have names;
	 * else the number of the field, from 1 on. If both elements of `at` are set, the fact is
	 * the sum of two fields. */
	const char *field;
	int at[2];
	/* For a fact of another file that the file "sched" has as well: its name there; else
	 * NULL. */
	const char *sched_field;
	enum fact_scale scale;
	/* Where the number comes from, as a text; NULL: "file: field" (proc(5)). */
	const char *origin;
	/* Name and help of the fact in --metrics; NULL: it is not a metric. */
	const char *metric, *metric_help;
	const char *help;
};

extern const struct fact_row fact_table[];
extern const int fact_n; /* rows of fact_table */
/* The kernel's names of the files in /proc/PID. */
extern const char *const fact_file_name[];

/* The most facts, texts that are read on demand, and files: room for them in structs. */
#define FACT_MAX       128
#define FACT_TEXTS_MAX 8
#define FACT_FILES_MAX 8

/* A set of facts: fact f is bit f % 64 of word f / 64. */
struct fact_set {
	uint64_t word[FACT_MAX / 64];
};

_Static_assert(FACT_MAX == 128, "the following have a term for each word");

/* Fact f in word w; nothing for f below 0. */
#define FACT_BIT(w, f) ((f) >= 0 && (f) / 64 == (w) ? (uint64_t)1 << ((f)&63) : 0)
/* The facts below n in word w. */
#define FACT_BELOW(w, n) ((n) / 64 > (w) ? ~(uint64_t)0 : FACT_BIT(w, n) - ((n) / 64 == (w)))

#define FACT_NONE ((struct fact_set){{0, 0}})

/* FACT_SET(a, b, ...): the set of these facts, up to 12; a constant for constants. */
#define FACT_SET(...)  FACT_SET_(__VA_ARGS__, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1)
#define FACT_SET_(...) ((struct fact_set){{FACT_WORD(0, __VA_ARGS__), FACT_WORD(1, __VA_ARGS__)}})
#define FACT_WORD(w, a, b, c, d, e, f, g, h, i, j, k, l, ...)                                      \
	(FACT_BIT(w, a) | FACT_BIT(w, b) | FACT_BIT(w, c) | FACT_BIT(w, d) | FACT_BIT(w, e) |      \
	 FACT_BIT(w, f) | FACT_BIT(w, g) | FACT_BIT(w, h) | FACT_BIT(w, i) | FACT_BIT(w, j) |      \
	 FACT_BIT(w, k) | FACT_BIT(w, l))

static inline bool fact_in(struct fact_set set, int fact)
{
	return (fact < 64 ? set.word[0] : set.word[1]) >> (fact & 63) & 1;
}

static inline bool fact_any(struct fact_set set)
{
	return set.word[0] | set.word[1];
}

static inline bool fact_equal(struct fact_set x, struct fact_set y)
{
	return x.word[0] == y.word[0] && x.word[1] == y.word[1];
}

static inline struct fact_set fact_or(struct fact_set x, struct fact_set y)
{
	return (struct fact_set){{x.word[0] | y.word[0], x.word[1] | y.word[1]}};
}

static inline struct fact_set fact_and(struct fact_set x, struct fact_set y)
{
	return (struct fact_set){{x.word[0] & y.word[0], x.word[1] & y.word[1]}};
}

/* Returns the facts of x that y lacks. */
static inline struct fact_set fact_less(struct fact_set x, struct fact_set y)
{
	return (struct fact_set){{x.word[0] & ~y.word[0], x.word[1] & ~y.word[1]}};
}

/* Returns whether y has all facts of x. */
static inline bool fact_within(struct fact_set x, struct fact_set y)
{
	return !fact_any(fact_less(x, y));
}

static inline void fact_add(struct fact_set *set, int fact)
{
	set->word[fact >= 64] |= (uint64_t)1 << (fact & 63);
}

static inline void fact_remove(struct fact_set *set, int fact)
{
	set->word[fact >= 64] &= ~((uint64_t)1 << (fact & 63));
}

/* Removes the first fact of the set and returns it; -1: the set is empty. */
static inline int fact_take(struct fact_set *set)
{
	int fact = -1;

	if (set->word[0]) {
		fact = __builtin_ctzll(set->word[0]);
		set->word[0] &= set->word[0] - 1;
	} else if (set->word[1]) {
		fact = 64 + __builtin_ctzll(set->word[1]);
		set->word[1] &= set->word[1] - 1;
	}
	return fact;
}

/* Returns the number of bits. It is called for each fact of each reading: for a generic CPU,
 * compilers translate __builtin_popcount() into a call and a table. */
static inline int fact_count_word(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555u;
	word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
	return (int)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* Returns the number of facts in a set. */
static inline int fact_count(struct fact_set set)
{
	return fact_count_word(set.word[0]) + (set.word[1] ? fact_count_word(set.word[1]) : 0);
}

/* Returns the number of facts in a set that come before this one. */
static inline int fact_place(struct fact_set set, int fact)
{
	const uint64_t before = ((uint64_t)1 << (fact & 63)) - 1;

	return fact < 64 ? fact_count_word(set.word[0] & before)
			 : fact_count_word(set.word[0]) + fact_count_word(set.word[1] & before);
}

/* Sets computed from the table: the facts that a kind of rows may have; all facts; all numbers; the
 * facts in a file; those that are per_thread, of_process, drifting. */
extern const struct fact_set fact_of_table[N_FACT_OF];
extern const struct fact_set fact_all, fact_numbers;
extern const struct fact_set fact_in_file[];
/* The facts with a sched_field. */
extern const struct fact_set fact_in_sched;
extern const struct fact_set fact_per_thread, fact_of_process, fact_drifting;

/* Returns the set of texts that come with every reading. */
struct fact_set fact_always_read(void);
/* Returns the set of texts that are read on demand. */
struct fact_set fact_read_texts(void);
/* Appends the origin of a fact: "stat: utime". */
void fact_add_origin(struct strbuf *out, int fact);

#endif

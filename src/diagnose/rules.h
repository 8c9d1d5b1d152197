/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules - the metrics and verdicts of a table (screen/verdict_list.h), compiled; and evidence:
 * inputs of metrics beyond the columns of screens.
 *
 * The metrics are the columns of a screen that is never shown; conditions may use metrics, and
 * texts of tasks such as STATE. The screens from whose columns metrics are taken belong to the
 * rules, too: the caller binds them (rules_screen()) to the events of a machine and passes the
 * bindings to judge.h.
 *
 * Ownership: the tables are borrowed.
 */
#ifndef DIAGNOSE_RULES_H
#define DIAGNOSE_RULES_H

#include "base/value.h"
#include "model/detail.h"
#include "screen/screen.h"
#include "screen/verdict_list.h"
#include "view/condition.h"

/* ---- evidence ----
 *
 * The attribute "look" of a metric names an input that no column has. Some inputs come from the row
 * of a task; the others are read only for a task whose page is shown, or that --explain-verdict
 * explains.
 */

enum evidence {
	/* From the row: */
	EVIDENCE_CPU_MS,        /* ms on a CPU in the interval */
	EVIDENCE_ASLEEP,        /* % of the interval: neither on a CPU nor waiting for one, by the
				   metric of EVIDENCE_QUEUE */
	EVIDENCE_QUEUE_EARLIER, /* seconds of a wait for a CPU that were before the interval */
	/* From the details of the task (model/detail.h): */
	EVIDENCE_THREADS,
	EVIDENCE_QUEUE,     /* % of the interval: ready, but not on a CPU; sum over its threads */
	EVIDENCE_SWITCHES,  /* voluntary context switches per second; sum over its threads */
	EVIDENCE_MINOR,     /* minor page faults per second */
	EVIDENCE_MAJOR,     /* major page faults per second */
	EVIDENCE_THROTTLED, /* ms per second: its control group was throttled by a quota */
	/* % of the interval: some task of its control group waited for a CPU, I/O, memory. */
	EVIDENCE_CPU_PRESSURE,
	EVIDENCE_IO_PRESSURE,
	EVIDENCE_MEMORY_PRESSURE,
	EVIDENCE_ALLOWED_CPUS, /* number of CPUs on which the task may run */
	EVIDENCE_OTHER_CPUS,   /* number of online CPUs on which the task may not run */
	EVIDENCE_OTHER_IDLE,   /* % of the interval: idle time of those CPUs, summed */
	/* 1: the task sleeps in this kind of wait; 0: it does not. */
	EVIDENCE_IN_DEVICE,
	EVIDENCE_IN_LOCK,
	EVIDENCE_IN_PIPE,
	EVIDENCE_IN_SOCKET,
	EVIDENCE_IN_TIMER,
	EVIDENCE_IN_POLL,
	EVIDENCE_IN_CHILD,
	EVIDENCE_FROZEN, /* 1: its control group is frozen; then all EVIDENCE_IN_... are 0 */
	N_EVIDENCE
};

/* ---- seen evidence ----
 *
 * Converts the details of a task into evidence. Pure.
 *
 * Counters are converted to rates between two readings. The kind of wait is derived from the system
 * call that the task is in; or, if that call has many uses, from the kernel function in which the
 * task sleeps. Both are as of the last reading.
 */

/* Fills out[] from the details. before: the previous reading; its mono_ns is 0 if there is none. */
void evidence_read(struct value out[N_EVIDENCE], const struct detail_wait *before,
		   const struct detail *now);

/* ---- rules ---- */

struct rules;

/* The machine, and the screens of the user. */
struct rules_machine {
	/* Returns whether rows for these CPUs apply to this machine; NULL: all do. */
	bool (*fits)(const void *context, const char *arch, const char *model);
	const void *context;
	/* The user's own screens as declared: metrics may come from these, too; NULL: none. */
	const struct screen_list *screens;
};

/* Compiles the tables. If two tables have a metric or a verdict of the same name, the later table
 * is used. A metric or verdict that cannot be compiled is passed to report(), with its place in the
 * configuration, and ignored; but a metric whose source is wrong, such as a screen that does not
 * exist, stays without it, and so does a verdict that covers one that does not exist. */
struct rules *rules_new(const struct verdict_table *const *table, size_t n_tables,
			const struct rules_machine *machine,
			void (*report)(void *context, const struct err *err), void *context);
void rules_free(struct rules *r);

/* Returns the facts that have to be read for all rules. */
struct fact_set rules_facts(const struct rules *r);

/* The screens from which metrics are taken. */
size_t rules_n_screens(const struct rules *r);
const struct screen *rules_screen(const struct rules *r, size_t i);

/* Returns verdict i, below judge_max(). */
const struct verdict_row *rules_verdict(const struct rules *r, size_t i);

size_t rules_n_metrics(const struct rules *r);
const struct metric_row *rules_metric(const struct rules *r, size_t i);

/* ---- the internals of compiled rules, for this layer only ---- */

/* A column from which a metric is taken, times a factor. */
struct metric_source {
	size_t screen, column;
	double times;
};

struct metric {
	const struct metric_row *row;
	int evidence; /* enum evidence; -1: none */
	struct metric_source *source;
	size_t n_sources, cap;
};

/* A piece of a text: literal, or computed from the contents of braces. */
enum piece_kind { PIECE_TEXT, PIECE_NUMBER, PIECE_PID, PIECE_EVENT };

struct piece {
	enum piece_kind kind;
	char *text;               /* the literal text, or the format of the number */
	struct condition *number; /* the expression */
	size_t metric;            /* PIECE_EVENT: the metric whose event is named */
};

struct template
{
	struct piece *piece;
	size_t n, cap;
};

#define LIMITS_MAX 6

struct rule {
	const struct verdict_row *row;
	struct condition *when, *rank;
	/* Limits of metrics that must hold for `when` to be true; all_limits: `when` is true if all
	 * of them hold. */
	struct expr_limit limit[LIMITS_MAX];
	size_t n_limits;
	bool all_limits;
	size_t *without; /* metrics that must be unknown */
	size_t n_without;
	size_t *covers; /* rules whose verdicts this one replaces, and those that they cover */
	size_t n_covers;
	size_t *name; /* metrics that the condition names */
	size_t n_names;
	size_t *need; /* the metrics among them without which the condition cannot be true */
	size_t n_need;
	/* The first 64 metrics of `need` and of `without`, as bits. */
	uint64_t need_bits, without_bits;
	bool by_counters; /* it depends on counters: the task must have run for cpu_ms */
	double cpu_ms;
	struct template says;
	struct template *run, *why; /* [row->n_next] */
};

struct rules {
	struct screen *metrics; /* its columns are the metrics, in this order */
	struct metric *metric;
	size_t n_metrics, cap_metrics;
	size_t cpu_ms; /* index of the metric of EVIDENCE_CPU_MS; n_metrics: none */
	struct screen_list screens;
	struct rule *rule;
	size_t n, cap;
	/* The screen of metrics has no counters. */
	struct screen_numbers no_numbers;
	struct binding binding;
	struct fact_set facts;
};

/* Returns the index of the metric of this evidence; n_metrics: none. */
size_t rules_find_evidence(const struct rules *r, enum evidence evidence);

/* Calls visit for the expression of each number in the text. */
void template_each(const struct template *t, void (*visit)(void *context, struct condition *c),
		   void *context);

#endif

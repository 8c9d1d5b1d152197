/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rules_part - the internals of compiled rules; for this layer only.
 */
#ifndef DIAGNOSE_RULES_PART_H
#define DIAGNOSE_RULES_PART_H

#include "diagnose/evidence.h"
#include "diagnose/rules.h"
#include "view/condition.h"

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
	/* Limits of metrics that must hold for `when` to be true; all_limits: it is true then. */
	struct expr_limit limit[LIMITS_MAX];
	size_t n_limits;
	bool all_limits;
	size_t *without; /* metrics that must be unknown */
	size_t n_without;
	size_t *covers; /* rules whose verdicts this one replaces */
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of comparison: the table of its formats, and those for programs; doc/compare.md has them. */
#include <math.h>
#include <stdio.h>

#include "base/csv.h"
#include "base/json.h"
#include "base/num.h"
#include "series/comparison_part.h"

#define SCHEMA 1

void comparison_add(struct strbuf *out, const struct comparison *c, enum report_format_id format)
{
	static void (*const add[])(struct strbuf * out, const struct comparison *c) = {
		[REPORT_AS_TEXT] = comparison_add_text,
		[REPORT_AS_CSV] = comparison_add_csv,
		[REPORT_AS_JSON] = comparison_add_json,
	};

	add[format](out, c);
}

const char *comparison_unit(const struct column *c)
{
	static const char *const per_s[N_UNITS] = {
		[UNIT_NONE] = "1/s",  [UNIT_COUNT] = "1/s", [UNIT_MILLION] = "million/s",
		[UNIT_NS] = "ns/s",   [UNIT_S] = "s/s",     [UNIT_BYTES] = "bytes/s",
		[UNIT_KIB] = "KiB/s",
	};

	if (c->kind == COLUMN_COUNT && per_s[c->unit])
		return per_s[c->unit];
	return unit_table[c->unit].name;
}

/* The numbers of a cell, in the order of CSV; of those that count intervals, there are two. */
static void list_numbers(const struct comparison_cell *cell, double number[])
{
	*number++ = (double)cell->of[0].n;
	*number++ = cell->of[0].mean;
	*number++ = cell->of[0].sd;
	*number++ = (double)cell->of[1].n;
	*number++ = cell->of[1].mean;
	*number++ = cell->of[1].sd;
	*number++ = cell->difference.difference;
	*number++ = cell->difference.margin;
	*number++ = cell->change_pct;
	*number++ = cell->margin_pct;
}

#define N_NUMBERS 10

static const char *const number_names[N_NUMBERS] = {
	"n_a",  "mean_a",     "sd_a",   "n_b",        "mean_b",
	"sd_b", "difference", "margin", "change_pct", "margin_pct",
};

/* Why there is nothing to compare: the name of the reason, of the side that lacks it; NULL. */
static const char *reason_of(const struct comparison_cell *cell, int side)
{
	return cell->of[side].n ? NULL : quality_table[cell->why[side]].name;
}

/* Of what has its name in a program, both names. */
static bool has_programs(const struct comparison *c)
{
	return c->side[0]->key->kind->in_program;
}

static void add_csv_cell(struct strbuf *out, const struct comparison *c,
			 const struct comparison_pair *pair, size_t i)
{
	const struct comparison_cell *cell = &pair->cell[i];
	double number[N_NUMBERS];

	for (int k = 0; k < 2 && has_programs(c); k++) {
		csv_add_text(out, pair->of[k]->program);
		strbuf_addch(out, ',');
	}
	csv_add_text(out, pair->of[0]->name);
	strbuf_addch(out, ',');
	csv_add_text(out, pair->of[1]->name);
	strbuf_addf(out, ",%s,%s", c->column[i]->id, comparison_unit(c->column[i]));
	list_numbers(cell, number);
	for (int k = 0; k < N_NUMBERS; k++) {
		strbuf_addch(out, ',');
		if (isfinite(number[k]))
			num_add(out, number[k]);
	}
	strbuf_addf(out, ",%s", comparison_result_name[cell->result]);
	for (int side = 0; side < 2; side++) {
		const char *reason = reason_of(cell, side);

		strbuf_addf(out, ",%s", reason ? reason : "");
	}
	strbuf_addch(out, '\n');
}

void comparison_add_csv(struct strbuf *out, const struct comparison *c)
{
	const char *rows = c->side[0]->key->name;

	if (has_programs(c))
		strbuf_addstr(out, "program_a,program_b,");
	strbuf_addf(out, "%s_a,%s_b,column,unit", rows, rows);
	for (int k = 0; k < N_NUMBERS; k++)
		strbuf_addf(out, ",%s", number_names[k]);
	strbuf_addstr(out, ",result,reason_a,reason_b\n");
	for (size_t i = 0; i < c->n_pairs; i++)
		for (size_t k = 0; k < c->n_columns; k++)
			add_csv_cell(out, c, &c->pair[i], k);
}

static void add_json_name(struct strbuf *out, const struct series *s)
{
	struct strbuf name;

	strbuf_init(&name);
	if (s->program)
		strbuf_addf(&name, "%s: ", s->program);
	strbuf_addstr(&name, s->name);
	json_text(out, name.text);
	strbuf_done(&name);
}

static void add_json_side(struct strbuf *out, const char *key, const struct comparison *c, int side)
{
	const struct comparison_side *s = c->side[side];
	const struct sample_machine *m = s->machine;

	json_key(out, key);
	json_begin(out, '{');
	json_member_text(out, "recording", s->what);
	if (s->list.n_intervals) {
		json_member_time(out, "from", s->list.span.begin_ns);
		json_member_time(out, "to", s->list.span.end_ns);
	}
	json_key(out, "intervals");
	json_count(out, s->list.n_intervals);
	json_key(out, "interval_s");
	json_number(out, s->list.interval_s);
	json_member_text(out, "host", m && *m->host ? m->host : NULL);
	json_member_text(out, "arch", m && *m->arch ? m->arch : NULL);
	json_member_text(out, "model", m && *m->model ? m->model : NULL);
	json_key(out, "only_here");
	json_begin(out, '[');
	for (size_t i = 0; i < c->n_alone[side]; i++)
		add_json_name(out, c->alone[side][i]);
	json_end(out, ']');
	json_end(out, '}');
}

static void add_json_cell(struct strbuf *out, const struct comparison *c,
			  const struct comparison_pair *pair, size_t i)
{
	const struct comparison_cell *cell = &pair->cell[i];
	double number[N_NUMBERS];
	char name[32];

	json_begin(out, '{');
	for (int k = 0; k < 2 && has_programs(c); k++)
		json_member_text(out, k ? "program_b" : "program_a", pair->of[k]->program);
	for (int k = 0; k < 2; k++) {
		snprintf(name, sizeof name, "%s_%c", c->side[k]->key->name, "ab"[k]);
		json_member_text(out, name, pair->of[k]->name);
	}
	json_member_text(out, "column", c->column[i]->id);
	json_member_text(out, "unit", comparison_unit(c->column[i]));
	list_numbers(cell, number);
	for (int k = 0; k < N_NUMBERS; k++) {
		json_key(out, number_names[k]);
		json_number(out, number[k]);
	}
	json_member_text(out, "result", comparison_result_name[cell->result]);
	json_member_text(out, "reason_a", reason_of(cell, 0));
	json_member_text(out, "reason_b", reason_of(cell, 1));
	json_end(out, '}');
}

void comparison_add_json(struct strbuf *out, const struct comparison *c)
{
	json_begin(out, '{');
	json_member_text(out, "type", "comparison");
	json_key(out, "schema");
	json_count(out, SCHEMA);
	json_member_text(out, "screen", c->side[0]->screen.screen->name);
	json_member_text(out, "method", COMPARISON_METHOD);
	json_key(out, "confidence");
	json_number(out, MEANS_CONFIDENCE);
	add_json_side(out, "a", c, 0);
	add_json_side(out, "b", c, 1);
	json_key(out, "rows");
	json_begin(out, '[');
	for (size_t i = 0; i < c->n_pairs; i++)
		for (size_t k = 0; k < c->n_columns; k++)
			add_json_cell(out, c, &c->pair[i], k);
	json_end(out, ']');
	json_key(out, "not_compared");
	json_begin(out, '[');
	for (size_t i = 0; i < c->n_unlike; i++) {
		json_begin(out, '{');
		json_member_text(out, "column", c->unlike[i].id);
		json_member_text(out, "reason", c->unlike[i].why);
		json_end(out, '}');
	}
	json_end(out, ']');
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

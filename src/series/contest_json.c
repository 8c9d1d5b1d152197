/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of contest: for programs; doc/compare.md has it. */
#include "base/json.h"
#include "series/contest.h"

#define SCHEMA 1

static void add_side(struct strbuf *out, const char *key, const struct contest_side *side)
{
	json_key(out, key);
	json_begin(out, '{');
	json_member_text(out, "command", side->what);
	json_key(out, "runs");
	runs_add_json(out, side->runs);
	json_end(out, '}');
}

static void add_row(struct strbuf *out, const struct contest_row *row)
{
	json_begin(out, '{');
	json_member_text(out, "measure", row->measure->name);
	json_member_text(out, "unit", unit_table[row->measure->unit].name);
	json_member_number(out, "mean_a", row->of[0].mean);
	json_member_number(out, "sd_a", row->of[0].sd);
	json_member_number(out, "mean_b", row->of[1].mean);
	json_member_number(out, "sd_b", row->of[1].sd);
	json_key(out, "rounds");
	json_count(out, row->difference.n);
	json_member_number(out, "difference", row->difference.mean);
	json_member_number(out, "margin", row->difference.margin);
	json_member_number(out, "change_pct", row->change_pct);
	json_member_number(out, "margin_pct", row->margin_pct);
	json_member_number(out, "chance", row->chance);
	json_member_text(out, "result", comparison_result_name[row->result]);
	json_end(out, '}');
}

void contest_add_json(struct strbuf *out, const struct contest *c)
{
	static const char *const sides[] = {"a", "b"};
	const int winner = contest_winner(c);

	json_begin(out, '{');
	json_member_text(out, "type", "contest");
	json_key(out, "schema");
	json_count(out, SCHEMA);
	json_member_number(out, "confidence", VARIATION_CONFIDENCE);
	json_member_text(out, "faster", winner < 0 ? NULL : sides[winner]);
	add_side(out, "a", c->side[0]);
	add_side(out, "b", c->side[1]);
	json_key(out, "rows");
	json_begin(out, '[');
	for (size_t i = 0; i < c->n; i++)
		add_row(out, &c->row[i]);
	json_end(out, ']');
	json_end(out, '}');
	strbuf_addch(out, '\n');
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/sides.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

const char *const side_label[SIDES_MAX] = {"A", "B", "C", "D", "E", "F", "G", "H"};
const char *const side_id[SIDES_MAX] = {"a", "b", "c", "d", "e", "f", "g", "h"};

static const struct report_column side_columns[] = {
	{.id = "side", .csv = "side"},
	{.title = "VS", .width = -2, .place = -1},
};

int sides_refuse(const char *of, struct err *err)
{
	return err_set(err, EINVAL, "compare: at most %d %s are compared", SIDES_MAX, of);
}

void sides_declare_rows(struct report_own_type *t, size_t n_sides,
			const struct sides_column *column, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct report_column c = column[i].column;

		if (n_sides > 2 && column[i].many)
			c.title = *column[i].many ? column[i].many : NULL;
		report_own_type_add(t, c);
	}
	for (size_t i = 0; i < 2 && n_sides > 2; i++)
		report_own_type_add(t, side_columns[i]);
}

void sides_put_side(struct report_record *r, size_t n_sides, size_t side)
{
	if (n_sides <= 2)
		return;
	record_text(r, r->type->column[r->next].id ? "side" : "", side_id[side]);
	record_text(r, "", side_label[side]);
}

void sides_declare_groups(struct report_own_type *t, size_t n_sides,
			  const struct report_column *member, size_t n)
{
	for (size_t k = 0; k < n_sides; k++) {
		const size_t group =
			report_own_type_add(t, (struct report_column){.id = side_id[k]});

		for (size_t i = 0; i < n; i++)
			report_own_type_add(t, member[i]);
		report_own_type_group(t, group);
	}
}

void sides_put_result(struct report_record *r, enum difference_result result)
{
	record_text(r, "result", difference_result_name[result]);
	record_text(r, "", difference_result_name[result]);
}

void side_reason_flush(struct report *report, struct side_reason *reason)
{
	char *line;

	if (!reason->label)
		return;
	line = xasprintf("  %s: %s\n", reason->label, quality_table[reason->why].text);
	report_section(report, line);
	free(line);
	reason->label = NULL;
}

void side_reason_add(struct report *report, struct side_reason *reason,
		     enum difference_result result, const char *label, enum quality why)
{
	const bool is_same =
		result == DIFFERENCE_UNKNOWN && reason->label == label && reason->why == why;

	if (is_same)
		return;
	side_reason_flush(report, reason);
	if (result == DIFFERENCE_UNKNOWN)
		*reason = (struct side_reason){label, why};
}

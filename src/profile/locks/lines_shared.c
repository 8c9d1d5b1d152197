/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of lines: locks in shared memory, whose rows are summed over processes. */
#include <inttypes.h>

#include "profile/locks/lines_part.h"
#include "profile/locks/resolver.h"

/* clang-format off */
static const struct report_column shared_columns[] = {
	{.id = "type"}, {.id = "schema"}, {.id = "processes"}, {.id = "dynamic"}, {.id = "static"}, {.id = "unit"},
	{.id = "group"},
};
/* clang-format on */

static bool is_shared(const struct locks_line *line)
{
	return line->instance && line->instance->n_processes;
}

size_t lines_shared_leave_out(const struct locks_lines *l, struct locks_line *line)
{
	const bool keeps = l->n_processes || l->group == LOCKS_BY_PROCESS;
	size_t n = 0;

	for (size_t i = 0; i < l->report->n; i++)
		if (keeps || !is_shared(&l->report->line[i]))
			line[n++] = l->report->line[i];
	return n;
}

/* --- rows --- */

void lines_shared_declare_row(struct report_own_type *t, const struct locks_lines *l)
{
	report_own_type_add(t, (struct report_column){
				       .id = "processes",
				       .csv = "processes",
				       .csv_place = 8,
				       .title = l->n_processes ? "processes" : NULL,
				       .width = 9,
				       .place = 2,
				       .rank = l->n_processes ? 5 : 0,
			       });
}

void lines_shared_put_row(struct report_record *record, const struct locks_line *line)
{
	const uint32_t n = line->group.name  ? line->group.n_processes
			   : is_shared(line) ? line->instance->n_processes
					     : 0;

	if (line->instance)
		record_count(record, "processes", n ? n : 1);
	else
		record_absent(record, "processes");
}

/* --- the part of a process --- */

/* Sums the acquisitions of locks that have no row in this report. Sets the number of these locks.
 */
static uint64_t sum_part(const struct locks_lines *l, uint64_t *locks)
{
	const struct locks_copy *c = l->copy;
	uint64_t n = 0;

	*locks = 0;
	for (size_t i = 0; i < l->report->n; i++) {
		const struct locks_line *line = &l->report->line[i];

		if (is_shared(line) && locks_is_held(line->instance->kind))
			n += locks_n(&line->sum, LOCKS_ACQUIRE);
	}
	for (uint32_t i = 0; i < c->header.n_instances; i++)
		*locks += c->instance[i].n_processes && locks_is_held(c->instance[i].kind);
	return l->group == LOCKS_BY_PROCESS ? 0 : n;
}

void lines_shared_add_text(const struct locks_lines *l, struct strbuf *out)
{
	uint64_t locks;
	const uint64_t n = sum_part(l, &locks);

	if (n)
		strbuf_addf(out,
			    "#   %" PRIu64 " of these, of %" PRIu64
			    " lock%s in shared memory, are in rows over all processes, at the "
			    "end\n",
			    n, locks, locks == 1 ? "" : "s");
}

void lines_shared_put(struct report_record *record, const struct locks_lines *l)
{
	uint64_t locks;
	const uint64_t n = sum_part(l, &locks);

	const bool known = !l->copy->kernel.alone;

	record_value(record, "shared_dynamic", lines_known(n, known));
	record_value(record, "shared_static", lines_known(n ? locks : 0, known));
}

/* --- all processes --- */

static void add_text(const struct locks_lines *l, struct report *report)
{
	const struct locks_report *r = l->report;
	const uint64_t n = locks_n(&r->all, LOCKS_ACQUIRE);
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addf(&text, "# locks in shared memory, over %" PRIu32 " processes", l->n_processes);
	if (n)
		strbuf_addf(&text, ": %" PRIu64 " acquisition%s of %" PRIu64 " lock%s", n,
			    n == 1 ? "" : "s", r->instances, r->instances == 1 ? "" : "s");
	strbuf_addch(&text, '\n');
	report_note(report, text.text);
	strbuf_done(&text);
}

void lines_shared_add(const struct locks_lines *l, struct report *report, struct report_own_type *t)
{
	const struct locks_report *r = l->report;
	struct report_record *record;

	report_own_type_init(t, shared_columns, sizeof shared_columns / sizeof *shared_columns);
	lines_declare_phases(t, false);
	add_text(l, report);
	record = report_add(report, &t->type);
	record_text(record, "type", "shared");
	record_count(record, "schema", LINES_SCHEMA);
	record_count(record, "processes", l->n_processes);
	record_count(record, "dynamic", locks_n(&r->all, LOCKS_ACQUIRE));
	record_count(record, "static", r->instances);
	record_text(record, "unit", "ns");
	record_optional_text(record, "group", locks_group_key_name(l->group));
	for (int p = 0; p < LOCKS_PHASES; p++)
		lines_put_phase(record, l, &r->all, p);
}

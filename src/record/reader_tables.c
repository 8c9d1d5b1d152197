/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: layouts, sets of events and machines. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/events.h"
#include "record/reader_part.h"
#include "record/schema_check.h"

/* More than anybody records; a file with more is not worth the time. */
#define LAYOUTS_MAX 10000
#define PMUS_MAX    256
#define CORES       RECORD_CORES

/* The set of this number, borrowed; joined to what there is. */
static int find_set(struct record_reader *r, int64_t id, struct sample_events **out,
		    struct err *err)
{
	struct sample_events *joined;
	int ret;

	for (size_t i = 0; i < r->n_sets; i++)
		if (r->set[i].id == id) {
			*out = r->set[i].events;
			return 0;
		}
	ret = record_events_load(&r->db, id, out, err);
	if (ret)
		return ret;
	if (!*out)
		reader_complain(r, "a list of events is damaged");
	r->set = xgrow(r->set, &r->cap_sets, r->n_sets + 1, sizeof *r->set);
	r->set[r->n_sets++] = (struct reader_set){id, *out};
	if (!*out)
		return 0;
	joined = sample_events_join(r->events, *out);
	sample_events_unref(r->events);
	r->events = joined;
	return 0;
}

static bool prepare_layout(struct record_reader *r, struct reader_layout *at)
{
	struct strbuf sql;
	char name[40];
	bool good;

	snprintf(name, sizeof name, "reading_%lld", (long long)at->layout.id);
	if (!schema_has_readings(&r->db, at->layout.id)) {
		reader_complain(r, "it has no table '%s'", name);
		return false;
	}
	strbuf_init(&sql);
	strbuf_addstr(&sql, "SELECT ");
	record_layout_names(&at->layout, &sql);
	strbuf_addf(&sql, " FROM %s WHERE id >= ? ORDER BY id", name);
	good = !record_db_prepare(&r->db, &at->range, sql.text, NULL) &&
	       !reader_prepare_waits(r, at, NULL);
	strbuf_done(&sql);
	if (!good)
		reader_complain(r, "the table '%s' is not as it should be", name);
	return good;
}

static int add_layout(struct record_reader *r, sqlite3_stmt *stmt, struct err *err)
{
	const int64_t id = sqlite3_column_int64(stmt, 0), set = sqlite3_column_int64(stmt, 1);
	const char *names = record_db_text(stmt, 2);
	struct reader_layout at = {.range = NULL};
	struct sample_events *events = NULL;
	fact_mask facts;
	int ret = set ? find_set(r, set, &events, err) : 0;

	if (ret)
		return ret;
	if ((set && !events) || !record_facts_parse(names ? names : "", &facts)) {
		reader_complain(r, "its table reading_%lld is not understood", (long long)id);
		return 0;
	}
	record_layout_init(&at.layout, events, facts, sqlite3_column_int(stmt, 3) != 0);
	at.layout.moved = events && sqlite3_column_int(stmt, 4) != 0;
	at.layout.id = id;
	at.layout.set = set;
	if (!prepare_layout(r, &at)) {
		record_layout_done(&at.layout);
		return 0;
	}
	r->layout = xgrow(r->layout, &r->cap_layouts, r->n_layouts + 1, sizeof *r->layout);
	r->layout[r->n_layouts++] = at;
	return 0;
}

int reader_load_layouts(struct record_reader *r, struct err *err)
{
	int ret;

	sqlite3_bind_int64(r->layouts, 1, r->last_layout);
	while ((ret = reader_step(r, r->layouts, err)) == 1) {
		r->last_layout = sqlite3_column_int64(r->layouts, 0);
		if (r->n_layouts < LAYOUTS_MAX)
			ret = add_layout(r, r->layouts, err);
		if (ret < 0)
			break;
	}
	sqlite3_reset(r->layouts);
	return ret < 0 ? ret : 0;
}

/* The names of a kind, copied into the arena and ended by NULL. */
static int load_pmus(struct record_reader *r, int64_t machine, const char *kind, const char **name,
		     int max, struct arena *arena, int *n, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret = record_db_prepare(&r->db, &stmt,
				    "SELECT name FROM machine_pmu WHERE machine = ? AND kind = ? "
				    "AND name IS NOT NULL ORDER BY n",
				    err);

	*n = 0;
	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, machine);
	sqlite3_bind_text(stmt, 2, kind, -1, SQLITE_STATIC);
	while (*n < max && (ret = reader_step(r, stmt, err)) == 1)
		name[(*n)++] = arena_strdup(arena, record_db_text(stmt, 0));
	name[*n] = NULL;
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

static const char *some_text(sqlite3_stmt *stmt, int column, struct arena *arena)
{
	const char *text = record_db_text(stmt, column);

	return text ? arena_strdup(arena, text) : "";
}

/* The row of the machine. 1: there is one. */
static int load_row(struct record_reader *r, int64_t run, struct sample_machine *m,
		    int64_t *machine, struct arena *arena, struct err *err)
{
	sqlite3_stmt *stmt;
	int ret =
		record_db_prepare(&r->db, &stmt,
				  "SELECT machine.id, arch, model, boot_id, host, ticks_per_s FROM "
				  "run JOIN machine ON machine.id = run.machine WHERE run.id = ?",
				  err);

	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, run);
	ret = reader_step(r, stmt, err);
	if (ret == 1) {
		const int64_t ticks = sqlite3_column_int64(stmt, 5);

		*machine = sqlite3_column_int64(stmt, 0);
		m->arch = some_text(stmt, 1, arena);
		m->model = some_text(stmt, 2, arena);
		m->boot_id = some_text(stmt, 3, arena);
		m->host = some_text(stmt, 4, arena);
		m->ticks_per_s = ticks > 0 && ticks < INT_MAX ? (long)ticks : 0;
	}
	sqlite3_finalize(stmt);
	return ret;
}

int reader_load_machine(struct record_reader *r, int64_t run, struct err *err)
{
	const char *core[CORES + 1], *pmu[PMUS_MAX + 1];
	struct sample_machine told = {.core = core, .pmu = pmu};
	struct arena arena = ARENA_INIT;
	struct sample_place *place = NULL;
	uint8_t *kind = NULL;
	int64_t machine = 0;
	int n, ret = load_row(r, run, &told, &machine, &arena, err);

	sample_machine_unref(r->machine);
	r->machine = NULL;
	r->machine_run = run;
	if (ret == 1) {
		ret = load_pmus(r, machine, "core", core, CORES, &arena, &told.n_cores, err);
		if (!ret)
			ret = load_pmus(r, machine, "pmu", pmu, PMUS_MAX, &arena, &n, err);
		if (!ret)
			ret = reader_load_cpus(r, machine, &kind, &told.n_cpus, err);
		if (!ret)
			ret = reader_load_places(r, machine, &place, &told.n_places, err);
		told.cpu_kind = kind;
		told.place = place;
		if (!ret)
			r->machine = sample_machine_new(&told);
	}
	free(kind);
	free(place);
	arena_done(&arena);
	return ret < 0 ? ret : 0;
}

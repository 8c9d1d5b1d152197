/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: layouts, sets of events and machines. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "record/reader_part.h"

/* More than anybody records; a file with more is not worth the time. */
#define LAYOUTS_MAX 10000
#define PMUS_MAX    256
#define CORES       16

/* A table of ours has neither code of its own nor columns that are computed. */
bool reader_has_table(struct record_reader *r, const char *name)
{
	static const char sql[] =
		"SELECT type = 'table' AND sql LIKE 'CREATE TABLE%' AND NOT EXISTS(SELECT 1 FROM "
		"pragma_table_xinfo(?1) WHERE hidden) FROM sqlite_schema WHERE name = ?1";
	sqlite3_stmt *stmt;
	bool has = false;

	if (record_db_prepare(&r->db, &stmt, sql, NULL))
		return false;
	record_db_restart(&r->db);
	sqlite3_bind_text(stmt, 1, name, -1, SQLITE_STATIC);
	if (sqlite3_step(stmt) == SQLITE_ROW)
		has = sqlite3_column_int(stmt, 0);
	sqlite3_finalize(stmt);
	if (!has)
		reader_complain(r, "it has no table '%s'", name);
	return has;
}

/* A row of event, checked. False: no event can be like that. */
static bool read_event(sqlite3_stmt *stmt, int n, struct sample_event *e)
{
	int64_t kind, core, part_of, group, quality;
	int column = 0;

	e->given = reader_text(stmt, column++);
	e->resolved = reader_text(stmt, column++);
	e->pmu = reader_text(stmt, column++);
	e->format = reader_text(stmt, column++);
	e->unit = reader_text(stmt, column++);
	kind = sqlite3_column_int64(stmt, column++);
	e->config = (uint64_t)sqlite3_column_int64(stmt, column++);
	e->config1 = (uint64_t)sqlite3_column_int64(stmt, column++);
	e->config2 = (uint64_t)sqlite3_column_int64(stmt, column++);
	e->scale = sqlite3_column_double(stmt, column++);
	group = sqlite3_column_int64(stmt, column++);
	part_of = sqlite3_column_int64(stmt, column++);
	e->modes = (uint8_t)sqlite3_column_int64(stmt, column++);
	core = sqlite3_column_int64(stmt, column++);
	quality = sqlite3_column_int64(stmt, column++);
	e->guests_too = sqlite3_column_int64(stmt, column++) != 0;
	e->lacking = sqlite3_column_int64(stmt, column++) != 0;
	e->kind = (uint8_t)kind;
	e->group = (uint16_t)group;
	e->part_of = (uint16_t)part_of;
	e->core = (int8_t)core;
	e->quality = (uint8_t)quality;
	return kind >= 0 && kind < N_EVENT_KINDS && group >= 0 && group <= SAMPLE_NO_GROUP &&
	       part_of >= 0 && part_of <= n && core >= SAMPLE_ANY_CORE && core < CORES &&
	       quality >= 0 && quality < N_QUALITIES && isfinite(e->scale) && e->scale >= 0;
}

/* Parts are parts of heads, which stand before them. */
static bool is_sound(const struct sample_event *event, int n)
{
	for (int i = 0; i < n; i++)
		if (event[i].part_of && event[event[i].part_of - 1].part_of)
			return false;
	return true;
}

/* Texts go with their row: the set is made anew with each event. */
static struct sample_events *add_event(struct sample_events *set, const struct sample_event *e)
{
	struct sample_event event[SAMPLE_MAX_EVENTS];
	struct sample_events *more;
	int n = set->n;

	memcpy(event, set->event, (size_t)n * sizeof *event);
	event[n] = *e;
	more = sample_events_new(event, n + 1);
	sample_events_unref(set);
	return more;
}

/* How many events it has; below 0: it is not told. */
static int64_t count_events(struct record_reader *r, int64_t id)
{
	int64_t n = -1;
	char sql[64];

	snprintf(sql, sizeof sql, "SELECT n FROM event_set WHERE id = %lld", (long long)id);
	record_db_number(&r->db, sql, -1, &n, NULL);
	return n;
}

/* *out NULL: it is damaged. */
static int load_set(struct record_reader *r, int64_t id, struct sample_events **out,
		    struct err *err)
{
	static const char sql[] =
		"SELECT given, resolved, pmu, format, unit, kind, config, config1, config2, scale, "
		"event_group, part_of, modes, core, quality, guests_too, lacking FROM event "
		"WHERE event_set = ? ORDER BY n LIMIT 65";
	struct sample_events *set = sample_events_new(NULL, 0);
	sqlite3_stmt *stmt;
	bool sound = true;
	int ret = record_db_prepare(&r->db, &stmt, sql, err);

	*out = NULL;
	if (ret) {
		sample_events_unref(set);
		return ret;
	}
	sqlite3_bind_int64(stmt, 1, id);
	while (sound && (ret = reader_step(r, stmt, err)) == 1) {
		struct sample_event e;

		sound = set->n < SAMPLE_MAX_EVENTS && read_event(stmt, set->n, &e);
		if (sound)
			set = add_event(set, &e);
	}
	sqlite3_finalize(stmt);
	if (ret < 0 || !sound || count_events(r, id) != set->n || !is_sound(set->event, set->n)) {
		sample_events_unref(set);
		if (ret >= 0)
			reader_complain(r, "a list of events is damaged");
		return ret < 0 ? ret : 0;
	}
	*out = set;
	return 0;
}

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
	ret = load_set(r, id, out, err);
	if (ret)
		return ret;
	r->set = xgrow(r->set, &r->cap_sets, r->n_sets + 1, sizeof *r->set);
	r->set[r->n_sets++] = (struct reader_set){id, *out};
	if (!*out)
		return 0;
	joined = sample_events_join(r->events, *out);
	sample_events_unref(r->events);
	r->events = joined;
	return 0;
}

/* The facts of a list of names; false where one is not known. */
static bool parse_facts(const char *text, fact_mask *out)
{
	*out = 0;
	while (*text) {
		size_t len = strcspn(text, " ");
		int f = 0;

		while (f < N_NUMBER_FACTS &&
		       (strncmp(fact_table[f].name, text, len) != 0 || fact_table[f].name[len]))
			f++;
		if (f == N_NUMBER_FACTS)
			return false;
		*out |= FACT_BIT(f);
		text += len + (text[len] == ' ');
	}
	return true;
}

static bool prepare_layout(struct record_reader *r, struct reader_layout *at)
{
	struct strbuf sql;
	char name[40];
	bool good;

	snprintf(name, sizeof name, "reading_%lld", (long long)at->layout.id);
	if (!reader_has_table(r, name))
		return false;
	strbuf_init(&sql);
	strbuf_addstr(&sql, "SELECT ");
	record_layout_names(&at->layout, &sql);
	strbuf_addf(&sql, " FROM %s WHERE id >= ? ORDER BY id", name);
	good = !record_db_prepare(&r->db, &at->range, sql.text, NULL);
	strbuf_done(&sql);
	if (!good)
		reader_complain(r, "the table '%s' is not as it should be", name);
	return good;
}

static int add_layout(struct record_reader *r, sqlite3_stmt *stmt, struct err *err)
{
	const int64_t id = sqlite3_column_int64(stmt, 0), set = sqlite3_column_int64(stmt, 1);
	const char *names = reader_text(stmt, 2);
	struct reader_layout at = {.range = NULL};
	struct sample_events *events = NULL;
	fact_mask facts;
	int ret = set ? find_set(r, set, &events, err) : 0;

	if (ret)
		return ret;
	if ((set && !events) || !parse_facts(names ? names : "", &facts)) {
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
		name[(*n)++] = arena_strdup(arena, reader_text(stmt, 0));
	name[*n] = NULL;
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

static const char *some_text(sqlite3_stmt *stmt, int column, struct arena *arena)
{
	const char *text = reader_text(stmt, column);

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/events.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Reads a row of the table event. n: the number of rows before it. Returns false if a value is out
 * of range. */
static bool read_event(sqlite3_stmt *stmt, int n, struct sample_event *e)
{
	int64_t kind, core, part_of, group, quality, too;
	int column = 0;

	e->given = record_db_text(stmt, column++);
	e->resolved = record_db_text(stmt, column++);
	e->pmu = record_db_text(stmt, column++);
	e->format = record_db_text(stmt, column++);
	e->unit = record_db_text(stmt, column++);
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
	too = sqlite3_column_int64(stmt, column++);
	e->guests_too = too & 1;
	e->modes_too = too >> 1 & 1;
	e->lacking = sqlite3_column_int64(stmt, column++) != 0;
	e->kind = (uint8_t)kind;
	e->group = (uint16_t)group;
	e->part_of = (uint16_t)part_of;
	e->core = (int8_t)core;
	e->quality = (uint8_t)quality;
	return kind >= 0 && kind < N_EVENT_KINDS && group >= 0 && group <= SAMPLE_NO_GROUP &&
	       part_of >= 0 && part_of <= n && core >= SAMPLE_ANY_CORE && core < RECORD_CORES &&
	       quality >= 0 && quality < N_QUALITIES && isfinite(e->scale) && e->scale >= 0;
}

/* Returns whether each part belongs to a head, not to another part (sample_event.h). */
static bool is_sound(const struct sample_event *event, int n)
{
	for (int i = 0; i < n; i++)
		if (event[i].part_of && event[event[i].part_of - 1].part_of)
			return false;
	return true;
}

/* Returns a copy of the set with the event added, and drops the old set. Copies the event at once,
 * as SQLite's texts are valid only until the next step. */
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

/* Returns the number of events that the table event_set declares for the set; -1: the set is not in
 * the table. */
static int64_t count_events(struct record_db *db, int64_t id)
{
	int64_t n = -1;

	record_db_numberf(db, -1, &n, NULL, "SELECT n FROM event_set WHERE id = %lld",
			  (long long)id);
	return n;
}

int record_events_load(struct record_db *db, int64_t id, struct sample_events **out,
		       struct err *err)
{
	static const char sql[] =
		"SELECT given, resolved, pmu, format, unit, kind, config, config1, config2, scale, "
		"event_group, part_of, modes, core, quality, guests_too, lacking FROM event "
		"WHERE event_set = ? ORDER BY n LIMIT 65";
	struct sample_events *set = sample_events_new(NULL, 0);
	sqlite3_stmt *stmt;
	bool sound = true;
	int ret = record_db_prepare(db, &stmt, sql, err);

	*out = NULL;
	if (ret) {
		sample_events_unref(set);
		return ret;
	}
	sqlite3_bind_int64(stmt, 1, id);
	while (sound && (ret = record_db_step(db, stmt, err)) == 1) {
		struct sample_event e;

		sound = set->n < SAMPLE_MAX_EVENTS && read_event(stmt, set->n, &e);
		if (sound)
			set = add_event(set, &e);
	}
	sqlite3_finalize(stmt);
	if (ret < 0 || !sound || count_events(db, id) != set->n || !is_sound(set->event, set->n)) {
		sample_events_unref(set);
		return ret < 0 ? ret : 0;
	}
	*out = set;
	return 0;
}

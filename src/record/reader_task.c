/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: from a row to a reading. */
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "model/kinds.h"
#include "record/reader_part.h"

/* The columns of the table task. */
enum {
	TASK_ID,
	TASK_KIND,
	TASK_NUMBER,
	TASK_OWNER,
	TASK_START_NS,
	TASK_UID,
	TASK_USER,
	TASK_NAME,
	TASK_PROCESS,
	TASK_CMDLINE,
	TASK_FIRST_READ_TEXT
};

/* What a reading is of. */
struct about {
	const struct kind *kind;
	uint64_t id, owner, start_ns;
	uint32_t uid;
	struct task_texts texts;
};

static uint64_t number_at(sqlite3_stmt *stmt, int column)
{
	return (uint64_t)sqlite3_column_int64(stmt, column);
}

static bool is_null(sqlite3_stmt *stmt, int column)
{
	return sqlite3_column_type(stmt, column) == SQLITE_NULL;
}

/* Fills `out` from the row of the description; the texts are valid until it is reset. */
static bool read_description(struct record_reader *r, struct about *out)
{
	const char *name = record_db_text(r->task, TASK_KIND);
	const struct kind *kind = name ? kinds_find(name) : NULL;

	if (!kind) {
		reader_complain(r, "rows of the kind '%s' are not known", name ? name : "");
		return false;
	}
	*out = (struct about){
		.kind = kind,
		.id = number_at(r->task, TASK_NUMBER),
		.owner = number_at(r->task, TASK_OWNER),
		.start_ns = number_at(r->task, TASK_START_NS),
		.uid = (uint32_t)number_at(r->task, TASK_UID),
		.texts = {.user = record_db_text(r->task, TASK_USER),
			  .name = record_db_text(r->task, TASK_NAME),
			  .process = record_db_text(r->task, TASK_PROCESS),
			  .cmdline = record_db_text(r->task, TASK_CMDLINE)},
	};
	for (int i = 0; i < N_READ_TEXTS; i++)
		out->texts.read[i] = record_db_text(r->task, TASK_FIRST_READ_TEXT + i);
	return true;
}

/* What the reading is of. 1: it is known; 0: it is not. Of a task that is
 * there already nothing is read. */
static int describe(struct record_reader *r, int64_t row, struct about *out, struct err *err)
{
	const struct task *old = hash_get(&r->described, (uint64_t)row);
	struct err why = ERR_INIT;
	int ret;

	if (old) {
		*out = (struct about){old->kind,     old->id,  old->owner,
				      old->start_ns, old->uid, task_texts(old)};
		return 1;
	}
	sqlite3_bind_int64(r->task, 1, row);
	ret = reader_step(r, r->task, &why);
	if (ret < 0)
		return reader_pass_over(r, ret, &why, err);
	if (!ret)
		reader_complain(r, "a task is not described");
	return ret == 1 ? read_description(r, out) : ret;
}

/* Those that are known have room. */
static fact_mask room_of(const struct record_layout *l, const struct task_texts *texts)
{
	fact_mask room = l->facts;

	for (int i = 0; i < N_READ_TEXTS; i++)
		room |= texts->read[i] ? FACT_BIT(FACT_FIRST_READ_TEXT + i) : 0;
	return room;
}

static void read_facts(struct task *t, const struct record_layout *l, sqlite3_stmt *stmt)
{
	int column = record_layout_facts(l);

	for (int f = 0; f < N_NUMBER_FACTS; f++) {
		if (!(l->facts & FACT_BIT(f)))
			continue;
		if (!is_null(stmt, column))
			task_set_fact(t, (enum fact)f, number_at(stmt, column));
		column++;
	}
}

static void read_counts(struct task *t, const struct record_layout *l, sqlite3_stmt *stmt)
{
	const int counts = record_layout_counts(l), slots = record_layout_slots(l);

	for (int i = 0; t->count && i < l->events->n; i++) {
		const int slot = slots + 2 * l->slot[i];
		const uint64_t enabled = number_at(stmt, slot);

		t->count[i] = (struct count){
			.value = number_at(stmt, counts + i),
			.enabled_ns = enabled,
			.running_ns = is_null(stmt, slot + 1) ? enabled : number_at(stmt, slot + 1),
		};
	}
}

static void read_moved(struct task *t, const struct record_layout *l, sqlite3_stmt *stmt)
{
	if (!l->moved)
		return;
	task_make_moved(t);
	for (int i = 0; i < l->events->n; i++)
		t->moved[i] = sqlite3_column_int64(stmt, record_layout_moved(l) + i);
}

static char state_at(sqlite3_stmt *stmt)
{
	const char *text = record_db_text(stmt, COLUMN_STATE);

	return text && text[0] > ' ' && text[0] < 127 ? text[0] : '?';
}

/* Of an earlier sample, it is enough that it is none that comes. */
static uint32_t facts_read(const struct record_reader *r, sqlite3_stmt *stmt)
{
	const uint32_t now = r->now.head.number;

	if (!is_null(stmt, COLUMN_FACTS_READ))
		return (uint32_t)number_at(stmt, COLUMN_FACTS_READ);
	return sqlite3_column_int64(stmt, COLUMN_SAMPLE) == r->now.id ? now : now - 1;
}

static struct task *read_task(const struct record_reader *r, const struct record_layout *l,
			      const struct about *about, sqlite3_stmt *stmt)
{
	const uint64_t flags = number_at(stmt, COLUMN_FLAGS);
	const uint64_t counting = flags >> RECORD_COUNTING;
	const bool counted = flags & RECORD_COUNTED && l->events;
	struct task *t = task_new(about->kind, room_of(l, &about->texts),
				  counted ? l->events->n : 0, &about->texts);

	t->id = about->id;
	t->owner = about->owner;
	t->start_ns = about->start_ns;
	t->uid = about->uid;
	t->dead = (flags & RECORD_DEAD) != 0;
	t->gap = (flags & RECORD_GAP) != 0;
	t->lost = (flags & RECORD_LOST) != 0;
	t->ended = (flags & RECORD_ENDED) != 0;
	/* What this one does not know is one that has no number. */
	t->counting = (uint8_t)(counting < N_COUNT_STATES ? counting : COUNT_REFUSED);
	t->state = state_at(stmt);
	t->unread = number_at(stmt, COLUMN_UNREAD);
	t->facts_read = facts_read(r, stmt);
	task_set_events(t, l->events);
	read_facts(t, l, stmt);
	read_counts(t, l, stmt);
	read_moved(t, l, stmt);
	return t;
}

static float us_at(sqlite3_stmt *stmt, int column)
{
	return reader_us(sqlite3_column_int64(stmt, column));
}

int reader_add(struct record_reader *r, const struct record_layout *l, sqlite3_stmt *stmt,
	       struct living_list *list, struct err *err)
{
	const int64_t row = sqlite3_column_int64(stmt, COLUMN_TASK);
	struct about about;
	int ret = describe(r, row, &about, err);

	if (ret == 1) {
		list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
		list->v[list->n++] = (struct living){
			.row = row,
			.task = read_task(r, l, &about, stmt),
			.time = {us_at(stmt, COLUMN_COUNTS_US), us_at(stmt, COLUMN_FACTS_US)},
			.counts_ns = sqlite3_column_int64(stmt, COLUMN_COUNTS_NS),
			.facts_ns = sqlite3_column_int64(stmt, COLUMN_FACTS_NS),
			.reading = sqlite3_column_int64(stmt, COLUMN_ID),
			.fresh = is_null(stmt, COLUMN_COUNTS_NS),
		};
		ret = 0;
	}
	sqlite3_reset(r->task);
	return ret;
}

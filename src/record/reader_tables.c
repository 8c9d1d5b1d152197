/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of reader: reads tasks, use of CPUs and memory, endings, layouts and machines from their
 * tables. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "record/file.h"
#include "record/reader_state.h"
#include "record/views.h"

/* ---- reader task ----
 * Makes a struct task of the row of its reading and the row of its description. */

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

/* The description of a task, from the table task. */
struct description {
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

/* Fills *out from the current row of r->task; the texts are valid until the statement is reset.
 * Returns false if the kind is unknown. */
static bool read_description(struct record_reader *r, struct description *out)
{
	const char *name = record_db_text(r->task, TASK_KIND);
	const struct kind *kind = name ? kinds_find(name) : NULL;

	if (!kind) {
		reader_complain(r, "rows of the kind '%s' are not known", name ? name : "");
		return false;
	}
	*out = (struct description){
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

/* Finds the description of a task by its id in the table task (row); copies it if the task is
 * living, instead of reading it again. Returns 1: found; 0: not found; or -errno. */
static int describe(struct record_reader *r, int64_t row, struct description *out, struct err *err)
{
	const struct task *old = hash_get(&r->described, (uint64_t)row);
	struct err why = ERR_INIT;
	int ret;

	if (old) {
		*out = (struct description){old->kind,     old->id,  old->owner,
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

/* Returns the facts that the reading needs space for: those of its layout, and its known texts. */
static struct fact_set room_of(const struct record_layout *l, const struct task_texts *texts)
{
	struct fact_set room = l->facts;

	for (int i = 0; i < N_READ_TEXTS; i++)
		if (texts->read[i])
			fact_add(&room, FACT_FIRST_READ_TEXT + i);
	return room;
}

/* Reads a number; false: it is NULL. */
static bool read_number(sqlite3_stmt *stmt, int column, uint64_t *out)
{
	*out = number_at(stmt, column);
	return *out || !is_null(stmt, column);
}

static void read_facts(struct task *t, const struct record_layout *l, sqlite3_stmt *stmt)
{
	int column = record_layout_facts(l);
	uint64_t number;

	struct fact_set rest = l->facts;

	for (int f; (f = fact_take(&rest)) >= 0;)
		if (read_number(stmt, column++, &number))
			task_set_fact(t, f, number);
}

static void read_counts(struct task *t, const struct record_layout *l, sqlite3_stmt *stmt)
{
	const int counts = record_layout_counts(l), slots = record_layout_slots(l);
	int known = -1; /* the slot whose times are in `times` */
	struct count times = {0, 0, 0};

	for (int i = 0; t->count && i < l->events->n; i++) {
		const int slot = slots + 2 * l->slot[i];

		if (l->slot[i] != known) {
			known = l->slot[i];
			times.enabled_ns = number_at(stmt, slot);
			if (!read_number(stmt, slot + 1, &times.running_ns))
				times.running_ns = times.enabled_ns;
		}
		t->count[i] = (struct count){.value = number_at(stmt, counts + i),
					     .enabled_ns = times.enabled_ns,
					     .running_ns = times.running_ns};
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

/* Returns the number of the sample for which the facts were read. If the file lacks the number and
 * the reading is from an earlier sample, any number but the current one will do. */
static uint32_t facts_read(const struct record_reader *r, sqlite3_stmt *stmt)
{
	const uint32_t now = r->now.head.number;

	if (!is_null(stmt, COLUMN_FACTS_READ))
		return (uint32_t)number_at(stmt, COLUMN_FACTS_READ);
	return sqlite3_column_int64(stmt, COLUMN_SAMPLE) == r->now.id ? now : now - 1;
}

static struct task *read_task(const struct record_reader *r, const struct record_layout *l,
			      const struct description *description, sqlite3_stmt *stmt)
{
	const uint64_t flags = number_at(stmt, COLUMN_FLAGS);
	const uint64_t counting = flags >> RECORD_COUNTING;
	const bool counted = flags & RECORD_COUNTED && l->events;
	struct task *t = task_new(description->kind, room_of(l, &description->texts),
				  counted ? l->events->n : 0, &description->texts);

	t->id = description->id;
	t->owner = description->owner;
	t->start_ns = description->start_ns;
	t->uid = description->uid;
	t->dead = (flags & RECORD_DEAD) != 0;
	t->gap = (flags & RECORD_GAP) != 0;
	t->lost = (flags & RECORD_LOST) != 0;
	t->ended = (flags & RECORD_ENDED) != 0;
	/* An unknown state of counting becomes COUNT_REFUSED, a state without counts. */
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
	struct description description;
	int ret = describe(r, row, &description, err);

	if (ret == 1) {
		list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
		list->v[list->n++] = (struct living){
			.row = row,
			.task = read_task(r, l, &description, stmt),
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

/* ---- reader use ----
 * Reads the use of CPUs and memory, and the CPUs of a machine with their places. */

/* The kernel's limits for the number of CPUs and for errno. */
#define CPUS_MAX  8192
#define ERROR_MAX 4095

/* Returns an errno; a value out of range becomes ERROR_MAX, which has no name. */
static int error_at(sqlite3_stmt *stmt, int column)
{
	const uint64_t error = number_at(stmt, column);

	return error <= ERROR_MAX ? (int)error : ERROR_MAX;
}

static uint64_t at_most(uint64_t part, uint64_t all)
{
	return part < all ? part : all;
}

/* Limits free and available memory to the total; a total of 0 is an error. */
static void check_memory(struct machine_use *use)
{
	struct memory_use *m = &use->memory;

	if (!m->total && !use->memory_error)
		use->memory_error = EINVAL;
	m->free = at_most(m->free, m->total);
	m->available = at_most(m->available, m->total);
	m->swap_free = at_most(m->swap_free, m->swap_total);
}

void reader_set_use(const struct record_reader *r, struct machine_use *out)
{
	sqlite3_stmt *stmt = r->sample;

	*out = (struct machine_use){
		.wanted = sqlite3_column_type(stmt, SAMPLE_CPU_ERROR) != SQLITE_NULL,
		.cpu_error = error_at(stmt, SAMPLE_CPU_ERROR),
		.memory_error = error_at(stmt, SAMPLE_MEMORY_ERROR),
		.memory = {.total = number_at(stmt, SAMPLE_MEMORY_KB),
			   .free = number_at(stmt, SAMPLE_MEMORY_FREE_KB),
			   .available = number_at(stmt, SAMPLE_MEMORY_AVAILABLE_KB),
			   .swap_total = number_at(stmt, SAMPLE_SWAP_KB),
			   .swap_free = number_at(stmt, SAMPLE_SWAP_FREE_KB)},
	};
	if (out->wanted)
		check_memory(out);
}

/* Steps to the row of the next CPU, whose number must be above `last`. Returns 1: a CPU; 0: no
 * more, or an invalid number; or -errno. */
static int next_cpu(struct record_reader *r, sqlite3_stmt *stmt, int64_t last, struct err *err)
{
	int ret = reader_step(r, stmt, err);
	int64_t cpu;

	if (ret != 1)
		return ret;
	cpu = sqlite3_column_int64(stmt, 0);
	if (cpu > last && cpu < CPUS_MAX)
		return 1;
	reader_complain(r, "no machine has a CPU %lld", (long long)cpu);
	return 0;
}

int reader_add_cpus(struct record_reader *r, int64_t id, struct sample *out, struct err *err)
{
	struct cpu_ticks *cpu = NULL;
	struct err why = ERR_INIT;
	size_t n = 0, cap = 0;
	int ret;

	sqlite3_bind_int64(r->cpu_use, 1, id);
	while ((ret = next_cpu(r, r->cpu_use, n ? cpu[n - 1].cpu : -1, &why)) == 1) {
		cpu = xgrow(cpu, &cap, n + 1, sizeof *cpu);
		cpu[n].cpu = sqlite3_column_int(r->cpu_use, 0);
		for (int i = 0; i < N_CPU_STATES; i++)
			cpu[n].in[i] = number_at(r->cpu_use, 1 + i);
		n++;
	}
	sqlite3_reset(r->cpu_use);
	out->use.cpu = arena_copy(&out->arena, cpu, n * sizeof *cpu);
	out->use.n_cpus = n;
	free(cpu);
	return ret < 0 ? reader_pass_over(r, ret, &why, err) : 0;
}

/* Loads the kind of cores of each CPU of a machine, by CPU number; the caller frees *kind. */
static int reader_load_cpus(struct record_reader *r, int64_t machine, uint8_t **kind, int *n,
			    struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int ret;

	*kind = NULL;
	*n = 0;
	if (r->db.version < 2)
		return 0;
	ret = record_db_prepare(&r->db, &stmt,
				"SELECT cpu, kind FROM machine_cpu WHERE machine = ? ORDER BY cpu",
				err);
	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, machine);
	while ((ret = next_cpu(r, stmt, *n - 1, err)) == 1 && sqlite3_column_int(stmt, 0) == *n) {
		*kind = xgrow(*kind, &cap, (size_t)*n + 1, sizeof **kind);
		(*kind)[(*n)++] = (uint8_t)sqlite3_column_int64(stmt, 1);
	}
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

/* Returns the CPU number in a column; -1: unknown. */
static int16_t first_at(sqlite3_stmt *stmt, int column)
{
	const int64_t cpu = sqlite3_column_int64(stmt, column);

	return sqlite3_column_type(stmt, column) == SQLITE_INTEGER && cpu >= 0 && cpu < CPUS_MAX
		       ? (int16_t)cpu
		       : -1;
}

/* Loads the place of each CPU of a machine, by CPU number; *n is 0 if the file has none. The caller
 * frees *place. */
static int reader_load_places(struct record_reader *r, int64_t machine, struct sample_place **place,
			      int *n, struct err *err)
{
	sqlite3_stmt *stmt;
	size_t cap = 0;
	int ret;

	*place = NULL;
	*n = 0;
	if (r->db.version < 3)
		return 0;
	ret = record_db_prepare(&r->db, &stmt,
				"SELECT cpu, node, l3, l2, core FROM machine_place "
				"WHERE machine = ? ORDER BY cpu",
				err);
	if (ret)
		return ret;
	sqlite3_bind_int64(stmt, 1, machine);
	while ((ret = next_cpu(r, stmt, *n - 1, err)) == 1 && sqlite3_column_int(stmt, 0) == *n) {
		*place = xgrow(*place, &cap, (size_t)*n + 1, sizeof **place);
		(*place)[*n].first[SHARE_NOTHING] = -1;
		for (int share = SHARE_NODE; share < SHARE_CPU; share++)
			(*place)[*n].first[share] = first_at(stmt, share);
		++*n;
	}
	sqlite3_finalize(stmt);
	return ret < 0 ? ret : 0;
}

/* ---- reader ending ----
 * Reads which command was followed, and how it ended. */

/* Limits against files made to waste memory. */
#define WORDS_MAX    "100000"
#define PROGRAMS_MAX "10000"

/* The columns of SQL_ENDING. ENDING_CLOCKS is the first of six: the three clocks of the sample at
 * the begin, and of the sample at the end. */
enum {
	ENDING_BEGIN,
	ENDING_END,
	ENDING_CLOCKS,
	ENDING_STATUS = ENDING_CLOCKS + 6,
	ENDING_FROM_NS,
	ENDING_LEFT_OUT,
	ENDING_EACH,
	ENDING_ENDED,
	ENDING_LOST,
	ENDING_REOPENED,
	ENDING_DAMAGED,
	ENDING_NAMES_LOST,
	ENDING_ALONE
};

/* Unknown numbers become ENDING_REPORTED. */
static enum ending_each each_of(uint64_t number)
{
	return number > ENDING_TRACED ? ENDING_REPORTED : (enum ending_each)number;
}

struct value reader_value(sqlite3_stmt *stmt, int column)
{
	const int type = sqlite3_column_type(stmt, column);
	const double number = sqlite3_column_double(stmt, column),
		     share = sqlite3_column_double(stmt, column + 1);
	const int64_t quality = sqlite3_column_int64(stmt, column + 2);

	if (quality < 0 || quality >= N_QUALITIES)
		return value_none(QUALITY_NOT_READ);
	if (quality >= QUALITY_FIRST_NONE)
		return value_none((enum quality)quality);
	if (type == SQLITE_INTEGER && quality == QUALITY_EXACT)
		return value_count(number_at(stmt, column));
	if (type == SQLITE_NULL || !isfinite(number) || number < 0 || !(share > 0 && share <= 1))
		return value_none(QUALITY_NOT_READ);
	return (struct value){number, (float)share, (uint8_t)quality, 0};
}

/* Prepares a statement with the run of the last sample read as its parameter; the caller finalizes
 * it. */
static int prepare_for_run(struct record_reader *r, sqlite3_stmt **out, const char *sql,
			   struct err *err)
{
	int ret = record_db_prepare(&r->db, out, sql, err);

	if (!ret)
		sqlite3_bind_int64(*out, 1, r->now.run);
	return ret;
}

static int read_command(struct record_reader *r, char ***out, struct err *err)
{
	size_t n = 0, cap = 0;
	char **word = NULL;
	sqlite3_stmt *stmt;
	int ret = prepare_for_run(r, &stmt,
				  "SELECT word FROM command WHERE run = ? AND word IS NOT NULL "
				  "ORDER BY n LIMIT " WORDS_MAX,
				  err);

	*out = NULL;
	if (ret)
		return ret;
	while ((ret = reader_step(r, stmt, err)) == 1) {
		word = xgrow(word, &cap, n + 2, sizeof *word);
		word[n++] = arena_strdup(&r->ending, record_db_text(stmt, 0));
		word[n] = NULL;
	}
	sqlite3_finalize(stmt);
	if (n && ret >= 0)
		*out = arena_copy(&r->ending, word, (n + 1) * sizeof *word);
	free(word);
	return ret < 0 ? ret : 0;
}

int record_reader_command(struct record_reader *r, char *const **out, struct err *err)
{
	char **word = NULL;
	int ret;

	*out = NULL;
	if (r->db.version < 4)
		return 0;
	arena_reset(&r->ending);
	ret = read_command(r, &word, err);
	*out = word;
	return ret;
}

static int read_events(struct record_reader *r, struct ending *out, int n, struct err *err)
{
	struct value *count = arena_calloc(&r->ending, (size_t)n + 1, sizeof *count);
	sqlite3_stmt *stmt;
	int ret = prepare_for_run(r, &stmt,
				  "SELECT n, count, share, quality FROM ending_event WHERE run = ? "
				  "ORDER BY n",
				  err);

	if (ret)
		return ret;
	for (int i = 0; i < n; i++)
		count[i] = value_none(QUALITY_NOT_READ);
	while ((ret = reader_step(r, stmt, err)) == 1) {
		const int64_t i = sqlite3_column_int64(stmt, 0);

		if (i >= 0 && i < n)
			count[i] = reader_value(stmt, 1);
	}
	sqlite3_finalize(stmt);
	out->count = count;
	return ret < 0 ? ret : 0;
}

/* The statement for programs; failed: the three columns of the value `failed`, or placeholders in
 * versions without them. */
#define SQL_PROGRAMS(failed)                                                                       \
	"SELECT name, processes, cpu_ns, share, quality, " failed " FROM ending_program WHERE "    \
	"run = ? AND name IS NOT NULL ORDER BY n LIMIT " PROGRAMS_MAX

static int read_programs(struct record_reader *r, struct ending *out, struct err *err)
{
	struct ending_program *list = NULL;
	size_t n = 0, cap = 0;
	sqlite3_stmt *stmt;
	int ret = prepare_for_run(r, &stmt,
				  r->db.version < 5
					  ? SQL_PROGRAMS("NULL, NULL, -1")
					  : SQL_PROGRAMS("failed, failed_share, failed_quality"),
				  err);

	if (ret)
		return ret;
	while ((ret = reader_step(r, stmt, err)) == 1) {
		list = xgrow(list, &cap, n + 1, sizeof *list);
		list[n++] = (struct ending_program){
			arena_strdup(&r->ending, record_db_text(stmt, 0)), number_at(stmt, 1),
			reader_value(stmt, 2), reader_value(stmt, 5)};
	}
	sqlite3_finalize(stmt);
	if (n && ret >= 0)
		out->program = arena_copy(&r->ending, list, n * sizeof *list);
	out->n_programs = out->program ? n : 0;
	free(list);
	return ret < 0 ? ret : 0;
}

/* Fills *out with the command's reading at the start (which = 0) or at the end (1) of its counting.
 * Returns false if the reading is missing or invalid. */
static bool read_sample(struct record_reader *r, sqlite3_stmt *stmt, int which, struct sample *out)
{
	const int clock = ENDING_CLOCKS + 3 * which;
	size_t hint = 0;

	reader_drop(&r->read);
	sample_reset(out);
	if (reader_add_reading(r, sqlite3_column_int64(stmt, ENDING_BEGIN + which), &hint, NULL) ||
	    r->read.n != 1 || r->read.v[0].task->kind != &kind_command)
		return false;
	out->wall_ns = number_at(stmt, clock);
	out->mono_ns = number_at(stmt, clock + 1);
	out->boot_ns = number_at(stmt, clock + 2);
	out->number = r->read.v[0].task->facts_read;
	out->threads = out->one_set = true;
	out->kind = &kind_command;
	sample_set_machine(out, r->machine);
	sample_add(out, task_ref(r->read.v[0].task));
	reader_drop(&r->read);
	return true;
}

static bool read_samples(struct record_reader *r, sqlite3_stmt *stmt, struct sample *begin,
			 struct sample *end)
{
	return read_sample(r, stmt, 0, begin) && read_sample(r, stmt, 1, end) &&
	       begin->mono_ns < end->mono_ns && !task_compare(begin->task[0], end->task[0]);
}

static void read_row(struct record_reader *r, sqlite3_stmt *stmt, struct ending *out)
{
	const char *left_out = record_db_text(stmt, ENDING_LEFT_OUT);
	const int64_t status = sqlite3_column_int64(stmt, ENDING_STATUS);

	*out = (struct ending){
		.unknown = sqlite3_column_type(stmt, ENDING_STATUS) != SQLITE_INTEGER ||
			   status < 0 || status > INT_MAX,
		.from_ns = number_at(stmt, ENDING_FROM_NS),
		.left_out = left_out ? arena_strdup(&r->ending, left_out) : NULL,
		.each = each_of(number_at(stmt, ENDING_EACH)),
		.ended = number_at(stmt, ENDING_ENDED),
		.lost = number_at(stmt, ENDING_LOST),
		.reopened = number_at(stmt, ENDING_REOPENED),
		.damaged = number_at(stmt, ENDING_DAMAGED) != 0,
		.names_lost = number_at(stmt, ENDING_NAMES_LOST),
		.alone = number_at(stmt, ENDING_ALONE) != 0,
	};
	out->status = out->unknown ? 0 : (int)status;
}

/* Selects the ending of run ?1 if sample ?2 is the last one of that run. alone: the column of this
 * name, or NULL in versions without it. */
#define SQL_ENDING(alone)                                                                          \
	"SELECT begin_reading, end_reading, begin_wall_ns, begin_mono_ns, begin_boot_ns, "         \
	"wall_ns, "                                                                                \
	"mono_ns, boot_ns, status, from_ns, left_out, each, ended, lost, reopened, damaged, "      \
	"names_lost, " alone " FROM ending WHERE run = ?1 AND "                                    \
	"(SELECT run FROM sample WHERE id > ?2 ORDER BY id LIMIT 1) IS NOT ?1"

const char reader_sql_ending_4[] = SQL_ENDING("NULL");
const char reader_sql_ending[] = SQL_ENDING("alone");

static int read_ending(struct record_reader *r, struct ending *out, struct sample *begin,
		       struct sample *end, struct err *err)
{
	char **word;
	int ret;

	sqlite3_bind_int64(r->end, 1, r->now.run);
	sqlite3_bind_int64(r->end, 2, r->now.id);
	ret = reader_step(r, r->end, err);
	if (ret != 1)
		return ret;
	ret = reader_load_layouts(r, err);
	if (ret)
		return ret;
	arena_reset(&r->ending);
	read_row(r, r->end, out);
	ret = read_command(r, &word, err);
	if (!ret && (!word || !read_samples(r, r->end, begin, end))) {
		reader_complain(r, "what it says of the end of the command makes no sense");
		return 0;
	}
	out->command = word;
	if (!ret)
		ret = read_events(r, out, sample_events_n(end->task[0]->events), err);
	if (!ret)
		ret = read_programs(r, out, err);
	return ret ? ret : 1;
}

int record_reader_ending(struct record_reader *r, struct ending *out, struct sample *begin,
			 struct sample *end, struct err *err)
{
	struct err why = ERR_INIT;
	int ret;

	/* `ready`: the next sample has been read ahead, so `now` is not the last sample
	 * returned. */
	if (!r->end || r->ready)
		return 0;
	reader_begin(r);
	ret = read_ending(r, out, begin, end, &why);
	sqlite3_reset(r->end);
	reader_end(r, ret);
	return ret < 0 ? reader_pass_over(r, ret, &why, err) : ret;
}

/* ---- reader tables ---- */

/* Limits against files made to waste time; real recordings stay far below. */
#define LAYOUTS_MAX 10000
#define PMUS_MAX    256
#define CORES       RECORD_CORES

/* Returns in *out the set with this id, borrowed; NULL: damaged. Loads a set on first use and adds
 * its events to r->events. */
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
	struct fact_set facts;
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

/* Loads the PMU names of a kind ("core" or "pmu") into name[], at most max, copied into the arena;
 * terminated by NULL. *n: their number. */
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

static const char *text_or_empty(sqlite3_stmt *stmt, int column, struct arena *arena)
{
	const char *text = record_db_text(stmt, column);

	return text ? arena_strdup(arena, text) : "";
}

/* Reads the row of the run's machine. Returns 1: read; 0: none; or -errno. */
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
		m->arch = text_or_empty(stmt, 1, arena);
		m->model = text_or_empty(stmt, 2, arena);
		m->boot_id = text_or_empty(stmt, 3, arena);
		m->host = text_or_empty(stmt, 4, arena);
		m->ticks_per_s = ticks > 0 && ticks < INT_MAX ? (long)ticks : 0;
	}
	sqlite3_finalize(stmt);
	return ret;
}

int reader_load_machine(struct record_reader *r, int64_t run, struct err *err)
{
	const char *core[CORES + 1], *pmu[PMUS_MAX + 1];
	struct sample_machine machine_read = {.core = core, .pmu = pmu};
	struct arena arena = ARENA_INIT;
	struct sample_place *place = NULL;
	uint8_t *kind = NULL;
	int64_t machine = 0;
	int n, ret = load_row(r, run, &machine_read, &machine, &arena, err);

	sample_machine_unref(r->machine);
	r->machine = NULL;
	r->machine_run = run;
	if (ret == 1) {
		ret = load_pmus(r, machine, "core", core, CORES, &arena, &machine_read.n_cores,
				err);
		if (!ret)
			ret = load_pmus(r, machine, "pmu", pmu, PMUS_MAX, &arena, &n, err);
		if (!ret)
			ret = reader_load_cpus(r, machine, &kind, &machine_read.n_cpus, err);
		if (!ret)
			ret = reader_load_places(r, machine, &place, &machine_read.n_places, err);
		machine_read.cpu_kind = kind;
		machine_read.place = place;
		if (!ret)
			r->machine = sample_machine_new(&machine_read);
	}
	free(kind);
	free(place);
	arena_done(&arena);
	return ret < 0 ? ret : 0;
}

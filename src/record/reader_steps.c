/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of reader: reads the samples of a span of time as one step, see record_reader_set_step().
 *
 * Counts and facts only grow, so the difference of two readings of a task is what it did between
 * them, and the readings between need not be made. Of a step, the lists of its minutes (minute.h)
 * name the last reading of each task; where there is no list, a scan over few columns finds them.
 * Only these are read in full.
 *
 * A list is used if it is sound in itself (minute_parse()), if its samples and the ids of its
 * readings are those of the table sample, if each reading that is read in full is there, in a
 * sample of the step and of the task that the list names, and agrees with what the list says of
 * events and counters, and if it has each reading that the table gone names, now or in an earlier
 * step. Of each 64 lists the first is compared with a scan of its samples. The reading before the
 * first one of a task, and those of a keyframe that are older than the step, have to be the last
 * ones known: so a reading that a list omits is noticed when its task runs again, ends, or is in a
 * keyframe of a later step. If a list fails, the recording is damaged, which record_reader_fault()
 * says; the step is read again, and no list is used any more. Ranges of %CPU are only protected by
 * the checksum of the list.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"
#include "record/reader_state.h"

/* The columns of the scan, in order. */
enum {
	SCAN_ID,
	SCAN_SAMPLE,
	SCAN_TASK,
	SCAN_PREVIOUS,
	SCAN_UNREAD,
	SCAN_FLAGS,
	/* For moments, if the layout has the CPU time. */
	SCAN_FACTS_NS,
	SCAN_CPU_NS
};

#define SCAN_COLUMNS "id, sample, task, previous, unread, flags"
#define SCAN_MOMENTS ", facts_ns, CPU_NS"

/* The n readings of a task in the current step, in the order of time. */
struct step_reading {
	int64_t reading, row; /* ids of the last reading, and of the description of the task */
	size_t layout;        /* index of the layout of the last reading */
	uint64_t unread;      /* the events that were read in no reading */
	bool gap;             /* counters were closed before one of the readings */
	uint64_t n;
	bool listed;       /* a list of a minute named the last reading */
	int64_t begins;    /* id of the sample of the first reading */
	bool gone;         /* the task left the samples within the step */
	size_t number;     /* the index at which it was added */
	struct task *task; /* the last one as a task, a reference; NULL: not read */
};

/* The step that is read. */
struct step {
	struct record_reader *r;
	struct reader_head begin, end; /* the samples at its ends; the first is not part of it */
	int64_t first_reading;
	struct step_reading *v; /* [n] */
	size_t n, cap;
	/* Indexes in v plus 1; 0: none. by_row: by id of the description, as pointers; of_reading:
	 * by id of the reading minus first_reading. */
	struct hash by_row;
	uint32_t *of_reading; /* [n_readings] */
	size_t n_readings;
	struct reader_gone gone; /* the tasks that left the samples in the step */
	/* [end.id - begin.id] first_reading of each sample after `begin`; after_reading: that of
	 * the sample after `end`, 0: there is none. */
	int64_t *first_of;
	size_t cap_first_of;
	int64_t after_reading;
	struct hash known; /* the last readings before the step, by their ids */
	bool is_check;     /* a scan that checks a list: it has no moments */
};

/* One in this many lists of minutes that are used is compared with a scan. */
#define LISTS_PER_CHECK 64

/* A sample is added to a step only if fewer than this number of readings of the step come before
 * it. */
#define READINGS_MAX ((int64_t)4 << 20)

void record_reader_set_step(struct record_reader *r, uint64_t step_ns, int64_t until_ns)
{
	r->step_ns = step_ns;
	r->until_ns = until_ns;
	r->in_steps = false;
	r->samples_max = INT64_MAX;
}

static int find_extent(struct record_reader *r, int64_t until_ns, struct record_extent *out,
		       struct err *err)
{
	struct reader_head first = r->now, last;
	int64_t id = 0, from_ns, to_ns;
	int ret = timeline_update(&r->timeline, &r->db, err);

	*out = (struct record_extent){.ns = 0};
	if (!ret)
		ret = timeline_find(&r->timeline, &r->db, until_ns, &id, err);
	if (ret)
		return ret;
	ret = r->ready ? 1 : reader_find_head(r, r->now.id, &first, err);
	if (ret != 1 || id <= first.id)
		return ret < 0 ? ret : 0;
	ret = reader_find_head(r, id - 1, &last, err);
	if (ret != 1)
		return ret;
	out->samples = last.id - first.id;
	out->readings = last.first_reading - first.first_reading;
	from_ns = timeline_at(&r->timeline, first.id, (int64_t)first.head.mono_ns);
	to_ns = timeline_at(&r->timeline, last.id, (int64_t)last.head.mono_ns);
	if (__builtin_sub_overflow(to_ns, from_ns, &out->ns))
		out->ns = INT64_MAX;
	return 0;
}

int record_reader_extent(struct record_reader *r, int64_t until_ns, struct record_extent *out,
			 struct err *err)
{
	reader_begin(r);
	return reader_end(r, find_extent(r, until_ns, out, err));
}

/* Returns whether the wall clock passed a multiple of the length of steps between two samples of a
 * step. The first sample of a step may follow any other. */
static bool is_next_step(const struct step *s, const struct reader_head *next)
{
	return s->end.id != s->begin.id &&
	       next->head.wall_ns / s->r->step_ns != s->end.head.wall_ns / s->r->step_ns;
}

/* Returns whether the sample after the end of the step may be added to the step. Its length is
 * limited by the monotonic clock, too, as the wall clock may be set. */
static bool may_add(const struct step *s, const struct reader_head *next)
{
	const struct sample *begin = &s->begin.head, *head = &next->head;
	const int64_t at_ns = timeline_at(&s->r->timeline, next->id, (int64_t)head->mono_ns);

	return next->id - s->end.id == 1 && next->id - s->begin.id <= s->r->samples_max &&
	       next->run == s->begin.run && head->generation == begin->generation &&
	       head->threads == begin->threads && head->mono_ns > s->end.head.mono_ns &&
	       !is_next_step(s, next) && (head->mono_ns - begin->mono_ns) / 2 <= s->r->step_ns &&
	       at_ns <= s->r->until_ns && next->first_reading >= s->end.first_reading &&
	       next->first_reading < s->begin.first_reading + READINGS_MAX;
}

/* Adds a sample to the step. */
static int add_head(struct step *s, const struct reader_head *next, size_t n, struct err *err)
{
	if (!n)
		s->first_reading = next->first_reading;
	s->first_of = xgrow(s->first_of, &s->cap_first_of, n + 1, sizeof *s->first_of);
	s->first_of[n] = next->first_reading;
	s->end = *next;
	return reader_moments_add_head(s->r, next, err);
}

/* Finds the last sample of the step, and adds its samples to the moments. Returns the number of
 * samples; 0 or 1: there is no need for a step; or -errno. */
static int find_end(struct step *s, struct err *err)
{
	struct reader_head next;
	int ret = 0, n = 0;

	s->begin = s->end = s->r->now;
	ret = reader_moments_add_head(s->r, &s->begin, err);
	while (!ret && (ret = reader_find_head(s->r, s->end.id, &next, err)) == 1 &&
	       may_add(s, &next))
		ret = add_head(s, &next, (size_t)n++, err);
	if (ret == 1 && next.id - s->end.id == 1)
		s->after_reading = next.first_reading;
	return ret < 0 ? ret : n;
}

/* ---- scan ---- */

/* Returns the element of of_reading for a reading; NULL: there is none. */
static uint32_t *place_of(const struct step *s, int64_t reading)
{
	const uint64_t at = (uint64_t)reading - (uint64_t)s->first_reading;

	return at < s->n_readings ? &s->of_reading[at] : NULL;
}

/* Allocates of_reading. The number of readings of the last sample is estimated from the number of
 * tasks; readings without an element are found by the description of their task. */
static void make_places(struct step *s)
{
	s->n_readings = (size_t)(s->end.first_reading - s->first_reading) + 2 * s->r->living.n + 64;
	s->of_reading = xcalloc(s->n_readings, sizeof *s->of_reading);
}

/* Returns the index in v plus 1 of the task of the current row of the scan; 0: it is new. The
 * reading before is searched first, as execve(2) gives a task another description. */
static size_t find(const struct step *s, int64_t row, int64_t previous)
{
	const uint32_t *before = place_of(s, previous);

	return before && *before ? *before : (size_t)(uintptr_t)hash_get(&s->by_row, (uint64_t)row);
}

/* Returns whether the scan of a layout has the columns for moments. */
static bool has_moments(const struct record_reader *r, size_t layout)
{
	return r->moments.keep && fact_in(r->layout[layout].layout.facts, FACT_CPU_NS);
}

/* Adds a moment of the reading in the current row of the scan of a layout. */
static void add_moment(struct step *s, const struct step_reading *at, size_t layout,
		       sqlite3_stmt *stmt)
{
	struct found_moment moment = {.entry = at->number,
				      .row = sqlite3_column_int64(stmt, SCAN_TASK)};

	moment.known =
		has_moments(s->r, layout) && sqlite3_column_type(stmt, SCAN_CPU_NS) != SQLITE_NULL;
	if (moment.known) {
		moment.cpu_ns = (uint64_t)sqlite3_column_int64(stmt, SCAN_CPU_NS);
		moment.ns = sqlite3_column_int64(stmt, SCAN_FACTS_NS);
	}
	reader_moments_add(s->r, &moment, sqlite3_column_int64(stmt, SCAN_SAMPLE));
}

/* Adds the last of n readings of a task, in any order: those of one layout come in order, but a
 * task may change between layouts. layout: its index. */
static struct step_reading *add_last(struct step *s, const struct minute_entry *e, size_t layout)
{
	size_t at = find(s, e->first_row, e->previous);
	uint32_t *place = place_of(s, e->reading);
	struct step_reading *to;

	if (!at) {
		s->v = xgrow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		s->v[s->n] = (struct step_reading){
			.unread = e->unread,
			.number = s->n,
			.begins = e->begins,
		};
		at = ++s->n;
	}
	to = &s->v[at - 1];
	if (e->begins < to->begins)
		to->begins = e->begins;
	if (to->row != e->first_row)
		hash_put(&s->by_row, (uint64_t)e->first_row, (void *)(uintptr_t)at);
	if (e->row != e->first_row)
		hash_put(&s->by_row, (uint64_t)e->row, (void *)(uintptr_t)at);
	if (place)
		*place = (uint32_t)at;
	if (e->reading > to->reading) {
		to->reading = e->reading;
		to->row = e->row;
		to->layout = layout;
	}
	to->n += e->n;
	to->unread &= e->unread;
	to->gap |= e->gap;
	return to;
}

/* Adds the reading of the current row. */
static void add_reading(struct step *s, size_t layout, sqlite3_stmt *stmt)
{
	const int64_t row = sqlite3_column_int64(stmt, SCAN_TASK);
	const struct minute_entry e = {
		.reading = sqlite3_column_int64(stmt, SCAN_ID),
		.row = row,
		.first_row = row,
		.previous = sqlite3_column_int64(stmt, SCAN_PREVIOUS),
		.begins = sqlite3_column_int64(stmt, SCAN_SAMPLE),
		.n = 1,
		.unread = (uint64_t)sqlite3_column_int64(stmt, SCAN_UNREAD),
		.gap = (sqlite3_column_int64(stmt, SCAN_FLAGS) & RECORD_GAP) != 0,
	};
	struct step_reading *to = add_last(s, &e, layout);

	to->listed &= to->reading != e.reading;
	if (s->r->moments.keep && !s->is_check)
		add_moment(s, to, layout, stmt);
}

/* Prepares the statement of the scan. */
static int prepare(struct record_reader *r, size_t layout, struct err *err)
{
	struct reader_layout *at = &r->layout[layout];
	struct strbuf sql;
	int ret;

	if (at->scan)
		return 0;
	strbuf_init(&sql);
	strbuf_addf(&sql, "SELECT " SCAN_COLUMNS "%s FROM reading_%lld WHERE id >= ? ORDER BY id",
		    has_moments(r, layout) ? SCAN_MOMENTS : "", (long long)at->layout.id);
	ret = record_db_prepare(&r->db, &at->scan, sql.text, err);
	strbuf_done(&sql);
	return ret;
}

/* Adds the readings of a layout in the samples from `from` up to `to`. Readings that belong to no
 * sample, those of the end of a command, are not in the step. */
static int scan_layout(struct step *s, size_t layout, int64_t from, int64_t to, struct err *err)
{
	sqlite3_stmt *stmt;
	struct err why = ERR_INIT;
	int ret = prepare(s->r, layout, err);

	if (ret)
		return ret;
	stmt = s->r->layout[layout].scan;
	sqlite3_bind_int64(stmt, 1, s->first_of[from - s->begin.id - 1]);
	while ((ret = reader_step(s->r, stmt, &why)) == 1) {
		const int64_t sample = sqlite3_column_int64(stmt, SCAN_SAMPLE);

		if (sample < from || sample > to)
			break;
		add_reading(s, layout, stmt);
	}
	sqlite3_reset(stmt);
	return ret < 0 ? reader_pass_over(s->r, ret, &why, err) : 0;
}

bool reader_read_cpu(struct record_reader *r, size_t layout, int64_t reading, uint64_t *cpu_ns)
{
	sqlite3_stmt *stmt;
	bool known;

	if (!has_moments(r, layout) || prepare(r, layout, NULL))
		return false;
	stmt = r->layout[layout].scan;
	sqlite3_bind_int64(stmt, 1, reading);
	known = reader_step(r, stmt, NULL) == 1 && sqlite3_column_int64(stmt, SCAN_ID) == reading &&
		sqlite3_column_type(stmt, SCAN_CPU_NS) != SQLITE_NULL;
	*cpu_ns = known ? (uint64_t)sqlite3_column_int64(stmt, SCAN_CPU_NS) : 0;
	sqlite3_reset(stmt);
	return known;
}

static int scan(struct step *s, int64_t from, int64_t to, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->r->n_layouts && !ret && from <= to; i++)
		ret = scan_layout(s, i, from, to, err);
	return ret;
}

static int compare_readings(const void *a, const void *b)
{
	const struct step_reading *x = a, *y = b;

	return x->reading < y->reading ? -1 : x->reading > y->reading;
}

/* ---- minutes ---- */

/* Sets the fault that lists of minutes are wrong: the step is read again without them. Returns
 * -EAGAIN. */
static int distrust(struct step *s)
{
	reader_complain(s->r, "the list of a minute does not match the readings of that minute");
	s->r->distrusts = true;
	return -EAGAIN;
}

/* Returns the index of the layout with this id; n_layouts: there is none. */
static size_t find_layout(const struct record_reader *r, int64_t id)
{
	size_t i = 0;

	while (i < r->n_layouts && r->layout[i].layout.id != id)
		i++;
	return i;
}

/* Returns whether the samples and the readings of the list are those of the table sample. */
static bool is_of_samples(const struct step *s, const struct minute_list *l)
{
	const int64_t *first_of = s->first_of - s->begin.id - 1;
	const int64_t next =
		l->last_sample < s->end.id ? first_of[l->last_sample + 1] : s->after_reading;
	int64_t layout = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].layout != layout) {
			layout = l->v[i].layout;
			if (find_layout(s->r, layout) == s->r->n_layouts)
				return false;
		}
	return l->first_reading == first_of[l->first_sample] && (!next || l->next_reading == next);
}

/* Returns whether an entry of a list agrees with the one that a scan of the same samples found:
 * `at`, NULL: none. For a task that changes between layouts, the scan may find several entries with
 * fewer readings each. */
static bool is_same(const struct step *s, const struct minute_entry *e,
		    const struct step_reading *at)
{
	if (!at || at->row != e->row || s->r->layout[at->layout].layout.id != e->layout)
		return false;
	if (at->n != e->n)
		return at->n < e->n && s->r->n_layouts > 1;
	return at->begins == e->begins && at->unread == e->unread && at->gap == e->gap;
}

static void step_done(struct step *s);

/* Compares the list with a scan of its samples. Returns 1: it is that of the readings; 0: it is
 * not; or -errno. */
static int check_list(const struct step *s, const struct minute_list *l, struct err *err)
{
	struct step check = {.r = s->r, .begin = s->begin, .end = s->end, .is_check = true};
	const size_t n = (size_t)(s->end.id - s->begin.id);
	uint64_t found = 0;
	bool same = true;
	int ret;

	check.first_of = xcalloc(n, sizeof *check.first_of);
	memcpy(check.first_of, s->first_of, n * sizeof *check.first_of);
	check.first_reading = l->first_reading;
	check.n_readings = (size_t)(l->next_reading - l->first_reading);
	/* How many readings there are is not checked yet. Those without an element are found, too,
	 * see make_places(). */
	if (check.n_readings > 2 * (size_t)READINGS_MAX)
		check.n_readings = 2 * (size_t)READINGS_MAX;
	check.of_reading = xcalloc(check.n_readings + 1, sizeof *check.of_reading);
	ret = scan(&check, l->first_sample, l->last_sample, err);
	array_sort(check.v, check.n, sizeof *check.v, compare_readings);
	for (size_t i = 0; i < check.n; i++)
		found += check.v[i].n;
	for (size_t i = 0; i < l->n && same; i++) {
		const struct step_reading key = {.reading = l->v[i].reading};

		same = is_same(
			s, &l->v[i],
			array_find(&key, check.v, check.n, sizeof *check.v, compare_readings));
	}
	step_done(&check);
	return ret ? ret : same && found == (uint64_t)(l->next_reading - l->first_reading);
}

/* Returns whether the reading is the last one known of a task. */
static bool is_known(const struct step *s, int64_t reading)
{
	const uint32_t *place = place_of(s, reading);

	return (place && *place && s->v[*place - 1].reading == reading) ||
	       hash_get(&s->known, (uint64_t)reading);
}

/* Adds the entries of a list to the step. */
static int add_list(struct step *s, const struct minute_list *l, struct err *err)
{
	size_t layout = 0;
	int ret = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct minute_entry *e = &l->v[i];
		struct step_reading *to;

		if (e->previous && !is_known(s, e->previous))
			return distrust(s);
		if (s->r->layout[layout].layout.id != e->layout)
			layout = find_layout(s->r, e->layout);
		to = add_last(s, e, layout);
		to->listed |= to->reading == e->reading;
		reader_moments_add_listed(s->r, to->number, e, layout);
	}
	for (size_t i = 0; i < l->n_programs && !ret; i++)
		ret = reader_moments_add_program(s->r, &l->program[i], err);
	return ret;
}

/* Parses the list in the current row of the statement. Returns 1: it can be used; 0: it cannot; or
 * -errno. */
static int take_list(struct step *s, sqlite3_stmt *stmt, struct err *err)
{
	struct minute_list *l = &s->r->list;
	const void *bytes = sqlite3_column_blob(stmt, 2);
	const int n = sqlite3_column_bytes(stmt, 2);

	if (!bytes || (size_t)n > MINUTE_BYTES_MAX || !minute_parse(l, bytes, (size_t)n) ||
	    l->first_sample != sqlite3_column_int64(stmt, 0) ||
	    l->last_sample != sqlite3_column_int64(stmt, 1) || !is_of_samples(s, l))
		return 0;
	return s->r->n_lists++ % LISTS_PER_CHECK ? 1 : check_list(s, l, err);
}

/* Returns whether the step may use lists: single moments need all readings. */
static bool uses_lists(const struct record_reader *r)
{
	return r->minute && !r->distrusts && (!r->moments.keep || r->moments.ranges);
}

/* Finds the first list of samples from `from` on, in the step. Returns 1: r->list has it; 0: there
 * is none; -EAGAIN: it is wrong; or another -errno. */
static int find_list(struct step *s, int64_t from, struct err *err)
{
	struct record_reader *r = s->r;
	struct err why = ERR_INIT;
	int64_t last = from - 1;
	int ret = 0;

	while (uses_lists(r)) {
		int64_t first;

		sqlite3_bind_int64(r->minute, 1, last + 1);
		ret = reader_step(r, r->minute, &why);
		first = ret == 1 ? sqlite3_column_int64(r->minute, 0) : 0;
		last = ret == 1 ? sqlite3_column_int64(r->minute, 1) : INT64_MAX;
		if (ret == 1 && first >= from && last <= s->end.id) {
			ret = take_list(s, r->minute, err);
			sqlite3_reset(r->minute);
			return ret ? ret : distrust(s);
		}
		sqlite3_reset(r->minute);
		if (ret < 0 || last >= s->end.id)
			break;
	}
	return ret < 0 ? reader_pass_over(r, ret, &why, err) : 0;
}

/* Checks that the first keyframe in the step has no older reading that is unknown. */
static int check_keyframe(struct step *s, struct err *err)
{
	struct record_reader *r = s->r;
	int64_t keyframe;
	int ret = record_db_numberf(&r->db, 0, &keyframe, err,
				    "SELECT min(sample) FROM keyframe WHERE sample > %lld AND "
				    "sample <= %lld",
				    (long long)s->begin.id, (long long)s->end.id);

	if (ret || !keyframe)
		return ret;
	sqlite3_bind_int64(r->keyframe, 1, keyframe);
	while ((ret = reader_step(r, r->keyframe, err)) == 1) {
		const int64_t reading = sqlite3_column_int64(r->keyframe, 0);

		if (reading >= s->first_reading)
			break;
		if (!hash_get(&s->known, (uint64_t)reading)) {
			ret = distrust(s);
			break;
		}
	}
	sqlite3_reset(r->keyframe);
	return ret < 0 ? ret : 0;
}

/* Prepares the checks of lists. */
static int begin_lists(struct step *s, struct err *err)
{
	const struct living_list *living = &s->r->living;
	struct err why = ERR_INIT;
	int ret;

	for (size_t i = 0; i < living->n; i++)
		if (living->v[i].reading)
			hash_put(&s->known, (uint64_t)living->v[i].reading, s->r);
	ret = s->r->n_lists ? check_keyframe(s, &why) : 0;
	return ret == -EAGAIN ? ret : reader_pass_over(s->r, ret, &why, err);
}

/* Finds the last readings in all samples of the step. */
static int find_readings(struct step *s, struct err *err)
{
	int64_t from = s->begin.id + 1;
	int ret = uses_lists(s->r) ? begin_lists(s, err) : 0;

	if (ret)
		return ret;
	ret = 1;

	while (from <= s->end.id && ret == 1) {
		ret = find_list(s, from, err);
		if (ret == 1) {
			const int64_t next = s->r->list.last_sample + 1;

			ret = scan(s, from, s->r->list.first_sample - 1, err);
			ret = ret ? ret : add_list(s, &s->r->list, err);
			from = next;
			ret = ret ? ret : 1;
		}
	}
	return ret ? (ret < 0 ? ret : 0) : scan(s, from, s->end.id, err);
}

/* Marks the readings of tasks that left the samples in the step: they are part of this step, and of
 * no later one. v is sorted by reading. */
static int find_gone(struct step *s, struct err *err)
{
	const struct reader_gone *gone = &s->gone;
	int ret = reader_read_gone(s->r, s->begin.id + 1, s->end.id, &s->gone, err);

	for (size_t i = 0; i < gone->n && !ret; i++) {
		const struct step_reading key = {.reading = gone->v[i]};
		struct step_reading *at =
			array_find(&key, s->v, s->n, sizeof *s->v, compare_readings);

		if (at)
			at->gone = true;
		else if (uses_lists(s->r) && s->r->n_lists &&
			 !hash_get(&s->known, (uint64_t)gone->v[i]))
			ret = distrust(s);
	}
	return ret;
}

/* ---- read ---- */

/* Returns the index of a task in a sorted list; list->n: it is not in it. */
static size_t find_task(const struct living_list *list, const struct task *t)
{
	size_t low = 0, high = list->n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const int order = task_compare(list->v[middle].task, t);

		if (!order)
			return middle;
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return list->n;
}

/* Returns the task's reading before the step; NULL: it was in none. */
static const struct task *find_before(const struct record_reader *r, const struct task *t)
{
	const size_t at = find_task(&r->living, t);

	return at < r->living.n ? r->living.v[at].task : NULL;
}

/* Changes the last reading of a task into a reading of the whole step. facts_read: its facts were
 * read in the sample of the reading. */
static void widen(const struct step *s, const struct step_reading *at, struct living *l,
		  bool facts_read)
{
	struct task *t = l->task;
	const bool began = !find_before(s->r, t);

	l->fresh = true;
	l->leaves = at->gone;
	l->begins = at->begins;
	l->time = (struct task_time){0, 0};
	t->gap = at->gap;
	t->unread = at->unread;
	if (facts_read)
		t->facts_read = s->end.head.number;
	/* Its facts are older than its end, but newer than the begin of the step. */
	if (t->lost && (at->n > 1 || began)) {
		t->lost = false;
		t->early_facts = true;
	}
	/* All counts of a task that began in the step belong to the step. */
	if (began && t->counting == COUNT_OK && t->start_ns >= s->begin.head.boot_ns)
		t->counting = COUNT_WHOLE;
}

/* Returns whether the reading of the current row is the one that a list names. */
static bool is_listed(const struct step *s, const struct step_reading *at, sqlite3_stmt *stmt)
{
	const int64_t sample = sqlite3_column_int64(stmt, COLUMN_SAMPLE);

	return sqlite3_column_int64(stmt, COLUMN_ID) == at->reading &&
	       sqlite3_column_int64(stmt, COLUMN_TASK) == at->row && sample >= at->begins &&
	       sample <= s->end.id;
}

/* Returns whether lists deny what the last reading of the task says: that an event was read, or
 * that counters were closed. */
static bool is_denied(const struct step_reading *at, const struct task *last)
{
	return at->listed && ((at->unread & ~last->unread) || (last->gap && !at->gap));
}

static int read_one(struct step *s, struct step_reading *at, struct err *err)
{
	struct reader_layout *layout = &s->r->layout[at->layout];
	struct living_list *list = &s->r->read;
	const size_t n = list->n;
	int ret;

	sqlite3_bind_int64(layout->range, 1, at->reading);
	ret = reader_step(s->r, layout->range, err);
	if (at->listed && ret >= 0 && (!ret || !is_listed(s, at, layout->range))) {
		ret = distrust(s);
	} else if (ret == 1) {
		const bool facts_read =
			sqlite3_column_type(layout->range, COLUMN_FACTS_READ) == SQLITE_NULL;

		ret = reader_add(s->r, &layout->layout, layout->range, list, err);
		if (list->n > n && is_denied(at, list->v[n].task)) {
			ret = distrust(s);
		} else if (list->n > n) {
			widen(s, at, &list->v[n], facts_read);
			at->task = task_ref(list->v[n].task);
		}
	}
	sqlite3_reset(layout->range);
	return ret;
}

static int compare_living(const void *a, const void *b)
{
	const struct living *x = a, *y = b;
	const int order = task_compare(x->task, y->task);

	return order ? order : x->reading < y->reading ? -1 : x->reading > y->reading;
}

/* Extends the later of two readings of a task to the time of both. */
static void join(const struct living *earlier, struct living *later)
{
	struct task *t = later->task;

	later->begins = earlier->begins < later->begins ? earlier->begins : later->begins;
	t->gap |= earlier->task->gap;
	if (earlier->task->events == t->events)
		t->unread &= earlier->task->unread;
	/* There are several, see widen(). */
	t->early_facts |= t->lost;
	t->lost = false;
}

/* Sorts the readings. Where a task has two, as its layout and its description changed at once,
 * joins them. */
static void order(struct living_list *list)
{
	size_t n = 0;

	array_sort(list->v, list->n, sizeof *list->v, compare_living);
	for (size_t i = 0; i < list->n; i++) {
		if (n && !task_compare(list->v[n - 1].task, list->v[i].task)) {
			join(&list->v[--n], &list->v[i]);
			task_unref(list->v[n].task);
		}
		list->v[n++] = list->v[i];
	}
	list->n = n;
}

/* Completes the moments with the tasks and their readings before the step. */
static int end_moments(const struct step *s, struct err *err)
{
	const struct living_list *list = &s->r->read;
	struct task **task;
	const struct task **before;
	size_t *of_entry;
	int64_t *row;
	int ret;

	if (!s->r->moments.keep)
		return 0;
	task = xcalloc(list->n + 1, sizeof(struct task *));
	before = xcalloc(list->n + 1, sizeof(struct task *));
	of_entry = xcalloc(s->n + 1, sizeof *of_entry);
	row = xcalloc(list->n + 1, sizeof *row);
	for (size_t i = 0; i < list->n; i++) {
		task[i] = list->v[i].task;
		row[i] = list->v[i].row;
		before[i] = find_before(s->r, task[i]);
	}
	for (size_t i = 0; i < s->n; i++) {
		const struct step_reading *at = &s->v[i];

		of_entry[at->number] = at->task ? find_task(list, at->task) : list->n;
	}
	ret = reader_moments_end(s->r,
				 &(struct moment_tasks){.of_entry = of_entry,
							.n_entries = s->n,
							.task = task,
							.row = row,
							.before = before,
							.n = list->n},
				 err);
	free(task);
	free(before);
	free(of_entry);
	free(row);
	return ret;
}

/* Returns whether two different tasks of the step have the same id, one after the other. */
static bool are_successors(const struct task *x, const struct task *y)
{
	return x->kind == y->kind && x->owner == y->owner && x->id == y->id;
}

/* Returns the id of the first sample in which a task uses the id of an earlier task of the step; 0:
 * there is none. No sample may have two such tasks, so the step has to end before it. */
static int64_t find_successor(const struct living_list *list)
{
	int64_t first = 0;

	for (size_t i = 1; i < list->n; i++)
		if (are_successors(list->v[i - 1].task, list->v[i].task) &&
		    (!first || list->v[i].begins < first))
			first = list->v[i].begins;
	return first;
}

/* Reads the readings of the step into r->read. */
static int read_step(struct step *s, struct err *err)
{
	struct record_reader *r = s->r;
	int ret = reader_load_layouts(r, err);

	make_places(s);
	if (!ret)
		ret = find_readings(s, err);
	array_sort(s->v, s->n, sizeof *s->v, compare_readings);
	if (!ret)
		ret = find_gone(s, err);
	r->now = s->end;
	reader_drop(&r->read);
	for (size_t i = 0; i < s->n && !ret; i++)
		ret = read_one(s, &s->v[i], err);
	order(&r->read);
	return ret;
}

static void step_done(struct step *s)
{
	for (size_t i = 0; i < s->n; i++)
		task_unref(s->v[i].task);
	free(s->v);
	free(s->gone.v);
	free(s->of_reading);
	free(s->first_of);
	hash_done(&s->by_row);
	hash_done(&s->known);
}

/* Returns 1: read; 0: there is no step of several samples; -EAGAIN: it has to be shorter,
 * r->samples_max says how much; or another -errno. */
static int try_step(struct step *s, struct err *err)
{
	struct record_reader *r = s->r;
	int64_t successor;
	int ret = find_end(s, err);

	if (ret < 2)
		return ret < 0 ? ret : 0;
	ret = read_step(s, err);
	successor = ret ? 0 : find_successor(&r->read);
	if (successor) {
		r->now = s->begin;
		r->samples_max = successor - s->begin.id - 1;
		return -EAGAIN;
	}
	if (ret == -EAGAIN)
		r->now = s->begin;
	if (ret)
		return ret;
	ret = end_moments(s, err);
	if (ret)
		return ret;
	reader_mark_gone(r, &s->gone);
	reader_merge(r, 0);
	return 1;
}

/* Marks the tasks that left the samples within the previous step, so that reader_merge() drops
 * them. */
static void drop_leaving(struct record_reader *r)
{
	for (size_t i = 0; i < r->living.n; i++)
		if (r->living.v[i].leaves)
			r->living.v[i].reading = 0;
}

/* A step ends before an id is used again. The number of samples before that becomes the maximum of
 * a step, and doubles at the end of each call. */
int reader_advance_step(struct record_reader *r, struct err *err)
{
	int ret;

	reader_moments_reset(&r->moments);
	if (!r->step_ns || !r->in_steps)
		return 0;
	drop_leaving(r);
	ret = timeline_update(&r->timeline, &r->db, err);
	if (ret)
		return ret;
	do {
		struct step s = {.r = r};

		reader_moments_reset(&r->moments);
		ret = try_step(&s, err);
		step_done(&s);
	} while (ret == -EAGAIN);
	if (r->samples_max < INT64_MAX / 2)
		r->samples_max = r->samples_max < 1 ? 1 : 2 * r->samples_max;
	return ret;
}

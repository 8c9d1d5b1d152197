/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/lanes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "model/fact_list.h"

#define NS_PER_S 1e9

/* The memory of all cells, if lanes_init() is not given another limit. */
#define CELLS_BYTES ((size_t)32 << 20)

/* Intervals that are this far apart are not neighbours: there was a gap in the recording. */
#define GAP_NS 1000000000u

/* Returns whether means of the column make sense: not of a number that names something, such as a
 * CPU; and not of bars, which draw another column. */
static bool is_amount(const struct column *c)
{
	return !screen_column_is_text(c) && !c->spark &&
	       !(c->kind == COLUMN_STATE && c->unit == UNIT_NONE);
}

/* Returns whether the column is %CPU. */
static bool is_cpu(const struct column *c)
{
	return c->id && !strcmp(c->id, "cpu");
}

void lanes_init(struct lanes *l, const struct screen *screen, size_t n_words, size_t cells_max)
{
	*l = (struct lanes){.screen = screen, .n_words = n_words, .per = 1};
	l->column = xcalloc(screen->n_columns + 1, sizeof *l->column);
	for (size_t i = 0; i < screen->n_columns; i++)
		if (is_amount(&screen->column[i]))
			l->column[l->n_columns++] = i;
	while (l->cpu < l->n_columns && !is_cpu(&screen->column[l->column[l->cpu]]))
		l->cpu++;
	l->cells_max = cells_max ? cells_max
				 : CELLS_BYTES / (sizeof(struct lane_cell) +
						  l->n_columns * sizeof(struct lane_number));
}

static void free_cells(struct lane *lane)
{
	free(lane->cell);
	free(lane->number);
	free(lane->by_word);
	lane->cell = NULL;
	lane->number = NULL;
	lane->by_word = NULL;
	lane->n = lane->cap = lane->n_by_word = lane->cap_by_word = 0;
}

static void free_lane(struct lanes *l, struct lane *lane)
{
	free_cells(lane);
	for (size_t i = 0; lane->example && i < l->n_words; i++)
		free(lane->example[i].text);
	free(lane->example);
	free(lane->why);
	free(lane->quality);
	free(lane);
}

void lanes_done(struct lanes *l)
{
	for (size_t i = 0; i < l->n; i++)
		free_lane(l, l->v[i]);
	free(l->v);
	free(l->moment);
	free(l->bucket);
	free(l->column);
	hash_done(&l->index);
	hash_done(&l->texts);
	arena_done(&l->arena);
	*l = (struct lanes){.n = 0};
}

/* ---- numbers ---- */

static void number_add(struct lane_number *to, double value, double weight)
{
	/* A damaged recording may have numbers that no chart and no JSON can show. */
	if (!isfinite((float)value) || weight <= 0)
		return;
	if (to->weight <= 0) {
		*to = (struct lane_number){(float)value, (float)weight, (float)value, (float)value};
		return;
	}
	to->weight += (float)weight;
	to->mean += (float)((value - (double)to->mean) * weight / (double)to->weight);
	to->min = fminf(to->min, (float)value);
	to->max = fmaxf(to->max, (float)value);
}

static void number_merge(struct lane_number *to, const struct lane_number *from)
{
	if (from->weight <= 0)
		return;
	number_add(to, (double)from->mean, (double)from->weight);
	to->min = fminf(to->min, from->min);
	to->max = fmaxf(to->max, from->max);
}

/* Extends the range of a number to the value at a moment; unknown numbers stay unknown. */
static void number_widen(struct lane_number *to, double value)
{
	if (!isfinite((float)value) || to->weight <= 0)
		return;
	to->min = fminf(to->min, (float)value);
	to->max = fmaxf(to->max, (float)value);
}

/* ---- buckets ---- */

static void bucket_merge(struct lane_bucket *to, const struct lane_bucket *from)
{
	to->end_ns = from->end_ns;
	to->measured_s += from->measured_s;
	to->cpu_s += from->cpu_s;
	to->n += from->n;
	for (int i = 0; i < N_LANE_MACHINE; i++)
		number_merge(&to->machine[i], &from->machine[i]);
}

/* Moves the cells of a lane to the merged buckets: map[] has the new index of each bucket. */
static void lane_remap(const struct lanes *l, struct lane *lane, const uint32_t *map)
{
	const size_t columns = lane->number ? l->n_columns : 0;
	size_t n = 0;

	for (size_t i = 0; i < lane->n; i++) {
		const uint32_t bucket = map[lane->cell[i].bucket];
		struct lane_number *from = columns ? &lane->number[i * columns] : NULL;

		if (n && lane->cell[n - 1].bucket == bucket) {
			lane->cell[n - 1].cpu_s += lane->cell[i].cpu_s;
			for (size_t k = 0; k < columns; k++)
				number_merge(&lane->number[(n - 1) * columns + k], &from[k]);
			continue;
		}
		lane->cell[n] = (struct lane_cell){bucket, lane->cell[i].cpu_s};
		if (columns && n != i)
			memcpy(&lane->number[n * columns], from, columns * sizeof *from);
		n++;
	}
	lane->n = n;
}

/* Finds the time of a word in a bucket, which is the last bucket of the lane; adds it if needed. */
static struct lane_word *find_word(struct lane *lane, uint32_t bucket, uint32_t word)
{
	for (size_t i = lane->n_by_word; i && lane->by_word[i - 1].bucket == bucket; i--)
		if (lane->by_word[i - 1].word == word)
			return &lane->by_word[i - 1];
	lane->by_word = xgrow(lane->by_word, &lane->cap_by_word, lane->n_by_word + 1,
			      sizeof *lane->by_word);
	lane->by_word[lane->n_by_word] = (struct lane_word){.bucket = bucket, .word = word};
	return &lane->by_word[lane->n_by_word++];
}

static void told_remap(struct lane *lane, const uint32_t *map)
{
	const size_t n = lane->n_by_word;

	lane->n_by_word = 0;
	for (size_t i = 0; i < n; i++) {
		const struct lane_word from = lane->by_word[i];
		struct lane_word *to = find_word(lane, map[from.bucket], from.word);

		to->cpu_s += from.cpu_s;
		to->maybe_s += from.maybe_s;
	}
}

static bool is_gap(const struct lane_bucket *before, uint64_t begin_ns)
{
	return begin_ns > before->end_ns + GAP_NS;
}

/* Makes one bucket of each two, but not across a gap as long as that leaves enough room. */
static size_t merge_buckets(struct lanes *l, uint32_t *map, bool across_gaps)
{
	size_t n = 0;

	for (size_t i = 0; i < l->n_buckets; n++) {
		const bool pair =
			i + 1 < l->n_buckets &&
			(across_gaps || !is_gap(&l->bucket[i], l->bucket[i + 1].begin_ns));

		l->bucket[n] = l->bucket[i];
		map[i++] = (uint32_t)n;
		if (!pair)
			continue;
		bucket_merge(&l->bucket[n], &l->bucket[i]);
		map[i++] = (uint32_t)n;
	}
	return n;
}

static size_t count_gaps(const struct lanes *l)
{
	size_t n = 0;

	for (size_t i = 1; i < l->n_buckets; i++)
		n += is_gap(&l->bucket[i - 1], l->bucket[i].begin_ns);
	return n;
}

static void halve(struct lanes *l)
{
	uint32_t *map = xcalloc(l->n_buckets, sizeof *map);

	l->n_buckets = merge_buckets(l, map, count_gaps(l) > LANES_BUCKETS_MAX / 8);
	l->per *= 2;
	for (size_t i = 0; i < l->n; i++) {
		lane_remap(l, l->v[i], map);
		told_remap(l->v[i], map);
	}
	free(map);
}

/* Sets the numbers of the machine, NAN if unknown. */
static void machine_numbers(double out[N_LANE_MACHINE], const struct host *host,
			    const struct use_delta *use)
{
	bool known = use && use->n_shares;
	double busy = 0;

	for (size_t i = 0; known && i < use->n_shares; i++)
		if (use->share[i].busy.quality != QUALITY_GONE) {
			known = value_known(use->share[i].busy);
			busy += use->share[i].busy.number / 100;
		}
	out[LANE_BUSY] = known ? busy : (double)NAN;
	known = use && use->wanted && !use->memory_error && use->memory.total;
	out[LANE_MEMORY] = known ? (double)use->memory.available * 1024 : (double)NAN;
	out[LANE_RUNNING] = host->n_running ? host->n_running : (double)NAN;
	out[LANE_LOAD] = host->load1;
}

static void add_machine(struct lane_bucket *b, const struct frame *frame, double s)
{
	double number[N_LANE_MACHINE];

	machine_numbers(number, frame->host, frame->use);
	for (int i = 0; i < N_LANE_MACHINE; i++)
		number_add(&b->machine[i], number[i], s);
}

bool lanes_begin(struct lanes *l, const struct frame *frame)
{
	const uint64_t end_ns = frame->wall_ns, ns = frame->interval_ns;
	struct lane_bucket *last = l->n_buckets ? &l->bucket[l->n_buckets - 1] : NULL;
	uint64_t begin = (end_ns > ns ? end_ns - ns : 0) + l->set_back_ns;

	if (!ns)
		return false;
	if (last && end_ns + l->set_back_ns < last->end_ns) {
		l->set_back_ns += last->end_ns - begin;
		begin = last->end_ns;
	}
	if (!last || last->n >= l->per || is_gap(last, begin)) {
		while (l->n_buckets >= LANES_BUCKETS_MAX)
			halve(l);
		l->bucket = xgrow(l->bucket, &l->cap_buckets, l->n_buckets + 1, sizeof *l->bucket);
		last = &l->bucket[l->n_buckets++];
		*last = (struct lane_bucket){.begin_ns = begin};
	}
	last->end_ns = begin + ns;
	last->n++;
	l->interval_s = (double)ns / NS_PER_S;
	last->measured_s += l->interval_s;
	add_machine(last, frame, l->interval_s);
	return true;
}

/* ---- lanes ---- */

static bool is_lane(const struct lane *lane, enum lane_kind kind, const struct task *t,
		    const char *name)
{
	if (lane->kind != kind)
		return false;
	if (kind == LANE_TASK)
		return lane->id == t->owner && lane->start_ns == t->start_ns;
	return !strcmp(lane->name, name);
}

static bool has_columns(enum lane_kind kind)
{
	return kind == LANE_PROGRAM || kind == LANE_TASK;
}

/* Returns the one copy of a text: thousands of tasks have the same name and user. */
static const char *intern(struct lanes *l, const char *text)
{
	uint64_t key = hash_text(text, strlen(text));
	char *known;

	while ((known = hash_get(&l->texts, key)) && strcmp(known, text))
		key++;
	if (!known) {
		known = arena_strdup(&l->arena, text);
		hash_put(&l->texts, key, known);
	}
	return known;
}

static struct lane *new_lane(struct lanes *l, enum lane_kind kind, const char *name)
{
	struct lane *lane = xcalloc(1, sizeof *lane);

	lane->kind = kind;
	lane->name = intern(l, name);
	if (has_columns(kind)) {
		lane->why = xcalloc(l->n_columns + 1, sizeof *lane->why);
		lane->quality = xcalloc(l->n_columns + 1, sizeof *lane->quality);
	}
	if (kind == LANE_PROGRAM)
		lane->example = xcalloc(l->n_words, sizeof *lane->example);
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = lane;
	return lane;
}

/* Returns a lane; NULL: there is none. Sets *free to its key or, if there is none, to the key for a
 * new lane. */
static struct lane *look_up(const struct lanes *l, enum lane_kind kind, const struct task *t,
			    const char *name, uint64_t *free)
{
	uint64_t key = kind == LANE_TASK ? t->owner * 0x9e3779b97f4a7c15u ^ t->start_ns
					 : hash_text(name, strlen(name));
	struct lane *lane;

	key += (uint64_t)kind << 60;
	while ((lane = hash_get(&l->index, key)) && !is_lane(lane, kind, t, name))
		key++;
	*free = key;
	return lane;
}

static struct lane *find(struct lanes *l, enum lane_kind kind, const struct task *t,
			 const char *name)
{
	uint64_t key;
	struct lane *lane = look_up(l, kind, t, name, &key);

	if (lane)
		return lane;
	lane = new_lane(l, kind, name);
	hash_put(&l->index, key, lane);
	if (kind == LANE_TASK) {
		lane->id = t->owner;
		lane->start_ns = t->start_ns;
	}
	return lane;
}

static int compare_time(const void *a, const void *b)
{
	const struct lane *x = *(struct lane *const *)a, *y = *(struct lane *const *)b;

	if (x->cpu_s != y->cpu_s)
		return x->cpu_s > y->cpu_s ? -1 : 1;
	if (strcmp(x->name, y->name))
		return strcmp(x->name, y->name);
	return x->id < y->id ? -1 : x->id > y->id;
}

/* Frees the cells of the half of the lanes with the least CPU time. */
static void cut(struct lanes *l)
{
	struct lane **lane = xcalloc(l->n, sizeof(struct lane *));
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i]->n && has_columns(l->v[i]->kind))
			lane[n++] = l->v[i];
	array_sort(lane, n, sizeof(struct lane *), compare_time);
	for (size_t i = n / 2; i < n; i++) {
		l->n_cells -= lane[i]->cap;
		free_cells(lane[i]);
		lane[i]->cut = true;
	}
	free(lane);
}

/* Makes room for a cell. Most tasks live shortly, so the first cells are few. */
static void grow(struct lanes *l, struct lane *lane)
{
	const size_t cap = lane->cap ? 2 * lane->cap : 2;

	lane->cell = xreallocarray(lane->cell, cap, sizeof *lane->cell);
	if (has_columns(lane->kind)) {
		lane->number =
			xreallocarray(lane->number, cap * (l->n_columns + 1), sizeof *lane->number);
		l->n_cells += cap - lane->cap;
	}
	lane->cap = cap;
}

/* Returns the index of the lane's cell in the current bucket; lane->n: it keeps no cells. */
static size_t cell_of(struct lanes *l, struct lane *lane)
{
	const uint32_t bucket = (uint32_t)l->n_buckets - 1;

	if (lane->cut || (lane->n && lane->cell[lane->n - 1].bucket == bucket))
		return lane->cut ? 0 : lane->n - 1;
	if (lane->n == lane->cap)
		grow(l, lane);
	lane->cell[lane->n] = (struct lane_cell){.bucket = bucket};
	if (lane->number)
		memset(&lane->number[lane->n * l->n_columns], 0,
		       l->n_columns * sizeof *lane->number);
	return lane->n++;
}

static void add_cpu(struct lanes *l, struct lane *lane, double cpu_s)
{
	const struct lane_bucket *b = &l->bucket[l->n_buckets - 1];
	const size_t i = cell_of(l, lane);

	if (!lane->first_ns)
		lane->first_ns = b->begin_ns;
	lane->last_ns = b->end_ns;
	lane->cpu_s += cpu_s;
	if (i < lane->n)
		lane->cell[i].cpu_s += (float)cpu_s;
}

static void add_numbers(struct lanes *l, struct lane *lane, const struct frame *frame,
			const struct frame_row *row, double cpu_s)
{
	const size_t cell = cell_of(l, lane);

	for (size_t i = 0; i < l->n_columns && cell < lane->n; i++) {
		const struct column *c = &l->screen->column[l->column[i]];
		const struct value v = frame_value(frame, row, l->column[i]);

		if (!value_known(v))
			lane->why[i] = v.quality;
		/* A stale number of an ended task was counted before. */
		if (!value_known(v) || (row->task->dead && v.quality == QUALITY_STALE))
			continue;
		if (v.quality > lane->quality[i])
			lane->quality[i] = v.quality;
		number_add(&lane->number[cell * l->n_columns + i], v.number,
			   c->kind == COLUMN_RATIO ? cpu_s : l->interval_s);
	}
}

static const char *container_of(const struct task *t)
{
	return group_key_table[GROUP_CONTAINER].of(t).text;
}

/* Adds what is known of a task only. */
static void add_task(struct lanes *l, struct lane *lane, const struct task *t, double cpu_s)
{
	const bool known = fact_in(t->known, FACT_CONTAINER);

	lane->name = intern(l, t->process);
	lane->user = intern(l, t->user);
	if (t->cmdline)
		lane->arguments = intern(l, t->cmdline);
	if (known)
		lane->container = intern(l, container_of(t));
	l->container_known |= known;
	lane->ended |= t->dead;
	l->bucket[l->n_buckets - 1].cpu_s += cpu_s;
	add_cpu(l, find(l, LANE_USER, NULL, t->user), cpu_s);
	add_cpu(l, find(l, LANE_CONTAINER, NULL, known ? container_of(t) : "?"), cpu_s);
}

void lanes_add(struct lanes *l, enum lane_kind kind, const struct frame *frame)
{
	for (size_t i = 0; i < frame->n; i++) {
		const struct frame_row *row = &frame->row[i];
		const struct value cpu = row->from->cpu_ns;
		/* A stale time was added in the interval before. */
		const bool known = value_known(cpu) && cpu.quality != QUALITY_STALE;
		const double cpu_s = known ? cpu.number / NS_PER_S : 0;
		struct lane *lane = find(l, kind, row->task, row->task->name);

		if (!known || cpu.quality == QUALITY_PARTIAL)
			lane->partial = true;
		add_cpu(l, lane, cpu_s);
		if (kind == LANE_TASK)
			add_task(l, lane, row->task, cpu_s);
		add_numbers(l, lane, frame, row, cpu_s);
	}
	if (l->n_cells > l->cells_max)
		cut(l);
}

struct lane_example *lanes_add_words(struct lanes *l, const struct task *task, size_t word,
				     double cpu_ns, bool maybe)
{
	uint64_t key;
	struct lane *const of[] = {look_up(l, LANE_TASK, task, NULL, &key),
				   find(l, LANE_PROGRAM, NULL, task->process)};
	struct lane_example *example = &of[1]->example[word];

	for (int i = 0; i < 2 && l->n_buckets; i++) {
		struct lane_word *by_word;

		if (!of[i] || of[i]->cut)
			continue;
		by_word = find_word(of[i], (uint32_t)l->n_buckets - 1, (uint32_t)word);
		by_word->cpu_s += (float)(cpu_ns / NS_PER_S);
		if (maybe)
			by_word->maybe_s += (float)(cpu_ns / NS_PER_S);
	}
	if (!l->n_buckets || cpu_ns <= example->cpu_ns)
		return NULL;
	example->cpu_ns = cpu_ns;
	example->at_ns = l->bucket[l->n_buckets - 1].end_ns;
	return example;
}

/* ---- moments ---- */

void lanes_widen_machine(struct lanes *l, const struct host *host, const struct use_delta *use)
{
	double number[N_LANE_MACHINE];

	machine_numbers(number, host, use);
	for (int i = 0; i < N_LANE_MACHINE && l->n_buckets; i++)
		number_widen(&l->bucket[l->n_buckets - 1].machine[i], number[i]);
}

/* Extends the range of %CPU of a lane, if the lane has a cell in the current bucket. cpu 1: one
 * CPU. */
static void widen_cpu(const struct lanes *l, const struct lane *lane, double cpu)
{
	if (l->cpu < l->n_columns && lane->number && lane->n &&
	    lane->cell[lane->n - 1].bucket == l->n_buckets - 1)
		number_widen(&lane->number[(lane->n - 1) * l->n_columns + l->cpu], 100 * cpu);
}

void lanes_widen_task(struct lanes *l, const struct task *task, float cpu)
{
	uint64_t key;
	const struct lane *lane = look_up(l, LANE_TASK, task, NULL, &key);
	struct lane *program;

	/* The filter has left the task out. */
	if (!lane)
		return;
	widen_cpu(l, lane, (double)cpu);
	program = look_up(l, LANE_PROGRAM, NULL, task->process, &key);
	if (!program)
		return;
	if (!program->in_moment) {
		program->in_moment = true;
		l->moment =
			xgrow(l->moment, &l->cap_moment, l->n_moment + 1, sizeof(struct lane *));
		l->moment[l->n_moment++] = program;
	}
	program->moment_cpu += cpu;
}

void lanes_end_moment(struct lanes *l)
{
	for (size_t i = 0; i < l->n_moment; i++) {
		widen_cpu(l, l->moment[i], (double)l->moment[i]->moment_cpu);
		l->moment[i]->moment_cpu = 0;
		l->moment[i]->in_moment = false;
	}
	l->n_moment = 0;
}

void lanes_widen_range(struct lanes *l, const struct task *task, const char *program, double least,
		       double most)
{
	uint64_t key;
	const struct lane *lane = look_up(l, task ? LANE_TASK : LANE_PROGRAM, task, program, &key);

	if (!lane)
		return;
	widen_cpu(l, lane, least);
	widen_cpu(l, lane, most);
}

static int compare(const void *a, const void *b)
{
	const struct lane *x = *(struct lane *const *)a, *y = *(struct lane *const *)b;

	return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : compare_time(a, b);
}

void lanes_end(struct lanes *l)
{
	array_sort(l->v, l->n, sizeof(struct lane *), compare);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of html_page: lanes and buckets as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_csv.h"
#include "html/html_page.h"

#define NS_PER_MS 1000000u

/* Limits of a kind of lanes: the most lanes; the size of the page from which on lanes have no
 * columns; the size from which on lanes are left out. */
static const struct {
	const char *member;
	size_t most, bytes_columns, bytes;
} limit[N_LANE_KINDS] = {
	[LANE_PROGRAM] = {"programs", 300, 2500000, 2900000},
	[LANE_TASK] = {"tasks", 1000, 4000000, 4400000},
	[LANE_USER] = {"users", 50, 0, 4600000},
	[LANE_CONTAINER] = {"containers", 50, 0, 4750000},
};

/* Appends a number with as many digits as a chart can show. */
static void add_short(struct strbuf *out, double number)
{
	char text[32];

	snprintf(text, sizeof text, "%.4g", number);
	strbuf_addstr(out, out->len && out->text[out->len - 1] != '[' ? "," : "");
	strbuf_addstr(out, isfinite(number) ? text : "null");
}

static void add_null(struct strbuf *out)
{
	strbuf_addstr(out, out->text[out->len - 1] != '[' ? ",null" : "null");
}

/* ---- numbers ---- */

/* One of the numbers of a cell. */
enum part { PART_MEAN, PART_MIN, PART_MAX };

static double part_of(const struct lane_number *v, enum part part)
{
	return (double)(part == PART_MEAN ? v->mean : part == PART_MIN ? v->min : v->max);
}

/* Appends a list of n numbers; null if none is known. stride: from one number to the next. */
static void add_numbers(struct strbuf *out, const struct lane_number *v, size_t n, size_t stride,
			enum part part)
{
	bool known = false, spread = part == PART_MEAN;

	for (size_t i = 0; i < n; i++) {
		known |= v[i * stride].weight > 0;
		spread |= v[i * stride].min < v[i * stride].max;
	}
	/* Where no bucket has different numbers, the mean is the smallest and the largest. */
	if (!known || !spread) {
		add_null(out);
		return;
	}
	json_begin(out, '[');
	for (size_t i = 0; i < n; i++)
		if (v[i * stride].weight > 0)
			add_short(out, part_of(&v[i * stride], part));
		else
			add_null(out);
	json_end(out, ']');
}

/* ---- buckets ---- */

static const char *const machine_id[N_LANE_MACHINE] = {[LANE_BUSY] = "busy",
						       [LANE_RUNNING] = "running",
						       [LANE_LOAD] = "load",
						       [LANE_MEMORY] = "memory"};

static void add_machine_numbers(struct strbuf *out, const struct lanes *l, enum lane_machine of)
{
	static const char *const id[] = {"m", "lo", "hi"};
	struct lane_number *number = xcalloc(l->n_buckets + 1, sizeof *number);

	for (size_t i = 0; i < l->n_buckets; i++)
		number[i] = l->bucket[i].machine[of];
	json_key(out, machine_id[of]);
	json_begin(out, '{');
	for (int part = PART_MEAN; part <= PART_MAX; part++) {
		json_begin_list(out, id[part]);
		add_numbers(out, number, l->n_buckets, 1, (enum part)part);
		json_end(out, ']');
	}
	json_end(out, '}');
	free(number);
}

void html_data_add_buckets(struct strbuf *out, const struct lanes *l)
{
	json_key(out, "buckets");
	json_begin(out, '{');
	json_begin_list(out, "begin");
	for (size_t i = 0; i < l->n_buckets; i++)
		json_count(out, l->bucket[i].begin_ns / NS_PER_MS);
	json_end(out, ']');
	json_begin_list(out, "end");
	for (size_t i = 0; i < l->n_buckets; i++)
		json_count(out, l->bucket[i].end_ns / NS_PER_MS);
	json_end(out, ']');
	json_begin_list(out, "s");
	for (size_t i = 0; i < l->n_buckets; i++)
		add_short(out, l->bucket[i].measured_s);
	json_end(out, ']');
	json_begin_list(out, "cpu");
	for (size_t i = 0; i < l->n_buckets; i++)
		add_short(out, l->bucket[i].cpu_s);
	json_end(out, ']');
	for (int i = 0; i < N_LANE_MACHINE; i++)
		add_machine_numbers(out, l, (enum lane_machine)i);
	json_end(out, '}');
}

/* ---- lanes ---- */

/* The buckets of the cells, as differences. */
static void add_cells(struct strbuf *out, const struct lane *lane)
{
	uint32_t before = 0;

	json_begin_list(out, "b");
	for (size_t i = 0; i < lane->n; i++) {
		json_count(out, lane->cell[i].bucket - before);
		before = lane->cell[i].bucket;
	}
	json_end(out, ']');
	json_begin_list(out, "s");
	for (size_t i = 0; i < lane->n; i++)
		add_short(out, (double)lane->cell[i].cpu_s);
	json_end(out, ']');
}

static void add_lane_columns(struct strbuf *out, const struct lanes *l, const struct lane *lane)
{
	static const char *const id[] = {"m", "lo", "hi"};

	if (!lane->number)
		return;
	for (int part = PART_MEAN; part <= PART_MAX; part++) {
		json_begin_list(out, id[part]);
		for (size_t i = 0; i < l->n_columns; i++)
			add_numbers(out, &lane->number[i], lane->n, l->n_columns, (enum part)part);
		json_end(out, ']');
	}
}

static void add_told_of(struct strbuf *out, const struct lane *lane, uint32_t word)
{
	uint32_t before = 0;
	double maybe_s = 0;
	bool any = false;

	for (size_t i = 0; i < lane->n_told && !any; i++)
		any = lane->told[i].word == word;
	if (!any)
		return;
	json_begin(out, '{');
	json_key(out, "w");
	json_count(out, word);
	json_begin_list(out, "b");
	for (size_t i = 0; i < lane->n_told; i++)
		if (lane->told[i].word == word) {
			json_count(out, lane->told[i].bucket - before);
			before = lane->told[i].bucket;
			maybe_s += (double)lane->told[i].maybe_s;
		}
	json_end(out, ']');
	json_begin_list(out, "s");
	for (size_t i = 0; i < lane->n_told; i++)
		if (lane->told[i].word == word)
			add_short(out, (double)lane->told[i].cpu_s);
	json_end(out, ']');
	json_key(out, "maybe");
	json_number(out, maybe_s);
	json_end(out, '}');
}

static void add_verdicts(struct strbuf *out, const struct lanes *l, const struct lane *lane)
{
	json_begin_list(out, "v");
	for (size_t i = 0; i < l->n_words; i++)
		add_told_of(out, lane, (uint32_t)i);
	json_end(out, ']');
	if (!lane->example)
		return;
	json_begin_list(out, "x");
	for (size_t i = 0; i < l->n_words; i++)
		if (lane->example[i].text) {
			json_begin(out, '{');
			json_key(out, "w");
			json_count(out, i);
			json_key(out, "at");
			json_count(out, lane->example[i].at_ns / NS_PER_MS);
			json_member_text(out, "text", lane->example[i].text);
			json_end(out, '}');
		}
	json_end(out, ']');
}

/* Appends what is known of a task beside its numbers. */
static void add_texts(struct strbuf *out, const struct lane *lane, struct anonymous *a)
{
	if (lane->kind != LANE_TASK)
		return;
	json_key(out, "id");
	json_count(out, lane->id);
	json_member_text(out, "user", anonymous_text(a, ANONYMOUS_USER, lane->user));
	json_member_text(out, "container", anonymous_text(a, ANONYMOUS_CONTAINER, lane->container));
	json_member_text(out, "arguments", a->on ? NULL : lane->arguments);
	json_key(out, "ended");
	strbuf_addstr(out, lane->ended ? "true" : "false");
}

static const char *name_of(const struct lane *lane, struct anonymous *a)
{
	if (lane->kind == LANE_USER)
		return anonymous_text(a, ANONYMOUS_USER, lane->name);
	if (lane->kind == LANE_CONTAINER)
		return anonymous_text(a, ANONYMOUS_CONTAINER, lane->name);
	return anonymous_program(a, lane->name);
}

static void add_qualities(struct strbuf *out, const char *key, const uint8_t *quality, size_t n)
{
	json_begin_list(out, key);
	for (size_t i = 0; i < n; i++)
		json_count(out, quality[i]);
	json_end(out, ']');
}

static void add_lane(struct strbuf *out, const struct lanes *l, const struct lane *lane,
		     struct anonymous *a, bool columns)
{
	json_begin(out, '{');
	json_member_text(out, "name", name_of(lane, a));
	add_texts(out, lane, a);
	json_key(out, "first");
	json_count(out, lane->first_ns / NS_PER_MS);
	json_key(out, "last");
	json_count(out, lane->last_ns / NS_PER_MS);
	json_key(out, "cpu");
	json_number(out, lane->cpu_s);
	json_key(out, "partial");
	strbuf_addstr(out, lane->partial ? "true" : "false");
	json_key(out, "cut");
	strbuf_addstr(out, lane->cut ? "true" : "false");
	add_cells(out, lane);
	if (lane->why) {
		add_qualities(out, "why", lane->why, l->n_columns);
		add_qualities(out, "quality", lane->quality, l->n_columns);
		if (columns)
			add_lane_columns(out, l, lane);
		add_verdicts(out, l, lane);
	}
	json_end(out, '}');
}

struct left {
	size_t n;
	double cpu_s;
};

/* Appends the lanes of a kind, which begin at `from`; returns the index after the last one. n: the
 * number of recordings that share the size of the page. */
static size_t add_kind(struct strbuf *out, const struct lanes *l, size_t from, enum lane_kind kind,
		       size_t n, struct anonymous *a, struct left *left)
{
	size_t i = from;

	json_begin_list(out, limit[kind].member);
	for (; i < l->n && l->v[i]->kind == kind; i++) {
		if (i - from < limit[kind].most && out->len < limit[kind].bytes / n) {
			add_lane(out, l, l->v[i], a, out->len < limit[kind].bytes_columns / n);
			continue;
		}
		left->n++;
		left->cpu_s += l->v[i]->cpu_s;
	}
	json_end(out, ']');
	return i;
}

void html_data_add_lanes(struct strbuf *out, const struct lanes *l, size_t n, struct anonymous *a)
{
	struct left left[N_LANE_KINDS] = {{.n = 0}};
	size_t at = 0;

	for (int kind = 0; kind < N_LANE_KINDS; kind++)
		at = add_kind(out, l, at, (enum lane_kind)kind, n, a, &left[kind]);
	json_key(out, "left");
	json_begin(out, '{');
	for (int kind = 0; kind < N_LANE_KINDS; kind++) {
		json_key(out, limit[kind].member);
		json_begin(out, '{');
		json_key(out, "n");
		json_count(out, left[kind].n);
		json_key(out, "cpu");
		json_number(out, left[kind].cpu_s);
		json_end(out, '}');
	}
	json_end(out, '}');
}

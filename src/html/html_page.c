/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/html_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/json_csv.h"
#include "base/unit.h"
#include "report/html.h"

/* ---- data ----
 *
 * Lanes and buckets as JSON.
 */

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

/* Appends the member "buckets" with the numbers of the machine. */
static void html_data_add_buckets(struct strbuf *out, const struct lanes *l)
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

/* Appends the buckets of the cells, as differences, and their CPU times. */
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

	for (size_t i = 0; i < lane->n_by_word && !any; i++)
		any = lane->by_word[i].word == word;
	if (!any)
		return;
	json_begin(out, '{');
	json_key(out, "w");
	json_count(out, word);
	json_begin_list(out, "b");
	for (size_t i = 0; i < lane->n_by_word; i++)
		if (lane->by_word[i].word == word) {
			json_count(out, lane->by_word[i].bucket - before);
			before = lane->by_word[i].bucket;
			maybe_s += (double)lane->by_word[i].maybe_s;
		}
	json_end(out, ']');
	json_begin_list(out, "s");
	for (size_t i = 0; i < lane->n_by_word; i++)
		if (lane->by_word[i].word == word)
			add_short(out, (double)lane->by_word[i].cpu_s);
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

/* Appends the members "programs", "tasks", "users", "containers" and "left". n: the number of
 * recordings that share the size of the page. */
static void html_data_add_lanes(struct strbuf *out, const struct lanes *l, size_t n,
				struct anonymous *a)
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

#define SCHEMA   1
#define NS_PER_S 1000000000u

/* Limits for readability; tiptop what --format json has all. */
#define CHANGES_MAX 500
#define EXITS_MAX   200

static void add_number(struct strbuf *out, const char *key, double number)
{
	json_key(out, key);
	json_number(out, number);
}

static void add_count(struct strbuf *out, const char *key, uint64_t count)
{
	json_key(out, key);
	json_count(out, count);
}

static void add_time(struct strbuf *out, const char *key, uint64_t wall_ns)
{
	json_key(out, key);
	if (wall_ns)
		json_count(out, wall_ns / NS_PER_MS);
	else
		json_text(out, NULL);
}

/* Appends a text; null if it is empty. */
static void add_known(struct strbuf *out, const char *key, const char *text)
{
	json_member_text(out, key, text && *text ? text : NULL);
}

/* ---- the span ---- */

/* Returns the offset of local time at this moment, in minutes. */
static long zone_min(uint64_t wall_ns)
{
	const time_t s = (time_t)(wall_ns / NS_PER_S);
	struct tm tm;

	return localtime_r(&s, &tm) ? tm.tm_gmtoff / 60 : 0;
}

static void add_machine(struct strbuf *out, const struct html_about *about, struct anonymous *a)
{
	const struct sample_machine *m = about->about->machine;

	json_key(out, "machine");
	json_begin(out, '{');
	add_known(out, "host", m ? anonymous_text(a, ANONYMOUS_HOST, m->host) : NULL);
	add_known(out, "arch", m ? m->arch : NULL);
	add_known(out, "model", m ? m->model : NULL);
	add_number(out, "cpus", about->story->n_cpus ? about->story->n_cpus : (double)NAN);
	add_known(out, "kernel", about->kernel);
	json_end(out, '}');
}

static void add_command(struct strbuf *out, const struct story_about *about, struct anonymous *a)
{
	const struct ending *end = about->ending;

	if (!about->command)
		return;
	json_key(out, "command");
	json_begin(out, '{');
	json_begin_list(out, "words");
	for (char *const *word = about->command; *word; word++)
		if (!a->on)
			json_text(out, *word);
		else if (word == about->command)
			json_text(out, anonymous_first_word(a, *word));
	json_end(out, ']');
	add_number(out, "status", end && !end->unknown ? end->status : (double)NAN);
	add_number(out, "ran_s", end ? (double)about->ran_ns / 1e9 : (double)NAN);
	json_end(out, '}');
}

static void add_span(struct strbuf *out, const struct html_about *about)
{
	const struct story *s = about->story;

	add_time(out, "from", s->from_ns);
	add_time(out, "to", s->to_ns);
	json_key(out, "zone_min");
	json_number(out, (double)zone_min(s->from_ns));
	add_count(out, "intervals", s->n_intervals);
	add_count(out, "intervals_of_bucket", about->lanes->per);
	add_count(out, "step_s", (size_t)s->step_s);
	add_number(out, "measured_s", s->interval_ns / 1e9);
	add_count(out, "gaps", s->n_gaps);
	add_number(out, "gaps_s", s->gap_ns / 1e9);
	add_count(out, "n_tasks", s->n_tasks);
	add_count(out, "n_programs", s->n_programs);
	add_count(out, "began", s->n_born);
	add_count(out, "n_ended", s->n_ended);
	add_number(out, "cpu_s", s->cpu_ns / 1e9);
	json_key(out, "cpu_partial");
	strbuf_addstr(out, s->cpu_partial ? "true" : "false");
	add_number(out, "wait_s", s->wait_known ? s->wait_ns / 1e9 : (double)NAN);
	json_key(out, "wait_partial");
	strbuf_addstr(out, s->wait_partial ? "true" : "false");
	json_key(out, "container_known");
	strbuf_addstr(out, about->lanes->container_known ? "true" : "false");
}

/* ---- what happened ---- */

static void add_changes(struct strbuf *out, const struct story *s, struct anonymous *a)
{
	json_begin_list(out, "phases");
	for (size_t i = 0; i < s->n_changes && i < CHANGES_MAX; i++) {
		const struct story_change *c = &s->change[i];

		json_begin(out, '{');
		add_time(out, "at", c->at.wall_ns);
		add_count(out, "id", c->id);
		json_member_text(out, "name", anonymous_program(a, c->name));
		json_member_text(out, "of", c->of == STORY_IPC ? "IPC" : "%CPU");
		add_count(out, "digits", c->of == STORY_IPC ? 2 : 1);
		add_number(out, "before", c->before);
		add_number(out, "after", c->after);
		add_number(out, "likelier", c->likelier);
		json_end(out, '}');
	}
	json_end(out, ']');
	add_count(out, "phases_left", s->n_changes > CHANGES_MAX ? s->n_changes - CHANGES_MAX : 0);
}

static void add_exits(struct strbuf *out, const struct story *s, struct anonymous *a)
{
	json_begin_list(out, "ended_badly");
	for (size_t i = 0; i < s->n_bad && i < EXITS_MAX; i++) {
		const struct story_exit *e = &s->bad[i];

		json_begin(out, '{');
		add_time(out, "at", e->at.wall_ns);
		add_count(out, "id", e->id);
		json_member_text(out, "name", anonymous_program(a, e->name));
		add_count(out, "signal", (uint64_t)e->signal);
		json_member_text(out, "signal_name", code_name_signal(e->signal));
		json_key(out, "status");
		json_number(out, e->status);
		json_end(out, '}');
	}
	json_end(out, ']');
	add_count(out, "ended_badly_left", s->n_bad > EXITS_MAX ? s->n_bad - EXITS_MAX : 0);
}

/* Appends the notes about coincidences. They name other tasks in free text, so a page with made-up
 * names has none. */
static void add_notes(struct strbuf *out, const struct story *s, struct anonymous *a)
{
	json_begin_list(out, "coincidences");
	for (size_t i = 0; i < s->n_notes && !a->on; i++) {
		json_begin(out, '{');
		add_time(out, "at", s->note[i].at.wall_ns);
		json_member_text(out, "of", s->note[i].of);
		json_member_text(out, "text", s->note[i].text);
		json_end(out, '}');
	}
	json_end(out, ']');
	add_count(out, "coincidences_left", a->on ? s->n_notes : 0);
}

static void add_remark(void *context, const char *id, const char *text)
{
	(void)id;
	json_text(context, text);
}

static void add_unknown(struct strbuf *out, const struct html_about *about, struct anonymous *a)
{
	json_begin_list(out, "unknown");
	/* These two name the file. */
	if (about->fault && !a->on)
		json_text(out, about->fault);
	else if (about->fault)
		json_text(out, "the recording is damaged: some values were left out");
	if (about->note && !a->on)
		json_text(out, about->note);
	story_each_remark(about->story, add_remark, out);
	json_end(out, ']');
}

/* ---- columns ---- */

/* Appends how the unit writes numbers for people; null: as it is. */
static void add_style(struct strbuf *out, const struct unit_row *unit)
{
	static const struct {
		enum unit like;
		const char *name;
	} style[] = {{UNIT_COUNT, "large"},
		     {UNIT_BYTES, "bytes"},
		     {UNIT_S, "time"},
		     {UNIT_PERCENT, "tenths"},
		     {UNIT_RATIO, "hundredths"}};
	const char *name = NULL;

	for (size_t i = 0; i < sizeof style / sizeof *style; i++)
		if (unit->add && unit->add == unit_table[style[i].like].add)
			name = style[i].name;
	json_member_text(out, "style", name);
}

static void add_column(struct strbuf *out, const struct column *c)
{
	const char conversion[] = {c->shape.conversion, '\0'};
	struct strbuf text;
	int len;
	const char *name = screen_column_name(c, &len);

	strbuf_init(&text);
	json_begin(out, '{');
	json_member_text(out, "id", c->id);
	strbuf_add(&text, name, (size_t)len);
	json_member_text(out, "title", text.text);
	json_member_text(out, "desc", c->desc);
	/* Rates: increments are shown per second. */
	json_member_text(out, "kind",
			 c->kind == COLUMN_RATIO   ? "ratio"
			 : c->kind == COLUMN_STATE ? "state"
						   : "rate");
	json_key(out, "per_s");
	strbuf_addstr(out, c->kind == COLUMN_COUNT ? "true" : "false");
	json_member_text(out, "unit", unit_table[c->unit].name);
	add_number(out, "factor", unit_table[c->unit].factor);
	add_style(out, &unit_table[c->unit]);
	json_member_text(out, "conversion", conversion);
	strbuf_reset(&text);
	strbuf_add(&text, c->format + c->shape.from, c->shape.to - c->shape.from);
	json_member_text(out, "format", text.text);
	strbuf_reset(&text);
	column_format_add_text(&text, c->format, 0, c->shape.from);
	json_member_text(out, "before", text.text);
	strbuf_reset(&text);
	column_format_add_text(&text, c->format, c->shape.to, strlen(c->format));
	json_member_text(out, "after", text.text);
	json_end(out, '}');
	strbuf_done(&text);
}

static void add_columns(struct strbuf *out, const struct lanes *l)
{
	json_begin_list(out, "columns");
	for (size_t i = 0; i < l->n_columns; i++)
		add_column(out, &l->screen->column[l->column[i]]);
	json_end(out, ']');
	json_begin_list(out, "marks");
	for (int i = 0; i < N_QUALITIES; i++) {
		json_begin(out, '{');
		json_member_text(out, "name", quality_table[i].name);
		json_member_text(out, "mark", quality_table[i].mark);
		json_member_text(out, "text", quality_table[i].text);
		json_end(out, '}');
	}
	json_end(out, ']');
}

/* ---- the whole page ---- */

/* Appends the data of a recording. n: the number of recordings of the page. */
static void add_data(struct strbuf *out, const struct html_about *about, size_t n,
		     struct anonymous *a)
{
	const struct story *s = about->story;

	json_begin(out, '{');
	add_count(out, "schema", SCHEMA);
	json_member_text(out, "version", about->version);
	json_key(out, "anonymous");
	strbuf_addstr(out, a->on ? "true" : "false");
	json_member_text(out, "recording",
			 anonymous_text(a, ANONYMOUS_RECORDING, about->about->recording));
	add_machine(out, about, a);
	add_command(out, about->about, a);
	add_span(out, about);
	json_member_text(out, "screen", about->lanes->screen->name);
	add_columns(out, about->lanes);
	json_begin_list(out, "words");
	for (size_t i = 0; i < s->n_words; i++)
		json_text(out, s->word[i]);
	json_end(out, ']');
	add_changes(out, s, a);
	add_notes(out, s, a);
	add_exits(out, s, a);
	add_unknown(out, about, a);
	html_data_add_buckets(out, about->lanes);
	html_data_add_lanes(out, about->lanes, n, a);
	json_end(out, '}');
}

/* Appends the story as plain text, for a reader without scripts. */
static void add_story(struct strbuf *out, const struct html_about *about)
{
	struct strbuf text;
	struct page page;

	strbuf_init(&text);
	page_init(&page);
	story_page_make(&page, about->story, about->about);
	story_page_add_text(&text, &page, 100);
	strbuf_addstr(out, "<pre>");
	web_page_add_text(out, text.text);
	strbuf_addstr(out, "</pre>");
	page_done(&page);
	strbuf_done(&text);
}

void html_page_add(struct strbuf *out, const struct html_about *about, size_t n,
		   struct anonymous *a)
{
	struct strbuf json;

	web_page_begin(out, WEB_PAGE_RECORDING, "report");
	strbuf_addstr(out, "<noscript><p>This page shows its charts and tables by a script.</p>");
	for (size_t i = 0; i < n && !a->on; i++)
		add_story(out, &about[i]);
	strbuf_addstr(out, "</noscript>\n");
	for (size_t i = 0; i < n; i++) {
		strbuf_init(&json);
		add_data(&json, &about[i], n, a);
		web_page_add_data(out, "class=\"data\"", &json);
		strbuf_done(&json);
	}
	web_page_add_script(out, WEB_PAGE_RECORDING);
	strbuf_addstr(out, "</body>\n</html>\n");
}

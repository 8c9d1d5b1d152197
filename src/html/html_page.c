/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/html_page.h"

#include <math.h>
#include <string.h>
#include <time.h>

#include "base/json_csv.h"
#include "base/unit.h"
#include "report/html.h"

#define SCHEMA    1
#define NS_PER_MS 1000000u
#define NS_PER_S  1000000000u

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
			json_text(out, anonymous_program(a, *word));
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

/* Sentences about what coincided name other tasks in free text. */
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

/* ---- the page ---- */

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: samples, screens and rows that wait in memory while another program has locked
 * the file. */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "record/file.h"
#include "record/follow.h"
#include "record/writer_state.h"

/* How long statements wait for the lock of the file, in ms: the first one that finds the file
 * locked (further ones do not wait), and those at the end of a command or a run. */
#define WAIT_MS     1000
#define WAIT_END_MS 5000
/* Interval in ms at which a statement at the end tries again to get the lock. */
#define WAIT_STEP_MS 20

/* An item of the queue. Texts of a screen and of a follow row are owned. */
struct writer_waiting {
	const struct sample *sample; /* a reference; NULL: another kind of item */
	bool marked;
	char *screen, *xml;
	struct record_follow_row *row;
	int n_values;
};

/* Returns the bytes that a sample adds to those of the sample before, with which it shares most
 * tasks. */
static uint64_t added_bytes(const struct sample *s, const struct sample *before)
{
	uint64_t bytes = sizeof *s + s->n * (sizeof *s->task + sizeof *s->time);
	size_t k = 0;

	for (size_t i = 0; i < s->n; i++) {
		while (before && k < before->n && task_compare(before->task[k], s->task[i]) < 0)
			k++;
		if (!before || k == before->n || before->task[k] != s->task[i])
			bytes += task_size(s->task[i]);
	}
	return bytes;
}

static const struct sample *last_sample(const struct writer_queue *q)
{
	for (size_t i = q->n; i > q->done; i--)
		if (q->v[i - 1].sample)
			return q->v[i - 1].sample;
	return NULL;
}

static struct writer_waiting *add(struct record_writer *w, uint64_t bytes)
{
	struct writer_queue *q = &w->queue;

	q->v = xgrow(q->v, &q->cap, q->n + 1, sizeof *q->v);
	q->bytes += bytes;
	q->v[q->n] = (struct writer_waiting){.sample = NULL};
	return &q->v[q->n++];
}

static void drop(struct writer_waiting *item)
{
	sample_unref(item->sample);
	free(item->screen);
	free(item->xml);
	if (item->row) {
		free((char *)item->row->event);
		free((char *)item->row->image);
		free((struct value *)item->row->value);
	}
	free(item->row);
}

void writer_wait_done(struct record_writer *w)
{
	for (size_t i = w->queue.done; i < w->queue.n; i++)
		drop(&w->queue.v[i]);
	free(w->queue.v);
	w->queue = (struct writer_queue){.v = NULL};
}

static void add_sample(struct record_writer *w, const struct sample *s)
{
	struct writer_queue *q = &w->queue;
	const uint64_t bytes = added_bytes(s, last_sample(q));

	if (q->n_left_out || q->bytes + bytes > WRITER_WAIT_BYTES)
		q->n_left_out++;
	else
		add(w, bytes)->sample = sample_ref(s);
}

static int write_item(struct record_writer *w, const struct writer_waiting *item, struct err *err)
{
	int ret;

	if (item->row)
		return writer_write_follow(w, item->row, item->n_values, err);
	if (item->screen)
		return writer_write_screen(w, item->screen, item->xml, err);
	ret = writer_write_sample(w, item->sample, err);
	if (!ret && item->marked)
		writer_mark(w);
	return ret;
}

/* Skips the ids of the samples that were left out, so that readers see a hole. The next sample is
 * not compared with any earlier one. */
static void skip_left_out(struct record_writer *w)
{
	w->next_sample += w->queue.n_left_out;
	w->queue.n_left_out = 0;
	sample_unref(w->previous);
	w->previous = NULL;
}

/* Writes all waiting items. -EBUSY: the file is still locked. */
static int catch_up(struct record_writer *w, struct err *err)
{
	struct writer_queue *q = &w->queue;
	int ret = 0;

	if (!q->n && !q->n_left_out)
		return 0;
	while (q->done < q->n && !ret) {
		ret = write_item(w, &q->v[q->done], err);
		if (!ret)
			drop(&q->v[q->done++]);
	}
	if (ret)
		return ret;
	q->n = q->done = 0;
	q->bytes = 0;
	if (q->n_left_out)
		skip_left_out(w);
	return 0;
}

/* Writes all waiting items before a new one, which may then wait for the lock for WAIT_MS. */
static int catch_up_first(struct record_writer *w, struct err *err)
{
	const int ret = catch_up(w, err);

	if (!ret)
		sqlite3_busy_timeout(w->db.sql, WAIT_MS);
	return ret;
}

/* Returns 1 if the file is locked, and disables the busy timeout, so that further refreshes do not
 * wait; else returns ret, with the error in *err. */
static int handle_lock(struct record_writer *w, int ret, const struct err *why, struct err *err)
{
	if (ret == -EBUSY) {
		sqlite3_busy_timeout(w->db.sql, 0);
		return 1;
	}
	if (ret && err)
		*err = *why;
	return ret;
}

int record_writer_sample(struct record_writer *w, const struct sample *s, struct err *err)
{
	struct err why = ERR_INIT;
	int ret = record_file_check_place(&w->db, err);

	if (ret)
		return ret;
	ret = catch_up_first(w, &why);
	ret = handle_lock(w, ret ? ret : writer_write_sample(w, s, &why), &why, err);
	if (ret == 1)
		add_sample(w, s);
	return ret < 0 ? ret : 0;
}

void record_writer_mark(struct record_writer *w)
{
	struct writer_queue *q = &w->queue;

	for (size_t i = q->n; i > q->done; i--)
		if (q->v[i - 1].sample) {
			q->v[i - 1].marked = true;
			return;
		}
	writer_mark(w);
}

/* Returns whether a screen of this name is waiting. */
static bool has_screen(const struct writer_queue *q, const char *name)
{
	for (size_t i = q->done; i < q->n; i++)
		if (q->v[i].screen && !strcmp(q->v[i].screen, name))
			return true;
	return false;
}

int record_writer_screen(struct record_writer *w, const char *name, const char *xml,
			 struct err *err)
{
	struct err why = ERR_INIT;
	int ret = catch_up_first(w, &why);

	ret = handle_lock(w, ret ? ret : writer_write_screen(w, name, xml, &why), &why, err);
	if (ret == 1 && !has_screen(&w->queue, name)) {
		struct writer_waiting *item = add(w, 0);

		item->screen = xstrdup(name);
		item->xml = xstrdup(xml);
	}
	return ret < 0 ? ret : 0;
}

static struct record_follow_row *copy_row(const struct record_follow_row *row, int n)
{
	struct record_follow_row *copy = xmalloc(sizeof *copy);
	struct value *value = row->value ? xcalloc((size_t)n + 1, sizeof *value) : NULL;

	if (value)
		memcpy(value, row->value, (size_t)n * sizeof *value);
	*copy = *row;
	copy->event = xstrdup_or_null(row->event);
	copy->image = xstrdup_or_null(row->image);
	copy->value = value;
	return copy;
}

int record_writer_add_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			     struct err *err)
{
	const uint64_t bytes = sizeof *row + (size_t)n * sizeof *row->value +
			       (row->image ? strlen(row->image) : 0);
	struct err why = ERR_INIT;
	struct writer_waiting *item;
	int ret = record_file_check_place(&w->db, err);

	if (ret)
		return ret;
	ret = catch_up_first(w, &why);
	ret = ret ? ret : writer_write_follow(w, row, n, &why);
	/* Unlike samples, rows are never left out: a row that does not fit is an error. */
	if (ret == -EBUSY && w->queue.bytes + bytes > WRITER_WAIT_BYTES)
		return err_set(err, EBUSY, "%s", why.text);
	ret = handle_lock(w, ret, &why, err);
	if (ret != 1)
		return ret;
	item = add(w, bytes);
	item->row = copy_row(row, n);
	item->n_values = n;
	return 0;
}

/* SQLite's busy handler: returns 1 to try again. Reports the wait after WAIT_MS. */
static int wait_for_lock(void *context, int n_tries)
{
	struct record_writer *w = context;
	const uint64_t now = clock_ns(CLOCK_MONOTONIC);
	uint64_t waited_ms;

	(void)n_tries;
	if (!w->wait_ns)
		w->wait_ns = now;
	waited_ms = (now - w->wait_ns) / 1000000;
	if (waited_ms >= (w->db.skips_sync ? WAIT_MS : WAIT_END_MS))
		return 0;
	if (w->about.stops && w->about.stops())
		return 0;
	if (waited_ms >= WAIT_MS && !w->said && w->about.report_wait &&
	    (w->last || !w->about.reports_late)) {
		w->said = true;
		w->about.report_wait(w->db.path);
	}
	poll(NULL, 0, WAIT_STEP_MS);
	return 1;
}

int writer_settle(struct record_writer *w, bool last, struct err *err)
{
	w->last = last;
	w->wait_ns = 0;
	sqlite3_busy_handler(w->db.sql, wait_for_lock, w);
	return catch_up(w, err);
}

/* Appends the number of missing items: for n = 3, "the last 3 samples and ". */
static void add_lacking(struct strbuf *out, const char *before, int64_t n, const char *what)
{
	if (n == 1)
		strbuf_addf(out, "the %s%s and ", before, what);
	else if (n)
		strbuf_addf(out, "the %s%lld %ss and ", before, (long long)n, what);
}

int writer_give_up(struct record_writer *w, const char *also, struct err *err)
{
	int64_t n = w->queue.n_left_out, n_screens = 0;
	struct strbuf lacking;

	for (size_t i = w->queue.done; i < w->queue.n; i++) {
		n += !w->queue.v[i].screen;
		n_screens += w->queue.v[i].screen != NULL;
	}
	/* Nothing is written after this, so the sentence stays true when the lock is released. */
	writer_wait_done(w);
	w->gave_up = true;
	strbuf_init(&lacking);
	add_lacking(&lacking, "last ", n, w->follow ? "row" : "sample");
	add_lacking(&lacking, "", n_screens, "screen");
	err_set(err, EBUSY, "the recording '%s' lacks %s%s: another program has it locked",
		w->db.path, lacking.text, also);
	strbuf_done(&lacking);
	return -EBUSY;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/strbuf.h"

#define SECOND_NS 1000000000ull
/* The time between two updates of a line that is replaced. */
#define INTERVAL_NS (SECOND_NS / 5)
/* The time between two updates by a caller that waits for a unit: only the seconds change then. */
#define WAIT_NS SECOND_NS

#define BAR_CELLS 20

/* --- estimates --- */

static double total_of(const struct progress *p)
{
	double sum = 0;

	for (int i = 0; i < PROGRESS_TRACKS; i++)
		sum += p->task.track[i].total;
	return sum;
}

static double done_of(const struct progress *p)
{
	double sum = 0;

	for (int i = 0; i < PROGRESS_TRACKS; i++)
		sum += p->done[i];
	return sum;
}

/* Returns the mean time of a unit of the track, in ns; NaN: unknown. */
static double mean_ns(const struct progress *p, int track)
{
	return p->done[track] > 0 ? (double)p->spent_ns[track] / p->done[track] : NAN;
}

/* Returns the time that the remaining units of the track will take, in ns. A unit that has already
 * taken longer than the mean counts as about to end. */
static double left_of(const struct progress *p, int track, uint64_t now_ns)
{
	const double units = p->task.track[track].total - p->done[track];
	double left, mean;

	if (!(units > 0))
		return 0;
	mean = mean_ns(p, track);
	left = mean * units;
	if (p->track == track)
		left -= fmin((double)(now_ns - p->unit_ns), mean);
	return left;
}

static double left_ns(const struct progress *p, uint64_t now_ns)
{
	double sum = 0;

	for (int i = 0; i < PROGRESS_TRACKS; i++)
		sum += left_of(p, i, now_ns);
	return sum;
}

/* Returns the share that is done, from 0 to 1: a share of the time if the time left is known, as
 * units of one track may take much longer than those of the other; else a share of the units. */
static double share_of(const struct progress *p, uint64_t now_ns)
{
	const double left = left_ns(p, now_ns), past = (double)(now_ns - p->begin_ns);
	const double share = isnan(left) ? done_of(p) / total_of(p) : past / (past + left);

	return fmin(share + 1e-9, 1);
}

/* --- the line --- */

/* Appends a duration, rounded to whole seconds or minutes: "5 s", "3 min 5 s", "2 h 3 min". */
static void add_duration(struct strbuf *out, double s)
{
	const double min = floor(s / 60);

	if (s < 60)
		strbuf_addf(out, "%.0f s", s);
	else if (min < 60)
		strbuf_addf(out, "%.0f min %.0f s", min, s - 60 * min);
	else
		strbuf_addf(out, "%.0f h %.0f min", floor(min / 60), fmod(min, 60));
}

static void add_what(struct strbuf *out, const struct progress *p, uint64_t now_ns)
{
	const double total = total_of(p);

	text_add(out, p->task.what);
	if (!(total > 0))
		return;
	if (p->task.numbered)
		strbuf_addf(out, " %.0f of %.0f", fmin(done_of(p) + 1, total), total);
	else
		strbuf_addf(out, " %.0f %%", floor(100 * share_of(p, now_ns)));
}

static void add_bar(struct strbuf *out, double share)
{
	const int full = (int)(BAR_CELLS * share);

	strbuf_addstr(out, " [");
	strbuf_pad(out, '#', full);
	strbuf_pad(out, '.', BAR_CELLS - full);
	strbuf_addstr(out, "]");
}

/* Appends the mean time of a unit of the current track, if units are numbered and the track has a
 * completed unit. */
static void add_unit(struct strbuf *out, const struct progress *p)
{
	const double mean = p->track < 0 ? NAN : mean_ns(p, p->track) / 1e9;
	const char *label = p->track < 0 ? NULL : p->task.track[p->track].label;

	if (!p->task.numbered || isnan(mean))
		return;
	strbuf_addf(out, "%s%s%.*f s, ", label ? label : "", label ? " " : "", mean < 100 ? 2 : 0,
		    mean);
}

static void add_time(struct strbuf *out, const struct progress *p, uint64_t now_ns)
{
	const double left = total_of(p) > 0 ? left_ns(p, now_ns) : NAN;

	if (isnan(left)) {
		add_duration(out, floor((double)(now_ns - p->begin_ns) / 1e9));
		strbuf_addstr(out, " so far");
		return;
	}
	strbuf_addstr(out, "about ");
	/* A task that is still running has at least 1 s left. */
	add_duration(out, fmax(1, ceil(left / 1e9)));
	strbuf_addstr(out, " left");
}

/* Returns the number of bytes of the character at `text`. */
static size_t character_length(const char *text)
{
	size_t n = 1;

	while (text_continues(text[n]))
		n++;
	return n;
}

/* Cuts the text after at most `width` columns, never inside a character. */
static void cut(struct strbuf *out, size_t begin, int width)
{
	size_t at = begin;

	for (int columns = 0; at < out->len;) {
		const size_t n = character_length(out->text + at);
		char character[8];

		snprintf(character, sizeof character, "%.*s", (int)n, out->text + at);
		columns += text_columns(character);
		if (columns > width)
			break;
		at += n;
	}
	out->len = at;
	out->text[at] = '\0';
}

static void add_pieces(struct strbuf *out, const struct progress *p, uint64_t now_ns, bool bar)
{
	strbuf_addstr(out, "tiptop: ");
	add_what(out, p, now_ns);
	if (bar)
		add_bar(out, share_of(p, now_ns));
	else
		strbuf_addch(out, ',');
	strbuf_addch(out, ' ');
	add_unit(out, p);
	add_time(out, p, now_ns);
	if (p->task.hint)
		strbuf_addf(out, "; %s", p->task.hint);
}

void progress_add_line(struct strbuf *out, const struct progress *p, uint64_t now_ns, int width)
{
	const size_t begin = out->len;

	add_pieces(out, p, now_ns, total_of(p) > 0);
	if (text_columns(out->text + begin) > width) {
		out->len = begin;
		add_pieces(out, p, now_ns, false);
	}
	cut(out, begin, width);
}

/* --- display --- */

static void draw(struct progress *p, uint64_t now_ns)
{
	/* Leaves the last column free, as some terminals wrap when it is written. */
	const int width = p->terminal->width() - 1;
	struct strbuf line;

	if (width <= 0)
		return;
	strbuf_init(&line);
	progress_add_line(&line, p, now_ns, width);
	if (p->terminal->shared)
		p->terminal->add(line.text);
	else
		p->terminal->show(line.text);
	p->shown = !p->terminal->shared;
	strbuf_done(&line);
}

static uint64_t interval_ns(const struct progress *p, uint64_t now_ns)
{
	const uint64_t tenth = (now_ns - p->begin_ns) / 10;

	if (!p->terminal->shared)
		return INTERVAL_NS;
	return tenth > SECOND_NS ? tenth : SECOND_NS;
}

static void draw_if_due(struct progress *p, uint64_t now_ns)
{
	if (now_ns < p->due_ns)
		return;
	draw(p, now_ns);
	p->due_ns = now_ns + interval_ns(p, now_ns);
}

void progress_begin(struct progress *p, const struct progress_terminal *terminal,
		    const struct progress_task *task)
{
	memset(p, 0, sizeof *p);
	p->terminal = terminal;
	p->task = *task;
	p->track = -1;
	if (!terminal)
		return;
	p->begin_ns = p->unit_ns = terminal->now_ns();
	p->due_ns = p->begin_ns + SECOND_NS;
}

void progress_set_total(struct progress *p, int track, double total)
{
	if (p)
		p->task.track[track].total = total;
}

void progress_begin_unit(struct progress *p, int track)
{
	if (!p->terminal)
		return;
	p->track = track;
	p->unit_ns = p->terminal->now_ns();
	draw_if_due(p, p->unit_ns);
}

void progress_end_unit(struct progress *p)
{
	if (!p->terminal || p->track < 0)
		return;
	p->spent_ns[p->track] += p->terminal->now_ns() - p->unit_ns;
	p->done[p->track]++;
	p->track = -1;
}

void progress_set(struct progress *p, int track, double done)
{
	uint64_t now_ns;

	if (!p || !p->terminal)
		return;
	now_ns = p->terminal->now_ns();
	if (done > p->done[track]) {
		p->spent_ns[track] += now_ns - p->unit_ns;
		p->done[track] = done;
		p->unit_ns = now_ns;
	}
	if (!p->terminal->shared)
		draw_if_due(p, now_ns);
}

void progress_update(struct progress *p)
{
	if (p->terminal && !p->terminal->shared)
		draw_if_due(p, p->terminal->now_ns());
}

uint64_t progress_due_ns(const struct progress *p)
{
	const bool first = p->due_ns <= p->begin_ns + SECOND_NS;

	if (!p->terminal || p->terminal->shared)
		return 0;
	return first ? p->due_ns : p->due_ns + WAIT_NS - INTERVAL_NS;
}

void progress_hide(struct progress *p)
{
	if (p->terminal && p->shown)
		p->terminal->show(NULL);
	p->shown = false;
}

void progress_end(struct progress *p)
{
	progress_hide(p);
	p->terminal = NULL;
}

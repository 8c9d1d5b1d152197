/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/follow_keep.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/clock.h"
#include "base/destination.h"
#include "base/file.h"
#include "config.h"
#include "record/follow.h"
#include "run/print_error.h"
#include "run/signals.h"
#include "session/recording.h"

int follow_keep_check(const char *path, const char *output, struct err *err)
{
	if (!path || !output || (strcmp(path, output) != 0 && !file_same(path, output)))
		return 0;
	return err_set(err, EINVAL,
		       "follow: the recording (--record) and the rows (-o) would overwrite each "
		       "other in '%s': name two files",
		       path);
}

int follow_keep_begin(struct record_writer **out, const char *path, char *const *command,
		      const struct counter_sets *sets, struct err *err)
{
	struct record_follow_set told[RECORD_FOLLOW_SETS] = {{.n = 0}};
	struct record_about about = {.version = PACKAGE_VERSION,
				     .command = command,
				     .say_wait = recording_say_wait,
				     .stops = signals_end_waits};
	struct utsname system;
	int ret;

	uname(&system);
	about.kernel = system.release;
	for (int s = 0; s < sets->n; s++) {
		told[s].n = sets->set[s].n_counters;
		event_set_counter_names(&sets->set[s], told[s].name);
	}
	ret = record_writer_new(out, path, &about, err);
	if (!ret)
		ret = record_writer_follow(*out, told, sets->n, clock_ns(CLOCK_REALTIME), err);
	return ret;
}

int follow_keep_row(struct record_writer *w, uint64_t time_ns, const struct follow_row *row,
		    const struct event_set *set, struct err *err)
{
	const struct record_follow_row kept = {
		.time_ns = time_ns,
		.event = follow_kind_names[row->kind],
		.process = row->process,
		.task = row->task,
		.made = row->made,
		.image = row->image,
		.set = row->set,
		.value = row->value,
		.ended = row->ended,
		.how = row->how,
	};

	return record_writer_add_follow(w, &kept, set[row->set].n_counters, err);
}

/* --- a replay --- */

struct replaying {
	const struct follow_replay *how;
	struct record_reader *reader;
	int64_t run; /* whose sets these are; 0: none yet */
	struct event_set set[RECORD_FOLLOW_SETS];
	int n_sets;
	struct follow_lines lines;
	struct strbuf text;
	uint64_t unknown; /* so many rows are of a kind that nobody knows */
};

static void drop_sets(struct replaying *p)
{
	follow_lines_done(&p->lines);
	for (int s = 0; s < p->n_sets; s++)
		event_set_done(&p->set[s]);
	p->n_sets = 0;
}

static int begin_run(struct replaying *p, const struct record_follow_row *row, struct err *err)
{
	const struct record_follow_set *told;
	const int n = record_reader_follow_sets(p->reader, &told);
	int ret;

	drop_sets(p);
	for (; p->n_sets < n; p->n_sets++) {
		struct event_set *set = &p->set[p->n_sets];

		event_set_init(set);
		for (int c = 0; c < told[p->n_sets].n; c++)
			event_set_add(set, told[p->n_sets].name[c]);
	}
	p->run = row->run;
	follow_lines_init(&p->lines, p->how->format, p->set, p->n_sets);
	ret = follow_lines_choose(&p->lines, p->how->fields, err);
	if (!ret && p->how->header && n)
		follow_lines_header(&p->lines, &p->text);
	return ret;
}

static void add_row(struct replaying *p, const struct record_follow_row *row)
{
	struct follow_row shown = {
		.process = row->process,
		.task = row->task,
		.set = row->set,
		.value = row->value,
		.made = row->made,
		.image = row->image,
		.ended = row->ended,
		.how = row->how,
	};
	int kind = 0;

	while (kind < N_FOLLOW_KINDS && strcmp(follow_kind_names[kind], row->event) != 0)
		kind++;
	shown.kind = (enum follow_kind)kind;
	if (kind == N_FOLLOW_KINDS)
		p->unknown++;
	else
		follow_lines_row(&p->lines, &p->text, (double)row->time_ns / 1e9, &shown);
}

/* What there is to say of it: with status 0, as all that could be read has been shown. */
static void say_lacks(const struct replaying *p)
{
	const char *path = p->how->path;
	const char *fault = record_reader_fault(p->reader);
	struct err what = ERR_INIT;

	if (fault)
		err_set(&what, EBADMSG, "%s", fault);
	else if (p->unknown)
		err_set(&what, EBADMSG,
			"the recording '%s' has rows that this tiptop does not know: they are left "
			"out",
			path);
	else if (record_reader_follow_is_cut(p->reader))
		err_set(&what, ENODATA,
			"the recording '%s' was ended before what it followed: the last rows are "
			"not in it",
			path);
	if (what.code)
		say_fault(&what, 0);
}

static int replay_all(struct replaying *p, struct dest *dest, struct err *err)
{
	struct record_follow_row row;
	int ret;

	while ((ret = record_reader_next_follow(p->reader, &row, err)) == 1) {
		if (row.run != p->run)
			ret = begin_run(p, &row, err);
		if (ret < 0)
			return ret;
		add_row(p, &row);
		ret = dest_write(dest, p->text.text, p->text.len, err);
		strbuf_reset(&p->text);
		if (ret)
			return ret;
	}
	return ret;
}

static int write_all(struct replaying *p, struct err *err)
{
	struct err closing = ERR_INIT;
	struct dest dest;
	int ret = dest_open(&dest, p->how->output, err);

	if (ret)
		return ret;
	ret = dest_begin(&dest, err);
	if (!ret)
		ret = replay_all(p, &dest, err);
	if (dest_close(&dest, ret, &closing) && !ret)
		ret = err_set(err, closing.code, "%s", closing.text);
	/* Who reads it has enough. */
	return ret == -EPIPE ? 0 : ret;
}

int follow_keep_replay(const struct follow_replay *how, struct err *err)
{
	struct replaying p = {.how = how};
	int ret = record_reader_new(&p.reader, how->path, err);

	if (ret)
		return ret;
	strbuf_init(&p.text);
	ret = write_all(&p, err);
	if (!ret && !p.run && !record_reader_fault(p.reader))
		ret = err_set(err, ENODATA,
			      "the recording '%s' has no rows of tiptop follow: 'tiptop --replay' "
			      "shows what is read of tasks",
			      how->path);
	else if (!ret)
		say_lacks(&p);
	strbuf_done(&p.text);
	drop_sets(&p);
	record_reader_free(p.reader);
	return ret;
}

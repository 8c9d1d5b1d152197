/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: replaces writer and reader if tiptop is built without SQLite; opening a recording
 * fails with a sentence. */
#include <errno.h>

#include "record/follow.h"
#include "record/reader.h"
#include "record/writer.h"

static const char missing[] = "this tiptop was built without SQLite";

int record_writer_new(struct record_writer **out, const char *path,
		      const struct record_about *about, struct err *err)
{
	(void)about;
	*out = NULL;
	return err_set(err, ENOTSUP,
		       "cannot record into '%s': this tiptop was built without SQLite "
		       "(--without-sqlite)",
		       path);
}

/* This function and the other ones of a writer are never called, or with NULL only, as no writer
 * can be opened. */
int record_writer_sample(struct record_writer *w, const struct sample *sample, struct err *err)
{
	(void)w, (void)sample;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_writer_limit(struct record_writer *w, const struct record_limits *keep, struct err *err)
{
	(void)w, (void)keep;
	return err_set(err, ENOTSUP, "%s", missing);
}

void record_writer_mark(struct record_writer *w)
{
	(void)w;
}

int record_writer_screen(struct record_writer *w, const char *name, const char *xml,
			 struct err *err)
{
	(void)w, (void)name, (void)xml;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_writer_ending(struct record_writer *w, const struct ending *how,
			 const struct sample *begin, const struct sample *end, struct err *err)
{
	(void)w, (void)how, (void)begin, (void)end;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_writer_next_run(struct record_writer *w, struct err *err)
{
	(void)w;
	return err_set(err, ENOTSUP, "%s", missing);
}

const char *record_writer_note(const struct record_writer *w)
{
	(void)w;
	return NULL;
}

void record_writer_hurry(struct record_writer *w)
{
	(void)w;
}

int record_writer_close(struct record_writer *w, struct err *err)
{
	(void)w, (void)err;
	return 0;
}

int record_reader_new(struct record_reader **out, const char *path, struct err *err)
{
	*out = NULL;
	return err_set(err, ENOTSUP,
		       "cannot read the recording '%s': this tiptop was built without SQLite "
		       "(--without-sqlite)",
		       path);
}

/* Called with NULL only, as no reader can be opened. */
void record_reader_free(struct record_reader *r)
{
	(void)r;
}

const struct sample_machine *record_reader_machine(const struct record_reader *r)
{
	(void)r;
	return NULL;
}

const struct kind *record_reader_kind(struct record_reader *r)
{
	(void)r;
	return NULL;
}

const struct sample_events *record_reader_events(const struct record_reader *r)
{
	(void)r;
	return NULL;
}

int record_reader_spans(struct record_reader *r, const struct record_span **out, size_t *n,
			struct err *err)
{
	(void)r, (void)out, (void)n;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_find_wall(struct record_reader *r, uint64_t wall_ns, int64_t after_ns,
			    int64_t *at_ns, struct err *err)
{
	(void)r, (void)wall_ns, (void)after_ns, (void)at_ns;
	return err_set(err, ENOTSUP, "%s", missing);
}

int64_t record_reader_at(const struct record_reader *r, uint64_t mono_ns)
{
	(void)r, (void)mono_ns;
	return 0;
}

bool record_reader_is_open(struct record_reader *r)
{
	(void)r;
	return false;
}

int record_reader_seek(struct record_reader *r, int64_t at_ns, struct err *err)
{
	(void)r, (void)at_ns;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_skip(struct record_reader *r, long n, struct err *err)
{
	(void)r, (void)n;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_step_back(struct record_reader *r, struct err *err)
{
	(void)r;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_peek(struct record_reader *r, int64_t *at_ns, struct err *err)
{
	(void)r, (void)at_ns;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_next(struct record_reader *r, struct sample *out, struct err *err)
{
	(void)r, (void)out;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_command(struct record_reader *r, char *const **out, struct err *err)
{
	(void)r, (void)out;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_ending(struct record_reader *r, struct ending *out, struct sample *begin,
			 struct sample *end, struct err *err)
{
	(void)r, (void)out, (void)begin, (void)end;
	return err_set(err, ENOTSUP, "%s", missing);
}

const char *record_reader_fault(const struct record_reader *r)
{
	(void)r;
	return NULL;
}

const char *record_reader_screen(const struct record_reader *r, size_t i, const char **name)
{
	(void)r, (void)i, (void)name;
	return NULL;
}

char *record_reader_option(struct record_reader *r, const char *name)
{
	(void)r, (void)name;
	return NULL;
}

char *record_reader_kernel(struct record_reader *r)
{
	(void)r;
	return NULL;
}

long record_reader_user(struct record_reader *r, const char *name)
{
	(void)r, (void)name;
	return -1;
}

int record_writer_follow(struct record_writer *w, const struct record_follow_set *set, int n_sets,
			 uint64_t wall_ns, struct err *err)
{
	(void)w, (void)set, (void)n_sets, (void)wall_ns;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_writer_add_follow(struct record_writer *w, const struct record_follow_row *row, int n,
			     struct err *err)
{
	(void)w, (void)row, (void)n;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_next_follow(struct record_reader *r, struct record_follow_row *out,
			      struct err *err)
{
	(void)r, (void)out;
	return err_set(err, ENOTSUP, "%s", missing);
}

int record_reader_follow_sets(const struct record_reader *r, const struct record_follow_set **out)
{
	(void)r;
	*out = NULL;
	return 0;
}

bool record_reader_follow_is_cut(struct record_reader *r)
{
	(void)r;
	return false;
}

int record_reader_extent(struct record_reader *r, int64_t until_ns, struct record_extent *out,
			 struct err *err)
{
	(void)r, (void)until_ns, (void)out;
	return err_set(err, ENOTSUP, "%s", missing);
}

void record_reader_set_step(struct record_reader *r, uint64_t step_ns, int64_t until_ns)
{
	(void)r, (void)step_ns, (void)until_ns;
}

void record_reader_keep_moments(struct record_reader *r)
{
	(void)r;
}

void record_reader_keep_ranges(struct record_reader *r)
{
	(void)r;
}

const struct record_moments *record_reader_moments(const struct record_reader *r)
{
	(void)r;
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of writer: takes its place where tiptop is built without SQLite. */
#include <errno.h>

#include "record/writer.h"

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

/* Nobody has a writer to ask. */
int record_writer_sample(struct record_writer *w, const struct sample *sample, struct err *err)
{
	(void)w, (void)sample;
	return err_set(err, ENOTSUP, "this tiptop was built without SQLite");
}

int record_writer_screen(struct record_writer *w, const char *name, const char *xml,
			 struct err *err)
{
	(void)w, (void)name, (void)xml;
	return err_set(err, ENOTSUP, "this tiptop was built without SQLite");
}

const char *record_writer_note(const struct record_writer *w)
{
	(void)w;
	return NULL;
}

int record_writer_close(struct record_writer *w, struct err *err)
{
	(void)w, (void)err;
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write - writes the current state to a configuration file (key W), and a screen as such a file.
 *
 * Written are the options that differ from their defaults, in the order of option_table, and the
 * CPUs, events, themes and screens of the user's own file as they were declared. Not written:
 * built-in ones and those of additional files (conf_each_file()), which are read again anyway;
 * options of a single run such as batch and max_iter; and all that has no name in the file. Reading
 * the file gives the same state.
 *
 * If a file was read, its text is kept, and only options and screens that changed since are changed
 * in it (merge.h). All else stays: comments, rejected elements, elements that are not part of the
 * state. The new text is parsed before it is written, and must give the state that it was made
 * from.
 *
 * An existing file is touched only with `overwrite`, and then replaced as a whole or not at all
 * (base/replace.h). The file that was read is not touched either if another program has changed it
 * since.
 */
#ifndef CONF_WRITE_H
#define CONF_WRITE_H

#include "conf/option.h"
#include "conf/theme.h"
#include "pmu/event/table.h"
#include "screen/filter_list.h"
#include "screen/screen.h"

struct conf_state {
	const struct options *options;
	const struct event_table *own;     /* of the user's own file */
	const struct screen_list *screens; /* of the user's own file, as declared */
	const struct theme_list *themes;
	const struct filter_list *filters;
};

/* Appends the text of a file. A byte of an option that XML cannot represent (most control
 * characters, invalid UTF-8) becomes '?'. */
void conf_format(struct strbuf *out, const struct conf_state *state);

/* Calls visit() for each option that would be written, with its name in the file and its value. */
void conf_each_option(const struct options *o,
		      void (*visit)(void *context, const char *name, const char *value),
		      void *context);

/* Appends the text of a file with only this screen. notes: lines for comments; NULL: none, and the
 * screen gets replace="yes". */
void conf_format_screen(struct strbuf *out, const struct screen *s, const char *notes);

/* A file as it was last read or written. */
struct conf_base {
	char *path; /* NULL: none */
	struct strbuf text;
};

void conf_base_init(struct conf_base *base);
void conf_base_done(struct conf_base *base);
/* Copies the file's text, and its path unless there is one already. */
void conf_base_set(struct conf_base *base, const char *path, const struct strbuf *text);

/* Returns whether base is the file at this path, or was before that was removed. */
bool conf_is_base(const char *path, const struct conf_base *base);

/*
 * Writes the state to path; then base is the new text, unless another file than the one that was
 * read was written. Returns 0; or CONF_SAME: base is the file at this path and already has this
 * state, so it is not written. -EEXIST: without overwrite, something of that name exists (also a
 * dangling link); -ESTALE: the file has changed since it was read; -EILSEQ: an option has a byte
 * that XML cannot represent; -ENOTSUP: the text cannot be changed; -EISDIR: a folder; -EINVAL: not
 * a regular file; -EPERM: a link of another user; other errors as the system returns them. Always
 * with a sentence, and without partial or temporary files left.
 *
 * Afterwards, the screens of the state have the element numbers of the new text.
 */
#define CONF_SAME 1
int conf_write(const char *path, const struct conf_state *state, struct conf_base *base,
	       bool overwrite, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write - writes the current state to a configuration file (key W), and a single screen as such a
 * file.
 *
 * A new file has the options that differ from their defaults, in the order of option_table, and the
 * keys, filters, CPUs, events, themes and screens of the user's .tiptoprc, as declared. It does not
 * have built-in elements and those of additional files (conf_each_file()), which are read anyway;
 * options of a single run, such as batch and max_iter; and options without a conf_name. Reading the
 * file results in the same state.
 *
 * If a file was read before, the new text is its text, in which only the options and screens are
 * changed that have changed since (merge.h). All else stays: comments, rejected elements, elements
 * that are not part of the state. The new text is parsed before it is written: if that does not
 * result in the state to be written, nothing is written.
 *
 * An existing file is replaced only with `overwrite`, as a whole or not at all
 * (base/destination.h). A file that was read is not replaced if another program has changed it
 * since.
 */
#ifndef CONF_WRITE_H
#define CONF_WRITE_H

#include "conf/option.h"
#include "conf/theme.h"
#include "pmu/event/table.h"
#include "screen/screen.h"

struct conf_state {
	const struct options *options;
	const struct event_table *own;     /* the CPUs and events of the user's .tiptoprc */
	const struct screen_list *screens; /* the screens of the user's .tiptoprc, as declared */
	const struct theme_list *themes;
	const struct filter_list *filters;
};

/* Appends the text of a new file with this state. A byte of an option that XML cannot represent
 * (most control characters, invalid UTF-8) becomes '?'. */
void conf_format(struct strbuf *out, const struct conf_state *state);

/* Calls visit() for each option that a new file would have, with its conf_name and its value. */
void conf_each_option(const struct options *o,
		      void (*visit)(void *context, const char *name, const char *value),
		      void *context);

/* Appends the text of a file with only this screen. notes: lines that become comments above it;
 * NULL: none, and the screen gets replace="yes", because it is a copy of an existing one. */
void conf_format_screen(struct strbuf *out, const struct screen *s, const char *notes);

/* The configuration file as it was last read or written. */
struct conf_base {
	char *path; /* NULL: no file was read or written */
	struct strbuf text;
};

void conf_base_init(struct conf_base *base);
void conf_base_done(struct conf_base *base);
/* Sets base->text to a copy of the text, and base->path to a copy of the path unless it is set. */
void conf_base_set(struct conf_base *base, const char *path, const struct strbuf *text);

/* Returns whether base is the file at this path; also true for base->path if the file was removed
 * meanwhile. */
bool conf_is_base(const char *path, const struct conf_base *base);

/*
 * Writes the state to the file at `path`. If this file is base, or base has no path, base becomes
 * the new file, and the screens of the state get the element numbers of the new text.
 *
 * Returns 0; or CONF_SAME if the file is base and already has this state, so that it is not
 * written; or an error with a sentence, and without partial or temporary files left:
 *   -EEXIST   without overwrite, something with this path exists, even a dangling link
 *   -ESTALE   base was changed by another program since it was read
 *   -EILSEQ   an option has a byte that XML cannot represent
 *   -ENOTSUP  the text of base cannot be changed
 *   -EISDIR, -EINVAL, -EPERM and others: see replace_file()
 */
#define CONF_SAME 1
int conf_write(const char *path, const struct conf_state *state, struct conf_base *base,
	       bool overwrite, struct err *err);

#endif

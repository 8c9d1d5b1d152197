/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write - the present state as a configuration file, for the key W, and a screen as one.
 *
 * What is written: the options that differ from their defaults, in the order of option_table, and
 * the CPUs, events, themes and screens of the user's own file as they were declared. What is built
 * in or comes from a file that only adds (conf_each_file()) is not written: it comes back by
 * itself. Nor is what belongs to one run: batch, max_iter and all that has no name in the file.
 * Reading the file gives the same state.
 *
 * Where a file was read, its text is taken and only what has changed since is changed in it
 * (merge.h): options and screens. All else stays as it is: comments, what reading left out with a
 * sentence, elements that no state has. The new text is read before it is written, and must give
 * the state that it was made of.
 *
 * An existing file is never touched unless `overwrite` says so, and then replaced as a whole or not
 * at all (base/replace.h). The one that was read is not touched, either, when somebody else has
 * changed it meanwhile.
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
	const struct event_table *own;     /* of the user's own file, above all others */
	const struct screen_list *screens; /* of the user's own file, as they were declared */
	const struct theme_list *themes;
	const struct filter_list *filters;
};

/* The file's text. A byte of an option that XML cannot hold (most control characters, what is no
 * UTF-8) becomes '?'. */
void conf_format(struct strbuf *out, const struct conf_state *state);

/* Calls visit for each option that would be written, with its name there and its value. */
void conf_each_option(const struct options *o,
		      void (*visit)(void *context, const char *name, const char *value),
		      void *context);

/* The text of a file that has this screen and nothing else. notes: lines that become comments;
 * NULL: none, and it is to take the place of the screen. */
void conf_format_screen(struct strbuf *out, const struct screen *s, const char *notes);

/* A file as it was read, or written last. */
struct conf_base {
	char *path; /* NULL: none was */
	struct strbuf text;
};

void conf_base_init(struct conf_base *base);
void conf_base_done(struct conf_base *base);
/* Takes a copy of what the file has. The path is taken where there is none yet. */
void conf_base_set(struct conf_base *base, const char *path, const struct strbuf *text);

/* Whether that is the file at this path, or was before it went. */
bool conf_is_base(const char *path, const struct conf_base *base);

/*
 * Writes it to path; then base is what was written, unless that is another file beside the one that
 * was read. Returns 0; or CONF_SAME where base is the file of this path and has all of it: it is
 * left alone. -EEXIST without overwrite where there is something of that name, a link to nothing
 * included; -ESTALE where the file is not any more what was read; -EILSEQ where the text of an
 * option has a byte that XML cannot hold; -ENOTSUP where the text cannot be changed; -EISDIR for a
 * folder, -EINVAL for anything else that is no regular file, -EPERM for a link of somebody else;
 * other errors as the system gives them. Always with a sentence, and nothing half written or left
 * behind.
 *
 * The numbers of elements that the screens of the state have are those of the new text then.
 */
#define CONF_SAME 1
int conf_write(const char *path, const struct conf_state *state, struct conf_base *base,
	       bool overwrite, struct err *err);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * write - the present state as a configuration file, for the key W, and a screen as one.
 *
 * What is written: the options that differ from their defaults, in the order of option_table, and
 * the CPUs, events, themes and screens of the user's own file as they were declared. What is built
 * in or comes from a file that only adds (conf_each_file()) is not written: it comes back by
 * itself. Nor is what belongs to one run: batch, max_iter and all that has no name in the file.
 * Reading the file gives the same state, and writing that gives the same file, byte for byte.
 *
 * What reading left out (comments, columns and screens with a fault) is no part of the state,
 * and not written.
 *
 * An existing file is never touched unless `overwrite` says so, and then replaced as a whole or not
 * at all: a new file (mode 0644, less the umask) is renamed over it. Where the path is a symbolic
 * link of this user, the file that it leads to is replaced, and the link stays; a link of somebody
 * else is refused, since it may lead anywhere.
 */
#ifndef CONF_WRITE_H
#define CONF_WRITE_H

#include "conf/option.h"
#include "event/table.h"
#include "screen/filter_list.h"
#include "screen/screen.h"
#include "theme/theme.h"

struct conf_state {
	const struct options *options;
	const struct event_table *own; /* of the user's own file, above all others */
	const struct screen_list *screens, *hidden;
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

/*
 * Writes it to path. -EEXIST without overwrite where there is something of that name, a link to
 * nothing included; -EILSEQ where the text of an option has a byte that XML cannot hold;
 * -EISDIR for a folder, -EINVAL for anything else that is no regular file, -EPERM for a link of
 * somebody else; other errors as the system gives them. Always with a sentence, and nothing
 * half written or left behind.
 */
int conf_write(const char *path, const struct conf_state *state, bool overwrite, struct err *err);

#endif

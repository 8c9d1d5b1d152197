/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/arguments.h"

#include <string.h>

#include "base/text.h"

/* What stands for one that has been erased, or that the kernel does not have. */
#define ERASED '['

/* Returns where the name begins in the first word: behind its folders and the '-' of a login shell;
 * NULL: the word is another one. A name has fewer characters than it may have there. */
static const char *find_name(const char *cmdline, const char *name)
{
	size_t from = strcspn(cmdline, " ");

	while (from > 0 && cmdline[from - 1] != '/')
		from--;
	from += cmdline[from] == '-';
	return strncmp(cmdline + from, name, strlen(name)) ? NULL : cmdline + from;
}

bool arguments_add_command(struct strbuf *out, const struct frame_row *row)
{
	const struct task *t = row->task;
	const char *from;

	if (!t->cmdline || *t->cmdline == ERASED || row->label != t->process || t->dead ||
	    row->collapsed || t->kind->counts_members || !task_is_leader(t))
		return false;
	from = find_name(t->cmdline, t->process);
	if (!from) {
		text_add(out, t->process);
		strbuf_addstr(out, ": ");
	}
	text_add(out, from ? from : t->cmdline);
	return true;
}

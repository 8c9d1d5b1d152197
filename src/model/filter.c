/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/filter.h"

#include <string.h>

bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline)
{
	const char *shown = use_cmdline && t->cmdline ? t->cmdline : t->name;

	if (f->uid >= 0 && t->uid != (unsigned long)f->uid)
		return false;
	if (f->pid && f->pid != t->pid && f->pid != t->id)
		return false;
	return !f->text || strstr(shown, f->text);
}

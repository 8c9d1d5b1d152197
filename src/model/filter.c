/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/filter.h"

#include <string.h>

bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline)
{
	if (f->uid >= 0 && t->uid != (unsigned long)f->uid)
		return false;
	if (f->pid && (uint64_t)f->pid != t->owner && (uint64_t)f->pid != t->id)
		return false;
	if (!f->text)
		return true;
	if (use_cmdline && t->cmdline)
		return strstr(t->cmdline, f->text);
	return strstr(t->name, f->text) || strstr(t->process, f->text);
}

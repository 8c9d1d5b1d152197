/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/filter.h"

#include <string.h>

static unsigned conditions_of(const struct filter *f)
{
	return (f->pid ? CONDITION_PID : 0u) | (f->uid >= 0 ? CONDITION_USER : 0u) |
	       (f->text ? CONDITION_TEXT : 0u);
}

bool filter_applies(const struct filter *f, const struct kind *kind)
{
	return conditions_of(f) & kind->conditions;
}

bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline)
{
	const unsigned asked = conditions_of(f) & t->kind->conditions;

	if (asked & CONDITION_USER && t->uid != (unsigned long)f->uid)
		return false;
	if (asked & CONDITION_PID && (uint64_t)f->pid != t->owner && (uint64_t)f->pid != t->id)
		return false;
	if (!(asked & CONDITION_TEXT))
		return true;
	if (use_cmdline && t->cmdline)
		return strstr(t->cmdline, f->text);
	return strstr(t->name, f->text) || strstr(t->process, f->text);
}

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

int filter_names(const struct task *t, bool use_cmdline, const char *name[FILTER_NAMES_MAX])
{
	if (use_cmdline && t->cmdline) {
		name[0] = t->cmdline;
		return 1;
	}
	name[0] = t->name;
	name[1] = t->process;
	return 2;
}

static bool has_text(const struct task *t, bool use_cmdline, const char *text)
{
	const char *name[FILTER_NAMES_MAX];

	for (int i = filter_names(t, use_cmdline, name); i--;)
		if (strstr(name[i], text))
			return true;
	return false;
}

bool filter_match(const struct filter *f, const struct task *t, bool use_cmdline)
{
	const unsigned asked = conditions_of(f) & t->kind->conditions;

	if (asked & CONDITION_USER && t->uid != (unsigned long)f->uid)
		return false;
	if (asked & CONDITION_PID && (uint64_t)f->pid != t->owner &&
	    (uint64_t)f->pid != task_number(t) && !(f->family && f->family->has(f->family, t)))
		return false;
	return !(asked & CONDITION_TEXT) || has_text(t, use_cmdline, f->text);
}

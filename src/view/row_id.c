/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/row_id.h"

#include <string.h>

#include "base/hash.h"
#include "model/sample.h"

static uint64_t text_of(const struct task *t)
{
	return t->kind->id_is_text ? hash_text(t->name, strlen(t->name)) : 0;
}

struct row_id row_id_of(const struct task *t)
{
	return (struct row_id){t->kind, t->owner, t->id, t->start_ns, text_of(t)};
}

bool row_id_is(const struct row_id *id, const struct task *t)
{
	return id->kind && id->id == t->id && id->start_ns == t->start_ns &&
	       (id->kind == t->kind || !strcmp(id->kind->name, t->kind->name)) &&
	       id->text == text_of(t);
}

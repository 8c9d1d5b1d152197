/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of metrics: labels, as they are written. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "model/fold_sum.h"
#include "model/kinds.h"
#include "output/metrics_part.h"

/* What a label cannot have is U+FFFD; a character that is cut off at the end is left out. */
static void add_escaped(struct strbuf *out, const char *text)
{
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		uint32_t character = text_decode(text, left, &n);

		if (character == '\\' || character == '"')
			strbuf_addf(out, "\\%c", (int)character);
		else if (character == TEXT_BAD && n == 1 && text_is_cut(text, left))
			n = left;
		else if (character == TEXT_BAD || !text_is_harmless(character))
			strbuf_addstr(out, "\ufffd");
		else
			strbuf_add(out, text, n);
	}
}

void metrics_label_add(struct strbuf *out, const char *name, const char *text)
{
	strbuf_addf(out, "%s%s=\"", out->len ? "," : "", name);
	add_escaped(out, text);
	strbuf_addch(out, '"');
}

void metrics_users_done(struct metrics_users *users)
{
	size_t pos = 0;
	char *name;

	while ((name = hash_next(&users->name, &pos)))
		free(name);
	hash_done(&users->name);
}

/* Returns the name of the user of a task, or of a group whose number this is; "": several, or not
 * known. */
static const char *user_of(struct metrics_users *users, const struct task *t, uint64_t number)
{
	char *name = hash_get(&users->name, number);

	if (name || !*t->user || !strcmp(t->user, FOLD_SEVERAL))
		return name ? name : "";
	name = xstrdup(t->user);
	hash_put(&users->name, number, name);
	return name;
}

static void add_cpu(struct strbuf *out, const struct task *t)
{
	const enum cpu_mode mode = kind_cpu_mode_of(t->id);
	char number[24];

	snprintf(number, sizeof number, "%" PRIu32, (uint32_t)t->id);
	metrics_label_add(out, "cpu", number);
	if (mode)
		metrics_label_add(out, "mode", cpu_mode_names[mode]);
}

/* Of what is no group. */
static void add_single(struct strbuf *out, struct metrics_users *users, const struct task *t,
		       const char *number)
{
	if (t->kind == &kind_command) {
		metrics_label_add(out, "command", t->name);
	} else if (kind_is(t->kind, &kind_cpu)) {
		add_cpu(out, t);
	} else if (t->kind == &kind_socket) {
		metrics_label_add(out, t->kind->name, number);
	} else {
		metrics_label_add(out, "pid", number);
		metrics_label_add(out, "program", t->process);
		metrics_label_add(out, "user", user_of(users, t, t->uid));
		if (t->kind->in_program)
			metrics_label_add(out, t->kind->part, t->name);
	}
}

void metrics_labels_add(struct strbuf *out, struct metrics_users *users, enum group_key key,
			const struct task *t)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRIu64, task_number(t));
	if (key == GROUP_PROCESS) {
		add_single(out, users, t, number);
	} else if (key == GROUP_PROGRAM_USER) {
		metrics_label_add(out, "program", t->name);
		metrics_label_add(out, "user", user_of(users, t, t->id));
	} else {
		metrics_label_add(out, group_key_table[key].name,
				  *t->name || t->kind->id_is_text ? t->name : number);
	}
}

void metrics_labels_add_other(struct strbuf *out, enum group_key key, const struct kind *kind)
{
	const bool single = key == GROUP_PROCESS;
	const char *name = group_key_table[key].name;

	if (single && kind_is(kind, &kind_cpu))
		name = "cpu";
	else if (single && kind == &kind_socket)
		name = kind->name;
	else if (single || key == GROUP_PROGRAM_USER)
		name = "program";
	if (single && !strcmp(name, "program"))
		metrics_label_add(out, "pid", "");
	metrics_label_add(out, name, METRICS_OTHER);
	if (!strcmp(name, "program") && key != GROUP_PROGRAM)
		metrics_label_add(out, "user", "");
}

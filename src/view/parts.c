/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/parts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/suggestion.h"

/* Names and descriptions of the parts; NULL: the part cannot be hidden. */
static const struct {
	const char *name, *help;
} part_table[N_PARTS] = {
	[PART_TITLE] = {"title", "how long the machine is up, its load, and what is switched on"},
	[PART_METERS] = {"meters", "bars of CPUs, memory and swap"},
	[PART_TASKS] = {"tasks", "how many tasks there are, and why some are not shown; the PMU"},
	[PART_TABS] = {"tabs", "the screens, by their numbers"},
	[PART_NOTE] = {"note", "a sentence about what cannot be counted, where there is one"},
	[PART_TOTAL] = {"total", "a row of sums over all that is shown"},
	[PART_FOOTER] = {"footer", "keys, and what tiptop itself costs"},
};

const char *parts_name(int part)
{
	return part_table[part].name;
}

const char *parts_help(int part)
{
	return part_table[part].help;
}

#define COMPACT (PART_BIT(PART_METERS) | PART_BIT(PART_TABS) | PART_BIT(PART_TOTAL))
#define TABLE   (PARTS_ALL & ~(PART_BIT(PART_NAMES) | PART_BIT(PART_ROWS)))

static const struct {
	const char *name;
	unsigned hidden;
} set_table[] = {
	{"auto", PARTS_AUTO},
	{"full", PARTS_FULL},
	{"compact", COMPACT},
	{"table", TABLE},
};

#define N_SETS (sizeof set_table / sizeof *set_table)

const char *parts_choice(size_t i)
{
	if (i < N_SETS)
		return set_table[i].name;
	i -= N_SETS;
	for (int part = 0; part < N_PARTS; part++)
		if (part_table[part].name && !i--)
			return part_table[part].name;
	return NULL;
}

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !memcmp(name, text, len);
}

/* Returns the part with this name; N_PARTS: none. */
static int find_part_id(const char *text, size_t len)
{
	int part = 0;

	while (part < N_PARTS && !is_name(part_table[part].name, text, len))
		part++;
	return part;
}

static int no_such_part(const char *text, size_t len, struct err *err)
{
	struct suggestion near;
	struct strbuf names;
	int ret;

	strbuf_init(&names);
	suggestion_begin_part(&near, text, len);
	for (size_t i = 0; i < N_SETS; i++)
		suggestion_offer(&near, set_table[i].name);
	for (int i = 0; i < N_PARTS; i++)
		if (part_table[i].name) {
			suggestion_offer(&near, part_table[i].name);
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", part_table[i].name);
		}
	ret = err_set(
		err, EINVAL,
		"there is no part '%.*s'%s: auto, full, compact and table stand alone, or some of "
		"%s with ',' between them",
		(int)len, text, suggestion_text(&near), names.text);
	strbuf_done(&names);
	return ret;
}

int parts_parse(const char *text, unsigned *hidden, struct err *err)
{
	unsigned shown = 0;

	for (size_t i = 0; i < N_SETS; i++)
		if (!strcmp(text, set_table[i].name)) {
			*hidden = set_table[i].hidden;
			return 0;
		}
	for (const char *p = text;; p++) {
		size_t len = strcspn(p, ",");
		int part = find_part_id(p, len);

		if (part == N_PARTS)
			return no_such_part(p, len, err);
		shown |= PART_BIT(part);
		p += len;
		if (!*p)
			break;
	}
	*hidden = TABLE & ~shown ? TABLE & ~shown : PARTS_FULL;
	return 0;
}

void parts_add(struct strbuf *out, unsigned hidden)
{
	bool first = true;

	for (size_t i = 0; i < N_SETS; i++)
		if (hidden == set_table[i].hidden) {
			strbuf_addstr(out, set_table[i].name);
			return;
		}
	for (int i = 0; i < N_PARTS; i++)
		if (part_table[i].name && !(hidden & PART_BIT(i))) {
			strbuf_addf(out, "%s%s", first ? "" : ",", part_table[i].name);
			first = false;
		}
}

unsigned parts_next(unsigned hidden, unsigned all_parts)
{
	if (hidden == COMPACT)
		return TABLE;
	return hidden == PARTS_AUTO || hidden == PARTS_FULL ? COMPACT : all_parts;
}

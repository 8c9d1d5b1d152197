/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/parts.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* NULL: it cannot be hidden. */
static const char *const part_name[N_PARTS] = {
	[PART_TITLE] = "title",   [PART_METERS] = "meters", [PART_TASKS] = "tasks",
	[PART_TABS] = "tabs",     [PART_NOTE] = "note",     [PART_TOTAL] = "total",
	[PART_FOOTER] = "footer",
};

#define TABLE (PARTS_ALL & ~(PART_BIT(PART_NAMES) | PART_BIT(PART_ROWS)))

static const struct {
	const char *name;
	unsigned hidden;
} set_table[] = {
	{"full", 0},
	{"compact", PART_BIT(PART_METERS) | PART_BIT(PART_TABS) | PART_BIT(PART_TOTAL)},
	{"table", TABLE},
};

#define N_SETS (sizeof set_table / sizeof *set_table)

static bool is_name(const char *name, const char *text, size_t len)
{
	return name && strlen(name) == len && !memcmp(name, text, len);
}

/* The part of this name; N_PARTS: there is none. */
static int find_part(const char *text, size_t len)
{
	int part = 0;

	while (part < N_PARTS && !is_name(part_name[part], text, len))
		part++;
	return part;
}

static int no_such_part(const char *text, size_t len, struct err *err)
{
	struct strbuf names;
	int ret;

	strbuf_init(&names);
	for (int i = 0; i < N_PARTS; i++)
		if (part_name[i])
			strbuf_addf(&names, "%s%s", names.len ? ", " : "", part_name[i]);
	ret = err_set(err, EINVAL,
		      "there is no part '%.*s': full, compact and table stand alone, or some of %s "
		      "with ',' between them",
		      (int)len, text, names.text);
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
		int part = find_part(p, len);

		if (part == N_PARTS)
			return no_such_part(p, len, err);
		shown |= PART_BIT(part);
		p += len;
		if (!*p)
			break;
	}
	*hidden = TABLE & ~shown;
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
		if (part_name[i] && !(hidden & PART_BIT(i))) {
			strbuf_addf(out, "%s%s", first ? "" : ",", part_name[i]);
			first = false;
		}
}

unsigned parts_next(unsigned hidden)
{
	size_t i = 0;

	while (i < N_SETS && set_table[i].hidden != hidden)
		i++;
	return set_table[i < N_SETS ? (i + 1) % N_SETS : 0].hidden;
}

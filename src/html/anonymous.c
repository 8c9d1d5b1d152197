/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "html/anonymous.h"

#include <stdio.h>
#include <string.h>

struct replaced {
	const char *text, *instead;
};

static const char *const prefix[N_ANONYMOUS_OF] = {
	[ANONYMOUS_USER] = "user",
	[ANONYMOUS_CONTAINER] = "container",
	[ANONYMOUS_HOST] = "host",
	[ANONYMOUS_RECORDING] = "recording",
};

void anonymous_done(struct anonymous *a)
{
	for (int i = 0; i < N_ANONYMOUS_OF; i++)
		hash_done(&a->known[i]);
	arena_done(&a->arena);
}

const char *anonymous_text(struct anonymous *a, enum anonymous_of of, const char *text)
{
	struct hash *known = &a->known[of];
	struct replaced *r;
	uint64_t key;
	char instead[32];

	/* "?" and "-" stand for no text. */
	if (!a->on || !text || !*text || !strcmp(text, "?") || !strcmp(text, "-"))
		return text;
	key = hash_text(text, strlen(text));
	while ((r = hash_get(known, key)) && strcmp(r->text, text))
		key++;
	if (r)
		return r->instead;
	snprintf(instead, sizeof instead, "%s%zu", prefix[of], known->n + 1);
	r = arena_alloc(&a->arena, sizeof *r);
	*r = (struct replaced){arena_strdup(&a->arena, text), arena_strdup(&a->arena, instead)};
	hash_put(known, key, r);
	return r->instead;
}

const char *anonymous_program(struct anonymous *a, const char *name)
{
	const bool is_path = name && strchr("/.~", *name);
	const char *slash = is_path ? strrchr(name, '/') : NULL;
	size_t n;
	char *program;

	if (!a->on || !name || !*name)
		return name;
	if (slash && slash[1])
		name = slash + 1;
	n = strcspn(name, " \t\n");
	if (n > 1 && name[n] && name[n - 1] == ':')
		n--;
	program = arena_strdup(&a->arena, name);
	program[n] = '\0';
	return program;
}

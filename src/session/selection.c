/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/selection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

const struct selection_part_row selection_part_table[N_SELECTION_PARTS] = {
	[SELECTION_FROM] = {"from", "--from"},
	[SELECTION_TO] = {"to", "--to"},
	[SELECTION_PID] = {"pid", "--pid"},
	[SELECTION_FILTER] = {"filter", "--filter"},
};

/* Returns the part whose name begins the text, as in "from=14:00"; N_SELECTION_PARTS: none. */
static enum selection_part find_part(const char *text)
{
	int part = 0;

	for (; part < N_SELECTION_PARTS; part++) {
		const size_t n = strlen(selection_part_table[part].name);

		if (!strncmp(text, selection_part_table[part].name, n) && text[n] == '=')
			break;
	}
	return (enum selection_part)part;
}

/* Returns the length up to the next part or the end. */
static size_t length(const char *text)
{
	size_t n = strcspn(text, ",");

	while (text[n] && find_part(text + n + 1) == N_SELECTION_PARTS)
		n += 1 + strcspn(text + n + 1, ",");
	return n;
}

static int add_part(struct selection *s, enum selection_part part, const char *text, size_t n,
		    struct err *err)
{
	const char *name = selection_part_table[part].name;
	const size_t skip = strlen(name) + 1;

	if (s->part[part])
		return err_set(err, EINVAL, "'%s=' is given twice", name);
	if (n == skip)
		return err_set(err, EINVAL, "'%s=' is empty", name);
	s->part[part] = xstrndup(text + skip, n - skip);
	return 0;
}

static int take_file(struct selection *s, const char **word, const struct selection *before,
		     struct err *err)
{
	size_t n;

	if (find_part(*word) != N_SELECTION_PARTS) {
		if (!before)
			return err_set(err, EINVAL, "'%s' names no recording: FILE,%s", *word,
				       *word);
		s->file = xstrdup(before->file);
		return 0;
	}
	n = length(*word);
	if (!n)
		return err_set(err, EINVAL, "'%s' names no recording", *word);
	s->file = xstrndup(*word, n);
	*word += n + ((*word)[n] == ',');
	return 0;
}

int selection_parse(struct selection *out, const char *word, const struct selection *before,
		    struct err *err)
{
	const char *text = word;
	int ret;

	*out = (struct selection){.file = NULL};
	ret = take_file(out, &text, before, err);
	while (!ret && *text) {
		const size_t n = length(text);

		ret = add_part(out, find_part(text), text, n, err);
		text += n + (text[n] == ',');
	}
	return ret;
}

void selection_override(struct selection *s, char *const part[N_SELECTION_PARTS])
{
	for (int i = 0; i < N_SELECTION_PARTS; i++)
		if (part[i]) {
			free(s->part[i]);
			s->part[i] = xstrdup(part[i]);
		}
}

void selection_done(struct selection *s)
{
	free(s->file);
	for (int i = 0; i < N_SELECTION_PARTS; i++)
		free(s->part[i]);
	*s = (struct selection){.file = NULL};
}

int selection_explain_missing(const char *command, const char *options, struct err *err)
{
	return err_set(err, EINVAL,
		       "%s: a recording is missing: " SELECTION_HOW ", and 'tiptop %s FILE%s' "
		       "reads it",
		       command, command, options);
}

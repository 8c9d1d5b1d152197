/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of comparison: the table of its formats. */
#include <errno.h>
#include <string.h>

#include "series/comparison_part.h"

static const struct comparison_format formats[] = {
	{"text", comparison_add_text},
};

#define N_FORMATS (sizeof formats / sizeof *formats)

int comparison_find_format(const struct comparison_format **out, const char *name, struct err *err)
{
	size_t i = 0;

	while (i < N_FORMATS && strcmp(formats[i].name, name))
		i++;
	if (i == N_FORMATS)
		return err_set(err, EINVAL,
			       "there is no format '%s' (--format): it is text", name);
	*out = &formats[i];
	return 0;
}

const char *comparison_unit(const struct column *c)
{
	static const char *const per_s[N_UNITS] = {
		[UNIT_NONE] = "1/s",  [UNIT_COUNT] = "1/s", [UNIT_MILLION] = "million/s",
		[UNIT_NS] = "ns/s",   [UNIT_S] = "s/s",     [UNIT_BYTES] = "bytes/s",
		[UNIT_KIB] = "KiB/s",
	};

	if (c->kind == COLUMN_COUNT && per_s[c->unit])
		return per_s[c->unit];
	return unit_table[c->unit].name;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/task/command_line.h"

const char *command_line_make(struct strbuf *raw, const char *name)
{
	while (raw->len && !raw->text[raw->len - 1])
		raw->len--;
	for (size_t i = 0; i < raw->len; i++)
		if (!raw->text[i])
			raw->text[i] = ' ';
	if (raw->len)
		raw->text[raw->len] = '\0';
	else
		strbuf_addf(raw, "[%s]", name);
	return raw->text;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "view/sort.h"

#include <string.h>

const struct column *sort_column_of(const struct screen *screen, int sort)
{
	return sort >= 0 && (size_t)sort < screen->n_columns ? &screen->column[sort] : NULL;
}

bool sort_is_text(const struct screen *screen, int sort)
{
	return sort != SORT_PID && !sort_column_of(screen, sort);
}

int sort_find(const struct screen *screen, const char *name)
{
	int len;

	for (int sort = SORT_PID; sort <= (int)screen->n_columns; sort++) {
		const char *known = sort_name(screen, sort, &len);

		if (strlen(name) == (size_t)len && !memcmp(known, name, (size_t)len))
			return sort;
	}
	return 0;
}

const char *sort_name(const struct screen *screen, int sort, int *len)
{
	const struct column *column = sort_column_of(screen, sort);
	const char *name = sort == SORT_PID ? "PID" : sort == SORT_USER ? "user" : "COMMAND";

	if (column)
		return screen_column_name(column, len);
	*len = (int)strlen(name);
	return name;
}

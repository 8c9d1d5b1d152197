/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/environment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "pmu/check/privilege.h"

/* The kernel takes less. */
#define ENVIRONMENT_MAX (64u << 20)

static int append(const char *name, const char *list, const char *more)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	strbuf_addf(&text, "%s:%s", list, more);
	ret = setenv(name, text.text, 1);
	strbuf_done(&text);
	return ret;
}

static int add(const char *name, const char *value)
{
	const char *present = getenv(name);

	if (present && !strcmp(name, "LD_PRELOAD") && *value)
		return append(name, present, value);
	return setenv(name, value, 0);
}

int environment_add(const char *text, size_t len)
{
	int ret = 0;

	for (const char *entry = text; !ret && entry < text + len; entry += strlen(entry) + 1) {
		const char *equals = strchr(entry, '=');
		char *name;

		if (!equals || equals == entry || !strncmp(entry, "TIPTOP_", strlen("TIPTOP_")))
			continue;
		name = xstrndup(entry, (size_t)(equals - entry));
		ret = add(name, equals + 1) ? -errno : 0;
		free(name);
	}
	return ret;
}

int environment_restore(void)
{
	struct strbuf text;
	ssize_t n;
	int ret;

	if (!privilege_is_of_file())
		return 0;
	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, "/proc/self/environ", ENVIRONMENT_MAX, &text);
	ret = n < 0 ? (int)n : environment_add(text.text, text.len);
	strbuf_done(&text);
	return ret;
}

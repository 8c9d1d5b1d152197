/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * golden - compares the output of a test with a file of tests/golden. TAP_UPDATE=1 in the
 * environment rewrites these files: check the difference before committing it.
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stdlib.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "tap.h"
#include "tui/canvas.h"

/* Returns the contents of a file, which the caller frees; NULL if it is not readable. */
static inline char *golden_read(const char *path)
{
	struct strbuf text;
	char part[4096];
	size_t n;
	FILE *in = fopen(path, "re");

	if (!in)
		return NULL;
	strbuf_init(&text);
	while ((n = fread(part, 1, sizeof part, in)) > 0)
		strbuf_add(&text, part, n);
	fclose(in);
	return text.text;
}

static inline void golden_write(const char *path, const char *text)
{
	FILE *out = fopen(path, "we");

	tap_ok(out && fputs(text, out) >= 0, "%s written", path);
	if (out)
		fclose(out);
}

/* Compares text with tests/golden/FOLDER/NAME.txt. */
static inline void golden_check(const char *folder, const char *name, const char *text)
{
	const char *srcdir = getenv("srcdir"), *update = getenv("TAP_UPDATE");
	char *path = xasprintf("%s/tests/golden/%s/%s.txt", srcdir ? srcdir : ".", folder, name),
	     *want;

	if (update && *update)
		golden_write(path, text);
	want = golden_read(path);
	tap_str(text, want ? want : "(no such file)", "%s", name);
	free(want);
	free(path);
}

/* Compares a canvas, with its looks, with tests/golden/ui/NAME.txt. */
static inline void golden_check_canvas(const struct canvas *c, const char *name)
{
	struct strbuf got;

	strbuf_init(&got);
	canvas_dump(c, true, &got);
	golden_check("ui", name, got.text);
	strbuf_done(&got);
}

#endif

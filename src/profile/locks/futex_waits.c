/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_waits.h"

#include <string.h>
#include <unistd.h>

#include "inject/preload/module.h"
#include "profile/locks/language.h"
#include "profile/locks/symbol.h"

static enum maker maker_of(const struct locks_module *m)
{
	const int fd = symbols_open_file(m);
	enum maker maker = MAKER_OTHER;

	if (fd >= 0) {
		maker = maker_of_file(fd);
		close(fd);
	}
	return maker;
}

static const char *sentence_of(const struct locks_module *m)
{
	static const char *const of_makers[] = {
		[MAKER_GO] = "is in Go, whose locks",
		[MAKER_RUST] = "is in Rust, whose locks",
	};

	return module_waits_itself(m->path) ? "is loaded, whose locks and barriers"
					    : of_makers[maker_of(m)];
}

bool unseen_tell(const struct locks_module *m, struct strbuf *out)
{
	const char *name = strrchr(m->path, '/'), *what = m->inode ? sentence_of(m) : NULL;

	strbuf_reset(out);
	if (what)
		strbuf_addf(out, "%s %s use futex(2) themselves, and are not here",
			    name ? name + 1 : m->path, what);
	return what != NULL;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The note about programs that call futex(2) directly. */
#include "profile/locks/symbol.h"
#include "tap.h"

int main(void)
{
	struct locks_module m = {.inode = 1, .path = "/lib/libgomp.so.1"};
	struct strbuf text;

	strbuf_init(&text);
	tap_ok(futex_waits_explain(&m, false, &text), "the library of OpenMP");
	tap_str(text.text,
		"libgomp.so.1 is loaded, whose locks and barriers use futex(2) themselves, and are "
		"not here",
		"is named");
	tap_ok(futex_waits_hide(&m, false) && !futex_waits_hide(&m, true),
	       "its waits are hidden, but not to the kernel");
	tap_ok(futex_waits_explain(&m, true, &text), "with what the kernel has recorded");
	tap_str(text.text,
		"libgomp.so.1 is loaded, whose locks and barriers are here only as futexes, and "
		"only when a thread waits",
		"its waits are there");
	snprintf(m.path, sizeof m.path, "/lib/libgomptron.so");
	tap_ok(!futex_waits_explain(&m, false, &text) && !text.len,
	       "nothing is said of another library");
	snprintf(m.path, sizeof m.path, "libgomp.so.1");
	tap_ok(!futex_waits_explain(&m, false, &text), "nor of what has no path");
	tap_ok(!futex_waits_hide(&m, false), "whose waits are not hidden");
	m.inode = 0;
	snprintf(m.path, sizeof m.path, "/lib/libgomp.so.1");
	tap_ok(!futex_waits_explain(&m, false, &text), "nor of what is not a file");
	strbuf_done(&text);
	return tap_done();
}

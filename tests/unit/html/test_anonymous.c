/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up names: stable, distinct, and only where they are wanted. */
#include "html/html_page.h"

#include "tap.h"

int main(void)
{
	struct anonymous a = {.on = false};

	tap_str(anonymous_text(&a, ANONYMOUS_USER, "alice"), "alice", "switched off");
	tap_str(anonymous_program(&a, "/opt/x y"), "/opt/x y", "a program, too");
	a.on = true;
	tap_str(anonymous_text(&a, ANONYMOUS_USER, "alice"), "user1", "a user");
	tap_str(anonymous_text(&a, ANONYMOUS_USER, "bob"), "user2", "another one");
	tap_str(anonymous_text(&a, ANONYMOUS_USER, "alice"), "user1", "the first one again");
	tap_str(anonymous_text(&a, ANONYMOUS_HOST, "alice"), "host1", "a host of that name");
	tap_str(anonymous_text(&a, ANONYMOUS_CONTAINER, ""), "", "no container");
	tap_str(anonymous_text(&a, ANONYMOUS_CONTAINER, "?"), "?", "an unknown one");
	tap_ok(!anonymous_text(&a, ANONYMOUS_USER, NULL), "NULL");
	tap_str(anonymous_program(&a, "/opt/alice/bin/tool"), "tool", "a program without folders");
	tap_str(anonymous_program(&a, "postgres: alice"), "postgres", "and without arguments");
	tap_str(anonymous_program(&a, "kworker/0:1"), "kworker/0:1", "a thread of the kernel");
	tap_str(anonymous_program(&a, "/"), "/", "a bare slash");
	tap_str(anonymous_program(&a, ": x"), ":", "a bare colon");
	anonymous_done(&a);
	return tap_done();
}

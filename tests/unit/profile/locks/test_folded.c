/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waits in made-up tables, as lines for flame graphs. */
#include <stdlib.h>
#include <sys/mman.h>

#include "locks_rig.h"
#include "profile/locks/folded.h"
#include "tap.h"

static struct locks_copy copy;
static struct strbuf text;

static const char *fold_by(enum locks_group_key key)
{
	struct resolver *names = resolver_new(copy.module, copy.header.n_modules);

	strbuf_reset(&text);
	locks_folded_add(&copy, names, key, &text);
	resolver_free(names);
	return text.text;
}

static const char *fold(void)
{
	return fold_by(LOCKS_BY_NONE);
}

int main(void)
{
	struct err err = ERR_INIT;
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd);
	locks_copy_init(&copy);
	strbuf_init(&text);
	if (locks_copy_read(&copy, fd, true, &err))
		abort();
	close(fd);
	tap_str(fold(),
		"process 4711;?program;?program;[lock of ?program];[held by ?program] 1\n"
		"process 4711;?program;?program;[lock of ?program];[held by ?program] 3\n"
		"process 4711;?program;?program;[lock of ?program];[held by ?program] 1\n",
		"callers, the lock, who had it");
	tap_ok(!strncmp(fold_by(LOCKS_BY_LOCK),
			"process 4711;[lock of ?program] 0x50c0#1;?program;?program;[lock ", 65),
	       "by lock: %s", text.text);
	tap_ok(!strncmp(fold_by(LOCKS_BY_VARIABLE),
			"process 4711;[lock of ?program];?program;?program;[lock ", 56),
	       "by variable: %s", text.text);
	tap_ok(!strncmp(fold_by(LOCKS_BY_PLACE), "process 4711;?program;?program;?program;", 40),
	       "by place: %s", text.text);
	tap_ok(!strncmp(fold_by(LOCKS_BY_KIND), "process 4711;[mutex];?program;", 30),
	       "by kind: %s", text.text);
	tap_ok(!strncmp(fold_by(LOCKS_BY_PROCESS), "process 4711;?program;?program;[lock ", 37),
	       "by process: %s", text.text);
	copy.instance[copy.wait[1].instance - 1].kind = LOCKS_FUTEX;
	tap_ok(strstr(fold(), ";[futex of ?program];[woken by ?program] 1\n") ==
		       strstr(fold(), ";[futex"),
	       "a futex, and who woke");
	copy.instance[copy.wait[1].instance - 1].kind = LOCKS_MUTEX;
	copy.header.n_waits = 2;
	copy.wait[1].holder = 0;
	copy.wait[1].frame[1] = 0x9000;
	snprintf(copy.module[0].path, sizeof copy.module[0].path, "/a;b+c");
	tap_str(fold(), "process 4711;?;a:b+c;[lock of a:b+c] 1\n",
		"what is not known is left out, and a name is one part");
	snprintf(copy.module[0].path, sizeof copy.module[0].path, "/a+0x1b.so");
	tap_str(fold(), "process 4711;?;a+0x1b.so;[lock of a+0x1b.so] 1\n",
		"only the place at the end is cut off");
	copy.wait[1].instance = 0;
	copy.wait[1].n_frames = 0;
	tap_str(fold(), "process 4711;[lock other] 1\n", "what had no room");
	strbuf_done(&text);
	locks_copy_done(&copy);
	return tap_done();
}

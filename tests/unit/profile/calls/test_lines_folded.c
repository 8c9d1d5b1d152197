/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of library calls in a made-up table, as lines for flame graphs. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "calls_rig.h"
#include "profile/calls/lines.h"
#include "tap.h"

int main(void)
{
	struct calls_report r;
	struct err err = ERR_INIT;
	struct strbuf text;
	int fd = memfd_create("calls", MFD_CLOEXEC);

	rig_write(fd);
	if (calls_report_read(&r, fd, false, &err))
		abort();
	memcpy(r.function[RIG_MALLOC].name, "m;c", sizeof "m;c");
	calls_report_make(&r, 2700);
	strbuf_init(&text);
	calls_folded_add(&r, &text);
	tap_str(text.text,
		"process 4711;program 7400\n"
		"process 4711;io;read 5000\n"
		"process 4711;memory;m:c 2400\n",
		"the program and functions that were called, in ns; a name is one part");
	tap_int(r.time * 2, 7400 + 5000 + 2400, "together, the time of the threads");
	strbuf_done(&text);
	calls_report_done(&r);
	close(fd);
	return tap_done();
}

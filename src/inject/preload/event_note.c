/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/event_note.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

const char *event_note_reason(const struct event_note *e)
{
	if (!e->n_threads[EVENT_REFUSED])
		return NULL;
	switch (e->error) {
	case EACCES:
	case EPERM:
		return "the kernel forbids it: set kernel.perf_event_paranoid to 2 or less";
	case EMFILE:
	case ENFILE:
		return "no descriptor was left for it: raise the limit (ulimit -n)";
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		return "this machine has no such counter";
	default:
		return strerror((int)e->error);
	}
}

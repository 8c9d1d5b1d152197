/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/event_note.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

struct reason {
	uint32_t error; /* errno */
	const char *id, *text;
};

#define FORBIDDEN     "the kernel forbids it: set kernel.perf_event_paranoid to 2 or less"
#define NO_DESCRIPTOR "no descriptor was left for it: raise the limit (ulimit -n)"
#define NO_COUNTER    "this machine has no such counter"

static const struct reason reasons[] = {
	{EACCES, "forbidden", FORBIDDEN},         {EPERM, "forbidden", FORBIDDEN},
	{EMFILE, "no-descriptor", NO_DESCRIPTOR}, {ENFILE, "no-descriptor", NO_DESCRIPTOR},
	{ENOENT, "no-counter", NO_COUNTER},       {ENODEV, "no-counter", NO_COUNTER},
	{EOPNOTSUPP, "no-counter", NO_COUNTER},
};

/* Returns the row of an error; NULL: it has none. */
static const struct reason *find_reason(uint32_t error)
{
	for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
		if (reasons[i].error == error)
			return &reasons[i];
	return NULL;
}

const char *event_note_reason(const struct event_note *e)
{
	const struct reason *reason = find_reason(e->error);

	if (!e->n_threads[EVENT_REFUSED])
		return NULL;
	return reason ? reason->text : strerror((int)e->error);
}

const char *event_note_reason_id(const struct event_note *e)
{
	const struct reason *reason = find_reason(e->error);

	if (!e->n_threads[EVENT_REFUSED])
		return NULL;
	return reason ? reason->id : "other";
}

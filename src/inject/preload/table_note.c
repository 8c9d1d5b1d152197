/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/table_note.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "inject/lib/clock.h"
#include "inject/preload/seccomp_filter.h"

/* ---- events ---- */

struct reason {
	uint32_t error; /* errno */
	const char *id, *text;
};

#define FORBIDDEN                                                                                  \
	"the kernel forbids it: set kernel.perf_event_paranoid to 2 or less, or to 1 or less to "  \
	"count in the kernel"
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

/* ---- an early end ---- */

static bool add_sentence(struct strbuf *out, uint32_t lacking, uint64_t ns)
{
	const char *name = seccomp_calls_name(lacking);

	if (name)
		strbuf_addf(out,
			    "measuring stopped after %.3f s: the program set a filter of system "
			    "calls that does not allow %s",
			    (double)ns / 1e9, name);
	return name;
}

bool header_set_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick)
{
	strbuf_reset(out);
	return add_sentence(out, lacking, tt_multiply(ticks, ns_per_tick));
}

void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns)
{
	if (!seccomp_calls_name(lacking))
		return;
	strbuf_addstr(out, "#   ");
	add_sentence(out, lacking, ns);
	strbuf_addstr(out, "\n");
}

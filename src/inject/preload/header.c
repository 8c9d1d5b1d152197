/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/header.h"

#include "inject/lib/clock.h"
#include "inject/preload/seccomp_calls.h"

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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of interference: in sentences. */
#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "base/unit.h"
#include "view/interference.h"

static const char *const shared[] = {
	[SHARE_NOTHING] = "",
	[SHARE_NODE] = ", which shares the memory",
	[SHARE_L3] = ", which shares the L3",
	[SHARE_L2] = ", which shares the L2",
	[SHARE_CORE] = ", which shares the core",
	[SHARE_CPU] = ", the same one",
};

static void add_time(struct strbuf *out, uint64_t wall_ns)
{
	const time_t t = (time_t)(wall_ns / 1000000000u);
	char text[32] = "?";
	struct tm tm;

	if (localtime_r(&t, &tm))
		strftime(text, sizeof text, "%H:%M:%S", &tm);
	strbuf_addstr(out, text);
}

/* Beginnings are known to one refresh. */
static void add_lead(struct strbuf *out, double lead_s)
{
	if (lead_s == 0)
		strbuf_addstr(out, " at that time");
	else
		strbuf_addf(out, " %.3g s %s", fabs(lead_s), lead_s > 0 ? "before" : "after");
}

void interference_tell(struct strbuf *out, const struct interference *i)
{
	const struct change *cause = i->cause;

	strbuf_addf(out, "IPC %.2f -> %.2f since ", i->drop->before, i->drop->after);
	add_time(out, i->wall_ns);
	strbuf_addf(out, "; %" PRIu64 " %s ", cause->of.id, cause->name);
	strbuf_addstr(out, cause->kind == CHANGE_BEGAN ? "began" : "changed its phase");
	strbuf_addf(out, " on CPU %d%s,", i->cpu, shared[i->share]);
	add_lead(out, i->lead_s);
}

void interference_tell_more(struct strbuf *out, const struct interference *i)
{
	if (!isnan(i->before) && !isnan(i->after))
		strbuf_addf(out, "cache misses for 1000 instructions %.3g -> %.3g; ", i->before,
			    i->after);
	else
		strbuf_addstr(out, "cache misses were not counted; ");
	if (!isnan(i->brought)) {
		strbuf_addf(out, "those of %s grew by ", i->cause->name);
		unit_add(out, UNIT_COUNT, fmax(i->brought, 0));
		strbuf_addstr(out, " a second; ");
	}
	if (i->n_others)
		strbuf_addf(out, "%zu more began as well; ", i->n_others);
	strbuf_addf(out,
		    "this is a coincidence in time and no proof: by chance, one drop in %.0f meets "
		    "such a beginning",
		    fmax(floor(1 / i->chance), 1));
}

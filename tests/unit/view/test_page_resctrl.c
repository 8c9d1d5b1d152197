/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The page's section on resctrl groups. The numbers of a group belong to a task only if the task is
 * its only member.
 */
#include <string.h>

#include "model/kinds.h"
#include "tap.h"
#include "view/page.h"

static struct detail detail;
static struct page page;

static void build(void)
{
	const struct task task = {.kind = &kind_task, .id = 10, .owner = 10};
	const struct frame_row row = {.task = &task};
	const struct page_input in = {.detail = &detail};
	struct page_writer w = {.page = &page, .in = &in, .row = &row};

	page_reset(&page, &(struct row_id){.kind = &kind_task, .owner = 10, .id = 10});
	strbuf_init(&w.text);
	page_write_resctrl(&w);
	strbuf_done(&w.text);
}

/* Returns line i of the section's groups. */
static const char *line(size_t i)
{
	return i + 2 < page.n ? page.line[i + 2].text : "(none)";
}

static void test_groups(struct resctrl *r)
{
	*r = (struct resctrl){.mounted = true, .own_known = true, .n = 3, .n_more = 2};
	r->group[0] = (struct resctrl_group){.name = "/web",
					     .number = {3 << 20, 2e9, 1 << 20},
					     .tasks_known = true,
					     .n_tasks = 2,
					     .n_own = 2};
	r->group[1] =
		(struct resctrl_group){.why = {RESCTRL_UNAVAILABLE, RESCTRL_FIRST, RESCTRL_ABSENT}};
	r->group[2] = r->group[0];
	memcpy(r->group[2].name, "/db", sizeof "/db");
	r->group[2].n_own = 0;
	r->group[2].has_cpus = true;
	build();
	tap_str(line(0), "     3.0M      1.9G      1.0M  /web: this task alone", "its own");
	tap_str(line(1),
		"        ?         ?         ?  /: all that is in no other group; L3: the hardware "
		"had no number at this moment; memory: seen once so far; local memory: this "
		"machine "
		"does not count it",
		"what is not known has its reason");
	tap_str(line(2),
		"     3.0M      1.9G      1.0M  /db: 2 threads, none of this task, and what runs "
		"on "
		"its CPUs",
		"that of others");
	tap_str(line(3), "and 2 more groups, which are not read", "those that are left out");
	tap_ok(strstr(line(4), "comes first"), "whose is whose");
}

int main(void)
{
	struct resctrl *r = &detail.resctrl;

	page_init(&page);
	build();
	tap_int((long)page.n, 0, "where it is not mounted, nothing is said");
	test_groups(r);
	r->group[0].has_cpus = true;
	build();
	tap_ok(strstr(line(0), "/web: 2 threads, 2 of them of this task, and what runs on"),
	       "with CPUs, it is not the task's alone: %s", line(0));
	r->group[0].has_cpus = false;
	r->group[0].n_tasks = 3;
	build();
	tap_ok(strstr(line(0), "/web: 3 threads, 2 of them of this task"), "nor with others");
	r->own_known = false;
	build();
	tap_ok(strstr(line(4), "group of this task is unknown"), "nor is the first its own then");
	page_done(&page);
	return tap_done();
}

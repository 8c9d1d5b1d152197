/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/kernel_threads.h"

#include <math.h>
#include <unistd.h>

#include "collect/command/increment.h"

void others_init(struct others *o, struct perf_sys *sys, const struct event_set *set)
{
	*o = (struct others){.sys = sys, .counts = set != NULL};
	event_set_init(&o->set);
	if (!set)
		return;
	event_set_copy(&o->set, set);
	o->set.inherit = true;
	for (int i = 0; i < set->plan.n; i++)
		if (event_is_hardware(&set->event[set->plan.member[i].event]))
			o->set.plan.member[i].group = EVENT_NO_GROUP;
}

void others_listen(struct others *o, pid_t command)
{
	if (o->sys->map &&
	    lives_open(&o->lives, o->sys, (int)sysconf(_SC_NPROCESSORS_CONF), command))
		o->lives = NULL;
}

void others_done(struct others *o)
{
	lives_close(o->lives);
	event_set_done(&o->set);
}

void process_others_open(const struct others *o, struct process_others *p, pid_t process,
			 bool on_exec)
{
	if (!o->lives || !o->counts || group_open(&p->group, o->sys, &o->set, process, on_exec))
		p->group = NULL;
}

static uint64_t read_all(const struct others *o, const struct process_others *p,
			 struct count *count)
{
	int error;

	return p->group ? group_read(p->group, o->sys, count, &error) : ~0ull;
}

void process_others_add(const struct others *o, const struct process_others *p, struct value *total,
			size_t n)
{
	struct count now[EVENT_SET_MAX];
	uint64_t unread;

	/* The first task is no thread that began. */
	if (!o->lives || p->begun + 1 <= p->followed)
		return;
	unread = read_all(o, p, now);
	for (size_t c = 0; c < n; c++) {
		const struct value all =
			p->group ? count_increment(&o->set, (int)c, now, p->last, unread)
				 : value_none(QUALITY_NOT_READ);

		if (value_known(all) && value_known(total[c]))
			total[c].number = fmax(total[c].number, all.number);
		else if (value_known(total[c]))
			total[c].quality = QUALITY_PARTIAL;
	}
}

void process_others_renew(const struct others *o, struct process_others *p)
{
	read_all(o, p, p->last);
	p->followed = 1;
	p->begun = 0;
}

void process_others_close(const struct others *o, struct process_others *p)
{
	group_close(p->group, o->sys);
}

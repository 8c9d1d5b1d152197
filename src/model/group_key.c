/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/group_key.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/kinds.h"

#define UNKNOWN "?"

/* What all kinds of groups have in common. */
#define GROUP_KIND(called)                                                                         \
	.name = called, .part = called, .counts_members = true, .label_name = "MEMBERS",           \
	.label_help = "how many processes, or threads, are in the group and alive",                \
	.facts = FACT_BIT(N_FACTS) - 1

static const struct kind kind_user = {
	GROUP_KIND("user"),
	.id_name = "USER",
	.id_help = "the effective user of the processes (/proc/PID/status: Uid)",
	.id_is_text = true,
};

static const struct kind kind_program = {
	GROUP_KIND("program"),
	.id_name = "PROGRAM",
	.id_help = "the name that the processes have given themselves (/proc/PID/comm)",
	.id_is_text = true,
};

static const struct kind kind_program_user = {
	GROUP_KIND("program of a user"),
	.id_name = "PROGRAM",
	.id_help = "the name that the processes have given themselves (/proc/PID/comm); those of "
		   "another user are another group",
	.id_is_text = true,
};

static const struct kind kind_session = {
	GROUP_KIND("session"),
	.id_name = "SESSION",
	.id_help = "the session, by the pid of its leader, such as the shell of a terminal "
		   "(/proc/PID/stat: session)",
};

static const struct kind kind_cgroup = {
	GROUP_KIND("control group"),
	.id_name = "CGROUP",
	.id_help = "the path of the control group (/proc/PID/cgroup)",
	.id_is_text = true,
};

static const struct kind kind_container = {
	GROUP_KIND("container"),
	.id_name = "CONTAINER",
	.id_help = "the container, by the path of the control group (/proc/PID/cgroup); - is none",
	.id_is_text = true,
};

static struct group_id process_of(const struct task *member)
{
	return (struct group_id){member->owner, ""};
}

static struct group_id user_of(const struct task *member)
{
	return (struct group_id){member->uid, member->user};
}

static struct group_id program_of(const struct task *member)
{
	return (struct group_id){0, member->process};
}

static struct group_id program_user_of(const struct task *member)
{
	return (struct group_id){member->uid, member->process};
}

static struct group_id session_of(const struct task *member)
{
	if (!(member->known & FACT_BIT(FACT_SESSION)))
		return (struct group_id){0, UNKNOWN};
	return (struct group_id){task_fact(member, FACT_SESSION), ""};
}

static struct group_id text_of(const struct task *member, enum fact fact)
{
	const char *text = task_text(member, fact);

	return (struct group_id){0, text ? text : UNKNOWN};
}

static struct group_id cgroup_of(const struct task *member)
{
	return text_of(member, FACT_CGROUP);
}

static struct group_id container_of(const struct task *member)
{
	return text_of(member, FACT_CONTAINER);
}

/* clang-format off */
const struct group_key_row group_key_table[N_GROUP_KEYS] = {
	[GROUP_PROCESS] = {"process", &kind_task, 0, process_of},
	[GROUP_USER] = {"user", &kind_user, 0, user_of},
	[GROUP_PROGRAM] = {"program", &kind_program, 0, program_of},
	[GROUP_PROGRAM_USER] = {"program-user", &kind_program_user, 0, program_user_of},
	[GROUP_SESSION] = {"session", &kind_session, FACT_BIT(FACT_SESSION), session_of},
	[GROUP_CGROUP] = {"cgroup", &kind_cgroup, FACT_BIT(FACT_CGROUP), cgroup_of},
	[GROUP_CONTAINER] = {"container", &kind_container, FACT_BIT(FACT_CONTAINER), container_of},
};
/* clang-format on */

int group_key_find(const char *name, enum group_key *key, struct err *err)
{
	struct strbuf list;
	int ret;

	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (!strcmp(group_key_table[k].name, name)) {
			*key = (enum group_key)k;
			return 0;
		}
	strbuf_init(&list);
	for (int k = 0; k < N_GROUP_KEYS; k++)
		strbuf_addf(&list, "%s%s", k ? ", " : "", group_key_table[k].name);
	ret = err_set(err, EINVAL, "tasks cannot be grouped by '%s': name one of %s", name,
		      list.text);
	strbuf_done(&list);
	return ret;
}

bool group_has(enum group_key key, struct group_id id, const struct task *t)
{
	return key == GROUP_PROCESS || !group_id_compare(group_key_table[key].of(t), id);
}

int group_id_compare(struct group_id x, struct group_id y)
{
	if (x.number != y.number)
		return x.number < y.number ? -1 : 1;
	return strcmp(x.text, y.text);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/group_key.h"

#include <errno.h>
#include <string.h>

#include "base/strbuf.h"
#include "model/kinds.h"

#define NUMBERS (FACT_BIT(N_NUMBER_FACTS) - 1)
#define MEMBERS                                                                                    \
	.label_name = "MEMBERS",                                                                   \
	.label_help = "how many processes, or threads, are in the group and alive"

static const struct kind kind_user = {
	.name = "user",
	.part = "user",
	.id_name = "USER",
	.id_help = "the effective user of the processes (/proc/PID/status: Uid)",
	.id_is_text = true,
	.facts = NUMBERS | FACT_BIT(FACT_USER),
	.counts_members = true,
	MEMBERS,
};

static const struct kind kind_program = {
	.name = "program",
	.part = "program",
	.id_name = "PROGRAM",
	.id_help = "the name that the processes have given themselves (/proc/PID/comm)",
	.id_is_text = true,
	.facts = NUMBERS | FACT_BIT(FACT_USER) | FACT_BIT(FACT_PROGRAM),
	.counts_members = true,
	MEMBERS,
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

const struct group_key_row group_key_table[N_GROUP_KEYS] = {
	[GROUP_PROCESS] = {"process", "the threads of a process", &kind_task, 0, process_of},
	[GROUP_USER] = {"user", "the tasks of a user", &kind_user, 0, user_of},
	[GROUP_PROGRAM] = {"program", "tasks whose processes have the same name", &kind_program, 0,
			   program_of},
};

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

int group_id_compare(struct group_id x, struct group_id y)
{
	if (x.number != y.number)
		return x.number < y.number ? -1 : 1;
	return strcmp(x.text, y.text);
}

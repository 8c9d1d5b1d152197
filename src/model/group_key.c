/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/group_key.h"

#include <errno.h>
#include <string.h>

#include "base/lookup.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "model/fact_list.h"
#include "model/kinds.h"

#define UNKNOWN "?"

/* The fields that all kinds of groups share. */
#define GROUP_KIND(called, several)                                                                \
	.name = called, .many = several, .part = called, .counts_members = true,                   \
	.label_name = "MEMBERS",                                                                   \
	.label_help = "how many processes, or threads, are in the group and alive",                \
	.facts = &fact_all

static const struct kind kind_user = {
	GROUP_KIND("user", "users"),
	.id_name = "USER",
	.id_help = "the effective user of the processes (/proc/PID/status: Uid)",
	.id_is_text = true,
};

static const struct kind kind_program = {
	GROUP_KIND("program", "programs"),
	.id_name = "PROGRAM",
	.id_is_comm = true,
	.id_help = "the name that the processes have given themselves (/proc/PID/comm)",
	.id_is_text = true,
};

static const struct kind kind_program_user = {
	GROUP_KIND("program of a user", "programs of users"),
	.id_name = "PROGRAM",
	.id_is_comm = true,
	.id_help = "the name that the processes have given themselves (/proc/PID/comm); those of "
		   "another user are another group",
	.id_is_text = true,
};

static const struct kind kind_session = {
	GROUP_KIND("session", "sessions"),
	.id_name = "SESSION",
	.id_help = "the session, by the pid of its leader, such as the shell of a terminal "
		   "(/proc/PID/stat: session)",
};

static const struct kind kind_cgroup = {
	GROUP_KIND("control group", "control groups"),
	.id_name = "CGROUP",
	.id_help = "the path of the control group (/proc/PID/cgroup)",
	.id_is_text = true,
};

static const struct kind kind_container = {
	GROUP_KIND("container", "containers"),
	.id_name = "CONTAINER",
	.id_help = "the container, by the path of the control group (/proc/PID/cgroup); - is none",
	.id_is_text = true,
};

/* The fields that all groups of CPUs share. */
#define CPUS_KIND(called, several)                                                                 \
	.name = called, .many = several, .part = called, .counts_members = true,                   \
	.label_name = "MEMBERS", .label_help = "how many CPUs it has that are online",             \
	.facts = &fact_all

static const struct kind kind_core = {
	CPUS_KIND("core", "cores"),
	.id_name = "CORE",
	.id_help = "the core, by the number of its first CPU (thread_siblings_list)",
};

static const struct kind kind_socket_of_cpus = {
	CPUS_KIND("socket", "sockets"),
	.id_name = "SOCKET",
	.id_help = "the socket (physical_package_id)",
};

static const struct kind kind_core_kind = {
	CPUS_KIND("kind of cores", "kinds of cores"),
	.id_name = "KIND",
	.id_help = "the kind of the cores: 0 is the fastest",
};

static const struct kind kind_machine = {
	CPUS_KIND("machine", "machines"),
	.id_name = "MACHINE",
	.id_help = "all that is counted, on one line",
	.id_is_text = true,
};

static const struct kind kind_region_group = {
	.name = "region of a program",
	.many = "regions of programs",
	.part = "region of a program",
	.counts_members = true,
	.id_name = "REGION",
	.id_help = "the name that the program has given the region; that of another program is "
		   "another group",
	.id_is_text = true,
	.label_name = "MEMBERS",
	.label_help = "how many processes have the region, and are alive",
	.busy = FACT_CALLS,
	.own_time = FACT_SELF_NS,
	.in_program = true,
	.facts = &fact_all,
};

static const struct kind kind_lock_group = {
	.name = "lock of a program",
	.many = "locks of programs",
	.part = "lock of a program",
	.counts_members = true,
	.id_name = "LOCK",
	.id_help = "the name of the lock; that of another program is another group",
	.id_is_text = true,
	.label_name = "MEMBERS",
	.label_help =
		"pairs of a lock of this name and a caller that acquires it, in processes that "
		"are alive",
	.busy = FACT_ACQUISITIONS,
	.own_time = FACT_ACQUIRE_NS,
	.in_program = true,
	.facts = &fact_all,
};

static const struct kind kind_call_group = {
	.name = "function",
	.many = "functions",
	.part = "function",
	.counts_members = true,
	.id_name = "FUNCTION",
	.id_help = "the function of a library, which several processes of one program call",
	.id_is_text = true,
	.label_name = "MEMBERS",
	.label_help = "how many processes call it, and are alive",
	.busy = FACT_CALLS,
	.own_time = FACT_SELF_NS,
	.in_program = true,
	.facts = &fact_all,
};

static const struct kind kind_mode = {
	CPUS_KIND("mode", "modes"),
	.id_name = "MODE",
	.id_help = "user mode, or the kernel",
	.id_is_text = true,
};

static struct group_id process_of(const struct task *member)
{
	return (struct group_id){.number = member->owner, .text = ""};
}

static struct group_id user_of(const struct task *member)
{
	return (struct group_id){.number = member->uid, .text = member->user};
}

static struct group_id program_of(const struct task *member)
{
	return (struct group_id){0, member->process, member->process};
}

static struct group_id program_user_of(const struct task *member)
{
	return (struct group_id){member->uid, member->process, member->process};
}

static struct group_id number_of(const struct task *member, int fact)
{
	if (!fact_in(member->known, fact))
		return (struct group_id){.text = UNKNOWN};
	return (struct group_id){.number = task_fact(member, fact), .text = ""};
}

static struct group_id session_of(const struct task *member)
{
	return number_of(member, FACT_SESSION);
}

static struct group_id core_of(const struct task *member)
{
	return number_of(member, FACT_CORE);
}

static struct group_id socket_of(const struct task *member)
{
	return number_of(member, FACT_SOCKET);
}

static struct group_id core_kind_of(const struct task *member)
{
	return number_of(member, FACT_CORE_KIND);
}

static struct group_id machine_of(const struct task *member)
{
	(void)member;
	return (struct group_id){.text = "all"};
}

static struct group_id mode_of(const struct task *member)
{
	const enum cpu_mode mode = kind_cpu_mode_of(member->id);

	return (struct group_id){.number = mode, .text = cpu_mode_names[mode]};
}

/* The program is a part of the id: several programs may have a region, lock or call of one name. */
static struct group_id named_of(const struct task *member)
{
	const char *program = member->process;

	return (struct group_id){hash_text(program, strlen(program)), member->name, program};
}

static struct group_id text_of(const struct task *member, int fact)
{
	const char *text = task_text(member, fact);

	return (struct group_id){.text = text ? text : UNKNOWN};
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
	[GROUP_PROCESS] = {"process", &kind_task, NULL, FACT_NONE, process_of},
	[GROUP_USER] = {"user", &kind_user, &kind_task, FACT_NONE, user_of},
	[GROUP_PROGRAM] = {"program", &kind_program, &kind_task, FACT_NONE, program_of},
	[GROUP_PROGRAM_USER] = {"program-user", &kind_program_user, &kind_task, FACT_NONE, program_user_of},
	[GROUP_SESSION] = {"session", &kind_session, &kind_task, FACT_SET(FACT_SESSION), session_of},
	[GROUP_CGROUP] = {"cgroup", &kind_cgroup, &kind_task, FACT_SET(FACT_CGROUP), cgroup_of},
	[GROUP_CONTAINER] = {"container", &kind_container, &kind_task, FACT_SET(FACT_CONTAINER), container_of},
	[GROUP_CORE] = {"core", &kind_core, &kind_cpu, FACT_SET(FACT_CORE), core_of},
	[GROUP_SOCKET] = {"socket", &kind_socket_of_cpus, &kind_cpu, FACT_SET(FACT_SOCKET), socket_of},
	[GROUP_CORE_KIND] = {"core-kind", &kind_core_kind, &kind_cpu, FACT_SET(FACT_CORE_KIND), core_kind_of},
	[GROUP_MACHINE] = {"machine", &kind_machine, &kind_cpu, FACT_NONE, machine_of},
	[GROUP_MODE] = {"mode", &kind_mode, &kind_cpu_mode, FACT_NONE, mode_of},
	[GROUP_REGION] = {"region", &kind_region_group, &kind_region, FACT_NONE, named_of},
	[GROUP_LOCK] = {"lock", &kind_lock_group, &kind_lock, FACT_NONE, named_of},
	[GROUP_CALL] = {"call", &kind_call_group, &kind_call, FACT_NONE, named_of},
};
/* clang-format on */

bool group_key_is_for(enum group_key key, const struct kind *kind)
{
	const struct kind *of_kind = group_key_table[key].of_kind;

	return !of_kind || kind_is(kind, of_kind);
}

int group_key_find(const char *name, const struct kind *kind, enum group_key *key, struct err *err)
{
	struct suggestion near;
	struct strbuf list;
	int ret;

	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (group_key_is_for((enum group_key)k, kind) &&
		    !strcmp(group_key_table[k].name, name)) {
			*key = (enum group_key)k;
			return 0;
		}
	strbuf_init(&list);
	suggestion_begin(&near, name);
	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (group_key_is_for((enum group_key)k, kind)) {
			suggestion_offer(&near, group_key_table[k].name);
			strbuf_addf(&list, "%s%s", k ? ", " : "", group_key_table[k].name);
		}
	ret = err_set(err, EINVAL, "%s cannot be grouped by '%s'%s: name one of %s", kind->many,
		      name, suggestion_text(&near), list.text);
	strbuf_done(&list);
	return ret;
}

enum group_key group_key_stable(const struct kind *kind)
{
	/* The key of a kind comes before the key of the kind that it is `like` (sample.h). */
	static const enum group_key lasting[] = {GROUP_REGION, GROUP_LOCK,    GROUP_CALL,
						 GROUP_MODE,   GROUP_MACHINE, GROUP_PROGRAM};
	size_t k = 0;

	while (k + 1 < sizeof lasting / sizeof *lasting && !group_key_is_for(lasting[k], kind))
		k++;
	return lasting[k];
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

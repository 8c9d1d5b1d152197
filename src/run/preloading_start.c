/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of preloading: what the command finds in its environment. */
#include "run/preloading.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/syscall_filters.h"
#include "inject/preload/events.h"
#include "inject/preload/exec_env.h"
#include "inject/preload/seccomp_calls.h"
#include "run/preloading_events.h"

/* Beside this program, as where it was built; else where it was installed. */
static int find_object(const struct preloading_use *use, const char *object, char *path,
		       size_t size, struct err *err)
{
	char own[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
	char *folder;

	own[n > 0 ? n : 0] = '\0';
	folder = strrchr(own, '/');
	if (folder)
		*folder = '\0';
	if (folder && snprintf(path, size, "%s/%s", own, object) < (int)size && !access(path, R_OK))
		return 0;
	if (snprintf(path, size, PRELOAD_FOLDER "/%s", object) < (int)size && !access(path, R_OK))
		return 0;
	return err_set(err, ENOENT,
		       "%s: cannot find %s, neither beside tiptop nor in " PRELOAD_FOLDER
		       ": is it installed?",
		       use->name, object);
}

/* Appends it as LD_PRELOAD has it. */
static int add_path(const struct preloading_use *use, const char *path, struct strbuf *list,
		    struct err *err)
{
	if (strpbrk(path, " :"))
		return err_set(err, EINVAL,
			       "%s: '%s' cannot be preloaded, as it has a blank or a colon in "
			       "its path",
			       use->name, path);
	strbuf_addf(list, "%s%s", list->len ? ":" : "", path);
	return 0;
}

static int add_object(const struct preloading_use *use, const char *object, struct strbuf *list,
		      struct err *err)
{
	char path[PATH_MAX];
	int ret = find_object(use, object, path, sizeof path, err);

	return ret ? ret : add_path(use, path, list, err);
}

/* Appends the objects that are wanted. The first one calls functions that the second one counts. */
static int add_objects(const struct preloading_use *use, const struct preloading_want *want,
		       struct strbuf *list, struct err *err)
{
	int ret = want->follow_exec ? add_object(use, "tiptop-exec.so", list, err) : 0;

	if (!ret)
		ret = add_object(use, use->object, list, err);
	if (!ret && want->more && *want->more)
		ret = add_path(use, want->more, list, err);
	return ret;
}

/* Sets a list of objects: these are before those that it has. */
static int set_list(const char *variable, const char *objects)
{
	const char *before = getenv(variable);
	struct strbuf list;
	int ret;

	strbuf_init(&list);
	strbuf_addstr(&list, objects);
	if (before && *before)
		strbuf_addf(&list, ":%s", before);
	ret = setenv(variable, list.text, 1);
	strbuf_done(&list);
	return ret;
}

/* Others may have asked for stacks: of what runs this. */
static int set_stacks(const struct preloading_use *use, bool stacks)
{
	if (!use->stacks_variable)
		return 0;
	return stacks ? setenv(use->stacks_variable, "1", 1) : unsetenv(use->stacks_variable);
}

/* The same of sampling. */
static int set_sample(const struct preloading_use *use, long sample)
{
	char number[32];

	if (!use->sample_variable)
		return 0;
	snprintf(number, sizeof number, "%ld", sample);
	return sample > 1 ? setenv(use->sample_variable, number, 1)
			  : unsetenv(use->sample_variable);
}

int preloading_check(const struct preloading_use *use, long sample, const char *events,
		     struct err *err)
{
	if (sample && !use->sample_variable)
		return err_set(err, EINVAL, "--sample is for tiptop locks: %s times each call",
			       use->name);
	return sample > 1 && events ? err_set(err, EINVAL,
					      "--sample: the events of --events are read in each "
					      "acquisition: leave one of both out")
				    : 0;
}

/* The same of events. */
static int set_events(const char *events)
{
	return events && *events ? setenv(EVENTS_VARIABLE, events, 1) : unsetenv(EVENTS_VARIABLE);
}

int preloading_try(const struct preloading_use *use, const struct preloading_want *want,
		   struct err *err)
{
	const bool events = want->events && *want->events;
	const uint32_t lacking = filter_trial_find_lacking(SECCOMP_START | use->needs |
							   (events ? SECCOMP_EVENTS : 0) |
							   seccomp_calls_need_clock());

	if (!lacking)
		return 0;
	return err_set(err, ENODATA,
		       "%s: nothing can be measured: tiptop runs under a filter of system calls "
		       "(seccomp(2)), as in a container, that does not allow %s, which %s calls: "
		       "let the filter allow it, or start tiptop outside of it",
		       use->name, seccomp_calls_name(lacking), use->object);
}

/* What is preloaded already comes behind, so that what it does is measured. */
static int set_environment(const struct preloading_use *use, const struct preloading_want *want,
			   const char *objects)
{
	const struct syscall_filters filters = syscall_filters_read(SYSCALL_FILTERS_OWN);
	struct strbuf folder;
	int ret = set_list("LD_PRELOAD", objects);

	strbuf_init(&folder);
	strbuf_addf(&folder, "%ld:%d:%s", want->children ? 0 : (long)getpid(),
		    filters.n > 0 ? filters.n : 0, want->folder);
	if (!ret && want->follow_exec)
		ret = set_list(EXEC_VARIABLE, objects);
	if (!ret)
		ret = setenv(use->variable, folder.text, 1);
	if (!ret)
		ret = set_stacks(use, want->stacks);
	if (!ret)
		ret = set_events(want->events);
	if (!ret)
		ret = set_sample(use, want->sample);
	strbuf_done(&folder);
	return ret;
}

int preloading_prepare(const struct preloading_use *use, const struct preloading_want *want,
		       struct err *err)
{
	struct strbuf objects;
	int ret;

	strbuf_init(&objects);
	ret = add_objects(use, want, &objects, err);
	if (!ret && set_environment(use, want, objects.text))
		ret = err_set(err, ENOMEM, "%s: there is no memory", use->name);
	strbuf_done(&objects);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The real /proc: what becomes of a walk in which libproc2 finds no memory. The linker puts the function below in place
 * of its own one.
 */
#include <errno.h>
#include <libproc2/pids.h>
#include <unistd.h>

#include "source/live/proc.h"
#include "tap.h"

static int allowed = -1; /* calls until one fails; below 0: none does */

struct pids_stack *__real_procps_pids_get(struct pids_info *info, enum pids_fetch_type which);
struct pids_stack *__wrap_procps_pids_get(struct pids_info *info, enum pids_fetch_type which);

/* procps_pids(3): NULL with the reason in errno, which is also how the list ends. */
struct pids_stack *__wrap_procps_pids_get(struct pids_info *info, enum pids_fetch_type which)
{
	if (allowed-- != 0)
		return __real_procps_pids_get(info, which);
	errno = ENOMEM;
	return NULL;
}

struct seen {
	int n;
	bool self;
};

static void visit(void *context, const struct proc_process *process)
{
	struct seen *seen = context;

	seen->n++;
	seen->self |= process->pid == getpid();
}

static void test_walk(struct proc *proc)
{
	struct seen seen = {0, false};

	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), 0, "a walk");
	tap_ok(seen.self, "finds this process");
	seen = (struct seen){0, false};
	allowed = 1;
	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), -ENOMEM, "one that is cut off is no success");
	tap_int(seen.n, 1, "though it found some");
	allowed = 0;
	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), -ENOMEM, "nor is one that finds nobody");
	tap_int(proc->walk(proc, NULL, 0, true, visit, &seen), 0, "the next one goes to the end");
}

int main(void)
{
	struct err err = ERR_INIT;
	struct proc *proc = proc_lib_new(&err);

	if (!proc)
		tap_ok(false, "%s", err.text);
	else
		test_walk(proc);
	proc_lib_free(proc);
	return tap_done();
}

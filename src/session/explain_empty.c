/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/explain_empty.h"

#include <errno.h>
#include <signal.h>

#include "pmu/check/task_status.h"

/* Explains a task whose status cannot be read. With the mount option hidepid, /proc shows users
 * their own tasks only; signals still tell whether it is there. */
static int explain_unseen(int pid, struct err *err)
{
	if (kill(pid, 0) && errno == EPERM)
		return err_set(err, ESRCH,
			       "the task %d (-p) is of another user, and /proc is mounted so that "
			       "those are hidden (hidepid): run tiptop as root",
			       pid);
	return err_set(err, ESRCH, "there is no task with the number %d (-p)", pid);
}

static int explain_pid(const struct view *view, struct err *err)
{
	const int pid = view->filter.pid;
	struct task_status status;

	if (task_status_read(pid, &status))
		return explain_unseen(pid, err);
	if (status.state == 'Z')
		return err_set(err, ESRCH, "the task %d (-p) has ended", pid);
	if (status.process != pid && !view->threads)
		return err_set(err, ESRCH,
			       "%d (-p) is a thread of the process %d: add -H, or name that", pid,
			       status.process);
	if (view->filter.uid < 0 || status.uid == view->filter.uid)
		return 0;
	if (view->uid_name)
		return err_set(err, ESRCH, "the task %d (-p) is not of the user '%s' (-u)", pid,
			       view->uid_name);
	return err_set(err, ESRCH,
		       "the task %d (-p) is of another user: -u with that user shows it", pid);
}

/* There may be tasks for the other filters. */
static int explain_row_filter(const struct view *view, struct err *err)
{
	bool others = view->filter.pid || view->filter.text || view->uid_name;

	return err_set(err, ENOENT, "no task%s passes the filter '%s' (--filter)",
		       others ? " that -p or -u lets pass" : "", view->filter_given);
}

int nobody_explain(const struct view *view, struct err *err)
{
	const struct filter *filter = &view->filter;
	const char *what = view->show_cmdline ? "command line" : "name";
	int ret = filter->pid ? explain_pid(view, err) : 0;

	if (ret || (filter->pid && !view->row_filter))
		return ret;
	if (view->row_filter)
		return explain_row_filter(view, err);
	if (filter->text && view->uid_name)
		return err_set(err, ENOENT, "no task of the user '%s' (-u) has '%s' in its %s (-p)",
			       view->uid_name, filter->text, what);
	if (filter->text && filter->uid >= 0)
		return err_set(err, ENOENT,
			       "no task of your own has '%s' in its %s (-p); -u shows those of "
			       "another user",
			       filter->text, what);
	if (filter->text)
		return err_set(err, ENOENT, "no task has '%s' in its %s (-p)", filter->text, what);
	if (view->uid_name)
		return err_set(err, ENOENT, "the user '%s' (-u) has no task", view->uid_name);
	return 0;
}

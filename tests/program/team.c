/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team - threads that acquire locks, one thread after the other, and report: name, acquisitions,
 * and number of locks.
 *
 *   few     threads w1 to w4: wN N000 times, N locks in turn, from two places; then the main one
 *   many    MANY threads, the main one last
 *   killed  two threads that hold a lock when the process is killed
 *   forked  the main thread, and in a child of it one thread and the main one, which has no lock
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* More than have a place in the table. */
#define MANY    4200
#define N_LOCKS 8

static pthread_mutex_t lock[N_LOCKS] = {
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};

struct task {
	const char *name;
	int n, locks;
};

static __attribute__((noinline)) void from_here(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

static __attribute__((noinline)) void from_there(pthread_mutex_t *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
}

static void *work(void *of)
{
	const struct task *task = of;

	if (task->name)
		pthread_setname_np(pthread_self(), task->name);
	for (int i = 0; i < task->n; i++)
		(i / task->locks % 2 ? from_there : from_here)(&lock[i % task->locks]);
	return NULL;
}

static void say(const struct task *task)
{
	printf("%s %d %d\n", task->name, task->n, task->locks);
	fflush(stdout);
}

static void run(struct task task)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work, &task) || pthread_join(thread, NULL))
		_exit(1);
}

static void do_few(void)
{
	static const struct task task[] = {
		{"w1", 1000, 1}, {"w2", 2000, 2},  {"w3", 3000, 3},
		{"w4", 4000, 4}, {"main", 700, 7},
	};
	const int n = sizeof task / sizeof *task;

	for (int i = 0; i < n - 1; i++)
		run(task[i]);
	work((void *)&task[n - 1]);
	for (int i = 0; i < n; i++)
		say(&task[i]);
}

static void do_many(void)
{
	for (int i = 0; i < MANY; i++)
		run((struct task){NULL, i % 3 + 1, 1});
	work(&(struct task){NULL, 5, 1});
	say(&(struct task){"all", MANY * 2 + 5, 1});
}

static int told[2];

/* Has its task's last lock until the end. */
static void *hold(void *of)
{
	const struct task *task = of;
	struct task before = *task;

	before.n--;
	work(&before);
	pthread_mutex_lock(&lock[task->locks - 1]);
	if (write(told[1], "h", 1) != 1)
		_exit(1);
	for (;;)
		pause();
}

static void do_killed(void)
{
	/* The first one holds a lock that the other does not want. */
	static struct task task[] = {{"w3", 30, 3}, {"w1", 10, 1}};
	pthread_t thread;
	char c;

	if (pipe(told))
		_exit(1);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, hold, &task[i]) || read(told[0], &c, 1) != 1)
			_exit(1);
	say(&task[0]);
	say(&task[1]);
	say(&(struct task){"main", 0, 0});
	kill(getpid(), SIGKILL);
}

static void do_forked(void)
{
	const struct task of_parent = {NULL, 50, 5}, of_child = {"w3", 30, 3};
	pid_t pid;

	work((void *)&of_parent);
	pid = fork();
	if (!pid) {
		run(of_child);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		_exit(1);
	say(&(struct task){"main", 50, 5});
	say(&(struct task){"main", 0, 0});
	say(&of_child);
}

int main(int n, char **argument)
{
	const char *what = n > 1 ? argument[1] : "";

	if (!strcmp(what, "few"))
		do_few();
	else if (!strcmp(what, "many"))
		do_many();
	else if (!strcmp(what, "killed"))
		do_killed();
	else if (!strcmp(what, "forked"))
		do_forked();
	else
		return 2;
	return 0;
}

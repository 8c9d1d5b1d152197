/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * team - threads that acquire locks, one thread after the other, and report: name, acquisitions,
 * and number of locks.
 *
 *   few     threads w1 to w4: wN N000 times, N locks in turn, from two places; then the main one
 *   many    MANY threads, the main one last
 *   killed  two threads that hold a lock when the process is killed
 *   forked  the main thread, and in a child of it one thread and the main one, which has no lock
 *   states  threads that report instead: name, and the times that the kernel knows of them: on a
 * CPU, and ready to run. One computes, one waits for a lock, one for a condition, one sleeps, one
 * reads, one waits for a child, and one jumps out of a read and sleeps
 *   fight   threads that want one lock all the time, until the process exits at once, and one
 * thread that has ended before
 */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* More threads than have a slot in the table. */
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

static int reported[2];

/* Has its task's last lock until the end. */
static void *hold(void *of)
{
	const struct task *task = of;
	struct task before = *task;

	before.n--;
	work(&before);
	pthread_mutex_lock(&lock[task->locks - 1]);
	if (write(reported[1], "h", 1) != 1)
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

	if (pipe(reported))
		_exit(1);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&thread, NULL, hold, &task[i]) || read(reported[0], &c, 1) != 1)
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

/* --- states --- */

#define MS 1000000L

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static long cpu_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void compute_for(long ns)
{
	const long end = cpu_ns() + ns;

	while (cpu_ns() < end)
		;
}

static void compute(void)
{
	compute_for(100 * MS);
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 150 * MS}, NULL);
}

static void wait_for_lock(void)
{
	pthread_mutex_lock(&lock[0]);
	pthread_mutex_unlock(&lock[0]);
}

static void wait_for_work(void)
{
	pthread_mutex_lock(&lock[1]);
	pthread_cond_wait(&cond, &lock[1]);
	pthread_mutex_unlock(&lock[1]);
}

static int pipe_ends[2];

static void wait_for_input(void)
{
	char c;

	if (read(pipe_ends[0], &c, 1) > 0)
		_exit(1);
}

static void wait_for_child(void)
{
	const pid_t pid = fork();

	if (!pid) {
		nap();
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static __thread sigjmp_buf before_read;
static volatile sig_atomic_t may_jump;

static void jump(int signal)
{
	siglongjmp(before_read, signal);
}

static void jump_and_sleep(void)
{
	if (!sigsetjmp(before_read, 1)) {
		may_jump = 1;
		wait_for_input();
	}
	nap();
	nap();
}

static pthread_key_t key;

/* Reads when the thread is ended already. */
static void read_late(void *of)
{
	char c;

	(void)of;
	if (read(-1, &c, 1) >= 0)
		_exit(1);
}

struct state {
	const char *name;
	void (*body)(void);
};

/* Returns for how long the thread was ready to run without a CPU, in ns. */
static long delay_ns(void)
{
	const int fd = open("/proc/thread-self/schedstat", O_RDONLY);
	char text[100] = "";
	long delay = 0;

	if (fd >= 0 && read(fd, text, sizeof text - 1) > 0)
		sscanf(text, "%*u %ld", &delay);
	close(fd);
	return delay;
}

/* Says what the kernel knows of the thread, less what was before its first step. Nothing here
 * acquires a lock. */
static void *be(void *of)
{
	const struct state *state = of;
	const long before = delay_ns();
	char text[100];

	pthread_setname_np(pthread_self(), state->name);
	pthread_setspecific(key, of);
	state->body();
	snprintf(text, sizeof text, "%s %ld %ld\n", state->name, cpu_ns(), delay_ns() - before);
	if (write(1, text, strlen(text)) < 0)
		_exit(1);
	return NULL;
}

static void do_states(void)
{
	static const struct state state[] = {
		{"busy", compute},           {"locked", wait_for_lock},
		{"idle", wait_for_work},     {"asleep", nap},
		{"reading", wait_for_input}, {"parent", wait_for_child},
		{"jumping", jump_and_sleep}};
	const int n = sizeof state / sizeof *state;
	pthread_t thread[sizeof state / sizeof *state];

	pthread_mutex_lock(&lock[0]);
	signal(SIGUSR1, jump);
	if (pipe(pipe_ends) || pthread_key_create(&key, read_late))
		_exit(1);
	for (int i = 0; i < n; i++)
		if (pthread_create(&thread[i], NULL, be, (void *)&state[i]))
			_exit(1);
	do
		nap();
	while (!may_jump);
	pthread_kill(thread[n - 1], SIGUSR1);
	nap();
	close(pipe_ends[1]);
	pthread_mutex_unlock(&lock[0]);
	pthread_mutex_lock(&lock[1]);
	pthread_cond_broadcast(&cond);
	pthread_mutex_unlock(&lock[1]);
	for (int i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
}

/* --- fight --- */

#define FIGHTERS 4

static void *fight(void *of)
{
	(void)of;
	for (;;) {
		pthread_mutex_lock(&lock[0]);
		compute_for(MS);
		pthread_mutex_unlock(&lock[0]);
	}
	return NULL;
}

static void do_fight(void)
{
	pthread_t thread;

	run((struct task){NULL, 1, 1});
	for (int i = 0; i < FIGHTERS; i++)
		if (pthread_create(&thread, NULL, fight, NULL))
			_exit(1);
	nap();
	nap();
	_exit(0);
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
	else if (!strcmp(what, "states"))
		do_states();
	else if (!strcmp(what, "fight"))
		do_fight();
	else
		return 2;
	return 0;
}

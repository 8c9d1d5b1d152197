/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * locker - a program with known uses of locks: does the steps in order, and at the end prints the
 * number of acquisitions of each lock: "name acquired".
 *
 *   mutex rwlock spin cond semaphore barrier c11   as often as defined below
 *   types      recursive, error-checking and robust mutexes: exits with 9 if one does not behave as
 *              it should
 *   given      a mutex that another thread releases, five times
 *   again      a mutex is destroyed and created again at its address, 5 times in all
 *   threads    1000 threads, of which 8 run at a time, each with two acquisitions
 *   many       40,000 mutexes, each acquired once
 *   late       after many: threads that acquire N of the first mutexes and one of the last ones,
 *              for each N up to 140
 *   handlers   signals whose handler acquires a lock, during 300,000 acquisitions
 *   cancel     threads are cancelled while they wait
 *   child      children by fork() that acquire locks, too: these are not counted
 *   unlike     a child destroys a mutex that its parent uses, and ends without using a lock
 *   spawn      children by vfork() and posix_spawn(), which use the memory of their parent
 *   hold       prints "hold LEAST MOST": bounds in ns of the time for which `held` was held
 *   free       30 ms without a lock
 *   kill _exit quick abort exec     ways to end
 *   execle execlp execve execveat fexecve     as exec, by this function
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define MANY 40000

static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, with_cond = PTHREAD_MUTEX_INITIALIZER,
		       held = PTHREAD_MUTEX_INITIALIZER, given = PTHREAD_MUTEX_INITIALIZER,
		       in_handler = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t recursive, checking, robust, renewed, many[MANY];
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spinning;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER, never = PTHREAD_COND_INITIALIZER;
static sem_t semaphore, empty;
static pthread_barrier_t barrier;
static mtx_t mutex11;
static cnd_t cond11;
static volatile sig_atomic_t turn, n_handled;

static void report(const char *name, long acquired)
{
	printf("%s %ld\n", name, acquired);
}

static void expect(int got, int want)
{
	if (got != want) {
		printf("got %d, want %d\n", got, want);
		exit(9);
	}
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void lock_plain(long n)
{
	while (n--) {
		pthread_mutex_lock(&plain);
		pthread_mutex_unlock(&plain);
	}
}

static void step_mutex(void)
{
	struct timespec past = {0, 0};

	lock_plain(1000);
	pthread_mutex_lock(&plain);
	expect(pthread_mutex_trylock(&plain), EBUSY);
	expect(pthread_mutex_timedlock(&plain, &past), ETIMEDOUT);
	expect(pthread_mutex_clocklock(&plain, CLOCK_MONOTONIC, &past), ETIMEDOUT);
	pthread_mutex_unlock(&plain);
	expect(pthread_mutex_trylock(&plain), 0);
	pthread_mutex_unlock(&plain);
	expect(pthread_mutex_timedlock(&plain, &past), 0);
	pthread_mutex_unlock(&plain);
	report("plain", 1003);
}

static void step_rwlock(void)
{
	for (int i = 0; i < 100; i++) {
		pthread_rwlock_rdlock(&shared);
		expect(pthread_rwlock_tryrdlock(&shared), 0);
		expect(pthread_rwlock_trywrlock(&shared), EBUSY);
		pthread_rwlock_unlock(&shared);
		pthread_rwlock_unlock(&shared);
	}
	for (int i = 0; i < 50; i++) {
		pthread_rwlock_wrlock(&shared);
		pthread_rwlock_unlock(&shared);
	}
	report("shared", 250);
}

static void step_spin(void)
{
	pthread_spin_init(&spinning, PTHREAD_PROCESS_PRIVATE);
	for (int i = 0; i < 70; i++) {
		pthread_spin_lock(&spinning);
		expect(pthread_spin_trylock(&spinning), EBUSY);
		pthread_spin_unlock(&spinning);
	}
	report("spinning", 70);
}

/* 200 turns of each; with_cond has another owner at each turn. */
static void *take_turns(void *own)
{
	const int me = own != NULL;

	for (int i = 0; i < 200; i++) {
		pthread_mutex_lock(&with_cond);
		while (turn != me)
			pthread_cond_wait(&cond, &with_cond);
		turn = !me;
		pthread_cond_signal(&cond);
		pthread_mutex_unlock(&with_cond);
	}
	return NULL;
}

static void step_cond(void)
{
	pthread_t other;

	turn = 0;
	pthread_create(&other, NULL, take_turns, &cond);
	take_turns(NULL);
	pthread_join(other, NULL);
	report("with_cond", 400);
}

static void step_semaphore(void)
{
	sem_init(&semaphore, 0, 30);
	for (int i = 0; i < 30; i++)
		expect(sem_wait(&semaphore), 0);
	errno = 0;
	expect(sem_trywait(&semaphore), -1);
	expect(errno, EAGAIN);
	report("semaphore", 30);
}

static void *meet(void *unused)
{
	for (int i = 0; i < 40; i++)
		pthread_barrier_wait(&barrier);
	return unused;
}

static void step_barrier(void)
{
	pthread_t other;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&other, NULL, meet, NULL);
	meet(NULL);
	pthread_join(other, NULL);
	report("barrier", 80);
}

static int take_turns11(void *own)
{
	const int me = own != NULL;

	for (int i = 0; i < 200; i++) {
		mtx_lock(&mutex11);
		while (turn != me)
			cnd_wait(&cond11, &mutex11);
		turn = !me;
		cnd_signal(&cond11);
		mtx_unlock(&mutex11);
	}
	return 5;
}

static void step_c11(void)
{
	thrd_t other;
	int result;

	turn = 0;
	mtx_init(&mutex11, mtx_plain);
	cnd_init(&cond11);
	thrd_create(&other, take_turns11, &cond11);
	take_turns11(NULL);
	thrd_join(other, &result);
	expect(result, 5);
	report("mutex11", 400);
}

static void *die(void *mutex)
{
	pthread_mutex_lock(mutex);
	return NULL;
}

static void step_types(void)
{
	pthread_mutexattr_t a;
	pthread_t owner;

	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&recursive, &a);
	for (int i = 0; i < 3; i++)
		expect(pthread_mutex_lock(&recursive), 0);
	for (int i = 0; i < 3; i++)
		expect(pthread_mutex_unlock(&recursive), 0);
	expect(pthread_mutex_unlock(&recursive), EPERM);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
	pthread_mutex_init(&checking, &a);
	expect(pthread_mutex_lock(&checking), 0);
	expect(pthread_mutex_lock(&checking), EDEADLK);
	expect(pthread_mutex_unlock(&checking), 0);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_NORMAL);
	pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&robust, &a);
	pthread_create(&owner, NULL, die, &robust);
	pthread_join(owner, NULL);
	expect(pthread_mutex_lock(&robust), EOWNERDEAD);
	pthread_mutex_consistent(&robust);
	expect(pthread_mutex_unlock(&robust), 0);
	report("recursive", 3);
	report("checking", 1);
	report("robust", 2);
}

static void *give(void *unused)
{
	pthread_mutex_unlock(&given);
	return unused;
}

static void step_given(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_t other;

		pthread_mutex_lock(&given);
		pthread_create(&other, NULL, give, NULL);
		pthread_join(other, NULL);
	}
	report("given", 5);
}

static void step_again(void)
{
	for (int i = 0; i < 5; i++) {
		pthread_mutex_init(&renewed, NULL);
		pthread_mutex_lock(&renewed);
		pthread_mutex_unlock(&renewed);
		pthread_mutex_destroy(&renewed);
	}
	report("renewed", 5);
}

static void *lock_twice(void *unused)
{
	lock_plain(2);
	return unused;
}

static void step_threads(void)
{
	pthread_t thread[8];

	for (int i = 0; i < 1000; i += 8) {
		for (int k = 0; k < 8; k++)
			expect(pthread_create(&thread[k], NULL, lock_twice, NULL), 0);
		for (int k = 0; k < 8; k++)
			pthread_join(thread[k], NULL);
	}
	report("plain", 2000);
}

static void step_many(void)
{
	for (int i = 0; i < MANY; i++) {
		pthread_mutex_init(&many[i], NULL);
		pthread_mutex_lock(&many[i]);
		pthread_mutex_unlock(&many[i]);
	}
	report("many", MANY);
}

#define LATE 140

static void *acquire_late(void *n)
{
	for (size_t i = 0; i <= (size_t)n; i++) {
		pthread_mutex_t *mutex = &many[i < (size_t)n ? i : MANY - 1];

		pthread_mutex_lock(mutex);
		pthread_mutex_unlock(mutex);
	}
	return NULL;
}

static void step_late(void)
{
	pthread_t thread;

	for (size_t n = 1; n <= LATE; n++) {
		pthread_create(&thread, NULL, acquire_late, (void *)n);
		pthread_join(thread, NULL);
	}
	report("late", LATE * (LATE + 1) / 2 + LATE);
}

static void handle(int signal)
{
	(void)signal;
	pthread_mutex_lock(&in_handler);
	n_handled++;
	pthread_mutex_unlock(&in_handler);
}

static void step_handlers(void)
{
	struct itimerval often = {{0, 50}, {0, 50}}, none = {{0, 0}, {0, 0}};

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	lock_plain(300000);
	setitimer(ITIMER_REAL, &none, NULL);
	report("plain", 300000);
	report("in_handler", n_handled);
}

static void clean(void *mutex)
{
	pthread_mutex_unlock(mutex);
}

static void *wait_for_ever(void *unused)
{
	pthread_mutex_lock(&with_cond);
	pthread_cleanup_push(clean, &with_cond);
	turn = 2;
	for (;;)
		pthread_cond_wait(&never, &with_cond);
	pthread_cleanup_pop(1);
	return unused;
}

static void *wait_for_nothing(void *unused)
{
	turn = 3;
	for (;;)
		sem_wait(&empty);
	return unused;
}

static void cancel(void *(*start)(void *), int begun)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, start, NULL);
	while (turn != begun)
		;
	pthread_cancel(thread);
	pthread_join(thread, &result);
	expect(result == PTHREAD_CANCELED, 1);
}

static void step_cancel(void)
{
	sem_init(&empty, 0, 0);
	cancel(wait_for_ever, 2);
	cancel(wait_for_nothing, 3);
	expect(pthread_mutex_trylock(&with_cond), 0);
	pthread_mutex_unlock(&with_cond);
	report("with_cond", 2);
}

static void step_child(void)
{
	int status;

	lock_plain(10);
	fflush(stdout);
	if (!fork()) {
		lock_plain(100);
		exit(7);
	}
	expect(wait(&status) > 0 && WEXITSTATUS(status) == 7, 1);
	lock_plain(10);
	report("plain", 20);
}

static void step_unlike(void)
{
	lock_plain(10);
	fflush(stdout);
	if (!fork()) {
		pthread_mutex_destroy(&plain);
		exit(0);
	}
	wait(NULL);
	lock_plain(10);
	report("plain", 20);
}

static void step_spawn(void)
{
	char name[] = "true", *const words[] = {name, NULL};
	pid_t child;

	lock_plain(10);
	child = vfork();
	if (!child) {
		lock_plain(1);
		_exit(0);
	}
	expect(waitpid(child, NULL, 0), child);
	expect(posix_spawnp(&child, name, NULL, NULL, words, environ), 0);
	expect(waitpid(child, NULL, 0), child);
	lock_plain(10);
	report("plain", 21);
}

static void step_free(void)
{
	const uint64_t begin = now_ns();

	while (now_ns() - begin < 30000000)
		;
}

static void step_hold(void)
{
	uint64_t outside = now_ns(), inside;

	pthread_mutex_lock(&held);
	inside = now_ns();
	step_free();
	inside = now_ns() - inside;
	pthread_mutex_unlock(&held);
	outside = now_ns() - outside;
	printf("hold %llu %llu\n", (unsigned long long)inside, (unsigned long long)outside);
}

static void step_kill(void)
{
	fflush(stdout);
	kill(getpid(), SIGKILL);
}

static void step_leave(void)
{
	fflush(stdout);
	_exit(3);
}

static void step_quick(void)
{
	fflush(stdout);
	quick_exit(4);
}

/* No core file is left of it. */
static void step_abort(void)
{
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	fflush(stdout);
	signal(SIGABRT, SIG_DFL);
	abort();
}

static char *const again[] = {(char *)"locker", (char *)"mutex", NULL};

static void step_exec(void)
{
	fflush(stdout);
	execl("/proc/self/exe", again[0], again[1], (char *)NULL);
}

static void step_execle(void)
{
	fflush(stdout);
	execle("/proc/self/exe", again[0], again[1], (char *)NULL, environ);
}

static void step_execlp(void)
{
	fflush(stdout);
	execlp("/proc/self/exe", again[0], again[1], (char *)NULL);
}

static void step_execve(void)
{
	fflush(stdout);
	execve("/proc/self/exe", again, environ);
}

static void step_execveat(void)
{
	fflush(stdout);
	execveat(AT_FDCWD, "/proc/self/exe", again, environ, 0);
}

static void step_fexecve(void)
{
	fflush(stdout);
	fexecve(open("/proc/self/exe", O_RDONLY | O_CLOEXEC), again, environ);
}

static const struct step {
	const char *name;
	void (*run)(void);
} steps[] = {
	{"mutex", step_mutex},         {"rwlock", step_rwlock},   {"spin", step_spin},
	{"cond", step_cond},           {"barrier", step_barrier}, {"c11", step_c11},
	{"semaphore", step_semaphore}, {"types", step_types},     {"again", step_again},
	{"threads", step_threads},     {"many", step_many},       {"handlers", step_handlers},
	{"cancel", step_cancel},       {"child", step_child},     {"unlike", step_unlike},
	{"given", step_given},         {"spawn", step_spawn},     {"quick", step_quick},
	{"abort", step_abort},         {"free", step_free},       {"hold", step_hold},
	{"kill", step_kill},           {"_exit", step_leave},     {"exec", step_exec},
	{"late", step_late},           {"execle", step_execle},   {"execlp", step_execlp},
	{"execve", step_execve},       {"fexecve", step_fexecve}, {"execveat", step_execveat},
};

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		size_t s = 0;

		while (s < sizeof steps / sizeof *steps && strcmp(argv[i], steps[s].name) != 0)
			s++;
		if (s == sizeof steps / sizeof *steps)
			return 2;
		steps[s].run();
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * caller - a program with known library calls: caller STEP... does each step, and reports its calls
 * of each function: "NAME CALLS". It is compiled without compiler builtins, and its report bypasses
 * the C library, so that each call in the source is exactly one call.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define THREADS 200

static volatile int sink;
static volatile unsigned n_handled;
static jmp_buf back;

static void say(const char *name, unsigned calls)
{
	char line[80];
	size_t n = 0, digits = 1;

	for (; name[n]; n++)
		line[n] = name[n];
	line[n++] = ' ';
	for (unsigned rest = calls; rest >= 10; rest /= 10)
		digits++;
	for (size_t i = digits; i--; calls /= 10)
		line[n + i] = (char)('0' + calls % 10);
	n += digits;
	line[n++] = '\n';
	syscall(SYS_write, STDOUT_FILENO, line, n);
}

static void fail(void)
{
	syscall(SYS_exit_group, 9);
}

/* --- the groups --- */

static void step_io(void)
{
	char buffer[64];
	int fd = open("/dev/null", O_RDWR | O_CREAT, 0600), number = 0;

	for (int i = 0; i < 30; i++)
		sink = (int)write(fd, "x", 1);
	for (int i = 0; i < 20; i++)
		sink = dprintf(fd, "%d %s %g %c\n", i, "text", 2.5, 'x');
	for (int i = 0; i < 17; i++)
		sink = snprintf(buffer, sizeof buffer, "%d-%s-%.1f", i, "text", 0.5);
	if (memcmp(buffer, "16-text-0.5", 12) || sscanf(buffer, "%d", &number) != 1 || number != 16)
		fail();
	close(fd);
	say("open", 1), say("write", 30), say("dprintf", 20), say("snprintf", 17), say("close", 1);
	say("memcmp", 1), say("__isoc99_sscanf", 1);
}

static void step_memory(void)
{
	for (int i = 0; i < 11; i++) {
		char *memory = malloc(100);

		memset(memory, i, 100);
		memory = realloc(memory, 200);
		sink = memory[99];
		free(memory);
	}
	say("malloc", 11), say("memset", 11), say("realloc", 11), say("free", 11);
}

static void step_string(void)
{
	for (int i = 0; i < 13; i++)
		sink = (int)strlen("text") + strcmp("a", "b") + (int)strtol("12", NULL, 10);
	say("strlen", 13), say("strcmp", 13), say("strtol", 13);
}

static void step_time(void)
{
	struct timespec now;

	for (int i = 0; i < 9; i++)
		clock_gettime(CLOCK_MONOTONIC, &now);
	say("clock_gettime", 9);
}

static void step_math(void)
{
	volatile double x = 2.5;

	for (int i = 0; i < 7; i++)
		x = floor(x) + pow(x, 0.5);
	say("floor", 7), say("pow", 7);
}

static void step_other(void)
{
	errno = 77;
	for (int i = 0; i < 5; i++)
		sink = getppid() == 0;
	if (errno != 77)
		fail();
	if (close(-1) != -1 || errno != EBADF)
		fail();
	say("getppid", 5), say("close", 1);
}

/* --- threads --- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *lock_often(void *unused)
{
	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
	return unused;
}

static void step_threads(void)
{
	pthread_t thread[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, lock_often, NULL))
			fail();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	say("pthread_create", THREADS), say("pthread_join", THREADS);
	say("pthread_mutex_lock", 50 * THREADS), say("pthread_mutex_unlock", 50 * THREADS);
}

static void unlock(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&mutex);
}

static int ends[2];
static sem_t semaphore;

static void *wait_cond(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, NULL);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	return unused;
}

static void *wait_read(void *unused)
{
	char byte;

	sink = (int)read(ends[0], &byte, 1);
	return unused;
}

static void *wait_pause(void *unused)
{
	pause();
	return unused;
}

static void *wait_semaphore(void *unused)
{
	sem_wait(&semaphore);
	return unused;
}

static void *wait_long(void *unused)
{
	nanosleep(&(struct timespec){.tv_sec = 1000}, NULL);
	return unused;
}

/* Each is cancelled in the call, or at its begin. */
static void step_cancel(void)
{
	void *(*const ways[])(void *) = {wait_cond, wait_read, wait_pause, wait_semaphore,
					 wait_long};

	if (pipe(ends) || sem_init(&semaphore, 0, 0))
		fail();
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		pthread_t thread;
		void *result;

		if (pthread_create(&thread, NULL, ways[i], NULL))
			fail();
		usleep(20000);
		pthread_cancel(thread);
		if (pthread_join(thread, &result) || result != PTHREAD_CANCELED)
			fail();
	}
	say("pthread_cond_wait", 1), say("read", 1), say("pause", 1), say("sem_wait", 1);
	say("nanosleep", 1), say("pthread_cancel", 5), say("pthread_mutex_unlock", 1);
}

/* --- other ways out --- */

static void handle(int number)
{
	(void)number;
	n_handled++;
	sink = (int)strlen("handled");
}

/* Signals come at any time, also while a call is being counted. */
static void step_handlers(void)
{
	const struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};
	unsigned calls = 0;

	signal(SIGALRM, handle);
	setitimer(ITIMER_REAL, &often, NULL);
	for (; n_handled < 500; calls++)
		sink = getppid() == 0;
	setitimer(ITIMER_REAL, &never, NULL);
	say("getppid", calls), say("strlen", n_handled), say("setitimer", 2), say("signal", 1);
}

static int jump(const void *a, const void *b)
{
	(void)a, (void)b;
	longjmp(back, 1);
}

static long elapsed_ms(const struct timespec *begin)
{
	struct timespec now;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	return (now.tv_sec - begin->tv_sec) * 1000 + (now.tv_nsec - begin->tv_nsec) / 1000000;
}

/* Behind the jump, 30 ms more pass than before it, where another program may have had the CPU. */
static void step_jump(void)
{
	int numbers[] = {3, 2, 1};
	struct timespec begin;
	long before_ms;

	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &begin);
	if (!setjmp(back))
		qsort(numbers, 3, sizeof *numbers, jump);
	before_ms = elapsed_ms(&begin);
	while (elapsed_ms(&begin) < 2 * before_ms + 31)
		;
	sink = (int)strlen("text");
	say("qsort", 1), say("strlen", 1);
}

static void step_fork(void)
{
	pid_t child = fork();
	int status;

	if (!child) {
		for (int i = 0; i < 1000; i++)
			sink = (int)strlen("child");
		_exit(0);
	}
	if (waitpid(child, &status, 0) != child || status)
		fail();
	say("fork", 1), say("waitpid", 1);
}

static void step_exec(void)
{
	for (int i = 0; i < 21; i++)
		sink = strcmp("a", "b");
	say("strcmp", 21);
	execl("/proc/self/exe", "caller", "string", NULL);
	fail();
}

static void step_exit(void)
{
	_exit(0);
}

static void handle_quick(void)
{
	sink = (int)strlen("last");
	say("strlen", 1);
}

static void step_quick_exit(void)
{
	at_quick_exit(handle_quick);
	quick_exit(0);
}

/* All threads have to do so, in which call they may be. */
static void step_setuid(void)
{
	pthread_t thread = 0;

	if (sem_init(&semaphore, 0, 0))
		fail();
	if (pthread_create(&thread, NULL, wait_semaphore, NULL) || setuid(getuid()))
		fail();
	sem_post(&semaphore);
	pthread_join(thread, NULL);
	say("setuid", 1), say("getuid", 1), say("sem_wait", 1), say("sem_post", 1);
}

static void step_kill(void)
{
	kill(getpid(), SIGKILL);
}

/* Stays in the call of pause(2) as long as the process lives. */
static void step_stay(void)
{
	say("pause", 1);
	pause();
}

static void step_sleep(void)
{
	usleep(30000);
	say("usleep", 1);
}

static const struct {
	const char *name;
	void (*run)(void);
} steps[] = {
	{"io", step_io},
	{"memory", step_memory},
	{"string", step_string},
	{"time", step_time},
	{"math", step_math},
	{"other", step_other},
	{"threads", step_threads},
	{"cancel", step_cancel},
	{"handlers", step_handlers},
	{"jump", step_jump},
	{"fork", step_fork},
	{"exec", step_exec},
	{"_exit", step_exit},
	{"kill", step_kill},
	{"stay", step_stay},
	{"sleep", step_sleep},
	{"quick_exit", step_quick_exit},
	{"setuid", step_setuid},
};

static int is_same(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
			if (is_same(argv[i], steps[s].name))
				steps[s].run();
	return 0;
}

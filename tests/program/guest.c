/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * guest - a program that does everything that daemons do, and reports what it finds: the numbers of
 * its descriptors, the contents of its files and pipes, its limits, its signals, its errno. The
 * report must be the same whether it is measured or not.
 *
 *   guest FOLDER [STEP...]   FOLDER: an empty folder for its files
 *
 * Steps: close, title, folder, limits, fork, root, user. With -DREGIONS, it has regions.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REGIONS
#include <tiptop.h>
#else
#define TT_REGION(name, label) struct unused
#define TT_BEGIN(name)         ((void)0)
#define TT_END(name)           ((void)0)
#endif

#define BYTES   200000
#define THREADS 8
#define LABELS  300

TT_REGION(work, "work");
TT_REGION(other, "other");
TT_REGION(handled, "handled");
#ifdef REGIONS
static struct tt_region many[LABELS];
static char label[LABELS][16];
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static volatile long sum;
static volatile sig_atomic_t n_signals;

/* --- what is measured --- */

static void run_many(void)
{
#ifdef REGIONS
	for (int i = 0; i < LABELS; i++) {
		snprintf(label[i], sizeof label[i], "label %d", i);
		many[i].label = label[i];
		TT_BEGIN(many[i]);
		TT_END(many[i]);
	}
#endif
}

static void run_work(int n)
{
	char *text;

	for (int i = 0; i < n; i++) {
		TT_BEGIN(work);
		pthread_mutex_lock(&mutex);
		TT_BEGIN(other);
		text = malloc(100 + (size_t)i);
		memset(text, 'x', 100);
		sum += text[i % 100];
		free(text);
		TT_END(other);
		pthread_mutex_unlock(&mutex);
		TT_END(work);
	}
}

static void *run_thread(void *unused)
{
	run_work(50);
	return unused;
}

static void on_signal(int signal)
{
	const int error = errno;

	(void)signal;
	TT_BEGIN(handled);
	n_signals++;
	TT_END(handled);
	errno = error;
}

/* Signals of CPU time come anywhere, also at the first region of a thread. */
static void run_all(void)
{
	const struct itimerval often = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
	pthread_t thread[THREADS];

	signal(SIGPROF, on_signal);
	setitimer(ITIMER_PROF, &often, NULL);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&thread[i], NULL, run_thread, NULL))
			printf("no thread\n");
	run_work(100);
	run_many();
	for (int i = 0; i < THREADS; i++)
		pthread_join(thread[i], NULL);
	setitimer(ITIMER_PROF, &off, NULL);
	signal(SIGPROF, SIG_IGN);
}

/* --- what is found --- */

static int file = -1, pipe_end[2], socket_end[2];

/* Numbers that a measuring library may believe to be its own. */
static void take_numbers(int end)
{
	static const int likely[] = {3,   4,   5,   6,    7,    8,    9,   511,
				     512, 513, 514, 1024, 1025, 1026, 1027};

	for (size_t i = 0; i < sizeof likely / sizeof *likely; i++)
		if (fcntl(likely[i], F_GETFD) < 0)
			dup2(end, likely[i]);
}

static void open_own(void)
{
	char text[BYTES];

	memset(text, 'd', sizeof text);
	file = open("data", O_RDWR | O_CREAT | O_TRUNC, 0600);
	if (pipe(pipe_end) || socketpair(AF_UNIX, SOCK_STREAM, 0, socket_end) || file < 0)
		printf("nothing can be opened\n");
	printf("descriptors %d %d %d %d %d\n", file, pipe_end[0], pipe_end[1], socket_end[0],
	       socket_end[1]);
	if (write(file, text, sizeof text) != BYTES || write(pipe_end[1], text, 50) != 50)
		printf("nothing can be written\n");
}

static void say_file(void)
{
	static char text[BYTES];
	const ssize_t n = pread(file, text, sizeof text, 0);
	struct stat s;
	int bad = 0;

	for (ssize_t i = 0; i < n; i++)
		bad += text[i] != 'd';
	fstat(file, &s);
	printf("file %ld of %ld bytes, %d others\n", (long)n, (long)s.st_size, bad);
	fcntl(pipe_end[0], F_SETFL, O_NONBLOCK);
	printf("pipe %ld bytes\n", (long)read(pipe_end[0], text, sizeof text));
}

static void say_state(void)
{
	static const int limits[] = {RLIMIT_FSIZE, RLIMIT_AS, RLIMIT_NOFILE, RLIMIT_MEMLOCK,
				     RLIMIT_CORE};
	struct rlimit limit;
	sigset_t mask;
	char folder[4096];

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		getrlimit(limits[i], &limit);
		printf("limit %llu %llu\n", (unsigned long long)limit.rlim_cur,
		       (unsigned long long)limit.rlim_max);
	}
	pthread_sigmask(SIG_SETMASK, NULL, &mask);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&mask, i) == 1)
			printf("signal %d is blocked\n", i);
	sigpending(&mask);
	for (int i = 1; i < NSIG; i++)
		if (sigismember(&mask, i) == 1)
			printf("signal %d is pending\n", i);
	printf("mask %o, user %ld, folder %s\n", (unsigned)umask(0), (long)geteuid(),
	       getcwd(folder, sizeof folder) ? folder : "none");
}

/* --- what daemons do --- */

/* As setproctitle(3): the variables are moved away, and the text of the title is written over them.
 */
static void set_title(char **argv)
{
	extern char **environ;
	char *begin = argv[0], *end = begin;
	char **old = environ;
	int n = 0;

	while (argv[n])
		end = argv[n++] + strlen(argv[n - 1]) + 1;
	for (n = 0; old[n]; n++)
		end = old[n] + strlen(old[n]) + 1;
	environ = calloc((size_t)n + 1, sizeof *environ);
	for (int i = 0; i < n; i++)
		environ[i] = strdup(old[i]);
	memset(begin, 'T', (size_t)(end - begin) - 1);
}

static void set_limit(int resource, rlim_t most)
{
	struct rlimit limit;

	getrlimit(resource, &limit);
	limit.rlim_cur = limit.rlim_max < most ? limit.rlim_max : most;
	setrlimit(resource, &limit);
}

static void set_limits(void)
{
	set_limit(RLIMIT_FSIZE, 300000);
	set_limit(RLIMIT_AS, 1 << 30);
	set_limit(RLIMIT_NOFILE, 1040);
	set_limit(RLIMIT_MEMLOCK, 0);
	set_limit(RLIMIT_CORE, 0);
}

/* The parent ends as daemons' do: behind its own regions, by exit(). */
static void leave_parent(void)
{
	const pid_t pid = fork();
	int status;

	if (!pid)
		return;
	run_work(3);
	if (waitpid(pid, &status, 0) != pid || status)
		printf("the child ended with %x\n", (unsigned)status);
	fflush(stdout);
	exit(0);
}

static void do_step(const char *step, char **argv)
{
	if (!strcmp(step, "close"))
		closefrom(3);
	else if (!strcmp(step, "title"))
		set_title(argv);
	else if (!strcmp(step, "folder") && chdir("/"))
		printf("no folder\n");
	else if (!strcmp(step, "limits"))
		set_limits();
	else if (!strcmp(step, "fork"))
		leave_parent();
	else if (!strcmp(step, "root") && chroot("."))
		printf("no root\n");
	else if (!strcmp(step, "user") && (setgroups(0, NULL) || setgid(65534) || setuid(65534)))
		printf("no user\n");
}

int main(int argc, char **argv)
{
	char steps[32][16];
	int n = 0;

	if (argc < 2 || argc > 32 || chdir(argv[1]))
		return 2;
	for (int i = 2; i < argc; i++)
		snprintf(steps[n++], sizeof steps[0], "%s", argv[i]);
	run_work(10);
	for (int i = 0; i < n; i++)
		do_step(steps[i], argv);
	open_own();
	take_numbers(pipe_end[0]);
	errno = EDOM;
	run_all();
	printf("errno %d, sum %ld\n", errno, sum);
	say_file();
	say_state();
	return 0;
}

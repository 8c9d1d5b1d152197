/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * canceller - cancels a thread in each function that is a cancellation point of
 * POSIX or the C library, each time in a new thread: with cancellation requested
 * before the call, and, if the function can wait, while it waits. It reports its
 * calls of each function: "NAME CALLS".
 *
 * Preparation and checks bypass the C library, so that they are no calls. Creates
 * a fifo in the current folder.
 */
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define LATER 4000000000 /* seconds of the clock: no thread waits as long */

/* What headers have only where they check arguments. */
ssize_t __read_chk(int, void *, size_t, size_t);
ssize_t __pread_chk(int, void *, size_t, off_t, size_t);
ssize_t __recv_chk(int, void *, size_t, size_t, int);
ssize_t __recvfrom_chk(int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *);
int __poll_chk(struct pollfd *, nfds_t, int, size_t);
int __open_2(const char *, int);
int __xpg_sigpause(int);

/* --- what is waited for, in vain --- */

static const struct timespec later = {.tv_sec = LATER}, long_time = {.tv_sec = 100000};
static char byte[1 << 16];
static const struct iovec piece = {byte, sizeof byte};
static struct msghdr message = {.msg_iov = (struct iovec *)&piece, .msg_iovlen = 1};
static struct mmsghdr messages;
static int empty[2], full[2]; /* pipes */
static const char fifo[] = "fifo";
static int quiet[2], stuffed[2], listening, crowded, late; /* sockets */
static struct sockaddr_un address = {.sun_family = AF_UNIX};
static socklen_t address_size = sizeof address;
static int epoll, file, queue;
static struct {
	long type;
	char text[8];
} letter = {.type = 1};
static mqd_t mqueue;
static char post[8192]; /* as long as a message of the queue may be */
static struct aiocb request;
static const struct aiocb *const requests[] = {&request};
static sem_t semaphore;
static sigset_t none, usr1;
static int number;
static siginfo_t info;
static pthread_t lasting;
static thrd_t lasting11;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static mtx_t mutex11;
static cnd_t cond11;
static pid_t child;

static void unlock(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&mutex);
}

static void unlock11(void *unused)
{
	(void)unused;
	mtx_unlock(&mutex11);
}

/* Who is cancelled has the mutex again. */
#define WITH_MUTEX(call)                                                                           \
	({                                                                                         \
		pthread_mutex_lock(&mutex);                                                        \
		pthread_cleanup_push(unlock, NULL);                                                \
		call;                                                                              \
		pthread_cleanup_pop(1);                                                            \
	})
#define WITH_MUTEX11(call)                                                                         \
	({                                                                                         \
		mtx_lock(&mutex11);                                                                \
		pthread_cleanup_push(unlock11, NULL);                                              \
		call;                                                                              \
		pthread_cleanup_pop(1);                                                            \
	})

/* clang-format off */
/* POINT(whether it waits, its name, the call). */
#define POINTS(POINT) \
	POINT(true,  accept,       accept(listening, NULL, NULL)) \
	POINT(true,  accept4,      accept4(listening, NULL, NULL, 0)) \
	POINT(true,  aio_suspend,  aio_suspend(requests, 1, NULL)) \
	POINT(true,  clock_nanosleep, clock_nanosleep(CLOCK_MONOTONIC, 0, &long_time, NULL)) \
	POINT(false, close,        close(-1)) \
	POINT(true,  cnd_timedwait, WITH_MUTEX11(cnd_timedwait(&cond11, &mutex11, &later))) \
	POINT(true,  cnd_wait,     WITH_MUTEX11(cnd_wait(&cond11, &mutex11))) \
	POINT(true,  connect,      connect(late, (struct sockaddr *)&address, address_size)) \
	POINT(false, copy_file_range, copy_file_range(-1, NULL, -1, NULL, 1, 0)) \
	POINT(true,  creat,        creat(fifo, 0600)) \
	POINT(true,  creat64,      creat64(fifo, 0600)) \
	POINT(true,  epoll_pwait,  epoll_pwait(epoll, &(struct epoll_event){0}, 1, -1, NULL)) \
	POINT(true,  epoll_wait,   epoll_wait(epoll, &(struct epoll_event){0}, 1, -1)) \
	POINT(false, fallocate,    fallocate(-1, 0, 0, 1)) \
	POINT(false, fallocate64,  fallocate64(-1, 0, 0, 1)) \
	POINT(true,  fcntl,        fcntl(file, F_SETLKW, &(struct flock){.l_type = F_WRLCK})) \
	POINT(true,  fcntl64,      fcntl64(file, F_SETLKW, &(struct flock){.l_type = F_WRLCK})) \
	POINT(false, fdatasync,    fdatasync(-1)) \
	POINT(false, fsync,        fsync(-1)) \
	POINT(true,  lockf,        lockf(file, F_LOCK, 0)) \
	POINT(true,  lockf64,      lockf64(file, F_LOCK, 0)) \
	POINT(true,  mq_receive,   mq_receive(mqueue, post, sizeof post, NULL)) \
	POINT(false, mq_send,      mq_send(mqueue, "", 1, 0)) \
	POINT(true,  mq_timedreceive, mq_timedreceive(mqueue, post, sizeof post, NULL, &later)) \
	POINT(false, mq_timedsend, mq_timedsend(mqueue, "", 1, 0, &later)) \
	POINT(true,  msgrcv,       msgrcv(queue, &letter, sizeof letter.text, 2, 0)) \
	POINT(false, msgsnd,       msgsnd(queue, &letter, sizeof letter.text, 0)) \
	POINT(false, msync,        msync(byte, 0, MS_ASYNC)) \
	POINT(true,  nanosleep,    nanosleep(&long_time, NULL)) \
	POINT(true,  open,         open(fifo, O_RDONLY)) \
	POINT(true,  open64,       open64(fifo, O_RDONLY)) \
	POINT(true,  openat,       openat(AT_FDCWD, fifo, O_RDONLY)) \
	POINT(true,  openat64,     openat64(AT_FDCWD, fifo, O_RDONLY)) \
	POINT(true,  pause,        pause()) \
	POINT(true,  poll,         poll(NULL, 0, -1)) \
	POINT(true,  ppoll,        ppoll(NULL, 0, NULL, NULL)) \
	POINT(false, pread,        pread(empty[0], byte, 1, 0)) \
	POINT(false, pread64,      pread64(empty[0], byte, 1, 0)) \
	POINT(false, preadv,       preadv(empty[0], &piece, 1, 0)) \
	POINT(false, preadv64,     preadv64(empty[0], &piece, 1, 0)) \
	POINT(true,  preadv2,      preadv2(empty[0], &piece, 1, -1, 0)) \
	POINT(true,  pselect,      pselect(0, NULL, NULL, NULL, NULL, NULL)) \
	POINT(true,  pthread_clockjoin_np, pthread_clockjoin_np(lasting, NULL, CLOCK_REALTIME, &later)) \
	POINT(true,  pthread_cond_clockwait, \
		WITH_MUTEX(pthread_cond_clockwait(&cond, &mutex, CLOCK_REALTIME, &later))) \
	POINT(true,  pthread_cond_timedwait, WITH_MUTEX(pthread_cond_timedwait(&cond, &mutex, &later))) \
	POINT(true,  pthread_cond_wait, WITH_MUTEX(pthread_cond_wait(&cond, &mutex))) \
	POINT(true,  pthread_join, pthread_join(lasting, NULL)) \
	POINT(false, pthread_testcancel, pthread_testcancel()) \
	POINT(true,  pthread_timedjoin_np, pthread_timedjoin_np(lasting, NULL, &later)) \
	POINT(false, pwrite,       pwrite(full[1], byte, 1, 0)) \
	POINT(false, pwrite64,     pwrite64(full[1], byte, 1, 0)) \
	POINT(false, pwritev,      pwritev(full[1], &piece, 1, 0)) \
	POINT(false, pwritev64,    pwritev64(full[1], &piece, 1, 0)) \
	POINT(true,  pwritev2,     pwritev2(full[1], &piece, 1, -1, 0)) \
	POINT(true,  read,         read(empty[0], byte, 1)) \
	POINT(true,  readv,        readv(empty[0], &piece, 1)) \
	POINT(true,  recv,         recv(quiet[0], byte, 1, 0)) \
	POINT(true,  recvfrom,     recvfrom(quiet[0], byte, 1, 0, NULL, NULL)) \
	POINT(true,  recvmmsg,     recvmmsg(quiet[0], &messages, 1, 0, NULL)) \
	POINT(true,  recvmsg,      recvmsg(quiet[0], &message, 0)) \
	POINT(true,  select,       select(0, NULL, NULL, NULL, NULL)) \
	POINT(true,  sem_clockwait, sem_clockwait(&semaphore, CLOCK_REALTIME, &later)) \
	POINT(true,  sem_timedwait, sem_timedwait(&semaphore, &later)) \
	POINT(true,  sem_wait,     sem_wait(&semaphore)) \
	POINT(true,  send,         send(stuffed[0], byte, 1, 0)) \
	POINT(true,  sendmmsg,     sendmmsg(stuffed[0], &messages, 1, 0)) \
	POINT(true,  sendmsg,      sendmsg(stuffed[0], &message, 0)) \
	POINT(true,  sendto,       sendto(stuffed[0], byte, 1, 0, NULL, 0)) \
	POINT(true,  sigsuspend,   sigsuspend(&none)) \
	POINT(true,  sigtimedwait, sigtimedwait(&usr1, &info, &long_time)) \
	POINT(true,  sigwait,      sigwait(&usr1, &number)) \
	POINT(true,  sigwaitinfo,  sigwaitinfo(&usr1, &info)) \
	POINT(true,  sleep,        sleep(100000)) \
	POINT(true,  splice,       splice(empty[0], NULL, full[1], NULL, 1, 0)) \
	POINT(false, sync_file_range, sync_file_range(-1, 0, 0, 0)) \
	POINT(true,  system,       system("exec sleep 100000")) \
	POINT(false, tcdrain,      tcdrain(-1)) \
	POINT(true,  tee,          tee(empty[0], full[1], 1, 0)) \
	POINT(true,  thrd_join,    thrd_join(lasting11, NULL)) \
	POINT(true,  thrd_sleep,   thrd_sleep(&long_time, NULL)) \
	POINT(true,  usleep,       usleep(4000000000)) \
	POINT(true,  vmsplice,     vmsplice(full[1], &piece, 1, 0)) \
	POINT(true,  wait,         wait(NULL)) \
	POINT(true,  wait3,        wait3(NULL, 0, NULL)) \
	POINT(true,  wait4,        wait4(child, NULL, 0, NULL)) \
	POINT(true,  waitid,       waitid(P_PID, (id_t)child, &info, WEXITED)) \
	POINT(true,  waitpid,      waitpid(child, NULL, 0)) \
	POINT(true,  write,        write(full[1], byte, 1)) \
	POINT(true,  writev,       writev(full[1], &piece, 1)) \
	POINT(true,  __open_2,     __open_2(fifo, O_RDONLY)) \
	POINT(true,  __poll_chk,   __poll_chk(NULL, 0, -1, 0)) \
	POINT(false, __pread_chk,  __pread_chk(empty[0], byte, 1, 0, 1)) \
	POINT(true,  __read_chk,   __read_chk(empty[0], byte, 1, 1)) \
	POINT(true,  __recv_chk,   __recv_chk(quiet[0], byte, 1, 1, 0)) \
	POINT(true,  __recvfrom_chk, __recvfrom_chk(quiet[0], byte, 1, 1, 0, NULL, NULL)) \
	POINT(true,  __xpg_sigpause, __xpg_sigpause(SIGUSR1))
/* clang-format on */

#define CALL(waits, name, call)                                                                    \
	static void do_##name(void)                                                                \
	{                                                                                          \
		(void)call;                                                                        \
	}
POINTS(CALL)

static const struct point {
	const char *name;
	void (*call)(void);
	bool waits;
} points[] = {
#define ROW(waits, name, call) {#name, do_##name, waits},
	POINTS(ROW)};

/* --- how the calls are prepared and made --- */

static void fail(const char *what)
{
	dprintf(STDERR_FILENO, "canceller: %s\n", what);
	syscall(SYS_exit_group, 9);
}

static long must(const char *what, long result)
{
	if (result < 0)
		fail(what);
	return result;
}

/* A system call that must go well. */
#define RAW(number, ...) must(#number, syscall(SYS_##number, __VA_ARGS__))

static void *last(void *unused)
{
	for (;;)
		syscall(SYS_ppoll, NULL, 0, NULL, NULL, 0);
	return unused;
}

static int last11(void *unused)
{
	last(unused);
	return 0;
}

static void make_pipes(void)
{
	RAW(pipe2, empty, 0);
	RAW(pipe2, full, O_NONBLOCK);
	while (syscall(SYS_write, full[1], byte, sizeof byte) > 0)
		;
	RAW(fcntl, full[1], F_SETFL, 0);
}

static void make_sockets(void)
{
	RAW(socketpair, AF_UNIX, SOCK_STREAM, 0, quiet);
	RAW(socketpair, AF_UNIX, SOCK_STREAM, 0, stuffed);
	while (syscall(SYS_sendto, stuffed[0], byte, sizeof byte, MSG_DONTWAIT, NULL, 0) > 0)
		;
	listening = (int)RAW(socket, AF_UNIX, SOCK_STREAM, 0);
	RAW(bind, listening, &address, sizeof address.sun_family);
	RAW(listen, listening, 0);
	/* The backlog of 0 has room for one connection, which is made here: the next one waits. */
	crowded = (int)RAW(socket, AF_UNIX, SOCK_STREAM, 0);
	RAW(bind, crowded, &address, sizeof address.sun_family);
	RAW(listen, crowded, 0);
	RAW(getsockname, crowded, &address, &address_size);
	RAW(connect, RAW(socket, AF_UNIX, SOCK_STREAM, 0), &address, address_size);
	late = (int)RAW(socket, AF_UNIX, SOCK_STREAM, 0);
}

/* It has a lock on the file, and does not end before this process. */
static void make_child(void)
{
	const struct flock lock = {.l_type = F_WRLCK};
	int ready[2];

	file = (int)RAW(memfd_create, "file", 0);
	RAW(pipe2, ready, 0);
	child = fork();
	if (child < 0)
		fail("fork");
	if (!child) {
		RAW(prctl, PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
		RAW(fcntl, file, F_SETLK, &lock);
		RAW(write, ready[1], "", 1);
		last(NULL);
	}
	RAW(read, ready[0], byte, 1);
}

static void make_queues(void)
{
	char name[32];

	queue = msgget(IPC_PRIVATE, 0600);
	snprintf(name, sizeof name, "/canceller.%d", getpid());
	mqueue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, NULL);
	if (queue < 0 || mqueue == (mqd_t)-1)
		fail("there are no queues of messages");
	mq_unlink(name);
	request = (struct aiocb){.aio_fildes = empty[0], .aio_buf = byte, .aio_nbytes = 1};
	if (aio_read(&request))
		fail("aio_read");
}

static void make_all(void)
{
	messages.msg_hdr = message;
	sigemptyset(&none);
	sigemptyset(&usr1);
	sigaddset(&usr1, SIGUSR1);
	/* Threads have it from here. */
	pthread_sigmask(SIG_BLOCK, &usr1, NULL);
	make_child();
	make_pipes();
	make_sockets();
	make_queues();
	epoll = epoll_create1(0);
	sem_init(&semaphore, 0, 0);
	if (epoll < 0 || mkfifo(fifo, 0600) || mtx_init(&mutex11, mtx_plain) || cnd_init(&cond11) ||
	    pthread_create(&lasting, NULL, last, NULL) || thrd_create(&lasting11, last11, NULL))
		fail("there is no memory, or no new fifo");
}

/* --- one thread after the other --- */

struct attempt {
	const struct point *point;
	bool pending;
	atomic_int tid;
};

static void *run(void *context)
{
	struct attempt *a = context;

	if (a->pending) {
		pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
		pthread_cancel(pthread_self());
		pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
	}
	atomic_store(&a->tid, (int)syscall(SYS_gettid));
	a->point->call();
	return NULL;
}

/* It is where it waits, or it has ended. */
static bool is_asleep(int tid)
{
	char path[64], stat[512], *state;
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/stat", tid);
	fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY);
	if (fd < 0)
		return true;
	n = syscall(SYS_read, fd, stat, sizeof stat - 1);
	RAW(close, fd);
	if (n < 0)
		return true;
	stat[n] = '\0';
	state = strrchr(stat, ')');
	return state && state[2] == 'S';
}

static void try_point(const struct point *p, bool pending)
{
	struct attempt a = {.point = p, .pending = pending};
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, NULL, run, &a))
		fail("there is no thread");
	if (!pending) {
		while (!atomic_load(&a.tid) || !is_asleep(a.tid))
			sched_yield();
		pthread_cancel(thread);
	}
	if (pthread_join(thread, &result) || result != PTHREAD_CANCELED)
		fail(p->name);
}

int main(void)
{
	const unsigned n = sizeof points / sizeof *points;
	unsigned tries = 0;

	make_all();
	for (unsigned i = 0; i < n; i++) {
		try_point(&points[i], true);
		if (points[i].waits)
			try_point(&points[i], false);
		printf("%s %d\n", points[i].name, points[i].waits ? 2 : 1);
		tries += points[i].waits ? 2 : 1;
	}
	printf("pthread_join %u\npthread_cancel %u\n", tries, tries);
	unlink(fifo);
	msgctl(queue, IPC_RMID, NULL);
	fflush(stdout);
	syscall(SYS_kill, child, SIGKILL);
	return 0;
}

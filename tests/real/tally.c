/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An object that is preloaded before that of tiptop and counts the same calls: the numbers of both
 * must be equal. Calls that the object of tiptop makes itself are recognized by their address.
 *
 * The counters are in the file TALLY, which all processes of a run map: 8 bytes for each line LOCK
 * or CALL below, in their order. run.sh reads the names from here. A LOCK counts only if it was
 * acquired.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SIZE 4096

/*
 * Returns where text goes on behind prefix; NULL: it begins otherwise. Stands in for functions of
 * the C library, which may not be called here: the object of tiptop may be amid finding them.
 */
static const char *behind(const char *text, const char *prefix)
{
	while (*prefix && *text == *prefix)
		text++, prefix++;
	return *prefix ? NULL : text;
}

/* Returns the value of TALLY, or NULL. */
static const char *find_path(void)
{
	const char *path = NULL;

	for (char **p = environ; !path && p && *p; p++)
		path = behind(*p, "TALLY=");
	return path;
}

/* Maps the counters of the run; all zero and of no use where there are none. */
static atomic_ulong *open_counters(void)
{
	static atomic_ulong lost[SIZE / sizeof(atomic_ulong)];
	const char *path = find_path();
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC, 0) : -1;
	void *p = MAP_FAILED;

	if (fd >= 0) {
		p = (void *)syscall(SYS_mmap, NULL, (size_t)SIZE, PROT_READ | PROT_WRITE,
				    MAP_SHARED, fd, 0L);
		syscall(SYS_close, fd);
	}
	return p == MAP_FAILED ? lost : p;
}

static struct range {
	uintptr_t begin, end;
} tiptop;

static int find_tiptop(struct dl_phdr_info *info, size_t size, void *data)
{
	const char *name = info->dlpi_name;

	(void)size, (void)data;
	while (*name && !behind(name, "/tiptop-"))
		name++;
	if (!*name)
		return 0;
	tiptop.begin = info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_LOAD)
			tiptop.end = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr +
				     info->dlpi_phdr[i].p_memsz;
	return 1;
}

/* Counts a call, unless the object of tiptop makes it for itself, or the C library has not begun.
 */
static void tally(int n, void *caller)
{
	static _Atomic(atomic_ulong *) counters;

	if (!counters && !environ)
		return;
	if (!counters) {
		dl_iterate_phdr(find_tiptop, NULL);
		counters = open_counters();
	}
	if ((uintptr_t)caller - tiptop.begin >= tiptop.end - tiptop.begin)
		counters[n]++;
}

#define NEXT(name)                                                                                 \
	static __typeof__(&name) next;                                                             \
	if (!next)                                                                                 \
	next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)

#define LOCK(name, parameters, arguments)                                                          \
	int name parameters                                                                        \
	{                                                                                          \
		int ret;                                                                           \
		NEXT(name);                                                                        \
		ret = next arguments;                                                              \
		if (!ret)                                                                          \
			tally(__COUNTER__, __builtin_return_address(0));                           \
		return ret;                                                                        \
	}

#define CALL(type, name, parameters, arguments)                                                    \
	type name parameters                                                                       \
	{                                                                                          \
		NEXT(name);                                                                        \
		tally(__COUNTER__, __builtin_return_address(0));                                   \
		return next arguments;                                                             \
	}

/* Functions that the C library calls by a jump, such as realloc(), are left out: their caller is
 * not known. */
/* clang-format off */
LOCK(pthread_mutex_lock, (pthread_mutex_t *lock), (lock))
LOCK(pthread_mutex_trylock, (pthread_mutex_t *lock), (lock))
LOCK(pthread_mutex_timedlock, (pthread_mutex_t *lock, const struct timespec *t), (lock, t))
LOCK(pthread_mutex_clocklock, (pthread_mutex_t *lock, clockid_t clock, const struct timespec *t), (lock, clock, t))
LOCK(pthread_rwlock_rdlock, (pthread_rwlock_t *lock), (lock))
LOCK(pthread_rwlock_tryrdlock, (pthread_rwlock_t *lock), (lock))
LOCK(pthread_rwlock_wrlock, (pthread_rwlock_t *lock), (lock))
LOCK(pthread_rwlock_trywrlock, (pthread_rwlock_t *lock), (lock))
LOCK(pthread_spin_lock, (pthread_spinlock_t *lock), (lock))
LOCK(pthread_spin_trylock, (pthread_spinlock_t *lock), (lock))
CALL(void *, malloc, (size_t size), (size))
CALL(void *, calloc, (size_t n, size_t size), (n, size))
CALL(ssize_t, read, (int fd, void *p, size_t size), (fd, p, size))
CALL(ssize_t, write, (int fd, const void *p, size_t size), (fd, p, size))
CALL(ssize_t, pread, (int fd, void *p, size_t size, off_t at), (fd, p, size, at))
CALL(ssize_t, pwrite, (int fd, const void *p, size_t size, off_t at), (fd, p, size, at))
CALL(FILE *, fopen, (const char *path, const char *mode), (path, mode))
CALL(int, fclose, (FILE *f), (f))
CALL(int, fflush, (FILE *f), (f))
CALL(size_t, fwrite, (const void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
CALL(size_t, fread, (void *p, size_t size, size_t n, FILE *f), (p, size, n, f))
CALL(int, fputs, (const char *text, FILE *f), (text, f))
CALL(int, stat, (const char *path, struct stat *st), (path, st))
CALL(int, fstat, (int fd, struct stat *st), (fd, st))
CALL(int, lstat, (const char *path, struct stat *st), (path, st))
CALL(DIR *, opendir, (const char *path), (path))
CALL(char *, strdup, (const char *text), (text))
CALL(long, strtol, (const char *text, char **end, int base), (text, end, base))
CALL(double, strtod, (const char *text, char **end), (text, end))
CALL(int, clock_gettime, (clockid_t clock, struct timespec *t), (clock, t))
CALL(int, pthread_create, (pthread_t *id, const pthread_attr_t *a, void *(*f)(void *), void *p), (id, a, f, p))
CALL(int, pthread_join, (pthread_t id, void **ret), (id, ret))
/* clang-format on */

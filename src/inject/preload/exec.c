/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/exec.h"

#include <alloca.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <gnu/lib-names.h>
#include <limits.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "inject/preload/exec_arguments.h"
#include "inject/preload/exec_env.h"
#include "inject/preload/next.h"

/* ---- exec_note ---- */

/* Appends a note to the file in this folder; does nothing if the file cannot be opened. May be
 * called between vfork(2) and exec(2). Changes errno. */
static void exec_note_add(const char *folder, const struct exec_note *note)
{
	static const char name[] = "/" EXEC_NOTE_FILE;
	const size_t n = exec_text_length(folder);
	char *path = alloca(n + sizeof name);
	long fd;

	exec_text_copy(path, folder, n);
	exec_text_copy(path + n, name, sizeof name);
	fd = exec_kernel(SYS_openat, AT_FDCWD, path,
			 O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	exec_kernel(SYS_write, fd, note, sizeof *note);
	exec_kernel(SYS_close, fd);
}

/* Returns CLOCK_BOOTTIME in ns, for a note. */
static uint64_t exec_note_clock(void)
{
	struct timespec now = {0};

	exec_kernel(SYS_clock_gettime, CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* ---- exec ---- */

#define EXEC_PUBLIC __attribute__((visibility("default")))

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
			   const posix_spawnattr_t *, char *const *, char *const *);

/* The functions that this object wraps. */
static struct {
	int (*execve)(const char *, char *const *, char *const *);
	int (*execv)(const char *, char *const *);
	int (*execvp)(const char *, char *const *);
	int (*execvpe)(const char *, char *const *, char *const *);
	int (*execveat)(int, const char *, char *const *, char *const *, int);
	int (*fexecve)(int, char *const *, char *const *);
	spawn_function *posix_spawn, *posix_spawnp;
} real;

exec_kernel_function *exec_kernel;
static atomic_bool left; /* environments are no longer completed */

void tiptop_exec_leave(void)
{
	atomic_store(&left, true);
}

/* --- the start --- */

static void set(void *pointer, void *found)
{
	*(void **)pointer = found;
}

/* Replaces execveat() in C libraries before 2.34, which do not have it. */
static int execute_at(int folder, const char *file, char *const *argv, char *const *envp, int flags)
{
	return (int)exec_kernel(SYS_execveat, folder, file, argv, envp, flags);
}

/* Returns the C library's posix_spawn() or posix_spawnp(). The version before 2.15 executed files
 * without an interpreter by the shell; C libraries before 2.36 return that version by default. */
static void *find_spawn(const char *name)
{
	void *found = next_find(name, NULL), *newer = dlvsym(RTLD_NEXT, name, "GLIBC_2.15");

	return newer && found == dlvsym(RTLD_NEXT, name, ARCH_FIRST_GLIBC) ? newer : found;
}

__attribute__((constructor)) static void begin(void)
{
	void *library;

	if (exec_kernel)
		return;
	library = dlopen(LIBC_SO, RTLD_LAZY | RTLD_NOLOAD);
	set(&real.execve, next_find("execve", NULL));
	set(&real.execv, next_find("execv", NULL));
	set(&real.execvp, next_find("execvp", NULL));
	set(&real.execvpe, next_find("execvpe", NULL));
	set(&real.execveat, next_find("execveat", NULL));
	real.execveat = real.execveat ? real.execveat : execute_at;
	set(&real.fexecve, next_find("fexecve", NULL));
	set(&real.posix_spawn, find_spawn("posix_spawn"));
	set(&real.posix_spawnp, find_spawn("posix_spawnp"));
	exec_env_begin();
	set(&exec_kernel, dlsym(library ? library : RTLD_NEXT, "syscall"));
}

/* --- the file --- */

/* A call of a wrapped function by the program. */
struct call {
	int (*same)(const struct call *); /* makes the call unchanged */
	/* Makes the call with another environment. */
	int (*other)(const struct call *, char *const *environment);
	int folder; /* a descriptor as for openat(2) */
	const char *file;
	char *const *argv, *const *envp;
	bool searches; /* the file is searched in the folders of PATH */
	int flags;
	bool by_child; /* posix_spawn: a child executes, with the members below */
	pid_t *pid;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attributes;
};

/* Checks the file of a descriptor. Opens it by its path in /proc, as the descriptor may not be
 * readable. */
static enum exec_file_kind check_descriptor(int fd)
{
	static const char folder[] = "/proc/self/fd/";
	char path[sizeof folder + 3 * sizeof fd], *at = path + sizeof path;

	*--at = '\0';
	do
		*--at = (char)('0' + fd % 10);
	while (fd /= 10);
	at -= sizeof folder - 1;
	exec_text_copy(at, folder, sizeof folder - 1);
	return exec_file_check(exec_kernel, AT_FDCWD, at, false);
}

static enum exec_file_kind check_file(const struct call *c)
{
	if (c->flags & AT_EMPTY_PATH && !*c->file)
		return c->folder < 0 ? EXEC_FILE_UNKNOWN : check_descriptor(c->folder);
	if (c->searches && !*exec_text_find(c->file, '/', '/'))
		return exec_file_check_in_path(exec_kernel, c->file);
	return exec_file_check(exec_kernel, c->folder, c->file, c->searches);
}

/* --- the call --- */

static enum exec_file_kind check_call(const struct call *c, const struct exec_env *e)
{
	if (!exec_env_fits(e))
		return EXEC_FILE_NO_ROOM;
	return exec_env_has_objects() ? check_file(c) : EXEC_FILE_NO_OBJECT;
}

static void note(enum exec_file_kind kind, pid_t pid, uint64_t boot_ns)
{
	const char *folder;

	for (unsigned i = 0; (folder = exec_env_folder(i)); i++)
		exec_note_add(folder, &(struct exec_note){boot_ns, pid, kind});
}

/* Makes the call with another environment; NULL: unchanged. */
static int make_call(const struct call *c, char *const *environment)
{
	return environment ? c->other(c, environment) : c->same(c);
}

/* Makes the call, and notes the reason why the program is not measured. */
static int run_unmeasured(const struct call *c, char *const *environment, enum exec_file_kind kind,
			  int error)
{
	const uint64_t now = exec_note_clock();
	struct call spawn = *c;
	pid_t pid;
	int ret;

	if (!c->by_child) {
		note(kind, (pid_t)exec_kernel(SYS_getpid), now);
		errno = error;
		return make_call(c, environment);
	}
	spawn.pid = c->pid ? c->pid : &pid;
	errno = error;
	ret = make_call(&spawn, environment);
	error = errno;
	if (!ret)
		note(kind, *spawn.pid, now);
	errno = error;
	return ret;
}

static int run(const struct call *c)
{
	const int error = errno;
	enum exec_file_kind kind = EXEC_FILE_UNKNOWN;
	bool measured = false, lacks = false, has = false;
	char **environment = NULL;
	struct exec_env e;

	begin();
	if (!atomic_load(&left)) {
		measured = exec_env_is_measured(c->by_child);
		lacks = exec_env_is_incomplete(&e, c->envp);
		has = exec_env_can_remove(&e);
	}
	if (measured || has)
		kind = check_call(c, &e);
	if (has && kind == EXEC_FILE_MUSL)
		environment = exec_env_make_without(&e, alloca(exec_env_size_without(&e)));
	else if (measured && lacks && kind == EXEC_FILE_LOADS)
		environment = exec_env_make(&e, alloca(exec_env_size(&e)));
	if (measured && kind != EXEC_FILE_LOADS && kind != EXEC_FILE_UNKNOWN)
		return run_unmeasured(c, environment, kind, error);
	errno = error;
	return make_call(c, environment);
}

#define SAME(name, ...)                                                                            \
	static int same_##name(const struct call *c)                                               \
	{                                                                                          \
		return real.name(__VA_ARGS__);                                                     \
	}
#define OTHER(name, ...)                                                                           \
	static int other_##name(const struct call *c, char *const *environment)                    \
	{                                                                                          \
		return real.name(__VA_ARGS__);                                                     \
	}

SAME(execve, c->file, c->argv, c->envp)
SAME(execv, c->file, c->argv)
SAME(execvp, c->file, c->argv)
SAME(execvpe, c->file, c->argv, c->envp)
SAME(execveat, c->folder, c->file, c->argv, c->envp, c->flags)
SAME(fexecve, c->folder, c->argv, c->envp)
OTHER(execve, c->file, c->argv, environment)
OTHER(execvpe, c->file, c->argv, environment)
OTHER(execveat, c->folder, c->file, c->argv, environment, c->flags)
OTHER(fexecve, c->folder, c->argv, environment)

#define SPAWN(how)                                                                                 \
	static int same_##how(const struct call *c)                                                \
	{                                                                                          \
		return real.how(c->pid, c->file, c->actions, c->attributes, c->argv, c->envp);     \
	}                                                                                          \
	static int other_##how(const struct call *c, char *const *environment)                     \
	{                                                                                          \
		return real.how(c->pid, c->file, c->actions, c->attributes, c->argv, environment); \
	}

SPAWN(posix_spawn)
SPAWN(posix_spawnp)

/* --- the functions --- */

#define RUN(how, otherwise, where, what, arguments, environment, ...)                              \
	run(&(struct call){.same = same_##how,                                                     \
			   .other = other_##otherwise,                                             \
			   .folder = where,                                                        \
			   .file = what,                                                           \
			   .argv = arguments,                                                      \
			   .envp = environment,                                                    \
			   __VA_ARGS__})

EXEC_PUBLIC int execve(const char *file, char *const *argv, char *const *envp)
{
	return RUN(execve, execve, AT_FDCWD, file, argv, envp, .searches = false);
}

EXEC_PUBLIC int execv(const char *file, char *const *argv)
{
	return RUN(execv, execve, AT_FDCWD, file, argv, environ, .searches = false);
}

EXEC_PUBLIC int execvp(const char *file, char *const *argv)
{
	return RUN(execvp, execvpe, AT_FDCWD, file, argv, environ, .searches = true);
}

EXEC_PUBLIC int execvpe(const char *file, char *const *argv, char *const *envp)
{
	return RUN(execvpe, execvpe, AT_FDCWD, file, argv, envp, .searches = true);
}

EXEC_PUBLIC int execveat(int folder, const char *file, char *const *argv, char *const *envp,
			 int flags)
{
	return RUN(execveat, execveat, folder, file, argv, envp, .flags = flags);
}

EXEC_PUBLIC int fexecve(int fd, char *const *argv, char *const *envp)
{
	return RUN(fexecve, fexecve, fd, "", argv, envp, .flags = AT_EMPTY_PATH);
}

EXEC_PUBLIC int execl(const char *file, const char *first, ...)
{
	char **argv;
	va_list list;

	EXEC_TAKE_ARGUMENTS(argv, first, list);
	va_end(list);
	return RUN(execv, execve, AT_FDCWD, file, argv, environ, .searches = false);
}

EXEC_PUBLIC int execlp(const char *file, const char *first, ...)
{
	char **argv;
	va_list list;

	EXEC_TAKE_ARGUMENTS(argv, first, list);
	va_end(list);
	return RUN(execvp, execvpe, AT_FDCWD, file, argv, environ, .searches = true);
}

EXEC_PUBLIC int execle(const char *file, const char *first, ...)
{
	char **argv, **envp;
	va_list list;

	EXEC_TAKE_ARGUMENTS(argv, first, list);
	envp = va_arg(list, char **);
	va_end(list);
	return RUN(execve, execve, AT_FDCWD, file, argv, envp, .searches = false);
}

EXEC_PUBLIC int posix_spawn(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
			    const posix_spawnattr_t *attributes, char *const *argv,
			    char *const *envp)
{
	return RUN(posix_spawn, posix_spawn, AT_FDCWD, file, argv, envp, .by_child = true,
		   .pid = pid, .actions = actions, .attributes = attributes);
}

EXEC_PUBLIC int posix_spawnp(pid_t *pid, const char *file,
			     const posix_spawn_file_actions_t *actions,
			     const posix_spawnattr_t *attributes, char *const *argv,
			     char *const *envp)
{
	return RUN(posix_spawnp, posix_spawnp, AT_FDCWD, file, argv, envp, .searches = true,
		   .by_child = true, .pid = pid, .actions = actions, .attributes = attributes);
}

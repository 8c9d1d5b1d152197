/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/table_folder.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "collect/table/table_folder.h"
#include "inject/preload/exec.h"
#include "inject/preload/exec_file.h"
#include "inject/preload/process.h"
#include "pmu/perf/ring.h"

/* Returns whether the path is absolute and on tmpfs. On a disk, the kernel would write the tables
 * back during the measurement. */
static bool is_in_memory(const char *path)
{
	struct statfs system;

	return path && path[0] == '/' && !statfs(path, &system) && system.f_type == TMPFS_MAGIC;
}

/* The most tries to make and lock the folder: another tiptop may remove the new folder as stale
 * before it is locked. */
#define MAKE_TRIES 10

/* Makes a mark and watches it. Returns its watch; -1: it is not watched. */
static int watch_mark(const struct table_folder *f, const char *name)
{
	char path[PATH_MAX];
	int fd;

	if (snprintf(path, sizeof path, "%s/%s", f->path, name) >= (int)sizeof path)
		return -1;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	fchmod(fd, 0444);
	close(fd);
	/* The kernel merges equal events that follow each other: IN_CLOSE_NOWRITE keeps two opens
	 * apart. */
	return inotify_add_watch(f->mark_fd, path, IN_OPEN | IN_CLOSE_NOWRITE);
}

/* Watches the files that a program opens if it cannot be measured; if the kernel refuses, such
 * programs are not counted. */
static void watch_marks(struct table_folder *f)
{
	static const char *const name[TABLE_FOLDER_MARKS] = {
		PROCESS_MARK_FILTERED, PROCESS_MARK_NO_PROC, PROCESS_MARK_OTHER_USER};

	chmod(f->path, 0711);
	f->mark_fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	for (size_t i = 0; i < TABLE_FOLDER_MARKS; i++)
		f->mark[i] = f->mark_fd >= 0 ? watch_mark(f, name[i]) : -1;
}

/* A table that no process has mapped any more. */
struct table_end {
	char *name;
	unsigned wait; /* how many calls of table_folder_collect() to wait before it is tried */
};

static void add_end(struct table_folder *f, const char *name)
{
	f->end = xgrow(f->end, &f->cap_ends, f->n_ends + 1, sizeof *f->end);
	f->end[f->n_ends++] = (struct table_end){xstrdup(name), 0};
}

/* Closing the descriptor releases the lock. */
static void close_folder(struct table_folder *f)
{
	for (size_t i = 0; i < f->n_ends; i++)
		free(f->end[i].name);
	free(f->end);
	f->end = NULL;
	f->n_ends = f->cap_ends = 0;
	kept_tables_free(f->kept);
	f->kept = NULL;
	if (f->mark_fd >= 0)
		close(f->mark_fd);
	close(f->lock_fd);
	f->path[0] = '\0';
}

/* Reads what the kernel has reported since the last call. */
static void read_events(struct table_folder *f)
{
	_Alignas(struct inotify_event) char part[4096];
	ssize_t size;

	while (f->mark_fd >= 0 && (size = read(f->mark_fd, part, sizeof part)) > 0)
		for (ssize_t at = 0; at < size;) {
			const struct inotify_event *event = (const void *)(part + at);

			for (size_t i = 0; i < TABLE_FOLDER_MARKS; i++)
				f->n_marked[i] += event->wd == f->mark[i] && event->mask & IN_OPEN;
			if (event->len && event->wd == f->ends)
				add_end(f, event->name);
			f->missed |= event->mask & IN_Q_OVERFLOW;
			at += (ssize_t)(sizeof *event + event->len);
		}
}

void table_folder_count_marks(struct table_folder *f, unsigned n[TABLE_FOLDER_MARKS])
{
	read_events(f);
	for (size_t i = 0; i < TABLE_FOLDER_MARKS; i++) {
		n[i] += f->n_marked[i];
		f->n_marked[i] = 0;
	}
}

static int make_in(struct table_folder *f, const char *parent, const char *what)
{
	f->lock_fd = -1;
	for (int i = 0; i < MAKE_TRIES && f->lock_fd < 0; i++) {
		if (snprintf(f->path, sizeof f->path, "%s/tiptop-%s.XXXXXX", parent, what) >=
		    (int)sizeof f->path)
			return -ENAMETOOLONG;
		if (!mkdtemp(f->path))
			return -errno;
		f->lock_fd = stale_tables_lock_folder(f->path, 0);
	}
	return f->lock_fd < 0 ? -EBUSY : 0;
}

int table_folder_make(struct table_folder *f, const char *what, struct err *err)
{
	const char *runtime = secure_getenv("XDG_RUNTIME_DIR");
	const char *const parent[] = {runtime, "/dev/shm"};
	int error = ENODEV;

	*f = (struct table_folder){.lock_fd = -1, .mark_fd = -1, .ends = -1};
	stale_tables_remove();
	for (size_t i = 0; i < sizeof parent / sizeof *parent && error; i++)
		if (is_in_memory(parent[i]))
			error = -make_in(f, parent[i], what);
	if (!error) {
		watch_marks(f);
		return 0;
	}
	f->path[0] = '\0';
	return err_set(err, error,
		       "cannot make a folder for the tables of %s, neither in $XDG_RUNTIME_DIR "
		       "nor in /dev/shm, in memory (tmpfs): %s",
		       what, strerror(error));
}

static int open_table(const struct table_folder *f, const char *name, struct err *err)
{
	char path[TABLE_FOLDER_MAX + 64];

	if (snprintf(path, sizeof path, "%s/%s", f->path, name) >= (int)sizeof path)
		return err_set(err, ENAMETOOLONG, "cannot read the table '%s': %s", name,
			       strerror(ENAMETOOLONG));
	return tables_open_file(path, name, err);
}

int table_folder_read(const struct table_folder *f, const char *what, const struct table_name *name,
		      table_reader read, void *to, struct err *err)
{
	const bool is_file = name->kept == TABLE_FOLDER_FILE;
	const int fd = is_file ? open_table(f, name->text, err)
			       : kept_tables_restore(f->kept, name->kept, err);
	struct err why = ERR_INIT;
	int ret, pid;

	if (fd < 0)
		return fd;
	ret = read(to, fd, false, &why);
	if (ret == -EAGAIN)
		ret = read(to, fd, true, &why);
	if (is_file)
		close(fd);
	/* The file has no size or no contents yet. */
	if (is_file && (ret == -ENODATA || ret == -ENOMEM) &&
	    sscanf(name->text, PROCESS_FILE_PREFIX "%d", &pid) == 1 && table_process_runs(pid))
		return TABLE_FOLDER_NOT_BEGUN;
	return ret ? err_set(err, why.code, "the table of %s '%s' %s", what, name->text, why.text)
		   : 0;
}

/* ---- collection ---- */

/* How many calls of table_folder_collect() a table waits while its process runs another program. */
#define WAIT 10

void table_folder_watch_ends(struct table_folder *f)
{
	f->ends = f->mark_fd < 0
			  ? -1
			  : inotify_add_watch(f->mark_fd, f->path, IN_CLOSE_WRITE | IN_ONLYDIR);
	f->kept = f->ends < 0 ? NULL : kept_tables_new();
}

/* Keeps a table and removes its file. Returns false if its process runs another program, or a
 * process has mapped it. A table that cannot be kept, or has no header, stays in the folder. */
static bool collect(struct table_folder *f, const char *name)
{
	char path[TABLE_FOLDER_MAX + 64];
	int pid, fd = sscanf(name, PROCESS_FILE_PREFIX "%d.", &pid) == 1 ? open_table(f, name, NULL)
									 : -1;
	bool begun, runs;
	uint64_t start;

	if (fd < 0)
		return true;
	begun = table_has_begun(fd, &start);
	runs = begun && (table_process_lives(pid, start) || table_is_written(fd, pid));
	snprintf(path, sizeof path, "%s/%s", f->path, name);
	if (begun && !runs && !kept_tables_add(f->kept, name, start, fd) && unlink(path))
		kept_tables_drop_last(f->kept);
	close(fd);
	return !runs;
}

/* Adds all tables of the folder, also those of running processes. */
static void add_all(struct table_folder *f)
{
	struct folder names;
	const char *name;

	if (folder_open(&names, "%s", f->path) < 0)
		return;
	while ((name = folder_next(&names)))
		add_end(f, name);
}

void table_folder_collect(struct table_folder *f)
{
	size_t n = 0;

	read_events(f);
	if (!f->kept)
		return;
	if (f->missed)
		add_all(f);
	f->missed = false;
	for (size_t i = 0; i < f->n_ends; i++) {
		struct table_end *end = &f->end[i];

		if (end->wait) {
			end->wait--;
		} else if (collect(f, end->name)) {
			free(end->name);
			continue;
		} else {
			end->wait = WAIT;
		}
		f->end[n++] = *end;
	}
	f->n_ends = n;
}

/* ---- the tables ---- */

/* Returns the length of the part of a name that all tables with its pid have. */
static size_t pid_length(const char *name)
{
	const size_t prefix = strlen(PROCESS_FILE_PREFIX);

	return strncmp(name, PROCESS_FILE_PREFIX, prefix) != 0
		       ? strlen(name)
		       : prefix + strcspn(name + prefix, ".");
}

/* Sorts by pid; then by the start of the process, as a pid may be reused; then by number. */
static int compare_names(const void *a, const void *b)
{
	const struct table_name *x = a, *y = b;
	const size_t m = pid_length(x->text), n = pid_length(y->text);
	const int order = strncmp(x->text, y->text, m < n ? m : n);

	if (order || m != n)
		return order ? order : m < n ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return strcmp(x->text, y->text);
}

static void add_table(struct table_list *l, const char *name, uint64_t start, size_t kept)
{
	l->v = xgrow(l->v, &l->cap, l->n + 1, sizeof *l->v);
	l->v[l->n++] = (struct table_name){xstrdup(name), start, kept};
}

static void add_file(const struct table_folder *f, const char *name, struct table_list *l)
{
	const int fd = open_table(f, name, NULL);
	uint64_t start = 0;

	if (fd >= 0)
		table_has_begun(fd, &start);
	add_table(l, name, start, TABLE_FOLDER_FILE);
	if (fd >= 0)
		close(fd);
}

void table_folder_list(const struct table_folder *f, struct table_list *out)
{
	struct folder names;
	const char *name;

	*out = (struct table_list){.n = 0};
	for (size_t i = 0; f->kept && i < kept_tables_n(f->kept); i++)
		add_table(out, kept_tables_name(f->kept, i), kept_tables_start(f->kept, i), i);
	if (folder_open(&names, "%s", f->path) >= 0)
		while ((name = folder_next(&names)))
			add_file(f, name, out);
	array_sort(out->v, out->n, sizeof *out->v, compare_names);
}

void table_list_done(struct table_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		free(l->v[i].text);
	free(l->v);
}
void table_folder_leave(struct table_folder *f)
{
	if (!f->path[0])
		return;
	stale_tables_clear_folder(f->path);
	close_folder(f);
}

void table_folder_remove(struct table_folder *f)
{
	if (!f->path[0])
		return;
	stale_tables_clear_folder(f->path);
	stale_tables_remove_folder(f->path);
	close_folder(f);
}

/* ---- programs without a table ---- */

#define NS_PER_S 1000000000u
/* Tolerance when times of both clocks are compared: the clocks are read one after the other. */
#define TOLERANCE_NS 100000
/* A running program may take this long after its execution to make its table. */
#define TABLE_DELAY_NS (2ull * NS_PER_S)
/* The most programs that a message names. */
#define NAMED_MAX 4
/* Ended processes are first dropped when the list has this many processes, then each time its
 * length has doubled since. */
#define FIRST_DROP 1024
/* PID_MAX_LIMIT of the kernel. */
#define PIDS_MAX (4 << 20)

struct process {
	pid_t pid;
	uint64_t begin_ns;
};

struct moment {
	pid_t pid;
	uint64_t time_ns;
};

struct execution {
	struct moment at; /* the first member, for find_after() */
	char name[LIFE_NAME_MAX];
};

struct table {
	uint32_t pid;
	uint64_t begin; /* on the clock of the tables */
};

struct reason {
	pid_t pid;
	uint64_t time_ns;
	const char *text;
};

/* Both clocks at one moment: CLOCK_BOOTTIME, and the clock of the tables. */
struct clock_pair {
	uint64_t boot_ns, ticks;
};

struct process_watch {
	struct lives *lives;
	process_watch_clock *clock;
	pid_t command;
	bool all;
	struct clock_pair begin, end;
	unsigned char *pids;     /* one bit for each pid that a descendant has had */
	struct process *process; /* descendants, without the command */
	size_t n_processes, cap_processes, drop_at;
	struct execution *execution; /* sorted by process_watch_end() */
	size_t n_executions, cap_executions;
	/* The end of the last thread of each process whose first thread has ended. Sorted by
	 * process_watch_end(). */
	struct moment *ending;
	size_t n_endings, cap_endings;
	struct hash ending_of; /* pid -> index of its last ending + 1, before they are sorted */
	struct table *table;
	size_t n_tables, cap_tables;
	struct reason *reason;
	size_t n_reasons, cap_reasons;
	pid_t *unread; /* of each table that could not be read, its process */
	size_t n_unread, cap_unread;
};

static struct clock_pair read_clocks(process_watch_clock *clock)
{
	return (struct clock_pair){clock_ns(CLOCK_BOOTTIME), clock()};
}

struct process_watch *process_watch_open(struct perf_sys *sys, int n_cpus, pid_t command, bool all,
					 process_watch_clock *clock)
{
	struct process_watch *w;
	struct lives *lives;

	if (lives_open(&lives, sys, n_cpus, command))
		return NULL;
	w = xcalloc(1, sizeof *w);
	*w = (struct process_watch){.lives = lives,
				    .clock = clock,
				    .command = command,
				    .all = all,
				    .begin = read_clocks(clock),
				    .pids = xcalloc(PIDS_MAX / 8, 1),
				    .drop_at = FIRST_DROP,
				    .ending_of = HASH_INIT};
	return w;
}

/* --- what happens --- */

/* Returns whether the process still runs. /proc has its start time in clock ticks. The kernel takes
 * that time just before it reports the fork, so the time in /proc may be one tick earlier. */
static bool runs(const struct process *p)
{
	const uint64_t tick = p->begin_ns / (NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));

	return table_process_lives(p->pid, tick) || table_process_lives(p->pid, tick - 1);
}

static void drop_ended(struct process_watch *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n_processes; i++)
		if (runs(&w->process[i]))
			w->process[n++] = w->process[i];
	w->n_processes = n;
	w->drop_at = n < FIRST_DROP / 2 ? FIRST_DROP : 2 * n;
}

static bool pids_have(const struct process_watch *w, pid_t pid)
{
	return pid > 0 && pid < PIDS_MAX && w->pids[pid / 8] >> pid % 8 & 1;
}

static void add_process(struct process_watch *w, const struct life *life)
{
	if (life->process > 0 && life->process < PIDS_MAX)
		w->pids[life->process / 8] |= (unsigned char)(1 << life->process % 8);
	if (w->n_processes == w->drop_at)
		drop_ended(w);
	w->process = xgrow(w->process, &w->cap_processes, w->n_processes + 1, sizeof *w->process);
	w->process[w->n_processes++] =
		(struct process){.pid = life->process, .begin_ns = life->time_ns};
}

static void add_execution(struct process_watch *w, const struct life *life)
{
	struct execution *e;

	w->execution =
		xgrow(w->execution, &w->cap_executions, w->n_executions + 1, sizeof *w->execution);
	e = &w->execution[w->n_executions++];
	*e = (struct execution){.at = {life->process, life->time_ns}};
	memcpy(e->name, life->name, sizeof e->name);
	text_sanitize(e->name, '?');
}

/* Notes the end of a thread. If the first thread has not ended, the process goes on. */
static void add_ending(struct process_watch *w, const struct life *life)
{
	const uint64_t pid = (uint64_t)life->process;
	size_t i = (size_t)(uintptr_t)hash_get(&w->ending_of, pid);

	if (life->task == life->process) {
		w->ending = xgrow(w->ending, &w->cap_endings, w->n_endings + 1, sizeof *w->ending);
		w->ending[w->n_endings++] = (struct moment){life->process, life->time_ns};
		hash_put(&w->ending_of, pid, (void *)(uintptr_t)w->n_endings);
	} else if (i && w->ending[i - 1].time_ns < life->time_ns) {
		w->ending[i - 1].time_ns = life->time_ns;
	}
}

void process_watch_update(struct process_watch *w)
{
	struct life life;

	while (lives_next(w->lives, &life)) {
		if (life.what == LIVES_BEGIN && life.process == life.task)
			add_process(w, &life);
		if (life.what == LIVES_NAME && life.executes &&
		    (w->all || life.process == w->command))
			add_execution(w, &life);
		if (life.what == LIVES_END && (w->all || life.process == w->command))
			add_ending(w, &life);
	}
}

void process_watch_note_table(struct process_watch *w, uint32_t pid, uint64_t begin)
{
	w->table = xgrow(w->table, &w->cap_tables, w->n_tables + 1, sizeof *w->table);
	w->table[w->n_tables++] = (struct table){pid, begin};
}

void process_watch_note_unread(struct process_watch *w, pid_t pid)
{
	w->unread = xgrow(w->unread, &w->cap_unread, w->n_unread + 1, sizeof *w->unread);
	w->unread[w->n_unread++] = pid;
}

void process_watch_note_reason(struct process_watch *w, pid_t pid, uint64_t time_ns,
			       const char *reason)
{
	w->reason = xgrow(w->reason, &w->cap_reasons, w->n_reasons + 1, sizeof *w->reason);
	w->reason[w->n_reasons++] = (struct reason){pid, time_ns, reason};
}

/* Returns the text of an enum exec_file_kind; NULL: none. */
static const char *text_of(uint32_t kind)
{
	static const char *const text[EXEC_FILE_KINDS] = {
		[EXEC_FILE_STATIC] = "linked statically",
		[EXEC_FILE_MUSL] = "for the C library musl",
		[EXEC_FILE_OTHER_LIBRARY] = "for another C library",
		[EXEC_FILE_OTHER_MACHINE] = "for another kind of machine",
		[EXEC_FILE_RIGHTS] = "with rights of its own",
		[EXEC_FILE_SANITIZER] = "with a sanitizer's library in front",
		[EXEC_FILE_NO_OBJECT] = "where the object cannot be opened",
		[EXEC_FILE_NO_ROOM] = "with too large an environment",
	};

	return kind < EXEC_FILE_KINDS ? text[kind] : NULL;
}

void process_watch_read_reasons(struct process_watch *w, const char *folder)
{
	char path[PATH_MAX];
	struct exec_note note;
	int fd = -1;

	if (snprintf(path, sizeof path, "%s/" EXEC_NOTE_FILE, folder) < (int)sizeof path)
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	while (read(fd, &note, sizeof note) == sizeof note)
		if (text_of(note.kind))
			process_watch_note_reason(w, note.pid, note.boot_ns, text_of(note.kind));
	close(fd);
}

static int compare_moments(const void *x, const void *y)
{
	const struct moment *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns;
}

void process_watch_end(struct process_watch *w)
{
	process_watch_update(w);
	w->end = read_clocks(w->clock);
	array_sort(w->execution, w->n_executions, sizeof *w->execution, compare_moments);
	array_sort(w->ending, w->n_endings, sizeof *w->ending, compare_moments);
}

/* --- programs without a table --- */

static int compare_tables(const void *x, const void *y)
{
	const struct table *a = x, *b = y;

	if (a->pid != b->pid)
		return a->pid < b->pid ? -1 : 1;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

uint64_t process_watch_boot_ns(const struct process_watch *w, uint64_t ticks)
{
	const double ns = (double)(w->end.boot_ns - w->begin.boot_ns),
		     all = (double)(w->end.ticks - w->begin.ticks),
		     part = (double)(int64_t)(ticks - w->begin.ticks);

	return w->begin.boot_ns + (uint64_t)(int64_t)(all > 0 ? part / all * ns : 0);
}

/* Finds, for each table, the last program that its process had executed when the table began, and
 * sets has_table[] of that execution. Executions and tables are sorted. Returns false if the
 * process of a table is unknown, as the pid is of another PID namespace. */
static bool match(const struct process_watch *w, bool *has_table)
{
	size_t i = 0;

	for (size_t t = 0; t < w->n_tables; t++) {
		const pid_t pid = (pid_t)w->table[t].pid;
		const uint64_t begin_ns =
			process_watch_boot_ns(w, w->table[t].begin) + TOLERANCE_NS;

		if (pid != w->command && !pids_have(w, pid))
			return false;
		while (i < w->n_executions && w->execution[i].at.pid < pid)
			i++;
		while (i + 1 < w->n_executions && w->execution[i + 1].at.pid == pid &&
		       w->execution[i + 1].at.time_ns <= begin_ns)
			i++;
		if (i < w->n_executions && w->execution[i].at.pid == pid &&
		    w->execution[i].at.time_ns <= begin_ns)
			has_table[i] = true;
	}
	return true;
}

/* Sets has_table[] for tables that could not be read: it is unknown when they began, so each
 * belongs to the first execution of its process without a table. */
static void match_unread(const struct process_watch *w, bool *has_table)
{
	for (size_t u = 0; u < w->n_unread; u++) {
		size_t i = 0;

		while (i < w->n_executions &&
		       (w->execution[i].at.pid != w->unread[u] || has_table[i]))
			i++;
		if (i < w->n_executions)
			has_table[i] = true;
	}
}

/* Returns why the program of an execution has no table; NULL: unknown. Executions are sorted. */
static const char *reason_of(const struct process_watch *w, const struct execution *e)
{
	const bool is_first = e == w->execution || e[-1].at.pid != e->at.pid;
	const char *text = NULL;

	for (size_t i = 0; i < w->n_reasons; i++) {
		const struct reason *r = &w->reason[i];

		if (r->pid == e->at.pid && r->time_ns <= e->at.time_ns &&
		    (is_first || r->time_ns > e[-1].at.time_ns))
			text = r->text;
	}
	return text;
}

static void add_name(const struct execution *e, const char *reason, size_t n, struct strbuf *out)
{
	if (n < NAMED_MAX)
		strbuf_addf(out, "%s'%s' (process %d%s%s)", n ? ", " : "", e->name, (int)e->at.pid,
			    reason ? ", " : "", reason ? reason : "");
}

/* Returns whether the process runs and has executed its program so recently that its table may
 * still come. */
static bool may_get_table(const struct process_watch *w, const struct execution *e)
{
	bool goes_on = false;

	if (e->at.time_ns + TABLE_DELAY_NS < w->end.boot_ns)
		return false;
	for (size_t i = 0; i < w->n_processes && !goes_on; i++)
		goes_on = w->process[i].pid == e->at.pid && runs(&w->process[i]);
	return goes_on;
}

size_t process_watch_unmeasured(struct process_watch *w, struct strbuf *out, size_t *unexplained)
{
	bool *has_table = xcalloc(w->n_executions + 1, sizeof *has_table);
	size_t n = 0;
	bool known;

	*unexplained = 0;
	array_sort(w->table, w->n_tables, sizeof *w->table, compare_tables);
	known = !lives_losses(w->lives).records && match(w, has_table);
	match_unread(w, has_table);
	for (size_t i = 0; known && i < w->n_executions; i++) {
		const struct execution *e = &w->execution[i];
		const char *reason = reason_of(w, e);

		if (has_table[i] || may_get_table(w, e))
			continue;
		add_name(e, reason, n++, out);
		*unexplained += !reason;
	}
	if (n > NAMED_MAX)
		strbuf_addf(out, " and %zu more", n - NAMED_MAX);
	free(has_table);
	return n;
}

/* --- the ends of programs --- */

/* Finds the first element of this process after a time, in an array of structs that begin with a
 * struct moment and are sorted by it. Returns its time; 0: there is none. */
static uint64_t find_after(const void *array, size_t n, size_t size, const struct moment *last)
{
	size_t from = 0, to = n;
	const struct moment *at;

	while (from < to) {
		const size_t middle = from + (to - from) / 2;

		if (compare_moments((const char *)array + middle * size, last) <= 0)
			from = middle + 1;
		else
			to = middle;
	}
	at = from < n ? (const void *)((const char *)array + from * size) : NULL;
	return at && at->pid == last->pid ? at->time_ns : 0;
}

/* Converts a time of CLOCK_BOOTTIME to the clock of the tables. */
static uint64_t ticks_of(const struct process_watch *w, uint64_t boot_ns)
{
	const double ns = (double)(w->end.boot_ns - w->begin.boot_ns),
		     all = (double)(w->end.ticks - w->begin.ticks),
		     part = (double)(int64_t)(boot_ns - w->begin.boot_ns);

	return w->begin.ticks + (uint64_t)(int64_t)(ns > 0 ? part / ns * all : 0);
}

uint64_t process_watch_program_end(const struct process_watch *w, uint32_t pid, uint64_t begin,
				   bool *executes)
{
	const struct moment last = {(pid_t)pid, process_watch_boot_ns(w, begin) + TOLERANCE_NS};
	const uint64_t next = find_after(w->execution, w->n_executions, sizeof *w->execution,
					 &last),
		       ending = find_after(w->ending, w->n_endings, sizeof *w->ending, &last);
	uint64_t end;

	*executes = next && (!ending || next <= ending + TOLERANCE_NS);
	end = *executes ? next : ending;
	return end ? ticks_of(w, end) : 0;
}

/* --- processes that run --- */

static bool is_measured(const struct process_watch *w, const struct process *p)
{
	for (size_t i = 0; i < w->n_tables; i++)
		if ((pid_t)w->table[i].pid == p->pid)
			return true;
	return false;
}

/* Returns whether the program of a process is linked statically: the kernel has loaded no
 * interpreter for it, which would load the object. */
static bool is_static(pid_t pid)
{
	unsigned long entry[128][2];
	char path[64];
	ssize_t n;

	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	n = file_read(AT_FDCWD, path, (char *)entry, sizeof entry);
	for (size_t i = 0; n > 0 && i < (size_t)n / sizeof *entry; i++)
		if (entry[i][0] == AT_BASE)
			return !entry[i][1];
	return false;
}

size_t process_watch_running(struct process_watch *w, int *pid, size_t *n_static)
{
	bool measured = false, has_table;
	size_t n = 0;

	*n_static = 0;
	drop_ended(w);
	for (size_t i = 0; i < w->n_processes; i++) {
		const struct process *p = &w->process[i];

		if (is_static(p->pid)) {
			++*n_static;
			continue;
		}
		has_table = !measured && is_measured(w, p);
		if (!n++ || has_table)
			*pid = p->pid;
		measured = measured || has_table;
	}
	return n;
}

void process_watch_close(struct process_watch *w)
{
	if (!w)
		return;
	lives_close(w->lives);
	free(w->pids);
	free(w->process);
	free(w->execution);
	free(w->ending);
	hash_done(&w->ending_of);
	free(w->table);
	free(w->reason);
	free(w->unread);
	free(w);
}

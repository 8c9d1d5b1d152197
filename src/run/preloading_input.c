/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/preloading_input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/child.h"
#include "base/destination.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "inject/preload/events.h"
#include "inject/preload/exec_file.h"
#include "inject/preload/seccomp_filter.h"
#include "pmu/check/refusal.h"
#include "pmu/event/machine.h"
#include "pmu/event/name.h"
#include "pmu/event/perf_name.h"
#include "run/helper.h"

/* ---- files ---- */

int preloading_check_files(const char *output, const char *folded, const char *rules,
			   const char *functions, struct err *err)
{
	const bool to_file = output && strcmp(output, "-") != 0;
	const struct dest_file file[] = {
		{"the report (-o)", to_file ? output : "/dev/stdout", DEST_IS_WRITTEN},
		{"the stacks (--folded)", folded, DEST_IS_WRITTEN},
		{"the rules (--rules)", rules, DEST_IS_READ},
		{"the functions (--functions)", functions, DEST_IS_READ},
	};

	return dest_check_files(file, sizeof file / sizeof *file, err);
}

/* ---- trial of filters ---- */

/* A call that a supervisor holds for longer (SECCOMP_RET_USER_NOTIF) counts as not allowed. */
#define TRIAL_MS 2000

/* Makes a system call and returns whether the filter allows it. Arguments that are not fixed get no
 * valid address, descriptor or length: the kernel refuses the call with another errno than a filter
 * does. */
static bool make_call(const struct seccomp_call *call)
{
	long a[SECCOMP_CALL_ARGUMENTS];

	for (int i = 0; i < SECCOMP_CALL_ARGUMENTS; i++)
		a[i] = (long)(call->argument[i] | ~seccomp_call_known(call, i));
	return syscall(call->number, a[0], a[1], a[2], a[3], a[4], a[5]) >= 0 ||
	       (errno != EPERM && errno != EACCES && errno != ENOSYS);
}

/* Makes the system calls of the object in turn, and writes the number of each to fd before it is
 * made. Exits at the first call that fails, except those whose failure a report shows anyway, such
 * as opening events. */
static _Noreturn void run_child(int fd, unsigned needs)
{
	const struct rlimit no_core = {0, 0};
	const struct seccomp_call *call;
	uint32_t number = 0;

	signal(SIGSYS, SIG_DFL);
	setrlimit(RLIMIT_CORE, &no_core);
	while ((call = seccomp_calls_next(&number, needs)))
		if (write(fd, &number, sizeof number) != sizeof number ||
		    (!make_call(call) && !seccomp_calls_may_fail(number)))
			_exit(EXIT_FAILURE);
	_exit(EXIT_SUCCESS);
}

/* Returns the last number that the child wrote; 0: none. */
static uint32_t read_last(int fd)
{
	uint32_t last = 0, number;
	ssize_t n;

	while ((n = read(fd, &number, sizeof number)) != 0) {
		if (n < 0 && errno != EINTR)
			break;
		if (n == sizeof number)
			last = number;
	}
	return last;
}

uint32_t filter_trial_find_lacking(unsigned needs)
{
	int status, pipe_fd[2];
	uint32_t last;
	pid_t pid;

	if (syscall_filters_read(SYSCALL_FILTERS_OWN).n <= 0 || pipe2(pipe_fd, O_CLOEXEC))
		return 0;
	pid = fork();
	if (!pid)
		run_child(pipe_fd[1], needs);
	close(pipe_fd[1]);
	/* Waits first: the pipe can hold all numbers. */
	status = child_finish(pid, TRIAL_MS);
	last = read_last(pipe_fd[0]);
	close(pipe_fd[0]);
	return status && status != CHILD_LOST ? last : 0;
}

/* ---- musl ---- */

bool program_uses_musl(const char *program)
{
	return (strchr(program, '/') ? exec_file_check(syscall, AT_FDCWD, program, true)
				     : exec_file_check_in_path(syscall, program)) == EXEC_FILE_MUSL;
}

/* ---- events ---- */

/* Returns a copy of the text up to the next comma outside of slashes ("cpu/event=1,umask=2/"), and
 * moves *list past that comma. The caller frees it. */
static char *next_name(const char **list)
{
	const char *begin = *list, *end = begin;

	for (bool path = false; *end && (path || *end != ','); end++)
		path ^= *end == '/';
	*list = end + (*end == ',');
	return xstrndup(begin, (size_t)(end - begin));
}

static unsigned flags_of(const struct event *e)
{
	const unsigned modes =
		(unsigned)e->own_modes * EVENTS_OWN_MODES | (unsigned)e->no_user * EVENTS_NO_USER |
		(unsigned)e->no_kernel * EVENTS_NO_KERNEL | (unsigned)e->no_hv * EVENTS_NO_HV;

	return modes | (unsigned)(event_has_no_modes(e) || e->modes_ignored) * EVENTS_ALL_MODES |
	       (unsigned)e->guest_too * EVENTS_GUEST_TOO | (unsigned)e->no_host * EVENTS_NO_HOST |
	       (e->quality == QUALITY_EXACT ? 0 : (unsigned)EVENTS_LACKING);
}

static void add_part(struct strbuf *out, int number, const char *name, const struct event *e)
{
	strbuf_addf(out, "%x,%" PRIx32 ",%" PRIx64 ",%" PRIx64 ",%" PRIx64 ",%x,%x,%s;", number,
		    e->type, e->config, e->config1, e->config2, flags_of(e), (uint8_t)e->core,
		    name);
}

static void free_texts(struct event *e)
{
	free(e->what);
	free(e->pmu);
	free(e->format);
	free(e->resolved);
}

/* Returns whether the event can be counted by mode. Software clocks run in both modes whatever is
 * excluded. */
static bool has_modes(const struct event *e)
{
	return !event_has_no_modes(e) && !e->modes_ignored &&
	       (e->type != PERF_TYPE_SOFTWARE ||
		(e->config != PERF_COUNT_SW_TASK_CLOCK && e->config != PERF_COUNT_SW_CPU_CLOCK));
}

/* State of the conversion of a list of events. */
struct event_list {
	struct strbuf *out;
	const struct machine *machine;
	bool modes; /* count separately for user mode and kernel */
	/* Events may be opened as a trial. False if a system-call filter might end tiptop for that:
	 * the command could not open events either. */
	bool tries;
	struct err *note;
};

/* Opens the event once to see whether its PMU can exclude modes; sets e->modes_forced or
 * e->modes_ignored, and the note, if it cannot. */
static void probe_modes(const struct event_list *h, struct event *e, const char *name)
{
	struct event_set set = {.event = e, .n = 1};
	struct perf_kernel kernel;
	int fd;

	if (!h->tries)
		return;
	perf_kernel_init(&kernel, NULL, 0);
	fd = event_probe(&kernel.sys, &set, 0);
	if (fd >= 0)
		kernel.sys.close(&kernel.sys, fd);
	if (event_is_beyond_modes(e) && h->note && !h->note->code)
		refusal_explain_modes(name, h->note);
}

static int add_modes(struct strbuf *out, int number, const char *name, struct event *e,
		     struct err *err)
{
	if (e->own_modes)
		return err_set(err, EINVAL,
			       "--events: '%s': user mode and the kernel are counted separately "
			       "anyway: leave the modifier out",
			       name);
	if (!has_modes(e))
		return err_set(err, EINVAL,
			       "--events: '%s' cannot be counted separately for user mode and "
			       "kernel",
			       name);
	e->own_modes = e->no_kernel = e->no_hv = true;
	add_part(out, 2 * number, name, e);
	e->no_kernel = false;
	e->no_user = true;
	add_part(out, 2 * number + 1, name, e);
	return 0;
}

/* Adds a part for each kind of cores. An event that this machine lacks is an error, as its name may
 * be mistyped, unless some machine is known to have it. */
static int add_event(const struct event_list *h, int number, const char *name, struct err *err)
{
	const struct machine *m = h->machine;
	bool found = event_name_is_certain(m, name), everywhere = false;
	struct err why = ERR_INIT;
	int added = 0; /* the error of the first kind of cores that has one */

	for (int core = 0;
	     core < machine_kinds(m) && core < COUNTERS_CORES_MAX && !everywhere && !added;
	     core++) {
		struct event e = {.core = EVENT_NO_CORE};
		const int ret = event_name_resolve(&e, m, core, name, &why);

		e.quality = ret || e.absent ? QUALITY_UNSUPPORTED : QUALITY_EXACT;
		if (e.quality == QUALITY_EXACT)
			probe_modes(h, &e, name);
		else if (h->note && !h->note->code)
			pmuv3_refuse(e.absent, name, h->note);
		found = ret != -EINVAL && (found || !ret);
		everywhere = ret == -EINVAL || (!ret && e.core == EVENT_NO_CORE);
		if (h->modes)
			added = add_modes(h->out, number, name, &e, err);
		else
			add_part(h->out, number, name, &e);
		free_texts(&e);
	}
	return found ? added : err_set(err, EINVAL, "--events: %s", why.text);
}

static int add_name(const struct event_list *h, int number, const char *name, struct err *err)
{
	const int most = h->modes ? TT_MAX_EVENTS / 2 : TT_MAX_EVENTS;

	if (number == most)
		return err_set(err, E2BIG, "--events: more than %d events cannot be counted", most);
	if (!*name || strchr(name, ';'))
		return err_set(err, EINVAL, "--events: '%s' is not an event", name);
	if (strlen(name) >= EVENTS_NAME_MAX)
		return err_set(err, EINVAL,
			       "--events: '%s' is longer than %d characters: write the number of "
			       "the event instead, such as r412e",
			       name, EVENTS_NAME_MAX - 1);
	return add_event(h, number, name, err);
}

int preloading_events_add(struct strbuf *out, const char *list, bool modes, struct err *note,
			  struct err *err)
{
	struct machine machine;
	const struct event_list h = {.out = out,
				     .machine = &machine,
				     .modes = modes,
				     .tries = !filter_trial_find_lacking(SECCOMP_EVENTS),
				     .note = note};
	int ret = 0, number = 0;

	machine_init_here(&machine);
	do {
		char *name = next_name(&list);

		ret = add_name(&h, number++, name, err);
		free(name);
	} while (!ret && *list);
	return ret;
}

void preloading_events_print_ignored(const char *list)
{
	struct strbuf ignored;

	strbuf_init(&ignored);
	do {
		char *name = next_name(&list);

		event_spelling_collect_ignored(&ignored, name);
		free(name);
	} while (*list);
	if (ignored.len)
		fprintf(stderr, "tiptop: --events: " EVENT_SPELLING_IGNORED "%s\n", ignored.text);
	strbuf_done(&ignored);
}

static void add_name_of_row(struct strbuf *out, const char *name, char mode, enum event_phase phase)
{
	char *full = event_name_extend(name, mode, phase);

	strbuf_addf(out, "%s%s", out->len ? "," : "", full);
	free(full);
}

char *preloading_events_of_rows(const char *list, bool modes)
{
	struct strbuf out;

	strbuf_init(&out);
	do {
		char *name = next_name(&list);

		if (modes) {
			add_name_of_row(&out, name, 'u', EVENT_ANY_PHASE);
			add_name_of_row(&out, name, 'k', EVENT_ANY_PHASE);
		}
		for (int p = EVENT_ACQUIRE; !modes && p < N_EVENT_PHASES; p++)
			add_name_of_row(&out, name, '\0', (enum event_phase)p);
		free(name);
	} while (*list);
	return out.text;
}

/* Number of fields before the name, see add_part(). */
#define FIELDS_BEFORE_NAME 7

uint32_t preloading_events_name(const char *text, struct event_note note[EVENT_NOTES_MAX])
{
	uint32_t n = 0;

	for (size_t len; *text; text += len + (text[len] == ';')) {
		const unsigned long number = strtoul(text, NULL, 16);
		const char *name = text;

		len = strcspn(text, ";");
		for (int i = 0; i < FIELDS_BEFORE_NAME; i++)
			name += strcspn(name, ",;") + 1;
		if (number >= EVENT_NOTES_MAX)
			continue;
		note[number] = (struct event_note){.error = 0};
		snprintf(note[number].name, sizeof note[number].name, "%.*s",
			 (int)(text + len - name), name);
		if (number >= n)
			n = (uint32_t)number + 1;
	}
	return n;
}

/* ---- functions ---- */

#define MESSAGES_MAX 65536

/* Files in memory. awk gets each file as the descriptor with its number, so FILE_CODE is its
 * standard output and FILE_MESSAGES its standard error. cc gets FILE_MESSAGES as both, FILE_CODE as
 * descriptor 3 and FILE_FLAGS as descriptor 4. */
enum { FILE_CODE = 1, FILE_MESSAGES = 2, FILE_SCRIPT = 3, FILE_LIST = 4, FILE_FLAGS = 5, N_FILES };

/* --- the folder --- */

static int make_folder(struct call_additions *a, struct err *err)
{
	const char *parent = secure_getenv("TMPDIR");
	struct statvfs system;

	if (!parent || parent[0] != '/')
		parent = "/tmp";
	if (snprintf(a->folder, sizeof a->folder, "%s/tiptop-calls.XXXXXX", parent) >=
	    (int)sizeof a->folder)
		errno = ENAMETOOLONG;
	else if (mkdtemp(a->folder))
		errno = 0;
	if (errno) {
		a->folder[0] = '\0';
		return err_set(err, errno, "calls: cannot make a folder in '%s': %s", parent,
			       strerror(errno));
	}
	if (!statvfs(a->folder, &system) && system.f_flag & ST_NOEXEC)
		return err_set(err, EACCES,
			       "calls: nothing in '%s' may be executed (noexec): name another "
			       "folder with TMPDIR",
			       parent);
	return 0;
}

/* --- error messages of the helpers --- */

/* Returns whether the line is an error message of the compiler or the linker, not the line in which
 * cc only reports that the linker failed. */
static bool is_error(const char *line)
{
	return strstr(line, "error: ") && !strstr(line, "ld returned") &&
	       !strstr(line, "linker command failed");
}

/* Sets an error with the first error line of the helper, or its first line: warnings may come
 * before the error. Returns -EINVAL. */
static int set_helper_error(int messages_fd, const char *who, struct err *err)
{
	struct strbuf said;
	char *line, *rest = NULL, *first = NULL, *error = NULL;

	strbuf_init(&said);
	helper_read_file(messages_fd, MESSAGES_MAX, &said);
	for (line = strtok_r(said.text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		first = first ? first : line;
		error = error || !is_error(line) ? error : line;
	}
	line = error ? error : first;
	if (line)
		text_sanitize(line, '?');
	err_set(err, EINVAL, "calls: %s%s", who, line ? line : "it failed without a message");
	strbuf_done(&said);
	return -EINVAL;
}

static int run(struct call_additions *a, char *const argv[], const int *file, int n,
	       const char *who, struct err *err)
{
	int status, ret = helper_run(argv, file, n, a->signals, "compiling the functions", &status);

	if (ret == -EINTR) {
		a->ended_by = status;
		return err_set(err, EINTR, "calls: a signal ended tiptop while %s ran", argv[0]);
	}
	if (ret == -ENOENT)
		return err_set(err, ENOENT,
			       "calls: functions are added by %s, which is not installed: it is in "
			       "the package %s",
			       argv[0], !strcmp(argv[0], "cc") ? "gcc or clang" : "mawk or gawk");
	if (ret)
		return err_set(err, -ret, "calls: cannot run %s: %s", argv[0], strerror(-ret));
	return status ? set_helper_error(file[FILE_MESSAGES], who, err) : 0;
}

/* Runs awk, which converts the file into C. A relative path gets the prefix "./": awk would take an
 * argument with "=" for an assignment, and "-" for its standard input. */
static int make_code(struct call_additions *a, const int file[N_FILES], const char *path,
		     struct err *err)
{
	struct strbuf name;
	char *argv[] = {(char *)"awk",
			(char *)"-v",
			(char *)"make=more",
			(char *)"-v",
			(char *)"flags=/dev/fd/5",
			(char *)"-f",
			(char *)"/dev/fd/3",
			(char *)"/dev/fd/4",
			NULL,
			NULL};
	int ret;

	strbuf_init(&name);
	strbuf_addf(&name, "%s%s", path[0] == '/' ? "" : "./", path);
	argv[8] = name.text;
	ret = run(a, argv, file, N_FILES, "", err);
	strbuf_done(&name);
	return ret;
}

static int compile(struct call_additions *a, const int made[N_FILES], const char *path,
		   struct err *err)
{
	const int file[] = {-1, made[FILE_MESSAGES], made[FILE_MESSAGES], made[FILE_CODE],
			    made[FILE_FLAGS]};
	const char *slash = strrchr(path, '/');
	struct strbuf headers;
	char *argv[] = {(char *)"cc",
			(char *)"-std=gnu11",
			(char *)"-D_GNU_SOURCE",
			(char *)"-O2",
			(char *)"-fPIC",
			(char *)"-shared",
			(char *)"-fexceptions",
			(char *)"-fno-builtin",
			(char *)"-Werror=implicit-function-declaration",
			(char *)"-Werror=incompatible-pointer-types",
			(char *)"-o",
			a->object,
			NULL,
			(char *)"-x",
			(char *)"c",
			(char *)"/dev/fd/3",
			(char *)"-x",
			(char *)"none",
			(char *)"-Wl,-z,nodelete",
			(char *)"-Wl,--no-as-needed",
			(char *)"@/dev/fd/4",
			NULL};
	int ret;

	snprintf(a->object, sizeof a->object, "%s/more.so", a->folder);
	strbuf_init(&headers);
	strbuf_addf(&headers, "-I%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
	argv[12] = headers.text;
	ret = run(a, argv, file, sizeof file / sizeof *file, "cc: ", err);
	strbuf_done(&headers);
	return ret;
}

static int open_files(int file[N_FILES], struct err *err)
{
	const char *const *text[N_FILES] = {[FILE_SCRIPT] = calls_awk, [FILE_LIST] = calls_list};
	struct strbuf all;
	int ret = 0;

	strbuf_init(&all);
	for (int i = FILE_CODE; i < N_FILES && !ret; i++) {
		strbuf_reset(&all);
		for (const char *const *line = text[i]; line && *line; line++)
			strbuf_addf(&all, "%s\n", *line);
		file[i] = helper_new_file(&all, err);
		ret = file[i] < 0 ? -err->code : 0;
	}
	strbuf_done(&all);
	return ret;
}

static int check_readable(const char *path, struct err *err)
{
	const int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat s;
	int error = fd < 0 || fstat(fd, &s) ? errno : S_ISREG(s.st_mode) ? 0 : EINVAL;

	if (fd >= 0)
		close(fd);
	return error ? err_set(err, error, "calls: cannot read '%s': %s", path,
			       error == EINVAL ? "it is not a regular file" : strerror(error))
		     : 0;
}

int call_additions_make(struct call_additions *a, const char *path, const struct signals *signals,
			struct err *err)
{
	int file[N_FILES] = {-1, -1, -1, -1, -1, -1}, ret = check_readable(path, err);

	*a = (struct call_additions){.folder = "", .signals = signals};
	if (!ret)
		ret = open_files(file, err);
	if (!ret)
		ret = make_code(a, file, path, err);
	if (!ret)
		ret = make_folder(a, err);
	if (!ret)
		ret = compile(a, file, path, err);
	for (int i = 0; i < N_FILES; i++)
		if (file[i] >= 0)
			close(file[i]);
	return ret;
}

void call_additions_remove(struct call_additions *a)
{
	if (a->object[0])
		unlink(a->object);
	if (a->folder[0])
		rmdir(a->folder);
	*a = (struct call_additions){.folder = ""};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/resolver.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"

/* ---- lookup ---- */

#define END_MS 2000 /* a killed process may still be in a read from a slow disk */

/* --- the process --- */

/* Closes all inherited descriptors but fd and the standard ones: otherwise counters would stay
 * open, and readers of inherited pipes would not see their end. */
static int close_others(int fd)
{
	const int own = dup2(fd, STDERR_FILENO + 1);

	syscall(SYS_close_range, STDERR_FILENO + 2, ~0u, 0);
	return own;
}

/* Isolates the process: blocks all signals, since signals of the terminal are for the parent; makes
 * the kernel kill it when the parent ends; disables core dumps. */
static void isolate(void)
{
	const struct rlimit no_core = {0, 0};
	sigset_t all;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_CORE, &no_core);
}

static bool answer(int fd, struct symbols *symbols, const struct lookup_request *request)
{
	struct lookup_answer a = {.number = request->number};
	struct strbuf text;
	size_t len;

	strbuf_init(&text);
	a.known = request->kind == LOOKUP_LINE ? symbols_add_line(symbols, &text, request->place)
					       : symbols_add(symbols, &text, request->place);
	len = text.len < sizeof a.text ? text.len : sizeof a.text;
	memcpy(a.text, text.text, len);
	strbuf_done(&text);
	len += offsetof(struct lookup_answer, text);
	return send(fd, &a, len, MSG_NOSIGNAL) == (ssize_t)len;
}

__attribute__((noreturn)) static void serve(int fd, struct symbols *symbols)
{
	struct lookup_request request[256];
	ssize_t size;
	bool running = true;

	while (running && (size = recv(fd, request, sizeof request, 0)) > 0)
		for (size_t i = 0; i < (size_t)size / sizeof *request && running; i++)
			running = answer(fd, symbols, &request[i]);
	_exit(0);
}

/* --- the parent --- */

/* Starts the helper process, which gets a copy of the symbols by fork(2). Returns 0, or -errno with
 * a sentence. */
static int lookup_begin(struct lookup *l, struct symbols *symbols, struct err *err)
{
	int pair[2];

	*l = (struct lookup){.fd = -1};
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair))
		return err_set(err, errno, "a pair of sockets cannot be created: %s",
			       strerror(errno));
	symbols_begin_fork();
	l->pid = fork();
	if (!l->pid) {
		isolate();
		serve(close_others(pair[1]), symbols);
	}
	close(pair[1]);
	l->fd = pair[0];
	if (l->pid > 0)
		return 0;
	close(l->fd);
	*l = (struct lookup){.fd = -1};
	return err_set(err, errno, "no process can be started: %s", strerror(errno));
}

/* Kills the process. */
static void lookup_end(struct lookup *l)
{
	if (l->fd >= 0)
		close(l->fd);
	if (l->pid && !kill(l->pid, SIGKILL))
		child_await(l->pid, END_MS, NULL);
	*l = (struct lookup){.fd = -1};
}

/* Sends n requests without blocking. Returns 0 or -errno. */
static int lookup_send(const struct lookup *l, const struct lookup_request *request, size_t n)
{
	const size_t size = n * sizeof *request;

	return send(l->fd, request, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size ? 0
											: -errno;
}

/* Receives the next answer, with its text terminated. Returns 1; 0: none yet; -errno: the process
 * has ended. */
static int lookup_receive(const struct lookup *l, struct lookup_answer *a)
{
	const size_t head = offsetof(struct lookup_answer, text);
	const ssize_t n = recv(l->fd, a, sizeof *a - 1, MSG_DONTWAIT);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR ? 0 : -errno;
	if ((size_t)n < head)
		return -ECONNRESET;
	a->text[(size_t)n - head] = '\0';
	return 1;
}

/* Waits up to timeout_ms for an answer. */
static void lookup_wait(const struct lookup *l, int timeout_ms)
{
	struct pollfd fd = {.fd = l->fd, .events = POLLIN};

	poll(&fd, 1, timeout_ms);
}

/* Returns the CPU time of the process in ns. */
static uint64_t lookup_cpu_ns(const struct lookup *l)
{
	return l->pid ? clock_process_ns(l->pid) : 0;
}

/* ---- resolver ---- */

/* The most requests that are sent at once, when at most half as many are unanswered. The socket's
 * buffer has space for all of these. */
#define REQUESTS 128

enum state { WANTED, KNOWN, UNKNOWN, GIVEN_UP };

struct wanted {
	uint64_t place;
	enum lookup_kind kind;
	enum state state;
	bool has_file; /* the place was in a module when the text was requested last */
	char *text;    /* NULL unless the state is KNOWN */
};

/* The indices in resolver.wanted of all texts of one kind; requests for those before number[next]
 * were sent. */
struct queue {
	uint32_t *number;
	size_t n, cap, next;
};

struct resolver {
	size_t n_modules, n_seen; /* n_seen: n_modules at the start of the lookup */
	/* The parent uses these symbols only for names of files, which need no lookup. The helper
	 * process has a copy of them since fork(2), and reads files. */
	struct symbols *files;
	struct perf_map_process process;
	struct wanted *wanted;
	size_t n, cap;
	struct hash by_key; /* numbers in `wanted`, from 1 on */
	struct queue queue[LOOKUP_KINDS];
	/* For each kind: how many texts are wanted, and how many of them were answered. */
	size_t n_of[LOOKUP_KINDS], n_known_of[LOOKUP_KINDS];
	/* n_asked, n_answered: requests sent to the present process, and its answers. */
	size_t n_asked, n_answered, n_missing, n_given_up, misses;
	struct lookup lookup;
	struct lookup_answer answer;
	char *reason; /* why missing texts were given up; NULL: they were not */
};

struct resolver *resolver_new(const struct locks_module *module, size_t n)
{
	struct resolver *r = xcalloc(1, sizeof *r);

	r->lookup.fd = -1;
	resolver_set_modules(r, module, n);
	return r;
}

void resolver_free(struct resolver *r)
{
	if (!r)
		return;
	lookup_end(&r->lookup);
	for (size_t i = 0; i < r->n; i++)
		free(r->wanted[i].text);
	free(r->wanted);
	for (int k = 0; k < LOOKUP_KINDS; k++)
		free(r->queue[k].number);
	hash_done(&r->by_key);
	symbols_free(r->files);
	free(r->reason);
	free(r);
}

static void put_queue(struct resolver *r, size_t number)
{
	struct queue *q = &r->queue[r->wanted[number].kind];

	q->number = xgrow(q->number, &q->cap, q->n + 1, sizeof *q->number);
	q->number[q->n++] = (uint32_t)number;
}

/* Ends the process; unanswered requests will be sent again to a new one, which sees the new
 * modules. */
static void resend_requests(struct resolver *r)
{
	lookup_end(&r->lookup);
	r->n_asked = r->n_answered = 0;
	for (int k = 0; k < LOOKUP_KINDS; k++)
		r->queue[k].n = r->queue[k].next = 0;
	for (size_t i = 0; i < r->n; i++)
		if (r->wanted[i].state == WANTED)
			put_queue(r, i);
}

static bool has_file(const struct resolver *r, uint64_t place)
{
	struct strbuf file;
	bool has;

	strbuf_init(&file);
	has = symbols_add_file(r->files, &file, place);
	strbuf_done(&file);
	return has;
}

/* Returns whether texts that were not found are wanted again. A place may be older than the module
 * that has it: a process adds both while its table is read. */
static bool retry_unknown(struct resolver *r)
{
	bool any = false;

	for (size_t i = 0; i < r->n && !r->reason; i++) {
		struct wanted *w = &r->wanted[i];

		if (w->state != UNKNOWN || w->has_file || !has_file(r, w->place))
			continue;
		w->state = WANTED;
		w->has_file = any = true;
		r->n_known_of[w->kind]--;
		r->n_missing++;
	}
	return any;
}

bool resolver_set_modules(struct resolver *r, const struct locks_module *module, size_t n)
{
	const bool is_other = n != r->n_modules;
	bool again;

	r->n_modules = n;
	symbols_free(r->files);
	r->files = symbols_new(module, n);
	symbols_set_process(r->files, &r->process);
	again = is_other && retry_unknown(r);
	if (again || (r->lookup.pid && n != r->n_seen))
		resend_requests(r);
	return again;
}

void resolver_set_process(struct resolver *r, const struct perf_map_process *process)
{
	r->process = *process;
	symbols_set_process(r->files, process);
}

/* --- wanted texts --- */

/* Returns the key of a wanted text in by_key, or a free one; on a collision, the next key. */
static uint64_t key_of(const struct resolver *r, uint64_t place, enum lookup_kind kind)
{
	uint64_t key = (place ^ (uint64_t)kind << 63) * 0x9e3779b97f4a7c15;
	uintptr_t number;

	while ((number = (uintptr_t)hash_get(&r->by_key, key)) &&
	       (r->wanted[number - 1].place != place || r->wanted[number - 1].kind != kind))
		key++;
	return key;
}

static struct wanted *add(struct resolver *r, uint64_t key, uint64_t place, enum lookup_kind kind)
{
	r->wanted = xgrow(r->wanted, &r->cap, r->n + 1, sizeof *r->wanted);
	r->wanted[r->n] =
		(struct wanted){.place = place, .kind = kind, .has_file = has_file(r, place)};
	put_queue(r, r->n);
	hash_put(&r->by_key, key, (void *)(uintptr_t)++r->n);
	r->n_of[kind]++;
	r->n_missing++;
	return &r->wanted[r->n - 1];
}

static bool add_text(struct resolver *r, struct strbuf *out, uint64_t place, enum lookup_kind kind)
{
	const uint64_t key = key_of(r, place, kind);
	const uintptr_t number = (uintptr_t)hash_get(&r->by_key, key);
	struct wanted *w = number ? &r->wanted[number - 1] : add(r, key, place, kind);

	if (w->state == WANTED && r->reason) {
		w->state = GIVEN_UP;
		r->n_missing--;
		r->n_given_up++;
	}
	r->misses += w->state == WANTED;
	if (w->state == KNOWN)
		text_add(out, w->text);
	return w->state == KNOWN;
}

bool resolver_add_name(struct resolver *r, struct strbuf *out, uint64_t place)
{
	return add_text(r, out, place, LOOKUP_NAME);
}

bool resolver_add_line(struct resolver *r, struct strbuf *out, uint64_t place)
{
	return add_text(r, out, place, LOOKUP_LINE);
}

bool resolver_add_file(struct resolver *r, struct strbuf *out, uint64_t place)
{
	return symbols_add_file(r->files, out, place);
}

size_t resolver_n_wanted(const struct resolver *r, enum lookup_kind kind)
{
	return r->n_of[kind];
}

size_t resolver_n_answered(const struct resolver *r, enum lookup_kind kind)
{
	return r->n_known_of[kind];
}

size_t resolver_n_missing(const struct resolver *r)
{
	return r->n_missing;
}

size_t resolver_n_given_up(const struct resolver *r)
{
	return r->n_given_up;
}

size_t resolver_n_misses(const struct resolver *r)
{
	return r->misses;
}

/* Appends the name of a file to a list with commas, unless the list has it already. */
static void add_file(struct strbuf *files, char *file)
{
	const size_t len = strlen(file);
	const char *p = files->text;

	while ((p = strstr(p, file)) &&
	       ((p > files->text && p[-1] != ' ') || (p[len] && p[len] != ',')))
		p++;
	if (!p)
		strbuf_addf(files, "%s%s", files->len ? ", " : "", file);
}

size_t resolver_add_nearest(struct resolver *r, struct strbuf *files)
{
	struct strbuf file;
	size_t n = 0;

	strbuf_init(&file);
	for (size_t i = 0; i < r->n; i++) {
		const struct wanted *w = &r->wanted[i];

		if (w->kind != LOOKUP_NAME || w->state != KNOWN || w->text[0] != SYMBOL_NEAREST)
			continue;
		n++;
		strbuf_reset(&file);
		resolver_add_file(r, &file, w->place);
		text_cut_offset(file.text);
		if (*file.text)
			add_file(files, file.text);
	}
	strbuf_done(&file);
	return n;
}

size_t resolver_n_generated(struct resolver *r)
{
	struct strbuf file;
	size_t n = 0;

	strbuf_init(&file);
	for (size_t i = 0; i < r->n; i++)
		n += r->wanted[i].kind == LOOKUP_NAME && r->wanted[i].state == KNOWN &&
		     !resolver_add_file(r, &file, r->wanted[i].place);
	strbuf_done(&file);
	return n;
}

/* --- the lookup --- */

static bool fail(struct resolver *r, const char *reason)
{
	resolver_give_up(r, reason);
	return false;
}

static bool begin(struct resolver *r)
{
	struct err err = ERR_INIT;

	r->n_seen = r->n_modules;
	return !lookup_begin(&r->lookup, r->files, &err) || fail(r, err.text);
}

/* Fills in the next requests of one kind. */
static size_t fill(struct resolver *r, struct queue *q, struct lookup_request request[REQUESTS])
{
	size_t n = 0;

	for (; n < REQUESTS && q->next + n < q->n; n++) {
		const uint32_t number = q->number[q->next + n];

		request[n] = (struct lookup_request){.place = r->wanted[number].place,
						     .number = number,
						     .kind = r->wanted[number].kind};
	}
	return n;
}

static void send_requests(struct resolver *r)
{
	struct lookup_request request[REQUESTS];
	struct queue *q = r->queue;

	while (q < &r->queue[LOOKUP_KINDS - 1] && q->next == q->n)
		q++;
	if (q->next < q->n && r->n_asked - r->n_answered <= REQUESTS / 2) {
		const size_t n = fill(r, q, request);

		if (!lookup_send(&r->lookup, request, n)) {
			q->next += n;
			r->n_asked += n;
		}
	}
}

/* Stores an answer. Returns false if it does not fit a request: a damaged file may have corrupted
 * the process. */
static bool take(struct resolver *r)
{
	const struct lookup_answer *a = &r->answer;
	struct wanted *w = a->number < r->n ? &r->wanted[a->number] : NULL;

	if (!w || w->state != WANTED)
		return false;
	w->state = a->known ? KNOWN : UNKNOWN;
	if (a->known)
		w->text = xstrdup(a->text);
	r->n_answered++;
	r->n_known_of[w->kind]++;
	r->n_missing--;
	return true;
}

bool resolver_step(struct resolver *r)
{
	int ret;

	if (r->reason)
		return false;
	if (!r->n_missing)
		return true;
	if (!r->lookup.pid && !begin(r))
		return false;
	send_requests(r);
	while ((ret = lookup_receive(&r->lookup, &r->answer)) > 0) {
		if (!take(r))
			return fail(r, "their lookup went wrong");
		send_requests(r);
	}
	return !ret || fail(r, "their lookup ended too early");
}

void resolver_wait(const struct resolver *r, int timeout_ms)
{
	if (r->lookup.pid)
		lookup_wait(&r->lookup, timeout_ms);
}

int resolver_fd(const struct resolver *r)
{
	return r->lookup.fd;
}

uint64_t resolver_cpu_ns(const struct resolver *r)
{
	return lookup_cpu_ns(&r->lookup);
}

void resolver_give_up(struct resolver *r, const char *reason)
{
	lookup_end(&r->lookup);
	if (!r->reason)
		r->reason = xstrdup(reason);
	for (size_t i = 0; i < r->n; i++)
		if (r->wanted[i].state == WANTED) {
			r->wanted[i].state = GIVEN_UP;
			r->n_given_up++;
		}
	r->n_missing = 0;
}

const char *resolver_reason(const struct resolver *r)
{
	return r->reason;
}

/* ---- names of locks ---- */

static const char *const kind_names[LOCKS_N_KINDS] = {"mutex",     "rwlock",  "spin", "cond",
						      "semaphore", "barrier", "futex"};

void locks_name_add_caller(struct resolver *names, struct strbuf *out, uint64_t caller)
{
	/* A caller is a return address: the call is before it. */
	if (!caller)
		strbuf_addstr(out, "-");
	else if (!resolver_add_name(names, out, caller - 1) &&
		 !resolver_add_file(names, out, caller - 1))
		strbuf_addf(out, "0x%" PRIx64, locks_place_address(caller));
}

bool locks_name_add_source(struct resolver *names, struct strbuf *out, uint64_t caller)
{
	return caller && resolver_add_line(names, out, caller - 1);
}

void locks_name_add(struct resolver *names, struct strbuf *out, const struct locks_instance *i)
{
	if (!i) {
		strbuf_addstr(out, "other");
	} else if (i->several ||
		   !resolver_add_name(names, out, locks_place(i->address, i->layer))) {
		strbuf_addch(out, '[');
		locks_name_add_caller(names, out, i->first_caller);
		strbuf_addch(out, ']');
	}
}

const char *locks_name_kind(const struct locks_instance *i, bool shared)
{
	if (!i)
		return "-";
	if (i->kind == LOCKS_RWLOCK)
		return shared ? "rwlock-read" : "rwlock-write";
	return kind_names[i->kind];
}

bool locks_name_knows_contended(const struct locks_instance *i)
{
	return !i || locks_is_held(i->kind);
}

bool locks_name_knows_owner(const struct locks_instance *i)
{
	return i && locks_name_knows_contended(i) && !i->several && !i->n_processes;
}

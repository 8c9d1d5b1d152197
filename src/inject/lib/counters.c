/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/counters.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <tiptop.h>
#include <unistd.h>

#include "base/mem.h"
#include "pmu/event/machine.h"
#include "pmu/event/name.h"

/* ---- local ---- */

__thread struct tt_local tt_local = {.number = LOCAL_NO_NUMBER};

int tt_error_set(int code, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(tt_local.error, sizeof tt_local.error, format, arguments);
	va_end(arguments);
	return -code;
}

const char *tt_strerror(void)
{
	return tt_local.error;
}

/* ---- owner ---- */

#define BLOCK_WORDS 512

/* `taken` notes the words in use. It is not in the page of words, which the kernel clears in a
 * child. */
struct block {
	tt_owner *word; /* [BLOCK_WORDS] */
	bool taken[BLOCK_WORDS];
	struct block *next;
};

static struct block *blocks;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block *new_block(void)
{
	const size_t size = BLOCK_WORDS * sizeof(uintptr_t);
	struct block *b = calloc(1, sizeof *b);
	void *page =
		b ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
		  : MAP_FAILED;

	if (page == MAP_FAILED) {
		free(b);
		return NULL;
	}
	madvise(page, size, MADV_WIPEONFORK);
	b->word = page;
	b->next = blocks;
	blocks = b;
	return b;
}

static tt_owner *take_free(struct block *b)
{
	for (size_t i = 0; i < BLOCK_WORDS; i++)
		if (!b->taken[i]) {
			b->taken[i] = true;
			return &b->word[i];
		}
	return NULL;
}

/* Returns a free word, set to `thread`; NULL: no memory. */
static tt_owner *tt_owner_new(uintptr_t thread)
{
	tt_owner *word = NULL;
	struct block *b;

	pthread_mutex_lock(&lock);
	for (b = blocks; b && !word; b = b->next)
		word = take_free(b);
	if (!word && (b = new_block()))
		word = take_free(b);
	if (word)
		*word = thread;
	pthread_mutex_unlock(&lock);
	return word;
}

/* Frees a word. NULL is allowed. */
static void tt_owner_free(tt_owner *word)
{
	if (!word)
		return;
	pthread_mutex_lock(&lock);
	for (struct block *b = blocks; b; b = b->next)
		if (word >= b->word && word < b->word + BLOCK_WORDS)
			b->taken[word - b->word] = false;
	pthread_mutex_unlock(&lock);
}

/* Clears all words, in a child process. The lock is initialized, since the thread that held it may
 * not exist in the child. */
static void tt_owner_wipe(void)
{
	pthread_mutex_init(&lock, NULL);
	for (struct block *b = blocks; b; b = b->next)
		for (size_t i = 0; i < BLOCK_WORDS; i++)
			b->word[i] = 0;
}

/* ---- counters ---- */

#define NO_MEMORY "there is no memory for counters"

/* State that all threads share; initialized once. */
static struct {
	pthread_once_t once;
	struct machine machine;
	struct page_limits limits;
	atomic_uint openings;
} shared = {.once = PTHREAD_ONCE_INIT};

static uint32_t no_page;
volatile uint32_t *tt_fork_page = &no_page;

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void wipe(void)
{
	*tt_fork_page = 0;
	tt_owner_wipe();
}

/* Maps a page that the kernel clears in each child that gets a copy of the memory. On Linux before
 * 4.14, only the pthread_atfork() handler clears it. */
static void make_fork_page(void)
{
	void *page =
		mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page != MAP_FAILED) {
		madvise(page, page_size(), MADV_WIPEONFORK);
		tt_fork_page = page;
	}
	pthread_atfork(NULL, NULL, wipe);
}

/* Initializes the shared state. The limits are the counters that every core of a hybrid Intel
 * machine has had since 2021: Intel SDM, volume 3, "Hybrid Architecture"; Gracemont has 6 general
 * and 3 fixed ones. */
static void begin(void)
{
	machine_init_as(&shared.machine, secure_getenv("TIPTOP_CPU"));
	shared.limits = (struct page_limits){.n_general = 6, .n_fixed = 3};
	make_fork_page();
}

uint32_t tt_fork_mark(void)
{
	static atomic_uint marks;

	pthread_once(&shared.once, begin);
	if (!*tt_fork_page)
		*tt_fork_page = atomic_fetch_add(&marks, 1) + 1;
	return *tt_fork_page;
}

/* --- opening --- */

static bool is_task_clock(const struct event *e)
{
	return e->type == PERF_TYPE_SOFTWARE && e->config == PERF_COUNT_SW_TASK_CLOCK;
}

/* Adds an event to the set, with a part for each kind of cores. -EINVAL: the name is not
 * well-formed. -ENOENT: this machine lacks the event, whose quality becomes QUALITY_UNSUPPORTED. */
static int add_event(struct tt *t, const char *name, struct err *err)
{
	struct machine *m = &shared.machine;
	bool found = false;

	for (int core = 0; core < machine_kinds(m) && core < COUNTERS_CORES_MAX; core++) {
		struct event *e =
			core ? event_set_add_part(&t->set, name) : event_set_add(&t->set, name);
		struct err why = ERR_INIT;
		int ret = event_name_resolve(e, m, core, name, &why);

		if (ret == -EINVAL)
			return err_set(err, EINVAL, "%s", why.text);
		if (!ret)
			ret = pmuv3_refuse(e->absent, name, &why);
		e->quality = ret ? QUALITY_UNSUPPORTED : QUALITY_EXACT;
		found |= !ret;
		if (!found)
			err_set(err, ENOENT, "%s", why.text);
		/* An event that does not depend on the kind of cores needs one part only. */
		if (!ret && e->core == EVENT_NO_CORE)
			break;
	}
	return found ? 0 : -ENOENT;
}

/* Returns the number of the calling thread. */
static uintptr_t number_thread(void)
{
	static atomic_uintptr_t numbers;

	if (tt_local.number == LOCAL_NO_NUMBER)
		tt_local.number = atomic_fetch_add(&numbers, 1) + 1;
	return tt_local.number;
}

/* Opens all counters on the calling thread, with another number of the opening. */
static void open_all(struct tt *t)
{
	*t->owner = t->thread = number_thread();
	t->mark.opening = atomic_fetch_add(&shared.openings, 1) + 1;
	tt_counters_open(t);
}

/* Returns the next name of a list (owned by the caller) and moves *list after it; NULL: none left.
 */
static char *next_name(const char **list)
{
	const char *start = *list + strspn(*list, ", ");
	size_t len = 0;
	bool path = false;

	/* A comma between the slashes of "cpu/event=1,umask=2/" does not end the name. */
	for (; start[len] && (path || start[len] != ','); len++)
		path ^= start[len] == '/';
	*list = start + len;
	while (len && start[len - 1] == ' ')
		len--;
	return len ? xstrndup(start, len) : NULL;
}

/* Returns whether a part of event i counts in the kernel, which needs more permission. */
static bool counts_kernel(const struct tt *t, int i)
{
	bool counts = false;

	for (int k = 0; k < t->set.n; k++)
		counts |= t->set.event[k].counter == i && event_counts_kernel(&t->set, k);
	return counts;
}

/* Sets the text of tt_strerror() for an event that the kernel refused. */
static void explain(const struct tt *t, int i)
{
	const char *name = t->name[i];

	switch (t->reason[i]) {
	case EACCES:
	case EPERM:
		tt_error_set(EACCES,
			     "the kernel forbids to count '%s': set kernel.perf_event_paranoid to "
			     "%d or less, or give the program CAP_PERFMON",
			     name, counts_kernel(t, i) ? 1 : 2);
		break;
	case EMFILE:
	case ENFILE:
		tt_error_set(EMFILE,
			     "no descriptor is left to count '%s': raise the limit (ulimit -n)",
			     name);
		break;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
		tt_error_set(ENOENT,
			     "'%s' is not counted: the kernel has no such counter here; a virtual "
			     "machine has those that its host lets it have",
			     name);
		break;
	default:
		tt_error_set(t->reason[i], "'%s' is not counted: perf_event_open(2) fails: %s",
			     name, strerror(t->reason[i]));
	}
}

static void explain_all_modes(const struct tt *t, int i)
{
	tt_error_set(EOPNOTSUPP,
		     "'%s' is counted in all modes, in the kernel, too, since the PMU of this "
		     "machine can leave none out",
		     t->name[i]);
}

const char *tt_counters_explain(const struct tt *t, int i)
{
	tt_local.error[0] = '\0';
	if (t->reason[i])
		explain(t, i);
	else if (t->unknown[i])
		tt_error_set(ENOENT, "%s", t->unknown[i]);
	else if (t->all_modes >> i & 1)
		explain_all_modes(t, i);
	return tt_local.error;
}

static int add_names(struct tt *t, const char *events, struct err *err)
{
	char *name;
	int ret;

	while ((name = next_name(&events))) {
		struct err why = ERR_INIT;
		int event = t->set.n;

		if (t->n == TT_MAX_EVENTS) {
			free(name);
			return err_set(err, E2BIG, "more than %d events cannot be opened together",
				       TT_MAX_EVENTS);
		}
		t->name[t->n] = name;
		ret = add_event(t, name, &why);
		if (ret == -EINVAL)
			return err_set(err, EINVAL, "%s", why.text);
		if (ret) {
			event_suggest_add(&shared.machine, name, &why);
			t->state[t->n] = TT_NO_PMU;
			t->unknown[t->n] = xstrdup(why.text);
			if (!tt_local.error[0])
				tt_error_set(ENOENT, "%s", why.text);
		} else if (is_task_clock(&t->set.event[event]) && t->clock < 0) {
			t->clock = t->n;
		}
		t->n++;
	}
	return t->n ? 0 : err_set(err, EINVAL, "no event is named");
}

static void free_tt(struct tt *t)
{
	for (int i = 0; i < TT_MAX_EVENTS; i++) {
		free(t->name[i]);
		free(t->unknown[i]);
	}
	event_set_done(&t->set);
	tt_owner_free(t->owner);
	free(t);
}

struct tt *tt_counters_find(const char *events)
{
	struct tt *t = calloc(1, sizeof *t);
	struct err err = ERR_INIT;

	tt_local.error[0] = '\0';
	if (!t) {
		tt_error_set(ENOMEM, NO_MEMORY);
		return NULL;
	}
	pthread_once(&shared.once, begin);
	event_set_init(&t->set);
	t->clock = -1;
	t->limits = machine_is_hybrid(&shared.machine) ? &shared.limits : NULL;
	if (add_names(t, events ? events : "", &err)) {
		tt_error_set(err.code, "%s", err.text);
		free_tt(t);
		return NULL;
	}
	return t;
}

void tt_counters_copy(struct tt *t, const struct tt *found)
{
	*t = *found;
	t->owner = &t->thread;
	open_all(t);
}

struct tt *tt_open(const char *events)
{
	struct tt *t = tt_counters_find(events);

	if (!t)
		return NULL;
	t->owner = tt_owner_new(0);
	if (!t->owner) {
		tt_error_set(ENOMEM, NO_MEMORY);
		free_tt(t);
		return NULL;
	}
	open_all(t);
	for (int i = 0; i < t->n && !tt_local.error[0]; i++)
		tt_counters_explain(t, i);
	return t;
}

void tt_close(struct tt *t)
{
	if (!t)
		return;
	/* In a child process, where *owner is 0, the counters are those of the parent. */
	if (*t->owner)
		tt_counters_close(t);
	else
		tt_counters_drop(t);
	free_tt(t);
}

int tt_count(const struct tt *t)
{
	return t->n;
}

const char *tt_name(const struct tt *t, int i)
{
	return i >= 0 && i < t->n ? t->name[i] : "";
}

enum tt_state tt_state(const struct tt *t, int i)
{
	return i >= 0 && i < t->n ? t->state[i] : TT_NO_PMU;
}

/* Forgets the pages, in a child of fork(): the kernel does not map them there, and something else
 * may be mapped at their addresses by now. */
static void drop_pages(struct tt *t)
{
	for (int i = 0; i < t->n_parts; i++)
		t->part[i].page = NULL;
	t->time.page = NULL;
}

void tt_counters_drop(struct tt *t)
{
	drop_pages(t);
	tt_counters_close(t);
}

void tt_counters_reopen(struct tt *t)
{
	drop_pages(t);
	tt_counters_close(t);
	open_all(t);
}

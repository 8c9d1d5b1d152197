/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lib/counters.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "event/name.h"
#include "lib/local.h"
#include "perf/sys.h"

static const struct page_hardware hardware = {arch_read_pmc, arch_read_time, ARCH_OFFSET_IS_COUNT};

/* What all threads share: found out once. */
static struct {
	pthread_once_t once;
	struct machine machine;
	struct perf_kernel kernel;
	struct page_limits limits;
	atomic_uint openings;
} shared = {.once = PTHREAD_ONCE_INIT};

volatile uint32_t *tt_fork_page;

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static void wipe_fork_mark(void)
{
	*tt_fork_page = 0;
}

/* A page that the kernel clears in a child, however it was made. Where it cannot (before Linux
 * 4.14), the handler of fork() does it. */
static void make_fork_page(void)
{
	static uint32_t no_page;
	void *page =
		mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	tt_fork_page = page == MAP_FAILED ? &no_page : page;
	if (page != MAP_FAILED)
		madvise(page, page_size(), MADV_WIPEONFORK);
	pthread_atfork(NULL, NULL, wipe_fork_mark);
}

/* Counters that each Intel core has had since 2021, big or small: Intel SDM, volume 3, "Hybrid
 * Architecture"; Gracemont has 6 and 3. */
static void begin(void)
{
	machine_init(&shared.machine, &event_host_here);
	perf_kernel_init(&shared.kernel, shared.machine.core, shared.machine.n_cores);
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

/* Adds an event to the set, with a part for each kind of cores. -EINVAL: no machine has such an
 * event. That this one lacks it is noted in its quality. */
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
		e->quality = ret ? QUALITY_UNSUPPORTED : QUALITY_EXACT;
		found |= !ret;
		if (!found)
			err_set(err, ENOENT, "%s", why.text);
		/* What is no event of a kind of cores is counted on all. */
		if (!ret && e->core == EVENT_NO_CORE)
			break;
	}
	return found ? 0 : -ENOENT;
}

/* Not every PMU can leave guests out. */
static int open_attr(struct perf_event_attr *attr, int leader)
{
	struct perf_sys *sys = &shared.kernel.sys;
	int fd = sys->open(sys, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);

	if ((fd != -EINVAL && fd != -EOPNOTSUPP) || !attr->exclude_guest)
		return fd;
	attr->exclude_guest = 0;
	fd = sys->open(sys, attr, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
	attr->exclude_guest = 1;
	return fd;
}

static int open_event(const struct tt *t, int i, int leader)
{
	static const uint64_t config1[] = ARCH_USER_CONFIG1;
	const struct event *e = &t->set.event[i];
	struct perf_event_attr attr;
	int fd = -EINVAL;

	event_attr(&t->set, i, true, false, &attr);
	attr.read_format =
		PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
	if (!event_is_hardware(e) || e->config1)
		return open_attr(&attr, leader);
	for (size_t k = 0; k < sizeof config1 / sizeof *config1; k++) {
		attr.config1 = config1[k];
		fd = open_attr(&attr, leader);
		if (fd != -EINVAL && fd != -EOPNOTSUPP)
			return fd;
	}
	return fd;
}

static page_t *map_page(int fd)
{
	page_t *page = mmap(NULL, page_size(), PROT_READ, MAP_SHARED, fd, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (page->cap_user_rdpmc)
		return page;
	munmap((void *)(uintptr_t)page, page_size());
	return NULL;
}

/* What an error of the kernel says of an event. */
static enum tt_state state_of_error(int error)
{
	switch (error) {
	case ENOENT:
	case ENODEV:
	case EINVAL:
	case EOPNOTSUPP:
		return TT_NO_PMU;
	default:
		return TT_DENIED;
	}
}

/* The groups that are being opened: one for each kind of cores, one for software events. */
struct groups {
	int leader[COUNTERS_CORES_MAX + 1], n[COUNTERS_CORES_MAX + 1];
};

/* Opens a part in its group, so that all of it are counted at the same time; where the PMU has no
 * room for them all, by itself. */
static int open_part(struct tt *t, int i, struct groups *groups)
{
	const struct event *e = &t->set.event[i];
	struct counters_part *part = &t->part[t->n_parts];
	int g = e->type == PERF_TYPE_SOFTWARE ? COUNTERS_CORES_MAX : e->core;

	*part = (struct counters_part){.fd = -EINVAL, .event = e->counter};
	if (g >= 0 && groups->n[g])
		part->fd = open_event(t, i, groups->leader[g]);
	if (part->fd >= 0) {
		part->leader = groups->leader[g];
		part->place = groups->n[g]++;
	} else {
		if (part->fd == -EINVAL)
			part->fd = open_event(t, i, -1);
		if (part->fd < 0)
			return part->fd;
		part->leader = part->fd;
		if (g >= 0 && !groups->n[g]) {
			groups->leader[g] = part->fd;
			groups->n[g] = 1;
		}
	}
	part->page = map_page(part->fd);
	t->n_parts++;
	return 0;
}

static void open_parts(struct tt *t)
{
	struct groups groups = {.n = {0}};

	for (int i = 0; i < t->set.n; i++) {
		const struct event *e = &t->set.event[i];
		int ret;

		if (e->quality != QUALITY_EXACT || e->counter == t->clock)
			continue;
		ret = open_part(t, i, &groups);
		if (ret < 0) {
			t->reason[e->counter] = (uint8_t)-ret;
			t->state[e->counter] = (uint8_t)state_of_error(-ret);
		}
	}
}

/* Parts with pages first, in the order of their events. */
static int compare_parts(const void *x, const void *y)
{
	const struct counters_part *a = x, *b = y;

	return !a->page != !b->page ? !a->page - !b->page : a->event - b->event;
}

static void order_parts(struct tt *t)
{
	qsort(t->part, (size_t)t->n_parts, sizeof *t->part, compare_parts);
	t->n_mapped = 0;
	while (t->n_mapped < t->n_parts && t->part[t->n_mapped].page) {
		t->page[t->n_mapped] = t->part[t->n_mapped].page;
		t->n_mapped++;
	}
}

static void close_parts(struct tt *t)
{
	for (int i = 0; i < t->n_parts; i++) {
		if (t->part[i].page)
			munmap((void *)(uintptr_t)t->part[i].page, page_size());
		close(t->part[i].fd);
	}
	t->n_parts = t->n_mapped = 0;
}

static void read_parts(struct tt *t, struct tt_value value[]);
static void choose_read(struct tt *t);

/* Opens everything on the calling thread, from 0. */
static void open_all(struct tt *t)
{
	struct tt_value value[TT_MAX_EVENTS];

	t->owner = arch_thread();
	t->fork_page = tt_fork_page;
	t->opening = atomic_fetch_add(&shared.openings, 1) + 1;
	t->fork_mark = tt_fork_mark();
	if (t->clock >= 0)
		tt_clock_open(&t->time);
	open_parts(t);
	order_parts(t);
	choose_read(t);
	read_parts(t, value);
	for (int i = 0; i < t->n; i++)
		t->state[i] = (uint8_t)value[i].state;
}

/* One name of a list; *list moves behind it. NULL: there is no further one. */
static char *next_name(const char **list)
{
	const char *start = *list + strspn(*list, ", ");
	size_t len = 0;
	bool path = false;

	/* Between the bars of "cpu/event=1,umask=2/" a comma ends nothing. */
	for (; start[len] && (path || start[len] != ','); len++)
		path ^= start[len] == '/';
	*list = start + len;
	while (len && start[len - 1] == ' ')
		len--;
	return len ? xstrndup(start, len) : NULL;
}

/* The sentence for an event that the kernel refused. */
static void explain(const struct tt *t, int i)
{
	const char *name = t->name[i];

	switch (t->reason[i]) {
	case EACCES:
	case EPERM:
		tt_error_set(EACCES,
			     "the kernel forbids to count '%s': set kernel.perf_event_paranoid to "
			     "2 or less, "
			     "or give the program CAP_PERFMON",
			     name);
		break;
	case EMFILE:
	case ENFILE:
		tt_error_set(EMFILE,
			     "no descriptor is left to count '%s': raise the limit (ulimit -n)",
			     name);
		break;
	default:
		tt_error_set(t->reason[i], "'%s' is not counted: perf_event_open(2) fails: %s",
			     name, strerror(t->reason[i]));
	}
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
			t->state[t->n] = TT_NO_PMU;
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
	for (int i = 0; i < TT_MAX_EVENTS; i++)
		free(t->name[i]);
	event_set_done(&t->set);
	free(t);
}

struct tt *tt_open(const char *events)
{
	struct tt *t = calloc(1, sizeof *t);
	struct err err = ERR_INIT;

	if (!t) {
		tt_error_set(ENOMEM, "there is no memory for counters");
		return NULL;
	}
	tt_local.error[0] = '\0';
	pthread_once(&shared.once, begin);
	event_set_init(&t->set);
	t->clock = -1;
	t->limits = machine_is_hybrid(&shared.machine) ? &shared.limits : NULL;
	if (add_names(t, events ? events : "", &err)) {
		tt_error_set(err.code, "%s", err.text);
		free_tt(t);
		return NULL;
	}
	open_all(t);
	for (int i = 0; i < t->n && !tt_local.error[0]; i++)
		if (t->reason[i])
			explain(t, i);
	return t;
}

void tt_close(struct tt *t)
{
	if (!t)
		return;
	close_parts(t);
	if (t->clock >= 0)
		tt_clock_close(&t->time);
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

/* --- reading --- */

/* The parts of one group, by a system call: struct read_format in perf_event_open(2). Returns their
 * bits. */
static uint32_t read_group(const struct tt *t, int leader, struct tt_value part[])
{
	struct {
		uint64_t n, enabled, running, count[COUNTERS_PARTS_MAX];
	} data;
	ssize_t size = read(leader, &data, sizeof data);
	uint32_t read = 0;

	for (int i = 0; i < t->n_parts; i++) {
		if (t->part[i].leader != leader)
			continue;
		read |= 1u << i;
		part[i] = (struct tt_value){.opening = t->opening, .state = TT_DENIED};
		if (size < (ssize_t)(3 * sizeof(uint64_t)) || (uint64_t)t->part[i].place >= data.n)
			continue;
		part[i].count = data.count[t->part[i].place];
		part[i].enabled = data.enabled;
		part[i].running = data.running;
		part[i].state = data.enabled == data.running ? TT_SYSCALL : TT_SCALED;
	}
	return read;
}

/* Those of the bits in `call`, group by group. */
static void read_calls(const struct tt *t, uint32_t call, struct tt_value part[])
{
	for (int i = 0; i < t->n_parts; i++)
		if (call >> i & 1)
			call &= ~read_group(t, t->part[i].leader, part);
}

/* Adds what one kind of cores counted. All parts are enabled all the time that the thread runs, and
 * one of them is counted. */
static void add_part(struct tt_value *value, const struct tt_value *part, bool first)
{
	if (first) {
		*value = *part;
		return;
	}
	value->count += part->count;
	value->running += part->running;
	if (part->enabled > value->enabled)
		value->enabled = part->enabled;
	value->state = value->running < value->enabled                           ? TT_SCALED
		       : value->state == TT_SYSCALL || part->state == TT_SYSCALL ? TT_SYSCALL
										 : TT_OK;
}

/* Where parts and events are not the same. */
static void read_parts(struct tt *t, struct tt_value value[])
{
	struct tt_value part[COUNTERS_PARTS_MAX];
	bool read[TT_MAX_EVENTS] = {false};
	uint32_t call;

	for (int i = 0; i < t->n; i++)
		value[i] = (struct tt_value){.opening = t->opening, .state = t->state[i]};
	call = page_read_all(t->page, t->n_mapped, t->limits, &hardware, t->opening, part);
	for (int i = t->n_mapped; i < t->n_parts; i++)
		call |= 1u << i;
	read_calls(t, call, part);
	for (int i = 0; i < t->n_parts; i++) {
		int event = t->part[i].event;

		add_part(&value[event], &part[i], !read[event]);
		read[event] = true;
	}
	if (t->clock >= 0) {
		enum tt_state state;
		uint64_t ns = tt_clock_read(&t->time, &state);

		value[t->clock] = (struct tt_value){ns, ns, ns, t->opening, state};
	}
}

/* The child of a fork() has descriptors that count its parent, and no pages: the addresses may be
 * something else by now. */
static void reopen(struct tt *t)
{
	for (int i = 0; i < t->n_parts; i++)
		t->part[i].page = NULL;
	t->time.page = NULL;
	close_parts(t);
	if (t->clock >= 0)
		tt_clock_close(&t->time);
	open_all(t);
}

/* All that is not usual: another thread, a child, events without pages. */
static __attribute__((noinline, cold)) int read_unusual(struct tt *t, struct tt_value value[])
{
	if (t->owner != arch_thread()) {
		for (int i = 0; i < t->n; i++)
			value[i] = (struct tt_value){.state = TT_DENIED};
		return tt_error_set(1,
				    "these counters belong to another thread: each opens its own");
	}
	if (t->fork_mark != *tt_fork_page)
		reopen(t);
	read_parts(t, value);
	return 0;
}

/* n is a constant where it is inlined: the loops over pages are unrolled. */
PAGE_INLINE int read_direct(struct tt *t, int n, struct tt_value value[])
{
	page_t *page[4];

	/* What is stored into values does not change these. */
	for (int i = 0; i < n; i++)
		page[i] = t->page[i];
	return page_read_usual(page, n, &hardware, t->opening, value) ? 0 : read_unusual(t, value);
}

#define READ_DIRECT(n)                                                                             \
	static int read_direct_##n(struct tt *t, struct tt_value value[])                          \
	{                                                                                          \
		return read_direct(t, n, value);                                                   \
	}

READ_DIRECT(1)
READ_DIRECT(2)
READ_DIRECT(3)
READ_DIRECT(4)

static void choose_read(struct tt *t)
{
	static const reader_t direct[] = {
		NULL, read_direct_1, read_direct_2, read_direct_3, read_direct_4,
	};
	size_t n = (size_t)t->n;
	bool usual = t->n_mapped == t->n && t->n_parts == t->n && !t->limits;

	for (int i = 0; i < t->n_parts; i++)
		usual &= t->part[i].event == i;
	t->read = usual && n < sizeof direct / sizeof *direct ? direct[n] : read_unusual;
}

int tt_read(struct tt *t, struct tt_value value[])
{
	if (__builtin_expect(t->owner != arch_thread(), 0) ||
	    __builtin_expect(t->fork_mark != *t->fork_page, 0))
		return read_unusual(t, value);
	return t->read(t, value);
}

double tt_between(const struct tt_value *from, const struct tt_value *to)
{
	uint64_t enabled = to->enabled - from->enabled, running = to->running - from->running;
	double count = (double)(int64_t)(to->count - from->count);

	if (from->opening != to->opening || from->state >= TT_DENIED || to->state >= TT_DENIED ||
	    !to->running)
		return NAN;
	if (enabled == running)
		return count;
	return running ? count * (double)enabled / (double)running : NAN;
}

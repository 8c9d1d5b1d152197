/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "collect/source.h"
#include "collect/table/region_table.h"
#include "collect/table/table_folder.h"
#include "collect/table/tables.h"
#include "inject/lib/clock.h"
#include "model/fact_list.h"
#include "model/kinds.h"

/* ---- readings ---- */

/* --- events --- */

/* Returns the quality for a TT_... state of an event in the process. */
static enum quality quality_of(uint32_t state)
{
	switch (state) {
	case TT_DENIED:
		return QUALITY_DENIED;
	case TT_NO_PMU:
		return QUALITY_UNSUPPORTED;
	default:
		return QUALITY_EXACT;
	}
}

struct sample_events *reading_events(const struct table_header *h, const struct machine *m)
{
	struct tables_event event[TT_MAX_EVENTS];
	uint32_t n = 0;

	/* The states of events are those that the process itself has found
	 * (inject/lib/counters.c). */
	for (; n < h->n_events && n < TT_MAX_EVENTS; n++)
		event[n] = (struct tables_event){.name = h->event[n].name,
						 .quality = quality_of(h->event[n].state)};
	return tables_events_new(m, event, n);
}

/* --- histogram --- */

static void add_time(struct strbuf *out, double ns)
{
	static const char *const unit[] = {"ns", "us", "ms", "s"};
	size_t i = 0;

	for (; ns >= 1000 && i < 3; i++)
		ns /= 1000;
	strbuf_addf(out, "%.0f%s", ns, unit[i]);
}

/* Returns the character for n of all calls. */
static char share_letter(uint64_t n, uint64_t all)
{
	const double tenths = 10 * (double)n / (double)all;

	if (!n)
		return '.';
	if (tenths < 0.5)
		return '+';
	return tenths < 9.5 ? (char)('0' + (int)(tenths + 0.5)) : '#';
}

void reading_add_histogram(struct strbuf *out, const uint32_t bucket[TABLE_BUCKETS],
			   uint64_t ns_per_tick)
{
	const double ns = (double)ns_per_tick / 4294967296.0;
	int first = TABLE_BUCKETS, last = -1;
	uint64_t all = 0;

	for (int b = 0; b < TABLE_BUCKETS; b++) {
		all += bucket[b];
		if (bucket[b] && first == TABLE_BUCKETS)
			first = b;
		if (bucket[b])
			last = b;
	}
	if (!all)
		return;
	add_time(out, first ? ldexp(ns, first - 1) : 0);
	strbuf_addch(out, ' ');
	for (int b = first; b <= last; b++)
		strbuf_addch(out, share_letter(bucket[b], all));
	strbuf_addch(out, ' ');
	add_time(out, ldexp(ns, last));
}

/* --- work --- */

/* Returns the index of a unit, and adds it if it is new; -1: no room. */
static int reading_find_unit(struct reading_units *units, const char *name)
{
	uint32_t u = 0;

	while (u < units->n && strcmp(units->name[u], name) != 0)
		u++;
	if (u == TABLE_UNITS)
		return -1;
	if (u == units->n)
		snprintf(units->name[units->n++], sizeof units->name[0], "%s", name);
	return (int)u;
}

/* Appends the names of the units that the process uses, separated by commas, each at the position
 * of its fact (WORK1 ...); "-" at positions of other units. */
static void add_units(struct strbuf *out, const struct reading_table *of)
{
	const struct table_header *h = &of->copy->header;
	bool has[TABLE_UNITS] = {false};
	int n = 0;

	for (uint32_t u = 0; u < h->n_units; u++) {
		const int at = reading_find_unit(of->units, h->unit[u]);

		if (at >= 0)
			has[at] = true;
		n = at >= n ? at + 1 : n;
	}
	for (int at = 0; at < n; at++)
		strbuf_addf(out, "%s%s", at ? "," : "", has[at] ? of->units->name[at] : "-");
}

static void set_work(struct task *t, const struct reading_table *of, const struct table_row *row)
{
	const struct table_header *h = &of->copy->header;

	for (uint32_t u = 0; u < h->n_units; u++) {
		const int at = reading_find_unit(of->units, h->unit[u]);

		if (at >= 0)
			task_set_fact(t, FACT_WORK1 + at, row->work[u]);
	}
}

bool reading_has_changed(const struct task *t, const struct reading_table *of, uint32_t i)
{
	const struct table_header *h = &of->copy->header;
	const struct table_row *row = table_copy_row(of->copy, i);

	if (!fact_in(t->known, FACT_CALLS) || t->start_ns != of->start_ns[i] ||
	    task_fact(t, FACT_CALLS) != row->calls)
		return true;
	for (uint32_t u = 0; u < h->n_units; u++) {
		const int at = reading_find_unit(of->units, h->unit[u]);
		const int fact = FACT_WORK1 + at;

		if (at >= 0 && (!fact_in(t->known, fact) || task_fact(t, fact) != row->work[u]))
			return true;
	}
	return false;
}

/* --- reading --- */

static void set_times(struct task *t, const struct table_row *row,
		      const struct table_quantity *time, uint64_t ns_per_tick)
{
	task_set_fact(t, FACT_REGION_NS, tt_multiply(table_sum(row, time), ns_per_tick));
	task_set_fact(t, FACT_SELF_NS, tt_multiply(table_self(row, time), ns_per_tick));
	if (!table_n(row, time))
		return;
	task_set_fact(t, FACT_MIN_NS, tt_multiply(time->min, ns_per_tick));
	task_set_fact(t, FACT_MAX_NS, tt_multiply(time->max, ns_per_tick));
}

/* Returns a count in the form of the kernel: the counted part, with its enabled and running times.
 * If the counter was multiplexed, delta_compute() scales the count and marks it. */
static struct count count_of(const struct table_row *row, const struct table_quantity *q,
			     uint64_t ns, uint64_t ns_per_tick)
{
	const uint64_t sum = table_sum(row, q), missed = tt_multiply(q->missed, ns_per_tick);

	return (struct count){q->estimated < sum ? sum - q->estimated : 0, ns,
			      missed < ns ? ns - missed : 0};
}

/* Sets the counts. The first part of an event has the whole count. If the event is missing in some
 * calls, the running time is unknown, so the count is marked as unread. The enabled time is the
 * time of the region. */
static void set_counts(struct task *t, struct table_row *row, uint64_t ns, uint64_t ns_per_tick)
{
	uint32_t k = 0;

	for (int i = 0; i < t->n_counts; i++) {
		const struct table_quantity *q;

		t->count[i] = (struct count){0, ns, 0};
		if (t->events->event[i].part_of)
			continue;
		q = table_quantity(row, ++k);
		t->count[i] = count_of(row, q, ns, ns_per_tick);
		if (q->n_unknown > q->n_off)
			t->unread |= 1ull << i;
	}
}

struct task *reading_new(const struct reading_table *of, uint32_t i)
{
	const struct table_copy *c = of->copy;
	const struct table_process *p = of->process;
	const struct sample_events *events = of->events;
	struct table_row *row = table_copy_row(c, i);
	struct table_quantity *time = table_quantity(row, 0);
	struct task_texts texts = {.user = p->user,
				   .name = c->region[i].label,
				   .process = p->name,
				   .cmdline = p->cmdline};
	struct strbuf histogram, units;
	struct task *t;

	strbuf_init(&histogram);
	strbuf_init(&units);
	reading_add_histogram(&histogram, time->bucket, c->header.ns_per_tick);
	texts.read[FACT_HISTOGRAM - FACT_FIRST_READ_TEXT] = histogram.text;
	add_units(&units, of);
	texts.read[FACT_KIND - FACT_FIRST_READ_TEXT] = units.len ? units.text : "-";
	t = task_new(&kind_region, fact_less(fact_of_table[FACT_OF_REGION], fact_always_read()),
		     sample_events_n(events), &texts);
	strbuf_done(&histogram);
	strbuf_done(&units);
	t->id = t->owner = kind_region_id(p->pid, of->number, i);
	t->start_ns = of->start_ns[i];
	t->uid = p->uid;
	t->counting = sample_events_n(events) ? COUNT_OK : COUNT_NONE;
	task_set_events(t, events);
	task_set_fact(t, FACT_CALLS, row->calls);
	set_times(t, row, time, c->header.ns_per_tick);
	set_work(t, of, row);
	set_counts(t, row, task_fact(t, FACT_REGION_NS), c->header.ns_per_tick);
	return t;
}

/* ---- region_rows ---- */

/* A process, with its table if it has one. */
struct watched {
	int pid;
	unsigned number; /* number of the table, if it is in a folder; else 0 */
	char *path;      /* path of the table, if it is in a folder; else NULL */
	bool met;        /* it is in the list of this refresh */
	unsigned age;    /* refreshes without a table since it was found or the filter changed */
	/* its CPU clock when a table was last looked for; 0: the search failed */
	uint64_t clock_ns;
	int fd; /* descriptor of its table; -1: none */
	struct table_process process;
	struct table_copy copy;
	struct sample_events *events;
	bool read; /* its table was read before */
	/* For each region seen so far: its last reading (NULL: none), its epoch, and the start of
	 * its counting. */
	struct task **reading;
	uint32_t *epoch;
	uint64_t *start_ns;
	uint32_t n_regions;
};

struct regions {
	struct source source;
	struct proc *proc;
	const struct machine *machine;
	struct sample_machine *description;
	char *folder; /* NULL: tables are found in the mappings of processes */
	struct want want;
	struct watched **v; /* [n] sorted by pid, unless the tables are those of a folder */
	size_t n, cap;
	struct pid_list pids;
	struct reading_units units;
	uint32_t number;
	uint64_t boot_ns; /* time of this refresh, in ns since boot */
	uint64_t generation;
	struct source_cost cost;
	bool seen; /* there have been rows */
	/* The filter wants one process only, which cannot be examined or whose table cannot be
	 * read; this was logged. */
	bool refused;
	char note[ERR_TEXT_MAX];
};

/* ---- region lacks ----
 *
 * Logs what is missing in the numbers of a process: calls without an end, labels and threads
 * without room, events that are not counted. The sentences are those of the report that the process
 * itself writes (inject/lib/lines.h), with the present numbers.
 */

/* An output that passes its sentences to a function. */
struct sentence_output {
	struct tt_output output; /* must be the first member */
	void (*tell)(void *context, const char *key, const char *sentence);
	void *context;
};

static ssize_t drop(struct tt_output *o, const char *text, size_t size)
{
	(void)o;
	(void)text;
	return (ssize_t)size;
}

static void pass_sentence(struct tt_output *o, const struct tt_lack *lack)
{
	const struct sentence_output *t = (const struct sentence_output *)(void *)o;
	struct strbuf sentence, key;

	strbuf_init(&sentence);
	strbuf_init(&key);
	strbuf_addf(&key, "%u %llu %s", o->of->container.pid, (unsigned long long)o->of->wall_begin,
		    lack->key);
	strbuf_addf(&sentence, "regions of the process %u (%s): ", o->of->container.pid,
		    o->of->program);
	if (lack->n)
		strbuf_addf(&sentence, "%llu ", (unsigned long long)lack->n);
	strbuf_addstr(&sentence, lack->sentence);
	t->tell(t->context, key.text, sentence.text);
	strbuf_done(&sentence);
	strbuf_done(&key);
}

/* Calls `tell` with a sentence for each kind of lack, and a key that stays the same for this table
 * and kind. The sentence begins with the process, and has no full stop. */
static void log_lacks(const struct table_copy *c,
		      void (*tell)(void *context, const char *key, const char *sentence),
		      void *context)
{
	static const struct tt_lines lines = {.lack = pass_sentence};
	struct tt_lacks lacks = table_copy_lacks(c);
	struct sentence_output out = {.tell = tell, .context = context};

	/* Unfinished calls are not missing: they are counted when they end. */
	lacks.n_going_on = 0;
	tt_output_begin(&out.output, &c->header, -1, drop);
	tt_lacks_write(&out.output, &lines, &lacks);
	tt_output_end(&out.output);
}

/* ---- tables of a command ----
 *
 * Finds the tables that the processes of a command leave in a folder.
 */

static struct watched *find_table(const struct regions *r, const struct table_file *file)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->v[i]->pid == file->pid && r->v[i]->number == file->number)
			return r->v[i];
	return NULL;
}

/* Describes the process of a table; it may have ended. The name is taken from the table, as the
 * process may have executed another program since. The start is the time at which the table was
 * made, which may be later than the start of the process. */
static void describe(const struct regions *r, struct watched *w)
{
	const struct table_header *h = &w->copy.header;
	struct table_process *p = &w->process;

	if (!table_process_read(p, r->proc, w->pid)) {
		table_process_read(p, r->proc, getpid());
		free(p->cmdline);
		p->cmdline = NULL;
		p->pid = w->pid;
	}
	free(p->name);
	p->name = xasprintf("%.15s", h->program);
	p->start_ns = clock_ns(CLOCK_BOOTTIME) - (clock_ns(CLOCK_REALTIME) - h->wall_begin);
}

static struct watched *regions_watch(struct regions *r, int pid);

/* Adds a table; NULL: it has no contents yet, or cannot be opened. */
static struct watched *add_table(struct regions *r, const struct table_file *file)
{
	struct err err = ERR_INIT;
	struct watched *w;
	char magic = 0;
	const int fd = tables_open_file(file->path, file->path, &err);

	if (fd < 0 || pread(fd, &magic, 1, 0) <= 0 || !magic) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	w = regions_watch(r, file->pid);
	w->number = file->number;
	w->path = xstrdup(file->path);
	w->fd = fd;
	table_copy_read(&w->copy, fd, true, &err);
	describe(r, w);
	return w;
}

static void visit(void *context, const struct table_file *file)
{
	struct regions *r = context;
	struct watched *w = find_table(r, file);

	r->cost.reads++;
	if (!w)
		w = add_table(r, file);
	if (w)
		w->met = regions_is_held(w->fd);
}

/* Updates the list from the tables in the folder. `met` is set for tables whose process still holds
 * them. */
static void regions_update_folder(struct regions *r)
{
	tables_visit_folder(r->folder, visit, r);
}

/* ---- region rows ---- */

/* Tables of a process are looked for in this many refreshes after it was found, and then in every
 * LOOK_EVERYth refresh. */
#define LOOK_FIRST 8
#define LOOK_EVERY 8

static struct regions *self_of(struct source *source)
{
	return (struct regions *)source;
}

/* --- the processes --- */

static struct watched *watched_new(int pid)
{
	struct watched *w = xcalloc(1, sizeof *w);

	w->pid = pid;
	w->fd = -1;
	table_copy_init(&w->copy);
	return w;
}

static void forget_regions(struct watched *w)
{
	for (uint32_t i = 0; i < w->n_regions; i++)
		task_unref(w->reading[i]);
	free(w->reading);
	free(w->epoch);
	free(w->start_ns);
	w->reading = NULL;
	w->epoch = NULL;
	w->start_ns = NULL;
	w->n_regions = 0;
}

/* Makes room for n regions. */
static void add_regions(struct watched *w, uint32_t n)
{
	if (n <= w->n_regions)
		return;
	w->reading = xreallocarray(w->reading, n, sizeof *w->reading);
	w->epoch = xreallocarray(w->epoch, n, sizeof *w->epoch);
	w->start_ns = xreallocarray(w->start_ns, n, sizeof *w->start_ns);
	for (; w->n_regions < n; w->n_regions++) {
		w->reading[w->n_regions] = NULL;
		w->epoch[w->n_regions] = 0;
		w->start_ns[w->n_regions] = 0;
	}
}

/* Forgets the table: the process has ended or has no table any more. */
static void forget_table(struct watched *w)
{
	forget_regions(w);
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
	table_copy_done(&w->copy);
	free(w->path);
	w->path = NULL;
	sample_events_unref(w->events);
	w->events = NULL;
	w->read = false;
	table_process_done(&w->process);
}

static struct watched *regions_watch(struct regions *r, int pid)
{
	r->v = xgrow(r->v, &r->cap, r->n + 1, sizeof *r->v);
	return r->v[r->n++] = watched_new(pid);
}

/* Forgets the table of a process that has ended; removes its file in the folder of a command. */
static void end_table(struct watched *w)
{
	if (w->path)
		unlink(w->path);
	forget_table(w);
}

static void watched_free(struct watched *w)
{
	forget_table(w);
	free(w);
}

static int compare_watched(const void *pid, const void *watched)
{
	const struct watched *const *w = watched;

	return pid_compare(pid, &(*w)->pid);
}

static int order_watched(const void *x, const void *y)
{
	const struct watched *const *a = x;

	return compare_watched(&(*a)->pid, y);
}

/* Updates the list of processes: adds new processes, and sets `met` for all processes that
 * exist. */
static int update_list(struct regions *r)
{
	const size_t known = r->n;
	int ret;

	if (r->folder) {
		regions_update_folder(r);
		return 0;
	}
	r->pids.n = 0;
	ret = r->proc->pids(r->proc, &r->pids);
	for (size_t i = 0; i < r->pids.n; i++) {
		struct watched **found =
			array_find(&r->pids.v[i], r->v, known, sizeof *r->v, compare_watched);

		(found ? *found : regions_watch(r, r->pids.v[i]))->met = true;
	}
	array_sort(r->v, r->n, sizeof *r->v, order_watched);
	r->cost.reads++;
	return ret;
}

/* Frees the processes that have ended; their last rows were sampled. */
static void drop_gone(struct regions *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct watched *w = r->v[i];

		if (w->met || w->fd >= 0) {
			w->met = false;
			r->v[n++] = w;
		} else {
			watched_free(w);
		}
	}
	r->n = n;
}

/* --- a table --- */

static void log_fault(struct regions *r, const struct watched *w, const char *sentence)
{
	if (r->want.log)
		log_add_task(r->want.log, w->pid, sentence);
}

static void log_lack(void *context, const char *key, const char *sentence)
{
	const struct regions *r = context;

	if (r->want.log)
		log_set(r->want.log, LOG_TASK, key, sentence);
}

/* Logs the units of work that have no column, as all processes together have too many. */
static void log_units(struct regions *r, const struct watched *w)
{
	const struct table_header *h = &w->copy.header;

	for (uint32_t u = 0; u < h->n_units; u++) {
		char sentence[TABLE_NAME_MAX + TABLE_UNIT_MAX + 128];

		if (reading_find_unit(&r->units, h->unit[u]) >= 0)
			continue;
		snprintf(sentence, sizeof sentence,
			 "regions of the process %d (%s): their work in '%s' is not shown, as "
			 "processes have %d other units",
			 w->pid, h->program, h->unit[u], TABLE_UNITS);
		log_fault(r, w, sentence);
	}
}

/* Returns whether this result of regions_find() is valid until the process runs again. */
static bool is_final(int found)
{
	return found >= 0 || found == -ENOENT || found == -EACCES || found == -ENODATA ||
	       found == -ESTALE;
}

/* Searches the process for a table, and opens it. */
static void look_for_table(struct regions *r, struct watched *w)
{
	struct err err = ERR_INIT;

	r->cost.reads++;
	w->fd = regions_find(w->pid, &err);
	if (!is_final(w->fd))
		w->clock_ns = 0;
	r->refused = err.code && r->want.filter.pid;
	/* Without a filter for one process, refusals of other users' processes are expected. */
	if (err.code && (err.code != EACCES || r->want.filter.pid))
		log_fault(r, w, err.text);
	if (w->fd < 0)
		return;
	if (!table_process_read(&w->process, r->proc, w->pid)) {
		forget_table(w);
		w->clock_ns = 0;
	}
}

/* Returns whether a table of the process must be looked for now: this refresh is one for that, and
 * the process has run since the last search, or that search failed. */
static bool may_have_table(struct regions *r, struct watched *w)
{
	uint64_t ns;

	w->age++;
	if ((w->age > LOOK_FIRST && (w->age + (unsigned)w->pid) % LOOK_EVERY) ||
	    !table_process_is_wanted(w->pid, &r->want.filter))
		return false;
	r->cost.reads++;
	if (r->proc->cpu_clock(r->proc, w->pid, &ns) || (w->age > 1 && ns == w->clock_ns))
		return false;
	w->clock_ns = ns;
	return true;
}

/* --- readings --- */

static void set_reading(struct watched *w, uint32_t i, struct task *t)
{
	task_unref(w->reading[i]);
	w->reading[i] = t;
}

/* Notes the start or reset of region i. Returns whether all its counts belong to this interval: the
 * region is new or was reset, and its table cannot be older than the interval. */
static bool note_start(const struct regions *r, struct watched *w, uint32_t i)
{
	const uint32_t epoch = w->copy.region[i].epoch;
	const bool is_new = epoch != w->epoch[i];

	if (is_new)
		w->start_ns[i] = w->read ? r->boot_ns : w->process.start_ns + epoch - 1;
	w->epoch[i] = epoch;
	return is_new && (w->read || w->path);
}

static void take_readings(struct regions *r, struct watched *w, bool ended)
{
	struct reading_table table = {
		.copy = &w->copy, .process = &w->process, .number = w->number, .units = &r->units};

	add_regions(w, w->copy.header.n_regions);
	table.start_ns = w->start_ns;
	if (!w->events)
		w->events = reading_events(&w->copy.header, r->machine);
	table.events = w->events;
	for (uint32_t i = 0; i < w->copy.header.n_regions; i++) {
		const struct task *last = w->reading[i];
		const bool begun =
			w->copy.region[i].epoch && (last || table_copy_row(&w->copy, i)->epoch);
		const bool whole = begun && note_start(r, w, i);

		if (!begun || (last && !ended && !reading_has_changed(last, &table, i)))
			continue;
		set_reading(w, i, reading_new(&table, i));
		if (whole)
			w->reading[i]->counting = COUNT_WHOLE;
		w->reading[i]->dead = ended;
		w->reading[i]->facts_read = r->number;
	}
	w->read = true;
}

/* Returns whether the events are the same as at the last reading. If not, the file is no longer the
 * table that was found. */
static bool has_same_events(const struct watched *w, const struct table_header *before)
{
	const struct table_header *h = &w->copy.header;
	bool same = h->n_events == before->n_events;

	for (uint32_t i = 0; i < h->n_events && same; i++)
		same = !strcmp(h->event[i].name, before->event[i].name) &&
		       h->event[i].state == before->event[i].state;
	return same || !w->events;
}

static void read_table(struct regions *r, struct watched *w, bool ended)
{
	const struct table_header before = w->copy.header;
	struct err err = ERR_INIT;
	char sentence[ERR_TEXT_MAX];
	int ret = table_copy_read(&w->copy, w->fd, ended, &err);

	r->cost.reads++;
	if (!ret && !has_same_events(w, &before))
		ret = err_set(&err, EBADMSG, "has other events than before");
	r->refused = ret && r->want.filter.pid;
	if (!ret) {
		take_readings(r, w, ended);
		log_lacks(&w->copy, log_lack, r);
		log_units(r, w);
		return;
	}
	snprintf(sentence, sizeof sentence, "the table of regions of the process %d %s", w->pid,
		 err.text);
	log_fault(r, w, sentence);
	for (uint32_t i = 0; i < w->n_regions; i++)
		if (w->reading[i]) {
			set_reading(w, i, tables_unknown_reading(w->reading[i]));
			w->reading[i]->dead = ended;
			w->reading[i]->facts_read = r->number;
		}
	w->copy.header = before;
	w->copy.header.n_regions = 0;
}

static void emit(struct regions *r, struct watched *w, struct sample *out)
{
	const bool ended = !w->met || !regions_is_held(w->fd);

	read_table(r, w, ended);
	for (uint32_t i = 0; i < w->n_regions; i++)
		if (w->reading[i])
			sample_add(out, task_ref(w->reading[i]));
	r->cost.ran++;
	if (ended)
		end_table(w);
}

static void look_at_all(struct regions *r, struct sample *out)
{
	for (size_t i = 0; i < r->n; i++) {
		struct watched *w = r->v[i];

		if (w->fd < 0 && w->met && may_have_table(r, w))
			look_for_table(r, w);
		if (w->fd >= 0 && table_process_is_wanted(w->pid, &r->want.filter))
			emit(r, w, out);
		else if (w->fd >= 0 && !w->met)
			end_table(w);
	}
	r->cost.tasks = r->n;
}

/* Sets the note for a sample without rows. */
static void update_note(struct regions *r, const struct sample *s)
{
	static const char how[] =
		"programs that are linked with libtiptop measure regions if they are started "
		"with TIPTOP_REGIONS=instructions,cycles";
	const struct filter *filter = &r->want.filter;

	r->note[0] = '\0';
	r->seen |= s->n > 0;
	if (s->n || r->refused)
		return;
	if (r->folder && (filter->pid || filter->uid >= 0))
		snprintf(r->note, sizeof r->note,
			 "no process that passes the filter (-p, -u) has regions");
	else if (r->folder && !r->seen)
		snprintf(
			r->note, sizeof r->note,
			"the command has measured no regions: no program that it has executed is "
			"linked with libtiptop (tiptop(3)), or the program has begun no region, or "
			"runs with other rights than yours");
	else if (r->folder)
		return;
	else if (filter->pid)
		snprintf(r->note, sizeof r->note, "the process %d has no regions: %s", filter->pid,
			 how);
	else
		snprintf(r->note, sizeof r->note, "no process%s has regions: %s",
			 filter->uid < 0 ? "" : " of this user", how);
}

/* --- the source --- */

static int regions_next(struct source *source, struct sample *out, struct err *err)
{
	struct regions *r = self_of(source);
	int ret;

	r->cost = (struct source_cost){.reads = 1};
	ret = update_list(r);
	if (ret && !r->n)
		return err_set(err, -ret, "cannot list the tasks in /proc: %s", strerror(-ret));
	tables_begin_sample(out, r->proc);
	r->boot_ns = out->boot_ns;
	out->generation = r->generation;
	out->number = ++r->number;
	out->kind = &kind_region;
	sample_set_machine(out, r->description);
	look_at_all(r, out);
	drop_gone(r);
	sample_sort(out);
	update_note(r, out);
	return 0;
}

static const struct sample_events *regions_events(const struct source *source)
{
	(void)source;
	return NULL;
}

static bool regions_filter(struct source *source, const struct filter *filter)
{
	struct regions *r = self_of(source);

	r->want.filter = *filter;
	r->refused = false;
	for (size_t i = 0; i < r->n; i++)
		r->v[i]->age = 0;
	return true;
}

static bool regions_go_on(struct source *source, struct want *want)
{
	struct regions *r = self_of(source);

	event_set_done(&want->events);
	r->want = *want;
	return true;
}

static const char *regions_note(const struct source *source)
{
	const struct regions *r = (const struct regions *)source;

	return r->note[0] ? r->note : NULL;
}

static void regions_cost(const struct source *source, struct source_cost *out)
{
	*out = ((const struct regions *)source)->cost;
}

static void regions_free(struct source *source)
{
	struct regions *r = self_of(source);

	for (size_t i = 0; i < r->n; i++)
		watched_free(r->v[i]);
	free(r->v);
	free(r->pids.v);
	sample_machine_unref(r->description);
	free(r->folder);
	free(r);
}

struct source *source_regions_new(struct proc *proc, const struct machine *machine,
				  const struct sample_machine *description, const char *folder)
{
	static const struct source_ops ops = {
		.events = regions_events,
		.go_on = regions_go_on,
		.next = regions_next,
		.filter = regions_filter,
		.note = regions_note,
		.cost = regions_cost,
		.free = regions_free,
	};
	struct regions *r = xcalloc(1, sizeof *r);

	r->source.ops = &ops;
	r->proc = proc;
	r->machine = machine;
	r->description = sample_machine_ref(description);
	r->folder = xstrdup_or_null(folder);
	r->generation = 1;
	stale_tables_remove();
	return &r->source;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/tables.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "collect/table/table_folder.h"
#include "inject/lib/container.h"
#include "model/kinds.h"
#include "pmu/event/describe.h"
#include "pmu/event/name.h"

/* ---- events ---- */

/* Adds an event with a part for each kind of cores. */
static void add_parts(struct event_set *set, const char *name, enum quality quality,
		      const struct machine *m)
{
	for (int core = 0; core < machine_kinds(m); core++) {
		struct event *e = core ? event_set_add_part(set, name) : event_set_add(set, name);

		if (!e)
			return;
		e->quality = QUALITY_EXACT;
		if (event_name_resolve(e, m, core, name, NULL) || e->absent)
			e->quality = QUALITY_UNSUPPORTED;
		else if (quality != QUALITY_EXACT)
			e->quality = (uint8_t)quality;
		if (e->quality == QUALITY_EXACT && e->core == EVENT_NO_CORE)
			break;
	}
}

struct sample_events *tables_events_new(const struct machine *m, const struct tables_event *v,
					size_t n)
{
	struct sample_event described[EVENT_SET_MAX];
	struct sample_events *events;
	struct event_set set;

	event_set_init(&set);
	for (size_t i = 0; i < n; i++) {
		char *name = event_name_extend(v[i].name, v[i].mode, v[i].phase);

		add_parts(&set, name, v[i].quality, m);
		free(name);
	}
	event_set_describe(&set, m);
	for (int i = 0; i < set.n; i++) {
		described[i] = event_to_sample(&set, i);
		described[i].group = 0;
		if (i && set.event[i].counter == set.event[i - 1].counter)
			described[i].part_of =
				described[i - 1].part_of ? described[i - 1].part_of : (uint16_t)i;
	}
	events = sample_events_new(described, set.n);
	event_set_done(&set);
	return events;
}

enum quality tables_event_quality(const struct event_note *note)
{
	if (!note->n_threads[EVENT_REFUSED] || note->n_threads[EVENT_BY_USER] ||
	    note->n_threads[EVENT_BY_CALL])
		return QUALITY_EXACT;
	return note->error == EACCES || note->error == EPERM ? QUALITY_DENIED : QUALITY_UNSUPPORTED;
}

/* The first part of an event has the whole count. */
void tables_set_counts(struct task *t, const uint64_t count[], uint64_t unread, uint64_t ns)
{
	uint32_t number = 0;

	for (int i = 0; i < t->n_counts; i++) {
		t->count[i] = (struct count){0, ns, ns};
		if (t->events->event[i].part_of)
			continue;
		t->count[i].value = count[number];
		t->unread |= (unread >> number++ & 1) << i;
	}
}

/* ---- readings ---- */

void table_readings_init(struct table_readings *r, const struct tables_use *use,
			 const struct machine *machine)
{
	*r = (struct table_readings){.use = use, .table = use->make(machine)};
}

void table_readings_done(struct table_readings *r)
{
	for (size_t i = 0; i < r->n; i++)
		task_unref(r->reading[i]);
	free(r->reading);
	r->use->free(r->table);
}

static void set_reading(struct table_readings *r, size_t i, struct task *t,
			const struct table_moment *m)
{
	t->dead = m->ended;
	t->facts_read = m->sample;
	if (i == r->n) {
		r->reading = xgrow(r->reading, &r->cap, ++r->n, sizeof *r->reading);
		r->reading[i] = NULL;
	}
	task_unref(r->reading[i]);
	r->reading[i] = t;
}

/* All numbers of a row belong to this interval if the row is new in a known table, or if the table
 * is new. */
void table_readings_take(struct table_readings *r, const struct table_moment *m)
{
	const size_t n = r->use->n(r->table), known = r->n;

	for (size_t i = 0; i < n; i++) {
		struct task *t;

		if (i < known && !m->ended && r->reading[i]->counting != COUNT_REFUSED &&
		    r->use->is_idle(r->table, i))
			continue;
		t = r->use->row(r->table, i, m->process);
		t->id = t->owner = kind_table_id(m->process->pid, m->number, i);
		t->start_ns = m->process->start_ns;
		t->uid = m->process->uid;
		t->counting = sample_events_n(t->events) ? COUNT_OK : COUNT_NONE;
		if (i >= known && (r->was_taken || m->is_new))
			t->counting = COUNT_WHOLE;
		set_reading(r, i, t, m);
	}
	r->was_taken = true;
}

void table_readings_lose(struct table_readings *r, const struct table_moment *m)
{
	for (size_t i = 0; i < r->n; i++) {
		const struct fact_set texts = fact_and(r->reading[i]->known, fact_read_texts());
		struct task *t = tables_unknown_reading(r->reading[i]);

		/* Texts stay valid. */
		t->known = texts;
		set_reading(r, i, t, m);
	}
}

void table_readings_add(const struct table_readings *r, int pid, struct shared_rows *shared,
			struct sample *out)
{
	struct shared_place place;

	for (size_t i = 0; i < r->n; i++)
		if (shared && r->use->shared && r->use->shared(r->table, i, &place))
			shared_rows_add(shared, &place, pid, r->reading[i]);
		else
			sample_add(out, task_ref(r->reading[i]));
}

void table_readings_tell(const struct table_readings *r, int pid, struct log *log)
{
	struct strbuf text;

	if (!r->use->tell || !log)
		return;
	strbuf_init(&text);
	while (r->use->tell(r->table, &text))
		log_add_task(log, pid, text.text);
	strbuf_done(&text);
}

/* ---- table list ----
 *
 * The tables found (table_folder.h), each with its process. A table stays in the list as long as
 * its file exists or its descriptor is open.
 */

struct found {
	char *path;
	int pid;
	/* of the table: another number for each program that the process executes */
	unsigned number;
	bool met;  /* its file exists */
	bool said; /* the error of opening it was logged */
	int fd;    /* -1: not open */
	/* Both are set when the table is opened. process.name is "?" if the process had ended
	 * before that. */
	uint64_t start_ticks;
	struct table_process process;
	/* For the caller. is_new: at the last sample, the file did not exist or had no contents, so
	 * all its numbers belong to this interval. over: no further sample has the table. */
	bool is_new, over;
	struct table_readings *readings;
};

struct found_list {
	struct found *v; /* [n] sorted by path, so that tables of a process are adjacent */
	size_t n, cap;
	size_t known; /* number of elements that are sorted, during an update */
};

#define NS_PER_S 1000000000l

/* --- the list --- */

static int compare_found(const void *x, const void *y)
{
	const struct found *a = x, *b = y;

	return strcmp(a->path, b->path);
}

static void note_file(void *context, const struct table_file *file)
{
	struct found_list *list = context;
	const struct found key = {.path = (char *)(uintptr_t)file->path};
	struct found *f = array_find(&key, list->v, list->known, sizeof *list->v, compare_found);

	if (f) {
		f->met = true;
		return;
	}
	list->v = xgrow(list->v, &list->cap, list->n + 1, sizeof *list->v);
	list->v[list->n++] = (struct found){
		.path = xstrdup(file->path),
		.pid = file->pid,
		.number = file->number,
		.met = true,
		.is_new = true,
		.fd = -1,
	};
}

static void drop_gone(struct found_list *list)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->v[i].met || list->v[i].fd >= 0)
			list->v[n++] = list->v[i];
		else
			free(list->v[i].path);
	list->n = n;
}

/* Looks for tables in one folder; NULL: in all folders for `what`. New entries are marked is_new,
 * and are not opened yet. Drops entries whose file is gone and that are not open. */
static void found_update(struct found_list *list, const char *folder, const char *what)
{
	for (size_t i = 0; i < list->n; i++)
		list->v[i].met = false;
	list->known = list->n;
	if (folder)
		tables_visit_folder(folder, note_file, list);
	else
		tables_visit_all(what, note_file, list);
	drop_gone(list);
	array_sort(list->v, list->n, sizeof *list->v, compare_found);
}

static void found_close(struct found *f);

static void found_done(struct found_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		found_close(&list->v[i]);
		free(list->v[i].path);
	}
	free(list->v);
	*list = (struct found_list){.n = 0};
}

/* --- one table --- */

/* Returns whether the table has a header, and sets start_ticks. A table of another version has no
 * start that can be read: the start of the present process with that pid is used, and the reader
 * will refuse the table. */
static bool has_begun(struct found *f)
{
	struct err ignored = ERR_INIT;
	struct container c;

	if (file_read_at(f->fd, &c, sizeof c, 0, &ignored) || !c.magic[0])
		return false;
	f->start_ticks = memcmp(c.magic, CONTAINER_MAGIC, sizeof c.magic) == 0
				 ? c.start_ticks
				 : table_process_start(f->pid);
	return true;
}

static void describe(struct found *f, struct proc *proc)
{
	if (table_process_exists(f->pid, f->start_ticks) &&
	    table_process_read(&f->process, proc, f->pid))
		return;
	f->process = (struct table_process){
		.pid = f->pid,
		.uid = geteuid(),
		.start_ns = f->start_ticks * (uint64_t)(NS_PER_S / sysconf(_SC_CLK_TCK)),
		.user = xasprintf("%u", geteuid()),
		.name = xstrdup("?"),
	};
}

/* Opens the table and reads its process. Returns false if the table has no contents yet (its first
 * byte is 0), or cannot be opened, which is logged once. */
static bool found_open(struct found *f, struct proc *proc, struct log *log)
{
	struct err err = ERR_INIT;

	f->fd = tables_open_file(f->path, f->path, &err);
	/* ENOENT: the file may have been removed just now. */
	if (err.code && err.code != ENOENT && !f->said && log) {
		log_add_task(log, f->pid, err.text);
		f->said = true;
	}
	if (f->fd < 0)
		return false;
	if (!has_begun(f)) {
		found_close(f);
		return false;
	}
	describe(f, proc);
	return true;
}

static void found_close(struct found *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	table_process_done(&f->process);
}

/* Returns whether the process of a table has executed another program, which has a table with a
 * higher number. The paths are not in the order of numbers above 999. */
static bool has_next(const struct found_list *list, const struct found *f)
{
	for (const struct found *o = f + 1; o < list->v + list->n && o->pid == f->pid; o++)
		if (o->number > f->number)
			return true;
	for (const struct found *o = f; o > list->v && o[-1].pid == f->pid; o--)
		if (o[-1].number > f->number)
			return true;
	return false;
}

/* Returns whether the process of an open table has ended, or has executed another program. */
static bool found_has_ended(const struct found_list *list, const struct found *f)
{
	return has_next(list, f) || !table_process_lives(f->pid, f->start_ticks);
}

/* ---- tables ---- */

struct tables {
	struct source source;
	const struct tables_use *use;
	const char *folder;
	struct proc *proc;
	const struct machine *machine;
	struct sample_machine *description;
	struct want want;
	struct found_list found;
	struct shared_rows *shared;
	uint32_t number;
	/* The tables of the present sample: read; not readable; not accepted by the filter. */
	size_t n_read, n_unreadable, n_left_out;
	bool seen; /* there have been rows */
	struct source_cost cost;
	char note[ERR_TEXT_MAX];
};

static struct tables *self_of(struct source *source)
{
	return (struct tables *)source;
}

/* --- rows --- */

static void rows_begin(const struct tables *s, struct found *f)
{
	f->readings = xcalloc(1, sizeof *f->readings);
	table_readings_init(f->readings, s->use, s->machine);
}

static void rows_end(struct found *f)
{
	if (f->readings)
		table_readings_done(f->readings);
	free(f->readings);
	f->readings = NULL;
	found_close(f);
}

static void log_unreadable(const struct tables *s, const struct found *f, const struct err *err)
{
	char sentence[ERR_TEXT_MAX];

	snprintf(sentence, sizeof sentence, "the table of %s of the process %d %s", s->use->what,
		 f->pid, err->text);
	if (s->want.log)
		log_add_task(s->want.log, f->pid, sentence);
}

static void emit(struct tables *s, struct found *f, struct sample *out)
{
	/* Checked before the reading: if the process has ended, the reading then has its final
	 * numbers. */
	const struct table_moment m = {.process = &f->process,
				       .number = f->number,
				       .sample = s->number,
				       .is_new = f->is_new,
				       .ended = found_has_ended(&s->found, f)};
	struct err err = ERR_INIT;

	s->cost.reads++;
	s->cost.ran++;
	if (s->use->read(f->readings->table, f->fd, m.ended, &err)) {
		log_unreadable(s, f, &err);
		table_readings_lose(f->readings, &m);
		s->n_unreadable++;
	} else {
		s->n_read++;
		table_readings_take(f->readings, &m);
		table_readings_tell(f->readings, f->pid, s->want.log);
	}
	table_readings_add(f->readings, f->pid, s->want.filter.pid ? NULL : s->shared, out);
	f->is_new = false;
	f->over = m.ended;
	if (m.ended)
		rows_end(f);
}

/* Returns whether the filter accepts the pid and the user; all tables belong to this user. */
static bool is_wanted(const struct tables *s, const struct found *f)
{
	const struct filter *filter = &s->want.filter;

	return (!filter->pid || filter->pid == f->pid) &&
	       (filter->uid < 0 || filter->uid == (long)geteuid());
}

/* Opens a table. A table of a process that had ended before the first sample is skipped, unless it
 * belongs to the command. */
static void begin_table(struct tables *s, struct found *f)
{
	if (!found_open(f, s->proc, s->want.log))
		return;
	f->is_new &= s->number > 1;
	f->over = !s->folder && s->number == 1 && found_has_ended(&s->found, f);
	if (f->over)
		found_close(f);
	else
		rows_begin(s, f);
}

static void look_at_all(struct tables *s, struct sample *out)
{
	s->n_read = s->n_unreadable = s->n_left_out = 0;
	for (size_t i = 0; i < s->found.n; i++) {
		struct found *f = &s->found.v[i];

		if (!is_wanted(s, f)) {
			f->is_new = false;
			rows_end(f);
			s->n_left_out++;
		} else if (f->fd < 0 && !f->over) {
			begin_table(s, f);
		}
		if (f->fd >= 0)
			emit(s, f, out);
	}
	s->cost.tasks = s->found.n;
}

/* Removes the tables of processes of the command that have ended, and drops them from the list:
 * their last numbers are in the sample. A process that runs another program keeps its tables, so
 * that their numbers are not given to others. */
static void remove_ended(struct tables *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->found.n; i++) {
		const struct found *f = &s->found.v[i];
		const struct table_file file = {f->path, f->pid, f->number};

		if (f->over && !table_process_lives(f->pid, f->start_ticks) &&
		    stale_tables_remove_file(&file))
			free(f->path);
		else
			s->found.v[n++] = *f;
	}
	s->found.n = n;
}

/* Sets the note for a sample without rows. */
static void update_note(struct tables *s, const struct sample *out)
{
	s->note[0] = '\0';
	s->seen |= out->n > 0;
	/* At the first sample, the command has not started yet. */
	if (out->n || (s->folder && (s->number == 1 || s->seen)))
		return;
	if (s->n_unreadable)
		snprintf(s->note, sizeof s->note,
			 "the tables of %s cannot be read: the errors tell why", s->use->what);
	else if (s->n_read)
		snprintf(s->note, sizeof s->note, "the tables of %s have no rows yet",
			 s->use->what);
	else if (s->n_left_out)
		snprintf(s->note, sizeof s->note,
			 "no process that passes the filter (-p, -u) has a table of %s",
			 s->use->what);
	else if (s->folder)
		snprintf(s->note, sizeof s->note,
			 "the command has no table of %s: it is linked statically, runs with "
			 "other rights than yours, or has no table yet",
			 s->use->what);
	else
		snprintf(s->note, sizeof s->note,
			 "no process of yours has a table of %s: 'tiptop %s -- command' makes one",
			 s->use->what, s->use->what);
}

/* --- the source --- */

static int tables_next(struct source *source, struct sample *out, struct err *err)
{
	struct tables *s = self_of(source);

	(void)err;
	s->cost = (struct source_cost){.reads = 2};
	tables_begin_sample(out, s->proc);
	out->generation = 1;
	out->number = ++s->number;
	out->kind = s->use->kind;
	sample_set_machine(out, s->description);
	found_update(&s->found, s->folder, s->use->what);
	look_at_all(s, out);
	if (s->folder)
		remove_ended(s);
	shared_rows_take(s->shared, out);
	sample_sort(out);
	update_note(s, out);
	return 0;
}

static const struct sample_events *tables_events(const struct source *source)
{
	(void)source;
	return NULL;
}

static bool tables_filter(struct source *source, const struct filter *filter)
{
	shared_rows_reset(self_of(source)->shared);
	self_of(source)->want.filter = *filter;
	return true;
}

static bool tables_go_on(struct source *source, struct want *want)
{
	event_set_done(&want->events);
	self_of(source)->want = *want;
	return true;
}

static const char *tables_note(const struct source *source)
{
	const struct tables *s = (const struct tables *)source;

	return s->note[0] ? s->note : NULL;
}

static void tables_cost(const struct source *source, struct source_cost *out)
{
	*out = ((const struct tables *)source)->cost;
}

static void tables_free(struct source *source)
{
	struct tables *s = self_of(source);

	for (size_t i = 0; i < s->found.n; i++)
		rows_end(&s->found.v[i]);
	found_done(&s->found);
	shared_rows_free(s->shared);
	sample_machine_unref(s->description);
	free(s);
}

struct source *source_tables_new(const struct tables_use *use, struct proc *proc,
				 const struct machine *machine,
				 const struct sample_machine *description, const char *folder)
{
	static const struct source_ops ops = {
		.events = tables_events,
		.go_on = tables_go_on,
		.next = tables_next,
		.filter = tables_filter,
		.note = tables_note,
		.cost = tables_cost,
		.free = tables_free,
	};
	struct tables *s = xcalloc(1, sizeof *s);

	s->source.ops = &ops;
	s->use = use;
	s->folder = folder;
	s->proc = proc;
	s->machine = machine;
	s->shared = shared_rows_new();
	s->description = sample_machine_ref(description);
	return &s->source;
}

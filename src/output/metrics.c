/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/metrics.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/lookup.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "model/fact_list.h"
#include "model/fold_sum.h"
#include "model/kinds.h"
#include "view/row_filter.h"

/* ---- folder ----
 * Finds other files of the folder that have the same series.
 *
 * node_exporter reads all files *.prom of its folder. Each file of tiptop has the series
 * tiptop_interval_seconds, with the labels common to all series of this file. So two files have any
 * series in common if and only if they both have that series with the same labels. */

#define FILE_MAX (1 << 24)

static bool is_collected(const char *name)
{
	const size_t n = strlen(name);

	return n >= 5 && !strcmp(name + n - 5, ".prom");
}

/* Returns whether the file at `path` is not `own` and has a line of this series. */
static bool has_series(const char *path, const char *own, const char *series)
{
	char *line = xasprintf("\n%s ", series);
	struct strbuf text;
	struct stat st;
	bool found;

	strbuf_init(&text);
	found = !stat(path, &st) && S_ISREG(st.st_mode) && !file_paths_same(path, own) &&
		file_read_all(AT_FDCWD, path, FILE_MAX, &text) > 0 && strstr(text.text, line);
	strbuf_done(&text);
	free(line);
	return found;
}

/* Finds another file in the folder of `own` that has the same series and that node_exporter would
 * read, too. Returns its name, to be freed by the caller; NULL: none. */
static char *metrics_folder_find(const char *own, const char *common)
{
	const char *slash = strrchr(own, '/');
	const int n = slash ? (int)(slash + 1 - own) : 0;
	char *series, *found = NULL;
	struct folder folder;
	const char *name;

	if (!is_collected(own) || folder_open(&folder, "%.*s", n ? n : 1, n ? own : ".") < 0)
		return NULL;
	series = xasprintf(*common ? METRICS_PREFIX "interval_seconds{%s}"
				   : METRICS_PREFIX "interval_seconds%s",
			   common);
	while ((name = folder_next(&folder))) {
		char *path = xasprintf("%.*s%s", n, own, name);

		if (!found && is_collected(name) && has_series(path, own, series))
			found = xstrdup(name);
		free(path);
	}
	free(series);
	return found;
}

/* ---- labels ----
 * The labels of series, as they are written. */

/* Appends a label's text: control characters and invalid bytes become U+FFFD; an incomplete
 * character at the end is dropped. */
static void add_escaped(struct strbuf *out, const char *text)
{
	for (size_t left = strlen(text), n; left; text += n, left -= n) {
		uint32_t character = text_decode(text, left, &n);

		if (character == '\\' || character == '"')
			strbuf_addf(out, "\\%c", (int)character);
		else if (character == TEXT_BAD && n == 1 && text_is_cut(text, left))
			n = left;
		else if (character == TEXT_BAD || !text_is_harmless(character))
			strbuf_addstr(out, "\ufffd");
		else
			strbuf_add(out, text, n);
	}
}

/* Appends a label, after a comma unless it is the first. */
static void metrics_label_add(struct strbuf *out, const char *name, const char *text)
{
	strbuf_addf(out, "%s%s=\"", out->len ? "," : "", name);
	add_escaped(out, text);
	strbuf_addch(out, '"');
}

static void metrics_users_done(struct metrics_users *users)
{
	size_t pos = 0;
	char *name;

	while ((name = hash_next(&users->name, &pos)))
		free(name);
	hash_done(&users->name);
}

/* Returns the name of the user of a task, or of a group with this number; "": several users, or
 * unknown. */
static const char *user_of(struct metrics_users *users, const struct task *t, uint64_t number)
{
	char *name = hash_get(&users->name, number);

	if (name || !*t->user || !strcmp(t->user, FOLD_SEVERAL))
		return name ? name : "";
	name = xstrdup(t->user);
	hash_put(&users->name, number, name);
	return name;
}

static void add_cpu(struct strbuf *out, const struct task *t)
{
	const enum cpu_mode mode = kind_cpu_mode_of(t->id);
	char number[24];

	snprintf(number, sizeof number, "%" PRIu32, (uint32_t)t->id);
	metrics_label_add(out, "cpu", number);
	if (mode)
		metrics_label_add(out, "mode", cpu_mode_names[mode]);
}

/* Appends the labels of a row that is not a group. */
static void add_single(struct strbuf *out, struct metrics_users *users, const struct task *t,
		       const char *number)
{
	if (t->kind == &kind_command) {
		metrics_label_add(out, "command", t->name);
	} else if (kind_is(t->kind, &kind_cpu)) {
		add_cpu(out, t);
	} else if (t->kind == &kind_socket) {
		metrics_label_add(out, t->kind->name, number);
	} else {
		metrics_label_add(out, "pid", number);
		metrics_label_add(out, "program", t->process);
		metrics_label_add(out, "user", user_of(users, t, t->uid));
		if (t->kind->in_program)
			metrics_label_add(out, t->kind->part, t->name);
	}
}

/* Appends the labels of a row without braces: program="gcc",user="alice". */
static void metrics_labels_add(struct strbuf *out, struct metrics_users *users, enum group_key key,
			       const struct task *t)
{
	char number[24];

	snprintf(number, sizeof number, "%" PRIu64, task_number(t));
	if (key == GROUP_PROCESS) {
		add_single(out, users, t, number);
	} else if (key == GROUP_PROGRAM_USER) {
		metrics_label_add(out, "program", t->name);
		metrics_label_add(out, "user", user_of(users, t, t->id));
	} else {
		metrics_label_add(out, group_key_table[key].name,
				  *t->name || t->kind->id_is_text ? t->name : number);
	}
}

/* Appends the labels of the row "other" among rows of this kind. */
static void metrics_labels_add_other(struct strbuf *out, enum group_key key,
				     const struct kind *kind)
{
	const bool single = key == GROUP_PROCESS;
	const char *name = group_key_table[key].name;

	if (single && kind_is(kind, &kind_cpu))
		name = "cpu";
	else if (single && kind == &kind_socket)
		name = kind->name;
	else if (single || key == GROUP_PROGRAM_USER)
		name = "program";
	if (single && !strcmp(name, "program"))
		metrics_label_add(out, "pid", "");
	metrics_label_add(out, name, METRICS_OTHER);
	if (!strcmp(name, "program") && key != GROUP_PROGRAM)
		metrics_label_add(out, "user", "");
}

/* ---- sum ----
 * Totals that continue over the sink's lifetime. */

struct metrics_group *metrics_group_of(struct metrics_sums *sums, const char *labels,
				       uint64_t number)
{
	uint64_t key = hash_text(labels, strlen(labels));
	struct metrics_group *group;

	/* On a collision of hash keys, the next key is tried. */
	for (; (group = hash_get(&sums->groups, key)); key++)
		if (!strcmp(group->labels, labels))
			break;
	if (!group) {
		group = xcalloc(1, sizeof *group);
		group->labels = xstrdup(labels);
		hash_put(&sums->groups, key, group);
	}
	group->number = number;
	return group;
}

/* Returns the sum of a metric; 0 on first use. */
static struct metrics_sum *get(struct metrics_group *group, size_t metric)
{
	if (metric >= group->n) {
		group->sum = xgrow(group->sum, &group->cap, metric + 1, sizeof *group->sum);
		memset(&group->sum[group->n], 0, (metric + 1 - group->n) * sizeof *group->sum);
		group->n = metric + 1;
	}
	return &group->sum[metric];
}

double metrics_sum_add(struct metrics_group *group, size_t metric,
		       const struct metrics_reading *reading)
{
	struct metrics_sum *s = get(group, metric);
	const double number = reading->number, total = s->total;

	if (reading->restarts && s->generation != reading->generation)
		s->before += s->last;
	else if (number < s->last)
		s->before += s->last - number;
	s->generation = reading->generation;
	s->last = number;
	s->total = s->before + s->last;
	if (reading->written)
		s->written += s->total - total;
	return s->written;
}

double metrics_sum_grow(struct metrics_group *group, size_t metric, double growth)
{
	struct metrics_sum *s = get(group, metric);

	s->written += growth;
	return s->written;
}

static void drop_lines(struct metrics_group *group)
{
	for (size_t i = 0; i < group->n_lines; i++)
		free(group->line[i].text);
	free(group->line);
	group->line = NULL;
	group->n_lines = 0;
}

static void free_group(struct metrics_group *group)
{
	drop_lines(group);
	free(group->sum);
	free(group->labels);
	free(group);
}

void metrics_sums_limit(struct metrics_sums *sums, size_t max, uint64_t number)
{
	struct hash kept = HASH_INIT;
	struct metrics_group *group;
	size_t pos = 0;

	if (sums->groups.n <= max)
		return;
	while ((group = hash_next(&sums->groups, &pos))) {
		uint64_t key = hash_text(group->labels, strlen(group->labels));

		if (group->number != number) {
			free_group(group);
			continue;
		}
		while (hash_get(&kept, key))
			key++;
		hash_put(&kept, key, group);
	}
	hash_done(&sums->groups);
	sums->groups = kept;
}

void metrics_sums_done(struct metrics_sums *sums)
{
	struct metrics_group *group;
	size_t pos = 0;

	while ((group = hash_next(&sums->groups, &pos)))
		free_group(group);
	hash_done(&sums->groups);
}

/* ---- rows ----
 * Rows and their labels. */

void metrics_rows_init(struct metrics_rows *r)
{
	*r = (struct metrics_rows){.n = 0};
	delta_init(&r->delta);
}

void metrics_rows_done(struct metrics_rows *r)
{
	metrics_users_done(&r->users);
	free(r->row);
	delta_done(&r->delta);
	arena_done(&r->labels);
}

void metrics_rows_begin(struct metrics_rows *r, enum group_key key, const struct kind *kind,
			const struct delta *tasks, struct fact_set facts)
{
	struct strbuf other;

	arena_reset(&r->labels);
	arena_reset(&r->delta.arena);
	r->delta = (struct delta){.kind = kind,
				  .sample = tasks->sample,
				  .interval_ns = tasks->interval_ns,
				  .processes = tasks->processes,
				  .groups = true,
				  .threads = tasks,
				  .arena = r->delta.arena};
	r->facts = facts;
	r->sorted = false;
	r->n = r->n_written = 0;
	strbuf_init(&other);
	metrics_labels_add_other(&other, key, kind);
	r->other = (struct metrics_row){.labels = arena_strdup(&r->labels, other.text)};
	strbuf_done(&other);
}

/* Returns the sort key: CPU usage in the interval; for kinds with own_time (model/sample.h), such
 * as locks and functions, the total of that time, so that the order is stable. */
static double use_of(const struct delta_row *row)
{
	const int own = row->task->kind->own_time;
	const struct value use = own ? delta_fact_now(row, own) : delta_cpu_share(row);

	return value_known(use) ? use.number : 0;
}

void metrics_rows_add(struct metrics_rows *r, enum group_key key, const struct delta_row *row)
{
	struct strbuf labels;

	strbuf_init(&labels);
	metrics_labels_add(&labels, &r->users, key, row->task);
	r->row = xgrow(r->row, &r->cap, r->n + 1, sizeof *r->row);
	r->row[r->n++] = (struct metrics_row){
		.from = row, .labels = arena_strdup(&r->labels, labels.text), .use = use_of(row)};
	strbuf_done(&labels);
	/* A row with the labels of "other" is sorted to the end, so that it is merged into "other"
	 * if there is one. */
	if (!strcmp(r->row[r->n - 1].labels, r->other.labels))
		r->row[r->n - 1].use = -1;
}

/* Updates what is kept of a group that has changed. Returns whether its labels were
 * made. */
static bool update_kept(struct metrics_rows *r, enum group_key key, struct kept_group *group)
{
	const struct task *t = group->row.task;
	struct metrics_kept *kept = group->own;
	const bool make = !kept || !kept->final;

	if (make) {
		struct strbuf labels;

		strbuf_init(&labels);
		metrics_labels_add(&labels, &r->users, key, t);
		free(kept);
		group->own = kept = xcalloc(1, sizeof *kept + labels.len + 1);
		memcpy(kept->labels, labels.text, labels.len + 1);
		kept->final = key != GROUP_PROGRAM_USER || *user_of(&r->users, t, t->id);
		kept->is_other = !strcmp(kept->labels, r->other.labels);
		strbuf_done(&labels);
	}
	kept->use = kept->is_other ? -1 : use_of(&group->row);
	return make;
}

static int compare_kept(const void *a, const void *b)
{
	const struct kept_group *x = *(struct kept_group *const *)a;
	const struct kept_group *y = *(struct kept_group *const *)b;
	const struct metrics_kept *kept_x = x->own, *kept_y = y->own;
	const int order = strcmp(kept_x->labels, kept_y->labels);

	return order ? order : group_id_compare(x->id, y->id);
}

/* Adds all groups, and sorts them by their labels. */
static void metrics_rows_add_groups(struct metrics_rows *r, enum group_key key,
				    struct kept_groups *groups)
{
	bool changed = false;

	for (size_t i = 0; i < groups->n; i++)
		if (groups->v[i]->changed)
			changed |= update_kept(r, key, groups->v[i]);
	if (changed)
		array_sort(groups->v, groups->n, sizeof *groups->v, compare_kept);
	r->row = xgrow(r->row, &r->cap, groups->n, sizeof *r->row);
	for (size_t i = 0; i < groups->n; i++) {
		struct kept_group *group = groups->v[i];
		struct metrics_kept *kept = group->own;

		r->row[r->n++] = (struct metrics_row){.from = &group->row,
						      .labels = kept->labels,
						      .use = kept->use,
						      .same = !group->changed,
						      .kept = kept};
	}
	r->sorted = true;
}

static int compare_labels(const void *a, const void *b)
{
	const struct metrics_row *x = a, *y = b;

	return strcmp(x->labels, y->labels);
}

/* Sorts by use, descending; rows with equal use by labels, so that the choice is stable. */
static int compare_use(const void *a, const void *b)
{
	const struct metrics_row *x = a, *y = b;

	if (x->use != y->use)
		return x->use > y->use ? -1 : 1;
	return compare_labels(a, b);
}

/* Merges n rows into one. */
static struct metrics_row fold(struct metrics_rows *r, const struct metrics_row *row, size_t n)
{
	struct folding folding = {.arena = &r->delta.arena,
				  .joins = fold_joins(&r->delta),
				  .interval_ns = r->delta.interval_ns,
				  .facts = r->facts,
				  .keeps_ended = true};
	const struct task *first = row[0].from->task;
	struct delta_row *sum = arena_alloc(&r->delta.arena, sizeof *sum);
	struct metrics_row out = {.from = sum, .labels = row[0].labels};
	struct fold_sum s;

	fold_sum_begin(&s, &folding, sum, first->kind, (struct fold_id){first->id, first->name});
	for (size_t i = 0; i < n; i++) {
		fold_sum_add(&s, row[i].from);
		out.use += row[i].use;
	}
	fold_sum_end(&s);
	folding_done(&folding);
	return out;
}

static void merge(struct metrics_rows *r)
{
	size_t n = 0;

	if (!r->sorted)
		array_sort(r->row, r->n, sizeof *r->row, compare_labels);
	for (size_t i = 0, end; i < r->n; i = end) {
		for (end = i + 1; end < r->n && !compare_labels(&r->row[i], &r->row[end]);)
			end++;
		r->row[n++] = end > i + 1 ? fold(r, &r->row[i], end - i) : r->row[i];
	}
	r->n = n;
	array_sort(r->row, n, sizeof *r->row, compare_use);
}

/* Merges the rows that are not written into "other". */
static void fold_others(struct metrics_rows *r)
{
	const char *labels = r->other.labels;

	if (r->n > r->n_written)
		r->other = fold(r, &r->row[r->n_written], r->n - r->n_written);
	r->other.labels = r->n > r->n_written ? labels : NULL;
}

void metrics_rows_end(struct metrics_rows *r, size_t max)
{
	merge(r);
	r->n_written = r->n < max ? r->n : max;
	fold_others(r);
}

/* ---- metrics ---- */

/* The mode of the file: readable for the collector, whatever the umask is. */
#define FILE_MODE 0644

struct metrics {
	enum group_key key;
	size_t n;
	struct retired_groups retired;
	struct kept_groups groups;
	struct view view;
	struct frame frame; /* used for rows that are not groups */
	struct metrics_helps helps;
	struct metrics_families families;
	struct metrics_rows rows;
	struct metrics_sums sums;
	struct metrics_group **lined; /* those that have lines: written in the last frame */
	size_t n_lined, cap_lined;
	uint64_t mono_ns;      /* of the last sample written */
	uint64_t mem_total_kb; /* of the last frame: columns may show it */
	struct strbuf common, text;
};

static int metrics_open(struct sink *sink, struct err *err)
{
	struct metrics *m = xcalloc(1, sizeof *m);

	(void)err;
	m->key = GROUP_PROGRAM_USER;
	retired_groups_init(&m->retired);
	m->retired.only = m->key;
	m->retired.max = METRICS_REMEMBERED;
	kept_groups_init(&m->groups);
	frame_init(&m->frame);
	metrics_helps_init(&m->helps);
	metrics_families_init(&m->families);
	metrics_rows_init(&m->rows);
	strbuf_init(&m->common);
	strbuf_init(&m->text);
	sink->state = m;
	return 0;
}

void metrics_choose(struct sink *sink, const struct metrics_choice *choice)
{
	const struct {
		const char *name, *text;
	} label[] = {
		{"view", choice->view}, {"screen", choice->screen}, {"source", choice->source}};
	struct metrics *m = sink->state;

	m->key = choice->key;
	m->n = choice->n;
	m->retired.only = m->key;
	for (size_t i = 0; i < sizeof label / sizeof *label; i++)
		if (label[i].text)
			metrics_label_add(&m->common, label[i].name, label[i].text);
}

bool metrics_collide(const struct sink *sink, struct err *note)
{
	const struct metrics *m = sink->state;
	char *other = metrics_folder_find(sink->dest.path, m->common.text);

	if (other)
		err_set(note, EEXIST,
			"'%s' has series that '%s' beside it has, too, and node_exporter drops one "
			"of "
			"two: give this one another name with --metrics-source",
			sink->dest.path, other);
	free(other);
	return other != NULL;
}

/* Sets up the view: of the user's settings, only filters, thread rows and command lines apply. */
static void choose_view(struct metrics *m, const struct view *shown)
{
	m->view = (struct view){.group = m->key,
				.idle = true,
				.sticky = true,
				.show_cmdline = shown->show_cmdline,
				.threads = shown->threads,
				.filter = shown->filter,
				.row_filter = shown->row_filter};
}

/* Returns the facts that metrics of this screen and these rows need. */
static struct fact_set find_facts(const struct screen *screen, const struct kind *kind)
{
	struct fact_set facts = screen->facts;

	fact_add(&facts, kind->own_time);

	for (int f = 0; f < N_NUMBER_FACTS; f++)
		if (fact_table[f].metric)
			fact_add(&facts, f);
	return fact_and(facts, fact_numbers);
}

/* Adds all groups, also idle ones and those without members, as their totals stay. */
static void list_groups(struct metrics *m, const struct frame *shown, const struct delta *tasks)
{
	const struct kind *kind = group_key_table[m->key].kind;
	const struct fact_set facts = find_facts(shown->screen, kind);
	const struct view *view = &m->view;
	const struct row_test *test = row_filter_test(view->row_filter);
	const struct grouping by = {.key = m->key,
				    .filter = &view->filter,
				    .use_cmdline = view->show_cmdline,
				    .test = test};

	retired_groups_update(&m->retired, tasks, &view->filter, view->show_cmdline, test);
	kept_groups_update(&m->groups, tasks, &by, &m->retired, facts);
	metrics_rows_begin(&m->rows, m->key, kind, tasks, facts);
	metrics_rows_add_groups(&m->rows, m->key, &m->groups);
}

/* Adds single rows: those in the frame, which have passed the filters. */
static void list_single(struct metrics *m, const struct frame *shown, const struct delta *tasks)
{
	frame_build(&m->frame, shown->binding, &m->view, tasks, NULL, shown->number);
	metrics_rows_begin(&m->rows, m->key, tasks->kind, tasks,
			   find_facts(shown->screen, tasks->kind));
	for (size_t i = 0; i < m->frame.n; i++)
		metrics_rows_add(&m->rows, m->key, m->frame.row[i].from);
}

/* Finds the totals of a row. The start time distinguishes processes with the same pid. */
static void find_totals(struct metrics *m, struct metrics_row *row, uint64_t start_ns,
			uint64_t number)
{
	char *labels;

	if (row->kept && row->kept->group) {
		row->group = row->kept->group;
		row->group->number = number;
		return;
	}
	labels = xasprintf("%s %" PRIu64, row->labels, start_ns);
	row->group = metrics_group_of(&m->sums, labels, number);
	free(labels);
	if (row->kept)
		row->kept->group = row->group;
}

/* Returns the maximum number of rows written; by default all CPUs and sockets. */
static size_t find_max(const struct metrics *m, const struct kind *kind)
{
	if (m->n)
		return m->n;
	return kind_is(kind, &kind_cpu) || kind == &kind_socket ? SIZE_MAX : METRICS_GROUPS;
}

/* Finds the rows whose lines are those of the last frame. Drops the lines of groups that are not
 * written any more. */
static void update_lined(struct metrics *m)
{
	struct metrics_rows *r = &m->rows;

	for (size_t i = 0; i < r->n_written; i++)
		r->row[i].lined = r->row[i].same && r->row[i].group->written;

	for (size_t i = 0; i < m->n_lined; i++)
		m->lined[i]->written = false;
	for (size_t i = 0; i < r->n_written; i++)
		r->row[i].group->written = true;
	if (r->other.labels)
		r->other.group->written = true;
	for (size_t i = 0; i < m->n_lined; i++)
		if (!m->lined[i]->written)
			drop_lines(m->lined[i]);
	m->lined = xgrow(m->lined, &m->cap_lined, r->n_written + 1, sizeof *m->lined);
	for (m->n_lined = 0; m->n_lined < r->n_written; m->n_lined++)
		m->lined[m->n_lined] = r->row[m->n_lined].group;
	if (r->other.labels)
		m->lined[m->n_lined++] = r->other.group;
}

static void write_rows(struct metrics *m, const struct frame *shown)
{
	const uint64_t number = shown->number, mono_ns = shown->sample->mono_ns;
	struct metrics_rows *r = &m->rows;

	for (size_t i = 0; i < r->n; i++)
		find_totals(m, &r->row[i], r->row[i].from->task->start_ns, number);
	if (r->other.labels)
		find_totals(m, &r->other, 0, number);
	if (metrics_families_update(&m->families, &m->helps, shown->binding, m->key) ||
	    m->mem_total_kb != shown->host->mem_total_kb)
		for (size_t i = 0; i < r->n; i++)
			r->row[i].same = false;
	m->mem_total_kb = shown->host->mem_total_kb;
	update_lined(m);
	strbuf_reset(&m->text);
	metrics_write(&m->text, &(struct metrics_page){.families = &m->families,
						       .common = m->common.text,
						       .binding = shown->binding,
						       .sample = shown->sample,
						       .interval_ns = shown->interval_ns,
						       .row = r->row,
						       .n = r->n,
						       .n_written = r->n_written,
						       .other = r->other.labels ? &r->other : NULL,
						       .n_forgotten = m->retired.n_forgotten,
						       .again = m->mono_ns == mono_ns});
	m->mono_ns = mono_ns;
	/* Processes do not return: keep totals for current ones only. */
	metrics_sums_limit(&m->sums, m->key == GROUP_PROCESS ? r->n : METRICS_REMEMBERED, number);
}

static int write_page(const struct sink *sink, const struct strbuf *text, struct err *err)
{
	const char *path = sink->dest.path;
	struct dest dest;
	int ret = dest_open_beside(&dest, path, true, err);

	if (ret)
		return ret;
	dest.wake = sink->dest.wake;
	dest.impatient = sink->dest.impatient;
	dest.transient = true;
	if (dest.temporary && fchmod(dest.fd, FILE_MODE))
		ret = err_set(err, errno, "cannot make '%s' readable for all: %s", path,
			      strerror(errno));
	if (!ret)
		ret = dest_write(&dest, text->text, text->len, err);
	if (ret) {
		dest_close(&dest, true, NULL);
		return ret;
	}
	return dest_close(&dest, false, err);
}

static int metrics_frame(struct sink *sink, const struct frame *shown, struct err *err)
{
	const struct delta *tasks = shown->delta->groups ? shown->delta->threads : shown->delta;
	struct metrics *m = sink->state;

	/* The first frame of a generation has no interval: the file written before stays. */
	if (!shown->interval_ns)
		return 0;
	choose_view(m, shown->view);
	if (m->key == GROUP_PROCESS)
		list_single(m, shown, tasks);
	else
		list_groups(m, shown, tasks);
	metrics_rows_end(&m->rows, find_max(m, tasks->kind));
	write_rows(m, shown);
	return write_page(sink, &m->text, err);
}

static int metrics_close(struct sink *sink, struct err *err)
{
	struct metrics *m = sink->state;

	(void)err;
	metrics_families_done(&m->families);
	metrics_helps_done(&m->helps);
	metrics_rows_done(&m->rows);
	metrics_sums_done(&m->sums);
	frame_done(&m->frame);
	kept_groups_done(&m->groups);
	retired_groups_done(&m->retired);
	strbuf_done(&m->common);
	strbuf_done(&m->text);
	free(m->lined);
	free(m);
	sink->state = NULL;
	return 0;
}

const struct sink_ops metrics_sink = {
	.name = "metrics",
	.help = "a file for the textfile collector of Prometheus",
	.open = metrics_open,
	.frame = metrics_frame,
	.close = metrics_close,
};

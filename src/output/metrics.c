/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "output/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/fold_groups.h"
#include "model/kinds.h"
#include "output/metrics_part.h"
#include "view/row_filter.h"

/* Readable for the collector, whatever the umask is. */
#define FILE_MODE 0644

struct metrics {
	enum group_key key;
	size_t n;
	struct gone gone;
	struct delta groups;
	struct view view;
	struct frame frame; /* of single rows */
	struct metrics_helps helps;
	struct metrics_rows rows;
	struct metrics_sums sums;
	uint64_t mono_ns; /* of the sample that was written last */
	struct strbuf common, text;
};

static int metrics_open(struct sink *sink, struct err *err)
{
	struct metrics *m = xcalloc(1, sizeof *m);

	(void)err;
	m->key = GROUP_PROGRAM_USER;
	gone_init(&m->gone);
	m->gone.only = m->key;
	m->gone.max = METRICS_REMEMBERED;
	delta_init(&m->groups);
	frame_init(&m->frame);
	metrics_helps_init(&m->helps);
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
	m->gone.only = m->key;
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

/* Of what the user has chosen, only who is counted at all. */
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

/* All groups, also those that did nothing, or that have no members any more: their totals stay. */
static void list_groups(struct metrics *m, const struct delta *tasks)
{
	const struct view *view = &m->view;
	const struct row_test *test = row_filter_test(view->row_filter);
	const struct grouping by = {.key = m->key,
				    .filter = &view->filter,
				    .use_cmdline = view->show_cmdline,
				    .test = test,
				    .sticky = true};

	gone_update(&m->gone, tasks, &view->filter, view->show_cmdline, test);
	fold_groups(&m->groups, tasks, &by, &m->gone);
	metrics_rows_begin(&m->rows, m->key, &m->groups);
	for (size_t i = 0; i < m->groups.n; i++)
		metrics_rows_add(&m->rows, m->key, &m->groups.row[i]);
}

/* The frame has those that pass the filters. */
static void list_single(struct metrics *m, const struct frame *shown, const struct delta *tasks)
{
	frame_build(&m->frame, shown->binding, &m->view, tasks, NULL, shown->number);
	metrics_rows_begin(&m->rows, m->key, tasks);
	for (size_t i = 0; i < m->frame.n; i++)
		metrics_rows_add(&m->rows, m->key, m->frame.row[i].from);
}

/* Finds the totals of a row. A process may have the number of an earlier one: its start tells which
 * it is. */
static void find_totals(struct metrics *m, struct metrics_row *row, uint64_t start_ns,
			uint64_t number)
{
	char *labels = xasprintf("%s %" PRIu64, row->labels, start_ns);

	row->group = metrics_group_of(&m->sums, labels, number);
	free(labels);
}

/* How many rows are written: all CPUs and sockets, unless the user says how many. */
static size_t find_max(const struct metrics *m, const struct kind *kind)
{
	if (m->n)
		return m->n;
	return kind_is(kind, &kind_cpu) || kind == &kind_socket ? SIZE_MAX : METRICS_GROUPS;
}

static void write_rows(struct metrics *m, uint64_t number, uint64_t mono_ns)
{
	struct metrics_rows *r = &m->rows;

	for (size_t i = 0; i < r->n; i++)
		find_totals(m, &r->row[i], r->row[i].from->task->start_ns, number);
	if (r->other.labels)
		find_totals(m, &r->other, 0, number);
	strbuf_reset(&m->text);
	metrics_write(&m->text, &(struct metrics_page){.helps = &m->helps,
						       .common = m->common.text,
						       .frame = &r->frame,
						       .key = m->key,
						       .row = r->row,
						       .n = r->n,
						       .n_written = r->n_written,
						       .other = r->other.labels ? &r->other : NULL,
						       .n_forgotten = m->gone.n_forgotten,
						       .again = m->mono_ns == mono_ns});
	m->mono_ns = mono_ns;
	/* Single processes do not come back. */
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

	/* Counting has begun anew: what was written last is still true. */
	if (!shown->interval_ns)
		return 0;
	choose_view(m, shown->view);
	if (m->key == GROUP_PROCESS)
		list_single(m, shown, tasks);
	else
		list_groups(m, tasks);
	metrics_rows_end(&m->rows, shown, &m->view, find_max(m, tasks->kind));
	write_rows(m, shown->number, shown->sample->mono_ns);
	return write_page(sink, &m->text, err);
}

static int metrics_close(struct sink *sink, struct err *err)
{
	struct metrics *m = sink->state;

	(void)err;
	metrics_helps_done(&m->helps);
	metrics_rows_done(&m->rows);
	metrics_sums_done(&m->sums);
	frame_done(&m->frame);
	delta_done(&m->groups);
	gone_done(&m->gone);
	strbuf_done(&m->common);
	strbuf_done(&m->text);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/metrics.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "model/fold_groups.h"
#include "sink/metrics_part.h"
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
	struct strbuf common, text;
};

static int metrics_open(struct sink *sink, struct err *err)
{
	struct metrics *m = xcalloc(1, sizeof *m);

	(void)err;
	m->key = GROUP_PROGRAM_USER;
	m->n = METRICS_GROUPS;
	gone_init(&m->gone);
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
	m->n = choice->n ? choice->n : METRICS_GROUPS;
	for (size_t i = 0; i < sizeof label / sizeof *label; i++)
		if (label[i].text)
			metrics_label_add(&m->common, label[i].name, label[i].text);
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
	metrics_rows_begin(&m->rows, &m->groups);
	for (size_t i = 0; i < m->groups.n; i++)
		metrics_rows_add(&m->rows, m->key, &m->groups.row[i]);
}

/* The frame has those that pass the filters. */
static void list_single(struct metrics *m, const struct frame *shown, const struct delta *tasks)
{
	frame_build(&m->frame, shown->binding, &m->view, tasks, NULL, shown->number);
	metrics_rows_begin(&m->rows, tasks);
	for (size_t i = 0; i < m->frame.n; i++)
		metrics_rows_add(&m->rows, m->key, m->frame.row[i].from);
}

/* The totals of each row. A process may have the number of an earlier one: its start tells which
 * it is. */
static void find_totals(struct metrics *m, uint64_t number)
{
	for (size_t i = 0; i < m->rows.n; i++) {
		struct metrics_row *row = &m->rows.row[i];
		const struct task *t = row->from->task;
		char *labels = xasprintf("%s %" PRIu64, row->labels, t->start_ns);

		row->group = metrics_group_of(&m->sums, labels, number);
		free(labels);
	}
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
	metrics_rows_end(&m->rows, shown, &m->view, m->n);
	find_totals(m, shown->number);
	strbuf_reset(&m->text);
	metrics_write(&m->text, &(struct metrics_page){.helps = &m->helps,
						       .common = m->common.text,
						       .frame = &m->rows.frame,
						       .key = m->key,
						       .row = m->rows.row,
						       .n = m->rows.n,
						       .n_written = m->rows.n_written});
	/* Single processes do not come back. */
	metrics_sums_limit(&m->sums, m->key == GROUP_PROCESS ? m->rows.n : GONE_MAX, shown->number);
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

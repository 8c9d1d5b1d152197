/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/metrics.h"

#include <errno.h>
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
	struct frame frame;
	struct metrics_sums sums;
	struct metrics_row *row;
	size_t cap;
	struct strbuf text;
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
	strbuf_init(&m->text);
	sink->state = m;
	return 0;
}

void metrics_choose(struct sink *sink, enum group_key key, size_t n)
{
	struct metrics *m = sink->state;

	m->key = key;
	m->n = n ? n : METRICS_GROUPS;
}

/* All groups, also those that did nothing, or that nobody is in any more: their totals stay. */
static void build(struct metrics *m, const struct frame *shown)
{
	const struct view *view = &m->view;
	const struct delta *tasks = shown->delta->groups ? shown->delta->threads : shown->delta;
	const struct row_test *test = row_filter_test(shown->view->row_filter);

	/* Of what the user has chosen, only who is counted at all. */
	m->view = (struct view){.group = m->key,
				.idle = true,
				.sticky = true,
				.show_cmdline = shown->view->show_cmdline,
				.threads = shown->view->threads,
				.filter = shown->view->filter,
				.row_filter = shown->view->row_filter};
	if (m->key != GROUP_PROCESS) {
		const struct grouping by = {.key = m->key,
					    .filter = &view->filter,
					    .use_cmdline = view->show_cmdline,
					    .test = test,
					    .sticky = true};

		gone_update(&m->gone, tasks, &view->filter, view->show_cmdline, test);
		fold_groups(&m->groups, tasks, &by, &m->gone);
		tasks = &m->groups;
	}
	frame_build(&m->frame, shown->binding, view, tasks, NULL, shown->number);
}

/* Those that used most CPU first; who used none, by name, so that they stay what they are. */
static int compare_rows(const void *a, const void *b)
{
	const struct metrics_row *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu > y->cpu ? -1 : 1;
	return group_id_compare(x->group->id, y->group->id);
}

static void list_rows(struct metrics *m, struct metrics_page *page)
{
	const struct frame *f = &m->frame;

	m->row = xgrow(m->row, &m->cap, f->n, sizeof *m->row);
	for (size_t i = 0; i < f->n; i++) {
		struct value cpu = delta_cpu_share(f->row[i].from);

		m->row[i] = (struct metrics_row){
			.row = &f->row[i],
			.group = metrics_group_of(&m->sums, &f->row[i], f->number),
			.cpu = value_known(cpu) ? cpu.number : 0};
	}
	if (f->n)
		qsort(m->row, f->n, sizeof *m->row, compare_rows);
	*page = (struct metrics_page){.frame = f,
				      .key = m->key,
				      .row = m->row,
				      .n = f->n,
				      .n_written = f->n < m->n ? f->n : m->n};
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
	struct metrics *m = sink->state;
	struct metrics_page page;

	/* Counting has begun anew: what was written last is still true. */
	if (!shown->interval_ns)
		return 0;
	build(m, shown);
	list_rows(m, &page);
	strbuf_reset(&m->text);
	metrics_write(&m->text, &page);
	/* Single processes do not come back. */
	metrics_sums_limit(&m->sums, m->key == GROUP_PROCESS ? page.n : GONE_MAX, m->frame.number);
	return write_page(sink, &m->text, err);
}

static int metrics_close(struct sink *sink, struct err *err)
{
	struct metrics *m = sink->state;

	(void)err;
	free(m->row);
	metrics_sums_done(&m->sums);
	frame_done(&m->frame);
	delta_done(&m->groups);
	gone_done(&m->gone);
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plot_sides.h"

#include <errno.h>

#include "base/mem.h"
#include "compare/alike.h"
#include "run/print_error.h"

int plot_sides_parse(struct plot_sides *s, const struct option_list *arguments, struct err *err)
{
	const char *word;

	for (; s->n_words < PLOT_SIDES_MAX && (word = option_word(arguments, s->n_words));
	     s->n_words++)
		if (selection_parse(&s->selection[s->n_words], word,
				    s->n_words ? &s->selection[s->n_words - 1] : NULL, err))
			return err_prefix(err, "plot");
	if (!s->n_words)
		return selection_explain_missing("plot", " -o PICTURE.svg", err);
	return 0;
}

int plot_sides_open(struct plot_sides *s, const struct gathering_choice *choice, struct err *err)
{
	int ret = 0;

	while (s->n_open < s->n_words && !ret) {
		const size_t i = s->n_open++;

		ret = gathering_open(&s->gathering[i], &s->selection[i], choice,
				     i ? &s->gathering[0] : NULL, err);
	}
	return ret;
}

/* Those of the panels, and behind them that of the axis. */
int plot_sides_choose(struct plot_sides *s, const char *columns, const char *axis, struct err *err)
{
	const struct screen *screen = gathering_screen(&s->gathering[0]);
	struct columns over = {.n = 0};
	int ret = columns_find(&s->columns, columns, screen, err);

	if (!ret && !columns)
		s->columns.n = 1;
	if (!ret && s->columns.n > PLOT_PANELS_MAX)
		ret = err_set(err, EINVAL, "plot: a picture has %d panels at most (-c)",
			      PLOT_PANELS_MAX);
	if (!ret && axis)
		ret = columns_find(&over, axis, screen, err);
	if (!ret && over.n && (over.n > 1 || screen->column[over.v[0]].kind != COLUMN_COUNT))
		ret = err_set(err, EINVAL,
			      "plot: '%s' (--over) is no column that counts, as minstr of the "
			      "screen default does",
			      axis);
	s->n_panels = s->columns.n;
	if (!ret && over.n) {
		s->columns.v = xgrow(s->columns.v, &s->columns.cap, s->columns.n + 1,
				     sizeof *s->columns.v);
		s->columns.v[s->columns.n++] = over.v[0];
	}
	for (size_t i = 0; i < s->columns.n && !ret; i++)
		s->column[i] = &screen->column[s->columns.v[i]];
	columns_done(&over);
	return ret;
}

static struct alike_side alike_side(const struct plot_sides *s, size_t i)
{
	return (struct alike_side){s->selection[i].file, gathering_screen(&s->gathering[i]),
				   &s->gathering[i].setup.origins};
}

/* Curves of one panel are of the same thing. */
static int begin_list(struct plot_sides *s, size_t i, struct err *err)
{
	const struct alike_side first = alike_side(s, 0), other = alike_side(s, i);
	size_t column[PLOT_PANELS_MAX + 1];

	for (size_t k = 0; k < s->columns.n; k++) {
		struct err why = ERR_INIT;

		if (alike_find(&first, s->columns.v[k], &other, &column[k], &why))
			return err_set(err, EINVAL, "'%s' cannot be drawn together: %s",
				       s->column[k]->id, why.text);
	}
	series_list_init(&s->list[s->n_lists++], column, s->columns.n);
	return 0;
}

int plot_sides_gather(struct plot_sides *s, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->n_words && !ret; i++) {
		struct err note = ERR_INIT;

		ret = begin_list(s, i, err);
		if (!ret)
			ret = gathering_run(&s->gathering[i], GROUP_PROCESS, VALUES_RATE,
					    &s->list[i], &note, err);
		if (!ret && note.code)
			say_fault(&note, 0);
		series_list_rank(&s->list[i]);
	}
	return ret;
}

void plot_sides_done(struct plot_sides *s)
{
	columns_done(&s->columns);
	for (size_t i = 0; i < PLOT_SIDES_MAX; i++) {
		if (i < s->n_lists)
			series_list_done(&s->list[i]);
		selection_done(&s->selection[i]);
	}
	while (s->n_open)
		gathering_close(&s->gathering[--s->n_open]);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "compare/plot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/num.h"
#include "base/text.h"
#include "compare/plot_part.h"

/* A name that is longer would take the place of the picture. */
#define LABEL_MAX 24

void plot_init(struct plot *p)
{
	*p = (struct plot){.n_texts = 0};
	strbuf_init(&p->script);
	strbuf_init(&p->data);
	strbuf_init(&p->notes);
	for (int i = 0; i < PLOT_TEXTS; i++)
		strbuf_init(&p->text[i]);
}

void plot_done(struct plot *p)
{
	strbuf_done(&p->script);
	strbuf_done(&p->data);
	strbuf_done(&p->notes);
	for (int i = 0; i < PLOT_TEXTS; i++)
		strbuf_done(&p->text[i]);
}

static size_t n_curves_of(const struct plot_request *r, size_t side)
{
	const size_t n = r->side[side].list->n;

	return n < r->rows ? n : r->rows;
}

/* The text as one field of data: gnuplot takes \ and " in it for its own. */
static void add_field(struct strbuf *out, const char *text)
{
	strbuf_addch(out, '"');
	for (; *text; text++)
		if (*text == '\\')
			strbuf_addstr(out, "\\\\");
		else
			strbuf_addch(out, (char)(*text == '"' ? '\'' : *text));
	strbuf_addstr(out, "\"\n");
}

static void add_label(struct strbuf *out, const struct plot_side *side, const struct series *s)
{
	struct strbuf label;
	size_t n = LABEL_MAX;

	strbuf_init(&label);
	text_add(&label, s->name);
	if (s->id.kind && s->id.kind->pid)
		strbuf_addf(&label, " %llu", (unsigned long long)s->told_id);
	if (side->label) {
		strbuf_addstr(&label, ", ");
		text_add(&label, side->label);
	}
	if (label.len > n) {
		while (n && text_continues(label.text[n]))
			n--;
		label.text[label.len = n] = '\0';
		strbuf_addstr(&label, "\u2026");
	}
	add_field(out, label.text);
	strbuf_done(&label);
}

/* Where an interval begins and ends on the axis. */
struct step {
	double from, to;
};

/* How the numbers of one curve go along the axis. */
struct walk {
	const struct plot_request *r;
	const struct plot_scale *scale;
	const struct series_list *list;
	const struct series *s;
	double sum; /* what the column of the axis has counted so far */
	size_t n_lost;
};

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return to_ns > from_ns ? (double)(to_ns - from_ns) / 1e9 : 0;
}

/* The step of interval i, which is not before that of i - 1. Where it is not known how much was
 * counted, the axis goes on without it. */
static bool next_step(struct walk *w, size_t i, struct step *out)
{
	const struct series_interval *at = &w->s->at[i];
	const uint64_t begin_ns = w->list->span.begin_ns;

	if (!w->r->over) {
		*out = (struct step){seconds(begin_ns, at->begin_ns) / w->scale->x,
				     seconds(begin_ns, at->end_ns) / w->scale->x};
		return true;
	}
	out->from = w->sum;
	w->sum += w->s->number[i * w->list->n_columns + w->r->n_panels] *
		  seconds(at->begin_ns, at->end_ns) / w->scale->x;
	out->to = w->sum;
	if (isfinite(w->sum))
		return true;
	w->sum = out->from;
	w->n_lost++;
	return false;
}

/* Whether interval i follows the one before it, so that a line may join them. */
static bool follows(const struct series *s, size_t i)
{
	const struct series_interval *at = &s->at[i];

	return i &&
	       seconds(s->at[i - 1].end_ns, at->begin_ns) < seconds(at->begin_ns, at->end_ns) / 2;
}

static void add_point(struct strbuf *out, double x, double y)
{
	num_add(out, x);
	strbuf_addch(out, ' ');
	num_add(out, y);
	strbuf_addch(out, '\n');
}

/* A blank line is a gap. */
static size_t add_points(struct strbuf *out, struct walk *w, size_t panel)
{
	bool drawn = false;
	size_t n = 0;

	for (size_t i = 0; i < w->s->n; i++) {
		const double v = w->s->number[i * w->list->n_columns + panel] / w->scale->y[panel];
		struct step step;
		const bool known = next_step(w, i, &step) && isfinite(v);

		if (n && drawn && !(known && follows(w->s, i)))
			strbuf_addch(out, '\n');
		drawn = known;
		if (!known)
			continue;
		add_point(out, step.from, v);
		add_point(out, step.to, v);
		n++;
	}
	return n;
}

static void note_lost(struct plot *p, const struct walk *w, size_t panel, size_t n)
{
	const struct plot_request *r = w->r;

	if (!n) {
		strbuf_addstr(&p->notes, "'");
		text_add(&p->notes, w->s->name);
		strbuf_addf(&p->notes, "' has no number of '%s': %s\n", r->column[panel]->id,
			    quality_table[w->s->why[panel]].text);
	} else if (w->n_lost && !panel) {
		strbuf_addstr(&p->notes, "'");
		text_add(&p->notes, w->s->name);
		strbuf_addf(
			&p->notes,
			"' is drawn without the intervals of which '%s' is not known (%zu): %s\n",
			r->over->id, w->n_lost, quality_table[w->s->why[r->n_panels]].text);
	}
}

/* The blocks of one panel, two blank lines between them. */
static int add_panel(struct plot *p, const struct plot_request *r, const struct plot_scale *scale,
		     size_t panel, struct err *err)
{
	const struct series *last = NULL;
	size_t drawn = 0;

	for (size_t side = 0; side < r->n_sides; side++)
		for (size_t i = 0; i < n_curves_of(r, side); i++) {
			struct walk w = {.r = r,
					 .scale = scale,
					 .list = r->side[side].list,
					 .s = r->side[side].list->v[i]};
			size_t n;

			add_label(&p->data, &r->side[side], w.s);
			n = add_points(&p->data, &w, panel);
			drawn += n;
			last = w.s;
			note_lost(p, &w, panel, n);
			/* So that it stands among the names all the same. */
			strbuf_addstr(&p->data, n ? "\n\n" : "NaN NaN\n\n\n");
		}
	if (drawn)
		return 0;
	return err_set(err, ENODATA, "there is no number of '%s' to draw: %s", r->column[panel]->id,
		       last ? quality_table[last->why[panel]].text : "no task was found");
}

int plot_make(struct plot *p, const struct plot_request *r, struct err *err)
{
	struct plot_scale scale;
	size_t n_curves = 0;
	int ret = 0;

	for (size_t side = 0; side < r->n_sides; side++)
		n_curves += n_curves_of(r, side);
	plot_find_scale(&scale, r);
	for (size_t panel = 0; panel < r->n_panels && !ret; panel++)
		ret = add_panel(p, r, &scale, panel, err);
	plot_add_texts(p, r, &scale);
	plot_add_script(&p->script, r, &scale, n_curves);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tui/ui_state.h"

#include <stdlib.h>

#include "base/mem.h"

/* ---- setup ---- */

void setup_change_free(struct setup_change *c)
{
	screen_free(c->screen);
	free(c->shown);
	free(c->option);
	free(c->value);
	*c = (struct setup_change){.screen = NULL};
}

static void setup_page_done(struct setup_page *p)
{
	setup_page_saved(p);
	setup_change_free(&p->wanted);
	free(p->v);
}

void setup_page_saved(struct setup_page *p)
{
	while (p->n)
		setup_change_free(&p->v[--p->n]);
}

void setup_page_changed(struct setup_page *p, bool done)
{
	if (!done || p->back)
		setup_change_free(&p->wanted);
	if (done && p->back) {
		p->n--;
	} else if (done) {
		p->v = xgrow(p->v, &p->cap, p->n + 1, sizeof *p->v);
		p->v[p->n++] = p->wanted;
	} else if (p->back) {
		/* A change that could not be undone is dropped from the list. */
		p->n--;
	}
	p->wanted = (struct setup_change){.screen = NULL};
	p->back = false;
}

/* ---- hits ---- */

void hits_done(struct hits *h)
{
	free(h->v);
	*h = (struct hits){.v = NULL};
}

void hits_add(struct hits *h, int x, int y, int width, struct hit hit)
{
	h->v = xgrow(h->v, &h->cap, h->n + 1, sizeof(*h->v));
	h->v[h->n++] = (struct hit_place){x, y, width, hit};
}

struct hit hits_at(const struct hits *h, int x, int y)
{
	for (size_t i = h->n; i-- > 0;)
		if (y == h->v[i].y && x >= h->v[i].x && x < h->v[i].x + h->v[i].width)
			return h->v[i].hit;
	return (struct hit){.kind = HIT_NONE};
}

/* ---- tags ---- */

static void tags_done(struct tags *t)
{
	free(t->v);
	*t = (struct tags){.n = 0};
}

void tags_clear(struct tags *t)
{
	t->n = 0;
}

/* Returns the index of the row's tag; t->n: not tagged. */
static size_t find(const struct tags *t, const struct frame_row *row)
{
	size_t i;

	for (i = 0; i < t->n && !row_id_is(&t->v[i], row->task); i++)
		;
	return i;
}

bool tags_has(const struct tags *t, const struct frame_row *row)
{
	return find(t, row) < t->n;
}

/* Tags a row, unless it is tagged already. */
static void tags_add(struct tags *t, const struct frame_row *row)
{
	if (tags_has(t, row))
		return;
	t->v = xgrow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n++] = row_id_of(row->task);
}

void tags_add_task(struct tags *t, const struct task *task)
{
	tags_add(t, &(struct frame_row){.task = task});
}

bool tags_toggle(struct tags *t, const struct frame_row *row)
{
	size_t i = find(t, row);

	if (i == t->n) {
		tags_add(t, row);
		return true;
	}
	memmove(&t->v[i], &t->v[i + 1], (--t->n - i) * sizeof *t->v);
	return false;
}

const struct task *tags_find_task(const struct row_id *id, const struct sample *sample)
{
	return sample_find(sample, &(struct task){.kind = id->kind,
						  .owner = id->owner,
						  .id = id->id,
						  .start_ns = id->start_ns});
}

/* Returns whether the task is alive. If the sample leaves out tasks, returns true, as this task may
 * be one of them. */
static bool is_alive(const struct row_id *id, const struct sample *sample)
{
	const struct task *found;

	if (sample->n_left_out)
		return true;
	found = tags_find_task(id, sample);
	return found && !found->dead;
}

void tags_fit(struct tags *t, const struct frame *frame)
{
	size_t n = 0;

	if (!t->n || !frame->sample || frame->sample->number == t->number)
		return;
	t->number = frame->sample->number;
	for (size_t i = 0; i < t->n; i++)
		if (is_alive(&t->v[i], frame->sample))
			t->v[n++] = t->v[i];
	t->n = n;
}

/* ---- state ---- */

bool ui_state_is_away(const struct ui_state *ui)
{
	static const unsigned away = PANEL_BIT(PANEL_HELP) | PANEL_BIT(PANEL_ERRORS) |
				     PANEL_BIT(PANEL_SORT) | PANEL_BIT(PANEL_SETUP);

	return ask_takes_keys(&ui->ask) || away & PANEL_BIT(ui->panel);
}

bool ui_state_has_page(const struct ui_state *ui)
{
	return ui->panel == PANEL_PAGE || (ui->panel && ui->below == PANEL_PAGE) ||
	       (ui->panel == PANEL_HELP && ui->help_of == PANEL_PAGE);
}

void ui_state_done(struct ui_state *ui)
{
	setup_page_done(&ui->setup);
	tags_done(&ui->tags);
	hits_done(&ui->hits);
	free(ui->tasks);
	free(ui->only_text);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame_part - what frame.c builds a frame of: single rows (frame_row.c), their order
 * (frame_order.c) and their sum (frame_total.c), or a tree of them (frame_tree.c). Pure; for the
 * view only.
 */
#ifndef VIEW_FRAME_PART_H
#define VIEW_FRAME_PART_H

#include "view/frame.h"

/* Makes the row of a task that shows this one of the delta: its own, or that of all that is below
 * it in a tree. What it needs lies in the arena of the frame. */
void frame_make_row(struct frame *f, struct frame_row *out, const struct task *task,
		    const struct delta_row *from, bool idle);
/* Whether the filters of the view let a task pass, shown or not, as far as the task alone tells. */
bool frame_passes(const struct frame *f, const struct task *t);
/* Whether they let the row of a task pass which does. */
enum tri frame_ask(const struct frame *f, const struct delta_row *row);
bool frame_is_idle(const struct frame *f, const struct delta_row *row);
/* Makes the sum of all rows, while those of one process follow each other. */
void frame_make_total(struct frame *f, const struct delta *delta);

struct frame_tree;
struct rows_item;

/* Adds the rows above those that are there, and puts those of a collapsed node together. */
struct frame_tree *frame_tree_make(struct frame *f, const struct delta *delta);
/* Gives each item of the delta that the row of a collapsed node is the sum of, while the frame is
 * valid. */
void frame_tree_each(const struct frame *f, const struct frame_row *row,
		     void (*take)(void *context, const struct rows_item *item), void *context);
/* Puts children below their parents, sorted as others are by what they show. */
void frame_tree_order(struct frame_tree *tree);

/* Finds the places of rows, where the view freezes the order; then, once they are in it, keeps
 * those of new ones. */
void frame_find_places(struct frame *f);
void frame_keep_places(struct frame *f);
/* As the view sorts: below 0 where x comes first. */
int frame_compare_rows(const struct frame_row *x, const struct frame_row *y, const struct frame *f);
void frame_sort(struct frame *f);

#endif

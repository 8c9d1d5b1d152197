/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * frame_part - what frame.c builds a frame of: single rows (frame_row.c), their order
 * (frame_order.c) and their sum (frame_total.c). Pure; for the view only.
 */
#ifndef VIEW_FRAME_PART_H
#define VIEW_FRAME_PART_H

#include "view/frame.h"

/* Makes the row that shows this one of the delta; what it needs lies in the arena of the frame. */
void frame_make_row(struct frame *f, struct frame_row *out, const struct delta_row *from,
		    bool idle);
/* Makes the sum of all rows, while those of one process follow each other. */
void frame_make_total(struct frame *f, const struct delta *delta);
void frame_sort(struct frame *f);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of loop: the page of a row, and that which --page opens. */
#include <errno.h>

#include "session/loop_part.h"

static void open_page(struct loop *loop, const struct frame *frame)
{
	const long wanted = loop->setup->options.page;
	char text[128];

	if (paging_find(frame, (uint64_t)wanted, &loop->setup->view.page)) {
		loop->page_opened = true;
		loop->setup->view.page_asked++;
		if (loop->live)
			live_open_page(loop->live);
	} else if (loop->live && !loop->shown) {
		snprintf(text, sizeof text,
			 "there is no row with the id %ld: its page opens when there is one",
			 wanted);
		live_message(loop->live, text);
	}
}

void loop_update_page(struct loop *loop, const struct frame *frame)
{
	if (loop->setup->options.page && !loop->page_opened)
		open_page(loop, frame);
	loop->info.page = paging_update(&loop->paging, loop->setup, frame);
	loop->info.curves = paging_curves(&loop->paging, frame);
	loop->info.what = telling_update(&loop->telling, loop->setup, frame, loop->life);
	if (loop->live)
		live_inform(loop->live, &loop->info);
}

int loop_check_page(const struct loop *loop, struct err *err)
{
	const struct options *options = &loop->setup->options;

	if (!options->screenshot || !options->page || loop->page_opened)
		return 0;
	return err_set(err, ESRCH, "no row with the id %ld came, whose page could be shown: --page",
		       options->page);
}

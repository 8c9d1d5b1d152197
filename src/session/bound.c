/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "session/bound.h"

#include <stdlib.h>

#include "base/mem.h"
#include "screen/bind/counters.h"

static void bind_screen(struct setup *s, const struct screen *screen, struct page_screen *out,
			struct screen_numbers *numbers)
{
	const struct offer offer = setup_offer(s, s->view.kernel);
	struct event_set events;

	counters_make_set(&events, screen, &offer);
	offer.ops->describe(&offer, &events);
	counters_tell(numbers, &events);
	event_set_done(&events);
	out->screen = screen;
	out->binding = xcalloc(1, sizeof *out->binding);
	binding_init(out->binding, screen, numbers);
}

void bound_screens_make(struct bound_screens *b, struct setup *s,
			const struct screen *const *screen, size_t n)
{
	b->n = n;
	b->kernel = s->view.kernel;
	b->screen = xcalloc(n, sizeof *b->screen);
	b->numbers = xcalloc(n, sizeof *b->numbers);
	for (size_t i = 0; i < n; i++)
		bind_screen(s, screen[i], &b->screen[i], &b->numbers[i]);
}

void bound_screens_done(struct bound_screens *b)
{
	for (size_t i = 0; i < b->n; i++) {
		binding_done(b->screen[i].binding);
		free(b->screen[i].binding);
		screen_numbers_done(&b->numbers[i]);
	}
	free(b->screen);
	free(b->numbers);
	*b = (struct bound_screens){.n = 0};
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * display - how samples are shown: the view, and the current screen on this machine.
 */
#ifndef SESSION_DISPLAY_H
#define SESSION_DISPLAY_H

#include "model/fact.h"
#include "screen/binding.h"
#include "view/frame.h"
#include "view/row_filter.h"
#include "view/view.h"

struct verdict_engine;

struct display {
	struct view view;
	struct collapse collapse;      /* collapsed nodes of the tree */
	char *user_name;               /* login name for -u; NULL: none */
	char *sums_over;               /* text for view.sums_over about the control group */
	struct row_filter *row_filter; /* the filter of the view; owned */
	/* Why the filter cannot be applied to the current screen; code 0: it can, or there is
	 * none. */
	struct err filter_fault;
	struct origins origins;        /* events of the current screen, as texts */
	struct screen_numbers numbers; /* counters of the current screen on this machine */
	struct binding binding;        /* binds the current screen to events of readings */
	struct verdict_engine *verdict_engine;
	size_t *also; /* [n_also] screens recorded beside the current one */
	size_t n_also, cap_also;
	size_t record_screen;         /* the screen with the columns of --record-when */
	struct fact_set record_facts; /* facts that --record-when needs */
	/* Why the current screen, which the user did not choose, is one without hardware counters;
	 * code 0: no remark. */
	struct err remark;
	struct err note; /* what the current screen cannot count, and why; code 0: nothing */
};

#endif

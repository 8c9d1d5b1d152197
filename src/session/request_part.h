/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request_part - what the files of request have in common: what is done to tasks. Each returns
 * -errno, with a sentence, where it was done to none of them.
 */
#ifndef SESSION_REQUEST_PART_H
#define SESSION_REQUEST_PART_H

#include "session/request.h"

/* Holds the tasks of a key; opens the prompt, or does at once what needs none. */
int request_hold(struct live *live, struct targets *targets, const struct request *request,
		 struct err *err);
int request_signal(struct live *live, const struct targets *targets, const struct request *request,
		   struct err *err);
int request_nice(struct live *live, const struct targets *targets, const struct request *request,
		 struct err *err);
int request_cpus(struct live *live, const struct targets *targets, const struct request *request,
		 struct err *err);

#endif

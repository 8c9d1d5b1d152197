/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * retention_option - how much of a recording is kept, as users write it.
 *
 *   --record-max 500M,7d     a size in K, M or G (of 1024), a time in s, m, h or d, or both
 *   --record-around 5m,30s   how long before and after what --record-when is about; one time: both
 *
 * Errors: -EINVAL with a sentence that names the option.
 */
#ifndef SESSION_RETENTION_OPTION_H
#define SESSION_RETENTION_OPTION_H

#include "conf/option.h"
#include "record/writer.h"

/* Unless --record-around says another time. */
#define KEEP_AROUND "5m"

int keep_parse(struct record_keep *out, const struct options *options, struct err *err);

#endif

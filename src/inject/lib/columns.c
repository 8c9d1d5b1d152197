/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/lib/columns.h"

/* clang-format off */
const struct tt_column tt_column[TT_COLUMNS] = {
	[TT_TYPE]     = {.id = "type", .csv = "type", .is_first = true},
	[TT_SCHEMA]   = {.id = "schema"},
	[TT_PROGRAM]  = {.id = "program", .csv = "program", .is_first = true, .is_quoted = true},
	[TT_PID]      = {.id = "pid", .csv = "pid", .is_first = true},
	[TT_RANK]     = {.id = "rank", .csv = "rank", .is_first = true},
	[TT_HOST]     = {.id = "host", .csv = "host", .is_quoted = true},
	[TT_STARTED]  = {.id = "started", .csv = "started"},
	[TT_REPORTED] = {.id = "reported", .csv = "reported"},
	[TT_TID]      = {.id = "tid", .csv = "tid", .is_first = true},
	[TT_LABEL]    = {.id = "label", .csv = "label", .title = "# region", .width = -20, .is_quoted = true},
	[TT_CALLS]    = {.id = "calls", .csv = "calls", .title = "calls", .width = 10},
	[TT_MS]       = {.title = "ms", .width = 12},
	[TT_US_EACH]  = {.title = "us/call", .width = 12},
	[TT_TIME]     = {.id = "time_s", .csv = "time_s"},
};

const struct tt_column tt_part[TT_PARTS] = {
	[TT_SUM]    = {.id = "sum", .csv = "", .width = 16},
	[TT_SELF]   = {.id = "self", .csv = " self"},
	[TT_MEAN]   = {.id = "mean", .csv = " mean", .title = "/call", .width = 12},
	[TT_MIN]    = {.id = "min", .csv = " min"},
	[TT_MAX]    = {.id = "max", .csv = " max"},
	[TT_STDDEV] = {.id = "stddev", .csv = " stddev"},
	[TT_STATE]  = {.id = "state", .csv = " state"},
};

const struct tt_column tt_lack_column[TT_LACK_COLUMNS] = {
	[TT_LACK_KEY]      = {.id = "lack", .csv = "label", .is_quoted = true},
	[TT_LACK_N]        = {.id = "n", .csv = "calls"},
	[TT_LACK_SENTENCE] = {.id = "sentence"},
};
/* clang-format on */

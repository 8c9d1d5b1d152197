/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/format.h"

const struct report_format report_formats[N_REPORT_FORMATS] = {
	[REPORT_AS_TEXT] = {"text", report_write_text},
	[REPORT_AS_CSV] = {"csv", report_write_csv},
	[REPORT_AS_JSON] = {"json", report_write_json},
};

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pfm_tables - checks that libpfm4 is installed with its tables of x86, which tests select with
 * $LIBPFM_FORCE_PMU. The library is loaded and not initialized, as it reads this variable only once
 * per process.
 */
#ifndef TESTS_PFM_TABLES_H
#define TESTS_PFM_TABLES_H

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include "base/strbuf.h"
#include "pmu/perf/arch.h"

/* tiptop's reason for refusing a vendor's name if libpfm4 is missing. */
#define PFM_ABSENT_REASON "a vendor's name needs libpfm4 (libpfm.so.4), which cannot be loaded"

static inline bool pfm_is_there(void)
{
	void *library = dlopen("libpfm.so.4", RTLD_NOW | RTLD_LOCAL);

	if (library)
		dlclose(library);
	return library;
}

/* Returns the reason why events of x86 cannot be looked up, NULL if they can. */
static inline const char *pfm_tables_lacking(void)
{
	if (!pfm_is_there())
		return "libpfm4 is not there";
	return strcmp(ARCH_NAME, "x86") != 0
		       ? "libpfm4 has the tables of the architecture that it runs on"
		       : NULL;
}

/* The beginning and the end of the message about a name that libpfm4 does not know. */
#define PFM_UNKNOWN     "libpfm4 knows no event "
#define PFM_UNKNOWN_END " for this CPU"

/* Appends a text. If libpfm4 is missing, a message like that in the text is replaced by
 * PFM_ABSENT_REASON. */
static inline void pfm_add_expected(struct strbuf *out, const char *text)
{
	const char *unknown = pfm_is_there() ? NULL : strstr(text, PFM_UNKNOWN), *end;

	if (!unknown) {
		strbuf_addstr(out, text);
		return;
	}
	end = strstr(unknown, PFM_UNKNOWN_END);
	unknown += strlen(PFM_UNKNOWN);
	strbuf_addf(out, "%.*sevent %.*s: %s%s", (int)(unknown - strlen(PFM_UNKNOWN) - text), text,
		    (int)(end - unknown), unknown, PFM_ABSENT_REASON,
		    end + strlen(PFM_UNKNOWN_END));
}

#endif

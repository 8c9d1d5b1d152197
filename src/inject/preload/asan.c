/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of process: options for the runtime of the address sanitizer. As a shared library, it ends
 * the program where an object comes before it, as it may miss calls then. These objects pass all on
 * to it: it is told not to look. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

/* Returns options that those of ASAN_OPTIONS come behind. A program may have such a function, too,
 * which comes first. */
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of process: options for the runtime of the address sanitizer. If the runtime is a shared
 * library, it aborts the program when another object is loaded before it, as it might miss calls.
 * These objects pass all calls on to the runtime, so its check is switched off. */
__attribute__((visibility("default"))) const char *__asan_default_options(void);

/* Returns default options, which ASAN_OPTIONS can override. If the program defines this function
 * itself, the program's function is used. */
const char *__asan_default_options(void)
{
	return "verify_asan_link_order=0";
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of signals and errors equal those of the C library, as far as that has names.
 */
#include "base/unit.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>

#include "tap.h"

int main(void)
{
	for (int i = 1; i <= SIGSYS; i++)
		tap_str(code_name_signal(i), sigabbrev_np(i), "signal %d", i);
	tap_ok(!code_name_signal(SIGRTMIN), "a real-time signal has no name");
	tap_ok(!code_name_signal(0), "nor has signal 0");
	tap_ok(!code_name_signal(-SIGTERM), "nor has a negative number");
	for (int i = 1; i <= EHWPOISON; i++)
		if (strerrorname_np(i))
			tap_str(code_name_error(i), strerrorname_np(i), "error %d", i);
	tap_str(code_name_error(EHWPOISON + 1), "an unknown error", "a number behind all errors");
	tap_str(code_name_error(INT32_MIN), "an unknown error", "a negative number");
	return tap_done();
}

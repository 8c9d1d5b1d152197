/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capability - the capabilities(7) that decide what can be counted, and which of them each kernel
 * version requires.
 */
#ifndef PMU_CHECK_CAPABILITY_H
#define PMU_CHECK_CAPABILITY_H

/* Bit numbers in CapEff and the other masks of capabilities in /proc/PID/status. */
enum capability {
	CAP_SYS_PTRACE_BIT = 19,
	CAP_SYS_ADMIN_BIT = 21,
	CAP_SYS_RESOURCE_BIT = 24,
	CAP_PERFMON_BIT = 38
};

/* Returns 5009 for "5.9.0-1-amd64", a release as uname(2) gives it; 0 for another form. */
int capability_kernel_version(const char *release);

/* Returns the capabilities that allow counting tasks of other users on a kernel of this version,
 * as setcap(8) names them. */
const char *capability_to_give(int version);

#endif

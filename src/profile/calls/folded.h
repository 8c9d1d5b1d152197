/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded - where the time of threads went, as the lines that flamegraph.pl and others make flame
 * graphs of:
 *
 *   process 4711;program 12345
 *   process 4711;io;read 678
 *
 * The group of the function comes first; the number is the time in it, without that in other
 * functions that it called, in ns. So all lines of a process are the time of its threads.
 */
#ifndef PROFILE_CALLS_FOLDED_H
#define PROFILE_CALLS_FOLDED_H

#include "base/strbuf.h"
#include "profile/calls/report.h"

/* Appends a line for the program and each function that was called. The lines must be made. */
void calls_folded_add(const struct calls_report *r, struct strbuf *out);

#endif

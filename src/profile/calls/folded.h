/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * folded - writes the time of threads by function, in the folded format of flamegraph.pl and
 * others:
 *
 *   process 4711;program 12345
 *   process 4711;io;read 678
 *
 * The group of the function comes before its name. The number is the self time of the function in
 * ns, without the time in other listed functions that it called. So the numbers of a process add up
 * to the time of its threads.
 */
#ifndef PROFILE_CALLS_FOLDED_H
#define PROFILE_CALLS_FOLDED_H

#include "base/strbuf.h"
#include "profile/calls/report.h"

/* Appends a line for the program and for each function that was called. r: made by
 * calls_report_make(). */
void calls_folded_add(const struct calls_report *r, struct strbuf *out);

#endif

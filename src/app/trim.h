/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trim - gives back the memory that only the start needed.
 *
 * The libraries that read the configuration and resolve the events are not used again until the screen changes, but
 * their code and tables stay in memory: some 5 MiB. Pages of files that were never written are dropped; those that are
 * needed again come back by themselves. Nothing is dropped while a debugger looks on, whose breakpoints are in there,
 * nor of a library that was relocated in its code.
 */
#ifndef APP_TRIM_H
#define APP_TRIM_H

void trim_memory(void);

#endif

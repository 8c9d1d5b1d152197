/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_note - why programs were executed that cannot be measured, in a file beside the tables: who
 * measures with --follow-exec names the reason.
 *
 * Each is appended by one write, so that processes do not disturb each other. A note is of the next
 * program that the process executes; where that fails, it is of none.
 */
#ifndef INJECT_PRELOAD_EXEC_NOTE_H
#define INJECT_PRELOAD_EXEC_NOTE_H

#include <stdint.h>

/* It is hidden, as it is no table. */
#define EXEC_NOTE_FILE ".reasons"

struct exec_note {
	uint64_t boot_ns; /* when, by CLOCK_BOOTTIME */
	int32_t pid;
	uint32_t kind; /* enum exec_file_kind */
};

/* Appends a note to the file in this folder, where that can be opened; between vfork(2) and
 * exec(2), too. errno changes. */
void exec_note_add(const char *folder, const struct exec_note *note);
/* Returns the time for a note. */
uint64_t exec_note_clock(void);

#endif

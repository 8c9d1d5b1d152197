/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_note - notes why an executed program cannot be measured, in a file beside the tables; tiptop
 * reports the reasons with --follow-exec.
 *
 * Each note is appended by one write(2), so that notes of several processes do not mix. A note
 * applies to the next program that the process executes. If this execution fails, the note applies
 * to no program.
 */
#ifndef INJECT_PRELOAD_EXEC_NOTE_H
#define INJECT_PRELOAD_EXEC_NOTE_H

#include <stdint.h>

/* A hidden file, so that it is not taken for a table. */
#define EXEC_NOTE_FILE ".reasons"

struct exec_note {
	uint64_t boot_ns; /* time of the note, by CLOCK_BOOTTIME */
	int32_t pid;
	uint32_t kind; /* enum exec_file_kind */
};

/* Appends a note to the file in this folder; does nothing if the file cannot be opened. May be
 * called between vfork(2) and exec(2). Changes errno. */
void exec_note_add(const char *folder, const struct exec_note *note);
/* Returns CLOCK_BOOTTIME in ns, for a note. */
uint64_t exec_note_clock(void);

#endif

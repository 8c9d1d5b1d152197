/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/exec_reasons.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "inject/preload/exec_file.h"
#include "inject/preload/exec_note.h"

/* NULL: the note says nothing. */
static const char *text_of(uint32_t kind)
{
	static const char *const text[EXEC_FILE_KINDS] = {
		[EXEC_FILE_STATIC] = "linked statically",
		[EXEC_FILE_OTHER_LIBRARY] = "for another C library",
		[EXEC_FILE_OTHER_MACHINE] = "for another kind of machine",
		[EXEC_FILE_RIGHTS] = "with rights of its own",
		[EXEC_FILE_SANITIZER] = "with a sanitizer's library in front",
		[EXEC_FILE_NO_OBJECT] = "where the object cannot be opened",
		[EXEC_FILE_NO_ROOM] = "with too large an environment",
	};

	return kind < EXEC_FILE_KINDS ? text[kind] : NULL;
}

void exec_reasons_read(const char *folder, struct process_watch *watch)
{
	char path[PATH_MAX];
	struct exec_note note;
	int fd = -1;

	if (snprintf(path, sizeof path, "%s/" EXEC_NOTE_FILE, folder) < (int)sizeof path)
		fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	while (read(fd, &note, sizeof note) == sizeof note)
		if (text_of(note.kind))
			process_watch_note_reason(watch, note.pid, note.boot_ns,
						  text_of(note.kind));
	close(fd);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * exec_reasons - why programs could not be measured with --follow-exec, as the object has noted it
 * beside the tables (inject/preload/exec_note.h).
 */
#ifndef RUN_EXEC_REASONS_H
#define RUN_EXEC_REASONS_H

#include "run/process_watch.h"

/* Hands the notes in this folder to the watch. */
void exec_reasons_read(const char *folder, struct process_watch *watch);

#endif

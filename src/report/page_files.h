/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_files - the scripts and the style of pages, which the build generates from src/html/.
 */
#ifndef REPORT_PAGE_FILES_H
#define REPORT_PAGE_FILES_H

/* Their lines, without line ends; terminated by NULL. */
extern const char *const page_script_recording[], *const page_script_tables[], *const page_style[];
/* Their hashes, in the form of a Content-Security-Policy. */
extern const char page_script_recording_hash[], page_script_tables_hash[], page_style_hash[];

#endif

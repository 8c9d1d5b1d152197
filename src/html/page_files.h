/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * page_files - the script and the style of the page, which the build makes of src/html/page*.js and
 * src/html/page.css.
 */
#ifndef HTML_PAGE_FILES_H
#define HTML_PAGE_FILES_H

/* Their lines, without line ends; NULL behind the last one. */
extern const char *const html_script[], *const html_style[];
/* Their hashes, as a Content-Security-Policy has them. */
extern const char html_script_hash[], html_style_hash[];

#endif

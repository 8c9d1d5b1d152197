/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read - reads a line of JSON, written by format.c or another program, into a record of a type.
 *
 *   struct json_object *line = report_line_parse(text);
 *   record_restart(&record, &type);
 *   report_line_read(line, &record);
 *   report_line_done(line);
 *
 * Members are found by column id, in any order; members without a column are ignored, so a line may
 * come from an older or a newer version. Missing members are absent, null is unknown, lists are not
 * read.
 */
#ifndef REPORT_READ_H
#define REPORT_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "report/report.h"

struct json_object;

/* Parses a line; NULL: the line is not a JSON object. The caller frees it with
 * report_line_done(). */
struct json_object *report_line_parse(const char *text);
void report_line_done(struct json_object *line);

/* Returns the text of a member, owned by the line; NULL: missing, or null. */
const char *report_line_text(struct json_object *line, const char *id);
/* Returns whether the line has this group; if `member` is not NULL, whether the group has this
 * member. */
bool report_line_has(struct json_object *line, const char *group, const char *member);
/* Returns the name of the i-th member of a group, owned by the line; NULL: there are fewer
 * members. */
const char *report_line_member(struct json_object *line, const char *group, size_t i);

/* Returns the number of a member; NaN: missing, null, or not a number. */
double report_line_number(struct json_object *line, const char *id);
/* Returns the group with this id, to be read as a line is; NULL: there is none. */
struct json_object *report_line_group(struct json_object *line, const char *id);
/* Returns the i-th item of a list, to be read as a line is; NULL: it is not an object, or there are
 * fewer items. */
struct json_object *report_line_item(struct json_object *line, const char *list, size_t i);
/* Returns the i-th number of a list; NaN: null, not a number, or there are fewer items. */
double report_line_list_number(struct json_object *line, const char *list, size_t i);

/* Visits the lines of a file, numbered from 1, as long as `visit` returns 0. line is NULL if it is
 * not a JSON object. Returns the result of the last visit, or -errno with a sentence that names the
 * file if the file cannot be read, is empty, has a byte that is 0, or is 256 MiB long or longer. */
typedef int report_lines_visitor(void *context, int number, struct json_object *line,
				 struct err *err);
int report_lines_visit(const char *path, report_lines_visitor *visit, void *context,
		       struct err *err);

/* Fills a record from the line. The caller has called record_restart() with the type of the
 * line. */
void report_line_read(struct json_object *line, struct report_record *record);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read - a line of JSON, as json.c or another program has written it, read again by the columns of
 * a type.
 *
 *	struct json_object *line = report_line_parse(text);
 *
 *	record_restart(&record, &type);
 *	report_line_read(line, &record);
 *	report_line_done(line);
 *
 * Members are found by the ids of the columns, in any order; those without a column are passed
 * over, so that a line may be of an older or a newer version. What a line does not have is absent;
 * null is unknown; lists are not read.
 */
#ifndef REPORT_READ_H
#define REPORT_READ_H

#include <stdbool.h>
#include <stddef.h>

#include "report/record.h"

struct json_object;

/* Parses a line; NULL: it is not an object. The caller frees it. */
struct json_object *report_line_parse(const char *text);
void report_line_done(struct json_object *line);

/* Returns the text of a member, owned by the line; NULL: it is not there, or null. */
const char *report_line_text(struct json_object *line, const char *id);
/* Whether the line has this group; unless `member` is NULL, with a member of this name. */
bool report_line_has(struct json_object *line, const char *group, const char *member);
/* Returns the name of the i-th member of a group, owned by the line; NULL: it has not so many. */
const char *report_line_member(struct json_object *line, const char *group, size_t i);

/* Fills a record that was begun with the type of the line. */
void report_line_read(struct json_object *line, struct report_record *record);

#endif

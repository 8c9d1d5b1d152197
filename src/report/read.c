/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/read.h"

#include <errno.h>
#include <fcntl.h>
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "base/file.h"

#define SIZE_MAX_FILE ((size_t)256 << 20)

/* Parses a JSON value; NULL: the text is not one, or has more than one. */
static struct json_object *parse(const char *text)
{
	struct json_tokener *tokener = json_tokener_new();
	struct json_object *value;
	const char *behind;

	if (!tokener)
		return NULL;
	value = json_tokener_parse_ex(tokener, text, -1);
	behind = text + tokener->char_offset;
	if (value && behind[strspn(behind, " \t\r")]) {
		json_object_put(value);
		value = NULL;
	}
	json_tokener_free(tokener);
	return value;
}

struct json_object *report_line_parse(const char *text)
{
	struct json_object *line = parse(text);

	if (json_object_is_type(line, json_type_object))
		return line;
	json_object_put(line);
	return NULL;
}

void report_line_done(struct json_object *line)
{
	json_object_put(line);
}

/* Returns a member; NULL: missing, or null. */
static struct json_object *find(struct json_object *object, const char *id)
{
	struct json_object *member;

	return json_object_object_get_ex(object, id, &member) ? member : NULL;
}

const char *report_line_text(struct json_object *line, const char *id)
{
	return json_object_get_string(find(line, id));
}

struct json_object *report_line_group(struct json_object *line, const char *id)
{
	struct json_object *group = find(line, id);

	return json_object_is_type(group, json_type_object) ? group : NULL;
}

static double number_of(struct json_object *member)
{
	return json_object_is_type(member, json_type_int) ||
			       json_object_is_type(member, json_type_double)
		       ? json_object_get_double(member)
		       : (double)NAN;
}

double report_line_number(struct json_object *line, const char *id)
{
	return number_of(find(line, id));
}

/* Returns an item of a list; NULL: null, or there are fewer items. */
static struct json_object *find_item(struct json_object *line, const char *list, size_t i)
{
	struct json_object *items = find(line, list);

	return json_object_is_type(items, json_type_array) && i < json_object_array_length(items)
		       ? json_object_array_get_idx(items, i)
		       : NULL;
}

struct json_object *report_line_item(struct json_object *line, const char *list, size_t i)
{
	struct json_object *item = find_item(line, list, i);

	return json_object_is_type(item, json_type_object) ? item : NULL;
}

double report_line_list_number(struct json_object *line, const char *list, size_t i)
{
	return number_of(find_item(line, list, i));
}

bool report_line_has(struct json_object *line, const char *group, const char *member)
{
	struct json_object *members = report_line_group(line, group);

	return members && (!member || json_object_object_get_ex(members, member, NULL));
}

const char *report_line_member(struct json_object *line, const char *group, size_t i)
{
	struct json_object *members = report_line_group(line, group);
	struct json_object_iterator at, end;

	if (!members)
		return NULL;
	at = json_object_iter_begin(members);
	end = json_object_iter_end(members);
	while (i && !json_object_iter_equal(&at, &end)) {
		json_object_iter_next(&at);
		i--;
	}
	return json_object_iter_equal(&at, &end) ? NULL : json_object_iter_peek_name(&at);
}

static void read_scalar(struct report_record *record, const char *id, struct json_object *member)
{
	if (json_object_is_type(member, json_type_string))
		record_text(record, id, json_object_get_string(member));
	else if (json_object_is_type(member, json_type_object))
		record_unknown(record, id);
	else
		record_number(record, id, json_object_get_double(member));
}

static void read_members(struct json_object *object, struct report_record *record, size_t end);

static void read_column(struct json_object *object, struct report_record *record)
{
	const struct report_column *c = &record->type->column[record->next];
	struct json_object *member;

	if (!c->id || !json_object_object_get_ex(object, c->id, &member) ||
	    json_object_is_type(member, json_type_array)) {
		record_absent(record, c->id ? c->id : "");
	} else if (!member) {
		record_unknown(record, c->id);
	} else if (!c->members) {
		read_scalar(record, c->id, member);
	} else {
		const size_t end = record->next + 1 + (size_t)c->members;

		record_group(record, c->id);
		read_members(member, record, end);
	}
}

/* Reads the columns before `end`; all are absent if `object` is not an object. */
static void read_members(struct json_object *object, struct report_record *record, size_t end)
{
	while (record->next < end)
		read_column(object, record);
}

void report_line_read(struct json_object *line, struct report_record *record)
{
	read_members(line, record, record->type->n);
}

static int visit_lines(char *text, report_lines_visitor *visit, void *context, struct err *err)
{
	int ret = 0, number = 0;

	for (char *line = text, *end; !ret && *line; line = end) {
		struct json_object *object;

		end = strchrnul(line, '\n');
		end += *end ? (*end = '\0', 1) : 0;
		object = report_line_parse(line);
		ret = visit(context, ++number, object, err);
		report_line_done(object);
	}
	return ret;
}

int report_lines_visit(const char *path, report_lines_visitor *visit, void *context,
		       struct err *err)
{
	struct strbuf text;
	ssize_t n;
	int ret;

	strbuf_init(&text);
	n = file_read_all(AT_FDCWD, path, SIZE_MAX_FILE, &text);
	if (n < 0)
		ret = err_set(err, (int)-n, "cannot read '%s': %s", path, strerror((int)-n));
	else if (!n)
		ret = err_set(err, EINVAL, "%s: the file is empty", path);
	else if ((size_t)n >= SIZE_MAX_FILE)
		ret = err_set(err, EFBIG, "%s: it is longer than 256 MiB", path);
	else if (strlen(text.text) < (size_t)n)
		ret = err_set(err, EINVAL, "%s: byte %zu is zero: the file is damaged", path,
			      strlen(text.text) + 1);
	else
		ret = visit_lines(text.text, visit, context, err);
	strbuf_done(&text);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * part of import: parses metrics of perf, as in tools/perf/pmu-events of Linux, with json-c.
 *
 *   [{"MetricName": "tma_retiring", "MetricExpr": "topdown\\-retiring / slots",
 *     "ScaleUnit": "100%", "BriefDescription": "...", "MetricThreshold": "tma_retiring > 0.7",
 *     "Unit": "cpu_core"}, ...]
 *
 * Objects without a MetricName are events, which are ignored.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "screen/import/import.h"

/* The maximal depth of nested arrays and objects, more than such files have. */
#define DEPTH_MAX 16

static int line_of(const char *text, size_t offset)
{
	int line = 1;

	for (size_t i = 0; i < offset && text[i]; i++)
		line += text[i] == '\n';
	return line;
}

/* Returns a copy of the text of a key; NULL: none. The caller frees it. */
static char *take_text(const struct json_object *object, const char *key)
{
	struct json_object *value;

	if (!json_object_object_get_ex(object, key, &value) ||
	    !json_object_is_type(value, json_type_string))
		return NULL;
	return xstrdup(json_object_get_string(value));
}

/* Sets factor and unit of the metric from the text of "ScaleUnit", "100%" or "1per_instr"; frees
 * the text. NULL: the factor is 1. */
static void take_scale(struct foreign_metric *m, char *text)
{
	char *end = text;

	m->factor = text ? strtod(text, &end) : 1;
	if (end == text)
		m->factor = 1;
	m->unit = end && *end ? xstrdup(end) : NULL;
	free(text);
}

static void take_metric(struct foreign_file *f, const struct json_object *object)
{
	char *name = take_text(object, "MetricName");
	struct foreign_metric *m;

	if (!name)
		return;
	m = foreign_file_add_metric(f);
	m->name = name;
	m->formula = take_text(object, "MetricExpr");
	m->desc = take_text(object, "BriefDescription");
	if (!m->desc)
		m->desc = take_text(object, "PublicDescription");
	m->threshold = take_text(object, "MetricThreshold");
	m->pmu = take_text(object, "Unit");
	take_scale(m, take_text(object, "ScaleUnit"));
}

static int take_array(struct foreign_file *f, const char *path, struct json_object *array,
		      struct err *err)
{
	size_t n =
		json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;

	for (size_t i = 0; i < n; i++) {
		struct json_object *object = json_object_array_get_idx(array, i);

		if (json_object_is_type(object, json_type_object))
			take_metric(f, object);
	}
	if (f->n_metrics)
		return 0;
	return err_set(err, EINVAL,
		       "%s: there is no metric in it: an array of objects with MetricName and "
		       "MetricExpr is expected, as perf has them",
		       path);
}

int foreign_read_perf(struct foreign_file *f, const char *path, const char *text, struct err *err)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH_MAX);
	struct json_object *array;
	size_t end;
	int ret;

	if (!tokener)
		return err_set(err, ENOMEM, "out of memory");
	array = json_tokener_parse_ex(tokener, text, (int)strlen(text) + 1);
	end = json_tokener_get_parse_end(tokener);
	if (!array)
		ret = err_set(err, EINVAL, "%s:%d: bad JSON: %s", path, line_of(text, end),
			      json_tokener_error_desc(json_tokener_get_error(tokener)));
	else if (text[end + strspn(text + end, " \t\r\n")])
		ret = err_set(err, EINVAL, "%s:%d: bad JSON: there is text after its end", path,
			      line_of(text, end));
	else
		ret = take_array(f, path, array, err);
	json_object_put(array);
	json_tokener_free(tokener);
	return ret;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/choices.h"

#include "cmd/command.h"
#include "conf/theme.h"
#include "model/group_key.h"
#include "model/kinds.h"
#include "output/output.h"
#include "report/format.h"
#include "screen/column.h"
#include "tui/canvas.h"
#include "view/view.h"

static const char *format_at(size_t i)
{
	return sink_table[i] ? sink_table[i]->name : NULL;
}

static const char *report_at(size_t i)
{
	return report_format_at(REPORT_ALL_FORMATS, i);
}

static const char *without_csv_at(size_t i)
{
	return report_format_at(REPORT_NO_CSV, i);
}

static const char *group_at(const struct kind *kind, size_t i)
{
	for (int k = 0; k < N_GROUP_KEYS; k++)
		if (group_key_is_for((enum group_key)k, kind) && !i--)
			return group_key_table[k].name;
	return NULL;
}

static const char *task_group_at(size_t i)
{
	return group_at(&kind_task, i);
}

static const char *region_group_at(size_t i)
{
	return group_at(&kind_region, i);
}

static const char *lock_group_at(size_t i)
{
	return group_at(&kind_lock, i);
}

static const char *call_group_at(size_t i)
{
	return group_at(&kind_call, i);
}

static const char *cpu_group_at(size_t i)
{
	return group_at(&kind_cpu, i);
}

static const char *values_at(size_t i)
{
	return i < N_VALUES ? values_name[i] : NULL;
}

static const char *theme_at(size_t i)
{
	return i < theme_built_in_n ? theme_built_in[i].name : NULL;
}

#define MONITOR(groups)                                                                            \
	{"format", format_at}, {"group", groups}, {"metrics-by", task_group_at},                   \
		{"values", values_at}, {"theme", theme_at}, {"layout", parts_choice},              \
		{"screenshot", picture_suffix},                                                    \
	{                                                                                          \
		NULL, NULL                                                                         \
	}

const struct option_choices choices_monitor[] = {MONITOR(task_group_at)};
const struct option_choices choices_regions[] = {MONITOR(region_group_at)};
const struct option_choices choices_locks[] = {MONITOR(lock_group_at)};
const struct option_choices choices_calls[] = {MONITOR(call_group_at)};
const struct option_choices choices_system[] = {
	{"format", report_at}, {"group", cpu_group_at}, {NULL, NULL}};
const struct option_choices choices_rows[] = {{"format", report_at}, {NULL, NULL}};
const struct option_choices choices_report[] = {{"format", without_csv_at}, {NULL, NULL}};

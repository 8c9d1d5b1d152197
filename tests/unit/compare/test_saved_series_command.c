/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries of commands, read back as runs. */
#include "compare/saved_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "golden.h"

#define ONE(wall, status)                                                                          \
	"{\"type\":\"refresh\",\"rows\":[]}\n{\"type\":\"summary\",\"status\":" status             \
	",\"wall_s\":" #wall ",\"cpu_s\":0.5,\"user_s\":null,\"events\":{\"clock\":{\"value\":7,"  \
	"\"unit\":\"ns\"},\"faults\":{\"value\":null}}}\n"
#define SEVERAL                                                                                    \
	"{\"type\":\"summary\",\"runs\":{\"n\":2,\"wanted\":3,\"warmups\":1,\"ends\":[{\"status\"" \
	":0,\"signal\":null},{\"status\":139,\"signal\":11}],\"measures\":[{\"name\":\"wall\","    \
	"\"unit\":\"s\",\"values\":[1.5,2.5]},{\"name\":\"faults\",\"unit\":\"count\",\"values\":" \
	"[null,9]}]}}\n"

static void test_several(void)
{
	struct err err = ERR_INIT;
	struct variation v;
	struct runs r;

	runs_init(&r, 0, 0);
	golden_write("several.json", SEVERAL);
	tap_ok(saved_command_match("several.json"), "a summary is known");
	tap_int(saved_command_read(&r, "several.json", &err), 0, "and read %s", err.text);
	tap_int((long)r.n, 2, "two runs");
	tap_int(r.wanted, 3, "of three");
	tap_int(r.warmups, 1, "after another");
	tap_ok(!run_failed(&r.end[0]) && r.end[1].status == 139 && r.end[1].signal == 11,
	       "with their ends");
	runs_variation(&r, 0, &v);
	tap_ok(v.n == 2 && v.mean == 2, "with their times");
	runs_variation(&r, 1, &v);
	tap_ok(v.n == 1 && v.mean == 9, "and the counts that are known");
	runs_done(&r);
	remove("several.json");
}

static void test_list(void)
{
	struct err err = ERR_INIT;
	struct runs r;

	runs_init(&r, 0, 0);
	golden_write("one.json", ONE(1, "0"));
	golden_write("two.json", ONE(2, "null"));
	tap_ok(!saved_command_match("one.json"),
	       "a refresh comes first: alone, it is of intervals");
	tap_ok(saved_command_match("one.json,two.json"), "several are of runs");
	tap_int(saved_command_read(&r, "one.json,two.json", &err), 0, "a run each %s", err.text);
	tap_int((long)r.n, 2, "is two runs");
	tap_int(r.wanted, 2, "as wanted");
	tap_ok(!run_failed(&r.end[0]) && r.end[1].lost, "an unknown status is no success");
	tap_str(r.measure[0].name, "wall", "the time comes first");
	tap_num(r.measure[0].value[1].number, 2, "of each run");
	tap_ok(r.measure[2].coarse && !value_known(r.measure[2].value[0]), "user time is in ticks");
	tap_int(r.measure[4].unit, UNIT_NS, "an event that is a time");
	tap_int(r.measure[5].unit, UNIT_COUNT, "and a count");
	tap_ok(!value_known(r.measure[5].value[0]), "which is unknown");
	golden_write("two.json", ONE(2, "255"));
	tap_int(saved_command_read(&r, "two.json", &err), 0, "a large status %s", err.text);
	tap_ok(r.end[2].status == 255 && !r.end[2].signal, "need not be that of a signal");
	golden_write("two.json", "{\"type\":\"refresh\",\"rows\":[]}\n");
	tap_int(saved_command_read(&r, "one.json,two.json", &err), -ENODATA, "no command");
	tap_str(err.text,
		"two.json: it has no summary of a command: 'tiptop --format json -- COMMAND' "
		"writes "
		"one",
		"is refused");
	runs_done(&r);
	remove("one.json");
	remove("two.json");
}

#define EXTREMES                                                                                   \
	"{\"type\":\"summary\",\"runs\":{\"n\":1,\"wanted\":1e300,\"warmups\":Infinity,\"ends\":[" \
	"{"                                                                                        \
	"\"status\":1e300,\"signal\":-1e300}],\"measures\":[]}}\n"

/* Numbers that fit into no integer. */
static void test_extremes(void)
{
	struct err err = ERR_INIT;
	struct runs r;

	runs_init(&r, 0, 0);
	golden_write("extremes.json", EXTREMES);
	tap_int(saved_command_read(&r, "extremes.json", &err), 0, "it is read %s", err.text);
	tap_int(r.wanted, 0, "too many runs are none");
	tap_int(r.warmups, 0, "nor are they before");
	tap_ok(r.n == 1 && r.end[0].lost && !r.end[0].status && !r.end[0].signal,
	       "a status that no process has is unknown");
	runs_done(&r);
	remove("extremes.json");
}

int main(void)
{
	test_several();
	test_extremes();
	test_list();
	return tap_done();
}

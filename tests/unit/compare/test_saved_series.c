/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Refreshes of a report, read into series. */
#include "compare/saved_series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "golden.h"

#define PATH "series.json"
#define COLUMNS                                                                                    \
	"\"columns\":[{\"id\":\"cpu\",\"header\":\" %CPU\",\"unit\":\"%\",\"kind\":\"rate\","      \
	"\"description\":\"CPU usage\"},{\"id\":\"instr\",\"header\":\"INSTR\",\"unit\":"          \
	"\"count\",\"kind\":\"count\",\"description\":\"i\"},{\"id\":\"ipc\",\"header\":\"IPC\","  \
	"\"unit\":null,\"kind\":\"ratio\",\"description\":null}],"
#define OLD_COLUMNS "\"columns\":[{\"id\":\"instr\",\"header\":\"INSTR\",\"unit\":\"count\"}],"
#define REFRESH(second, interval, more)                                                            \
	"{\"type\":\"refresh\",\"schema\":1,\"time\":\"2026-11-22T05:20:" second ".000+00:00\","   \
	"\"interval_s\":" interval ",\"host\":\"node1\",\"screen\":\"mine\"," more "}\n"
#define ROWS(rows) "\"rows\":[" rows "]"
#define ROW(kind, name, more, cpu, instr, ipc)                                                     \
	"{\"kind\":\"" kind "\",\"name\":\"" name "\"," more "\"values\":{\"cpu\":" #cpu           \
	",\"instr\":" #instr ",\"ipc\":" #ipc "},\"quality\":{\"ipc\":\"divzero\"}}"
#define OTHER "{\"type\":\"exit\",\"name\":\"b\"}\n{\"type\":\"summary\"}\n"

/* Reads all columns of a report. */
static void begin(struct saved_series *s, struct series_list *l, const char *text)
{
	struct err err = ERR_INIT;

	golden_write(PATH, text);
	tap_ok(saved_series_match(PATH), "it begins like a report");
	tap_int(saved_series_open(s, PATH, &err), 0, "it is opened %s", err.text);
	series_list_init(l, (const size_t[]){0, 1, 2}, s->screen->n_columns);
	tap_int(saved_series_collect(s, l, &err), 0, "and read %s", err.text);
}

static void end(struct saved_series *s, struct series_list *l)
{
	series_list_done(l);
	saved_series_done(s);
	remove(PATH);
}

static void test_groups(void)
{
	struct saved_series s;
	struct series_list l;
	const struct series *a;

	begin(&s, &l,
	      REFRESH("42", "null", COLUMNS ROWS("")) REFRESH(
		      "44", "2",
		      ROWS(ROW("program", "a", "\"members\":2,", 50, 1000,
			       1.5) "," ROW("program", "b", "\"members\":0,", 9, 9, 9)))
		      OTHER REFRESH("45", "1",
				    ROWS(ROW("program", "a", "\"members\":1,", 25, 500, null))));
	tap_int(s.key, GROUP_PROGRAM, "rows of programs");
	tap_str(s.machine->host, "node1", "of this machine");
	tap_str(s.screen->name, "mine", "a screen");
	tap_str(s.screen->column[0].id, "cpu", "with its columns");
	tap_int(s.screen->column[0].unit, UNIT_PERCENT, "their units");
	tap_int(s.screen->column[1].kind, COLUMN_COUNT, "and kinds");
	tap_int((long)l.n, 1, "a program whose last member has ended is left out");
	tap_int((long)l.n_intervals, 2, "a refresh without an interval is none");
	a = l.v[0];
	tap_int((long)a->n, 2, "both intervals");
	tap_num(a->number[1], 500, "counts are per second");
	tap_num(a->number[4], 500, "of each interval");
	tap_num(a->number[2], 1.5, "ratios are as they are");
	tap_ok(isnan(a->number[5]) && a->why[2] == QUALITY_DIVZERO,
	       "an unknown one has its reason");
	tap_num(a->busy_s, 1.25, "its CPU time");
	tap_int((long)((a->at[0].end_ns - a->at[0].begin_ns) / 1000000), 2000, "the interval");
	end(&s, &l);
}

static void test_processes(void)
{
	struct saved_series s;
	struct series_list l;
	const double *number;

	begin(&s, &l,
	      REFRESH("44", "2",
		      COLUMNS ROWS(ROW("process", "a", "\"pid\":1,", 50, 1000,
				       1.5) "," ROW("process", "a", "\"pid\":2,", 25, 200, 1.5))));
	tap_int(s.key, GROUP_PROGRAM, "processes are put together by their program");
	tap_int((long)l.n, 1, "two of one name are one");
	number = l.v[0]->number;
	tap_ok(number[0] == 75 && number[1] == 600, "rates and counts add up");
	tap_ok(isnan(number[2]) && l.v[0]->why[2] == QUALITY_DIFFER, "ratios do not");
	end(&s, &l);
}

/* Late refreshes follow each other within the ms of their times. */
static void test_late(void)
{
	struct saved_series s;
	struct series_list l;

	begin(&s, &l,
	      REFRESH("44", "2", COLUMNS ROWS(ROW("process", "a", "", 50, 1000, 1.5)))
		      REFRESH("44", "0.0001", ROWS(ROW("process", "a", "", 0, 0, 2.5)))
			      REFRESH("44", "0.0001", ROWS(ROW("process", "a", "", 0, 0, 3.5))));
	tap_int((long)l.v[0]->n, 3, "each is an interval of its own");
	tap_ok(l.v[0]->number[5] == 2.5 && l.v[0]->number[8] == 3.5, "with its numbers");
	end(&s, &l);
}

static void test_kinds(void)
{
	struct saved_series s;
	struct series_list l;

	begin(&s, &l,
	      REFRESH("44", "2",
		      COLUMNS ROWS(ROW("region", "r", "\"program\":\"p\",", 5, 1,
				       1) "," ROW("region", "r", "\"program\":\"q\",", 5, 1, 1))));
	tap_int(s.key, GROUP_REGION, "regions");
	tap_int((long)l.n, 2, "of two programs are two");
	tap_str(l.v[1]->program, "q", "each with its program");
	end(&s, &l);
	begin(&s, &l,
	      REFRESH("44", "2",
		      COLUMNS ROWS(ROW("CPU", "0", "", 5, 1, 1) "," ROW("CPU", "1", "", 5, 1, 1))));
	tap_int(s.key, GROUP_MACHINE, "CPUs are one machine");
	tap_str(l.v[0]->name, "all", "with its name");
	end(&s, &l);
}

/* A report of a version that did not write the kinds of columns. */
static void test_old(void)
{
	struct saved_series s;
	struct series_list l;

	begin(&s, &l, REFRESH("44", "2", OLD_COLUMNS ROWS(ROW("process", "a", "", 50, 1000, 1.5))));
	tap_int(s.screen->column[0].kind, COLUMN_OTHER, "its kind is unknown");
	tap_num(l.v[0]->number[0], 1000, "its numbers are as they are");
	tap_ok(l.v[0]->is_permanent, "without a CPU time, nothing is idle");
	end(&s, &l);
}

static void refuse(const char *text, int code, const char *sentence)
{
	struct err err = ERR_INIT;
	struct saved_series s;

	golden_write(PATH, text);
	tap_int(saved_series_open(&s, PATH, &err), code, "it is refused");
	tap_str(err.text, sentence, "with the reason");
	saved_series_done(&s);
	remove(PATH);
}

/* The first refresh is as it should be, and the second one is not. */
static void refuse_second(const char *second, const char *sentence)
{
	struct err err = ERR_INIT;
	struct strbuf text;
	struct saved_series s;
	struct series_list l;

	strbuf_init(&text);
	strbuf_addf(&text, "%s%s",
		    REFRESH("44", "2", COLUMNS ROWS(ROW("process", "a", "", 50, 1000, 1.5))),
		    second);
	golden_write(PATH, text.text);
	tap_int(saved_series_open(&s, PATH, &err), 0, "the first one is taken");
	series_list_init(&l, (const size_t[]){0, 1, 2}, s.screen->n_columns);
	tap_int(saved_series_collect(&s, &l, &err), -EINVAL, "the second one is refused");
	tap_str(err.text, sentence, "with the reason");
	end(&s, &l);
	strbuf_done(&text);
}

static void test_changes(void)
{
	const char *const no_line =
		PATH ":2: this is not a line of a report that 'tiptop -b --format json' writes";
	struct saved_series s;
	struct series_list l;

	refuse_second(REFRESH("46", "2", OLD_COLUMNS ROWS(ROW("process", "a", "", 5, 1, 1))),
		      PATH ":2: from here on, it has other columns than before: only reports of "
			   "one screen are compared");
	refuse_second(REFRESH("46", "2", ROWS(ROW("CPU", "0", "", 5, 1, 1))),
		      PATH ":2: from here on, it has other kinds of rows than before: only "
			   "reports of one screen are compared");
	refuse_second(REFRESH("46", "2",
			      "\"value_kind\":\"total\"," ROWS(ROW("process", "a", "", 5, 1, 1))),
		      PATH ":2: it has the values 'total', not those of intervals: write it with "
			   "--values rate");
	refuse_second(REFRESH("46", "1e300", ROWS("")), no_line);
	refuse_second(REFRESH("46", "Infinity", ROWS("")), no_line);
	begin(&s, &l,
	      REFRESH("44", "2", COLUMNS ROWS(ROW("process", "a", "", 50, 1000, 1.5)))
		      REFRESH("46", "2", COLUMNS ROWS(ROW("thread", "a", "", 5, 10, 1.5))));
	tap_int((long)l.v[0]->n, 2, "the same columns once more, and threads, are no change");
	end(&s, &l);
}

static void test_refused(void)
{
	refuse(REFRESH("44", "2", COLUMNS ROWS("")) "{\"type\":\"lock\"}\n", -EINVAL,
	       PATH ":2: this is not a line of a report that 'tiptop -b --format json' writes");
	refuse(REFRESH("44", "2", COLUMNS ROWS("")), -ENODATA, PATH ": no refresh has rows");
	refuse(REFRESH("44", "2", COLUMNS ROWS("{\"pid\":1,\"values\":{\"cpu\":1}}")), -EINVAL,
	       PATH ":1: its rows have no kind and name to match them by: write it without "
		    "--fields");
	refuse(REFRESH("44", "2", "\"value_kind\":\"total\"," COLUMNS ROWS("")), -EINVAL,
	       PATH ":1: it has the values 'total', not those of intervals: write it with "
		    "--values rate");
	golden_write(PATH, "{\"type\":\"locks\"}\n");
	tap_ok(!saved_series_match(PATH), "a report of locks is another one");
	remove(PATH);
}

int main(void)
{
	test_groups();
	test_processes();
	test_late();
	test_kinds();
	test_changes();
	test_old();
	test_refused();
	return tap_done();
}

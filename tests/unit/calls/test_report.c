/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a made-up table: rows of all threads added up, and all formats; and of tables that
 * are not right. */
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "calls/lines.h"
#include "tap.h"

enum { READ, MALLOC, FREE, N };

static const struct calls_function functions[N] = {
	{"read", "io"}, {"malloc", "memory"}, {"fr\033e", "memory"}};

static struct calls_header header;
static int fd;

static void put(const void *data, size_t size, size_t at)
{
	if (pwrite(fd, data, size, (off_t)at) != (ssize_t)size)
		abort();
}

/* Place 0 has what threads have left that have ended; thread 2 is in read() since tick 2000. */
static void write_slot(uint32_t place, uint64_t factor)
{
	const struct calls_thread thread = {
		.sequence = 2,
		.tid = place ? 4710 + place : 0,
		.function = place == 2 ? READ + 1 : 0,
		.begin = 1000,
		.since = 2000,
		.program = 500 * factor,
	};
	const struct calls_row row[N] = {
		[READ] = {.calls = factor,
			  .self = 300 * factor,
			  .total = 300 * factor,
			  .max = 300,
			  .depth = place == 2},
		[MALLOC] = {.calls = 10 * factor,
			    .amid = factor,
			    .nested = factor,
			    .self = 200 * factor,
			    .total = 200 * factor,
			    .max = 20 * factor},
	};

	put(&thread, sizeof thread, calls_slot_offset(N, place));
	put(row, sizeof row, calls_slot_offset(N, place) + sizeof thread);
}

static void write_table(void)
{
	header = (struct calls_header){
		.magic = CALLS_MAGIC,
		.header_size = sizeof header,
		.row_size = sizeof(struct calls_row),
		.n_functions = N,
		.n_slots = 4,
		.pid = 4711,
		.ns_per_tick = 2ull << 32,
		.overhead = 10 * CALLS_OVERHEAD_UNIT,
		.inside = 4 * CALLS_OVERHEAD_UNIT,
		.begin = 1000,
		.n_threads = 5,
	};
	if (ftruncate(fd, 0) || ftruncate(fd, CALLS_SIZE_MAX))
		abort();
	put(&header, sizeof header, 0);
	put(functions, sizeof functions, sizeof header);
	for (uint32_t place = 0; place < 3; place++)
		write_slot(place, place + 1);
}

static const struct calls_line *find(const struct calls_report *r, const char *name)
{
	for (size_t i = 0; i < r->n; i++)
		if (!strcmp(r->line[i].name, name))
			return &r->line[i];
	abort();
}

static void check_sums(const struct calls_report *r)
{
	uint64_t sum = find(r, "program")->sum.self;

	tap_int(r->n, CALLS_PARTS + 2 + 2, "parts, groups and functions that were called");
	tap_str(r->line[CALLS_PARTS].name, "io", "groups come first, the longest before others");
	tap_str(r->line[r->n - 1].name, "malloc", "and functions last");
	tap_int(find(r, "read")->sum.calls, 6, "calls of all threads");
	tap_int(find(r, "read")->sum.self, 1800 + 700,
		"and who was in it has stayed there to the end");
	tap_int(find(r, "program")->sum.self, 3000 + 700, "as has the other in the program");
	tap_int(find(r, "malloc")->sum.max, 60, "the longest of all");
	tap_ok(find(r, "user")->unknown && find(r, "kernel")->unknown, "no modes without counters");
	for (size_t i = 0; i < r->n; i++)
		sum += r->line[i].kind == CALLS_FUNCTION ? r->line[i].sum.self : 0;
	tap_int(sum, r->time, "the program and all functions are the time of the threads");
	tap_int(r->own, 10 * 66, "what measuring took");
}

/* 7,400 ticks of 2 ns in all, of which 2,500 are in read(). */
static void check_formats(const struct calls_report *r)
{
	struct strbuf text;

	strbuf_init(&text);
	calls_lines_add(r, CALLS_CSV, true, &text);
	tap_ok(strstr(text.text, "\n4711,call,read,io,6,0,1,5000,33.7838,833.333,3600,600,,\n"),
	       "a line of CSV");
	tap_ok(strstr(text.text, "\n4711,part,user,,,,,,,,,,,\n"), "what is not known is empty");
	strbuf_reset(&text);
	calls_lines_add(r, CALLS_CSV, false, &text);
	tap_ok(!strstr(text.text, "name"), "one header is enough for all");
	strbuf_reset(&text);
	calls_lines_add(r, CALLS_JSON, true, &text);
	tap_ok(strstr(text.text,
		      "{\"type\":\"call\",\"schema\":1,\"pid\":4711,\"name\":\"malloc\",\"group\":"
		      "\"memory\",\"calls\":66,\"nested\":6,\"unreturned\":0,\"unit\":\"ns\","
		      "\"self\":"
		      "2400,"),
	       "a line of JSON: calls whose time is not known are calls");
	tap_ok(strstr(text.text, "\"user\":null,\"kernel\":null}"), "modes that are not known");
	strbuf_reset(&text);
	calls_lines_add(r, CALLS_TEXT, true, &text);
	tap_ok(strstr(text.text, "process 4711: 5 threads, 0.000 s of their time"), "text");
	tap_ok(strstr(text.text, "measuring takes 20.0 ns a call, of which 8.0 are"),
	       "it says what it costs");
	strbuf_done(&text);
}

static int read_it(bool ended)
{
	struct calls_report r;
	struct err err = ERR_INIT;
	int ret = calls_report_read(&r, fd, ended, &err);

	if (!ret)
		calls_report_done(&r);
	return ret;
}

static void check_damage(void)
{
	const uint32_t odd = 3;

	write_table();
	header.n_slots = UINT32_MAX;
	put(&header, sizeof header, 0);
	tap_int(read_it(true), -EBADMSG, "more slots than there can be");
	write_table();
	header.n_functions = CALLS_FUNCTIONS_MAX + 1;
	put(&header, sizeof header, 0);
	tap_int(read_it(true), -EBADMSG, "more functions than there can be");
	write_table();
	put(&(struct calls_thread){.tid = 1, .function = N + 1}, sizeof(struct calls_thread),
	    calls_slot_offset(N, 1));
	tap_int(read_it(true), -EBADMSG, "a thread in a function that is not there");
	write_table();
	put(&odd, sizeof odd, calls_slot_offset(N, 1));
	tap_int(read_it(false), -EAGAIN, "a slot that is being written");
	tap_int(read_it(true), 0, "which is taken as it stands where the process has gone");
	if (ftruncate(fd, 1000))
		abort();
	tap_int(read_it(true), -ENODATA, "a file that is cut off");
}

int main(void)
{
	struct calls_report r;
	struct err err = ERR_INIT;

	fd = memfd_create("calls", MFD_CLOEXEC);
	write_table();
	tap_int(calls_report_read(&r, fd, false, &err), 0, "a table is read");
	tap_str(r.function[2].name, "fr?e", "names are harmless");
	calls_report_make(&r, 2700);
	check_sums(&r);
	check_formats(&r);
	calls_report_done(&r);
	check_damage();
	return tap_done();
}

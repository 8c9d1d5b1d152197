/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of a made-up table: sums over all threads, in all formats; and invalid tables. */
#include <errno.h>
#include <sys/mman.h>

#include "calls_rig.h"
#include "profile/calls/lines.h"
#include "tap.h"

#define MUTATIONS 500

static int fd;

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

/* 7,400 ticks of 2 ns in total, of which 2,500 are in read(). */
static void check_formats(const struct calls_report *r)
{
	struct strbuf text;

	strbuf_init(&text);
	calls_lines_add(&(struct calls_lines){REPORT_AS_CSV, r, NULL, true}, &text);
	tap_ok(strstr(text.text, "\n4711,call,read,io,6,0,1,5000,33.7838,833.333,3600,600,,,\n"),
	       "a line of CSV: one has not returned, so how they differ is not known");
	tap_ok(strstr(text.text,
		      "\n4711,call,malloc,memory,66,6,0,2400,16.2162,40.000,2400,120,4.000,,\n"),
	       "else the root of (24236 - 60 * 20 * 20) / 59, by 2 ns");
	tap_ok(strstr(text.text, "\n4711,part,user,,,,,,,,,,,,\n"), "what is not known is empty");
	strbuf_reset(&text);
	calls_lines_add(&(struct calls_lines){REPORT_AS_CSV, r, NULL, false}, &text);
	tap_ok(!strstr(text.text, "name"), "one header is enough for all");
	strbuf_reset(&text);
	calls_lines_add(&(struct calls_lines){REPORT_AS_JSON, r, NULL, true}, &text);
	tap_ok(strstr(text.text,
		      "{\"type\":\"call\",\"schema\":1,\"pid\":4711,\"name\":\"malloc\",\"group\":"
		      "\"memory\",\"calls\":66,\"nested\":6,\"unreturned\":0,\"unit\":\"ns\","
		      "\"self\":"
		      "2400,"),
	       "a line of JSON: calls whose time is not known are calls");
	tap_ok(strstr(text.text, "\"max\":120,\"stddev\":4,"), "and how they differ");
	tap_ok(strstr(text.text, "\"user\":null,\"kernel\":null}"), "modes that are not known");
	strbuf_reset(&text);
	calls_lines_add(&(struct calls_lines){REPORT_AS_TEXT, r, NULL, true}, &text);
	tap_ok(strstr(text.text, "process 4711: 5 threads, 0.000 s of their time"), "text");
	tap_ok(strstr(text.text, "        40.0         4.0        0.002       0.120"),
	       "the mean, the deviation, the sum and the most");
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
	struct calls_header h = rig_header();
	const uint32_t odd = 3;

	struct calls_report r;
	struct err err = ERR_INIT;

	rig_write(fd);
	rig_put(fd, "tiptopC4", 8, 0);
	tap_int(calls_report_read(&r, fd, true, &err), -EBADMSG, "a table of an earlier tiptop");
	tap_str(err.text,
		"is of another version of tiptop: restart the program with the version of this "
		"tiptop",
		"is named, with what to do");
	rig_write(fd);
	h.n_slots = UINT32_MAX;
	rig_put(fd, &h, sizeof h, 0);
	tap_int(read_it(true), -EBADMSG, "more slots than there can be");
	h = rig_header();
	h.n_functions = CALLS_FUNCTIONS_MAX + 1;
	rig_put(fd, &h, sizeof h, 0);
	tap_int(read_it(true), -EBADMSG, "more functions than there can be");
	rig_write(fd);
	rig_put(fd, &(struct calls_thread){.tid = 1, .function = RIG_FUNCTIONS + 1},
		sizeof(struct calls_thread), calls_slot_offset(RIG_FUNCTIONS, 1));
	tap_int(read_it(true), -EBADMSG, "a thread in a function that is not there");
	rig_write(fd);
	rig_put(fd, &odd, sizeof odd, calls_slot_offset(RIG_FUNCTIONS, 1));
	tap_int(read_it(false), 0, "a slot that is always being written is taken as it stands");
	tap_int(read_it(true), 0, "as is one where the process has gone");
	rig_put(fd, &odd, sizeof odd, offsetof(struct container, sequence));
	tap_int(read_it(false), -EAGAIN, "a thread that ends would be counted twice");
	if (ftruncate(fd, 1000))
		abort();
	tap_int(read_it(true), -ENODATA, "a file that is cut off");
}

/* Returns a random offset in the header, its directory, the functions or the slots. */
static size_t any_place(unsigned *seed)
{
	const size_t r = (size_t)rand_r(seed), slots = calls_slot_offset(RIG_FUNCTIONS, 0);

	switch (rand_r(seed) % 3) {
	case 0:
		return r % sizeof(struct calls_header);
	case 1:
		return sizeof(struct calls_header) +
		       r % (CALLS_SECTIONS * sizeof(struct container_section));
	default:
		return calls_functions_offset() +
		       r % (slots - calls_functions_offset() + 3 * calls_slot_size(RIG_FUNCTIONS));
	}
}

static void check_mutations(void)
{
	unsigned seed = 11;
	int read = 0, wrong = 0;

	for (int k = 0; k < MUTATIONS; k++) {
		struct calls_report r;
		struct err err = ERR_INIT;
		int ret;

		rig_write(fd);
		for (int n = 1 + rand_r(&seed) % 4; n; n--) {
			const uint8_t byte = (uint8_t)(rand_r(&seed) % 3 ? rand_r(&seed) : 0xff);

			rig_put(fd, &byte, 1, any_place(&seed));
		}
		ret = calls_report_read(&r, fd, true, &err);
		read += !ret;
		wrong += ret && !err.text[0];
		if (ret)
			continue;
		/* Reads all rows, so that the sanitizers detect an access out of bounds. */
		calls_report_make(&r, 2700);
		calls_report_done(&r);
	}
	tap_ok(!wrong, "%d damaged tables: each is read, or refused with a sentence", MUTATIONS);
	tap_ok(read > MUTATIONS / 20 && read < MUTATIONS * 19 / 20, "some of each");
}

int main(void)
{
	struct calls_report r;
	struct err err = ERR_INIT;

	fd = memfd_create("calls", MFD_CLOEXEC);
	rig_write(fd);
	tap_int(calls_report_read(&r, fd, false, &err), 0, "a table is read");
	tap_str(r.function[2].name, "fr?e", "names are harmless");
	calls_report_make(&r, 2700);
	check_sums(&r);
	check_formats(&r);
	calls_report_done(&r);
	check_damage();
	check_mutations();
	return tap_done();
}

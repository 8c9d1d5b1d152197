/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of made-up tables in each format, compared with files of tests/golden/calls. */
#include <errno.h>
#include <math.h>
#include <sys/mman.h>

#include "calls_rig.h"
#include "golden.h"
#include "profile/calls/lines.h"

enum { EVENTS = 4 };

static int fd;

/* Writes a table with two events, each in user and kernel mode; one thread lacks the first one in
 * kernel mode, all lack the second one in kernel mode. */
static void write_events(void)
{
	struct calls_header h = rig_header();
	struct calls_thread thread;

	rig_write(fd);
	h.n_events = EVENTS;
	for (uint32_t e = 0; e < EVENTS; e++) {
		snprintf(h.event[e].name, sizeof h.event[e].name, "%s",
			 e < 2 ? "instructions" : "a,b");
		h.event[e].n_threads[e < 2 ? EVENT_BY_USER : EVENT_BY_CALL] = 5;
		h.event[e].all_modes = e < 2 ? 0 : 5;
		h.event[e].overhead = (7 + e) * CALLS_OVERHEAD_UNIT;
	}
	rig_put_header(fd, &h);
	for (uint32_t slot = 0; slot < 3; slot++) {
		uint64_t count[(1 + RIG_FUNCTIONS) * EVENTS];

		for (size_t i = 0; i < sizeof count / sizeof *count; i++)
			count[i] = 1000 * i + slot;
		rig_put(fd, count, sizeof count, calls_counts_offset(&h, slot));
		if (pread(fd, &thread, sizeof thread,
			  (off_t)calls_slot_offset(RIG_FUNCTIONS, slot)) != sizeof thread)
			abort();
		thread.lacking[1] = slot == 1;
		thread.lacking[EVENTS - 1] = 2;
		rig_put(fd, &thread, sizeof thread, calls_slot_offset(RIG_FUNCTIONS, slot));
	}
}

/* Writes a table of a process with losses of each kind, and an unknown cost of measuring. Calls of
 * malloc() are nested, the outermost one has not returned; no call of the third function had a
 * frame. */
static void write_lacks(void)
{
	static const struct calls_row nested = {
		.calls = 3, .amid = 2, .nested = 2, .self = 60, .depth = 1, .squares = 800};
	static const struct calls_row deep = {.calls = 9, .nested = 9, .squares = NAN};
	struct calls_header h = rig_header();

	rig_write(fd);
	h.overhead = h.inside = 0;
	h.n_homeless = 3;
	h.n_late = 4;
	rig_put(fd, &h, sizeof h, 0);
	rig_put(fd, &(struct calls_thread){.n_too_deep = 9}, sizeof(struct calls_thread),
		calls_slot_offset(RIG_FUNCTIONS, 0));
	for (uint32_t slot = 0; slot < 3; slot++) {
		const size_t row =
			calls_slot_offset(RIG_FUNCTIONS, slot) + sizeof(struct calls_thread);

		rig_put(fd, &nested, sizeof nested, row + RIG_MALLOC * sizeof nested);
		rig_put(fd, &deep, sizeof deep, row + RIG_FREE * sizeof deep);
	}
}

/* Writes a table of a process that has not called any function yet. */
static void write_empty(void)
{
	const struct calls_row none = {.calls = 0};

	rig_write(fd);
	for (uint32_t slot = 0; slot < 3; slot++) {
		const size_t at = calls_slot_offset(RIG_FUNCTIONS, slot);

		rig_put(fd, &(struct calls_thread){.tid = 0}, sizeof(struct calls_thread), at);
		for (uint32_t i = 0; i < RIG_FUNCTIONS; i++)
			rig_put(fd, &none, sizeof none,
				at + sizeof(struct calls_thread) + i * sizeof none);
	}
}

static void write_plain(void)
{
	rig_write(fd);
}

static void check(const char *name, void (*write_table)(void), uint64_t cpu_ns)
{
	static const char *const formats[] = {
		[REPORT_AS_TEXT] = "text", [REPORT_AS_CSV] = "csv", [REPORT_AS_JSON] = "json"};
	struct calls_report r;
	struct err err = ERR_INIT;
	struct strbuf out;

	write_table();
	if (calls_report_read(&r, fd, true, &err))
		abort();
	calls_report_make(&r, 2700);
	r.cpu_ns = cpu_ns;
	strbuf_init(&out);
	for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
		char *file = xasprintf("%s-%s", name, formats[f]);

		strbuf_reset(&out);
		calls_lines_add(&(struct calls_lines){(enum report_format_id)f, &r, NULL, true},
				&out);
		golden_check("calls", file, out.text);
		free(file);
	}
	strbuf_reset(&out);
	calls_lines_add(&(struct calls_lines){REPORT_AS_CSV, &r, NULL, false}, &out);
	tap_ok(strncmp(out.text, "pid,", 4) != 0, "no heading twice");
	strbuf_done(&out);
	calls_report_done(&r);
}

/* The kernel refused an event to two threads, and a third one could not read it at the end. */
static void check_reasons(void)
{
	struct calls_report r;
	struct err err = ERR_INIT;
	struct strbuf out;

	write_events();
	if (calls_report_read(&r, fd, true, &err))
		abort();
	calls_report_make(&r, 2700);
	r.sum->lacking[1] = 3;
	r.header.event[1].n_threads[EVENT_REFUSED] = 2;
	r.header.event[1].error = EMFILE;
	strbuf_init(&out);
	calls_lines_add(&(struct calls_lines){REPORT_AS_TEXT, &r, NULL, true}, &out);
	tap_ok(strstr(out.text, "; not known in 2 threads: no descriptor was left for it: raise "
				"the limit (ulimit -n); in 1 more: the kernel has multiplexed it"),
	       "threads without an event have their own reasons");
	strbuf_done(&out);
	calls_report_done(&r);
}

int main(void)
{
	fd = memfd_create("calls", MFD_CLOEXEC);
	check("plain", write_plain, 0);
	check("events", write_events, 9000);
	check("lacks", write_lacks, 0);
	check("empty", write_empty, 0);
	check_reasons();
	return tap_done();
}

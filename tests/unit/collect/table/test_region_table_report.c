/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of processes from their tables, whether they exited or were killed. */
#include <sys/mman.h>

#include "collect/table/region_table.h"
#include "region_rig.h"
#include "tap.h"

#define NS_PER_S 1000000000ull

static struct table_copy copy;

static int make(uint32_t pid, uint64_t begin_s, uint64_t end_s)
{
	struct table_header h = rig_header(pid);
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd, pid);
	h.wall_start = NS_PER_S;
	h.wall_begin = begin_s * NS_PER_S;
	h.wall_end = end_s * NS_PER_S;
	snprintf(h.program, sizeof h.program, "prog\033ram");
	snprintf(h.host, sizeof h.host, "host");
	rig_put(fd, &h, sizeof h, 0);
	return fd;
}

static void report(struct regions_report *r, int fd, enum report_format_id format, bool runs)
{
	const struct regions_form form = {.format = format};
	struct err err = ERR_INIT;

	tap_int(table_copy_read(&copy, fd, !runs, &err), 0, "a table is read");
	regions_report_make(r, &copy, &form, runs);
	close(fd);
}

static void check_ends(void)
{
	struct regions_report r;

	report(&r, make(7, 2, 3), REPORT_AS_TEXT, false);
	tap_ok(strstr(r.rows.text, "# regions of process 7 (prog?ram) on host, from "
				   "1970-01-01T00:00:01.000+00:00 to 1970-01-01T00:00:03.000"),
	       "a process that has ended has its time, and a name that is harmless");
	tap_ok(strstr(r.rows.text, "region 0") && strstr(r.rows.text, "region 3"), "its regions");
	tap_ok(!strstr(r.rows.text, "\n# the"), "and lacks nothing");
	regions_report_done(&r);
	report(&r, make(7, 2, 0), REPORT_AS_TEXT, false);
	tap_ok(strstr(r.rows.text, "\n# the process was ended by a signal or _exit(2)"),
	       "one that has not ended by exit() is told as that");
	regions_report_done(&r);
	report(&r, make(7, 2, 0), REPORT_AS_JSON, true);
	tap_ok(strstr(r.rows.text, "\"lack\":\"runs\",\"n\":null"), "so is one that runs");
	regions_report_done(&r);
}

/* The process was killed while it wrote a row, within calls, while a thread ended; and some calls
 * had no row in the file. */
static void check_torn(void)
{
	struct table_header h = rig_header(7);
	uint64_t buffer[512];
	struct table_row *row = (void *)buffer;
	struct regions_report r;
	int fd = make(7, 2, 0);

	h.container.sequence = 1;
	h.n_unseen = 5;
	rig_put(fd, &h, sizeof h, 0);
	rig_fill_row(row, 9);
	row->sequence++;
	row->depth = 3;
	rig_put(fd, row, table_row_size(RIG_EVENTS), rig_row(1, 0));
	report(&r, fd, REPORT_AS_CSV, false);
	tap_ok(strstr(r.rows.text, ",\"torn\",2,"), "rows that were being written are counted");
	tap_ok(strstr(r.rows.text, ",\"going_on\",3,"), "so are calls that went on");
	tap_ok(strstr(r.rows.text, ",\"unseen\",5,"), "and what is not in the file");
	regions_report_done(&r);
}

static void check_order(void)
{
	struct regions_report r[3];
	struct strbuf out;
	const char *first;

	report(&r[0], make(30, 30, 40), REPORT_AS_CSV, false);
	report(&r[1], make(10, 10, 40), REPORT_AS_CSV, false);
	report(&r[2], make(20, 20, 40), REPORT_AS_CSV, false);
	strbuf_init(&out);
	regions_reports_add(r, 3, NULL, &out);
	first = strstr(out.text, ",10,,,\"host\"");
	tap_ok(first && strstr(first, ",20,,,\"host\"") && strstr(first, ",30,,,\"host\"") &&
		       !strstr(strstr(first, ",20,,,\"host\""), ",10,,,\"host\""),
	       "reports come in the order of their tables");
	tap_ok(!strncmp(out.text, "type,", 5) && !strstr(out.text + 1, "\ntype,"),
	       "with the names of columns once");
	strbuf_done(&out);
	for (int i = 0; i < 3; i++)
		regions_report_done(&r[i]);
}

int main(void)
{
	table_copy_init(&copy);
	check_ends();
	check_torn();
	check_order();
	table_copy_done(&copy);
	return tap_done();
}

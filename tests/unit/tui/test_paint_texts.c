/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Columns of texts on the live screen: left-aligned, and cut with a mark.
 */
#include <locale.h>

#include "frame_rig.h"
#include "tap.h"
#include "tui/paint_parts.h"
#include "view/view.h"

static void begin(struct frame_rig *r)
{
	struct screen *s = screen_new("texts", NULL);

	screen_add_column(s, "USER    ", "%-8s", NULL, "USER");
	screen_add_column(s, "GROUP   ", "%-8s", NULL, "CGROUP");
	screen_add_column(s, " %CPU", "%5.1f", NULL, "CPU_TOT");
	frame_rig_init(r, s);
	frame_rig_add(r, &(struct rig_task){.id = 10,
					    .name = "a",
					    .user = "root",
					    .cpu_ns = 1000000,
					    .cgroup = "/short"});
	frame_rig_add(r, &(struct rig_task){.id = 20,
					    .name = "b",
					    .user = "a_long_name",
					    .cpu_ns = 1000000,
					    .cgroup = "/longer/group"});
	frame_rig_add(r, &(struct rig_task){.id = 30, .name = "c", .user = "x", .cpu_ns = 1000000});
	r->view.sort = SORT_PID;
	r->view.reverse = true;
	frame_rig_build(r);
}

static void check(const struct frame *frame, int width, const char *want)
{
	struct scroll rows = {.n = frame->n, .page = 3};
	struct layout layout = {.tight = false};
	struct canvas c = CANVAS_INIT;
	struct hits hits = {.v = NULL};
	struct strbuf out;

	strbuf_init(&out);
	canvas_resize(&c, width, 4);
	layout_fit(&layout, frame, 0, 3, width);
	rows_paint_header(&c, 0, frame, &layout, &hits);
	rows_paint(&c, 1, frame, &layout, &rows, NULL);
	canvas_dump(&c, false, &out);
	tap_str(out.text, want, "%d columns", width);
	strbuf_done(&out);
	canvas_done(&c);
	hits_done(&hits);
}

int main(void)
{
	struct frame_rig r;

	setlocale(LC_CTYPE, "C.UTF-8");
	begin(&r);
	check(&r.frame, 60,
	      "[ PID] USER     GROUP     %CPU  COMMAND\n"
	      "   10  root     /short     0.1  a\n"
	      "   20  a_long_… /longer…   0.1  b\n"
	      "   30  x        ?          0.1  c\n");
	/* Columns of texts shrink as COMMAND does; numbers do not. */
	check(&r.frame, 40,
	      "[ PID] USER  GROUP %CPU  COMMAND\n"
	      "   10  root  /sho…  0.1  a\n"
	      "   20  a_lo… /lon…  0.1  b\n"
	      "   30  x     ?      0.1  c\n");
	frame_rig_done(&r);
	return tap_done();
}

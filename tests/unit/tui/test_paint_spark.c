/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bars of past values: the values of a column at each moment, the bars, and the scale. Tasks are
 * made up; each interval is one delta that is added to the history.
 */
#include <locale.h>

#include "model/fact_list.h"
#include "model/history.h"
#include "tap.h"
#include "tui/paint_parts.h"
#include "ui_rig.h"
#include "view/curve.h"

#define PERCENT 10000000u
#define WIDE    8

/* Columns: %CPU, IPC; bars of %CPU with a scale for each row, and with a common scale; bars of
 * IPC. */
static struct screen *make_screen(void)
{
	struct screen *s = screen_new("rig", "a screen");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage", "CPU_TOT");
	screen_add_column(s, "  IPC", "%5.2f", "instructions per cycle",
			  "delta(instr) / delta(cycle)");
	screen_add_column(s, " by row ", "%8.1f", "bars", "[%CPU]")->spark = xstrdup("%CPU");
	screen_add_column(s, " common ", "%8.1f", "bars", "[%CPU]")->spark = xstrdup("%CPU");
	screen_add_column(s, " of IPC ", "%8.2f", "bars", "[IPC]")->spark = xstrdup("IPC");
	s->column[3].same_scale = true;
	return s;
}

enum { CPU, IPC, BY_ROW, COMMON, OF_IPC };

static void begin(struct ui_rig *r)
{
	memset(r, 0, sizeof *r);
	screen_list_add(&r->screens, make_screen());
	screen_list_number(&r->screens);
	frame_rig_init(&r->rig, r->screens.v[0]);
	r->info = (struct live_info){.user = "me", .screens = &r->screens, .log = &r->log};
	r->rig.view.idle = true;
	canvas_resize(&r->canvas, 80, 24);
	frame_rig_add(&r->rig, &(struct rig_task){.id = 10, .counting = COUNT_OK, .cpu_ns = 1});
	frame_rig_add(&r->rig, &(struct rig_task){.id = 20, .counting = COUNT_OK, .cpu_ns = 1});
}

/* Adds an interval in which the two tasks used this much of a CPU (in %, negative: no row), with
 * ipc instructions per cycle. */
static void step(struct ui_rig *r, struct history *h, int a_pct, int b_pct, unsigned ipc)
{
	const int pct[] = {a_pct, b_pct};
	struct sample *s = r->rig.sample;

	for (int i = 0; i < 2; i++) {
		const uint64_t ns = pct[i] < 0 ? 0 : (uint64_t)pct[i] * PERCENT;
		struct count *count = s[1].task[i]->count;

		task_set_fact(s[1].task[i], FACT_CPU_NS, task_fact(s[0].task[i], FACT_CPU_NS) + ns);
		for (int k = 0; k < 2; k++) {
			count[k] = s[0].task[i]->count[k];
			count[k].value += k ? ns : ns * ipc;
			count[k].enabled_ns += ns;
			count[k].running_ns += ns;
		}
	}
	frame_rig_build(&r->rig);
	/* A task that did nothing has no row in a delta. */
	for (int i = 1; i >= 0; i--)
		if (pct[i] < 0) {
			memmove(&r->rig.processes.row[i], &r->rig.processes.row[i + 1],
				(r->rig.processes.n - (size_t)i - 1) *
					sizeof *r->rig.processes.row);
			r->rig.processes.n--;
		}
	history_add(h, &r->rig.processes);
	r->rig.frame.history = h;
	r->rig.frame.moment = history_last(h);
}

static const struct frame_row *row_of(const struct ui_rig *r, uint64_t id)
{
	for (size_t i = 0; i < r->rig.frame.n; i++)
		if (r->rig.frame.row[i].task->id == id)
			return &r->rig.frame.row[i];
	return NULL;
}

static const char *past(const struct ui_rig *r, uint64_t id, size_t column, size_t n)
{
	static char text[256];
	struct value v[WIDE];
	size_t len = 0;

	past_read_last(&r->rig.frame, row_of(r, id), column, n, v);
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, " %s%.0f",
					value_known(v[i]) ? "" : quality_table[v[i].quality].name,
					value_known(v[i]) ? v[i].number : 0);
	return text;
}

/* Adds an interval after a change of screen: all rows are fresh, without numbers. */
static void see_anew(struct ui_rig *r, struct history *h)
{
	frame_rig_build(&r->rig);
	for (size_t i = 0; i < r->rig.processes.n; i++)
		r->rig.processes.row[i].fresh = true;
	r->rig.processes.interval_ns = 0;
	history_add(h, &r->rig.processes);
}

static void test_past(void)
{
	struct history *h = history_new(1 << 20);
	struct ui_rig r;

	begin(&r);
	step(&r, h, 50, -1, 2);
	step(&r, h, 20, 10, 3);
	step(&r, h, -1, 30, 1);
	step(&r, h, -1, -1, 1);
	step(&r, h, 80, 40, 4);
	tap_str(past(&r, 10, CPU, 5), " 50 20 0 0 80", "at each moment, idle ones are 0");
	tap_str(past(&r, 10, IPC, 5), " 2 3 divzero0 divzero0 4",
		"a ratio has nothing to divide by then");
	tap_str(past(&r, 20, CPU, 5), " not-read0 10 30 0 40",
		"before the first record it is unknown");
	tap_str(past(&r, 10, CPU, 2), " 0 80", "the last ones alone");
	tap_str(past(&r, 10, CPU, 7), " not-read0 not-read0 50 20 0 0 80",
		"more than there are begin with none");
	r.rig.frame.moment = 2;
	tap_str(past(&r, 10, CPU, 3), " not-read0 50 20", "up to the moment that is shown");
	r.rig.frame.moment = 5;
	see_anew(&r, h);
	step(&r, h, 60, -1, 2);
	tap_str(past(&r, 10, CPU, 3), " 80 not-read0 60", "a gap is a gap");
	tap_str(past(&r, 20, CPU, 3), " 40 not-read0 not-read0",
		"also where nothing has been done since: it was only seen again");
	step(&r, h, 60, 10, 2);
	step(&r, h, 60, -1, 2);
	see_anew(&r, h);
	step(&r, h, 60, 10, 2);
	tap_str(past(&r, 20, CPU, 4), " 10 not-read0 not-read0 10",
		"what it did before it was seen again is unknown");
	history_free(h);
	ui_rig_done(&r);
}

static const char *bars(struct ui_rig *r, int y, int x, int width)
{
	static char text[128];
	struct strbuf out;

	strbuf_init(&out);
	for (int i = x; i < x + width; i++)
		canvas_add_character(&out, r->canvas.cell[y * r->canvas.width + i].ch);
	snprintf(text, sizeof text, "%s", out.text);
	strbuf_done(&out);
	return text;
}

static void test_drawn(void)
{
	struct history *h = history_new(1 << 20);
	struct value v[WIDE] = {value_exact(0),
				value_exact(1),
				value_exact(4),
				value_exact(8),
				value_exact(-3),
				value_none(QUALITY_DIVZERO),
				value_none(QUALITY_NOT_READ),
				{.number = 8, .share = 0.5f, .quality = QUALITY_SCALED}};
	struct ui_rig r;

	begin(&r);
	canvas_resize(&r.canvas, WIDE, 1);
	spark_put(&r.canvas, 0, 0, LOOK_NORMAL, v, WIDE, spark_top(v, WIDE, 0));
	tap_str(bars(&r, 0, 0, WIDE), "\u2581\u2582\u2585\u2588\u2581 \u00b7\u2588", "bars");
	tap_int(r.canvas.cell[7].attr, LOOK_ROUGH, "an estimate looks like one");
	setlocale(LC_CTYPE, "C");
	canvas_resize(&r.canvas, WIDE, 1);
	spark_put(&r.canvas, 0, 0, LOOK_NORMAL, v, WIDE, 8);
	tap_str(bars(&r, 0, 0, WIDE), "_,+#_ .#", "letters where the terminal has no bars");
	setlocale(LC_CTYPE, "C.UTF-8");
	canvas_resize(&r.canvas, 80, 24);
	step(&r, h, 50, 10, 2);
	step(&r, h, 100, 20, 2);
	paint_screen(&r.canvas, &r.ui, &r.rig.frame, &r.info);
	tap_ok(ui_rig_shows(&r, "20.0  2.00 \u00b7\u00b7\u00b7\u00b7\u00b7\u00b7\u2585\u2588 "
				"\u00b7\u00b7\u00b7\u00b7\u00b7\u00b7\u2581\u2582"),
	       "by row each has its own scale, by column all have one");
	r.rig.frame.history = NULL;
	paint_screen(&r.canvas, &r.ui, &r.rig.frame, &r.info);
	tap_ok(ui_rig_shows(&r, "20.0  2.00     20.0     20.0     2.00"),
	       "where no past is kept, the present number stands there");
	history_free(h);
	ui_rig_done(&r);
}

int main(void)
{
	tap_ok(setlocale(LC_CTYPE, "C.UTF-8") != NULL, "the locale C.UTF-8 is there");
	test_past();
	test_drawn();
	return tap_done();
}

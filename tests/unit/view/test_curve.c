/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The curves of graphs: a column of a row at each moment, over time and over its instructions,
 * beside another row, and after its end. Tasks are made up; each interval is added to the history.
 */
#include "frame_rig.h"
#include "model/fact_list.h"
#include "model/history.h"
#include "screen/compile.h"
#include "tap.h"
#include "view/curve.h"
#include "view/page.h"

#define PERCENT 10000000u

struct fixture {
	struct frame_rig r;
	struct history *h;
	struct curves curves;
};

static struct screen *make_screen(void)
{
	struct screen *s = screen_new("rig", "a screen");

	screen_add_counter(s, "instr", "1", NULL);
	screen_add_counter(s, "cycle", "0", NULL);
	screen_add_column(s, " NAME", "%-5s", "a text", "PROGRAM");
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage", "CPU_TOT");
	screen_add_column(s, " bars ", "%6.1f", "bars", "[%CPU]")->spark = xstrdup("%CPU");
	screen_add_column(s, "  IPC", "%5.2f", "instructions per cycle",
			  "delta(instr) / delta(cycle)");
	return s;
}

enum { NAME, CPU, BARS, IPC };

static void begin(struct fixture *f)
{
	const struct sample_event event[] = {{.kind = EVENT_HARDWARE, .config = 1},
					     {.kind = EVENT_HARDWARE, .config = 0}};

	memset(f, 0, sizeof *f);
	frame_rig_init(&f->r, make_screen());
	sample_events_unref(f->r.events);
	f->r.events = sample_events_new(event, 2);
	f->r.view.idle = true;
	f->h = history_new(1 << 20);
	frame_rig_add(&f->r, &(struct rig_task){.id = 10, .counting = COUNT_OK, .name = "ten"});
	frame_rig_add(&f->r, &(struct rig_task){.id = 20, .counting = COUNT_OK, .name = "twenty"});
}

static void end(struct fixture *f)
{
	curves_done(&f->curves);
	history_free(f->h);
	frame_rig_done(&f->r);
}

/* Adds a second in which the two tasks used this much of a CPU (in %), with ipc instructions per
 * cycle. */
static void step(struct fixture *f, unsigned a_pct, unsigned b_pct, unsigned ipc)
{
	const uint64_t ns[] = {a_pct * PERCENT, b_pct * PERCENT};
	struct sample *s = f->r.sample;

	for (int i = 0; i < 2; i++) {
		struct count *count = s[1].task[i]->count;

		task_set_fact(s[1].task[i], FACT_CPU_NS,
			      task_fact(s[0].task[i], FACT_CPU_NS) + ns[i]);
		for (int k = 0; k < 2; k++) {
			count[k] = s[0].task[i]->count[k];
			count[k].value += k ? ns[i] : ns[i] * ipc;
			count[k].enabled_ns += ns[i];
			count[k].running_ns += ns[i];
		}
	}
	for (int k = 0; k < 2; k++) {
		s[k].mono_ns += 1000000000u;
		s[k].wall_ns += 1000000000u;
	}
	frame_rig_build(&f->r);
	history_add(f->h, &f->r.processes);
	f->r.frame.history = f->h;
	f->r.frame.moment = history_last(f->h);
}

static struct row_id id_of(const struct fixture *f, uint64_t id)
{
	for (size_t i = 0; i < f->r.frame.n; i++)
		if (f->r.frame.row[i].task->id == id)
			return row_id_of(f->r.frame.row[i].task);
	return (struct row_id){.kind = NULL};
}

/* Returns the values of a curve with their begin and end, relative to the first begin: "50@1-2". */
static const char *shape(const struct fixture *f, size_t k)
{
	const struct curve *c = &f->curves.curve[k];
	static char text[256];
	size_t len = 0;

	*text = '\0';
	for (size_t i = 0; i < f->curves.n; i++)
		len += (size_t)snprintf(text + len, sizeof text - len, " %s%g@%g-%g",
					value_known(c->v[i]) ? "" : "none:",
					value_known(c->v[i]) ? c->v[i].number : 0,
					c->begin[i] - c->begin[0], c->end[i] - c->begin[0]);
	return text;
}

static void test_curves(void)
{
	struct fixture f;
	struct row_id ten, twenty;

	begin(&f);
	step(&f, 50, 10, 2);
	step(&f, 20, 20, 3);
	ten = id_of(&f, 10);
	twenty = id_of(&f, 20);
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_ok(f.curves.column == &f.r.screen->column[IPC], "IPC, unless a column is named");
	tap_str(shape(&f, 0), " 2@0-1 3@1-2", "over time, in seconds");
	tap_str(f.curves.curve[0].name, "10 ten", "whose it is");
	tap_ok(f.curves.wall_ns[1] == f.r.frame.wall_ns, "when it was");
	snprintf(f.r.view.graph.column, sizeof f.r.view.graph.column, "cpu");
	f.r.view.graph.instructions = true;
	f.r.view.graph.beside = twenty;
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(shape(&f, 0), " 50@0-1e+09 20@1e+09-1.6e+09", "over its instructions");
	tap_str(shape(&f, 1), " 10@0-2e+08 20@2e+08-8e+08", "and another over its own");
	f.r.view.graph.user = true;
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(f.curves.curve[1].name, "all of user", "or beside all of its user");
	f.r.view.graph.instructions = false;
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(shape(&f, 1), " 60@0-1 40@1-2", "whose numbers are added");
	f.r.view.graph.instructions = true;
	f.r.view.graph.user = false;
	f.r.frame.moment = 1;
	f.r.view.graph.beside.kind = NULL;
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(shape(&f, 0), " 50@0-1e+09", "up to the moment that is shown");
	tap_int((long)f.curves.n_curves, 1, "alone again");
	end(&f);
}

/* A row without records in the history has no graph, but the reason. */
static void test_nothing(void)
{
	struct fixture f;
	struct row_id third;

	begin(&f);
	step(&f, 50, 10, 2);
	frame_rig_add(&f.r, &(struct rig_task){.id = 30, .counting = COUNT_OK, .name = "third"});
	frame_rig_build(&f.r);
	f.r.frame.history = f.h;
	f.r.frame.moment = history_last(f.h);
	third = id_of(&f, 30);
	curves_build(&f.curves, &f.r.frame, &third);
	tap_str(f.curves.why, "this task has not run since tiptop first saw it",
		"who did nothing has no graph");
	third.id = 31;
	curves_build(&f.curves, &f.r.frame, &third);
	tap_str(f.curves.why, "nothing is kept of this task any more", "nor who has gone");
	end(&f);
}

/* A column without any number has no graph, but the reason. */
static void test_never(void)
{
	struct fixture f;
	struct row_id ten;

	begin(&f);
	snprintf(f.r.view.graph.column, sizeof f.r.view.graph.column, "ipc");
	for (int k = 0; k < 2; k++)
		for (size_t i = 0; i < f.r.sample[k].n; i++)
			f.r.sample[k].task[i]->counting = COUNT_UNSUPPORTED;
	step(&f, 50, 10, 2);
	ten = id_of(&f, 10);
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(f.curves.why ? f.curves.why : "a graph",
		"IPC: this machine does not have the event; " KEY_OF(
			"graph-column-left") " " KEY_OF("graph-column-right") " draw others",
		"why it is empty");
	snprintf(f.r.view.graph.column, sizeof f.r.view.graph.column, "cpu");
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_ok(!f.curves.why, "what /proc tells has one");
	end(&f);
}

/* The curve of a task that has exited stays. An interval without counters is a gap. */
static void test_gaps(void)
{
	struct fixture f;
	struct row_id ten;

	begin(&f);
	step(&f, 50, 10, 2);
	ten = id_of(&f, 10);
	curves_build(&f.curves, &f.r.frame, &ten);
	f.r.processes.interval_ns = 0;
	for (size_t i = 0; i < f.r.processes.n; i++)
		f.r.processes.row[i].fresh = true;
	history_add(f.h, &f.r.processes);
	f.r.frame.moment = history_last(f.h);
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(shape(&f, 0), " 2@0-1 none:0@1-1", "a gap is a gap");
	tap_ok(!f.curves.curve[0].ended, "of a task that lives");
	f.r.frame.n = 0;
	f.r.processes.n = 0;
	f.r.sample[1].n = 0;
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(shape(&f, 0), " 2@0-1 none:0@1-1", "of one that has gone, too");
	tap_str(f.curves.curve[0].name, "10 ten", "which keeps its name");
	tap_ok(f.curves.curve[0].ended, "and has ended");
	f.r.frame.history = NULL;
	curves_build(&f.curves, &f.r.frame, &ten);
	tap_str(f.curves.why, "no past is kept here", "or it says why there is none");
	f.r.sample[1].n = 2;
	end(&f);
}

static const char *find_line(const struct page *p, const char *text)
{
	for (size_t i = 0; i < p->n; i++)
		if (strstr(p->line[i].text, text))
			return p->line[i].text;
	return "";
}

/* IPC falls from 3 to 1 after 30 s; %CPU stays the same. */
static void test_phases(void)
{
	const struct phases_change *c;
	struct fixture f;
	struct row_id ten;
	struct page page;

	begin(&f);
	for (int i = 0; i < 60; i++)
		step(&f, 50, 10, i < 30 ? 3 : 1);
	ten = id_of(&f, 10);
	snprintf(f.r.view.graph.column, sizeof f.r.view.graph.column, "cpu");
	curves_build(&f.curves, &f.r.frame, &ten);
	c = f.curves.phases.v;
	tap_int((long)f.curves.phases.n, 1, "one change, also where another column is drawn");
	tap_ok(c->column == &f.r.screen->column[IPC] && c->change.when == 31, "of IPC, at once");
	tap_ok(c->change.before == 3 && c->change.after == 1, "from 3 to 1");
	page_init(&page);
	page_reset(&page, &ten);
	page_build(&page, &(struct page_input){.frame = &f.r.frame, .curves = &f.curves});
	tap_ok(*find_line(&page, "Phases: when a number changed"), "the page has them");
	tap_ok(!strncmp(find_line(&page, "IPC 3.00"), "IPC 3.00 -> 1.00, noise 0.00; 10^", 33),
	       "in words: %s", find_line(&page, "IPC 3.00"));
	page_build(&page, &(struct page_input){.frame = &f.r.frame});
	tap_str(find_line(&page, "Phases"), "", "where no past is kept it has none");
	page_done(&page);
	end(&f);
}

/* If the history has more changes than a page shows, the page shows the last ones and the number of
 * others. */
static void test_many_phases(void)
{
	struct phases_change many[14];
	struct phases own;
	struct fixture f;
	struct row_id ten;
	struct page page;
	int n = 0;

	begin(&f);
	for (int i = 0; i < 60; i++)
		step(&f, 50, 10, i < 30 ? 3 : 1);
	ten = id_of(&f, 10);
	curves_build(&f.curves, &f.r.frame, &ten);
	own = f.curves.phases;
	for (int i = 0; i < 14; i++) {
		many[i] = own.v[0];
		many[i].change.when = f.curves.first + (uint32_t)i;
		many[i].change.before = i;
	}
	f.curves.phases = (struct phases){.v = many, .n = 14};
	page_init(&page);
	page_reset(&page, &ten);
	page_build(&page, &(struct page_input){.frame = &f.r.frame, .curves = &f.curves});
	for (size_t i = 0; i < page.n; i++)
		n += strstr(page.line[i].text, "likelier than no change") != NULL;
	tap_int(n, 12, "of many changes, the page shows the last 12");
	tap_ok(*find_line(&page, "IPC 13.00 -> "), "with the last one");
	tap_str(find_line(&page, "before these"), "and 2 before these", "and counts the others");
	page_done(&page);
	f.curves.phases = own;
	end(&f);
}

static void test_columns(void)
{
	struct screen *s = make_screen();
	struct view view = {.sort = CPU};

	screen_compile(s, frame_rig_report, (void *)"screen", NULL);
	snprintf(view.graph.column, sizeof view.graph.column, "cpu");
	tap_int((long)curve_find_column(s, &view), CPU, "the one that is named");
	snprintf(view.graph.column, sizeof view.graph.column, "elsewhere");
	tap_int((long)curve_find_column(s, &view), IPC, "else IPC");
	tap_int((long)curve_next_column(s, IPC, -1), CPU, "bars are no numbers");
	tap_int((long)curve_next_column(s, CPU, -1), CPU, "nor are texts");
	tap_int((long)curve_next_column(s, IPC, 1), IPC, "there is no further one");
	screen_drop_column(s, IPC);
	tap_int((long)curve_find_column(s, &view), CPU, "else the one that sorts");
	view.sort = NAME;
	tap_int((long)curve_find_column(s, &view), CPU, "else the first of numbers");
	screen_free(s);
}

int main(void)
{
	test_curves();
	test_nothing();
	test_never();
	test_gaps();
	test_phases();
	test_many_phases();
	test_columns();
	return tap_done();
}

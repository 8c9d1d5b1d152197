/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Readings from a table: the events of a program are matched with those that a screen requests. */
#include <sys/mman.h>

#include "collect/table/region_rows.h"
#include "model/fact_list.h"
#include "model/kinds.h"
#include "pmu/event/describe.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/name.h"
#include "region_rig.h"
#include "tap.h"

static struct machine machine;

static void check_events(void)
{
	struct table_header h = rig_header(1);
	struct sample_events *events;

	snprintf(h.event[1].name, sizeof h.event[1].name, "no such event");
	h.n_events = 3;
	snprintf(h.event[2].name, sizeof h.event[2].name, "cycles:k");
	h.event[2].state = 4; /* TT_DENIED */
	events = reading_events(&h, &machine);
	tap_int(sample_events_n(events), 3, "each name is an event");
	tap_int(events->event[0].kind, EVENT_HARDWARE, "a generic one");
	tap_int(events->event[0].modes & (MODE_USER | MODE_KERNEL), MODE_USER,
		"counted in user mode, as libtiptop does");
	tap_int(events->event[1].quality, QUALITY_UNSUPPORTED, "one that is not known here");
	tap_int(events->event[2].quality, QUALITY_DENIED, "one that the program was refused");
	tap_int(events->event[2].modes & (MODE_USER | MODE_KERNEL), MODE_KERNEL, "in its mode");
	sample_events_unref(events);
}

static void histogram(const uint32_t bucket[TABLE_BUCKETS], uint64_t ns_per_tick, const char *want)
{
	struct strbuf text;

	strbuf_init(&text);
	reading_add_histogram(&text, bucket, ns_per_tick);
	tap_str(text.text, want, "a histogram: %s", want);
	strbuf_done(&text);
}

static void check_histogram(void)
{
	uint32_t bucket[TABLE_BUCKETS] = {0};

	histogram(bucket, 1ull << 32, "");
	bucket[8] = 100;
	histogram(bucket, 1ull << 32, "128ns # 256ns");
	bucket[9] = 890;
	bucket[11] = 10;
	histogram(bucket, 1ull << 32, "128ns 19.+ 2us");
	histogram(bucket, 1ull << 31, "64ns 19.+ 1us");
	memset(bucket, 0, sizeof bucket);
	bucket[0] = 1;
	histogram(bucket, 1ull << 32, "0ns # 1ns");
	bucket[63] = 1;
	histogram(bucket, UINT64_MAX,
		  "0ns 5..............................................................5 "
		  "39614081257132163072s");
}

/* Checks units of work, of a region of two units. Returns its reading. */
static struct task *check_work(struct table_copy *copy, const struct reading_table *table)
{
	struct task *t;

	copy->header.n_units = 2;
	snprintf(copy->header.unit[0], sizeof copy->header.unit[0], "bytes");
	snprintf(copy->header.unit[1], sizeof copy->header.unit[1], "jobs");
	table_copy_row(copy, 2)->work[0] = 4096;
	table_copy_row(copy, 2)->work[1] = 7;
	t = reading_new(table, 2);
	tap_str(task_text(t, FACT_KIND), "jobs,bytes", "units in the order of all processes");
	tap_int(task_fact(t, FACT_WORK1), 7, "work of that which was met first");
	tap_int(task_fact(t, FACT_WORK2), 4096, "and of the next one");
	tap_ok(!reading_has_changed(t, table, 2), "there is nothing new of it");
	table_copy_row(copy, 2)->work[0]++;
	tap_ok(reading_has_changed(t, table, 2), "but where it has done more without a call");
	return t;
}

static void check_reading(void)
{
	struct table_process process = {.pid = 300,
					.uid = 7,
					.start_ns = 5,
					.user = (char[]){"alice"},
					.name = (char[]){"prog"}};
	struct reading_units units = {.n = 1, .name = {"jobs"}};
	static const uint64_t start_ns[TABLE_REGIONS];
	struct reading_table table = {.process = &process, .units = &units, .start_ns = start_ns};
	struct sample_events *events;
	struct table_quantity *quantity;
	struct table_copy copy;
	struct task *t;
	int fd = memfd_create("table", MFD_CLOEXEC);

	table_copy_init(&copy);
	rig_write(fd, 1);
	table_copy_read(&copy, fd, false, NULL);
	events = reading_events(&copy.header, &machine);
	table.copy = &copy;
	table.events = events;
	t = reading_new(&table, 2);
	tap_ok(t->kind == &kind_region && t->owner == t->id, "a region stands for itself");
	tap_int(task_number(t), 300, "it shows the number of its process");
	tap_str(t->name, "region 2", "its name is the label");
	tap_str(task_text(t, FACT_PROGRAM), "prog", "its program is known");
	tap_int(task_fact(t, FACT_CALLS), 12, "calls of all threads: 3 + 4 + 5");
	tap_int(task_fact(t, FACT_REGION_NS), 12000, "their time");
	tap_int(task_fact(t, FACT_MAX_NS), 1000, "the longest");
	tap_str(task_text(t, FACT_HISTOGRAM), "512ns # 1us", "all took the same");
	tap_int(t->count[1].value, 240, "cycles");
	tap_ok(!fact_in(t->known, FACT_WORK1), "nothing of work that no process does");
	tap_str(task_text(t, FACT_KIND), "-", "nor a name for it");
	task_unref(t);
	t = check_work(&copy, &table);
	tap_int(t->unread, 0, "all is known");
	task_unref(t);
	quantity = table_quantity(table_copy_row(&copy, 2), 1);
	quantity->n_scaled = 1;
	quantity->estimated = 30;
	quantity->missed = 500;
	t = reading_new(&table, 2);
	tap_int(t->count[0].value, 90, "of calls that were estimated, what was counted");
	tap_int(t->count[0].enabled_ns, 12000, "in the time of all");
	tap_int(t->count[0].running_ns, 11500, "but for that without a counter");
	tap_int(t->count[1].running_ns, 12000, "other events were counted all the time");
	task_unref(t);
	quantity->n_unknown = quantity->n_off = 1;
	t = reading_new(&table, 2);
	tap_int(t->unread, 0, "others stand for a call whose counter was not on the PMU");
	task_unref(t);
	quantity->n_unknown = 2;
	t = reading_new(&table, 2);
	tap_int(t->unread, 1, "a call without a number leaves the sum unknown");
	task_unref(t);
	sample_events_unref(events);
	table_copy_done(&copy);
	close(fd);
}

/* Random bytes in the events and rows of a table lead to wrong numbers at most, not to an invalid
 * sample. */
static void check_enemy(void)
{
	struct table_process process = {.pid = 1, .user = (char[]){"x"}, .name = (char[]){"y"}};
	static const uint64_t start_ns[TABLE_REGIONS];
	struct reading_units units = {.n = 0};
	struct reading_table table = {.process = &process, .units = &units, .start_ns = start_ns};
	unsigned seed = 5;
	int wrong = 0;

	for (int k = 0; k < 500; k++) {
		struct sample_events *events;
		struct table_copy copy;
		int fd = memfd_create("table", MFD_CLOEXEC);

		table_copy_init(&copy);
		rig_write(fd, 1);
		for (int n = 0; n < 20; n++) {
			const uint8_t byte = (uint8_t)rand_r(&seed);
			const size_t size =
				sizeof(struct table_header) - offsetof(struct table_header, event);

			rig_put(fd, &byte, 1,
				n % 2 ? offsetof(struct table_header, event) +
						(size_t)rand_r(&seed) % size
				      : rig_row(1, 1) + 4 +
						(size_t)rand_r(&seed) %
							(table_row_size(RIG_EVENTS) - 4));
		}
		wrong += table_copy_read(&copy, fd, false, NULL) != 0;
		events = reading_events(&copy.header, &machine);
		table.copy = &copy;
		table.events = events;
		for (uint32_t i = 0; i < copy.header.n_regions; i++)
			task_unref(reading_new(&table, i));
		sample_events_unref(events);
		table_copy_done(&copy);
		close(fd);
	}
	tap_int(wrong, 0, "any names of events and any numbers become readings");
}

int main(void)
{
	struct err err = ERR_INIT;

	machine.table = &event_table_built_in;
	tap_int(machine_set_foreign(&machine, "zen4", &err), 0, "the machine");
	check_events();
	check_histogram();
	check_reading();
	check_enemy();
	return tap_done();
}

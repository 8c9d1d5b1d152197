/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The weight of a count: a number, or the slots per cycle, which the kernel has in sysfs. */
#include "pmu/event/table.h"

#include <string.h>

#include "fake_sysfs.h"
#include "model/sample_event.h"
#include "pmu/event/foreign_cpu.h"
#include "pmu/event/name.h"
#include "tap.h"

static const struct fake_file files[] = {
	{"devices/armv8_pmuv3_0/type", "8"},
	{"devices/armv8_pmuv3_0/cpus", "0-7"},
	{"devices/armv8_pmuv3_0/caps/slots", "0x00000008\n"},
	{"devices/armv8_pmuv3_1/type", "9"},
	{"devices/armv8_pmuv3_1/cpus", "8-15"},
	{"devices/armv8_pmuv3_1/caps/slots", "0x00000000\n"},
};

static double scale(const struct machine *m, int core, const char *weight)
{
	struct event e = {.scale = 0};

	return event_weigh(&e, m, core, weight, NULL) ? -99 : e.scale;
}

static void check_numbers(const struct machine *m)
{
	tap_num(scale(m, 0, NULL), 0, "no weight is 1, which is not said");
	tap_num(scale(m, 0, "2.5"), 2.5, "a number");
	tap_num(scale(m, 0, "0"), SCALE_NOTHING, "0: nothing is counted");
}

static void check_slots(const struct machine *m)
{
	struct event e = {.scale = 0};
	struct err err = ERR_INIT;
	struct machine nowhere = {.host = &event_host_empty};

	tap_num(scale(m, 0, "slots"), 8, "the slots of a cycle, as the kernel tells them");
	tap_ok(event_weigh(&e, m, 1, "slots", &err) < 0, "a kernel that says 0 does not know them");
	tap_ok(strstr(err.text, "caps/slots of its PMU armv8_pmuv3_1"), "which is said: %s",
	       err.text);
	tap_num(scale(&nowhere, 0, "slots"), -99, "of a CPU that is not here, none does");
}

static void check_recorded(void)
{
	tap_ok(event_weight_fits(NULL, 0) && !event_weight_fits(NULL, 5),
	       "recorded without weight");
	tap_ok(event_weight_fits("5", 5) && !event_weight_fits("5", 6), "recorded with a weight");
	tap_ok(event_weight_fits("0", SCALE_NOTHING), "recorded with 0");
	tap_ok(event_weight_fits("slots", 8) && !event_weight_fits("slots", 0) &&
		       !event_weight_fits("slots", SCALE_NOTHING),
	       "recorded with slots, however many that machine had");
}

static void check_text(void)
{
	struct err err = ERR_INIT;

	tap_int(event_weight_check("slots", &err), 0, "slots are a weight");
	tap_int(event_weight_check("1.5", &err), 0, "so is a number");
	tap_ok(event_weight_check("many", &err) < 0 && err.text[0], "others are none: %s",
	       err.text);
}

int main(void)
{
	struct fake_sysfs f;
	struct machine m;

	fake_sysfs_make(&f, files, sizeof files / sizeof *files);
	machine_init(&m, &f.host);
	check_numbers(&m);
	check_slots(&m);
	check_recorded();
	check_text();
	fake_sysfs_remove(&f);
	return tap_done();
}

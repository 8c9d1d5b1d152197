/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings of --check on other machines, with a scripted PMU and a made-up sysfs. */
#include <errno.h>

#include "cmd/doctor.h"
#include "fake_sysfs.h"
#include "pmu/check/refusal.h"
#include "screen/compile.h"
#include "scripted_pmu.h"
#include "tap.h"

/* A machine with a PMU. Calls of the doctor to the kernel are done by pmu. */
static struct {
	struct pmu pmu;
	bool no_kernel; /* counting in kernel mode is refused */
	struct perf_sys sys;
	struct machine machine;
	struct screen_list screens, hidden;
	struct log log;
	struct doctor_input patient;
	struct strbuf text;
	struct doctor doctor;
} bed;

static int forward_open(struct perf_sys *self, const struct perf_event_attr *attr, pid_t tid,
			int cpu, int group_fd, unsigned long flags)
{
	(void)self;
	if (bed.no_kernel && !attr->exclude_kernel)
		return -EACCES;
	return bed.pmu.sys.open(&bed.pmu.sys, attr, tid, cpu, group_fd, flags);
}

static int forward_close(struct perf_sys *self, int fd)
{
	(void)self;
	return bed.pmu.sys.close(&bed.pmu.sys, fd);
}

static ssize_t forward_read(struct perf_sys *self, int fd, void *buf, size_t size)
{
	(void)self;
	return bed.pmu.sys.read(&bed.pmu.sys, fd, buf, size);
}

static int forward_ioctl(struct perf_sys *self, int fd, unsigned long request, void *arg)
{
	(void)self;
	return bed.pmu.sys.ioctl(&bed.pmu.sys, fd, request, arg);
}

static int forward_visit(struct perf_sys *self, int core, struct err *err)
{
	(void)self;
	return bed.pmu.sys.visit(&bed.pmu.sys, core, err);
}

static void bed_make(const struct pmu_script *script, bool no_kernel)
{
	memset(&bed, 0, sizeof bed);
	pmu_init(&bed.pmu);
	pmu_task_add(&bed.pmu, 0);
	bed.pmu.script = *script;
	bed.no_kernel = no_kernel;
	bed.sys = (struct perf_sys){
		.open = forward_open,
		.read = forward_read,
		.ioctl = forward_ioctl,
		.close = forward_close,
		.visit = forward_visit,
	};
	bed.machine.n_cores = 1;
	bed.machine.core[0] = (struct core_pmu){.name = "cpu", .type = 4};
	strbuf_init(&bed.text);
	bed.patient = (struct doctor_input){
		.machine = &bed.machine,
		.sys = &bed.sys,
		.screens = &bed.screens,
		.hidden = &bed.hidden,
		.log = &bed.log,
	};
	bed.doctor = (struct doctor){.out = &bed.text, .patient = &bed.patient};
	bed.doctor.rights.user_ns = NAMESPACE_INITIAL;
	refusal_try_hardware(&bed.sys, false, NULL, &bed.doctor.hardware);
}

static void bed_end(const char *name)
{
	tap_int(bed.pmu.n_open, 0, "%s: nothing stays open", name);
	tap_int(bed.pmu.bad_calls, 0, "%s: no bad calls", name);
	screen_list_done(&bed.screens);
	screen_list_done(&bed.hidden);
	strbuf_done(&bed.text);
}

static void check(const char *want, int limits, const char *name)
{
	tap_str(bed.text.text, want, "%s: the text", name);
	tap_int(bed.doctor.n_limits, limits, "%s: things that limit tiptop", name);
	bed_end(name);
}

static void test_hardware(void)
{
	static const struct pmu_script skylake = {.max_hardware = 4};
	static const struct pmu_script watchdog = {.max_hardware = 4, .never_above = 3};
	static const struct pmu_script hybrid = {.core_type = {4, 10}, .core_max = {8, 6}};

	bed_make(&skylake, false);
	doctor_check_hardware(&bed.doctor);
	check("Hardware counters\n"
	      "  ok   user mode    cycles are counted\n"
	      "  ok   and kernel   cycles are counted\n"
	      "       groups       of up to 4 events, cycles and instructions in turn\n",
	      0, "a PMU of 4 counters");

	bed_make(&watchdog, false);
	doctor_check_hardware(&bed.doctor);
	check("Hardware counters\n"
	      "  ok   user mode    cycles are counted\n"
	      "  ok   and kernel   cycles are counted\n"
	      "       groups       of up to 4 events, cycles and instructions in turn; now of\n"
	      "                    3, since others hold counters\n",
	      0, "a PMU of 4 counters, one of them held");

	bed_make(&hybrid, false);
	bed.machine.n_cores = 2;
	bed.machine.core[0] = (struct core_pmu){.name = "cpu_core", .type = 4};
	bed.machine.core[1] = (struct core_pmu){.name = "cpu_atom", .type = 10};
	doctor_check_hardware(&bed.doctor);
	check("Hardware counters\n"
	      "  ok   user mode    cycles are counted\n"
	      "  ok   and kernel   cycles are counted\n"
	      "       groups       of up to 8 events on cpu_core, cycles and instructions in\n"
	      "                    turn\n"
	      "       groups       of up to 6 events on cpu_atom, cycles and instructions in\n"
	      "                    turn\n",
	      0, "a hybrid machine");
}

static void test_no_kernel(void)
{
	static const struct pmu_script any = {.max_hardware = 4};

	bed_make(&any, true);
	doctor_check_hardware(&bed.doctor);
	tap_ok(strstr(bed.text.text, "\n  warn and kernel   "),
	       "no counting in the kernel: the mark");
	tap_int(bed.doctor.n_limits, 1, "no counting in the kernel: counts");
	bed_end("no counting in the kernel");

	bed_make(&any, true);
	bed.doctor.rights.kernel_ret = -EACCES;
	doctor_check_hardware(&bed.doctor);
	tap_ok(strstr(bed.text.text, "\n  warn and kernel   "),
	       "no right to count in the kernel: the mark");
	tap_int(bed.doctor.n_limits, 0, "no right to count in the kernel: has been counted");
	bed_end("no right to count in the kernel");
}

static void test_no_hardware(void)
{
	static const struct pmu_script none = {.missing = ~0ull};
	static const char *const sentence =
		"Hardware counters\n"
		"  no   user mode    this machine has no hardware counters: only what the kernel\n"
		"                    counts is shown\n";
	struct strbuf want;

	strbuf_init(&want);
	for (int i = 0; i < 4; i++) {
		bool virtual_cpu = i == 1, has_pmu = i == 2, no_right = i == 3;

		bed_make(&none, false);
		bed.machine.n_cores = has_pmu;
		bed.doctor.virtual_cpu = virtual_cpu;
		bed.doctor.rights.user_ret = no_right ? -EACCES : 0;
		doctor_check_hardware(&bed.doctor);
		strbuf_reset(&want);
		strbuf_addstr(&want, sentence);
		if (virtual_cpu)
			strbuf_addstr(
				&want,
				"                    remedy: on the host of this virtual machine, "
				"QEMU: -cpu host,pmu=on; VMware: vpmc.enable = TRUE\n");
		else if (!has_pmu && !no_right)
			strbuf_addstr(&want, "                    remedy: sudo dmesg | grep -iE "
					     "'performance events|hw perfevents'\n");
		check(want.text, !no_right,
		      virtual_cpu ? "a virtual machine" : "no hardware counters");
	}
	strbuf_done(&want);
}

static void fail(void *context, int line, const struct err *err)
{
	(void)context;
	tap_ok(false, "the screen of the test, line %d: %s", line, err->text);
}

/* A screen of cycles and of stalls of the front end, each with a column. */
static struct screen *make_screen(const char *name)
{
	struct screen *s = screen_new(name, "");
	struct err err = ERR_INIT;

	screen_add_counter(s, "cycle", "CPU_CYCLES", NULL);
	screen_add_counter(s, "stall", "STALLED_CYCLES_FRONTEND", NULL);
	screen_add_column(s, "C", "%5.1f", "", "cycle");
	screen_add_column(s, "S", "%5.1f", "", "stall");
	if (screen_compile(s, fail, NULL, &err))
		tap_ok(false, "the screen of the test: %s", err.text);
	return s;
}

static void test_screens(void)
{
	static const struct pmu_script zen = {.missing = 1ull
							 << PERF_COUNT_HW_STALLED_CYCLES_FRONTEND};
	struct screen *whole = make_screen("whole"), *other = screen_new("other", "");

	bed_make(&zen, false);
	screen_drop_column(whole, 1);
	other->needs = strdup("it needs a CPU that is not here");
	screen_list_add(&bed.screens, make_screen("default"));
	screen_list_number(&bed.screens);
	screen_list_add(&bed.screens, whole);
	screen_list_number(&bed.screens);
	screen_list_add(&bed.hidden, other);
	doctor_check_screens(&bed.doctor);
	tap_int(bed.doctor.n_whole_screens, 1,
		"screens: one has all counters that its columns need");
	check("Screens\n"
	      "  warn 0 default    1 of 2 counters are not available\n"
	      "                    stall: this machine has no hardware counter for 'HARDWARE\n"
	      "                    STALLED_CYCLES_FRONTEND' (ENOENT)\n"
	      "  ok   1 whole      1 counter\n"
	      "       other        not for this processor: it needs a CPU that is not here\n",
	      0, "screens");

	bed_make(&(struct pmu_script){.missing = ~0ull}, false);
	screen_list_add(&bed.screens, make_screen("default"));
	screen_list_number(&bed.screens);
	doctor_check_screens(&bed.doctor);
	check("Screens\n"
	      "  no   0 default    there are no hardware counters: cycle, stall\n",
	      0, "screens without hardware counters");

	bed_make(&(struct pmu_script){.denied = ~0ull}, false);
	bed.doctor.rights.user_ret = -EACCES;
	screen_list_add(&bed.screens, make_screen("default"));
	screen_list_number(&bed.screens);
	doctor_check_screens(&bed.doctor);
	check("Screens\n"
	      "  no   0 default    nothing may be counted: cycle, stall\n",
	      0, "screens without rights");
}

static void test_pmus(void)
{
	static const struct fake_file file[] = {
		{"devices/uncore_imc_0/type", "14\n"},  {"devices/uncore_imc_0/cpumask", "0\n"},
		{"devices/uncore_imc_1/type", "15\n"},  {"devices/uncore_imc_1/cpumask", "0\n"},
		{"devices/uncore_imc_10/type", "24\n"}, {"devices/uncore_imc_10/cpumask", "0\n"},
		{"devices/uncore_cha_0/type", "30\n"},  {"devices/uncore_cha_0/cpumask", "0\n"},
		{"devices/software/type", "1\n"},       {"devices/intel_pt/type", "8\n"},
	};
	static const char *const want[] = {
		"\n       software     software, type 1\n",
		"\n       uncore_cha_0 uncore, type 30\n",
		"\n       uncore_imc_0 uncore, type 14 to 24: 3 of them, to uncore_imc_10\n",
		"\n       intel_pt     other, type 8\n",
		"\n       uncore       counts for a package or a cache, never for one task\n",
		"\n       core         none: the kernel has no PMU that counts what tasks do\n",
	};
	struct fake_sysfs sysfs;

	bed_make(&(struct pmu_script){.max_hardware = 0}, false);
	fake_sysfs_make(&sysfs, file, sizeof file / sizeof *file);
	machine_init(&bed.machine, &sysfs.host);
	doctor_check_pmus(&bed.doctor);
	for (size_t i = 0; i < sizeof want / sizeof *want; i++)
		if (!tap_ok(strstr(bed.text.text, want[i]), "PMUs: line %zu", i))
			tap_show("got", bed.text.text);
	fake_sysfs_remove(&sysfs);
	bed_end("PMUs");
}

int main(void)
{
	test_hardware();
	test_no_kernel();
	test_no_hardware();
	test_screens();
	test_pmus();
	return tap_done();
}

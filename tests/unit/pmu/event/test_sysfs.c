/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events from sysfs, on a made-up machine with two kinds of cores, in a temporary folder.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "fake_sysfs.h"
#include "pmu/event/machine.h"
#include "tap.h"

/* The files of the machine and their contents. */
static const struct fake_file machine[] = {
	{"devices/cpu_core/type", "4\n"},
	{"devices/cpu_core/cpus", "0-3\n"},
	{"devices/cpu_core/format/event", "config:0-7\n"},
	{"devices/cpu_core/format/umask", "config:8-15\n"},
	{"devices/cpu_core/format/cmask", "config:24-31\n"},
	{"devices/cpu_core/format/inv", "config:23\n"},
	{"devices/cpu_core/format/split", "config:0-7,32-35\n"},
	{"devices/cpu_core/format/ldlat", "config1:0-15\n"},
	{"devices/cpu_core/format/offcore", "config1:0-63\n"},
	{"devices/cpu_core/format/edge", "config2:60-63\n"},
	{"devices/cpu_core/format/third", "config3:0-7\n"},
	{"devices/cpu_core/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
	{"devices/cpu_core/events/slots", "event=0x00,umask=0x4\n"},
	{"devices/cpu_core/events/param", "event=0x3c,umask=?\n"},
	{"devices/cpu_core/events/garbage", "event=,=\n"},
	{"devices/cpu_core/events/huge", "event=0x100\n"},
	{"devices/cpu_core/events/loop", "slots\n"},
	{"devices/cpu_core/events/one", "event=0x1\n"},
	{"devices/cpu_core/events/one.scale", "1.0\n"},
	{"devices/cpu_core/events/joule", "event=0x2\n"},
	{"devices/cpu_core/events/joule.scale", "2.3e-10\n"},
	{"devices/cpu_core/events/joule.unit", "Joules\n"},
	{"devices/cpu_core/events/nonsense", "event=0x3\n"},
	{"devices/cpu_core/events/nonsense.scale", "2,5\n"},
	{"devices/cpu_atom/type", "10\n"},
	{"devices/cpu_atom/cpus", "4-7\n"},
	{"devices/cpu_atom/format/event", "config:0-7\n"},
	{"devices/cpu_atom/events/slots", "event=0x77\n"},
	{"devices/cpu_atom/events/slow", "event=0x78\n"},
	{"devices/armv8_pmuv3_0/type", "8\n"},
	{"devices/armv8_pmuv3_0/cpus", "0-3\n"},
	{"devices/armv8_pmuv3_0/format/event", "config:0-15\n"},
	{"devices/armv8_pmuv3_0/events/l1d_cache_refill", "event=0x0003\n"},
	{"devices/software/type", "1\n"},
	{"devices/msr/type", "11\n"},
	{"devices/msr/format/event", "config:0-63\n"},
	{"devices/msr/events/tsc", "event=0x00\n"},
	{"devices/uncore.0/type", "12\n"},
	{"devices/uncore.0/format/bad", "config:7-0\n"},
	{"devices/uncore.0/events/only_uncore", "config=1\n"},
	{"devices/uncore_imc_0/type", "13\n"},
	{"devices/uncore_imc_0/cpumask", "0,8\n"},
	{"devices/uncore_imc_0/format/event", "config:0-7\n"},
	{"devices/uncore_imc_0/events/cas_count_read", "event=0x04\n"},
	{"devices/amd_l3/type", "14\n"},
	{"devices/amd_l3/cpumask", "0,4,8,12\n"},
	{"devices/amd_l3/format/event", "config:0-7\n"},
	{"devices/uncore_imc_free_running_0/type", "15\n"},
	{"devices/uncore_imc_free_running_0/cpumask", "0,8\n"},
	{"devices/uncore_cha_12/type", "16\n"},
	{"devices/uncore_cha_12/cpumask", "0,8\n"},
	{"devices/uncore_cha_12/format/event", "config:0-7\n"},
	{"devices/uncore_cha_7/type", "17\n"},
	{"devices/uncore_cha_7/cpumask", "0,8\n"},
	{"devices/uncore_cha_7/format/event", "config:0-7\n"},
	{"devices/broken/type", "x\n"},
	{"tracing/events/sched/sched_switch/id", "321\n"},
	{"debug/events/old/event/id", "7\n"},
	{"tracing/events/sched/noid/id", "none\n"},
	{"tracepoints", "futex:wait 9\nfutex:waitv 10\nfutex:bad x\nfutex:bad 11 \nlast:one 12"},
};

static struct event_host host;

static void test_fields(void)
{
	static const struct {
		const char *text;
		int word; /* -1: refused */
		uint64_t mask;
	} row[] = {
		{"config:0-7", 0, 0xff},
		{"config:0-7,21", 0, 0x2000ff},
		{"config:0-7,32-35,59-60", 0, 0x1800000f000000ff},
		{"config:63", 0, 1ull << 63},
		{"config1:0-31", 1, 0xffffffff},
		{"config1:0-63", 1, UINT64_MAX},
		{"config2:60-63", 2, 0xfull << 60},
		{"config3:0-7", -1, 0},
		{"config:", -1, 0},
		{"config:0-", -1, 0},
		{"config:7-0", -1, 0},
		{"config:0-64", -1, 0},
		{"config:99999999999999999999", -1, 0},
		{"config:0-7,", -1, 0},
		{"config:0-7 ", -1, 0},
		{"config:-7", -1, 0},
		{"config: 7", -1, 0},
		{"config0-7", -1, 0},
		{"", -1, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct err err = ERR_INIT;
		struct event_field f;
		int ret = event_field_parse(&f, row[i].text, &err);

		if (row[i].word < 0)
			tap_ok(ret == -EINVAL && err.text[0], "the format '%s' is refused",
			       row[i].text);
		else
			tap_ok(!ret && f.word == row[i].word && f.mask == row[i].mask,
			       "the format '%s'", row[i].text);
	}
}

static void test_events(void)
{
	static const struct {
		const char *name;
		uint32_t type;
		uint64_t config, config1, config2;
	} row[] = {
		{"cpu_core/event=0x3c/", 4, 0x3c, 0, 0},
		{"cpu_core/event=0x3c,umask=0x1,cmask=1/", 4, 0x100013c, 0, 0},
		{"cpu_core/event=60,umask=255/", 4, 0xff3c, 0, 0},
		{"cpu_core/event=0x1,inv/", 4, 0x800001, 0, 0},
		{"cpu_core/event=0x1,inv=0/", 4, 1, 0, 0},
		{"cpu_core/split=0x1c2/", 4, 0x1000000c2, 0, 0},
		{"cpu_core/split=0xfff/", 4, 0xf000000ff, 0, 0},
		{"cpu_core/event=0xb7,umask=1,offcore=0xffffffffffffffff/", 4, 0x1b7, UINT64_MAX,
		 0},
		{"cpu_core/edge=15/", 4, 0, 0, 0xfull << 60},
		{"cpu_core/mem-loads/", 4, 0x1cd, 3, 0},
		{"cpu_core/mem-loads,ldlat=30/", 4, 0x1cd, 30, 0},
		{"cpu_core/mem-loads,umask=2/", 4, 0x2cd, 3, 0},
		{"cpu_core/event=1,event=2/", 4, 2, 0, 0},
		{"cpu_core/one/", 4, 1, 0, 0},
		{"cpu_core/config=0x5301c2/", 4, 0x5301c2, 0, 0},
		{"cpu_core/config1=1,config2=2/", 4, 0, 1, 2},
		{"cpu_atom/slots/", 10, 0x77, 0, 0},
		{"armv8_pmuv3_0/l1d_cache_refill/", 8, 3, 0, 0},
		{"msr/tsc/", 11, 0, 0, 0},
		{"msr/TSC/", 11, 0, 0, 0},
		{"cpu_core/MEM-loads,umask=2/", 4, 0x2cd, 3, 0},
		{"msr/event=0xffffffffffffffff/", 11, UINT64_MAX, 0, 0},
		{"uncore.0/only_uncore/", 12, 1, 0, 0},
		{"software/config=2/", 1, 2, 0, 0},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;
		int ret = event_sysfs_resolve(&e, &host, row[i].name, &err);
		bool core = row[i].type < 11;

		if (!tap_ok(!ret && e.type == row[i].type && e.config == row[i].config &&
				    e.config1 == row[i].config1 && e.config2 == row[i].config2 &&
				    e.all_modes == !core,
			    "the event %s", row[i].name))
			printf("# %s; type %u, config %#llx\n", err.text, e.type,
			       (unsigned long long)e.config);
	}
}

static void test_faults(void)
{
	static const struct {
		const char *name;
		int code;
		const char *sentence;
	} row[] = {
		{"cpu_core", EINVAL, "write PMU/"},
		{"cpu_core/", EINVAL, "write PMU/"},
		{"cpu_core//", EINVAL, "write PMU/"},
		{"/event=1/", EINVAL, "cannot be the name"},
		{"../event=1/", EINVAL, "cannot be the name"},
		{"cpu core/event=1/", EINVAL, "cannot be the name"},
		{"cpu_core/event=1/umask=2/", EINVAL, "write PMU/"},
		{"cpu_core/event=1", EINVAL, "write PMU/"},
		{"cpu_core/,/", EINVAL, "'' is not a term"},
		{"cpu_core/event=1,/", EINVAL, "'' is not a term"},
		{"cpu_core/event=/", EINVAL, "'event=' is not a term"},
		{"cpu_core/=1/", EINVAL, "'=1' is not a term"},
		{"cpu_core/event=1, umask=2/", EINVAL, "' umask=2' is not a term"},
		{"cpu_core/event=1x/", EINVAL, "PMU 'cpu_core', term 'event'"},
		{"cpu_core/event=-1/", EINVAL, "must be a number"},
		{"cpu_core/event=0x10000000000000000/", ERANGE, "64 bits"},
		{"cpu_core/event=0x100/", ERANGE,
		 "0x100 does not fit in the 8-bit term 'event' of the PMU 'cpu_core'"},
		{"cpu_core/split=0x1000/", ERANGE, "12-bit"},
		{"cpu_core/inv=2/", ERANGE, "1-bit"},
		{"cpu_core/event=?/", ENOENT, "parameter for its term 'event'"},
		{"cpu_core/param/", ENOENT,
		 "event 'param': the event wants a parameter for its term 'umask'"},
		{"cpu_core/garbage/", ENOENT, "event 'garbage'"},
		{"cpu_core/huge/", ENOENT, "event 'huge'"},
		{"cpu_core/loop/", ENOENT, "event 'loop'"},
		{"cpu_core/third=1/", ENOENT, "config3"},
		{"cpu_core/nothing/", ENOENT,
		 "has no event or term 'nothing': its terms are cmask, edge, event"},
		{"cpu_core/.hidden/", EINVAL, "is not a term"},
		{"uncore.0/bad=1/", ENOENT, "PMU 'uncore.0', term 'bad'"},
		{"broken/config=1/", ENOENT, "is not a number: 'x'"},
		{"cpu/event=1/", ENOENT,
		 "no PMU 'cpu': there are amd_l3, armv8_pmuv3_0, broken, cpu_atom, cpu_core, msr, "
		 "software, uncore.0, uncore_cha_12, uncore_cha_7, uncore_imc_0, "
		 "uncore_imc_free_running_0"},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;
		int ret = event_sysfs_resolve(&e, &host, row[i].name, &err);

		if (!tap_ok(ret == -row[i].code && err.code == row[i].code &&
				    strstr(err.text, row[i].sentence),
			    "%s is refused, with the reason", row[i].name))
			printf("# %d, %s\n", ret, err.text);
	}
}

/* Events that are counted for several CPUs together (shared) cannot be assigned to a task. */
static void test_shared(void)
{
	static const struct {
		const char *name;
		bool shared;
	} row[] = {
		{"uncore_imc_0/cas_count_read/", true},
		{"amd_l3/event=4/", true},
		{"cpu_core/event=4/", false},
		{"armv8_pmuv3_0/l1d_cache_refill/", false},
		{"msr/tsc/", false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event e = {.name = NULL};
		struct err err = ERR_INIT;

		tap_int(event_sysfs_resolve(&e, &host, row[i].name, &err), 0, "%s is known",
			row[i].name);
		tap_int(e.shared, row[i].shared, "%s: by its PMU's cpumask, CPUs share it",
			row[i].name);
	}
}

static void test_several(void)
{
	static const struct {
		const char *name;
		int type; /* -1: no such PMU */
		bool several;
	} row[] = {
		{"uncore_imc_0/cas_count_read/", 13, false},
		{"uncore_imc/cas_count_read/", 13, true},
		{"uncore_cha/event=1/", 17, true},
		{"amd_l3/event=4/", 14, false},
		{"uncore_imc_free/config=1/", -1, false},
		{"uncore/config=1/", -1, false},
		/* A core PMU is not one of several instances to add up. */
		{"armv8_pmuv3/event=3/", -1, false},
	};
	struct err err = ERR_INIT;

	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct event e = {.name = NULL};
		const int ret = event_sysfs_resolve(&e, &host, row[i].name, &err);

		tap_int(ret ? -1 : (int)e.type, row[i].type, "%s: the first of the PMUs",
			row[i].name);
		tap_int(e.several, row[i].several, "%s: whether there are several", row[i].name);
	}
	tap_ok(event_sysfs_is_of("uncore_imc_10", "uncore_imc_0", true) &&
		       !event_sysfs_is_of("uncore_imc_free_running_0", "uncore_imc_0", true) &&
		       !event_sysfs_is_of("uncore_imc_10", "uncore_imc_1", false) &&
		       !event_sysfs_is_of("uncore_imc", "uncore_imc_1", true) &&
		       event_sysfs_is_of("amd_l3", "amd_l3", false),
	       "which PMUs are those that an event is of");
}

static void test_find(void)
{
	struct event e = {.name = NULL};
	struct err err = ERR_INIT;

	tap_ok(event_sysfs_find(&e, &host, NULL, "slots", &err) == 1 && e.type == 4 &&
		       e.config == 0x400 && !e.all_modes,
	       "an event of two kinds of cores: of the fast one");
	e = (struct event){.name = NULL};
	tap_ok(event_sysfs_find(&e, &host, NULL, "slow", &err) == 1 && e.type == 10 &&
		       e.config == 0x78,
	       "an event of the slow one only");
	e = (struct event){.name = NULL};
	tap_ok(event_sysfs_find(&e, &host, NULL, "l1d_cache_refill", &err) == 1 && e.type == 8 &&
		       e.config == 3,
	       "an event of a PMU with a file cpus");
	e = (struct event){.name = NULL};
	tap_ok(event_sysfs_find(&e, &host, "cpu_atom", "slots", &err) == 1 && e.type == 10 &&
		       e.config == 0x77,
	       "an event of the PMU that is asked for");
	tap_int(event_sysfs_find(&e, &host, "cpu_core", "slow", &err), 0,
		"which has not those of others");
	tap_int(event_sysfs_find(&e, &host, NULL, "tsc", &err), 0,
		"of other PMUs, an event has no bare name");
	tap_int(event_sysfs_find(&e, &host, NULL, "SLOTS", &err), 0, "case matters");
	tap_int(event_sysfs_find(&e, &host, NULL, "../type", &err), 0, "names are no paths");
	tap_int(event_sysfs_find(&e, &host, NULL, "", &err), 0, "no name");
	e = (struct event){.name = NULL};
	tap_ok(event_sysfs_find(&e, &host, NULL, "joule", &err) == 1 &&
		       e.scale == (double)2.3e-10 && !strcmp(e.unit, "Joules"),
	       "an event with a scale and a unit");
	tap_int(event_sysfs_find(&e, &host, NULL, "nonsense", &err), -ENOENT,
		"a scale that is not a number");
	tap_ok(strstr(err.text, "'2,5'"), "is quoted");
	tap_int(event_sysfs_find(&e, &(struct event_host){.devices = "/dev/null"}, NULL, "slots",
				 &err),
		0, "no sysfs");
}

static void test_tracepoints(void)
{
	struct event e = {.name = NULL};
	struct err err = ERR_INIT;

	tap_ok(!event_sysfs_tracepoint(&e, &host, "sched:sched_switch", &err) &&
		       e.type == PERF_TYPE_TRACEPOINT && e.config == 321 && e.all_modes,
	       "a tracepoint");
	tap_ok(!event_sysfs_tracepoint(&e, &host, "old:event", &err) && e.config == 7,
	       "in debugfs");
	tap_int(event_sysfs_tracepoint(&e, &host, "sched:nothing", &err), -ENOENT,
		"no such tracepoint");
	tap_ok(strstr(err.text, "no tracepoint 'sched:nothing'"), "and it is said");
	tap_int(event_sysfs_tracepoint(&e, &host, "sched:noid", &err), -ENOENT,
		"an id that is not a number");
	tap_int(event_sysfs_tracepoint(&e, &host, "sched/sched_switch:id", &err), -ENOENT,
		"names are no paths");
	tap_int(event_sysfs_tracepoint(&e, &host, "sched:", &err), -ENOENT, "a system alone");
	chmod(host.tracing[0], 0);
	if (access(host.tracing[0], X_OK)) {
		tap_int(event_sysfs_tracepoint(&e, &host, "sched:sched_switch", &err), -EACCES,
			"without permission");
		tap_ok(strstr(err.text, "run tiptop as root"), "and the remedy");
	} else {
		tap_ok(true, "without permission # SKIP root may read everything");
		tap_ok(true, "and the remedy # SKIP root may read everything");
	}
	chmod(host.tracing[0], 0700);
}

/* Returns the id that the list has for a tracepoint, or a negative error. */
static int listed(const char *name)
{
	struct event e = {.name = NULL};
	struct err err = ERR_INIT;
	const int ret = event_sysfs_tracepoint(&e, &host, name, &err);

	return ret ? ret : (int)e.config;
}

/* Returns whether the error of a tracepoint that no tracefs has contains this text. */
static bool refused_as(const struct event_host *of, const char *text)
{
	struct event e = {.name = NULL};
	struct err err = ERR_INIT;
	const int ret = event_sysfs_tracepoint(&e, of, "futex:absent", &err);

	return ret == -ENOENT && strstr(err.text, "'futex:absent'") && strstr(err.text, text) &&
	       strstr(err.text, "tracepoints");
}

/* The list that root makes for users without permission to read tracefs. */
static void test_listed(void)
{
	char *link = xasprintf("%s-link", host.tracepoints);
	struct event_host other = host;
	struct event e = {.name = NULL};
	struct err err = ERR_INIT;

	tap_int(listed("futex:wait"), 9, "a tracepoint of the list");
	tap_int(listed("futex:waitv"), 10, "whose name begins alike");
	tap_int(listed("last:one"), 12, "in a line without an end");
	tap_int(listed("futex:bad"), -ENOENT, "an id that is not a number");
	tap_int(listed("futex"), -ENOENT, "a part of a name");
	tap_int(listed("sched:sched_switch"), 321, "tracefs comes first");
	tap_ok(refused_as(&host, " does not help: it has no line "), "a list without the name");
	chmod(host.tracepoints, 0664);
	tap_int(listed("futex:wait"), -ENOENT, "a list that a group may write");
	tap_ok(refused_as(&host, " does not help: it may be written by a group or by others"),
	       "and it is said");
	chmod(host.tracepoints, 0646);
	tap_int(listed("futex:wait"), -ENOENT, "or everyone");
	chmod(host.tracepoints, 0644);
	other.tracepoints = link;
	tap_ok(!symlink(host.tracepoints, link) &&
		       event_sysfs_tracepoint(&e, &other, "futex:wait", &err) == -ENOENT,
	       "a link");
	tap_ok(refused_as(&other, " does not help: it is a symbolic link"), "and it is said");
	unlink(link);
	event_sysfs_tracepoint(&e, &other, "futex:wait", &err);
	tap_ok(!strstr(err.text, "does not help"), "of a list that is absent, nothing is said");
	if (!chown(host.tracepoints, 1234, (gid_t)-1))
		tap_ok(listed("futex:wait") == -ENOENT &&
			       refused_as(&host, "it belongs neither to root nor to you"),
		       "a list of another user");
	else
		tap_ok(true, "a list of another user # SKIP only root may make one");
	free(link);
}

/* Random texts: each is resolved, or refused with a message. */
static void test_random_texts(void)
{
	static const char *const piece[] = {
		"cpu_core", "/",   ",",     "=",         "event", "0x1", "umask", "99999999999",
		"config:",  "0-7", "-",     "mem-loads", "?",     "..",  "\x80",  " ",
		"config1:", "63",  "slots", ":",         "0x",    "inv", "split", "joule"};
	uint32_t seed = 4711;
	int bad = 0, good = 0;

	for (int i = 0; i < 20000; i++) {
		char text[256] = "";
		struct event e = {.name = NULL};
		struct err err = ERR_INIT, field_err = ERR_INIT;
		struct event_field f;
		int ret;

		for (uint32_t n = seed % 9, k = 0; k < n; k++) {
			seed = seed * 1664525 + 1013904223;
			snprintf(text + strlen(text), sizeof text - strlen(text), "%s",
				 piece[(seed >> 16) % 24]);
		}
		seed = seed * 1664525 + 1013904223;
		ret = event_sysfs_resolve(&e, &host, i % 2 ? text : text + strcspn(text, "/"),
					  &err);
		good += !ret;
		bad += ret != -err.code || (ret && !err.text[0]);
		ret = event_field_parse(&f, text, &field_err);
		good += !ret;
		bad += ret != -field_err.code || (!ret && (!f.mask || f.word > 2));
	}
	tap_ok(!bad && good, "20000 random texts: each error has its sentence");
}

int main(void)
{
	struct fake_sysfs f;

	fake_sysfs_make(&f, machine, sizeof machine / sizeof *machine);
	host = f.host;
	test_fields();
	test_events();
	test_faults();
	test_shared();
	test_several();
	test_find();
	test_tracepoints();
	test_listed();
	test_random_texts();
	fake_sysfs_remove(&f);
	return tap_done();
}

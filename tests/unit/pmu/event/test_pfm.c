/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Vendors' names on other CPUs, which $LIBPFM_FORCE_PMU selects in libpfm4, once per process. The
 * numbers are those of the vendors' manuals: umask << 8 | event, cmask << 24; on AMD, bits 8 to 11
 * of the event are bits 32 to 35.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pfm_tables.h"
#include "pmu/event/name.h"
#include "tap.h"

#define ABSENT UINT64_MAX

struct row {
	const char *name;
	uint64_t config; /* ABSENT: this CPU has no such event */
};

/* The child's result for one name. */
struct answer {
	int ret;
	struct event event;
};

static const struct event_host bare_host = {.devices = "/dev/null",
					    .tracing = {"/dev/null", "/dev/null"}};
static const struct machine bare = {.cpu = {.arch = "x86"}, .host = &bare_host};

static const struct row nehalem[] = {
	{"FP_ASSIST:ALL", 0x1f7},
	{"FP_ASSIST", 0x1f7},
	{"FP_ASSIST:ANY", ABSENT},
	{"MEM_INST_RETIRED:LOADS", 0x10b},
	{"MEM_INST_RETIRED:STORES", 0x20b},
	{"MEM_LOAD_RETIRED:L2_HIT", 0x2cb},
	{"MEM_LOAD_RETIRED:L3_UNSHARED_HIT", 0x4cb},
	{"MEM_LOAD_RETIRED:L3_MISS", 0x10cb},
	{"UOPS_RETIRED:ANY", 0x1c2},
	{"UOPS_RETIRED:MACRO_FUSED", 0x4c2},
	{"INST_RETIRED:X87", 0x2c0},
	{"BR_MISP_EXEC:ANY", 0x7f89},
	{"LONGEST_LAT_CACHE:MISS", 0x412e},
	{"LLC_REFERENCES", 0x4f2e},
	{NULL, 0},
};

static const struct row sandy_bridge[] = {
	{"FP_ASSIST:ANY", 0x1001eca},
	{"UOPS_RETIRED:ALL", 0x1c2},
	{"MEM_UOPS_RETIRED:ALL_LOADS", 0x81d0},
	{"MEM_UOPS_RETIRED:ALL_STORES", 0x82d0},
	{"MEM_LOAD_UOPS_RETIRED:L2_HIT", 0x2d1},
	{"MEM_LOAD_UOPS_RETIRED:L3_HIT", 0x4d1},
	{"MEM_LOAD_UOPS_MISC_RETIRED:LLC_MISS", 0x2d4},
	{"FP_COMP_OPS_EXE:X87", 0x110},
	/* libpfm4 resolves 0xc5 of Intel as ALL_BRANCHES_PEBS, the form for precise sampling. */
	{"BR_MISP_RETIRED:ALL_BRANCHES", 0x4c5},
	{"L1D:REPLACEMENT", 0x151},
	{NULL, 0},
};

static const struct row skylake[] = {
	{"FP_ASSIST:ANY", 0x1001eca},
	{"ASSISTS:FP", ABSENT},
	{"MEM_LOAD_RETIRED:L1_MISS", 0x8d1},
	{"MEM_LOAD_RETIRED:L2_MISS", 0x10d1},
	{"MEM_LOAD_RETIRED:L3_MISS", 0x20d1},
	{"L1D:REPLACEMENT", 0x151},
	{"LONGEST_LAT_CACHE:MISS", 0x412e},
	{"BR_MISP_RETIRED:ALL_BRANCHES", 0xc5},
	{"BR_INST_RETIRED:ALL_BRANCHES", 0xc4},
	{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0xe08},
	{"DTLB_STORE_MISSES:WALK_COMPLETED", 0xe49},
	{"ITLB_MISSES:WALK_COMPLETED", 0xe85},
	{"CYCLE_ACTIVITY:STALLS_L3_MISS", 0x60006a3},
	{"FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", 0x1c7},
	{"FP_ARITH_INST_RETIRED:128B_PACKED_DOUBLE", 0x4c7},
	{NULL, 0},
};

static const struct row ice_lake[] = {
	{"ASSISTS:FP", 0x2c1},
	{"FP_ASSIST:ANY", ABSENT},
	{"MEM_LOAD_RETIRED:L1_MISS", 0x8d1},
	{"MEM_LOAD_RETIRED:L2_MISS", 0x10d1},
	{"MEM_LOAD_RETIRED:L3_MISS", 0x20d1},
	{"LONGEST_LAT_CACHE:MISS", 0x412e},
	{"BR_MISP_RETIRED:ALL_BRANCHES", 0xc5},
	{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0xe08},
	{"ITLB_MISSES:WALK_COMPLETED", 0xe85},
	{"CYCLE_ACTIVITY:STALLS_L3_MISS", 0x60006a3},
	{"MEMORY_ACTIVITY:STALLS_L3_MISS", ABSENT},
	{"FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", 0x80c7},
	{NULL, 0},
};

static const struct row sapphire_rapids[] = {
	{"ASSISTS:FP", 0x2c1},
	{"FP_ASSIST:ANY", ABSENT},
	{"MEM_LOAD_RETIRED:L3_MISS", 0x20d1},
	{"DTLB_LOAD_MISSES:WALK_COMPLETED", 0xe12},
	{"DTLB_STORE_MISSES:WALK_COMPLETED", 0xe13},
	{"ITLB_MISSES:WALK_COMPLETED", 0xe11},
	{"MEMORY_ACTIVITY:STALLS_L3_MISS", 0x9000947},
	{"MEM_LOAD_L3_MISS_RETIRED:LOCAL_DRAM", 0x1d3},
	{"MEM_LOAD_L3_MISS_RETIRED:REMOTE_DRAM", 0x2d3},
	{"FP_ARITH_INST_RETIRED:512B_PACKED_SINGLE", 0x80c7},
	{NULL, 0},
};

static const struct row zen2[] = {
	{"RETIRED_INSTRUCTIONS", 0xc0},
	{"CYCLES_NOT_IN_HALT", 0x76},
	{"RETIRED_BRANCH_INSTRUCTIONS", 0xc2},
	{"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3},
	{"RETIRED_SSE_AVX_FLOPS:ANY", 0xf03},
	{"CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C", 0x864},
	{"DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM", 0x843},
	{"L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS", 0x1045},
	{"FP_ASSIST:ANY", ABSENT},
	{NULL, 0},
};

static const struct row zen3[] = {
	{"RETIRED_INSTRUCTIONS", 0xc0},
	{"CYCLES_NOT_IN_HALT", 0x76},
	{"RETIRED_BRANCH_INSTRUCTIONS", 0xc2},
	{"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3},
	{"RETIRED_SSE_AVX_FLOPS:ANY", 0xf03},
	{"CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C", 0x864},
	{"L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS", 0x1045},
	{"RETIRED_UCODE_OPS", ABSENT},
	{NULL, 0},
};

static const struct row zen4[] = {
	{"RETIRED_INSTRUCTIONS", 0xc0},
	{"CYCLES_NOT_IN_HALT", 0x76},
	{"RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED", 0xc3},
	{"RETIRED_SSE_AVX_FLOPS:ANY", 0x1f03},
	{"RETIRED_UCODE_OPS", 0x1000000c2},
	{"L1_DTLB_MISS:TLB_RELOAD_4K_L2_MISS", 0x1045},
	{"FP_ASSIST:ANY", ABSENT},
	{NULL, 0},
};

static const struct {
	const char *pmu; /* its name in libpfm4 */
	const struct row *row;
} cpu_table[] = {
	{"nhm", nehalem},
	{"snb", sandy_bridge},
	{"skl", skylake},
	{"icl", ice_lake},
	{"spr", sapphire_rapids},
	{"amd64_fam17h_zen2", zen2},
	{"amd64_fam19h_zen3", zen3},
	{"amd64_fam19h_zen4", zen4},
};

/* Resolves names on a CPU in a child. Returns the descriptor from which the answers are read. */
static int ask(const char *pmu, const struct row *row)
{
	int fd[2];

	if (pipe(fd))
		abort();
	fflush(stdout);
	if (fork()) {
		close(fd[1]);
		return fd[0];
	}
	setenv("LIBPFM_FORCE_PMU", pmu, 1);
	for (; row->name; row++) {
		struct answer a = {.ret = 0};

		a.ret = event_name_resolve(&a.event, &bare, 0, row->name, NULL);
		if (write(fd[1], &a, sizeof a) != sizeof a)
			_exit(1);
	}
	_exit(0);
}

static bool is_answer(int fd, struct answer *a)
{
	return read(fd, a, sizeof *a) == sizeof *a;
}

static void check_row(const char *pmu, const struct row *row, int fd)
{
	struct answer a = {.ret = 1};
	bool reported = is_answer(fd, &a);

	if (row->config == ABSENT)
		tap_ok(reported && (a.ret == -ENOENT || a.ret == -EOPNOTSUPP), "%s has no %s", pmu,
		       row->name);
	else if (!tap_ok(reported && !a.ret && a.event.type == PERF_TYPE_RAW &&
				 a.event.config == row->config && !a.event.no_user &&
				 !a.event.no_kernel && !a.event.no_hv,
			 "%s: %s is %#llx", pmu, row->name, (unsigned long long)row->config))
		printf("# %d: type %u, config %#llx\n", a.ret, a.event.type,
		       (unsigned long long)a.event.config);
}

static void test_vendor_names(const char *lacking)
{
	for (size_t i = 0; i < sizeof cpu_table / sizeof *cpu_table; i++) {
		int fd;

		if (lacking) {
			tap_skip(cpu_table[i].pmu, lacking);
			continue;
		}
		fd = ask(cpu_table[i].pmu, cpu_table[i].row);
		for (const struct row *row = cpu_table[i].row; row->name; row++)
			check_row(cpu_table[i].pmu, row, fd);
		close(fd);
		wait(NULL);
	}
}

/* The kernel's generic names are found on each CPU, even if libpfm4 is set to another CPU. */
static void test_generic_names(void)
{
	static const struct row row[] = {
		{"cycles:u", PERF_COUNT_HW_CPU_CYCLES},
		{"page-faults", PERF_COUNT_SW_PAGE_FAULTS},
		{NULL, 0},
	};
	struct answer a;
	int fd = ask("icl", row);

	tap_ok(is_answer(fd, &a) && !a.ret && a.event.type == PERF_TYPE_HARDWARE &&
		       a.event.config == row[0].config && a.event.no_kernel,
	       "a generic event of the PMU");
	tap_ok(is_answer(fd, &a) && !a.ret && a.event.type == PERF_TYPE_SOFTWARE &&
		       a.event.config == row[1].config,
	       "a generic event of the kernel");
	close(fd);
	wait(NULL);
}

static void test_modifiers(const char *lacking)
{
	static const struct row row[] = {{"FP_ASSIST:ANY:u", 0},
					 {"FP_ASSIST:ANY:k", 0},
					 {"UOPS_ISSUED:ANY:c=1:i:u", 0},
					 {NULL, 0}};
	struct answer a;
	int fd;

	if (lacking) {
		tap_skip("modifiers of vendors' names", lacking);
		return;
	}
	fd = ask("skl", row);
	tap_ok(is_answer(fd, &a) && !a.ret && a.event.no_kernel && !a.event.no_user,
	       "libpfm4's :u");
	tap_ok(is_answer(fd, &a) && !a.ret && a.event.no_user && !a.event.no_kernel,
	       "libpfm4's :k");
	tap_ok(is_answer(fd, &a) && !a.ret && a.event.config == 0x180010e && a.event.no_kernel,
	       "and those of Intel's register");
	close(fd);
	wait(NULL);
}

int main(void)
{
	const char *lacking = pfm_tables_lacking();

	test_vendor_names(lacking);
	test_generic_names();
	test_modifiers(lacking);
	return tap_done();
}

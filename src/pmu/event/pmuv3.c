/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pmu/event/pmuv3.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "pmu/event/sysfs.h"

/* A kernel release as a number, for comparisons. */
#define LINUX(major, minor) ((major) << 16 | (minor))
/* In place of a release: every kernel that lists events has a name for the event. */
#define ALWAYS 0

#define EVENT(number, name, since)                                                                 \
	{                                                                                          \
		number, since, #name, #number " (" #name ")"                                       \
	}

/* The common events for which the kernel has names (in lower case), and the kernel release that
 * added each name: Linux 6.8, drivers/perf/arm_pmuv3.c (armv8_pmuv3_event_attrs), with the numbers
 * of its header. */
static const struct common_event {
	int number, since;
	const char *name, *text;
} common_table[] = {
	EVENT(0x01, L1I_CACHE_REFILL, ALWAYS),
	EVENT(0x02, L1I_TLB_REFILL, ALWAYS),
	EVENT(0x03, L1D_CACHE_REFILL, ALWAYS),
	EVENT(0x04, L1D_CACHE, ALWAYS),
	EVENT(0x05, L1D_TLB_REFILL, ALWAYS),
	EVENT(0x06, LD_RETIRED, ALWAYS),
	EVENT(0x07, ST_RETIRED, ALWAYS),
	EVENT(0x08, INST_RETIRED, ALWAYS),
	EVENT(0x09, EXC_TAKEN, ALWAYS),
	EVENT(0x0a, EXC_RETURN, ALWAYS),
	EVENT(0x0b, CID_WRITE_RETIRED, ALWAYS),
	EVENT(0x0c, PC_WRITE_RETIRED, ALWAYS),
	EVENT(0x0d, BR_IMMED_RETIRED, ALWAYS),
	EVENT(0x0e, BR_RETURN_RETIRED, ALWAYS),
	EVENT(0x0f, UNALIGNED_LDST_RETIRED, ALWAYS),
	EVENT(0x10, BR_MIS_PRED, ALWAYS),
	EVENT(0x11, CPU_CYCLES, ALWAYS),
	EVENT(0x12, BR_PRED, ALWAYS),
	EVENT(0x13, MEM_ACCESS, ALWAYS),
	EVENT(0x14, L1I_CACHE, ALWAYS),
	EVENT(0x15, L1D_CACHE_WB, ALWAYS),
	EVENT(0x16, L2D_CACHE, ALWAYS),
	EVENT(0x17, L2D_CACHE_REFILL, ALWAYS),
	EVENT(0x18, L2D_CACHE_WB, ALWAYS),
	EVENT(0x19, BUS_ACCESS, ALWAYS),
	EVENT(0x1a, MEMORY_ERROR, ALWAYS),
	EVENT(0x1b, INST_SPEC, ALWAYS),
	EVENT(0x1c, TTBR_WRITE_RETIRED, ALWAYS),
	EVENT(0x1d, BUS_CYCLES, ALWAYS),
	EVENT(0x1f, L1D_CACHE_ALLOCATE, ALWAYS),
	EVENT(0x20, L2D_CACHE_ALLOCATE, ALWAYS),
	EVENT(0x21, BR_RETIRED, ALWAYS),
	EVENT(0x22, BR_MIS_PRED_RETIRED, ALWAYS),
	EVENT(0x23, STALL_FRONTEND, ALWAYS),
	EVENT(0x24, STALL_BACKEND, ALWAYS),
	EVENT(0x25, L1D_TLB, ALWAYS),
	EVENT(0x26, L1I_TLB, ALWAYS),
	EVENT(0x27, L2I_CACHE, ALWAYS),
	EVENT(0x28, L2I_CACHE_REFILL, ALWAYS),
	EVENT(0x29, L3D_CACHE_ALLOCATE, ALWAYS),
	EVENT(0x2a, L3D_CACHE_REFILL, ALWAYS),
	EVENT(0x2b, L3D_CACHE, ALWAYS),
	EVENT(0x2c, L3D_CACHE_WB, ALWAYS),
	EVENT(0x2d, L2D_TLB_REFILL, ALWAYS),
	EVENT(0x2e, L2I_TLB_REFILL, ALWAYS),
	EVENT(0x2f, L2D_TLB, ALWAYS),
	EVENT(0x30, L2I_TLB, ALWAYS),
	EVENT(0x31, REMOTE_ACCESS, LINUX(5, 0)),
	EVENT(0x32, LL_CACHE, LINUX(5, 0)),
	EVENT(0x33, LL_CACHE_MISS, LINUX(5, 0)),
	EVENT(0x34, DTLB_WALK, LINUX(5, 0)),
	EVENT(0x35, ITLB_WALK, LINUX(5, 0)),
	EVENT(0x36, LL_CACHE_RD, LINUX(5, 0)),
	EVENT(0x37, LL_CACHE_MISS_RD, LINUX(5, 0)),
	EVENT(0x38, REMOTE_ACCESS_RD, LINUX(5, 0)),
	EVENT(0x39, L1D_CACHE_LMISS_RD, LINUX(5, 9)),
	EVENT(0x3a, OP_RETIRED, LINUX(5, 9)),
	EVENT(0x3b, OP_SPEC, LINUX(5, 9)),
	EVENT(0x3c, STALL, LINUX(5, 9)),
	EVENT(0x3d, STALL_SLOT_BACKEND, LINUX(5, 9)),
	EVENT(0x3e, STALL_SLOT_FRONTEND, LINUX(5, 9)),
	EVENT(0x3f, STALL_SLOT, LINUX(5, 9)),
	EVENT(0x4000, SAMPLE_POP, LINUX(5, 0)),
	EVENT(0x4001, SAMPLE_FEED, LINUX(5, 0)),
	EVENT(0x4002, SAMPLE_FILTRATE, LINUX(5, 0)),
	EVENT(0x4003, SAMPLE_COLLISION, LINUX(5, 0)),
	EVENT(0x4004, CNT_CYCLES, LINUX(5, 9)),
	EVENT(0x4005, STALL_BACKEND_MEM, LINUX(5, 9)),
	EVENT(0x4006, L1I_CACHE_LMISS, LINUX(5, 9)),
	EVENT(0x4009, L2D_CACHE_LMISS_RD, LINUX(5, 9)),
	EVENT(0x400a, L2I_CACHE_LMISS, LINUX(5, 9)),
	EVENT(0x400b, L3D_CACHE_LMISS_RD, LINUX(5, 9)),
	EVENT(0x400c, TRB_WRAP, LINUX(5, 17)),
	EVENT(0x400e, TRB_TRIG, LINUX(5, 17)),
	EVENT(0x4010, TRCEXTOUT0, LINUX(5, 17)),
	EVENT(0x4011, TRCEXTOUT1, LINUX(5, 17)),
	EVENT(0x4012, TRCEXTOUT2, LINUX(5, 17)),
	EVENT(0x4013, TRCEXTOUT3, LINUX(5, 17)),
	EVENT(0x4018, CTI_TRIGOUT4, LINUX(5, 17)),
	EVENT(0x4019, CTI_TRIGOUT5, LINUX(5, 17)),
	EVENT(0x401a, CTI_TRIGOUT6, LINUX(5, 17)),
	EVENT(0x401b, CTI_TRIGOUT7, LINUX(5, 17)),
	EVENT(0x4020, LDST_ALIGN_LAT, LINUX(5, 9)),
	EVENT(0x4021, LD_ALIGN_LAT, LINUX(5, 9)),
	EVENT(0x4022, ST_ALIGN_LAT, LINUX(5, 9)),
	EVENT(0x4024, MEM_ACCESS_CHECKED, LINUX(5, 9)),
	EVENT(0x4025, MEM_ACCESS_CHECKED_RD, LINUX(5, 9)),
	EVENT(0x4026, MEM_ACCESS_CHECKED_WR, LINUX(5, 9)),
};

static const struct common_event *find_common(uint64_t number)
{
	for (size_t i = 0; i < sizeof common_table / sizeof *common_table; i++)
		if ((uint64_t)common_table[i].number == number)
			return &common_table[i];
	return NULL;
}

static bool lists(const struct event_host *host, const char *pmu, const char *name)
{
	char *path = xasprintf("%s/%s/events/%s", host->devices, pmu, name);
	bool listed;

	for (char *p = path + strlen(path) - strlen(name); *p; p++)
		*p = (char)tolower((unsigned char)*p);
	listed = !access(path, F_OK);
	free(path);
	return listed;
}

static bool lists_any(const struct event_host *host, const char *pmu)
{
	struct folder events;
	bool any = false;

	folder_open(&events, "%s/%s/events", host->devices, pmu);
	while (folder_next(&events))
		any = true;
	return any;
}

/* Returns whether the kernel is at least this release; false: unknown. */
static bool is_since(const struct event_host *host, int since)
{
	char text[64];
	int major, minor;

	if (since == ALWAYS)
		return true;
	return host->release && sysfs_read_line(text, sizeof text, "%s", host->release) > 0 &&
	       sscanf(text, "%d.%d", &major, &minor) == 2 && LINUX(major, minor) >= since;
}

const char *pmuv3_lacking(const struct event_host *host, const char *pmu, uint64_t config)
{
	/* The number is PMEVTYPER.evtCount; the other bits of config do not belong to it. */
	const struct common_event *common = find_common(config & 0xffff);

	if (!common || lists(host, pmu, common->name) || !is_since(host, common->since) ||
	    !lists_any(host, pmu))
		return NULL;
	return common->text;
}

int pmuv3_refuse(const char *lacking, const char *name, struct err *err)
{
	if (!lacking)
		return 0;
	return err_set(err, ENOENT, "'%s' cannot be counted: this PMU does not implement event %s",
		       name, lacking);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "diagnose/evidence.h"

#include <string.h>

static const char *const names[N_EVIDENCE] = {
	[EVIDENCE_CPU_MS] = "cpu-ms",
	[EVIDENCE_ASLEEP] = "asleep",
	[EVIDENCE_QUEUE_EARLIER] = "queue-earlier",
	[EVIDENCE_THREADS] = "threads",
	[EVIDENCE_QUEUE] = "queue",
	[EVIDENCE_SWITCHES] = "switches",
	[EVIDENCE_MINOR] = "minor",
	[EVIDENCE_MAJOR] = "major",
	[EVIDENCE_THROTTLED] = "throttled",
	[EVIDENCE_CPU_PRESSURE] = "cpu-pressure",
	[EVIDENCE_IO_PRESSURE] = "io-pressure",
	[EVIDENCE_MEMORY_PRESSURE] = "memory-pressure",
	[EVIDENCE_ALLOWED_CPUS] = "allowed-cpus",
	[EVIDENCE_OTHER_CPUS] = "other-cpus",
	[EVIDENCE_OTHER_IDLE] = "other-idle",
	[EVIDENCE_IN_DEVICE] = "in-device",
	[EVIDENCE_IN_LOCK] = "in-lock",
	[EVIDENCE_IN_PIPE] = "in-pipe",
	[EVIDENCE_IN_SOCKET] = "in-socket",
	[EVIDENCE_IN_TIMER] = "in-timer",
	[EVIDENCE_IN_POLL] = "in-poll",
	[EVIDENCE_IN_CHILD] = "in-child",
	[EVIDENCE_FROZEN] = "frozen",
};

int evidence_find(const char *name)
{
	for (int i = 0; i < N_EVIDENCE; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

void evidence_clear(struct value evidence[N_EVIDENCE])
{
	for (int i = 0; i < N_EVIDENCE; i++)
		evidence[i] = value_none(QUALITY_NOT_READ);
}

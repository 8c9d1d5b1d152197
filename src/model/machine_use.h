/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * machine_use - what CPUs and memory of the machine are used for: what was read of it for a sample,
 * and what that says of an interval. Pure.
 *
 * CPUs. The kernel tells in clock ticks how long each CPU has been in each state since boot. Busy
 * are user, nice, system, irq and softirq; time as the host of a virtual machine is in user. What a
 * hypervisor gave to others is stolen: that time is neither busy nor idle. A share is a part of the
 * ticks of this CPU in the interval, not of the clock, as those of different CPUs do not begin at
 * the same moment. Where the idle time of a CPU steps back, as that of waiting for a disk may, its
 * shares of that interval are unknown.
 *
 * Intervals. An interval shorter than USE_INTERVAL_MIN_NS has too few ticks for a share: the last
 * ones stay, and the next interval begins where theirs ended. It does not end with a generation.
 *
 * A CPU that was there and is not any more (it went offline) stays in the list, without a number.
 */
#ifndef MODEL_MACHINE_USE_H
#define MODEL_MACHINE_USE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/value.h"

enum cpu_state {
	CPU_USER, /* with the guests of virtual machines */
	CPU_NICE, /* the same with a positive nice value */
	CPU_SYSTEM,
	CPU_IRQ, /* and softirq */
	CPU_STOLEN,
	CPU_IDLE, /* and waiting for a disk */
	N_CPU_STATES
};

/* Of one CPU, in clock ticks since boot. */
struct cpu_ticks {
	int cpu;
	uint64_t in[N_CPU_STATES];
	uint64_t waiting; /* those of CPU_IDLE in which a task of it waited for a disk */
};

/* In KiB. */
struct memory_use {
	uint64_t total, free;
	/* What tasks could still get without swapping: beside what is free, most of the caches. */
	uint64_t available;
	uint64_t swap_total, swap_free;
};

/* Of one moment. */
struct machine_use {
	bool wanted; /* else nothing of it was read */
	/* Why they could not be read (errno); 0: they were. */
	int cpu_error, memory_error;
	const struct cpu_ticks *cpu; /* [n_cpus] those that are online, by number */
	size_t n_cpus;
	struct memory_use memory;
};

/* Of one CPU in the interval, in %. */
struct cpu_share {
	int cpu;
	/* All but CPU_STOLEN and CPU_IDLE. QUALITY_FRESH: there is no interval yet; QUALITY_GONE:
	 * the CPU is not there any more. */
	struct value busy;
	struct value in[N_CPU_STATES];
};

struct use_delta {
	bool wanted;
	int cpu_error, memory_error;
	const struct cpu_share *share; /* [n_shares], by number */
	size_t n_shares;
	struct memory_use memory; /* at its end */
	/* Where the next interval begins. */
	const struct cpu_ticks *base; /* [n_base] */
	size_t n_base;
	uint64_t base_ns;
};

#define USE_INTERVAL_MIN_NS 100000000u

/* now_ns: the moment of `now`. before: that of the sample before; NULL: there is none. What it
 * needs is copied into the arena. */
void use_compute(struct use_delta *out, const struct use_delta *before,
		 const struct machine_use *now, uint64_t now_ns, struct arena *arena);

#endif

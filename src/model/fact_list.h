/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fact_list - all facts, a row each: the only place where a fact is declared.
 *
 *   FACT(with, id, kind, unit, topic, of, traits, file, ...)
 *
 *   with    passed on to the macro FACT
 *   id      the name that expressions use, and the column of recordings; FACT_id is its number
 *   of      the kinds of rows that may have it, see enum fact_of
 *   traits  0, or PER_THREAD, OF_PROCESS, OF_ENDED, DRIFTS, ADDS, IN_SCHED
 *   file    of /proc/PID, where it is read: NONE, or one of FACT_FILE_ROWS, with its field
 *
 * and other members of struct fact_row. Numbers come first, then texts. The rows may change their
 * places within these two: what is stored has the names.
 *
 * Only code that names a fact includes this file, and no header does, so that a new row changes
 * little of the program.
 */
#ifndef MODEL_FACT_LIST_H
#define MODEL_FACT_LIST_H

/* The files of /proc/PID that have numbers, and the kernel's names of them: FILE(with, id, name). A
 * file of lines "name: number" needs no other code. The last one is the slowest to read: it is read
 * only for facts that no other file has provided. */
/* clang-format off */
#define FACT_FILE_ROWS(FILE, with) \
	FILE(with, STAT, "stat") \
	FILE(with, SCHEDSTAT, "schedstat") \
	FILE(with, SCHED, "sched") \
	FILE(with, STATUS, "status")

#define FACT_ROWS(FACT, with) \
	FACT(with, CPU_NS, COUNTER, NS, CPU_TIME, TASK | CPU | CPU_CGROUP | CPU_MODE | COMMAND | REST, 0, SCHEDSTAT, \
		.at = {1}, .origin = "CPU clock", \
		.metric = "cpu_seconds_total", \
		.metric_help = "Time on a CPU.", \
		.help = "time on a CPU (ns)") \
	FACT(with, UTIME_NS, COUNTER, NS, CPU_TIME, TASK | CPU | CPU_MODE | COMMAND, 0, STAT, \
		.field = "utime", .at = {14}, .scale = FACT_TICKS, \
		.metric = "cpu_user_seconds_total", \
		.metric_help = "Time on a CPU in user mode, in steps of a tick.", \
		.help = "time in user mode (ns, in steps of a tick)") \
	FACT(with, STIME_NS, COUNTER, NS, CPU_TIME, TASK | CPU | CPU_MODE | COMMAND, 0, STAT, \
		.field = "stime", .at = {15}, .scale = FACT_TICKS, \
		.metric = "cpu_system_seconds_total", \
		.metric_help = "Time on a CPU in the kernel, in steps of a tick.", \
		.help = "time in the kernel (ns, in steps of a tick)") \
	FACT(with, PROC_ID, GAUGE, NONE, WAITING, TASK, 0, STAT, \
		.field = "processor", .at = {39}, \
		.help = "processor where last seen") \
	FACT(with, MINFLT, COUNTER, COUNT, MEMORY, TASK | COMMAND, 0, STAT, \
		.field = "minflt", .at = {10}, \
		.metric = "minor_faults_total", \
		.metric_help = "Page faults that needed no I/O.", \
		.help = "page faults served without I/O") \
	FACT(with, MAJFLT, COUNTER, COUNT, MEMORY, TASK | COMMAND, 0, STAT, \
		.field = "majflt", .at = {12}, \
		.metric = "major_faults_total", \
		.metric_help = "Page faults that waited for I/O.", \
		.help = "page faults that had to wait for I/O") \
	FACT(with, VCSW, COUNTER, COUNT, WAITING, TASK | COMMAND, PER_THREAD | IN_SCHED, STATUS, \
		.field = "voluntary_ctxt_switches", .sched_field = "nr_voluntary_switches", \
		.metric = "voluntary_context_switches_total", \
		.metric_help = "Context switches because it had to wait.", \
		.help = "context switches because it waited") \
	FACT(with, NVCSW, COUNTER, COUNT, WAITING, TASK | COMMAND, PER_THREAD | IN_SCHED, STATUS, \
		.field = "nonvoluntary_ctxt_switches", .sched_field = "nr_involuntary_switches", \
		.metric = "involuntary_context_switches_total", \
		.metric_help = "Context switches because it was preempted.", \
		.help = "context switches because it was preempted") \
	FACT(with, MIGRATIONS, COUNTER, COUNT, WAITING, TASK, PER_THREAD, SCHED, \
		.field = "se.nr_migrations", \
		.metric = "migrations_total", \
		.metric_help = "Moves to another CPU.", \
		.help = "moves to another CPU") \
	FACT(with, WAIT_NS, COUNTER, NS, WAITING, TASK | CPU, PER_THREAD, SCHEDSTAT, \
		.at = {2}, .origin = "schedstat: field 2; of a CPU /proc/schedstat: field 8", \
		.metric = "wait_seconds_total", \
		.metric_help = "Time ready to run, but waiting for a CPU.", \
		.help = "time ready to run but waiting for a CPU (ns)") \
	FACT(with, NUM_THREADS, GAUGE, COUNT, IDENTITY, TASK, ADDS, STAT, \
		.field = "num_threads", .at = {20}, \
		.metric = "threads", \
		.metric_help = "Threads.", \
		.help = "threads of the process") \
	FACT(with, RSS_KB, GAUGE, KIB, MEMORY, TASK, DRIFTS | ADDS, STAT, \
		.field = "rss", .at = {24}, .scale = FACT_PAGES, \
		.metric = "resident_memory_bytes", \
		.metric_help = "Memory in RAM; shared memory counts for each process.", \
		.help = "memory that is in RAM (KiB)") \
	FACT(with, VSZ_KB, GAUGE, KIB, MEMORY, TASK, ADDS, STAT, \
		.field = "vsize", .at = {23}, .scale = FACT_BYTES, \
		.metric = "virtual_memory_bytes", \
		.metric_help = "Address space that is taken.", \
		.help = "size of the address space (KiB)") \
	FACT(with, NICE, GAUGE, NONE, WAITING, TASK, DRIFTS, STAT, \
		.field = "nice", .at = {19}, \
		.help = "nice value: 19 is the most patient, -20 the least") \
	FACT(with, SESSION, GAUGE, NONE, IDENTITY, TASK, 0, STAT, \
		.field = "session", .at = {6}, \
		.help = "session, by the pid of its leader") \
	FACT(with, PPID, GAUGE, NONE, IDENTITY, TASK, DRIFTS, STAT, \
		.field = "ppid", .at = {4}, \
		.help = "process that started it, or took it over; 0: none") \
	FACT(with, CHILD_NS, COUNTER, NS, CPU_TIME, TASK, OF_PROCESS, STAT, \
		.field = "cutime + cstime", .at = {16, 17}, .scale = FACT_TICKS, \
		.help = "CPU time of children that ended and were waited for (ns, in ticks); " \
			"unknown if it ignores SIGCHLD") \
	FACT(with, EXIT, GAUGE, NONE, IDENTITY, TASK, OF_PROCESS | OF_ENDED, NONE, \
		.origin = "waitid(2), process connector", \
		.help = "exit status of an ended process of the command; below 0: the signal that ended it") \
	FACT(with, LIFE_NS, GAUGE, NS, CPU_TIME, TASK, OF_PROCESS | OF_ENDED, NONE, \
		.origin = "records of forks and ends", \
		.help = "from the start of a process of the command to its end (ns)") \
	FACT(with, CORE, GAUGE, NONE, PLACE, CPU | CPU_CGROUP | CPU_MODE, 0, NONE, \
		.origin = "thread_siblings_list", \
		.help = "core of a CPU, by the number of the core's first CPU") \
	FACT(with, SOCKET, GAUGE, NONE, PLACE, CPU | CPU_CGROUP | CPU_MODE | CPU_SOCKET, 0, NONE, \
		.origin = "physical_package_id", \
		.help = "of a CPU, its socket") \
	FACT(with, CORE_KIND, GAUGE, NONE, PLACE, CPU | CPU_CGROUP | CPU_MODE, 0, NONE, \
		.origin = "PMUs of the cores", \
		.help = "kind of core of a CPU: 0 is the fastest") \
	FACT(with, IDLE_NS, COUNTER, NS, CPU_TIME, CPU, 0, NONE, \
		.origin = "/proc/stat: idle", \
		.help = "of a CPU, the time that it was idle, without IOWAIT_NS (ns, in steps of a tick)") \
	FACT(with, IOWAIT_NS, COUNTER, NS, WAITING, CPU, 0, NONE, \
		.origin = "/proc/stat: iowait", \
		.help = "of a CPU, the time that it was idle while a task waited for I/O (ns, in steps of a tick)") \
	FACT(with, STEAL_NS, COUNTER, NS, WAITING, CPU, 0, NONE, \
		.origin = "/proc/stat: steal", \
		.help = "of a CPU, the time that the hypervisor gave to others (ns, in steps of a tick)") \
	FACT(with, CALLS, COUNTER, COUNT, REGIONS, REGION | CALL, 0, NONE, \
		.origin = "table of regions, of calls", \
		.help = "calls of a region that have ended; of a function, those that have begun") \
	FACT(with, REGION_NS, COUNTER, NS, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "time in calls of a region that have ended (ns)") \
	FACT(with, SELF_NS, COUNTER, NS, REGIONS, REGION | CALL, 0, NONE, \
		.origin = "table of regions, of calls", \
		.help = "time in a region without the regions in it, or in a function without those it calls (ns)") \
	FACT(with, MIN_NS, GAUGE, NS, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "shortest call of a region since its program began (ns)") \
	FACT(with, MAX_NS, GAUGE, NS, REGIONS, REGION | CALL, 0, NONE, \
		.origin = "table of regions, of calls", \
		.help = "longest call of a region or a function since its program began (ns)") \
	FACT(with, WORK1, COUNTER, COUNT, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "work done by a region, in the first of the units that its column KIND lists") \
	FACT(with, WORK2, COUNTER, COUNT, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "work done by a region, in the second of the units that its column KIND lists") \
	FACT(with, WORK3, COUNTER, COUNT, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "work done by a region, in the third of the units that its column KIND lists") \
	FACT(with, WORK4, COUNTER, COUNT, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "work done by a region, in the fourth of the units that its column KIND lists") \
	FACT(with, ACQUISITIONS, COUNTER, COUNT, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "how often a lock was acquired") \
	FACT(with, CONTENDED, COUNTER, COUNT, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "acquisitions that had to wait") \
	FACT(with, ACQUIRE_NS, COUNTER, NS, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "time that threads took to acquire it (ns)") \
	FACT(with, HOLDS, COUNTER, COUNT, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "how often it was held and released again") \
	FACT(with, HOLD_NS, COUNTER, NS, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "time for which it was held, until released (ns)") \
	FACT(with, RELEASES, COUNTER, COUNT, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "how often it was released") \
	FACT(with, RELEASE_NS, COUNTER, NS, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "time that threads took to release it (ns)") \
	FACT(with, OWNER_CHANGES, COUNTER, COUNT, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "acquisitions by another thread than the previous one, in the row of its first caller") \
	FACT(with, TRYING_NS, COUNTER, NS, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "time of attempts to acquire it, with failed and unfinished ones (ns)") \
	FACT(with, USER, TEXT, TEXT, IDENTITY, TASK | REGION | LOCK | CALL, 0, NONE, \
		.origin = "owner of /proc/PID", \
		.help = "name of the user") \
	FACT(with, STATE, TEXT, TEXT, WAITING, TASK, 0, NONE, \
		.origin = "stat: state", \
		.help = "R running or ready, S sleeping, D uninterruptible sleep, T stopped, Z ended") \
	FACT(with, PROGRAM, TEXT, TEXT, IDENTITY, TASK | REGION | LOCK | CALL, 0, NONE, \
		.origin = "comm", \
		.help = "name of the program, 15 characters of it") \
	FACT(with, CGROUP, TEXT, TEXT, IDENTITY, TASK, DRIFTS, NONE, \
		.origin = "cgroup", \
		.help = "path of the control group") \
	FACT(with, CONTAINER, TEXT, TEXT, IDENTITY, TASK, DRIFTS, NONE, \
		.origin = "cgroup", \
		.help = "container, as docker:0123456789ab or lxc:name, by the control group") \
	FACT(with, EXECUTABLE, TEXT, TEXT, IDENTITY, TASK, 0, NONE, \
		.origin = "exe", \
		.help = "path of the program's file") \
	FACT(with, HISTOGRAM, TEXT, TEXT, REGIONS, REGION, 0, NONE, \
		.origin = "table of regions", \
		.help = "durations of all calls of a region since its program began: tenths for each power of two") \
	FACT(with, KIND, TEXT, TEXT, LOCKS, REGION | LOCK | CALL, 0, NONE, \
		.origin = "table of locks, of calls, of regions", \
		.help = "what a lock is: mutex, ...; the group of a function: io, ...; the units of work of a region") \
	FACT(with, CALLER, TEXT, TEXT, LOCKS, LOCK, 0, NONE, \
		.origin = "table of locks", \
		.help = "the function that acquired a lock, and where in it")
/* clang-format on */

#define FACT_FILE_ID(with, id, ...) FACT_FILE_##id,
#define FACT_ID(with, id, ...)      FACT_##id,

enum { FACT_FILE_NONE /* read from elsewhere */, FACT_FILE_ROWS(FACT_FILE_ID, ) N_FACT_FILES };
enum { FACT_ROWS(FACT_ID, ) N_FACTS };

/* Texts follow the numbers. Those before FACT_FIRST_READ_TEXT are in every reading; the others are
 * read on demand. */
#define N_NUMBER_FACTS       FACT_USER
#define FACT_FIRST_READ_TEXT FACT_CGROUP
#define N_READ_TEXTS         (N_FACTS - FACT_FIRST_READ_TEXT)

#endif

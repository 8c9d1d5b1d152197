/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* part of regions: the begin and the end of the process, and what its environment says. */
#include "inject/lib/regions.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <tiptop.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/syscall_filters.h"
#include "inject/lib/clock.h"
#include "inject/lib/counters.h"
#include "inject/lib/destination.h"
#include "inject/lib/local.h"
#include "inject/lib/report.h"
#include "inject/lib/table_file.h"
#include "inject/lib/thread.h"

int tt_enabled;

static const char *setting(const char *name, const char *otherwise)
{
	const char *value = secure_getenv(name);

	return value ? value : otherwise;
}

/* Returns whether all system calls may be made. A filter that was set before the program was
 * executed may end it for one of them, unless it is that of a container: its first process has it,
 * too, and programs of all kinds live there. */
static bool may_call(void)
{
	const struct syscall_filters own = syscall_filters_read(SYSCALL_FILTERS_OWN);

	if (!own.n || (own.n > 0 && syscall_filters_read("/proc/1/status").n == own.n))
		return true;
	tt_error_set(EPERM, "regions are not measured: a filter of system calls (seccomp(2)) was "
			    "set before the program began, which may end it for one of libtiptop");
	return false;
}

/* Returns which of the words a setting has: the first one where it is not set, or to none of them,
 * which is said. */
static int choose(const char *name, const char *const word[], int n)
{
	const char *value = setting(name, word[0]);

	for (int i = 0; i < n; i++)
		if (!strcmp(value, word[i]))
			return i;
	dprintf(STDERR_FILENO,
		"tiptop: %s=%s is not known, so regions are measured as with '%s': it can be", name,
		value, word[0]);
	for (int i = 0; i < n; i++)
		dprintf(STDERR_FILENO, "%s %s", i ? i + 1 < n ? "," : " or" : "", word[i]);
	dprintf(STDERR_FILENO, "\n");
	return 0;
}

static void choose_all(void)
{
	static const char *const format[] = {"text", "csv", "json"}, *const yes[] = {"no", "yes"};

	snprintf(tt_regions.format, sizeof tt_regions.format, "%s",
		 format[choose("TIPTOP_FORMAT", format, 3)]);
	tt_regions.subtract = choose("TIPTOP_SUBTRACT", yes, 2);
	tt_regions.in_order = choose("TIPTOP_IN_ORDER", yes, 2);
	tt_regions.by_thread = choose("TIPTOP_THREADS", yes, 2);
}

static void find_events(const char *events)
{
	tt_regions.found = tt_counters_find(events);
	for (int i = 0; tt_regions.found && i < tt_count(tt_regions.found); i++)
		if (tt_regions.found->unknown[i])
			dprintf(STDERR_FILENO, "tiptop: TIPTOP_REGIONS: %s\n",
				tt_regions.found->unknown[i]);
	if (!tt_regions.found)
		dprintf(STDERR_FILENO,
			"tiptop: regions are measured without events, as TIPTOP_REGIONS is wrong: "
			"%s\n",
			tt_strerror());
}

/* Finds out all that asks for memory, or takes long, so that no first region has to. */
static void prepare(const char *events)
{
	if (events[0])
		find_events(events);
	file_read(AT_FDCWD, "/proc/sys/kernel/random/boot_id", tt_regions.boot_id,
		  sizeof tt_regions.boot_id);
	snprintf(tt_regions.program, sizeof tt_regions.program, "%s",
		 program_invocation_short_name);
	tt_regions.file.fd = -1;
	tt_clock_speed();
	tt_fork_mark();
	tt_thread_prepare();
}

/* Notes the rank as launchers have it in the environment. Those of MPI come before those that also
 * start other programs. */
static void find_rank(void)
{
	static const char *const names[] = {
		"OMPI_COMM_WORLD_RANK", /* Open MPI: "Environment variables set for MPI
					   applications"; seen of 4.1.4 */
		"MV2_COMM_WORLD_RANK",  /* MVAPICH2: user guide, MPIRUN_RSH parameters */
		"PMIX_RANK",            /* PMIx, of Open MPI 4.1.4, too; srun --mpi=pmix */
		"PMI_RANK",       /* Hydra of MPICH: seen of 4.0.2; Intel MPI; srun --mpi=pmi2 */
		"PALS_RANKID",    /* PALS of Cray: pals.h */
		"FLUX_TASK_RANK", /* Flux: flux-environment(7) */
		"SLURM_PROCID",   /* Slurm: srun(1), output environment variables */
	};

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char *rank = setting(names[i], "");
		size_t n;

		while (rank[0] == '0' && rank[1])
			rank++;
		n = strspn(rank, "0123456789");
		if (!n || rank[n] || n >= sizeof tt_regions.rank)
			continue;
		memcpy(tt_regions.rank, rank, n + 1);
		return;
	}
}

/* Copies a name with the rank in place of %r, the number of the process of %p, and the host of %h.
 * False: it is too long. */
static bool expand(char *out, size_t size, const char *name)
{
	size_t n = 0;

	for (; *name && n < size; name++) {
		const char *rank = tt_regions.rank[0] ? tt_regions.rank : "-";
		const char next = *name == '%' ? name[1] : '\0';

		name += next && strchr("rph%", next) ? 1 : 0;
		if (next == 'p')
			n += (size_t)snprintf(out + n, size - n, "%ld", (long)getpid());
		else if (next == 'r' || next == 'h')
			n += (size_t)snprintf(out + n, size - n, "%s",
					      next == 'r' ? rank : tt_regions.host);
		else
			n += (size_t)snprintf(out + n, size - n, "%c", *name);
	}
	return n < size;
}

static void begin_report(void)
{
	const char *name = setting("TIPTOP_REPORT", "");
	char path[PATH_MAX] = "";
	const int ret =
		expand(path, sizeof path, name) ? tt_destination_begin(path) : -ENAMETOOLONG;

	if (ret)
		dprintf(STDERR_FILENO,
			"tiptop: the report of regions cannot be written to '%s': %s\n", name,
			strerror(-ret));
}

/* A plug-in that has the archive in it is not unmapped: threads still end through it. */
static void stay(void)
{
	Dl_info own;

	if (dladdr(&tt_regions, &own))
		dlopen(own.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

/* A child of a program that may give up its rights makes its file before it does. */
static void begin_child(void)
{
	const int error = errno;

	tt_regions_forget();
	if (tt_regions.keeper[0] && getauxval(AT_EUID) == 0)
		tt_regions_make_file();
	errno = error;
}

static void begin_keeping(void)
{
	snprintf(tt_regions.keeper, sizeof tt_regions.keeper, "%s", setting("TIPTOP_KEEPER", ""));
	if (tt_regions.keeper[0])
		tt_regions_make_file();
}

__attribute__((constructor)) static void start(void)
{
	const char *events = secure_getenv("TIPTOP_REGIONS");

	if (!events || !may_call())
		return;
	stay();
	gethostname(tt_regions.host, sizeof tt_regions.host - 1);
	find_rank();
	begin_report();
	choose_all();
	prepare(events);
	pthread_atfork(NULL, NULL, begin_child);
	begin_keeping();
	tt_regions.begun = true;
	tt_enabled = 1;
}

/* Leaves the table to the keeper, but where it lacks what this process has. */
static void leave_table(struct table_header *h)
{
	if (h->n_unseen || h->is_private) {
		tt_report();
		h->is_private = 1;
	}
	h->wall_end = clock_ns(CLOCK_REALTIME);
}

__attribute__((destructor)) static void end(void)
{
	struct tt_regions *r = &tt_regions;

	if (!tt_regions_has_file())
		return;
	tt_enabled = 0;
	if (tt_table_file_is_kept(r)) {
		if (r->header)
			leave_table(r->header);
		return;
	}
	if (r->header)
		tt_report();
	if (r->path[0])
		unlink(r->path);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Wrong codes of libpfm4: each row of the table of corrections, on each of its CPUs, which
 * $LIBPFM_FORCE_PMU selects once per process.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "pfm_tables.h"
#include "pmu/event/name.h"
#include "pmu/event/pfm.h"
#include "tap.h"

/* After linux/perf_event.h, which it replaces if it is first. */
#include <perfmon/pfmlib_perf_event.h>

static const struct event_host bare_host = {.devices = "/dev/null",
					    .tracing = {"/dev/null", "/dev/null"}};
static const struct machine bare = {.cpu = {.arch = "x86"}, .host = &bare_host};

/* The child's results for a row on a CPU. */
struct answer {
	int theirs, ours, changed; /* of libpfm4, of tiptop, and with modifiers */
	uint64_t their_config;
	struct event event, modified; /* resolved from the name alone, and with modifiers */
	bool described;               /* the description is corrected, too */
};

static uint64_t config_of_pfm(const char *name, int *ret)
{
	struct perf_event_attr attr = {.size = sizeof attr};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof arg};

	*ret = pfm_initialize();
	if (*ret == PFM_SUCCESS)
		*ret = pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT_EXT,
						 &arg);
	return attr.config;
}

static void answer(const struct pfm_correction *c, struct answer *a)
{
	char *name = xasprintf("%s:%s", c->event, c->umask);
	char *modified = xasprintf("%s.%s:u", c->event, c->umask);
	struct strbuf text;

	strbuf_init(&text);
	a->their_config = config_of_pfm(name, &a->theirs);
	a->ours = event_name_resolve(&a->event, &bare, 0, name, NULL);
	a->changed = event_name_resolve(&a->modified, &bare, 0, modified, NULL);
	a->described = event_pfm_describe(&text, name) && strstr(text.text, "corrected: ") &&
		       strstr(text.text, c->source);
	strbuf_done(&text);
	free(name);
	free(modified);
}

static bool ask(const struct pfm_correction *c, const char *pmu, struct answer *a)
{
	int fd[2];
	bool reported;

	if (pipe(fd))
		abort();
	fflush(stdout);
	if (!fork()) {
		setenv("LIBPFM_FORCE_PMU", pmu, 1);
		answer(c, a);
		_exit(write(fd[1], a, sizeof *a) != sizeof *a);
	}
	close(fd[1]);
	reported = read(fd[0], a, sizeof *a) == sizeof *a;
	close(fd[0]);
	wait(NULL);
	return reported;
}

static bool is_right(const struct pfm_correction *c, const struct event *e)
{
	return (e->config & 0xffff) == c->right && e->config1 == c->config1;
}

static void check(const struct pfm_correction *c, const char *pmu)
{
	struct answer a = {.theirs = 0};
	const bool reported = ask(c, pmu, &a);

	if (reported && a.theirs != PFM_SUCCESS) {
		tap_skip(pmu, "this libpfm4 has no such CPU or event");
		return;
	}
	tap_ok(reported && !a.ours && is_right(c, &a.event) && a.event.type == PERF_TYPE_RAW,
	       "%s: %s:%s is 0x%04x, 0x%x", pmu, c->event, c->umask, c->right, c->config1);
	tap_ok(!a.changed && is_right(c, &a.modified) && a.modified.no_kernel,
	       "%s: also with a modifier", pmu);
	if ((a.their_config & 0xffff) != c->wrong)
		tap_skip(pmu,
			 "this libpfm4 has another code than the wrong one: once all have, the "
			 "row may go");
	else
		tap_ok(a.described && (a.event.config >> 16) == (a.their_config >> 16),
		       "%s: it is told, and the other bits are libpfm4's", pmu);
}

static void check_pmus(const struct pfm_correction *c)
{
	for (const char *pmu = c->pmus; *pmu;) {
		const size_t len = strcspn(pmu, " ");
		char *one = xstrndup(pmu, len);

		check(c, one);
		free(one);
		pmu += len + (pmu[len] != '\0');
	}
}

/* Only wrong codes are corrected: a correct answer of libpfm4 is not changed. */
static void test_find(void)
{
	static const struct {
		const char *full, *name;
		uint64_t config;
		bool found;
	} row[] = {
		{"icl::MEM_LOAD_MISC_RETIRED:UC:e=0", "MEM_LOAD_MISC_RETIRED", 0x4c4, true},
		{"icl::MEM_LOAD_MISC_RETIRED:UC:e=0", "mem_load_misc_retired.uc", 0x10004c4, true},
		{"icl::MEM_LOAD_MISC_RETIRED:UC:e=0", "MEM_LOAD_MISC_RETIRED:UC", 0x4d4, false},
		{"spr::MEM_LOAD_MISC_RETIRED:UC:e=0", "MEM_LOAD_MISC_RETIRED:UC", 0x4c4, false},
		{"skl::UOPS_RETIRED:ALL:e=0:i=1:c=1", "UOPS_RETIRED:STALL_CYCLES", 0x18001c2, true},
		{"skl::UOPS_RETIRED:ALL:e=0:i=1:c=1", "skl::uops_retired.stall_cycles:u", 0x18001c2,
		 true},
		{"skl::UOPS_RETIRED:ALL:e=0:i=0:c=0", "UOPS_RETIRED:ALL", 0x1c2, false},
		{"hsw::UOPS_RETIRED:ALL:e=0:i=1:c=1", "UOPS_RETIRED:STALL_CYCLES", 0x18001c2,
		 false},
		{"hsw::L2_RQSTS:PF_HIT:e=0", "L2_RQSTS:L2_PF_HIT", 0xd824, true},
		{"hsw::L2_RQSTS:PF_HIT:e=0", "L2_RQSTS:PF_HIT", 0xd824, false},
		{"hsw::L2_RQSTS_MORE:CODE_RD_HIT", "L2_RQSTS_MORE:CODE_RD_HIT", 0x4424, false},
		{"nothing", "UOPS_RETIRED:STALL_CYCLES", 0x1c2, false},
	};

	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		tap_ok(!pfm_correction_find(row[i].full, row[i].name, row[i].config) ==
			       !row[i].found,
		       "%s, 0x%llx is %s", row[i].name, (unsigned long long)row[i].config,
		       row[i].found ? "corrected" : "left alone");
	tap_ok(pfm_correction_concerns(0x18001c2) && !pfm_correction_concerns(0x2c2),
	       "most codes are none of a row");
}

int main(void)
{
	const char *lacking = pfm_tables_lacking();

	test_find();
	for (size_t i = 0; i < pfm_correction_n; i++)
		if (lacking)
			tap_skip(pfm_correction_table[i].event, lacking);
		else
			check_pmus(&pfm_correction_table[i]);
	return tap_done();
}

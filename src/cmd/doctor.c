/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "cmd/doctor.h"

#include <stdio.h>
#include <unistd.h>

#include "cmd/doctor_part.h"
#include "conf/xml.h"
#include "pmu/check/privilege.h"
#include "pmu/check/refusal.h"

static const char *plural(long n)
{
	return n == 1 ? "" : "s";
}

static void put(struct doctor *d, const char *label, struct finding f)
{
	doctor_put(d, label, &f);
}

void doctor_check_rights(struct doctor *d)
{
	const struct rights *rights = &d->rights;
	char program[128];

	privilege_find_program(program, sizeof program);
	doctor_section(d, "Permissions");
	doctor_put_fact(d, "kernel", "Linux %s%s", rights->release,
			rights->version < 5008 ? "; CAP_PERFMON came with Linux 5.8" : "");
	put(d, "level", rights_find_level(rights));
	put(d, "capabilities", rights_find_caps(rights));
	put(d, "seccomp", rights_find_seccomp(rights));
	put(d, "container", rights_find_container(rights));
	put(d, "own tasks", rights_find_own(rights, program));
	if (rights->user_ret)
		return;
	put(d, "in kernel", rights_find_kernel(rights));
	put(d, "new threads", rights_find_threads(rights));
	put(d, "others", rights_find_others(rights, program));
}

static void check_configuration(struct doctor *d)
{
	const struct doctor_patient *p = d->patient;
	struct strbuf places;
	struct finding f;

	doctor_section(d, "Configuration");
	if (p->conf_file) {
		doctor_put_fact(d, "file", "%s", p->conf_file);
	} else if (!p->n_mistakes) {
		strbuf_init(&places);
		conf_add_places(&places);
		doctor_put_fact(d, "file", "none; looked for %s", places.text);
		strbuf_done(&places);
	}
	if (!p->log->n) {
		f = finding_make(FINDING_OK, "none");
	} else {
		f = finding_make(p->n_mistakes ? FINDING_NO : FINDING_WARN, "%zu%s", p->log->n,
				 p->n_mistakes ? ", which end the start"
					       : "; what they are in is left out");
	}
	doctor_put(d, "faults", &f);
	for (size_t i = 0; i < p->log->n; i++)
		doctor_put_fact(d, "", "%s", p->log->line[i].text);
}

static void summarize(struct doctor *d)
{
	size_t n = d->patient->screens->n;

	strbuf_addch(d->out, '\n');
	if (d->n_limits)
		strbuf_addf(d->out, "%d thing%s limit%s tiptop here", d->n_limits,
			    plural(d->n_limits), d->n_limits == 1 ? "s" : "");
	else
		strbuf_addstr(d->out, d->n_whole_screens == n ? "all is well"
							      : "nothing limits tiptop here");
	strbuf_addf(d->out, "; %zu of %zu screen%s can show all of %s columns\n",
		    d->n_whole_screens, n, plural((long)n), n == 1 ? "its" : "their");
}

void doctor_report(struct strbuf *out, const struct doctor_patient *patient)
{
	struct doctor d = {.out = out, .patient = patient};

	strbuf_addf(out, "tiptop %s\n", PACKAGE_VERSION);
	rights_read(&d.rights, patient->sys);
	refusal_try_hardware(patient->sys, false, &d.all_modes, &d.hardware);
	doctor_check_cpu(&d);
	doctor_check_pmus(&d);
	doctor_check_rights(&d);
	doctor_check_hardware(&d);
	doctor_check_descriptors(&d);
	doctor_check_screens(&d);
	check_configuration(&d);
	summarize(&d);
}

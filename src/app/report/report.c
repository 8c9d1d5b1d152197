/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "config.h"

#include "app/report/report.h"

#include <stdio.h>
#include <unistd.h>

#include "app/report/part.h"
#include "check/privilege.h"
#include "check/refusal.h"
#include "conf/xml.h"

static const char *plural(long n)
{
	return n == 1 ? "" : "s";
}

static void put(struct report *r, const char *label, struct finding f)
{
	report_put(r, label, &f);
}

void report_check_rights(struct report *r)
{
	const struct rights *rights = &r->rights;
	char program[128];

	privilege_find_program(program, sizeof program);
	report_section(r, "Permissions");
	report_put_fact(r, "kernel", "Linux %s%s", rights->release,
			rights->version < 5008 ? "; CAP_PERFMON came with Linux 5.8" : "");
	put(r, "level", rights_find_level(rights));
	put(r, "capabilities", rights_find_caps(rights));
	put(r, "seccomp", rights_find_seccomp(rights));
	put(r, "container", rights_find_container(rights));
	put(r, "own tasks", rights_find_own(rights, program));
	if (rights->user_ret)
		return;
	put(r, "in kernel", rights_find_kernel(rights));
	put(r, "new threads", rights_find_threads(rights));
	put(r, "others", rights_find_others(rights, program));
}

static void check_configuration(struct report *r)
{
	const struct report_subject *p = r->subject;
	struct strbuf places;
	struct finding f;

	report_section(r, "Configuration");
	if (p->conf_file) {
		report_put_fact(r, "file", "%s", p->conf_file);
	} else if (!p->n_mistakes) {
		strbuf_init(&places);
		conf_add_places(&places);
		report_put_fact(r, "file", "none; looked for %s", places.text);
		strbuf_done(&places);
	}
	if (!p->log->n) {
		f = finding_make(FINDING_OK, "none");
	} else {
		f = finding_make(p->n_mistakes ? FINDING_NO : FINDING_WARN, "%zu%s", p->log->n,
				 p->n_mistakes ? ", which end the start"
					       : "; what they are in is left out");
	}
	report_put(r, "faults", &f);
	for (size_t i = 0; i < p->log->n; i++)
		report_put_fact(r, "", "%s", p->log->line[i].text);
}

static void summarize(struct report *r)
{
	size_t n = r->subject->screens->n;

	strbuf_addch(r->out, '\n');
	if (r->n_limits)
		strbuf_addf(r->out, "%d thing%s limit%s tiptop here", r->n_limits,
			    plural(r->n_limits), r->n_limits == 1 ? "s" : "");
	else
		strbuf_addstr(r->out, r->n_whole_screens == n ? "all is well"
							      : "nothing limits tiptop here");
	strbuf_addf(r->out, "; %zu of %zu screen%s can show all of %s columns\n",
		    r->n_whole_screens, n, plural((long)n), n == 1 ? "its" : "their");
}

void report_write(struct strbuf *out, const struct report_subject *subject)
{
	struct report r = {.out = out, .subject = subject};

	strbuf_addf(out, "tiptop %s\n", PACKAGE_VERSION);
	rights_read(&r.rights, subject->sys);
	refusal_try_hardware(subject->sys, false, &r.hardware);
	report_check_cpu(&r);
	report_check_pmus(&r);
	report_check_rights(&r);
	report_check_hardware(&r);
	report_check_descriptors(&r);
	report_check_screens(&r);
	check_configuration(&r);
	summarize(&r);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of doctor: which screens have their counters here, and why others have not. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/doctor_part.h"
#include "pmu/check/refusal.h"
#include "screen/bind/counters.h"

/* Whether the counter can be had on some kind of cores; else the sentence says why its first event
 * cannot. *hardware: it is one of the PMU. */
static bool can_have(struct event_set *set, int counter, struct perf_sys *sys, bool *hardware,
		     struct err *err)
{
	for (int i = set->n; i-- > 0;) {
		struct event *e = &set->event[i];
		struct refusal_attempt attempt = {.event = e->what,
						  .kernel = set->kernel,
						  .hardware = event_is_hardware(e),
						  .absent = e->absent};
		int fd;

		if (e->counter != counter)
			continue;
		*hardware = event_is_hardware(e) && e->quality == QUALITY_EXACT;
		if (e->quality != QUALITY_EXACT) {
			err_set(err, 1, "none of the events declared for it is known here");
			continue;
		}
		fd = event_probe(sys, set, i);
		if (fd >= 0) {
			sys->close(sys, fd);
			return true;
		}
		attempt.no_modes = e->all_modes;
		attempt.untried = e->modes_denied;
		refusal_explain(fd, &attempt, err);
	}
	return false;
}

/* The counters that the columns use, as a mask: bit c is counter c. Columns that were left out had
 * others. */
static uint64_t used_counters(const struct screen *screen)
{
	uint64_t used = 0;

	for (size_t i = 0; i < screen->n_columns; i++)
		for (size_t k = 0; k < expr_n_refs(screen->column[i].expr); k++) {
			int symbol = expr_ref_at(screen->column[i].expr, k).symbol;

			if (symbol < SYMBOL_VARIABLE)
				used |= 1ull << symbol;
		}
	return used;
}

/* The missing counters of a screen: names, where one known cause explains them, and a line for each
 * of the others. */
struct missing {
	int n, of;
	struct strbuf names;
	struct strbuf lines; /* each line ends with '\0' */
};

static void find_missing(struct doctor *d, struct event_set *set, const struct screen *screen,
			 struct missing *m)
{
	uint64_t used = used_counters(screen);

	for (int c = 0; c < set->n_counters; c++) {
		const char *alias = screen->alias[c];
		struct err err = ERR_INIT;
		bool hardware = false;

		if (!(used >> c & 1))
			continue;
		m->of++;
		if (can_have(set, c, d->patient->sys, &hardware, &err))
			continue;
		m->n++;
		if (d->rights.user_ret || (d->hardware.code && hardware)) {
			strbuf_addf(&m->names, "%s%s", m->names.len ? ", " : "", alias);
		} else {
			strbuf_addf(&m->lines, "%s: %s", alias, err.text);
			strbuf_addch(&m->lines, '\0');
		}
	}
}

static void put_missing(struct doctor *d, const char *label, const struct missing *m)
{
	enum finding_mark mark = m->n == m->of ? FINDING_NO : FINDING_WARN;
	const char *why =
		d->rights.user_ret ? "nothing may be counted" : "there are no hardware counters";
	struct finding f;

	if (m->names.len)
		f = finding_make(mark, "%s: %s", why, m->names.text);
	else
		f = finding_make(mark, "%d of %d counters cannot be had", m->n, m->of);
	doctor_put_consequence(d, label, &f);
	for (size_t i = 0; i < m->lines.len; i += strlen(m->lines.text + i) + 1)
		doctor_put_fact(d, "", "%s", m->lines.text + i);
}

static void check_screen(struct doctor *d, size_t index)
{
	const struct screen *screen = d->patient->screens->v[index];
	struct missing missing = {.n = 0};
	struct event_set set;
	struct finding f;
	const struct doctor_patient *p = d->patient;
	const struct offer offer = offer_live(p->machine, p->sys, p->kernel);
	char *label = xasprintf("%d %s", screen->number, screen->name);

	strbuf_init(&missing.names);
	strbuf_init(&missing.lines);
	counters_make_set(&set, screen, &offer);
	find_missing(d, &set, screen, &missing);
	if (missing.n) {
		put_missing(d, label, &missing);
	} else {
		d->n_whole_screens++;
		if (missing.of)
			f = finding_make(FINDING_OK, "%d counter%s", missing.of,
					 missing.of == 1 ? "" : "s");
		else
			f = finding_make(FINDING_OK, "needs no counter");
		doctor_put(d, label, &f);
	}
	event_set_done(&set);
	strbuf_done(&missing.names);
	strbuf_done(&missing.lines);
	free(label);
}

void doctor_check_screens(struct doctor *d)
{
	const struct doctor_patient *p = d->patient;

	doctor_section(d, "Screens");
	for (size_t i = 0; i < p->screens->n; i++)
		check_screen(d, i);
	for (size_t i = 0; i < p->hidden->n; i++) {
		const struct screen *s = p->hidden->v[i];

		if (s->other_rows || s->left_out)
			doctor_put_fact(d, s->name, "%s", screen_why_hidden(s));
		else
			doctor_put_fact(d, s->name, "not for this processor%s%s",
					s->needs ? ": " : "", s->needs ? s->needs : "");
	}
	if (!p->screens->n && !p->hidden->n)
		doctor_put_fact(d, "none", "they are looked at once the configuration can be read");
}

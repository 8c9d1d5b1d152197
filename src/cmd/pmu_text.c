/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/pmu_text.h"

#include <stdlib.h>
#include <string.h>

/* What Intel's PMUs say they are. */
#define NAME_KEY "pmu_name="

void pmu_text_add(struct strbuf *out, const struct pmu_info *pmu, const struct pmu_counters *c)
{
	const char *name = strstr(pmu->caps, NAME_KEY);

	if (out->len)
		strbuf_addstr(out, ", ");
	/* Where kinds of cores differ, their names tell which is which. */
	if (name && !strncmp(pmu->name, "cpu", sizeof "cpu"))
		strbuf_add(out, name + strlen(NAME_KEY), strcspn(name + strlen(NAME_KEY), " "));
	else
		strbuf_addstr(out, pmu->name);
	if (c->scheme == SCHEME_NONE || c->n_general <= 0)
		return;
	strbuf_addf(out, " %d", c->n_general);
	if (c->n_fixed > 0)
		strbuf_addf(out, "+%d", c->n_fixed);
}

char *pmu_text_new(const struct machine *m)
{
	struct pmu_info_list pmus;
	struct strbuf text;

	strbuf_init(&text);
	pmu_info_read(&pmus, m);
	for (size_t i = 0; i < pmus.n; i++) {
		struct pmu_counters c;

		if (pmus.v[i].kind != PMU_CORE)
			continue;
		pmu_counters_read(&c, pmus.v[i].cpus);
		pmu_text_add(&text, &pmus.v[i], &c);
	}
	pmu_info_done(&pmus);
	if (text.len)
		return text.text;
	strbuf_done(&text);
	return NULL;
}

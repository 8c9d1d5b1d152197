/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of story: what is not known of the span, in sentences. */
#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "diagnose/story_part.h"

struct sayer {
	void (*say)(void *context, const char *text);
	void *context;
	struct strbuf text;
};

/* Says the sentence that is in text, which is empty then. */
static void say(struct sayer *to)
{
	to->say(to->context, to->text.text);
	strbuf_reset(&to->text);
}

/* Of a fact, it need not have been the kernel. */
static const char *reason(enum quality why)
{
	return why == QUALITY_NOT_READ ? "not read, as no column that was shown needs it, or the "
					 "kernel does not tell it"
				       : quality_table[why].text;
}

/* What is told only by who looks at the task itself. */
static bool is_looked_for(const struct metric_row *m)
{
	return m->look && !m->expr && !m->n_from;
}

static double share_of(const struct story *s, size_t metric, enum quality why)
{
	if (is_looked_for(rules_metric(s->rules, metric)) || s->judged_ns <= 0)
		return 0;
	return round(100 * s->unknown[metric].cpu_ns[why] / s->judged_ns);
}

/* Metrics that were unknown for the same reason and as long are one sentence. */
static void say_metrics(struct sayer *to, const struct story *s, enum quality why)
{
	const size_t n = rules_n_metrics(s->rules);

	for (int share = 100; share >= 1; share--) {
		const char *between = "";

		for (size_t i = 0; i < n; i++) {
			if (share_of(s, i, why) != share)
				continue;
			strbuf_addf(&to->text, "%s%s", between, rules_metric(s->rules, i)->desc);
			between = ", ";
		}
		if (!*between)
			continue;
		strbuf_addf(&to->text, ": %s", reason(why));
		if (share < 100)
			strbuf_addf(&to->text, " (%d %% of the judged time)", share);
		say(to);
	}
}

static void say_culprit(struct sayer *to, const struct story *s)
{
	if (!s->no_culprit)
		return;
	strbuf_addf(&to->text, "who may have disturbed tasks whose IPC dropped: it takes %s",
		    s->no_culprit);
	say(to);
}

static void say_time(struct sayer *to, const struct story *s)
{
	if (s->n_gaps) {
		strbuf_addf(&to->text, "counting began anew %zu time%s: of %.1f s nothing is known",
			    s->n_gaps, s->n_gaps == 1 ? "" : "s", s->gap_ns / 1e9);
		say(to);
	}
	if (s->least_share < 1) {
		strbuf_addf(
			&to->text,
			"counters took turns: some were on their PMU for %.0f %% of the time only, "
			"and their counts are extrapolated",
			100 * (double)s->least_share);
		say(to);
	}
	if (s->n_left_out) {
		strbuf_addf(&to->text, "up to %zu processes were there that nobody asked for",
			    s->n_left_out);
		say(to);
	}
}

void story_each_lack(const struct story *s, void (*each)(void *context, const char *text),
		     void *context)
{
	struct sayer to = {each, context, {.text = NULL}};

	strbuf_init(&to.text);
	say_time(&to, s);
	for (int why = QUALITY_FIRST_NONE; why < N_QUALITIES; why++)
		say_metrics(&to, s, (enum quality)why);
	say_culprit(&to, s);
	strbuf_addstr(&to.text,
		      "what a look at a task tells is not kept: where it sleeps, quotas of "
		      "its control group, pressure");
	say(&to);
	strbuf_addstr(&to.text, "a task that began and ended between two samples was not seen");
	say(&to);
	if (s->n_ended > s->n_exits) {
		strbuf_addstr(&to.text,
			      s->n_exits ? "how the others ended is told to their parents only"
					 : "how a task ended is told to its parent only");
		say(&to);
	}
	if (!s->kills_known) {
		strbuf_addstr(
			&to.text,
			"whether the kernel killed processes for want of memory is not known");
		say(&to);
	}
	strbuf_done(&to.text);
}

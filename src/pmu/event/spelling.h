/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * spelling - an event as perf(1) spells it, in the spelling of event_name_resolve(), by its text
 * alone.
 *
 * Terms between the '/': name= is a label; period=, freq= and metric-id= are for samples and
 * metrics of perf, and change no count. What has no other terms is the event before the '/':
 * "cycles/name=x/u" is "cycles:u". Modifiers behind the last '/' or ':' that change no count: p,
 * pp, ppp and P (precise samples), S (samples read a group), D (pinned), W (a weak group) and e
 * (exclusive). I (not while idle), b (counted by BPF) and R (latencies) would change it, and are
 * refused.
 *
 * Vendors have umasks of one capital letter. So S, D, W and e behind such a name are libpfm4's
 * first.
 */
#ifndef PMU_EVENT_SPELLING_H
#define PMU_EVENT_SPELLING_H

#include "base/err.h"
#include "base/strbuf.h"

struct event_spelling {
	char *name;            /* without label and ignored terms */
	char *label;           /* NULL: none is given */
	struct strbuf ignored; /* "period=100003, pp"; "": nothing is */
};

/* Reads an event without its phase. -EINVAL: a term would change the count in a way that cannot be
 * had. event_spelling_done() in any case. */
int event_spelling_read(struct event_spelling *s, const char *text, struct err *err);
void event_spelling_done(struct event_spelling *s);

/* What is said of these. */
#define EVENT_SPELLING_IGNORED "left out, since it changes no count: "

/* Appends what is ignored, with ", " between, unless it is there already. */
void event_spelling_add_ignored(struct strbuf *out, const char *ignored);
/* The same of each of these alternatives, which have ';' between. */
void event_spelling_collect_ignored(struct strbuf *out, const char *names);

/* Returns the length of a name without its modifiers, and where they have one, their ':' or '/'.
 * All of it where it has none. */
size_t event_spelling_tail(const char *name);
/* Checks modifiers. -EINVAL with a sentence that names the event: there is no such one, or it
 * cannot be had. */
int event_spelling_check(const char *name, const char *modifiers, struct err *err);
/* Returns the name with further modifiers, as of "{a,b}:u", which the caller frees. */
char *event_spelling_extend(const char *name, const char *modifiers);

#endif

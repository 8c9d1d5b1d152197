/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * perf_name - events in the words of perf(1): its names of the generic events of the kernel,
 * "cycles", "page-faults", "L1-dcache-load-misses", and its spelling of all events, which is
 * converted to that of event_name_resolve() by the text alone.
 */
#ifndef PMU_EVENT_PERF_NAME_H
#define PMU_EVENT_PERF_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/strbuf.h"

/* ---- generic events ---- */

/* Sets type and config (perf_event_attr) of the generic event with this name. Returns false, with
 * nothing set, if there is none. */
bool generic_find(const char *name, uint32_t *type, uint64_t *config);

/* Calls visit for each generic event with its first name; `also`: its second name, or NULL. The
 * texts are valid during the call. */
void generic_each(void (*visit)(void *context, const char *name, const char *also), void *context);

/* ---- spelling ----
 *
 * Converts an event from the spelling of perf(1) to that of event_name_resolve(), by its text
 * alone.
 *
 * Terms between the '/': name= is a label; period=, freq= and metric-id= are for samples and
 * metrics of perf, and do not change the count. A path with no other terms is the event before the
 * '/': "cycles/name=x/u" is "cycles:u". Modifiers after the last '/' or ':' that do not change the
 * count: p, pp, ppp and P (precise samples), S (samples read a group), D (pinned), W (a weak group)
 * and e (exclusive). I (not while idle), b (counted by BPF) and R (latencies) would change it, and
 * are refused.
 *
 * Vendors have umasks of one capital letter. So after a vendor's name, S, D, W and e are left to
 * libpfm4.
 */

struct event_spelling {
	char *name;            /* without label and ignored terms */
	char *label;           /* NULL: none */
	struct strbuf ignored; /* "period=100003, pp"; "": none */
};

/* Parses an event without its phase. -EINVAL: a term would change the count in an unsupported way.
 * Call event_spelling_done() in any case. */
int event_spelling_read(struct event_spelling *s, const char *text, struct err *err);
void event_spelling_done(struct event_spelling *s);

/* The message about ignored terms and modifiers. */
#define EVENT_SPELLING_IGNORED "left out, since it changes no count: "

/* Appends ignored terms and modifiers to a list that ", " separates, unless the list already
 * contains this text. */
void event_spelling_add_ignored(struct strbuf *out, const char *ignored);
/* Appends to the list, in the same way, the ignored terms and modifiers of each name in `names`;
 * ';' separates these names. */
void event_spelling_collect_ignored(struct strbuf *out, const char *names);

/* Returns the length of a name without its modifiers and the ':' or '/' before them; the whole
 * length if the name has no modifiers. */
size_t event_spelling_tail(const char *name);
/* Checks modifiers. -EINVAL, with a sentence that names the event: a modifier does not exist or is
 * not supported. */
int event_spelling_check(const char *name, const char *modifiers, struct err *err);
/* Returns the name with further modifiers added, as "{a,b}:u" adds u to a and to b; the caller
 * frees it. */
char *event_spelling_extend(const char *name, const char *modifiers);

#endif

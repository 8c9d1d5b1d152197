/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/lock_name.h"

#include <inttypes.h>

static const char *const kind_names[LOCKS_N_KINDS] = {"mutex",     "rwlock",  "spin", "cond",
						      "semaphore", "barrier", "futex"};

void locks_name_add_caller(struct resolver *names, struct strbuf *out, uint64_t caller)
{
	/* A caller is a return address: the call is before it. */
	if (!caller)
		strbuf_addstr(out, "-");
	else if (!resolver_add_name(names, out, caller - 1) &&
		 !resolver_add_file(names, out, caller - 1))
		strbuf_addf(out, "0x%" PRIx64, locks_place_address(caller));
}

bool locks_name_add_source(struct resolver *names, struct strbuf *out, uint64_t caller)
{
	return caller && resolver_add_line(names, out, caller - 1);
}

void locks_name_add(struct resolver *names, struct strbuf *out, const struct locks_instance *i)
{
	if (!i) {
		strbuf_addstr(out, "other");
	} else if (i->several ||
		   !resolver_add_name(names, out, locks_place(i->address, i->layer))) {
		strbuf_addch(out, '[');
		locks_name_add_caller(names, out, i->first_caller);
		strbuf_addch(out, ']');
	}
}

const char *locks_name_kind(const struct locks_instance *i, bool shared)
{
	if (!i)
		return "-";
	if (i->kind == LOCKS_RWLOCK)
		return shared ? "rwlock-read" : "rwlock-write";
	return kind_names[i->kind];
}

bool locks_name_knows_contended(const struct locks_instance *i)
{
	return !i || locks_is_held(i->kind);
}

bool locks_name_knows_owner(const struct locks_instance *i)
{
	return i && locks_name_knows_contended(i) && !i->several && !i->n_processes;
}

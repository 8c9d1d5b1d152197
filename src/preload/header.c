/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "preload/header.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "lib/clock.h"
#include "preload/seccomp_calls.h"

/* Says why there is no table, by an errno that the process has written. Returns -code. */
static int explain_failure(uint32_t error, int code, struct err *err)
{
	if (error == EFBIG)
		return err_set(err, code,
			       "was not begun: the program may not write a file that large: raise "
			       "its limit (ulimit -f)");
	if (error == ENOMEM)
		return err_set(
			err, code,
			"was not begun: the program may have too little address space: raise "
			"its limit (ulimit -v)");
	return err_set(err, code, "was not begun: %s", strerror((int)error));
}

int header_read(int fd, void *header, size_t size, const char *magic, size_t row_size,
		struct err *err)
{
	struct header_begin begin;
	int ret = file_read_at(fd, &begin, sizeof begin, 0, err);

	/* Of a process that runs, it may get its size in a moment. */
	if (ret == -ENODATA && !lseek(fd, 0, SEEK_END))
		return explain_failure(EFBIG, ENODATA, err);
	if (!ret && !memcmp(begin.magic, HEADER_FAILED, sizeof begin.magic))
		return explain_failure(begin.header_size, ECANCELED, err);
	if (!ret)
		ret = file_read_at(fd, header, size, 0, err);
	if (ret)
		return ret;
	memcpy(&begin, header, sizeof begin);
	if (!begin.magic[0])
		return err_set(err, ENOMEM,
			       "was not begun: there was no memory for it in its folder (tmpfs)");
	if (memcmp(begin.magic, magic, sizeof begin.magic) != 0)
		return err_set(err, EBADMSG, "is of another version of tiptop");
	if (begin.header_size != size || begin.row_size != row_size)
		return err_set(err, EBADMSG, "is damaged");
	return 0;
}

static bool add_sentence(struct strbuf *out, uint32_t lacking, uint64_t ns)
{
	const char *name = seccomp_calls_name(lacking);

	if (name)
		strbuf_addf(out,
			    "measuring stopped after %.3f s: the program set a filter of system "
			    "calls that does not allow %s",
			    (double)ns / 1e9, name);
	return name;
}

bool header_tell_stop(struct strbuf *out, uint32_t lacking, uint64_t ticks, uint64_t ns_per_tick)
{
	strbuf_reset(out);
	return add_sentence(out, lacking, tt_multiply(ticks, ns_per_tick));
}

void header_add_stop(struct strbuf *out, uint32_t lacking, uint64_t ns)
{
	if (!seccomp_calls_name(lacking))
		return;
	strbuf_addstr(out, "#   ");
	add_sentence(out, lacking, ns);
	strbuf_addstr(out, "\n");
}

void header_tame_events(struct event_note *event, uint32_t n)
{
	for (uint32_t e = 0; e < n && e < EVENT_NOTES_MAX; e++) {
		event[e].name[EVENT_NOTE_NAME_MAX - 1] = '\0';
		text_tame(event[e].name, '?');
	}
}

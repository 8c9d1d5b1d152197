/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * save_rig - checks the effect of a change on a configuration file, byte for byte.
 *
 *   saves(what, before, change, after);   in an empty folder, where it writes "rc"
 */
#ifndef TESTS_SAVE_RIG_H
#define TESTS_SAVE_RIG_H

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "conf/write.h"
#include "write_rig.h"

static inline void save_put(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0 || write(fd, text, len) != (ssize_t)len || close(fd))
		tap_ok(false, "a file: %s", path);
}

static inline void save_get(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, size - 1);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
}

/* Reads the file as the program does at its start. */
static inline void save_begin(struct state *s, struct conf_base *base, const char *path,
			      const char *text, size_t len)
{
	struct strbuf faults;

	save_put(path, text, len);
	strbuf_init(&faults);
	read_state(s, text, len, &faults);
	strbuf_done(&faults);
	conf_base_init(base);
	conf_base_set(base, path, &(struct strbuf){(char *)text, len, 0});
}

typedef void save_change(struct state *s);

static inline void saves(const char *what, const char *before, save_change *make, const char *after)
{
	struct err err = ERR_INIT;
	struct conf_base base;
	char got[4096];
	struct state s;

	save_begin(&s, &base, "rc", before, strlen(before));
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), CONF_SAME,
		"%s: without a change nothing is written", what);
	make(&s);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), 0,
		"%s: it is written %s", what, err.text);
	save_get("rc", got, sizeof got);
	tap_str(got, after, "%s: nothing else has changed", what);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), CONF_SAME,
		"%s: then the file says all of it", what);
	state_done(&s);
	conf_base_done(&base);
}

#endif

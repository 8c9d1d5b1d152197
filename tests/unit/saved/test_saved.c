/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two saved reports of locks side by side. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "saved/change.h"
#include "tap.h"

#define PROGRAM "{\"type\":\"locks\",\"schema\":1}\n"
#define PHASE(n, mean, stddev)                                                                     \
	"{\"n\":" #n ",\"sum\":0,\"mean\":" #mean ",\"max\":9,\"stddev\":" #stddev "}"
#define LOCK(name, caller, n, contended, phase)                                                    \
	"{\"type\":\"lock\",\"name\":\"" name "\",\"kind\":\"mutex\",\"caller\":\"" caller         \
	"\",\"acquisitions\":" #n ",\"contended\":" #contended ",\"acquire\":" phase               \
	",\"hold\":" PHASE(0, null, null) ",\"release\":" PHASE(0, null, null) "}\n"

static char path[64];

/* The text as a file; its descriptor, which stays open. */
static int save(const char *text)
{
	int fd = memfd_create("report", MFD_CLOEXEC);

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		abort();
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return fd;
}

static void read_back(struct saved *s, const char *text)
{
	struct err err = ERR_INIT;
	int fd = save(text);

	tap_int(saved_read(s, path, &err), 0, "a report is read");
	tap_ok(saved_is_report(path), "and known by its begin");
	close(fd);
}

/* 1, 2 and 3 are two lines: 1 and 2, and 3. */
static void check_joined(void)
{
	struct saved s;

	read_back(&s, PROGRAM LOCK("q", "f+0x1", 2, 1, PHASE(2, 1.5, 0.70710678118654757))
			      LOCK("q", "f+0x22", 1, 1, PHASE(1, 3, null)));
	tap_int(s.n, 1, "one name, kind and function are one");
	tap_str(s.entry[0].caller, "f", "without the place in it");
	tap_ok(s.entry[0].count == 3 && s.entry[0].contended == 2, "with all acquisitions");
	tap_ok(fabs(s.entry[0].amount[0].mean - 2) < 1e-12, "the mean of all");
	tap_ok(fabs(saved_stddev(&s.entry[0].amount[0]) - 1) < 1e-12, "and their deviation");
	saved_done(&s);
}

/* As of a report of somebody else's. */
static void check_unknown(void)
{
	struct saved s;

	read_back(&s, PROGRAM LOCK("q", "f", 2, 1, PHASE(2, 1.5, null))
			      LOCK("q", "f", 9, 1, PHASE(9, 3, 1)));
	tap_ok(isnan(saved_stddev(&s.entry[0].amount[0])),
	       "a deviation that is not told is unknown, and so is that of all");
	tap_ok(fabs(s.entry[0].amount[0].mean - 30.0 / 11) < 1e-12, "their mean is known");
	saved_done(&s);
}

static void check_change(void)
{
	struct saved a, b;
	struct saved_change c = {.what = {"old", "new"}};
	struct strbuf text;

	strbuf_init(&text);
	read_back(&a, PROGRAM LOCK("gone", "g", 1, 0, PHASE(1, 7, null))
			      LOCK("same", "f", 4, 0, PHASE(4, 10, 2)));
	read_back(&b, PROGRAM LOCK("same", "f", 4, 2, PHASE(4, 15, 2))
			      LOCK("new", "f", 1, 0, PHASE(1, 8, null)));
	saved_change_make(&c, &a, &b);
	tap_int(c.n, 3, "all locks of both");
	tap_ok(c.row[0].ns == 20 && c.row[1].ns == 8 && c.row[2].ns == -7,
	       "what changed most comes first");
	tap_ok(!c.row[1].entry[0] && !c.row[2].entry[1], "what is in one only");
	saved_change_add(&c, SAVED_CSV, 1, &text);
	tap_str(strchr(text.text, '\n') + 1,
		"same,mutex,f,acquire,4,10.000,2.000,4,15.000,2.000,50.000,27.719,20.000\n"
		"same,mutex,f,hold,0,,,0,,,,,20.000\n"
		"same,mutex,f,release,0,,,0,,,,,20.000\n",
		"means, deviations, the change and its margin: 1.96 sqrt(4/4 + 4/4) of 10");
	strbuf_reset(&text);
	saved_change_add(&c, SAVED_JSON, 3, &text);
	tap_ok(strstr(text.text, "\"name\":\"gone\",\"kind\":\"mutex\",\"caller\":\"g\",\"a\":"
				 "\"old\",\"b\":null,\"change_ns\":-7,"),
	       "for programs");
	strbuf_reset(&text);
	saved_change_add(&c, SAVED_TEXT, 1, &text);
	tap_ok(strstr(text.text,
		      "same (mutex), acquired by f: +0.000 ms\n"
		      "   A 4 acquired (0.0 % contended)  B 4 acquired (50.0 % contended)\n"
		      "    acquire          10          2         15          2    +50.0%"
		      "     27.7%\n"),
	       "and for people");
	saved_change_done(&c);
	strbuf_done(&text);
	saved_done(&a);
	saved_done(&b);
}

static void refuse(const char *text, const char *sentence)
{
	struct err err = ERR_INIT;
	struct saved s;
	int fd = save(text);

	tap_int(saved_read(&s, path, &err), -EINVAL, "what is no report");
	tap_ok(strstr(err.text, sentence), "is refused: %s", err.text);
	saved_done(&s);
	close(fd);
}

int main(void)
{
	check_joined();
	check_unknown();
	check_change();
	refuse(PROGRAM "{\"type\":\"lock\",\"unit\":\"cycles\"}\n",
	       ":2: its times are in 'cycles', where only ns are known");
	refuse("", ": there is nothing in it");
	refuse(PROGRAM "{\"type\":\"call\"}\n", ":2: this is no line of a report that");
	refuse(PROGRAM LOCK("q", "f", 1, 0, PHASE(1, 1, 1)) "\n[1]\n", ":3: this is no line");
	refuse(PROGRAM "{\"type\":\"lock\",", ":2: this is no line");
	return tap_done();
}

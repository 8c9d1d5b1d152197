/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved reports of locks and of library calls, read back and compared. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "change_rig.h"
#include "golden.h"

#define PROGRAM "{\"type\":\"locks\",\"schema\":1}\n"
#define PHASE(n, mean, stddev)                                                                     \
	"{\"n\":" #n ",\"sum\":0,\"mean\":" #mean ",\"max\":9,\"stddev\":" #stddev "}"
#define CALLS "{\"type\":\"calls\",\"schema\":1}\n"
#define COUNTED                                                                                    \
	"{\"type\":\"calls\",\"events\":{\"cycles\":{\"user\":{}},\"x\":{}}}\n"                    \
	"{\"type\":\"part\",\"name\":\"library\"}\n{\"type\":\"group\",\"name\":\"io\"}\n"
#define CALL(name, n, mean, stddev, more)                                                          \
	"{\"type\":\"call\",\"name\":\"" name "\",\"group\":\"io\",\"calls\":" #n                  \
	",\"unit\":\"ns\",\"mean\":" #mean ",\"stddev\":" #stddev more "}\n"
#define CYCLES(user, kernel)                                                                       \
	",\"events\":{\"cycles\":{\"user\":{\"mean\":" #user "},\"kernel\":{\"mean\":" #kernel "}" \
	"}"                                                                                        \
	"}"
#define LOCK(name, caller, n, contended, phase)                                                    \
	"{\"type\":\"lock\",\"name\":\"" name "\",\"kind\":\"mutex\",\"caller\":\"" caller         \
	"\",\"acquisitions\":" #n ",\"contended\":" #contended ",\"acquire\":" phase               \
	",\"hold\":" PHASE(0, null, null) ",\"release\":" PHASE(0, null, null) "}\n"

static char path[64];
static const char *by; /* the event to compare; NULL: the time */

/* Writes a text to a file. Returns its descriptor, which must stay open. */
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

	tap_int(saved_read(s, path, by, &err), 0, "a report is read");
	tap_ok(saved_is_report(path), "and known by its begin");
	close(fd);
}

/* Durations 1, 2 and 3 in two rows: one has 1 and 2, the other 3. */
static void check_joined(void)
{
	struct saved s;

	read_back(&s, PROGRAM LOCK("q", "f+0x1", 2, 1, PHASE(2, 1.5, 0.70710678118654757))
			      LOCK("q", "f+0x22", 1, 1, PHASE(1, 3, null)));
	tap_int(s.n, 1, "one name, kind and function are one");
	tap_str(s.entry[0].key[2], "f", "without the place in it");
	tap_ok(s.entry[0].count == 3 && s.entry[0].contended == 2, "with all acquisitions");
	tap_ok(fabs(s.entry[0].amount[0].mean - 2) < 1e-12, "the mean of all");
	tap_ok(fabs(moments_sd(&s.entry[0].amount[0]) - 1) < 1e-12, "and their deviation");
	saved_done(&s);
}

/* A report without standard deviations, as another program may have written it. */
static void check_unknown(void)
{
	struct saved s;

	read_back(&s, PROGRAM LOCK("q", "f", 2, 1, PHASE(2, 1.5, null))
			      LOCK("q", "f", 9, 1, PHASE(9, 3, 1)));
	tap_ok(isnan(moments_sd(&s.entry[0].amount[0])),
	       "a deviation that is not told is unknown, and so is that of all");
	tap_ok(fabs(s.entry[0].amount[0].mean - 30.0 / 11) < 1e-12, "their mean is known");
	saved_done(&s);
}

struct two {
	struct saved of[2];
	struct saved_runs side[2];
};

static void change(struct saved_change *c, struct two *t, const char *a, const char *b)
{
	struct err err = ERR_INIT;

	read_back(&t->of[0], a);
	read_back(&t->of[1], b);
	for (int i = 0; i < 2; i++)
		t->side[i] =
			(struct saved_runs){.what = i ? "new" : "old", .run = &t->of[i], .n = 1};
	tap_int(saved_change_make(c, t->side, 2, false, &err), 0, "they are compared");
}

static void end(struct saved_change *c, struct two *t)
{
	saved_change_done(c);
	saved_done(&t->of[0]);
	saved_done(&t->of[1]);
}

static void check_change(void)
{
	struct two of;
	struct saved_change c;
	struct strbuf text;

	strbuf_init(&text);
	change(&c, &of,
	       PROGRAM LOCK("gone", "g", 1, 0, PHASE(1, 7, null))
		       LOCK("same", "f", 4, 0, PHASE(4, 10, 2)),
	       PROGRAM LOCK("same", "f", 4, 2, PHASE(4, 15, 2))
		       LOCK("new", "f", 1, 0, PHASE(1, 8, null)));
	tap_int(c.n, 3, "all locks of both");
	tap_ok(c.row[0].total.difference == 20 && c.row[1].total.difference == 8 &&
		       c.row[2].total.difference == -7,
	       "what changed most comes first");
	tap_ok(!c.row[1].entry[0] && !c.row[2].entry[1], "what is in one only");
	change_write(&c, REPORT_AS_CSV, 1, &text);
	tap_str(strchr(text.text, '\n') + 1,
		"same,mutex,f,acquisitions,,1,4.000,,1,4.000,,0.000,,20.000,\n"
		"same,mutex,f,acquire,ns,4,10.000,2.000,4,15.000,2.000,50.000,27.719,20.000,\n"
		"same,mutex,f,hold,ns,0,,,0,,,,,20.000,\n"
		"same,mutex,f,release,ns,0,,,0,,,,,20.000,\n",
		"means, deviations, the change and its margin: 1.96 sqrt(4/4 + 4/4) of 10");
	strbuf_reset(&text);
	change_write(&c, REPORT_AS_JSON, 3, &text);
	tap_ok(strstr(text.text, "\"name\":\"gone\",\"kind\":\"mutex\",\"caller\":\"g\",\"a\":"
				 "\"old\",\"b\":null,\"unit\":\"ns\",\"change\":-7,"),
	       "for programs");
	strbuf_reset(&text);
	change_write(&c, REPORT_AS_TEXT, 2, &text);
	tap_ok(strstr(text.text,
		      "same (mutex), acquired by f: +0.000 ms\n"
		      "    acquired          4          -          4          -     +0.0%         "
		      "-\n"
		      "    contended  A 0.0 %  B 50.0 %\n"
		      "    acquire          10          2         15          2    +50.0%"
		      "     27.7%\n"),
	       "and for people");
	tap_ok(strstr(text.text, "new (mutex), acquired by f: +0.000 ms, in B only\n"),
	       "who see what is in one only");
	strbuf_done(&text);
	end(&c, &of);
}

/* read() takes 5 * 300 ns more, write() 2 * 100 ns less. For one call no standard deviation exists,
 * and for 5 calls of read() it is missing in the report. */
static void check_calls(void)
{
	struct two of;
	struct saved_change c;
	struct strbuf text;

	strbuf_init(&text);
	change(&c, &of,
	       COUNTED CALL("write", 4, 100, 10, CYCLES(50, 20))
		       CALL("read", 5, 100, null, CYCLES(40, null)),
	       COUNTED CALL("write", 2, 100, 10, CYCLES(50, 30))
		       CALL("read", 5, 400, 30, CYCLES(60, null)));
	change_write(&c, REPORT_AS_CSV, 2, &text);
	tap_str(strchr(text.text, '\n') + 1,
		"read,io,,calls,,1,5.000,,1,5.000,,0.000,,1500.000,\n"
		"read,io,,self,ns,5,100.000,,5,400.000,30.000,300.000,,1500.000,\n"
		"read,io,,user,cycles,5,40.000,,5,60.000,,50.000,,1500.000,\n"
		"read,io,,kernel,cycles,5,,,5,,,,,1500.000,\n"
		"write,io,,calls,,1,4.000,,1,2.000,,-50.000,,-200.000,\n"
		"write,io,,self,ns,4,100.000,10.000,2,100.000,10.000,0.000,16.974,-200.000,\n"
		"write,io,,user,cycles,4,50.000,,2,50.000,,0.000,,-200.000,\n"
		"write,io,,kernel,cycles,4,20.000,,2,30.000,,50.000,,-200.000,\n",
		"calls by function, their times and what was counted: what is not told is unknown");
	strbuf_reset(&text);
	change_write(&c, REPORT_AS_JSON, 1, &text);
	tap_ok(strstr(text.text,
		      "{\"type\":\"call_change\",\"name\":\"read\",\"group\":\"io\",\"a\":\"old\""),
	       "for programs");
	strbuf_reset(&text);
	change_write(&c, REPORT_AS_TEXT, 1, &text);
	tap_ok(strstr(text.text, "ns, user and kernel are cycles of each; +- is") &&
		       strstr(text.text, "\nread (io): +0.002 ms\n    calls             5"),
	       "and for people");
	strbuf_done(&text);
	end(&c, &of);
}

/* 4 and 2 acquisitions of 30 and 40 cycles. The counts of holds are missing in the report. */
static void check_event(void)
{
	static const char locks[] =
		"{\"type\":\"locks\",\"events\":{\"cycles\":{},\"misses\":{}}}\n"
		"{\"type\":\"lock\",\"name\":\"q\",\"kind\":\"spin\",\"caller\":\"f\","
		"\"acquisitions\":%d,\"acquire\":{\"n\":%d,\"mean\":1},\"hold\":{\"n\":%d,"
		"\"mean\":1},\"release\":{\"n\":0},\"events\":{\"cycles\":{\"acquire\":{"
		"\"n\":%d,\"mean\":%d,\"stddev\":6},\"hold\":{\"n\":0}}}}\n";
	char a[sizeof locks + 64], b[sizeof locks + 64];
	struct two of;
	struct saved_change c;
	struct strbuf text;

	strbuf_init(&text);
	snprintf(a, sizeof a, locks, 4, 4, 4, 4, 30);
	snprintf(b, sizeof b, locks, 2, 2, 0, 2, 40);
	by = "cycles";
	change(&c, &of, a, b);
	change_write(&c, REPORT_AS_CSV, 1, &text);
	tap_str(strchr(text.text, '\n') + 1,
		"q,spin,f,acquisitions,,1,4.000,,1,2.000,,-50.000,,,\n"
		"q,spin,f,acquire,cycles,4,30.000,6.000,2,40.000,6.000,33.333,33.948,,\n"
		"q,spin,f,hold,cycles,4,,,0,,,,,,\n"
		"q,spin,f,release,cycles,0,,,0,,,,,,\n",
		"what an event counted in place of times, and what is not known of it");
	strbuf_reset(&text);
	end(&c, &of);
	change(&c, &of, COUNTED CALL("read", 5, 100, null, CYCLES(40, 10)),
	       COUNTED CALL("read", 6, 400, 30, CYCLES(60, 20)));
	change_write(&c, REPORT_AS_TEXT, 1, &text);
	tap_ok(strstr(text.text, "# Numbers are cycles of each; +- is") &&
		       strstr(text.text, "\nread (io): +230 cycles\n") &&
		       !strstr(text.text, "self"),
	       "of functions in both modes: 6 (60 + 20) - 5 (40 + 10)");
	strbuf_done(&text);
	end(&c, &of);
	by = NULL;
}

/* Events that only one side has, and reports of different kinds, are not compared. */
static void check_unlike(void)
{
	struct two of;
	struct saved_change c;
	struct err err = ERR_INIT;
	char sentence[200];

	change(&c, &of, COUNTED CALL("read", 1, 1, null, CYCLES(1, 1)),
	       CALLS CALL("read", 1, 1, null, ""));
	tap_ok(c.amount[0].unit && !c.amount[1].unit && !c.amount[2].unit,
	       "an event of one side is not compared");
	end(&c, &of);
	read_back(&of.of[0], PROGRAM);
	read_back(&of.of[1], CALLS);
	snprintf(sentence, sizeof sentence,
		 "'%s' is a report of tiptop locks, and '%s' of tiptop calls: they cannot be "
		 "compared",
		 of.of[0].path, of.of[1].path);
	tap_int(saved_change_make(&c, of.side, 2, false, &err), -EINVAL, "nor are other reports");
	tap_str(err.text, sentence, "which is said");
	end(&c, &of);
}

/* Compares the output in each format with tests/golden/change/NAME-FORMAT.txt. */
static void check_golden(const struct saved_change *c, const char *name, int formats)
{
	struct strbuf text;
	char file[64];

	strbuf_init(&text);
	for (int i = 0; i < formats; i++) {
		snprintf(file, sizeof file, "%s-%s", name, report_formats[i].name);
		strbuf_reset(&text);
		change_write(c, (enum report_format_id)i, c->n, &text);
		golden_check("change", file, text.text);
	}
	strbuf_done(&text);
}

/* A: runs of 1, 2 and 3 calls that take 100, 200 and 300 ns each. B: runs of 0, 4 and 5 calls that
 * take 500 and 600 ns each. The sums are 100, 400, 900, and 0, 2000, 3000. By Welch, with 2 degrees
 * of freedom, their means differ by 1200, less than 4.30265 sqrt(163333 / 3 + 2333333 / 3); the
 * numbers of calls, 2 and 3, by less than 4.30265 sqrt(1 / 3 + 7 / 3). */
static void check_runs(void)
{
	static const char *const text[] = {
		CALLS CALL("read", 1, 100, null, ""), CALLS CALL("read", 2, 200, 9, ""),
		CALLS CALL("read", 3, 300, 9, ""),    CALLS,
		CALLS CALL("read", 4, 500, 9, ""),    CALLS CALL("read", 5, 600, 9, ""),
	};
	char word[2][200] = {"", ""};
	struct saved_runs side[2];
	struct saved_change c;
	struct err err = ERR_INIT;
	struct strbuf out;
	int fd[6];

	strbuf_init(&out);
	for (size_t i = 0; i < 6; i++) {
		char *w = word[i / 3];

		fd[i] = save(text[i]);
		snprintf(w + strlen(w), sizeof word[0] - strlen(w), "%s%s", i % 3 ? "," : "", path);
	}
	tap_ok(saved_is_report(word[0]) && saved_is_report(path), "reports are known");
	tap_ok(!saved_is_report("/dev/null,b") && !saved_is_report(""), "and others");
	tap_ok(!saved_runs_read(&side[0], word[0], NULL, &err) &&
		       !saved_runs_read(&side[1], word[1], NULL, &err) && side[1].n == 3,
	       "several runs are read");
	tap_int(saved_change_make(&c, side, 2, false, &err), 0, "and compared");
	change_write(&c, REPORT_AS_CSV, 1, &out);
	tap_str(strchr(out.text, '\n') + 1,
		"read,io,,calls,,3,2.000,1.000,3,3.000,2.646,50.000,351.310,1200.000,3925.147\n"
		"read,io,,self,ns,3,200.000,100.000,2,550.000,70.711,175.000,,1200.000,3925.147\n",
		"each run is a number; where there was no call, there is no time of one");
	strbuf_reset(&out);
	change_write(&c, REPORT_AS_TEXT, 1, &out);
	tap_ok(strstr(out.text, "\nread (io): +0.001 +- 0.004 ms\n"), "the margin of all");
	side[0].what = "old";
	side[1].what = "new";
	check_golden(&c, "runs", 2);
	tap_ok(strstr(out.text, "; means of runs; CHANGE is their difference, +- the change that "
				"chance explains.\n"),
	       "and what numbers are");
	saved_change_done(&c);
	/* The margins are those of the differences -1, 2, 2 and -100, 1600, 2100, by t of 2. */
	tap_int(saved_change_make(&c, side, 2, true, &err), 0, "as pairs");
	strbuf_reset(&out);
	change_write(&c, REPORT_AS_CSV, 1, &out);
	tap_str(strchr(out.text, '\n') + 1,
		"read,io,,calls,,3,2.000,1.000,3,3.000,2.646,50.000,215.133,1200.000,2864.847\n"
		"read,io,,self,ns,3,200.000,100.000,2,550.000,70.711,150.000,,1200.000,2864.847\n",
		"run i of B less run i of A; only two pairs have a time");
	strbuf_done(&out);
	saved_change_done(&c);
	saved_runs_done(&side[0]);
	saved_runs_done(&side[1]);
	for (size_t i = 0; i < 6; i++)
		close(fd[i]);
}

static void refuse(const char *text, const char *sentence)
{
	struct err err = ERR_INIT;
	struct saved s;
	int fd = save(text);

	tap_int(saved_read(&s, path, by, &err), -EINVAL, "what is no report");
	tap_ok(strstr(err.text, sentence), "is refused: %s", err.text);
	saved_done(&s);
	close(fd);
}

static void check_formats_of(const char *name, const char *a, const char *b)
{
	struct saved_change c;
	struct two of;

	change(&c, &of, a, b);
	check_golden(&c, name, 3);
	end(&c, &of);
}

#define REGION(label, time, event)                                                                 \
	"{\"type\":\"region\",\"label\":\"" label "\",\"pid\":7,\"host\":\"h\",\"started\":"       \
	"\"now\",\"calls\":3,\"events\":{\"time-ns\":{\"mean\":" #time                             \
	",\"stddev\":null},\"instructions\":{\"mean\":" #event "}}}\n"

/* Labels of regions are not cut, as users chose them. The offset at the end of a lock's name is
 * cut. */
static void check_names(void)
{
	struct saved s;

	read_back(&s, REGION("a+0x1", 200, 4000) REGION("a+0x2", 200, 4000));
	tap_int(s.n, 2, "labels that end like addresses are two");
	tap_str(s.entry[0].key[0], "a+0x1", "and are not cut");
	saved_done(&s);
	read_back(&s, PROGRAM LOCK("[f+0x10]", "f+0x1", 2, 1, PHASE(2, 1.5, null))
			      LOCK("[f+0x1f]", "f+0x2", 2, 1, PHASE(2, 1.5, null))
				      LOCK("a+0x1 b", "f", 2, 1, PHASE(2, 1.5, null)));
	tap_int(s.n, 2, "locks of one function are one");
	tap_str(s.entry[0].key[0], "[f]", "without the place in it");
	tap_str(s.entry[1].key[0], "a+0x1 b", "what stands amid a name is part of it");
	saved_done(&s);
}

/* No standard deviations: JSON has all digits of margins, the last of which depend on the
 * machine. */
static void check_formats(void)
{
	check_formats_of("locks",
			 PROGRAM LOCK("gone, \\u001b[m", "", 1, 0, PHASE(1, 7, null))
				 LOCK("same", "f", 4, 1, PHASE(4, 10.125, null))
					 LOCK("even", "f", 4, 1, PHASE(4, 10, null)),
			 PROGRAM LOCK("same", "f", 4, null, PHASE(4, 15, null))
				 LOCK("even", "f", 4, 1, PHASE(4, 10, null))
					 LOCK("a-new-lock-of-a-long-name", "of, \\\"this\\\"",
					      123456789012, 7, PHASE(123456789012, 1234567, null)));
	check_formats_of("calls",
			 COUNTED CALL("write", 4, 100, null, CYCLES(50, 20))
				 CALL("read", 5, 100, null, CYCLES(40, null)),
			 COUNTED CALL("write", 2, 100, null, CYCLES(50, 30))
				 CALL("read", 5, 400, null, CYCLES(60, null)));
	check_formats_of("regions", REGION("load", 200, 4000), REGION("load", 150, 3000));
	check_formats_of("empty", CALLS, CALLS);
	by = "cycles";
	check_formats_of("event", COUNTED CALL("read", 5, 100, null, CYCLES(40, 10)),
			 COUNTED CALL("read", 6, 400, 30, CYCLES(60, 20)));
	by = NULL;
}

int main(void)
{
	check_joined();
	check_unknown();
	check_change();
	check_calls();
	check_event();
	check_unlike();
	check_runs();
	check_names();
	check_formats();
	refuse(PROGRAM "{\"type\":\"lock\",\"unit\":\"cycles\"}\n",
	       ":2: its times are in 'cycles', where only ns are known");
	refuse(CALLS "{\"type\":\"lock\"}\n", "report that 'tiptop calls --format json' writes");
	refuse("", ": the file is empty");
	refuse(PROGRAM "{\"type\":\"call\"}\n", ":2: this is not a line of a report that");
	refuse(PROGRAM LOCK("q", "f", 1, 0, PHASE(1, 1, 1)) "\n[1]\n", ":3: this is not a line");
	refuse(PROGRAM "{\"type\":\"lock\",", ":2: this is not a line");
	by = "x\033";
	refuse(COUNTED, "' has not counted 'x?', but 'cycles', 'x'");
	refuse(PROGRAM, "' has counted no events: 'tiptop locks -e' does so");
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Metrics and verdicts of users' files: what they inherit from the ones they replace, and which
 * ones are refused. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "conf/xml.h"
#include "tap.h"

struct result {
	struct screen_list screens;
	struct own_table own;
	struct verdict_own verdicts;
	struct strbuf faults;
};

static void note(void *context, int line, const struct err *err)
{
	struct result *r = context;

	strbuf_addf(&r->faults, "%d %s: %s\n", line, err->code == ENOENT ? "unknown" : "wrong",
		    err->text);
}

static void add_file(struct result *r, const char *path, const char *text)
{
	const struct conf_into into = {
		.screens = &r->screens, .own = &r->own, .verdicts = &r->verdicts};
	int fd = memfd_create(path, MFD_CLOEXEC);
	struct err err = ERR_INIT;

	if (write(fd, text, strlen(text)) < 0 || lseek(fd, 0, SEEK_SET))
		tap_ok(false, "a file in memory");
	tap_int(conf_read(fd, path, &into, note, r, &err), 0, "%s is read %s", path, err.text);
	close(fd);
}

static void begin(struct result *r)
{
	memset(r, 0, sizeof *r);
	own_table_init(&r->own, &event_table_built_in);
	strbuf_init(&r->faults);
	strbuf_addstr(&r->faults, "");
}

static void end(struct result *r)
{
	screen_list_done(&r->screens);
	own_table_done(&r->own);
	verdict_own_done(&r->verdicts);
	strbuf_done(&r->faults);
}

static void test_replace(void)
{
	const struct verdict_row *row, *built_in;
	struct result r;

	begin(&r);
	built_in = verdict_own_find(&r.verdicts, "queue");
	add_file(&r, "rc",
		 "<tiptop>\n"
		 "<verdict name='queue' replace='yes' when='queue &gt;= 20' surer=''/>\n"
		 "</tiptop>");
	row = verdict_own_find(&r.verdicts, "queue");
	tap_str(r.faults.text, "", "no faults");
	tap_str(row->when, "queue >= 20", "what is given is taken");
	tap_str(row->word, built_in->word, "what is not stays: its word");
	tap_str(verdict_own_find(&r.verdicts, "queue-pressure")->covers, "queue",
		"one of the built-in ones covers another");
	tap_str(row->surer, "", "what is given as nothing is nothing");
	tap_str(row->place, "rc:2", "it knows where it stands");
	tap_ok(row->n_next == built_in->n_next && row->next == built_in->next,
	       "its next steps, too");
	add_file(&r, "another",
		 "<tiptop><verdict name='queue' replace='yes' word='runs late'>\n"
		 "<next run='top' why='who else'/><next run='ps' why='the "
		 "same'/></verdict></tiptop>");
	row = verdict_own_find(&r.verdicts, "queue");
	tap_str(row->word, "runs late", "one of a later file");
	tap_str(row->when, "queue >= 20", "goes on with that of the file before");
	tap_int((long)row->n_next, 2, "it has steps of its own");
	tap_str(row->next[1].run, "ps", "and all of them");
	tap_int((long)r.verdicts.table.n_verdicts, 1, "they are one rule");
	end(&r);
}

static void test_metric(void)
{
	const struct metric_row *row;
	struct result r;

	begin(&r);
	add_file(&r, "rc",
		 "<tiptop>\n"
		 "<metric name='resident' unit='MiB' format='%.0f' desc='memory in RAM'"
		 " expr='RSS_KB / 1024'/>\n"
		 "<metric name='ipc' replace='yes'><from screen='mine' column='ipc' times='2'/>\n"
		 "</metric>\n"
		 "<metric name='queue' replace='yes' single='yes'/>\n"
		 "</tiptop>");
	tap_str(r.faults.text, "", "no faults");
	row = verdict_own_find_metric(&r.verdicts, "resident");
	tap_str(row ? row->expr : "", "RSS_KB / 1024", "a metric of one's own");
	row = verdict_own_find_metric(&r.verdicts, "ipc");
	tap_ok(row->n_from == 1 && !strcmp(row->from->screen, "mine") &&
		       !strcmp(row->from->times, "2"),
	       "one that comes from another column");
	tap_str(row->desc, "IPC", "is what it was");
	row = verdict_own_find_metric(&r.verdicts, "queue");
	tap_ok(row->single && row->look && row->expr, "a flag alone can be changed");
	end(&r);
}

static void test_faults(void)
{
	struct result r;

	begin(&r);
	add_file(&r, "rc",
		 "<tiptop>\n"
		 "<verdict name='queue' when='1'/>\n"
		 "<verdict name='mine' word='x' when='queue &gt; 1' rank='1' says='x' "
		 "sure='sure'/>\n"
		 "<verdict name='Mine' word='x' when='queue &gt; 1' rank='1' says='x' sure='sure'"
		 " source='x'/>\n"
		 "<verdict word='x'/>\n"
		 "<metric name='no-name' format='%f' desc='x'/>\n"
		 "<metric name='kernel' format='%f'><from screen='x' column='y'/></metric>\n"
		 "<metric name='other' format='%f'/>\n"
		 "</tiptop>");
	tap_str(r.faults.text,
		"2 unknown: <verdict 'queue'>: a built-in one has this name: replace=\"yes\" puts "
		"this one in its place: left out\n"
		"3 wrong: <verdict 'mine'>: source is missing: left out\n"
		"4 wrong: <verdict 'Mine'>: a name begins with a letter, and has small letters, "
		"digits and '-': left out\n"
		"5 unknown: <verdict> without a name attribute: verdict left out\n"
		"6 wrong: <metric 'no-name'>: a name begins with a letter, and has small letters, "
		"digits and '_': left out\n"
		"7 unknown: <metric 'kernel'>: a built-in one has this name: replace=\"yes\" puts "
		"this one in its place: left out\n"
		"8 wrong: <metric 'other'>: desc is missing: left out\n",
		"each fault has its line");
	tap_int((long)(r.verdicts.table.n_verdicts + r.verdicts.table.n_metrics), 0,
		"and leaves its element out");
	end(&r);
}

int main(void)
{
	test_replace();
	test_metric();
	test_faults();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a job on the scripted PMU, where each event of a task counts config + 1 per ns; and
 * these rows as text, CSV and JSON.
 */
#include <errno.h>

#include "collect/command/job.h"
#include "life_rig.h"
#include "pmu/perf/plan.h"
#include "scripted_pmu.h"
#include "tap.h"

struct rig {
	struct pmu pmu;
	struct event_set set[2];
	struct job job;
	struct follow_lines lines;
	struct strbuf text;
	uint32_t type; /* of the events; 0: PERF_TYPE_HARDWARE */
	int exiting;   /* this many reads fail after the end of an image */
};

static void tell(void *context, const struct follow_row *row)
{
	struct rig *r = context;

	follow_lines_row(&r->lines, &r->text, 1.5, row);
	if (row->kind == FOLLOW_FINI_LWP)
		r->pmu.script.exiting = r->exiting;
}

/* Each set has two events of the PMU. */
static void begin(struct rig *r, int n_sets, enum report_format_id format)
{
	struct trial trial;

	pmu_init(&r->pmu);
	strbuf_init(&r->text);
	trial_init(&trial, &r->pmu.sys);
	for (int s = 0; s < n_sets; s++) {
		event_set_init(&r->set[s]);
		for (int i = 0; i < 2; i++) {
			char name[] = {(char)('a' + 2 * s + i), '\0'};
			struct event *e = event_set_add(&r->set[s], name);

			e->type = r->type ? r->type : PERF_TYPE_HARDWARE;
			e->config = (uint64_t)(2 * s + i);
		}
		plan_make(&r->set[s], &trial);
	}
	trial_done(&trial);
	follow_lines_init(&r->lines, format, r->set, n_sets);
	job_init(&r->job, &r->pmu.sys, r->set, n_sets);
	r->job.tell = tell;
	r->job.context = r;
	r->job.follows_exec = r->job.verbose = true;
}

static void end(struct rig *r)
{
	job_done(&r->job);
	tap_int(r->pmu.n_open, 0, "nothing is left open");
	for (int s = 0; s < r->job.n_sets; s++)
		event_set_done(&r->set[s]);
	follow_lines_done(&r->lines);
	strbuf_done(&r->text);
}

static bool born(struct rig *r, pid_t task, pid_t process, pid_t creator)
{
	const struct trace_event e = {
		.kind = TRACE_BORN, .task = task, .process = process, .creator = creator};

	pmu_task_add(&r->pmu, task);
	return job_handle_event(&r->job, &e);
}

static bool exec(struct rig *r, pid_t process, pid_t former)
{
	const struct trace_event e = {
		.kind = TRACE_EXEC, .task = process, .process = process, .former = former};

	pmu_exec(&r->pmu, former);
	return job_handle_event(&r->job, &e);
}

static bool ended_so(struct rig *r, pid_t task, pid_t process, int status)
{
	const struct trace_event e = {
		.kind = TRACE_ENDED, .task = task, .process = process, .status = status};

	pmu_exit(&r->pmu, task);
	return job_handle_event(&r->job, &e);
}

static bool ended(struct rig *r, pid_t task, pid_t process)
{
	return ended_so(r, task, process, 0);
}

/* Compares the written rows. They lack the time and the image name: these processes have no
 * image. */
static void is(struct rig *r, const char *want, const char *what)
{
	tap_str(r->text.text, want, "%s", what);
	strbuf_reset(&r->text);
}

/* Like "sh -c date": a command, its child that executes another program, and their exits. */
static void test_life(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_CSV);
	r.job.command = true;
	born(&r, 100, 100, 0);
	is(&r, "", "a command: nothing is told before its image has begun");
	exec(&r, 100, 100);
	is(&r, "1.500000,100,100,init_lwp,0,0,,\n", "its start");
	pmu_run(&r.pmu, 100, 10);
	born(&r, 101, 101, 100);
	is(&r, "1.500000,100,100,fork,,,,101\n1.500000,101,101,init_lwp,0,0,,\n",
	   "a child, and who has made it");
	pmu_run(&r.pmu, 101, 7);
	exec(&r, 101, 101);
	is(&r,
	   "1.500000,101,101,fini_lwp,7,14,,\n1.500000,101,,exec,7,14,,\n"
	   "1.500000,101,,exec,,,,'?'\n1.500000,101,101,init_lwp,0,0,,\n",
	   "an exec: what the old image has counted, then the new one from 0");
	pmu_run(&r.pmu, 101, 5);
	job_tick(&r.job);
	is(&r, "1.500000,100,100,tick,10,20,,\n1.500000,101,101,tick,5,10,,\n", "a tick: of each");
	pmu_run(&r.pmu, 101, 1);
	ended(&r, 101, 101);
	is(&r, "1.500000,101,101,fini_lwp,6,12,,\n1.500000,101,,exit,6,12,,status 0\n",
	   "its end: all since the exec, ticks included");
	pmu_run(&r.pmu, 100, 3);
	ended(&r, 100, 100);
	is(&r, "1.500000,100,100,fini_lwp,13,26,,\n1.500000,100,,exit,13,26,,status 0\n",
	   "the end of the command: without its child");
	end(&r);
}

/* Text shows an exit status other than 0 only, so that most rows are as those of cputrack. */
static void test_ends(void)
{
	static const char text[] =
		"   1.500     100         exit                     0               0",
			  json[] = "{\"type\":\"follow\",\"time_s\":1.5,\"pid\":100,\"event\":"
				   "\"exit\",\"counts\":{\"a\":0,\"b\":0},";
	static const struct {
		enum report_format_id format;
		int status;
		const char *begin, *end;
	} ends[] = {
		{REPORT_AS_TEXT, 0, text, "\n"},
		{REPORT_AS_TEXT, 3 << 8, text, " # status 3\n"},
		{REPORT_AS_TEXT, 11 | 0x80, text, " # signal 11\n"},
		{REPORT_AS_CSV, 0, "1.500000,100,,exit,0,0,,", "status 0\n"},
		{REPORT_AS_CSV, 9, "1.500000,100,,exit,0,0,,", "signal 9\n"},
		{REPORT_AS_JSON, 255 << 8, json, "\"status\":255}\n"},
		{REPORT_AS_JSON, 6, json, "\"signal\":6}\n"},
	};
	static struct rig r;

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		char want[200];

		snprintf(want, sizeof want, "%s%s", ends[i].begin, ends[i].end);
		begin(&r, 1, ends[i].format);
		r.job.verbose = false;
		born(&r, 100, 100, 0);
		strbuf_reset(&r.text);
		ended_so(&r, 100, 100, ends[i].status);
		is(&r, want, "how it has ended");
		end(&r);
	}
}

static void test_threads(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_CSV);
	r.job.verbose = false;
	born(&r, 100, 100, 0);
	born(&r, 102, 100, 100);
	born(&r, 103, 100, 102);
	is(&r, "1.500000,100,102,lwp_create,0,0,,\n1.500000,100,103,lwp_create,0,0,,\n",
	   "threads: not verbose, the first task has no row");
	pmu_run(&r.pmu, 100, 1);
	pmu_run(&r.pmu, 102, 10);
	pmu_run(&r.pmu, 103, 100);
	ended(&r, 102, 100);
	is(&r, "1.500000,100,102,lwp_exit,10,20,,\n", "the end of one");
	exec(&r, 100, 103);
	is(&r,
	   "1.500000,100,100,lwp_exit,1,2,,\n1.500000,100,,exec,111,222,,\n"
	   "1.500000,100,,exec,,,,'?'\n",
	   "an exec by a thread: the others end, it takes the number of the process");
	pmu_run(&r.pmu, 103, 2);
	tap_int(r.job.n_tasks, 1, "one task goes on");
	r.job.follows_exec = false;
	tap_ok(!exec(&r, 100, 100), "an exec that is not followed: the task is left");
	is(&r, "1.500000,100,,exec,2,4,,\n", "after what it had counted");
	tap_int(r.job.n_tasks + r.job.n_processes, 0, "and is forgotten");
	end(&r);
}

/* Sets rotate. The counts of a set that was never scheduled are unknown, not 0. */
static void test_sets(void)
{
	static struct rig r;

	begin(&r, 2, REPORT_AS_TEXT);
	r.job.verbose = false;
	born(&r, 100, 100, 0);
	pmu_run(&r.pmu, 100, 10);
	job_tick(&r.job);
	born(&r, 101, 101, 100);
	strbuf_reset(&r.text);
	pmu_run(&r.pmu, 100, 10);
	pmu_run(&r.pmu, 101, 1);
	ended(&r, 101, 101);
	is(&r,
	   "   1.500     101         exit                     -               -"
	   " # pic0=a,pic1=b\n"
	   "   1.500     101         exit                     3               4"
	   " # pic0=c,pic1=d\n",
	   "a set that never had its turn is unknown");
	ended(&r, 100, 100);
	is(&r,
	   "   1.500     100         exit                   10~             20~"
	   " # pic0=a,pic1=b\n"
	   "   1.500     100         exit                   30~             40~"
	   " # pic0=c,pic1=d\n",
	   "one that had some has counted a part");
	end(&r);
}

static void test_refused(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_JSON);
	r.pmu.script.denied = 3;
	born(&r, 100, 100, 0);
	tap_int(r.job.refused, -EACCES, "counters that are refused: why");
	tap_int(r.job.refused_task, 100, "and which task it is");
	strbuf_reset(&r.text);
	ended(&r, 100, 100);
	is(&r,
	   "{\"type\":\"follow\",\"time_s\":1.5,\"pid\":100,\"lwp\":100,\"event\":\"fini_lwp\","
	   "\"counts\":{\"a\":null,\"b\":null},\"quality\":{\"a\":\"denied\",\"b\":\"denied\"}}\n"
	   "{\"type\":\"follow\",\"time_s\":1.5,\"pid\":100,\"event\":\"exit\","
	   "\"counts\":{\"a\":null,\"b\":null},\"quality\":{\"a\":\"denied\",\"b\":\"denied\"},"
	   "\"status\":0}\n",
	   "its counts are unknown");
	end(&r);
	begin(&r, 1, REPORT_AS_TEXT);
	r.pmu.script.denied = 2;
	born(&r, 100, 100, 0);
	pmu_run(&r.pmu, 100, 9);
	strbuf_reset(&r.text);
	job_tick(&r.job);
	is(&r, "   1.500     100     100 tick                     9               -\n",
	   "one event of two");
	end(&r);
}

/* The reason why a task is not counted is that of its own. */
static void test_no_descriptor(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_CSV);
	born(&r, 100, 100, 0);
	r.pmu.script.max_fds = (int)r.pmu.n_open;
	born(&r, 101, 101, 100);
	tap_int(r.job.refused, -EMFILE, "there are no more descriptors");
	pmu_run(&r.pmu, 100, 5);
	strbuf_reset(&r.text);
	job_tick(&r.job);
	is(&r, "1.500000,100,100,tick,5,10,,\n1.500000,101,101,tick,,,pic0:nofile pic1:nofile,\n",
	   "which is why the second task has no counts");
	end(&r);
}

/* A process executes a program that its user may not read, and its counters stop. The counts from
 * then on are unknown, not 0. */
static void test_lost(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_CSV);
	born(&r, 100, 100, 0);
	pmu_run(&r.pmu, 100, 5);
	exec(&r, 100, 100);
	tap_int(r.job.lost, 0, "an image that may be read: nothing is lost");
	strbuf_reset(&r.text);
	pmu_run(&r.pmu, 100, 5);
	pmu_task(&r.pmu, 100)->denied = true;
	exec(&r, 100, 100);
	tap_int(r.job.lost, 100, "another one: who is lost");
	is(&r,
	   "1.500000,100,100,fini_lwp,5,10,,\n1.500000,100,,exec,5,10,,\n"
	   "1.500000,100,,exec,,,,'?'\n1.500000,100,100,init_lwp,0,0,,\n",
	   "what the old image has counted is known");
	pmu_run(&r.pmu, 100, 5);
	ended(&r, 100, 100);
	is(&r,
	   "1.500000,100,100,fini_lwp,,,pic0:denied pic1:denied,\n"
	   "1.500000,100,,exit,,,pic0:denied pic1:denied,status 0\n",
	   "the counts of the new one are not");
	end(&r);
}

/* A process executes a program while its inherited counters cannot be read, and the new image has a
 * kernel thread. The counts of the new image do not include those of the old one; they are partial,
 * as those of the kernel thread are unknown. */
static void test_unread_exec(void)
{
	static struct rig r = {.type = PERF_TYPE_SOFTWARE, .exiting = 10};
	struct fake kernel = fake(0);

	begin(&r, 1, REPORT_AS_CSV);
	tap_int(lives_open(&r.job.others.lives, &kernel.sys, CPUS, TID), 0, "records of starts");
	r.job.follows_exec = true;
	born(&r, 100, 100, 0);
	pmu_run(&r.pmu, 100, 1000);
	exec(&r, 100, 100);
	strbuf_reset(&r.text);
	put_task(&kernel, 0, PERF_RECORD_FORK, 100, 100, 101, 10);
	pmu_run(&r.pmu, 100, 5);
	r.exiting = 0;
	ended(&r, 100, 100);
	tap_ok(strstr(r.text.text, ",exit,55,60,pic0:partial pic1:partial,"), "%s", r.text.text);
	end(&r);
	tap_int(kernel.n_open + kernel.n_mapped, 0, "the records are closed");
}

/* If records of started threads are lost, there may be kernel threads: a total of events that they
 * may have counted is partial. */
static void test_lost_starts(uint64_t lost)
{
	static struct rig r;
	struct fake kernel = fake(0);

	begin(&r, 1, REPORT_AS_CSV);
	tap_int(lives_open(&r.job.others.lives, &kernel.sys, CPUS, TID), 0, "records of starts");
	born(&r, 100, 100, 0);
	pmu_run(&r.pmu, 100, 5);
	strbuf_reset(&r.text);
	kernel.lost = lost;
	ended(&r, 100, 100);
	tap_int(strstr(r.text.text, ",exit,5,10,pic0:partial pic1:partial,") != NULL, lost > 0,
		"%d lost records: %s", (int)lost, r.text.text);
	end(&r);
}

static void test_scaled(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_TEXT);
	r.pmu.script.share_running = 1;
	r.pmu.script.share_of = 4;
	born(&r, 100, 100, 0);
	strbuf_reset(&r.text);
	pmu_run(&r.pmu, 100, 400);
	job_tick(&r.job);
	is(&r, "   1.500     100     100 tick                  400~            800~\n",
	   "a quarter of the time: extrapolated, and marked");
	job_tick(&r.job);
	is(&r, "   1.500     100     100 tick                     0               0\n",
	   "who did not run has counted nothing");
	end(&r);
}

static void test_header(void)
{
	static struct rig r;

	begin(&r, 1, REPORT_AS_TEXT);
	follow_lines_header(&r.lines, &r.text);
	is(&r, "    time     pid     lwp event                    a               b\n",
	   "the header of the text");
	end(&r);
	begin(&r, 2, REPORT_AS_CSV);
	follow_lines_header(&r.lines, &r.text);
	is(&r, "time_s,pid,lwp,event,pic0,pic1,quality,remark\n", "that of CSV, with two sets");
	end(&r);
}

int main(void)
{
	test_life();
	test_ends();
	test_threads();
	test_sets();
	test_refused();
	test_no_descriptor();
	test_lost();
	test_unread_exec();
	test_lost_starts(0);
	test_lost_starts(2);
	test_scaled();
	test_header();
	return tap_done();
}

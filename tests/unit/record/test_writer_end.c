/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The end of a command: it is read as it was written, after the last sample of its run only.
 */
#include <sqlite3.h>

#include "model/fact_list.h"
#include "record_rig.h"
#include "sql_number.h"

static char *words[] = {(char *)"make", (char *)"-j2", (char *)"a b", NULL};
static const struct record_about of_command = {
	.kernel = "6.1.0", .version = "3.0.0", .command = words};

static void change(const char *sql)
{
	sqlite3 *db;

	sqlite3_open(path, &db);
	tap_int(sqlite3_exec(db, sql, NULL, NULL, NULL), 0, "%s", sql);
	sqlite3_close(db);
}

/* Makes a sample of the command's row; n: 1 at the begin, 2 at the end. */
static void make_row(struct sample *s, uint32_t n, const struct sample_events *events)
{
	struct task *t = task_new(&kind_command, *kind_command.facts, events->n,
				  &(struct task_texts){.name = "make"});

	sample_init(s);
	s->number = t->facts_read = n;
	s->mono_ns = n * 3000000000ull;
	s->boot_ns = s->mono_ns + 5;
	s->wall_ns = 1700000000000000000ull + s->mono_ns;
	t->id = t->owner = 4711;
	t->counting = COUNT_OK;
	t->state = '?';
	t->unread = n == 1 ? 0 : 4;
	task_set_fact(t, FACT_CPU_NS, n * 7000000000ull);
	for (int i = 0; i < events->n; i++)
		t->count[i] = (struct count){(uint64_t)n << (60 - i), n, n};
	task_set_events(t, events);
	sample_add(s, t);
}

static const struct ending_program programs[] = {
	{"cc1", 25, {17.5e9, 1, QUALITY_EXACT, 0}, {2, 1, QUALITY_PARTIAL, 0}},
	{"\xff'?", 1, {0, 1, QUALITY_EXACT, 0}, {0, 1, QUALITY_EXACT, 0}},
};

/* Writes a run of n samples, from sample `from` on, and the end of its command. */
static void write_long(const struct ending *how, const struct record_limits *keep, size_t from,
		       size_t n)
{
	struct sample_events *events = hybrid_events();
	struct record_writer *w;
	struct sample begin, end;
	struct err err = ERR_INIT;

	make_row(&begin, 1, events);
	make_row(&end, 2, events);
	tap_int(record_writer_new(&w, path, &of_command, &err), 0, "a writer %s", err.text);
	if (keep)
		record_writer_limit(w, keep, &err);
	for (size_t i = from; i < from + n; i++)
		record_writer_sample(w, written[i], &err);
	if (how)
		tap_int(record_writer_ending(w, how, &begin, &end, &err), 0, "it is written %s",
			err.text);
	record_writer_close(w, &err);
	tap_int(err.code, 0, "without a fault %s", err.text);
	sample_done(&begin);
	sample_done(&end);
	sample_events_unref(events);
}

static void write_run(const struct ending *how, const struct record_limits *keep, size_t from)
{
	write_long(how, keep, from, 5);
}

static struct value count[4];

static struct ending all(void)
{
	count[0] = value_count(~0ull);
	count[1] = (struct value){12.75, 0.25, QUALITY_SCALED, 0};
	count[2] = value_none(QUALITY_DENIED);
	count[3] = value_exact(0);
	return (struct ending){
		.command = words,
		.status = 143,
		.alone = true,
		.left_out = "no room for 'two' of them",
		.each = ENDING_TRACED,
		.ended = 12,
		.lost = 3,
		.reopened = 2,
		.damaged = true,
		.count = count,
		.program = programs,
		.n_programs = 2,
		.names_lost = 9,
		.from_ns = 250000000,
	};
}

static bool same_value(struct value x, struct value y)
{
	return x.quality == y.quality &&
	       (!value_known(x) ||
		(x.number == y.number && x.rest == y.rest && x.share == y.share));
}

static void compare_parts(const struct ending *got, const struct ending *want)
{
	bool same_all = true;

	for (int i = 0; i < 4; i++)
		same_all = same_all && same_value(got->count[i], want->count[i]);
	tap_ok(same_all, "what those that ended have counted, with its quality");
	tap_int((long long)got->n_programs, 2, "their programs");
	for (size_t i = 0; i < got->n_programs && i < 2; i++)
		tap_ok(same(got->program[i].name, programs[i].name) &&
			       got->program[i].processes == programs[i].processes &&
			       same_value(got->program[i].cpu_ns, programs[i].cpu_ns) &&
			       same_value(got->program[i].failed, programs[i].failed),
		       "the %zu. of them", i + 1);
}

static void compare_ending(const struct ending *got, const struct ending *want)
{
	tap_ok(got->command && same(got->command[0], "make") && same(got->command[2], "a b") &&
		       !got->command[3],
	       "its words");
	tap_ok(got->status == want->status && got->unknown == want->unknown, "its status");
	tap_ok(same(got->left_out, want->left_out), "what is not in its row");
	tap_ok(got->each == want->each && got->ended == want->ended && got->lost == want->lost &&
		       got->reopened == want->reopened && got->damaged == want->damaged &&
		       got->names_lost == want->names_lost && got->alone == want->alone &&
		       got->from_ns == want->from_ns,
	       "the ends that were reported");
	compare_parts(got, want);
}

/* Reads all samples. Returns the number of endings; *how is the last of them, *at the number of
 * samples read before it. */
static int read_all(struct record_reader *r, struct ending *how, struct sample *begin,
		    struct sample *end, int *at)
{
	struct sample s;
	int n = 0, met = 0;

	sample_init(&s);
	while (!record_reader_next(r, &s, NULL)) {
		n++;
		if (record_reader_ending(r, how, begin, end, NULL) == 1) {
			met++;
			*at = n;
		}
	}
	sample_done(&s);
	return met;
}

static void test_all_of_it(void)
{
	const struct ending want = all();
	struct sample_events *events = hybrid_events();
	struct sample begin, end, b, e;
	struct record_reader *r;
	struct ending got;
	int at = 0;

	make_row(&b, 1, events);
	make_row(&e, 2, events);
	sample_init(&begin);
	sample_init(&end);
	write_run(&want, NULL, 0);
	r = open_it();
	tap_int(read_all(r, &got, &begin, &end, &at), 1, "one ending");
	tap_int(at, 5, "behind the last sample");
	compare_ending(&got, &want);
	tap_ok(!differ(begin.task[0], b.task[0]) && !differ(end.task[0], e.task[0]),
	       "both readings of its row");
	tap_ok(begin.mono_ns == b.mono_ns && begin.boot_ns == b.boot_ns &&
		       end.wall_ns == e.wall_ns && end.number == e.number &&
		       end.kind == &kind_command,
	       "and when they were");
	tap_ok(!record_reader_fault(r), "nothing is wrong");
	record_reader_free(r);
	sample_done(&begin);
	sample_done(&end);
	sample_done(&b);
	sample_done(&e);
	sample_events_unref(events);
}

/* Returns the number of endings in the file; *at: number of samples before the last of them. */
static int met(int *at)
{
	struct record_reader *r = open_it();
	struct sample begin, end;
	struct ending got;
	int n;

	*at = 0;
	sample_init(&begin);
	sample_init(&end);
	n = read_all(r, &got, &begin, &end, at);
	sample_done(&begin);
	sample_done(&end);
	record_reader_free(r);
	return n;
}

static void test_runs(void)
{
	struct ending how = all();
	struct record_reader *r;
	char *const *command;
	struct sample s;
	int at;

	how.unknown = true;
	write_run(&how, NULL, 20);
	tap_int(met(&at), 2, "each run has its own");
	tap_int(at, 10, "the last one at the end");
	write_run(NULL, NULL, 40);
	tap_int(met(&at), 2, "a run that was cut off has none");
	tap_int(at, 10, "and no other one in its place");
	r = open_it();
	sample_init(&s);
	while (!record_reader_next(r, &s, NULL))
		;
	tap_int(record_reader_command(r, &command, NULL), 0, "its command");
	tap_ok(command && same(command[1], "-j2"), "is known all the same");
	sample_done(&s);
	record_reader_free(r);
}

/* Writes n runs with one writer. The file must be the same as from a writer for each run. */
static void write_runs(size_t n, const struct record_limits *keep)
{
	struct sample_events *events = hybrid_events();
	const struct ending how = all();
	struct record_writer *w;
	struct sample begin, end;
	struct err err = ERR_INIT;

	make_row(&begin, 1, events);
	make_row(&end, 2, events);
	record_writer_new(&w, path, &of_command, &err);
	if (keep)
		record_writer_limit(w, keep, &err);
	record_writer_next_run(w, &err);
	for (size_t i = 0; i < n && !err.code; i++) {
		record_writer_sample(w, written[3 * i], &err);
		record_writer_sample(w, written[3 * i + 1], &err);
		record_writer_ending(w, &how, &begin, &end, &err);
		record_writer_next_run(w, &err);
	}
	record_writer_ending(w, &how, &begin, &end, &err);
	record_writer_close(w, &err);
	tap_int(err.code, 0, "%zu runs by one writer %s", n, err.text);
	sample_done(&begin);
	sample_done(&end);
	sample_events_unref(events);
}

/* Returns the number of readings of all layouts that meet a condition. */
static int readings(const char *what)
{
	const int last = sql_number(path, "SELECT max(id) FROM layout");
	char sql[160];
	int sum = 0;

	for (int id = 1; id <= last; id++) {
		snprintf(sql, sizeof sql, "SELECT count(*) FROM reading_%d WHERE %s", id, what);
		sum += sql_number(path, sql);
	}
	return sum;
}

static void test_runs_of_one_writer(void)
{
	int at;

	unlink(path);
	write_runs(3, NULL);
	tap_int(sql_number(path, "SELECT count(*) FROM run WHERE ended_ns > began_ns"), 3,
		"three runs");
	tap_int(sql_number(path, "SELECT count(*) FROM ending"), 3,
		"each has ended, and none that was not");
	tap_int(sql_number(path, "SELECT count(*) FROM command"), 9,
		"each has the words of its command");
	tap_int(sql_number(path, "SELECT count(DISTINCT run) FROM sample"), 3, "and its samples");
	tap_int(readings("previous IS NOT NULL AND sample % 2"), 0,
		"nothing is compared with the run before");
	tap_int(met(&at), 3, "a reader meets each end");
	tap_int(at, 6, "the last one behind the last sample");
	unlink(path);
	write_runs(20, &(struct record_limits){.ns = 1});
	tap_int(sql_number(path, "SELECT count(*) FROM run"), 1,
		"of many, what is kept is the last one");
	tap_int(readings("sample IS NULL"), 2, "with the readings of its end, and of no other");
	unlink(path);
}

/* The ending of a run is dropped when no sample of the run is left. */
static void test_dropped(void)
{
	const struct record_limits none = {
		.marked_only = true, .before_ns = 5000000000, .after_ns = 5000000000};
	const struct ending how = all();
	int at;

	write_run(&how, &(struct record_limits){.ns = 1000000000}, 200);
	tap_int(met(&at), 1, "those of runs that are gone are, too");
	tap_int(sql_number(path, "SELECT count(*) FROM ending"), 1, "in the table of endings");
	tap_int(sql_number(path, "SELECT count(*) FROM command"), 3, "in that of words");
	tap_int(sql_number(path, "SELECT count(*) FROM ending_event"), 4, "in that of events");
	tap_int(sql_number(path, "SELECT count(*) FROM ending_program"), 2, "in that of programs");
	tap_int(sql_number(path, "SELECT count(*) FROM task WHERE kind = 'command'"), 1,
		"in that of rows");
	unlink(path);
	write_run(&how, NULL, 200);
	write_long(&how, &none, 220, 30);
	tap_int(sql_number(path, "SELECT count(*) FROM sample"), 5,
		"of the next run nothing is kept");
	tap_int(met(&at), 1, "that of the run before stays");
}

static void test_damaged(void)
{
	static const char *const tricks[] = {
		"UPDATE ending SET mono_ns = begin_mono_ns",
		"UPDATE ending SET end_reading = -1",
		"UPDATE ending SET begin_reading = 1",
		"UPDATE task SET kind = 'task'",
		"DELETE FROM command",
	};
	const struct ending how = all();
	int at;

	for (size_t i = 0; i < sizeof tricks / sizeof *tricks; i++) {
		unlink(path);
		write_run(&how, NULL, 0);
		change(tricks[i]);
		tap_int(met(&at), 0, "it is passed over");
	}
	unlink(path);
	write_run(&how, NULL, 0);
	change("UPDATE ending_event SET n = n * 4611686018427387905, quality = 99, count = 'x'; "
	       "UPDATE ending SET status = -3, each = 'x', left_out = x'00ff'; "
	       "UPDATE ending_program SET processes = -1, cpu_ns = 'x', quality = -1");
	tap_int(met(&at), 1, "what else is wrong is not known");
}

int main(void)
{
	rig_begin("ending");
	test_all_of_it();
	test_runs();
	test_dropped();
	test_runs_of_one_writer();
	test_damaged();
	rig_end();
	return tap_done();
}

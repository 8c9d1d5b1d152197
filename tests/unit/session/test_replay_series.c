/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Other machines are recorded, and two recordings are compared. The counts are known, and so is
 * each mean.
 */
#include "session/replay_series.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "compare/comparison.h"
#include "output/output.h"
#include "output/record_output.h"
#include "play_rig.h"
#include "session/output.h"
#include "session/replay_session.h"

#define N_STEPS 24

static char folder[128];

static void happen(struct world *w, int step, uint64_t run_ns)
{
	/* Alternately 0 and 1 ms more, as noise. */
	world_run(w, 10, run_ns + (uint64_t)(step % 2) * 1000000);
	if (step == 12)
		world_exec(w, 10, "omega");
	world_wait(w, 1000000000);
}

static void record(const char *name, const char *cpu, const struct fake_file *file, size_t n_files,
		   uint64_t run_ns)
{
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};
	char path[192];
	struct outputs samples;
	struct pipeline pipeline;
	struct sink *sink;
	struct play p;
	struct err err = ERR_INIT;
	int failed = 0;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	play_begin(&p, cpu, file, n_files, &(struct pmu_script){.never_above = 6}, "default");
	outputs_init(&samples, NULL);
	outputs_add(&samples, &sink, &sink_record, &(struct dest)DEST_NONE, NULL);
	tap_int(record_begin(sink, path, &about, NULL, &err), 0, "%s is recorded %s", name,
		err.text);
	outputs_begin(&samples, NULL);
	pipeline_init(&pipeline, p.source, &samples);
	for (int i = 0; i <= N_STEPS; i++) {
		happen(&p.world, i, run_ns);
		failed |= pipeline_step(&pipeline, &p.view, &err);
	}
	tap_int(failed, 0, "each sample %s", err.text);
	pipeline_done(&pipeline);
	outputs_close(&samples, false, NULL);
	play_end(&p);
}

/* The two recordings and their comparison. */
struct rig {
	struct replay_series replay[2];
	struct comparison_side side[2];
	struct comparison comparison;
};

static void compare(struct rig *r, const char *a, const char *b, const char *columns)
{
	static const char *const label[] = {"A", "B"};
	const char *const word[] = {a, b};
	struct replay_choice choice = {.screen = NULL};
	struct selection s[2] = {{.file = NULL}};
	struct err err = ERR_INIT, note = ERR_INIT;
	int ret = 0;

	*r = (struct rig){.side[0].what = a};
	comparison_init(&r->comparison, r->side, 2);
	for (int i = 0; i < 2; i++) {
		ret |= selection_parse(&s[i], word[i], i ? &s[0] : NULL, &err);
		ret |= replay_series_open(&r->replay[i], &s[i], &choice, i ? &r->replay[0] : NULL,
					  &err);
		r->side[i].screen =
			(struct match_side){label[i], replay_series_screen(&r->replay[i]),
					    &r->replay[i].setup.display.origins};
	}
	ret |= comparison_choose(&r->comparison, columns, &err);
	for (int i = 0; i < 2; i++) {
		ret |= replay_series_collect(&r->replay[i], GROUP_PROGRAM, VALUES_RATE,
					     &r->side[i].list, &note, &err);
		selection_done(&s[i]);
	}
	comparison_make(&r->comparison, 0);
	tap_int(ret, 0, "%s and %s are compared %s%s", a, b, err.text, note.text);
}

static void end(struct rig *r)
{
	comparison_done(&r->comparison);
	for (int i = 0; i < 2; i++) {
		series_list_done(&r->side[i].list);
		replay_series_close(&r->replay[i]);
	}
}

static const struct comparison_cell *find(const struct rig *r, size_t pair, const char *id)
{
	static const struct comparison_cell none;

	for (size_t i = 0; i < r->comparison.n_columns; i++)
		if (!strcmp(r->comparison.column[i]->id, id))
			return &r->comparison.pair[pair].cell[i];
	tap_ok(false, "there is a column %s", id);
	return &none;
}

static const char *reason(const struct rig *r, const char *id)
{
	for (size_t i = 0; i < r->comparison.n_unlike; i++)
		if (!strcmp(r->comparison.unlike[i].id, id))
			return r->comparison.unlike[i].why;
	return "";
}

/* The same CPU, with 10 % more CPU time. */
static void test_same_machine(void)
{
	struct rig r;
	const struct comparison_cell *cpu, *instr, *ipc;

	compare(&r, "one.db", "more.db", NULL);
	tap_int(r.comparison.n_pairs, 2, "two programs: the process has changed its name");
	tap_str(r.comparison.pair[0].of[0]->name, "omega", "the one that ran for longer first");
	cpu = find(&r, 0, "cpu");
	instr = find(&r, 0, "minstr");
	ipc = find(&r, 0, "ipc");
	tap_ok(fabs(cpu->numbers.of[0].mean - 40) < 0.2 && fabs(cpu->numbers.of[1].mean - 44) < 0.2,
	       "%%CPU: %g and %g", cpu->numbers.of[0].mean, cpu->numbers.of[1].mean);
	tap_int(cpu->numbers.result, DIFFERENCE_MORE, "which is more than noise");
	tap_ok(fabs(instr->numbers.change_pct - cpu->numbers.change_pct) < 1e-6,
	       "instructions a second have grown as much");
	tap_int(ipc->numbers.result, DIFFERENCE_NOISE, "those of a cycle have not");
	tap_ok(ipc->numbers.of[0].mean > 0 && ipc->numbers.change_pct == 0, "at all");
	tap_str(reason(&r, "miss"), "", "cache misses are the same event");
	end(&r);
}

/* A CPU of another vendor: instructions are comparable, cache misses are of another cache level. */
static void test_other_machine(void)
{
	struct rig r;

	compare(&r, "one.db", "zen.db", NULL);
	tap_num(find(&r, 0, "ipc")->numbers.of[1].n, find(&r, 0, "ipc")->numbers.of[0].n,
		"there is IPC of both");
	tap_ok(strstr(reason(&r, "miss"), "misses of the last-level cache") &&
		       strstr(reason(&r, "miss"), "misses of L2, not of the last level"),
	       "cache misses are not compared: %s", reason(&r, "miss"));
	tap_str(reason(&r, "bmis"), "", "branches are branches, whatever their number is");
	end(&r);
}

static void test_parts(void)
{
	struct rig r;

	compare(&r, "one.db,to=+10", "from=+11,filter=omega", "cpu");
	tap_int(r.comparison.n_columns, 1, "only one column");
	tap_int(r.comparison.n_pairs, 1, "alpha before, and omega after are a pair");
	tap_str(r.comparison.pair[0].of[0]->name, "alpha", "in this order");
	tap_int(find(&r, 0, "cpu")->numbers.result, DIFFERENCE_NOISE, "and differ in nothing");
	tap_num(find(&r, 0, "cpu")->numbers.of[0].n, 10, "ten intervals before");
	end(&r);
}

static void test_refusals(void)
{
	const struct selection no_task = {.file = (char *)"one.db",
					  .part = {[SELECTION_PID] = (char *)"4711"}},
			       no_time = {.file = (char *)"one.db",
					  .part = {[SELECTION_FROM] = (char *)"noon"}};
	struct replay_choice choice = {.screen = NULL};
	const size_t first = 0;
	struct replay_series g;
	struct series_list list;
	struct err err = ERR_INIT, note = ERR_INIT;

	series_list_init(&list, &first, 1);
	replay_series_open(&g, &no_task, &choice, NULL, &err);
	tap_ok(replay_series_collect(&g, GROUP_PROGRAM, VALUES_RATE, &list, &note, &err),
	       "no task: %s", err.text);
	replay_series_close(&g);
	series_list_done(&list);
	tap_int(replay_series_open(&g, &no_time, &choice, NULL, &err), -EINVAL, "no time: %s",
		err.text);
	replay_series_close(&g);
}

/* The keys that go back from the end of a recording are those of the user. */
static void test_keys_at_end(void)
{
	const struct selection all = {.file = (char *)"one.db"};
	struct replay_choice choice = {.screen = NULL};
	struct err err = ERR_INIT;
	struct replay_series g;
	char note[256] = "";

	tap_int(replay_series_open(&g, &all, &choice, NULL, &err), 0, "opened %s", err.text);
	replaying_put_place(&g.setup, 0, true, -1, note, sizeof note);
	tap_ok(strstr(note, ", the end: , and { go back"), "the keys of the table: %s", note);
	keymap_bind(&g.setup.config.keymap, ",", "none", &err);
	keymap_bind(&g.setup.config.keymap, "F9", "replay-back", &err);
	replaying_put_place(&g.setup, 0, true, -1, note, sizeof note);
	tap_ok(strstr(note, ", the end: F9 and { go back"), "those of the user: %s", note);
	replay_series_close(&g);
}

/* The sentence after a recording of the live screen names only commands that can read it. */
static void test_ended(void)
{
	static const struct {
		const struct kind *kind;
		const char *said;
	} ends[] = {
		{&kind_task, "the recording has ended: 'tiptop --replay ended.db' shows it again, "
			     "'tiptop what ended.db' says what happened"},
		{&kind_lock, "the recording has ended: 'tiptop --replay ended.db' shows it again"},
	};
	const struct record_about about = {.kernel = "6.1.0", .version = "3.0.0"};

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct err err = ERR_INIT, said = ERR_INIT;
		struct outputs outputs;
		struct sink *sink;

		outputs_init(&outputs, NULL);
		outputs_add(&outputs, &sink, &sink_record, &(struct dest)DEST_NONE, NULL);
		tap_int(record_begin(sink, "ended.db", &about, NULL, &err), 0, "recorded %s",
			err.text);
		outputs_begin(&outputs, NULL);
		recording_end(&outputs, sink, "ended.db", ends[i].kind, &said);
		tap_str(said.text, ends[i].said, "rows of %s", ends[i].kind->many);
		outputs_close(&outputs, false, NULL);
	}
	unlink("ended.db");
}

static const struct fake_file intel[] = {
	{"devices/cpu/type", "4\n"},
	{"devices/cpu/format/event", "config:0-7\n"},
	{"devices/cpu/format/umask", "config:8-15\n"},
};

#define RECORD(name, cpu, run_ns) record(name, cpu, intel, sizeof intel / sizeof *intel, run_ns)

int main(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof folder, "%s/gathering.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder) || chdir(folder) || setenv("HOME", folder, 1))
		return 1;
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("TIPTOP");
	RECORD("one.db", "x86:06_5E", 400000000);
	RECORD("more.db", "x86:06_5E", 440000000);
	RECORD("zen.db", "x86:19_11", 400000000);
	test_same_machine();
	test_other_machine();
	test_parts();
	test_refusals();
	test_keys_at_end();
	test_ended();
	unlink("one.db");
	unlink("more.db");
	unlink("zen.db");
	rmdir(folder);
	return tap_done();
}

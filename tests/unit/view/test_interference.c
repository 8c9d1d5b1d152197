/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which task is named as the cause when the IPC of another one drops: scenes on made-up topologies,
 * with one cause or none, and random scenes without a cause. The seeds are fixed.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/fact_list.h"
#include "model/kinds.h"
#include "tap.h"
#include "view/interference.h"
#include "view/page.h"

#define SECOND     1000000000ull
#define ACTORS_MAX 12
#define N_EVENTS   4
#define HZ         3e9

/* ---- machines ---- */

/* For a CPU: the first CPU with which it shares its node, L3, L2 and core. */
#define PLACE(node, l3, l2, core)                                                                  \
	{                                                                                          \
		{                                                                                  \
			-1, node, l3, l2, core                                                     \
		}                                                                                  \
	}

/* Four cores of two threads, one L3. */
static const struct sample_place smt[] = {
	PLACE(0, 0, 0, 0), PLACE(0, 0, 0, 0), PLACE(0, 0, 2, 2), PLACE(0, 0, 2, 2),
	PLACE(0, 0, 4, 4), PLACE(0, 0, 4, 4), PLACE(0, 0, 6, 6), PLACE(0, 0, 6, 6),
};
/* Two sockets, each with two L3 caches of two cores. */
static const struct sample_place sockets[] = {
	PLACE(0, 0, 0, 0), PLACE(0, 0, 1, 1), PLACE(0, 2, 2, 2), PLACE(0, 2, 3, 3),
	PLACE(4, 4, 4, 4), PLACE(4, 4, 5, 5), PLACE(4, 6, 6, 6), PLACE(4, 6, 7, 7),
};
/* Two fast cores, and six slow ones in two groups of three that share an L2. */
static const struct sample_place hybrid[] = {
	PLACE(0, 0, 0, 0), PLACE(0, 0, 1, 1), PLACE(0, 0, 2, 2), PLACE(0, 0, 2, 3),
	PLACE(0, 0, 2, 4), PLACE(0, 0, 5, 5), PLACE(0, 0, 5, 6), PLACE(0, 0, 5, 7),
};
static const uint8_t hybrid_kind[] = {0, 0, 1, 1, 1, 1, 1, 1};

enum { SMT, SOCKETS, HYBRID, N_MACHINES };

static struct sample_machine machines[N_MACHINES] = {
	{.refs = 1, .place = smt, .n_places = 8},
	{.refs = 1, .place = sockets, .n_places = 8},
	{.refs = 1, .place = hybrid, .n_places = 8, .cpu_kind = hybrid_kind, .n_cpus = 8},
};

/* ---- what is seen ---- */

/* The work of a task: its share of a CPU, IPC, cache misses (negative: not counted) and
 * mispredicted branches per 1000 instructions. */
struct doing {
	double share, ipc, misses, branches;
	int cpu;
};

struct rig {
	struct history *history;
	struct changes *changes;
	struct sample_events *events;
	struct sample sample;
	struct task task[ACTORS_MAX];
	struct delta_row row[ACTORS_MAX];
	struct delta_sums sums[ACTORS_MAX];
	struct fact_sum fact[ACTORS_MAX][N_NUMBER_FACTS];
	struct value count[ACTORS_MAX][N_EVENTS];
	bool ran[ACTORS_MAX]; /* in the previous refresh */
	uint64_t random;
};

static double uniform(struct rig *r)
{
	r->random = r->random * 6364136223846793005u + 1442695040888963407u;
	return ((double)(r->random >> 11) + 0.5) / 0x1p53;
}

static double gauss(struct rig *r)
{
	return sqrt(-2 * log(uniform(r))) * cos(2 * M_PI * uniform(r));
}

static void begin(struct rig *r, uint64_t seed)
{
	const struct sample_event event[N_EVENTS] = {
		{.kind = EVENT_HARDWARE, .config = 1},
		{.kind = EVENT_HARDWARE, .config = 0},
		{.kind = EVENT_HARDWARE, .config = 3},
		{.kind = EVENT_HARDWARE, .config = 5},
	};

	memset(r, 0, sizeof *r);
	r->random = seed * 2654435761u + 1;
	r->history = history_new(16 << 20);
	r->changes = changes_new();
	r->events = sample_events_new(event, N_EVENTS);
	r->sample.wall_ns = 1000 * SECOND;
}

static void end(struct rig *r)
{
	changes_free(r->changes);
	history_free(r->history);
	sample_events_unref(r->events);
}

/* Fills the row of a task for an interval of a second. */
static void fill_row(struct rig *r, size_t i, uint64_t id, const char *name, const struct doing *d)
{
	const double cycles = d->share * HZ;
	const double instructions = cycles * d->ipc * (1 + 0.03 * gauss(r));
	struct delta_sums *sums = &r->sums[i];
	struct delta_row *row = &r->row[i];

	/* The history takes and drops references; this count never reaches 0. */
	r->task[i] = (struct task){
		.kind = &kind_task, .refs = 1000000, .id = id, .owner = id, .name = name};
	r->count[i][0] = value_exact(floor(instructions));
	r->count[i][1] = value_exact(floor(cycles));
	r->count[i][2] = d->misses < 0 ? value_none(QUALITY_UNSUPPORTED)
				       : value_exact(floor(instructions * d->misses / 1000));
	r->count[i][3] = value_exact(floor(instructions * d->branches / 1000));
	*sums = (struct delta_sums){.fact = r->fact[i]};
	sums->facts = FACT_SET(FACT_PROC_ID);
	sums->fact[FACT_PROC_ID].now = value_exact(d->cpu);
	sums->cpu_share = value_exact(d->share);
	*row = (struct delta_row){
		.task = &r->task[i],
		.old = &r->task[i],
		.n_members = 1,
		.counts_ns = SECOND,
		.facts_ns = SECOND,
		.cpu_ns = value_exact(d->share * SECOND),
		.fast_ns = value_none(QUALITY_UNSUPPORTED),
		.core_ns = value_none(QUALITY_UNSUPPORTED),
		.events = r->events,
		.increment = r->count[i],
		.sums = sums,
	};
}

/* The counters of a new task are opened at the end of its first refresh. */
static void be_born(struct rig *r, size_t i)
{
	r->row[i].born = r->row[i].fresh = true;
	for (int e = 0; e < N_EVENTS; e++)
		r->count[i][e] = value_none(QUALITY_FRESH);
}

static void step(struct rig *r, const struct doing *d, const uint64_t *id, const char *const *name,
		 size_t n)
{
	struct delta delta = {.sample = &r->sample, .interval_ns = SECOND, .row = r->row};

	r->sample.mono_ns += SECOND;
	r->sample.wall_ns += SECOND;
	for (size_t i = 0; i < n; i++) {
		if (d[i].share > 0) {
			fill_row(r, delta.n, id[i], name[i], &d[i]);
			if (r->sample.mono_ns > SECOND && !r->ran[i])
				be_born(r, delta.n);
			delta.n++;
		}
		r->ran[i] = d[i].share > 0;
	}
	history_add(r->history, &delta);
	changes_add(r->changes, &delta, history_last(r->history));
}

/* ---- scenes ---- */

struct actor {
	const char *name;
	struct doing before;
	int at; /* refresh from which `after` applies; 0: never */
	struct doing after;
};

struct scene {
	const char *what;
	int machine;
	const char *named; /* task to be named as the cause of the first actor's drop; NULL: none */
	enum sample_share share;
	struct actor actor[ACTORS_MAX];
};

#define IDLE                                                                                       \
	{                                                                                          \
		0, 0, 0, 0, 0                                                                      \
	}
/* CALM: work of a task that needs the cache. STARVED: the same task when its cache is disturbed.
 * BLAST: work that disturbs the cache of others. */
#define CALM(cpu)                                                                                  \
	{                                                                                          \
		1, 1.9, 1.2, 1, cpu                                                                \
	}
#define STARVED(cpu)                                                                               \
	{                                                                                          \
		1, 1.1, 9.5, 1, cpu                                                                \
	}
#define BLAST(cpu)                                                                                 \
	{                                                                                          \
		1, 0.6, 40, 1, cpu                                                                 \
	}

/* clang-format off */
static const struct scene guilty[] = {
	{"who begins on a CPU that shares the L3", SMT, "blast", SHARE_L3,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"blast", IDLE, 80, BLAST(2)}}},
	{"two refreshes before", SOCKETS, "blast", SHARE_L3,
	 {{"victim", CALM(0), 82, STARVED(0)}, {"blast", IDLE, 80, BLAST(1)}}},
	{"who spins on the same core", SMT, "spin", SHARE_CORE,
	 {{"victim", {1, 1.9, 1.2, 1, 4}, 80, {1, 1.1, 1.2, 1, 4}}, {"spin", IDLE, 79, {1, 1.2, 0, 0, 5}}}},
	{"who shares the L2", HYBRID, "blast", SHARE_L2,
	 {{"victim", CALM(2), 80, STARVED(2)}, {"blast", IDLE, 79, BLAST(4)}}},
	{"who takes the bandwidth of the memory", SOCKETS, "stream", SHARE_NODE,
	 {{"victim", {1, 0.8, 22, 1, 0}, 80, {1, 0.5, 22, 1, 0}}, {"stream", IDLE, 79, {1, 0.4, 90, 0, 3}}}},
	{"who takes turns on the same CPU", SMT, "blast", SHARE_CPU,
	 {{"victim", CALM(0), 80, {0.5, 1.4, 5, 1, 0}}, {"blast", IDLE, 80, {0.5, 0.6, 40, 1, 0}}}},
	{"who turns from computing to memory", SMT, "solver", SHARE_L3,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"solver", {1, 2.2, 0.1, 1, 6}, 80, BLAST(6)}}},
	{"who does more on the same core than before", SMT, "solver", SHARE_CORE,
	 {{"victim", {1, 1.9, 1.2, 1, 0}, 80, {1, 1.2, 1.3, 1, 0}},
	  {"solver", {1, 0.4, 1, 1, 1}, 79, {1, 1.8, 1, 1, 1}}}},
	{"and not another one that suffers", SMT, "blast", SHARE_L3,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"fellow", CALM(2), 80, STARVED(2)}, {"blast", IDLE, 80, BLAST(4)}}},
	{"and not those that begin elsewhere, or hardly run", SOCKETS, "blast", SHARE_L3,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"far", IDLE, 80, BLAST(5)}, {"farther", IDLE, 79, BLAST(6)},
	  {"daemon", IDLE, 80, {0.12, 0.6, 40, 1, 1}}, {"blast", IDLE, 79, BLAST(1)}}},
};

static const struct scene innocent[] = {
	{"who shares nothing", SOCKETS, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"blast", IDLE, 80, BLAST(4)}}},
	{"who began long before", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"blast", IDLE, 70, BLAST(2)}}},
	{"who begins after", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"blast", IDLE, 83, BLAST(2)}}},
	{"who hardly runs", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"daemon", IDLE, 80, {0.15, 0.6, 40, 1, 1}}}},
	{"who spins on another core", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"spin", IDLE, 80, {1, 1.2, 0, 0, 2}}}},
	{"who begins when the task mispredicts", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, {1, 1.1, 9.5, 20, 0}}, {"blast", IDLE, 80, BLAST(2)}}},
	{"who begins when the task moves to a slow core", HYBRID, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(2)}, {"blast", IDLE, 80, BLAST(1)}}},
	{"who suffers, too", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"fellow", CALM(2), 80, STARVED(2)},
	  {"other", CALM(1), 80, STARVED(1)}}},
	{"one of many that begin all the time", SMT, NULL, SHARE_NOTHING,
	 {{"victim", CALM(0), 80, STARVED(0)}, {"cc1", IDLE, 30, BLAST(2)}, {"cc2", IDLE, 40, BLAST(3)},
	  {"cc3", IDLE, 50, BLAST(4)}, {"cc4", IDLE, 60, BLAST(5)}, {"cc5", IDLE, 70, BLAST(6)},
	  {"cc6", IDLE, 80, BLAST(7)}}},
	{"who begins when the task, which has no misses, goes its way", SMT, NULL, SHARE_NOTHING,
	 {{"victim", {1, 1.9, 0.01, 1, 0}, 80, {1, 1.1, 0.02, 1, 0}}, {"blast", IDLE, 80, BLAST(2)}}},
};
/* clang-format on */

#define SCENE_LENGTH 120

static void play(struct rig *r, const struct scene *scene, uint64_t seed)
{
	const char *name[ACTORS_MAX];
	uint64_t id[ACTORS_MAX];
	size_t n = 0;

	begin(r, seed);
	for (; n < ACTORS_MAX && scene->actor[n].name; n++) {
		name[n] = scene->actor[n].name;
		id[n] = 4710 + n;
	}
	for (int k = 1; k <= SCENE_LENGTH; k++) {
		struct doing d[ACTORS_MAX];

		for (size_t i = 0; i < n; i++) {
			const struct actor *a = &scene->actor[i];

			d[i] = a->at && k >= a->at ? a->after : a->before;
		}
		step(r, d, id, name, n);
	}
}

/* Returns the number of changes of this task (id 0: of any) for which a cause is named. */
static int find(const struct rig *r, const struct sample_machine *m, uint64_t id,
		struct interference *out)
{
	const struct interference_input in = {r->changes, r->history, m, false,
					      history_last(r->history)};
	int n = 0;

	for (size_t i = 0; i < changes_n(r->changes); i++)
		if ((!id || changes_at(r->changes, i)->of.id == id) &&
		    interference_find(out, &in, i))
			n++;
	return n;
}

/* Returns the number of changes of which it is said that data are missing to find a cause. */
static int find_lacks(const struct rig *r, const struct sample_machine *m)
{
	const struct interference_input in = {r->changes, r->history, m, false,
					      history_last(r->history)};
	int n = 0;

	for (size_t i = 0; i < changes_n(r->changes); i++)
		n += interference_missing(&in, i) != NULL;
	return n;
}

static bool has_dropped(const struct rig *r)
{
	for (size_t i = 0; i < changes_n(r->changes); i++)
		if (changes_at(r->changes, i)->of.id == 4710 &&
		    changes_at(r->changes, i)->kind == CHANGE_IPC)
			return true;
	return false;
}

static void test_scenes(void)
{
	for (uint64_t i = 0; i < sizeof guilty / sizeof *guilty; i++) {
		const struct scene *scene = &guilty[i];
		struct interference found = {.cause = NULL};
		struct rig r;

		play(&r, scene, i);
		tap_int(find(&r, &machines[scene->machine], 4710, &found), 1, "%s", scene->what);
		tap_str(found.cause ? found.cause->name : "", scene->named, "is named");
		tap_int((int)found.share, (int)scene->share, "with what they share");
		end(&r);
	}
	for (uint64_t i = 0; i < sizeof innocent / sizeof *innocent; i++) {
		const struct scene *scene = &innocent[i];
		struct interference found = {.cause = NULL};
		struct rig r;

		play(&r, scene, 100 + i);
		tap_ok(has_dropped(&r), "the task drops");
		tap_int(find(&r, &machines[scene->machine], 4710, &found), 0, "innocent: %s",
			scene->what);
		end(&r);
	}
}

/* If cache misses are not counted, only a cause on the same core can be named. */
static void test_not_counted(void)
{
	struct interference found = {.cause = NULL};
	struct strbuf text;
	struct rig r;

	strbuf_init(&text);
	for (size_t i = 0; i < sizeof guilty / sizeof *guilty; i++) {
		struct scene scene = guilty[i];

		for (size_t k = 0; k < ACTORS_MAX; k++)
			scene.actor[k].before.misses = scene.actor[k].after.misses = -1;
		play(&r, &scene, i);
		tap_int(find(&r, &machines[scene.machine], 4710, &found), scene.share == SHARE_CORE,
			"no misses: %s", scene.what);
		end(&r);
	}
	interference_explain(&text, &found);
	tap_ok(!strncmp(text.text, "cache misses were not counted; a coin", 37), "and says so");
	strbuf_done(&text);
}

/* ---- random scenes ---- */

#define RANDOM_SCENES 1000
#define RANDOM_LENGTH 300

static struct doing random_doing(struct rig *r, int cpu)
{
	const bool runs = uniform(r) < 0.7;

	return (struct doing){.share = runs ? 0.2 + 0.8 * uniform(r) : 0,
			      .ipc = 0.3 + 2.2 * uniform(r),
			      .misses = 0.05 * exp(6.7 * uniform(r)),
			      .branches = 0.1 * exp(5 * uniform(r)),
			      .cpu = cpu};
}

/* Actors change independently of each other, so no cause may be named. */
static void play_random(struct rig *r, uint64_t seed)
{
	struct doing d[ACTORS_MAX];
	const char *name[ACTORS_MAX];
	uint64_t id[ACTORS_MAX];
	size_t n;

	begin(r, seed);
	n = 3 + (size_t)(6 * uniform(r));
	for (size_t i = 0; i < n; i++) {
		id[i] = i + 1;
		name[i] = "actor";
		d[i] = random_doing(r, (int)(8 * uniform(r)));
	}
	for (int k = 1; k <= RANDOM_LENGTH; k++) {
		for (size_t i = 0; i < n; i++)
			if (uniform(r) < 2.0 / RANDOM_LENGTH)
				d[i] = random_doing(r, d[i].cpu);
		step(r, d, id, name, n);
	}
}

static void test_random(void)
{
	int drops = 0, named = 0;

	for (uint64_t seed = 1; seed <= RANDOM_SCENES; seed++) {
		struct interference found;
		struct rig r;

		play_random(&r, seed);
		for (size_t i = 0; i < changes_n(r.changes); i++) {
			const struct change *c = changes_at(r.changes, i);

			drops += c->kind == CHANGE_IPC && c->after < c->before;
		}
		named += find(&r, &machines[seed % N_MACHINES], 0, &found);
		end(&r);
	}
	printf("# %d random scenes, %d drops: %d named\n", RANDOM_SCENES, drops, named);
	tap_ok(drops > RANDOM_SCENES, "there are drops: %d", drops);
	tap_ok(named <= RANDOM_SCENES / 100, "%d false names", named);
}

/* ---- sentences ---- */

static void test_sentences(void)
{
	struct interference found = {.cause = NULL};
	struct strbuf text;
	struct rig r;

	setenv("TZ", "UTC", 1);
	strbuf_init(&text);
	play(&r, &guilty[1], 1);
	find(&r, &machines[guilty[1].machine], 4710, &found);
	interference_describe(&text, &found);
	tap_str(text.text,
		"IPC 1.90 -> 1.10 since 00:18:02; 4711 blast began on CPU 1, which shares the L3, "
		"2 s before",
		"who, where and when");
	tap_str(interference_id(&found), "ipc-drop-task-began", "its id");
	strbuf_reset(&text);
	interference_explain(&text, &found);
	tap_str(text.text,
		"cache misses per 1000 instructions 1.2 -> 9.5; those of blast grew by 71.8M a "
		"second; a coincidence in time is no proof: 1 in 30 drops coincides with such a "
		"change by chance",
		"and how little it proves");
	found.n_others = 1;
	strbuf_reset(&text);
	interference_explain(&text, &found);
	tap_ok(strstr(text.text, "; 1 more change near it could be the cause as well; a coin"),
	       "another cause, whether it began or changed its phase");
	tap_int(find(&r, NULL, 4710, &found), 0, "of an unknown machine, nothing is told");
	tap_int(find_lacks(&r, NULL), 1, "which is said of its drop");
	tap_int(find_lacks(&r, &machines[guilty[1].machine]), 0, "and of a known one nothing is");
	end(&r);
	strbuf_done(&text);
}

/* The page of the task whose IPC dropped, and the page of the cause, whose IPC did not. */
static void test_page(void)
{
	static const char *const want[] = {
		"Interference: possible causes of drops of its IPC",
		"IPC 1.90 -> 1.10 since 00:18:02; 4711 blast began on CPU 1, which shares the L3, "
		"2 s before"};
	struct page page;
	struct frame frame = {.wall_ns = 0};
	const struct page_input in = {.frame = &frame};
	struct page_writer w = {.page = &page, .in = &in};
	struct rig r;

	play(&r, &guilty[1], 1);
	frame = (struct frame){.sample = &r.sample,
			       .history = r.history,
			       .changes = r.changes,
			       .moment = history_last(r.history)};
	r.sample.machine = sample_machine_ref(&machines[SOCKETS]);
	page_init(&page);
	strbuf_init(&w.text);
	page_reset(&page, &(struct row_id){.kind = &kind_task, .owner = 4710, .id = 4710});
	page_write_interference(&w);
	tap_int((long)page.n, 3, "three lines on the page");
	for (size_t i = 0; i < page.n && i < 2; i++)
		tap_str(page.line[i].text, want[i], "line %zu", i);
	page_reset(&page, &(struct row_id){.kind = &kind_task, .owner = 4711, .id = 4711});
	page_write_interference(&w);
	tap_int((long)page.n, 0, "none on that of the other one");
	frame.moment = 82;
	page_reset(&page, &(struct row_id){.kind = &kind_task, .owner = 4710, .id = 4710});
	page_write_interference(&w);
	tap_int((long)page.n, 0, "nor before it is known, on a page that is paused");
	page_done(&page);
	strbuf_done(&w.text);
	sample_machine_unref(&machines[SOCKETS]);
	end(&r);
}

int main(void)
{
	test_scenes();
	test_not_counted();
	test_random();
	test_sentences();
	test_page();
	return tap_done();
}

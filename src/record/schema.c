/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "record/schema.h"

#include <string.h>

#include "model/fact_list.h"

/* The table task has a column for each text fact, so a new text fact needs a new version. */
_Static_assert(N_READ_TEXTS == 6, "cgroup, container, executable, histogram, lock_kind, caller");

/* clang-format off */
static const char version_1[] =
	"PRAGMA application_id=0x74707470;"
	"CREATE TABLE machine(id INTEGER PRIMARY KEY, arch TEXT, model TEXT, boot_id TEXT,"
	" host TEXT, ticks_per_s INTEGER);"
	"CREATE TABLE machine_pmu(machine INTEGER, kind TEXT, n INTEGER, name TEXT);"
	"CREATE TABLE run(id INTEGER PRIMARY KEY, machine INTEGER, kernel TEXT, version TEXT,"
	" began_ns INTEGER, ended_ns INTEGER);"
	"CREATE TABLE option(run INTEGER, name TEXT, value TEXT);"
	"CREATE TABLE screen(id INTEGER PRIMARY KEY, run INTEGER, name TEXT, xml TEXT);"
	"CREATE TABLE event_set(id INTEGER PRIMARY KEY, n INTEGER);"
	"CREATE TABLE event(event_set INTEGER, n INTEGER, given TEXT, resolved TEXT, pmu TEXT, format TEXT, unit TEXT,"
	" kind INTEGER, config INTEGER, config1 INTEGER, config2 INTEGER, scale REAL, event_group INTEGER,"
	" part_of INTEGER, modes INTEGER, core INTEGER, quality INTEGER, guests_too INTEGER, lacking INTEGER,"
	" PRIMARY KEY(event_set, n)) WITHOUT ROWID;"
	"CREATE TABLE layout(id INTEGER PRIMARY KEY, event_set INTEGER, facts TEXT, single INTEGER);"
	"CREATE TABLE task(id INTEGER PRIMARY KEY, kind TEXT, number INTEGER, owner INTEGER, start_ns INTEGER,"
	" uid INTEGER, user TEXT, name TEXT, process TEXT, cmdline TEXT, cgroup TEXT, container TEXT, executable TEXT);"
	"CREATE TABLE sample(id INTEGER PRIMARY KEY, run INTEGER, wall_ns INTEGER, mono_ns INTEGER, boot_ns INTEGER,"
	" generation INTEGER, number INTEGER, last INTEGER, threads INTEGER, uptime_s REAL, load1 REAL, load5 REAL,"
	" load15 REAL, n_cpus INTEGER, mem_total_kb INTEGER, n_left_out INTEGER, first_reading INTEGER);"
	"CREATE TABLE gone(sample INTEGER, reading INTEGER, PRIMARY KEY(sample, reading)) WITHOUT ROWID;"
	"CREATE TABLE keyframe(sample INTEGER, reading INTEGER, PRIMARY KEY(sample, reading)) WITHOUT ROWID;";

static const char version_2[] =
	"ALTER TABLE task ADD COLUMN histogram TEXT;"
	"ALTER TABLE sample ADD COLUMN first_task INTEGER;"
	"ALTER TABLE sample ADD COLUMN n_running INTEGER;"
	"ALTER TABLE sample ADD COLUMN cpu_error INTEGER;"
	"ALTER TABLE sample ADD COLUMN memory_error INTEGER;"
	"ALTER TABLE sample ADD COLUMN memory_kb INTEGER;"
	"ALTER TABLE sample ADD COLUMN memory_free_kb INTEGER;"
	"ALTER TABLE sample ADD COLUMN memory_available_kb INTEGER;"
	"ALTER TABLE sample ADD COLUMN swap_kb INTEGER;"
	"ALTER TABLE sample ADD COLUMN swap_free_kb INTEGER;"
	"CREATE TABLE cpu_use(sample INTEGER, cpu INTEGER, user INTEGER, nice INTEGER, system INTEGER,"
	" irq INTEGER, stolen INTEGER, idle INTEGER, PRIMARY KEY(sample, cpu)) WITHOUT ROWID;"
	"CREATE TABLE machine_cpu(machine INTEGER, cpu INTEGER, kind INTEGER,"
	" PRIMARY KEY(machine, cpu)) WITHOUT ROWID;";

static const char version_3[] =
	"CREATE TABLE machine_place(machine INTEGER, cpu INTEGER, node INTEGER, l3 INTEGER, l2 INTEGER,"
	" core INTEGER, PRIMARY KEY(machine, cpu)) WITHOUT ROWID;";

static const char version_4[] =
	"ALTER TABLE task ADD COLUMN lock_kind TEXT;"
	"ALTER TABLE task ADD COLUMN caller TEXT;"
	"CREATE TABLE command(run INTEGER, n INTEGER, word TEXT, PRIMARY KEY(run, n)) WITHOUT ROWID;"
	"CREATE TABLE ending(run INTEGER PRIMARY KEY, task INTEGER, begin_reading INTEGER, end_reading INTEGER,"
	" begin_wall_ns INTEGER, begin_mono_ns INTEGER, begin_boot_ns INTEGER, wall_ns INTEGER, mono_ns INTEGER,"
	" boot_ns INTEGER, status INTEGER, from_ns INTEGER, left_out TEXT, each INTEGER, ended INTEGER, lost INTEGER,"
	" reopened INTEGER, damaged INTEGER, names_lost INTEGER);"
	"CREATE TABLE ending_event(run INTEGER, n INTEGER, count INTEGER, share REAL, quality INTEGER,"
	" PRIMARY KEY(run, n)) WITHOUT ROWID;"
	"CREATE TABLE ending_program(run INTEGER, n INTEGER, name TEXT, processes INTEGER, cpu_ns INTEGER,"
	" share REAL, quality INTEGER, PRIMARY KEY(run, n)) WITHOUT ROWID;"
	"CREATE TABLE follow_counter(run INTEGER, turn INTEGER, n INTEGER, name TEXT,"
	" PRIMARY KEY(run, turn, n)) WITHOUT ROWID;"
	"CREATE TABLE follow_row(id INTEGER PRIMARY KEY, run INTEGER, time_ns INTEGER, pid INTEGER, lwp INTEGER,"
	" event TEXT, turn INTEGER, made INTEGER, image TEXT);"
	"CREATE TABLE follow_count(row INTEGER, n INTEGER, count INTEGER, share REAL, quality INTEGER,"
	" PRIMARY KEY(row, n)) WITHOUT ROWID;";

static const char version_5[] =
	"ALTER TABLE ending ADD COLUMN alone INTEGER;"
	"ALTER TABLE ending_program ADD COLUMN failed INTEGER;"
	"ALTER TABLE ending_program ADD COLUMN failed_share REAL;"
	"ALTER TABLE ending_program ADD COLUMN failed_quality INTEGER;"
	"ALTER TABLE follow_row ADD COLUMN how INTEGER;";

static const char version_6[] =
	"ALTER TABLE layout ADD COLUMN moved INTEGER;";

static const char version_7[] =
	"ALTER TABLE sample ADD COLUMN tick_ns INTEGER;";

static const char version_8[] =
	"CREATE TABLE minute(last_sample INTEGER PRIMARY KEY, first_sample INTEGER, list BLOB);";
/* clang-format on */

_Static_assert(RECORD_APPLICATION == 0x74707470, "the same in version_1");

const char *const record_schema[RECORD_VERSION] = {version_1, version_2, version_3, version_4,
						   version_5, version_6, version_7, version_8};

static const char *const fixed[N_FIXED_COLUMNS] = {
	[COLUMN_ID] = "id",
	[COLUMN_SAMPLE] = "sample",
	[COLUMN_TASK] = "task",
	[COLUMN_PREVIOUS] = "previous",
	[COLUMN_COUNTS_NS] = "counts_ns",
	[COLUMN_FACTS_NS] = "facts_ns",
	[COLUMN_COUNTS_US] = "counts_us",
	[COLUMN_FACTS_US] = "facts_us",
	[COLUMN_FACTS_READ] = "facts_read",
	[COLUMN_STATE] = "state",
	[COLUMN_FLAGS] = "flags",
	[COLUMN_UNREAD] = "unread",
};

bool record_facts_parse(const char *text, struct fact_set *out)
{
	bool known = true;

	*out = FACT_NONE;
	while (*text) {
		size_t len = strcspn(text, " ");
		int f = 0;

		while (f < N_NUMBER_FACTS &&
		       (strncmp(fact_table[f].name, text, len) != 0 || fact_table[f].name[len]))
			f++;
		if (f < N_NUMBER_FACTS)
			fact_add(out, f);
		known = known && f < N_NUMBER_FACTS;
		text += len + (text[len] == ' ');
	}
	return known;
}

/* Returns the slot of an event: the slot of an earlier event of the same group and kind of cores,
 * or a new one. */
static int slot_of(const struct record_layout *l, int i)
{
	const struct sample_event *event = l->events->event;

	for (int k = 0; k < i && !l->single; k++)
		if (event[k].group == event[i].group && event[k].core == event[i].core)
			return l->slot[k];
	return l->n_slots;
}

void record_layout_init(struct record_layout *l, const struct sample_events *events,
			struct fact_set facts, bool single)
{
	*l = (struct record_layout){.events = sample_events_ref(events),
				    .facts = fact_and(facts, fact_numbers),
				    .single = single};
	for (int i = 0; i < sample_events_n(events); i++) {
		l->slot[i] = (uint8_t)slot_of(l, i);
		if (l->slot[i] == l->n_slots)
			l->n_slots++;
	}
}

void record_layout_done(struct record_layout *l)
{
	sample_events_unref(l->events);
	l->events = NULL;
}

int record_layout_facts(const struct record_layout *l)
{
	(void)l;
	return N_FIXED_COLUMNS;
}

int record_layout_counts(const struct record_layout *l)
{
	return N_FIXED_COLUMNS + fact_count(l->facts);
}

int record_layout_slots(const struct record_layout *l)
{
	return record_layout_counts(l) + sample_events_n(l->events);
}

int record_layout_moved(const struct record_layout *l)
{
	return record_layout_slots(l) + 2 * l->n_slots;
}

int record_layout_n(const struct record_layout *l)
{
	return record_layout_moved(l) + (l->moved ? sample_events_n(l->events) : 0);
}

/* Returns the n-th fact of the set, counted from 0. */
static int fact_at(struct fact_set facts, int n)
{
	int f = 0;

	for (; f < N_NUMBER_FACTS - 1; f++)
		if (fact_in(facts, f) && n-- == 0)
			break;
	return f;
}

static void add_column_name(const struct record_layout *l, int column, struct strbuf *out)
{
	const int counts = record_layout_counts(l), slots = record_layout_slots(l),
		  moved = record_layout_moved(l);

	if (column < N_FIXED_COLUMNS)
		strbuf_addstr(out, fixed[column]);
	else if (column < counts)
		strbuf_addstr(out, fact_table[fact_at(l->facts, column - N_FIXED_COLUMNS)].name);
	else if (column < slots)
		strbuf_addf(out, "count_%d", column - counts);
	else if (column >= moved)
		strbuf_addf(out, "moved_%d", column - moved);
	else
		strbuf_addf(out, "%s_%d", (column - slots) % 2 ? "running" : "enabled",
			    (column - slots) / 2);
}

void record_layout_names(const struct record_layout *l, struct strbuf *out)
{
	for (int i = 0; i < record_layout_n(l); i++) {
		strbuf_addstr(out, i ? ", " : "");
		add_column_name(l, i, out);
	}
}

void record_layout_declare(const struct record_layout *l, struct strbuf *out)
{
	strbuf_addf(out, "CREATE TABLE reading_%lld(", (long long)l->id);
	for (int i = 0; i < record_layout_n(l); i++) {
		strbuf_addstr(out, i ? ", " : "");
		add_column_name(l, i, out);
		strbuf_addstr(out, i == COLUMN_STATE ? " TEXT" : " INTEGER");
		strbuf_addstr(out, i == COLUMN_ID ? " PRIMARY KEY" : "");
	}
	strbuf_addch(out, ')');
}

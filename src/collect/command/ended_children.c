/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/ended_children.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/mem.h"
#include "model/fact_list.h"
#include "model/kinds.h"

struct ended {
	struct sample *last;
	uint64_t known[SAMPLE_MAX_EVENTS]; /* [event of the total] sum over all rows */
	uint64_t rest[SAMPLE_MAX_EVENTS];  /* [event of the total] largest rest so far */
	uint64_t given[SAMPLE_MAX_EVENTS]; /* the part of rest[] that has moved to children */
	bool gives;                        /* counts have moved in this sample */
	uint64_t known_ns, rest_ns;        /* CPU time as in known[] and rest[]; never moves */
	uint64_t counted;                  /* bit i: rows of samples count event i, too */
	struct task *row;                  /* the last reading of the rest; NULL: none */
	bool late;                         /* the rest grew in a sample without wanted rows */
	struct sample_events *matched;     /* the set that match[] is for */
	/* [event of the total] index of the same event in `matched`; -1: none */
	int match[SAMPLE_MAX_EVENTS];
};

struct ended *ended_new(void)
{
	return xcalloc(1, sizeof(struct ended));
}

void ended_begin(struct ended *e, const struct sample *s)
{
	e->last = sample_ref(s);
}

void ended_free(struct ended *e)
{
	if (!e)
		return;
	task_unref(e->row);
	sample_unref(e->last);
	sample_events_unref(e->matched);
	free(e);
}

static int find_event(const struct sample_events *set, const struct sample_event *event)
{
	for (int k = 0; k < set->n; k++)
		if (set->event[k].quality == QUALITY_EXACT &&
		    sample_event_equal(&set->event[k], event))
			return k;
	return -1;
}

static void match_events(struct ended *e, const struct sample_events *whole,
			 const struct sample_events *set)
{
	if (e->matched == set)
		return;
	sample_events_unref(e->matched);
	e->matched = sample_events_ref(set);
	for (int i = 0; i < whole->n; i++)
		e->match[i] = find_event(set, &whole->event[i]);
}

static bool has_counts(const struct task *t)
{
	return (t->counting == COUNT_OK || t->counting == COUNT_WHOLE) && t->count && t->events;
}

static bool goes_on(const struct task *t, const struct task *old)
{
	return old && has_counts(old) && old->events == t->events && !t->gap;
}

/* Returns whether this is the first reading of the counters of a row: its counts since their
 * opening are in the total of the row, but in none of its intervals. */
static bool is_first(const struct task *t, const struct task *old)
{
	return t->counting == COUNT_OK && !(old && has_counts(old));
}

/* Adds the counts of a row since its last reading to the sum over all rows, or those of a first
 * reading to given[]. shown: the sum over the totals of the rows of a child, to which they are
 * added, too; NULL: the row is not of a child. */
static void note_counts(struct ended *e, const struct sample_events *whole, const struct task *t,
			const struct task *old, uint64_t *shown)
{
	const bool first = shown && is_first(t, old);
	const bool interval = !shown || goes_on(t, old) || t->counting == COUNT_WHOLE;

	match_events(e, whole, t->events);
	for (int i = 0; i < whole->n; i++) {
		const int k = e->match[i];
		const uint64_t before = goes_on(t, old) && k >= 0 ? old->count[k].value : 0;
		const uint64_t more =
			k >= 0 && t->count[k].value > before ? t->count[k].value - before : 0;

		/* The rest has these counts in its intervals, and not in its total. */
		if (first) {
			e->given[i] += more;
			e->gives |= more > 0;
		}
		if (interval)
			e->known[i] += more;
		if (shown && (first || interval))
			shown[i] += more;
	}
}

/* Notes that a row of a child has counts. */
static void note_shown(struct descendant *descendant, const struct command_counts *whole,
		       const struct sample *s, const struct task *t, const struct task *old)
{
	const bool again = task_is_leader(t) ? descendant->led : old && has_counts(old);

	if (!descendant->shown) {
		descendant->shown = xcalloc((size_t)whole->events->n, sizeof *descendant->shown);
		descendant->generation = s->generation;
	}
	descendant->led |= task_is_leader(t);
	descendant->torn |= descendant->generation != s->generation || (again && !goes_on(t, old));
}

/* Returns the time for which the counters of a task were enabled since its last reading, from the
 * first counter that was read both times. */
static uint64_t time_counted(const struct task *t, const struct task *old)
{
	const uint64_t unread = t->unread | old->unread;

	for (int i = 0; i < t->events->n; i++)
		if (!(unread >> i & 1) && t->count[i].enabled_ns >= old->count[i].enabled_ns)
			return t->count[i].enabled_ns - old->count[i].enabled_ns;
	return 0;
}

/* Adds the CPU time of a row since its last reading, as delta_cpu_time() computes it. */
static void note_time(struct ended *e, const struct task *t, const struct task *old)
{
	const uint64_t before =
		old && fact_in(old->known, FACT_CPU_NS) ? task_fact(old, FACT_CPU_NS) : 0;

	/* Its facts are lost, but its counters have final times. */
	if (t->lost) {
		if (has_counts(t) && goes_on(t, old))
			e->known_ns += time_counted(t, old);
		return;
	}

	if (fact_in(t->known, FACT_CPU_NS) && task_fact(t, FACT_CPU_NS) > before)
		e->known_ns += task_fact(t, FACT_CPU_NS) - before;
}

static void note_row(struct ended *e, struct descendant_list *descendants,
		     const struct command_counts *whole, const struct sample *s,
		     const struct task *t)
{
	const struct task *old =
		e->last && e->last->generation == s->generation ? sample_find(e->last, t) : NULL;
	struct descendant *of = t->kind == &kind_task && descendants_have(descendants, t)
					? descendants_find(descendants, (pid_t)t->owner)
					: NULL;

	if (of)
		of->seen = true;
	if (t == old)
		return;
	/* The CPU time does not come from the counters, so it is compared across generations. */
	note_time(e, t, e->last ? sample_find(e->last, t) : NULL);
	if (!has_counts(t))
		return;
	if (of)
		note_shown(of, whole, s, t, old);
	note_counts(e, whole->events, t, old, of ? of->shown : NULL);
	e->counted = 0;
	for (int i = 0; i < whole->events->n; i++)
		e->counted |= e->match[i] >= 0 ? 1ull << i : 0;
}

static bool has_all_counts(const struct descendant *descendant)
{
	return descendant->count && descendant->state == DESCENDANT_ENDED &&
	       descendant->reported == descendant->exits;
}

/* Returns whether the row is of a child that had ended when its counters were opened, and whose
 * final counts have arrived: a row with these counts replaces it. */
static bool is_superseded(const struct descendant_list *descendants, const struct task *t)
{
	const struct descendant *of = t->kind == &kind_task && t->counting == COUNT_GONE
					      ? descendants_find(descendants, (pid_t)t->owner)
					      : NULL;

	return of && descendants_have(descendants, t) && !of->seen && has_all_counts(of);
}

static void drop_superseded(const struct descendant_list *descendants, struct sample *s)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (is_superseded(descendants, s->task[i])) {
			task_unref(s->task[i]);
			continue;
		}
		s->task[n] = s->task[i];
		s->time[n++] = s->time[i];
	}
	s->n = n;
}

#define END_FACTS FACT_EXIT, FACT_LIFE_NS

/* Sets the exit status and the life time, if they are known. how: as from wait(2). */
static void set_end(struct task *t, const int *how, uint64_t began_ns, uint64_t ended_ns)
{
	const int64_t signal = how && WIFSIGNALED(*how) ? WTERMSIG(*how) : 0;

	if (how)
		task_set_fact(t, FACT_EXIT, (uint64_t)(signal ? -signal : WEXITSTATUS(*how)));
	if (ended_ns > began_ns)
		task_set_fact(t, FACT_LIFE_NS, ended_ns - began_ns);
}

/* Returns whether the task was never counted in a row: it slept when it was found, and had ended
 * when its counters were to be opened. */
static bool is_uncounted(const struct task *t)
{
	return t->counting == COUNT_GONE || t->counting == COUNT_IDLE;
}

/* Returns the part of a child's count of event i of the total (event k of t, its row) that none of
 * its rows has; 0: none, or not known exactly. */
static uint64_t unshown(const struct descendant *of, const struct task *t, int i, int k)
{
	const struct count *all = &of->count[i];
	const struct sample_events *set = t->events;
	const uint64_t shown = of->shown ? of->shown[i] : 0;

	/* Counts that are summed over parts, or scaled, are not exact. */
	if (k < 0 || !(of->members >> i & 1) || t->unread >> k & 1 || set->event[k].scale ||
	    set->event[k].part_of || sample_events_next_part(set, k, k) < set->n ||
	    all->running_ns != all->enabled_ns ||
	    t->count[k].running_ns != t->count[k].enabled_ns || all->value <= shown)
		return 0;
	return all->value - shown;
}

/* Returns whether all counts of a child are known, and t, its last row, can get those from before
 * it was found. */
static bool can_have_past(const struct descendant *of, const struct sample *s, const struct task *t)
{
	return has_all_counts(of) && !of->torn && (!s->threads || of->exits == 1) && t->events &&
	       (of->shown ? has_counts(t) : is_uncounted(t));
}

/* Moves the counts of a child from before it was found to t, its last row. */
static void move_past_counts(struct ended *e, const struct descendant *of,
			     const struct command_counts *whole, struct task *t)
{
	t->counting = COUNT_OK;
	match_events(e, whole->events, t->events);
	for (int i = 0; i < whole->events->n; i++) {
		const uint64_t past = unshown(of, t, i, e->match[i]);

		if (!past)
			continue;
		if (!t->moved)
			task_make_moved(t);
		t->moved[e->match[i]] = (int64_t)past;
		e->given[i] += past;
		e->gives = true;
	}
}

/* Returns a new reading for a row of an ended process, with exit status and life time as far as
 * they are known; NULL: the row needs none. */
static struct task *make_end(struct ended *e, const struct descendant_list *descendants,
			     const struct command_counts *whole, const struct sample *s,
			     const struct task *t)
{
	const bool command = t->owner == (uint64_t)whole->command;
	const struct descendant *of =
		command ? NULL : descendants_find(descendants, (pid_t)t->owner);
	const struct task_texts texts = task_texts(t);
	struct task *out;
	bool reported;

	if (t->kind != &kind_task || !t->dead || !task_is_leader(t) ||
	    !(command || (of && of->state == DESCENDANT_ENDED && descendants_have(descendants, t))))
		return NULL;
	reported = of && can_have_past(of, s, t);
	out = task_copy(t, fact_or(t->room, FACT_SET(END_FACTS)),
			reported ? t->events->n : t->n_counts, &texts);
	if (command) {
		set_end(out, whole->how_known ? &whole->how : NULL,
			descendants_command_began_ns(descendants),
			descendants_command_ended_ns(descendants));
	} else {
		set_end(out, of->how_known ? &of->how : NULL, of->began_ns, of->ended_ns);
		if (reported)
			move_past_counts(e, of, whole, out);
	}
	return out;
}

static void set_ends(struct ended *e, const struct descendant_list *descendants,
		     const struct command_counts *whole, struct sample *s)
{
	for (size_t i = 0; i < s->n; i++) {
		struct task *t = make_end(e, descendants, whole, s, s->task[i]);

		if (!t)
			continue;
		task_unref(s->task[i]);
		s->task[i] = t;
	}
}

static void set_counts(struct task *t, const struct descendant *descendant,
		       const struct command_counts *whole)
{
	for (int i = 0; i < whole->events->n; i++) {
		t->count[i] = descendant->count[i];
		if (!(descendant->members >> i & 1))
			t->unread |= 1ull << i;
	}
	if (whole->clock >= 0 && !(t->unread >> whole->clock & 1))
		task_set_fact(t, FACT_CPU_NS, t->count[whole->clock].value);
}

/* Makes the row of a child that no sample has shown. model: the row of the command, whose user is
 * taken to be that of the child; NULL: the user is unknown. */
static struct task *make_row(const struct descendant *descendant,
			     const struct command_counts *whole, const struct task *model,
			     const struct sample *s)
{
	const struct task_texts texts = {.name = descendant->name,
					 .user = model ? model->user : "?"};
	const bool counted = has_all_counts(descendant);
	struct task *t = task_new(&kind_task, FACT_SET(FACT_CPU_NS, FACT_PPID, END_FACTS),
				  counted ? whole->events->n : 0, &texts);

	t->id = t->owner = (uint64_t)descendant->process;
	t->start_ns = descendant->began_ns;
	t->uid = model ? model->uid : TASK_UID_UNKNOWN;
	t->state = '?';
	t->dead = true;
	t->facts_read = s->number;
	t->counting = counted ? COUNT_WHOLE : COUNT_GONE;
	task_set_events(t, whole->events);
	if (descendant->creator_pid)
		task_set_fact(t, FACT_PPID, (uint64_t)descendant->creator_pid);
	set_end(t, descendant->how_known ? &descendant->how : NULL, descendant->began_ns,
		descendant->ended_ns);
	if (counted)
		set_counts(t, descendant, whole);
	return t;
}

/* Returns whether the row of an ended child must wait for the next sample, since its counts or its
 * exit status have not arrived yet. A row waits only once. */
static bool must_wait(const struct descendant_list *list, const struct descendant *descendant,
		      const struct command_counts *whole)
{
	const bool lacks = (whole->each && descendant->reported < descendant->exits) ||
			   (descendants_get_statuses(list) && !descendant->how_known);

	return lacks && !descendant->waited;
}

static const struct task *find_command(const struct sample *s, pid_t command)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->task[i]->kind == &kind_task && s->task[i]->id == (uint64_t)command)
			return s->task[i];
	return NULL;
}

/* Adds rows of ended children. Returns whether rows were added. */
static bool add_children(struct ended *e, struct descendant_list *descendants,
			 const struct command_counts *whole, bool wanted, struct sample *s)
{
	const struct task *model = find_command(s, whole->command);
	/* After the end of the command there is no further sample. */
	const bool last = model && model->dead;
	bool added = false;
	struct descendant *k;

	for (; (k = descendants_first_ended(descendants)) &&
	       (k->seen || last || !must_wait(descendants, k, whole));
	     descendants_drop_first_ended(descendants)) {
		struct task *t;

		if (k->seen || !wanted)
			continue;
		t = sample_add(s, make_row(k, whole, model, s));
		note_time(e, t, NULL);
		if (has_counts(t))
			note_counts(e, whole->events, t, NULL, NULL);
		added = true;
	}
	/* These wait together, not one after the other. */
	for (size_t i = 0; (k = descendants_nth_ended(descendants, i)); i++)
		k->waited = true;
	return added;
}

static bool grow(uint64_t *rest, uint64_t sum, uint64_t known)
{
	const uint64_t left = sum > known ? sum - known : 0;

	if (left <= *rest)
		return false;
	*rest = left;
	return true;
}

/* Adds the counts of ended children whose rows come in later samples. Returns false if final counts
 * of such a child may still arrive. */
static bool add_waiting(const struct descendant_list *descendants,
			const struct command_counts *whole, uint64_t *count)
{
	const struct descendant *k;

	for (size_t n = 0; (k = descendants_nth_ended(descendants, n)); n++) {
		if (!k->seen && !has_all_counts(k))
			return false;
		for (int i = 0; !k->seen && i < whole->events->n; i++)
			count[i] += k->members >> i & 1 ? k->count[i].value : 0;
	}
	return true;
}

/* Computes the rest, without counts that a later row will have. Returns whether it has grown. */
static bool grow_rest(struct ended *e, const struct descendant_list *descendants,
		      const struct command_counts *whole)
{
	uint64_t waiting[SAMPLE_MAX_EVENTS] = {0};
	const uint64_t unread = whole->unread;
	const int clock = whole->clock;
	bool grown = false;

	if (!add_waiting(descendants, whole, waiting))
		return false;
	for (int i = 0; i < whole->events->n; i++)
		if (e->counted >> i & 1 && !(unread >> i & 1))
			grown |= grow(&e->rest[i], whole->count[i].value, e->known[i] + waiting[i]);
	if (clock >= 0 && !(unread >> clock & 1))
		grown |= grow(&e->rest_ns, whole->count[clock].value, e->known_ns + waiting[clock]);
	return grown;
}

static struct task *make_rest(const struct ended *e, const struct command_counts *whole,
			      const struct sample *s)
{
	const struct task_texts texts = {.name = "(not seen one by one)"};
	struct task *t = task_new(&kind_rest, FACT_SET(FACT_CPU_NS), whole->events->n, &texts);

	t->state = '?';
	t->facts_read = s->number;
	t->counting = e->late ? COUNT_OK : COUNT_WHOLE;
	/* If rows do not count an event, their part of its total is unknown, and so is the rest. */
	t->unread = whole->unread | ~e->counted;
	task_set_events(t, whole->events);
	/* Made even if no counts have moved, so that all readings of the rest have the same form in
	 * a recording. */
	task_make_moved(t);
	for (int i = 0; i < whole->events->n; i++) {
		t->moved[i] = (int64_t)(0 - e->given[i]);
		t->count[i] = (struct count){.value = e->rest[i],
					     .enabled_ns = whole->count[i].enabled_ns,
					     .running_ns = whole->count[i].running_ns};
	}
	if (whole->clock >= 0)
		task_set_fact(t, FACT_CPU_NS, e->rest_ns);
	return t;
}

/* Adds the row of the rest. Returns whether there is one. */
static bool add_rest(struct ended *e, const struct descendant_list *descendants,
		     const struct command_counts *whole, bool wanted, struct sample *s)
{
	bool grown = grow_rest(e, descendants, whole);

	/* The counts that have moved to children were part of the rest: so it is at least as large,
	 * even if grow_rest() has not computed it, since counts may still arrive. */
	for (int i = 0; e->gives && i < whole->events->n; i++)
		grown |= grow(&e->rest[i], e->given[i], 0);
	e->late |= grown && !wanted;
	if (wanted && (grown || e->gives || (!e->row && e->late))) {
		task_unref(e->row);
		e->row = make_rest(e, whole, s);
	}
	if (wanted && e->row)
		sample_add(s, task_ref(e->row));
	return wanted && e->row;
}

void ended_add_rows(struct ended *e, struct descendant_list *descendants,
		    const struct command_counts *whole, bool wanted, struct sample *s)
{
	bool added;

	if (!whole->events)
		return;
	drop_superseded(descendants, s);
	e->gives = false;
	for (size_t i = 0; i < s->n; i++)
		note_row(e, descendants, whole, s, s->task[i]);
	set_ends(e, descendants, whole, s);
	added = add_children(e, descendants, whole, wanted, s);
	/* Without children and threads, the rest would only be the difference between two
	 * clocks. */
	if (descendants_have_any(descendants) ||
	    (s->threads && descendants_command_has_threads(descendants)))
		added |= add_rest(e, descendants, whole, wanted, s);
	if (added) {
		s->one_set = false;
		sample_sort(s);
	}
	sample_unref(e->last);
	e->last = sample_ref(s);
}

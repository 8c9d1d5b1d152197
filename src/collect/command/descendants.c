/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/command/descendants.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

/* So many that have ended are remembered. */
#define ENDED_MOST 65536

/* The start of a task comes in ticks, so it may seem to be later than its end. */
#define TICK_NS 10000000u

struct kin_list {
	struct lives *lives;
	struct exits *heard; /* how they end; NULL: nobody tells, or */
	bool expects;        /* the owner does */
	pid_t *born;         /* those that began since the last taking */
	size_t n_born, cap_born;
	struct kin *command;         /* owned */
	uint64_t began_ns, ended_ns; /* of the command */
	bool first_ended;            /* so has its first task */
	bool any;                    /* the command has made some */
	uint64_t exits;              /* of threads of all */
	struct hash kin;             /* the latest of each process: struct kin */
	struct life *life;           /* what waits for those before it */
	size_t n_lives, cap_lives;
	struct kin **ended; /* owned; the oldest first */
	size_t n_ended, cap_ended;
	size_t passed;     /* how many of them were passed on */
	struct kin **told; /* of these it has become known how they ended */
	size_t n_told, cap_told;
};

void kin_listen(struct kin_list *f, struct exits *exits)
{
	exits_close(f->heard);
	f->heard = exits;
}

static void let_go(struct kin_list *f, struct kin *kin)
{
	if (kin->held >= 0)
		exits_let_go(f->heard, kin->held);
	kin->held = -1;
}

static void free_kin(struct kin_list *f, struct kin *kin)
{
	let_go(f, kin);
	free(kin->count);
	free(kin->shown);
	free(kin);
}

struct kin *kin_find(const struct kin_list *f, pid_t process)
{
	return hash_get(&f->kin, (uint64_t)process);
}

const char *kin_name(const struct kin_list *f, pid_t process)
{
	const struct kin *kin = kin_find(f, process);

	return kin ? kin->name : "?";
}

/* A pid that comes again is another process; the end of the one before was lost. */
static struct kin *add_kin(struct kin_list *f, pid_t process)
{
	struct kin *kin = xcalloc(1, sizeof *kin), *old = kin_find(f, process);

	if (old && old->state != KIN_ENDED && old != f->command)
		free_kin(f, old);
	kin->process = process;
	kin->held = -1;
	snprintf(kin->name, sizeof kin->name, "?");
	hash_put(&f->kin, (uint64_t)process, kin);
	return kin;
}

/* A process has its first task. */
static void start(struct kin *kin, pid_t maker, uint64_t time_ns)
{
	kin->state = KIN_ALIVE;
	kin->maker = maker;
	kin->began_ns = time_ns;
	kin->tasks = kin->begun = 1;
}

struct kin_list *kin_open(struct perf_sys *sys, int n_cpus, pid_t command)
{
	struct kin_list *f;
	struct lives *lives;

	if (!sys->map || lives_open(&lives, sys, n_cpus, command))
		return NULL;
	f = xcalloc(1, sizeof *f);
	f->lives = lives;
	f->began_ns = clock_ns(CLOCK_BOOTTIME);
	f->command = add_kin(f, command);
	start(f->command, 0, f->began_ns);
	return f;
}

static bool is_thread(const struct life *life)
{
	return life->process == life->maker;
}

/* Once a process has ended for us, as the start of a thread was lost, it stays so. */
static void begin_thread(struct kin_list *f, const struct life *life)
{
	struct kin *kin = kin_find(f, life->process);

	if (!kin || kin->state != KIN_ALIVE)
		return;
	kin->tasks++;
	kin->begun++;
}

static void begin(struct kin_list *f, const struct life *life)
{
	struct kin *kin;

	if (is_thread(life)) {
		begin_thread(f, life);
		return;
	}
	f->any = true;
	kin = add_kin(f, life->process);
	start(kin, life->maker, life->time_ns);
	snprintf(kin->name, sizeof kin->name, "%s", kin_name(f, life->maker));
	if (!f->heard)
		return;
	f->born = xgrow(f->born, &f->cap_born, f->n_born + 1, sizeof *f->born);
	f->born[f->n_born++] = life->process;
}

static void forget_oldest(struct kin_list *f)
{
	const size_t n = ENDED_MOST / 2 < f->passed ? ENDED_MOST / 2 : f->passed;

	for (size_t i = 0; i < n; i++) {
		struct kin *kin = f->ended[i];

		if (kin_find(f, kin->process) == kin)
			hash_remove(&f->kin, (uint64_t)kin->process);
		free_kin(f, kin);
	}
	f->n_ended -= n;
	f->passed -= n;
	memmove(f->ended, f->ended + n, f->n_ended * sizeof *f->ended);
}

/* The last task of a process has ended. */
static void end_process(struct kin_list *f, struct kin *kin, uint64_t time_ns)
{
	kin->state = KIN_ENDED;
	kin->ended_ns = time_ns;
	if (kin == f->command)
		return;
	if (f->n_ended >= ENDED_MOST)
		forget_oldest(f);
	f->ended = xgrow(f->ended, &f->cap_ended, f->n_ended + 1, sizeof *f->ended);
	f->ended[f->n_ended++] = kin;
}

/* Whether it is the task on which the counters were opened, which tells nothing at its end. A
 * thread of the command that executes a program gets the number of this task. */
static bool ends_first_task(struct kin_list *f, const struct kin *kin, const struct life *life)
{
	const bool first = kin == f->command && life->task == life->process && !f->first_ended;

	f->first_ended |= first;
	return first;
}

static void end(struct kin_list *f, const struct life *life)
{
	struct kin *kin = kin_find(f, life->process);

	if (!kin)
		return;
	if (kin == f->command)
		f->ended_ns = life->time_ns;
	if (!ends_first_task(f, kin, life)) {
		kin->exits++;
		f->exits++;
	}
	if (kin->state == KIN_ALIVE && !--kin->tasks)
		end_process(f, kin, life->time_ns);
}

static void set_name(struct kin_list *f, const struct life *life)
{
	struct kin *kin = kin_find(f, life->process);

	/* Of one whose start was lost, only the name is known; its number may have been that of one
	 * that has ended. */
	if (!kin || kin->state == KIN_ENDED)
		kin = add_kin(f, life->process);
	snprintf(kin->name, sizeof kin->name, "%s", life->name);
	text_tame(kin->name, '?');
}

static void set_how(struct kin_list *f, struct kin *kin, int how)
{
	kin->how_known = true;
	kin->how = how;
	f->told = xgrow(f->told, &f->cap_told, f->n_told + 1, sizeof *f->told);
	f->told[f->n_told++] = kin;
}

void kin_expect_told(struct kin_list *f)
{
	f->expects = true;
}

void kin_tell_how(struct kin_list *f, pid_t process, int how)
{
	struct kin *kin = kin_find(f, process);

	if (kin && kin != f->command && !kin->how_known)
		set_how(f, kin, how);
}

bool kin_add_counts(struct kin_list *f, pid_t process, const struct count *count, int n,
		    uint64_t members, uint32_t told)
{
	struct kin *kin = kin_find(f, process);

	if (!kin)
		return false;
	if (!kin->count)
		kin->count = xcalloc((size_t)n, sizeof *kin->count);
	kin->told += told;
	kin->members |= members;
	count_add_members(kin->count, count, n, members);
	return true;
}

/* How a process ended is told by its tasks, after those of their lives. One that ends by itself, as
 * threads do, says 0, and may be the last one while another one ends all of them with a status. */
static void tell_how(struct kin_list *f)
{
	struct exits_end end;

	while (exits_next(f->heard, &end)) {
		struct kin *kin = kin_find(f, end.process);

		if (!kin || kin == f->command || kin->how_known)
			continue;
		kin->heard++;
		if (end.how)
			kin->how = end.how;
		if (kin->state == KIN_ENDED && kin->heard >= kin->exits)
			set_how(f, kin, kin->how);
	}
}

/* Nobody may tell later how those end that live now. */
static void hold_born(struct kin_list *f)
{
	for (size_t i = 0; i < f->n_born; i++) {
		struct kin *kin = kin_find(f, f->born[i]);

		if (!kin || kin->state != KIN_ALIVE || kin->held >= 0)
			continue;
		kin->held = exits_hold(f->heard, kin->process);
		kin->held_ns = clock_ns(CLOCK_BOOTTIME);
	}
	f->n_born = 0;
}

/* One that ended before it was held has left its number to somebody else, perhaps. */
static void ask_held(struct kin_list *f)
{
	for (size_t i = f->passed; i < f->n_ended; i++) {
		struct kin *kin = f->ended[i];
		int how;

		if (kin->held >= 0 && !kin->how_known && kin->ended_ns > kin->held_ns &&
		    exits_ask(f->heard, kin->held, &how))
			set_how(f, kin, how);
	}
}

/* At one time, as coarse clocks have it, a process begins, then its threads do, then they end. */
static int compare_times(const void *a, const void *b)
{
	const struct life *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->what != y->what)
		return x->what < y->what ? -1 : 1;
	return x->what == LIVES_BEGIN ? is_thread(x) - is_thread(y) : 0;
}

int kin_fd(const struct kin_list *f)
{
	return f->heard ? exits_fd(f->heard) : -1;
}

size_t kin_hear(struct kin_list *f)
{
	return f->heard ? exits_take(f->heard) : 0;
}

void kin_take(struct kin_list *f)
{
	static void (*const take[])(struct kin_list *, const struct life *) = {
		[LIVES_BEGIN] = begin, [LIVES_END] = end, [LIVES_NAME] = set_name};
	struct life life;
	uint64_t now;
	size_t n = 0;

	f->n_told = 0;
	/* First of all: whatever has told how it ended is in the rings. */
	kin_hear(f);
	/* What is older is there. While the rings are emptied, one CPU after the other, something
	 * may come that follows from what a ring gets that was empty. */
	now = clock_ns(CLOCK_BOOTTIME);
	while (lives_next(f->lives, &life)) {
		f->life = xgrow(f->life, &f->cap_lives, f->n_lives + 1, sizeof *f->life);
		f->life[f->n_lives++] = life;
	}
	if (f->n_lives)
		qsort(f->life, f->n_lives, sizeof *f->life, compare_times);
	for (; n < f->n_lives && f->life[n].time_ns < now; n++)
		take[f->life[n].what](f, &f->life[n]);
	f->n_lives -= n;
	if (f->n_lives)
		memmove(f->life, f->life + n, f->n_lives * sizeof *f->life);
	if (!f->heard)
		return;
	tell_how(f);
	ask_held(f);
	hold_born(f);
}

const struct kin *kin_told(const struct kin_list *f, size_t i)
{
	return i < f->n_told ? f->told[i] : NULL;
}

uint64_t kin_command_began_ns(const struct kin_list *f)
{
	return f->began_ns;
}

uint64_t kin_command_ended_ns(const struct kin_list *f)
{
	return f->ended_ns;
}

bool kin_tells_how(const struct kin_list *f)
{
	return f->expects || (f->heard && exits_heard(f->heard));
}

bool kin_has_any(const struct kin_list *f)
{
	return f->any;
}

bool kin_has_threads(const struct kin_list *f)
{
	return f->command->begun > 1;
}

bool kin_has(const struct kin_list *f, const struct task *t)
{
	const struct kin *kin = kin_find(f, (pid_t)t->owner);

	return kin && kin != f->command &&
	       (kin->state != KIN_ENDED || t->start_ns < kin->ended_ns + TICK_NS);
}

struct kin *kin_first_ended(const struct kin_list *f)
{
	return f->passed < f->n_ended ? f->ended[f->passed] : NULL;
}

void kin_pass_on(struct kin_list *f)
{
	let_go(f, f->ended[f->passed++]);
}

const struct kin *kin_ended_behind(const struct kin_list *f, size_t i)
{
	return i < f->n_ended - f->passed ? f->ended[f->passed + i] : NULL;
}

uint64_t kin_exits(const struct kin_list *f)
{
	return f->exits;
}

uint64_t kin_lost(struct kin_list *f)
{
	const struct ring_losses losses = lives_losses(f->lives);

	return losses.records + losses.damages;
}

void kin_free(struct kin_list *f)
{
	size_t at = 0;
	struct kin *kin;

	if (!f)
		return;
	while ((kin = hash_next(&f->kin, &at)))
		if (kin->state != KIN_ENDED && kin != f->command)
			free_kin(f, kin);
	free_kin(f, f->command);
	for (size_t i = 0; i < f->n_ended; i++)
		free_kin(f, f->ended[i]);
	hash_done(&f->kin);
	lives_close(f->lives);
	exits_close(f->heard);
	free(f->born);
	free(f->life);
	free(f->ended);
	free(f->told);
	free(f);
}

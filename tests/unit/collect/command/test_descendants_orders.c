/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes and threads start, execute and exit in random orders, and the kernel's records of this
 * are read in random orders. Each process must exit once, with true data, and the counts of all
 * rows must add up to the command's total.
 *
 * In some orders records are lost: each process must still exit once.
 */
#include "ended_rig.h"
#include "exit_rig.h"
#include "orders.h"

#define ROUNDS    3000
#define STEPS     120
#define PROCESSES 12
#define TASKS     4
#define PENDING   64

/* The true state of a process. */
struct process {
	pid_t pid; /* 0: this element is unused */
	pid_t creator_pid;
	uint64_t began, ended;
	int n; /* number of its living threads */
	pid_t task[TASKS];
	uint64_t work[TASKS];
	uint64_t total;    /* sum of the work of all its threads */
	uint32_t exits;    /* number of its threads that have exited */
	int how, unread;   /* wait status; number of its messages and counts not delivered yet */
	bool first_ended;  /* of the command only: its first task has exited */
	bool shown, waits; /* it has had a row; its last row is still to come */
	uint64_t before;   /* work done before its counters were opened */
	char name[LIFE_NAME_MAX];
};

/* An exit message, or the counts of a task, that the kernel has written and nothing has read. */
struct pending {
	struct process *of;
	pid_t process, task;
	int how;
	uint64_t work;
};

struct model {
	struct scene scene;
	struct fake_exits says;
	uint64_t seed, time;
	struct process process[PROCESSES]; /* [0] is the command */
	struct pending end[PENDING], count[PENDING];
	int n_ends, n_counts;
	pid_t next;
	uint64_t whole; /* work of all processes */
	double rows;    /* sum of the increments of all rows */
	uint64_t exits; /* number of exited tasks with counts */
	uint32_t ended; /* processes of the command that have ended */
	uint32_t checked;
	bool lossy; /* some records are lost */
	bool deaf;  /* exit messages are refused */
	const char *wrong;
};

static unsigned draw(struct model *m, unsigned n)
{
	m->seed = m->seed * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(m->seed >> 33) % n;
}

static void check(struct model *m, bool good, const char *what)
{
	if (!good && !m->wrong)
		m->wrong = what;
}

static int cpu_of(struct model *m)
{
	return draw(m, 2) ? 2 : 0;
}

/* The kernel's clock may be coarse, so that several records have the same time. Renames and reuses
 * of a pid always have distinct times. */
static uint64_t tell_time(struct model *m)
{
	m->time += draw(m, 3);
	return m->time;
}

static bool is_lost(struct model *m)
{
	return m->lossy && !draw(m, 20);
}

static void write_task(struct model *m, uint32_t type, pid_t process, pid_t creator_pid, pid_t task)
{
	const uint64_t time = tell_time(m);

	if (!is_lost(m))
		put_task(&m->scene.kernel, cpu_of(m), type, (uint32_t)process,
			 (uint32_t)creator_pid, (uint32_t)task, time);
}

static void rename_process(struct model *m, struct process *p)
{
	snprintf(p->name, sizeof p->name, "n%u", draw(m, 1000));
	m->time++;
	if (!is_lost(m))
		put_name(&m->scene.kernel, cpu_of(m), (uint32_t)p->pid, (uint32_t)p->pid, p->name,
			 m->time);
	m->time++;
}

static void start_process(struct model *m, const struct process *creator)
{
	struct process *p = NULL;

	for (int i = 1; i < PROCESSES && !p; i++)
		if (!m->process[i].n && !m->process[i].unread && !m->process[i].waits)
			p = &m->process[i];
	if (!p)
		return;
	m->time++;
	/* A pid may be reused. */
	*p = (struct process){.pid = p->pid && draw(m, 2) ? p->pid : m->next++, .n = 1};
	p->creator_pid = creator->pid;
	p->task[0] = p->pid;
	memcpy(p->name, creator->name, sizeof p->name);
	write_task(m, PERF_RECORD_FORK, p->pid, creator->pid, p->pid);
	p->began = m->time;
}

static void start_thread(struct model *m, struct process *p)
{
	if (p->n == TASKS)
		return;
	p->task[p->n] = m->next++;
	p->work[p->n++] = 0;
	write_task(m, PERF_RECORD_FORK, p->pid, p->pid, p->task[p->n - 1]);
}

static void write_end(struct model *m, struct process *p, int i, int how)
{
	const bool first = p == m->process && p->task[i] == p->pid && !p->first_ended;
	const struct pending end = {p, p->pid, p->task[i], how, p->work[i]};

	p->first_ended |= first;
	write_task(m, PERF_RECORD_EXIT, p->pid, p->creator_pid, p->task[i]);
	m->end[m->n_ends++] = end;
	p->unread++;
	if (first)
		return;
	p->exits++;
	m->exits++;
	m->count[m->n_counts++] = end;
	p->unread++;
}

static void end_task(struct model *m, struct process *p, int i, int how)
{
	write_end(m, p, i, how);
	p->n--;
	p->task[i] = p->task[p->n];
	p->work[i] = p->work[p->n];
	if (how)
		p->how = how;
	if (p->n)
		return;
	p->ended = m->time;
	p->waits = p->shown;
	m->ended += p != m->process;
}

static void end_process(struct model *m, struct process *p)
{
	const int how = (int)draw(m, 3) << 8;

	while (p->n)
		end_task(m, p, (int)draw(m, (unsigned)p->n), how);
}

/* Executes a program in one thread: all others exit, and this one gets the pid of the process. */
static void execute(struct model *m, struct process *p)
{
	const pid_t one = p->task[draw(m, (unsigned)p->n)];

	for (int i; p->n > 1;) {
		i = (int)draw(m, (unsigned)p->n);
		if (p->task[i] != one)
			end_task(m, p, i, 0);
	}
	p->task[0] = p->pid;
	rename_process(m, p);
}

/* Delivers some of the pending data: exit messages in random order, then counts in the order of the
 * exits. */
static void take(struct model *m, bool all)
{
	const int n_counts = all ? m->n_counts : (int)draw(m, (unsigned)m->n_counts + 1);
	int n_ends = all ? m->n_ends : (int)draw(m, (unsigned)m->n_ends + 1);

	m->says.n = m->says.at = 0;
	for (int i; n_ends--; m->end[i] = m->end[--m->n_ends]) {
		i = (int)draw(m, (unsigned)m->n_ends);
		put_exit(&m->says, PROC_EVENT_EXIT, m->end[i].process, m->end[i].task,
			 (uint32_t)m->end[i].how);
		m->end[i].of->unread--;
	}
	descendants_read(m->scene.kin);
	for (int i = 0; i < n_counts; i++) {
		const struct pending *c = &m->count[i];
		const struct count count = {c->work, c->work, c->work}, both[] = {count, count};

		descendants_add_counts(m->scene.kin, c->process, both, EVENTS, 3, true);
		c->of->unread--;
	}
	m->n_counts -= n_counts;
	memmove(m->count, m->count + n_counts, (size_t)m->n_counts * sizeof *m->count);
}

/* Compares the list's entry of a process with the model, as long as its pid is not reused. */
static void check_process(struct model *m, const struct process *p)
{
	const struct descendant *kin = descendants_find(m->scene.kin, p->pid);

	if (!kin) {
		check(m, false, "a process is not known");
		return;
	}
	check(m, kin->state == (p->n ? DESCENDANT_ALIVE : DESCENDANT_ENDED),
	      "the state of a process is wrong");
	check(m, kin->exits == p->exits, "the number of its threads that ended is wrong");
	check(m, !strcmp(kin->name, p->name), "its name is wrong");
	if (p == m->process)
		return;
	check(m, kin->creator_pid == p->creator_pid, "who made it is wrong");
	check(m, kin->began_ns == p->began, "when it began is wrong");
	check(m, p->n || kin->ended_ns == p->ended, "when it ended is wrong");
	check(m, p->n || p->unread || m->deaf || (kin->how_known && kin->how == p->how),
	      "how it ended is wrong");
}

/* Exited processes that have no row yet: each is listed once, the oldest first. */
static void check_ended(struct model *m)
{
	const struct descendant *kin, *before = NULL;

	for (size_t i = 0; (kin = descendants_nth_ended(m->scene.kin, i)); before = kin, i++) {
		check(m, kin->state == DESCENDANT_ENDED,
		      "one that lives is among those that have ended");
		check(m, !before || before->ended_ns <= kin->ended_ns,
		      "the order of ends is wrong");
		for (size_t k = 0; k < i; k++)
			check(m, descendants_nth_ended(m->scene.kin, k) != kin,
			      "a process ends twice");
	}
}

static void look(struct model *m, bool all)
{
	take(m, all);
	check_ended(m);
	for (int i = 0; i < PROCESSES && !m->lossy; i++)
		if (m->process[i].pid)
			check_process(m, &m->process[i]);
	check(m, m->lossy || descendants_thread_exits(m->scene.kin) == m->exits,
	      "the sum of ends is wrong");
}

/* Adds the row of a process that lives, or has exited since the last sample. */
static void add_row(struct model *m, struct sample *sample, struct process *p)
{
	struct task *t;
	uint64_t n;

	if (!p->pid || (!p->n && !p->waits))
		return;
	if (!p->shown)
		p->before = p->total;
	p->shown = true;
	n = p->total - p->before;
	t = seen(&m->scene, (uint64_t)p->pid);
	t->start_ns = p->began;
	t->count[0] = t->count[1] = (struct count){n, n, n};
	t->dead = !p->n;
	p->waits = false;
	sample_add(sample, t);
}

static void add_up(struct model *m)
{
	const struct delta *d = &m->scene.delta[~m->scene.n & 1];

	for (size_t i = 0; i < d->n; i++) {
		const struct value v = d->row[i].increment[0];

		m->rows += value_known(v) ? v.number : 0;
		m->checked += d->row[i].task->kind == &kind_task && d->row[i].task->dead &&
			      d->row[i].task->id != TID;
	}
}

static void show(struct model *m, bool last)
{
	struct sample *sample = step(&m->scene, m->process[0].total);

	sample->task[0]->dead = last;
	sum(&m->scene, m->whole);
	for (int i = 1; i < PROCESSES; i++)
		add_row(m, sample, &m->process[i]);
	sample_sort(sample);
	look(m, last);
	add_rows(&m->scene, true);
	add_up(m);
}

static void work(struct model *m, struct process *p)
{
	const unsigned n = draw(m, 100);

	p->work[draw(m, (unsigned)p->n)] += n;
	p->total += n;
	m->whole += n;
}

static void act(struct model *m)
{
	struct process *p = &m->process[draw(m, 2) ? 0 : draw(m, PROCESSES)];

	/* The command, with at least one thread, lives until the end. */
	if (!p->n)
		return;
	work(m, p);
	switch (draw(m, 8)) {
	case 0:
	case 1:
		start_process(m, p);
		break;
	case 2:
	case 3:
		start_thread(m, p);
		break;
	case 4:
		if (p->n > 1 || p != m->process)
			end_task(m, p, (int)draw(m, (unsigned)p->n), 0);
		break;
	case 5:
		if (p != m->process)
			end_process(m, p);
		break;
	case 6:
		execute(m, p);
		break;
	default:
		rename_process(m, p);
	}
}

static void begin_model(struct model *m, uint64_t seed)
{
	*m = (struct model){.seed = seed, .time = SECOND, .next = TID + 1, .lossy = seed % 3 == 2};
	m->deaf = seed % 4 == 3;
	m->says = fake_exits(m->deaf ? -EPERM : 0);
	begin(&m->scene, true);
	descendants_set_exits(m->scene.kin, exits_open(&m->says.sys));
	m->process[0] = (struct process){.pid = TID, .n = 1, .task = {TID}};
	snprintf(m->process[0].name, LIFE_NAME_MAX, "?");
	show(m, false);
}

/* Returns the first error, NULL if there was none. */
static const char *try_order(uint64_t seed)
{
	struct model m;

	begin_model(&m, seed);
	for (int i = 0; i < STEPS; i++) {
		act(&m);
		if (!draw(&m, 6) || m.n_ends + 2 * TASKS > PENDING)
			look(&m, m.n_ends + 2 * TASKS > PENDING);
		if (!draw(&m, 10))
			show(&m, false);
	}
	look(&m, true);
	for (int i = PROCESSES; i-- > 0;)
		end_process(&m, &m.process[draw(&m, 3) ? (unsigned)i : draw(&m, PROCESSES)]);
	for (int i = PROCESSES; i-- > 0;)
		end_process(&m, &m.process[i]);
	show(&m, true);
	check(&m, m.lossy || m.rows == (double)m.whole, "the rows of all are not the whole");
	check(&m, m.lossy || m.checked == m.ended, "not each process has one last row");
	check(&m, !close_scene(&m.scene) && !m.says.n_open && !m.says.n_held,
	      "something stays open");
	return m.wrong;
}

int main(void)
{
	return orders_try(try_order, ROUNDS,
			  "in each order, each process ends once, and the rows are the whole");
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/halving.h"

#include <math.h>
#include <stdlib.h>

#include "base/lookup.h"
#include "base/mem.h"
#include "inject/lib/clock.h"
#include "profile/locks/report.h"

/* A thread with less than this share of the acquisitions of the busiest one is not one of the
 * threads of the model. The acquisitions of all such threads together may be at most OTHERS of
 * those of the threads of the model. */
#define USER   0.05
#define OTHERS 0.02
/* How far the acquisitions, and the times of waits and holds, of threads may be from the mean. */
#define LIKE      0.2
#define LIKE_TIME 0.35
/* The part of the time in which not all threads may be there. */
#define PARTIAL 0.15
/* The most time ready to run without a CPU, and the most CPU time with a halved hold time. */
#define RUNNABLE 0.05
#define BUSY     0.8
/* The model applies only if each of these is at most this share of the life of the threads: waits
 * that are not for locks; holds that overlap; what is left out. */
#define OTHER_WAITS 0.03
#define NESTED      0.02
#define LEFT_OUT    0.01
/* The fewest acquisitions of a thread. */
#define FEW 10
/* Limits of the variation of hold times: above them, they are neither constant nor exponential. The
 * hold times of a lock that is held for less than MATTERS of a cycle may vary more. */
#define CONSTANT    0.1
#define EXPONENTIAL 1.5
#define MATTERS     0.05
/* How far the model may be from what was measured, and two models from each other. */
#define AGREES      0.05
#define AGREES_STEP 0.03
/* The least share of the time that is worth a sentence. */
#define WORTH 0.01

/* The threads that use locks, and their sums. */
struct users {
	uint32_t n;
	double acquisitions, life, waiting, holding;
	struct states states;
	uint64_t begin, last_begin, first_end, end;
};

/* --- threads --- */

/* The entry without a name is for the threads whose own numbers are unknown, even if it is only
 * one. */
static bool is_known(const struct thread_locks *one)
{
	return one->name;
}

static bool is_user(const struct thread_locks *one, uint64_t most)
{
	return is_known(one) && (double)one->acquisitions > USER * (double)most;
}

static uint64_t most_acquisitions(const struct locks_threads *t)
{
	uint64_t most = 0;

	for (size_t i = 0; i < t->n; i++)
		if (is_known(&t->v[i]) && t->v[i].acquisitions > most)
			most = t->v[i].acquisitions;
	return most;
}

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void add_user(struct users *u, const struct thread_locks *one)
{
	u->acquisitions += (double)one->acquisitions;
	u->life += (double)one->time;
	u->waiting += (double)one->ticks[LOCKS_WAITING];
	u->holding += (double)one->ticks[LOCKS_HOLDING];
	states_add(&u->states, &one->states);
	u->begin = u->n ? least(u->begin, one->begin) : one->begin;
	u->first_end = u->n ? least(u->first_end, one->end) : one->end;
	u->last_begin = u->last_begin > one->begin ? u->last_begin : one->begin;
	u->end = u->end > one->end ? u->end : one->end;
	u->n++;
}

static bool is_like(double x, double mean, double share, double slack)
{
	return fabs(x - mean) <= share * mean + slack;
}

/* Returns whether a thread does what the others do. */
static bool does_same(const struct users *u, const struct thread_locks *one)
{
	const double n = u->n, slack = NESTED * u->life / n;

	return is_like((double)one->acquisitions, u->acquisitions / n, LIKE, 0) &&
	       is_like((double)one->ticks[LOCKS_WAITING], u->waiting / n, LIKE_TIME, slack) &&
	       is_like((double)one->ticks[LOCKS_HOLDING], u->holding / n, LIKE_TIME, slack);
}

/* Finds the threads that use locks. Returns why the model does not apply to them; NULL: it does. */
static const char *find_users(struct users *u, const struct locks_threads *t)
{
	const uint64_t most = most_acquisitions(t);
	double others = 0;

	for (size_t i = 0; i < t->n; i++)
		if (is_user(&t->v[i], most))
			add_user(u, &t->v[i]);
		else
			others += (double)t->v[i].acquisitions;
	if (u->n < 2)
		return "fewer than two threads use locks";
	if (others > OTHERS * u->acquisitions)
		return "threads differ in how often they use locks";
	for (size_t i = 0; i < t->n; i++)
		if (is_user(&t->v[i], most) && !does_same(u, &t->v[i]))
			return "threads differ in their use of locks";
	if ((double)(u->last_begin - u->begin + (u->end - u->first_end)) >
	    PARTIAL * (double)(u->end - u->begin))
		return "threads do not run at the same time";
	if (u->acquisitions / u->n < FEW)
		return "there are too few acquisitions";
	return NULL;
}

static const char *check_cpus(const struct users *u, const struct locks_report *r)
{
	if (!r->n_cpus || u->states.n_known < u->n)
		return "it is unknown how long each thread ran";
	if ((double)u->states.ns[STATES_RUNNABLE] > RUNNABLE * (double)states_sum(&u->states))
		return "threads waited for a CPU";
	return NULL;
}

/* --- locks --- */

static double held_time(const struct locks_row *row)
{
	return (double)locks_sum(&row->phase[LOCKS_HOLD]);
}

/* Returns whether the model can include the lock of a line. */
static bool is_simple(const struct locks_line *line)
{
	const struct locks_instance *i = line->instance;

	return i && !i->several && !i->n_processes && !line->sum.shared;
}

/* Checks what has to be known of all locks. */
static const char *check_locks(const struct users *u, const struct locks_copy *c,
			       const struct locks_report *r)
{
	const double waiting =
		u->waiting - (double)(locks_sum(&r->all.phase[LOCKS_ACQUIRE]) + r->all.lost);
	double left_out = 0;

	if (c->header.sample > 1)
		return "not all acquisitions were timed";
	if (c->header.lacking_call || c->header.n_homeless || r->n_unmatched || r->n_too_deep)
		return "not all acquisitions were measured";
	if (r->all.n_under_way || (double)r->all.lost > LEFT_OUT * u->life)
		return "attempts to acquire a lock failed, or had not ended";
	if (waiting > OTHER_WAITS * u->life)
		return "threads wait for more than locks";
	if (held_time(&r->all) - (double)r->ticks[LOCKS_HOLDING] > NESTED * u->life)
		return "a lock is held during a wait, or with another lock";
	for (size_t i = 0; i < r->n; i++)
		if (!is_simple(&r->line[i]) &&
		    (!r->line[i].instance || locks_is_held(r->line[i].instance->kind)))
			left_out += held_time(&r->line[i].sum) + (double)r->line[i].sum.waited;
	if (left_out > LEFT_OUT * u->life)
		return "locks have readers or several processes, or share a row";
	return NULL;
}

/* --- the model --- */

struct measured {
	struct queue_model model;
	double cycle, wait[QUEUE_LOCKS]; /* of a cycle: its time, and the waits for each lock */
	const struct locks_instance *instance[QUEUE_LOCKS];
};

static int compare_lines(const void *a, const void *b)
{
	const struct locks_line *const *x = a, *const *y = b;

	return locks_report_compare_rows(&(*x)->sum, &(*y)->sum);
}

/* Lists the lines of simple locks, sorted by lock; owned by the caller. */
static const struct locks_line **list_lines(const struct locks_report *r, size_t *n)
{
	const struct locks_line **list = xreallocarray(NULL, r->n + 1, sizeof *list);

	*n = 0;
	for (size_t i = 0; i < r->n; i++)
		if (is_simple(&r->line[i]) && locks_is_held(r->line[i].instance->kind))
			list[(*n)++] = &r->line[i];
	array_sort(list, *n, sizeof *list, compare_lines);
	return list;
}

/* Adds a lock with these sums, unless almost only one thread uses it or it is hardly held. Its
 * visits and its wait are those of all cycles. Returns false if there are too many locks. */
static bool add_lock(struct measured *m, const struct locks_instance *instance,
		     const struct locks_row *sum, double life)
{
	const struct locks_quantity *hold = &sum->phase[LOCKS_HOLD];
	const double mean = hold->n ? held_time(sum) / (double)hold->n : 0;
	const size_t k = m->model.n;

	if (mean <= 0 || instance->owner_changes * 100 < locks_n(sum, LOCKS_ACQUIRE) ||
	    (!sum->waited && held_time(sum) < LEFT_OUT * life))
		return true;
	if (k == QUEUE_LOCKS)
		return false;
	m->model.lock[k] =
		(struct queue_lock){(double)hold->n, mean, locks_variance(hold) / (mean * mean)};
	m->wait[k] = (double)sum->waited;
	m->instance[k] = instance;
	m->model.n++;
	return true;
}

/* Adds all locks. Returns false if there are too many. */
static bool add_locks(struct measured *m, const struct locks_report *r, double life)
{
	size_t n;
	const struct locks_line **line = list_lines(r, &n);
	bool has_room = true;

	for (size_t i = 0, more; i < n && has_room; i += more) {
		struct locks_row sum = line[i]->sum;

		for (more = 1; i + more < n && line[i + more]->instance == line[i]->instance;
		     more++)
			locks_row_add(&sum, &line[i + more]->sum);
		has_room = add_lock(m, line[i]->instance, &sum, life);
	}
	free(line);
	return has_room;
}

/* Makes the model from the measured numbers. In a cycle, the lock with the most holds is held once.
 * Returns why there is no model; NULL: there is one. */
static const char *measure(struct measured *m, const struct users *u, const struct locks_report *r)
{
	double cycles = 0;

	*m = (struct measured){.model = {.n_threads = u->n}};
	if (!add_locks(m, r, u->life))
		return "there are too many locks";
	for (size_t k = 0; k < m->model.n; k++)
		cycles = fmax(cycles, m->model.lock[k].visits);
	if (!m->model.n)
		return "no lock is held for long";
	if (cycles < FEW * u->n)
		return "there are too few acquisitions";
	m->cycle = m->model.think = u->life / cycles;
	for (size_t k = 0; k < m->model.n; k++) {
		struct queue_lock *l = &m->model.lock[k];

		l->visits /= cycles;
		m->wait[k] /= cycles;
		m->model.think -= l->visits * l->hold + m->wait[k];
		if (l->variation > EXPONENTIAL && l->visits * l->hold > MATTERS * m->cycle)
			return "hold times vary too much";
	}
	m->model.think = fmax(m->model.think, 0);
	return NULL;
}

/* Return whether a model fits: the cycle time that it computes is near the measured one, and waits
 * are (random), or holds do not vary (in step). */
static bool fits_random(const struct measured *m)
{
	double wait[QUEUE_LOCKS];
	bool fits = fabs(queue_random(&m->model, wait) / m->cycle - 1) <= AGREES;

	for (size_t k = 0; k < m->model.n; k++)
		fits &= fabs(wait[k] - m->wait[k]) <= AGREES * m->cycle;
	return fits;
}

static bool fits_in_step(const struct measured *m)
{
	bool fits = fabs(queue_in_step(&m->model) / m->cycle - 1) <= AGREES_STEP;

	for (size_t k = 0; k < m->model.n; k++)
		fits &= m->model.lock[k].variation <= CONSTANT ||
			m->model.lock[k].visits * m->model.lock[k].hold <= MATTERS * m->cycle;
	return fits;
}

/* --- predictions --- */

/* Returns the share of the time that halving the holds of lock k saves, by the model that fits. If
 * both fit, the measured numbers do not tell which is true, as of a lock that is always held:
 * returns the smaller saving, or NaN if the models do not agree with each other. */
static double predict(const struct measured *m, size_t k, bool random_fits, bool step_fits)
{
	struct queue_model half = m->model;
	double unused[QUEUE_LOCKS], random, step;

	half.lock[k].hold /= 2;
	random = 1 - queue_random(&half, unused) / queue_random(&m->model, unused);
	step = 1 - queue_in_step(&half) / queue_in_step(&m->model);
	if (!random_fits || !step_fits)
		return random_fits ? random : step;
	return fabs(random - step) > AGREES ? (double)NAN : fmin(random, step);
}

/* Inserts a prediction, sorted by what is saved. */
static void insert(struct halvings *h, const struct halving *new)
{
	size_t at = h->n;

	while (at && h->v[at - 1].saved < new->saved)
		at--;
	if (at == HALVING_LOCKS)
		return;
	h->n += h->n < HALVING_LOCKS;
	for (size_t i = h->n - 1; i > at; i--)
		h->v[i] = h->v[i - 1];
	h->v[at] = *new;
}

static const char *predict_all(struct halvings *h, const struct measured *m, const struct users *u,
			       const struct locks_copy *c, const struct locks_report *r)
{
	const bool at_random = fits_random(m), in_step = fits_in_step(m);
	const double cpu = (double)u->states.ns[STATES_RUNNING] /
			   (double)tt_multiply(h->time, c->header.ns_per_tick);
	const char *reason = NULL;

	if (!at_random && !in_step)
		return "the waits are not those of the model";
	for (size_t k = 0; k < m->model.n; k++) {
		const struct halving one = {m->instance[k], (uint64_t)m->model.lock[k].hold,
					    predict(m, k, at_random, in_step)};

		if (isnan(one.saved))
			reason = "it depends on whether threads run in step";
		else if (cpu > BUSY * r->n_cpus * (1 - one.saved))
			reason = "there would be too few CPUs";
		else if (one.saved >= WORTH)
			insert(h, &one);
	}
	return h->n ? NULL : reason;
}

void halving_find(struct halvings *h, const struct locks_copy *c, const struct locks_report *r)
{
	struct users u = {.n = 0};
	struct locks_threads threads;
	struct measured m;

	*h = (struct halvings){.n = 0};
	locks_threads_make(&threads, c, r);
	h->reason = c->kernel.alone ? "how long locks were held is not known"
				    : find_users(&u, &threads);
	locks_threads_done(&threads);
	if (!h->reason)
		h->reason = check_locks(&u, c, r);
	if (!h->reason)
		h->reason = check_cpus(&u, r);
	if (!h->reason)
		h->reason = measure(&m, &u, r);
	h->n_threads = u.n;
	h->time = locks_minus(u.end, u.begin);
	if (!h->reason)
		h->reason = predict_all(h, &m, &u, c, r);
}

/* ---- queue ---- */

/* Returns the time of a cycle for which lock k is held. */
static double demand(const struct queue_model *m, size_t k)
{
	return m->lock[k].visits * m->lock[k].hold;
}

static double largest_demand(const struct queue_model *m)
{
	double most = 0;

	for (size_t k = 0; k < m->n; k++)
		most = fmax(most, demand(m, k));
	return most;
}

/* --- one lock --- */

/* Returns 1 / F(s). */
static double inverse_transform(const struct queue_lock *l, double s)
{
	const double c = l->variation, x = s * l->hold;

	return c < 1e-6 ? exp(x) : pow(1 + x * c, 1 / c);
}

static double one_lock(const struct queue_model *m, double wait[])
{
	const struct queue_lock *l = &m->lock[0];
	const double n = m->n_threads, rate = l->visits / m->think;
	double term = 1, sum = 1, busy, cycle;

	for (uint32_t j = 1; j < m->n_threads; j++) {
		term *= (n - j) / j * (inverse_transform(l, j * rate) - 1);
		sum += term;
	}
	busy = n * rate * l->hold * sum;
	cycle = n * demand(m, 0) * (isfinite(busy) ? 1 + 1 / busy : 1);
	wait[0] = fmax(0, cycle - m->think - demand(m, 0));
	return cycle;
}

/* --- several locks --- */

/* Sets wait[] for n threads from the queues and the utilizations of one thread less. Returns the
 * cycle time. */
static double add_waits(const struct queue_model *m, const double queue[], const double used[],
			double wait[])
{
	double cycle = m->think;

	for (size_t k = 0; k < m->n; k++) {
		const double waiting = fmax(0, queue[k] - used[k]),
			     residual = used[k] * (1 + m->lock[k].variation) / 2;

		wait[k] = demand(m, k) * (waiting + residual);
		cycle += demand(m, k) + wait[k];
	}
	return cycle;
}

static double several_locks(const struct queue_model *m, double wait[])
{
	double queue[QUEUE_LOCKS] = {0}, used[QUEUE_LOCKS] = {0}, cycle = 0;

	for (uint32_t n = 1; n <= m->n_threads; n++) {
		cycle = fmax(add_waits(m, queue, used, wait), n * largest_demand(m));
		for (size_t k = 0; k < m->n; k++) {
			queue[k] = n / cycle * (demand(m, k) + wait[k]);
			used[k] = n / cycle * demand(m, k);
		}
	}
	return cycle;
}

double queue_random(const struct queue_model *m, double wait[QUEUE_LOCKS])
{
	return m->n == 1 && m->think > 0 ? one_lock(m, wait) : several_locks(m, wait);
}

double queue_in_step(const struct queue_model *m)
{
	double cycle = m->think;

	for (size_t k = 0; k < m->n; k++)
		cycle += demand(m, k);
	return fmax(cycle, m->n_threads * largest_demand(m));
}

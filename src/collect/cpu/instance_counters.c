/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/cpu/instance_counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pmu/check/refusal.h"

#define NOT_OPEN (-1)

void box_counters_init(struct box_counters *c, struct perf_sys *sys, const struct machine *machine)
{
	*c = (struct box_counters){.sys = sys};
	boxes_init(&c->boxes, machine);
}

static void close_socket(struct box_counters *c, struct box_socket *socket)
{
	for (size_t i = 0; i < socket->n; i++)
		if (socket->fd[i] != NOT_OPEN)
			c->sys->close(c->sys, socket->fd[i]);
	free(socket->fd);
	socket->fd = NULL;
	socket->n = 0;
}

static void close_all(struct box_counters *c)
{
	for (size_t i = 0; i < c->n; i++)
		close_socket(c, &c->socket[i]);
	free(c->socket);
	free(c->box);
	c->socket = NULL;
	c->box = NULL;
	c->n = 0;
}

static int open_box(struct box_counters *c, const struct box *box)
{
	struct perf_event_attr attr;

	event_attr(c->set, box->event, true, false, &attr);
	attr.type = box->type;
	return c->sys->open(c->sys, &attr, -1, box->cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static void explain(const struct box_counters *c, int event, int ret, struct err *err)
{
	const struct event *e = &c->set->event[event];
	const struct refusal_attempt attempt = {.event = e->what ? e->what : e->name,
						.tid = REFUSAL_CPU,
						.kernel = true,
						.hardware = true};

	if (!err->code)
		refusal_explain(ret, &attempt, err);
}

static void open_socket(struct box_counters *c, struct box_socket *socket, const struct box *box,
			size_t n)
{
	socket->starts = ++c->starts;
	socket->box = box;
	socket->n = n;
	socket->fd = xcalloc(n ? n : 1, sizeof *socket->fd);
	for (size_t i = 0; i < n; i++) {
		const int fd = open_box(c, &box[i]);

		socket->fd[i] = fd < 0 ? NOT_OPEN : fd;
		if (fd < 0)
			c->failed[box[i].event] = fd;
	}
}

static size_t count_boxes(const struct boxes *b, size_t first)
{
	size_t n = first;

	while (n < b->n && b->v[n].socket == b->v[first].socket)
		n++;
	return n - first;
}

/* The boxes of this socket, from *at on. */
static size_t find_boxes(const struct boxes *b, long socket, size_t *at)
{
	while (*at < b->n && b->v[*at].socket < socket)
		++*at;
	return *at < b->n && b->v[*at].socket == socket ? count_boxes(b, *at) : 0;
}

static bool same_boxes(const struct box_socket *x, const struct box *box, size_t n)
{
	if (x->n != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (x->box[i].event != box[i].event || x->box[i].type != box[i].type ||
		    x->box[i].cpu != box[i].cpu)
			return false;
	return true;
}

static struct box_socket *find_socket(struct box_socket *v, size_t n, long number)
{
	for (size_t i = 0; i < n; i++)
		if (v[i].number == number)
			return &v[i];
	return NULL;
}

/* Takes over the boxes that there are now. Sockets of which none has moved go on. */
static void take_boxes(struct box_counters *c)
{
	const struct boxes *b = &c->boxes;
	struct box_counters old = *c;
	size_t at = 0;

	c->n = b->n_sockets;
	c->socket = xcalloc(c->n ? c->n : 1, sizeof *c->socket);
	c->box = xcalloc(b->n ? b->n : 1, sizeof *c->box);
	if (b->n)
		memcpy(c->box, b->v, b->n * sizeof *c->box);
	for (size_t i = 0; i < c->n; i++) {
		struct box_socket *new = &c->socket[i];
		struct box_socket *before = find_socket(old.socket, old.n, b->socket[i]);
		const size_t n = find_boxes(b, b->socket[i], &at);

		if (before && same_boxes(before, &c->box[at], n)) {
			*new = *before;
			new->box = &c->box[at];
			*before = (struct box_socket){.number = -1};
			continue;
		}
		new->number = b->socket[i];
		open_socket(c, new, &c->box[at], n);
	}
	close_all(&old);
}

/* Whether it says nothing that lasts: a CPU has gone meanwhile, or something is short. */
static bool passes(int ret)
{
	return ret == -ENODEV || perf_sys_is_short(ret);
}

/* Of what could not be opened for the moment. */
static bool is_back(struct box_counters *c, struct box_socket *socket)
{
	for (size_t i = 0; i < socket->n; i++) {
		int fd;

		if (socket->fd[i] != NOT_OPEN)
			continue;
		fd = open_box(c, &socket->box[i]);
		if (fd >= 0) {
			socket->fd[i] = fd;
			return true;
		}
		explain(c, socket->box[i].event, fd, &c->refused);
	}
	return false;
}

/* A count that begins later than others is the sum of nothing: all of them begin anew. */
static void try_again(struct box_counters *c)
{
	c->refused = (struct err)ERR_INIT;
	for (size_t i = 0; i < c->n; i++) {
		struct box_socket *socket = &c->socket[i];
		const struct box *box = socket->box;
		const size_t n = socket->n;

		if (!is_back(c, socket))
			continue;
		close_socket(c, socket);
		open_socket(c, socket, box, n);
	}
}

void box_counters_look(struct box_counters *c)
{
	if (boxes_look(&c->boxes))
		take_boxes(c);
	try_again(c);
}

static enum quality quality_of(int ret)
{
	return ret == -EACCES || ret == -EPERM ? QUALITY_DENIED : QUALITY_UNSUPPORTED;
}

/* What is refused for good is refused everywhere. Whether there was such an event. */
static bool refuse_failed(struct box_counters *c, struct err *note)
{
	bool any = false;

	for (int i = 0; i < c->set->n; i++) {
		if (!c->failed[i] || passes(c->failed[i]))
			continue;
		c->set->event[i].quality = (uint8_t)quality_of(c->failed[i]);
		explain(c, i, c->failed[i], note);
		any = true;
	}
	return any;
}

static void begin(struct box_counters *c)
{
	memset(c->failed, 0, sizeof c->failed);
	close_all(c);
	boxes_find(&c->boxes, c->set);
	boxes_look(&c->boxes);
	take_boxes(c);
}

void box_counters_begin(struct box_counters *c, struct event_set *set, struct err *note)
{
	c->set = set;
	begin(c);
	if (refuse_failed(c, note))
		begin(c);
}

void box_counters_done(struct box_counters *c)
{
	close_all(c);
	boxes_done(&c->boxes);
}

/* What read(2) gives of an event that leads a group of its own. */
struct one {
	uint64_t nr, enabled_ns, running_ns, value, id;
};

uint64_t box_counters_read(const struct box_counters *c, const struct box_socket *socket,
			   struct count *count)
{
	uint64_t had = 0, failed = 0;

	for (size_t i = 0; i < socket->n; i++) {
		const int event = socket->box[i].event;
		struct one one;

		had |= 1ull << event;
		if (socket->fd[i] == NOT_OPEN ||
		    c->sys->read(c->sys, socket->fd[i], &one, sizeof one) != sizeof one) {
			failed |= 1ull << event;
			continue;
		}
		count[event].value += one.value;
		count[event].enabled_ns += one.enabled_ns;
		count[event].running_ns += one.running_ns;
	}
	return had & ~failed;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of locks, valid and malicious. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "locks_rig.h"
#include "profile/locks/copy.h"
#include "tap.h"

#define MUTATIONS 400

static struct locks_copy copy;
static atomic_bool stop;

static int make(void)
{
	int fd = memfd_create("table", MFD_CLOEXEC);

	rig_write(fd);
	return fd;
}

static void check_read(void)
{
	struct err err = ERR_INIT;
	uint64_t n = 0, want = 0;
	int fd = make();

	tap_int(locks_copy_read(&copy, fd, false, &err), 0, "a table is read");
	tap_int(copy.header.n_instances, RIG_LOCKS, "with all locks");
	tap_int(copy.n_threads, RIG_THREADS, "the threads that live, and those that ended");
	tap_int(copy.n_rows, RIG_ROWS, "the rows that are in use");
	tap_str(copy.module[0].path, "/no/such/?program", "a path that is harmless");
	for (size_t i = 0; i < copy.n_rows; i++)
		n += copy.row[i].phase[LOCKS_ACQUIRE].n;
	for (unsigned t = 0; t < RIG_THREADS; t++)
		for (unsigned i = 0; i < RIG_LOCKS; i++)
			want += rig_acquisitions(t, i, 0) + rig_acquisitions(t, i, 1);
	tap_int(n, want, "and all acquisitions");
	tap_ok(copy.header.n_waits == RIG_WAITS && copy.wait[3].n == 3 &&
		       copy.wait[3].holder == 0x1003,
	       "and which thread waited for which");
	close(fd);
}

static void refuse(int fd, int code, const char *sentence, const char *what)
{
	struct err err = ERR_INIT;

	tap_int(locks_copy_read(&copy, fd, false, &err), -code, "%s", what);
	tap_str(err.text, sentence, "says so");
	close(fd);
}

static void refuse_header(size_t at, uint32_t value)
{
	int fd = make();

	rig_put(fd, &value, sizeof value, at);
	refuse(fd, EBADMSG, "is damaged", "a header that cannot be");
}

static void refuse_part(size_t at, uint32_t value, const char *what)
{
	int fd = make();

	rig_put(fd, &value, sizeof value, at);
	refuse(fd, EBADMSG, "is damaged", what);
}

static void check_refused(void)
{
	const uint32_t newer = RIG_LOCKS + 1;
	int fd = make();

	rig_put(fd, "tiptopL9", 8, 0);
	refuse(fd, EBADMSG,
	       "is of another version of tiptop: restart the program with the version of this "
	       "tiptop",
	       "a table of an earlier tiptop");
	fd = make();
	rig_put(fd, "", 1, 0);
	refuse(fd, ENOMEM, "was not begun: there was no memory for it in its folder (tmpfs)",
	       "a table that had no room");
	refuse_header(offsetof(struct locks_header, max_rows), UINT32_MAX);
	refuse_header(offsetof(struct locks_header, n_rows), UINT32_MAX);
	refuse_header(offsetof(struct locks_header, n_modules), LOCKS_MODULES + 1);
	refuse_header(offsetof(struct locks_header, n_instances), LOCKS_INSTANCES + 1);
	refuse_header(offsetof(struct locks_header, n_waits), LOCKS_WAITS + 1);
	refuse_header(offsetof(struct locks_header, n_events), LOCKS_EVENTS + 1);
	refuse_part(offsetof(struct locks_head, directory.section[LOCKS_SLOT].count), 0,
		    "a table without the sums of exited threads");
	refuse_part(offsetof(struct locks_head, instance) + offsetof(struct locks_instance, kind),
		    77, "a lock of no kind");
	refuse_part(offsetof(struct locks_head, slot[1]) + offsetof(struct locks_thread, state),
		    LOCKS_STATES, "a thread in no state");
	refuse_part(locks_row_offset(3) + offsetof(struct locks_row, instance), LOCKS_INSTANCES + 1,
		    "a row of no lock");
	refuse_part(locks_row_offset(3) + offsetof(struct locks_row, instance), 0,
		    "a row of no lock at all");
	refuse_part(offsetof(struct locks_head, wait[2]) + offsetof(struct locks_wait, n_frames),
		    LOCKS_FRAMES + 1, "a stack that is too deep");
	refuse_part(offsetof(struct locks_head, wait[2]) + offsetof(struct locks_wait, instance),
		    LOCKS_INSTANCES + 1, "who waits for no lock");
	fd = make();
	rig_put(fd, &newer, sizeof newer,
		locks_row_offset(3) + offsetof(struct locks_row, instance));
	refuse(fd, EAGAIN, "changes all the time", "a lock that is newer than what was read");
	fd = make();
	if (ftruncate(fd, (off_t)locks_row_offset(3)))
		abort();
	refuse(fd, ENODATA, "is cut off", "a table that is cut off");
}

/* A thread that waits for one of the locks without room in the table, whose row claims to be that
 * of a lock. */
static void check_other(void)
{
	const size_t slot = offsetof(struct locks_head, slot[1]);
	const uint32_t state = LOCKS_WAITING, instance = UINT32_MAX;
	const uint64_t since = 1000000;
	struct err err = ERR_INIT;
	int fd = make();

	rig_put(fd, &state, sizeof state, slot + offsetof(struct locks_thread, state));
	rig_put(fd, &since, sizeof since, slot + offsetof(struct locks_thread, wait_since));
	rig_put(fd, &instance, sizeof instance,
		slot + offsetof(struct locks_thread, other.instance));
	tap_int(locks_copy_read(&copy, fd, false, &err), 0, "a row of no single lock is read");
	tap_ok(!copy.thread[1].other.instance, "and is for no single lock, whatever it claims");
	close(fd);
}

/* Sets the numbers of waits and chains, and links each chain behind the one before it. */
static int make_chains(uint32_t n_waits, uint32_t n_chains)
{
	int fd = make();

	rig_put(fd, &n_waits, sizeof n_waits, offsetof(struct locks_header, n_waits));
	rig_put(fd, &n_chains, sizeof n_chains, offsetof(struct locks_header, n_chains));
	for (uint32_t i = 1; i < n_chains; i++) {
		const struct locks_chain chain = {.wait = 1, .next = i - 1, .depth = 77, .n = 1};

		rig_put(fd, &chain, sizeof chain, offsetof(struct locks_head, chain[i]));
	}
	return fd;
}

static void check_chains(void)
{
	struct err err = ERR_INIT;
	int fd = make_chains(0, 3);
	uint32_t wrong = 0;

	tap_int(locks_copy_read(&copy, fd, false, &err), 0, "chains of no waits at all are read");
	tap_int(copy.header.n_chains, 0, "as none");
	close(fd);
	fd = make_chains(RIG_WAITS, LOCKS_CHAINS);
	tap_int(locks_copy_read(&copy, fd, false, &err), 0, "a chain of all records is read");
	tap_int(copy.header.n_chains, LOCKS_CHAINS, "with all of them");
	for (uint32_t i = 1; i < LOCKS_CHAINS; i++) {
		uint32_t depth = 1;

		for (uint32_t at = copy.chain[i].next; at; at = copy.chain[at].next)
			depth++;
		wrong += depth > LOCKS_CHAIN_DEPTH || copy.chain[i].depth != depth;
	}
	tap_int(wrong, 0, "and cut where the longest chain ends");
	tap_int(copy.chain[LOCKS_CHAIN_DEPTH].depth, LOCKS_CHAIN_DEPTH, "which stays whole");
	close(fd);
}

/* A row that was being written when the process was killed keeps an odd sequence number. */
static void check_killed(void)
{
	const size_t odd[] = {offsetof(struct container, sequence),
			      offsetof(struct locks_head, slot[1]), locks_row_offset(2)};
	const uint32_t sequence = 7;

	for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
		struct err err = ERR_INIT;
		int fd = make();

		rig_put(fd, &sequence, sizeof sequence, odd[i]);
		tap_int(locks_copy_read(&copy, fd, true, &err), 0,
			"the table of a process that was killed while it wrote is read");
		tap_int(copy.n_rows, RIG_ROWS, "whole");
		if (!i)
			refuse(fd, EAGAIN, "changes all the time",
			       "but not while threads of the process come and go");
		if (!i)
			continue;
		tap_int(locks_copy_read(&copy, fd, false, &err), 0,
			"and so is that of one whose thread was stopped then");
		close(fd);
	}
}

/* A thread that writes its row again and again, with 10 ticks for each call. */
static void *write_always(void *context)
{
	struct locks_row *row = context;
	_Atomic uint32_t *sequence = (_Atomic uint32_t *)&row->sequence;

	while (!atomic_load(&stop)) {
		atomic_fetch_add(sequence, 1);
		locks_quantity_add(&row->phase[LOCKS_ACQUIRE], 10);
		atomic_fetch_add(sequence, 1);
	}
	return NULL;
}

static uint64_t acquisitions_of_first(void)
{
	return copy.row[0].phase[LOCKS_ACQUIRE].n;
}

static void check_hot(void)
{
	int fd = make(), failed = 0, fell = 0;
	char *file = mmap(NULL, LOCKS_SIZE_MAX, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct locks_row *row = (struct locks_row *)(void *)(file + locks_row_offset(0));
	uint64_t last = 0;
	pthread_t writer;

	if (file == MAP_FAILED || pthread_create(&writer, NULL, write_always, row))
		abort();
	for (int k = 0; k < 50; k++) {
		struct err err = ERR_INIT;

		failed += locks_copy_read(&copy, fd, false, &err) != 0;
		fell += !failed && acquisitions_of_first() < last;
		last = failed ? last : acquisitions_of_first();
	}
	atomic_store(&stop, true);
	pthread_join(writer, NULL);
	tap_int(failed, 0, "a row that is written all the time is read");
	tap_int(fell, 0, "and never falls");
	munmap(file, LOCKS_SIZE_MAX);
	close(fd);
}

static bool is_sane(void)
{
	static volatile uint64_t sum; /* for the sanitizers: reads each row */
	bool sane = true;

	for (uint32_t i = 0; i < copy.header.n_modules; i++)
		sane = sane && strlen(copy.module[i].path) < LOCKS_PATH_MAX;
	for (size_t i = 0; i < copy.n_threads; i++)
		sum += copy.thread[i].ticks[copy.thread[i].state];
	for (size_t i = 0; i < copy.n_rows; i++)
		sum += copy.instance[copy.row[i].instance - 1].address;
	for (size_t i = 0; i < copy.header.n_waits; i++) {
		const struct locks_wait *w = &copy.wait[i];

		sane = sane && w->instance <= copy.header.n_instances;
		sum += w->n_frames ? w->frame[w->n_frames - 1] : 0;
	}
	(void)sum;
	return sane;
}

static size_t any_place(unsigned *seed)
{
	const size_t r = (size_t)rand_r(seed);

	switch (rand_r(seed) % 6) {
	case 0:
		return r % 2 ? r % sizeof(struct locks_header)
			     : sizeof(struct locks_header) +
				       r % (LOCKS_SECTIONS * sizeof(struct container_section));
	case 1:
		return offsetof(struct locks_head, instance) +
		       r % (RIG_LOCKS * sizeof(struct locks_instance));
	case 2:
		return offsetof(struct locks_head, slot[0]) +
		       r % (RIG_THREADS * sizeof(struct locks_thread));
	case 3:
		return offsetof(struct locks_head, module) + r % sizeof(struct locks_module);
	case 4:
		return offsetof(struct locks_head, wait[0]) +
		       r % (RIG_WAITS * sizeof(struct locks_wait));
	default:
		return locks_row_offset(0) + r % (RIG_ROWS * sizeof(struct locks_row));
	}
}

static void check_mutations(void)
{
	unsigned seed = 17;
	int read = 0, wrong = 0, fd = make();

	for (int k = 0; k < MUTATIONS; k++) {
		struct err err = ERR_INIT;
		int ret;

		if (k % 4 == 0)
			rig_write(fd);
		for (int n = 1 + rand_r(&seed) % 8; n; n--) {
			const uint8_t byte = (uint8_t)(rand_r(&seed) % 3 ? rand_r(&seed) : 0xff);

			rig_put(fd, &byte, 1, any_place(&seed));
		}
		ret = locks_copy_read(&copy, fd, true, &err);
		read += !ret;
		wrong += ret ? !err.text[0] : !is_sane();
	}
	tap_ok(!wrong, "%d damaged tables: each is read, or refused with a sentence", MUTATIONS);
	tap_ok(read > MUTATIONS / 10 && read < MUTATIONS * 9 / 10, "some of each");
	close(fd);
}

int main(void)
{
	locks_copy_init(&copy);
	check_read();
	check_refused();
	check_other();
	check_chains();
	check_killed();
	check_hot();
	check_mutations();
	locks_copy_done(&copy);
	return tap_done();
}

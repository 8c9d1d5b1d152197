/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up kind of tables, valid and malicious: names, and slots with rows. */
#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "container_rig.h"
#include "inject/table_reader.h"
#include "tap.h"

#define MUTATIONS 3000
#define NAMES     5
#define SLOTS     4
#define ROWS      3

enum { HEADER, NAME, SLOT, ROW, SECTIONS };

struct header {
	struct container container;
	uint32_t n_names;
	uint32_t state;
	uint64_t speed;
};

struct name {
	char text[12];
	uint32_t kind;
};

struct slot {
	uint32_t sequence, name;
};

struct row {
	uint64_t x, y;
};

static const struct container_column header_columns[] = {
	CONTAINER_FIELD(U32, header, n_names),
	CONTAINER_FIELD(U32, header, state, .most = 3),
	CONTAINER_FIELD(U64, header, speed, .least = 1),
};
static const struct container_column name_columns[] = {
	CONTAINER_FIELD(TEXT, name, text),
	CONTAINER_FIELD(U32, name, kind, .least = 1, .most = 2),
};
static const struct container_column slot_columns[] = {
	CONTAINER_FIELD(U32, slot, sequence),
	CONTAINER_FIELD(U32, slot, name, .section = NAME + 1),
};
static const struct container_column row_columns[] = {
	CONTAINER_FIELD(U64, row, x),
	CONTAINER_FIELD(U64, row, y, .section = SLOT + 1),
};

static const struct container_part parts[SECTIONS] = {
	[HEADER] = CONTAINER_PART("header", header, 1, header_columns),
	[NAME] = CONTAINER_PART("names", name, NAMES, name_columns,
				.used = offsetof(struct header, n_names)),
	[SLOT] =
		CONTAINER_PART("slots", slot, SLOTS, slot_columns, .has_sequence = 1, .is_wide = 1),
	[ROW] = CONTAINER_PART("rows", row, 2 * ROWS, row_columns, .within = SLOT + 1,
			       .offset = sizeof(struct slot)),
};

static const struct container_plan plan = {.kind = "things",
					   .writer = "tiptop",
					   .layout = 7,
					   .header_size = sizeof(struct header),
					   .n_parts = SECTIONS,
					   .part = parts};

#define STRIDE   (sizeof(struct slot) + ROWS * sizeof(struct row))
#define FIRST    (sizeof(struct header) + sizeof(struct container_directory))
#define SLOTS_AT (FIRST + NAMES * sizeof(struct name))
#define SIZE     (SLOTS_AT + SLOTS * STRIDE)

static const struct container_place places[] = {
	{FIRST, sizeof(struct name), NAMES},
	{SLOTS_AT, STRIDE, SLOTS},
	{0, sizeof(struct row), ROWS},
};

static struct header header;
static void *names;
static struct slot *element; /* a slot and its rows */

static int make(void)
{
	const int fd = memfd_create("table", MFD_CLOEXEC);
	struct header h = {.n_names = 3, .state = 2, .speed = 1};

	rig_begin(&h.container, &plan, places, 4711);
	if (ftruncate(fd, SIZE))
		abort();
	rig_put(fd, &h, sizeof h, 0);
	rig_put_directory(fd, &plan, places);
	for (unsigned i = 0; i < NAMES; i++)
		rig_put(fd, &(struct name){.text = "a\033name", .kind = 1}, sizeof(struct name),
			FIRST + i * sizeof(struct name));
	for (unsigned i = 0; i < SLOTS; i++) {
		rig_put(fd, &(struct slot){2, 3}, sizeof(struct slot), SLOTS_AT + i * STRIDE);
		for (unsigned k = 0; k < ROWS; k++)
			rig_put(fd, &(struct row){10 * i + k, i}, sizeof(struct row),
				SLOTS_AT + i * STRIDE + sizeof(struct slot) +
					k * sizeof(struct row));
	}
	return fd;
}

static struct container_reader reader_of(int fd, bool ended)
{
	return (struct container_reader){
		.plan = &plan, .fd = fd, .ended = ended, .header = &header};
}

static int read_slots(struct container_reader *r, bool *torn, struct err *err)
{
	int ret = 0;

	element = realloc(element, container_reader_stride(r, SLOT));
	for (uint32_t i = 0; i < container_reader_used(r, SLOT) && !ret; i++) {
		const struct container_piece piece = {SLOT, i, element, 0};

		ret = container_reader_copy(r, &piece, 1, err);
		if (!ret)
			ret = container_reader_copy_stable(r, &piece, 1, 3, torn, err);
		if (!ret)
			ret = container_reader_check(r, SLOT, element, 1, err);
	}
	return ret;
}

static int read_all(int fd, bool ended, bool *torn, struct err *err)
{
	struct container_reader r = reader_of(fd, ended);
	int ret = container_reader_open(&r, err);

	if (!ret)
		ret = container_reader_copy_all(&r, NAME, &names, err);
	if (!ret)
		ret = read_slots(&r, torn, err);
	return ret ? ret : container_reader_close(&r, err);
}

static void check_read(void)
{
	struct err err = ERR_INIT;
	const int fd = make();
	struct container_reader r = reader_of(fd, false);
	struct row row = {.x = 0};
	bool torn = true;

	tap_int(read_all(fd, false, &torn, &err), 0, "a table is read");
	tap_ok(!torn, "no process writes it");
	tap_int(header.container.pid, 4711, "it says whose it is");
	tap_str(((struct name *)names)[2].text, "a?name", "texts are harmless");
	tap_int(container_reader_open(&r, &err), 0, "it is opened once more");
	tap_int(container_reader_used(&r, NAME), 3, "some elements are in use");
	tap_int(container_reader_count(&r, NAME), NAMES, "of those that have room");
	tap_int(container_reader_at(&r, ROW, 2 * ROWS + 1), SLOTS_AT + 2 * STRIDE + 8 + 16,
		"an element within another one has its place");
	tap_int(container_reader_copy(&r, &(struct container_piece){ROW, 2 * ROWS + 1, &row, 0}, 1,
				      &err),
		0, "and is copied");
	tap_int(row.x, 21, "which is that one");
	tap_int(container_reader_next(&r, SLOT, 0), 0, "where the file has pages");
	tap_int(container_reader_next(&r, SLOT, SLOTS), SLOTS, "and where it has none");
	close(fd);
}

static void refuse(int fd, bool ended, int code, const char *sentence, const char *what)
{
	struct err err = ERR_INIT;
	bool torn;

	tap_int(read_all(fd, ended, &torn, &err), -code, "%s", what);
	tap_str(err.text, sentence, "says so");
	close(fd);
}

/* Makes a table whose word at this offset has this value. */
static int make_with(size_t at, uint32_t word)
{
	const int fd = make();

	rig_put(fd, &word, sizeof word, at);
	return fd;
}

#define AT(field) offsetof(struct container, field)
/* Offsets of the two halves of a 64-bit number. */
#define LOW  (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0)
#define HIGH (4 - LOW)
#define IN(n, field)                                                                               \
	(sizeof(struct header) + (n) * sizeof(struct container_section) +                          \
	 offsetof(struct container_section, field))
#define COLUMN(n)                                                                                  \
	(sizeof(struct header) + offsetof(struct container_directory, column) +                    \
	 (n) * sizeof(struct container_column))

static void check_versions(void)
{
	static const char other[] = "is of another version of tiptop: restart the program with the "
				    "version of this tiptop";
	int fd = make();

	rig_put(fd, "tiptopL9", 8, 0);
	refuse(fd, false, EBADMSG, other, "a table from before there were containers");
	refuse(make_with(AT(layout), 8), false, EBADMSG, other, "another layout");
	refuse(make_with(AT(kind), 8), false, EBADMSG, other, "another kind");
	refuse(make_with(AT(header_size), 8), false, EBADMSG, other, "another header");
	refuse(make_with(AT(n_sections), 9), false, EBADMSG, other, "more sections");
	refuse(make_with(AT(n_columns), 8), false, EBADMSG, other, "fewer columns");
	refuse(make_with(IN(1, used), 0), false, EBADMSG, other, "another number of elements");
	refuse(make_with(IN(2, kind), 0), false, EBADMSG, other, "a section of another kind");
	refuse(make_with(IN(2, within), 4), false, EBADMSG, other, "one within another one");
	refuse(make_with(IN(3, offset), 16), false, EBADMSG, other, "or elsewhere in it");
	refuse(make_with(COLUMN(3) + offsetof(struct container_column, offset), 4), false, EBADMSG,
	       other, "a column elsewhere");
}

static void check_not_begun(void)
{
	int fd = make();

	rig_put(fd, "", 1, 0);
	refuse(fd, false, ENOMEM, "was not begun: there was no memory for it in its folder (tmpfs)",
	       "a table that had no room");
	fd = make_with(AT(header_size), ENOMEM);
	rig_put(fd, CONTAINER_FAILED, 8, 0);
	refuse(fd, false, ECANCELED,
	       "was not begun: the program may have too little address space: raise its limit "
	       "(ulimit -v)",
	       "one that says why it is not there");
	fd = make();
	if (ftruncate(fd, 0))
		abort();
	refuse(fd, false, ENODATA,
	       "was not begun: the program may not write a file that large: raise its limit "
	       "(ulimit "
	       "-f)",
	       "an empty file");
	fd = make();
	if (ftruncate(fd, SLOTS_AT + 3))
		abort();
	refuse(fd, false, ENODATA, "is cut off", "a file that ends within a section");
	fd = make();
	if (posix_fallocate(fd, 0, (256 << 20) + 4096))
		abort();
	refuse(fd, false, EFBIG, "is too large: it has more than 256 MiB",
	       "a file that fills the memory");
}

static void check_damaged(void)
{
	static const struct {
		size_t at;
		uint32_t word;
		const char *what;
	} v[] = {
		{offsetof(struct header, n_names), NAMES + 1, "more in use than there is room for"},
		{offsetof(struct header, state), 4, "a number that is too large"},
		{offsetof(struct header, speed) + LOW, 0, "one that is too small"},
		{FIRST + sizeof(struct name) + offsetof(struct name, kind), 3, "so in an element"},
		{FIRST + sizeof(struct name) + offsetof(struct name, kind), 0, "either"},
		{SLOTS_AT + STRIDE + offsetof(struct slot, name), NAMES + 1, "an element of none"},
		{SLOTS_AT + 8 + 8 + LOW, SLOTS + 1, "also within another one"},
		{SLOTS_AT + 8 + 8 + HIGH, 1, "or in its upper half"},
		{IN(0, offset) + LOW, 8, "a header elsewhere"},
		{IN(0, count), 2, "two headers"},
		{IN(1, stride), 8, "elements that lie in each other"},
		{IN(1, stride), 20, "that are not aligned"},
		{IN(1, stride), 1u << 31, "that have a gap of gigabytes"},
		{IN(1, count), 1000, "more of them than any program has"},
		{IN(1, offset) + HIGH, 1u << 31, "behind all files"},
		{IN(3, count), 4, "more within an element than it has room for"},
		{IN(3, count), 0, "none within it"},
		{IN(3, stride), 24, "that are longer than they are"},
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		const int fd = make_with(v[i].at, v[i].word);
		struct container_reader r = reader_of(fd, false);
		struct err err = ERR_INIT;

		if (v[i].at < FIRST)
			tap_int(container_reader_open(&r, &err), -EBADMSG,
				"refused before any element is read");
		refuse(fd, false, EBADMSG, "is damaged", v[i].what);
	}
}

static void check_changes(void)
{
	const size_t name = SLOTS_AT + STRIDE + offsetof(struct slot, name);
	struct err err = ERR_INIT;
	bool torn = false;
	int fd;

	refuse(make_with(AT(sequence), 7), false, EAGAIN, "changes all the time",
	       "what concerns several elements is being written");
	refuse(make_with(name, 4), false, EAGAIN, "changes all the time",
	       "an element that is newer than the header");
	refuse(make_with(name, 4), true, EBADMSG, "is damaged", "but not of who has gone");
	fd = make_with(AT(sequence), 7);
	tap_int(read_all(fd, true, &torn, &err), 0, "who was killed while it wrote left it so");
	close(fd);
	fd = make_with(SLOTS_AT + 3 * STRIDE, 7);
	tap_int(read_all(fd, false, &torn, &err), 0, "an element that is always being written");
	tap_ok(torn, "is taken as it is, and the reader knows");
	tap_int(read_all(fd, true, &torn, &err), 0, "one that was left so");
	tap_ok(!torn, "is what it is");
	close(fd);
}

/* Returns a random offset: a field of the header or the directory, or any other byte. */
static size_t any_place(unsigned *seed)
{
	const size_t r = (size_t)rand_r(seed);

	switch (rand_r(seed) % 3) {
	case 0:
		return r % sizeof(struct header);
	case 1:
		return sizeof(struct header) + r % (SECTIONS * sizeof(struct container_section));
	default:
		return FIRST + r % (SIZE - FIRST);
	}
}

static void check_mutations(void)
{
	unsigned seed = 29;
	int read = 0, wrong = 0;

	for (int k = 0; k < MUTATIONS; k++) {
		struct err err = ERR_INIT;
		const int fd = make();
		bool torn;
		int ret;

		for (int n = 1 + rand_r(&seed) % 3; n; n--) {
			const uint8_t byte = (uint8_t)(rand_r(&seed) % 3 ? rand_r(&seed) : 0xff);

			rig_put(fd, &byte, 1, any_place(&seed));
		}
		if (rand_r(&seed) % 10 == 0 && ftruncate(fd, (off_t)any_place(&seed)))
			abort();
		ret = read_all(fd, k % 2, &torn, &err);
		read += !ret;
		wrong += ret ? !err.text[0]
			     : header.n_names > NAMES || header.state > 3 || !header.speed ||
					 element->name > header.n_names;
		close(fd);
	}
	tap_ok(!wrong, "%d damaged tables: each is read, or refused with a sentence", MUTATIONS);
	tap_ok(read > MUTATIONS / 20 && read < MUTATIONS * 19 / 20, "some of each");
}

int main(void)
{
	check_read();
	check_versions();
	check_not_begun();
	check_damaged();
	check_changes();
	check_mutations();
	free(names);
	free(element);
	return tap_done();
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * container - how each file begins that a process shares with tiptop, be it of regions, of locks or
 * of library calls.
 *
 *   struct container            the first member of the header of the table
 *   the rest of the header      up to container.header_size
 *   struct container_directory  the sections and their columns
 *   the sections
 *
 * A section is an array: `count` elements, `stride` bytes from one to the next. It lies in the file
 * or within each element of an earlier section, as rows lie in the slot of a thread. The header is
 * the first section, of one element. Writers have C structs for the elements, and write these as
 * they like; a column says where a field of such a struct is, by its offsetof(). So a reader finds
 * by the directory what the process has, and by the columns whether that is what the reader knows.
 *
 * Writing: magic[0] is 0 until all of this is there. Where elements begin with a sequence, the
 * writer of one makes it odd before and even behind, so a copy with an odd or a changed sequence is
 * read again; container.sequence is the same for what concerns several elements. The process may be
 * killed at any time: what is odd then stays so. Reading: the process can write anything into its
 * file, so inject/table_reader.h copies and checks it.
 *
 * All numbers are in the byte order of the machine. A change of what stands here is another
 * CONTAINER_MAGIC; one of a table is another `layout` of it.
 */
#ifndef INJECT_LIB_CONTAINER_H
#define INJECT_LIB_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#define CONTAINER_MAGIC "tiptopT1"
/* There is no table: header_size is the errno that says why. An empty file is one that the program
 * may not make larger (RLIMIT_FSIZE). */
#define CONTAINER_FAILED   "tiptopE1"
#define CONTAINER_SECTIONS 16
#define CONTAINER_COLUMNS  144
#define CONTAINER_KIND_MAX 16
#define CONTAINER_ID_MAX   20

struct container {
	char magic[8];
	uint32_t header_size;
	uint32_t layout;
	char kind[CONTAINER_KIND_MAX]; /* of the table: "locks" */
	uint32_t pid;
	uint32_t sequence;
	uint64_t start_ticks; /* field 22 of /proc/PID/stat: with the pid, which process it is */
	char boot_id[40];     /* of /proc/sys/kernel/random; "": not known */
	uint32_t n_sections, n_columns;
};

struct container_section {
	char kind[CONTAINER_KIND_MAX];
	uint64_t offset;        /* in the file, or in an element of the section `within` */
	uint32_t stride, count; /* stride: a multiple of 8 */
	uint32_t within;        /* the number of that section, from 1 on; 0: it is in the file */
	uint32_t used;          /* where the header says how many are in use; 0: all are */
	uint32_t has_sequence;  /* 1: each element begins with its own */
	uint32_t column;        /* its first one in the directory */
	uint32_t n_columns;
	uint32_t padding;
};

enum container_type {
	CONTAINER_U32,
	CONTAINER_U64,
	CONTAINER_REAL, /* a double */
	CONTAINER_TEXT, /* ended by '\0' */
	CONTAINER_BYTES /* for which nothing is checked */
};

enum container_unit { CONTAINER_NUMBER, CONTAINER_TICKS, CONTAINER_NS, CONTAINER_ADDRESS };

/* A column of which size is a multiple of its type is an array. */
struct container_column {
	char id[CONTAINER_ID_MAX];
	uint8_t type, unit;
	uint16_t section; /* what a number, from 1 on, is an element of: a section from 1 on; 0:
			     none */
	uint32_t offset, size;
	uint32_t least, most; /* what a number may be; most 0: as large as it likes */
};

struct container_directory {
	struct container_section section[CONTAINER_SECTIONS];
	struct container_column column[CONTAINER_COLUMNS];
};

/* A section as a program declares it: of structs, to which is_wide adds what is within them. */
struct container_part {
	const char *kind;
	uint32_t size; /* of the struct, and so the stride, but where is_wide */
	uint32_t is_wide;
	uint32_t max; /* so many elements at most */
	uint32_t used, has_sequence;
	uint32_t within, offset; /* offset: within the elements of that section */
	const struct container_column *column;
	uint32_t n_columns;
};

/* Where it is in a file. */
struct container_place {
	uint64_t offset; /* 0 within another one: its part has that */
	size_t stride;
	uint32_t count;
};

/* A kind of tables. part[0] is the header. */
struct container_plan {
	const char *kind;
	const char *maker; /* who writes it, in sentences: "libtiptop" */
	uint32_t layout, header_size, n_parts;
	const struct container_part *part;
};

#define CONTAINER_SIZE_U32   sizeof(uint32_t)
#define CONTAINER_SIZE_U64   sizeof(uint64_t)
#define CONTAINER_SIZE_REAL  sizeof(double)
#define CONTAINER_SIZE_TEXT  1
#define CONTAINER_SIZE_BYTES 1

/* Returns the size of a field, which must be one or more numbers of the type. */
#define CONTAINER_FIELD_SIZE(type, of, field)                                                      \
	(sizeof(((struct of *)0)->field) +                                                         \
	 0 * sizeof(struct {                                                                       \
		 _Static_assert(sizeof(((struct of *)0)->field) % CONTAINER_SIZE_##type == 0,      \
				"the type of a column is that of its field");                      \
		 int one;                                                                          \
	 }))

/* A column for the field of a struct. */
#define CONTAINER_FIELD(of_type, of, field, ...)                                                   \
	{                                                                                          \
		.id = #field, .type = CONTAINER_##of_type, .offset = offsetof(struct of, field),   \
		.size = CONTAINER_FIELD_SIZE(of_type, of, field), __VA_ARGS__                      \
	}

/* A part for a struct and the array of its columns. */
#define CONTAINER_PART(name, of, most, columns, ...)                                               \
	{                                                                                          \
		.kind = (name), .size = sizeof(struct of), .max = (most), .column = (columns),     \
		.n_columns = sizeof(columns) / sizeof *(columns), __VA_ARGS__                      \
	}

static inline struct container_directory *container_directory(struct container *c)
{
	return (struct container_directory *)(void *)((char *)c + c->header_size);
}

/* Where the first section may begin, behind a header of this size. */
static inline size_t container_end(size_t header_size)
{
	return header_size + sizeof(struct container_directory);
}

/* When a process began, by the text of its /proc/PID/stat: field 22. The name in field 2 may hold
 * blanks and brackets. 0: it does not say so. */
uint64_t tt_container_start(const char *stat);

/* Writes what stands at the begin of a file, but for its magic, and the directory: a
 * file of the calling process, which is 0. place: of each part but the header. */
void tt_container_fill(struct container *c, const struct container_plan *plan,
		       const struct container_place place[]);
/* The file can be read from now on. */
void tt_container_publish(struct container *c);

#endif

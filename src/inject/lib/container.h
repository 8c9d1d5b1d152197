/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * container - the common format of the files that a process shares with tiptop: tables of regions,
 * of locks and of library calls.
 *
 *   struct container            the first member of the header of the table
 *   the rest of the header      up to container.header_size
 *   struct container_directory  the sections and their columns
 *   the sections
 *
 * A section is an array: `count` elements, `stride` bytes from one to the next. It lies in the file
 * or within each element of an earlier section, as rows lie in the slot of a thread. The header is
 * the first section, of one element. Elements are C structs of the writer; a column describes one
 * of their fields, by its offset (offsetof()) and type. A reader finds the sections by the
 * directory, and compares the columns with those that it knows.
 *
 * Writing: magic[0] is 0 until all of the above is written. If elements begin with a sequence
 * counter, the writer makes it odd before a change and even afterwards; a reader copies an element
 * again if its sequence is odd or has changed. container.sequence does the same for changes of
 * several elements. A process that is killed may leave odd sequences. Reading: the process can
 * write anything into its file, so inject/table_reader.h copies and checks it.
 *
 * All numbers are in the byte order of the machine. A change of this format needs another
 * CONTAINER_MAGIC; a change of one kind of table another `layout`.
 */
#ifndef INJECT_LIB_CONTAINER_H
#define INJECT_LIB_CONTAINER_H

#include <stddef.h>
#include <stdint.h>

#define CONTAINER_MAGIC "tiptopT2"
/* The magic of a file whose process could not make its table: header_size is the errno of the
 * failure. A file that the process may not extend (RLIMIT_FSIZE) stays empty. */
#define CONTAINER_FAILED   "tiptopE1"
#define CONTAINER_SECTIONS 16
#define CONTAINER_COLUMNS  256
#define CONTAINER_KIND_MAX 16
#define CONTAINER_ID_MAX   20

struct container {
	char magic[8];
	uint32_t header_size;
	uint32_t layout;
	char kind[CONTAINER_KIND_MAX]; /* the kind of table: "locks" */
	uint32_t pid;
	uint32_t sequence;
	uint64_t start_ticks; /* field 22 of /proc/PID/stat; identifies the process, together with
				 its pid */
	char boot_id[40];     /* from /proc/sys/kernel/random; "": unknown */
	uint32_t n_sections, n_columns;
};

struct container_section {
	char kind[CONTAINER_KIND_MAX];
	uint64_t offset;        /* in the file, or in an element of the section `within` */
	uint32_t stride, count; /* stride: a multiple of 8 */
	uint32_t
		within; /* the enclosing section, counted from 1; 0: the section lies in the file */
	uint32_t used;  /* offset, in the header, of the member that counts the elements in use; 0:
			   all are in use */
	uint32_t has_sequence; /* 1: each element begins with a sequence counter */
	uint32_t column;       /* the section's first column in the directory */
	uint32_t n_columns;
	uint32_t padding;
};

enum container_type {
	CONTAINER_U32,
	CONTAINER_U64,
	CONTAINER_REAL, /* a double */
	CONTAINER_TEXT, /* ended by '\0' */
	CONTAINER_BYTES /* not checked */
};

enum container_unit { CONTAINER_NUMBER, CONTAINER_TICKS, CONTAINER_NS, CONTAINER_ADDRESS };

/* A column: one field of an element. If its size is larger than that of its type, it is an array.
 */
struct container_column {
	char id[CONTAINER_ID_MAX];
	uint8_t type, unit;
	uint16_t section; /* for a column of element numbers (from 1 on): the section of the
			     elements, counted from 1; 0: the column has other numbers */
	uint32_t offset, size;
	uint32_t least, most; /* the range of a number; most 0: no upper limit */
};

struct container_directory {
	struct container_section section[CONTAINER_SECTIONS];
	struct container_column column[CONTAINER_COLUMNS];
};

/* A section as a program declares it. */
struct container_part {
	const char *kind;
	uint32_t size;               /* of the struct; also the stride if is_wide is 0 */
	uint32_t is_wide;            /* 1: the stride may be larger than the struct */
	uint32_t max;                /* the most elements */
	uint32_t used, has_sequence; /* as in struct container_section */
	/* As in struct container_section; offset 0, of a section in the file: its place is not
	 * constant. */
	uint32_t within, offset;
	const struct container_column *column;
	uint32_t n_columns;
};

/* The place of a section in one file: the declaration has it only if it is the same in all files.
 */
struct container_place {
	uint64_t offset; /* 0 for a section within another one: struct container_part has its offset
			  */
	size_t stride;
	uint32_t count;
};

/* The declaration of one kind of table. part[0] is the header. */
struct container_plan {
	const char *kind;
	const char *writer; /* the writer, for messages: "libtiptop" */
	uint32_t layout, header_size, n_parts;
	const struct container_part *part;
};

#define CONTAINER_SIZE_U32   sizeof(uint32_t)
#define CONTAINER_SIZE_U64   sizeof(uint64_t)
#define CONTAINER_SIZE_REAL  sizeof(double)
#define CONTAINER_SIZE_TEXT  1
#define CONTAINER_SIZE_BYTES 1

/* Returns the size of a field, which must be a multiple of the size of the type. */
#define CONTAINER_FIELD_SIZE(type, of, field)                                                      \
	(sizeof(((struct of *)0)->field) +                                                         \
	 0 * sizeof(struct {                                                                       \
		 _Static_assert(sizeof(((struct of *)0)->field) % CONTAINER_SIZE_##type == 0,      \
				"the type of a column is that of its field");                      \
		 int one;                                                                          \
	 }))

/* Initializes a column for a field of a struct. */
#define CONTAINER_FIELD(of_type, of, field, ...)                                                   \
	{                                                                                          \
		.id = #field, .type = CONTAINER_##of_type, .offset = offsetof(struct of, field),   \
		.size = CONTAINER_FIELD_SIZE(of_type, of, field), __VA_ARGS__                      \
	}

/* Initializes a part for a struct and the array of its columns. */
#define CONTAINER_PART(name, of, most, columns, ...)                                               \
	{                                                                                          \
		.kind = (name), .size = sizeof(struct of), .max = (most), .column = (columns),     \
		.n_columns = sizeof(columns) / sizeof *(columns), __VA_ARGS__                      \
	}

/* Initializes a part for an array and the array of its columns. The array is a member of a struct:
 * of the file, or of the elements of the section `within`. */
#define CONTAINER_ARRAY(name, of, array, columns, ...)                                             \
	{                                                                                          \
		.kind = (name), .size = sizeof(*((struct of *)0)->array),                          \
		.max = sizeof(((struct of *)0)->array) / sizeof(*((struct of *)0)->array),         \
		.offset = offsetof(struct of, array), .column = (columns),                         \
		.n_columns = sizeof(columns) / sizeof *(columns), __VA_ARGS__                      \
	}

static inline struct container_directory *container_directory(struct container *c)
{
	return (struct container_directory *)(void *)((char *)c + c->header_size);
}

/* Returns the offset at which the first section after the header may begin. */
static inline size_t container_end(size_t header_size)
{
	return header_size + sizeof(struct container_directory);
}

/* Returns field 22, the start time, of the text of /proc/PID/stat; 0: the text has no such field.
 * The name in field 2 may hold blanks and parentheses. */
uint64_t tt_container_start(const char *stat);

/* Sets the places of all parts but the header, as they are declared: offset, size of the struct and
 * most elements. The caller then sets those that are not constant. */
void tt_container_places(const struct container_plan *plan, struct container_place place[]);
/* Writes the container, except its magic and boot id, and the directory, into a zeroed file of the
 * calling process. place[i - 1] is the place of part[i], as the header (part[0]) has none. */
void tt_container_fill(struct container *c, const struct container_plan *plan,
		       const struct container_place place[]);
/* Writes the magic: the file can be read from now on. */
void tt_container_publish(struct container *c);

#endif

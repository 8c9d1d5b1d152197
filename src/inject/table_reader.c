/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "inject/table_reader.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"

/* A table of thousands of threads is this large. The limit keeps a process with a larger file from
 * delaying tiptop. */
#define BYTES_MAX (256 << 20)

static int refuse(struct err *err)
{
	return err_set(err, EBADMSG, "is damaged");
}

static int refuse_version(const struct container_plan *plan, struct err *err)
{
	return err_set(
		err, EBADMSG,
		"is of another version of %s: restart the program with the version of this tiptop",
		plan->writer);
}

static int refuse_change(struct err *err)
{
	return err_set(err, EAGAIN, "changes all the time");
}

/* --- the header --- */

/* Explains why there is no table, from the errno that the process wrote. Returns -code. */
static int explain_failure(uint32_t error, int code, struct err *err)
{
	if (error == EFBIG)
		return err_set(err, code,
			       "was not begun: the program may not write a file that large: raise "
			       "its limit (ulimit -f)");
	if (error == ENOMEM)
		return err_set(
			err, code,
			"was not begun: the program may have too little address space: raise "
			"its limit (ulimit -v)");
	return err_set(err, code, "was not begun: %s", strerror((int)error));
}

static int check_begin(const struct container_reader *r, const struct container *c, struct err *err)
{
	const struct container_plan *plan = r->plan;

	if (!memcmp(c->magic, CONTAINER_FAILED, sizeof c->magic))
		return explain_failure(c->header_size, ECANCELED, err);
	if (!c->magic[0])
		return err_set(err, ENOMEM,
			       "was not begun: there was no memory for it in its folder (tmpfs)");
	if (memcmp(c->magic, CONTAINER_MAGIC, sizeof c->magic) != 0)
		return refuse_version(plan, err);
	return 0;
}

static int read_header(struct container_reader *r, struct err *err)
{
	struct container begin = {.header_size = 0};
	const size_t short_size = offsetof(struct container, layout);
	struct stat file;
	/* If the process could not make its table, the file ends after the member header_size. */
	int ret = file_read_at(r->fd, &begin, short_size, 0, err);

	/* The file is empty: either RLIMIT_FSIZE forbids to extend it, or the process has not
	 * extended it yet. The code ENODATA lets the caller look again while the process runs. */
	if (ret == -ENODATA && !lseek(r->fd, 0, SEEK_END))
		return explain_failure(EFBIG, ENODATA, err);
	if (!ret)
		ret = check_begin(r, &begin, err);
	if (ret)
		return ret;
	if (fstat(r->fd, &file) || file.st_blocks > BYTES_MAX / 512)
		return err_set(err, EFBIG, "is too large: it has more than %d MiB",
			       BYTES_MAX >> 20);
	ret = file_read_at(r->fd, r->header, r->plan->header_size, 0, err);
	if (!ret)
		ret = file_read_at(r->fd, &r->directory, sizeof r->directory, r->plan->header_size,
				   err);
	return ret;
}

/* --- the directory --- */

static const struct container *header_of(const struct container_reader *r)
{
	return r->header;
}

/* Returns whether section i of the file is as the plan declares it. column: index of the section's
 * first column in the directory. */
static bool is_known(const struct container_reader *r, uint32_t i, uint32_t column)
{
	const struct container_part *part = &r->plan->part[i];
	const struct container_section *s = &r->directory.section[i];

	return !strncmp(s->kind, part->kind, sizeof s->kind) && s->used == part->used &&
	       s->has_sequence == part->has_sequence && s->within == part->within &&
	       (!s->within || s->offset == part->offset) && s->column == column &&
	       s->n_columns == part->n_columns &&
	       !memcmp(&r->directory.column[column], part->column,
		       part->n_columns * sizeof *part->column);
}

static bool has_known_sections(const struct container_reader *r)
{
	const struct container *c = header_of(r);
	uint32_t column = 0;

	if (strncmp(c->kind, r->plan->kind, sizeof c->kind) != 0 || c->layout != r->plan->layout ||
	    c->header_size != r->plan->header_size || c->n_sections != r->plan->n_parts)
		return false;
	for (uint32_t i = 0; i < r->plan->n_parts; i++) {
		if (!is_known(r, i, column))
			return false;
		column += r->plan->part[i].n_columns;
	}
	return c->n_columns == column;
}

/* Returns whether the bounds of a section are possible: sizes and counts are within the limits of
 * the plan, and a section within another one fits into an element of that other section. */
static bool is_in_bounds(const struct container_reader *r, uint32_t i)
{
	const struct container_part *part = &r->plan->part[i];
	const struct container_section *s = &r->directory.section[i];
	const uint64_t size = (uint64_t)s->stride * s->count,
		       room = s->within ? r->directory.section[s->within - 1].stride : INT64_MAX;

	return (part->is_wide ? s->stride >= part->size : s->stride == part->size) &&
	       s->stride <= BYTES_MAX && s->stride % 8 == 0 && s->offset % 8 == 0 &&
	       s->count <= part->max && (s->count || !s->within) && s->offset <= room &&
	       size <= room - s->offset;
}

static int check_directory(const struct container_reader *r, struct err *err)
{
	const struct container_section *s = r->directory.section;

	if (!has_known_sections(r))
		return refuse_version(r->plan, err);
	if (s->offset || s->count != 1)
		return refuse(err);
	for (uint32_t i = 0; i < r->plan->n_parts; i++)
		if (!is_in_bounds(r, i) || container_reader_used(r, i) > s[i].count)
			return refuse(err);
	return 0;
}

int container_reader_open(struct container_reader *r, struct err *err)
{
	int ret = read_header(r, err);

	if (!ret)
		ret = check_directory(r, err);
	if (!ret && !r->ended && header_of(r)->sequence & 1)
		ret = refuse_change(err);
	return ret ? ret : container_reader_check(r, 0, r->header, 1, err);
}

/* --- elements --- */

uint32_t container_reader_count(const struct container_reader *r, unsigned section)
{
	return r->directory.section[section].count;
}

size_t container_reader_stride(const struct container_reader *r, unsigned section)
{
	return r->directory.section[section].stride;
}

uint32_t container_reader_used(const struct container_reader *r, unsigned section)
{
	const struct container_section *s = &r->directory.section[section];
	uint32_t used = s->count;

	if (s->used)
		memcpy(&used, (const char *)r->header + s->used, sizeof used);
	return used;
}

size_t container_reader_at(const struct container_reader *r, unsigned section, uint64_t number)
{
	const struct container_section *s = &r->directory.section[section];
	size_t outer = 0;

	if (s->within) {
		outer = container_reader_at(r, s->within - 1, number / s->count);
		number %= s->count;
	}
	return outer + s->offset + number * s->stride;
}

int container_reader_copy(const struct container_reader *r, const struct container_piece *first,
			  uint32_t n, struct err *err)
{
	const size_t size = first->size ? first->size : container_reader_stride(r, first->section);

	return file_read_at(r->fd, first->to, n * size,
			    container_reader_at(r, first->section, first->number), err);
}

/* Checks one number. If the number refers to an element that was added after the header was copied,
 * the file must be read again. */
static int check_number(const struct container_reader *r, const struct container_column *column,
			uint64_t number, struct err *err)
{
	if (number < column->least || (column->most && number > column->most))
		return refuse(err);
	if (!column->section)
		return 0;
	if (number > container_reader_count(r, column->section - 1u))
		return refuse(err);
	if (number > container_reader_used(r, column->section - 1u))
		return r->ended ? refuse(err) : refuse_change(err);
	return 0;
}

static int check_numbers(const struct container_reader *r, const struct container_column *column,
			 const char *field, struct err *err)
{
	const size_t size = column->type == CONTAINER_U32 ? sizeof(uint32_t) : sizeof(uint64_t);
	int ret = 0;

	if (!column->least && !column->most && !column->section)
		return 0;
	for (size_t at = 0; at < column->size && !ret; at += size) {
		uint64_t number = 0;
		uint32_t narrow;

		memcpy(&number, field + at, size);
		memcpy(&narrow, field + at, sizeof narrow);
		ret = check_number(r, column, size == sizeof narrow ? narrow : number, err);
	}
	return ret;
}

static int check_column(const struct container_reader *r, const struct container_column *column,
			char *element, struct err *err)
{
	char *field = element + column->offset;

	if (column->type == CONTAINER_TEXT) {
		field[column->size - 1] = '\0';
		text_sanitize(field, '?');
	}
	return column->type <= CONTAINER_U64 ? check_numbers(r, column, field, err) : 0;
}

/* Checks the sections that lie within an element. */
static int check_inner(const struct container_reader *r, unsigned section, char *element,
		       struct err *err)
{
	int ret = 0;

	for (unsigned i = section + 1; i < r->plan->n_parts && !ret; i++)
		if (r->directory.section[i].within == section + 1)
			ret = container_reader_check(r, i, element + r->directory.section[i].offset,
						     container_reader_used(r, i), err);
	return ret;
}

int container_reader_check(const struct container_reader *r, unsigned section, void *copied,
			   uint32_t n, struct err *err)
{
	const struct container_part *part = &r->plan->part[section];
	char *element = copied;
	int ret = 0;

	for (uint32_t i = 0; i < n && !ret; i++, element += container_reader_stride(r, section)) {
		for (uint32_t c = 0; c < part->n_columns && !ret; c++)
			ret = check_column(r, &part->column[c], element, err);
		if (!ret)
			ret = check_inner(r, section, element, err);
	}
	return ret;
}

int container_reader_copy_all(const struct container_reader *r, unsigned section, void **to,
			      struct err *err)
{
	const uint32_t n = container_reader_used(r, section);
	const size_t stride = container_reader_stride(r, section);
	struct container_piece first = {.section = section};
	int ret;

	if (n > BYTES_MAX / stride)
		return refuse(err);
	first.to = *to = xreallocarray(*to, n + 1, stride);
	ret = container_reader_copy(r, &first, n, err);
	return ret ? ret : container_reader_check(r, section, *to, n, err);
}

/* --- changes while reading --- */

static bool is_settled(uint32_t before, uint32_t after)
{
	return before == after && !(after & 1);
}

int container_reader_copy_stable(const struct container_reader *r,
				 const struct container_piece piece[], unsigned n, unsigned tries,
				 bool *torn, struct err *err)
{
	const uint32_t *before = piece->to;
	uint32_t after;

	*torn = false;
	for (unsigned try = 0; try < tries; try++) {
		int ret = try ? container_reader_copy(r, piece, 1, err) : 0;

		for (unsigned i = 1; i < n && !ret; i++)
			ret = container_reader_copy(r, &piece[i], 1, err);
		if (ret || r->ended)
			return ret;
		ret = file_read_at(r->fd, &after, sizeof after,
				   container_reader_at(r, piece->section, piece->number), err);
		if (ret || is_settled(*before, after))
			return ret;
	}
	*torn = true;
	return 0;
}

uint32_t container_reader_next(const struct container_reader *r, unsigned section, uint32_t number)
{
	const struct container_section *s = &r->directory.section[section];
	const off_t data = lseek(r->fd, (off_t)container_reader_at(r, section, number), SEEK_DATA);
	uint64_t found;

	if (data < 0 || number >= s->count)
		return s->count;
	found = ((uint64_t)data - s->offset) / s->stride;
	return found < s->count ? (uint32_t)found : s->count;
}

int container_reader_close(const struct container_reader *r, struct err *err)
{
	uint32_t after;
	int ret;

	if (r->ended)
		return 0;
	ret = file_read_at(r->fd, &after, sizeof after, offsetof(struct container, sequence), err);
	if (!ret && !is_settled(header_of(r)->sequence, after))
		ret = refuse_change(err);
	return ret;
}

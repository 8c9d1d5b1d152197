/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/build_id.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* Longer than the notes up to the build id in any known file. */
#define NOTES_MAX    1024
#define SEGMENTS_MAX 64

struct image {
	int fd;
	uint64_t begin; /* offset of the image in fd */
	bool mapped;    /* fd is /proc/self/mem; false: fd is the file itself */
	uint64_t first; /* the link-time address of the first byte */
};

static bool read_at(const struct image *i, void *to, size_t size, uint64_t at)
{
	at += i->begin;
	return at <= INT64_MAX && pread(i->fd, to, size, (off_t)at) == (ssize_t)size;
}

static uint32_t round_up(uint32_t size, uint32_t align)
{
	return (size + align - 1) & -align;
}

/* Finds the build id in notes. A note is a header (sizes of name and description, and the type),
 * then the name and the description. */
static bool take_notes(struct build_id *id, const char *notes, size_t n, uint32_t align)
{
	ElfW(Nhdr) note;

	while (n >= sizeof note) {
		size_t name, size;

		memcpy(&note, notes, sizeof note);
		if (note.n_namesz > n || note.n_descsz > n)
			return false;
		name = round_up((uint32_t)sizeof note + note.n_namesz, align);
		size = name + round_up(note.n_descsz, align);
		if (name + note.n_descsz > n)
			return false;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
		    !memcmp(notes + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU)) {
			id->size = note.n_descsz < BUILD_ID_MAX ? note.n_descsz : BUILD_ID_MAX;
			memcpy(id->byte, notes + name, id->size);
			return true;
		}
		if (size >= n)
			return false;
		notes += size;
		n -= size;
	}
	return false;
}

static bool read_notes(struct build_id *id, const struct image *i, const ElfW(Phdr) * segment)
{
	const size_t size = segment->p_filesz < NOTES_MAX ? segment->p_filesz : NOTES_MAX;
	char notes[NOTES_MAX];

	return read_at(i, notes, size,
		       i->mapped ? segment->p_vaddr - i->first : segment->p_offset) &&
	       take_notes(id, notes, size, segment->p_align == 8 ? 8 : 4);
}

static void read_image(struct build_id *id, struct image *i)
{
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool found = false, loaded = false;
	ElfW(Phdr) segment;
	ElfW(Ehdr) head;

	*id = (struct build_id){.size = 0};
	if (!read_at(i, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
	    head.e_phentsize != sizeof segment)
		return;
	/* Two passes, as the first PT_LOAD may follow the notes. */
	for (int pass = 0; pass < 2; pass++)
		for (int k = 0; k < head.e_phnum && k < SEGMENTS_MAX && !found; k++) {
			if (!read_at(i, &segment, sizeof segment,
				     head.e_phoff + (uint64_t)k * sizeof segment))
				return;
			if (!pass && !loaded && segment.p_type == PT_LOAD) {
				i->first = segment.p_vaddr & -page;
				loaded = true;
			}
			found = pass && segment.p_type == PT_NOTE && read_notes(id, i, &segment);
		}
}

void build_id_read_file(struct build_id *id, int fd)
{
	read_image(id, &(struct image){.fd = fd});
}

void build_id_read_memory(struct build_id *id, int fd, uint64_t begin)
{
	read_image(id, &(struct image){.fd = fd, .begin = begin, .mapped = true});
}

bool build_id_is_same(const struct build_id *a, const struct build_id *b)
{
	return a->size && a->size == b->size && !memcmp(a->byte, b->byte, a->size);
}

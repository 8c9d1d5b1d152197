/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/futex_waits.h"

#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "inject/preload/locks.h"
#include "profile/locks/symbol.h"

/* ---- language ---- */

/* Limits for sections of files that are not trusted; no known program comes near them. */
#define SECTIONS_MAX 4096
#define TEXTS_MAX    ((uint64_t)1 << 20)

/* Returns the contents of a section, followed by a 0; owned by the caller. NULL: unreadable or too
 * large. */
static char *read_section(int fd, const ElfW(Shdr) * section)
{
	const uint64_t size = section->sh_size;
	char *data = size && size <= TEXTS_MAX ? xmalloc(size + 1) : NULL;

	if (data && file_read_at(fd, data, size, section->sh_offset, NULL)) {
		free(data);
		return NULL;
	}
	if (data)
		data[size] = '\0';
	return data;
}

static bool read_file_head(int fd, ElfW(Ehdr) * head)
{
	const uint8_t class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	return !file_read_at(fd, head, sizeof *head, 0, NULL) &&
	       !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == class &&
	       head->e_shentsize == sizeof(ElfW(Shdr)) && head->e_shnum <= SECTIONS_MAX &&
	       head->e_shstrndx < head->e_shnum;
}

/* Returns whether a Rust compiler is named in .comment, which has a terminated text for each tool
 * that took part in the build. */
static bool has_rust(int fd, const ElfW(Shdr) * comment)
{
	static const char mark[] = "rustc version ";
	char *text = read_section(fd, comment);
	const bool found = text && memmem(text, comment->sh_size, mark, sizeof mark - 1);

	free(text);
	return found;
}

static enum language language_of_section(int fd, const ElfW(Shdr) * section, const char *name)
{
	if (!strcmp(name, ".go.buildinfo") || !strcmp(name, ".note.go.buildid"))
		return LANGUAGE_GO;
	return !strcmp(name, ".comment") && has_rust(fd, section) ? LANGUAGE_RUST : LANGUAGE_OTHER;
}

enum language language_of_file(int fd)
{
	enum language language = LANGUAGE_OTHER;
	ElfW(Shdr) * section;
	ElfW(Ehdr) head;
	char *names = NULL;

	if (!read_file_head(fd, &head))
		return LANGUAGE_OTHER;
	section = xcalloc(head.e_shnum, sizeof *section);
	if (!file_read_at(fd, section, head.e_shnum * sizeof *section, head.e_shoff, NULL))
		names = read_section(fd, &section[head.e_shstrndx]);
	for (int i = 0; names && i < head.e_shnum && language == LANGUAGE_OTHER; i++)
		if (section[i].sh_name < section[head.e_shstrndx].sh_size)
			language = language_of_section(fd, &section[i], names + section[i].sh_name);
	free(names);
	free(section);
	return language;
}

/* ---- futex waits ---- */

static enum language language_of(const struct locks_module *m)
{
	const int fd = symbols_open_file(m);
	enum language language = LANGUAGE_OTHER;

	if (fd >= 0) {
		language = language_of_file(fd);
		close(fd);
	}
	return language;
}

/* The locks of a kind of module, and what the report has of them: without and with the calls that
 * the kernel has recorded. */
#define NOT_HERE   "use futex(2) themselves, and are not here"
#define WAITS_HERE "are here only when a thread waits, as futexes"

static const char *sentence_of(const struct locks_module *m, bool kernel)
{
	static const char *const of_makers[][2] = {
		[LANGUAGE_OTHER] = {NULL, NULL},
		[LANGUAGE_GO] = {"is in Go, whose locks " NOT_HERE,
				 "is in Go, whose locks " WAITS_HERE},
		[LANGUAGE_RUST] = {"is in Rust, whose locks " WAITS_HERE,
				   "is in Rust, whose locks " WAITS_HERE},
	};

	if (!module_calls_futex(m->path))
		return of_makers[language_of(m)][kernel];
	return kernel ? "is loaded, whose locks and barriers " WAITS_HERE
		      : "is loaded, whose locks and barriers " NOT_HERE;
}

bool futex_waits_explain(const struct locks_module *m, bool kernel, struct strbuf *out)
{
	const char *name = strrchr(m->path, '/'), *what = m->inode ? sentence_of(m, kernel) : NULL;

	strbuf_reset(out);
	if (what)
		strbuf_addf(out, "%s %s", name ? name + 1 : m->path, what);
	return what != NULL;
}

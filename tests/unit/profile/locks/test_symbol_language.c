/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The language of a program, detected from small made-up files. */
#include <link.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/locks/symbol.h"
#include "tap.h"

#define NAMES "\0.shstrtab\0"
#define AT    (sizeof(ElfW(Ehdr)) + 3 * sizeof(ElfW(Shdr)))

static char path[] = P_tmpdir "/tests.XXXXXX";
static int fd;

static void put(const void *data, size_t size, size_t at)
{
	if (pwrite(fd, data, size, (off_t)at) != (ssize_t)size)
		abort();
}

/* Makes a file with a section of this name and content. */
static void make(const char *name, const char *text)
{
	const size_t n_names = sizeof NAMES - 1 + strlen(name) + 1;
	ElfW(Ehdr) head = {.e_shentsize = sizeof(ElfW(Shdr)),
			   .e_shoff = sizeof head,
			   .e_shnum = 3,
			   .e_shstrndx = 1};
	ElfW(Shdr) section[3] = {
		{0},
		{.sh_name = 1, .sh_offset = AT, .sh_size = n_names},
		{.sh_name = sizeof NAMES - 1, .sh_offset = AT + n_names, .sh_size = strlen(text)},
	};

	memcpy(head.e_ident, ELFMAG, SELFMAG);
	head.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
	if (ftruncate(fd, 0))
		abort();
	put(&head, sizeof head, 0);
	put(section, sizeof section, sizeof head);
	put(NAMES, sizeof NAMES - 1, AT);
	put(name, strlen(name) + 1, AT + sizeof NAMES - 1);
	put(text, strlen(text), AT + n_names);
}

static void check_makers(void)
{
	make(".comment", "GCC: (Debian) 12.2.0");
	tap_int(language_of_file(fd), LANGUAGE_OTHER, "a program in C");
	make(".comment", "GCC: 12.2.0 rustc version 1.83.0 (90b35a623 2024-11-26)");
	tap_int(language_of_file(fd), LANGUAGE_RUST, "in Rust");
	make(".rodata", "rustc version 1.83.0");
	tap_int(language_of_file(fd), LANGUAGE_OTHER, "that text elsewhere");
	make(".go.buildinfo", "x");
	tap_int(language_of_file(fd), LANGUAGE_GO, "in Go");
	make(".note.go.buildid", "x");
	tap_int(language_of_file(fd), LANGUAGE_GO, "without the information of the build");
}

static void check_waits(void)
{
	struct locks_module m = {.begin = 0};
	struct stat file;

	make(".go.buildinfo", "x");
	if (fstat(fd, &file))
		abort();
	m.inode = file.st_ino;
	snprintf(m.path, sizeof m.path, "%s", path);
	tap_ok(futex_waits_hide(&m, false) && futex_waits_hide(&m, true),
	       "goroutines wait without futex(2)");
	make(".comment", "rustc version 1.83.0");
	tap_ok(!futex_waits_hide(&m, false), "threads in Rust wait with it");
}

/* Truncated and damaged files cause no invalid memory access. */
static void check_damage(void)
{
	int n = 0;

	make(".comment", "rustc version 1.83.0");
	for (off_t size = lseek(fd, 0, SEEK_END) - 1; size >= 0; size--)
		if (!ftruncate(fd, size))
			n += language_of_file(fd) != LANGUAGE_OTHER;
	tap_int(n, 0, "a truncated file is of no language");
	for (size_t at = SELFMAG; at < AT; at++) {
		const uint8_t bad = 0xff;

		make(".comment", "rustc version 1.83.0");
		put(&bad, 1, at);
		n += language_of_file(fd) == LANGUAGE_GO;
	}
	tap_int(n, 0, "a file that is damaged is read in its bounds");
}

int main(void)
{
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	check_makers();
	check_waits();
	check_damage();
	close(fd);
	unlink(path);
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of addresses in this program, found by its mappings in /proc; and damaged files. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "profile/locks/debug.h"
#include "profile/locks/symbol.h"
#include "tap.h"

int test_symbol_variable[4]; /* looked up by name */

void test_symbol_function(void); /* looked up by name */

__attribute__((noinline)) void test_symbol_function(void)
{
	__asm__ volatile("nop; nop; nop; nop");
}

/* Returns this program's file as one module: its mappings, and anonymous ones between and after
 * them. */
static struct locks_module find_self(const char *path, ino_t inode)
{
	struct locks_module m = {.inode = inode};
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];

	snprintf(m.path, sizeof m.path, "%s", path);
	while (maps && fgets(line, sizeof line, maps)) {
		unsigned long begin, end, file;

		if (sscanf(line, "%lx-%lx %*s %*x %*s %lu", &begin, &end, &file) != 3)
			continue;
		if (file == inode || (m.end == begin && !file && !strchr(line, '['))) {
			m.begin = m.begin ? m.begin : begin;
			m.end = end;
		}
	}
	if (maps)
		fclose(maps);
	return m;
}

static const char *name_of(const struct locks_module *m, const void *address, bool of_file)
{
	static struct strbuf text;
	struct symbols *s = symbols_new(m, 1);
	bool found;

	strbuf_done(&text);
	strbuf_init(&text);
	found = (of_file ? symbols_add_file : symbols_add)(s, &text, (uintptr_t)address);
	symbols_free(s);
	return found ? text.text : "?";
}

static void check_names(const struct locks_module *m)
{
	struct locks_module other = *m;

	tap_str(name_of(m, &test_symbol_variable[1], false), "test_symbol_variable+0x4",
		"a variable");
	tap_str(name_of(m, test_symbol_variable, false), "test_symbol_variable", "its begin");
	tap_str(name_of(m, (char *)(void *)test_symbol_function + 1, false),
		"test_symbol_function+0x1", "a function");
	tap_str(name_of(m, &other, false), "?", "an address that no file has");
	snprintf(other.path, sizeof other.path, "/a/b\033c");
	tap_str(name_of(&other, (char *)(uintptr_t)m->begin + 0x10, true), "b?c+0x10",
		"a place in a file, whose name is harmless");
	tap_str(name_of(&other, test_symbol_variable, false), "?", "a file that is not there");
	other = *m;
	other.inode++;
	tap_str(name_of(&other, test_symbol_variable, false), "?", "another file by now");
	snprintf(other.path, sizeof other.path, "%s", "/dev/zero");
	tap_str(name_of(&other, test_symbol_variable, false), "?", "no file at all");
}

/* If the build id is known, a file with another one is not used. */
static void check_build_id(const struct locks_module *m)
{
	struct locks_module other = *m;
	int fd = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	struct build_id file;

	build_id_read_memory(&other.id, fd, m->begin);
	close(fd);
	fd = open(m->path, O_RDONLY | O_CLOEXEC);
	build_id_read_file(&file, fd);
	close(fd);
	if (!file.size) {
		tap_ok(true, "build ids # SKIP the linker writes none");
		return;
	}
	tap_ok(build_id_is_same(&other.id, &file), "memory and file are the same build");
	other.inode++;
	tap_str(name_of(&other, test_symbol_variable, false), "test_symbol_variable",
		"the same build in another file");
	other.inode--;
	other.id.byte[0] ^= 1;
	tap_str(name_of(&other, test_symbol_variable, false), "?", "another build in the file");
}

/* For damaged files, nothing outside of the file is read. */
static void check_damaged(const struct locks_module *m)
{
	static char data[16 << 20], folder[200];
	char path[] = "symbols-XXXXXX";
	int from = open(m->path, O_RDONLY | O_CLOEXEC), to = mkstemp(path);
	const ssize_t n = read(from, data, sizeof data);
	struct locks_module damaged = *m;
	int known = 0, unknown = 0;
	unsigned seed = 17;
	struct stat file;

	fstat(to, &file);
	damaged.inode = file.st_ino;
	snprintf(damaged.path, sizeof damaged.path, "%s/%s", getcwd(folder, sizeof folder), path);
	for (int k = 0; k < 200 && n > 4096; k++) {
		/* in the header, or in the table of sections */
		const off_t at = k % 2 ? rand_r(&seed) % 64 : n - 1 - rand_r(&seed) % 4096;
		const char byte = (char)rand_r(&seed);
		const char *name;

		if (pwrite(to, data, (size_t)n, 0) != n || pwrite(to, &byte, 1, at) != 1)
			abort();
		name = name_of(&damaged, test_symbol_variable, false);
		known += !strcmp(name, "test_symbol_variable");
		unknown += !strcmp(name, "?");
	}
	tap_ok(known > 10 && unknown > 10, "damaged files: %d with the name, %d without any", known,
	       unknown);
	unlink(path);
	close(from);
	close(to);
}

static bool has_libdw(int flags)
{
	return dlopen("libdw.so.1", RTLD_LAZY | flags) != NULL;
}

/* The build may have libdw linked, or do without: it is never loaded then. */
static void check_loading(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct debug *debug;
	bool before;

	symbols_begin_fork();
	tap_ok(!has_libdw(RTLD_NOLOAD), "the first process that reads symbols loads libdw itself");
	symbols_begin_fork();
	before = has_libdw(RTLD_NOLOAD);
	tap_ok(!before || dlopen("libdebuginfod.so.1", RTLD_LAZY | RTLD_NOLOAD) ||
		       !dlopen("libdebuginfod.so.1", RTLD_LAZY),
	       "with libdw, what it loads is loaded");
	debug = debug_open(path, fd);
	if (debug)
		debug_close(debug);
	tap_ok(before == has_libdw(RTLD_NOLOAD), "for the second process, it is loaded before");
	close(fd);
}

int main(void)
{
	struct locks_module m;
	struct stat file;
	char path[200];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	path[n > 0 ? n : 0] = '\0';
	if (stat(path, &file))
		abort();
	m = find_self(path, file.st_ino);
	check_loading(path);
	check_names(&m);
	check_build_id(&m);
	check_damaged(&m);
	return tap_done();
}

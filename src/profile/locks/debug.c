/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/debug.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "profile/locks/libdw.h"

static struct {
	bool tried, found;
} library;
static struct libdw dw;

struct debug {
	Dwfl *session;
	Dwfl_Module *module;
	Dwfl_Callbacks callbacks;
};

static bool load(void)
{
	if (!library.tried) {
		/* libdw must not contact a debuginfod server: that takes time, and would reveal
		 * what is measured. */
		unsetenv("DEBUGINFOD_URLS");
		library.found = libdw_find(&dw);
	}
	library.tried = true;
	return library.found;
}

void debug_load(void)
{
	if (load())
		libdw_find_client();
}

/* Opens a file. fd stays open, owned by the caller. Returns NULL if libdw cannot read it. */
static struct debug *open_file(const char *path, int fd)
{
	const int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	struct debug *d;

	if (own < 0)
		return NULL;
	d = xcalloc(1, sizeof *d);
	d->callbacks.find_debuginfo = dw.dwfl_standard_find_debuginfo;
	d->session = dw.dwfl_begin(&d->callbacks);
	d->module = d->session ? dw.dwfl_report_elf(d->session, path, path, own, 0, true) : NULL;
	if (!d->module) {
		close(own);
		debug_close(d);
		return NULL;
	}
	dw.dwfl_report_end(d->session, NULL, NULL);
	return d;
}

/* ---- cache ----
 *
 * Finds files that a client of debuginfod, such as gdb, has downloaded earlier. libdw opens these
 * only if it may contact the server as well.
 */

struct bytes {
	const unsigned char *byte;
	int n; /* 0: none */
};

static struct bytes build_id_of(Dwfl_Module *module)
{
	struct bytes id = {.n = 0};
	GElf_Addr address;

	id.n = dw.dwfl_module_build_id(module, &id.byte, &address);
	return id.n > 0 ? id : (struct bytes){.n = 0};
}

static bool is_build(const char *path, int fd, const struct bytes *id)
{
	struct debug *d = open_file(path, fd);
	const struct bytes other = d ? build_id_of(d->module) : (struct bytes){.n = 0};
	const bool is_same = other.n == id->n && !memcmp(other.byte, id->byte, (size_t)id->n);

	debug_close(d);
	return is_same;
}

/* Opens the file of a build in a folder of the cache. Returns -1 if there is none. */
static int open_cached(const struct strbuf *path, const struct bytes *id)
{
	int fd = open(path->text, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	struct stat file;

	if (fd >= 0 &&
	    (fstat(fd, &file) || !S_ISREG(file.st_mode) || !is_build(path->text, fd, id))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Searches the folders in which libdebuginfod keeps its files. Returns a descriptor and *found, the
 * path, owned by the caller; -1: none. */
static int find_cached(const struct bytes *id, char **found)
{
	static const struct {
		const char *variable, *below;
	} folders[] = {
		{"DEBUGINFOD_CACHE_PATH", ""},
		{"XDG_CACHE_HOME", "/debuginfod_client"},
		{"HOME", "/.cache/debuginfod_client"},
		{"HOME", "/.debuginfod_client_cache"},
	};
	struct strbuf path;
	int fd = -1;

	strbuf_init(&path);
	for (size_t i = 0; i < sizeof folders / sizeof *folders && fd < 0; i++) {
		const char *folder = getenv(folders[i].variable);

		strbuf_reset(&path);
		strbuf_addf(&path, "%s%s/", folder ? folder : "", folders[i].below);
		for (int k = 0; k < id->n; k++)
			strbuf_addf(&path, "%02x", id->byte[k]);
		strbuf_addstr(&path, "/debuginfo");
		if (folder && folder[0] == '/')
			fd = open_cached(&path, id);
	}
	if (fd >= 0)
		*found = xstrdup(path.text);
	strbuf_done(&path);
	return fd;
}

/* A callback of libdw, which calls it for a module without debug information. */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *path, const char *link, GElf_Word crc, char **found)
{
	const int fd =
		dw.dwfl_standard_find_debuginfo(module, data, name, base, path, link, crc, found);
	struct bytes id;

	if (fd >= 0)
		return fd;
	id = build_id_of(module);
	return id.n ? find_cached(&id, found) : -1;
}

/* ---- debug ---- */

struct debug *debug_open(const char *path, int fd)
{
	struct debug *d = load() ? open_file(path, fd) : NULL;

	if (d)
		d->callbacks.find_debuginfo = find_debuginfo;
	return d;
}

void debug_close(struct debug *d)
{
	if (d && d->session)
		dw.dwfl_end(d->session);
	free(d);
}

/* Copies the symbols into a table, since libdw searches all of them for each address. */
void debug_add_symbols(struct debug *d, struct symbol_table *table)
{
	const int n = dw.dwfl_module_getsymtab(d->module);

	for (int i = 0; i < n; i++) {
		GElf_Word section = 0;
		GElf_Addr address;
		GElf_Sym elf;
		struct symbol symbol = {
			.name = dw.dwfl_module_getsym_info(d->module, i, &elf, &address, &section,
							   NULL, NULL),
		};

		if (!symbol.name)
			continue;
		symbol.value = address;
		symbol.size = elf.st_size;
		symbol_table_add(table, &symbol, elf.st_info, section);
	}
	symbol_table_sort(table);
}

static void add_place(struct strbuf *out, const char *file, uint64_t line)
{
	text_add(out, file);
	strbuf_addf(out, ":%llu", (unsigned long long)line);
}

/* Returns whether functions may be declared in an entry that has no code itself. */
static bool may_have_functions(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type ||
	       tag == DW_TAG_class_type || tag == DW_TAG_union_type;
}

/* Finds the outermost inlined call that contains an address, among the entries below `parent`.
 * Returns false if there is none. dwarf_getscopes() finds none if the inlined function is in
 * another unit, as after optimization at link time, or the function around it in a namespace. */
static bool find_call(Dwarf_Die *parent, Dwarf_Addr address, Dwarf_Die *call)
{
	Dwarf_Die child;
	int end = dw.dwarf_child(parent, &child);

	for (; !end; end = dw.dwarf_siblingof(&child, &child)) {
		const int tag = dw.dwarf_tag(&child);
		const bool contains = dw.dwarf_haspc(&child, address) > 0;

		if (contains && tag == DW_TAG_inlined_subroutine) {
			*call = child;
			return true;
		}
		if (contains)
			return find_call(&child, address, call);
		if (may_have_functions(tag) && find_call(&child, address, call))
			return true;
	}
	return false;
}

static bool add_call(struct strbuf *out, Dwarf_Die *unit, Dwarf_Die *call)
{
	Dwarf_Attribute attribute;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	const char *name;
	size_t n;

	if (dw.dwarf_formudata(dw.dwarf_attr(call, DW_AT_call_file, &attribute), &file) ||
	    dw.dwarf_formudata(dw.dwarf_attr(call, DW_AT_call_line, &attribute), &line) ||
	    dw.dwarf_getsrcfiles(unit, &files, &n) || file >= n)
		return false;
	name = dw.dwarf_filesrc(files, file, NULL, NULL);
	if (name)
		add_place(out, name, line);
	return name != NULL;
}

/* Returns the unit with the code at an address, and sets *bias to the difference between addresses
 * of the file and of its debug information; NULL: none. dwfl_module_addrdie() needs .debug_aranges,
 * which clang does not write: without it, all units are searched. */
static Dwarf_Die *find_unit(struct debug *d, uint64_t address, Dwarf_Addr *bias)
{
	Dwarf_Die *unit = dw.dwfl_module_addrdie(d->module, address, bias);

	if (unit)
		return unit;
	while ((unit = dw.dwfl_module_nextcu(d->module, unit, bias)))
		if (dw.dwarf_haspc(unit, address - *bias) > 0)
			break;
	return unit;
}

bool debug_add_line(struct debug *d, struct strbuf *out, uint64_t address)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = find_unit(d, address, &bias), call;
	Dwarf_Line *found;
	const char *file;
	int line = 0;

	if (!unit)
		return false;
	if (find_call(unit, address - bias, &call))
		return add_call(out, unit, &call);
	found = dw.dwarf_getsrc_die(unit, address - bias);
	file = found && !dw.dwarf_lineno(found, &line) ? dw.dwarf_linesrc(found, NULL, NULL) : NULL;
	if (file && line > 0)
		add_place(out, file, (uint64_t)line);
	return file && line > 0;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/debug.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
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

struct debug *debug_open(const char *path, int fd)
{
	const int own = load() ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : -1;
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

/* Finds the outermost inlined call around a scope. Returns false if there is none. */
static bool find_call(Dwarf_Die *scope, Dwarf_Die *call)
{
	Dwarf_Die *around = NULL;
	const int n = dw.dwarf_getscopes_die(scope, &around);
	bool found = false;

	for (int i = 0; i < n && dw.dwarf_tag(&around[i]) != DW_TAG_subprogram; i++)
		if (dw.dwarf_tag(&around[i]) == DW_TAG_inlined_subroutine) {
			*call = around[i];
			found = true;
		}
	free(around);
	return found;
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

bool debug_add_line(struct debug *d, struct strbuf *out, uint64_t address)
{
	Dwarf_Addr bias = 0;
	Dwarf_Die *unit = dw.dwfl_module_addrdie(d->module, address, &bias), *scopes = NULL, call;
	Dwfl_Line *found;
	const char *file;
	int line = 0;

	if (unit && dw.dwarf_getscopes(unit, address - bias, &scopes) > 0 &&
	    find_call(scopes, &call)) {
		free(scopes);
		return add_call(out, unit, &call);
	}
	free(scopes);
	found = dw.dwfl_module_getsrc(d->module, address);
	file = found ? dw.dwfl_lineinfo(found, NULL, &line, NULL, NULL, NULL) : NULL;
	if (file && line > 0)
		add_place(out, file, (uint64_t)line);
	return file && line > 0;
}

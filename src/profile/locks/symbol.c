/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/locks/symbol.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "inject/preload/locks.h"
#include "profile/locks/debug.h"
#include "profile/locks/symbol_table.h"

/* ---- demangle ----
 *
 * Converts linker names of C++ to the names in the source.
 *
 * The C++ runtime library does this. It is installed nearly everywhere such names occur, since most
 * C++ programs need it, and is loaded when the first name is converted.
 */

/* A limit against stack overflow in the library: names come from untrusted files, and templates can
 * nest as deeply as names are long. */
#define NAME_MAX_LENGTH 8192

static char *(*demangle)(const char *name, char *buffer, size_t *size, int *status);

static bool load(void)
{
	static bool tried;
	void *library = tried ? NULL : dlopen("libstdc++.so.6", RTLD_NOW | RTLD_LOCAL);

	if (library)
		*(void **)&demangle = dlsym(library, "__cxa_demangle");
	tried = true;
	return demangle != NULL;
}

/* Appends a linker name as in the source; unchanged if it is not of C++, or the library is missing.
 */
static void demangle_add(struct strbuf *out, const char *name)
{
	const bool mangled = !strncmp(name, "_Z", 2) && strlen(name) < NAME_MAX_LENGTH;
	int status = 0;
	char *source = mangled && load() ? demangle(name, NULL, NULL, &status) : NULL;

	text_add(out, source && !status ? source : name);
	free(source);
}

/* ---- symbol ---- */

/* Limits for files that are not trusted; no known program comes near them. */
#define BYTES_MAX    (512u << 20)
#define SEGMENTS_MAX 512

/* A range of link-time addresses. */
struct range {
	uint64_t begin, end;
};

/* The symbols of a file. */
struct object {
	bool read, debug_tried; /* the file was read; its debug information was opened or found
				   missing */
	bool is_complete;       /* it has all symbols, not only the dynamic ones */
	struct debug *debug;    /* NULL: none */
	uint64_t first;         /* the link-time address of the first mapped byte */
	struct range *code;     /* [n_code]: its segments of code; owned */
	size_t n_code, cap_code;
	struct symbol_table table; /* the symbols of the file itself */
	char *texts;               /* their names; terminated by a 0 */
	struct symbol_table
		from_debug; /* symbols of the debug information, if the file was stripped */
};

struct symbols {
	const struct locks_module *module;
	struct object *object; /* [n] */
	size_t n;
	struct perf_map_process process; /* pid 0: unknown */
	struct perf_map generated;       /* the names of the code that it has generated */
};

/* --- a file --- */

/* Reads a piece of a file, and appends a 0; owned by the caller. NULL: the piece is empty, too
 * large or unreadable. */
static char *read_piece(int fd, uint64_t at, uint64_t size)
{
	char *data;

	if (!size || size > BYTES_MAX || at > INT64_MAX)
		return NULL;
	data = xmalloc(size + 1);
	data[size] = '\0';
	if (pread(fd, data, size, (off_t)at) == (ssize_t)size)
		return data;
	free(data);
	return NULL;
}

/* Returns whether a file is that of a module: by the build id, as the file may have been replaced,
 * or its inode differ on an overlay file system; without a build id, by the inode. */
static bool is_file_of(const struct locks_module *m, int fd)
{
	struct build_id id;
	struct stat file;

	if (fstat(fd, &file) || !S_ISREG(file.st_mode))
		return false;
	if (!m->id.size)
		return file.st_ino == m->inode;
	build_id_read_file(&id, fd);
	return build_id_is_same(&id, &m->id);
}

int symbols_open_file(const struct locks_module *m)
{
	int fd = open(m->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd >= 0 && !is_file_of(m, fd)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

static bool read_head(int fd, ElfW(Ehdr) * head)
{
	const uint8_t class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;

	return pread(fd, head, sizeof *head, 0) == (ssize_t)sizeof *head &&
	       !memcmp(head->e_ident, ELFMAG, SELFMAG) && head->e_ident[EI_CLASS] == class &&
	       head->e_shentsize == sizeof(ElfW(Shdr)) && head->e_phentsize == sizeof(ElfW(Phdr)) &&
	       head->e_phnum <= SEGMENTS_MAX;
}

static void add_code(struct object *o, const ElfW(Phdr) * segment)
{
	const uint64_t rest = UINT64_MAX - segment->p_vaddr;

	o->code = xgrow(o->code, &o->cap_code, o->n_code + 1, sizeof *o->code);
	o->code[o->n_code++] = (struct range){
		segment->p_vaddr,
		segment->p_vaddr + (segment->p_memsz < rest ? segment->p_memsz : rest)};
}

static bool read_segments(struct object *o, int fd, const ElfW(Ehdr) * head)
{
	char *data = read_piece(fd, head->e_phoff, head->e_phnum * sizeof(ElfW(Phdr)));
	const ElfW(Phdr) *segment = (const void *)data;
	const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	bool found = false;

	for (int i = 0; data && i < head->e_phnum; i++) {
		if (segment[i].p_type != PT_LOAD)
			continue;
		if (!found)
			o->first = segment[i].p_vaddr & -page;
		if (segment[i].p_flags & PF_X)
			add_code(o, &segment[i]);
		found = true;
	}
	free(data);
	return found;
}

static void take_symbols(struct object *o, const ElfW(Sym) * from, size_t n, size_t texts)
{
	for (size_t i = 0; i < n; i++) {
		const struct symbol symbol = {
			.value = from[i].st_value,
			.size = from[i].st_size,
			.name = from[i].st_name < texts ? o->texts + from[i].st_name : NULL,
		};

		symbol_table_add(&o->table, &symbol, from[i].st_info, from[i].st_shndx);
	}
	symbol_table_sort(&o->table);
}

static void read_symbols(struct object *o, int fd, const ElfW(Shdr) * table,
			 const ElfW(Shdr) * texts)
{
	char *data = read_piece(fd, table->sh_offset, table->sh_size);

	o->texts = read_piece(fd, texts->sh_offset, texts->sh_size);
	if (data && o->texts)
		take_symbols(o, (const void *)data, table->sh_size / sizeof(ElfW(Sym)),
			     texts->sh_size);
	free(data);
}

/* Reads all symbols; in a stripped file, only the dynamic symbols. */
static void read_sections(struct object *o, int fd, const ElfW(Ehdr) * head)
{
	char *data = read_piece(fd, head->e_shoff, head->e_shnum * sizeof(ElfW(Shdr)));
	const ElfW(Shdr) *section = (const void *)data, *table = NULL;

	for (int i = 0; data && i < head->e_shnum; i++)
		if (section[i].sh_link < head->e_shnum &&
		    (section[i].sh_type == SHT_SYMTAB ||
		     (section[i].sh_type == SHT_DYNSYM && !table)))
			table = &section[i];
	o->is_complete = table && table->sh_type == SHT_SYMTAB;
	if (table)
		read_symbols(o, fd, table, &section[table->sh_link]);
	free(data);
}

static void read_object(struct object *o, const struct locks_module *m)
{
	int fd = m->path[0] == '/' ? symbols_open_file(m) : -1;
	ElfW(Ehdr) head;

	o->read = true;
	if (fd < 0)
		return;
	if (read_head(fd, &head) && read_segments(o, fd, &head)) {
		o->table.machine = o->from_debug.machine = head.e_machine;
		read_sections(o, fd, &head);
	}
	close(fd);
}

/* --- an address --- */

/* Returns the file that was mapped at a place. NULL: none, or memory without a path. */
static const struct locks_module *find_module(const struct symbols *s, uint64_t place)
{
	const uint64_t address = locks_place_address(place);

	for (size_t i = 0; i < s->n; i++)
		if (address >= s->module[i].begin && address < s->module[i].end &&
		    s->module[i].layer == locks_place_layer(place))
			return s->module[i].path[0] ? &s->module[i] : NULL;
	return NULL;
}

/* Returns the file with this place, and sets *at to the link-time address of the place. NULL: none.
 */
static struct object *find_object(struct symbols *s, uint64_t place, uint64_t *at)
{
	const struct locks_module *m = find_module(s, place);
	struct object *o = m ? &s->object[m - s->module] : NULL;

	if (o && !o->read)
		read_object(o, m);
	if (o)
		*at = locks_place_address(place) - m->begin + o->first;
	return o;
}

static struct debug *find_debug(const struct symbols *s, struct object *o)
{
	const struct locks_module *m = &s->module[o - s->object];
	int fd = o->debug_tried || m->path[0] != '/' ? -1 : symbols_open_file(m);

	o->debug_tried = true;
	if (fd < 0)
		return o->debug;
	o->debug = debug_open(m->path, fd);
	close(fd);
	if (o->debug && !o->is_complete)
		debug_add_symbols(o->debug, &o->from_debug);
	return o->debug;
}

/* Returns the symbol with an address; NULL: none. In a stripped file, a symbol without a size may
 * hide another function, so the debug information is searched, too. */
static const struct symbol *find_symbol(const struct symbols *s, struct object *o, uint64_t address)
{
	const struct symbol *own = symbol_table_find(&o->table, address), *from_debug = NULL;

	if (own && (own->size || o->is_complete))
		return own;
	if (!o->is_complete && find_debug(s, o))
		from_debug = symbol_table_find(&o->from_debug, address);
	return from_debug ? from_debug : own;
}

/* Few functions are longer: one that begins farther before an address is probably another one. */
#define NEAR_MAX 0x1000

/* Returns the nearest function before an address, in the same segment of code and within NEAR_MAX.
 * NULL: none, or the file has all symbols. */
static const struct symbol *find_nearest(const struct object *o, uint64_t address)
{
	const struct symbol *own = symbol_table_find_before(&o->table, address);
	const struct symbol *other = symbol_table_find_before(&o->from_debug, address);
	const struct symbol *last = own && (!other || own->value >= other->value) ? own : other;

	if (!last || o->is_complete || address - last->value > NEAR_MAX)
		return NULL;
	for (size_t i = 0; i < o->n_code; i++)
		if (o->code[i].begin <= last->value && address < o->code[i].end)
			return last;
	return NULL;
}

bool symbols_add(struct symbols *s, struct strbuf *out, uint64_t place)
{
	const struct symbol *symbol;
	uint64_t at = locks_place_address(place);
	struct object *o = find_object(s, place, &at);

	symbol = o ? find_symbol(s, o, at) : perf_map_find(&s->generated, &s->process, at);
	if (o && !symbol) {
		symbol = find_nearest(o, at);
		if (symbol)
			strbuf_addch(out, SYMBOL_NEAREST);
	}
	if (!symbol)
		return false;
	demangle_add(out, symbol->name);
	if (at > symbol->value)
		strbuf_addf(out, "+0x%" PRIx64, at - symbol->value);
	return true;
}

bool symbols_add_line(struct symbols *s, struct strbuf *out, uint64_t place)
{
	uint64_t at;
	struct object *o = find_object(s, place, &at);
	struct debug *debug = o ? find_debug(s, o) : NULL;

	return debug && debug_add_line(debug, out, at);
}

bool symbols_add_file(struct symbols *s, struct strbuf *out, uint64_t place)
{
	const struct locks_module *m = find_module(s, place);
	const char *name = m ? strrchr(m->path, '/') : NULL;

	if (!m)
		return false;
	text_add(out, name ? name + 1 : m->path);
	strbuf_addf(out, "+0x%" PRIx64, locks_place_address(place) - m->begin);
	return true;
}

struct symbols *symbols_new(const struct locks_module *module, size_t n)
{
	struct symbols *s = xcalloc(1, sizeof *s);

	s->module = module;
	s->object = xcalloc(n + 1, sizeof *s->object);
	s->n = n;
	return s;
}

void symbols_set_process(struct symbols *s, const struct perf_map_process *process)
{
	s->process = *process;
}

void symbols_begin_fork(void)
{
	static unsigned n;

	if (n++ != 1)
		return;
	load();
	debug_load();
}

void symbols_free(struct symbols *s)
{
	for (size_t i = 0; s && i < s->n; i++) {
		debug_close(s->object[i].debug);
		symbol_table_done(&s->object[i].table);
		symbol_table_done(&s->object[i].from_debug);
		free(s->object[i].texts);
		free(s->object[i].code);
	}
	if (s) {
		perf_map_done(&s->generated);
		free(s->object);
	}
	free(s);
}

/* ---- futex_waits ---- */

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

/* Sentences about a module whose locks the report lacks, or shows only as futexes for which threads
 * wait. */
#define NOT_HERE   "use futex(2) themselves, and are not here"
#define WAITS_HERE "are here only as futexes, and only when a thread waits"
/* A goroutine that waits is no waiting thread. */
#define OF_GOROUTINES                                                                              \
	"is in Go: locks of goroutines are not here; go tool pprof shows them from a mutex "       \
	"profile"

static const char *sentence_of(const struct locks_module *m, bool kernel)
{
	static const char *const of_makers[][2] = {
		[LANGUAGE_OTHER] = {NULL, NULL},
		[LANGUAGE_GO] = {OF_GOROUTINES, OF_GOROUTINES},
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

bool futex_waits_hide(const struct locks_module *m, bool kernel)
{
	if (!m->inode)
		return false;
	return module_calls_futex(m->path) ? !kernel : language_of(m) == LANGUAGE_GO;
}

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/exec_env.h"

#include <fcntl.h>
#include <gnu/lib-names.h>
#include <link.h>
#include <paths.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/events.h"
#include "inject/preload/table.h"

/* ---- exec_file ---- */

/* The kernel's limits: the bytes at the start of a file that it examines, and the most steps from a
 * script to its interpreter, which may be a script, too. */
#define HEAD_SIZE   256
#define SCRIPTS_MAX 5
/* The most program headers. Most programs have a dozen, some thirty. */
#define PARTS_MAX   40
#define ENTRIES_MAX 64
#define NAME_SIZE   32

/* The ELF header of this object itself, defined by the linker. */
extern const ElfW(Ehdr) __ehdr_start __attribute__((visibility("hidden")));

struct file {
	int fd;
	unsigned mode;
	union {
		char text[HEAD_SIZE]; /* filled with 0 after the end of the file */
		ElfW(Ehdr) elf;
	} head;
	ElfW(Phdr) part[PARTS_MAX];
};

/* Reads exactly `size` bytes; returns false if there are fewer. */
static bool read_at(const struct file *f, unsigned long at, void *to, size_t size)
{
	return exec_kernel(SYS_lseek, f->fd, at, SEEK_SET) == (long)at &&
	       exec_kernel(SYS_read, f->fd, to, size) == (long)size;
}

/* Opens a regular file and reads its head. Devices are not opened, as opening a device may have
 * effects. */
static bool open_file(struct file *f, int folder, const char *path)
{
	struct statx s;
	long n;

	if (exec_kernel(SYS_statx, folder, path, 0, STATX_TYPE | STATX_MODE, &s) ||
	    !S_ISREG(s.stx_mode))
		return false;
	f->mode = s.stx_mode;
	f->fd = (int)exec_kernel(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
	if (f->fd < 0)
		return false;
	n = exec_kernel(SYS_read, f->fd, f->head.text, HEAD_SIZE);
	for (n = n > 0 ? n : 0; n < HEAD_SIZE; n++) {
		f->head.text[n] = '\0';
		ARCH_BARRIER();
	}
	return true;
}

/* --- a program --- */

static bool is_own_machine(const ElfW(Ehdr) * e)
{
	return e->e_ident[EI_CLASS] == __ehdr_start.e_ident[EI_CLASS] &&
	       e->e_ident[EI_DATA] == __ehdr_start.e_ident[EI_DATA] &&
	       e->e_machine == __ehdr_start.e_machine;
}

/* Returns whether the program runs with other rights than the user's: the dynamic linker then
 * ignores LD_PRELOAD. */
static bool gets_rights(const struct file *f)
{
	return f->mode & (S_ISUID | S_ISGID) ||
	       exec_kernel(SYS_fgetxattr, f->fd, "security.capability", NULL, 0) > 0 ||
	       exec_kernel(SYS_getuid) != exec_kernel(SYS_geteuid) ||
	       exec_kernel(SYS_getgid) != exec_kernel(SYS_getegid);
}

static bool read_parts(struct file *f)
{
	const ElfW(Ehdr) *e = &f->head.elf;

	return e->e_phentsize == sizeof *f->part && e->e_phnum && e->e_phnum <= PARTS_MAX &&
	       read_at(f, e->e_phoff, f->part, e->e_phnum * sizeof *f->part);
}

/* Returns the first program header of a type; NULL: none. */
static const ElfW(Phdr) * find_part(const struct file *f, ElfW(Word) type)
{
	for (int i = 0; i < f->head.elf.e_phnum; i++)
		if (f->part[i].p_type == type)
			return &f->part[i];
	return NULL;
}

static bool has_own_interpreter(const struct file *f, const ElfW(Phdr) * name)
{
	static const char own[] = "/" LD_SO;
	char end[sizeof own];

	return name->p_filesz >= sizeof own &&
	       read_at(f, name->p_offset + name->p_filesz - sizeof own, end, sizeof end) &&
	       exec_text_equals(end, own, sizeof own);
}

bool exec_file_is_sanitizer(const char *name)
{
	static const char *const libraries[] = {"libasan.so", "libtsan.so", "libhwasan.so",
						"liblsan.so", "libclang_rt."};
	const char *base = name;

	for (; *name; name++)
		base = *name == '/' ? name + 1 : base;
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (exec_text_after(base, libraries[i]))
			return true;
	return false;
}

/* Returns the file offset of an address of the program; 0: not in the file. */
static unsigned long place_of(const struct file *f, ElfW(Addr) address)
{
	for (int i = 0; i < f->head.elf.e_phnum; i++) {
		const ElfW(Phdr) *p = &f->part[i];

		if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz)
			return p->p_offset + (address - p->p_vaddr);
	}
	return 0;
}

/* Returns whether the first library that the program needs is that of a sanitizer. */
static bool begins_with_sanitizer(const struct file *f, const ElfW(Phdr) * dynamic)
{
	ElfW(Dyn) entry[ENTRIES_MAX];
	size_t n = dynamic->p_filesz / sizeof *entry;
	ElfW(Addr) names = 0, name = 0;
	char text[NAME_SIZE];
	bool needs = false;

	n = n < ENTRIES_MAX ? n : ENTRIES_MAX;
	if (!read_at(f, dynamic->p_offset, entry, n * sizeof *entry))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (entry[i].d_tag == DT_STRTAB)
			names = entry[i].d_un.d_ptr;
		if (entry[i].d_tag == DT_NEEDED && !needs) {
			name = entry[i].d_un.d_val;
			needs = true;
		}
	}
	if (!needs || !read_at(f, place_of(f, names) + name, text, sizeof text))
		return false;
	text[sizeof text - 1] = '\0';
	return exec_file_is_sanitizer(text);
}

static enum exec_file_kind check_program(struct file *f)
{
	const ElfW(Phdr) * interpreter, *dynamic;

	if (!is_own_machine(&f->head.elf))
		return EXEC_FILE_OTHER_MACHINE;
	if (!read_parts(f))
		return EXEC_FILE_UNKNOWN;
	interpreter = find_part(f, PT_INTERP);
	dynamic = find_part(f, PT_DYNAMIC);
	if (!interpreter || !dynamic)
		return EXEC_FILE_STATIC;
	if (!has_own_interpreter(f, interpreter))
		return EXEC_FILE_OTHER_LIBRARY;
	if (gets_rights(f))
		return EXEC_FILE_RIGHTS;
	return begins_with_sanitizer(f, dynamic) ? EXEC_FILE_SANITIZER : EXEC_FILE_LOADS;
}

/* --- a script --- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Copies the path of a script's interpreter to `path`. Returns false if the file is not a script,
 * or names no interpreter. */
static bool read_script(const char *text, char *path)
{
	int from = 2, n = 0;

	if (text[0] != '#' || text[1] != '!')
		return false;
	while (from < HEAD_SIZE && is_blank(text[from]))
		from++;
	while (from + n < HEAD_SIZE && text[from + n] && text[from + n] != '\n' &&
	       !is_blank(text[from + n]))
		n++;
	if (!n || from + n == HEAD_SIZE)
		return false;
	exec_text_copy(path, text + from, (size_t)n);
	path[n] = '\0';
	return true;
}

enum exec_file_kind exec_file_check(int folder, const char *path, bool shell)
{
	enum exec_file_kind kind = EXEC_FILE_UNKNOWN;
	char interpreter[HEAD_SIZE];
	struct file f;

	for (int scripts = 0; path && scripts <= SCRIPTS_MAX; scripts++) {
		if (!open_file(&f, folder, path))
			return EXEC_FILE_UNKNOWN;
		path = NULL;
		folder = AT_FDCWD;
		if (exec_text_equals(f.head.text, ELFMAG, SELFMAG)) {
			kind = check_program(&f);
		} else if (read_script(f.head.text, interpreter)) {
			path = interpreter;
		} else if (shell && !scripts) {
			path = _PATH_BSHELL;
		}
		exec_kernel(SYS_close, f.fd);
	}
	return kind;
}

/* ---- exec_env ---- */

#define LD_PRELOAD  "LD_PRELOAD="
#define KEPT_SIZE   16384
#define OBJECTS_MAX 8
/* Limits for the memory taken on the caller's stack. */
#define VARIABLES_MAX 1024
#define PRELOAD_MAX   4096

/* The variables to keep, with '='. The first two contain the folder: VARIABLE=PID:FILTERS:FOLDER
 * (inject/preload/process.h). */
enum { NAME_LOCKS, NAME_CALLS, NAME_FOLDERS, NAME_OBJECTS = NAME_FOLDERS, NAMES = 7 };
static const char *const variable[NAMES] = {
	[NAME_LOCKS] = "TIPTOP_LOCKS=",     [NAME_CALLS] = "TIPTOP_CALLS=",
	[NAME_OBJECTS] = EXEC_VARIABLE "=", EVENTS_VARIABLE "=",
	LOCKS_STACKS_VARIABLE "=",          LOCKS_SAMPLE_VARIABLE "=",
	LOCKS_CHAINS_VARIABLE "=",
};

#define FIELDS_BEFORE 2 /* fields before the folder */

static char copies[KEPT_SIZE];
static size_t used;
static char *kept[NAMES]; /* NULL: not set */
static const char *object[OBJECTS_MAX];
static size_t n_objects;

/* --- the start --- */

/* Copies a text of n characters; NULL: no room. */
static char *keep(const char *from, size_t n)
{
	char *to = copies + used;

	if (n >= sizeof copies - used)
		return NULL;
	exec_text_copy(to, from, n);
	to[n] = '\0';
	used += n + 1;
	return to;
}

/* Copies the paths of the objects. Returns false if there are too many, or no room for them. */
static bool keep_objects(const char *list)
{
	while (*list) {
		const char *end = exec_text_find(list, ':', ' ');

		if (n_objects == OBJECTS_MAX)
			return false;
		object[n_objects] = keep(list, (size_t)(end - list));
		if (!object[n_objects++])
			return false;
		list = *end ? end + 1 : end;
	}
	return true;
}

void exec_env_begin(void)
{
	for (char **from = environ; from && *from; from++)
		for (size_t i = 0; i < NAMES; i++)
			if (!kept[i] && exec_text_after(*from, variable[i]))
				kept[i] = keep(*from, exec_text_length(*from));
	if (!kept[NAME_OBJECTS] ||
	    !keep_objects(exec_text_after(kept[NAME_OBJECTS], variable[NAME_OBJECTS])))
		n_objects = 0;
}

/* --- missing objects and variables --- */

static long number_of(const char *digits)
{
	long n = 0;

	for (; *digits >= '0' && *digits <= '9'; digits++)
		n = 10 * n + (*digits - '0');
	return n;
}

bool exec_env_is_measured(bool by_child)
{
	for (size_t i = 0; n_objects && i < NAME_FOLDERS; i++) {
		const long parent = kept[i] ? number_of(exec_text_after(kept[i], variable[i])) : -1;

		if (!parent || (!by_child && parent == exec_kernel(SYS_getppid)))
			return true;
	}
	return false;
}

const char *exec_env_folder(unsigned i)
{
	const char *folder;

	for (size_t k = 0; k < NAME_FOLDERS; k++) {
		if (!kept[k] || i--)
			continue;
		folder = kept[k];
		for (int field = 0; field < FIELDS_BEFORE && *folder; field++) {
			folder = exec_text_find(folder, ':', ':');
			folder += *folder != '\0';
		}
		return folder;
	}
	return NULL;
}

static bool list_has(const char *list, const char *path)
{
	while (*list) {
		const char *end = exec_text_find(list, ':', ' '), *behind;

		behind = exec_text_after(list, path);
		if (behind && behind == end)
			return true;
		list = *end ? end + 1 : end;
	}
	return false;
}

bool exec_env_is_incomplete(struct exec_env *e, char *const *from)
{
	static char *const nothing[] = {NULL};
	bool has[NAME_FOLDERS] = {false};

	*e = (struct exec_env){.from = from ? from : nothing};
	for (; e->from[e->n]; e->n++) {
		const char *value = exec_text_after(e->from[e->n], LD_PRELOAD);

		/* If LD_PRELOAD is set twice, the dynamic linker uses the last one. */
		if (value) {
			e->preload = value;
			e->preload_at = e->n;
		}
		for (size_t i = 0; i < NAME_FOLDERS; i++)
			has[i] |= exec_text_after(e->from[e->n], variable[i]) != NULL;
	}
	for (size_t i = 0; i < n_objects; i++)
		e->objects |= !e->preload || !list_has(e->preload, object[i]);
	for (size_t i = 0; i < NAME_FOLDERS; i++)
		e->variables |= kept[i] && !has[i];
	return e->objects || e->variables;
}

bool exec_env_has_objects(void)
{
	for (size_t i = 0; i < n_objects; i++)
		if (exec_kernel(SYS_faccessat, AT_FDCWD, object[i], R_OK))
			return false;
	return true;
}

/* --- the new environment --- */

static const char *objects(void)
{
	return exec_text_after(kept[NAME_OBJECTS], variable[NAME_OBJECTS]);
}

static size_t preload_size(const struct exec_env *e)
{
	return sizeof LD_PRELOAD + exec_text_length(objects()) + 1 +
	       (e->preload ? exec_text_length(e->preload) : 0);
}

bool exec_env_fits(const struct exec_env *e)
{
	if (!e->objects && !e->variables)
		return true;
	return e->n <= VARIABLES_MAX && (!e->objects || preload_size(e) <= PRELOAD_MAX);
}

size_t exec_env_size(const struct exec_env *e)
{
	return (e->n + 1 + NAMES + 1) * sizeof(char *) + (e->objects ? preload_size(e) : 0);
}

static bool list_begins_with_sanitizer(const char *list)
{
	char first[256];
	const size_t n = (size_t)(exec_text_find(list, ':', ' ') - list);

	if (n >= sizeof first)
		return false;
	exec_text_copy(first, list, n);
	first[n] = '\0';
	return exec_file_is_sanitizer(first);
}

static char *append(char *to, const char *from)
{
	const size_t n = exec_text_length(from);

	exec_text_copy(to, from, n + 1);
	return to + n;
}

static void write_preload(const struct exec_env *e, char *to)
{
	const char *users = e->preload && *e->preload ? e->preload : NULL, *first = objects(),
		   *second = users;

	if (users && list_begins_with_sanitizer(users)) {
		second = first;
		first = users;
	}
	to = append(append(to, LD_PRELOAD), first);
	if (second)
		append(append(to, ":"), second);
}

static bool has(const struct exec_env *e, size_t i)
{
	for (size_t k = 0; k < e->n; k++)
		if (exec_text_after(e->from[k], variable[i]))
			return true;
	return false;
}

char **exec_env_make(const struct exec_env *e, void *memory)
{
	char **to = memory, *preload = (char *)(to + e->n + 1 + NAMES + 1);
	size_t n = 0;

	for (; n < e->n; n++) {
		to[n] = e->from[n];
		ARCH_BARRIER();
	}
	if (e->objects) {
		write_preload(e, preload);
		to[e->preload ? e->preload_at : n++] = preload;
	}
	for (size_t i = 0; e->variables && i < NAMES; i++)
		if (kept[i] && !has(e, i))
			to[n++] = kept[i];
	to[n] = NULL;
	return to;
}

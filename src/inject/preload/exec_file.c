/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/exec_file.h"

#include <fcntl.h>
#include <gnu/lib-names.h>
#include <limits.h>
#include <link.h>
#include <paths.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

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
	exec_kernel_function *kernel;
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
	return f->kernel(SYS_lseek, f->fd, at, SEEK_SET) == (long)at &&
	       f->kernel(SYS_read, f->fd, to, size) == (long)size;
}

/* Opens a regular file and reads its head. Devices are not opened, as opening a device may have
 * effects. */
static bool open_file(struct file *f, int folder, const char *path)
{
	struct statx s;
	long n;

	if (f->kernel(SYS_statx, folder, path, 0, STATX_TYPE | STATX_MODE, &s) ||
	    !S_ISREG(s.stx_mode))
		return false;
	f->mode = s.stx_mode;
	f->fd = (int)f->kernel(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0);
	if (f->fd < 0)
		return false;
	n = f->kernel(SYS_read, f->fd, f->head.text, HEAD_SIZE);
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
	       f->kernel(SYS_fgetxattr, f->fd, "security.capability", NULL, 0) > 0 ||
	       f->kernel(SYS_getuid) != f->kernel(SYS_geteuid) ||
	       f->kernel(SYS_getgid) != f->kernel(SYS_getegid);
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

/* Returns the part of a path after its last slash. */
static const char *base_of(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		base = *path == '/' ? path + 1 : base;
	return base;
}

static bool has_musl_interpreter(const struct file *f, const ElfW(Phdr) * name)
{
	char path[HEAD_SIZE];

	if (!name->p_filesz || name->p_filesz > sizeof path ||
	    !read_at(f, name->p_offset, path, name->p_filesz))
		return false;
	path[name->p_filesz - 1] = '\0';
	return exec_text_after(base_of(path), "ld-musl") != NULL;
}

bool exec_file_is_sanitizer(const char *name)
{
	static const char *const libraries[] = {"libasan.so", "libtsan.so", "libhwasan.so",
						"liblsan.so", "libclang_rt."};
	for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++)
		if (exec_text_after(base_of(name), libraries[i]))
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
		return has_musl_interpreter(f, interpreter) ? EXEC_FILE_MUSL
							    : EXEC_FILE_OTHER_LIBRARY;
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

enum exec_file_kind exec_file_check(exec_kernel_function *kernel, int folder, const char *path,
				    bool shell)
{
	enum exec_file_kind kind = EXEC_FILE_UNKNOWN;
	char interpreter[HEAD_SIZE];
	struct file f; /* an initializer would become a call of memset(3) */

	f.kernel = kernel;
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
		kernel(SYS_close, f.fd);
	}
	return kind;
}

/* --- the folders of PATH --- */

/* Returns the value of PATH, or the default that the C library uses if PATH is not set. */
static const char *find_path(void)
{
	const char *path = NULL;

	for (char **variable = environ; variable && *variable && !path; variable++)
		path = exec_text_after(*variable, "PATH=");
	return path ? path : "/bin:/usr/bin";
}

/* Writes the path of a file in a folder to `to`. Returns whether the file is executable. */
static bool is_there(exec_kernel_function *kernel, char *to, const char *folder, size_t length,
		     const char *file, size_t size)
{
	exec_text_copy(to, folder, length);
	if (length)
		to[length++] = '/';
	exec_text_copy(to + length, file, size);
	return !kernel(SYS_faccessat, AT_FDCWD, to, X_OK);
}

enum exec_file_kind exec_file_check_in_path(exec_kernel_function *kernel, const char *name)
{
	const size_t size = exec_text_length(name) + 1;
	const char *path = find_path();
	char at[PATH_MAX];

	if (size == 1 || size > NAME_MAX)
		return EXEC_FILE_UNKNOWN;
	for (;;) {
		const char *end = exec_text_find(path, ':', ':');
		const size_t length = (size_t)(end - path);

		if (length + 1 + size <= sizeof at &&
		    is_there(kernel, at, path, length, name, size))
			return exec_file_check(kernel, AT_FDCWD, at, true);
		if (!*end)
			return EXEC_FILE_UNKNOWN;
		path = end + 1;
	}
}

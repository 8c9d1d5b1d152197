/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Made-up programs and scripts: which of them can load the objects of this
 * process. */
#include <elf.h>
#include <fcntl.h>
#include <gnu/lib-names.h>
#include <link.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject/preload/exec_file.h"
#include "tap.h"

/* The parts of an ELF program that are examined. */
struct program {
	ElfW(Ehdr) head;
	ElfW(Phdr) part[3];
	ElfW(Dyn) entry[3];
	char interpreter[64], names[64];
};

static void make(struct program *p)
{
	const int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);

	memset(p, 0, sizeof *p);
	if (own < 0 || read(own, &p->head, sizeof p->head) != sizeof p->head)
		exit(1);
	close(own);
	p->head.e_phoff = offsetof(struct program, part);
	p->head.e_phnum = 3;
	snprintf(p->interpreter, sizeof p->interpreter, "/lib/%s", LD_SO);
	p->part[0].p_type = PT_INTERP;
	p->part[0].p_offset = offsetof(struct program, interpreter);
	p->part[0].p_filesz = strlen(p->interpreter) + 1;
	p->part[1].p_type = PT_LOAD;
	p->part[1].p_vaddr = 0x1000;
	p->part[1].p_filesz = sizeof *p;
	p->part[2].p_type = PT_DYNAMIC;
	p->part[2].p_offset = offsetof(struct program, entry);
	p->part[2].p_filesz = sizeof p->entry;
	p->entry[0].d_tag = DT_NEEDED;
	p->entry[0].d_un.d_val = 1;
	p->entry[1].d_tag = DT_STRTAB;
	p->entry[1].d_un.d_ptr = 0x1000 + offsetof(struct program, names);
	snprintf(p->names + 1, sizeof p->names - 1, "libc.so.6");
}

static void set_text(char *to, const char *text)
{
	memcpy(to, text, strlen(text) + 1);
}

static void save(const char *name, const void *bytes, size_t n, mode_t mode)
{
	const int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	if (fd < 0 || write(fd, bytes, n) != (ssize_t)n || fchmod(fd, mode))
		exit(1);
	close(fd);
}

static void check(enum exec_file_kind want, const char *name, bool shell, const char *what)
{
	tap_ok(exec_file_check(syscall, AT_FDCWD, name, shell) == want, "%s", what);
}

static void check_program(const struct program *p, enum exec_file_kind want, const char *what)
{
	save("program", p, sizeof *p, 0700);
	check(want, "program", false, what);
}

static void check_machines(void)
{
	struct program p;

	make(&p);
	check_program(&p, EXEC_FILE_LOADS, "a program of this machine");
	p.head.e_ident[EI_CLASS] ^= ELFCLASS32 ^ ELFCLASS64;
	check_program(&p, EXEC_FILE_OTHER_MACHINE, "of the other class");
	make(&p);
	p.head.e_machine ^= 1;
	check_program(&p, EXEC_FILE_OTHER_MACHINE, "of another machine");
	make(&p);
	p.head.e_ident[EI_DATA] ^= ELFDATA2LSB ^ ELFDATA2MSB;
	check_program(&p, EXEC_FILE_OTHER_MACHINE, "of the other order of bytes");
	make(&p);
	p.head.e_ident[EI_MAG3] = 'f';
	check_program(&p, EXEC_FILE_UNKNOWN, "no ELF file");
}

static void check_linking(void)
{
	struct program p;

	make(&p);
	p.part[0].p_type = PT_NULL;
	check_program(&p, EXEC_FILE_STATIC, "without an interpreter");
	make(&p);
	set_text(p.interpreter, "/lib/ld-musl-x86_64.so.1");
	p.part[0].p_filesz = strlen(p.interpreter) + 1;
	check_program(&p, EXEC_FILE_MUSL, "of musl");
	set_text(p.interpreter, "/ld-musl/ld-other.so.1");
	p.part[0].p_filesz = strlen(p.interpreter) + 1;
	check_program(&p, EXEC_FILE_OTHER_LIBRARY, "of another C library");
	set_text(p.interpreter, "/x");
	p.part[0].p_filesz = 3;
	check_program(&p, EXEC_FILE_OTHER_LIBRARY, "a short interpreter");
	make(&p);
	p.head.e_phnum = 0xffff;
	check_program(&p, EXEC_FILE_UNKNOWN, "more parts than a program has");
	make(&p);
	p.part[0].p_offset = sizeof p;
	check_program(&p, EXEC_FILE_OTHER_LIBRARY, "an interpreter behind the end");
	make(&p);
	p.part[2].p_offset = (ElfW(Off)) - 8;
	p.part[2].p_filesz = (ElfW(Off)) - 1;
	check_program(&p, EXEC_FILE_LOADS, "libraries behind the end");
	save("program", &p, 20, 0700);
	check(EXEC_FILE_UNKNOWN, "program", false, "a file that was cut off");
}

static void check_sanitizers(void)
{
	struct program p;

	make(&p);
	set_text(p.names + 1, "libasan.so.8");
	check_program(&p, EXEC_FILE_SANITIZER, "a sanitizer's library comes first");
	p.entry[2] = p.entry[0];
	set_text(p.names + 20, "libm.so.6");
	p.entry[0].d_un.d_val = 20;
	check_program(&p, EXEC_FILE_LOADS, "it is not the first one");
	tap_ok(exec_file_is_sanitizer("/usr/lib/libtsan.so.2"), "a path of one");
	tap_ok(!exec_file_is_sanitizer("/usr/libasan.so/libm.so.6"), "the path of another library");
}

static void check_rights(void)
{
	struct program p;

	make(&p);
	save("program", &p, sizeof p, 04755);
	check(EXEC_FILE_RIGHTS, "program", false, "set-user-ID");
	save("program", &p, sizeof p, 02755);
	check(EXEC_FILE_RIGHTS, "program", false, "set-group-ID");
	unlink("program");
}

static void check_scripts(void)
{
	struct program p;
	char text[300];

	make(&p);
	save("program", &p, sizeof p, 0700);
	save("1", "#! \tprogram -x\n", 15, 0700);
	check(EXEC_FILE_LOADS, "1", false, "a script");
	save("1", "#!program", 9, 0700);
	check(EXEC_FILE_LOADS, "1", false, "without an end of its line");
	save("2", "#!1\n", 4, 0700);
	save("3", "#!2\n", 4, 0700);
	save("4", "#!3\n", 4, 0700);
	save("5", "#!4\n", 4, 0700);
	save("6", "#!5\n", 4, 0700);
	check(EXEC_FILE_LOADS, "5", false, "five scripts");
	check(EXEC_FILE_UNKNOWN, "6", false, "six, which the kernel refuses");
	save("7", "#!7\n", 4, 0700);
	check(EXEC_FILE_UNKNOWN, "7", false, "a script that is its own interpreter");
	save("8", "#!  \n", 5, 0700);
	check(EXEC_FILE_UNKNOWN, "8", false, "none");
	memset(text, 'x', sizeof text);
	memcpy(text, "#!", 2);
	save("8", text, sizeof text, 0700);
	check(EXEC_FILE_UNKNOWN, "8", false, "a path that is cut off");
	save("text", "date\n", 5, 0700);
	check(EXEC_FILE_UNKNOWN, "text", false, "a text");
	tap_ok(exec_file_check(syscall, AT_FDCWD, "text", true) ==
		       exec_file_check(syscall, AT_FDCWD, "/bin/sh", false),
	       "a text that the shell executes");
}

static void check_others(void)
{
	const int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	check(EXEC_FILE_UNKNOWN, "none", false, "no file");
	check(EXEC_FILE_UNKNOWN, ".", false, "a folder");
	mkfifo("pipe", 0700);
	check(EXEC_FILE_UNKNOWN, "pipe", false, "a pipe without a writer");
	save("empty", "", 0, 0700);
	check(EXEC_FILE_UNKNOWN, "empty", false, "an empty file");
	if (chdir("/"))
		exit(1);
	tap_ok(exec_file_check(syscall, here, "1", false) == EXEC_FILE_UNKNOWN,
	       "an interpreter is looked for from where the process is");
	tap_ok(exec_file_check(syscall, here, "program", false) == EXEC_FILE_LOADS, "in a folder");
	close(here);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char folder[256], command[sizeof folder + 16];

	snprintf(folder, sizeof folder, "%s/exec_file.XXXXXX", parent ? parent : P_tmpdir);
	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	check_machines();
	check_linking();
	check_sanitizers();
	check_rights();
	check_scripts();
	check_others();
	snprintf(command, sizeof command, "rm -r %s", folder);
	return system(command) ? 1 : tap_done();
}

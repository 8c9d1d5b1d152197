/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libdw - the functions of elfutils' library that debug uses.
 *
 * The program loads the library when a file lacks symbols, or source lines are requested. If
 * configured --with-libdw=static, it is linked with the library.
 */
#ifndef PROFILE_LOCKS_LIBDW_H
#define PROFILE_LOCKS_LIBDW_H

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <stdbool.h>

/* Functions of libdw, under their own names. */
#define LIBDW_FUNCTIONS(X)                                                                         \
	X(dwarf_attr)                                                                              \
	X(dwarf_child)                                                                             \
	X(dwarf_filesrc)                                                                           \
	X(dwarf_formudata)                                                                         \
	X(dwarf_getsrc_die)                                                                        \
	X(dwarf_getsrcfiles)                                                                       \
	X(dwarf_haspc)                                                                             \
	X(dwarf_lineno)                                                                            \
	X(dwarf_linesrc)                                                                           \
	X(dwarf_siblingof)                                                                         \
	X(dwarf_tag)                                                                               \
	X(dwfl_begin)                                                                              \
	X(dwfl_end)                                                                                \
	X(dwfl_module_addrdie)                                                                     \
	X(dwfl_module_build_id)                                                                    \
	X(dwfl_module_getsym_info)                                                                 \
	X(dwfl_module_getsymtab)                                                                   \
	X(dwfl_module_nextcu)                                                                      \
	X(dwfl_report_elf)                                                                         \
	X(dwfl_report_end)                                                                         \
	X(dwfl_standard_find_debuginfo)

struct libdw {
#define LIBDW_FIELD(name) __typeof__(&name) name;
	LIBDW_FUNCTIONS(LIBDW_FIELD)
#undef LIBDW_FIELD
};

/* Sets all functions. Returns false if the library is not installed, or lacks one of them. */
bool libdw_find(struct libdw *dw);
/* Loads the client of debuginfod, which libdw loads otherwise when it searches a file. */
void libdw_find_client(void);

#endif

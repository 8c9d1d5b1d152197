/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * exec_arguments - the arguments of execl(3), execlp(3) and execle(3) as an array, for wrappers of
 * these functions; and the declaration of execveat(2).
 */
#ifndef INJECT_PRELOAD_EXEC_ARGUMENTS_H
#define INJECT_PRELOAD_EXEC_ARGUMENTS_H

#include <alloca.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* C libraries before 2.34 do not declare it. */
int execveat(int folder, const char *file, char *const *argv, char *const *environment, int flags);

/* Makes an array of the arguments on the stack. Afterwards, `list` is positioned after the final
 * NULL. */
#define EXEC_TAKE_ARGUMENTS(argv, first, list)                                                     \
	do {                                                                                       \
		size_t n_ = 1;                                                                     \
                                                                                                   \
		va_start(list, first);                                                             \
		while (va_arg(list, char *))                                                       \
			n_++;                                                                      \
		va_end(list);                                                                      \
		(argv) = alloca((n_ + 1) * sizeof *(argv));                                        \
		(argv)[0] = (char *)(uintptr_t)(first);                                            \
		va_start(list, first);                                                             \
		for (size_t i_ = 1; i_ <= n_; i_++)                                                \
			(argv)[i_] = va_arg(list, char *);                                         \
	} while (0)

#endif

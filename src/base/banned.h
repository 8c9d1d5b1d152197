/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * banned - functions that the project does not use, refused at compile time.
 *
 * The build includes this file first everywhere (-include). strcpy and the like write past buffers;
 * atoi and the like hide errors; a locale for numbers would put commas into the output that scripts
 * read.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* With _FORTIFY_SOURCE, these may be macros of the C library; a macro cannot be poisoned. */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets atoi atol atoll atof strtok
#pragma GCC poison asctime ctime gmtime localtime

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * banned - functions that the project does not use, refused at compile time.
 *
 * The build includes this file first everywhere (-include). strcpy and the like write past buffers;
 * atoi and the like hide errors; strtok, ctime, gmtime and the like keep their state or result in
 * static memory.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* With _FORTIFY_SOURCE, the C library may define these two as macros, which cannot be poisoned. */
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets atoi atol atoll atof strtok
#pragma GCC poison asctime ctime gmtime localtime

#endif

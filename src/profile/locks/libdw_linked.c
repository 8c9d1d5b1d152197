/* SPDX-License-Identifier: GPL-2.0-or-later */
/* part of libdw: the library is linked into the program. */
#include "profile/locks/libdw.h"

bool libdw_find(struct libdw *dw)
{
#define FIELD(name) .name = name,
	*dw = (struct libdw){LIBDW_FUNCTIONS(FIELD)};
#undef FIELD
	return true;
}

void libdw_find_client(void)
{
}

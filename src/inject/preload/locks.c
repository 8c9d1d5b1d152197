/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/locks.h"

struct locks locks;

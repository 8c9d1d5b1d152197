/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sink/sink.h"

const struct sink_ops *const sink_table[] = {&sink_text, NULL};

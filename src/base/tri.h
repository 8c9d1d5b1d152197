/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tri - a truth value that may be unknown.
 */
#ifndef BASE_TRI_H
#define BASE_TRI_H

enum tri { TRI_FALSE, TRI_TRUE, TRI_UNKNOWN };

#endif

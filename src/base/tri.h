/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tri - an answer of three values: what cannot be known is neither yes nor no.
 */
#ifndef BASE_TRI_H
#define BASE_TRI_H

enum tri { TRI_FALSE, TRI_TRUE, TRI_UNKNOWN };

#endif

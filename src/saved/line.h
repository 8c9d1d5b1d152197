/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * line - a line of a report (saved.h), as json-c has parsed it: its members, and the entry that it
 * becomes.
 */
#ifndef SAVED_LINE_H
#define SAVED_LINE_H

#include <json-c/json.h>

#include "saved/saved.h"

/* Returns a member; NULL: there is none. */
struct json_object *saved_take_object(struct json_object *from, const char *key);
/* Returns the name of the first member; NULL: there is none. */
const char *saved_take_first(struct json_object *object);
/* Returns a copy of that of the second one. */
char *saved_take_second(struct json_object *object);

/* Adds the entry of a line. */
void saved_take_entry(struct saved *s, struct json_object *line);
void saved_entry_done(struct saved_entry *e);

#endif

/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "inject/preload/exec_env.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/events.h"
#include "inject/preload/table.h"

#define LD_PRELOAD  "LD_PRELOAD="
#define KEPT_SIZE   16384
#define OBJECTS_MAX 8
/* Limits for the memory taken on the caller's stack. */
#define VARIABLES_MAX 1024
#define PRELOAD_MAX   4096

/* The variables to keep, with '='. The first two contain the folder: VARIABLE=PID:FILTERS:FOLDER
 * (inject/preload/process.h). */
enum { NAME_LOCKS, NAME_CALLS, NAME_FOLDERS, NAME_OBJECTS = NAME_FOLDERS, NAMES = 7 };
static const char *const variable[NAMES] = {
	[NAME_LOCKS] = "TIPTOP_LOCKS=",     [NAME_CALLS] = "TIPTOP_CALLS=",
	[NAME_OBJECTS] = EXEC_VARIABLE "=", EVENTS_VARIABLE "=",
	LOCKS_STACKS_VARIABLE "=",          LOCKS_SAMPLE_VARIABLE "=",
	LOCKS_CHAINS_VARIABLE "=",
};

#define FIELDS_BEFORE 2 /* fields before the folder */

static char copies[KEPT_SIZE];
static size_t used;
static char *kept[NAMES]; /* NULL: not set */
static const char *object[OBJECTS_MAX];
static size_t n_objects;

/* --- the start --- */

/* Copies a text of n characters; NULL: no room. */
static char *keep(const char *from, size_t n)
{
	char *to = copies + used;

	if (n >= sizeof copies - used)
		return NULL;
	exec_text_copy(to, from, n);
	to[n] = '\0';
	used += n + 1;
	return to;
}

/* Copies the paths of the objects. Returns false if there are too many, or no room for them. */
static bool keep_objects(const char *list)
{
	while (*list) {
		const char *end = exec_text_find(list, ':', ' ');

		if (n_objects == OBJECTS_MAX)
			return false;
		object[n_objects] = keep(list, (size_t)(end - list));
		if (!object[n_objects++])
			return false;
		list = *end ? end + 1 : end;
	}
	return true;
}

void exec_env_begin(void)
{
	for (char **from = environ; from && *from; from++)
		for (size_t i = 0; i < NAMES; i++)
			if (!kept[i] && exec_text_after(*from, variable[i]))
				kept[i] = keep(*from, exec_text_length(*from));
	if (!kept[NAME_OBJECTS] ||
	    !keep_objects(exec_text_after(kept[NAME_OBJECTS], variable[NAME_OBJECTS])))
		n_objects = 0;
}

/* --- missing objects and variables --- */

static long number_of(const char *digits)
{
	long n = 0;

	for (; *digits >= '0' && *digits <= '9'; digits++)
		n = 10 * n + (*digits - '0');
	return n;
}

bool exec_env_is_measured(bool by_child)
{
	for (size_t i = 0; n_objects && i < NAME_FOLDERS; i++) {
		const long parent = kept[i] ? number_of(exec_text_after(kept[i], variable[i])) : -1;

		if (!parent || (!by_child && parent == exec_kernel(SYS_getppid)))
			return true;
	}
	return false;
}

const char *exec_env_folder(unsigned i)
{
	const char *folder;

	for (size_t k = 0; k < NAME_FOLDERS; k++) {
		if (!kept[k] || i--)
			continue;
		folder = kept[k];
		for (int field = 0; field < FIELDS_BEFORE && *folder; field++) {
			folder = exec_text_find(folder, ':', ':');
			folder += *folder != '\0';
		}
		return folder;
	}
	return NULL;
}

static bool list_has(const char *list, const char *path)
{
	while (*list) {
		const char *end = exec_text_find(list, ':', ' '), *behind;

		behind = exec_text_after(list, path);
		if (behind && behind == end)
			return true;
		list = *end ? end + 1 : end;
	}
	return false;
}

bool exec_env_is_incomplete(struct exec_env *e, char *const *from)
{
	static char *const nothing[] = {NULL};
	bool has[NAME_FOLDERS] = {false};

	*e = (struct exec_env){.from = from ? from : nothing};
	for (; e->from[e->n]; e->n++) {
		const char *value = exec_text_after(e->from[e->n], LD_PRELOAD);

		/* If LD_PRELOAD is set twice, the dynamic linker uses the last one. */
		if (value) {
			e->preload = value;
			e->preload_at = e->n;
		}
		for (size_t i = 0; i < NAME_FOLDERS; i++)
			has[i] |= exec_text_after(e->from[e->n], variable[i]) != NULL;
	}
	for (size_t i = 0; i < n_objects; i++)
		e->objects |= !e->preload || !list_has(e->preload, object[i]);
	for (size_t i = 0; i < NAME_FOLDERS; i++)
		e->variables |= kept[i] && !has[i];
	return e->objects || e->variables;
}

bool exec_env_has_objects(void)
{
	for (size_t i = 0; i < n_objects; i++)
		if (exec_kernel(SYS_faccessat, AT_FDCWD, object[i], R_OK))
			return false;
	return true;
}

/* --- the new environment --- */

static const char *objects(void)
{
	return exec_text_after(kept[NAME_OBJECTS], variable[NAME_OBJECTS]);
}

static size_t preload_size(const struct exec_env *e)
{
	return sizeof LD_PRELOAD + exec_text_length(objects()) + 1 +
	       (e->preload ? exec_text_length(e->preload) : 0);
}

bool exec_env_fits(const struct exec_env *e)
{
	if (!e->objects && !e->variables)
		return true;
	return e->n <= VARIABLES_MAX && (!e->objects || preload_size(e) <= PRELOAD_MAX);
}

size_t exec_env_size(const struct exec_env *e)
{
	return (e->n + 1 + NAMES + 1) * sizeof(char *) + (e->objects ? preload_size(e) : 0);
}

static bool list_begins_with_sanitizer(const char *list)
{
	char first[256];
	const size_t n = (size_t)(exec_text_find(list, ':', ' ') - list);

	if (n >= sizeof first)
		return false;
	exec_text_copy(first, list, n);
	first[n] = '\0';
	return exec_file_is_sanitizer(first);
}

static char *append(char *to, const char *from)
{
	const size_t n = exec_text_length(from);

	exec_text_copy(to, from, n + 1);
	return to + n;
}

static void write_preload(const struct exec_env *e, char *to)
{
	const char *users = e->preload && *e->preload ? e->preload : NULL, *first = objects(),
		   *second = users;

	if (users && list_begins_with_sanitizer(users)) {
		second = first;
		first = users;
	}
	to = append(append(to, LD_PRELOAD), first);
	if (second)
		append(append(to, ":"), second);
}

static bool has(const struct exec_env *e, size_t i)
{
	for (size_t k = 0; k < e->n; k++)
		if (exec_text_after(e->from[k], variable[i]))
			return true;
	return false;
}

char **exec_env_make(const struct exec_env *e, void *memory)
{
	char **to = memory, *preload = (char *)(to + e->n + 1 + NAMES + 1);
	size_t n = 0;

	for (; n < e->n; n++) {
		to[n] = e->from[n];
		ARCH_BARRIER();
	}
	if (e->objects) {
		write_preload(e, preload);
		to[e->preload ? e->preload_at : n++] = preload;
	}
	for (size_t i = 0; e->variables && i < NAMES; i++)
		if (kept[i] && !has(e, i))
			to[n++] = kept[i];
	to[n] = NULL;
	return to;
}

/* --- the environment without the objects --- */

/* Returns whether the first n characters of a list are the path of an object. */
static bool is_object(const char *path, size_t n)
{
	for (size_t i = 0; i < n_objects; i++)
		if (exec_text_length(object[i]) == n && exec_text_equals(object[i], path, n))
			return true;
	return false;
}

bool exec_env_can_remove(const struct exec_env *e)
{
	bool lists = false;

	for (size_t i = 0; i < n_objects && e->preload; i++)
		lists |= list_has(e->preload, object[i]);
	return lists && e->n <= VARIABLES_MAX && exec_text_length(e->preload) <= PRELOAD_MAX;
}

size_t exec_env_size_without(const struct exec_env *e)
{
	return (e->n + 1) * sizeof(char *) + sizeof LD_PRELOAD + exec_text_length(e->preload);
}

/* Writes LD_PRELOAD without the objects. Returns whether it still lists others. */
static bool write_others(const struct exec_env *e, char *to)
{
	const char *list = e->preload;
	bool others = false;

	to = append(to, LD_PRELOAD);
	while (*list) {
		const char *end = exec_text_find(list, ':', ' ');
		const size_t n = (size_t)(end - list);

		if (n && !is_object(list, n)) {
			if (others)
				*to++ = ':';
			exec_text_copy(to, list, n);
			to += n;
			others = true;
		}
		list = *end ? end + 1 : end;
	}
	*to = '\0';
	return others;
}

char **exec_env_make_without(const struct exec_env *e, void *memory)
{
	char **to = memory, *preload = (char *)(to + e->n + 1);
	size_t n = 0;

	for (size_t i = 0; i < e->n; i++) {
		if (i != e->preload_at)
			to[n++] = e->from[i];
		else if (write_others(e, preload))
			to[n++] = preload;
		ARCH_BARRIER();
	}
	to[n] = NULL;
	return to;
}

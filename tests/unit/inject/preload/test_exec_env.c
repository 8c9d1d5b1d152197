/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The environment of a program that is executed without the preloaded objects: variables that are
 * added, and variables that remain. */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject/preload/exec_env.h"
#include "tap.h"

#define OBJECTS   "/a/exec.so:/a/locks.so"
#define VARIABLES "TIPTOP_LOCKS=7:0:/folder TIPTOP_EXEC=" OBJECTS " TIPTOP_EVENTS=1 "

static long parent = 7;
static const char *missing; /* a file that cannot be opened */

static long kernel(long number, ...)
{
	va_list list;
	const char *path;

	if (number == SYS_getppid)
		return parent;
	va_start(list, number);
	(void)va_arg(list, int);
	path = va_arg(list, const char *);
	va_end(list);
	return missing && !strcmp(path, missing) ? -1 : 0;
}

exec_kernel_function *exec_kernel = kernel;

/* Compares the new environment with want. The array `from` ends with NULL. */
static void check(const char *const *from, const char *want, const char *what)
{
	struct exec_env e;
	char text[8192] = "";
	size_t n = 0;

	if (exec_env_is_incomplete(&e, (char *const *)(uintptr_t)from)) {
		const size_t size = exec_env_size(&e);
		char *memory = malloc(size + 1), **made;

		memory[size] = 'x';
		made = exec_env_make(&e, memory);
		for (; *made; made++)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s ", *made);
		if (memory[size] != 'x')
			snprintf(text, sizeof text, "it wrote behind its end");
		free(memory);
	}
	tap_str(text, want, "%s", what);
}

#define CHECK(want, what, ...) check((const char *const[]){__VA_ARGS__, NULL}, want, what)

static void check_lists(void)
{
	check((const char *const[]){NULL}, "LD_PRELOAD=" OBJECTS " " VARIABLES,
	      "an empty environment");
	check(NULL, "LD_PRELOAD=" OBJECTS " " VARIABLES, "none");
	CHECK("A=1 B=2 LD_PRELOAD=" OBJECTS " " VARIABLES, "other variables", "A=1", "B=2");
	CHECK("LD_PRELOAD=" OBJECTS ":libjemalloc.so A=1 " VARIABLES, "another object",
	      "LD_PRELOAD=libjemalloc.so", "A=1");
	CHECK("LD_PRELOAD=" OBJECTS ":b.so c.so " VARIABLES, "two others", "LD_PRELOAD=b.so c.so");
	CHECK("LD_PRELOAD=" OBJECTS " " VARIABLES, "an empty list", "LD_PRELOAD=");
	CHECK("LD_PRELOAD=/lib/libasan.so.8:" OBJECTS " " VARIABLES, "a sanitizer's is the first",
	      "LD_PRELOAD=/lib/libasan.so.8");
	CHECK("LD_PRELOAD=a.so LD_PRELOAD=" OBJECTS ":b.so " VARIABLES, "of two, the last one",
	      "LD_PRELOAD=a.so", "LD_PRELOAD=b.so");
	CHECK("LD_PRELOAD=" OBJECTS ":/a/locks.so " VARIABLES, "one of both is lacking",
	      "LD_PRELOAD=/a/locks.so");
	CHECK("LD_PRELOAD=" OBJECTS ":/a/exec.so.1:/a/locks.so " VARIABLES,
	      "a longer name is another object", "LD_PRELOAD=/a/exec.so.1:/a/locks.so");
}

static void check_variables(void)
{
	CHECK("", "nothing is lacking", "LD_PRELOAD=x.so:/a/exec.so /a/locks.so", "TIPTOP_LOCKS=1");
	CHECK("LD_PRELOAD=" OBJECTS " TIPTOP_LOCKS=9:0:/other ",
	      "a folder of another tiptop stays, and so does what it wants",
	      "LD_PRELOAD=", "TIPTOP_LOCKS=9:0:/other");
	CHECK("LD_PRELOAD=" OBJECTS " TIPTOP_EVENTS=2 TIPTOP_LOCKS=7:0:/folder TIPTOP_EXEC=" OBJECTS
	      " ",
	      "what is there is not put back", "LD_PRELOAD=" OBJECTS, "TIPTOP_EVENTS=2");
}

/* Compares the environment without the objects with want; "refused": it cannot be made. */
static void check_without(const char *const *from, const char *want, const char *what)
{
	char text[8192] = "", *memory, **made;
	struct exec_env e;
	size_t n = 0, size;

	exec_env_is_incomplete(&e, (char *const *)(uintptr_t)from);
	if (exec_env_can_remove(&e)) {
		size = exec_env_size_without(&e);
		memory = malloc(size + 1);
		memory[size] = 'x';
		made = exec_env_make_without(&e, memory);
		for (; *made; made++)
			n += (size_t)snprintf(text + n, sizeof text - n, "%s ", *made);
		if (memory[size] != 'x')
			snprintf(text, sizeof text, "it wrote behind its end");
		free(memory);
	} else {
		snprintf(text, sizeof text, "refused");
	}
	tap_str(text, want, "without the objects: %s", what);
}

#define WITHOUT(want, what, ...) check_without((const char *const[]){__VA_ARGS__, NULL}, want, what)

static void check_removal(void)
{
	static char list[5000] = "LD_PRELOAD=/a/locks.so:";

	WITHOUT("A=1 B=2 ", "no list", "A=1", "LD_PRELOAD=" OBJECTS, "B=2");
	WITHOUT("LD_PRELOAD=b.so:c.so ", "others stay",
		"LD_PRELOAD=b.so:/a/exec.so /a/locks.so::c.so");
	WITHOUT("LD_PRELOAD=/a/locks.so.1 ", "a longer name is another object",
		"LD_PRELOAD=/a/locks.so /a/locks.so.1");
	WITHOUT("refused", "there are none", "LD_PRELOAD=/a/locks.so.1");
	WITHOUT("refused", "nor is there a list", "A=1");
	memset(list + strlen(list), 'x', sizeof list - strlen(list) - 1);
	WITHOUT("refused", "a list that is too long", list);
}

static void check_room(void)
{
	static char list[5000] = "LD_PRELOAD=";
	static char *many[1100], one[] = "A=1", preload[] = "LD_PRELOAD=" OBJECTS,
				 locks[] = "TIPTOP_LOCKS=1";
	struct exec_env e;

	for (size_t i = 0; i < 1025; i++)
		many[i] = one;
	tap_ok(exec_env_is_incomplete(&e, many) && !exec_env_fits(&e), "too many variables");
	many[0] = preload;
	many[1] = locks;
	tap_ok(!exec_env_is_incomplete(&e, many) && exec_env_fits(&e),
	       "no matter how many if nothing is lacking");
	many[0] = many[1] = one;
	many[1024] = NULL;
	tap_ok(exec_env_is_incomplete(&e, many) && exec_env_fits(&e), "as many as have room");
	memset(list + strlen(list), 'x', sizeof list - strlen(list) - 1);
	many[0] = list;
	tap_ok(exec_env_is_incomplete(&e, many) && !exec_env_fits(&e), "a list that is too long");
}

static void check_world(void)
{
	tap_ok(exec_env_is_measured(false), "the command's own process is measured");
	tap_ok(!exec_env_is_measured(true), "a child of it is not");
	parent = 8;
	tap_ok(!exec_env_is_measured(false), "nor is another process");
	tap_ok(exec_env_has_objects(), "both objects are there");
	missing = "/a/locks.so";
	tap_ok(!exec_env_has_objects(), "one is not");
}

int main(void)
{
	static char locks[] = "TIPTOP_LOCKS=7:0:/folder", events[] = "TIPTOP_EVENTS=1",
		    objects[] = "TIPTOP_EXEC=" OBJECTS, other[] = "TIPTOP_REGIONS=cycles";
	char *given[] = {other, events, objects, locks, NULL};

	environ = given;
	exec_env_begin();
	/* A program may overwrite its environment. */
	memset(locks, '?', sizeof locks - 1);
	memset(objects, '?', sizeof objects - 1);
	check_lists();
	check_variables();
	check_removal();
	check_room();
	check_world();
	return tap_done();
}

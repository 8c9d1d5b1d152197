/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The default screen, with hardware counters and without. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "conf/option.h"
#include "model/kinds.h"
#include "session/config_files.h"
#include "session/setup.h"
#include "session/setup_start.h"
#include "tap.h"

/* A screen with an event in a mandatory column, and one with an event in an optional column
 * only. */
static const char own[] =
	"<tiptop>\n"
	"  <screen name=\"counts\" rows=\"CPU process\" desc=\"d\">\n"
	"    <counter alias=\"x\" event=\"cycles\"/>\n"
	"    <column header=\"X\" format=\"%5.1f\" expr=\"delta(x)\"/>\n"
	"  </screen>\n"
	"  <screen name=\"beside\" rows=\"CPU process\" desc=\"d\">\n"
	"    <counter alias=\"x\" event=\"cycles\"/>\n"
	"    <column header=\"BUSY\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"
	"    <column header=\"X\" format=\"%5.1f\" expr=\"delta(x)\" optional=\"yes\"/>\n"
	"  </screen>\n"
	"</tiptop>\n";

static void begin(struct setup *s, const char *text, const char *rows, const char *usual)
{
	static char program[] = "tiptop", option[] = "-W", path[] = "usual-rc";
	static char *argv[] = {program, option, path, NULL};
	struct option_list *list = NULL;
	struct err err = ERR_INIT;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
		tap_ok(false, "a file");
	setup_init(s);
	s->config.rows = rows;
	s->config.default_screen = usual;
	option_scan(&list, &option_monitor, 3, argv, &err);
	tap_int(setup_configuration(s, list, &err), 0, "the program begins %s", err.text);
	option_list_free(list);
	unlink(path);
}

static void check(const char *text, const char *rows, const char *usual, const char *with,
		  const char *without)
{
	const char *kind = rows ? rows : "tasks";
	struct setup s;

	begin(&s, text, rows, usual);
	tap_str(s.config.screens.v[backend_default_screen(&s.config, &s.backend)]->name, with,
		"%s, with hardware counters", kind);
	s.backend.hardware.code = ENOENT;
	tap_str(s.config.screens.v[backend_default_screen(&s.config, &s.backend)]->name, without,
		"%s, without", kind);
	setup_done(&s);
}

int main(void)
{
	check("<tiptop/>", NULL, NULL, "default", "software");
	check("<tiptop/>", "CPU", "har", "har", "cpus");
	check(own, NULL, NULL, "default", "beside");
	check(own, "CPU", "har", "har", "beside");
	check(own, "CPU", "beside", "beside", "beside");
	return tap_done();
}

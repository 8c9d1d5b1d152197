/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes made on the setup page: to screens and options, and how they are saved. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/write.h"
#include "screen/column.h"
#include "session/config_files.h"
#include "session/screen_change.h"
#include "session/setup_start.h"
#include "session/view_options.h"
#include "tap.h"
#include "view/view.h"

static const char text[] = "<tiptop>\n"
			   "  <!-- mine -->\n"
			   "  <screen name=\"one\" desc=\"d\">\n"
			   "    <column header=\"A\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"
			   "    <column header=\"BAD\" format=\"%f\" expr=\"nosuch\"/>\n"
			   "    <column header=\"C\" format=\"%3.0f\" expr=\"PROC_ID\"/>\n"
			   "  </screen>\n"
			   "</tiptop>\n";

static void read_again(struct setup *s)
{
	static char program[] = "tiptop", option[] = "-W", path[] = "rc";
	static char *argv[] = {program, option, path, NULL};
	struct option_list *list = NULL;
	struct err err = ERR_INIT;

	setup_init(s);
	option_scan(&list, &option_monitor, 3, argv, &err);
	tap_int(setup_configuration(s, list, &err), 0, "the program begins %s", err.text);
	option_list_free(list);
}

/* Starts with this configuration file, up to the begin of the live screen, which shows the screen
 * `shown`. */
static void begin_with(struct setup *s, const char *written, const char *shown)
{
	struct err err = ERR_INIT;
	int fd = open("rc", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (write(fd, written, strlen(written)) != (ssize_t)strlen(written) || close(fd))
		tap_ok(false, "a file");
	read_again(s);
	view_show_screen(&s->display.view, &s->config.screens,
			 (size_t)screen_list_find(&s->config.screens, shown, &err));
	tap_int(state_begin(s, 0, &err), 0, "with its view");
}

static void begin(struct setup *s)
{
	begin_with(s, text, "one");
}

static void check_columns(const struct screen *s, const char *want, const char *what)
{
	char got[256] = "";

	for (size_t i = 0; i < s->n_columns; i++)
		snprintf(got + strlen(got), sizeof got - strlen(got), "%s ", s->column[i].header);
	tap_str(got, want, "%s", what);
}

static void check_file(struct setup *s, const char *want, const char *what)
{
	const struct conf_state state = {&s->config.options, &s->config.own.table,
					 &s->config.own_screens, &s->config.themes,
					 &s->config.filters};
	struct err err = ERR_INIT;
	char got[1024];
	ssize_t n;
	int fd;

	if (conf_write("rc", &state, &s->config.file, true, &err) < 0)
		tap_ok(false, "it is written: %s", err.text);
	change_follow_file(&s->config);
	fd = open("rc", O_RDONLY | O_CLOEXEC);
	n = read(fd, got, sizeof got - 1);
	got[n > 0 ? n : 0] = '\0';
	close(fd);
	tap_str(got, want, "%s", what);
}

static struct setup_change copy_of(const struct setup *s, size_t i)
{
	const struct screen *screen = s->config.screens.v[i];

	return (struct setup_change){
		.index = i, .screen = screen_copy(screen->declared ? screen->declared : screen)};
}

static void test_own(void)
{
	struct err err = ERR_INIT;
	struct setup_change c;
	struct setup s;
	size_t i;

	begin(&s);
	i = s.display.view.screen;
	check_columns(s.config.screens.v[i], "A C ", "a column that is none is not shown");
	s.display.view.sort = 1;
	c = copy_of(&s, i);
	compose_move(c.screen, 2, 0);
	tap_int(change_screen(&s, &c, &err), 0, "another order %s", err.text);
	check_columns(s.config.screens.v[i], "C A ", "is shown");
	check_columns(c.screen, "A BAD C ", "what was there before is kept");
	tap_int(s.display.view.sort, 0, "what is sorted by stays");
	check_file(&s,
		   "<tiptop>\n  <!-- mine -->\n  <screen name=\"one\" desc=\"d\">\n"
		   "    <column header=\"C\" format=\"%3.0f\" expr=\"PROC_ID\"/>\n"
		   "    <column header=\"A\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"
		   "    <column header=\"BAD\" format=\"%f\" expr=\"nosuch\"/>\n"
		   "  </screen>\n</tiptop>\n",
		   "the file has it, and the column that is none");
	setup_change_free(&c);
	c = copy_of(&s, i);
	compose_add(c.screen, 0, "X", "1 +", NULL, &err);
	tap_int(change_screen(&s, &c, &err), -EINVAL, "what is no expression is refused");
	tap_ok(strstr(err.text, "column 'X'"), "with a sentence: %s", err.text);
	check_columns(s.config.screens.v[i], "C A ", "and nothing has changed");
	tap_int((long)s.config.own_screens.v[0]->n_columns, 3, "nor what is written");
	setup_change_free(&c);
	c = copy_of(&s, i);
	compose_drop(c.screen, 0);
	tap_int(change_screen(&s, &c, &err), 0, "a column goes");
	check_file(&s,
		   "<tiptop>\n  <!-- mine -->\n  <screen name=\"one\" desc=\"d\">\n"
		   "    <column header=\"A\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"
		   "    <column header=\"BAD\" format=\"%f\" expr=\"nosuch\"/>\n"
		   "  </screen>\n</tiptop>\n",
		   "in the file, too, after it was written once");
	setup_change_free(&c);
	setup_done(&s);
}

static void test_built_in(void)
{
	struct err err = ERR_INIT;
	struct setup_change c;
	struct setup s;

	begin(&s);
	tap_ok(!s.config.screens.v[0]->file, "the first screen is built in");
	c = copy_of(&s, 0);
	compose_drop(c.screen, 1);
	tap_int(change_screen(&s, &c, &err), 0, "it loses a column");
	tap_int((long)s.config.own_screens.n, 2, "then it is one of the user's own");
	tap_ok(s.config.own_screens.v[1]->replace && s.config.own_screens.v[1]->file,
	       "in place of the other");
	tap_ok(!c.screen->file, "which was built in");
	tap_int(change_screen(&s, &c, &err), 0, "it comes back");
	tap_int((long)s.config.own_screens.n, 1, "and nothing of it is written");
	tap_ok(!s.config.screens.v[0]->file, "as it was");
	check_file(&s, text, "the file is as it was");
	setup_change_free(&c);
	setup_done(&s);
}

#define ONE                                                                                        \
	"    <column header=\"A\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"                           \
	"    <column header=\"BAD\" format=\"%f\" expr=\"nosuch\"/>\n"                             \
	"    <column header=\"C\" format=\"%3.0f\" expr=\"PROC_ID\"/>\n"

/* Returns the change that adds a screen of this name, with the columns of the present one. */
static struct setup_change new_one(const struct setup *s, const char *name)
{
	struct setup_change c = copy_of(s, s->display.view.screen);

	free(c.screen->name);
	free(c.screen->file);
	c.screen->name = xstrdup(name);
	c.screen->file = NULL;
	c.deed = SETUP_ADD;
	c.shown = xstrdup(s->config.screens.v[s->display.view.screen]->name);
	return c;
}

static const char *name_of(const struct setup *s, size_t i)
{
	return i < s->config.screens.n ? s->config.screens.v[i]->name : "none";
}

static void test_copy(void)
{
	struct err err = ERR_INIT;
	struct setup_change c, less;
	struct setup s, again;
	size_t i;

	begin(&s);
	i = s.display.view.screen;
	c = new_one(&s, "mine");
	tap_int(change_screen(&s, &c, &err), 0, "a screen is copied %s", err.text);
	tap_str(name_of(&s, i + 1), "mine", "it stands behind those of the file");
	tap_int((long)s.display.view.screen, (long)i + 1, "and is shown");
	check_columns(s.config.screens.v[i + 1], "A C ", "with the columns");
	less = copy_of(&s, i + 1);
	compose_drop(less.screen, 0);
	tap_int(change_screen(&s, &less, &err), 0, "it loses a column");
	check_columns(s.config.screens.v[i], "A C ", "which the other one keeps");
	tap_int(change_screen(&s, &less, &err), 0, "and gets it back");
	setup_change_free(&less);
	check_file(&s,
		   "<tiptop>\n  <!-- mine -->\n"
		   "  <screen name=\"one\" desc=\"d\">\n" ONE "  </screen>\n"
		   "  <screen name=\"mine\" desc=\"d\">\n" ONE "  </screen>\n</tiptop>\n",
		   "the file has both");
	read_again(&again);
	tap_str(name_of(&again, i + 1), "mine", "at the next start, it stands there, too");
	setup_done(&again);
	s.config.options.record_when = xstrdup("1");
	s.display.record_screen = i + 1;
	tap_int(change_screen(&s, &c, &err), -EBUSY, "while it is recorded it stays");
	tap_int((long)s.display.view.screen, (long)i + 1, "and is shown");
	s.display.record_screen = 0;
	tap_int(change_screen(&s, &c, &err), 0, "else it can be taken away");
	tap_str(name_of(&s, s.display.view.screen), "one", "then the one before is shown");
	check_file(&s, text, "and the file is as it was");
	s.config.options.screens = xstrdup("-mine");
	tap_int(change_screen(&s, &c, &err), -EINVAL, "one that an option leaves out");
	tap_ok(strstr(err.text, "leaves out a screen 'mine'"), "is refused: %s", err.text);
	tap_int((long)s.config.own_screens.n, 1, "and nothing has changed");
	setup_change_free(&c);
	setup_done(&s);
}

#define TWO                                                                                        \
	"  <screen name=\"two\"><column header=\"B\" format=\"%4.0f\" "                            \
	"expr=\"PROC_ID\"/></screen>\n"

/* Deletes a screen of the file that has a comment, and that the option for the order lists; and
 * restores it. */
static void test_delete(void)
{
	static const char both[] =
		"<tiptop>\n" TWO "  <!-- mine -->\n"
		"  <screen name=\"one\" desc=\"d\">\n" ONE "  </screen>\n</tiptop>\n";
	static const char less[] =
		"<tiptop>\n  <!-- mine -->\n"
		"  <screen name=\"one\" desc=\"d\">\n" ONE "  </screen>\n</tiptop>\n";
	struct err err = ERR_INIT;
	struct setup_change c;
	struct setup s;
	size_t i;

	begin_with(&s, both, "two");
	s.config.options.screens = xstrdup("one,two,-branch");
	tap_int(screen_order_apply(&s, true, &err), 0, "screens in an order %s", err.text);
	i = s.display.view.screen;
	c = copy_of(&s, i);
	c.deed = SETUP_TAKE_AWAY;
	c.shown = xstrdup("one");
	tap_int(change_screen(&s, &c, &err), 0, "a screen of the file is taken away %s", err.text);
	tap_str(name_of(&s, s.display.view.screen), "one", "then the other one is shown");
	tap_str(s.config.options.screens, "one,-branch", "the option does not name it any more");
	tap_int(change_screen(&s, &c, &err), 0, "it comes back %s", err.text);
	tap_str(s.config.options.screens, "one,two,-branch", "with its place in the option");
	tap_str(name_of(&s, s.display.view.screen), "two", "and is shown");
	tap_int((long)s.display.view.screen, (long)i, "where it was");
	free(s.config.options.screens);
	s.config.options.screens = NULL;
	check_file(&s, both, "the file is as it was");
	tap_int(change_screen(&s, &c, &err), 0, "it is taken away again %s", err.text);
	check_file(&s, less, "and is no more in the file, all else is");
	setup_change_free(&c);
	setup_done(&s);
}

static int set(struct setup *s, const char *name, const char *value, const char *before)
{
	struct setup_change c = {.option = xstrdup(name), .value = xstrdup(value)};
	struct err err = ERR_INIT;
	int ret = settings_set(s, &c, &err);

	if (!ret)
		tap_str(c.value, before, "%s was %s", name, before);
	setup_change_free(&c);
	return ret;
}

static void test_settings(void)
{
	struct setup s;

	begin(&s);
	tap_int(set(&s, "delay", "7.5", "2"), 0, "the delay");
	tap_ok(s.display.view.delay_s == 7.5, "is another one");
	tap_int(set(&s, "delay", "0", ""), -ERANGE, "one that is none is refused");
	tap_ok(s.display.view.delay_s == 7.5 && s.config.options.delay_s == 7.5,
	       "and nothing has changed");
	tap_int(set(&s, "theme", "light", "default"), 0, "the theme");
	tap_str(s.config.theme->name, "light", "is another one");
	tap_int(set(&s, "theme", "nosuch", ""), -EINVAL, "one that there is not is refused");
	tap_str(s.config.theme->name, "light", "and nothing has changed");
	tap_int(set(&s, "show_threads", "yes", "no"), 0, "threads");
	tap_ok(s.display.view.threads, "are shown");
	tap_int(set(&s, "group", "user", "process"), 0, "groups");
	tap_int(s.display.view.group, GROUP_USER, "are made");
	tap_int(set(&s, "group", "process", "user"), 0, "and taken apart");
	tap_int(s.display.view.group, GROUP_PROCESS, "again");
	tap_int(set(&s, "idle", "yes", "no"), 0, "idle tasks");
	tap_ok(s.display.view.idle, "are shown");
	tap_int(set(&s, "layout", "table", "auto"), 0, "the layout");
	tap_ok(s.display.view.hidden && !s.display.view.total, "is that of the table");
	tap_int(set(&s, "layout", "full", "table"), 0, "and back");
	tap_ok(s.display.view.hidden == PARTS_FULL && s.display.view.total, "to all parts");
	tap_int(set(&s, "layout", "auto", "full"), 0, "or to those that have room");
	tap_ok(s.display.view.hidden == PARTS_AUTO && s.display.view.total, "as at the start");
	settings_find(&s);
	tap_ok(s.config.settings.n > 10, "the page has %zu options", s.config.settings.n);
	for (size_t i = 0; i < s.config.settings.n; i++)
		if (!strcmp(s.config.settings.v[i].name, "delay"))
			tap_str(s.config.settings.v[i].value, "7.5", "with what they are");
	check_file(&s,
		   "<tiptop>\n  <!-- mine -->\n  <options>\n"
		   "    <option name=\"delay\" value=\"7.5\"/>\n"
		   "    <option name=\"show_threads\" value=\"1\"/>\n"
		   "    <option name=\"idle\" value=\"1\"/>\n"
		   "    <option name=\"screen\" value=\"one\"/>\n"
		   "    <option name=\"theme\" value=\"light\"/>\n"
		   "  </options>\n"
		   "  <screen name=\"one\" desc=\"d\">\n"
		   "    <column header=\"A\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"
		   "    <column header=\"BAD\" format=\"%f\" expr=\"nosuch\"/>\n"
		   "    <column header=\"C\" format=\"%3.0f\" expr=\"PROC_ID\"/>\n"
		   "  </screen>\n</tiptop>\n",
		   "what is written");
	setup_done(&s);
}

/* The live screen shows children of a command by default. Batch mode does not, and the default is
 * not written to a configuration file. */
static void test_command(void)
{
	static char word[] = "true", *command[] = {word, NULL};
	struct err err = ERR_INIT;
	struct setup s;

	begin(&s);
	tap_ok(!s.display.view.children, "without a command, children are left out");
	s.config.options.command = command;
	state_begin(&s, 1, &err);
	tap_ok(s.display.view.children, "those of a command are shown");
	state_save(&s);
	tap_ok(s.config.options.children, "the settings say so");
	state_save_for_file(&s);
	tap_ok(!s.config.options.children, "a file does not");
	s.config.options.batch = true;
	state_begin(&s, 1, &err);
	tap_ok(!s.display.view.children, "in batch mode they have to be asked for");
	s.config.options.children = true;
	state_begin(&s, 1, &err);
	state_save_for_file(&s);
	tap_ok(s.display.view.children && s.config.options.children, "which may be written");
	s.config.options.command = NULL;
	setup_done(&s);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);

	if (!mkdtemp(dir) || chdir(dir)) {
		tap_ok(false, "a folder to work in");
		return tap_done();
	}
	test_own();
	test_built_in();
	test_copy();
	test_delete();
	test_settings();
	test_command();
	unlink("rc");
	tap_int(rmdir(dir), 0, "nothing was left behind");
	free(dir);
	return tap_done();
}

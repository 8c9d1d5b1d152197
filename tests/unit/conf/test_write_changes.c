/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The effect of a change on a file: each file is compared byte for byte, before and after. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "save_rig.h"

static void slower(struct state *s)
{
	s->options.delay_s = 7;
}

static void usual_delay(struct state *s)
{
	s->options.delay_s = 2;
}

static void other_task(struct state *s)
{
	free(s->options.pid);
	s->options.pid = xstrdup("a<b");
}

static void all_tasks(struct state *s)
{
	free(s->options.pid);
	s->options.pid = NULL;
}

static void idle_and_tree(struct state *s)
{
	s->options.idle = s->options.tree = true;
}

/* No option of the file stays, and others are new. */
static void idle_at_usual_delay(struct state *s)
{
	usual_delay(s);
	s->options.idle = true;
}

static void usual_delay_of_all_tasks(struct state *s)
{
	usual_delay(s);
	all_tasks(s);
}

static struct column *last_column(struct state *s, size_t screen)
{
	return &s->screens.v[screen]->column[s->screens.v[screen]->n_columns - 1];
}

static void replace(char **text, const char *by)
{
	free(*text);
	*text = xstrdup_or_null(by);
}

static void other_header(struct state *s)
{
	replace(&last_column(s, 0)->header, "\"A' \303\251");
}

static void warned(struct state *s)
{
	replace(&last_column(s, 0)->warn.text, "> 5");
	last_column(s, 0)->priority = 3;
}

static void not_described(struct state *s)
{
	replace(&last_column(s, 0)->desc, NULL);
}

static void one_more_column(struct state *s)
{
	screen_add_column(s->screens.v[0], "NEW", "%f", NULL, "CPU_SYS");
}

static void drop_first(struct state *s)
{
	screen_drop_column(s->screens.v[0], 0);
}

static void first_to_last(struct state *s)
{
	struct screen *screen = s->screens.v[0];
	const struct column first = screen->column[0];
	const size_t last = screen->n_columns - 1;

	memmove(screen->column, screen->column + 1, last * sizeof *screen->column);
	screen->column[last] = first;
}

static void first_to_last_and_warned(struct state *s)
{
	first_to_last(s);
	replace(&last_column(s, 0)->warn.text, "1");
}

static void counted(struct state *s)
{
	struct counter_decl *c = screen_add_counter(s->screens.v[0], "X", "", NULL);

	c->event = xstrdup("cycles");
	screen_add_column(s->screens.v[0], "XS", "%f", NULL, "delta(X)");
}

static void counted_instead(struct state *s)
{
	drop_first(s);
	counted(s);
}

static void other_order_and_idle(struct state *s)
{
	struct screen *first = s->screens.v[0];

	s->screens.v[0] = s->screens.v[1];
	s->screens.v[1] = first;
	s->options.idle = true;
}

static void own_screen(struct state *s)
{
	struct screen *screen = screen_new("mine", "what I want");

	screen_add_column(screen, "C", "%5.1f", NULL, "CPU_TOT");
	screen->file = xstrdup("rc");
	screen->replace = true;
	screen_list_add(&s->screens, screen);
}

static void last_screen_first(struct state *s)
{
	struct screen *last = s->screens.v[s->screens.n - 1];

	memmove(s->screens.v + 1, s->screens.v, (s->screens.n - 1) * sizeof *s->screens.v);
	s->screens.v[0] = last;
}

static void idle_screen(struct state *s)
{
	s->screens.v[0]->idle = true;
}

static void no_screen(struct state *s)
{
	screen_free(s->screens.v[0]);
	memmove(s->screens.v, s->screens.v + 1, --s->screens.n * sizeof *s->screens.v);
}

#define COLUMN(name) "<column header='" name "' format='%f' expr='CPU_TOT'/>"

static void test_options(void)
{
	saves("an option",
	      "<tiptop>\n\t<options> <!-- mine -->\n\t\t<option value='1.50'  name='delay' /> "
	      "<!-- slow -->  \n\t</options>\n</tiptop>\n\n",
	      slower,
	      "<tiptop>\n\t<options> <!-- mine -->\n\t\t<option value='7'  name='delay' /> "
	      "<!-- slow -->  \n\t</options>\n</tiptop>\n\n");
	saves("of two, the last one counts",
	      "<tiptop><options><option name=\"delay\" value=\"3\"/>\n"
	      "<option name=\"&#100;elay\" value=\"4\"/></options></tiptop>",
	      slower,
	      "<tiptop><options><option name=\"delay\" value=\"3\"/>\n"
	      "<option name=\"&#100;elay\" value=\"7\"/></options></tiptop>");
	saves("of a default, none is left",
	      "<tiptop>\n <options>\n  <option name='delay' value='3'/>\n"
	      "  <option name='idle' value='1'/><option name='delay' value='4'/>\n"
	      "  <option name='delay' value='5'/> <!-- why -->\n </options>\n</tiptop>",
	      usual_delay,
	      "<tiptop>\n <options>\n"
	      "  <option name='idle' value='1'/>\n"
	      "  <!-- why -->\n </options>\n</tiptop>");
	saves("a pid becomes a name",
	      "<tiptop><options><option name='only_pid' value='42'/></options></tiptop>",
	      other_task,
	      "<tiptop><options><option name='only_name' value='a&lt;b'/></options></tiptop>");
	saves("a name goes",
	      "<tiptop><options><option name='only_name' value='x'/></options></tiptop>", all_tasks,
	      "<tiptop><options></options></tiptop>");
}

static void test_new_options(void)
{
	saves("new options",
	      "<tiptop>\r\n    <options>\r\n        <option name='batch' value='0'/>\r\n"
	      "    </options>\r\n</tiptop>",
	      idle_and_tree,
	      "<tiptop>\r\n    <options>\r\n        <option name='batch' value='0'/>\r\n"
	      "        <option name=\"tree\" value=\"1\"/>\r\n"
	      "        <option name=\"idle\" value=\"1\"/>\r\n"
	      "    </options>\r\n</tiptop>");
	saves("new options, where there is no place for them",
	      "<tiptop>\n\n  <!-- keys -->\n  <keys set=\"htop\"/>\n</tiptop>\n", idle_and_tree,
	      "<tiptop>\n\n  <!-- keys -->\n  <options>\n    <option name=\"tree\" "
	      "value=\"1\"/>\n"
	      "    <option name=\"idle\" value=\"1\"/>\n  </options>\n  <keys set=\"htop\"/>\n"
	      "</tiptop>\n");
	saves("new options, in an empty element", "<tiptop>\n <options />\n</tiptop>\n",
	      idle_and_tree,
	      "<tiptop>\n <options>\n  <option name=\"tree\" value=\"1\"/>\n"
	      "  <option name=\"idle\" value=\"1\"/>\n </options>\n</tiptop>\n");
	saves("a new option instead of the only one, before an end tag",
	      "<tiptop>\n<options>\n  <option name='delay' value='3'/> </options>\n</tiptop>",
	      idle_at_usual_delay,
	      "<tiptop>\n<options>\n  \n  <option name=\"idle\" "
	      "value=\"1\"/></options>\n</tiptop>");
	saves("two options of a line go",
	      "<tiptop>\n<options>\n  <option name='delay' value='3'/> <option name='only_pid' "
	      "value='7'/> <!-- c --></options>\n</tiptop>",
	      usual_delay_of_all_tasks, "<tiptop>\n<options>\n   <!-- c --></options>\n</tiptop>");
	saves("a new option instead of the only one",
	      "<tiptop>\n<options>\n  <option name='delay' value='3'/>\n</options>\n</tiptop>",
	      idle_at_usual_delay,
	      "<tiptop>\n<options>\n  <option name=\"idle\" value=\"1\"/>\n</options>\n</tiptop>");
	saves("in nothing at all", "<tiptop/>", idle_and_tree,
	      "<tiptop>\n  <options>\n    <option name=\"tree\" value=\"1\"/>\n"
	      "    <option name=\"idle\" value=\"1\"/>\n  </options>\n</tiptop>");
}

static void test_attributes(void)
{
	saves("an attribute, in its quotes",
	      "<?xml version='1.0' encoding='ISO-8859-1'?>\n<tiptop><screen>" COLUMN(
		      "A") "</screen></tiptop>",
	      other_header,
	      "<?xml version='1.0' encoding='ISO-8859-1'?>\n<tiptop><screen>"
	      "<column header='\"A&apos; &#233;' format='%f' expr='CPU_TOT'/></screen></tiptop>");
	saves("new attributes, as the others stand",
	      "<tiptop><screen>\n<column header='A'\n        format='%f'\n\n        "
	      "expr='CPU_TOT' />"
	      "</screen></tiptop>",
	      warned,
	      "<tiptop><screen>\n<column header='A'\n        format='%f'\n\n        "
	      "expr='CPU_TOT'"
	      "\n\n        priority=\"3\"\n\n        warn=\"&gt; 5\" /></screen></tiptop>");
	saves("an attribute goes",
	      "<tiptop><screen><column header='A' format='%f' desc='x>\"y' expr='CPU_TOT' "
	      "/></screen>"
	      "</tiptop>",
	      not_described,
	      "<tiptop><screen><column header='A' format='%f' expr='CPU_TOT' /></screen>"
	      "</tiptop>");
}

static void test_columns(void)
{
	static const char three[] = "<tiptop>\n<screen name='s'>\n  " COLUMN("A") "\n  " COLUMN(
		"B") " <!-- b\n goes on -->\n\n  " COLUMN("C") "\n</screen>\n</tiptop>\n";

	saves("a column more", three, one_more_column,
	      "<tiptop>\n<screen name='s'>\n  " COLUMN("A") "\n  " COLUMN(
		      "B") " <!-- b\n goes on -->\n\n  " COLUMN("C") "\n  <column header=\"NEW\" "
								     "format=\"%f\" "
								     "expr=\"CPU_SYS\"/>\n</"
								     "screen>\n</tiptop>\n");
	saves("a column less", three, drop_first,
	      "<tiptop>\n<screen name='s'>\n  " COLUMN("B") " <!-- b\n goes on -->\n\n  " COLUMN(
		      "C") "\n</screen>\n</tiptop>\n");
	saves("another order", three, first_to_last,
	      "<tiptop>\n<screen name='s'>\n  " COLUMN("B") " <!-- b\n goes on -->\n\n  " COLUMN(
		      "C") "\n  " COLUMN("A") "\n</screen>\n</tiptop>\n");
	saves("the order, and what is moved",
	      "<tiptop><screen>\n" COLUMN("A") " <!-- a -->\n" COLUMN("B") "</screen></tiptop>",
	      first_to_last_and_warned,
	      "<tiptop><screen>\n" COLUMN("B") "\n<column header='A' format='%f' expr='CPU_TOT' "
					       "warn=\"1\"/> <!-- a --></screen></tiptop>");
	saves("all in one line",
	      "<tiptop><screen> " COLUMN("A") " " COLUMN("B") " </screen></tiptop>", first_to_last,
	      "<tiptop><screen> " COLUMN("B") " " COLUMN("A") " </screen></tiptop>");
	saves("a counter and a column, where there are none",
	      "<tiptop>\n\t<screen name='s' />\n</tiptop>", counted,
	      "<tiptop>\n\t<screen name='s'>\n\t\t<counter alias=\"X\" event=\"cycles\"/>\n"
	      "\t\t<column header=\"XS\" format=\"%f\" expr=\"delta(X)\"/>\n\t</screen>\n"
	      "</tiptop>");
	saves("a counter stands before columns", three, counted,
	      "<tiptop>\n<screen name='s'>\n  <counter alias=\"X\" event=\"cycles\"/>\n "
	      " " COLUMN("A") "\n  " COLUMN("B") " <!-- b\n goes on -->\n\n  " COLUMN(
		      "C") "\n  "
			   "<column "
			   "header="
			   "\"XS\" "
			   "format=\"%"
			   "f\" "
			   "expr="
			   "\"delta(X)"
			   "\"/>\n</"
			   "screen>\n<"
			   "/tiptop>"
			   "\n");
	saves("a counter and a column instead of the only column",
	      "<tiptop><screen> " COLUMN("A") " </screen></tiptop>", counted_instead,
	      "<tiptop><screen><counter alias=\"X\" event=\"cycles\"/> <column header=\"XS\" "
	      "format=\"%f\" expr=\"delta(X)\"/> </screen></tiptop>");
	saves("a counter and a column instead of the only column, which begins a line",
	      "<tiptop><screen>\n " COLUMN("A") " </screen></tiptop>", counted_instead,
	      "<tiptop><screen>\n <counter alias=\"X\" event=\"cycles\"/>\n \n <column "
	      "header=\"XS\" format=\"%f\" expr=\"delta(X)\"/></screen></tiptop>");
	saves("in a name space",
	      "<t:tiptop xmlns:t='http://x/'>\r<t:screen>\r<t:column header='A' t:expr='&lt;>' "
	      "format='%f' expr='CPU_TOT'></t:column>\r</t:screen>\r</t:tiptop>",
	      one_more_column,
	      "<t:tiptop xmlns:t='http://x/'>\r<t:screen>\r<t:column header='A' t:expr='&lt;>' "
	      "format='%f' expr='CPU_TOT'></t:column>\r<t:column header=\"NEW\" format=\"%f\" "
	      "expr=\"CPU_SYS\"/>\r</t:screen>\r</t:tiptop>");
}

static void test_screens(void)
{
	saves("a screen more, behind the others",
	      "<tiptop>\n  <screen name='a'>\n\t" COLUMN("A") "\n  </screen>\n  <!-- end -->\n"
							      "  <keys set='htop'/>\n</tiptop>",
	      own_screen,
	      "<tiptop>\n  <screen name='a'>\n\t" COLUMN(
		      "A") "\n  </screen>\n"
			   "  <screen name=\"mine\" desc=\"what I want\" replace=\"yes\">\n"
			   "    <column header=\"C\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n  "
			   "</screen>\n"
			   "  <!-- end -->\n  <keys set='htop'/>\n</tiptop>");
	saves("the first one",
	      "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <screen> -->\n<tiptop>\n<keys "
	      "set='htop'/>\n</tiptop>",
	      own_screen,
	      "\xef\xbb\xbf<?xml version='1.0'?>\n<!-- <screen> -->\n<tiptop>\n<keys "
	      "set='htop'/>\n<screen name=\"mine\" desc=\"what I want\" replace=\"yes\">\n"
	      "<column header=\"C\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n</screen>\n</tiptop>");
	saves("another order, by as few moves as can be",
	      "<tiptop>\n<screen name='a'/>\n<screen name='b'/>\n<!-- c -->\n<screen name='c'/>\n"
	      "<screen name='a'/>\n</tiptop>",
	      last_screen_first,
	      "<tiptop>\n<screen name='a'/>\n<screen name='a'/>\n<screen name='b'/>\n<!-- c -->\n"
	      "<screen name='c'/>\n</tiptop>");
	saves("another order, and options before it",
	      "<tiptop> <screen name='a'/> <screen name='b'/></tiptop>", other_order_and_idle,
	      "<tiptop><options><option name=\"idle\" value=\"1\"/></options> <screen name='b'/> "
	      "<screen name='a'/></tiptop>");
	saves("a screen less",
	      "<tiptop><!-- x -->\n<screen name='a'>\n" COLUMN("A") "\n</screen>  \n<!-- y -->"
								    "</tiptop>",
	      no_screen, "<tiptop><!-- x -->\n<!-- y --></tiptop>");
	saves("a first attribute", "<tiptop><screen>" COLUMN("A") "</screen></tiptop>", idle_screen,
	      "<tiptop><screen idle=\"yes\">" COLUMN("A") "</screen></tiptop>");
	saves("what is no state stays",
	      "<tiptop> text <other a='1'/><screen><column header='x'/>" COLUMN(
		      "A") "<![CDATA[<column>]]><?x <column "
			   "?><unknown><column/></unknown></screen></tiptop>",
	      other_header,
	      "<tiptop> text <other a='1'/><screen><column header='x'/><column header='\"A&apos; "
	      "\303\251' format='%f' expr='CPU_TOT'/><![CDATA[<column>]]><?x <column "
	      "?><unknown><column/></unknown></screen></tiptop>");
}

/* Writing is refused, and the file is not changed. */
static void test_refused(void)
{
	static const char text[] = "<tiptop><options/></tiptop>";
	static const char wide[] = "\xff\xfe<\0t\0i\0p\0t\0o\0p\0/\0>\0";
	struct err err = ERR_INIT;
	struct conf_base base;
	struct state s;
	char got[64];

	save_begin(&s, &base, "rc", text, strlen(text));
	slower(&s);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, false, &err), -EEXIST,
		"it is not changed unasked");
	save_put("rc", "<tiptop/>", 9);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), -ESTALE,
		"another program has changed it");
	tap_str(err.text,
		"'rc' was changed by another program since it was read: write to another file, "
		"or start tiptop again to read what it says now",
		"which is said");
	save_get("rc", got, sizeof got);
	tap_str(got, "<tiptop/>", "and it is left alone");
	unlink("rc");
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, false, &err), 0,
		"where another program has removed it, it is there again");
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, false, &err),
		CONF_SAME, "with all of it");
	state_done(&s);
	conf_base_done(&base);

	save_begin(&s, &base, "rc", wide, sizeof wide - 1);
	slower(&s);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), -ENOTSUP,
		"UTF-16 is refused");
	tap_str(err.text,
		"'rc' is in an encoding in which it cannot be changed: convert it to UTF-8 with "
		"iconv(1)",
		"with the remedy");
	state_done(&s);
	conf_base_done(&base);
}

/* Writing to another file copies the whole file with the change. The original remains the user's
 * own file. */
static void test_elsewhere(void)
{
	static const char text[] = "<tiptop><!-- c --><options/></tiptop>";
	struct err err = ERR_INIT;
	struct conf_base base;
	struct state s;
	struct stat st;
	char got[256];

	save_begin(&s, &base, "rc", text, strlen(text));
	slower(&s);
	tap_int(conf_write("other", (struct conf_state[]){state_of(&s)}, &base, false, &err), 0,
		"to another file");
	save_get("other", got, sizeof got);
	tap_str(got,
		"<tiptop><!-- c --><options><option name=\"delay\" "
		"value=\"7\"/></options></tiptop>",
		"goes all of it");
	save_get("rc", got, sizeof got);
	tap_str(got, text, "the own one stays");
	if (symlink("rc", "link") || chmod("rc", 0640))
		tap_ok(false, "a link");
	tap_int(conf_write("link", (struct conf_state[]){state_of(&s)}, &base, true, &err), 0,
		"it is known by another name, too");
	tap_ok(!lstat("link", &st) && S_ISLNK(st.st_mode), "the link stays");
	tap_ok(!stat("rc", &st) && (st.st_mode & 07777) == 0640, "and the mode of the file");
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), CONF_SAME,
		"and it has all of it");
	state_done(&s);
	conf_base_done(&base);
	unlink("link");
	unlink("other");
}

/* If there was no file, the first one written becomes the user's own file. */
static void test_first(void)
{
	struct err err = ERR_INIT;
	struct conf_base base;
	struct state s;
	char got[512];

	unlink("rc");
	state_init(&s);
	conf_base_init(&base);
	own_screen(&s);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, false, &err), 0,
		"a first file");
	tap_str(base.path, "rc", "is the own one then");
	one_more_column(&s);
	tap_int(conf_write("rc", (struct conf_state[]){state_of(&s)}, &base, true, &err), 0,
		"in which things change");
	save_get("rc", got, sizeof got);
	tap_str(got,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<!-- Written by tiptop; see tiptoprc(5). -->\n<tiptop>\n  <options>\n  "
		"</options>\n"
		"  <screen name=\"mine\" desc=\"what I want\" replace=\"yes\">\n"
		"    <column header=\"C\" format=\"%5.1f\" expr=\"CPU_TOT\"/>\n"
		"    <column header=\"NEW\" format=\"%f\" expr=\"CPU_SYS\"/>\n  </screen>\n"
		"</tiptop>\n",
		"as in any other");
	state_done(&s);
	conf_base_done(&base);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);

	if (!mkdtemp(dir) || chdir(dir)) {
		tap_ok(false, "a folder to work in");
		return tap_done();
	}
	test_options();
	test_new_options();
	test_attributes();
	test_columns();
	test_screens();
	test_refused();
	test_elsewhere();
	test_first();
	unlink("rc");
	tap_int(rmdir(dir), 0, "nothing was left behind");
	free(dir);
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of a written configuration, and the replacement of the file. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/write.h"
#include "screen/compile.h"
#include "write_rig.h"

static const char small_file[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!-- Written by tiptop; see tiptoprc(5). -->\n"
	"<tiptop>\n"
	"  <options>\n"
	"    <option name=\"delay\" value=\"0.1\"/>\n"
	"    <option name=\"only_name\" value=\"a&lt;b&gt;&amp;&quot;c&quot;&#10;'d'\"/>\n"
	"    <option name=\"only_uid\" value=\"root\"/>\n"
	"    <option name=\"idle\" value=\"1\"/>\n"
	"    <option name=\"screen\" value=\"L1\"/>\n"
	"    <option name=\"sort_column\" value=\"%MISS\"/>\n"
	"    <option name=\"ascending\" value=\"1\"/>\n"
	"    <option name=\"watch_name\" value=\"42\"/>\n"
	"  </options>\n"
	"  <keys set=\"htop\"/>\n"
	"  <key name=\"&lt;\" action=\"sort-left\"/>\n"
	"  <screen name=\"L1\" desc=\"First &amp; \303\251\">\n"
	"    <counter alias=\"A\" config=\"L1D | (OP_READ shl 8)\" type=\"HW_CACHE\" "
	"arch=\"x86\" model=\"06_1A;06_1E\"/>\n"
	"    <counter alias=\"A\" event=\"FP_ASSIST:ANY\"/>\n"
	"    <column header=\"%CPU\" format=\"%5h\" unit=\"ratio\" desc=\"CPU\" "
	"expr=\"CPU_TOT\"/>\n"
	"    <column id=\"a_counter\" header=\"   A\" format=\"%5.1f\" expr=\"delta(A)\"/>\n"
	"  </screen>\n"
	"</tiptop>\n";

/* Makes the state of the file above, and adds data that are not written. */
static void make_small(struct state *s)
{
	struct screen *screen = screen_new("L1", "First & \303\251");
	struct counter_decl *c =
		screen_add_counter(screen, "A", "L1D | (OP_READ shl 8)", "HW_CACHE");
	struct err err = ERR_INIT;
	struct strbuf faults;

	strbuf_init(&faults);
	state_init(s);
	s->options.delay_s = 0.1;
	s->options.pid = xstrdup("a<b>&\"c\"\n'd'");
	s->options.user = xstrdup("root");
	s->options.idle = s->options.ascending = s->options.batch = true;
	s->options.screen = xstrdup("L1");
	s->options.sort_column = xstrdup("%MISS");
	s->options.watch = xstrdup("42");
	options_add_key(&s->options, "htop", NULL, NULL, 7);
	options_add_key(&s->options, NULL, "<", "sort-left", 8);
	s->options.iterations = 7;
	s->options.output = xstrdup("out");
	s->options.conf_path = xstrdup("rc");
	c->arch = xstrdup("x86");
	c->model = xstrdup("06_1A;06_1E");
	screen_add_counter(screen, "A", "", NULL)->event = xstrdup("FP_ASSIST:ANY");
	screen_add_column(screen, "%CPU", "%5h", "CPU", "CPU_TOT")->unit_name = xstrdup("ratio");
	screen_give_id(screen_add_column(screen, "   A", "%5.1f", NULL, "delta(A)"), "a_counter");
	screen->file = xstrdup("f");
	screen_list_add(&s->screens, screen_new("built in", "is not written"));
	screen_list_add(&s->screens, screen);
	tap_int(screen_compile(screen, note, &faults, &err), 0, "a screen that is shown");
	strbuf_done(&faults);
}

static void test_format(void)
{
	struct state s;
	struct strbuf out;

	strbuf_init(&out);
	make_small(&s);
	conf_format(&out, (struct conf_state[]){state_of(&s)});
	tap_str(out.text, small_file, "what is written");
	state_done(&s);
	state_init(&s);
	strbuf_reset(&out);
	conf_format(&out, (struct conf_state[]){state_of(&s)});
	tap_ok(strstr(out.text, "<option ") == NULL, "of the defaults, nothing");
	state_done(&s);
	strbuf_done(&out);
}

/* The user's own file is written completely, also the parts that are not for this machine. Parts
 * from files that only add to it are not written. */
static const char whole_file[] =
	"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	"<!-- Written by tiptop; see tiptoprc(5). -->\n"
	"<tiptop>\n"
	"  <options>\n"
	"  </options>\n"
	"  <cpu name=\"mine\" models=\"zen4;06_97@cpu_core\" source=\"a manual\"/>\n"
	"  <cpu name=\"zen5\" models=\"1A_02\" replace=\"yes\"/>\n"
	"  <event name=\"own-misses\" unit=\"misses\" desc=\"what it counts\">\n"
	"    <for arch=\"x86\" model=\"mine\" event=\"A:B; r1\" name=\"A.B\" source=\"a "
	"manual\"/>\n"
	"    <for event=\"cycles\" weight=\"5\" code=\"r3c\"/>\n"
	"  </event>\n"
	"  <event name=\"l1d-misses\" unit=\"events\" desc=\"l1d-misses\" replace=\"yes\">\n"
	"  </event>\n"
	"  <screen name=\"s\" desc=\"d\" needs=\"it needs much\" rows=\"region\" idle=\"yes\" "
	"replace=\"yes\">\n"
	"    <counter alias=\"a\" event=\"own-misses\" model=\"mine\"/>\n"
	"    <column header=\"A\" format=\"%f\" optional=\"yes\" priority=\"2\" expr=\"a\"/>\n"
	"    <column header=\"B\" format=\"%f\" expr=\"CPU_TOT\"/>\n"
	"    <column header=\"of B\" format=\"%f\" spark=\"B\" scale=\"column\"/>\n"
	"  </screen>\n"
	"  <screen name=\"hidden\" desc=\"d\">\n"
	"    <column header=\"B\" format=\"%f\" expr=\"CPU_TOT\"/>\n"
	"  </screen>\n"
	"</tiptop>\n";

static void test_whole(void)
{
	struct screen_list added = SCREEN_LIST_INIT;
	struct strbuf out, faults;
	struct state s;

	strbuf_init(&out);
	strbuf_init(&faults);
	read_state(&s, whole_file, strlen(whole_file), &faults);
	tap_str(faults.text, "", "it is read without a fault");
	screen_list_add(&added, screen_new("added", "d"));
	added.v[0]->file = xstrdup("x.xml");
	added.v[0]->from_folder = true;
	screen_list_add(&s.screens, added.v[0]);
	conf_format(&out, (struct conf_state[]){state_of(&s)});
	tap_str(out.text, whole_file, "all of the own file, as it was declared");
	free(added.v);
	strbuf_done(&faults);
	strbuf_done(&out);
	state_done(&s);
}

/* Texts that XML cannot contain: conf_write() refuses them, conf_format() replaces characters. */
static void test_unholdable(void)
{
	static const char *const texts[] = {
		"a\001b",    "\033[2J",      "\377",         "\303",
		"\300\257",  "\355\240\200", "\357\277\277", "\364\220\200\200",
		"\341\200x", "\340\200\257", "\200",         "\370\210\200\200\200"};
	struct strbuf out, faults;

	strbuf_init(&out);
	strbuf_init(&faults);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err err = ERR_INIT;
		struct conf_base none;
		struct state s, after;

		conf_base_init(&none);
		state_init(&s);
		s.options.watch = xstrdup(texts[i]);
		tap_int(conf_write("never", (struct conf_state[]){state_of(&s)}, &none, false,
				   &err),
			-EILSEQ, "text %zu is refused", i);
		tap_str(err.text,
			"the task to watch contains a character that no configuration file can "
			"hold: change it first",
			"with a sentence");
		strbuf_reset(&out);
		conf_format(&out, (struct conf_state[]){state_of(&s)});
		read_state(&after, out.text, out.len, &faults);
		state_done(&after);
		state_done(&s);
		conf_base_done(&none);
	}
	tap_str(faults.text, "", "their text would be XML all the same");
	tap_ok(access("never", F_OK) != 0, "nothing was written");
	strbuf_done(&out);
	strbuf_done(&faults);
}

static void put_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text) || close(fd))
		tap_ok(false, "a file to write over: %s", path);
}

static void check_file(const char *path, const char *want, const char *what)
{
	char got[4096] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	tap_ok(fd >= 0 && read(fd, got, sizeof got - 1) >= 0, "%s is there", path);
	tap_str(got, want, "%s", what);
	close(fd);
}

/* Writes the small state. Checks the return value and the beginning of the error message. */
static void check_write(const char *path, bool overwrite, int rc, const char *sentence,
			const char *what)
{
	struct err err = ERR_INIT;
	struct conf_base none;
	struct state s;

	make_small(&s);
	conf_base_init(&none);
	tap_int(conf_write(path, (struct conf_state[]){state_of(&s)}, &none, overwrite, &err), rc,
		"%s", what);
	conf_base_done(&none);
	tap_ok(!strncmp(err.text, sentence, strlen(sentence)) && !err.text[0] == !sentence[0],
	       "its sentence: %s", err.text);
	state_done(&s);
}

static void test_files(void)
{
	mode_t mask = umask(041);
	struct stat st;

	check_write("rc", false, 0, "", "a new file");
	check_file("rc", small_file, "has it all");
	tap_ok(!stat("rc", &st) && (st.st_mode & 07777) == 0604, "its mode is 0644 less the umask");
	tap_int(umask(mask), 041, "the umask is what it was");
	put_file("rc", "mine");
	check_write("rc", false, -EEXIST, "'rc' already exists", "an existing file");
	check_file("rc", "mine", "is left alone");
	check_write("rc", true, 0, "", "overwriting it");
	check_file("rc", small_file, "replaces it");
	unlink("rc");
	check_write("rc", true, 0, "", "overwriting where there is nothing");
	unlink("rc");
	check_write("none/rc", false, -ENOENT,
		    "cannot write 'none/rc': ", "a folder that is not there");
	mkdir("dir", 0755);
	check_write("dir", true, -EISDIR, "'dir' is a folder: name a file in it",
		    "a folder, overwriting");
	check_write("dir/rc", false, 0, "", "a file in a folder");
	unlink("dir/rc");
	rmdir("dir");
	mkfifo("pipe", 0600);
	check_write("pipe", true, -EINVAL, "'pipe' is not a regular file", "a pipe");
	unlink("pipe");
}

static void test_links(void)
{
	struct stat st;

	put_file("target", "mine");
	if (symlink("target", "link") || symlink("nothing", "dangling"))
		tap_ok(false, "links");
	check_write("link", false, -EEXIST, "'link' already exists", "a link");
	check_write("dangling", false, -EEXIST, "'dangling' already exists", "a link to nothing");
	check_file("target", "mine", "what it leads to is left alone");
	check_write("link", true, 0, "", "overwriting a link");
	check_file("target", small_file, "replaces what it leads to");
	tap_ok(!lstat("link", &st) && S_ISLNK(st.st_mode), "the link stays");
	check_write("dangling", true, -ENOENT,
		    "cannot follow the symbolic link 'dangling': ", "overwriting nothing");
	put_file("target", "mine");
	if (lchown("link", getuid() + 1, getgid())) {
		tap_ok(true, "another user's link # SKIP only root can make one");
	} else {
		check_write("link", true, -EPERM,
			    "'link' is a symbolic link of another user: name a regular file",
			    "another user's link");
		check_file("target", "mine", "what it leads to is left alone");
	}
	unlink("link");
	unlink("dangling");
	unlink("target");
}

/* The disk becomes full while writing, simulated by a limit on the size of files. */
static void test_full(void)
{
	struct rlimit old, small = {100, RLIM_INFINITY};

	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	put_file("rc", "mine");
	setrlimit(RLIMIT_FSIZE, &small);
	check_write("rc", true, -EFBIG,
		    "cannot write 'rc': ", "a file that cannot be written to its end");
	check_write("new", false, -EFBIG, "cannot write 'new': ", "a new one");
	setrlimit(RLIMIT_FSIZE, &old);
	check_file("rc", "mine", "the old one stays as it was");
	tap_ok(access("new", F_OK) != 0, "of the new one nothing is there");
	unlink("rc");
}

int main(void)
{
	test_whole();
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);

	test_format();
	if (!mkdtemp(dir) || chdir(dir)) {
		tap_ok(false, "a folder to work in");
		return tap_done();
	}
	test_unholdable();
	test_files();
	test_links();
	test_full();
	tap_int(rmdir(dir), 0, "nothing was left behind");
	free(dir);
	return tap_done();
}

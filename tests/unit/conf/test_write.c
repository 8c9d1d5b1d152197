/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written is read as the same state, and written again as the same file. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/write.h"
#include "conf/xml.h"
#include "tap.h"

#define N_STATES 400

static void note(void *context, int line, const struct err *err)
{
	strbuf_addf(context, "%d: %s\n", line, err->text);
}

/* Options and screens, as W finds them. */
struct state {
	struct options options;
	struct screen_list screens;
};

static void state_init(struct state *s)
{
	options_init(&s->options);
	s->screens = (struct screen_list)SCREEN_LIST_INIT;
}

static void state_done(struct state *s)
{
	options_done(&s->options);
	screen_list_done(&s->screens);
}

static void read_state(struct state *s, const char *text, size_t len, struct strbuf *faults)
{
	int fd = memfd_create("state", MFD_CLOEXEC);
	struct err err = ERR_INIT;

	state_init(s);
	if (write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))
		tap_ok(false, "a file in memory");
	if (conf_read(fd, "f", &s->options, &s->screens, note, faults, &err))
		strbuf_addstr(faults, err.text);
	close(fd);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Whether the field of this row is equal in both; what belongs to one run is not compared. */
static bool same_field(const struct option_row *row, const struct options *a, const struct options *b)
{
	const char *fa = (const char *)a + row->offset, *fb = (const char *)b + row->offset;

	if (!row->conf_name || row->writing == WRITE_NEVER)
		return true;
	switch (row->kind) {
	case OPTION_TOGGLE:
	case OPTION_FLAG:
		return *(const bool *)fa == *(const bool *)fb;
	case OPTION_DOUBLE:
		return *(const double *)fa == *(const double *)fb;
	case OPTION_STRING:
		return same_text(*(char *const *)fa, *(char *const *)fb);
	default:
		return true;
	}
}

static bool same_screen(const struct screen *a, const struct screen *b)
{
	bool same = same_text(a->name, b->name) && same_text(a->desc, b->desc) && a->n_counters == b->n_counters &&
		    a->n_columns == b->n_columns;

	for (size_t i = 0; same && i < a->n_counters; i++) {
		const struct counter_decl *x = &a->counter[i], *y = &b->counter[i];

		same = same_text(x->alias, y->alias) && same_text(x->event, y->event) &&
		       same_text(x->config, y->config) && same_text(x->type, y->type) && same_text(x->arch, y->arch) &&
		       same_text(x->model, y->model);
	}
	for (size_t i = 0; same && i < a->n_columns; i++) {
		const struct column *x = &a->column[i], *y = &b->column[i];

		same = same_text(x->header, y->header) && same_text(x->format, y->format) &&
		       same_text(x->desc, y->desc) && same_text(x->text, y->text);
	}
	return same;
}

/* The user's screens of both, in their order. */
static bool same_state(const struct state *a, const struct state *b)
{
	size_t k = 0;

	for (size_t i = 0; i < option_table_n; i++)
		if (!same_field(&option_table[i], &a->options, &b->options))
			return false;
	for (size_t i = 0; i < a->screens.n; i++) {
		if (!a->screens.v[i]->file)
			continue;
		if (k == b->screens.n || !same_screen(a->screens.v[i], b->screens.v[k++]))
			return false;
	}
	return k == b->screens.n;
}

/* Numbers that are the same in each run (Numerical Recipes' generator). */
static unsigned next(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 16) % below;
}

/* Texts that try to break out of an attribute. blank: control characters are left out, as reading does in screens. */
static char *hard_text(unsigned *seed, bool blank)
{
	static const char *const piece[] = {"a",
					    " ",
					    "&",
					    "<",
					    ">",
					    "\"",
					    "'",
					    "&lt;",
					    "]]>",
					    "<!--",
					    "\303\251",
					    "\342\202\254",
					    "\360\237\220\247",
					    "%",
					    "/>",
					    "&#9;",
					    "\\",
					    "0",
					    "\n",
					    "\t",
					    "\r"};
	const unsigned n_pieces = sizeof piece / sizeof *piece;
	unsigned n = 1 + next(seed, 6);
	struct strbuf text;

	strbuf_init(&text);
	strbuf_addch(&text, 'x'); /* "0" and "-1" have a meaning of their own */
	while (n--)
		strbuf_addstr(&text, piece[next(seed, blank ? n_pieces - 3 : n_pieces)]);
	return text.text;
}

static char *maybe_text(unsigned *seed, bool blank)
{
	return next(seed, 2) ? hard_text(seed, blank) : NULL;
}

static void add_hard_screen(struct state *s, unsigned *seed)
{
	char *t[4];
	struct screen *screen;

	for (size_t i = 0; i < 4; i++)
		t[i] = hard_text(seed, true);
	screen = screen_new(t[0], t[1]);
	screen->file = next(seed, 4) ? xstrdup("f") : NULL;
	for (unsigned n = next(seed, 4); n > 0; n--) {
		struct counter_decl *c = screen_add_counter(screen, t[2], "", NULL);

		c->event = maybe_text(seed, true);
		if (!c->event) {
			free(c->config);
			c->config = hard_text(seed, true);
			c->type = hard_text(seed, true);
		}
		c->arch = maybe_text(seed, true);
		c->model = next(seed, 2) ? xstrdup("06_1A;06_1E") : NULL;
	}
	for (unsigned n = next(seed, 4); n > 0; n--)
		screen_add_column(screen, t[3], t[2], next(seed, 2) && strcmp(t[0], t[1]) ? t[0] : NULL, t[1]);
	screen_list_add(&s->screens, screen);
	for (size_t i = 0; i < 4; i++)
		free(t[i]);
}

static void make_state(struct state *s, unsigned *seed)
{
	static const double numbers[] = {2, 0.01, 0.1, 1.0 / 3, 86400, 12345.678, 1e-5, 0};
	struct options *o = &s->options;

	state_init(s);
	for (size_t i = 0; i < option_table_n; i++) {
		const struct option_row *row = &option_table[i];
		void *field = (char *)o + row->offset;

		if ((row->kind == OPTION_TOGGLE || row->kind == OPTION_FLAG) && next(seed, 2))
			*(bool *)field = true;
		if (row->kind == OPTION_STRING && next(seed, 3) == 0) {
			free(*(char **)field);
			*(char **)field = next(seed, 2) ? hard_text(seed, false) : xasprintf("%u", 1 + next(seed, 999));
		}
	}
	o->delay_s = numbers[next(seed, 6)];
	o->cpu_min = numbers[next(seed, 8)];
	o->iterations = next(seed, 3);
	for (unsigned n = next(seed, 4); n > 0; n--)
		add_hard_screen(s, seed);
}

static void test_round_trip(void)
{
	unsigned seed = 42, n_wrong = 0, n_changed = 0;
	struct strbuf first, second, faults;

	strbuf_init(&first);
	strbuf_init(&second);
	strbuf_init(&faults);
	for (int i = 0; i < N_STATES; i++) {
		struct state before, after;

		strbuf_reset(&first);
		strbuf_reset(&second);
		make_state(&before, &seed);
		conf_format(&first, &before.options, &before.screens);
		read_state(&after, first.text, first.len, &faults);
		conf_format(&second, &after.options, &after.screens);
		n_wrong += !same_state(&before, &after);
		n_changed += strcmp(first.text, second.text) != 0;
		state_done(&before);
		state_done(&after);
	}
	tap_str(faults.text, "", "all that is written is read without a fault");
	tap_int(n_wrong, 0, "as the state that it was");
	tap_int(n_changed, 0, "and written as the same file");
	strbuf_done(&first);
	strbuf_done(&second);
	strbuf_done(&faults);
}

static const char small_file[] = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
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
				 "  <screen name=\"L1\" desc=\"First &amp; \303\251\">\n"
				 "    <counter alias=\"A\" config=\"L1D | (OP_READ shl 8)\" type=\"HW_CACHE\" "
				 "arch=\"x86\" model=\"06_1A;06_1E\"/>\n"
				 "    <counter alias=\"A\" event=\"FP_ASSIST:ANY\"/>\n"
				 "    <column header=\" %CPU\" format=\"%5.1f\" desc=\"CPU usage\" expr=\"CPU_TOT\"/>\n"
				 "    <column id=\"a_counter\" header=\"   A\" format=\"%5.1f\" expr=\"delta(A)\"/>\n"
				 "  </screen>\n"
				 "</tiptop>\n";

/* The state of the file above, compiled, with all that is not written. */
static void make_small(struct state *s)
{
	struct screen *screen = screen_new("L1", "First & \303\251");
	struct counter_decl *c = screen_add_counter(screen, "A", "L1D | (OP_READ shl 8)", "HW_CACHE");
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
	s->options.iterations = 7;
	s->options.output = xstrdup("out");
	s->options.conf_path = xstrdup("rc");
	c->arch = xstrdup("x86");
	c->model = xstrdup("06_1A;06_1E");
	screen_add_counter(screen, "A", "", NULL)->event = xstrdup("FP_ASSIST:ANY");
	screen_add_column(screen, " %CPU", "%5.1f", "CPU usage", "CPU_TOT");
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
	conf_format(&out, &s.options, &s.screens);
	tap_str(out.text, small_file, "what is written");
	state_done(&s);
	state_init(&s);
	strbuf_reset(&out);
	conf_format(&out, &s.options, &s.screens);
	tap_ok(strstr(out.text, "<option ") == NULL, "of the defaults, nothing");
	state_done(&s);
	strbuf_done(&out);
}

/* The example that is shipped loses its comments, not its screens. */
static void test_example(void)
{
	const char *dir = getenv("srcdir");
	char *path = xasprintf("%s/tiptoprc.example", dir ? dir : ".");
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct state before, after;
	struct strbuf text, faults;
	struct err err = ERR_INIT;

	strbuf_init(&text);
	strbuf_init(&faults);
	state_init(&before);
	tap_int(conf_read(fd, path, &before.options, &before.screens, note, &faults, &err), 0, "the example is read");
	conf_format(&text, &before.options, &before.screens);
	read_state(&after, text.text, text.len, &faults);
	tap_str(faults.text, "", "and read again after writing");
	tap_ok(before.screens.n > 3 && same_state(&before, &after), "as the same");
	state_done(&before);
	state_done(&after);
	strbuf_done(&text);
	strbuf_done(&faults);
	close(fd);
	free(path);
}

/* Texts that XML cannot hold: refused by conf_write(), harmless in conf_format(). */
static void test_unholdable(void)
{
	static const char *const texts[] = {"a\001b",    "\033[2J",      "\377",         "\303",
					    "\300\257",  "\355\240\200", "\357\277\277", "\364\220\200\200",
					    "\341\200x", "\340\200\257", "\200",         "\370\210\200\200\200"};
	struct strbuf out, faults;

	strbuf_init(&out);
	strbuf_init(&faults);
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct err err = ERR_INIT;
		struct state s, after;

		state_init(&s);
		s.options.watch = xstrdup(texts[i]);
		tap_int(conf_write("never", &s.options, &s.screens, false, &err), -EILSEQ, "text %zu is refused", i);
		tap_str(err.text,
			"the task to watch contains a character that no configuration file can hold: change it first",
			"with a sentence");
		strbuf_reset(&out);
		conf_format(&out, &s.options, &s.screens);
		read_state(&after, out.text, out.len, &faults);
		state_done(&after);
		state_done(&s);
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

/* Writes the small state; what comes back is the code, and the beginning of the sentence is as wanted. */
static void check_write(const char *path, bool overwrite, int rc, const char *sentence, const char *what)
{
	struct err err = ERR_INIT;
	struct state s;

	make_small(&s);
	tap_int(conf_write(path, &s.options, &s.screens, overwrite, &err), rc, "%s", what);
	tap_ok(!strncmp(err.text, sentence, strlen(sentence)) && !err.text[0] == !sentence[0], "its sentence: %s",
	       err.text);
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
	check_write("rc", false, -EEXIST, "'rc' is there already", "an existing file");
	check_file("rc", "mine", "is left alone");
	check_write("rc", true, 0, "", "overwriting it");
	check_file("rc", small_file, "replaces it");
	unlink("rc");
	check_write("rc", true, 0, "", "overwriting where there is nothing");
	unlink("rc");
	check_write("none/rc", false, -ENOENT, "cannot write 'none/rc': ", "a folder that is not there");
	mkdir("dir", 0755);
	check_write("dir", true, -EISDIR, "'dir' is a folder: name a file in it", "a folder, overwriting");
	check_write("dir/rc", false, 0, "", "a file in a folder");
	unlink("dir/rc");
	rmdir("dir");
	mkfifo("pipe", 0600);
	check_write("pipe", true, -EINVAL, "'pipe' is no regular file", "a pipe");
	unlink("pipe");
}

static void test_links(void)
{
	struct stat st;

	put_file("target", "mine");
	if (symlink("target", "link") || symlink("nothing", "dangling"))
		tap_ok(false, "links");
	check_write("link", false, -EEXIST, "'link' is there already", "a link");
	check_write("dangling", false, -EEXIST, "'dangling' is there already", "a link to nothing");
	check_file("target", "mine", "what it leads to is left alone");
	check_write("link", true, 0, "", "overwriting a link");
	check_file("target", small_file, "replaces what it leads to");
	tap_ok(!lstat("link", &st) && S_ISLNK(st.st_mode), "the link stays");
	check_write("dangling", true, -ENOENT, "cannot follow the symbolic link 'dangling': ", "overwriting nothing");
	put_file("target", "mine");
	if (lchown("link", getuid() + 1, getgid())) {
		tap_ok(true, "somebody else's link # SKIP only root can make one");
	} else {
		check_write("link", true, -EPERM, "'link' is a symbolic link of somebody else: name a file",
			    "somebody else's link");
		check_file("target", "mine", "what it leads to is left alone");
	}
	unlink("link");
	unlink("dangling");
	unlink("target");
}

/* A disk that is full in the middle: played by a limit on the size of files. */
static void test_full(void)
{
	struct rlimit old, small = {100, RLIM_INFINITY};

	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	put_file("rc", "mine");
	setrlimit(RLIMIT_FSIZE, &small);
	check_write("rc", true, -EFBIG, "cannot write 'rc': ", "a file that cannot be written to its end");
	check_write("new", false, -EFBIG, "cannot write 'new': ", "a new one");
	setrlimit(RLIMIT_FSIZE, &old);
	check_file("rc", "mine", "the old one stays as it was");
	tap_ok(access("new", F_OK) != 0, "of the new one nothing is there");
	unlink("rc");
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);

	test_round_trip();
	test_format();
	test_example();
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

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * 1,000 random files with a random change each. Without a change, the file is not written. With it,
 * only the lines of the change differ, all comments are kept, and the file is read as the state
 * that was written.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "conf/write.h"
#include "write_rig.h"

#define N_FILES     1000
#define SCREENS_MAX 3
#define PARTS_MAX   5 /* most columns, or counters, of a screen */

/* A generator (Numerical Recipes) whose numbers are the same in each run. */
static unsigned seed = 7;

static unsigned next(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (seed >> 16) % below;
}

static const char *one_of(const char *const *texts, unsigned n)
{
	return texts[next(n)];
}

#define ONE_OF(...)                                                                                \
	one_of((const char *const[]){__VA_ARGS__},                                                 \
	       sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

/* A generated file and its style. */
struct file {
	struct strbuf text;
	const char *newline, *indent, *prefix;
	bool tidy; /* each element has a line of its own */
};

/* Adds comments, processing instructions, blanks or unknown elements, all of which reading
 * ignores. */
static void add_noise(struct file *f)
{
	const char *text = ONE_OF("<!-- <column> \"x' -->", "<!--\n-->", "<!---->",
				  "<!-- a & b > -->", "<?x <screen?>", "<?y?>", " ", "\t",
				  "<unknown a='>'/>", "<unknown><column/></unknown>");
	const bool harmless = *text != '<' || text[1] == '!';

	if (!next(3) && (harmless || !f->tidy))
		strbuf_addstr(&f->text, text);
	if (!next(9) && !harmless && f->tidy)
		strbuf_addf(&f->text, "%s%s", f->newline, text);
}

static void end_line(struct file *f)
{
	add_noise(f);
	if (f->tidy || next(2))
		strbuf_addstr(&f->text, f->newline);
	while (!next(4)) {
		add_noise(f);
		strbuf_addstr(&f->text, f->newline);
	}
}

static void begin_line(struct file *f, int depth)
{
	while (depth-- > 0)
		strbuf_addstr(&f->text, f->indent);
}

/* Adds a value with characters that XML escapes, and that reading returns unchanged. */
static void add_value(struct file *f)
{
	strbuf_addch(&f->text, 'v');
	for (unsigned n = next(4); n > 0; n--)
		strbuf_addstr(&f->text, ONE_OF("a", "b c", "&amp;", "&lt;", "&#62;", ">", "&quot;",
					       "&apos;", "%", "&#xe9;", "/>", "-->"));
}

static void add_attr(struct file *f, const char *name, const char *value)
{
	const char quote = next(2) ? '"' : '\'';

	strbuf_addstr(&f->text, ONE_OF(" ", " ", " ", "  ", "\t"));
	if (!f->tidy && !next(4))
		strbuf_addstr(&f->text, f->newline);
	strbuf_addf(&f->text, "%s%s%c", name, ONE_OF("=", "=", " = "), quote);
	if (value)
		strbuf_addstr(&f->text, value);
	else
		add_value(f);
	strbuf_addch(&f->text, quote);
}

struct attr {
	const char *name, *value; /* value: NULL: a random one */
};

/* Adds an element with its attributes in random order. */
static void add_element(struct file *f, int depth, const char *tag, const struct attr *attr,
			size_t n, const char *end)
{
	const size_t first = next((unsigned)n);

	begin_line(f, depth);
	strbuf_addf(&f->text, "<%s%s", f->prefix, tag);
	for (size_t i = 0; i < n; i++)
		add_attr(f, attr[(first + i) % n].name, attr[(first + i) % n].value);
	strbuf_addf(&f->text, "%s%s", next(2) ? " " : "", end);
}

#define ELEMENT(f, depth, tag, end, ...)                                                           \
	add_element(f, depth, tag, (const struct attr[]){__VA_ARGS__},                             \
		    sizeof((const struct attr[]){__VA_ARGS__}) / sizeof(struct attr), end)

static void add_options(struct file *f)
{
	begin_line(f, 1);
	strbuf_addf(&f->text, "<%soptions>", f->prefix);
	end_line(f);
	for (unsigned n = next(4); n > 0; n--) {
		switch (next(5)) {
		case 0:
			ELEMENT(f, 2, "option", "/>", {"name", "delay"}, {"value", "3.50"});
			break;
		case 1:
			ELEMENT(f, 2, "option", "/>", {"name", "idle"}, {"value", "1"});
			break;
		case 2:
			ELEMENT(f, 2, "option", "/>", {"name", "only_name"}, {"value", NULL});
			break;
		case 3:
			ELEMENT(f, 2, "option", "/>", {"name", "no such"}, {"value", NULL});
			break;
		default:
			ELEMENT(f, 2, "option", "/>", {"name", "stick"}, {"value", "0"});
		}
		end_line(f);
	}
	begin_line(f, 1);
	strbuf_addf(&f->text, "</%soptions>", f->prefix);
	end_line(f);
}

static void add_screen(struct file *f)
{
	ELEMENT(f, 1, "screen", ">", {"name", NULL}, {"desc", NULL}, {"idle", "yes"});
	end_line(f);
	for (unsigned n = next(PARTS_MAX); n > 0; n--, end_line(f))
		ELEMENT(f, 2, "counter", "/>", {"alias", NULL}, {"event", NULL});
	for (unsigned n = next(PARTS_MAX); n > 0; n--, end_line(f)) {
		if (next(2))
			ELEMENT(f, 2, "column", "/>", {"header", NULL}, {"format", "%f"},
				{"expr", NULL}, {"desc", NULL}, {"warn", "> 1"});
		else if (next(4))
			ELEMENT(f, 2, "column", "/>", {"header", NULL}, {"format", "%f"},
				{"expr", NULL});
		else
			ELEMENT(f, 2, "column", "/>", {"header", NULL}, {"desc", NULL});
	}
	begin_line(f, 1);
	strbuf_addf(&f->text, "</%sscreen>", f->prefix);
	end_line(f);
}

static void make_file(struct file *f)
{
	*f = (struct file){.newline = ONE_OF("\n", "\n", "\r\n", "\r"),
			   .indent = ONE_OF("", " ", "  ", "\t", "    "),
			   .prefix = ONE_OF("", "", "", "t:"),
			   .tidy = next(2)};
	strbuf_init(&f->text);
	strbuf_addstr(&f->text,
		      ONE_OF("", "", "\xef\xbb\xbf", "<?xml version='1.0'?>\n",
			     "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n",
			     "<?xml version='1.0' encoding='utf-8'?>\n<!-- a configuration -->\n"));
	strbuf_addf(&f->text, "<%stiptop%s>", f->prefix, *f->prefix ? " xmlns:t='t'" : "");
	end_line(f);
	for (unsigned n = next(3); n > 0; n--)
		add_options(f);
	for (unsigned n = next(SCREENS_MAX + 1); n > 0; n--)
		add_screen(f);
	strbuf_addf(&f->text, "</%stiptop>%s", f->prefix, ONE_OF("", "\n", "\r\n\n", "\n\n  "));
}

/* The effect of a random change on a file: the number of lines it removes and adds. gone: -1 if the
 * state has nothing to change in this way. */
struct effect {
	int gone, come;
};

static struct screen *any_screen(struct state *s)
{
	return s->screens.n ? s->screens.v[next((unsigned)s->screens.n)] : NULL;
}

static struct column *any_column(struct state *s)
{
	struct screen *screen = any_screen(s);

	return screen && screen->n_columns ? &screen->column[next((unsigned)screen->n_columns)]
					   : NULL;
}

static struct effect change_option(struct state *s)
{
	s->options.delay_s = 11;
	return (struct effect){1, 3};
}

static struct effect change_flag(struct state *s)
{
	s->options.idle = !s->options.idle;
	return (struct effect){3, 3};
}

static struct effect change_attr(struct state *s)
{
	struct column *c = any_column(s);
	char **text;

	if (!c)
		return (struct effect){-1, 0};
	text = next(2) ? &c->header : next(2) ? &c->warn.text : &c->desc;
	free(*text);
	*text = xstrdup(ONE_OF("\"new\" & '<\303\251>'", "new"));
	return (struct effect){1, 1};
}

static struct effect drop_attr(struct state *s)
{
	struct column *c = any_column(s);

	if (!c || !c->warn.text)
		return (struct effect){-1, 0};
	free(c->warn.text);
	c->warn.text = NULL;
	return (struct effect){1, 1};
}

static struct effect add_column(struct state *s)
{
	struct screen *screen = any_screen(s);
	struct column new;
	size_t at;

	if (!screen)
		return (struct effect){-1, 0};
	at = next((unsigned)screen->n_columns + 1);
	new = *screen_add_column(screen, "N<", "%5.1f", NULL, "\303\251 'x' \"y\"");
	memmove(screen->column + at + 1, screen->column + at,
		(screen->n_columns - 1 - at) * sizeof new);
	screen->column[at] = new;
	return (struct effect){0, 1};
}

static struct effect drop_column(struct state *s)
{
	struct screen *screen = any_screen(s);

	if (!screen || !screen->n_columns)
		return (struct effect){-1, 0};
	screen_drop_column(screen, next((unsigned)screen->n_columns));
	return (struct effect){1, 1}; /* a comment in its line stays */
}

static struct effect move_column(struct state *s)
{
	struct screen *screen = any_screen(s);
	size_t from, to;
	struct column c;

	if (!screen || screen->n_columns < 2)
		return (struct effect){-1, 0};
	from = next((unsigned)screen->n_columns);
	to = (from + 1 + next((unsigned)screen->n_columns - 1)) % screen->n_columns;
	c = screen->column[from];
	memmove(screen->column + from, screen->column + from + 1,
		(screen->n_columns - 1 - from) * sizeof c);
	memmove(screen->column + to + 1, screen->column + to,
		(screen->n_columns - 1 - to) * sizeof c);
	screen->column[to] = c;
	return (struct effect){2, 2};
}

static struct effect add_screen_to(struct state *s)
{
	struct screen *screen = screen_new("new", "\303\251");

	screen->file = xstrdup("rc");
	screen_add_counter(screen, "A", "", NULL)->event = xstrdup("cycles");
	screen_add_column(screen, "A", "%f", NULL, "delta(A)");
	screen_list_add(&s->screens, screen);
	return (struct effect){0, 4};
}

static struct effect move_screen(struct state *s)
{
	struct screen *first = s->screens.n > 1 ? s->screens.v[0] : NULL;

	if (!first)
		return (struct effect){-1, 0};
	memmove(s->screens.v, s->screens.v + 1, (s->screens.n - 1) * sizeof first);
	s->screens.v[s->screens.n - 1] = first;
	return (struct effect){1000, 1000};
}

static struct effect (*const changes[])(struct state *s) = {
	change_option, change_flag, change_attr, drop_attr,     add_column,
	drop_column,   move_column, move_screen, add_screen_to,
};

static char *next_line(char **at)
{
	char *line = *at, *end = line + strcspn(line, "\r\n");

	if (!*line)
		return NULL;
	*at = end + (end[0] == '\r' && end[1] == '\n' ? 2 : *end != '\0');
	*end = '\0';
	return line;
}

static size_t split(char *text, char ***lines)
{
	size_t n = 0, cap = 0;
	char *line;

	*lines = NULL;
	while ((line = next_line(&text))) {
		*lines = xgrow(*lines, &cap, n + 1, sizeof **lines);
		(*lines)[n++] = line;
	}
	return n;
}

/* Returns how many lines of a are not in b in the same order (by the longest common
 * subsequence). */
static int count_missing(char *const *a, size_t n, char *const *b, size_t m)
{
	size_t *best = xcalloc((n + 1) * (m + 1), sizeof *best), common;

	for (size_t i = n; i-- > 0;)
		for (size_t k = m; k-- > 0;) {
			const size_t down = best[(i + 1) * (m + 1) + k],
				     right = best[i * (m + 1) + k + 1];

			best[i * (m + 1) + k] = !strcmp(a[i], b[k])
							? best[(i + 1) * (m + 1) + k + 1] + 1
						: down > right ? down
							       : right;
		}
	common = best[0];
	free(best);
	return (int)(n - common);
}

static bool keeps_lines(const struct file *f, const char *got, struct effect effect)
{
	char *before = xstrdup(f->text.text), *after = xstrdup(got), **a, **b;
	size_t n = split(before, &a), m = split(after, &b);
	const int gone = count_missing(a, n, b, m), come = count_missing(b, m, a, n);

	free(a);
	free(b);
	free(before);
	free(after);
	return gone <= effect.gone && come <= effect.come;
}

static int count(const char *text, const char *what)
{
	int n = 0;

	while ((text = strstr(text, what)) && ++n)
		text += strlen(what);
	return n;
}

static bool gives(const char *text, const struct state *wanted)
{
	struct strbuf is, wish, faults;
	struct state s;
	bool same;

	strbuf_init(&is);
	strbuf_init(&wish);
	strbuf_init(&faults);
	read_state(&s, text, strlen(text), &faults);
	conf_format(&is, (struct conf_state[]){state_of(&s)});
	conf_format(&wish, (struct conf_state[]){state_of(wanted)});
	same = !strcmp(is.text, wish.text);
	state_done(&s);
	strbuf_done(&is);
	strbuf_done(&wish);
	strbuf_done(&faults);
	return same;
}

static char *get_file(const char *path)
{
	static char text[1 << 16];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = read(fd, text, sizeof text - 1);

	text[n > 0 ? n : 0] = '\0';
	close(fd);
	return text;
}

/* Numbers of failures by kind, and of changes, over all files. */
static int written_unchanged, not_written, lines_changed, comments_lost, read_otherwise, n_changed;

static void try(struct file *f, struct state *s, struct conf_base *base)
{
	struct effect effect = {-1, 0};
	struct err err = ERR_INIT;
	const char *got;

	written_unchanged +=
		conf_write("rc", (struct conf_state[]){state_of(s)}, base, true, &err) != CONF_SAME;
	while (effect.gone < 0)
		effect = changes[next(sizeof changes / sizeof *changes)](s);
	n_changed++;
	if (conf_write("rc", (struct conf_state[]){state_of(s)}, base, true, &err) < 0) {
		printf("# %s\n", err.text);
		tap_show("file", f->text.text);
		not_written++;
		return;
	}
	got = get_file("rc");
	comments_lost += count(got, "<!--") != count(f->text.text, "<!--");
	if (f->tidy && !keeps_lines(f, got, effect)) {
		tap_show("before", f->text.text);
		tap_show("after", got);
		lines_changed++;
	}
	read_otherwise += !gives(got, s);
}

int main(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir = xasprintf("%s/tiptop-test-XXXXXX", parent ? parent : P_tmpdir);
	struct strbuf faults;

	if (!mkdtemp(dir) || chdir(dir)) {
		tap_ok(false, "a folder to work in");
		return tap_done();
	}
	strbuf_init(&faults);
	for (int i = 0; i < N_FILES; i++) {
		struct conf_base base;
		struct state s;
		struct file f;
		int fd;

		make_file(&f);
		fd = open("rc", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
		if (write(fd, f.text.text, f.text.len) != (ssize_t)f.text.len || close(fd))
			tap_ok(false, "a file");
		read_state(&s, f.text.text, f.text.len, &faults);
		conf_base_init(&base);
		conf_base_set(&base, "rc", &f.text);
		try(&f, &s, &base);
		conf_base_done(&base);
		state_done(&s);
		strbuf_done(&f.text);
	}
	tap_ok(!strstr(faults.text, "XML"), "files that can be read");
	tap_int(n_changed, N_FILES, "in each of them something changes");
	tap_int(written_unchanged, 0, "before that, none is written");
	tap_int(not_written, 0, "then all are");
	tap_int(read_otherwise, 0, "and give the state when they are read");
	tap_int(comments_lost, 0, "no comment is lost");
	tap_int(lines_changed, 0, "no other line is changed");
	strbuf_done(&faults);
	unlink("rc");
	tap_int(rmdir(dir), 0, "nothing was left behind");
	free(dir);
	return tap_done();
}

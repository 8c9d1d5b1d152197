/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "conf/xml.h"
#include "screen/compile.h"
#include "tap.h"

/* All results of reading a file. */
struct result {
	struct options options;
	struct screen_list screens;
	struct own_table own;
	struct theme_list themes;
	struct strbuf reports;
	struct err err;
	int rc;
};

static void result_init(struct result *r)
{
	*r = (struct result){.screens = SCREEN_LIST_INIT, .err = ERR_INIT};
	options_init(&r->options);
	own_table_init(&r->own, &event_table_built_in);
	theme_list_add_built_in(&r->themes);
	strbuf_init(&r->reports);
}

static void result_done(struct result *r)
{
	options_done(&r->options);
	screen_list_done(&r->screens);
	own_table_done(&r->own);
	theme_list_done(&r->themes);
	strbuf_done(&r->reports);
}

static void note(void *context, int line, const struct err *err)
{
	struct result *r = context;

	strbuf_addf(&r->reports, "%d %s: %s\n", line, err->code == ENOENT ? "unknown" : "wrong",
		    err->text);
}

static void read_text(struct result *r, const char *path, const char *text, size_t len)
{
	int fd = memfd_create(path, MFD_CLOEXEC);

	result_init(r);
	if (write(fd, text, len) != (ssize_t)len || lseek(fd, 0, SEEK_SET))
		tap_ok(false, "a file in memory");
	r->rc = conf_read(fd, path,
			  &(struct conf_into){.options = &r->options,
					      .screens = &r->screens,
					      .own = &r->own,
					      .themes = &r->themes},
			  note, r, &r->err);
	close(fd);
}

/* The messages of libxml2 on bad XML depend on its version, so only their existence is checked. */
static void add_stable(struct strbuf *out, const char *text)
{
	static const char variable[] = "bad XML: ";
	const char *at = strstr(text, variable);
	const char *tail = at ? at + strlen(variable) : "";

	if (!at || strstr(at, "DOCTYPE") || !strcmp(tail, "\n") || !*tail)
		strbuf_addstr(out, text);
	else
		strbuf_addf(out, "%.*sbad XML: ...%s", (int)(at - text), text,
			    strchr(tail, '\n') ? "\n" : "");
}

static const char *or_none(const char *text)
{
	return text ? text : "(none)";
}

static void dump_column(struct strbuf *out, const struct column *c)
{
	strbuf_addf(out, "  %d: column '%s' '%s' '%s' desc '%s'", c->line, c->header, c->format,
		    c->text, or_none(c->desc));
	if (c->id)
		strbuf_addf(out, " id %s", c->id);
	if (c->unit_name)
		strbuf_addf(out, " unit %s", c->unit_name);
	if (c->priority)
		strbuf_addf(out, " priority %d", c->priority);
	if (c->spark)
		strbuf_addf(out, " spark %s%s", c->spark, c->same_scale ? " by column" : "");
	strbuf_addf(out, "%s\n", c->optional ? " optional" : "");
}

static void dump_table(struct strbuf *out, const struct event_table *t)
{
	for (size_t i = 0; i < t->n_cpus; i++)
		strbuf_addf(out, "%s: cpu '%s' models '%s' source %s\n", t->cpu[i].place,
			    t->cpu[i].name, t->cpu[i].models, or_none(t->cpu[i].source));
	for (size_t i = 0; i < t->n_events; i++) {
		const struct event_def *e = &t->event[i];

		strbuf_addf(out, "%s: event '%s' unit '%s' desc '%s'\n", e->place, e->name, e->unit,
			    e->desc);
		for (size_t k = 0; k < e->n_choices; k++)
			strbuf_addf(out,
				    "  for arch %s model %s: '%s' name %s source %s weight %s code "
				    "%s\n",
				    or_none(e->choice[k].arch), or_none(e->choice[k].model),
				    e->choice[k].event, or_none(e->choice[k].name),
				    or_none(e->choice[k].source), or_none(e->choice[k].weight),
				    or_none(e->choice[k].code));
	}
}

static void dump_themes(struct strbuf *out, const struct theme_list *l)
{
	for (size_t i = 0; i < l->n; i++) {
		const struct theme *t = l->v[i];

		if (!t->place)
			continue;
		strbuf_addf(out, "%s: theme '%s' '%s' like %s%s%s%s\n", t->place, t->name, t->desc,
			    or_none(t->like), t->light ? " light" : "", t->own ? " own" : "",
			    t->replace ? " replaces" : "");
		for (int k = 0; k < N_LOOKS; k++) {
			if (!t->given[k])
				continue;
			strbuf_addf(out, "  look %s fg ", look_table[k].name);
			colour_add(out, t->style[k].fg);
			strbuf_addstr(out, " bg ");
			colour_add(out, t->style[k].bg);
			strbuf_addf(out, " bits %x\n", t->style[k].bits);
		}
	}
}

static void dump(struct strbuf *out, const struct result *r)
{
	const struct options *o = &r->options;

	if (r->rc) {
		strbuf_addstr(out, "error: ");
		add_stable(out, r->err.text);
		strbuf_addch(out, '\n');
	}
	for (const char *line = r->reports.text; *line; line += strcspn(line, "\n") + 1) {
		char *copy = xstrndup(line, strcspn(line, "\n") + 1);

		strbuf_addstr(out, "line ");
		add_stable(out, copy);
		free(copy);
	}
	strbuf_addf(out, "options: batch %d, delay %g, idle %d, pid %s, threads %d\n", o->batch,
		    o->delay_s, o->idle, or_none(o->pid), o->threads);
	dump_table(out, &r->own.table);
	dump_themes(out, &r->themes);
	for (size_t i = 0; i < r->screens.n; i++) {
		const struct screen *s = r->screens.v[i];

		strbuf_addf(out, "%s:%d: screen '%s' '%s'%s%s%s%s\n", s->file, s->line, s->name,
			    s->desc, s->idle ? " idle" : "", s->replace ? " replaces" : "",
			    s->needs ? " needs " : "", s->needs ? s->needs : "");
		for (size_t k = 0; k < s->n_counters; k++)
			strbuf_addf(out,
				    "  %d: counter '%s' event %s config '%s' type %s arch %s model "
				    "%s\n",
				    s->counter[k].line, s->counter[k].alias,
				    or_none(s->counter[k].event), s->counter[k].config,
				    or_none(s->counter[k].type), or_none(s->counter[k].arch),
				    or_none(s->counter[k].model));
		for (size_t k = 0; k < s->n_columns; k++)
			dump_column(out, &s->column[k]);
	}
}

static char *source_path(const char *name)
{
	const char *dir = getenv("srcdir");

	return xasprintf("%s/%s", dir ? dir : ".", name);
}

/* Reads a whole file. Returns false if it cannot be read. */
static bool load(struct strbuf *out, const char *path)
{
	char block[4096];
	size_t n;
	FILE *f = fopen(path, "re");

	strbuf_reset(out);
	if (!f)
		return false;
	while ((n = fread(block, 1, sizeof block, f)) > 0)
		strbuf_add(out, block, n);
	fclose(f);
	return true;
}

/* The result of reading each NAME.tiptoprc is as in NAME.out. */
static void test_golden(void)
{
	char *pattern = source_path("tests/golden/conf/*.tiptoprc");
	struct strbuf text, want, got;
	glob_t files;

	strbuf_init(&text);
	strbuf_init(&want);
	strbuf_init(&got);
	tap_ok(!glob(pattern, 0, NULL, &files) && files.gl_pathc > 5, "there are golden files");
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *path = files.gl_pathv[i], *name = strrchr(path, '/') + 1;
		char *out = xasprintf("%.*s.out", (int)(strlen(path) - strlen(".tiptoprc")), path);
		struct result r;

		load(&text, path);
		load(&want, out);
		read_text(&r, name, text.text, text.len);
		strbuf_reset(&got);
		dump(&got, &r);
		tap_str(got.text, want.text, "%s", name);
		result_done(&r);
		free(out);
	}
	globfree(&files);
	strbuf_done(&got);
	strbuf_done(&want);
	strbuf_done(&text);
	free(pattern);
}

static const struct {
	const char *what, *text;
	int rc;
	const char *want; /* the name of the first screen, or the beginning of the error */
} texts[] = {
	{"an empty file", "", -EINVAL, "f:1: bad XML: "},
	{"blanks", " \n \n", -EINVAL, "f:"},
	{"an unfinished tag", "<tiptop", -EINVAL, "f:1: bad XML: "},
	{"two outermost elements", "<tiptop/>\n<tiptop/>", -EINVAL, "f:2: bad XML: "},
	{"a declaration in the second line", "\n<?xml version=\"1.0\"?>\n<tiptop/>", -EINVAL,
	 "f:2: bad XML: "},
	{"the same attribute twice", "<tiptop><screen name='a' name='b'/></tiptop>", -EINVAL,
	 "f:1: bad XML: "},
	{"UTF-8", "<tiptop><screen name='\303\251cran'/></tiptop>", 0, "\303\251cran"},
	{"a byte order mark", "\357\273\277<tiptop><screen name='x'/></tiptop>", 0, "x"},
	{"latin1, declared",
	 "<?xml version='1.0' encoding='ISO-8859-1'?><tiptop><screen name='\351cran'/></tiptop>", 0,
	 "\303\251cran"},
	{"latin1, not declared", "<tiptop>\n<screen name='\351cran'/></tiptop>", -EINVAL,
	 "f:2: bad XML: "},
	{"an unknown encoding", "<?xml version='1.0' encoding='none-such'?><tiptop/>", -EINVAL,
	 "f:1: bad XML: "},
	{"bytes that are not in the encoding",
	 "<?xml version='1.0' encoding='EUC-JP'?><tiptop><screen name='\217\377\377'/></tiptop>",
	 -EINVAL, "f:1: bad XML: "},
	{"< in an attribute", "<tiptop>\n<screen name='a' desc='< 0.5'/></tiptop>", -EINVAL,
	 "f:2: bad XML: < in the value of an attribute: write &lt; for it, or lt in"},
	{"& in an attribute", "<tiptop>\n<screen name='a' desc='a & b'/></tiptop>", -EINVAL,
	 "f:2: bad XML: & that does not begin a name that XML knows: write &amp; for it, or 'and'"},
	{"&& in an attribute", "<tiptop>\n<screen name='a' desc='a && b'/></tiptop>", -EINVAL,
	 "f:2: bad XML: & that does not begin a name that XML knows: "},
	{"a name without its end", "<tiptop>\n<screen name='a' desc='a&lt b'/></tiptop>", -EINVAL,
	 "f:2: bad XML: & that does not begin a name that XML knows: "},
	{"a name of HTML", "<tiptop>\n<screen name='a' desc='a&nbsp;b'/></tiptop>", -EINVAL,
	 "f:2: bad XML: & that does not begin a name that XML knows: "},
	{"an element without a name", "<tiptop>\n< screen/></tiptop>", -EINVAL, "f:2: bad XML: "},
	{"control characters", "<tiptop><screen name='a&#9;b&#10;c&#127;d&#x9b;e&#xa1;'/></tiptop>",
	 0, "a b c d e\302\241"},
};

static void test_texts(void)
{
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		const char *got, *want = texts[i].want;
		struct result r;

		read_text(&r, "f", texts[i].text, strlen(texts[i].text));
		tap_int(r.rc, texts[i].rc, "%s: the code", texts[i].what);
		got = r.rc ? r.err.text : r.screens.n ? r.screens.v[0]->name : "(no screen)";
		if (!tap_ok(!strncmp(got, want, strlen(want)) &&
				    strlen(got) > strlen("f:1: bad XML: ") * !!r.rc,
			    "%s: the result", texts[i].what))
			tap_show("got", got);
		result_done(&r);
	}
}

/* A value may contain a line break; a message that quotes it may not. */
static void test_verbatim(void)
{
	static const char text[] =
		"<tiptop><options><option name='only_name' value='a&#9;b&#10;c'/>"
		"<option name='idle' value='&#10;&#x9b;x'/></options></tiptop>";
	struct result r;

	read_text(&r, "f", text, strlen(text));
	tap_ok(r.options.pid && !strcmp(r.options.pid, "a\tb\nc"),
	       "the value of an option is taken as it is");
	tap_str(r.reports.text,
		"1 wrong: the option 'idle' must be 0 or 1, not '?"
		"?x': left out\n",
		"and quoted without control characters");
	result_done(&r);
}

/* Runs f with standard error redirected to a file, which must stay empty. */
static void test_silence(void (*f)(void))
{
	int old = dup(STDERR_FILENO), capture = memfd_create("stderr", 0);

	dup2(capture, STDERR_FILENO);
	f();
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	tap_int(lseek(capture, 0, SEEK_END), 0, "nothing was written to standard error");
	close(capture);
	close(old);
}

static void test_large(void)
{
	static const char head[] = "<tiptop><screen name='", tail[] = "'/></tiptop>",
			  nest[] = "<options>";
	struct strbuf text;
	struct result r;

	strbuf_init(&text);
	strbuf_addstr(&text, head);
	strbuf_pad(&text, 'x', 1000000);
	strbuf_addstr(&text, tail);
	read_text(&r, "f", text.text, text.len);
	tap_int(r.rc, 0, "a name of a million characters is read");
	tap_int(r.screens.n ? strlen(r.screens.v[0]->name) : 0, 1000000, "all of it");
	result_done(&r);

	strbuf_reset(&text);
	strbuf_addstr(&text, "<tiptop><");
	strbuf_pad(&text, 'y', 1000000);
	strbuf_addstr(&text, "/></tiptop>");
	read_text(&r, "f", text.text, text.len);
	tap_ok(r.rc || r.reports.len,
	       "an element with a name of a million characters is refused or reported");
	tap_ok(r.reports.len < ERR_TEXT_MAX + 10, "in a sentence of a sane length");
	result_done(&r);

	strbuf_reset(&text);
	strbuf_addstr(&text, "<tiptop><screen name='x'/></tiptop>");
	strbuf_pad(&text, ' ', CONF_MAX_BYTES);
	read_text(&r, "f", text.text, text.len);
	tap_int(r.rc, -EFBIG, "a file of too many bytes is refused");
	tap_int(r.screens.n, 0, "nothing of it is used");
	result_done(&r);

	strbuf_reset(&text);
	strbuf_addstr(&text, "<tiptop>");
	for (int i = 0; i < 100000; i++)
		strbuf_addstr(&text, nest);
	read_text(&r, "f", text.text, text.len);
	tap_int(r.rc, -EINVAL, "100000 nested elements are refused");
	result_done(&r);
	strbuf_done(&text);
}

/* Lines above 65535: up to this number, libxml2 knows the lines of elements. */
static void test_many_lines(void)
{
	struct strbuf text;
	struct result r;

	strbuf_init(&text);
	strbuf_addstr(&text, "<tiptop>");
	strbuf_pad(&text, '\n', 70000);
	strbuf_addstr(&text, "<screen name='x' wrong=''\n>\n<column header='A'/></screen>\nstray\n"
			     "</tiptop>");
	read_text(&r, "f", text.text, text.len);
	tap_int(r.screens.n ? r.screens.v[0]->line : 0, 70002, "the line of a screen");
	tap_str(r.reports.text,
		"70002 unknown: <screen 'x'> has an unknown attribute 'wrong': attribute left out\n"
		"70003 unknown: <screen 'x'>: <column 'A'> without a format attribute: column left "
		"out\n"
		"70005 unknown: text that belongs to no element, 'stray': left out\n",
		"and of reports, beyond 65535");
	result_done(&r);
	strbuf_done(&text);
}

/* An element with an empty name is left out. */
static void test_no_name(void)
{
	static const char text[] = "<tiptop><cpu name='' models='06_1A'/><theme name=''/></tiptop>";
	struct result r;

	read_text(&r, "f", text, strlen(text));
	tap_str(r.reports.text,
		"1 wrong: <cpu ''>: a name begins with a letter, and has small letters, digits and "
		"'-': left out\n"
		"1 wrong: <theme ''>: a name begins with a letter, and has small letters, digits "
		"and "
		"'-': left out\n",
		"an empty name is no name");
	tap_int(r.own.table.n_cpus, 0, "of a CPU");
	result_done(&r);
}

/* A valid file cut at each byte: there is no crash or leak, and no part of it is used. */
static void test_truncated(void)
{
	char *path = source_path("tests/golden/conf/good.tiptoprc");
	size_t n_used = 0, n_reported = 0, end;
	struct strbuf text;

	strbuf_init(&text);
	load(&text, path);
	end = (size_t)(strstr(text.text, "</tiptop>") - text.text) + strlen("</tiptop>");
	for (size_t n = 0; n < end; n++) {
		struct result r;

		read_text(&r, "f", text.text, n);
		n_used += r.rc != -EINVAL || r.screens.n || r.options.idle;
		n_reported += r.reports.len > 0 || !r.err.text[0];
		result_done(&r);
	}
	tap_int(n_used, 0, "nothing is used of a file that is cut, wherever it is cut");
	tap_int(n_reported, 0, "each time with one sentence");
	strbuf_done(&text);
	free(path);
}

/* A valid file with each byte changed in a few ways: there is no crash or leak. */
static void test_mutated(void)
{
	static const char bytes[] = {'<', '>', '"', '&', '\0', '\377', '/'};
	char *path = source_path("tests/golden/conf/good.tiptoprc");
	struct strbuf text;
	size_t n_silent = 0;

	strbuf_init(&text);
	load(&text, path);
	for (size_t i = 0; i < text.len; i++) {
		char old = text.text[i];

		for (size_t k = 0; k < sizeof bytes; k++) {
			struct result r;

			text.text[i] = bytes[k];
			read_text(&r, "f", text.text, text.len);
			n_silent += r.rc && !r.err.text[0];
			result_done(&r);
		}
		text.text[i] = old;
	}
	tap_int(n_silent, 0, "a file with any byte changed is read, or refused with a sentence");
	strbuf_done(&text);
	free(path);
}

/* The example file is read and compiled without messages. */
static void test_example(const char *what, const struct strbuf *text, size_t min_screens)
{
	struct err err = ERR_INIT;
	struct result r;
	int rc = 0;

	read_text(&r, "f", text->text, text->len);
	tap_int(r.rc, 0, "%s is read", what);
	tap_ok(r.screens.n >= min_screens, "it has %zu screens or more", min_screens);
	for (size_t i = 0; i < r.screens.n; i++)
		rc |= screen_compile(r.screens.v[i], note, &r, &err);
	tap_int(rc, 0, "its screens compile");
	tap_str(r.reports.text, "", "without a fault");
	result_done(&r);
}

static void test_examples(void)
{
	static const char old[] = "/usr/share/doc/tiptop/tiptoprc.gz";
	char *path = source_path("tiptoprc.example");
	struct strbuf text;
	char block[4096];
	size_t n;
	FILE *f;

	strbuf_init(&text);
	tap_ok(load(&text, path), "the example is there");
	test_example("the example", &text, 4);
	strbuf_reset(&text);
	if (access(old, R_OK)) {
		tap_ok(true, "the example of tiptop 2.3.1 # SKIP it is not installed");
	} else {
		f = popen("zcat /usr/share/doc/tiptop/tiptoprc.gz", "re");
		while ((n = fread(block, 1, sizeof block, f)) > 0)
			strbuf_add(&text, block, n);
		pclose(f);
		test_example("the example of tiptop 2.3.1", &text, 6);
	}
	strbuf_done(&text);
	free(path);
}

static void test_unreadable(void)
{
	struct result r;
	int fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	result_init(&r);
	r.rc = conf_read(
		fd, "f",
		&(struct conf_into){.options = &r.options, .screens = &r.screens, .own = &r.own},
		note, &r, &r.err);
	tap_int(r.rc, -EISDIR, "a folder is not read");
	tap_ok(!strncmp(r.err.text, "cannot read 'f': ", 17), "with a sentence");
	close(fd);
	result_done(&r);
}

int main(void)
{
	test_silence(test_golden);
	test_silence(test_texts);
	test_verbatim();
	test_large();
	test_many_lines();
	test_no_name();
	test_truncated();
	test_mutated();
	test_examples();
	test_unreadable();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A written configuration is read as the same state, and written again as the same file. */
#include <stdlib.h>

#include "base/mem.h"
#include "conf/write.h"
#include "write_rig.h"

#define N_STATES 400

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Returns whether the option of this row is equal in both. Options that are never written are not
 * compared. */
static bool same_field(const struct option_row *row, const struct options *a,
		       const struct options *b)
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
	bool same = same_text(a->name, b->name) && same_text(a->desc, b->desc) &&
		    a->n_counters == b->n_counters && a->n_columns == b->n_columns;

	for (size_t i = 0; same && i < a->n_counters; i++) {
		const struct counter_decl *x = &a->counter[i], *y = &b->counter[i];

		same = same_text(x->alias, y->alias) && same_text(x->event, y->event) &&
		       same_text(x->config, y->config) && same_text(x->type, y->type) &&
		       same_text(x->arch, y->arch) && same_text(x->model, y->model);
	}
	for (size_t i = 0; same && i < a->n_columns; i++) {
		const struct column *x = &a->column[i], *y = &b->column[i];

		same = same_text(x->header, y->header) && same_text(x->format, y->format) &&
		       same_text(x->desc, y->desc) && same_text(x->text, y->text) &&
		       same_text(x->warn.text, y->warn.text) &&
		       same_text(x->crit.text, y->crit.text);
	}
	return same;
}

/* Returns whether both have the same user screens, in the same order. */
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

/* A generator (Numerical Recipes) whose numbers are the same in each run. */
static unsigned next(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 16) % below;
}

/* Returns a text that might break out of an attribute. blank: without control characters, which
 * reading removes from screens. */
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
	strbuf_addch(&text, 'x'); /* avoids "0" and "-1", which have special meanings */
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
	for (unsigned n = next(seed, 4); n > 0; n--) {
		struct column *c =
			screen_add_column(screen, t[3], t[2],
					  next(seed, 2) && strcmp(t[0], t[1]) ? t[0] : NULL, t[1]);

		c->warn.text = maybe_text(seed, true);
		c->crit.text = maybe_text(seed, true);
	}
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
			*(char **)field = next(seed, 2) ? hard_text(seed, false)
							: xasprintf("%u", 1 + next(seed, 999));
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
		conf_format(&first, (struct conf_state[]){state_of(&before)});
		read_state(&after, first.text, first.len, &faults);
		conf_format(&second, (struct conf_state[]){state_of(&after)});
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

/* Reading and writing the example file loses its comments, but no screen. */
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
	tap_int(conf_read(fd, path,
			  &(struct conf_into){.options = &before.options,
					      .screens = &before.screens,
					      .own = &before.own,
					      .themes = &before.themes,
					      .filters = &before.filters},
			  note, &faults, &err),
		0, "the example is read");
	conf_format(&text, (struct conf_state[]){state_of(&before)});
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

/* User themes are written; built-in themes are not. */
static void test_themes(void)
{
	static const char text[] =
		"<tiptop><theme name='mine' desc='x' like='light'>"
		"<look name='dead' fg='9' bg='#FF8700' bold='yes'/><look name='crit' "
		"reverse='yes'/>"
		"</theme><theme name='light' light='no' replace='yes'/></tiptop>";
	static const char want[] =
		"  <theme name=\"light\" desc=\"light\" like=\"default\" light=\"no\" "
		"replace=\"yes\">\n"
		"  </theme>\n"
		"  <theme name=\"mine\" desc=\"x\" like=\"light\" light=\"yes\">\n"
		"    <look name=\"dead\" fg=\"bright-red\" bg=\"#ff8700\" bold=\"yes\"/>\n"
		"    <look name=\"crit\" reverse=\"yes\"/>\n"
		"  </theme>\n";
	struct strbuf first, second, faults;
	struct state s;

	strbuf_init(&first);
	strbuf_init(&second);
	strbuf_init(&faults);
	read_state(&s, text, strlen(text), &faults);
	conf_format(&first, (struct conf_state[]){state_of(&s)});
	state_done(&s);
	tap_ok(strstr(first.text, want), "themes of one's own are written");
	read_state(&s, first.text, first.len, &faults);
	conf_format(&second, (struct conf_state[]){state_of(&s)});
	state_done(&s);
	tap_str(faults.text, "", "and read without a fault");
	tap_str(second.text, first.text, "as what they were");
	strbuf_done(&first);
	strbuf_done(&second);
	strbuf_done(&faults);
}

/* Named filters of the user are written; filters of files that only add to the configuration are
 * not. */
static void test_filters(void)
{
	static const char file[] = "<tiptop><filter name=\"busy\" expr=\"cpu &gt; 20 &amp;&amp; "
				   "user == 'db'\" desc=\"Busy\"/>"
				   "<filter name=\"re\" expr=\"/a&lt;b/\"/></tiptop>";
	struct strbuf text, faults;
	struct state s;

	strbuf_init(&text);
	strbuf_init(&faults);
	read_state(&s, file, sizeof file - 1, &faults);
	tap_str(faults.text, "", "filters are read");
	tap_int((long)s.filters.n, 2, "both");
	s.filters.v[1].from_folder = true;
	conf_format(&text, (struct conf_state[]){state_of(&s)});
	tap_ok(strstr(text.text,
		      "  <filter name=\"busy\" expr=\"cpu &gt; 20 &amp;&amp; user == 'db'\" "
		      "desc=\"Busy\"/>\n") &&
		       !strstr(text.text, "name=\"re\""),
	       "W writes those of the user's own file");
	state_done(&s);
	strbuf_done(&faults);
	strbuf_done(&text);
}

int main(void)
{
	test_round_trip();
	test_example();
	test_themes();
	test_filters();
	return tap_done();
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "screen/import/import.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "screen/import/file.h"
#include "screen/import/formula.h"
#include "screen/import/names.h"

#define DIGITS_BEHIND 2
#define WIDTH_MIN     8
#define WIDTH_RATIO   9  /* of "1.23e-05", and a blank */
#define WIDTH_MAX     99 /* of a format */

/* Before an alias, as formula_write() has it. */
#define DIVISOR " / delta("

struct builder {
	const struct import_request *request;
	struct foreign_file file;
	struct import_names names;
	struct import *out;
	screen_report report;
	void *context;
};

/* The word for the unit of a column, where screens have it. */
static const char *unit_of(const struct foreign_metric *m)
{
	return m->unit && !strcmp(m->unit, "%")     ? "%"
	       : m->unit && !strcmp(m->unit, "GHz") ? "GHz"
						    : NULL;
}

/* From where on a number is worth a look. Of a threshold that asks for other metrics, too, there is
 * only a note. It is of the number before its factor. */
static void take_threshold(struct builder *b, const struct foreign_metric *m, struct column *c)
{
	struct formula_limit limit;

	if (!m->threshold)
		return;
	if (formula_read_limit(&limit, m->threshold, m->name))
		c->warn.text = xasprintf("%c %.12g", limit.sign, limit.number * m->factor);
	else
		strbuf_addf(&b->out->notes, "%s: its maker's threshold is %s\n", m->name,
			    m->threshold);
}

/* Whether the kinds of cores have metrics of this name, each its own. */
static bool is_of_several(const struct foreign_file *file, const struct foreign_metric *m)
{
	for (size_t i = 0; i < file->n_metrics; i++)
		if (&file->metric[i] != m && !strcmp(file->metric[i].name, m->name))
			return true;
	return false;
}

static bool has_header(const struct screen *s, const char *name)
{
	for (size_t i = 0; i < s->n_columns; i++) {
		const char *header = s->column[i].header;

		if (!strcmp(header + strspn(header, " "), name))
			return true;
	}
	return false;
}

/* The header of the column, which no other one has; the caller frees it. */
static char *make_header(const struct builder *b, const struct foreign_metric *m)
{
	bool of_cores = m->pmu && !strncmp(m->pmu, "cpu_", 4) && is_of_several(&b->file, m);
	char *base = xasprintf("%s%s", m->name, of_cores ? m->pmu + 3 : ""), *name = xstrdup(base);

	for (int i = 2; has_header(b->out->screen, name); i++) {
		free(name);
		name = xasprintf("%s_%d", base, i);
	}
	free(base);
	return name;
}

static const char *event_of(const struct builder *b, const char *alias, size_t len)
{
	for (size_t i = 0; i < b->names.n_counters; i++)
		if (!strncmp(b->names.counter[i].alias, alias, len) &&
		    !b->names.counter[i].alias[len])
			return b->names.counter[i].event;
	return "";
}

static bool is_instructions(const char *event)
{
	return !strcmp(event, "instructions") || strstr(event, "/config=0xc0/");
}

static bool is_cycles(const char *event)
{
	return !strcmp(event, "cycles") || strstr(event, "/config=0x3c/");
}

/* Whether the expression is a number of events for each instruction: often far below 0.01. One of
 * cycles is not. */
static bool is_per_instruction(const struct builder *b, const char *expression)
{
	const char *divisor = strstr(expression, DIVISOR), *next;
	size_t len;

	while (divisor && (next = strstr(divisor + 1, DIVISOR)))
		divisor = next;
	if (!divisor || strtod(expression, NULL) > 1)
		return false;
	next = divisor + strlen(DIVISOR);
	len = strcspn(next, ")");
	if (!next[len] || next[len + 1] || !is_instructions(event_of(b, next, len)))
		return false;
	next = strncmp(expression, "delta(", 6) ? "" : expression + 6;
	return !is_cycles(event_of(b, next, strcspn(next, ")")));
}

static char *make_format(const struct builder *b, const char *expression, int *width)
{
	if (!is_per_instruction(b, expression))
		return xasprintf("%%%d.%df", *width, DIGITS_BEHIND);
	*width = *width < WIDTH_RATIO ? WIDTH_RATIO : *width;
	return xasprintf("%%%d.%dg", *width, DIGITS_BEHIND + 1);
}

static void add_column(struct builder *b, const struct foreign_metric *m, const char *expression)
{
	char *name = make_header(b, m), *header, *format, *desc;
	int width = text_length(name) + 1;
	struct column *c;

	width = width < WIDTH_MIN ? WIDTH_MIN : width > WIDTH_MAX ? WIDTH_MAX : width;
	format = make_format(b, expression, &width);
	header = xasprintf("%*s", width, name);
	desc = xasprintf("%s%s%s%s", m->desc ? m->desc : m->name, m->unit ? " (" : "",
			 m->unit ? m->unit : "", m->unit ? ")" : "");
	text_tame(desc, ' ');
	c = screen_add_column(b->out->screen, header, format, desc, expression);
	c->unit_name = xstrdup_or_null(unit_of(m));
	take_threshold(b, m, c);
	free(desc);
	free(format);
	free(header);
	free(name);
}

static void leave_out(struct builder *b, const struct foreign_metric *m, const struct err *why)
{
	struct err err = {.code = why->code};

	snprintf(err.text, sizeof err.text, "metric '%s': %s: it is left out", m->name, why->text);
	text_tame(err.text, ' ');
	b->report(b->context, m->line, &err);
	strbuf_addf(&b->out->notes, "%s\n", err.text);
}

/* Appends the formula of the metric with its factor, and with what stands for no number but has to
 * be counted, too; "": nothing. */
static void add_formula(struct strbuf *out, const struct foreign_metric *m, const char *leader)
{
	if (m->factor == 1 && !*leader)
		strbuf_addstr(out, m->formula);
	else
		strbuf_addf(out, "(%s)", m->formula);
	if (m->factor != 1)
		strbuf_addf(out, " * %.15g", m->factor);
	if (*leader)
		strbuf_addf(out, " + 0 * %s", leader);
}

static int translate(struct builder *b, const struct foreign_metric *m, struct strbuf *out,
		     struct err *err)
{
	const struct formula_names names = {import_names_find, import_names_has, &b->names};
	struct strbuf formula;
	char *leader;
	int ret;

	if (!m->formula)
		return err_set(err, ENOENT, "it has no MetricExpr: that stands in another file");
	strbuf_init(&formula);
	add_formula(&formula, m, "");
	ret = formula_translate(out, formula.text, &names, err);
	leader = import_names_leader(&b->names);
	if (!ret && *leader) {
		strbuf_reset(out);
		strbuf_reset(&formula);
		add_formula(&formula, m, leader);
		ret = formula_translate(out, formula.text, &names, err);
	}
	free(leader);
	strbuf_done(&formula);
	return ret;
}

static void take_metric(struct builder *b, const struct foreign_metric *m)
{
	size_t n_counters = b->names.n_counters;
	struct err err = ERR_INIT;
	struct strbuf expression;

	import_names_begin(&b->names, m);
	strbuf_init(&expression);
	if (translate(b, m, &expression, &err)) {
		import_names_drop(&b->names, n_counters);
		leave_out(b, m, &err);
	} else {
		add_column(b, m, expression.text);
	}
	strbuf_done(&expression);
}

/* Whether a list with ',' has the name. */
static bool is_listed(const char *list, const char *name)
{
	size_t len = strlen(name);

	while (list) {
		if (!strncmp(list, name, len) && (!list[len] || list[len] == ','))
			return true;
		list = strchr(list, ',');
		list = list ? list + 1 : NULL;
	}
	return false;
}

static int check_wanted(const struct builder *b, struct err *err)
{
	const char *list = b->request->metrics;

	while (list && *list) {
		size_t len = strcspn(list, ",");
		char *name = xstrndup(list, len);
		bool known = import_names_metric(&b->names, name);

		if (!known)
			err_set(err, EINVAL, "%s: it has no metric '%s'", b->request->path, name);
		free(name);
		if (!known)
			return -EINVAL;
		list += len + (list[len] == ',');
	}
	return 0;
}

/* The name of the file, without its folder and its ending. */
static char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot > base ? xstrndup(base, (size_t)(dot - base)) : xstrdup(base);
}

static int read_file(struct builder *b, struct err *err)
{
	const struct import_request *r = b->request;
	char first = r->text[strspn(r->text, " \t\r\n")];

	if (first == '[' || first == '{')
		return foreign_read_perf(&b->file, r->path, r->text, err);
	return foreign_read_likwid(&b->file, r->path, r->text, err);
}

/* All that screen_compile() would find fault with is found here, not by who reads the file. */
static int check_screen(const struct builder *b, struct err *err)
{
	struct screen *copy = screen_copy(b->out->screen);
	int ret = screen_compile(copy, b->report, b->context, err);

	screen_free(copy);
	return ret ? err_prefix(err, "%s: choose fewer metrics", b->request->path) : 0;
}

static int build(struct builder *b, struct err *err)
{
	char *name = base_name(b->request->path);
	struct screen *s = screen_new(name, b->file.desc ? b->file.desc : "Imported metrics");

	b->out->screen = s;
	screen_add_column(s, " %CPU", "%5.1f", "CPU usage (% of one CPU)", "CPU_TOT");
	progress_set_total(b->request->progress, 0, (double)b->file.n_metrics);
	for (size_t i = 0; i < b->file.n_metrics; i++) {
		if (!b->request->metrics || is_listed(b->request->metrics, b->file.metric[i].name))
			take_metric(b, &b->file.metric[i]);
		progress_set(b->request->progress, 0, (double)(i + 1));
	}
	free(name);
	for (size_t i = 0; i < b->names.n_counters; i++)
		screen_add_counter(s, b->names.counter[i].alias, "", NULL)->event =
			xstrdup(b->names.counter[i].event);
	if (s->n_columns == 1)
		return err_set(err, ENOENT, "%s: none of its metrics has a counterpart",
			       b->request->path);
	return check_screen(b, err);
}

int import_read(struct import *out, const struct import_request *request, screen_report report,
		void *context, struct err *err)
{
	struct builder b = {.request = request, .out = out, .report = report, .context = context};
	int ret;

	b.names = (struct import_names){.file = &b.file, .machine = request->machine};
	out->screen = NULL;
	strbuf_init(&out->notes);
	ret = read_file(&b, err);
	ret = ret ? ret : check_wanted(&b, err);
	ret = ret ? ret : build(&b, err);
	import_names_done(&b.names);
	foreign_file_done(&b.file);
	return ret;
}

void import_done(struct import *i)
{
	if (i->screen)
		screen_free(i->screen);
	strbuf_done(&i->notes);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Saved reports of tiptop locks, tiptop calls and libtiptop, compared with each other. */
#include "change_rig.h"
#include "report/format.h"
#include "rounded.h"

/* Returns the path of an input in tests/golden. */
static char *path_of(const char *name)
{
	const char *srcdir = getenv("srcdir");

	return xasprintf("%s/tests/golden/%s.txt", srcdir ? srcdir : ".", name);
}

/* Returns the argument for one side: the paths of its files, separated by commas. */
static char *word_of(const char *files)
{
	char *word = xstrdup(""), *list = xstrdup(files), *rest = list;

	for (char *name; (name = strsep(&rest, ","));) {
		char *path = path_of(name),
		     *longer = xasprintf("%s%s%s", word, *word ? "," : "", path);

		free(word);
		free(path);
		word = longer;
	}
	free(list);
	return word;
}

/* Writes a selection of the lines; in JSON, each is an object. */
static void write_selected(const struct saved_change *c, const char *name, const char *how,
			   struct report_selection s)
{
	for (int i = 0; i <= REPORT_AS_JSON; i++) {
		struct strbuf text;
		char *file = xasprintf("%s-%s-%s", name, how, report_formats[i].name);

		strbuf_init(&text);
		change_select(c, (enum report_format_id)i, 2, s, &text);
		rounded_check("change", file, text.text);
		strbuf_done(&text);
		free(file);
	}
}

static void write_all(const struct saved_change *c, const char *name)
{
	for (int i = 0; i <= REPORT_AS_JSON; i++) {
		struct strbuf text;
		char *file = xasprintf("%s-%s", name, report_formats[i].name);

		strbuf_init(&text);
		change_write(c, (enum report_format_id)i, c->n, &text);
		rounded_check("change", file, text.text);
		strbuf_done(&text);
		free(file);
	}
}

static void check_sides(const char *name, const char *const files[], size_t n, const char *event)
{
	static const char *const what[] = {"old", "new", "newest"};
	struct saved_runs side[3] = {{.n = 0}};
	struct saved_change c = {.n = 0};
	struct err err = ERR_INIT;
	char *word[3];
	int ret = 0;

	for (size_t i = 0; i < n; i++) {
		word[i] = word_of(files[i]);
		tap_ok(saved_is_report(word[i]), "%s is a report", files[i]);
		ret = ret ? ret : saved_runs_read(&side[i], word[i], event, &err);
		side[i].what = what[i];
	}
	ret = ret ? ret : saved_change_make(&c, side, n, false, &err);
	tap_int(ret, 0, "%s: %s and %s are compared %s", name, files[0], files[1], err.text);
	if (!ret)
		write_all(&c, name);
	if (!ret && !strcmp(name, "real-locks"))
		write_selected(&c, name, "sorted", (struct report_selection){.sort = "mean_a"});
	if (!ret && n == 3)
		write_selected(&c, name, "fields",
			       (struct report_selection){.fields = "side,phase,name,mean_b",
							 .sort = "side"});
	if (!ret && (!strcmp(name, "real-locks-runs") || !strcmp(name, "real-calls") ||
		     !strcmp(name, "real-follow") || !strcmp(name, "real-regions")))
		write_selected(&c, name, "fields",
			       (struct report_selection){.fields = "phase,name,mean_b,all_change",
							 .sort = "mean_b:asc"});
	saved_change_done(&c);
	for (size_t i = 0; i < n; i++) {
		saved_runs_done(&side[i]);
		free(word[i]);
	}
}

static void check(const char *name, const char *a, const char *b, const char *event)
{
	check_sides(name, (const char *const[]){a, b}, 2, event);
}

/* Checks whether a first line, perhaps rewritten by another program, is known as that of a
 * report. */
static void check_begin(const char *line, bool is)
{
	struct err err = ERR_INIT;
	struct saved s;

	golden_write("report.begin", line);
	tap_ok(saved_is_report("report.begin") == is, "%s", line);
	if (is)
		tap_int(saved_read(&s, "report.begin", NULL, &err), 0, "which is read");
	if (is)
		saved_done(&s);
	remove("report.begin");
}

/* A first line too long to be examined is not taken for a recording: the reader of reports gives
 * the error. */
static void test_long_begin(void)
{
	const char *path = "long.begin";
	struct err err = ERR_INIT;
	struct saved s;
	FILE *out = fopen(path, "we");

	fprintf(out, "{\"text\":\"%1000000s\",\"type\":\"other\"}\n", "x");
	fclose(out);
	tap_ok(saved_is_report(path), "a long first line is not read to its end");
	tap_ok(saved_read(&s, path, NULL, &err) < 0, "and refused by the reader: %s", err.text);
	saved_done(&s);
	remove(path);
}

/* Returns the number of bytes of the first n lines of a report. */
static size_t size_of_lines(const char *name, size_t n)
{
	char *path = path_of(name), *text = golden_read(path);
	const char *end = text;
	size_t size;

	for (; n; n--)
		end = strchr(end, '\n') + 1;
	size = (size_t)(end - text);
	free(text);
	free(path);
	return size;
}

/* Only the first n bytes of a report are refused. */
static void refuse_cut(const char *name, size_t n, const char *sentence)
{
	char *path = path_of(name), *text = golden_read(path), *cut = xasprintf("%s.cut", "report");
	struct err err = ERR_INIT;
	struct saved s;

	text[n] = '\0';
	golden_write(cut, text);
	tap_ok(saved_is_report(cut), "what is left of it is known as one");
	tap_ok(saved_read(&s, cut, NULL, &err) < 0, "%s, of which only a part is there", name);
	tap_str(err.text, sentence, "is refused");
	saved_done(&s);
	remove(cut);
	free(cut);
	free(text);
	free(path);
}

/* Reads the first n bytes of `lines`. Returns the sentence that refuses them; "": they are read. */
static const char *read_begin(const struct strbuf *lines, size_t n)
{
	static struct err err;
	char *begin = xstrndup(lines->text, n);
	struct saved s;

	err = (struct err)ERR_INIT;
	golden_write("report.cut", begin);
	saved_read(&s, "report.cut", NULL, &err);
	saved_done(&s);
	remove("report.cut");
	free(begin);
	return err.text;
}

#define LACKS_REPORTS                                                                              \
	"report.cut: this report was cut off, or filtered without deleting 'further_reports' of "  \
	"its head, which counts "

/* Two runs of three processes, one behind the other: between processes of one run, each cut is
 * noticed. */
static void check_several(const char *name)
{
	static const char *const sentence[] = {LACKS_REPORTS "2 more reports",
					       LACKS_REPORTS "1 more report", ""};
	char *path = path_of(name), *text = golden_read(path);
	struct strbuf lines;
	const char *head;
	int n = 0;

	strbuf_init(&lines);
	for (int i = 0; i < 3; i++)
		strbuf_addstr(&lines, text);
	report_number_json(&lines);
	free(text);
	text = xstrdup(lines.text);
	strbuf_addstr(&lines, text);
	for (head = lines.text; (head = strstr(head + 1, "{\"type\":\"locks\"")); n++)
		tap_str(read_begin(&lines, (size_t)(head - lines.text)), sentence[n % 3],
			"%s: %d of 6 processes", name, n + 1);
	tap_int(n, 5, "all cuts");
	tap_str(read_begin(&lines, lines.len), "", "two whole runs");
	strbuf_done(&lines);
	free(text);
	free(path);
}

/* Checks the sentence that refuses rows of tiptop follow. */
static void refuse_follow(const char *rows, const char *event, const char *sentence)
{
	static const char path[] = "follow.rows";
	struct err err = ERR_INIT;
	struct saved s;

	golden_write(path, rows);
	tap_ok(saved_read(&s, path, event, &err) < 0, "rows that lack what is compared");
	tap_str(err.text, sentence, "are refused");
	saved_done(&s);
	remove(path);
}

#define LACKS                                                                                      \
	"report.cut: this report was cut off, or filtered without deleting 'rows' of its head, "   \
	"which counts "

int main(void)
{
	refuse_follow("{\"type\":\"follow\",\"pid\":1,\"event\":\"tick\",\"counts\":{\"a\":1}}\n",
		      NULL, "follow.rows: no process has ended in it");
	refuse_follow("{\"type\":\"follow\",\"pid\":1,\"event\":\"exit\",\"counts\":{\"a\":1}}\n",
		      "b", "--event: 'follow.rows' has not counted 'b'");
	check("real-locks", "locks/plain-json", "locks/kinds-json", NULL);
	/* The same reports, of a version that did not write the symbols of names. */
	check("real-locks", "saved/locks-a", "saved/locks-b", NULL);
	check("real-locks-sampled", "locks/plain-json", "locks/sampled-json", NULL);
	check("real-locks-events", "locks/events-json", "locks/events-json", NULL);
	check("real-locks-event", "locks/events-json", "locks/events-json", "cycles");
	check("real-locks-lacks", "locks/lacks-json", "locks/events-json", NULL);
	check("real-locks-runs", "locks/plain-json,locks/sampled-json,locks/lacks-json",
	      "locks/kinds-json,locks/plain-json,locks/events-json", NULL);
	check("real-locks-empty", "locks/empty-json", "locks/plain-json", NULL);
	check_sides(
		"real-locks-three",
		(const char *const[]){"locks/plain-json", "locks/kinds-json", "locks/sampled-json"},
		3, NULL);
	check("real-calls", "calls/plain-json", "calls/events-json", NULL);
	check("real-calls-events", "calls/events-json", "calls/lacks-json", NULL);
	check("real-calls-event", "calls/events-json", "calls/events-json", "instructions");
	check("real-calls-empty", "calls/empty-json", "calls/plain-json", NULL);
	check("real-regions", "saved/regions-a", "saved/regions-b", NULL);
	check("real-regions-event", "saved/regions-a", "saved/regions-b", "time-ns");
	check("real-regions-runs", "saved/regions-a,saved/regions-b,saved/./regions-a",
	      "saved/regions-b,saved/./regions-b,saved/regions-a", NULL);
	check("real-follow", "saved/follow-a", "saved/follow-b", NULL);
	check("real-follow-event", "saved/follow-a,saved/follow-b,saved/./follow-a",
	      "saved/follow-b,saved/./follow-b,saved/follow-a", "page-faults");
	check("real-follow-turns", "saved/follow-turns", "saved/follow-a", NULL);
	check("real-follow-cut", "saved/follow-a", "saved/follow-cut", NULL);
	check_begin("{ \"schema\": 1, \"type\": \"calls\" }\n", true);
	check_begin("{\"type\":\"comparison\"}\n", false);
	check_begin("SQLite format 3", false);
	test_long_begin();
	refuse_cut("locks/plain-json", 1200,
		   "report.cut:2: this is not a line of a report that 'tiptop locks --format json' "
		   "writes");
	refuse_cut("locks/plain-json", 100,
		   "report.cut:1: this is not a line of a report that 'tiptop locks --format json' "
		   "writes");
	refuse_cut("calls/plain-json", 900,
		   "report.cut:6: this is not a line of a report that 'tiptop calls --format json' "
		   "writes");
	refuse_cut("locks/plain-json", size_of_lines("locks/plain-json", 1), LACKS "8 more lines");
	refuse_cut("locks/plain-json", size_of_lines("locks/plain-json", 8), LACKS "1 more line");
	refuse_cut("calls/plain-json", size_of_lines("calls/plain-json", 5), LACKS "4 more lines");
	check_several("locks/plain-json");
	refuse_cut("saved/regions-a", 700,
		   "report.cut:2: this is not a line of a report that a program with "
		   "TIPTOP_FORMAT=json writes");
	return tap_done();
}

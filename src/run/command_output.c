/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/command_output.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

/* ---- errors and texts ---- */

int print_fault(const struct err *err, int status)
{
	if (err->text[0])
		fprintf(stderr, "tiptop: %s\n", err->text);
	return status;
}

bool is_usage_error(int ret)
{
	return ret == -EINVAL || ret == -ERANGE;
}

int print_text(const struct strbuf *text, int status)
{
	if (fwrite(text->text, 1, text->len, stdout) == text->len && !fflush(stdout))
		return status;
	if (errno == EPIPE)
		return status;
	fprintf(stderr, "tiptop: cannot write to standard output: %s\n", strerror(errno));
	return EXIT_FAILED;
}

/* ---- the head of a page ---- */

void page_about_init(struct page_about *a, const char *of, char *const *command)
{
	strbuf_init(&a->when);
	clock_add_date(&a->when, clock_ns(CLOCK_REALTIME));
	memset(a->words, 0, sizeof a->words);
	a->about = (struct report_html_about){.of = of, .command = command, .when = a->when.text};
	if (!uname(&a->system))
		a->about.host = a->system.nodename;
}

void page_about_begin_anonymous(struct anonymous *a, bool on, char *const *command)
{
	const struct passwd *user = on ? getpwuid(getuid()) : NULL;
	struct utsname system;

	a->on = on;
	if (on && !uname(&system))
		anonymous_text(a, ANONYMOUS_HOST, system.nodename);
	if (user)
		anonymous_text(a, ANONYMOUS_USER, user->pw_name);
	anonymous_command(a, command);
}

void page_about_anonymize(struct page_about *about, struct anonymous *a, bool files)
{
	char *const *word = about->about.command;

	if (!a->on)
		return;
	about->about.host = anonymous_text(a, ANONYMOUS_HOST, about->about.host);
	for (size_t i = 0; word && word[i] && i < (files ? PAGE_WORDS_MAX : 1); i++)
		about->words[i] = (char *)(files ? anonymous_text(a, ANONYMOUS_RECORDING, word[i])
						 : anonymous_first_word(a, word[i]));
	if (word)
		about->about.command = about->words;
}

void page_about_done(struct page_about *a)
{
	strbuf_done(&a->when);
}

/* ---- the file of a report ---- */

/* Returns the length of the part of a JSON report by which the report is recognized. A list has its
 * bracket; an object has its type, or else the name of its first member. */
static size_t head_of_json(const struct report *r, const char *text)
{
	if (r->is_list)
		return 1;
	return strncmp(text, "{\"type\":", 8) ? strcspn(text, ":") : strcspn(text, ",");
}

/* Appends the text with which a file begins if it has such a report: the part that identifies JSON,
 * the first word of a text, or the header line of CSV. */
static void add_header(const struct report *r, enum report_format_id format, struct strbuf *out)
{
	struct strbuf all;

	strbuf_init(&all);
	report_formats[format].write(r, true, &all);
	strbuf_add(out, all.text,
		   format == REPORT_AS_JSON   ? head_of_json(r, all.text)
		   : format == REPORT_AS_TEXT ? strcspn(all.text, " \n")
					      : strcspn(all.text, "\n") + 1);
	strbuf_done(&all);
}

int table_file_open(struct dest *d, const struct report *like, enum report_format_id format,
		    const char *output, bool append, struct err *err)
{
	struct strbuf header;
	const bool is_file = output && strcmp(output, "-") != 0;
	int ret = is_file ? dest_open_or_append(d, output, append, err) : 0;

	if (ret || !is_file || !append)
		return ret;
	strbuf_init(&header);
	add_header(like, format, &header);
	ret = dest_check(d, header.text, err);
	strbuf_done(&header);
	return ret;
}

static int write_text(struct dest *d, const struct strbuf *text, struct err *err)
{
	int ret;

	if (d->fd < 0)
		return print_text(text, 0);
	ret = dest_begin(d, err);
	return ret ? ret : dest_write(d, text->text, text->len, err);
}

int table_file_write(struct dest *d, const struct report *r, enum report_format_id format,
		     struct err *err)
{
	struct strbuf text;
	int ret;

	strbuf_init(&text);
	report_formats[format].write(r, !d->filled, &text);
	ret = write_text(d, &text, err);
	strbuf_done(&text);
	return ret;
}

int table_file_close(struct dest *d, int ret, struct err *err)
{
	struct err closing = ERR_INIT;

	if (dest_close(d, ret, &closing) && !ret)
		return err_set(err, closing.code, "%s", closing.text);
	return ret;
}

int table_file_put(const struct report *r, enum report_format_id format, const char *output,
		   bool append, struct err *err)
{
	struct dest dest = DEST_NONE;
	int ret = table_file_open(&dest, r, format, output, append, err);

	if (!ret)
		ret = table_file_write(&dest, r, format, err);
	return table_file_close(&dest, ret, err);
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "source/regions/lacking.h"

#include <string.h>

/* An output whose lines are told. */
struct told_output {
	struct tt_output output; /* the first one */
	struct strbuf *told;     /* the kinds, each between two line ends */
	void (*tell)(void *context, const char *sentence);
	void *context;
};

static ssize_t drop(struct tt_output *o, const char *text, size_t size)
{
	(void)o;
	(void)text;
	return (ssize_t)size;
}

static bool was_told(struct strbuf *told, const char *key)
{
	struct strbuf kind;
	bool was;

	strbuf_init(&kind);
	strbuf_addf(&kind, "\n%s\n", key);
	was = strstr(told->text, kind.text) != NULL;
	if (!was)
		strbuf_addstr(told, kind.text);
	strbuf_done(&kind);
	return was;
}

static void tell_lack(struct tt_output *o, const struct tt_lack *lack)
{
	const struct told_output *t = (const struct told_output *)(void *)o;
	struct strbuf sentence;

	if (was_told(t->told, lack->key))
		return;
	strbuf_init(&sentence);
	strbuf_addf(&sentence, "regions of the process %u (%s): ", o->of->pid, o->of->program);
	if (lack->n)
		strbuf_addf(&sentence, "%llu ", (unsigned long long)lack->n);
	strbuf_addstr(&sentence, lack->sentence);
	t->tell(t->context, sentence.text);
	strbuf_done(&sentence);
}

void lacking_tell(struct strbuf *told, const struct table_copy *c,
		  void (*tell)(void *context, const char *sentence), void *context)
{
	static const struct tt_lines lines = {.lack = tell_lack};
	struct tt_lacks lacks = table_copy_lacks(c);
	struct told_output out = {.told = told, .tell = tell, .context = context};

	/* Those that go on are seen when they end. */
	lacks.n_going_on = 0;
	tt_output_begin(&out.output, &c->header, -1, drop);
	tt_lacks_write(&out.output, &lines, &lacks);
	tt_output_end(&out.output);
}

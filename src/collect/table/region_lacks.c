/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "collect/table/region_lacks.h"

#include "base/strbuf.h"

/* An output whose lines are told. */
struct told_output {
	struct tt_output output; /* the first one */
	void (*tell)(void *context, const char *key, const char *sentence);
	void *context;
};

static ssize_t drop(struct tt_output *o, const char *text, size_t size)
{
	(void)o;
	(void)text;
	return (ssize_t)size;
}

static void tell_lack(struct tt_output *o, const struct tt_lack *lack)
{
	const struct told_output *t = (const struct told_output *)(void *)o;
	struct strbuf sentence, key;

	strbuf_init(&sentence);
	strbuf_init(&key);
	strbuf_addf(&key, "%u %llu %s", o->of->container.pid, (unsigned long long)o->of->wall_begin,
		    lack->key);
	strbuf_addf(&sentence, "regions of the process %u (%s): ", o->of->container.pid,
		    o->of->program);
	if (lack->n)
		strbuf_addf(&sentence, "%llu ", (unsigned long long)lack->n);
	strbuf_addstr(&sentence, lack->sentence);
	t->tell(t->context, key.text, sentence.text);
	strbuf_done(&sentence);
	strbuf_done(&key);
}

void lacking_tell(const struct table_copy *c,
		  void (*tell)(void *context, const char *key, const char *sentence), void *context)
{
	static const struct tt_lines lines = {.lack = tell_lack};
	struct tt_lacks lacks = table_copy_lacks(c);
	struct told_output out = {.tell = tell, .context = context};

	/* Those that go on are seen when they end. */
	lacks.n_going_on = 0;
	tt_output_begin(&out.output, &c->header, -1, drop);
	tt_lacks_write(&out.output, &lines, &lacks);
	tt_output_end(&out.output);
}

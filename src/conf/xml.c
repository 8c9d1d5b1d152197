/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/xml.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/mem.h"
#include "base/num.h"
#include "base/text.h"

#define ATTR_MAX 6

/* Where reports and results of one file go. */
struct reader {
	struct options *options;
	struct screen_list *screens;
	struct screen *screen; /* the last one begun */
	const char *path;
	screen_report report;
	void *context;
	bool odd; /* the element at hand has an attribute of an unknown name */
};

struct attribute {
	const char *name;
	bool required;
	bool verbatim; /* control and format characters stay: a task's name may have them */
};

/*
 * One row for each element: take() gets the values of its attributes in the order of attr[], NULL
 * where optional ones are missing. Sentences call the element by the value of attr[0].
 */
struct element {
	const char *name; /* NULL ends a table */
	struct attribute attr[ATTR_MAX];
	void (*take)(struct reader *r, char *const value[ATTR_MAX], int line);
	const struct element *children;
};

__attribute__((format(printf, 4, 5))) static void complain(struct reader *r, int line, int code,
							   const char *fmt, ...)
{
	struct err err = {.code = code};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.text, sizeof err.text, fmt, ap);
	va_end(ap);
	text_tame(err.text, ' ');
	r->report(r->context, line, &err);
}

static void take_option(struct reader *r, char *const value[ATTR_MAX], int line)
{
	struct err err = ERR_INIT;

	if (option_set_conf(r->options, value[0], value[1], &err))
		complain(r, line, err.code, "%s: left out", err.text);
}

static void take_screen(struct reader *r, char *const value[ATTR_MAX], int line)
{
	r->screen =
		screen_new(value[0] ? value[0] : "(no name)", value[1] ? value[1] : "(no desc)");
	r->screen->file = xstrdup(r->path);
	r->screen->line = line;
	screen_list_add(r->screens, r->screen);
}

/* "06_1A;06_1E": as event/cpu.h writes models. */
static bool is_model_list(const char *text)
{
	static const char hex[] = "0123456789ABCDEFabcdef?", separators[] = "; \t\n";

	for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
		size_t n = strspn(text, hex), m = text[n] == '_' ? strspn(text + n + 1, hex) : 0;

		if (n < 2 || m < 2)
			return false;
		text += n + 1 + m;
		if (!strncmp(text, "_R", 2))
			text += 2 + strspn(text + 2, hex);
		if (*text && !strchr(separators, *text))
			return false;
	}
	return true;
}

/* What can be read, but is hardly what was meant. */
static void doubt_counter(struct reader *r, const struct counter_decl *c)
{
	const char *name = r->screen->name;
	uint64_t number;

	if (!c->event && !c->type && !num_parse_u64(c->config, "", &number, NULL))
		complain(r, c->line, ENOENT,
			 "<screen '%s'>: <counter '%s'>: the config %s is a number, but there is "
			 "no type attribute: HARDWARE is taken, not RAW",
			 name, c->alias, c->config);
	if (c->model && !is_model_list(c->model))
		complain(r, c->line, ENOENT,
			 "<screen '%s'>: <counter '%s'>: '%s' is no list of models: one looks like "
			 "06_1A;06_1E",
			 name, c->alias, c->model);
}

/* A counter or column was left out: what is said of the rest may only follow from that. */
static void lose(struct reader *r)
{
	r->screen->lost = true;
}

static void take_counter(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *alias = value[0], *event = value[1], *config = value[2], *type = value[3];
	struct counter_decl *c;

	if (!event && !config) {
		if (!r->odd)
			complain(r, line, ENOENT,
				 "<screen '%s'>: <counter '%s'> without an event or config "
				 "attribute: counter left out",
				 r->screen->name, alias);
		lose(r);
		return;
	}
	if (event && !event[0]) {
		complain(r, line, EINVAL,
			 "<screen '%s'>: <counter '%s'>: the event is empty: counter left out",
			 r->screen->name, alias);
		lose(r);
		return;
	}
	if (event && (config || type))
		complain(r, line, ENOENT,
			 "<screen '%s'>: <counter '%s'> has an event attribute: its %s left out",
			 r->screen->name, alias,
			 config && type ? "config and type are"
			 : config       ? "config is"
					: "type is");
	c = screen_add_counter(r->screen, alias, event ? "" : config, event ? NULL : type);
	c->event = event ? xstrdup(event) : NULL;
	c->arch = value[4] ? xstrdup(value[4]) : NULL;
	c->model = value[5] ? xstrdup(value[5]) : NULL;
	c->line = line;
	doubt_counter(r, c);
}

static void take_column(struct reader *r, char *const value[ATTR_MAX], int line)
{
	struct column *c = screen_add_column(r->screen, value[0], value[1], value[3], value[2]);

	c->line = line;
	screen_give_id(c, value[4]);
}

static const struct element options_children[] = {
	{"option", {{"name", true, false}, {"value", true, true}}, take_option, NULL},
	{.name = NULL},
};

static const struct element screen_children[] = {
	{"counter",
	 {{"alias", true, false},
	  {"event", false, false},
	  {"config", false, false},
	  {"type", false, false},
	  {"arch", false, false},
	  {"model", false, false}},
	 take_counter,
	 NULL},
	{"column",
	 {{"header", true, false},
	  {"format", true, false},
	  {"expr", true, false},
	  {"desc", false, false},
	  {"id", false, false}},
	 take_column,
	 NULL},
	{.name = NULL},
};

static const struct element root_children[] = {
	{"options", {{NULL, false, false}}, NULL, options_children},
	{"screen", {{"name", false, false}, {"desc", false, false}}, take_screen, screen_children},
	{.name = NULL},
};

/* Freed by the caller. */
static char *attribute_copy(const xmlNode *node, const struct attribute *attr)
{
	xmlChar *text = xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)attr->name);
	char *copy = text ? xstrdup((const char *)text) : NULL;

	xmlFree(text);
	if (copy && !attr->verbatim)
		text_tame(copy, ' ');
	return copy;
}

/* "<screen 'x'>", freed by the caller. */
static char *element_label(const struct element *e, char *const value[ATTR_MAX])
{
	return value[0] ? xasprintf("<%s '%s'>", e->name, value[0]) : xasprintf("<%s>", e->name);
}

/* Fills value[]; false where a required attribute is missing. */
static bool read_attributes(struct reader *r, const struct element *e, const xmlNode *node,
			    const char *where, char *value[ATTR_MAX])
{
	int line = (int)xmlGetLineNo((xmlNode *)node);
	bool complete = true;
	char *label;

	for (size_t i = 0; i < ATTR_MAX && e->attr[i].name; i++)
		value[i] = attribute_copy(node, &e->attr[i]);
	label = element_label(e, value);
	r->odd = false;
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		size_t i = 0;

		while (i < ATTR_MAX && e->attr[i].name &&
		       strcmp(e->attr[i].name, (const char *)a->name))
			i++;
		if (i < ATTR_MAX && e->attr[i].name)
			continue;
		r->odd = true;
		complain(r, line, ENOENT, "%s%s has an unknown attribute '%s': attribute left out",
			 where, label, (const char *)a->name);
	}
	for (size_t i = 0; i < ATTR_MAX && e->attr[i].name; i++) {
		if (value[i] || !e->attr[i].required)
			continue;
		complete = false;
		/* It stands there under a wrong name, most likely, which has been said. */
		if (!r->odd)
			complain(r, line, ENOENT, "%s%s without %s %s attribute: %s left out",
				 where, label, strchr("aeiou", e->attr[i].name[0]) ? "an" : "a",
				 e->attr[i].name, e->name);
	}
	free(label);
	return complete;
}

static void read_children(struct reader *r, const struct element *table, const xmlNode *parent,
			  const char *where);

static void read_element(struct reader *r, const struct element *e, const xmlNode *node,
			 const char *where)
{
	char *value[ATTR_MAX] = {NULL};
	char *label, *inside;

	if (read_attributes(r, e, node, where, value)) {
		if (e->take)
			e->take(r, value, (int)xmlGetLineNo((xmlNode *)node));
		label = element_label(e, value);
		inside = xasprintf("%s%s: ", where, label);
		read_children(r, e->children, node, inside);
		free(inside);
		free(label);
	} else if (e->take == take_counter || e->take == take_column) {
		lose(r);
	}
	for (size_t i = 0; i < ATTR_MAX; i++)
		free(value[i]);
}

/* Text stands in attributes only. The line is where it ends, so its first word is quoted. */
static void read_stray(struct reader *r, const char *text, int line, const char *where)
{
	text += strspn(text, " \t\r\n");
	if (*text)
		complain(r, line, ENOENT, "%stext that belongs to no element, '%.*s': left out",
			 where, (int)strcspn(text, " \t\r\n"), text);
}

/* table NULL: nothing may be inside. */
static void read_children(struct reader *r, const struct element *table, const xmlNode *parent,
			  const char *where)
{
	for (const xmlNode *node = parent->children; node; node = node->next) {
		const struct element *e = table;
		int line = (int)xmlGetLineNo((xmlNode *)node);

		if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
			read_stray(r, (const char *)node->content, line, where);
		if (node->type != XML_ELEMENT_NODE)
			continue;
		while (e && e->name && strcmp(e->name, (const char *)node->name))
			e++;
		if (e && e->name)
			read_element(r, e, node, where);
		else
			complain(r, line, ENOENT, "%sunknown element <%s>: left out", where,
				 (const char *)node->name);
		if (table == screen_children && !e->name)
			lose(r);
	}
}

/* The first fault that the parser finds; the later ones often only follow from it. */
struct fault {
	int line; /* 0: none yet */
	char text[ERR_TEXT_MAX];
};

static void fault_set(struct fault *fault, int line, const char *text)
{
	if (fault->line)
		return;
	fault->line = line > 0 ? line : 1;
	snprintf(fault->text, sizeof fault->text, "%.*s", (int)strcspn(text, "\n"), text);
}

/* libxml2 calls this with its parser for each fault, which it has noted before. */
__attribute__((format(printf, 2, 3))) static void on_fault(void *parser, const char *fmt, ...)
{
	xmlParserCtxt *ctxt = parser;
	const xmlError *e = xmlCtxtGetLastError(ctxt);

	(void)fmt;
	if (e && e->message)
		fault_set(ctxt->_private, e->line, e->message);
}

/* What libxml2 says where it has no parser at hand, about encodings: the parser says it again. */
__attribute__((format(printf, 2, 3))) static void on_aside(void *context, const char *fmt, ...)
{
	(void)context;
	(void)fmt;
}

/* Without a document type there are no entities but the five of XML: nothing to expand,
 * nothing to fetch. */
static void on_doctype(void *parser, const xmlChar *name, const xmlChar *external,
		       const xmlChar *system_id)
{
	xmlParserCtxt *ctxt = parser;

	(void)name;
	(void)external;
	(void)system_id;
	fault_set(ctxt->_private, xmlSAX2GetLineNumber(ctxt),
		  "a <!DOCTYPE> is not allowed here: remove it");
	xmlStopParser(ctxt);
}

/* NULL where the text is no XML that is allowed; fault says why. */
static xmlDoc *parse(const struct strbuf *text, struct fault *fault)
{
	xmlGenericErrorFunc old = xmlGenericError;
	void *old_context = xmlGenericErrorContext;
	xmlParserCtxt *ctxt = xmlNewParserCtxt();
	xmlDoc *doc;

	if (!ctxt) {
		fault_set(fault, 1, "out of memory");
		return NULL;
	}
	ctxt->_private = fault;
	ctxt->sax->warning = on_fault;
	ctxt->sax->error = on_fault;
	ctxt->sax->fatalError = on_fault;
	ctxt->sax->internalSubset = on_doctype;
	xmlSetGenericErrorFunc(NULL, on_aside);
	doc = xmlCtxtReadMemory(ctxt, text->text, (int)text->len, NULL, NULL, XML_PARSE_NONET);
	xmlSetGenericErrorFunc(old_context, old);
	xmlFreeParserCtxt(ctxt);
	/* A parser that was stopped leaves a document without its outermost element. */
	if (doc && !xmlDocGetRootElement(doc)) {
		xmlFreeDoc(doc);
		doc = NULL;
	}
	if (!doc)
		fault_set(fault, 1, "this is no XML");
	return doc;
}

static int read_document(struct reader *r, const struct strbuf *text, struct err *err)
{
	struct fault fault = {0, ""};
	xmlDoc *doc = parse(text, &fault);
	const xmlNode *root;
	int rc = 0;

	if (!doc)
		return err_set(err, EINVAL, "%s:%d: bad XML: %s", r->path, fault.line, fault.text);
	if (fault.line)
		complain(r, fault.line, EINVAL, "bad XML: %s", fault.text);
	root = xmlDocGetRootElement(doc);
	if (strcmp((const char *)root->name, "tiptop"))
		rc = err_set(err, EINVAL,
			     "%s:%ld: the outermost element must be <tiptop>, not <%s>", r->path,
			     xmlGetLineNo((xmlNode *)root), (const char *)root->name);
	else
		read_children(r, root_children, root, "");
	xmlFreeDoc(doc);
	return rc;
}

static int read_text(int fd, const char *path, struct strbuf *text, struct err *err)
{
	char block[4096];
	ssize_t n;

	while ((n = read(fd, block, sizeof block)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_set(err, errno, "cannot read '%s': %s", path, strerror(errno));
		strbuf_add(text, block, (size_t)n);
		if (text->len > CONF_MAX_BYTES)
			return err_set(err, EFBIG,
				       "'%s' has more than %d bytes: this is no configuration file",
				       path, CONF_MAX_BYTES);
	}
	return 0;
}

int conf_read(int fd, const char *path, struct options *o, struct screen_list *screens,
	      screen_report report, void *context, struct err *err)
{
	struct reader r = {.options = o,
			   .screens = screens,
			   .path = path,
			   .report = report,
			   .context = context};
	struct strbuf text;
	int rc;

	strbuf_init(&text);
	rc = read_text(fd, path, &text, err);
	if (!rc)
		rc = read_document(&r, &text, err);
	strbuf_done(&text);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/xml.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/mem.h"
#include "base/suggestion.h"
#include "base/text.h"
#include "conf/element.h"

/* Returns a copy of the attribute's value, which the caller frees; NULL: the element does not have
 * it. */
static char *attribute_copy(const xmlNode *node, const struct attribute *attr)
{
	xmlChar *text = xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)attr->name);
	char *copy = xstrdup_or_null((const char *)text);

	xmlFree(text);
	if (copy && !attr->verbatim)
		text_tame(copy, ' ');
	return copy;
}

/* Returns what sentences call the element, "<screen 'x'>"; the caller frees it. */
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
		const char *name = (const char *)a->name;
		struct suggestion near;
		size_t i = 0;

		suggestion_begin(&near, name);
		for (; i < ATTR_MAX && e->attr[i].name && strcmp(e->attr[i].name, name) != 0; i++)
			suggestion_offer(&near, e->attr[i].name);
		if (i < ATTR_MAX && e->attr[i].name)
			continue;
		r->odd = true;
		conf_complain(r, line, ENOENT,
			      "%s%s has an unknown attribute '%s'%s: attribute left out", where,
			      label, name, suggestion_text(&near));
	}
	for (size_t i = 0; i < ATTR_MAX && e->attr[i].name; i++) {
		if (value[i] || !e->attr[i].required)
			continue;
		complete = false;
		/* It most likely stands there under a wrong name, which has been reported. */
		if (!r->odd)
			conf_complain(r, line, ENOENT, "%s%s without %s %s attribute: %s left out",
				      where, label,
				      strchr("aeiou", e->attr[i].name[0]) ? "an" : "a",
				      e->attr[i].name, e->name);
	}
	free(label);
	return complete;
}

static void read_children(struct reader *r, const struct element *outer, const xmlNode *parent,
			  const char *where);

static void read_element(struct reader *r, const struct element *e, const xmlNode *node,
			 const char *where)
{
	char *value[ATTR_MAX] = {NULL};
	char *label, *inside;

	if (read_attributes(r, e, node, where, value)) {
		r->element = (int)(intptr_t)node->_private;
		if (e->take)
			e->take(r, value, (int)xmlGetLineNo((xmlNode *)node));
		label = element_label(e, value);
		inside = xasprintf("%s%s: ", where, label);
		read_children(r, e, node, inside);
		free(inside);
		free(label);
	} else if (e->lose) {
		e->lose(r);
	}
	for (size_t i = 0; i < ATTR_MAX; i++)
		free(value[i]);
}

/* Reports text outside of attributes. The line is where it ends, so its first word is quoted. */
static void read_stray(struct reader *r, const char *text, int line, const char *where)
{
	text += strspn(text, " \t\r\n");
	if (*text)
		conf_complain(r, line, ENOENT,
			      "%stext that belongs to no element, '%.*s': left out", where,
			      (int)strcspn(text, " \t\r\n"), text);
}

/* What is inside of an element. */
static void read_children(struct reader *r, const struct element *outer, const xmlNode *parent,
			  const char *where)
{
	for (const xmlNode *node = parent->children; node; node = node->next) {
		const struct element *e = outer->children;
		const char *name = (const char *)node->name;
		struct suggestion near;
		int line = (int)xmlGetLineNo((xmlNode *)node);

		if (node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE)
			read_stray(r, (const char *)node->content, line, where);
		if (node->type != XML_ELEMENT_NODE)
			continue;
		suggestion_begin(&near, name);
		for (; e && e->name && strcmp(e->name, name) != 0; e++)
			suggestion_offer(&near, e->name);
		if (e && e->name)
			read_element(r, e, node, where);
		else
			conf_complain(r, line, ENOENT, "%sunknown element <%s>%s: left out", where,
				      name, suggestion_text(&near));
		if (e && !e->name && outer->lose)
			outer->lose(r);
	}
}

/* The first fault that the parser finds; later ones often only follow from it. */
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

/* Returns what to write instead, for the mistakes that people make in expressions; NULL: it is
 * another one. With this code, only a reference has an "EntityRef" in its message. */
static const char *remedy(const xmlError *e)
{
	switch (e->code) {
	case XML_ERR_LT_IN_ATTRIBUTE:
		return "< in the value of an attribute: write &lt; for it, or lt in an expression";
	case XML_ERR_NAME_REQUIRED:
		if (!strstr(e->message, "EntityRef"))
			return NULL;
		__attribute__((fallthrough));
	case XML_ERR_ENTITYREF_SEMICOL_MISSING:
	case XML_ERR_UNDECLARED_ENTITY:
	case XML_WAR_UNDECLARED_ENTITY:
		return "& that begins none of XML's own names: write &amp; for it, or 'and' for && "
		       "in an expression";
	default:
		return NULL;
	}
}

/* libxml2 calls this with its parser for each fault, which it has noted before. */
__attribute__((format(printf, 2, 3))) static void on_fault(void *parser, const char *fmt, ...)
{
	xmlParserCtxt *ctxt = parser;
	const xmlError *e = xmlCtxtGetLastError(ctxt);

	(void)fmt;
	if (e && e->message)
		fault_set(ctxt->_private, e->line, remedy(e) ? remedy(e) : e->message);
}

/* Takes what libxml2 says where it has no parser, about encodings: the parser says it again. */
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

/* Parses the text. NULL where it is no XML that is allowed; fault says why. */
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

/* Numbers the elements in the order of their start tags. */
static void number_elements(xmlNode *node, intptr_t *n)
{
	for (; node; node = node->next) {
		if (node->type != XML_ELEMENT_NODE)
			continue;
		node->_private = (void *)++*n;
		number_elements(node->children, n);
	}
}

static int read_document(struct reader *r, const struct strbuf *text, struct err *err)
{
	struct fault fault = {0, ""};
	xmlDoc *doc = parse(text, &fault);
	xmlNode *root;
	intptr_t n = 0;
	int rc = 0;

	if (!doc)
		return err_set(err, EINVAL, "%s:%d: bad XML: %s", r->path, fault.line, fault.text);
	if (fault.line)
		conf_complain(r, fault.line, EINVAL, "bad XML: %s", fault.text);
	root = xmlDocGetRootElement(doc);
	number_elements(root, &n);
	if (strcmp((const char *)root->name, conf_root.name))
		rc = err_set(err, EINVAL,
			     "%s:%ld: the outermost element must be <tiptop>, not <%s>", r->path,
			     xmlGetLineNo(root), (const char *)root->name);
	else
		read_children(r, &conf_root, root, "");
	xmlFreeDoc(doc);
	return rc;
}

int conf_load(int fd, const char *path, struct strbuf *text, struct err *err)
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

int conf_parse(const struct strbuf *text, const char *path, const struct conf_into *into,
	       screen_report report, void *context, struct err *err)
{
	struct reader r = {.options = into->options,
			   .screens = into->screens,
			   .own = into->own,
			   .themes = into->themes,
			   .filters = into->filters,
			   .verdicts = into->verdicts,
			   .path = path,
			   .report = report,
			   .context = context};

	return read_document(&r, text, err);
}

int conf_read(int fd, const char *path, const struct conf_into *into, screen_report report,
	      void *context, struct err *err)
{
	struct strbuf text;
	int rc;

	strbuf_init(&text);
	rc = conf_load(fd, path, &text, err);
	if (!rc)
		rc = conf_parse(&text, path, into, report, context, err);
	strbuf_done(&text);
	return rc;
}

/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/xml.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>

#include "base/mem.h"

#define FILE_NAME ".tiptoprc"
#define ATTR_MAX  6

/* Where reports and results of one file go. */
struct reader {
	struct options *options;
	struct screen_list *screens;
	struct screen *screen; /* the last one begun */
	const char *path;
	screen_report report;
	void *context;
};

struct attribute {
	const char *name;
	bool required;
};

/*
 * One row for each element: take() gets the values of its attributes in the order of attr[], NULL where optional ones
 * are missing. Sentences call the element by the value of attr[0].
 */
struct element {
	const char *name; /* NULL ends a table */
	struct attribute attr[ATTR_MAX];
	void (*take)(struct reader *r, char *const value[ATTR_MAX], int line);
	const struct element *children;
};

__attribute__((format(printf, 4, 5))) static void complain(struct reader *r, int line, int code, const char *fmt, ...)
{
	struct err err = {.code = code};
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(err.text, sizeof err.text, fmt, ap);
	va_end(ap);
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
	r->screen = screen_new(value[0] ? value[0] : "(no name)", value[1] ? value[1] : "(no desc)");
	r->screen->file = xstrdup(r->path);
	r->screen->line = line;
	screen_list_add(r->screens, r->screen);
}

static void take_counter(struct reader *r, char *const value[ATTR_MAX], int line)
{
	const char *event = value[1], *config = value[2], *type = value[3];
	struct counter_decl *c;

	if (!event && !config) {
		complain(r, line, ENOENT,
			 "<screen '%s'>: <counter '%s'> without an event or config attribute: counter left out",
			 r->screen->name, value[0]);
		return;
	}
	if (event && (config || type))
		complain(r, line, ENOENT, "<screen '%s'>: <counter '%s'> has an event attribute: its %s left out",
			 r->screen->name, value[0],
			 config && type ? "config and type are"
			 : config       ? "config is"
					: "type is");
	c = screen_add_counter(r->screen, value[0], event ? "" : config, event ? NULL : type);
	c->event = event ? xstrdup(event) : NULL;
	c->arch = value[4] ? xstrdup(value[4]) : NULL;
	c->model = value[5] ? xstrdup(value[5]) : NULL;
	c->line = line;
}

static void take_column(struct reader *r, char *const value[ATTR_MAX], int line)
{
	screen_add_column(r->screen, value[0], value[1], value[3], value[2])->line = line;
}

static const struct element options_children[] = {
	{"option", {{"name", true}, {"value", true}}, take_option, NULL},
	{.name = NULL},
};

static const struct element screen_children[] = {
	{"counter",
	 {{"alias", true}, {"event", false}, {"config", false}, {"type", false}, {"arch", false}, {"model", false}},
	 take_counter,
	 NULL},
	{"column", {{"header", true}, {"format", true}, {"expr", true}, {"desc", false}}, take_column, NULL},
	{.name = NULL},
};

static const struct element root_children[] = {
	{"options", {{NULL, false}}, NULL, options_children},
	{"screen", {{"name", false}, {"desc", false}}, take_screen, screen_children},
	{.name = NULL},
};

/* The value on one line: a line break written as &#10; would tear the screen apart. Freed by the caller. */
static char *attribute_copy(const xmlNode *node, const char *name)
{
	xmlChar *text = xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)name);
	char *copy = text ? xstrdup((const char *)text) : NULL;

	xmlFree(text);
	for (char *s = copy; s && *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			*s = ' ';
	return copy;
}

/* "<screen 'x'>", freed by the caller. */
static char *element_label(const struct element *e, char *const value[ATTR_MAX])
{
	return value[0] ? xasprintf("<%s '%s'>", e->name, value[0]) : xasprintf("<%s>", e->name);
}

/* Fills value[]; false where a required attribute is missing. */
static bool read_attributes(struct reader *r, const struct element *e, const xmlNode *node, const char *where,
			    char *value[ATTR_MAX])
{
	int line = (int)xmlGetLineNo((xmlNode *)node);
	bool complete = true;
	char *label;

	for (size_t i = 0; i < ATTR_MAX && e->attr[i].name; i++)
		value[i] = attribute_copy(node, e->attr[i].name);
	label = element_label(e, value);
	for (size_t i = 0; i < ATTR_MAX && e->attr[i].name; i++) {
		if (value[i] || !e->attr[i].required)
			continue;
		complain(r, line, ENOENT, "%s%s without %s %s attribute: %s left out", where, label,
			 strchr("aeiou", e->attr[i].name[0]) ? "an" : "a", e->attr[i].name, e->name);
		complete = false;
	}
	for (const xmlAttr *a = node->properties; a; a = a->next) {
		size_t i = 0;

		while (i < ATTR_MAX && e->attr[i].name && strcmp(e->attr[i].name, (const char *)a->name))
			i++;
		if (i == ATTR_MAX || !e->attr[i].name)
			complain(r, line, ENOENT, "%s%s has an unknown attribute '%s': attribute left out", where,
				 label, (const char *)a->name);
	}
	free(label);
	return complete;
}

static void read_children(struct reader *r, const struct element *table, const xmlNode *parent, const char *where);

static void read_element(struct reader *r, const struct element *e, const xmlNode *node, const char *where)
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
	}
	for (size_t i = 0; i < ATTR_MAX; i++)
		free(value[i]);
}

/* Text stands in attributes only. The line is where it ends, so its first word is quoted. */
static void read_stray(struct reader *r, const char *text, int line, const char *where)
{
	text += strspn(text, " \t\r\n");
	if (*text)
		complain(r, line, ENOENT, "%stext that belongs to no element, '%.*s': left out", where,
			 (int)strcspn(text, " \t\r\n"), text);
}

/* table NULL: nothing may be inside. */
static void read_children(struct reader *r, const struct element *table, const xmlNode *parent, const char *where)
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
			complain(r, line, ENOENT, "%sunknown element <%s>: left out", where, (const char *)node->name);
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

/* Without a document type there are no entities but the five of XML: nothing to expand, nothing to fetch. */
static void on_doctype(void *parser, const xmlChar *name, const xmlChar *external, const xmlChar *system_id)
{
	xmlParserCtxt *ctxt = parser;

	(void)name;
	(void)external;
	(void)system_id;
	fault_set(ctxt->_private, xmlSAX2GetLineNumber(ctxt), "a <!DOCTYPE> is not allowed here: remove it");
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
		rc = err_set(err, EINVAL, "%s:%ld: the outermost element must be <tiptop>, not <%s>", r->path,
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
			return err_set(err, EFBIG, "'%s' has more than %d bytes: this is no configuration file", path,
				       CONF_MAX_BYTES);
	}
	return 0;
}

int conf_read(int fd, const char *path, struct options *o, struct screen_list *screens, screen_report report,
	      void *context, struct err *err)
{
	struct reader r = {.options = o, .screens = screens, .path = path, .report = report, .context = context};
	struct strbuf text;
	int rc;

	strbuf_init(&text);
	rc = read_text(fd, path, &text, err);
	if (!rc)
		rc = read_document(&r, &text, err);
	strbuf_done(&text);
	return rc;
}

/* The file that the user has named. */
static int find_given(const char *given, char **path, int *fd, struct err *err)
{
	struct stat st;
	int folder, rc = 0;

	*fd = open(given, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0)
		return err_set(err, errno, "cannot open the configuration '%s': %s", given, strerror(errno));
	if (fstat(*fd, &st) || !S_ISDIR(st.st_mode)) {
		*path = xstrdup(given);
		return 0;
	}
	folder = *fd;
	*fd = openat(folder, FILE_NAME, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (*fd < 0)
		rc = err_set(err, errno, "cannot open %s in the folder '%s': %s", FILE_NAME, given, strerror(errno));
	else
		*path = xasprintf("%s/%s", given, FILE_NAME);
	close(folder);
	return rc;
}

/* Why a file is not taken from a folder that the user has not named, or NULL. */
static const char *find_distrust(const struct stat *st)
{
	if (st->st_uid != getuid() && st->st_uid != 0)
		return "somebody else owns it; -W takes it all the same";
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return "others may write it; 'chmod go-w' makes it safe, -W takes it as it is";
	return NULL;
}

/* Opens a file of the search; -1 where it is not there or not taken. What is refused once, as *refused says, is
 * refused under its other names, too. */
static int find_open(const char *path, bool named, struct stat *refused, screen_report report, void *context)
{
	struct err err = ERR_INIT;
	const char *why = NULL;
	struct stat st = {0};
	int fd;

	/* O_NONBLOCK: a pipe of this name must not hold the program. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return -1;
	if (fd < 0 || fstat(fd, &st)) {
		why = strerror(errno);
	} else if (st.st_dev == refused->st_dev && st.st_ino == refused->st_ino) {
		close(fd);
		return -1;
	} else if (!S_ISREG(st.st_mode)) {
		why = "it is no regular file";
	} else if (!named) {
		why = find_distrust(&st);
	}
	if (!why)
		return fd;
	err_set(&err, EPERM, "'%s' is passed over: %s", path, why);
	report(context, 0, &err);
	if (fd >= 0) {
		*refused = st;
		close(fd);
	}
	return -1;
}

int conf_find(const char *given, char **path, int *fd, screen_report report, void *context, struct err *err)
{
	const char *const folder[] = {".", getenv("TIPTOP"), getenv("HOME")};
	struct stat refused = {0};

	*path = NULL;
	*fd = -1;
	if (given)
		return find_given(given, path, fd, err);
	for (size_t i = 0; i < sizeof folder / sizeof *folder && *fd < 0; i++) {
		if (!folder[i] || !folder[i][0])
			continue;
		free(*path);
		*path = xasprintf("%s/%s", folder[i], FILE_NAME);
		*fd = find_open(*path, i > 0, &refused, report, context);
	}
	if (*fd < 0) {
		free(*path);
		*path = NULL;
	}
	return 0;
}

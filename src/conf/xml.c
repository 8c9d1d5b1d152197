/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/xml.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libxml/SAX2.h>
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <pwd.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/strbuf.h"
#include "base/suggestion.h"
#include "conf/element.h"

/* ---- find ----
 * Finds the configuration file. */

#define FILE_NAME  ".tiptoprc"
#define PLAIN_NAME "tiptoprc"

/* The flags for open(2). O_NONBLOCK: opening a pipe must not block. */
#define FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

static int find_check_kind(int *fd, char **path, struct err *err)
{
	struct stat st;

	if (fstat(*fd, &st))
		st.st_mode = 0;
	if (S_ISREG(st.st_mode))
		return 0;
	err_set(err, EPERM, "the configuration '%s' is a %s: name a regular file", *path,
		S_ISDIR(st.st_mode) ? "folder" : "pipe or a device");
	close(*fd);
	free(*path);
	*fd = -1;
	*path = NULL;
	return -EPERM;
}

/* Opens the file that the user named, or .tiptoprc in the folder that the user named. */
static int find_given(const char *given, char **path, int *fd, struct err *err)
{
	struct stat st;
	int folder, rc = 0;

	*fd = open(given, FLAGS);
	if (*fd < 0 || fstat(*fd, &st))
		return err_set(err, errno, "cannot open the configuration '%s': %s", given,
			       strerror(errno));
	if (!S_ISDIR(st.st_mode)) {
		*path = xstrdup(given);
		return find_check_kind(fd, path, err);
	}
	folder = *fd;
	*fd = openat(folder, FILE_NAME, FLAGS);
	if (*fd < 0)
		rc = err_set(err, errno, "cannot open %s in the folder '%s': %s", FILE_NAME, given,
			     strerror(errno));
	else
		*path = xasprintf("%s/%s", given, FILE_NAME);
	close(folder);
	return rc ? rc : find_check_kind(fd, path, err);
}

/* Returns the reason to skip a file in the current folder, which the user did not name; NULL:
 * none. */
static const char *reason_to_skip(const struct stat *st)
{
	if (st->st_uid != getuid() && st->st_uid != 0)
		return "another user owns it; -W takes it all the same";
	if (st->st_mode & (S_IWGRP | S_IWOTH))
		return "others may write it; 'chmod go-w' makes it safe, -W takes it as it is";
	return NULL;
}

/* Returns whether the path is a symbolic link; keeps errno. */
static bool is_link(const char *path)
{
	const int error = errno;
	struct stat st;
	const bool is = !lstat(path, &st) && S_ISLNK(st.st_mode);

	errno = error;
	return is;
}

static void report_skipped(const char *path, const char *why, screen_report report, void *context)
{
	struct err err = ERR_INIT;

	err_set(&err, EPERM, "'%s' is passed over: %s", path, why);
	report(context, 0, &err);
}

/* Opens a file of the search; -1: it is missing or skipped. named: see struct place. *refused: the
 * file skipped last; under another name it is skipped again, but not reported. */
static int find_open(const char *path, bool named, struct stat *refused, screen_report report,
		     void *context)
{
	const char *why = NULL;
	struct stat st = {0};
	int fd;

	fd = open(path, FLAGS);
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR) && !is_link(path))
		return -1;
	if (fd < 0 && errno == ENOENT) {
		why = "it is a symbolic link to a file that does not exist";
	} else if (fd < 0 || fstat(fd, &st)) {
		why = strerror(errno);
	} else if (st.st_dev == refused->st_dev && st.st_ino == refused->st_ino) {
		close(fd);
		return -1;
	} else if (!S_ISREG(st.st_mode)) {
		why = "it is not a regular file";
	} else if (!named) {
		why = reason_to_skip(&st);
	}
	if (!why)
		return fd;
	report_skipped(path, why, report, context);
	if (fd >= 0) {
		*refused = st;
		close(fd);
	}
	return -1;
}

/* A place to search: a folder and the name of the file in it. */
struct place {
	char *folder; /* NULL: none */
	const char *name;
	bool named; /* the user named it, so it does not matter who owns or may write it */
};

#define N_PLACES 5

static char *copy_folder(const char *text)
{
	return text && text[0] ? xstrdup(text) : NULL;
}

/* Returns $XDG_CONFIG_HOME/tiptop if that is absolute, else $HOME/.config/tiptop, the default of
 * the XDG specification; NULL: HOME is needed but not set. The caller frees it. */
static char *xdg_folder(void)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (xdg && xdg[0] == '/')
		return xasprintf("%s/tiptop", xdg);
	return home && home[0] ? xasprintf("%s/.config/tiptop", home) : NULL;
}

static void list_places(struct place place[N_PLACES])
{
	place[0] = (struct place){xstrdup("."), FILE_NAME, false};
	place[1] = (struct place){copy_folder(getenv("TIPTOP")), FILE_NAME, true};
	place[2] = (struct place){copy_folder(getenv("HOME")), FILE_NAME, true};
	place[3] = (struct place){xdg_folder(), FILE_NAME, true};
	place[4] = (struct place){xdg_folder(), PLAIN_NAME, true};
}

void conf_add_places(struct strbuf *out)
{
	struct place place[N_PLACES];
	const char *between = "";

	list_places(place);
	for (size_t i = 0; i < N_PLACES; i++) {
		if (!place[i].folder)
			continue;
		strbuf_addf(out, "%s%s/%s", between, place[i].folder, place[i].name);
		between = ", ";
		free(place[i].folder);
	}
}

int conf_find(const char *given, char **path, int *fd, screen_report report, void *context,
	      struct err *err)
{
	struct place place[N_PLACES];
	struct stat refused = {0};

	*path = NULL;
	*fd = -1;
	if (given)
		return find_given(given, path, fd, err);
	list_places(place);
	for (size_t i = 0; i < N_PLACES && *fd < 0; i++) {
		if (!place[i].folder)
			continue;
		free(*path);
		*path = xasprintf("%s/%s", place[i].folder, place[i].name);
		*fd = find_open(*path, place[i].named, &refused, report, context);
	}
	for (size_t i = 0; i < N_PLACES; i++)
		free(place[i].folder);
	if (*fd < 0) {
		free(*path);
		*path = NULL;
	}
	return 0;
}

static int is_addition(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot && !strcmp(dot, ".xml");
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

void conf_each_file(void (*visit)(void *visitor, const char *path, int fd), void *visitor,
		    screen_report report, void *context)
{
	char *folder = xdg_folder();
	struct dirent **entry = NULL;
	int n = folder ? scandir(folder, &entry, is_addition, by_bytes) : 0;

	if (n < 0 && errno != ENOENT && errno != ENOTDIR)
		report_skipped(folder, strerror(errno), report, context);
	for (int i = 0; i < n; i++) {
		struct stat refused = {0};
		char *path = xasprintf("%s/%s", folder, entry[i]->d_name);
		int fd = find_open(path, true, &refused, report, context);

		if (fd >= 0) {
			visit(visitor, path, fd);
			close(fd);
		}
		free(path);
		free(entry[i]);
	}
	free(entry);
	free(folder);
}

int conf_expand_path(const char *typed, char **out, struct err *err)
{
	size_t n = strcspn(typed, "/");
	const char *folder = getenv("HOME");
	const struct passwd *user;
	char *name;

	*out = NULL;
	if (typed[0] != '~') {
		*out = xstrdup(typed);
		return 0;
	}
	if (n > 1 || !folder || !folder[0]) {
		name = xasprintf("%.*s", (int)n - 1, typed + 1);
		user = *name ? getpwnam(name) : getpwuid(geteuid());
		free(name);
		if (!user)
			return err_set(err, ENOENT,
				       "'%.*s' is not a home folder: there is no such user", (int)n,
				       typed);
		folder = user->pw_dir;
	}
	*out = xasprintf("%s%s", folder, typed + n);
	return 0;
}

/* ---- xml ---- */

/* Returns the line where the start tag of the element, or a text, ends. xmlGetLineNo() counts only
 * to 65535 for elements, so on_element() keeps their lines. */
static int line_of(const xmlNode *node)
{
	if (node->type == XML_ELEMENT_NODE)
		return (int)(intptr_t)node->psvi;
	return (int)xmlGetLineNo((xmlNode *)node);
}

/* Returns a copy of the attribute's value, to be freed by the caller; NULL: missing. */
static char *attribute_copy(const xmlNode *node, const struct attribute *attr)
{
	xmlChar *text = xmlGetNoNsProp((xmlNode *)node, (const xmlChar *)attr->name);
	char *copy = xstrdup_or_null((const char *)text);

	xmlFree(text);
	if (copy && !attr->verbatim)
		text_sanitize(copy, ' ');
	return copy;
}

/* Returns the name of the element as messages have it, "<screen 'x'>"; the caller frees it. */
static char *element_label(const struct element *e, char *const value[ATTR_MAX])
{
	return value[0] ? xasprintf("<%s '%s'>", e->name, value[0]) : xasprintf("<%s>", e->name);
}

/* Sets value[] to the values of the element's attributes. Returns false if a required attribute is
 * missing. where: the elements around it, for sentences. */
static bool read_attributes(struct reader *r, const struct element *e, const xmlNode *node,
			    const char *where, char *value[ATTR_MAX])
{
	int line = line_of(node);
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
		/* Its name is probably misspelt, and was reported as an unknown attribute. */
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
			e->take(r, value, line_of(node));
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

/* Reports text between elements. The sentence quotes its first word, because libxml2 has only the
 * line where the text ends. */
static void read_stray(struct reader *r, const char *text, int line, const char *where)
{
	text += strspn(text, " \t\r\n");
	if (*text)
		conf_complain(r, line, ENOENT,
			      "%stext that belongs to no element, '%.*s': left out", where,
			      (int)strcspn(text, " \t\r\n"), text);
}

/* Reads the children of an element. */
static void read_children(struct reader *r, const struct element *outer, const xmlNode *parent,
			  const char *where)
{
	for (const xmlNode *node = parent->children; node; node = node->next) {
		const struct element *e = outer->children;
		const char *name = (const char *)node->name;
		struct suggestion near;
		int line = line_of(node);

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

/* The first fault that libxml2 found in the text; later ones are often mere consequences. */
struct fault {
	int line; /* 0: none */
	char text[ERR_TEXT_MAX];
};

static void fault_set(struct fault *fault, int line, const char *text)
{
	if (fault->line)
		return;
	fault->line = line > 0 ? line : 1;
	snprintf(fault->text, sizeof fault->text, "%.*s", (int)strcspn(text, "\n"), text);
}

/* Returns a sentence with the remedy for a mistake that is common in expressions; NULL: it is
 * another mistake. XML_ERR_NAME_REQUIRED has several causes; if the cause is a '&', the message
 * contains "EntityRef". */
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
		return "& that does not begin a name that XML knows: write &amp; for it, or 'and' "
		       "for && "
		       "in an expression";
	default:
		return NULL;
	}
}

/* The callback of libxml2 for faults. The fault is the last error of the parser context. */
__attribute__((format(printf, 2, 3))) static void on_fault(void *parser, const char *fmt, ...)
{
	xmlParserCtxt *ctxt = parser;
	const xmlError *e = xmlCtxtGetLastError(ctxt);

	(void)fmt;
	if (e && e->message)
		fault_set(ctxt->_private, e->line, remedy(e) ? remedy(e) : e->message);
}

/* The callback of libxml2 for messages outside of a parser context, about encodings. Ignores them,
 * because the parser reports the same faults. */
__attribute__((format(printf, 2, 3))) static void ignore_message(void *context, const char *fmt,
								 ...)
{
	(void)context;
	(void)fmt;
}

/* The callback of libxml2 for a <!DOCTYPE>, which is rejected: without it, a file has only the five
 * predefined entities of XML, so that nothing can expand or be fetched. */
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

/* The callback of libxml2 for a start tag: adds the element with its line. */
static void on_element(void *parser, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
		       int n_namespaces, const xmlChar **namespaces, int n_attributes,
		       int n_defaulted, const xmlChar **attributes)
{
	xmlParserCtxt *ctxt = parser;

	xmlSAX2StartElementNs(parser, name, prefix, uri, n_namespaces, namespaces, n_attributes,
			      n_defaulted, attributes);
	if (ctxt->node)
		ctxt->node->psvi = (void *)(intptr_t)xmlSAX2GetLineNumber(ctxt);
}

/* Parses the text. Returns NULL, with the reason in *fault, if it is not well-formed or has a
 * <!DOCTYPE>. *fault is also set by faults after which libxml2 goes on. */
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
	ctxt->sax->startElementNs = on_element;
	xmlSetGenericErrorFunc(NULL, ignore_message);
	doc = xmlCtxtReadMemory(ctxt, text->text, (int)text->len, NULL, NULL,
				XML_PARSE_NONET | XML_PARSE_BIG_LINES);
	xmlSetGenericErrorFunc(old_context, old);
	xmlFreeParserCtxt(ctxt);
	/* After xmlStopParser() there is a document without a root. */
	if (doc && !xmlDocGetRootElement(doc)) {
		xmlFreeDoc(doc);
		doc = NULL;
	}
	if (!doc)
		fault_set(fault, 1, "this is not XML");
	return doc;
}

/* Numbers node, the nodes after it and their descendants in the order of their start tags: stores
 * the number of each element in its _private. *n: the last number used. */
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
		rc = err_set(err, EINVAL, "%s:%d: the outermost element must be <tiptop>, not <%s>",
			     r->path, line_of(root), (const char *)root->name);
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
			return err_set(
				err, EFBIG,
				"'%s' has more than %d bytes: this is not a configuration file",
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

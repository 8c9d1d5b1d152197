/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xml - reads the configuration file with libxml2: the format of tiptop 2.3.1's .tiptoprc, with
 * additions.
 *
 *   <tiptop>
 *     <options> <option name="delay" value="2.0"/> </options>
 *     <filter name="..." expr="..." desc="..."/>
 *     <cpu name="..." models="..." source="..." replace="yes"/>
 *     <event name="..." unit="..." desc="..." replace="yes">
 *       <for arch="..." model="..." event="..." name="..." source="..." weight="..." code="..."/>
 *     </event>
 *     <theme name="..." desc="..." like="..." light="yes" replace="yes">
 *       <look name="..." fg="..." bg="..." bold="yes" dim="yes" underline="yes" reverse="yes"/>
 *     </theme>
 *     <metric name="..." unit="..." format="..." desc="..." expr="..." look="..." single="yes"
 *             replace="yes">
 *       <from screen="..." column="..." times="..." arch="..." model="..."/>
 *     </metric>
 *     <verdict name="..." word="..." when="..." without="..." rank="..." says="..." sure="..."
 *              surer="..." source="..." counters="..." covers="..." replace="yes">
 *       <next run="..." why="..."/>
 *     </verdict>
 *     <screen name="..." desc="..." needs="..." idle="yes" replace="yes">
 *       <counter alias="..." config="..." type="..." arch="..." model="..."/>
 *       <counter alias="..." event="..." arch="..." model="..."/>
 *       <column id="..." header="..." format="..." desc="..." expr="..." optional="yes"
 *               priority="5"/>
 *     </screen>
 *   </tiptop>
 *
 * A CPU name must precede the elements that use it, and so must a theme. A CPU, event, theme,
 * metric or verdict whose name exists, built in or in another file, is rejected unless it has
 * replace="yes". A replacing metric or verdict keeps the values of attributes that it does not
 * have.
 *
 * Screens are declared, not compiled. A faulty element is reported with its line and left out, and
 * the rest of the file is used. A file fails as a whole if it is not well-formed XML, has another
 * root, a <!DOCTYPE> (so there are no entities: nothing can expand, no other file is read) or more
 * than CONF_MAX_BYTES.
 *
 * Reports have the line where the element's start tag ends; their sentence names the element, not
 * the file, which the caller knows. Their code is EINVAL or ERANGE for an invalid value, ENOENT for
 * something unknown or missing. Errors name the file.
 *
 * Elements are numbered in the order of their start tags, from 1. Screens, their counters and
 * columns, and options store these numbers, so that the key W finds them in the file.
 *
 * Control characters in the texts of screens and in sentences become blanks; values of options are
 * unchanged.
 *
 * libxml2 prints nothing. Its memory is freed at the end of the program.
 */
#ifndef CONF_XML_H
#define CONF_XML_H

#include "base/strbuf.h"
#include "conf/option.h"
#include "conf/theme.h"
#include "pmu/event/own_table.h"
#include "screen/filter_list.h"
#include "screen/screen.h"
#include "screen/verdict_own.h"

#define CONF_MAX_BYTES (4 << 20)

/*
 * Finds and opens the file: `given` (a folder or a file, which must exist); else .tiptoprc in the
 * current folder, in $TIPTOP, in $HOME; then .tiptoprc or tiptoprc in $XDG_CONFIG_HOME/tiptop, or
 * in $HOME/.config/tiptop if that variable is not an absolute path. *fd is -1 and *path NULL if
 * there is none; else the caller closes *fd and frees *path.
 *
 * A file in the current folder is accepted only if this user or root owns it and no other user may
 * write it; this is checked on the open file. A file that is not accepted, or exists and cannot be
 * opened, is skipped with a report (line 0) that names it.
 */
int conf_find(const char *given, char **path, int *fd, screen_report report, void *context,
	      struct err *err);

/* Appends the files that conf_find() tries without `given`, in order, separated by ", ". */
void conf_add_places(struct strbuf *out);

/* Opens each file *.xml of that last folder, in strcmp(3) order, calls visit() and closes it. Files
 * that are not regular or cannot be opened are skipped with a report. */
void conf_each_file(void (*visit)(void *visitor, const char *path, int fd), void *visitor,
		    screen_report report, void *context);

/* Expands a path: a leading ~ is $HOME, or the user's home if that is not set; ~name is the home of
 * that user. The caller frees *out; -ENOENT with a sentence: no such user. */
int conf_expand_path(const char *typed, char **out, struct err *err);

/* The destinations of a file's elements. */
struct conf_into {
	struct options *options; /* NULL: options are reported and left out */
	struct screen_list *screens;
	struct own_table *own;        /* CPUs and events */
	struct theme_list *themes;    /* NULL: themes are ignored */
	struct filter_list *filters;  /* NULL: filters are ignored */
	struct verdict_own *verdicts; /* and metrics; NULL: both are ignored */
};

/* Appends the content of fd, from its current position. */
int conf_load(int fd, const char *path, struct strbuf *text, struct err *err);

/* Parses the text and adds its elements to `into`; path is for sentences and for screen.file. */
int conf_parse(const struct strbuf *text, const char *path, const struct conf_into *into,
	       screen_report report, void *context, struct err *err);

/* Calls conf_load() and conf_parse(). */
int conf_read(int fd, const char *path, const struct conf_into *into, screen_report report,
	      void *context, struct err *err);

#endif

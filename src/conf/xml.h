/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xml - reads the configuration file with libxml2: the format of tiptop 2.3.1's .tiptoprc, with
 * additions.
 *
 *   <tiptop>
 *     <options> <option name="delay" value="2.0"/> </options>
 *     <keys set="..."/>
 *     <key name="..." action="..."/>
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
 *     <screen name="..." desc="..." needs="..." rows="..." idle="yes" replace="yes" number="...">
 *       <counter alias="..." config="..." type="..." arch="..." model="..."/>
 *       <counter alias="..." event="..." arch="..." model="..."/>
 *       <column id="..." header="..." format="..." unit="..." desc="..." expr="..." warn="..."
 *               crit="..." spark="..." scale="..." optional="yes" priority="5"/>
 *     </screen>
 *   </tiptop>
 *
 * A <cpu> must precede the elements that use its name; a <theme> must precede those that are like
 * it. A CPU, event, theme, metric or verdict is rejected if its name exists, built in or defined
 * before, unless it has replace="yes". If a metric or verdict replaces another one, attributes and
 * children that it omits are taken from the replaced one.
 *
 * Screens are declared, not compiled. A faulty element is reported with its line and left out; the
 * other elements are used. The whole file is rejected if it is not well-formed XML, has another
 * root element, has a <!DOCTYPE> (without which XML has no entities that could expand or read other
 * files), or has more than CONF_MAX_BYTES bytes.
 *
 * A report has the line where the start tag of the element ends. Its sentence names the element,
 * but not the file, which the caller adds. Its code is EINVAL or ERANGE for an invalid value,
 * ENOENT for something unknown or missing. The sentences of errors name the file.
 *
 * Elements are numbered in the order of their start tags, from 1. Screens, their counters and
 * columns, and options store these numbers, so that the key W finds them in the file.
 *
 * Control characters in sentences and in the values of attributes become blanks; only the value of
 * an <option> is unchanged.
 *
 * libxml2 prints nothing. Its memory is freed at the end of the program.
 */
#ifndef CONF_XML_H
#define CONF_XML_H

#include "base/strbuf.h"
#include "conf/option.h"
#include "conf/theme.h"
#include "pmu/event/own_table.h"
#include "screen/screen.h"
#include "screen/verdict_list.h"

#define CONF_MAX_BYTES (4 << 20)

/*
 * Finds and opens the configuration file. If `given` is not NULL, it is the file or a folder with a
 * .tiptoprc, which must exist. Otherwise opens the first that exists of: .tiptoprc in the current
 * folder, in $TIPTOP, in $HOME; .tiptoprc, then tiptoprc, in the XDG folder. That is
 * $XDG_CONFIG_HOME/tiptop, or $HOME/.config/tiptop if XDG_CONFIG_HOME is not an absolute path.
 *
 * *fd is -1 and *path NULL if there is no file; else the caller closes *fd and frees *path.
 *
 * A file in the current folder is accepted only if this user or root owns it and no other user may
 * write it; this is checked on the open file. A file that is not accepted, or exists and cannot be
 * opened, is skipped with a report (line 0) that names it.
 */
int conf_find(const char *given, char **path, int *fd, screen_report report, void *context,
	      struct err *err);

/* Appends the paths that conf_find() tries if `given` is NULL, in order, separated by ", ". */
void conf_add_places(struct strbuf *out);

/* Opens each additional file, which is a *.xml in the XDG folder (see conf_find()), in strcmp(3)
 * order, calls visit() and closes it. Files that are not regular or cannot be opened, and a folder
 * that cannot be read, are skipped with a report. */
void conf_each_file(void (*visit)(void *visitor, const char *path, int fd), void *visitor,
		    screen_report report, void *context);

/* Expands a path: a leading ~ is $HOME, or, if that is not set, the user's home in the password
 * database; ~name is the home of user `name`. The caller frees *out. Returns -ENOENT with a
 * sentence if there is no such user. */
int conf_expand_path(const char *typed, char **out, struct err *err);

/* The destinations of a file's elements. */
struct conf_into {
	struct options *options; /* NULL: options and keys are reported and left out */
	struct screen_list *screens;
	struct own_table *own;        /* for CPUs and events */
	struct theme_list *themes;    /* NULL: themes are ignored */
	struct filter_list *filters;  /* NULL: filters are ignored */
	struct verdict_own *verdicts; /* for verdicts and metrics; NULL: both are ignored */
};

/* Appends the content of the file open as fd, from its current position. path: for sentences. */
int conf_load(int fd, const char *path, struct strbuf *text, struct err *err);

/* Parses the text and adds its elements to `into`. path: for sentences and screen.file. */
int conf_parse(const struct strbuf *text, const char *path, const struct conf_into *into,
	       screen_report report, void *context, struct err *err);

/* Calls conf_load() and conf_parse(). */
int conf_read(int fd, const char *path, const struct conf_into *into, screen_report report,
	      void *context, struct err *err);

#endif

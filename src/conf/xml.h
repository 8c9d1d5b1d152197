/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xml - the configuration file: the format of tiptop 2.3.1's .tiptoprc and counters by vendor
 * names, read with libxml2.
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
 *              surer="..." source="..." counters="..." replace="yes">
 *       <next run="..." why="..."/>
 *     </verdict>
 *     <screen name="..." desc="..." needs="..." idle="yes" replace="yes">
 *       <counter alias="..." config="..." type="..." arch="..." model="..."/>
 *       <counter alias="..." event="..." arch="..." model="..."/>
 *       <column id="..." header="..." format="..." desc="..." expr="..." optional="yes"
 * priority="5"/>
 *     </screen>
 *   </tiptop>
 *
 * A name of a CPU stands above what uses it, and so does a theme. A CPU, an event, a theme, a
 * metric or a verdict of a name that there is already, built in or in another file, is left out
 * unless it says replace="yes". Of a metric or a verdict that is replaced, what is not given stays.
 *
 * Screens are declared, not compiled. A fault in one element is reported with its line, the element
 * is left out and the rest of the file is used. A file that is no well-formed XML, has another
 * root, a <!DOCTYPE> (so no entities: nothing can grow, no other file is read) or more than
 * CONF_MAX_BYTES fails as a whole, and nothing of it is used.
 *
 * Reports carry the line where the element's tag ends; their sentence names the element, not the
 * file, which the caller knows. Their code is EINVAL or ERANGE where a value cannot be read, and
 * ENOENT where something is unknown or missing. Errors name the file.
 *
 * Elements have numbers, in the order of their start tags and from 1 on: by these, screens, their
 * counters and columns, and options say where in the file they come from, so that the key W finds
 * them there.
 *
 * Control characters in the texts of screens and in sentences become blanks; the values of options
 * are taken as they are.
 *
 * libxml2 itself prints nothing. Its memory is left to the end of the program.
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
 * Finds and opens the file: `given` (a folder or a file; then it must be there), else .tiptoprc in
 * the current folder, in $TIPTOP, in $HOME; then .tiptoprc or tiptoprc in $XDG_CONFIG_HOME/tiptop,
 * or in $HOME/.config/tiptop where that variable is no absolute path. *fd is -1 and *path NULL
 * where there is none; else the caller closes *fd and frees *path.
 *
 * A file in the current folder is taken only if this user or root owns it and nobody else may write
 * it; this is checked on the open file. One that is not taken, or found but cannot be opened, is
 * passed over with a report (line 0) that names it.
 */
int conf_find(const char *given, char **path, int *fd, screen_report report, void *context,
	      struct err *err);

/* Appends the files that conf_find() looks for where none is given, in its order, with
 * ", " between them. */
void conf_add_places(struct strbuf *out);

/* Calls visit for each file *.xml of that last folder, opened, in the order of strcmp(3); the file
 * is closed behind it. What is no regular file or cannot be opened is passed over with a report. */
void conf_each_file(void (*visit)(void *visitor, const char *path, int fd), void *visitor,
		    screen_report report, void *context);

/* A path as people type it: a leading ~ is $HOME, or the home of this user where that is not
 * set, ~name that of a user. *out is freed by the caller; -ENOENT with a sentence where there
 * is no such user. */
int conf_expand_path(const char *typed, char **out, struct err *err);

/* Where to put what a file has. */
struct conf_into {
	struct options *options; /* NULL: they are reported and left out */
	struct screen_list *screens;
	struct own_table *own;        /* CPUs and events */
	struct theme_list *themes;    /* NULL: they are passed over */
	struct filter_list *filters;  /* NULL: they are passed over */
	struct verdict_own *verdicts; /* and metrics; NULL: they are passed over */
};

/* Appends what fd has, from where it stands to its end. */
int conf_load(int fd, const char *path, struct strbuf *text, struct err *err);

/* Reads such a text; path is for sentences and for screen.file. All is added to what is there. */
int conf_parse(const struct strbuf *text, const char *path, const struct conf_into *into,
	       screen_report report, void *context, struct err *err);

/* Both. */
int conf_read(int fd, const char *path, const struct conf_into *into, screen_report report,
	      void *context, struct err *err);

#endif

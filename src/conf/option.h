/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option - one table for the command line, the <options> of a tiptoprc (read and written), --help
 * and the man page check; and the engine that reads command lines by such a table.
 *
 * A row declares an option once: its names, its argument, the field of a struct that it sets, its
 * range and its help. The monitor has the table of this header, and struct options; each command
 * has its own. The order of events: option_scan() checks the whole command line and remembers it;
 * the configuration file is read (option_set_conf() for each <option>); option_apply() then puts
 * the command line on top.
 *
 * A toggle on the command line inverts what the file says, or the default; given several times it
 * counts once. Of options with an argument the last one counts, but all of a list; of tasks (--help
 * and the like) the first.
 *
 * Where the program is called ptiptop, the first word that is no option is the argument of -p.
 *
 * Errors: a sentence that names the option as the user wrote it, the fault and what is allowed;
 * -EINVAL or -ERANGE. The caller exits with 2.
 *
 * Ownership: struct options owns copies of its strings; options_done() frees them. The list, words
 * and command point into argv.
 */
#ifndef CONF_OPTION_H
#define CONF_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* What the program is asked to do. */
enum option_task {
	TASK_MONITOR,
	TASK_HELP,
	TASK_BUILD_INFO,
	TASK_VERSION,
	TASK_LIST_SCREENS,
	TASK_LIST_EVENTS,
	TASK_LIST_COLUMNS,
	TASK_CHECK,
	TASK_SHOW_SCREEN,
	TASK_ENCODINGS,
	TASK_LIST_FILTERS,
};

/* A set of keys, or one key and what it does; the live screen knows what there is. */
struct key_choice {
	char *set; /* NULL: it is one key */
	char *key, *action;
	int line; /* of the file */
};

/* An <option> of the configuration file. */
struct option_place {
	size_t row;  /* of option_table */
	int element; /* its number, see xml.h */
};

struct options {
	int task; /* enum option_task */
	bool batch, idle, threads, kernel, show_user, show_cmdline, only_conf;
	bool readonly;        /* no key acts on tasks or files */
	bool heat;            /* numbers of the live screen have colours by their size */
	bool no_mouse;        /* the live screen takes no clicks */
	bool tree;            /* children stand below their parents */
	bool append;          /* to the file of -o */
	bool sticky;          /* tasks that have ended stay */
	bool children;        /* what a command makes is shown, too */
	bool no_children;     /* nor is it recorded */
	bool epoch;           /* seconds since 1970 with each refresh */
	bool timestamp;       /* the number of the refresh */
	bool safe_names;      /* a name is one word, and the last */
	bool verbose;         /* what each refresh cost */
	bool explain_verdict; /* in sentences, why tasks are no faster */
	bool no_collect;      /* descriptors of idle tasks are not taken for new tasks */
	bool ascending;       /* smallest first */
	double delay_s, cpu_min;
	long iterations;  /* 0: no end */
	char *output;     /* -o: a file; NULL: standard output */
	char *format;     /* --format: a name; NULL: text */
	char *fields;     /* --fields: ids with ',' between them; NULL: all */
	long rows;        /* --rows: of each refresh, so many at most; 0: all */
	char *metrics;    /* --metrics: a file; NULL: none */
	char *metrics_by; /* --metrics-by: the name of a key of groups; NULL: program-user */
	char *record;     /* --record: a file; NULL: none */
	char *record_max; /* --record-max: as session/recording.c takes it; NULL: all is kept
			   */
	/* --metrics-source: a label of all series; NULL: there is none. */
	char *metrics_source;
	/* --record-when: a condition, and --record-around: as session/recording.c takes it;
	 * NULL: none. */
	char *record_when, *record_around;
	char *record_screens; /* --record-screens: names with ',' between them, or "all" */
	char *replay;         /* --replay: a recording; NULL: the running machine is shown */
	/* --from, --to: times in the recording, as session/time_spec.h takes them; NULL: all of it.
	 */
	char *from, *to;
	/* -E: a file; NULL: standard error in batch mode, none on the live screen. */
	char *errors_path;
	char *pid;        /* -p: a number or a part of a name; NULL: all tasks */
	char *values;     /* --values: the name of a kind; NULL: of the interval */
	char *group;      /* --group: the name of a key of groups; NULL: no groups */
	char *watch;      /* -w: a number or a part of a name; NULL: none */
	char *user;       /* -u: a login name or a number; NULL: all users */
	char *filter;     /* --filter: as row_filter_make() takes it; NULL: all rows */
	char *screen;     /* -S: a number or a part of a name; NULL: the first one */
	char *screens;    /* --screens: as screen_order_apply() takes it; NULL: all, as they usually
			   * are
			   */
	long page;        /* --page: the id of a task; 0: none */
	char *screenshot; /* --screenshot: a file; NULL: none */
	char *size;       /* --size: of the picture; NULL: that of the terminal */
	char *theme;      /* --theme: its name; NULL: the default one */
	/* --sort: as sort_parse() takes it; NULL: sort_column and ascending count. */
	char *sort;
	/* The id or the header of a column of that screen, or command; NULL: the first one. */
	char *sort_column;
	char *events;  /* -e: names with ',' between them, all that were given; NULL: none */
	char *pattern; /* --list-events: a part of a name; NULL: all */
	char *shown;   /* --show-screen: as -S takes it; NULL: that of -S, or the first */
	char *for_cpu; /* --for-cpu: a CPU that is not here, see pmu/event/foreign_cpu.h; NULL: none
			*/
	char *layout;  /* --layout: as parts_parse() takes it; NULL: full */
	/* Of a command that runs several times; repeat 0: it runs once. */
	long repeat, warmups;
	double start_after_s; /* --start-after: the summary counts from then on; 0: from the start
			       */
	char *prepare;        /* --prepare: a command, as base/words.h splits it; NULL: none */
	bool ignore_failure;
	long sample; /* --sample, of tiptop locks: one in so many acquisitions is timed; 0: all */
	bool follow_exec; /* --follow-exec, of tiptop locks and calls: the objects are put back */
	bool exact;       /* --exact: each task of the command is followed by ptrace(2) */
	/* Of "tiptop system". */
	bool lines;       /* batch mode is lines, as vmstat has them */
	bool whole_first; /* the first interval is as long as all others */
	bool user_only, kernel_only, live, raw;
	bool per_reference, per_instruction, per_second, breakdown;
	char *cpus;      /* --cpus: as "0-3,8"; NULL: all */
	bool only;       /* --only */
	char *cgroup;    /* --cgroup: the path of a control group; NULL: none */
	char *spread;    /* --spread: a name; NULL: avg */
	char *conf_path; /* -W: a folder that has a .tiptoprc, or the file itself */
	/* Of the configuration file: keys of the live screen, in its order. */
	struct key_choice *keys;
	size_t n_keys, cap_keys;
	/* Of that file, too: the number of its last <options> (xml.h), 0: it has none; and where
	 * each option was set, in its order. */
	int element;
	struct option_place *places;
	size_t n_places, cap_places;
	char **command; /* behind "--": ended by NULL; NULL: none */
};

enum option_kind {
	OPTION_TOGGLE, /* bool: inverts */
	OPTION_FLAG,   /* bool: sets */
	OPTION_DOUBLE,
	OPTION_LONG,
	OPTION_STRING,
	OPTION_LIST, /* a string; several are joined by ',' */
	/* Sets task to `number`. An argument is optional: with `what`, it is the string of its
	 * field; without, it can only be the word `arg`, and option_given() has it. */
	OPTION_TASK,
	OPTION_IGNORED /* in the configuration file: any value, without effect */
};

/* Whether a row with a conf_name is written to a configuration file. A field whose value is the
 * default never is. */
enum option_writing {
	WRITE_CHANGED, /* yes */
	/* It belongs to one run, or is another name for a field that has a row of its own. */
	WRITE_NEVER,
	WRITE_IF_NUMBER, /* where it is a number */
	WRITE_IF_TEXT    /* where it is none */
};

struct option_row {
	const char *group;     /* the heading of the rows from here on; NULL: no new one */
	const char *long_name; /* without "--"; NULL: only in the configuration file */
	char short_name;       /* '\0': none */
	const char *conf_name; /* in <option name="...">; NULL: not there */
	enum option_writing writing;
	const char *arg; /* what the argument is, as the help shows it; NULL: takes none */
	/* What the option gives, for sentences: "the delay"; NULL: takes no value. */
	const char *what;
	enum option_kind kind;
	size_t offset;       /* of its field in the struct of the set */
	double min, max;     /* for numbers */
	int number;          /* for OPTION_TASK */
	const char *none;    /* for OPTION_STRING: the text that means NULL; NULL: there is none */
	const char *between; /* for OPTION_LIST: stands between several; NULL: "," */
	bool may_be_empty;   /* the empty text means NULL, too; elsewhere it is refused */
	const char *help;    /* one sentence without a full stop */
};

/* Seconds. */
#define OPTION_DELAY_MIN 0.01
/* As LOCKS_SAMPLE_MAX of inject/preload/table.h. */
#define OPTION_SAMPLE_MAX 1000000
#define OPTION_DELAY_MAX  86400

#define OPTION_ROWS_MAX  96
#define OPTION_WORDS_MAX 4

/* The beginning of a long name that means this option, though others begin so, too. */
struct option_beginning {
	const char *beginning, *long_name;
};

#define OPTION_BEGINNINGS_MAX 8

/* What may stand in one kind of command line. */
struct option_set {
	const char *program; /* as it is typed: "tiptop", "tiptop help" */
	const struct option_row *row;
	size_t n_rows;
	const struct option_beginning *beginning;
	size_t n_beginnings;
	size_t size;    /* of the struct that the rows set; 0: they set none */
	size_t n_words; /* so many words at most that are no options */
	/* Why those options of tables that it lacks (--fields, --sort, ...) are none of it, as a
	 * sentence goes on behind the program; NULL: they are unknown as any others. */
	const char *no_table;
	bool takes_command;   /* behind "--" */
	bool takes_pattern;   /* where the program is called ptiptop */
	bool word_is_pattern; /* the first word is always the argument of -p */
};

/* The monitor's: tiptop without a command of its own. */
extern const struct option_row option_table[];
extern const size_t option_table_n;
extern const struct option_set option_monitor;
/* The same for tiptop regions, which runs no command, and for tiptop locks --live. */
extern const struct option_set option_regions, option_locks_live, option_calls_live;

void options_init(struct options *o); /* the defaults */
void options_done(struct options *o);
/* Whether the output is the live screen. */
bool options_are_live(const struct options *o);
/* Adds copies: a set, or with set NULL a key and its action. */
void options_add_key(struct options *o, const char *set, const char *key, const char *action,
		     int line);
/* Notes that this <option> has set the option of this name, which there is. */
void options_add_place(struct options *o, const char *conf_name, int element);
void options_free_keys(struct options *o);

/* Whether the program is called as ptiptop. */
bool option_is_pattern_name(const char *path);

/* The command line, checked and remembered. */
struct option_list;

/* argv[0] is the program, or the command. *out is NULL on failure, else freed with
 * option_list_free(). */
int option_scan(struct option_list **out, const struct option_set *set, int argc, char **argv,
		struct err *err);
/* The last argument given to this option on the command line, or NULL: -W is needed before
 * the file is read. */
const char *option_given(const struct option_list *l, const char *long_name);
/* What is asked for, enum option_task; the configuration file has no say in it. */
int option_task(const struct option_list *l);
/* The words that are no options, in order; NULL: there are no more. */
const char *option_word(const struct option_list *l, size_t i);
/* What stands behind "--", ended by NULL; NULL: nothing does. */
char **option_command(const struct option_list *l);
/* Sets the fields of the set's struct. */
int option_apply(const struct option_list *l, void *values, struct err *err);
/* Those of the monitor. Fails, too, where options do not go together, which only shows when file
 * and command line are known. */
int options_apply(const struct option_list *l, struct options *o, struct err *err);
/* Whether --append has a file (-o) to append to. -EINVAL: it has none. */
int option_check_append(bool append, const char *output, struct err *err);
void option_list_free(struct option_list *l);
/* Frees the strings of such a struct. */
void option_clear(const struct option_set *set, void *values);

/* <option name="..." value="..."/>: numbers as they are, 0 and 1 for toggles and flags.
 * -ENOENT: no such name. */
int option_set_conf(struct options *o, const char *name, const char *value, struct err *err);

/* The row of this name in <option name="...">; option_table_n: there is none. */
size_t option_find_conf(const char *name);

/* What an option takes, of the table that reads it: the i-th name, NULL behind the last one. The
 * help ends with them. */
struct option_choices {
	const char *option; /* its long name; NULL: the table ends */
	const char *(*at)(size_t i);
};

/* Appends the options as --help lists them, drawn from the table; no line is longer than 80
 * characters. choices NULL: there are none. */
void option_usage(const struct option_set *set, const struct option_choices *choices,
		  struct strbuf *out);
/* Appends those with these long names, ended by NULL, in the order of the table and without its
 * headings. */
void option_usage_some(const struct option_set *set, const struct option_choices *choices,
		       const char *const *names, struct strbuf *out);

#endif

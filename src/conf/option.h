/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * option - declares all options in tables, and parses command lines by these tables. They also
 * serve to read and write the <options> of a configuration file, for --help, and to check the man
 * pages.
 *
 * A row declares an option once: its names, its argument, the struct field that it sets, its range
 * and its help. The monitor (tiptop without a command word) has option_table, which sets struct
 * options; each command has a table of its own, and most have their own struct.
 *
 * The order of calls: option_scan() checks the whole command line and stores it; then the
 * configuration file is read (option_set_conf() for each <option>); then option_apply() applies the
 * command line.
 *
 * A toggle on the command line inverts the value of the file, or the default; repeating it has no
 * effect. If an option with an argument is repeated, the last argument counts; of a list, all
 * arguments. Of several tasks (--help, --version and others), the first counts.
 *
 * If the program is called ptiptop, the first word that is not an option is the argument of -p.
 *
 * Errors: -EINVAL or -ERANGE with a sentence that names the option as the user wrote it, the fault
 * and the allowed values. The caller exits with 2.
 *
 * Ownership: struct options owns copies of its strings; options_done() frees them. The words and
 * the command of an option list point into argv.
 */
#ifndef CONF_OPTION_H
#define CONF_OPTION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* The task of the program, as chosen on the command line. */
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

/* A <keys> or <key> of the configuration file: a set of keys, or one key with its action. Only the
 * live screen checks the names. */
struct key_choice {
	char *set; /* NULL: a single key */
	char *key, *action;
	int line; /* in the file */
};

/* The place of an <option> in the configuration file. */
struct option_place {
	size_t row;  /* index in option_table */
	int element; /* its number, see xml.h */
	int line;
};

/* The most rows of a table of options. */
#define OPTION_ROWS_MAX 96

struct options {
	int task; /* enum option_task */
	bool batch, idle, threads, kernel, show_user, show_cmdline, only_conf;
	bool readonly;        /* keys cannot change tasks or write files */
	bool heat;            /* colour the numbers of the live screen by size */
	bool no_mouse;        /* the live screen ignores the mouse */
	bool tree;            /* show child processes below their parents */
	bool append;          /* append to the file of -o */
	bool sticky;          /* keep rows of exited tasks */
	bool children;        /* --children: show rows of the command's descendants */
	bool no_children;     /* --no-children: neither show nor record these rows */
	bool epoch;           /* write the seconds since 1970 with each refresh */
	bool timestamp;       /* write the number of each refresh */
	bool safe_names;      /* write names of tasks as one word, at the end of the line */
	bool verbose;         /* write the cost of each refresh */
	bool explain_verdict; /* explain in sentences why tasks are no faster */
	bool no_collect;      /* leave idle tasks their descriptors even if others need some */
	bool ascending;       /* sort from the smallest value on */
	double delay_s, cpu_min;
	long iterations;  /* 0: unlimited */
	char *output;     /* -o: a file; NULL: standard output */
	char *format;     /* --format: a name; NULL: text */
	char *fields;     /* --fields: ids separated by ','; NULL: all */
	long rows;        /* --rows: maximum for each refresh; 0: all */
	char *metrics;    /* --metrics: a file; NULL: none */
	char *metrics_by; /* --metrics-by: a group key by name; NULL: program-user */
	char *record;     /* --record: a file; NULL: none */
	char *record_max; /* --record-max: parsed by session/output.c; NULL: no limit */
	/* --metrics-source: the value of the label "source" of all series; NULL: no such label. */
	char *metrics_source;
	/* --record-when: a condition; NULL: record all. --record-around: parsed by
	 * session/output.c; NULL: the default. */
	char *record_when, *record_around;
	/* --record-screens: names separated by ',', or "all"; NULL: only the events of the shown
	 * screen. */
	char *record_screens;
	char *replay; /* --replay: a recording; NULL: show the running machine */
	/* --from, --to: times in the recording, parsed by session/replay_session.h; NULL: its
	 * beginning or end. */
	char *from, *to;
	/* -E: a file; NULL: standard error in batch mode, none on the live screen. */
	char *errors_path;
	char *pid;        /* -p: a number or part of a name; NULL: all tasks */
	char *values;     /* --values: a name in values_name (column.h); NULL: interval */
	char *group;      /* --group: a group key by name; NULL: no groups */
	char *watch;      /* -w: a number or part of a name; NULL: none */
	char *user;       /* -u: a login name or a number; NULL: all users */
	char *filter;     /* --filter: parsed by row_filter_make(); NULL: all rows */
	char *screen;     /* -S: a number or part of a name; NULL: the first one */
	char *screens;    /* --screens: parsed by screen_order_apply(); NULL: all, default order */
	long page;        /* --page: a task id; 0: none */
	char *screenshot; /* --screenshot: a file; NULL: none */
	char *size;       /* --size: the size of the screenshot; NULL: that of the terminal */
	char *theme;      /* --theme: a name; NULL: the default theme */
	/* --sort: parsed by sort_parse(); NULL: sort_column and ascending apply. */
	char *sort;
	/* The sort column without --sort: parsed by sort_parse(); NULL, or if the screen has no
	 * such column: the first column that is not text. */
	char *sort_column;
	char *events;  /* -e: all names given, separated by ','; NULL: none */
	char *pattern; /* --list-events: part of a name or description, or a number; NULL: all */
	char *shown;   /* --show-screen: like -S; NULL: the screen of -S, or the first */
	char *for_cpu; /* --for-cpu: another CPU, see pmu/event/foreign_cpu.h; NULL: none */
	char *layout;  /* --layout: parsed by parts_parse(); NULL: full */
	/* repeat: how many runs of the command are measured; 0: one, without --repeat. warmups:
	 * how many runs come before, which are not measured. */
	long repeat, warmups;
	/* --start-after: the time after the start of the command at which the summary begins. */
	double start_after_s;
	char *prepare; /* --prepare: a command, split by base/child.h; NULL: none */
	bool ignore_failure;
	long sample;      /* --sample, of tiptop locks: time every n-th acquisition; 0: all */
	bool follow_exec; /* --follow-exec: restore LD_PRELOAD at exec (locks, calls) */
	bool exact;       /* --exact: follow each task of the command with ptrace(2) */
	/* Options of "tiptop system": */
	bool lines;       /* write lines like vmstat(8) */
	bool whole_first; /* the first interval is as long as the others */
	bool user_only, kernel_only, live, raw;
	bool per_reference, per_instruction, per_second, breakdown;
	char *cpus;      /* --cpus: "0-3,8"; NULL: all */
	bool only;       /* --only: count the tasks of the command, not whole CPUs */
	char *cgroup;    /* --cgroup: path of a control group; NULL: none */
	char *spread;    /* --spread: a name; NULL: avg */
	char *conf_path; /* -W: a folder with a .tiptoprc, or the file itself; NULL: search */
	/* The keys of the configuration file, in its order. */
	struct key_choice *keys;
	size_t n_keys, cap_keys;
	/* The element number (xml.h) of the last <options> in the configuration file, 0: none; and
	 * the places of its <option> elements, in order. */
	int element;
	struct option_place *places;
	size_t n_places, cap_places;
	bool given[OPTION_ROWS_MAX]; /* the rows of option_table that the command line has set */
	char **command; /* the words after "--", terminated by NULL; NULL: there is no "--" */
};

enum option_kind {
	OPTION_TOGGLE, /* bool: inverted */
	OPTION_FLAG,   /* bool: set */
	OPTION_DOUBLE,
	OPTION_LONG,
	OPTION_STRING,
	OPTION_LIST, /* a string; the arguments of repeated options are joined by `between` */
	/* Sets task to `number`. An optional argument is stored in the string field if the row has
	 * `what`; else it can only be the word `arg`, and option_given() returns it. */
	OPTION_TASK,
	OPTION_IGNORED /* accepted without effect, with any value in the configuration file */
};

/* Whether an option with a conf_name is written to a configuration file. */
enum option_writing {
	WRITE_CHANGED, /* if the value differs from the default */
	/* The option belongs to a single run, or its field is written by another row. */
	WRITE_NEVER,
	WRITE_IF_NUMBER, /* if the value differs from the default and is a number */
	WRITE_IF_TEXT    /* if the value differs from the default and is not a number */
};

struct option_row {
	const char *group;     /* heading before this row in the help; NULL: none */
	const char *long_name; /* without "--"; NULL: configuration file only */
	char short_name;       /* '\0': none */
	const char *conf_name; /* in <option name="...">; NULL: not in the file */
	enum option_writing writing;
	const char *arg; /* placeholder of the argument in the help; NULL: no argument */
	/* The meaning of the value in sentences: "the delay"; NULL: no value. */
	const char *what;
	enum option_kind kind;
	size_t offset;       /* offset of the field in the struct that the table sets */
	double min, max;     /* for numbers: the range */
	int number;          /* for OPTION_TASK: the task */
	const char *none;    /* for OPTION_STRING: the text that means NULL; NULL: no such text */
	const char *between; /* for OPTION_LIST: separator of joined arguments; NULL: "," */
	bool may_be_empty;   /* of a text: an empty one means NULL; otherwise it is an error */
	bool is_file;        /* of a text: the name of a file, so that '-' is an error */
	const char *help;    /* one sentence without a full stop */
};

/* The shortest delay, in seconds; OPTION_DELAY_MAX is the longest. */
#define OPTION_DELAY_MIN 0.01
/* Must equal LOCKS_SAMPLE_MAX of inject/preload/table.h. */
#define OPTION_SAMPLE_MAX 1000000
#define OPTION_DELAY_MAX  86400

#define OPTION_WORDS_MAX 16

/* An abbreviation that is accepted for this option, although other long names begin with it, too.
 */
struct option_beginning {
	const char *beginning, *long_name;
};

#define OPTION_BEGINNINGS_MAX 8

/* The grammar of one kind of command line. */
struct option_set {
	const char *program; /* as typed: "tiptop", "tiptop help" */
	const struct option_row *row;
	size_t n_rows;
	const struct option_beginning *beginning;
	size_t n_beginnings;
	size_t size;    /* size of the struct that the rows set; 0: no struct */
	size_t n_words; /* maximum number of words that are not options */
	/* Why the options of tables (--fields, --sort and others) do not apply, as the end of the
	 * error message: "'--sort' is an option of tables: PROGRAM no_table". NULL: these options
	 * are reported as unknown. */
	const char *no_table;
	bool takes_command;   /* a command may follow "--" */
	bool takes_pattern;   /* if called ptiptop, the first word is the argument of -p */
	bool word_is_pattern; /* the first word is always the argument of -p */
};

/* The grammar of the monitor: tiptop without a command word. */
extern const struct option_row option_table[];
extern const size_t option_table_n;
extern const struct option_set option_monitor;
/* The grammars of tiptop regions, tiptop locks --live and tiptop calls --live. */
extern const struct option_set option_regions, option_locks_live, option_calls_live;

void options_init(struct options *o); /* sets the defaults */
void options_done(struct options *o);
/* Returns whether the output is the live screen. */
bool options_are_live(const struct options *o);
/* Adds a set of keys; or, if set is NULL, a key with its action. Copies the texts. */
void options_add_key(struct options *o, const char *set, const char *key, const char *action,
		     int line);
/* Notes that this <option> element, in this line, has set the option with this name, which must
 * exist. */
void options_add_place(struct options *o, const char *conf_name, int element, int line);

/* Returns whether the value of the option with this conf_name is from the configuration file. */
bool options_are_from_file(const struct options *o, const char *conf_name);
/* Returns the line of the configuration file that has set the option with this conf_name; 0: none,
 * or the value is from the command line. */
int options_line(const struct options *o, const char *conf_name);

/* Returns whether the program is called ptiptop. */
bool option_is_pattern_name(const char *path);

/* A command line, checked and stored. */
struct option_list;

/* Checks a command line and stores it in *out; argv[0] is the program or the command. *out is NULL
 * on failure; else the caller frees it with option_list_free(). */
int option_scan(struct option_list **out, const struct option_set *set, int argc, char **argv,
		struct err *err);
/* Returns the argument of this option on the command line; NULL: none. For options such as -W,
 * which are needed before option_apply(). */
const char *option_given(const struct option_list *l, const char *long_name);
/* Returns whether this option is on the command line. */
bool option_is_given(const struct option_list *l, const char *long_name);
/* Returns the task (enum option_task) of the command line. */
int option_task(const struct option_list *l);
/* Returns the i-th word that is not an option; NULL: no more. */
const char *option_word(const struct option_list *l, size_t i);
/* Returns the words after "--", terminated by NULL; NULL: there is no "--". */
char **option_command(const struct option_list *l);
/* Applies the command line to *values, the struct whose fields the rows of the set describe. */
int option_apply(const struct option_list *l, void *values, struct err *err);
/* Applies the command line of the monitor to *o, which has the values of the configuration file.
 * Fails if the options of both contradict each other. */
int options_apply(const struct option_list *l, struct options *o, struct err *err);
/* Checks that --append has a file (-o) to append to; otherwise returns -EINVAL. */
int option_check_append(bool append, const char *output, struct err *err);
void option_list_free(struct option_list *l);
/* Frees the strings of *values, the struct whose fields the rows of the set describe. */
void option_clear(const struct option_set *set, void *values);

/* Sets an option from <option name="..." value="..."/>. The value of a toggle or flag is 0 or 1.
 * Returns -ENOENT if the name is unknown. */
int option_set_conf(struct options *o, const char *name, const char *value, struct err *err);

/* Returns the index of the row with this conf_name; option_table_n: none. */
size_t option_find_conf(const char *name);

/* The words that an option allows as its argument, which its help lists. at() returns word i from
 * the table that parses the option; NULL: no more. */
struct option_choices {
	const char *option; /* its long name; NULL ends the table */
	const char *(*at)(size_t i);
};

/* Appends the options as --help lists them, in lines of at most 80 characters. choices: the allowed
 * words of some options; NULL: none. */
void option_usage(const struct option_set *set, const struct option_choices *choices,
		  struct strbuf *out);
/* Appends the options with these long names (NULL-terminated), in the order of the table, without
 * headings. */
void option_usage_some(const struct option_set *set, const struct option_choices *choices,
		       const char *const *names, struct strbuf *out);

/* ---- option_rows ----
 *
 * Macros for rows of options that several commands have.
 *
 * type: the options struct of the command; member: its field that the option sets; text: the help.
 */

/* The row of -h, in each command. */
#define COMMAND_HELP_ROW                                                                           \
	{                                                                                          \
		.group = "Options", .long_name = "help", .short_name = 'h', .arg = "all",          \
		.kind = OPTION_TASK, .number = TASK_HELP,                                          \
		.help = "print this text, or with all forms and options, and exit"                 \
	}

#define COMMAND_ROW(type, member, text) .offset = offsetof(type, member), .help = (text)
#define COMMAND_CONFIG_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "config", .short_name = 'W', .arg = "path",                           \
		.what = "the configuration file", .kind = OPTION_STRING,                           \
		COMMAND_ROW(type, member, text)                                                    \
	}
#define COMMAND_FORMAT_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "format", .arg = "name", .what = "the format", .kind = OPTION_STRING, \
		COMMAND_ROW(type, member, text)                                                    \
	}
/* The row of --anonymize, of commands that write reports as pages (report/anonymous.h); "tiptop
 * report" has its own. */
#define COMMAND_ANONYMIZE_ROW(type, member)                                                        \
	{                                                                                          \
		.long_name = "anonymize", .kind = OPTION_FLAG,                                     \
		COMMAND_ROW(type, member,                                                          \
			    "in a page, made-up names for users, hosts, containers, threads and "  \
			    "files; programs, functions and locks keep theirs")                    \
	}
/* The row of --events, which may be repeated: each argument is a list of counters, a set. The sets
 * are counted in turns. */
#define COMMAND_SETS_ROW(type, member, text)                                                       \
	{                                                                                          \
		.long_name = "events", .short_name = 'c', .arg = "list",                           \
		.what = "the set of counters", .kind = OPTION_LIST, .between = "\n",               \
		COMMAND_ROW(type, member, text)                                                    \
	}
#define COMMAND_CYCLES_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "cycles", .short_name = 't', .kind = OPTION_FLAG,                     \
		COMMAND_ROW(type, member, text)                                                    \
	}
#define COMMAND_NO_HEADER_ROW(type, member)                                                        \
	{                                                                                          \
		.long_name = "no-header", .short_name = 'n', .kind = OPTION_FLAG,                  \
		COMMAND_ROW(type, member, "no header")                                             \
	}
#define COMMAND_SCREEN_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "screen", .short_name = 'S', .arg = "number|text",                    \
		.what = "the screen", .kind = OPTION_STRING, COMMAND_ROW(type, member, text)       \
	}
/* The rows of the part of a recording (session/replay_series.h). part: the member with its texts.
 */
#define COMMAND_PART_ROWS(type, part)                                                              \
	{.long_name = "from",                                                                      \
	 .arg = "time",                                                                            \
	 .what = "the beginning",                                                                  \
	 .kind = OPTION_STRING,                                                                    \
	 COMMAND_ROW(type, part[SELECTION_FROM],                                                   \
		     "from this time on: 14:03, 14:03:20, \"2026-01-31 14:03\", +90 (s after the " \
		     "beginning), -90 (before the end)")},                                         \
		{.long_name = "to",                                                                \
		 .arg = "time",                                                                    \
		 .what = "the end",                                                                \
		 .kind = OPTION_STRING,                                                            \
		 COMMAND_ROW(type, part[SELECTION_TO], "up to this time")},                        \
		{.long_name = "pid",                                                               \
		 .short_name = 'p',                                                                \
		 .arg = "pid|name",                                                                \
		 .what = "the tasks",                                                              \
		 .kind = OPTION_STRING,                                                            \
		 COMMAND_ROW(type, part[SELECTION_PID],                                            \
			     "only this task, or tasks whose names contain this text")},           \
	{                                                                                          \
		.long_name = "filter", .arg = "filter", .what = "the filter",                      \
		.kind = OPTION_STRING,                                                             \
		COMMAND_ROW(type, part[SELECTION_FILTER],                                          \
			    "only tasks that pass this filter of tiptop(1)")                       \
	}
/* The option --step, in s, up to most_s; the caller initializes the member to -1: not given. */
#define COMMAND_STEP_ROW(type, member, most_s)                                                     \
	{                                                                                          \
		.long_name = "step", .arg = "seconds", .what = "the length of intervals",          \
		.kind = OPTION_LONG, .min = 0, .max = (most_s),                                    \
		COMMAND_ROW(type, member,                                                          \
			    "join samples to intervals of this length; 0: do not; unless given, "  \
			    "minutes if there are more than 100,000 readings")                     \
	}
#define COMMAND_COLUMNS_ROW(type, member, text)                                                    \
	{                                                                                          \
		.long_name = "columns", .short_name = 'c', .arg = "id,...", .what = "the columns", \
		.kind = OPTION_LIST, COMMAND_ROW(type, member, text)                               \
	}
#define COMMAND_OUTPUT_ROW(type, member, text)                                                     \
	{                                                                                          \
		.long_name = "output", .short_name = 'o', .arg = "file", .what = "the file",       \
		.kind = OPTION_STRING, COMMAND_ROW(type, member, text)                             \
	}
#define COMMAND_APPEND_ROW(type, member)                                                           \
	{                                                                                          \
		.long_name = "append", .kind = OPTION_FLAG,                                        \
		COMMAND_ROW(type, member, "append to the file of -o, if it has the same header")   \
	}
#define COMMAND_FIELDS_ROW(type, member)                                                           \
	{                                                                                          \
		.long_name = "fields", .arg = "id,...", .what = "the fields", .kind = OPTION_LIST, \
		COMMAND_ROW(type, member,                                                          \
			    "write only these fields, in this order: columns of CSV")              \
	}
#define COMMAND_SORT_ROW(type, member)                                                             \
	{                                                                                          \
		.long_name = "sort", .arg = "id[:asc]", .what = "the field to sort by",            \
		.kind = OPTION_STRING,                                                             \
		COMMAND_ROW(type, member,                                                          \
			    "sort by this field, the largest number first, unless :asc is given")  \
	}
/* The rows for struct table_options (run/command_output.h), for a command that prints a table. */
#define COMMAND_TABLE_ROWS(type, member)                                                           \
	COMMAND_OUTPUT_ROW(type, member.output, "write to this file"),                             \
		COMMAND_APPEND_ROW(type, member.append), COMMAND_FIELDS_ROW(type, member.fields),  \
		COMMAND_SORT_ROW(type, member.sort)
#define COMMAND_CPUS_ROW(type, member, text)                                                       \
	{                                                                                          \
		.long_name = "cpus", .arg = "list", .what = "the list of CPUs",                    \
		.kind = OPTION_STRING, COMMAND_ROW(type, member, text)                             \
	}

#endif

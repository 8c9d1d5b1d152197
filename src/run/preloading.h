/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preloading - runs a command with an object of tiptop's in front of its libraries, and writes what
 * the tables say that the object has made in its processes.
 *
 * A command of tiptop has a struct preloading_use, its options are PRELOADING_ROWS, and
 * preloading_run() is all that it does.
 *
 * Programs may also be linked with what measures, as with libtiptop: then there is no object, and
 * struct preloading_linked says what is to be done in its place.
 */
#ifndef RUN_PRELOADING_H
#define RUN_PRELOADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/destination.h"
#include "base/strbuf.h"
#include "conf/option_rows.h"
#include "inject/preload/event_note.h"
#include "report/format.h"
#include "report/select.h"
#include "run/call_additions.h"
#include "run/lifecycle.h"
#include "run/pace.h"
#include "run/process_watch.h"
#include "run/signals.h"
#include "run/table_folder.h"

struct preloading_options {
	int task;
	bool children, follow_exec, append;
	char *output, *format;
	char *fields, *sort; /* as report/select.h takes them */
	long rows;
	bool threads;    /* rows are of threads, of a command that has some */
	char *folded;    /* where stacks go, of a command that has some */
	char *functions; /* more that are measured, of a command that can do so */
	char *events;    /* what is counted, of a command that does */
	long sample;     /* one in so many is timed, of a command that can do so; 0: all are */
};

#define PRELOADING_EVENTS_ROW                                                                      \
	{                                                                                          \
		.long_name = "events", .short_name = 'e', .arg = "event,...",                      \
		.what = "the events", .kind = OPTION_LIST, .between = ",",                         \
		.offset = offsetof(struct preloading_options, events),                             \
		.help = "count these events, too: cycles,instructions"                             \
	}

/* said: what it writes, "who waited". */
#define PRELOADING_FOLDED_ROW(said)                                                                \
	{                                                                                          \
		.long_name = "folded", .arg = "file", .what = "the file", .kind = OPTION_STRING,   \
		.offset = offsetof(struct preloading_options, folded),                             \
		.help = "write " said " as lines for flame graphs"                                 \
	}

#define PRELOADING_OUTPUT_ROWS                                                                     \
	COMMAND_OUTPUT_ROW(struct preloading_options, output,                                      \
			   "write to a file, not to standard output"),                             \
		COMMAND_FORMAT_ROW(struct preloading_options, format, "write in this format")

/* Of a command that has declared its rows. */
#define PRELOADING_SELECT_ROWS                                                                     \
	COMMAND_APPEND_ROW(struct preloading_options, append),                                     \
		COMMAND_FIELDS_ROW(struct preloading_options, fields),                             \
		COMMAND_SORT_ROW(struct preloading_options, sort),                                 \
	{                                                                                          \
		.long_name = "rows", .arg = "number", .what = "the number of rows",                \
		.kind = OPTION_LONG, .max = PRELOADING_ROWS_MAX,                                   \
		.offset = offsetof(struct preloading_options, rows),                               \
		.help = "write so many rows of each process at most; 0, the default, stands for "  \
			"all"                                                                      \
	}

#define PRELOADING_ROWS_MAX 1000000000

#define PRELOADING_ROWS                                                                            \
	COMMAND_HELP_ROW,                                                                          \
		{.long_name = "children",                                                          \
		 .kind = OPTION_FLAG,                                                              \
		 .offset = offsetof(struct preloading_options, children),                          \
		 .help = "measure the processes that are made, too"},                              \
		{.long_name = "follow-exec",                                                       \
		 .kind = OPTION_FLAG,                                                              \
		 .offset = offsetof(struct preloading_options, follow_exec),                       \
		 .help = "measure programs that are executed without LD_PRELOAD, too"},            \
		PRELOADING_OUTPUT_ROWS, PRELOADING_SELECT_ROWS

struct preloading {
	const struct preloading_use *use;
	struct preloading_options o;
	enum report_format_id format;
	struct report_selection selection; /* what is written of rows */
	char **command;
	struct table_folder folder;
	struct call_additions additions;
	struct signals signals;
	struct lifecycle life;
	struct dest dest, folded;
	struct strbuf stacks, events; /* events: as the object takes them */
	uint64_t end;                 /* the clock of the command, when it had ended */
	uint64_t cpu_ns;              /* that it took, without its children; 0: not known */
	struct pace pace;
	struct perf_kernel kernel;
	struct process_watch *watch; /* NULL: the kernel tells nothing */
	unsigned n_filtered;         /* programs that are not measured for their filters */
	bool refused;                /* the command runs without the object */
	bool leaves;                 /* measured processes go on behind the command */
};

struct preloading_want;

/* Of a command whose programs are linked with what makes the tables. */
struct preloading_linked {
	/* Makes the environment of this process that of the command; want->events: as they were
	 * given. */
	int (*prepare)(const struct preloading_want *want, struct err *err);
	/* Collects what processes have left; called some times a second while the command runs. */
	void (*collect)(struct preloading *p);
	/* Says, after the report, what it lacks; sets p->leaves. */
	void (*print_lacking)(struct preloading *p);
	/* Sets the sentence why there is no table. */
	void (*explain_none)(const struct preloading *p, struct err *err);
};

struct preloading_use {
	const char *name;            /* of the command, as its messages say: "locks" */
	const char *object;          /* "tiptop-locks.so"; NULL: programs are linked with it */
	const char *variable;        /* of the environment, where the object looks for the folder */
	bool modes;                  /* events are counted apart in user mode and in the kernel */
	const char *stacks_variable; /* of the environment: stacks are wanted; NULL: it has none */
	const char *sample_variable; /* the same: one in so many is timed */
	unsigned needs;              /* of system calls: enum seccomp_needs */
	const struct option_set *options;
	uint64_t (*clock)(void); /* as the object reads it */
	/* Appends what all tables say; and to p->stacks, where they are wanted. The number of
	 * tables, or -errno. */
	int (*report)(struct preloading *p, struct strbuf *out, struct err *err);
	/* Declares the rows of the report, where these events are counted; NULL: its rows cannot be
	 * selected. And what its text begins with. */
	void (*declare)(const struct preloading *p, const struct event_note event[],
			uint32_t n_events, struct report_own_type *t);
	const char *text_head;
	const struct preloading_linked *linked; /* NULL: there is an object */
	void *context;                          /* for these functions */
};

/* Sets p->selection. -EINVAL: the rows have no such field. */
int preloading_select(struct preloading *p, struct err *err);
/* Opens the file of -o; with --append, if what it has goes with what is to come. */
int preloading_open(struct preloading *p, struct err *err);

/* What a command that runs with the object finds in its environment. */
struct preloading_want {
	const char *folder; /* where it makes tables */
	const char *events; /* as preloading_events.h makes them; NULL or "": none */
	const char *more;   /* an object that comes behind it; "" or NULL: none */
	bool children, stacks;
	bool follow_exec; /* the objects are put back where LD_PRELOAD is lost */
	long sample;      /* one in so many is timed; 0: all are */
};

/* Notes a table that was read, which begins at this moment of its clock. */
void preloading_note_table(struct preloading *p, uint32_t pid, uint64_t begin);
/* Prints to standard error that measuring has stopped in a process, where it has
 * (inject/preload/header.h): for formats that have no place for it. */
void preloading_print_stop(const struct preloading *p, uint32_t pid, uint32_t lacking,
			   uint64_t ticks, uint64_t ns_per_tick);
/* Whether what is wanted can be had together. */
int preloading_check(const struct preloading_use *use, long sample, const char *events,
		     struct err *err);
/* Whether the filters of system calls that this process has allow what the object does: 0, or
 * -ENODATA. */
int preloading_try(const struct preloading_use *use, const struct preloading_want *want,
		   struct err *err);
/* Makes the environment of this process that of the command. */
int preloading_prepare(const struct preloading_use *use, const struct preloading_want *want,
		       struct err *err);
/* The CPU time of a process that has a table; 0: not known. Only that of the command is, where it
 * has executed no other program: with_table says whether the process has another table, too. */
uint64_t preloading_cpu_ns(const struct preloading *p, uint32_t pid, bool with_table);
/* What the command of tiptop does: the exit status. */
int preloading_run(const struct preloading_use *use, const struct option_list *arguments);

#endif

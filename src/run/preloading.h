/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preloading - runs a command with an object of tiptop loaded before its libraries, and writes a
 * report of the tables that the object has made in the processes; or has the kernel record the
 * calls of futex(2) (collect/table/futex_watch.h), for rows beside or in place of these.
 *
 * A command of tiptop that does so consists of a struct preloading_use, options from
 * PRELOADING_ROWS, and a call of preloading_run().
 *
 * If programs are linked with libtiptop instead, there is no object, and struct preloading_linked
 * has the functions that differ.
 */
#ifndef RUN_PRELOADING_H
#define RUN_PRELOADING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/destination.h"
#include "base/strbuf.h"
#include "collect/table/futex_watch.h"
#include "conf/option.h"
#include "inject/preload/process.h"
#include "inject/preload/table_note.h"
#include "report/anonymous.h"
#include "report/format.h"
#include "report/select.h"
#include "run/lifecycle.h"
#include "run/preloading_input.h"
#include "run/table_folder.h"
#include "run/wait.h"

struct preloading_options {
	int task;
	bool children, follow_exec, append, anonymize;
	char *output, *format;
	char *fields, *sort; /* in the format of report/select.h */
	long rows;
	bool threads;    /* of commands with --threads: write rows of threads */
	bool kernel;     /* of commands with --kernel: the kernel records calls of futex(2), too */
	bool chains;     /* of commands with --chains: write rows of chains of waits */
	char *group;     /* of commands with --group: the rows to sum; NULL: none */
	char *folded;    /* of commands with --folded: the file for stacks; NULL: none */
	char *rules;     /* a file of further rules for waits; NULL: none */
	char *functions; /* a file of further functions to measure (preloading_input.h); NULL: none
			  */
	char *events;    /* the events to count; NULL: none */
	long sample;     /* time one of this many acquisitions; 0: all */
};

#define PRELOADING_EVENTS_ROW                                                                      \
	{                                                                                          \
		.long_name = "events", .short_name = 'e', .arg = "event,...",                      \
		.what = "the events", .kind = OPTION_LIST, .between = ",",                         \
		.offset = offsetof(struct preloading_options, events),                             \
		.help = "count these events, too: cycles,instructions"                             \
	}

/* said: the contents of the file, for --help: "who waited". */
#define PRELOADING_FOLDED_ROW(said)                                                                \
	{                                                                                          \
		.long_name = "folded", .arg = "file", .what = "the file of stacks",                \
		.kind = OPTION_STRING, .is_file = true,                                            \
		.offset = offsetof(struct preloading_options, folded),                             \
		.help = "write " said " as lines for flame graphs"                                 \
	}

#define PRELOADING_OUTPUT_ROWS                                                                     \
	COMMAND_OUTPUT_ROW(struct preloading_options, output, "write to this file"),               \
		COMMAND_FORMAT_ROW(struct preloading_options, format, "write in this format"),     \
		COMMAND_ANONYMIZE_ROW(struct preloading_options, anonymize)

/* Options of a command that declares the columns of its report. */
#define PRELOADING_SELECT_ROWS                                                                     \
	COMMAND_APPEND_ROW(struct preloading_options, append),                                     \
		COMMAND_FIELDS_ROW(struct preloading_options, fields),                             \
		COMMAND_SORT_ROW(struct preloading_options, sort),                                 \
	{                                                                                          \
		.long_name = "rows", .arg = "number", .what = "the number of rows",                \
		.kind = OPTION_LONG, .max = PRELOADING_ROWS_MAX,                                   \
		.offset = offsetof(struct preloading_options, rows),                               \
		.help = "write at most this many rows of each process; 0: all; a terminal shows "  \
			"what fits"                                                                \
	}

#define PRELOADING_ROWS_MAX 1000000000

#define PRELOADING_ROWS                                                                            \
	COMMAND_HELP_ROW,                                                                          \
		{.long_name = "children",                                                          \
		 .kind = OPTION_FLAG,                                                              \
		 .offset = offsetof(struct preloading_options, children),                          \
		 .help = "measure the processes that the command creates, too"},                   \
		{.long_name = "follow-exec",                                                       \
		 .kind = OPTION_FLAG,                                                              \
		 .offset = offsetof(struct preloading_options, follow_exec),                       \
		 .help = "measure programs that are executed without LD_PRELOAD, too"},            \
		PRELOADING_OUTPUT_ROWS, PRELOADING_SELECT_ROWS

struct preloading {
	const struct preloading_use *use;
	struct preloading_options o;
	enum report_format_id format;
	struct report_selection selection; /* the fields, order and number of rows to write */
	struct anonymous anonymous;
	char **command;
	struct table_folder folder;
	struct call_additions additions;
	struct signals signals;
	struct lifecycle life;
	struct dest dest, folded;
	struct strbuf stacks, events; /* events: in the format of the object */
	uint64_t end;                 /* when the command had ended, on the clock of the object */
	uint64_t cpu_ns;              /* CPU time of the command without its children; 0: unknown */
	struct pace pace;
	struct perf_kernel kernel;
	struct process_watch *watch;               /* NULL: the kernel does not report processes */
	struct futex_watch *futexes;               /* NULL: without --kernel */
	unsigned n_unmeasured[TABLE_FOLDER_MARKS]; /* programs that loaded the object, but are not
						      measured */
	struct err unread;               /* why the first table that could not be read was not */
	size_t n_unread;                 /* tables that could not be read */
	uint32_t n_left_out[LEFT_OUT_N]; /* forked processes that are not measured */
	bool refused;                    /* the command runs without the object */
	bool leaves;                     /* measured processes outlive the command */
};

struct preloading_want;

/* Functions of a command whose programs are linked with libtiptop. */
struct preloading_linked {
	/* Changes the environment of this process to that of the command. want->events: as the user
	 * wrote them. Returns 0, or -errno with a sentence. */
	int (*prepare)(const struct preloading_want *want, struct err *err);
	/* Collects the tables of processes that have ended; called some times a second while the
	 * command runs. */
	void (*collect)(struct preloading *p);
	/* Prints what the report lacks, after it was written; sets p->leaves. */
	void (*print_lacking)(struct preloading *p);
	/* Sets an error that explains why there is no table. */
	void (*explain_none)(const struct preloading *p, struct err *err);
};

struct preloading_use {
	const char *name;     /* of the command, for its messages: "locks" */
	const char *object;   /* "tiptop-locks.so"; NULL: programs are linked with libtiptop */
	const char *variable; /* environment variable with the folder of the tables */
	bool modes;           /* events are counted separately for user mode and kernel */
	const char *stacks_variable; /* environment variable that asks for stacks; NULL: none */
	const char *chains_variable; /* environment variable that asks for chains; NULL: none */
	const char *stacks_title;    /* the title of stacks on a page */
	const char
		*sample_variable; /* environment variable with the number of --sample; NULL: none */
	/* What measures programs that do not load the object, for messages: ": --kernel ..."; NULL:
	 * nothing does. */
	const char *otherwise;
	unsigned needs; /* the system calls that the object needs: enum seccomp_needs */
	const struct option_set *options;
	/* Checks options that only this command has, and may change them; NULL: there are none.
	 * Returns 0, or -EINVAL with a sentence. */
	int (*check)(struct preloading *p, struct err *err);
	uint64_t (*clock)(void); /* the clock that the object reads */
	/* Applies options that only this command has; NULL: none. Returns 0, or -errno with a
	 * sentence. */
	int (*prepare)(const struct preloading_options *o, struct err *err);
	/* Appends the report of all tables to `out`, and their stacks to p->stacks if they are
	 * wanted. A table that cannot be read is passed to preloading_note_unread(), and the others
	 * are reported. Returns the number of reports, or -errno with a sentence. */
	int (*report)(struct preloading *p, struct strbuf *out, struct err *err);
	/* Declares the columns of the report, including those of these events. --append compares
	 * the beginning of the file with text_head, the beginning of a report as text, and
	 * json_types, the types that the first JSON line may have (NULL: none). */
	void (*declare)(const struct preloading *p, const struct event_note event[],
			uint32_t n_events, struct report_own_type *t);
	const char *text_head;
	const char *json_types[2];
	const struct preloading_linked *linked; /* NULL: an object is preloaded */
	void *context;                          /* for the functions above */
};

/* The contents of the environment of a command that runs with the object. */
struct preloading_want {
	const char *folder;  /* the folder for tables */
	const char *events;  /* as made by preloading_events_add(); NULL or "": none */
	const char *program; /* the first word of the command, for preloading_try(); NULL: none */
	const char *more;    /* path of an object to load after that of tiptop; "" or NULL: none */
	bool children, stacks, chains;
	bool follow_exec; /* preload the objects again where an execve(2) loses LD_PRELOAD */
	long sample;      /* time one of this many acquisitions; 0: all */
};

/* Notes in the process watch that the process has a table. begin: when the table began, on the
 * clock of the object. */
void preloading_note_table(struct preloading *p, uint32_t pid, uint64_t begin);
/* Returns when the program of a table ended, on the clock of the object: its process executed
 * another program (*executes), or ended; for a running process, or if that is unknown, when the
 * command ended. begin: when the table began; next: when the next table of the process began, 0:
 * none. */
uint64_t preloading_program_end(const struct preloading *p, uint32_t pid, uint64_t begin,
				uint64_t next, bool *executes);
/* Notes a table that could not be read: preloading_run() prints why after the report. name: of its
 * file. */
void preloading_note_unread(struct preloading *p, const char *name, const struct err *why);
/* Adds the forked processes that a table counts as not measured: preloading_run() prints them. */
void preloading_note_left_out(struct preloading *p, const uint32_t n[LEFT_OUT_N]);
/* Prints to standard error that measuring stopped in a process, if it did
 * (inject/preload/table_note.h): for report formats without a field for this. */
void preloading_print_stop(const struct preloading *p, uint32_t pid, uint32_t lacking,
			   uint64_t ticks, uint64_t ns_per_tick);
/* Checks that the command has --sample, if it is used, and that it is not combined with --events.
 * Returns 0, or -EINVAL with a sentence. */
int preloading_check(const struct preloading_use *use, long sample, const char *events,
		     struct err *err);
/* Checks that the system-call filters of this process allow the calls of the object, and that the
 * object would not end the program, as it does if that uses the C library musl. Returns 0, or
 * -ENODATA with a sentence. */
int preloading_try(const struct preloading_use *use, const struct preloading_want *want,
		   struct err *err);
/* Changes the environment of this process to that of the command. Returns 0, or -errno with a
 * sentence. */
int preloading_prepare(const struct preloading_use *use, const struct preloading_want *want,
		       struct err *err);
/* Returns the CPU time, in ns, of a process that has a table; 0: unknown. Only that of the
 * command's own process is known, if it executed one program only. with_table: the process has
 * another table, so it has executed several programs. */
uint64_t preloading_cpu_ns(const struct preloading *p, uint32_t pid, bool with_table);
/* Returns whether the report has stacks: with --folded, or for a page if the object records them
 * anyway. */
bool preloading_wants_stacks(const struct preloading *p);
/* Runs a command of tiptop. Returns its exit status. */
int preloading_run(const struct preloading_use *use, const struct option_list *arguments);

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * life - the lives of processes, threads and counters as states: which there are, and the events
 * that lead from one to the next.
 *
 * An event that a state does not have (-) cannot happen. Where it does, the source has a fault: the
 * state stays, nothing is done, and the event is counted (source_cost.refused). The letters say
 * what else is done; live_change(), live_change_thread() and live_change_counters() do it, and
 * nothing else sets a state.
 *
 *   process  | WANT     LEAVE      RESTART    LOOK    END      REPLACE REPORT   VANISH
 *   ---------+------------------------------------------------------------------------
 *   UNWANTED | NEW      UNWANTED d UNWANTED d -       -        GONE    -        GONE
 *   NEW      | NEW      UNWANTED d NEW d      WATCHED REPORTED GONE    -        -
 *   WATCHED  | WATCHED  UNWANTED d NEW d      WATCHED ENDED e  ENDED e -        -
 *   ENDED    | -        -          -          -       -        ENDED   REPORTED -
 *   REPORTED | REPORTED REPORTED   REPORTED   -       -        GONE    -        GONE
 *   GONE     | -        -          -          -       -        -       -        -
 *
 *   d: its counters are closed; its facts and all its threads but the leader are forgotten
 *   e: its counters are read for the last time and closed
 *
 *   thread | END     RETURN  DROP
 *   -------+---------------------
 *   LIVES  | ENDED l -       GONE
 *   ENDED  | -       LIVES o GONE
 *   GONE   | -       -       -
 *
 *   l: if it is not the leader, its counters are read for the last time, and closed unless they
 *      count others, too
 *   o: its counters are opened, unless those of the thread that started it count it
 *
 *   counters | SLEEP  OPENED SHORT REFUSED TAKE      ANEW    END
 *   ---------+----------------------------------------------------
 *   UNTRIED  | IDLE i OPEN   WAIT  WITHOUT UNTRIED c UNTRIED FINAL
 *   IDLE     | IDLE i OPEN   WAIT  WITHOUT -         UNTRIED FINAL
 *   OPEN     | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   WAIT     | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   TAKEN    | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   WITHOUT  | -      OPEN   WAIT  WITHOUT TAKEN c   UNTRIED FINAL
 *   FINAL    | -      -      -     -       -         -       -
 *
 *   i: it is known to have counted nothing
 *   c: they are read and closed
 *
 * What else process_table.h remembers of them goes with any state, and so is a boolean: whether the
 * last reading of a clock or of counters succeeded, the marks of a walk and of a listing, that a
 * sample has the reading, that a description may be old, that another look is asked for.
 */
#ifndef COLLECT_TASK_LIFE_H
#define COLLECT_TASK_LIFE_H

/* The next state, where an event cannot happen. */
#define LIFE_REFUSED 0

/* A process begins as UNWANTED. */
enum life {
	LIFE_UNWANTED = 1, /* the filter leaves it out: only its clock is asked for, now and then */
	LIFE_NEW,          /* wanted, and not looked at yet in this generation */
	LIFE_WATCHED,
	LIFE_ENDED, /* the sample that is taken gets its end */
	/* Nothing is left to be sampled. A zombie stays until it is reaped, or it would be taken
	 * for a newcomer. */
	LIFE_REPORTED,
	LIFE_GONE, /* the next table_sweep() frees it */
	N_LIVES
};

enum life_event {
	LIFE_WANT,    /* the filter lets it pass */
	LIFE_LEAVE,   /* the filter leaves it out */
	LIFE_RESTART, /* a new generation begins */
	LIFE_LOOK,    /* it is looked at */
	LIFE_END,     /* it is a zombie, or has left /proc */
	LIFE_REPLACE, /* another process has its pid */
	LIFE_REPORT,  /* a sample has its end */
	LIFE_VANISH,  /* it has left /proc, and no sample waits for its end */
	N_LIFE_EVENTS
};

/* A thread, the leader too, begins as LIVES. What it did until its end stays with it. */
enum thread_life {
	THREAD_LIVES = 1,
	THREAD_ENDED, /* not in the kernel's list any more, or soon; its counts are final */
	THREAD_GONE,  /* the next process_sweep() frees it */
	N_THREAD_LIVES
};

enum thread_event {
	THREAD_END,    /* it is not there any more */
	THREAD_RETURN, /* it is listed again: another thread has its tid */
	THREAD_DROP,   /* nothing needs it any more */
	N_THREAD_EVENTS
};

/* The counters of a process, of which its leader keeps the state; or, where rows are threads, of a
 * thread. They begin as UNTRIED. */
enum counters {
	/* Nobody tried to open them since the generation began, or since they were lost. */
	COUNTERS_UNTRIED = 1,
	COUNTERS_IDLE, /* not opened yet, as it has not run since it was found */
	COUNTERS_OPEN,
	COUNTERS_WAIT,    /* for descriptors */
	COUNTERS_TAKEN,   /* others needed the descriptors */
	COUNTERS_WITHOUT, /* the screen needs none, or the kernel refuses: task.counting says why */
	COUNTERS_FINAL,
	N_COUNTERS
};

enum counters_event {
	COUNTERS_SLEEP,   /* it was looked at, and has not run */
	COUNTERS_OPENED,  /* they were opened */
	COUNTERS_SHORT,   /* they were not, for want of descriptors */
	COUNTERS_REFUSED, /* they were not, for another reason */
	COUNTERS_TAKE,    /* others need the descriptors */
	COUNTERS_ANEW,    /* what was opened or tried does not hold any more */
	COUNTERS_END,     /* the thread or process has ended */
	N_COUNTERS_EVENTS
};

enum life life_after(enum life state, enum life_event event);
enum thread_life thread_life_after(enum thread_life state, enum thread_event event);
enum counters counters_after(enum counters state, enum counters_event event);

#endif

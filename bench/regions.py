# SPDX-License-Identifier: GPL-2.0-or-later
"""Measures what begin and end of a region, with the "with" statement around them, cost in Python: alone and beside busy threads.

    PYTHONPATH=python python3 bench/regions.py [EVENTS]

CPU time of the thread: the least and the median of 21 rounds, minus that of an empty loop. Wall time also has the turns in which
the interpreter runs other threads. By ctypes.CDLL, begin and end release the interpreter's lock and wait for it each time.
"""

import ctypes
import os
import statistics
import sys
import threading
import time

PAIRS, ROUNDS = 20000, 21

if "TIPTOP_REGIONS" not in os.environ:
    os.environ.update(TIPTOP_REGIONS=sys.argv[1] if len(sys.argv) > 1 else "task-clock", TIPTOP_REPORT="/dev/null")

import tiptop  # the library looks at the environment when it is loaded


def time_round(region, clock):
    begin = clock()
    if region:
        for _ in range(PAIRS):
            with tiptop.region("region"):
                pass
    else:
        for _ in range(PAIRS):
            pass
    return (clock() - begin) / PAIRS


@tiptop.region("function")
def measured():
    pass


def plain():
    pass


def time_calls(function):
    begin = time.thread_time_ns()
    for _ in range(PAIRS):
        function()
    return (time.thread_time_ns() - begin) / PAIRS


def show(what, run, without):
    with_it, empty = sorted(run() for _ in range(ROUNDS)), sorted(without() for _ in range(ROUNDS))
    print(f"{what:44} {with_it[0] - empty[0]:8.0f} {statistics.median(with_it) - statistics.median(empty):8.0f}")


def show_block(what):
    show(what, lambda: time_round(True, time.thread_time_ns), lambda: time_round(False, time.thread_time_ns))


def show_wall(what):
    show(what, lambda: time_round(True, time.perf_counter_ns), lambda: 0)


class Busy:
    """Threads that do nothing but keep the interpreter busy."""

    def __enter__(self):
        self.go_on = True
        self.threads = [threading.Thread(target=self.run) for _ in range(2)]
        for thread in self.threads:
            thread.start()

    def run(self):
        while self.go_on:
            pass

    def __exit__(self, *error):
        self.go_on = False
        for thread in self.threads:
            thread.join()


print(f"{'# begin and end of a region, ns':44} {'least':>8} {'median':>8}")
show_block("a block")
show("a decorated function, without its call", lambda: time_calls(measured), lambda: time_calls(plain))
with Busy():
    show_block("a block beside two busy threads")
library = ctypes.CDLL("libtiptop.so.0", mode=os.RTLD_NOLOAD)
keeping, tiptop._begin, tiptop._end = (tiptop._begin, tiptop._end), library.tt_region_begin, library.tt_region_end
PAIRS, ROUNDS = 5000, 5
with Busy():
    show_wall("wall time beside them, by CDLL")
    tiptop._begin, tiptop._end = keeping
    show_wall("wall time beside them, as it is")
PAIRS, ROUNDS = 20000, 21
tiptop._enabled.value = 0
show_block("a block that is not measured")

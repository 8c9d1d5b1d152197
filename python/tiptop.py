# SPDX-License-Identifier: LGPL-2.1-or-later
"""tiptop for Python: counters and regions of the calling thread, through libtiptop.

    import tiptop

    with tiptop.counters("page-faults,task-clock") as c:
        work()
    print(c["page-faults"])

    with tiptop.region("work"):        # measured if TIPTOP_REGIONS is set, see tiptop(3)
        work()

Numbers that are not known are None. Each begin and end of a region costs about a microsecond of Python, and
its instructions are counted, too: this is for work of a millisecond and more.
"""

import ctypes
import math
import os

MAX_EVENTS = 8

# TT_INTERPRETED: calls of a function in itself may be at the same place of the stack.
_INTERPRETED = 1


class _Value(ctypes.Structure):
    _fields_ = [
        ("count", ctypes.c_uint64),
        ("enabled", ctypes.c_uint64),
        ("running", ctypes.c_uint64),
        ("opening", ctypes.c_uint32),
        ("state", ctypes.c_uint32),
    ]


class _Region(ctypes.Structure):
    _fields_ = [("label", ctypes.c_char_p), ("id", ctypes.c_uint32), ("flags", ctypes.c_uint32)]


def _load():
    library = ctypes.CDLL(os.environ.get("TIPTOP_LIBRARY", "libtiptop.so.0"))
    library.tt_open.restype = ctypes.c_void_p
    library.tt_open.argtypes = [ctypes.c_char_p]
    library.tt_close.argtypes = [ctypes.c_void_p]
    library.tt_read.argtypes = [ctypes.c_void_p, ctypes.POINTER(_Value)]
    library.tt_count.argtypes = [ctypes.c_void_p]
    library.tt_name.restype = ctypes.c_char_p
    library.tt_name.argtypes = [ctypes.c_void_p, ctypes.c_int]
    library.tt_between.restype = ctypes.c_double
    library.tt_between.argtypes = [ctypes.POINTER(_Value), ctypes.POINTER(_Value)]
    library.tt_strerror.restype = ctypes.c_char_p
    library.tt_region_begin.argtypes = [ctypes.POINTER(_Region)]
    library.tt_region_end.argtypes = [ctypes.POINTER(_Region)]
    return library


_library = _load()
_enabled = ctypes.c_int.in_dll(_library, "tt_enabled")
_regions = {}


class counters:
    """What the calling thread counts while a block runs: a mapping from the names of events to numbers."""

    def __init__(self, events):
        self._handle = _library.tt_open(events.encode())
        if not self._handle:
            raise ValueError(_library.tt_strerror().decode())
        self._names = [
            _library.tt_name(self._handle, i).decode() for i in range(_library.tt_count(self._handle))
        ]
        self._before = (_Value * MAX_EVENTS)()
        self._after = (_Value * MAX_EVENTS)()
        self._numbers = {}

    def __enter__(self):
        _library.tt_read(self._handle, self._before)
        return self

    def __exit__(self, *error):
        _library.tt_read(self._handle, self._after)
        for i, name in enumerate(self._names):
            number = _library.tt_between(self._before[i], self._after[i])
            self._numbers[name] = None if math.isnan(number) else number

    def __getitem__(self, name):
        return self._numbers[name]

    def __iter__(self):
        return iter(self._numbers)

    def close(self):
        """Closes the counters; the numbers stay."""
        _library.tt_close(self._handle)
        self._handle = None


class region:
    """A region with this label, as a block."""

    def __init__(self, label):
        # The library keeps a pointer to the label as long as the program runs.
        self._region = _regions.setdefault(label, _Region(label.encode(), 0, _INTERPRETED))

    def __enter__(self):
        if _enabled.value:
            _library.tt_region_begin(self._region)
        return self

    def __exit__(self, *error):
        if _enabled.value:
            _library.tt_region_end(self._region)

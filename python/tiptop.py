# SPDX-License-Identifier: LGPL-2.1-or-later
"""tiptop for Python: counters and regions of the calling thread, through libtiptop.

    import tiptop

    with tiptop.counters("page-faults,task-clock") as c:
        work()
        print(c.read())                # so far
        work()
    print(c["page-faults"], dict(c))

    with tiptop.region("work"):        # measured if TIPTOP_REGIONS is set, see tiptop(3)
        work()

    @tiptop.region("parse")            # or @tiptop.region: the function's own name
    def parse(text): ...

An unknown number is None, for example the counts of a block that waited at an "await". tiptop(3) describes what a region costs,
and what it measures in coroutines, generators and the processes of multiprocessing.

TIPTOP_LIBRARY is the path of the library. Without it, libtiptop.so.0 is used: the one that the process has loaded already, else
the one that was installed or built together with this file, else the one that the dynamic loader finds.
"""

from __future__ import annotations

import ctypes
import dis
import functools
import inspect
import math
import os
import sys
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Callable, Dict, Generator, Iterator, List, Mapping, NamedTuple, Optional, Set, Tuple, TypeVar, Union
from typing import cast, overload

__all__ = ["MAX_EVENTS", "Numbers", "Region", "counters", "enabled", "region", "report", "report_on", "reset", "start", "stop"]

MAX_EVENTS = 8
_MAX_UNITS = 4

_SONAME = "libtiptop.so.0"
# enum tt_state.
_STATES = ("ok", "syscall", "scaled", "tsc", "denied", "no-pmu")
# TT_INTERPRETED of tiptop.h: nested calls of a region may begin at the same place of the stack.
_INTERPRETED = 1
# The most regions that are cached. With more labels, region() makes a new object for a label that is not cached, each time.
_KEPT_REGIONS = 4096

_F = TypeVar("_F", bound=Callable[..., Any])


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


class _Numbers(ctypes.Structure):
    _fields_ = [
        ("calls", ctypes.c_uint64),
        ("time_ns", ctypes.c_double),
        ("n_events", ctypes.c_uint32),
        ("event", ctypes.c_char_p * MAX_EVENTS),
        ("count", ctypes.c_double * MAX_EVENTS),
        ("state", ctypes.c_char_p * MAX_EVENTS),
        ("n_units", ctypes.c_uint32),
        ("unit", ctypes.c_char_p * _MAX_UNITS),
        ("work", ctypes.c_uint64 * _MAX_UNITS),
    ]


# --- the library ---


def _beside() -> List[str]:
    """Returns paths of the library installed with this file, in PREFIX/share/tiptop/python, or built from its source."""
    here = Path(__file__).resolve().parent
    places = [here.parent / "build"]
    if here.parts[-3:] == ("share", "tiptop", "python"):
        places = sorted(here.parents[2].glob("lib*")) + sorted(here.parents[2].glob("lib/*-linux-*"))
    return [str(place / _SONAME) for place in places if (place / _SONAME).is_file()]


def _open_library() -> ctypes.PyDLL:
    chosen = os.environ.get("TIPTOP_LIBRARY")
    if chosen:
        try:
            return ctypes.PyDLL(chosen)
        except OSError as error:
            raise ImportError(f"the library that TIPTOP_LIBRARY names cannot be loaded: {error}") from None
    try:
        return ctypes.PyDLL(_SONAME, mode=os.RTLD_NOLOAD)
    except OSError:
        pass  # the process has not loaded the library yet
    reasons = []
    for path in _beside() + [_SONAME]:
        try:
            return ctypes.PyDLL(path)
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        f"libtiptop is not found: {'; '.join(reasons)}: install it, or set TIPTOP_LIBRARY to its path"
    ) from None


class _Library:
    """The functions of the library. Functions that may take long release the interpreter's lock; all others keep it."""

    def __init__(self, library: ctypes.PyDLL) -> None:
        keeps, releases = ctypes.PYFUNCTYPE, ctypes.CFUNCTYPE
        handle, number, values = ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(_Value)

        try:
            self.open = releases(handle, ctypes.c_char_p)(("tt_open", library))
            self.close = keeps(None, handle)(("tt_close", library))
            self.read = keeps(number, handle, values)(("tt_read", library))
            self.count = keeps(number, handle)(("tt_count", library))
            self.name = keeps(ctypes.c_char_p, handle, number)(("tt_name", library))
            self.state = keeps(number, handle, number)(("tt_state", library))
            self.between = keeps(ctypes.c_double, values, values)(("tt_between", library))
            self.strerror = keeps(ctypes.c_char_p)(("tt_strerror", library))
            self.report = releases(number)(("tt_report", library))
            self.report_on = keeps(number, number)(("tt_report_on", library))
            self.get_numbers = keeps(number, ctypes.c_char_p, number, ctypes.POINTER(_Numbers))(("tt_get_numbers", library))
            self.reset = keeps(number, ctypes.c_char_p)(("tt_reset", library))
            self.start = keeps(number)(("tt_start", library))
            self.stop = keeps(number)(("tt_stop", library))
            self.enabled = number.in_dll(library, "tt_enabled")
            # Without argument types, as conversions take longer: the arguments come from ctypes.byref().
            self.begin = library.tt_region_begin
            self.end = library.tt_region_end
            self.work = library.tt_region_work
            self.async_begin = library.tt_async_begin
            self.async_end = keeps(None, ctypes.c_uint64, ctypes.c_uint)(("tt_async_end", library))
        except (AttributeError, ValueError) as error:
            raise ImportError(f"libtiptop is of another version than tiptop.py: {error}") from None
        self.begin.restype = self.end.restype = self.work.restype = None
        self.async_begin.restype = ctypes.c_uint64

    def error(self) -> str:
        return str(self.strerror().decode(errors="replace"))


_library = _Library(_open_library())
_enabled = _library.enabled
_begin = _library.begin
_end = _library.end
_async_begin = _library.async_begin
_async_end = _library.async_end
_get_frame = sys._getframe


# --- counters ---


class counters(Mapping[str, Optional[float]]):
    """Counters of the calling thread: a mapping from the names of events to numbers.

    Counting starts from 0 at the construction, and again at the begin of a "with" block. Until the counters are closed, each
    access by name reads them; read() returns all numbers of one moment. The end of the block closes them; the last numbers
    stay. Only the thread that made them can read them.
    """

    _handle: Optional[int] = None

    def __init__(self, events: str) -> None:
        self._before = (_Value * MAX_EVENTS)()
        self._after = (_Value * MAX_EVENTS)()
        self._handle = _library.open(events.encode())
        if not self._handle:
            raise ValueError(_library.error())
        n = _library.count(self._handle)
        self._names = [_library.name(self._handle, i).decode() for i in range(n)]
        self._states = [_STATES[_library.state(self._handle, i)] for i in range(n)]
        self._numbers: Dict[str, Optional[float]] = dict.fromkeys(self._names)
        self._reasons = dict.fromkeys(self._names, "")
        self.reset()

    def _read(self, values: ctypes.Array[_Value]) -> None:
        if self._handle is None:
            raise ValueError("these counters are closed: make new ones")
        if _library.read(self._handle, values):
            raise RuntimeError(_library.error())

    def reset(self) -> None:
        """Restarts counting from 0."""
        self._read(self._before)

    def read(self) -> Dict[str, Optional[float]]:
        """Reads all counters as of one moment."""
        self._read(self._after)
        for i, name in enumerate(self._names):
            number = _library.between(self._before[i], self._after[i])
            self._numbers[name] = _known(number)
            self._states[i] = _STATES[self._after[i].state]
        return dict(self._numbers)

    def state(self, name: str) -> str:
        """Returns how an event was last read: "ok", "syscall", "scaled", "tsc", "denied" or "no-pmu", see tiptop(3)."""
        if name not in self._numbers:
            raise KeyError(name)
        return self._states[self._names.index(name)]

    def reason(self, name: str) -> str:
        """Returns why an event that is "denied" or "no-pmu" is not counted; "" for other events."""
        if self.state(name) in ("denied", "no-pmu") and not self._reasons[name]:
            _library.close(_library.open(name.encode()))
            self._reasons[name] = _library.error() or f"'{name}' is not counted any more: its descriptor was closed"
        return self._reasons[name]

    def close(self) -> None:
        """Closes the counters; the last numbers stay."""
        handle, self._handle = self._handle, None
        _library.close(handle)

    def __enter__(self) -> counters:
        self.reset()
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self.read()
        finally:
            self.close()

    def __getitem__(self, name: str) -> Optional[float]:
        if self._handle is not None and name in self._numbers:
            self.read()
        return self._numbers[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def __repr__(self) -> str:
        return f"<tiptop.counters {self._numbers}>"

    def __del__(self) -> None:
        if self._handle is not None:
            self.close()


# --- regions ---


class Numbers(NamedTuple):
    """The numbers of a region over its finished calls."""

    calls: int
    time_ns: Optional[float]
    counts: Dict[str, Optional[float]]
    states: Dict[str, str]  # as in the report: "exact", "scaled", ...
    work: Dict[str, int]  # by unit


def _known(number: float) -> Optional[float]:
    return None if math.isnan(number) else number


# TT_WAITED and TT_NESTED.
_WAITED, _NESTED = 1, 2
# _ASYNC: flags of code whose frames may wait. _STEPPED: flags of code whose frames a step of a task may enter.
_ASYNC = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE
_STEPPED = _ASYNC | inspect.CO_GENERATOR
# Instructions at which a frame waits; they differ between versions of Python.
_WAITS = {dis.opmap[name] for name in ("YIELD_FROM", "YIELD_VALUE", "SEND") if name in dis.opmap}


class _Block(NamedTuple):
    """A "with" block of a coroutine, in progress. step: the frame that runs the coroutine. Each step of a task has a new such
    frame: if the frames at begin and end of a block differ, the block has waited, and its thread did something else."""

    call: int
    step: Optional[FrameType]
    place: int  # offset of its begin in the code of the frame
    nested: bool
    outer: Optional[_Block]  # enclosing block of the same region in the same frame


def _is_of_step(frame: Optional[FrameType]) -> bool:
    """Returns whether the frame is of code that is entered once for each step of a task: of this module, or of asyncio."""
    if frame is None or frame.f_code in _steps:
        return frame is not None
    events = sys.modules.get("asyncio.events")
    if events:
        _steps.add(events.Handle._run.__code__)
    return frame.f_code in _steps


@functools.lru_cache(maxsize=4096)
def _may_wait(code: CodeType, place: int) -> bool:
    """Returns whether the code has an instruction at which it waits, after this place."""
    return not _WAITS.isdisjoint(code.co_code[place + 2 :: 2])


class Region:
    """A region of code, for use in "with" and as a decorator: see region()."""

    __slots__ = ("label", "_text", "_own", "_blocks")

    def __init__(self, label: str) -> None:
        text = label.encode(errors="backslashreplace")
        if b"\0" in text:
            raise ValueError(f"the label {label!r} has a zero character, at which it would end")
        self.label = label
        self._text = text
        self._own = ctypes.byref(_Region(text, 0, _INTERPRETED))
        self._blocks: Dict[FrameType, _Block] = {}  # blocks of coroutines in progress

    def __enter__(self) -> Region:
        if _enabled.value:
            frame = _get_frame(1)
            if frame.f_code.co_flags & _ASYNC:
                self._begin_block(frame)
            else:
                _begin(self._own)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._blocks and self._end_block(_get_frame(1)):
            return
        if _enabled.value:
            _end(self._own)

    def _begin_block(self, frame: FrameType) -> None:
        blocks, outer = self._blocks, self._blocks.get(frame)
        nested, step = outer is not None, frame.f_back
        while step is not None and step.f_code.co_flags & _STEPPED:
            nested = nested or step in blocks
            step = step.f_back
        blocks[frame] = _Block(_async_begin(self._own), step, frame.f_lasti, nested, outer)

    def _end_block(self, frame: FrameType) -> bool:
        """Ends the block of this frame. Returns False if there is none."""
        block = self._blocks.pop(frame, None)
        if block is None:
            return False
        call, before, place, nested, outer = block
        step = frame.f_back
        while step is not None and step.f_code.co_flags & _STEPPED:
            step = step.f_back
        # Event loops other than asyncio run all steps from one frame: there, a block that may have waited counts as waited.
        waited = step is not before or (not _is_of_step(step) and _may_wait(frame.f_code, place))
        _async_end(call, (_WAITED if waited else 0) | (_NESTED if nested else 0))
        if outer:
            self._blocks[frame] = outer
        return True

    def work(self, unit: str, n: int = 1) -> None:
        """Records work that the region has done: n of a unit, such as 4096 "bytes" or 1 "request"."""
        if _enabled.value:
            _library.work(self._own, unit.encode(), ctypes.c_uint64(n))

    def numbers(self, of_thread: bool = False) -> Optional[Numbers]:
        """Returns the region's numbers in all threads, or in the calling thread; None: regions are not measured."""
        n = _Numbers()
        if _library.get_numbers(self._text, 0 if of_thread else 1, n):
            return None
        events = [name.decode() for name in n.event[: n.n_events]]
        return Numbers(
            n.calls,
            _known(n.time_ns),
            dict(zip(events, map(_known, n.count))),
            {event: state.decode() for event, state in zip(events, n.state)},
            {unit.decode(): work for unit, work in zip(n.unit[: n.n_units], n.work)},
        )

    def reset(self) -> None:
        """Resets the region to 0 in all threads."""
        _library.reset(self._text)

    def __call__(self, function: _F) -> _F:
        """Measures each call of a function. Of a coroutine or generator, measures each step, as the region "LABEL (steps)"."""
        if not callable(function) or isinstance(function, type):
            raise TypeError(f"a region measures a function or a block, and {function!r} is none")
        measured = next((wrap(region(f"{self.label} (steps)"), function) for kind, wrap in _WRAPS if kind(function)), None)
        return cast(_F, functools.wraps(function)(measured or _wrap_function(self, function)))


_regions: Dict[str, Region] = {}


@overload
def region(label: str) -> Region: ...
@overload
def region(label: _F) -> _F: ...
def region(label: Union[str, Callable[..., Any]]) -> Any:
    """Returns the region with this label: "with region('parse'):", or "@region('parse')". As a bare decorator, "@region", the
    label is the name of the function."""
    try:
        return _regions[label]  # type: ignore
    except KeyError:
        pass
    if not isinstance(label, str):
        return region(getattr(label, "__qualname__", repr(label)))(label)
    made = Region(label)
    return _regions.setdefault(label, made) if len(_regions) < _KEPT_REGIONS else made


def _wrap_function(own: Region, function: Callable[..., Any]) -> Callable[..., Any]:
    def measured(*args: Any, **kwargs: Any) -> Any:
        with own:
            return function(*args, **kwargs)

    return measured


class _Steps(Generator[Any, Any, Any]):
    """Runs a coroutine or a generator and measures each step, from where it resumes to where it waits, as a call of the region.
    So the work of the thread between the steps is left out, and each step may run in another thread."""

    def __init__(self, own: Region, steps: Any) -> None:
        self._region = own
        self._steps = steps

    def __await__(self) -> _Steps:
        return self

    def send(self, value: Any) -> Any:
        with self._region:
            return self._steps.send(value)

    def throw(self, *error: Any) -> Any:
        with self._region:
            return self._steps.throw(*error)


def _wrap_coroutine(own: Region, function: Callable[..., Any]) -> Callable[..., Any]:
    async def measured(*args: Any, **kwargs: Any) -> Any:
        return await _Steps(own, function(*args, **kwargs))

    return measured


def _wrap_generator(own: Region, function: Callable[..., Any]) -> Callable[..., Any]:
    def measured(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        return (yield from _Steps(own, function(*args, **kwargs)))

    return measured


def _wrap_async_generator(own: Region, function: Callable[..., Any]) -> Callable[..., Any]:
    async def measured(*args: Any, **kwargs: Any) -> Any:
        generator = function(*args, **kwargs)
        step = generator.asend(None)
        while True:
            try:
                item = await _Steps(own, step)
            except StopAsyncIteration:
                return
            try:
                step = generator.asend((yield item))
            except GeneratorExit:
                await _Steps(own, generator.aclose())
                raise
            except BaseException as error:
                step = generator.athrow(error)

    return measured


_steps: Set[CodeType] = {_Steps.send.__code__, _Steps.throw.__code__}

_WRAPS: Tuple[Tuple[Callable[[Any], bool], Callable[[Region, Callable[..., Any]], Callable[..., Any]]], ...] = (
    (inspect.iscoroutinefunction, _wrap_coroutine),
    (inspect.isgeneratorfunction, _wrap_generator),
    (inspect.isasyncgenfunction, _wrap_async_generator),
)


# --- reports ---


def enabled() -> bool:
    """Returns whether regions are measured."""
    return bool(_enabled.value)


def start() -> bool:
    """Restarts measuring in all threads. Returns whether regions are measured: False if TIPTOP_REGIONS was not set, or had no effect."""
    return int(_library.start()) == 0


def stop() -> None:
    """Stops measuring in all threads. Calls in progress are abandoned."""
    _library.stop()


def reset() -> None:
    """Resets all regions to 0 in all threads."""
    _library.reset(None)


def report() -> bool:
    """Writes the report of regions so far. Returns whether it was written."""
    return int(_library.report()) == 0


def report_on(signal: int) -> None:
    """Makes this signal write the report."""
    if _library.report_on(signal):
        raise OSError(f"the report cannot be written on signal {signal}, which no program can handle")


class _Children:
    """Makes forked children of multiprocessing write their reports. Children that this process or a fork server forks end by
    os._exit(), at which the library writes no report. Spawned children end as other programs do, and under "tiptop regions --
    command" tiptop writes the reports: in both cases, nothing is done."""

    def __init__(self) -> None:
        self._is_spawned = "multiprocessing.util" in sys.modules and (
            b"--multiprocessing-fork" in Path("/proc/self/cmdline").read_bytes().split(b"\0")
        )
        self._await_begin()
        os.register_at_fork(after_in_child=self._after_fork)
        multiprocessing = sys.modules.get("multiprocessing")
        if multiprocessing and multiprocessing.parent_process():
            self._begin()

    def _after_fork(self) -> None:
        self._is_spawned = False
        self._await_begin()

    def _await_begin(self) -> None:
        """Registers _begin() with multiprocessing, which calls _begin() in a child after dropping the parent's finalizers."""
        util = sys.modules.get("multiprocessing.util")
        if util:
            util.register_after_fork(self, _Children._begin)

    def _begin(self) -> None:
        """Registers the report as the last finalizer."""
        if not self._is_spawned and "TIPTOP_KEEPER" not in os.environ:
            sys.modules["multiprocessing.util"].Finalize(None, report, exitpriority=-1000)


_children = _Children()

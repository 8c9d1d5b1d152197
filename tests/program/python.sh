#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tiptop.py: its counters and regions in programs, threads, asyncio tasks and processes, and its search for the library.
# shellcheck source=lib.sh
. "$(dirname "$0")/lib.sh"

python=$(command -v python3) && "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>"$err" ||
	skip_all "python3 is missing, or older than 3.8"
unset XDG_RUNTIME_DIR TIPTOP_LIBRARY
PYTHONPATH=${srcdir:?}/python:$dir PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# runs NAME: the program on standard input ends well, and has printed "ok".
runs() {
	cat >"$dir/program.py"
	TIPTOP_LIBRARY=$builddir/libtiptop.so.0 TIPTOP_REGIONS=task-clock TIPTOP_REPORT=/dev/null \
		"$python" "$dir/program.py" >"$out" 2>"$err"
	is "$1" "$(tail -n 1 "$out")" ok
}
# measured EVENTS ARGUMENT...: runs $dir/program.py; its report, without what is above the rows, goes to $dir/report.
measured() {
	events=$1
	shift
	: >"$dir/report"
	TIPTOP_LIBRARY=$builddir/libtiptop.so.0 TIPTOP_REGIONS=$events TIPTOP_FORMAT=csv TIPTOP_REPORT=$dir/report \
		"$python" "$dir/program.py" "$@" >"$out" 2>"$err"
}
# calls LABEL: of all processes of the report.
calls() {
	awk -F, -v label="\"$1\"" '$1 == "type" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["label"] == label { n += $at["calls"] } END { print n + 0 }' "$dir/report"
}

# --- counters ---

runs "a block closes its counters" <<'END'
import os, tiptop
descriptors = len(os.listdir("/proc/self/fd"))
for _ in range(300):
    with tiptop.counters("page-faults,task-clock"):
        pass
for _ in range(300):
    tiptop.counters("page-faults,task-clock")
assert len(os.listdir("/proc/self/fd")) == descriptors
print("ok")
END
runs "closed counters have their numbers and refuse to be read" <<'END'
import tiptop
with tiptop.counters("page-faults,task-clock") as c:
    bytearray(1 << 24)
c.close()
for use in c.read, c.reset, c.__enter__:
    try:
        use()
    except ValueError as error:
        assert "closed" in str(error)
    else:
        raise SystemExit(f"{use} did not fail")
assert c["page-faults"] > 100 and c["task-clock"] > 0
print("ok")
END
runs "counters are a mapping" <<'END'
import collections.abc, tiptop
with tiptop.counters("page-faults,task-clock") as c:
    pass
assert isinstance(c, collections.abc.Mapping)
assert list(c) == list(c.keys()) == ["page-faults", "task-clock"] and len(c) == 2
assert dict(c) == {**c} == {name: c[name] for name in c} and "cycles" not in c and c.get("cycles", 7) == 7
for look in c.__getitem__, c.state, c.reason:
    try:
        look("cycles")
    except KeyError:
        pass
    else:
        raise SystemExit(f"{look} did not fail")
print("ok")
END
runs "counters are read amid their block, and begin again" <<'END'
import tiptop
with tiptop.counters("page-faults,task-clock") as c:
    bytearray(1 << 24)
    first = c.read()
    bytearray(1 << 24)
    second = c["page-faults"]
    c.reset()
    bytearray(1 << 20)
assert 0 < first["page-faults"] < second and c["page-faults"] < first["page-faults"]
print("ok")
END
runs "what is not counted has its reason, each its own" <<'END'
import resource, tiptop
try:
    tiptop.counters("no-such-event-at-all:::")
except ValueError as error:
    assert str(error)
c = tiptop.counters("task-clock,no-such-event,page-fautls")
assert c.read()["no-such-event"] is None and c.state("no-such-event") == "no-pmu" and c.reason("task-clock") == ""
assert "no-such-event" in c.reason("no-such-event") and "page-faults" in c.reason("page-fautls")
resource.setrlimit(resource.RLIMIT_NOFILE, (8, 8))
kept = []
try:
    while True:
        kept.append(open("/dev/null"))
except OSError:
    pass
c = tiptop.counters("page-faults")
assert c["page-faults"] is None and c.state("page-faults") == "denied" and "descriptor" in c.reason("page-faults")
print("ok")
END
runs "another thread may close counters, and not read them" <<'END'
import threading, tiptop
c, failed = tiptop.counters("page-faults"), []
def use():
    try:
        c.read()
    except RuntimeError as error:
        failed.append(str(error))
    c.close()
thread = threading.Thread(target=use)
thread.start()
thread.join()
assert "another thread" in failed[0]
print("ok")
END
runs "a child's counters restart, and it closes only its own" <<'END'
import os, tiptop
c = tiptop.counters("page-faults,task-clock")
child = os.fork()
if not child:
    known = [c["page-faults"] is None]
    c.reset()
    bytearray(1 << 24)
    known.append(c["page-faults"] > 100)
    os._exit(0 if all(known) else 1)
assert os.waitpid(child, 0)[1] == 0 and c["page-faults"] is not None
print("ok")
END

# --- regions ---

# A thread waits for the interpreter's lock, which is demanded after 100 s only: it gets it before if it is let go.
runs "begin and end keep the interpreter's lock" <<'END'
import sys, threading, time, tiptop
turns, ended = [0], []
def wait():
    while not ended:
        turns[0] += 1
        time.sleep(0)
sys.setswitchinterval(100)
thread = threading.Thread(target=wait)
thread.start()
while not turns[0]:
    time.sleep(0.001)
region = tiptop.region("region")
with tiptop.counters("task-clock") as c:
    before = turns[0]
    for _ in range(10000):
        with region:
            c.read()
    after = turns[0]
ended.append(True)
thread.join()
assert after == before, after - before
print("ok")
END

cat >"$dir/program.py" <<'END'
import asyncio, inspect, tiptop

class Parser:
    @tiptop.region("method")
    def parse(self, text, *, upper=False):
        """Parses."""
        return text.upper() if upper else text

@tiptop.region
def named(n):
    return n and named(n - 1) + 1

@tiptop.region("generator")
def generate(n):
    got = []
    try:
        for i in range(n):
            got.append((yield i))
    except KeyError:
        got.append("key")
    finally:
        closed.append(n)
    return got

@tiptop.region("coroutine")
async def wait(n):
    for _ in range(n):
        await asyncio.sleep(0)
    if n == 3:
        raise KeyError(n)
    return n

@tiptop.region("async")
async def generate_later(n):
    try:
        for i in range(n):
            await asyncio.sleep(0)
            got.append((yield i))
    except KeyError:
        yield "key"
    finally:
        closed.append(n)

async def main():
    assert await asyncio.gather(*map(wait, range(5)), return_exceptions=True) == [0, 1, 2, error, 4]
    assert [i async for i in generate_later(3)] == [0, 1, 2]
    g = generate_later(3)
    assert await g.__anext__() == 0 and await g.asend("sent") == 1 and got[-1] == "sent"
    assert await g.athrow(KeyError()) == "key"
    await g.aclose()
    task = asyncio.create_task(wait(1000))
    await asyncio.sleep(0)
    task.cancel()
    assert isinstance((await asyncio.gather(task, return_exceptions=True))[0], asyncio.CancelledError)

class Same(KeyError):
    def __eq__(self, other):
        return isinstance(other, KeyError)

closed, got, error = [], [], Same()
assert Parser().parse("a", upper=True) == "A" and Parser.parse.__doc__ == "Parses." and named(3) == 3
g = generate(2)
assert next(g) == 0 and g.send("sent") == 1
try:
    g.throw(KeyError())
except StopIteration as end:
    assert end.value == ["sent", "key"]
g = generate(7)
next(g)
g.close()
assert list(generate(1)) == [0]
assert inspect.iscoroutinefunction(wait) and inspect.isgeneratorfunction(generate) and inspect.isasyncgenfunction(generate_later)
asyncio.run(main())
assert closed == [2, 7, 1, 3, 3], closed
for wrong in (lambda: tiptop.region(Parser), lambda: tiptop.region("x")(3), lambda: tiptop.region("a\0b")):
    try:
        wrong()
    except (TypeError, ValueError):
        pass
    else:
        raise SystemExit("no error")
assert tiptop.region("same") is tiptop.region("same")
print(tiptop.enabled(), tiptop.report())
END
TIPTOP_LIBRARY=$builddir/libtiptop.so.0 "$python" "$dir/program.py" >"$out" 2>"$err"
is "decorated functions do what they did" "$(cat "$out" "$err")" "False False"
measured ''
is "and measured ones, too" "$(cat "$out" "$err")" "True True"
is "calls of a method, and of a function in itself" "$(calls method) $(calls named)" "2 8"
is "steps of a generator are called steps" "$(calls generator) $(calls 'generator (steps)')" "0 14"
[ "$(calls 'coroutine (steps)')" -ge $((2 * 15)) ]
ok "and those of coroutines" $?
! grep -q 'abandoned\|unmatched\|going_on' "$dir/report"
ok "all of them end as they began" $?

# Blocks of tasks that take turns, which end first in, first out: each has its time, and what was counted is not known.
cat >"$dir/program.py" <<'END'
import asyncio, tiptop

async def wait(label, steps):
    with tiptop.region(label):
        bytearray(1 << 20)
        for _ in range(steps):
            await asyncio.sleep(0.02)

@tiptop.region("decorated")
async def decorated():
    with tiptop.region("inside"):
        await wait("in it", 1)

async def recurse(n, seconds):
    with tiptop.region("in itself"):
        await asyncio.sleep(seconds)
        return n and await recurse(n - 1, seconds)

async def main():
    with tiptop.region("whole"):
        await asyncio.gather(wait("first", 2), wait("second", 4), wait("none", 0), wait("some", 0), wait("some", 1), decorated(), recurse(3, 0.02))
        task = asyncio.create_task(wait("cancelled", 1000))
        await asyncio.sleep(0)
        task.cancel()

class Later:
    def __await__(self):
        yield

async def by_hand(*waits):
    with tiptop.region("by hand"):
        bytearray(1 << 20)
        for wait in waits:
            await Later()

async def not_at_all():
    await Later()
    with tiptop.region("behind a wait"):
        bytearray(1 << 20)

with tiptop.region("all"):
    asyncio.run(main())
tasks = [by_hand(1), by_hand(1), by_hand(), not_at_all()]
while tasks: # an event loop of which all steps are in one frame
    task = tasks.pop(0)
    try:
        task.send(None)
        tasks.append(task)
    except StopIteration:
        pass
END
measured page-faults
# one LABEL COLUMN...: of its only row.
one() {
	label=$1
	shift
	awk -F, -v label="\"$label\"" -v wanted="$*" '$1 == "type" { for (i = 1; i <= NF; i++) { gsub(/"/, "", $i); at[$i] = i }; next }
		$at["label"] == label { n = split(wanted, w, "@"); for (i = 1; i <= n; i++) printf "%s%s", (i > 1 ? " " : ""), $at[w[i]]; print "" }' "$dir/report"
}
is "blocks of tasks that take turns are all counted" "$(for label in whole first second none some inside "in it" "in itself" cancelled; do calls "$label"; done | tr '\n' ' ')" "1 1 1 1 2 1 1 4 1 "
is "nothing is lost of them" "$(calls abandoned) $(calls unmatched) $(calls going_on)" "0 0 0"
within "with the times that they have taken" "$(one second time_s)" 0.078 60
within "one in itself with that of the outermost" "$(one "in itself" time_s)" "$(one "in itself" time_max_s)" "$(one "in itself" time_max_s)"
is "what was counted in those that waited is not known" "$(one first page-faults@"page-faults mean@page-faults state")" "  waited"
is "and that of those that did not is" "$(one none "page-faults state") $(one all "page-faults state")" "exact exact"
is "of some of each kind, there is a mean and no sum" "$(one some page-faults@"page-faults state") $([ "$(one some "page-faults mean")" ] && echo mean)" " waited mean"
is "with another event loop, what may have waited is not known, either" "$(one "by hand" page-faults@"page-faults state"), $(one "behind a wait" "page-faults state")" " waited, exact"
is "the report says so" "$(calls waited)" 14
TIPTOP_LIBRARY=$builddir/libtiptop.so.0 TIPTOP_REGIONS=page-faults "$python" "$dir/program.py" >"$out" 2>"$err"
is "as text, too" "$(awk '$1 == "second" { print $2, $5, $6 }' "$err") $(grep -c '^# 14 calls waited while their thread did something else: ' "$err")" "1 - - 1"

runs "a program reads the numbers of its regions, says their work, and measures from then on" <<'END'
import threading, tiptop
region = tiptop.region("region")
assert region.numbers().calls == 0 and region.numbers().counts == {"task-clock": None}
def work():
    with region:
        bytearray(1 << 20)
        region.work("bytes", 5 << 32)
        region.work("request")
work()
thread = threading.Thread(target=work)
thread.start()
thread.join()
all_of_it, own = region.numbers(), region.numbers(of_thread=True)
assert (all_of_it.calls, own.calls) == (2, 1) and 0 < own.counts["task-clock"] < all_of_it.counts["task-clock"]
assert own.time_ns > 0 and all_of_it.states == {"task-clock": "exact"} and all_of_it.work == {"bytes": 10 << 32, "request": 2}
region.reset()
assert region.numbers().calls == 0
tiptop.stop()
work()
assert not tiptop.enabled() and tiptop.start() and region.numbers().calls == 0
work()
assert tiptop.enabled() and region.numbers().calls == 1
tiptop.reset()
assert region.numbers().calls == 0
print("ok")
END
is "regions that are not measured have no numbers" "$(echo 'import tiptop; print(tiptop.start(), tiptop.region("x").numbers())' |
	TIPTOP_LIBRARY=$builddir/libtiptop.so.0 "$python" - 2>&1)" "False None"

# Two tasks whose steps take turns in one thread: what each does itself is in its region, and nothing of the other one.
cat >"$dir/program.py" <<'END'
import asyncio, sys, time, tiptop

def spend(ns):
    end = time.thread_time_ns() + ns
    while time.thread_time_ns() < end:
        pass

@tiptop.region("small")
async def small():
    for _ in range(20):
        await asyncio.sleep(0)

@tiptop.region("large")
async def large():
    for _ in range(20):
        spend(5_000_000)
        await asyncio.sleep(0)

async def main():
    await asyncio.gather(small(), large())

asyncio.run(main())
END
measured task-clock
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	$at["label"] == "\"small (steps)\"" { small = $at["\"task-clock\""] }
	$at["label"] == "\"large (steps)\"" { large = $at["\"task-clock\""] }
	END { print small, large; exit !(small > 0 && large >= 100e6 && small < large / 4) }' "$dir/report" >"$dir/both"
ok "a task has nothing of another one: $(cat "$dir/both")" $?

# --- processes ---

cat >"$dir/program.py" <<'END'
import concurrent.futures, multiprocessing, os, sys

if sys.argv[2] != "late":
    import tiptop

def work(n):
    import tiptop
    with tiptop.region("child"):
        return n

if __name__ == "__main__":
    context = multiprocessing.get_context(sys.argv[1])
    if sys.argv[2] == "pool":
        pool = context.Pool(2)
        pool.map(work, range(5))
        pool.close()
        pool.join()
    elif sys.argv[2] == "executor":
        with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
            list(pool.map(work, range(5)))
    else:
        children = [context.Process(target=work, args=(n,)) for n in range(5)]
        for child in children:
            child.start()
        for child in children:
            child.join()
            assert child.exitcode == 0
    print("ok")
END
for method in fork spawn forkserver; do
	for how in process pool executor late; do
		measured '' $method $how
		is "multiprocessing by $method, $how: all calls are in reports" "$(tail -n 1 "$out") $(calls child)" "ok 5"
	done
done

# --- the library ---

echo 'import tiptop; print("ok")' >"$dir/program.py"
# imports: prints what a Python program says that imports the module, with this environment.
imports() {
	env "$@" "$python" "$dir/program.py" 2>&1 | tail -n 1
}
is "a library that is named and is not there" "$(imports TIPTOP_LIBRARY=/no/such/file)" \
	"ImportError: the library that TIPTOP_LIBRARY names cannot be loaded: /no/such/file: cannot open shared object file: No such file or directory"
mkdir -p "$dir/prefix/share/tiptop/python" "$dir/prefix/lib64" "$dir/loader"
cp "$srcdir/python/tiptop.py" "$dir/prefix/share/tiptop/python"
installed=$dir/prefix/share/tiptop/python
if ldconfig -p 2>/dev/null | grep -q 'libtiptop\.so\.0'; then
	skip "a library that is nowhere" "one is installed on this machine"
else
	matches "a library that is nowhere" "$(imports "PYTHONPATH=$installed")" \
		"ImportError: libtiptop is not found: .*libtiptop\.so\.0: .*: install it, or set TIPTOP_LIBRARY to its path"
fi
cp "$builddir/libtiptop.so.0" "$dir/loader"
is "one that the dynamic loader finds" "$(imports "PYTHONPATH=$installed" "LD_LIBRARY_PATH=$dir/loader")" ok
for folder in lib lib64 "lib/$(uname -m)-linux-gnu"; do
	mkdir -p "$dir/prefix/$folder"
	mv "$dir/loader/libtiptop.so.0" "$dir/prefix/$folder"
	is "one that was installed with the module, in $folder" "$(imports "PYTHONPATH=$installed")" ok
	mv "$dir/prefix/$folder/libtiptop.so.0" "$dir/loader"
done
mkdir -p "$dir/tree/python" "$dir/tree/build"
cp "$srcdir/python/tiptop.py" "$dir/tree/python"
cp "$builddir/libtiptop.so.0" "$dir/tree/build"
is "one that was built beside the module" "$(imports "PYTHONPATH=$dir/tree/python")" ok
echo 'int tt_enabled; void tt_open(void) {}' | gcc -shared -fPIC -x c -o "$dir/old.so" - 2>"$err"
matches "one of another version" "$(imports "TIPTOP_LIBRARY=$dir/old.so")" \
	"ImportError: libtiptop is of another version than tiptop\.py: .*undefined symbol: tt_close"
cat >"$dir/program.py" <<'END'
import ctypes, sys
ctypes.CDLL(sys.argv[1])
import tiptop
print(sum("libtiptop" in line and " r-xp " in line for line in open("/proc/self/maps")))
END
is "one that the process has already" \
	"$(PYTHONPATH=$dir/tree/python "$python" "$dir/program.py" "$builddir/libtiptop.so.0" 2>&1)" 1

# --- the manual ---

awk '/^In Python:/ { here = 1 } /^\.Ed/ { here = code = 0 } code { gsub(/\\-/, "-"); print } here && /^\.Bd/ { code = 1 }' \
	"$srcdir/man/tiptop.3" >"$dir/program.py"
measured task-clock
is "the example of tiptop(3): the sort is in all of it" "$(calls sort) $(calls 'all of it') $(grep -c '^page-faults [1-9]' "$out")" "1 1 1"

# The bench: nothing is said of its times.
TIPTOP_LIBRARY=$builddir/libtiptop.so.0 "$python" "$srcdir/bench/regions.py" >"$out" 2>"$err"
is "bench/regions.py runs" "$? $(grep -cE '^[a-z].* +[0-9]+ +[0-9]+$' "$out")" "0 6"

# --- types ---

if command -v mypy >"$dir/text"; then
	cat >"$dir/typed.py" <<'END'
import tiptop
from typing import Optional

@tiptop.region("f")
def f(n: int) -> str:
    return str(n)

@tiptop.region
async def g(n: int) -> float:
    with tiptop.region("block"), tiptop.counters("cycles") as c:
        number: Optional[float] = c["cycles"]
    return number or 0.0

text: str = f(1)
wrong: int = f(1)
END
	MYPYPATH=$srcdir/python mypy --strict --cache-dir "$dir/mypy" "$srcdir/python/tiptop.py" >"$out" 2>&1
	ok "mypy takes the module" $?
	MYPYPATH=$srcdir/python mypy --strict --cache-dir "$dir/mypy" "$dir/typed.py" >"$out" 2>&1
	is "and sees the types of what it decorates" "$(grep -c 'error:' "$out") $(grep -c 'typed.py:15: error' "$out")" "1 1"
else
	skip "types" "mypy is not installed"
fi
finish

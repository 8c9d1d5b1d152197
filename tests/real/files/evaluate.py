#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""
evaluate.py TIPTOP CPU EVENTS FOLDER - imports the files of metrics of likwid or perf in a folder for a CPU, and evaluates each
imported column and the formula that it was made of, with made-up counts. It shares no code with tiptop.

EVENTS is the folder of the kernel's events of this CPU, tools/perf/pmu-events/arch/.../CPU ("-": none). A count depends on
the code of the event alone: of a name in a formula by EVENTS, of a counter of the screen by tiptop's --encodings. A name that
EVENTS does not have (likwid's own ones, the kernel's) has the code that tiptop gives it, so that there the formula is all
that is compared. Prints a line for each column that differs, or is read back with a message, and then

  # METRICS APART IMPORTED DIFFERENT BY-NAME

APART: those that need what is not a task's: PMUs outside of the cores, RAPL, MSRs, sensors. BY-NAME: columns of which the code
of at least one event was not compared; with $TIPTOP_CPU also those with an event that only that CPU's kernel would know.
"""
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
import zlib

SECONDS = 2.5
AT_ONCE = 8  # a screen has 64 counters
CORE_PMUS = ("cpu", "cpu_core", "cpu_atom", "cpu_lowpower")
# Linux, include/uapi/linux/perf_event.h, by the codes that makers of x86 have for them; of AMD: arch/x86/events/amd/core.c
GENERIC = {
    "intel": {0: 0x3C, 1: 0xC0, 2: 0x4F2E, 3: 0x412E, 4: 0xC4, 5: 0xC5, 9: 0x300},
    "amd": {0: 0x76, 1: 0xC0, 4: 0xC2, 5: 0xC3},
    "arm": {0: 0x11, 1: 0x8, 4: 0x21, 5: 0x10},
}
GENERIC_NAMES = {
    "cycles": 0, "cpu-cycles": 0, "instructions": 1, "cache-references": 2, "cache-misses": 3, "branches": 4,
    "branch-instructions": 4, "branch-misses": 5, "ref-cycles": 9,
}
# A fixed counter has a code of its own, and counts what a programmable one does.
FIXED = {0x100: 0xC0, 0x200: 0x3C, 0x300: 0x300}
TOPDOWN = ("retiring", "bad-spec", "fe-bound", "be-bound", "heavy-ops", "br-mispredict", "fetch-lat", "mem-bound")


class Apart(Exception):
    """The metric needs what is not a task's."""


def plain(name):
    return re.sub(r"[^a-z0-9]", "", name.lower())


def number(text):
    return int(str(text).split(",")[0], 0) if text else 0


def code_of(event, maker):
    code = number(event.get("EventCode"))
    if maker == "arm":
        return code
    config = (code & 0xFF) | (code >> 8 << 32) | (number(event.get("UMask")) & 0xFF) << 8
    config |= number(event.get("EdgeDetect")) << 18 | number(event.get("Invert")) << 23
    config |= number(event.get("CounterMask")) << 24
    return FIXED.get(config, config) if maker == "intel" and not code else config


class Events:
    """The kernel's events of a CPU: by name, on a kind of cores."""

    def __init__(self, folder, maker):
        self.code, self.outside, standard = {}, set(), {}
        for path in glob.glob(folder + "/../../*.json") + glob.glob(folder + "/../*.json") if maker == "arm" else []:
            for event in load(path):
                if "EventName" in event and "EventCode" in event:
                    standard[event["EventName"]] = event
        for path in glob.glob(folder + "/*.json"):
            for event in load(path):
                name = event.get("EventName") or event.get("ArchStdEvent")
                unit = event.get("Unit")
                if not name or name == event.get("ArchStdEvent") and name not in standard:
                    continue
                if "PerPkg" in event or (unit and unit not in CORE_PMUS):
                    self.outside.add(plain(name))
                else:
                    self.code[unit, plain(name)] = code_of({**standard.get(name, {}), **event}, maker)

    def find(self, name, pmu):
        for unit in (pmu, None) if pmu else (None, "cpu_core", "cpu_atom"):
            if (unit, plain(name)) in self.code:
                return self.code[unit, plain(name)]
        return None


def load(path):
    with open(path, encoding="utf-8") as stream:
        array = json.load(stream)
    return [item for item in array if isinstance(item, dict)] if isinstance(array, list) else []


def count_of(code, modes):
    """A number of events for a code: never 0, and another one for each."""
    return 1000.0 + zlib.crc32(f"{code:#x}:{''.join(sorted(modes))}".encode()) % 999983


def ask(tiptop, cpu, *words):
    """Runs tiptop for the CPU; one that $TIPTOP_CPU names is played with libpfm4's tables."""
    words = list(words) if "TIPTOP_CPU" in os.environ else [*words, "--for-cpu", cpu]
    return subprocess.run([tiptop, *words], capture_output=True, text=True, check=False)


class Screen:
    """What tiptop has printed: columns, and the code of each counter."""

    def __init__(self, tiptop, cpu, text, maker):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(text)
            file.flush()
            run = ask(tiptop, cpu, "-W", file.name, "--only-conf", "--encodings")
        self.faults = run.stderr
        self.columns = [c for c in ElementTree.fromstring(text).iter("column") if c.get("expr") != "CPU_TOT"]
        events = {c.get("alias"): c.get("event") for c in ElementTree.fromstring(text).iter("counter")}
        self.code, self.modes, self.weight = {}, {}, {}
        for line in run.stdout.splitlines()[1:]:
            field = line.split("\t")
            alias = field[3].split("@")[0]
            if field[5] == "-":
                continue
            config = int(field[6], 16)
            if field[5] == "0x0":
                config = GENERIC[maker].get(config & 0xFFFFFFFF, (1 << 60) + config)
            self.code.setdefault(alias, config)
            mode = re.search(r"[:/]([ukhGH]+)$", events.get(alias, ""))
            self.modes[alias] = mode.group(1) if mode else ""

    def value(self, expression):
        def delta(alias):
            return count_of(self.code[alias], self.modes[alias])

        text = re.sub(r"\b(delta|rate)\((\w+)\)", r"\1('\2')", expression)
        text = re.sub(r"\bif\(", "choose(", text)
        return float(eval(text, {"delta": delta, "rate": lambda alias: delta(alias) / SECONDS, "min": min, "max": max,
                                 "choose": lambda condition, yes, no: yes if condition else no}))


TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+)(?![\w.@])|(#?(?:\\.|[\w.:@?])+)|(.))")


class Formula:
    """The value of a metric as its maker wrote it."""

    def __init__(self, events, screen, maker, metrics=None, counters=None):
        self.events, self.screen, self.maker = events, screen, maker
        self.metrics, self.counters = metrics, counters
        self.by_name = False

    def by_alias(self, name):
        """The code that tiptop has for a name that the kernel's events do not have."""
        for alias in sorted(self.screen.code if self.screen else ()):
            if plain(name) in (plain(alias), plain(re.sub(r"_\d+$", "", alias))):
                self.by_name = True
                return self.screen.code[alias]
        raise KeyError(name)

    def event(self, name, pmu, modes, terms=""):
        topdown = re.match(r"topdown-([a-z-]+)$", name)
        code = GENERIC[self.maker].get(GENERIC_NAMES.get(name, -1))
        if code is None and self.maker == "intel" and pmu != "cpu_atom":
            if name == "slots":
                code = 0x400
            elif topdown and topdown.group(1) in TOPDOWN:
                code = 0x8000 + 0x100 * TOPDOWN.index(topdown.group(1))
        if code is None:
            code = self.events.find(name, pmu)
        if code is None:
            if plain(name) in self.events.outside or name in ("TSC",):
                raise Apart(name)
            code = self.by_alias(name)
        for term in filter(None, terms.split(",")):
            key, _, value = term.partition("=")
            shift = {"umask": 8, "edge": 18, "inv": 23, "cmask": 24}[key]
            code = code & ~((1 if key in ("edge", "inv") else 0xFF) << shift) | int(value or "1", 0) << shift
        return count_of(code, modes)

    def name(self, name, pmu):
        if self.counters is not None:
            return self.counter(name)
        name = re.sub(r"\\(.)", r"\1", name)
        if name in ("duration_time", "#core_wide", "#num_cpus_online"):
            return {"duration_time": SECONDS, "#core_wide": 0.0}[name]
        if name.startswith("#"):
            raise KeyError(name)
        path = re.match(r"(\w+)@(.*)@:?(\w*)$", name)
        if path:
            if path.group(1) not in CORE_PMUS:
                raise Apart(name)
            event, _, terms = path.group(2).partition(",")
            return self.event(event, path.group(1), path.group(3), terms)
        others = [m for m in self.metrics if m["MetricName"] == name and "MetricExpr" in m]
        if others:
            other = next((m for m in others if m.get("Unit") == pmu), others[0])
            return self.value(other["MetricExpr"], pmu)
        event, _, modes = name.partition(":")
        return self.event(event, pmu, modes)

    def counter(self, name):
        if name == "time":
            return SECONDS
        if name == "inverseClock":
            raise KeyError(name)
        alias, _, _ = name.partition(":")
        options, event = self.counters[alias]
        if not re.match(r"(FIXC|PMC|TMA)\d+$", alias):
            raise Apart(name)
        terms = {"EDGEDETECT": "edge=1", "INVERT": "inv=1"}
        listed = ",".join(terms.get(o) or "cmask=" + o.partition("=")[2] for o in options)
        metric = {"RETIRING": "retiring", "BADSPECULATION": "bad-spec", "FRONTENDBOUND": "fe-bound",
                  "BACKENDBOUND": "be-bound", "HEAVYOPS": "heavy-ops", "BRMISPREDICT": "br-mispredict",
                  "FETCHLATENCY": "fetch-lat", "MEMBOUND": "mem-bound"}.get(event.replace("_", ""))
        return self.event("topdown-" + metric if metric else event, None, "", listed)

    def value(self, text, pmu=None):
        out, at = [], 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            at = match.end()
            figure, name, sign = match.groups()
            if figure:
                out.append(str(float(figure)))
            elif sign:
                out.append({"&": " and ", "|": " or "}.get(sign, sign))
            elif name in ("if", "else"):
                out.append(f" {name} ")
            elif text[at:].lstrip().startswith("(") and name in ("min", "max", "d_ratio"):
                out.append(name)
            elif name == "has_event":
                argument = re.match(r"\s*\(([^)]*)\)", text[at:])
                at += argument.end()
                known = self.events.find(re.sub(r"\\(.)", r"\1", argument.group(1)).strip(), pmu) is not None
                out.append(str(float(known)))
            else:
                out.append(f"look({name!r})")
        return float(eval("".join(out), {"look": lambda name: self.name(name, pmu), "min": min, "max": max,
                                         "d_ratio": lambda x, y: x / y}))


def read_likwid(path):
    part, counters, metrics = "", {}, []
    with open(path, encoding="utf-8", errors="replace") as stream:
        for at, line in enumerate(stream, 1):
            words = line.split()
            if words[:1] in (["EVENTSET"], ["METRICS"], ["LONG"]):
                part = words[0]
            elif part == "EVENTSET" and len(words) > 1:
                alias, *options = words[0].split(":")
                counters[alias] = options, words[1]
            elif part == "METRICS" and len(words) > 1:
                name = re.sub(r"\s*\[[^][]*\]$", "", " ".join(line.rstrip().rsplit(None, 1)[:1]).strip())
                metrics.append({"MetricName": name, "MetricExpr": words[-1], "line": str(at)})
    return counters, metrics


def factor_of(metric):
    scale = re.match(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?", metric.get("ScaleUnit", ""))
    return float(scale.group(0)) if scale else 1.0


def is_apart(formula, metric):
    """Whether it needs what is not a task's, whatever else it needs."""
    seen, todo = set(), [(metric["MetricExpr"], metric.get("Unit"))]
    while todo:
        text, pmu = todo.pop()
        for match in TOKEN.finditer(text):
            name = match.group(2)
            if not name or (name, pmu) in seen or name in ("if", "else", "min", "max", "d_ratio", "has_event"):
                continue
            seen.add((name, pmu))
            if formula.counters is None:
                bare = re.sub(r"\\(.)", r"\1", name)
                todo += [(m["MetricExpr"], m.get("Unit")) for m in formula.metrics
                         if m["MetricName"] == bare and "MetricExpr" in m]
                if bare.startswith(("UNC_", "cstate", "power", "msr", "uncore")):
                    return True
            try:
                formula.name(name, pmu)
            except Apart:
                return True
            except (KeyError, ZeroDivisionError, SyntaxError):
                pass
    return False


def compare(formula, screen, metric, column):
    """Whether the column is what the metric says; prints how not."""
    formula.by_name = False
    aliases = re.findall(r"(?:delta|rate)\((\w+)\)", column.get("expr"))
    if "TIPTOP_CPU" in os.environ and not all(alias in screen.code for alias in aliases):
        formula.by_name = True
        return True
    want = formula.value(metric["MetricExpr"], metric.get("Unit")) * factor_of(metric)
    got = screen.value(column.get("expr"))
    if abs(got - want) <= 1e-9 * max(abs(want), abs(got)):
        return True
    print(f"{metric['MetricName']}: {got!r}, by its maker {want!r}: {column.get('expr')}")
    return False


def evaluate(tiptop, cpu, events, maker, path):
    counters, metrics = read_likwid(path) if path.endswith(".txt") else (None, None)
    if metrics is None:
        metrics = [m for m in load(path) if "MetricName" in m]
    total, names = [0] * 5, list(dict.fromkeys(m["MetricName"] for m in metrics))
    step = len(names) or 1 if "," in "".join(names) else AT_ONCE  # -m has commas between names
    for i in range(0, len(names), step):
        part = evaluate_part(tiptop, cpu, events, maker, path, counters, metrics, names[i:i + step])
        total = [x + y for x, y in zip(total, part)]
    return total


def evaluate_part(tiptop, cpu, events, maker, path, counters, metrics, wanted):
    """The metrics of these names."""
    run = ask(tiptop, cpu, "import", *(["-m", ",".join(wanted)] if "," not in "".join(wanted) else []), path)
    left_out = re.findall(r":(\d+): metric '", run.stderr)  # likwid's names of metrics may be there twice
    chosen = [m for m in metrics if m["MetricName"] in wanted]
    screen = Screen(tiptop, cpu, run.stdout, maker) if run.stdout else None
    if screen and screen.faults:
        print(f"{path}: it is not read back: {screen.faults.splitlines()[0]}")
    columns, n_different, n_imported, n_apart, n_by_name = list(screen.columns) if screen else [], 0, 0, 0, 0
    for metric in chosen:
        formula = Formula(events, screen, maker, metrics, counters)
        header = columns[0].get("header").strip() if columns else None
        names = (metric["MetricName"], metric["MetricName"] + (metric.get("Unit") or "")[3:])
        if header is not None and metric.get("line") not in left_out and \
                (header in names or re.sub(r"_\d+$", "", header) in names):
            column = columns.pop(0)
            n_imported += 1
            try:
                n_different += not compare(formula, screen, metric, column)
            except (KeyError, Apart, ZeroDivisionError, SyntaxError, OverflowError) as fault:
                print(f"{metric['MetricName']}: {type(fault).__name__} {fault}: {column.get('expr')}")
                n_different += 1
            n_by_name += formula.by_name
        elif "MetricExpr" in metric and is_apart(formula, metric):
            n_apart += 1
    if columns:
        print(f"{path}: columns of no metric: {[c.get('header') for c in columns]}")
        n_different += len(columns)
    if screen and screen.faults:
        n_different += 1
    return [len(chosen), n_apart, n_imported, n_different, n_by_name]


def main():
    tiptop, cpu, folder, files = sys.argv[1:]
    maker = "arm" if re.match(r"[0-9A-F]{2}_[0-9A-F]{3}", cpu) else "intel" if cpu.startswith(("06", "12")) else "amd"
    events = Events(folder, maker)
    total = [0] * 5
    for path in sorted(glob.glob(files + "/*.json") + glob.glob(files + "/*.txt")):
        total = [x + y for x, y in zip(total, evaluate(tiptop, cpu, events, maker, path))]
    print("#", *total)


main()

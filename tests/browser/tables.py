# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests pages of --format html in a browser."""

import os

from tap import click, equal, fragment, looks, ok, quiet, texts


def column(browser, n):
    return texts(browser, ".scroll tbody td:nth-child(%d)" % n)


def find(browser, text):
    browser.js("(i => { i.value = %r; i.dispatchEvent(new Event('input')) })(document.querySelector('[type=search]'))" % text)


def test_changes(b, path):
    b.open(path)
    equal("the title names both sides", texts(b, "h1"), ["tiptop compare: scene.db,to=+30 from=+30"])
    ok("what differs comes first", texts(b, ".ranked .name")[:2] == ["graph-search miss", "graph-search bus"], texts(b, ".ranked .name"))
    ok("with its interval", " ± " in texts(b, ".ranked .number")[0], texts(b, ".ranked .number"))
    ok("noise is pale", b.js("[...document.querySelectorAll('.ranked')].pop().querySelector('.noise') !== null"))
    ok("a bar has its length", b.js("document.querySelector('.change').getBoundingClientRect().width") > 50)
    heads = texts(b, ".scroll th")
    ok("the rows say of what they are", heads[:2] == ["program_a", "column"], heads)
    equal("all rows are there", len(column(b, 1)), 56)


def test_table(b, path):
    click(b, "thead button", 1)
    equal("a click sorts texts from A", column(b, 2)[0], "bmis")
    equal("which is in the address", fragment(b), "#t0.sort=column&t0.up=1")
    equal("and told to screen readers", texts(b, "th[aria-sort=ascending]"), ["column ▴"])
    find(b, "SEARCH")
    equal("a filter", set(column(b, 1)), {"graph-search"})
    lines = b.js("csvOf(tables[0])").split("\n")
    ok("CSV has the rows of the filter", len(lines) == 10 and lines[1].startswith("graph-search,bmis,%"), lines)
    click(b, "td button")
    ok("a click opens a row", "program_b" in texts(b, ".detail dt"), texts(b, ".detail"))
    b.open(path, "#t0.sort=change_pct&t0.filter=ipc&t0.open=12")
    equal("a link sorts and filters", column(b, 2), ["ipc"] * 7)
    ok("and opens", texts(b, ".detail h3") == ["graph-search"], texts(b, ".detail h3"))
    b.open(path, "#t0.sort=__proto__&t0.view=9&t0.page=-3&t0.open=1e9&t7.x=%3Cb%3E")
    equal("a senseless link shows all", len(column(b, 1)), 56)


def test_look(b, path):
    looks(b, path)
    ok("the page is small", os.path.getsize(path) < 400 * 1024)


def test_locks(b, path):
    b.open(path)
    ok("the title has the command", texts(b, "h1")[0].endswith("work hold=20"), texts(b, "h1"))
    equal("histograms of the process", texts(b, ".part > .curves figcaption b"), ["acquire", "hold", "release"])
    ok("with bars", b.js("Math.max(...[...document.querySelectorAll('.bucket div')].map(e => e.offsetHeight))") > 30)
    frames = texts(b, ".icicle button")
    ok("stacks, from all to the lock", frames[0] == "all" and any(f.startswith("[lock ") for f in frames), frames)
    click(b, ".icicle button", 2)
    equal("a click on a frame shows what is below", texts(b, ".icicle button")[0], frames[2])
    click(b, ".icicle button")
    equal("another one goes back", texts(b, ".icicle button")[0], "all")
    click(b, "td button")
    equal("a lock has its histograms", texts(b, ".detail figcaption b"), ["acquire", "hold", "release"])
    b.js("(s => { s.value = '1'; s.dispatchEvent(new Event('change')) })(document.querySelector('select'))")
    ok("all fields of CSV", "holder_ns" in texts(b, "th"), texts(b, "th"))


def test_what(b, path):
    b.open(path)
    equal("a table for each part of the story", texts(b, ".part > h3"), ["The biggest consumers",
          "Why they were no faster: CPU time by verdict", "Phases: when a number changed its level"])
    rows = b.js("[...document.querySelectorAll('table')[1].querySelectorAll('tbody tr')].map(r => r.textContent)")
    ok("verdicts have their numbers", rows[1].startswith("graph-searchmemory27.17") and "13.50 per 1000 instructions" in rows[1], rows)
    ok("what is not known", any("details of tasks are not kept" in t for t in texts(b, "td")))


def test_stream(b, path):
    b.open(path)
    ok("rows that were written one by one are one table", "exit" in texts(b, "td"), texts(b, "td"))
    equal("one table", b.js("document.querySelectorAll('table').length"), 1)


def test_names(b, path):
    b.open(path)
    names = column(b, 1)
    for name in ("<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "<!--<script>", "=cmd|'/c calc'!A0", "?gnp.exe"):
        ok("a name stays a text: " + name.replace("#", ""), name in names, names)
    equal("no element is made of a name", b.js("document.querySelectorAll('img').length"), 0)
    lines = b.js("csvOf(tables[0])").split("\n")
    ok("CSV: a formula is harmless", any(line.startswith("'=cmd") for line in lines), lines)


def check(b, folder):
    """folder: of the pages."""
    compare, locks, follow, hostile = ("%s/%s.html" % (folder, name) for name in ("compare", "locks", "follow", "names"))
    test_changes(b, compare)
    test_table(b, compare)
    test_look(b, compare)
    quiet("a comparison", b, compare)
    test_locks(b, locks)
    quiet("locks", b, locks)
    if os.path.exists(follow):
        test_stream(b, follow)
        quiet("a stream", b, follow)
    test_what(b, folder + "/what.html")
    quiet("a story", b, folder + "/what.html")
    test_names(b, hostile)
    quiet("hostile names", b, hostile)


def paint(b, folder, to):
    for name in ("compare", "locks"):
        for scheme in ("light", "dark"):
            b.media(scheme)
            b.open("%s/%s.html" % (folder, name), "#t0.open=0")
            b.picture("%s/%s-%s.png" % (to, name, scheme), whole=True)

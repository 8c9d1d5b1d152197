# SPDX-License-Identifier: GPL-2.0-or-later
"""check.py PAGES [FOLDER]: tests the pages in a folder in a browser, and prints TAP. FOLDER: for pictures to look at."""

import sys

import tables
from browser import Browser
from tap import click, done, equal, fragment, looks, ok, quiet, texts


def column(browser, n):
    return texts(browser, "section table tbody td:nth-child(%d)" % n)


def test_view(b, path):
    b.open(path)
    ok("the verdict is a sentence", "Main verdict: waits?, 27.5 % of it (cc1plus 82 %" in texts(b, ".verdict")[0],
       texts(b, ".verdict"))
    ok("what changed stands below it", "Changed: 820 graph-search: IPC 1.89 → 0.38 at 12:00:32. No other task" in
       texts(b, ".verdict")[0], texts(b, ".verdict"))
    equal("programs are sorted by CPU time", column(b, 1)[:4], ["render", "graph-search", "cc1plus", "queue"])
    equal("their CPU time", column(b, 2)[:2], ["54.75", "52.68"])
    equal("unknown numbers have a mark", b.js("[...document.querySelectorAll('td.unknown')][0].textContent"), "?")
    ok("a chart is drawn", b.js("(c => c.getContext('2d').getImageData(20, c.height - 30, 1, 1).data[2])"
                                "(document.querySelector('.plot canvas'))") == 0xb2)
    ok("few nodes", b.js("(() => { let n = 0; const i = document.createNodeIterator(document); "
                          "while (i.nextNode()) n++; return n })()") < 5000)


def test_sort(b):
    click(b, "thead button", 0)
    equal("a click sorts by name", column(b, 1)[:3], ["cc1plus", "db", "graph-search"])
    equal("which is in the address", fragment(b), "#sort=name")
    equal("and told to screen readers", b.js("document.querySelector('th').getAttribute('aria-sort')"), "ascending")
    click(b, "thead button", 0)
    equal("the other way round", column(b, 1)[:2], ["sshd", "render"])


def test_zoom(b):
    b.drag(".plot canvas", 0.25, 0.5)
    zoom = fragment(b)
    ok("dragging zooms", "zoom=" in zoom, zoom)
    ok("the table follows", 8 < float(dict(zip(column(b, 1), column(b, 2)))["render"]) < 22, column(b, 2))
    b.js("document.activeElement.blur()")
    b.key("0")
    ok("0 shows the whole", "zoom=" not in fragment(b), fragment(b))
    b.key("+")
    ok("+ zooms", "zoom=" in fragment(b), fragment(b))
    b.key("Escape")
    ok("Esc ends it", "zoom=" not in fragment(b), fragment(b))


def test_filter(b):
    click(b, "[role=tab]", 1)
    b.js("(i => { i.value = 'ALICE'; i.dispatchEvent(new Event('input')) })(document.querySelector('[type=search]'))")
    equal("the filter finds users, and root's command line 'sshd: alice@pts/0'", sorted(set(column(b, 3))), ["alice", "root"])
    ok("and is in the address", "filter=ALICE" in fragment(b) and "table=tasks" in fragment(b), fragment(b))


def test_link(b, path):
    b.open(path, "#zoom=1769860836000-1769860860000&table=tasks&sort=ipc&up=1&chosen=program:graph-search&heat=miss")
    equal("a link sorts", b.js("[...document.querySelectorAll('.scroll table')].pop().querySelector('tbody td').textContent"),
          "graph-search")
    ok("a link zooms", "12:00:36 to 12:01:00" in b.js("document.body.textContent"))
    ok("where nothing changed, that is said", "No program was seen to change" in texts(b, ".verdict")[0], texts(b, ".verdict"))
    ok("a link opens a program", texts(b, ".detail h2") == ["graph-search"] and "memory" in texts(b, ".detail")[0])
    ok("with its numbers", "data that came from memory" in texts(b, ".detail")[0], texts(b, ".detail"))
    equal("a link chooses the heat map", b.js("[...document.querySelectorAll('select')].pop().value"), "miss")
    b.open(path, "#zoom=9-3&table=x&sort=__proto__&chosen=%3Cb%3E&heat=constructor&page=1e9&stack=y")
    equal("a senseless link shows the whole", column(b, 1)[0], "render")


def test_dark(b, path):
    looks(b, path)
    ok("labels of an axis do not overlap", b.js(
        "(l => l.every((e, i) => !i || Math.abs(e.getBoundingClientRect().top - l[i - 1].getBoundingClientRect().top) > 11))"
        "([...document.querySelector('.side').children].slice(0, -1))"))


def test_names(b, path):
    b.open(path)
    names = column(b, 1)
    for name in ("<script>alert(1)</script>", "</script><img src=x onerror=alert(2)>", "<!--<script>", "a\"b'c&amp;",
                 "=cmd|'/c calc'!A0", "?gnp.exe"):
        ok("a name stays a text: " + name.replace("#", ""), name in names, names)
    equal("no element is made of a name", b.js("document.querySelectorAll('img, b[onclick], script').length"), 2)
    lines = b.js("csv()").split("\n")
    ok("CSV: a formula is harmless", any(l.startswith("'=cmd") for l in lines), lines)
    ok("CSV: quotes are doubled", any(l.startswith('"a""b\'c&amp;"') or l.startswith('a""b') for l in lines), lines)
    ok("CSV: numbers stay numbers", all(float(l.rsplit(",", 12)[1] or 0) >= 0 for l in lines[1:2]), lines)


def test_machines(b, path, one):
    """path: two recordings, the second one of another machine and 10.7 s later; one: the first one alone."""
    b.open(one)
    alone = dict(zip(column(b, 1), b.js("[...document.querySelectorAll('section table tbody tr')].map(r => [...r.cells].slice(1).map("
                                        "c => c.textContent))")))
    b.requests = []
    b.open(path)
    heads = texts(b, ".facts .key + b")
    equal("the head names each machine", heads, ["node1", "node2"])
    equal("a program of each", (column(b, 1)[:2], sorted(column(b, 2)[:2])), (["render", "render"], ["node1", "node2"]))
    rows = b.js("[...document.querySelectorAll('section table tbody tr')].map(r => [...r.cells].map(c => c.textContent))")
    got = {row[0]: row[2:] for row in rows if row[1] == "node1"}
    equal("with the CPU time that it has alone", {n: r[0] for n, r in got.items()}, {n: r[0] for n, r in alone.items()})
    equal("its IPC", got["graph-search"][6], alone["graph-search"][6])
    equal("and its verdict", got["graph-search"][-1], alone["graph-search"][-1])
    equal("rows of the heat map", texts(b, ".rows button")[:2], ["render @ node1", "render @ node2"])
    equal("a curve for each machine", b.js("view.machine.map(m => m.curves.length)"), [2] * len(b.js("view.machine.map(m => 0)")))
    equal("one stack for each", texts(b, ".legend button"), ["node1 50.0 %", "node2 50.0 %"])
    equal("all CPU time", b.js("Math.round(100 * total.cpu)"), 2 * b.js("Math.round(100 * data.recordings[0].cpu_s)"))
    ok("no time is lost over steps", abs(b.js("sum(data.buckets.cpu) - sum(data.recordings.map(r => sum(r.buckets.cpu)))")) < 1e-6)
    side = b.js("view.stackSide.textContent")
    b.js("buckets.s[3] = buckets.cpu[3] = 0; drawStack()")
    equal("a step between recordings, without time, leaves the axis as it is", b.js("view.stackSide.textContent"), side)
    b.open(path, "#zoom=1769860802000-1769860810000")
    ok("before the second one there is the first alone", set(column(b, 2)) == {"node1"}, column(b, 2))
    ok("phases have their machine", any("node2: 820 graph-search" in t for t in b.js("data.phases.map(phaseItem).map(e => e.textContent)")))
    b.open(path, "#table=tasks&filter=node2&stack=user")
    equal("a filter for a machine", set(column(b, 2)), {"node2"})
    b.open(path, "#chosen=program:node2:graph-search")
    equal("a program of a machine opens", texts(b, ".detail h2"), ["graph-search @ node2"])


def test_anonymous(b, path):
    b.open(path, "#table=tasks")
    with open(path, encoding="utf-8") as page:
        source = page.read()
    left = [word for word in ("alice", "node1", "--size", "roads.bin", "/srv/db", "scene.db") if word in source]
    equal("--anonymize leaves no user, host, argument or path", left, [])
    ok("users have made-up names", "user1" in column(b, 3), column(b, 3))
    ok("the page says so", "made-up names" in b.js("document.body.textContent"))


def main(pages, folder=None):
    page, hostile, anonymous = ("%s/%s.html" % (pages, name) for name in ("page", "hostile", "anonymous"))
    b = Browser()
    try:
        test_view(b, page)
        test_sort(b)
        test_zoom(b)
        test_filter(b)
        test_link(b, page)
        test_dark(b, page)
        quiet("the page", b, page)
        test_machines(b, pages + "/machines.html", page)
        quiet("two machines", b, pages + "/machines.html")
        test_names(b, hostile)
        quiet("hostile names", b, hostile)
        test_anonymous(b, anonymous)
        quiet("made-up names", b, anonymous)
        tables.check(b, pages)
        if folder:
            for scheme in ("light", "dark"):
                for width, height in ((1400, 900), (800, 600)):
                    b.media(scheme)
                    b.size(width, height)
                    b.open(page, "#chosen=program:graph-search")
                    b.picture("%s/%s-%d.png" % (folder, scheme, width), whole=True)
            tables.paint(b, pages, folder)
    finally:
        b.close()
    return done()


sys.exit(main(*sys.argv[1:]))

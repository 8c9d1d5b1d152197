# SPDX-License-Identifier: GPL-2.0-or-later
"""Prints TAP, and looks at the page of a browser."""

import json

count = failed = 0


def ok(name, good, note=""):
    global count, failed
    count += 1
    failed += not good
    print(("ok %d - %s" if good else "not ok %d - %s") % (count, name))
    if not good:
        print("# %s" % (note,))


def equal(name, got, want):
    ok(name, got == want, "got %r, want %r" % (got, want))


def done():
    """The exit status."""
    print("1..%d" % count)
    return failed > 0


def texts(browser, selector):
    return browser.js("[...document.querySelectorAll(%s)].map(e => e.textContent)" % json.dumps(selector))


def quiet(name, browser, path):
    equal(name + ": no message, no dialog", browser.said, [])
    asked = [r for r in browser.requests if r not in ("about:blank", "file://" + path) and not r.startswith("data:")]
    equal(name + ": no request", asked, [])
    browser.said, browser.requests = [], []


def click(browser, selector, n=0):
    browser.js("document.querySelectorAll(%s)[%d].click()" % (json.dumps(selector), n))


def fragment(browser):
    return browser.js("location.hash")


def looks(b, path):
    """Tests the page that is open, which is `path`, in the dark, on paper and in two widths."""
    back = "getComputedStyle(document.body).backgroundColor"
    light = b.js(back)
    b.media("dark")
    ok("dark where the reader wants it", b.js(back) != light)
    b.media("light", "print")
    equal("no controls on paper", b.js("getComputedStyle(document.querySelector('.controls')).display"), "none")
    b.media("light")
    for width, height in ((1400, 900), (800, 600)):
        b.size(width, height)
        b.open(path)
        ok("nothing is wider than %d" % width, b.js("document.documentElement.scrollWidth") <= width)

# SPDX-License-Identifier: GPL-2.0-or-later
"""page.py FOLDER PAGE: what a browser takes for a page of tiptop report. FOLDER: of browser.py. Prints lines of name and
value, and ends with 3 if there is no browser.

CPU time of the thread that runs the script and paints, by its CPU clock, so that other load does not matter: up to the
first painting, and for a zoom, the mean of ten.
"""

import sys

sys.path.insert(0, sys.argv[1])

from browser import Browser, find_program  # noqa: E402

ZOOMS = 10
PAINTED = "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => r(0))))"


def used_us(browser):
    metrics = browser.call("Performance.getMetrics")["metrics"]
    return next(m["value"] for m in metrics if m["name"] == "TaskDuration") * 1e6


def main(page):
    if not find_program():
        return 3
    b = Browser()
    try:
        b.call("Performance.enable", timeDomain="threadTicks")
        b.open("/dev/null")
        begin = used_us(b)
        b.open(page)
        b.js(PAINTED)
        painted = used_us(b)
        for i in range(ZOOMS):
            b.key("-" if i % 2 else "+")
            b.js(PAINTED)
        zoomed = used_us(b)
        if b.said or "zoom=" in b.js("location.hash"):
            print("page.py: the page has failed: %s" % b.said, file=sys.stderr)
            return 1
        print("paint_us %.0f" % (painted - begin))
        print("zoom_us %.0f" % ((zoomed - painted) / ZOOMS))
    finally:
        b.close()
    return 0


sys.exit(main(sys.argv[2]))

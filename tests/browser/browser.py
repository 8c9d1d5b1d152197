# SPDX-License-Identifier: GPL-2.0-or-later
"""Drives a headless Chromium over a pipe by its DevTools protocol, with Python's own library alone."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
SECONDS = 60


def find_program():
    return next((p for p in map(shutil.which, PROGRAMS) if p), None)


class Browser:
    """One page. said: what it wrote to the console; requests: the addresses that it asked for."""

    def __init__(self, width=1400, height=900):
        self.said, self.requests, self.number, self.rest = [], [], 0, b""
        self.home = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.back, from_write = os.pipe()

        def pipes():
            # The protocol wants descriptors 3 and 4.
            read, write = os.dup(to_read), os.dup(from_write)
            os.dup2(read, 3)
            os.dup2(write, 4)

        # Without a sandbox, as root and in containers have none; its page is our own.
        self.process = subprocess.Popen(
            [find_program(), "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe",
             "--user-data-dir=" + self.home, "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
             "--host-resolver-rules=MAP * ~NOTFOUND", "about:blank"],
            preexec_fn=pipes, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=dict(os.environ, HOME=self.home, TZ="UTC"))
        os.close(to_read)
        os.close(from_write)
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.size(width, height)

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def call(self, method, **arguments):
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        return self.wait(lambda m: m.get("id") == self.number)

    def wait(self, wanted):
        end = time.monotonic() + SECONDS
        while time.monotonic() < end:
            while b"\0" in self.rest:
                text, self.rest = self.rest.split(b"\0", 1)
                message = json.loads(text)
                self.note(message)
                if wanted(message):
                    if "error" in message:
                        raise RuntimeError(message["error"])
                    return message.get("result", message.get("params"))
            if select.select([self.back], [], [], 1)[0]:
                data = os.read(self.back, 1 << 20)
                if not data:
                    break
                self.rest += data
        raise RuntimeError("the browser does not answer")

    def note(self, message):
        method, p = message.get("method"), message.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.said.append(" ".join(str(a.get("value")) for a in p["args"]))
        elif method == "Runtime.exceptionThrown":
            details = p["exceptionDetails"]
            self.said.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Log.entryAdded":
            self.said.append(p["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(p["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.said.append("dialog: " + p["message"])

    def open(self, path, fragment=""):
        self.call("Page.navigate", url="about:blank")
        self.wait(lambda m: m.get("method") == "Page.loadEventFired")
        self.call("Page.navigate", url="file://" + path + fragment)
        self.wait(lambda m: m.get("method") == "Page.loadEventFired")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def media(self, scheme="light", medium=""):
        self.call("Emulation.setEmulatedMedia", media=medium,
                  features=[{"name": "prefers-color-scheme", "value": scheme}])

    def js(self, expression):
        """The value of an expression, which may be a promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"]["exception"].get("description"))
        return result["result"].get("value")

    def key(self, key):
        text = key if len(key) == 1 else ""
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def mouse(self, kind, x, y):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1,
                  buttons=0 if kind == "mouseReleased" else 1)

    def drag(self, selector, start, end):
        """Drags over an element, from and to these parts of its width."""
        x, y, width, height = self.js(
            "(e => { e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); "
            "return [b.left, b.top, b.width, b.height] })(document.querySelector(%s))" % json.dumps(selector))
        y += height / 2
        self.mouse("mousePressed", x + width * start, y)
        self.mouse("mouseMoved", x + width * (start + end) / 2, y)
        self.mouse("mouseMoved", x + width * end, y)
        self.mouse("mouseReleased", x + width * end, y)

    def picture(self, path, whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as out:
            out.write(base64.b64decode(data))

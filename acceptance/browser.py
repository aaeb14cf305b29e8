"""A browser that a test drives: Chromium without a window, by its DevTools protocol."""

import fcntl
import itertools
import json
import os
import select
import subprocess
import tempfile
import time

CHROMIUM = os.environ.get("KASSA_CHROMIUM")
# Far more than anything takes that a page does.
PATIENCE_SECONDS = 60


class RefusedCommand(RuntimeError):
    """What the browser cannot do now, since the page it was for goes elsewhere."""


class Browser:
    """Chromium with a profile of its own, for as long as the test needs it."""

    def __init__(self, preferences=None):
        self.profile = tempfile.TemporaryDirectory(prefix="kassa-browser-", ignore_cleanup_errors=True)
        if preferences:
            folder = os.path.join(self.profile.name, "Default")
            os.mkdir(folder)
            with open(os.path.join(folder, "Preferences"), "w") as file:
                json.dump(preferences, file)
        self.numbers = itertools.count(1)
        self.log = tempfile.TemporaryFile(mode="w+")
        commands, ours = os.pipe()
        theirs, answers = os.pipe()
        # The browser looks for its ends at 3 and 4; above 9 they are in nobody's way.
        ends = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (commands, answers)]
        command = ["bash", "-c", 'exec "$@" 3<&{0} 4>&{1} {0}<&- {1}>&-'.format(*ends), "browser", CHROMIUM]
        command += ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        command += ["--no-proxy-server", "--remote-debugging-pipe", f"--user-data-dir={self.profile.name}"]
        streams = {"stdin": subprocess.DEVNULL, "stdout": self.log, "stderr": self.log}
        self.process = subprocess.Popen(command, pass_fds=ends, **streams)
        for end in (commands, answers, *ends):
            os.close(end)
        self.commands, self.answers = open(ours, "wb", buffering=0), open(theirs, "rb", buffering=0)
        self.received = bytearray()

    def page(self, url):
        """A page that has loaded."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = Page(self, session, target)
        page.open(url)
        return page

    def frame(self, url):
        """The page in the frame whose address begins so, once there is one: a frame of another site is a page of its own."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            targets = self.send("Target.getTargets")["targetInfos"]
            for target in targets:
                if target["type"] == "iframe" and target["url"].startswith(url):
                    session = self.send("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
                    return Page(self, session, target["targetId"])
            time.sleep(0.02)
        raise AssertionError(f"no frame within {PATIENCE_SECONDS} s: {url} in {targets}")

    def send(self, method, session=None, **parameters):
        """What a command of the protocol answers."""
        number = self.post(method, session, **parameters)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            answer = self._read(deadline, method)
            if answer.get("id") == number:
                if "error" in answer:
                    # -32000: among others, that the page has gone elsewhere meanwhile.
                    kind = RefusedCommand if answer["error"].get("code") == -32000 else RuntimeError
                    raise kind(f"{method}: {answer['error']}")
                return answer["result"]

    def post(self, method, session=None, **parameters):
        """Gives a command to the browser, and does not wait for its answer. Returns the command's number."""
        number = next(self.numbers)
        message = {"id": number, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        self.commands.write(json.dumps(message).encode() + b"\0")
        return number

    def _read(self, deadline, method):
        """The next message of the browser, which has until the deadline for it."""
        while b"\0" not in self.received:
            if not select.select([self.answers], [], [], max(0, deadline - time.monotonic()))[0]:
                raise AssertionError(f"the browser has not answered within {PATIENCE_SECONDS} s: {method}")
            if not (part := self.answers.read(1 << 16)):
                self.log.seek(0)
                raise RuntimeError(f"the browser has ended:\n{self.log.read()}")
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.commands.close()
        self.answers.close()
        self.log.close()
        self.profile.cleanup()


class Page:
    """A page of a browser."""

    def __init__(self, browser, session, target):
        self.browser, self.session, self.target = browser, session, target

    def close(self):
        self.browser.send("Target.closeTarget", targetId=self.target)

    def open(self, url):
        """Goes to a URL, and waits until the page is there."""
        error = self.browser.send("Page.navigate", self.session, url=url).get("errorText")
        if error:
            raise RuntimeError(f"{url}: {error}")
        self.wait_for(f"location.href.startsWith({json.dumps(url)}) && document.readyState === 'complete'")

    def evaluate(self, expression):
        """What JavaScript gives, once it is settled if it is a promise."""
        options = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        answer = self.browser.send("Runtime.evaluate", self.session, **options)
        if "exceptionDetails" in answer:
            raise RuntimeError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def press(self, key):
        """Presses a key, where the page has its focus. A frame that the key closes never answers, so nobody waits for it."""
        for kind in ("keyDown", "keyUp"):
            code = {"Escape": 27, "Tab": 9}[key]
            self.browser.post("Input.dispatchKeyEvent", self.session, type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def wait_for(self, expression):
        """Looks until JavaScript gives something, and returns that."""
        deadline, why = time.monotonic() + PATIENCE_SECONDS, ""
        while time.monotonic() < deadline:
            try:
                if found := self.evaluate(expression):
                    return found
            except RefusedCommand as refused:
                why = f"; the browser: {refused}"
            time.sleep(0.02)
        raise AssertionError(f"not within {PATIENCE_SECONDS} s: {expression}{why}")

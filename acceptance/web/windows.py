"""Windows of a browser. What goes wrong in one of them, and is no part of a test, fails the test."""

import time
from urllib.parse import urlsplit

VIOLATIONS = """
addEventListener("securitypolicyviolation", (event) => {
  console.error(`violates the policy: ${event.violatedDirective} ${event.blockedURI}`);
});
"""
# Far more than anything takes that a page does, in milliseconds.
PATIENCE_MS = 30_000


class Windows:
    """Opens windows of people, each with a profile of its own."""

    def __init__(self, chromium, url):
        self.chromium, self.url = chromium, url
        self.contexts, self.faults, self.expected = [], [], set()

    def open(self, width=1440, scripts=True, language="en", dark=False, height=900, **more):
        """A window: its width in pixels, whether it runs scripts, which language and colours somebody prefers."""
        scheme = "dark" if dark else "light"
        size = {"width": width, "height": height}
        options = {"viewport": size, "java_script_enabled": scripts, "locale": language, "color_scheme": scheme}
        context = self.chromium.new_context(base_url=self.url, **options, **more)
        context.set_default_timeout(PATIENCE_MS)
        context.add_init_script(VIOLATIONS)
        context.on("console", self._hear)
        context.on("weberror", lambda fault: self.faults.append(f"{fault.page.url}: {fault.error}"))
        self.contexts.append(context)
        return context.new_page()

    def expect(self, *texts):
        """What the console may say, because it is part of the test: statuses of pages, or words."""
        self.expected.update(f"status of {text} " if isinstance(text, int) else text for text in texts)

    def _hear(self, message):
        if message.type not in ("error", "warning"):
            return
        if any(text in message.text for text in self.expected):
            return
        path = urlsplit(message.location.get("url", "")).path
        # Browsers ask by themselves for this. Pages of the shop name an icon of their own, and sites of tests have none.
        if path == "/favicon.ico":
            return
        self.faults.append(f"{path}: {message.text}")

    def close(self):
        """Closes all, and gives what went wrong."""
        for context in self.contexts:
            context.close()
        return self.faults


def fits(page):
    """Whether nothing has to be scrolled sideways."""
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def wait_for(page, expression):
    """Looks until JavaScript gives something. Playwright's own way evaluates texts in the page, whose policy forbids that."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while not (found := page.evaluate(expression)):
        assert time.monotonic() < deadline, expression
        time.sleep(0.02)
    return found

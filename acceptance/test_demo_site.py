"""The site of somebody else that the demo has: whoever tries the widget on it buys, at the prices of the agent."""

import unittest

import browser
from server import Demo


@unittest.skipUnless(browser.CHROMIUM, "KASSA_CHROMIUM names no browser: acceptance/run installs it")
class DemoSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.demo = Demo()
        cls.addClassCleanup(cls.demo.stop)
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.stop)

    def printed(self, name):
        """The address that the demo has printed under a name."""
        self.demo.output.seek(0)
        return next(words[1] for line in self.demo.output if (words := line.split())[:1] == [name])

    def buy(self, frame):
        """Buys a ticket in the frame."""
        frame.wait_for("Boolean(document.querySelector('select[name^=\"random.\"]'))")
        frame.evaluate("document.querySelector('select[name^=\"random.\"]').value = '1'")
        frame.evaluate("document.querySelector('[data-cart] button').click()")
        frame.wait_for("Boolean(document.querySelector('form[action$=\"/pay\"]'))")
        frame.evaluate("document.querySelector('[name=\"settings.customer.email\"]').value = 'ann@example.org'")
        frame.evaluate("document.querySelector('[value=TEST]').checked = true")
        frame.evaluate("document.querySelector('form[action$=\"/pay\"] button').click()")
        frame.wait_for("Boolean(document.querySelector('button[value=yes]'))")
        frame.evaluate("document.querySelector('button[value=yes]').click()")
        frame.wait_for("document.querySelector('[data-order]')?.dataset.order === 'paid'")

    def assert_sells(self, url, pressed, price):
        page = self.browser.page(url)
        self.addCleanup(page.close)
        page.wait_for(f"Boolean(globalThis.Kassa && {pressed})")
        page.evaluate(f"{pressed}.click()")
        frame = self.browser.frame(f"{self.demo.url}/widget/")
        self.assertIn(price, frame.wait_for("document.querySelector('.offers')?.textContent"))
        self.buy(frame)
        told = page.wait_for("document.querySelector('[data-told]').textContent.includes('kassa:paid') "
                             "&& document.querySelector('[data-told]').textContent")
        self.assertIn("kassa:reserved, order ", told)

    def test_the_elements_sell_there(self):
        # The agent adds a tenth to 25.00.
        self.assert_sells(self.printed("Widget"), "document.querySelector('kassa-button').shadowRoot?.querySelector('button')", "27.50")

    def test_a_page_that_was_written_for_another_server_sells_there(self):
        # And a twentieth to the 12.00 of a standing place.
        self.assert_sells(self.printed("Drop-in"), "document.querySelector('[data-tc-event]')", "12.60")


if __name__ == "__main__":
    unittest.main()

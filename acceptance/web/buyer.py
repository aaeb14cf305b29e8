"""Somebody who buys, in a window of a browser."""

import re

from playwright.sync_api import expect

from shop import CUSTOMER, words

EMAIL = "[name='settings.customer.email']"
PAY = "form[action$='/pay'] button"
TABS_MAX = 60


class Buyer:
    """Somebody before a window, who reads one language."""

    def __init__(self, page, language="en"):
        self.page, self.language, self.texts = page, language, words(language)

    def choose(self, event, count=2):
        """Takes tickets of the first set of an event: the path of the order."""
        self.page.goto(event)
        self.page.locator(".cart select").first.select_option(str(count))
        self.page.locator(".cart button").click()
        return self.sees_order("order-cart")

    def pay(self, email=CUSTOMER["settings.customer.email"]):
        """Says who buys, and goes to the page of the test payment."""
        self.page.locator(EMAIL).fill(email)
        self.page.locator("[name=provider][value=TEST]").check()
        self.page.locator(PAY).click()
        self.sees("test-title")

    def answer(self, outcome="yes"):
        """Says how the test payment ends."""
        self.page.locator(f"button[value={outcome}]").click()

    def sees(self, key):
        """Waits for a page with this headline, in the language that was asked for."""
        expect(self.page.locator("h1")).to_have_text(self.texts[key])
        expect(self.page.locator("html")).to_have_attribute("lang", self.language)

    def sees_order(self, key):
        """Waits for the page of an order with this headline: its path."""
        self.sees(key)
        return re.search(r"/order/[\w.-]+", self.page.url).group()

    def reads(self, key):
        """Waits until the page says something."""
        expect(self.page.locator("main")).to_contain_text(self.texts[key])

    def tab_to(self, selector):
        """Goes to an element by the tabulator key alone, and sees that the place is shown where the keys go."""
        target = self.page.locator(selector).first
        expect(target).to_be_attached()
        for _ in range(TABS_MAX):
            self.page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                assert target.evaluate(IS_SHOWN), f"it is not shown that {selector} has the focus"
                return target
        raise AssertionError(f"{selector} is not reached by {TABS_MAX} times of the tabulator key")


# The outline is on the element, on what lies over it, or on what contains it.
IS_SHOWN = """element => {
  const has = (styles) => styles.outlineStyle !== "none" && parseFloat(styles.outlineWidth) > 0;
  const parents = (node) => node ? [node, ...parents(node.parentElement)] : [];
  return parents(element).some((node) => has(getComputedStyle(node)))
    || has(getComputedStyle(element, "::after"));
}"""

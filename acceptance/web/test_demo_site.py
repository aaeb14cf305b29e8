"""The site of somebody else that the demo has: whoever tries the widget on it buys, at the prices of the agent."""

import pytest
from playwright.sync_api import expect

from shop import CUSTOMER
from windows import wait_for

EMAIL = "settings.customer.email"


def printed(demo, name):
    """The address that the demo has printed under a name."""
    demo.output.seek(0)
    return next(words[1] for line in demo.output if (words := line.split())[:1] == [name])


# The agent adds a tenth to the 25.00 of the one event, and a twentieth to the 12.00 of a standing place at the other.
@pytest.mark.parametrize(
    "name, pressed, price", [("Widget", "kassa-button", "€27.50"), ("Drop-in", "[data-tc-event]", "€12.60")]
)
def test_it_sells_there(windows, demo, name, pressed, price):
    page = windows.open()
    page.goto(printed(demo, name))
    wait_for(page, "Boolean(globalThis.Kassa)")
    page.locator(pressed).first.click()
    frame = page.frame_locator("iframe.kassa-frame")
    expect(frame.locator(".offers")).to_contain_text(price)
    frame.locator(".cart select").first.select_option("1")
    frame.locator(".cart__button").click()
    frame.locator(f"[name='{EMAIL}']").fill(CUSTOMER[EMAIL])
    frame.locator("[value=TEST]").check()
    frame.locator("form[action$='/pay'] button").click()
    frame.locator("button[value=yes]").click()
    expect(frame.locator("[data-order=paid]")).to_be_visible()
    told = page.locator("[data-told]")
    expect(told).to_contain_text("kassa:reserved, order ")
    expect(told).to_contain_text("kassa:paid, order ")

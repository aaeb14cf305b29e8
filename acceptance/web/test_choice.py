"""Somebody chooses, goes away and comes back: what is chosen stays chosen, and what is held is known to be one's own."""

import re

import pytest
from playwright.sync_api import expect

from buyer import Buyer

BOTH = pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
RESERVE = "[data-reserve]"


@pytest.fixture
def hall(shop):
    """The path where seats of an event are chosen that has two rows of eight, and the id of their set."""
    return _hall(shop)


def _hall(shop, **more):
    stalls = {"name": "Stalls", "sector": "s", "seats": {"1": [[1, 8]], "2": [[1, 8]]}, "price": "40.00"}
    event, [stalls] = shop.new_event("A Hall", [stalls], **more)
    return f"/e/{event}/seats", stalls


def box(page, stalls, row, number):
    return page.locator(f'input[type=checkbox][name="seats.{stalls}.{row}"][value="{number}"]')


def choose(page, stalls, *seats):
    for row, number in seats:
        box(page, stalls, row, number).check(force=True)


def ready(page, scripts):
    """Waits until the picture of the hall is drawn, where scripts draw one."""
    if scripts:
        expect(page.locator(".hall__seats")).to_be_visible()


@BOTH
def test_back_from_the_order_ones_own_seats_are_ones_own(windows, shop, hall, scripts):
    path, stalls = hall
    buyer = Buyer(windows.open(scripts=scripts))
    page = buyer.page
    page.goto(path)
    ready(page, scripts)
    choose(page, stalls, (1, 4), (1, 5))
    page.locator(RESERVE).click()
    order = buyer.sees_order("order-cart")
    page.go_back()
    if not scripts:
        # Without scripts the browser shows the page as it was: loading it again shows what is held by now.
        page.reload()
    own = page.locator("[data-own]")
    expect(own).to_contain_text("You hold 2 tickets for this event.")
    ready(page, scripts)
    assert "Somebody else" not in page.locator("main").inner_text()
    expect(box(page, stalls, 1, 4)).to_be_disabled()
    # What is chosen beside it is another order; and the first one can be given up from here.
    own.locator("form button").click()
    expect(page).to_have_url(re.compile(r"/seats\?notice=canceled$"))
    assert shop.order(order)["status"] == "cancelled"
    expect(box(page, stalls, 1, 4)).to_be_enabled()


def test_back_to_the_event_its_page_leads_to_what_is_held(windows, shop):
    event, _ = shop.new_event("Last Two", [{"name": "Floor", "amount": 2, "price": "10.00"}])
    buyer = Buyer(windows.open())
    order = buyer.choose(f"/e/{event}")
    buyer.page.go_back()
    expect(buyer.page.locator("[data-own]")).to_contain_text("You hold 2 tickets for this event.")
    buyer.page.locator("[data-own] a").click()
    assert buyer.sees_order("order-cart") == order


def test_single_seats_are_spoken_of_when_the_choice_is_to_be_reserved(windows, shop):
    path, stalls = _hall(shop, single_seats="warn")
    buyer = Buyer(windows.open())
    page = buyer.page
    page.goto(path)
    ready(page, True)
    warning = page.locator(".summary .wrong")
    choose(page, stalls, (1, 2))
    expect(warning).to_be_hidden()
    page.locator(RESERVE).click()
    expect(warning).to_contain_text("Stalls, row 1, seat 1 would be left alone")
    expect(page.locator(RESERVE)).to_have_text(buyer.texts["reserve-anyway"])
    # It goes by itself when the choice gets whole.
    choose(page, stalls, (1, 1))
    expect(warning).to_be_hidden()
    expect(page.locator(RESERVE)).to_have_text(buyer.texts["reserve-seats"])
    choose(page, stalls, (1, 7))
    page.locator(RESERVE).click()
    expect(warning).to_be_visible()
    page.locator(RESERVE).click()
    assert len(shop.order(buyer.sees_order("order-cart"))["tickets"]) == 3


@BOTH
def test_reserving_without_a_seat_stays_at_the_seats(windows, hall, scripts):
    path, stalls = hall
    buyer = Buyer(windows.open(scripts=scripts))
    buyer.page.goto(path)
    ready(buyer.page, scripts)
    buyer.page.locator(RESERVE).click()
    buyer.reads("notice-nothing-chosen")
    expect(buyer.page).to_have_url(re.compile("/seats"))
    choose(buyer.page, stalls, (1, 4))
    buyer.page.locator(RESERVE).click()
    buyer.sees_order("order-cart")


@BOTH
def test_a_choice_survives_a_change_of_the_language(windows, shop, hall, scripts):
    path, stalls = hall
    page = windows.open(scripts=scripts)
    page.goto(path)
    ready(page, scripts)
    choose(page, stalls, (1, 4), (2, 5))
    page.locator(".langs [name=lang][value=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    for row, number in ((1, 4), (2, 5)):
        expect(box(page, stalls, row, number)).to_be_checked()
    event, [floor] = shop.new_event("A Floor", [{"name": "Floor", "amount": 9, "price": "10.00"}])
    page.goto(f"/e/{event}")
    page.locator(".cart select").select_option("3")
    page.locator(".langs [name=lang][value=ru]").click()
    expect(page.locator("html")).to_have_attribute("lang", "ru")
    expect(page.locator(".cart select")).to_have_value("3")
    page.locator(".cart button").click()
    order = shop.order(Buyer(page, "ru").sees_order("order-cart"))
    assert [ticket["set"] for ticket in order["tickets"]] == [floor] * 3

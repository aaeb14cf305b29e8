"""Where it ends when something happens twice, too late or elsewhere: on one page each, as docs/shop.md has it."""

import re
import time
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect

import pages
from buyer import EMAIL, PAY, Buyer

REFUSED = 422


@pytest.fixture
def event(shop):
    """The page of an event with 40 tickets."""
    event, _ = shop.new_event("An Evening", [{"name": "Floor", "amount": 40, "price": "10.00"}])
    return f"/e/{event}"


def vacant(shop, event):
    sets = shop.api("GET", f"/v1/resources/events/{event.removeprefix('/e/')}/sets")
    return sum(each["amount_vacant"] for each in sets)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_double_click_makes_one_order_and_one_payment(windows, shop, event, scripts):
    buyer = Buyer(windows.open(scripts=scripts))
    buyer.page.goto(event)
    buyer.page.locator(".cart select").first.select_option("2")
    # Without scripts nobody keeps the second click from being sent: the browser itself drops the first.
    buyer.page.locator(".cart button").dblclick()
    order = buyer.sees_order("order-cart")
    if scripts:
        assert vacant(shop, event) == 38
    buyer.page.locator(EMAIL).fill("twice@example.org")
    buyer.page.locator(PAY).dblclick()
    buyer.sees("test-title")
    buyer.page.locator("button[value=yes]").dblclick()
    assert buyer.sees_order("order-paid") == order
    assert [(paid["status"], paid["received"]) for paid in shop.payments(order)] == [("paid", "20.00")]


def test_money_that_comes_twice_goes_back_once(windows, shop, event):
    buyer = Buyer(windows.open())
    buyer.choose(event)
    buyer.pay()
    buyer.answer("twice")
    order = buyer.sees_order("order-paid")
    deadline = time.monotonic() + 60
    while (payment := shop.payments(order)[0])["returned"] != "20.00":
        assert time.monotonic() < deadline, payment
        time.sleep(0.1)
    assert (payment["received"], payment["used"]) == ("40.00", "20.00")


def test_two_tabs_pay_once(windows, shop, event):
    first = Buyer(windows.open())
    order = first.choose(event)
    second = Buyer(first.page.context.new_page())
    second.page.goto(order)
    second.page.locator(EMAIL).fill("second@example.org")
    first.pay()
    bank = Buyer(first.page.context.new_page())
    bank.page.goto(first.page.url)
    first.answer("yes")
    first.sees_order("order-paid")
    # The other tab still shows the form.
    windows.expect(REFUSED)
    second.page.locator(PAY).click()
    assert second.sees_order("order-paid") == order
    # And so does that of the bank.
    bank.answer("no")
    assert bank.sees_order("order-paid") == order
    assert [paid["status"] for paid in shop.payments(order)] == ["paid"]


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_back_leads_to_pages_as_they_are_now(windows, shop, event, scripts):
    buyer = Buyer(windows.open(scripts=scripts))
    order = buyer.choose(event)
    buyer.pay()
    buyer.answer("yes")
    buyer.sees_order("order-paid")
    # To the bank, which has nothing more to ask: that is the order again.
    buyer.page.go_back()
    assert buyer.sees_order("order-paid") == order
    buyer.page.go_back()
    assert buyer.sees_order("order-paid") == order
    assert len(shop.payments(order)) == 1


def test_whoever_goes_back_from_the_cart_can_choose_otherwise(windows, shop, event):
    buyer = Buyer(windows.open())
    first = buyer.choose(event, 2)
    buyer.page.go_back()
    choice = buyer.page.locator(".cart select").first
    expect(choice).to_be_visible()
    choice.select_option("3")
    buyer.page.locator(".cart button").click()
    second = buyer.sees_order("order-cart")
    assert first != second
    assert len(shop.order(second)["tickets"]) == 3


def test_a_hold_that_lapses_ends_on_the_page_of_the_order(windows, shop, event):
    buyer = Buyer(windows.open())
    order = buyer.choose(event)
    pages.lapse(shop, order)
    buyer.page.goto(order)
    buyer.sees("order-expired")
    buyer.page.locator("main a.button").click()
    expect(buyer.page.locator(".cart select").first).to_be_visible()


def test_a_page_that_counts_down_says_that_the_time_is_over(windows, shop, event):
    order = shop.reserve(event)
    soon = datetime.now(timezone.utc) + timedelta(seconds=4)
    shop.change(order, {"expired_after": soon.isoformat(timespec="milliseconds")})
    buyer = Buyer(windows.open())
    buyer.page.goto(order)
    buyer.sees("order-cart")
    expect(buyer.page.locator(".hold__time")).to_have_text(re.compile(r"0:0\d"))
    buyer.sees("order-expired")


def test_a_clock_that_is_wrong_ends_no_order(windows, shop, event):
    buyer = Buyer(windows.open())
    # To this clock, the time was over a day ago.
    buyer.page.clock.install(time=datetime.now(timezone.utc) + timedelta(days=1))
    order = buyer.choose(event)
    left = buyer.page.locator(".hold__time")
    expect(left).to_have_text(re.compile(r"14:\d\d"))
    buyer.page.clock.run_for(5 * 60 * 1000)
    expect(left).to_have_text(re.compile(r"(9|10):\d\d"))
    assert buyer.sees_order("order-cart") == order


@pytest.mark.parametrize("form", ["pay", "promocode", "extend", "cancel"])
def test_a_form_that_comes_after_the_hold_has_lapsed_ends_on_the_page_of_the_order(windows, shop, event, form):
    # Without scripts, so that the page does not notice by itself.
    buyer = Buyer(windows.open(scripts=False))
    order = buyer.choose(event)
    buyer.page.locator(EMAIL).fill("late@example.org")
    buyer.page.locator("details:has(form.promocode) > summary").click()
    buyer.page.locator("[name=_code]").fill("LATE")
    pages.lapse(shop, order)
    windows.expect(REFUSED)
    buyer.page.locator(f"form[action$='/{form}'] button").first.click()
    assert buyer.sees_order("order-expired") == order
    assert vacant(shop, event) == 40


def test_a_code_that_ran_out_meanwhile_is_said_beside_it_and_the_price_stays(windows, shop, event):
    shop.promocode(event.removeprefix("/e/"), "LAST", amount=1)
    quick, slow = Buyer(windows.open()), Buyer(windows.open())
    quick.choose(event)
    order = slow.choose(event)
    for buyer in (quick, slow):
        buyer.page.locator("details:has(form.promocode) > summary").click()
        buyer.page.locator("[name=_code]").fill("last")
    quick.page.locator("form.promocode button").click()
    quick.reads("notice-code-used")
    windows.expect(REFUSED)
    slow.page.locator("form.promocode button").click()
    slow.reads("refused-code-used-up")
    assert float(shop.order(order)["values"]["full"]) == 20
    slow.pay()
    slow.answer("yes")
    slow.sees_order("order-paid")


def test_tickets_that_are_gone_meanwhile_are_said_beside_the_choice(windows, shop):
    event, [floor] = shop.new_event("Two Chairs", [{"name": "Chairs", "amount": 2, "price": "10.00"}])
    # Without scripts, so that the page does not notice by itself.
    buyer = Buyer(windows.open(scripts=False))
    buyer.page.goto(f"/e/{event}")
    buyer.page.locator(".cart select").first.select_option("2")
    shop.reserve(f"/e/{event}", 2, floor)
    buyer.page.locator(".cart button").click()
    buyer.reads("notice-all-taken")


def test_money_after_the_hold_buys_the_tickets_if_they_are_there_and_goes_back_else(windows, shop):
    # Who pays at the door pays before the event begins; this one begins at once.
    start = datetime.now(timezone.utc) + timedelta(seconds=6)
    span = [at.strftime("%Y%m%dT%H%M%SZ") for at in (start, start + timedelta(hours=3))]
    lifetime = f"BEGIN:VEVENT\r\nDTSTART:{span[0]}\r\nDTEND:{span[1]}\r\nEND:VEVENT\r\n"
    event, [floor] = shop.new_event("Tonight", [{"name": "Floor", "amount": 2, "price": "10.00"}], lifetime=lifetime)
    orders = [shop.reserve(f"/e/{event}", 1, floor) for _ in range(2)]
    for order in orders:
        shop.begin(order, "DOOR")
    buyers = [Buyer(windows.open()) for _ in orders]
    for buyer, order in zip(buyers, orders, strict=True):
        buyer.page.goto(order)
    for buyer in buyers:
        buyer.sees("order-expired")
    # One ticket is sold to somebody else; one is still there.
    shop.test(shop.reserve(f"/e/{event}", 1, floor), "yes")
    for order in orders:
        [payment] = shop.payments(order)
        path = f"/v2/resources/orders/{order[7:31]}/payments/{payment['id']}/received"
        shop.api("POST", path, {"amount": "10.00"}, **shop.organizer)
    for buyer, key in zip(buyers, ("order-paid", "order-expired"), strict=True):
        buyer.page.reload()
        buyer.sees(key)
    [lost] = shop.payments(orders[1])
    assert (lost["status"], lost["reason"]) == ("returning", "tickets_gone")

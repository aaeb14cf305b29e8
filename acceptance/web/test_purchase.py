"""Two tickets are bought in the demo's shop, by whoever comes with whatever they have."""

import pathlib

import pytest
from playwright.sync_api import expect

from buyer import EMAIL, PAY, Buyer
from documents import Pdf, mail_to
from shop import EVENTS
from windows import fits


@pytest.fixture(scope="module")
def event(shop):
    return shop.event(EVENTS["on sale"])


def test_the_demo_prints_first_where_its_shop_is(demo):
    demo.output.seek(0)
    assert f"{demo.url}/" in demo.output.readline().split()


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
@pytest.mark.parametrize("width", [1440, 320])
def test_two_tickets_are_bought_from_the_first_page_on(windows, shop, event, width, scripts, language):
    buyer = Buyer(windows.open(width=width, scripts=scripts, language=language), language)
    buyer.page.goto("/")
    buyer.page.locator(f"main a[href='{event}']").click()
    expect(buyer.page.locator("h1")).to_have_text(EVENTS["on sale"])
    assert fits(buyer.page)
    buyer.page.locator(".cart select").first.select_option("2")
    buyer.page.locator(".cart button").click()
    buyer.sees_order("order-cart")
    assert fits(buyer.page)
    buyer.pay()
    assert fits(buyer.page)
    buyer.answer("yes")
    order = shop.order(buyer.sees_order("order-paid"))
    assert fits(buyer.page)
    assert (order["status"], len(order["tickets"])) == ("done", 2)
    for ticket in order["tickets"]:
        expect(buyer.page.locator("main")).to_contain_text(ticket["barcode"])


def test_two_tickets_are_bought_by_keyboard_alone(windows, shop, event):
    buyer = Buyer(windows.open())
    press = buyer.page.keyboard.press
    buyer.page.goto("/")
    buyer.tab_to(".skip")
    press("Enter")
    buyer.tab_to(f"main a[href='{event}']")
    press("Enter")
    expect(buyer.page.locator("h1")).to_have_text(EVENTS["on sale"])
    buyer.tab_to(".cart select")
    press("2")
    buyer.tab_to(".cart button")
    press("Enter")
    buyer.sees_order("order-cart")
    buyer.tab_to(EMAIL)
    buyer.page.keyboard.type("keys@example.org")
    buyer.tab_to("[name=provider]:checked")
    buyer.tab_to(PAY)
    press("Enter")
    buyer.sees("test-title")
    buyer.tab_to("button[value=yes]")
    press("Enter")
    order = shop.order(buyer.sees_order("order-paid"))
    assert (order["status"], len(order["tickets"])) == ("done", 2)
    buyer.tab_to("a[href$='tickets.pdf']")


@pytest.mark.parametrize("language, title", [("en", "Tickets"), ("de", "Karten"), ("ru", "Билеты")])
def test_the_mail_has_a_page_for_each_ticket_with_its_barcode(windows, shop, demo, event, language, title):
    address = f"mail-{language}@example.org"
    buyer = Buyer(windows.open(language=language), language)
    buyer.choose(event)
    buyer.pay(address)
    buyer.answer("yes")
    order = shop.order(buyer.sees_order("order-paid"))
    files = mail_to(pathlib.Path(demo.folder.name, "outbox"), address)
    [name] = [name for name in files if name.endswith(".pdf")]
    pdf = Pdf.read(files[name])
    assert (pdf.info["Pages"], pdf.info["Tagged"]) == ("2", "yes")
    assert title in pdf.info["Title"]
    assert sorted(pdf.barcodes) == sorted([ticket["barcode"]] for ticket in order["tickets"])
    # The page gives the same file.
    with buyer.page.expect_download() as download:
        buyer.page.locator("a[href$='tickets.pdf']").click()
    assert Pdf.read(pathlib.Path(download.value.path()).read_bytes()).barcodes == pdf.barcodes


def test_an_agents_shop_sells_at_its_own_price(windows, shop, paths):
    buyer = Buyer(windows.open())
    buyer.choose(paths["event of an agent"], count=1)
    buyer.pay()
    buyer.answer("yes")
    order = shop.order(buyer.sees_order("order-paid"))
    own = shop.order(shop.reserve(paths["event on sale"], count=1))
    assert float(order["values"]["full"]) == pytest.approx(float(own["values"]["full"]) * 1.1)


def test_what_is_free_is_ordered_without_a_payment(windows, shop):
    event, _ = shop.new_event("Open House", [{"name": "Yard", "amount": 5, "price": "0.00"}])
    buyer = Buyer(windows.open(width=320))
    buyer.choose(f"/e/{event}")
    buyer.page.locator(EMAIL).fill("free@example.org")
    buyer.page.locator(PAY).click()
    assert len(shop.order(buyer.sees_order("order-paid"))["tickets"]) == 2


def test_what_is_left_changes_while_somebody_looks(windows, shop):
    event, [floor] = shop.new_event("Small Room", [{"name": "Floor", "amount": 3, "price": "10.00"}])
    buyer = Buyer(windows.open())
    buyer.page.goto(f"/e/{event}")
    left = buyer.page.locator("[data-left]")
    expect(left).to_contain_text("3")
    shop.reserve(f"/e/{event}", 2, floor)
    expect(left).to_contain_text("1")
    shop.reserve(f"/e/{event}", 1, floor)
    buyer.reads("state-sold-out")
    expect(buyer.page.locator(".cart select")).to_be_disabled()

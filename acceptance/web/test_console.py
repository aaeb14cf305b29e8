"""The console in a browser: from registration to the first sale by forms alone, and every page accessible and narrow enough."""

import re
import time

import pytest
from playwright.sync_api import expect

from accessibility import violations
from buyer import EMAIL, PAY, Buyer
from shop import event_id
from windows import fits

PASSWORD = "kassa-demo"
OUTSIDE = {"sign in": "/sign-in", "register": "/register", "forgotten": "/forgotten"}
OF_PARTNER = {
    **{"overview": "", "events": "/events", "new event": "/events/new", "orders": "/orders", "refunds": "/refunds"},
    **{"money": "/payments", "door": "/sale", "deals": "/deals", "catalogue": "/catalogue", "agents": "/agents"},
    **{"places": "/venues", "new place": "/venues/new", "shop": "/shop", "widgets": "/widgets"},
    **{"keys": "/keys", "webhooks": "/webhooks", "team": "/team"},
    **{"history": "/history", "search": "/search?q=night", "account": "/../account"},
}
OF_EVENT = {
    **{"event": "", "edit": "/edit", "sales": "/sales", "new set": "/new-set", "promo code": "/new-promocode"},
    **{"promo codes": "/new-promocodes", "all promo codes": "/promocodes", "promotions": "/promotions"},
    **{"new promotion": "/new-promotion", "tickets": "/tickets"},
    **{"call off": "/cancel", "remove": "/remove", "history of event": "/history"},
}
# The first thing of a list has a page of its own.
FIRST_OF = {"place": "places", "ticket": "tickets", "webhook": "webhooks"}
OF_PLATFORM = {"platform": "", "partners": "/partners"}
NAMES = [*OUTSIDE, *OF_PARTNER, *OF_EVENT, "seats", *FIRST_OF, *OF_PLATFORM, "partner"]


@pytest.fixture(scope="module")
def organizer(chromium, shop, demo):
    """The session of the demo's organizer, and the path of each page by its name."""
    context = chromium.new_context(base_url=shop.url)
    page = context.new_page()
    page.goto("/console/sign-in")
    page.locator("[name=email]").fill(demo.credentials("organizer")[0])
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main button").click()
    page.wait_for_url(re.compile("/console/[0-9a-f]{24}"))
    home = re.search("/console/[0-9a-f]{24}", page.url).group()
    paths = {name: f"/console{end}" for name, end in OUTSIDE.items()}
    paths |= {name: f"{home}{end}" for name, end in OF_PARTNER.items()}
    paths["account"] = "/console/account"
    page.goto(f"{home}/events")
    event = page.locator("main a[href*='/events/']:not([href$='/new'])").first.get_attribute("href")
    event = f"{home}/events/{event_id(event.removeprefix(home))}"
    paths |= {name: f"{event}{end}" for name, end in OF_EVENT.items()}
    paths["seats"] = seats_of(page, f"{home}/events")
    for name, listed in FIRST_OF.items():
        page.goto(paths[listed])
        paths[name] = page.locator("main .list__link").first.get_attribute("href")
    become_operator(demo, page)
    paths |= {name: f"/console/platform{end}" for name, end in OF_PLATFORM.items()}
    page.goto(paths["partners"])
    paths["partner"] = page.locator("main .list__link").first.get_attribute("href")
    state = context.storage_state()
    context.close()
    assert set(paths) == set(NAMES)
    return state, paths


def seats_of(page, events):
    """The page with the seats of the first event that has some."""
    page.goto(events)
    listed = [link.get_attribute("href") for link in page.locator("main .list__link").all()]
    for event in listed:
        page.goto(f"{event}/seats")
        if page.locator("form[data-board]").count():
            return f"{event}/seats"
    raise AssertionError("no event of the demo has seats")


def become_operator(demo, page):
    """Makes the organizer an operator of the platform, and waits until the server has seen it."""
    demo.administer("operator", "add", demo.credentials("organizer")[0])
    until = time.monotonic() + 30
    while page.goto("/console/platform").status != 200:
        assert time.monotonic() < until, "the server has not seen that there is an operator"


@pytest.fixture
def look(windows, organizer):
    """Opens a page by its name."""

    def look(name, **how):
        state, paths = organizer
        page = windows.open(storage_state=None if name in OUTSIDE else state, **how)
        answer = page.goto(paths[name])
        assert answer.status == 200
        return page

    return look


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_in_the_console(look, name, dark):
    page = look(name, dark=dark)
    assert violations(page) == []


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["de", "ru"])
def test_the_console_is_no_wider_than_a_small_telephone(look, name, language):
    page = look(name, width=320, height=640, language=language)
    assert page.locator("html").get_attribute("lang") == language
    assert fits(page)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_from_registration_to_the_first_sale(windows, scripts):
    page = windows.open(width=360, scripts=scripts)
    forms = []
    page.on("request", lambda request: forms.append(request.url) if request.method == "POST" else None)
    page.goto("/console/register")
    page.locator("[name=email]").fill(f"new-{'with' if scripts else 'without'}@example.org")
    page.locator("[name=password]").fill("correct horse")
    page.locator("main button").click()
    page.locator("[name=name]").fill("Quay Players")
    page.locator("main button").click()
    expect(page.locator("main h1")).to_be_visible()
    home = re.search("/console/[0-9a-f]{24}", page.url).group()
    page.goto(f"{home}/events/new")
    page.locator("[name=title]").fill("The First Night")
    page.locator("[name=start]").fill("2035-06-01T20:00")
    page.locator(".actions--form button").click()
    page.locator("a[href$='/new-set']").last.click()
    for name, value in (("name", "Stalls"), ("amount", "20"), ("price", "12.50")):
        page.locator(f"[name={name}]").fill(value)
    page.locator(".actions--form button").first.click()
    page.locator("form[action$='/publish'] button").click()
    event = event_id(page.url.removeprefix(page.url.split("/events/")[0]))
    page.goto(f"{home}/shop")
    page.locator("[name=open]").check()
    page.locator("[name=DOOR]").check()
    page.locator(".actions--form button").click()
    expect(page.locator("[name=DOOR]")).to_be_checked()
    assert len(forms) <= 12
    buyer = Buyer(windows.open(width=360, scripts=scripts))
    buyer.choose(f"/e/{event}")
    buyer.page.locator(EMAIL).fill("ann@example.org")
    door = buyer.page.locator("[name=provider][value=DOOR][type=radio]")
    if door.count():
        door.check()
    buyer.page.locator(PAY).click()
    page.goto(f"{home}/orders")
    page.locator("main .list__link").first.click()
    expect(page.locator("main")).to_contain_text("ann@example.org")
    page.locator("form[action$='/received'] button").click()
    expect(page.locator("main")).to_contain_text("€25")
    buyer.page.reload()
    buyer.sees_order("order-paid")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_row_is_held_back_and_put_back_on_sale(organizer, windows, scripts):
    state, paths = organizer
    page = windows.open(width=360, scripts=scripts, storage_state=state)
    page.goto(paths["seats"])
    counts = page.locator(".category__left").first
    before, held_before = counts.inner_text(), page.locator(".box--held").count()
    for what in ("block", "free"):
        page.locator(".box--row input").first.check()
        page.locator(f"[name=_do][value={what}]").click()
        page.wait_for_url("**/seats?done=saved**")
        held = page.locator(".box--held").count()
        # Freeing the row frees also what was held back in it before.
        assert held > held_before if what == "block" else held <= held_before
        assert (counts.inner_text() == before) == (what == "free")


def test_seats_are_chosen_in_the_picture_and_by_its_keys(organizer, windows):
    state, paths = organizer
    page = windows.open(storage_state=state)
    page.goto(paths["seats"])
    picture = page.locator(".hall")
    chosen = page.locator("[data-chosen]")
    picture.focus()
    # Seats that are taken are not chosen: the keys go on to one that is free.
    for _ in range(20):
        page.keyboard.press("ArrowUp")
        page.keyboard.press("Enter")
        if chosen.inner_text() == "Seats: 1":
            break
    expect(chosen).to_have_text("Seats: 1")
    page.locator(".paint input").first.check()
    picture.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    row = int(re.search(r"\d+", chosen.inner_text()).group())
    assert row > 1, "the whole row"
    # Whoever paints chooses what the mouse passes over.
    page.locator(".paint input").last.check()
    box = picture.bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0], box["y"] + box["height"] - 40, steps=8)
    page.mouse.up()
    expect(chosen).not_to_have_text(f"Seats: {row}")


def test_a_click_that_slips_a_little_paints_its_seat(organizer, windows):
    state, paths = organizer
    page = windows.open(storage_state=state)
    page.goto(paths["seats"])
    picture = page.locator(".hall")
    chosen = page.locator("[data-chosen]")
    none = chosen.inner_text()
    page.locator(".paint input").last.check()
    # Close enough for seats to be chosen one by one.
    for _ in range(4):
        page.locator(".seats__zoomer").first.click()
    box = picture.bounding_box()
    caption = page.locator(".hall__caption")
    rows, columns = (range(60, int(box[side]) - 60, 9) for side in ("height", "width"))
    for x, y in ((box["x"] + right, box["y"] + down) for down in rows for right in columns):
        page.mouse.move(x, y)
        if caption.is_visible() and caption.inner_text().endswith("free"):
            break
    page.mouse.down()
    page.mouse.move(x + 2, y)
    page.mouse.up()
    expect(chosen).to_have_text("Seats: 1")
    # The same once more gives it up.
    page.mouse.down()
    page.mouse.move(x, y)
    page.mouse.up()
    expect(chosen).to_have_text(none)

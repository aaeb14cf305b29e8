"""Every page of the shop, in every state that it has: what each is called here, and where it is."""

import time
from datetime import datetime, timedelta, timezone

from shop import EVENTS, event_id

# Pages that everybody sees, and such as only whoever has an order's link.
NAMES = [
    *("home", "organizer", "organizer by month", "agent", "agent by month", "imprint", "terms", "accessibility"),
    *(f"event {state}" for state in EVENTS),
    *("event of an agent", "event with a notice", "no page"),
    *("cart", "cart with a notice", "cart that is free", "test payment", "test payment awaited"),
    *("transfer", "door", "paid", "refused", "canceled", "expired"),
    *("my tickets", "event that was called off", "organizer without events", "framed event", "framed cart", "no seller"),
]
# Where seats are chosen, in a picture and in lists.
SEATS = ["seats", "seats chosen", "seats gone", "seats left single", "seats of an agent", "seats that are too many"]
NAMES += SEATS


def find(shop):
    """Makes an order of each kind: a path for each of the names above."""
    events = {state: shop.event(title) for state, title in EVENTS.items()}
    selling = events["on sale"]
    agent = _agent(shop)
    organizer = shop.api("GET", f"/v1/resources/events/{event_id(selling)}?fields-schema=org", **shop.organizer)["org"]
    paths = {"home": "/", "organizer": f"/o/{organizer}", "agent": f"/a/{agent}", "no page": "/e/nothing"}
    paths |= {"organizer by month": f"/o/{organizer}?view=calendar", "agent by month": f"/a/{agent}?view=calendar"}
    paths |= {f"event {state}": path for state, path in events.items()}
    paths |= {"event of an agent": f"{selling}?seller={agent}", "event with a notice": f"{selling}?notice=nothing-chosen"}
    paths |= {name: f"/{name}" for name in ("imprint", "terms", "accessibility")}
    paths["cart that is free"] = shop.reserve(events["free"], 1)
    orders = iter([shop.reserve(selling) for _ in range(8)])
    paths["cart"] = order = next(orders)
    paths["cart with a notice"] = f"{order}?notice=longer"
    paths["test payment"] = shop.begin(next(orders))
    paths["test payment awaited"] = order = next(orders)
    shop.begin(order)
    for name, provider in (("transfer", "TRANSFER"), ("door", "DOOR")):
        paths[name] = shop.begin(next(orders), provider)
    paths["paid"] = shop.test(next(orders), "yes")
    paths["refused"] = shop.test(next(orders), "no")
    paths["canceled"] = shop.post(f"{next(orders)}/cancel", {})
    paths["expired"] = expired(shop, selling)
    paths |= {"my tickets": "/tickets", "no seller": "/widget/none/en/"}
    paths["event that was called off"] = f"/e/{_called_off(shop)}"
    paths["organizer without events"] = f"/o/{organizer}?view=calendar&month=2041-03"
    paths["framed event"] = f"/widget/{agent}/en/e/{event_id(selling)}"
    paths["framed cart"] = _framed_cart(shop, paths["framed event"])
    paths |= _seats(shop, events["seats"], agent)
    assert set(paths) == set(NAMES), set(paths) ^ set(NAMES)
    return paths


def _called_off(shop):
    """An event that was public, and takes place no more: its id."""
    event, _ = shop.new_event("Rained Off", [{"name": "Lawn", "amount": 5, "price": "8.00"}])
    shop.api("PATCH", f"/v1/resources/events/{event}", {"status": "canceled"}, **shop.organizer)
    return event


def _framed_cart(shop, event):
    """Reserves tickets in a frame: the path of the order's page there."""
    return shop.post(f"{event}/order", {f"random.{shop.first_set(event)}": "1"})


def _seats(shop, event, agent):
    """Where seats of an event are chosen, in each state: paths by their names."""
    sets = shop.api("GET", f"/v1/resources/events/{event_id(event)}/sets?fields-schema=id,name")
    stalls = next(found["id"] for found in sets if found["name"] == "Stalls")
    path = f"/e/{event_id(event)}/seats"
    # The demo has sold the first five seats of row 1, and of row 2 those from the fourth on.
    return {
        "seats": path,
        "seats chosen": f"{path}?seats.{stalls}.1=8&seats.{stalls}.1=9&rows={stalls}.0",
        "seats gone": f"{path}?seats.{stalls}.2=5&seats.{stalls}.1=6&notice=seats-gone",
        "seats left single": f"{path}?seats.{stalls}.1=7&seats.{stalls}.1=8&notice=single-seats",
        "seats of an agent": f"{path}?seller={agent}",
        "seats that are too many": f"{path}?best=1&best_set={stalls}&best_count=60",
    }


def expired(shop, event):
    """An order whose hold has lapsed: its path."""
    order = shop.reserve(event, 1)
    lapse(shop, order)
    return order


def lapse(shop, order):
    """Ends the hold of an order now, as its time does."""
    soon = datetime.now(timezone.utc) + timedelta(seconds=1)
    shop.change(order, {"expired_after": soon.isoformat(timespec="milliseconds")})
    until = time.monotonic() + 30
    while shop.order(order)["status"] != "expired":
        assert time.monotonic() < until, "a hold ends in time"
        time.sleep(0.05)


def _agent(shop):
    """The id of the agent whose key the demo prints."""
    partners = shop.api("GET", "/v1/resources/partners?fields-schema=id,name", **shop.agent)
    return next(partner["id"] for partner in partners if partner["name"] == "City Tickets")

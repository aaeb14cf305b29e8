"""The shop of a demo, as programs see it: what it sells, forms that are sent without a browser, and orders by their links."""

import pathlib
import re

import requests

from catalogue import checked

TEXTS = pathlib.Path(__file__).resolve().parents[2] / "crates/kassa-texts/texts"
CUSTOMER = {"settings.customer.email": "ann@example.org", "settings.customer.name": "Ann Fox"}
# Titles of the demo's events, by what their page shows.
EVENTS = {
    "on sale": "Night of the Lanterns",
    "seats": "Strings after Dark",
    "long": "North Light Festival",
    "free": "Open Day at the Depot",
    "sold out": "The Last Tango Boat",
    "not yet": "The Lighthouse Keepers",
    "over": "Harbour Brass",
}


def words(language):
    """The texts of a language that stand on one line, by their keys."""
    lines = [line for file in sorted((TEXTS / language).glob("*.ftl")) for line in file.read_text("utf-8").splitlines()]
    return dict(line.split(" = ", 1) for line in lines if re.match(r"[a-z][a-z-]* = ", line))


def event_id(path):
    """The id in the path of an event, as in `/e/night-of-the-lanterns-6b01…`."""
    return re.search(r"[0-9a-f]{24}", path).group()


class Shop:
    """The pages of a server, and the organizer whose key it prints."""

    def __init__(self, demo):
        self.url, self.demo = demo.url, demo
        self.organizer = {"Authorization": f"key {demo.credentials('organizer')[1]}"}
        self.agent = {"Authorization": f"key {demo.credentials('agent')[1]}"}

    def get(self, path, **more):
        return requests.get(self.url + path, timeout=60, **more)

    def post(self, path, form, **more):
        """Sends a form, and says where that leads."""
        answer = requests.post(self.url + path, data=form, allow_redirects=False, timeout=60, **more)
        assert answer.status_code == 303, (path, answer.status_code, answer.text)
        return answer.headers["Location"].removeprefix(self.url)

    def api(self, method, path, body=None, **headers):
        """What the interface answers, as JSON."""
        return checked(requests.request(method, self.url + path, json=body, headers=headers, timeout=60))

    def events(self):
        """The ids of all events that everybody sees, by their titles."""
        fields = "/v1/resources/events?fields-schema=id,title"
        events = [*self.api("GET", f"{fields}&status=public"), *self.api("GET", f"{fields}&status=finished")]
        return {event["title"]["text"]: event["id"] for event in events}

    def event(self, title):
        """The path of the page of an event."""
        answer = self.get(f"/e/{self.events()[title]}", allow_redirects=False)
        return answer.headers["Location"]

    def new_event(self, title, sets, **more):
        """Puts an event of the organizer on sale: its id, and those of its sets."""
        body = {"title": {"text": title}, "status": "public"} | more
        body.setdefault("lifetime", "BEGIN:VEVENT\r\nDTSTART:20350601T180000Z\r\nDTEND:20350601T220000Z\r\nEND:VEVENT\r\n")
        event = self.api("POST", "/v1/resources/events", body, **self.organizer)["id"]
        made = (self.api("POST", f"/v1/resources/events/{event}/sets", about, **self.organizer) for about in sets)
        return event, [about["id"] for about in made]

    def promocode(self, event, code, **more):
        body = {"code": code, "discount": {"percengate": "20%"}} | more
        return self.api("POST", f"/v1/resources/events/{event}/promocodes", body, **self.organizer)

    def first_set(self, path):
        """The id of the first set that an event's page has a choice for."""
        return re.search(r'name="random\.([0-9a-f]{24})"', self.get(path).text).group(1)

    def reserve(self, path, count=2, of=None):
        """Reserves tickets of an event: the path of the order's page."""
        order = self.post(f"/e/{event_id(path)}/order", {f"random.{of or self.first_set(path)}": str(count)})
        assert order.startswith("/order/"), order
        return order

    def begin(self, order, provider="TEST"):
        """Says who buys, and begins to pay: where that leads."""
        return self.post(f"{order}/pay", CUSTOMER | {"provider": provider})

    def test(self, order, outcome):
        """Pays in a test that ends so."""
        return self.post(self.begin(order), {"outcome": outcome})

    def order(self, path):
        """What the interface tells the holder of an order's link."""
        return self.api("GET", self._resource(path), **self._credential(path))["data"]

    def change(self, path, body):
        """Changes an order as the holder of its link."""
        return self.api("PATCH", self._resource(path), body, **self._credential(path))["data"]

    def payments(self, path):
        return self.api("GET", f"{self._resource(path)}/payments", **self._credential(path))["data"]

    @staticmethod
    def _token(path):
        return path.partition("/order/")[2].partition("?")[0].partition("/")[0]

    def _resource(self, path):
        return f"/v2/resources/orders/{self._token(path)[:24]}"

    def _credential(self, path):
        return {"Authorization": f"order {self._token(path)}"}

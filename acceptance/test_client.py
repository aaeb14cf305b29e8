"""The public Python client, unchanged, does all that it can do."""

import ast
import json
import unittest
import uuid
from datetime import datetime, timezone
from decimal import Decimal

from ticketscloud import TCClient, TCException

from catalogue import LIFETIME, Catalogue
from server import Server


def setUpModule():
    global SERVER
    SERVER = Server()
    unittest.addModuleCleanup(SERVER.stop)


class Client(unittest.TestCase):
    """What an organizer and an agent do, under a base URL that ends as `slash` says."""

    slash = ""

    @classmethod
    def setUpClass(cls):
        cls.house = Catalogue(SERVER.url)
        cls.organizer = cls.client(cls.house.organizer.key)
        cls.agent = cls.client(cls.house.agent.key)

    @classmethod
    def client(cls, key=None):
        return TCClient(access_token=key, api_root=SERVER.url + cls.slash)

    def order(self, count=1, **more):
        """An order of the agent for any tickets of the set."""
        wanted = {"event": self.house.event["id"], "random": {self.house.set["id"]: count}}
        return self.agent.api.resources.orders.post(**wanted | more)

    def one(self, order):
        """The path of an order; it is good for one call."""
        return self.agent.api.resources.orders[order["id"]]

    def assertFails(self, status, code, call, /, *args, **kwargs):
        """The client raises what the server answered: status and body."""
        with self.assertRaises(TCException) as caught:
            call(*args, **kwargs)
        shown, body = str(caught.exception).split(": ", 1)
        body = json.loads(ast.literal_eval(body))
        self.assertEqual((int(shown), body["code"]), (status, code), body)
        return body

    def assertIsOnSale(self, event, price):
        """An event as the client gives it: times and prices are values, not text."""
        self.assertEqual(event["title"], {"text": "Night of the Lanterns", "desc": None})
        self.assertEqual(event["lifetime"]["DTSTART"].dt, datetime(2035, 6, 1, 18, tzinfo=timezone.utc))
        [stalls] = event["sets"]
        self.assertEqual((stalls["name"], stalls["price"], stalls["price_org"]), ("Stalls", price, Decimal("100.00")))
        [rule] = stalls["rules"]
        self.assertEqual(rule["price"], price)
        self.assertEqual(rule["cal"]["DTEND"].dt, datetime(2035, 6, 1, 22, tzinfo=timezone.utc))

    # The catalogue.

    def test_simple_events_are_what_an_agent_may_sell(self):
        self.house.organizer.event("Not for agents")
        [event] = self.agent.api.services.simple.events()
        self.assertIsOnSale(event, Decimal("110.00"))

    def test_one_simple_event(self):
        event = self.agent.api.services.simple.events[self.house.event["id"]]()
        self.assertIsOnSale(event, Decimal("110.00"))
        self.assertEqual(event["org"]["id"], self.house.organizer.id)

    def test_events_are_listed(self):
        events = self.agent.api.resources.events(org=self.house.organizer.id, ids=[self.house.event["id"]])
        self.assertEqual([event["id"] for event in events], [self.house.event["id"]])
        self.assertIsOnSale(events[0], Decimal("110.00"))

    def test_one_event_has_the_prices_of_the_caller(self):
        event = self.house.event["id"]
        self.assertIsOnSale(self.agent.api.resources.events[event](), Decimal("110.00"))
        self.assertIsOnSale(self.organizer.api.resources.events[event](), Decimal("100.00"))

    def test_an_event_is_made_changed_and_removed(self):
        body = {"title": {"text": "Morning"}, "lifetime": LIFETIME}
        event = self.organizer.post("v1/resources/events", data=body)["id"]
        changed = self.organizer.api.resources.events[event].patch(age_rating=12, status="public")
        self.assertEqual((changed["age_rating"], changed["status"], changed["sets"]), (12, "public", []))
        self.assertEqual(self.organizer.api.resources.events[event].delete(), {})
        [gone] = self.organizer.api.resources.events(ids=[event], removed="true")
        self.assertTrue(gone["removed"])

    def test_sets_are_listed(self):
        [stalls] = self.agent.api.resources.events[self.house.event["id"]].sets()
        self.assertEqual(stalls["id"], self.house.set["id"])
        self.assertEqual((stalls["price"], stalls["price_org"]), (Decimal("110.00"), Decimal("100.00")))

    def test_a_set_is_made_changed_and_removed(self):
        event = self.house.organizer.event("Noon")["id"]
        made = self.organizer.post(f"v1/resources/events/{event}/sets", data={"name": "Row", "amount": 3, "price": 20})
        self.assertEqual((made["amount"], made["amount_vacant"]), (3, 3))
        one = self.organizer.api.resources.events[event].sets[made["id"]]
        self.assertEqual(one()["price"], Decimal("20.00"))
        changed = self.organizer.api.resources.events[event].sets[made["id"]].patch(amount=5, price="25.50")
        self.assertEqual((changed["amount_vacant"], changed["price"]), (5, Decimal("25.50")))
        removed = self.organizer.api.resources.events[event].sets[made["id"]].delete()
        self.assertTrue(removed["removed"])

    def test_tickets_of_an_event_of_a_set_and_alone(self):
        event = self.house.organizer.event("Evening")
        stalls = self.house.organizer.set(event, "Stalls", 3, "10.00")
        of_event = self.organizer.api.resources.events[event["id"]].tickets(status=["vacant", "sold"])
        of_set = self.organizer.api.resources.events[event["id"]].sets[stalls["id"]].tickets()
        self.assertEqual(of_event, of_set)
        self.assertEqual([ticket["status"] for ticket in of_event], ["vacant"] * 3)
        first = of_event[0]["id"]
        one = self.organizer.api.resources.events[event["id"]].sets[stalls["id"]].tickets[first]()
        self.assertEqual((one["id"], one["set"], one["seat"]), (first, stalls["id"], {}))

    def test_venues_are_made_changed_and_removed(self):
        place = {"name": "Old Pier", "address": "Pier 1", "city": 524901, "country": "RU"}
        venue = self.organizer.api.resources.venues.post(**place)["id"]
        changed = self.organizer.api.resources.venues[venue].patch(name="New Pier")
        self.assertEqual((changed["name"], changed["address"], changed["city"]), ("New Pier", "Pier 1", 524901))
        [listed] = self.agent.api.resources.venues(org=self.house.organizer.id, ids=[venue])
        self.assertEqual(listed, changed)
        self.assertEqual(self.organizer.api.resources.venues[venue].delete(), {})

    def test_countries_and_cities(self):
        [country] = self.agent.api.resources.countries(ids=["RU"])
        self.assertEqual((country["id"], country["type"], country["name"]["en"]), ("RU", "country", "Russia"))
        cities = self.agent.api.resources.cities(country="ru", sort="-population", limit=2)
        self.assertEqual([city["name"]["default"] for city in cities], ["Moscow", "Saint Petersburg"])

    def test_attachments_are_listed(self):
        self.assertEqual(self.agent.api.resources.attachments(), [])

    # Deals and partners.

    def test_deals_by_a_fields_schema(self):
        schema = {"fields-schema": "id,event{id},term{extra}", "status": "accepted"}
        deals = self.agent.api.resources.deals(**schema)
        expected = {"id": self.house.deal["id"], "event": {"id": self.house.event["id"]}, "term": {"extra": "10.0%"}}
        self.assertEqual(deals, [expected])

    def test_a_deal_is_proposed_and_revoked(self):
        event = self.house.organizer.event("Matinee")["id"]
        deal = self.agent.api.resources.deals.post(event=event, term={"org": 90, "extra": 5, "pfc": False})
        self.assertEqual((deal["status"], deal["subj"]), ("new", self.house.agent.id))
        self.assertEqual(self.organizer.api.resources.deals[deal["id"]](), deal)
        revoked = self.agent.api.resources.deals[deal["id"]].patch(status="revoked")
        self.assertEqual(revoked["status"], "revoked")

    def test_partners(self):
        [own] = self.organizer.api.resources.partners(ids=[self.house.organizer.id])
        self.assertEqual((own["name"], own["roles"]), ("Harbour Hall", ["org"]))
        legal = {"type": "ru/ltd", "detail": {"name": "Harbour Hall Ltd", "inn": "7700000000"}}
        changed = self.organizer.api.resources.partners[own["id"]].patch(desc="By the sea", legal=legal)
        self.assertEqual((changed["desc"], changed["name"]), ("By the sea", "Harbour Hall"))
        shown = self.organizer.api.resources.partners[own["id"]](**{"fields-schema": "legal{type,detail{inn}}"})
        self.assertEqual(shown, {"legal": {"type": "ru/ltd", "detail": {"inn": "7700000000"}}})

    def test_keys_of_a_partner(self):
        keys = self.organizer.api.resources.partners[self.house.organizer.id].api_keys
        key = keys.post(name="door")
        self.assertRegex(key["key"], "^[0-9a-f]{32}$")
        self.assertEqual(self.client(key["key"]).api.resources.orders(), self.organizer.api.resources.orders())
        keys = self.organizer.api.resources.partners[self.house.organizer.id].api_keys
        self.assertEqual(keys[key["id"]].patch(name="gate")["name"], "gate")
        keys = self.organizer.api.resources.partners[self.house.organizer.id].api_keys
        self.assertEqual(keys[key["id"]].delete(), {})
        self.assertFails(401, "credential_invalid", self.client(key["key"]).api.resources.orders)

    # Users.

    def test_a_user_registers_and_logs_in(self):
        account = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse"}
        nobody = self.client()
        made = nobody.api.resources.users.post(**account)
        self.assertEqual(nobody.api.services.whoami.post(**account)["id"], made["id"])
        self.assertEqual(nobody.api.services.whoami.delete(), {})
        self.assertFails(401, "credential_invalid", nobody.api.services.whoami.post, **account | {"password": "wrong"})

    def test_a_customer_is_a_user_with_what_it_bought(self):
        email = f"{uuid.uuid4().hex}@example.org"
        order = self.order(2, customer={"email": email})
        self.one(order).patch(payment={"system": "api/BASE"}, status="done")
        [customer] = self.agent.api.resources.users(suggest=email)
        self.assertEqual(customer["crm"]["values"], {"avg": "220.00", "sum": "220.00"})
        self.assertEqual(customer["crm"]["counters"], {"orders": 1, "tickets": 2})
        self.assertEqual(self.agent.api.resources.users[customer["id"]](), customer)
        bought = self.agent.api.resources.users[customer["id"]].orders(status=["done"])
        self.assertEqual([one["id"] for one in bought], [order["id"]])

    # Orders.

    def test_an_order_from_the_reservation_to_the_tickets(self):
        order = self.order(2)
        self.assertEqual((order["status"], order["deal"]), ("executed", self.house.deal["id"]))
        self.assertEqual((len(order["tickets"]), order["value"], order["value_extra"]), (2, "220.00", "20.00"))
        paying = self.one(order).patch(
            customer={"email": "bob@example.org", "first_name": "Bob"},
            payment={"system": "api/BASE"},
            status="in_progress",
        )
        self.assertEqual((paying["status"], paying["payment"]["system"]), ("in_progress", "api/BASE"))
        self.assertGreater(paying["reserved_till"], order["reserved_till"])
        done = self.one(order).patch(status="done")
        self.assertEqual((done["status"], done["tickets"]), ("done", order["tickets"]))
        self.assertEqual(self.one(order)() | {"details": []}, done)
        tickets = self.one(order).tickets()
        self.assertEqual({ticket["id"] for ticket in tickets}, set(order["tickets"]))
        for ticket in tickets:
            self.assertRegex(ticket["barcode"], "^[0-9]{16}$")
        expanded = self.one(order)(**{"fields-schema": "status,event{title{text}},tickets{set{name},status}"})
        ticket = {"set": {"name": "Stalls"}, "status": "sold"}
        event = {"title": {"text": "Night of the Lanterns"}}
        self.assertEqual(expanded, {"status": "done", "event": event, "tickets": [ticket, ticket]})

    def test_orders_are_listed(self):
        order = self.order()["id"]
        held = self.agent.api.resources.orders(status=["executed"], event=self.house.event["id"], page=1, page_size=1)
        self.assertEqual([one["id"] for one in held], [order])

    def test_the_wanted_tickets_are_a_whole(self):
        order = self.order(3)
        kept = order["tickets"][:1]
        less = self.one(order).patch(tickets=kept)
        self.assertEqual((less["tickets"], less["value"]), (kept, "110.00"))
        more = self.one(order).patch(random={self.house.set["id"]: 2})
        self.assertEqual((len(more["tickets"]), more["value"]), (2, "220.00"))
        self.assertIn(kept[0], more["tickets"])

    def test_all_or_nothing(self):
        order = self.order(1)
        taken = order["tickets"]
        wanted = {"event": self.house.event["id"], "tickets": taken, "all_or_nothing": True}
        empty = self.agent.api.resources.orders.post(**wanted)
        self.assertEqual((empty["tickets"], empty["value"]), ([], "0.00"))
        detail = {"ticket": taken[0], "reason": "reserved", "reserved_till": order["reserved_till"]}
        self.assertEqual(empty["details"], [detail])

    def test_an_order_is_canceled_by_patch(self):
        order = self.order()
        canceled = self.one(order).patch(status="canceled")
        self.assertEqual((canceled["status"], canceled["tickets"]), ("canceled", order["tickets"]))
        self.assertEqual(self.ticket(order)["status"], "vacant")

    def test_an_order_is_canceled_by_delete(self):
        order = self.order()
        self.assertEqual(self.one(order).delete(), {})
        self.assertEqual(self.one(order)()["status"], "canceled")
        self.assertEqual(self.ticket(order)["status"], "vacant")

    def ticket(self, order):
        [ticket] = self.agent.api.resources.events[order["event"]].tickets(ids=order["tickets"])
        return ticket

    # Errors, and what is not ASCII.

    def test_errors_carry_status_and_body(self):
        orders = self.agent.api.resources.orders
        body = self.assertFails(404, "not_found", self.agent.api.resources.orders["0" * 24])
        reason = "The order was not found"
        self.assertEqual(body, {"error": "HTTPNotFound", "reason": reason, "code": "not_found", "details": []})
        self.assertFails(400, "invalid_fields", orders.post, event="nonsense", random=7)
        order = self.order()
        self.one(order).delete()
        self.assertFails(400, "order_transition", self.one(order).patch, status="done")
        self.assertFails(404, "not_found", self.organizer.api.resources.deals["0" * 24])
        self.assertFails(403, "forbidden", self.agent.api.resources.events[self.house.event["id"]].patch, tags=["x"])
        self.assertFails(404, "no_such_path", self.agent.api.resources.nonsense)
        self.assertFails(405, "method_not_allowed", self.agent.api.resources.orders.put)

    def test_no_key_is_a_bad_key(self):
        self.assertFails(401, "credential_invalid", self.client().api.resources.orders)
        self.assertFails(401, "credential_invalid", self.client().api.resources.countries)
        self.assertFails(401, "credential_invalid", self.client("0" * 32).api.resources.orders)

    def test_text_of_all_kinds_comes_back(self):
        title = {"text": "Лебединое озеро — 白鳥の湖 🦢", "desc": "«Ünïcödé» / \"quotes\" \\ back\nnew line"}
        body = {"title": title, "tags": ["Балет"], "lifetime": LIFETIME, "status": "public"}
        event = self.organizer.post("v1/resources/events", data=body)
        self.assertEqual((event["title"], event["tags"]), (title, ["Балет"]))
        self.assertEqual(self.organizer.api.resources.events[event["id"]]()["title"], title)
        customer = {"email": "zoe@example.org", "first_name": "Zoë", "last_name": "Щербакова"}
        order = self.order(customer=customer)["customer"]
        self.assertEqual((order["first_name"], order["last_name"]), ("Zoë", "Щербакова"))
        [country] = self.agent.api.resources.countries(suggest="германия")
        self.assertEqual((country["id"], country["name"]["ru"]), ("DE", "Германия"))

    def test_head_has_no_body_to_give(self):
        for path in (f"v1/resources/events/{self.house.event['id']}", "v1/resources/orders", "v1/resources/countries"):
            with self.assertRaisesRegex(TCException, "^200: b''$"):
                self.agent.head(path)
        with self.assertRaisesRegex(TCException, "^200: b''$"):
            self.agent.api.resources.events[self.house.event["id"]].head()
        answer = self.agent.head("v1/resources/orders", to_json=False)
        self.assertEqual(answer.headers["X-Partner"], self.house.agent.id)

    def test_the_request_line_has_the_slashes_of_the_base(self):
        answer = self.agent.get("v1/resources/countries", params={"limit": 1}, to_json=False)
        self.assertEqual(answer.request.path_url, f"{self.slash}/v1/resources/countries?limit=1")
        self.assertEqual(len(answer.json()), 1)


class ClientWithSlashedBase(Client):
    """The same with a base URL that ends in a slash: each request line has two."""

    slash = "/"


if __name__ == "__main__":
    unittest.main()

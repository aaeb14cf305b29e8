"""Every endpoint of the interface, over a socket: with a key, and with the cookie of a session."""

import re
import unittest

import requests

from catalogue import LIFETIME, Partner
from server import Server

V1 = {
    "GET /partners/{}/api_keys", "POST /partners/{}/api_keys", "GET /partners/{}/api_keys/{}",
    "PATCH /partners/{}/api_keys/{}", "DELETE /partners/{}/api_keys/{}",
    "GET /users/{}", "PATCH /users/{}", "GET /users", "POST /users", "GET /users/{}/orders",
    "GET /partners/{}", "PATCH /partners/{}", "GET /partners",
    "GET /events/{}", "PATCH /events/{}", "DELETE /events/{}", "GET /events", "POST /events",
    "GET /events/{}/sets", "POST /events/{}/sets", "GET /events/{}/sets/{}", "PATCH /events/{}/sets/{}",
    "DELETE /events/{}/sets/{}", "POST /events/{}/promocodes", "GET /events/{}/promocodes/{}",
    "PATCH /events/{}/promocodes/{}", "GET /events/{}/tickets",
    "GET /deals/{}", "PATCH /deals/{}", "GET /deals", "POST /deals",
    "POST /orders", "GET /orders/{}", "PATCH /orders/{}", "DELETE /orders/{}", "GET /orders",
    "POST /attachments", "GET /attachments/{}", "GET /attachments", "GET /countries", "GET /cities",
}
SESSIONS = {"POST /v1/services/whoami", "GET /v1/services/whoami", "DELETE /v1/services/whoami"}
V2 = {
    "GET /v2/resources/orders", "POST /v2/resources/orders", "PATCH /v2/resources/orders/{}",
    "POST /v2/resources/orders/export", "GET /v2/resources/refund_requests", "POST /v2/resources/refund_requests/",
    "PATCH /v2/resources/refund_requests/{}", "POST /v2/services/promocodes/check",
    "PUT /v2/services/orders/mosbilet/user_data",
}
ALL = {route.replace(" ", " /v1/resources", 1) for route in V1} | SESSIONS | V2
# A key is a partner's: it has no session, and no user's name to change.
OF_USERS = SESSIONS | {"PATCH /v1/resources/users/{}"}


def setUpModule():
    global SERVER
    SERVER = Server()
    unittest.addModuleCleanup(SERVER.stop)


class Endpoints(unittest.TestCase):
    def setUp(self):
        self.seen = set()
        self.partner = Partner(SERVER.url, "Harbour Hall", "org")
        self.agent = Partner(SERVER.url, "City Tickets", "agent")

    def ask(self, method, path, body=None, status=200, **more):
        """Asks as the test's caller; what ids stand for in the path is noted as seen."""
        answer = self.session.request(method, SERVER.url + path, json=body, **more)
        self.assertEqual(answer.status_code, status, f"{method} {path}: {answer.text}")
        self.seen.add(f"{method} {re.sub('[0-9a-f]{24}', '{}', path.split('?')[0])}")
        return answer.json() if answer.content else None

    def v1(self, method, path, body=None, status=200, **more):
        return self.ask(method, "/v1/resources" + path, body, status, **more)

    def v2(self, method, path, body=None, status=200):
        return self.ask(method, "/v2" + path, body, status)

    def test_with_a_key(self):
        self.session = requests.Session()
        self.session.headers.update(self.partner.authorization)
        self.work()
        self.assertEqual(self.seen, ALL - OF_USERS)

    def test_with_a_cookie(self):
        self.session = self.partner.session
        user = self.ask("POST", "/v1/services/whoami", self.partner.account)["id"]
        self.assertEqual(self.ask("GET", "/v1/services/whoami")["id"], user)
        self.assertEqual(self.v1("PATCH", f"/users/{user}", {"first_name": "Olga"})["first_name"], "Olga")
        self.work()
        self.assertEqual(self.ask("DELETE", "/v1/services/whoami"), {})
        self.ask("GET", "/v1/services/whoami", status=401)
        self.assertEqual(self.seen, ALL)

    def work(self):
        """What an organizer does, from the first event to the last refund."""
        self.keys()
        self.partners()
        event, price_set = self.catalogue()
        self.deals(event)
        order = self.orders(event, price_set)
        self.customers(order)
        self.files_and_places()
        self.second_version(event, price_set)

    def keys(self):
        keys = f"/partners/{self.partner.id}/api_keys"
        key = self.v1("POST", keys, {"name": "till"}, 201)
        self.assertRegex(key["key"], "^[0-9a-f]{32}$")
        self.assertIn(key["id"], [other["id"] for other in self.v1("GET", keys)])
        self.assertEqual(self.v1("PATCH", f"{keys}/{key['id']}", {"name": "box"})["name"], "box")
        self.assertEqual(self.v1("GET", f"{keys}/{key['id']}")["name"], "box")
        self.assertEqual(self.v1("DELETE", f"{keys}/{key['id']}"), {})

    def partners(self):
        self.v1("PATCH", f"/partners/{self.partner.id}", {"desc": "By the water"})
        self.assertEqual(self.v1("GET", f"/partners/{self.partner.id}")["desc"], "By the water")
        self.assertIn(self.partner.id, [partner["id"] for partner in self.v1("GET", "/partners")])

    def catalogue(self):
        made = self.v1("POST", "/events", {"title": {"text": "Lanterns"}, "lifetime": LIFETIME})
        event = f"/events/{made['id']}"
        self.assertEqual(self.v1("PATCH", event, {"status": "public"})["status"], "public")
        self.assertIn(made["id"], [other["id"] for other in self.v1("GET", "/events")])
        price_set = self.v1("POST", f"{event}/sets", {"name": "Stalls", "amount": 20, "price": "100.00"}, 201)
        self.v1("PATCH", f"{event}/sets/{price_set['id']}", {"name": "Front stalls"})
        self.assertEqual(self.v1("GET", f"{event}/sets/{price_set['id']}")["name"], "Front stalls")
        spare = self.v1("POST", f"{event}/sets", {"name": "Spare", "amount": 1, "price": "1.00"}, 201)
        self.assertTrue(self.v1("DELETE", f"{event}/sets/{spare['id']}")["removed"])
        self.assertEqual([other["id"] for other in self.v1("GET", f"{event}/sets")], [price_set["id"]])
        self.assertEqual([other["id"] for other in self.v1("GET", event)["sets"]], [price_set["id"]])
        self.assertEqual(len(self.v1("GET", f"{event}/tickets")), 20)
        code = self.v1("POST", f"{event}/promocodes", {"code": "SPRING", "discount": {"percengate": "10%"}}, 201)
        self.v1("PATCH", f"{event}/promocodes/{code['id']}", {"amount": 5})
        self.assertEqual(self.v1("GET", f"{event}/promocodes/{code['id']}")["amount"], 5)
        canceled = self.v1("POST", "/events", {"title": {"text": "Never"}})
        self.assertEqual(self.v1("DELETE", f"/events/{canceled['id']}"), {})
        return made["id"], price_set["id"]

    def deals(self, event):
        term = {"org": 90, "extra": 10, "pfc": False}
        deal = self.v1("POST", "/deals", {"event": event, "subj": self.agent.id, "term": term})
        self.assertEqual(self.v1("GET", f"/deals/{deal['id']}")["status"], "accepted")
        self.assertIn(deal["id"], [other["id"] for other in self.v1("GET", "/deals?status=accepted")])
        self.assertEqual(self.v1("PATCH", f"/deals/{deal['id']}", {"status": "terminated"})["status"], "terminated")

    def orders(self, event, price_set):
        wish = {"event": event, "random": {price_set: 2}}
        given_up = self.v1("POST", "/orders", wish, 201)
        self.assertEqual(self.v1("DELETE", f"/orders/{given_up['id']}"), {})
        self.assertEqual(self.v1("GET", f"/orders/{given_up['id']}")["status"], "canceled")
        order = self.v1("POST", "/orders", wish, 201)
        customer = {"email": f"{order['id']}@example.org", "first_name": "Bo"}
        paid = {"customer": customer, "payment": {"system": "api/BASE"}, "status": "done"}
        self.assertEqual(self.v1("PATCH", f"/orders/{order['id']}", paid)["status"], "done")
        self.assertIn(order["id"], [other["id"] for other in self.v1("GET", "/orders")])
        return order["id"]

    def customers(self, order):
        customer = self.v1("GET", f"/orders/{order}")["customer"]["user"]
        self.assertEqual(self.v1("GET", f"/users/{customer}")["crm"]["values"]["sum"], "200.00")
        self.assertIn(customer, [user["id"] for user in self.v1("GET", "/users")])
        self.assertEqual([other["id"] for other in self.v1("GET", f"/users/{customer}/orders")], [order])
        newcomer = {"email": f"new-{order}@example.org", "password": "correct horse"}
        self.v1("POST", "/users", newcomer, 201)

    def files_and_places(self):
        pixel = b"\x89PNG\r\n\x1a\n"
        file = self.v1("POST", "/attachments", data=pixel, headers={"Content-Type": "image/png"})
        self.assertEqual(self.v1("GET", f"/attachments/{file['id']}")["length"], len(pixel))
        self.assertIn(file["id"], [other["id"] for other in self.v1("GET", "/attachments")])
        self.v1("GET", "/countries")
        self.v1("GET", "/cities")

    def second_version(self, event, price_set):
        check = self.v2("POST", "/services/promocodes/check", {"event": event, "code": "spring"})
        self.assertEqual(check["data"]["discount"], {"percentage": "10%"})
        order = self.v2("POST", "/resources/orders", {"event": event, "random": {price_set: 1}})["data"]
        visitor = {"user_id": "7", "name": "Bo", "surname": "Buyer"}
        named = {"order": order["id"], "user_data": [visitor]}
        self.v2("PUT", "/services/orders/mosbilet/user_data", named, 202)
        paid = self.v2("PATCH", f"/resources/orders/{order['id']}", {"status": "done"})["data"]
        self.assertEqual((paid["status"], paid["values"]["full"]), ("done", "100.00"))
        self.assertIn(order["id"], [other["id"] for other in self.v2("GET", "/resources/orders")["data"]])
        SERVER.confirm(self.partner.account["email"])
        self.v2("POST", "/resources/orders/export", {"email": self.partner.account["email"]})
        ticket = paid["tickets"][0]["id"]
        wish = {"order": order["id"], "culprit": "org", "tickets": [ticket]}
        request = self.v2("POST", "/resources/refund_requests/", wish)["data"]
        self.assertEqual((request["status"], request["customer_money"]), ("new", "100.00"))
        one = f"/resources/refund_requests/{request['id']}"
        self.assertEqual(self.v2("PATCH", one, {"status": "approved"})["data"]["status"], "approved")
        listed = self.v2("GET", "/resources/refund_requests")["data"]
        self.assertIn(request["id"], [other["id"] for other in listed])
        again = self.v2("GET", "/resources/orders?status=done")["data"]
        self.assertIn(order["id"], [other["id"] for other in again])

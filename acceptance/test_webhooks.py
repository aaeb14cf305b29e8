"""Webhooks come to receivers of others, whose libraries verify them."""

import time
import unittest

import requests

from catalogue import Partner, checked
from receivers import PATIENCE_SECONDS, JavaScriptReceiver, PythonReceiver
from server import Server


def setUpModule():
    global SERVER
    SERVER = Server("--webhook-allow", "127.0.0.0/8")
    unittest.addModuleCleanup(SERVER.stop)


class Webhooks(unittest.TestCase):
    def setUp(self):
        self.organizer = Partner(SERVER.url, "Harbour Hall", "org")
        self.event = self.organizer.event("Night of the Lanterns")
        self.set = self.organizer.set(self.event, "Stalls", 500, "100.00")

    def v2(self, method, path, body=None):
        """Asks version 2 with the organizer's key."""
        url = f"{SERVER.url}/v2/resources/{path}"
        return checked(requests.request(method, url, json=body, headers=self.organizer.authorization))["data"]

    def webhook(self, url, **more):
        """An endpoint for all that becomes of orders."""
        return self.v2("POST", "webhooks", {"url": url, "types": ["order.*"]} | more)

    def receive(self, kind):
        """A receiver, and its endpoint."""
        # The secret is made with the endpoint, and the receiver is to know it when the first message comes.
        webhook = self.webhook("http://127.0.0.1:9/hooks")
        receiver = kind(webhook["secret"])
        self.addCleanup(receiver.stop)
        self.v2("PATCH", f"webhooks/{webhook['id']}", {"url": receiver.url})
        return receiver, webhook

    def sell(self, count):
        """Orders that are paid: their ids."""
        orders = []
        for _ in range(count):
            wanted = {"event": self.event["id"], "random": {self.set["id"]: 2}}
            order = self.organizer.post("orders", wanted)
            path = f"{SERVER.url}/v1/resources/orders/{order['id']}"
            checked(requests.patch(path, json={"status": "done"}, headers=self.organizer.authorization))
            orders.append(order["id"])
        return orders

    def statuses_of_attempts(self, webhook):
        """What the receiver has answered, once that is recorded."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < deadline:
            attempts = self.v2("GET", f"webhooks/{webhook['id']}/attempts")
            if attempts:
                return {attempt["result"]["status"] for attempt in attempts}
        raise AssertionError("no attempt was recorded")

    def assertTells(self, messages, orders):
        """Of each order all that became of it came, in order. A message may come twice."""
        for order in orders:
            of_it = [message for message in messages if message["resource"]["id"] == order]
            versions = [message["resource"]["version"] for message in of_it]
            self.assertEqual(versions, sorted(versions))
            kinds = list(dict.fromkeys(message["type"] for message in of_it))
            self.assertEqual(kinds, ["order.reserved", "order.paid"])

    def assertIsVerified(self, kind):
        receiver, webhook = self.receive(kind)
        orders = self.sell(3)
        self.assertTells(receiver.messages_until_paid(orders), orders)
        return receiver, webhook

    def test_pythons_library_verifies_what_comes(self):
        self.assertIsVerified(PythonReceiver)

    def test_javascripts_libraries_verify_what_comes(self):
        self.assertIsVerified(JavaScriptReceiver)

    def test_while_a_secret_changes_the_old_one_and_the_new_one_verify(self):
        for kind in (PythonReceiver, JavaScriptReceiver):
            with self.subTest(kind.__name__):
                old, webhook = self.assertIsVerified(kind)
                secret = self.v2("POST", f"webhooks/{webhook['id']}/secret")["secret"]
                self.assertNotEqual(secret, webhook["secret"])
                orders = self.sell(1)
                self.assertTells(old.messages_until_paid(orders), orders)
                new = kind(secret)
                self.addCleanup(new.stop)
                self.v2("PATCH", f"webhooks/{webhook['id']}", {"url": new.url})
                orders = self.sell(1)
                self.assertTells(new.messages_until_paid(orders), orders)

    def test_another_secret_verifies_nothing(self):
        stranger = self.webhook("http://127.0.0.1:9/hooks", status="disabled")
        for kind in (PythonReceiver, JavaScriptReceiver):
            receiver = kind(stranger["secret"])
            self.addCleanup(receiver.stop)
            webhook = self.webhook(receiver.url)
            self.sell(1)
            self.assertIn("refused", receiver.news.get(timeout=PATIENCE_SECONDS))
            self.assertEqual(self.statuses_of_attempts(webhook), {401})


if __name__ == "__main__":
    unittest.main()

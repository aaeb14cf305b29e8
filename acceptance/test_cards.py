"""Somebody buys by card: by the shop's pages and their forms, over a socket, with a stand-in for Stripe behind."""

import html
import re
import time
import unittest

import requests

from catalogue import Partner, checked
from server import Server
from stripe import SECRET_KEY, WEBHOOK_SECRET, Stripe

# Longer than a payment is waited for that was told of, and shorter than the first look without that.
PATIENCE_SECONDS = 20


class Cards(unittest.TestCase):
    def setUp(self):
        self.stripe = Stripe()
        self.addCleanup(self.stripe.close)
        self.server = Server("--currency", "EUR", "--stripe-api", self.stripe.url)
        self.addCleanup(self.server.kill)
        self.organizer = organizer = Partner(self.server.url, "Harbour Hall", "org")
        shop = {"shop": {"open": True, "payments": ["STRIPE", "DOOR"]}}
        checked(requests.patch(f"{self.server.url}/v1/resources/partners/{organizer.id}", json=shop,
                               headers=organizer.authorization))
        account = self.v2("POST", "services/stripe_account", {"secret_key": SECRET_KEY, "webhook_secret": WEBHOOK_SECRET})
        self.assertEqual((account["secret_key"], account["webhook_secret"]), ("…p7dc", "…LaSw"))
        self.stripe.notices_url = account["notices_url"]
        self.event = organizer.event("Night Concert")["id"]
        self.set = organizer.post(f"events/{self.event}/sets", {"name": "Floor", "amount": 10, "price": "25.50"})["id"]
        self.browser = requests.Session()

    def v2(self, method, path, body=None):
        answer = requests.request(method, f"{self.server.url}/v2/{path}", json=body, headers=self.organizer.authorization)
        return checked(answer)["data"]

    def send(self, path, **fields):
        """Sends a form as a browser does: where it leads."""
        headers = {"Origin": self.server.url, "Sec-Fetch-Site": "same-origin"}
        answer = self.browser.post(self.server.url + path, data=fields, headers=headers, allow_redirects=False)
        self.assertEqual(answer.status_code, 303, answer.text)
        return answer.headers["Location"].removeprefix(self.server.url)

    def page(self, path, status=200):
        answer = self.browser.get(path if path.startswith("http") else self.server.url + path)
        self.assertEqual(answer.status_code, status, answer.text)
        return answer.text

    def go_to_stripe(self):
        """Reserves two tickets and begins to pay: the page of the order, and that of Stripe."""
        order = self.send(f"/e/{self.event}/order", **{f"random.{self.set}": "2"})
        self.assertIn('value="STRIPE"', self.page(order))
        leads_to = self.send(f"{order}/pay", **{"settings.customer.email": "ann@example.org", "provider": "STRIPE"})
        self.assertTrue(leads_to.startswith("/pay/stripe/"), leads_to)
        found = re.search(r'http-equiv="refresh" content="0;url=([^"]+)"', self.page(leads_to))
        return order, html.unescape(found[1])

    def wait_until_paid(self, order):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while "See you there!" not in self.page(order):
            self.assertLess(time.monotonic(), deadline, "it is not paid")
            time.sleep(0.1)

    def test_two_tickets_are_bought_by_card_and_their_money_goes_back(self):
        order, page = self.go_to_stripe()
        session = next(iter(self.stripe.sessions.values()))
        self.assertEqual((session["amount_total"], session["currency"]), (5_100, "eur"))
        # Whoever comes back finds the tickets, whether Stripe has told of it or not.
        back = self.stripe.pay(page, tells=False)
        self.assertIn("See you there!", self.page(back))
        self.assertIn("ann@example.org", self.page(order))
        number = order.removeprefix("/order/").split(".")[0]
        tickets = [ticket["id"] for ticket in self.v2("GET", f"resources/orders/{number}")["tickets"]]
        refund = {"order": number, "culprit": "org", "tickets": tickets[:1]}
        request = self.v2("POST", "resources/refund_requests", refund)["id"]
        self.v2("PATCH", f"resources/refund_requests/{request}", {"status": "approved"})
        deadline = time.monotonic() + PATIENCE_SECONDS
        while (payment := self.v2("GET", f"resources/orders/{number}/payments")[0])["status"] != "paid":
            self.assertLess(time.monotonic(), deadline, payment)
            time.sleep(0.1)
        self.assertEqual((payment["used"], payment["returned"]), ("25.50", "25.50"))
        self.assertEqual([refund["amount"] for refund in self.stripe.refunds], [2_550])
        self.server.stop()
        self.assertNotIn(SECRET_KEY, "".join(self.server.log))

    def test_who_does_not_come_back_has_tickets_all_the_same(self):
        order, page = self.go_to_stripe()
        session = dict(next(iter(self.stripe.sessions.values())))
        self.assertEqual(self.stripe.notice(session, "whsec_somebody_elses_secret").status_code, 400)
        forged = session | {"payment_status": "paid", "status": "complete"}
        self.assertEqual(self.stripe.notice(forged).status_code, 200)
        self.assertIn("Waiting for your payment", self.page(order))
        self.stripe.pay(page, tells=True)
        self.wait_until_paid(order)

    def test_without_stripe_nobody_is_charged(self):
        order, page = self.go_to_stripe()
        self.stripe.close()
        again = self.page(f"/pay/stripe/{order.removeprefix('/order/')}/{self.payment(order)}", 503)
        self.assertIn("gives no answer", again)
        self.assertIn("Waiting for your payment", self.page(order))

    def payment(self, order):
        number = order.removeprefix("/order/").split(".")[0]
        return self.v2("GET", f"resources/orders/{number}/payments")[0]["id"]


if __name__ == "__main__":
    unittest.main()

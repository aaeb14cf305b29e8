"""The documents of an order, as programs of others read them: Poppler a PDF, ZBar its barcodes, icalendar a calendar."""

import pathlib
import unittest
from datetime import datetime, timezone

import icalendar
import requests

from catalogue import Partner, checked
from documents import Pdf, mail_to
from server import Server

TITLE = "Ночь фонарей"


class Documents(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)
        cls.organizer = Partner(cls.server.url, "Филармония", "org")
        venue = {"name": "Большой зал", "address": "1 Quay", "city": 520555, "country": "RU"}
        venue = cls.organizer.post("venues", venue)
        event = cls.organizer.event(TITLE, venue=venue["id"])
        seats = {"name": "Партер", "price": "45.50", "sector": "Left", "seats": {"12": [[7, 9]]}}
        seats = cls.organizer.post(f"events/{event['id']}/sets", seats)
        customer = {"name": "Ann Example", "email": "ann@example.org", "lang": "ru"}
        body = {"random": {seats["id"]: 3}, "settings": {"customer": customer, "send_tickets": True}}
        cls.order = cls.v2("POST", "orders", json=body).json()["data"]
        cls.path = f"orders/{cls.order['id']}"

    @classmethod
    def v2(cls, method, path, headers=None, **more):
        headers = cls.organizer.authorization | (headers or {})
        response = requests.request(method, f"{cls.server.url}/v2/resources/{path}", headers=headers, **more)
        return response

    def assertIsTicketsPdf(self, pdf, barcodes):
        """A page for each barcode, which it shows as a picture and in digits; tagged, in Russian."""
        read = Pdf.read(pdf)
        self.assertEqual((read.info["Pages"], read.info["Tagged"]), (str(len(barcodes)), "yes"))
        self.assertEqual(read.info["Title"], f"Билеты: {TITLE}")
        for tag in ("Sect", "H1", "H2", "P (", "Figure"):
            self.assertIn(tag, read.structure)
        self.assertEqual(sorted(read.barcodes), sorted([barcode] for barcode in barcodes))
        for number, ([barcode], text) in enumerate(zip(read.barcodes, read.texts, strict=True), start=1):
            for words in (TITLE, "Большой зал", "Партер", "45,50", barcode, f"Билет {number} из {len(barcodes)}"):
                self.assertIn(words, text)

    def test_documents_are_those_of_the_paid_order(self):
        for name in ("tickets.pdf", "event.ics"):
            refused = self.v2("GET", f"{self.path}/{name}")
            self.assertEqual((refused.status_code, refused.json()["code"]), (400, "order_not_done"))
        order = checked(self.v2("PATCH", self.path, json={"status": "done"}))["data"]
        barcodes = [ticket["barcode"] for ticket in order["tickets"]]
        answer = self.v2("GET", f"{self.path}/tickets.pdf", headers={"Accept-Language": "fr, ru;q=0.5"})
        self.assertEqual((answer.status_code, answer.headers["Content-Type"]), (200, "application/pdf"))
        self.assertEqual(answer.headers["Content-Disposition"], f'attachment; filename="tickets-{order["number"]}.pdf"')
        self.assertEqual(answer.headers["Cache-Control"], "private, no-store")
        self.assertIsTicketsPdf(answer.content, barcodes)
        self.assertIsCalendar(self.v2("GET", f"{self.path}/event.ics").content, order)
        self.assertIsTicketsMail(order, barcodes)

    def assertIsCalendar(self, ics, order):
        [entry] = icalendar.Calendar.from_ical(ics).walk("VEVENT")
        self.assertEqual((entry["UID"], entry["SUMMARY"]), (f"{order['id']}@kassa", TITLE))
        self.assertEqual(entry["DTSTART"].dt, datetime(2035, 6, 1, 18, tzinfo=timezone.utc))
        self.assertTrue(entry["LOCATION"].startswith("Большой зал, 1 Quay"), entry["LOCATION"])
        self.assertIn(order["code"], entry["DESCRIPTION"])

    def assertIsTicketsMail(self, order, barcodes):
        """The mail in the outbox has the same documents, in the language of the customer."""
        files = mail_to(pathlib.Path(self.server.folder.name, "outbox"), "ann@example.org")
        self.assertEqual(sorted(files), [f"event-{order['number']}.ics", f"tickets-{order['number']}.pdf"])
        self.assertIsTicketsPdf(files[f"tickets-{order['number']}.pdf"], barcodes)
        self.assertIsCalendar(files[f"event-{order['number']}.ics"], order)

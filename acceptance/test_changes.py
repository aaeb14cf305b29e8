"""The stream of changes, as a client of others reads it."""

import unittest

import httpx
import httpx_sse
import requests

from catalogue import Partner, checked
from server import Server

# Changes of a round, and how many of them are read before the server is killed.
ORDERS = 5
READ = 3


class Changes(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.kill)
        self.organizer = Partner(self.server.url, "Harbour Hall", "org")
        self.event = self.organizer.event("Night of the Lanterns")
        self.set = self.organizer.set(self.event, "Stalls", 100, "25.00")
        self.client = httpx.Client(timeout=60, trust_env=False)
        self.addCleanup(self.client.close)

    def order(self):
        self.organizer.post("orders", {"event": self.event["id"], "random": {self.set["id"]: 1}})

    def changes(self, **query):
        url = f"{self.server.url}/v2/resources/changes"
        return checked(requests.get(url, params=query | {"types": "order.*"}, headers=self.organizer.authorization))

    def test_a_reader_resumes_over_restarts_and_gets_each_change_once(self):
        told, cursor = [], self.changes(after="end")["pagination"]["cursor"]
        for round in range(3):
            cursor = self.read(told, cursor, orders=ORDERS, until=round * ORDERS + READ)
            self.server.kill_and_restart()
            self.organizer.url = self.server.url
        self.read(told, cursor, orders=0, until=3 * ORDERS)
        self.assertEqual(told, [change["id"] for change in self.changes()["data"]])
        self.server.stop()

    def read(self, told, cursor, orders, until):
        """Reads until so many changes are told, while so many orders are made; where it is then."""
        url = f"{self.server.url}/v2/resources/changes/stream?types=order.*"
        headers = self.organizer.authorization | {"Last-Event-ID": cursor}
        with httpx_sse.connect_sse(self.client, "GET", url, headers=headers) as source:
            source.response.raise_for_status()
            for _ in range(orders):
                self.order()
            for event in source.iter_sse():
                self.assertEqual(event.json()["cursor"], event.id)
                if event.event != "cursor":
                    self.assertEqual(event.json()["type"], event.event)
                    told.append(event.json()["id"])
                cursor = event.id
                if len(told) == until:
                    return cursor
        self.fail("the stream has ended")

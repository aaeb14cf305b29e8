"""The stream of changes, as clients of others read it."""

import json
import os
import queue
import subprocess
import threading
import unittest

import httpx
import httpx_sse
import requests

import browser
from catalogue import Partner, checked
from receivers import JAVASCRIPT, PATIENCE_SECONDS
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

    def test_an_event_source_of_a_browser_resumes_over_restarts_and_gets_each_change_once(self):
        if not browser.CHROMIUM:
            self.skipTest("KASSA_CHROMIUM names no browser: acceptance/run installs it")
        self.follow_over_restarts(BrowserFollower)

    def test_an_event_source_of_node_resumes_over_restarts_and_gets_each_change_once(self):
        self.follow_over_restarts(NodeFollower)

    def follow_over_restarts(self, kind):
        """Both ways in which a server goes away, while a follower connects again by itself."""
        since = self.changes(after="end")["pagination"]["cursor"]
        follower = kind(self.server.url, self.organizer)
        self.addCleanup(follower.stop)
        told = [follower.next()]
        self.assertEqual(told[0]["type"], "cursor", "it says from where on it tells")
        for restart in (self.server.kill_and_restart, self.server.stop_and_restart, self.server.kill_and_restart):
            for _ in range(ORDERS):
                self.order()
            # Some are on their way when the server goes, and some happen before the follower is there again.
            told += [follower.next() for _ in range(READ)]
            restart()
            self.order()
        committed = [change["id"] for change in self.changes(after=since)["data"]]
        self.assertEqual(len(committed), 3 * (ORDERS + 1))
        self.order()
        last = self.changes(after=since)["data"][-1]["id"]
        while told[-1]["data"].get("id") != last:
            told.append(follower.next())
        changes = [event for event in told if event["type"] != "cursor"]
        self.assertEqual([event["data"]["id"] for event in changes], [*committed, last])
        self.assertEqual([event["id"] for event in changes], [event["data"]["cursor"] for event in changes])
        self.server.stop()


class NodeFollower:
    """The `EventSource` of npm, with a key."""

    def __init__(self, url, partner):
        self.events = queue.Queue()
        stream = f"{url}/v2/resources/changes/stream?types=order.*"
        command = ["node", os.path.join(JAVASCRIPT, "follower.mjs"), stream, "cursor", "order.reserved"]
        environment = os.environ | {"KASSA_KEY": partner.key}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self):
        for line in self.process.stdout:
            self.events.put(json.loads(line))

    def next(self):
        return self.events.get(timeout=PATIENCE_SECONDS)

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()


class BrowserFollower:
    """The `EventSource` of a browser, in a page of the server, with the cookie of a session."""

    FOLLOW = """
        globalThis.told = [];
        globalThis.stream = new EventSource("/v2/resources/changes/stream?types=order.*");
        for (const type of ["cursor", "order.reserved"]) {
            stream.addEventListener(type, (event) => {
                told.push({ type: event.type, id: event.lastEventId, data: JSON.parse(event.data) });
            });
        }
    """

    def __init__(self, url, partner):
        self.browser = browser.Browser()
        try:
            self.log_in(url, partner)
        except BaseException:
            self.stop()
            raise
        self.page.evaluate(self.FOLLOW)
        self.read = 0

    def log_in(self, url, partner):
        self.page = self.browser.page(f"{url}/docs")
        account = json.dumps(json.dumps(partner.account))
        headers = """{ "Content-Type": "application/json" }"""
        log_in = f"""fetch("/v1/services/whoami", {{ method: "POST", headers: {headers}, body: {account} }})"""
        status = self.page.evaluate(f"{log_in}.then((answer) => answer.status)")
        assert status == 200, f"the log-in was answered with {status}"

    def next(self):
        event = self.page.wait_for(f"told[{self.read}]")
        self.read += 1
        return event

    def stop(self):
        self.browser.stop()

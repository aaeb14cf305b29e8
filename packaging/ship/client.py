"""What clients do while a package is tried: they sell, ask on and on, and count.

    python3 client.py prepare URL STATE     an account, an event with 20,000 tickets, and a key, which STATE keeps
    python3 client.py sell URL STATE        sells two tickets, and prints how many are sold then
    python3 client.py load URL STATE STOP   asks and sells until the file STOP is there; any refusal is a failure
"""

import http.client
import json
import os
import sys
import threading
import time
import urllib.parse

ANSWER_SECONDS_MAX = 60
"""A server that starts anew answers late, but it does."""

CLIENTS = ("ask_anew", "ask_anew", "keep_asking", "keep_asking", "keep_selling", "keep_selling")


class Api:
    """A connection that is kept until the server says that it closes it."""

    def __init__(self, url, key=None):
        self.address = urllib.parse.urlsplit(url).netloc
        self.headers = {"Content-Type": "application/json"}
        if key is not None:
            self.headers["Authorization"] = f"key {key}"
        self.connection = http.client.HTTPConnection(self.address, timeout=ANSWER_SECONDS_MAX)

    def call(self, method, path, body=None):
        text = None if body is None else json.dumps(body)
        self.connection.request(method, f"/v1/{path}", text, self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status not in (200, 201):
            raise RuntimeError(f"{method} {path}: {answer.status}: {content[:500]!r}")
        if cookie := answer.headers["Set-Cookie"]:
            self.headers["Cookie"] = cookie.split(";")[0]
        return json.loads(content)

    def close(self):
        self.connection.close()


def prepare(url):
    """What a shop needs, as the README shows it; what is to be kept of it."""
    api = Api(url)
    account = {"email": "anna@example.org", "password": "correct horse"}
    api.call("POST", "resources/users", account)
    api.call("POST", "services/whoami", account)
    partner = api.call("POST", "resources/partners", {"name": "Harbour Hall", "roles": ["org"]})["id"]
    key = api.call("POST", f"resources/partners/{partner}/api_keys", {"name": "box office"})["key"]
    shop = Api(url, key)
    event = shop.call("POST", "resources/events", {
        "title": {"text": "Night of the Lanterns"},
        "status": "public",
        "lifetime": "BEGIN:VEVENT\r\nDTSTART:20350601T180000Z\r\nDTEND:20350601T220000Z\r\nEND:VEVENT\r\n",
    })["id"]
    tickets = {"name": "Stalls", "amount": 20000, "price": "25.00"}
    tickets = shop.call("POST", f"resources/events/{event}/sets", tickets)["id"]
    state = {"key": key, "event": event, "set": tickets}
    # A large set grows by and by.
    start = time.monotonic()
    while sold(shop, state) > 0:
        if time.monotonic() - start > ANSWER_SECONDS_MAX:
            raise RuntimeError("the tickets do not come")
        time.sleep(0.1)
    return state


def sell(shop, state):
    """Two tickets, from the cart to the door."""
    order = shop.call("POST", "resources/orders", {"event": state["event"], "random": {state["set"]: 2}})["id"]
    shop.call("PATCH", f"resources/orders/{order}", {
        "customer": {"email": "bob@example.org", "first_name": "Bob"},
        "payment": {"system": "api/BASE"},
        "status": "in_progress",
    })
    done = shop.call("PATCH", f"resources/orders/{order}", {"status": "done"})
    if done["status"] != "done" or len(done["tickets"]) != 2:
        raise RuntimeError(f"the order is not sold: {done}")


def sold(shop, state):
    """How many tickets are sold."""
    of_set = shop.call("GET", f"resources/events/{state['event']}/sets/{state['set']}")
    return of_set["amount"] - of_set["amount_vacant"]


class Load:
    """Clients that go on until a file is there, or one of them is refused."""

    def __init__(self, url, state, stop):
        self.url, self.state, self.stop = url, state, stop
        self.counts = dict.fromkeys(CLIENTS, 0)
        self.failures = []
        self.longest = 0.0

    def is_over(self):
        return bool(self.failures) or os.path.exists(self.stop)

    def run(self):
        threads = [threading.Thread(target=self.client, args=(kind,)) for kind in CLIENTS]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def client(self, kind):
        shop = Api(self.url, self.state["key"])
        try:
            while not self.is_over():
                start = time.monotonic()
                if kind == "ask_anew":
                    shop.close()
                if kind == "keep_selling":
                    sell(shop, self.state)
                else:
                    shop.call("GET", f"resources/events/{self.state['event']}")
                self.longest = max(self.longest, time.monotonic() - start)
                self.counts[kind] += 1
        except Exception as error:  # Whatever a client meets is told.
            self.failures.append(f"{kind} after {self.counts[kind]}: {error!r}")


def main(what, url, state_file, stop=None):
    if what == "prepare":
        state = prepare(url)
        with open(state_file, "w", encoding="utf-8") as file:
            json.dump(state, file)
        return
    with open(state_file, encoding="utf-8") as file:
        state = json.load(file)
    shop = Api(url, state["key"])
    if what == "sell":
        sell(shop, state)
        print(sold(shop, state))
        return
    load = Load(url, state, stop)
    load.run()
    counts = ", ".join(f"{name} {count}" for name, count in load.counts.items())
    print(f"{counts}; the longest took {load.longest:.1f} s", flush=True)
    if load.failures or not all(load.counts.values()):
        sys.exit("\n".join(load.failures) or "some clients did nothing")


if __name__ == "__main__":
    main(*sys.argv[1:])

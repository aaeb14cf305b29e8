"""What is for sale, and who sells it: made over HTTP as anybody would make it."""

import uuid

import requests

LIFETIME = "BEGIN:VEVENT\r\nDTSTART:20350601T180000Z\r\nDTEND:20350601T220000Z\r\nEND:VEVENT\r\n"


class Partner:
    """A partner of a new account, and its key."""

    def __init__(self, url, name, role):
        self.url = url
        self.session = session = requests.Session()
        self.account = account = {"email": f"{uuid.uuid4().hex}@example.org", "password": "correct horse"}
        checked(session.post(f"{url}/v1/resources/users", json=account))
        checked(session.post(f"{url}/v1/services/whoami", json=account))
        partner = checked(session.post(f"{url}/v1/resources/partners", json={"name": name, "roles": [role]}))
        self.id = partner["id"]
        keys = f"{url}/v1/resources/partners/{self.id}/api_keys"
        self.key = checked(session.post(keys, json={"name": "acceptance"}))["key"]
        self.authorization = {"Authorization": f"key {self.key}"}

    def post(self, path, body):
        """Posts JSON below /v1/resources with the key."""
        return checked(requests.post(f"{self.url}/v1/resources/{path}", json=body, headers=self.authorization))

    def event(self, title, **more):
        """A public event of this organizer."""
        body = {"title": {"text": title}, "status": "public", "lifetime": LIFETIME}
        return self.post("events", body | more)

    def set(self, event, name, amount, price, **more):
        """A set of tickets of an event."""
        return self.post(f"events/{event['id']}/sets", {"name": name, "amount": amount, "price": price} | more)


class Catalogue:
    """An organizer with an event, and an agent who sells it 10 % dearer."""

    def __init__(self, url):
        self.organizer = Partner(url, "Harbour Hall", "org")
        self.agent = Partner(url, "City Tickets", "agent")
        self.event = self.organizer.event("Night of the Lanterns")
        self.set = self.organizer.set(self.event, "Stalls", 500, "100.00")
        term = {"org": 90, "extra": 10, "pfc": False}
        deal = {"event": self.event["id"], "subj": self.agent.id, "term": term}
        self.deal = self.organizer.post("deals", deal)


def checked(response):
    """The JSON of an answer that is a success."""
    if not response.ok:
        raise RuntimeError(f"{response.request.method} {response.url}: {response.status_code} {response.text}")
    return response.json()

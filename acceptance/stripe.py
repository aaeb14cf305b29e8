"""A stand-in for Stripe, as its documents describe Checkout Sessions, refunds, idempotency keys and signed webhooks."""

import hashlib
import hmac
import http.server
import json
import threading
import time
import urllib.parse

import requests

SECRET_KEY = "sk_test_4eC39HqLyjWDarjtT1zdp7dc"
WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"


class Refused(Exception):
    """An answer with an error: its status and its code."""


class Stripe:
    """The interface at `url`, and the pages where customers pay below it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.sessions, self.refunds, self.keys = {}, [], {}
        self.notices_url = None
        stripe = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                self.reply(lambda: stripe.read(url.path, dict(urllib.parse.parse_qsl(url.query))))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
                fields = dict(urllib.parse.parse_qsl(body, strict_parsing=bool(body)))
                self.reply(lambda: stripe.write(self.path, fields, self.headers["Idempotency-Key"]))

            def reply(self, act):
                try:
                    if self.headers["Authorization"] != f"Bearer {SECRET_KEY}":
                        raise Refused(401, "api_key_invalid")
                    with stripe.lock:
                        status, body = 200, act()
                except Refused as refused:
                    status, code = refused.args
                    body = {"error": {"type": "invalid_request_error", "code": code, "message": code}}
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.end_headers()
                self.wfile.write(json.dumps(body).encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def write(self, path, fields, key):
        if not key:
            raise Refused(400, "no_idempotency_key")
        if key in self.keys:
            before, answer = self.keys[key]
            if before != fields:
                raise Refused(400, "idempotency_key_in_use")
            return answer
        parts = path.strip("/").split("/")
        if parts == ["v1", "checkout", "sessions"]:
            answer = self.create_session(fields)
        elif parts[:3] == ["v1", "checkout", "sessions"] and parts[4:] == ["expire"]:
            answer = self.expire(parts[3])
        elif parts == ["v1", "refunds"]:
            answer = self.create_refund(fields)
        else:
            raise Refused(404, "no_such_path")
        # What was answered is answered again as it was.
        self.keys[key] = fields, json.loads(json.dumps(answer))
        return answer

    def create_session(self, fields):
        price = "line_items[0][price_data]"
        amount = int(fields[f"{price}[unit_amount]"]) * int(fields["line_items[0][quantity]"])
        expires_at = int(fields["expires_at"])
        if fields["mode"] != "payment" or amount <= 0 or not fields[f"{price}[product_data][name]"]:
            raise Refused(400, "parameter_invalid")
        if not 1_790 <= expires_at - time.time() <= 86_400:
            raise Refused(400, "expires_at_invalid")
        session = {
            "id": f"cs_test_{len(self.sessions) + 1}", "object": "checkout.session", "mode": "payment", "status": "open",
            "payment_status": "unpaid", "amount_total": amount, "currency": fields[f"{price}[currency]"],
            "client_reference_id": fields["client_reference_id"], "payment_intent": None, "expires_at": expires_at,
            "success_url": fields["success_url"], "cancel_url": fields["cancel_url"],
            "metadata": {"payment": fields["metadata[payment]"]},
        }
        session["url"] = f"{self.url}/c/pay/{session['id']}"
        self.sessions[session["id"]] = session
        return session

    def expire(self, name):
        session = self.sessions[name]
        if session["status"] != "open":
            raise Refused(400, "session_not_open")
        session |= {"status": "expired", "url": None}
        return session

    def create_refund(self, fields):
        intent, amount = fields["payment_intent"], int(fields["amount"])
        session = next(session for session in self.sessions.values() if session["payment_intent"] == intent)
        before = sum(refund["amount"] for refund in self.refunds if refund["payment_intent"] == intent)
        if before + amount > session["amount_total"]:
            raise Refused(400, "charge_already_refunded")
        refund = {
            "id": f"re_{len(self.refunds) + 1}", "object": "refund", "amount": amount, "currency": session["currency"],
            "payment_intent": intent, "status": "succeeded", "metadata": {"return": fields["metadata[return]"]},
        }
        self.refunds.append(refund)
        return refund

    def read(self, path, query):
        parts = path.strip("/").split("/")
        if parts[:3] == ["v1", "checkout", "sessions"] and parts[3] in self.sessions:
            session = dict(self.sessions[parts[3]])
            if query.get("expand[]") == "payment_intent" and session["payment_intent"]:
                session["payment_intent"] = {"id": session["payment_intent"], "object": "payment_intent", "status": "succeeded"}
            return session
        if parts == ["v1", "refunds"]:
            data = [refund for refund in self.refunds if refund["payment_intent"] == query["payment_intent"]]
            return {"object": "list", "data": data, "has_more": False}
        raise Refused(404, "resource_missing")

    def pay(self, url, tells):
        """The customer pays on a page; Stripe tells so if `tells`. Where the customer comes back to."""
        with self.lock:
            session = self.sessions[url.rsplit("/", 1)[1]]
            assert session["status"] == "open", session
            session |= {"status": "complete", "payment_status": "paid", "url": None, "payment_intent": f"pi_{session['id']}"}
        if tells:
            assert self.notice(session).status_code == 200
        return session["success_url"]

    def notice(self, session, secret=WEBHOOK_SECRET):
        """Sends what has happened to the shop, signed: the answer."""
        event = {"id": "evt_1", "object": "event", "type": "checkout.session.completed", "data": {"object": session}}
        body, sent_at = json.dumps(event).encode(), int(time.time())
        signature = hmac.new(secret.encode(), f"{sent_at}.".encode() + body, hashlib.sha256).hexdigest()
        headers = {"Stripe-Signature": f"t={sent_at},v1={signature}", "Content-Type": "application/json; charset=utf-8"}
        return requests.post(self.notices_url, data=body, headers=headers)

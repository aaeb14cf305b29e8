"""Servers that take webhooks and verify them with the libraries that others use."""

import http.server
import json
import os
import queue
import subprocess
import threading

from standardwebhooks import Webhook, WebhookVerificationError

JAVASCRIPT = os.environ["KASSA_JAVASCRIPT"]
# Far more than a message takes.
PATIENCE_SECONDS = 60


class Receiver:
    """Messages as they come, each by a line of news: `message`, or why it was `refused`."""

    def __init__(self):
        self.news = queue.Queue()
        self.traceparents = []

    def messages_until_paid(self, orders):
        """The messages until the last of these orders is paid. One that was refused is an error."""
        messages, unpaid = [], set(orders)
        while unpaid:
            news = self.news.get(timeout=PATIENCE_SECONDS)
            if "refused" in news:
                raise AssertionError(f"a message was refused: {news['refused']}")
            messages.append(news["message"])
            if messages[-1]["type"] == "order.paid":
                unpaid.discard(messages[-1]["resource"]["id"])
        return messages


class PythonReceiver(Receiver):
    """Verifies with the library of Standard Webhooks from PyPI."""

    def __init__(self, secret):
        super().__init__()
        verifier, news, traceparents = Webhook(secret), self.news, self.traceparents

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                traceparents.append(self.headers["traceparent"])
                try:
                    verifier.verify(body, dict(self.headers))
                except WebhookVerificationError as error:
                    self.send_response(401)
                    news.put({"refused": str(error)})
                else:
                    self.send_response(204)
                    news.put({"message": json.loads(body)})
                self.end_headers()

            def log_message(self, *_):
                """Says nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks"
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def stop(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class JavaScriptReceiver(Receiver):
    """Verifies with the libraries of Standard Webhooks and of Svix from npm."""

    def __init__(self, secret):
        super().__init__()
        command = ["node", os.path.join(JAVASCRIPT, "receiver.mjs")]
        environment = os.environ | {"WEBHOOK_SECRET": secret}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.news.get(timeout=PATIENCE_SECONDS)['port']}/hooks"

    def _read(self):
        for line in self.process.stdout:
            self.news.put(json.loads(line))

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.thread.join()
        self.process.stdout.close()

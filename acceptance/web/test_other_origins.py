"""What pages of other servers can do to the shop: nothing."""

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from buyer import Buyer
from shop import EVENTS, event_id

FORM = """<!doctype html><meta charset="utf-8"><title>Elsewhere</title>
<form method="post" action="{action}">{fields}<button>Win</button></form>"""


class Elsewhere(ThreadingHTTPServer):
    """A server of somebody else, which has one page."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Page)
        self.html = ""
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Page(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(self.server.html.encode())

    def log_message(self, *_):
        """Says nothing: what is asked for is in the test."""


@pytest.fixture
def elsewhere():
    server = Elsewhere()
    yield server
    server.shutdown()
    server.server_close()


# Another site, and another origin of the same site.
@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
@pytest.mark.parametrize("action", ["buy", "cancel", "pay", "refund"])
def test_a_form_of_another_origin_is_refused(windows, shop, elsewhere, host, action):
    event = shop.event(EVENTS["on sale"])
    order = shop.test(shop.reserve(event), "yes") if action == "refund" else shop.reserve(event)
    before = shop.order(order)
    fields = {f"random.{shop.first_set(event)}": "1", "provider": "DOOR", "settings.customer.email": "me@example.org"}
    inputs = "".join(f'<input type="hidden" name="{name}" value="{value}">' for name, value in fields.items())
    target = f"{shop.url}/e/{event_id(event)}/order" if action == "buy" else f"{shop.url}{order}/{action}"
    elsewhere.html = FORM.format(action=target, fields=inputs)
    windows.expect(403, 404)
    buyer = Buyer(windows.open())
    # Whoever is sent there has the order open in another tab.
    tab = buyer.page.context.new_page()
    tab.goto(order)
    buyer.page.goto(f"http://{host}:{elsewhere.server_port}/")
    with buyer.page.expect_navigation() as sent:
        buyer.page.get_by_role("button").click()
    assert sent.value.status == 403
    buyer.sees("error-cross-site")
    assert shop.order(order) == before


def test_no_page_is_framed_by_another_origin(windows, shop, elsewhere):
    elsewhere.html = f'<!doctype html><title>Elsewhere</title><iframe src="{shop.url}/"></iframe>'
    windows.expect("frame-ancestors", "X-Frame-Options")
    page = windows.open()
    with page.expect_event("requestfailed", lambda request: request.url == f"{shop.url}/") as blocked:
        page.goto(f"http://localhost:{elsewhere.server_port}/")
    assert blocked.value.failure == "net::ERR_BLOCKED_BY_RESPONSE"

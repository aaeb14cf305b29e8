"""The shop in pages of other sites, in a browser that blocks cookies of third parties."""

import http.server
import json
import pathlib
import threading
import unittest
import urllib.parse

import requests

import browser
from catalogue import Catalogue, checked
from receivers import JAVASCRIPT
from server import Server

# As browsers have it in their settings: cookies are for the site in the address bar alone.
NO_THIRD_PARTY_COOKIES = {"profile": {"cookie_controls_mode": 1, "block_third_party_cookies": True}}
# Notes what the elements tell. Pages of the site run what lies on it, and nothing that stands in them.
NOTES = """
globalThis.heard = [];
for (const name of ["ready", "reserved", "paid", "closed"]) {
    document.addEventListener(`kassa:${name}`, (event) => {
        heard.push({ name, order: event.detail.order, element: event.target.localName ?? "document" });
    });
}
globalThis.reports = [];
document.addEventListener("securitypolicyviolation", (event) => reports.push(`${event.violatedDirective} ${event.blockedURI}`));
"""
# A page of React that mounts its elements long after everything is there, and gives them their attributes later still.
APPLICATION = """
function Ticket({ event, seller }) {
    const [known, setKnown] = React.useState(null);
    React.useEffect(() => setKnown({ event, seller, lang: "en" }), []);
    return React.createElement("kassa-button", { id: "buy", ...known }, "Buy");
}
globalThis.mount = (event, seller) => {
    const root = ReactDOM.createRoot(document.getElementById("root"));
    const ticket = React.createElement(Ticket, { event, seller });
    root.render(React.createElement(React.StrictMode, null, ticket));
};
"""


class Site:
    """A site of somebody else, on a port of its own: every name that ends with `.localhost` leads to it."""

    def __init__(self, pages, policy):
        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                body = pages.get(urllib.parse.urlsplit(self.path).path)
                self.send_response(404 if body is None else 200)
                kind = "text/javascript" if self.path.endswith(".js") else "text/html"
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write((body or "").encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def origin(self, name):
        return f"http://{name}.localhost:{self.server.server_port}"

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@unittest.skipUnless(browser.CHROMIUM, "KASSA_CHROMIUM names no browser: acceptance/run installs it")
class Widget(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server("--allow-test-payments")
        cls.addClassCleanup(cls.server.kill)
        cls.shop = cls.server.url
        catalogue = cls.catalogue = Catalogue(cls.shop)
        cls.event, cls.agent = catalogue.event["id"], catalogue.agent
        cls.pages = {}
        policy = f"default-src 'none'; script-src 'self' {cls.shop}; connect-src {cls.shop}; frame-src {cls.shop}"
        cls.site = Site(cls.pages, policy + "; base-uri 'none'")
        cls.addClassCleanup(cls.site.stop)
        for partner in (catalogue.organizer, cls.agent):
            sold = {"open": True, "payments": ["TEST", "DOOR"], "origins": [cls.site.origin("tickets")]}
            url = f"{cls.shop}/v1/resources/partners/{partner.id}"
            checked(requests.patch(url, json={"shop": sold}, headers=partner.authorization))
        tokens = f"{cls.shop}/v2/services/widget_tokens"
        cls.token = checked(requests.post(tokens, json={}, headers=cls.agent.authorization))["data"]
        cls.write_pages()
        cls.browser = browser.Browser(NO_THIRD_PARTY_COOKIES)
        cls.addClassCleanup(cls.browser.stop)

    @classmethod
    def write_pages(cls):
        widget = f'<script async src="{cls.shop}/widget/v1.js"></script>'
        old = f'<script async src="{cls.shop}/static/scripts/widget/tcwidget.js"></script>'
        notes = '<script src="/notes.js"></script>'
        head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>A site</title>'
        named = f'event="{cls.event}" seller="{cls.agent.id}" lang="en"'
        elements = f'<kassa-button id="buy" {named}>Buy</kassa-button><kassa-shop {named}></kassa-shop>'
        twice = f"{widget}{widget}"
        frameworks = "".join(f'<script src="/{name}.js"></script>' for name in ("react", "react-dom", "application"))
        packages = pathlib.Path(JAVASCRIPT, "node_modules")
        scripts = {
            f"/{name}.js": (packages / name / "umd" / f"{name}.production.min.js").read_text(encoding="utf-8")
            for name in ("react", "react-dom")
        }
        link = f'<a id="buy" href="#" data-tc-event="{cls.event}" data-tc-token="{cls.token["token"]}" data-tc-lang="en">Buy</a>'
        forged = link.replace(cls.token["token"], cls.token["token"][:-4] + "AAAA")
        order = f'<form method="post" action="{cls.shop}/e/{cls.event}/order">'
        order += f'<input name="random.{cls.catalogue.set["id"]}" value="1"><button>Buy</button></form>'
        cls.pages |= scripts | {
            "/notes.js": NOTES,
            "/application.js": APPLICATION,
            "/": f"{head}{notes}{twice}{elements}",
            "/snippet": f"{head}{notes}{cls.token['snippet']}",
            "/react": f'{head}{notes}{widget}{frameworks}<div id="root"></div>',
            "/old": f"{head}{notes}{old}{link}",
            "/forged": f"{head}{notes}{old}{forged}",
            "/form": f"{head}{order}",
        }

    def visit(self, path, name="tickets"):
        page = self.browser.page(self.site.origin(name) + path)
        self.addCleanup(page.close)
        return page

    def press(self, page):
        page.wait_for("Boolean(customElements.get('kassa-button') && document.getElementById('buy'))")
        page.evaluate("document.getElementById('buy').focus()")
        page.evaluate("(document.getElementById('buy').shadowRoot?.querySelector('button') ?? document.getElementById('buy')).click()")

    def buy(self, page):
        """Buys two tickets in the frame of a page; the order's id."""
        frame = self.browser.frame(f"{self.shop}/widget/")
        frame.wait_for("Boolean(document.querySelector('select[name^=\"random.\"]'))")
        self.assertEqual(frame.evaluate("document.cookie = 'a=b'; document.cookie"), "", "it works without cookies")
        frame.evaluate("document.querySelector('select[name^=\"random.\"]').value = '2'")
        frame.evaluate("document.querySelector('[data-cart] button').click()")
        frame.wait_for("Boolean(document.querySelector('[data-order=cart]'))")
        self.assertIn("220", frame.evaluate("document.querySelector('.sum--all').textContent"), "the agent's price")
        # Nobody types so fast that the page has not told of the order yet.
        page.wait_for("heard.some((it) => it.name === 'reserved')")
        frame.evaluate("document.querySelector('[type=email]').value = 'ann@example.org'")
        frame.evaluate("document.querySelector('[value=TEST]').checked = true")
        frame.evaluate("document.querySelector('form[action$=\"/pay\"] .button').click()")
        frame.wait_for("Boolean(document.querySelector('[name=outcome][value=yes]'))")
        frame.evaluate("document.querySelector('[name=outcome][value=yes]').click()")
        frame.wait_for("Boolean(document.querySelector('[data-order=paid]'))")
        page.wait_for("heard.some((it) => it.name === 'paid')")
        return page.evaluate("heard.at(-1).order")

    def assert_sold(self, page, order, element):
        """The element has told of the order, and the agent has sold it under its deal."""
        heard = page.evaluate("heard")
        names = [(it["name"], it["order"]) for it in heard]
        self.assertEqual(names, [("ready", None), ("reserved", order), ("paid", order)])
        self.assertEqual({it["element"] for it in heard}, {element})
        old, new = (
            checked(requests.get(f"{self.shop}/{version}/resources/orders/{order}", headers=self.agent.authorization))
            for version in ("v1", "v2")
        )
        sold = new["data"]
        self.assertEqual((sold["vendor"], old["deal"]), (self.agent.id, self.catalogue.deal["id"]))
        self.assertEqual((sold["values"]["full"], sold["origin"], sold["status"]), ("220.00", "widget", "done"))
        self.assertEqual(page.evaluate("reports"), [], "the policy of the site is kept")

    def test_a_button_sells_on_another_site_and_gives_the_focus_back(self):
        page = self.visit("/")
        self.press(page)
        order = self.buy(page)
        self.assert_sold(page, order, "kassa-button")
        # Whatever is behind takes no focus as long as the shop is open.
        page.evaluate("document.getElementById('buy').focus()")
        self.assertNotEqual(page.evaluate("document.activeElement.id"), "buy")
        self.browser.frame(f"{self.shop}/widget/").evaluate("document.querySelector('a').focus()")
        page.press("Escape")
        page.wait_for("heard.at(-1).name === 'closed'")
        self.assertEqual(page.evaluate("document.activeElement.id"), "buy")

    def test_a_list_shows_what_is_sold_and_opens_it(self):
        page = self.visit("/")
        shown = "document.querySelector('kassa-shop').shadowRoot?.querySelector('.kassa-offers')"
        self.assertIn("Night of the Lanterns", page.wait_for(f"{shown}?.textContent"))
        self.assertIn("110", page.evaluate(f"{shown}.textContent"))
        page.evaluate(f"{shown}.querySelector('button').click()")
        order = self.buy(page)
        self.assert_sold(page, order, "kassa-shop")

    def test_the_snippet_of_a_token_shows_what_its_partner_sells(self):
        page = self.visit("/snippet")
        shown = "document.querySelector('kassa-shop').shadowRoot?.querySelector('.kassa-offers')"
        self.assertIn("Night of the Lanterns", page.wait_for(f"{shown}?.textContent"))
        self.assertEqual(page.evaluate("reports"), [])

    def test_react_mounts_it_late(self):
        page = self.visit("/react")
        page.wait_for("Boolean(customElements.get('kassa-button') && globalThis.mount)")
        page.evaluate(f"mount({json.dumps(self.event)}, {json.dumps(self.agent.id)})")
        page.wait_for("document.getElementById('buy')?.getAttribute('seller')")
        self.press(page)
        order = self.buy(page)
        self.assert_sold(page, order, "kassa-button")

    def test_a_page_of_the_original_sells_under_its_agents_deal(self):
        page = self.visit("/old")
        self.press(page)
        page.wait_for("Boolean(document.querySelector('#tc-widget-overlay iframe.tc-widget-frame_popup'))")
        order = self.buy(page)
        self.assert_sold(page, order, "a")

    def test_a_token_that_is_none_is_refused_in_words(self):
        page = self.visit("/forged")
        self.press(page)
        frame = self.browser.frame(f"{self.shop}/widget/")
        self.assertEqual(frame.wait_for("document.querySelector('h1')?.textContent"), "Tickets cannot be sold on this page")

    def test_a_site_that_is_not_named_frames_nothing(self):
        page = self.visit("/", name="other")
        self.press(page)
        refusal = "[...document.querySelectorAll('div')].map((it) => it.shadowRoot?.querySelector('.kassa-refused')).find(Boolean)"
        link = page.wait_for(f"{refusal}?.querySelector('a').href")
        self.assertEqual(page.evaluate("heard"), [])
        page.evaluate(f"location.href = {json.dumps(link)}")
        page.wait_for("Boolean(document.querySelector('select[name^=\"random.\"]'))")

    def test_a_form_of_another_site_buys_nothing(self):
        page = self.visit("/form")
        orders = f"{self.shop}/v2/resources/orders"
        count = checked(requests.get(orders, headers=self.catalogue.organizer.authorization))["total_count"]
        # The page goes elsewhere when this has answered.
        page.evaluate("void setTimeout(() => document.querySelector('button').click())")
        page.wait_for(f"location.href.startsWith({json.dumps(self.shop)}) && document.readyState === 'complete'")
        told = page.evaluate("performance.getEntriesByType('navigation')[0].responseStatus")
        self.assertEqual(told, 403)
        after = checked(requests.get(orders, headers=self.catalogue.organizer.authorization))["total_count"]
        self.assertEqual(after, count)

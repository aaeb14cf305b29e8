"""A hall of ten thousand seats in a browser on a slow processor: how quick its picture is, and that the picture, the lists and
the keys choose the same seats, while others buy."""

import math
import time
import unittest

import requests

import browser
from catalogue import Partner, checked
from server import Server

# The processor of a phone is so many times slower.
SLOWER = 4
# What is promised on a machine with nothing else to do, in milliseconds; tests run beside other work, so twice as much passes,
# and more of what other programs' turns decide: when a frame is shown.
FRAME_MS = 16.7
FIRST_PICTURE_MS = 300
MARGIN = 2
INTERVAL_MARGIN = 5
# Scripts and the places of seats, packed.
BYTES_MAX = 60 * 1024

SECTORS = {"Parterre": "70.00", "Circle": "55.00", "Tier": "40.00", "Balcony": "30.00", "Gallery": "20.00"}
ROWS, SEATS = 20, 100
# How long the picture is moved, in frames.
FRAMES = 300
# The best of so many first pictures: what else the machine does costs time, too.
TRIALS = 3


def arc(row, sector):
    """The seats of a row on a part of a circle around the stage."""
    radius = 60 + (row + sector * (ROWS + 2)) * 1.1
    step = 1 / radius
    for number in range(1, SEATS + 1):
        angle = (number - (SEATS + 1) / 2) * step
        yield {"row": row, "from": number, "to": number, "x": round(20 * radius * math.sin(angle), 2),
               "y": round(20 * radius * math.cos(angle), 2), "dx": 0, "dy": 0}


class Seats(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not browser.CHROMIUM:
            raise unittest.SkipTest("KASSA_CHROMIUM names no browser: acceptance/run installs it")
        cls.server = Server()
        cls.addClassCleanup(cls.server.kill)
        cls.organizer = organizer = Partner(cls.server.url, "Harbour Hall", "org")
        shop = {"shop": {"open": True, "payments": ["DOOR"]}}
        checked(requests.patch(f"{cls.server.url}/v1/resources/partners/{organizer.id}", json=shop,
                               headers=organizer.authorization))
        venue = organizer.post("venues", {"name": "Great Hall"})["id"]
        sectors = [{"id": name, "name": name, "rows": [seat for row in range(1, ROWS + 1) for seat in arc(row, at)]}
                   for at, name in enumerate(SECTORS)]
        hall = organizer.post(f"venues/{venue}/maps", {"name": "Great Hall", "sectors": sectors})["id"]
        cls.event = organizer.event("Ten Thousand", venue=venue, map=hall)["id"]
        seats = {str(row): [[1, SEATS]] for row in range(1, ROWS + 1)}
        cls.sets = {name: organizer.post(f"events/{cls.event}/sets", {
            "name": name, "sector": name, "price": price, "seats": seats, "pos": at,
        })["id"] for at, (name, price) in enumerate(SECTORS.items())}
        cls.browser = browser.Browser()
        cls.addClassCleanup(cls.browser.stop)

    def page(self, slower=1):
        """The page where seats are chosen, on a phone; `map` and `page` are its picture and its state."""
        page = self.browser.page("about:blank")
        for method, parameters in {
            "Page.enable": {},
            "Page.bringToFront": {},
            "Emulation.setDeviceMetricsOverride": {"width": 390, "height": 800, "deviceScaleFactor": 2, "mobile": False},
            "Emulation.setCPUThrottlingRate": {"rate": slower},
        }.items():
            self.browser.send(method, page.session, **parameters)
        page.open(f"{self.server.url}/e/{self.event}/seats")
        page.wait_for("performance.getEntriesByName('seats-drawn').length > 0")
        page.evaluate("({ hallMap: globalThis.map, seatsPage: globalThis.page } = document.querySelector('[data-map]')), 0")
        return page

    def mouse(self, page, kind, x, y):
        button = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {"button": "left", "buttons": 1}
        self.browser.send("Input.dispatchMouseEvent", page.session, type=kind, x=x, y=y, **button)

    def key(self, page, name):
        code = {"Enter": 13, "ArrowRight": 39, "ArrowDown": 40}[name]
        for kind in ("keyDown", "keyUp"):
            self.browser.send("Input.dispatchKeyEvent", page.session, type=kind, key=name, windowsVirtualKeyCode=code)

    def seat(self, page, name, row, number):
        """The index of a seat."""
        return page.evaluate(f"map.hall.find('seats.{self.sets[name]}.{row}', '{number}')")

    def click_seat(self, page, seat):
        place = page.evaluate(f"""(() => {{
            map.element.scrollIntoView({{ block: "center" }});
            map.showSeat({seat});
            const [x, y] = map.toScreen(map.hall.x[{seat}], map.hall.y[{seat}]);
            const {{ left, top }} = map.element.getBoundingClientRect();
            return [left + x, top + y];
        }})()""")
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(page, kind, *place)

    def chosen(self, page):
        return page.evaluate("[...page.chosen].sort((one, other) => one - other)")

    def test_the_picture_is_there_and_moves_in_time_on_a_slow_processor(self):
        trials = []
        for _ in range(TRIALS):
            page = self.page(SLOWER)
            trials.append(page.evaluate("performance.measure('first', 'seats-data', 'seats-drawn').duration"))
        first = min(trials)
        resources = page.evaluate("""performance.getEntriesByType("resource")
            .filter(({ name }) => /(hall|seats)[^/]*[.]js$|[/]hall[/]/.test(name))
            .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)""")
        moves = page.evaluate(f"""new Promise((resolve) => {{
            const [intervals, paints] = [[], []];
            map.zoom(6);
            let last = 0;
            const step = (now) => {{
                if (last) intervals.push(now - last);
                if (map.paintMs !== undefined) paints.push(map.paintMs);
                last = now;
                if (intervals.length >= {FRAMES}) return resolve({{ intervals, paints }});
                const turn = intervals.length / 40;
                map.view.x += 60 * Math.cos(turn);
                map.view.y += 40 * Math.sin(turn / 2);
                if (intervals.length % 60 === 59) map.zoom(intervals.length % 120 === 59 ? 0.6 : 1.7);
                map.moved();
                requestAnimationFrame(step);
            }};
            requestAnimationFrame(step);
        }})""")
        at_95 = {name: sorted(values)[int(len(values) * 0.95)] for name, values in moves.items()}
        changes = page.evaluate("""(() => {
            const seats = Array.from({ length: 1000 }, (_, at) => at * 10);
            for (const seat of seats) map.hall.free[seat] = 0;
            const start = performance.now();
            map.update(seats);
            map.paint();
            return performance.now() - start;
        })()""")
        print(f"10,000 seats, processor {SLOWER} times slower: first picture {first:.0f} ms after the data; p95 of {FRAMES} "
              f"frames {at_95['intervals']:.1f} ms apart, {at_95['paints']:.1f} ms of work; 1,000 seats change in "
              f"{changes:.0f} ms; {resources / 1024:.1f} KB of scripts and places", flush=True)
        self.assertLessEqual(first, FIRST_PICTURE_MS * MARGIN)
        self.assertLessEqual(at_95["paints"], FRAME_MS)
        self.assertLessEqual(at_95["intervals"], FRAME_MS * INTERVAL_MARGIN)
        self.assertLessEqual(resources, BYTES_MAX)

    def test_the_picture_the_lists_and_the_keys_show_one_selection(self):
        page = self.page()
        first, second = self.seat(page, "Parterre", 1, 50), self.seat(page, "Parterre", 1, 51)
        self.click_seat(page, first)
        box = f"document.querySelector('input[name=\"seats.{self.sets['Parterre']}.1\"][value=\"%d\"]')"
        self.assertEqual(self.chosen(page), [first])
        self.assertTrue(page.evaluate(box % 50 + ".checked"), "the list shows it")
        page.evaluate(box % 51 + ".click()")
        self.assertEqual(self.chosen(page), [first, second])
        self.assertIn("140", page.evaluate("document.querySelector('[data-summary]').textContent"))
        page.evaluate("map.element.focus()")
        self.key(page, "ArrowRight")
        self.assertEqual(page.evaluate("map.hall.label(map.focused)"), "Parterre, row 1, seat 51")
        said = page.evaluate("document.querySelector('[data-news]').textContent")
        self.assertRegex(said, r"Parterre, row 1, seat 51, .*70.*, chosen")
        self.key(page, "Enter")
        self.assertEqual(self.chosen(page), [first])
        self.assertFalse(page.evaluate(box % 51 + ".checked"))
        page.evaluate("document.querySelector('button[name=\"rows\"][value=\"%s.0\"]').click()" % self.sets["Gallery"])
        other = self.sets["Gallery"]
        page.evaluate(f"document.querySelector('input[name=\"seats.{other}.2\"][value=\"7\"]').click()")
        fields = page.evaluate("[...new FormData(document.querySelector('[data-seats]')).keys()]")
        self.assertEqual(sorted(name for name in fields if name.startswith("seats.")),
                         sorted([f"seats.{self.sets['Parterre']}.1", f"seats.{other}.2"]))

    def test_whoever_loses_a_seat_hears_of_it_and_takes_the_nearest(self):
        page = self.page()
        seat = self.seat(page, "Circle", 3, 20)
        self.click_seat(page, seat)
        self.assertEqual(self.chosen(page), [seat])
        body = {"event": self.event, "seats": {self.sets["Circle"]: {"3": [[20, 20]]}}}
        checked(requests.post(f"{self.server.url}/v2/resources/orders", json=body, headers=self.organizer.authorization))
        start = time.monotonic()
        page.wait_for("document.querySelector('.summary__offers button') !== null")
        print(f"a lost seat is told after {1000 * (time.monotonic() - start):.0f} ms", flush=True)
        self.assertEqual(self.chosen(page), [])
        self.assertIn("Circle, row 3, seat 20", page.evaluate("document.querySelector('[data-news]').textContent"))
        page.evaluate("document.querySelector('.summary__offers button').click()")
        near = [self.seat(page, "Circle", 3, number) for number in (19, 21)]
        self.assertTrue(set(self.chosen(page)) <= set(near) and len(self.chosen(page)) == 1)
        page.evaluate("document.querySelector('[data-reserve]').click()")
        page.wait_for("location.pathname.startsWith('/order/') && document.readyState === 'complete'")
        self.assertIn("Circle", page.evaluate("document.body.textContent"))


if __name__ == "__main__":
    unittest.main()

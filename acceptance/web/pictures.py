"""Draws the pictures of the shop that the documents show: `acceptance/web/run PROGRAM pictures [FOLDER]`.

Each is a page of the demo as Chromium shows it, in docs/pictures unless another folder is named. With `all`, every page
is drawn instead, at three widths, light and dark, to be looked at: `… pictures all FOLDER`.
"""

import io
import os
import pathlib
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

import pages
from conftest import BROWSER_FLAGS, FLAGS
from server import Demo
from shop import Shop
from windows import Windows, wait_for

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "docs/pictures"
BYTES_MAX = 150_000
DESK = {"width": 1440, "height": 1000}
PHONE = {"width": 390, "height": 844, "device_scale_factor": 2}
# Which page is drawn under which name, and how somebody looks at it.
PICTURES = {
    "first-page": ("home", DESK),
    "event": ("event on sale", DESK | {"language": "de"}),
    "organizer": ("organizer", DESK | {"dark": True, "language": "ru"}),
    "checkout": ("cart", DESK),
    "event-on-a-phone": ("event long", PHONE | {"dark": True}),
    "tickets-on-a-phone": ("paid", PHONE),
}
WIDTHS = [360, 768, 1440]


def shoot(windows, path, whole=False, **how):
    """A page as it is shown: a picture."""
    page = windows.open(**how)
    page.goto(path, wait_until="load")
    # What is loaded when somebody scrolls there is loaded now.
    page.evaluate("document.querySelectorAll('img').forEach((it) => { it.loading = 'eager'; })")
    if path.partition("?")[0].endswith("/seats"):
        wait_for(page, "performance.getEntriesByName('seats-drawn').length > 0")
    page.evaluate("() => Promise.all(Array.from(document.images, (it) => it.decode()))")
    picture = Image.open(io.BytesIO(page.screenshot(full_page=whole)))
    page.context.close()
    return picture.convert("RGB")


def draw_for_documents(windows, paths, folder):
    for name, (page, how) in PICTURES.items():
        file = folder / f"{name}.webp"
        shoot(windows, paths[page], **how).save(file, quality=82, method=6)
        size = file.stat().st_size
        assert size < BYTES_MAX, f"{file} has {size} bytes"
        print(file, size)


def draw_all(windows, paths, folder):
    for name, path in paths.items():
        for width in WIDTHS:
            for dark in (False, True):
                file = folder / f"{name.replace(' ', '-')}-{width}-{'dark' if dark else 'light'}.png"
                shoot(windows, path, whole=True, width=width, dark=dark).save(file)
                print(file)


def main(arguments):
    draw = draw_all if arguments[:1] == ["all"] else draw_for_documents
    folder = pathlib.Path(arguments[-1]) if arguments and arguments[-1] != "all" else DOCUMENTS
    folder.mkdir(parents=True, exist_ok=True)
    demo = Demo(*FLAGS)
    shop = Shop(demo)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=os.environ["KASSA_CHROMIUM"], args=BROWSER_FLAGS)
        windows = Windows(chromium, shop.url)
        windows.expect(403, 404, 410)
        draw(windows, pages.find(shop), folder)
        assert windows.faults == [], windows.faults
        chromium.close()
    demo.stop()


if __name__ == "__main__":
    main(sys.argv[1:])

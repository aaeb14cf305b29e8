"""Every page, in every state: accessible by the rules of WCAG, as wide as the window, and within its own policy."""

import pathlib
import subprocess

import pytest

import pages
from accessibility import JAVASCRIPT, violations
from shop import words
from windows import fits, wait_for

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "crates/kassa-web/assets"
COMPILER = ["node", JAVASCRIPT / "typescript/bin/tsc", "--noEmit", "--allowJs", "--checkJs", "--strict"]
COMPILER += ["--target", "es2022", "--lib", "es2022,dom,dom.iterable", "--module", "esnext", "--moduleDetection", "force"]
COMPILER += ["--moduleResolution", "bundler"]


@pytest.fixture
def look(windows, paths):
    """Opens a page by its name."""
    windows.expect(403, 404, 410)

    def look(name, scripts=True, **how):
        page = windows.open(scripts=scripts, **how)
        page.goto(paths[name])
        if scripts and name in pages.SEATS:
            wait_for(page, "performance.getEntriesByName('seats-drawn').length > 0")
        return page

    return look


@pytest.mark.parametrize("name", pages.NAMES)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing(look, name, dark):
    page = look(name, dark=dark)
    assert violations(page) == []


@pytest.mark.parametrize("name", pages.SEATS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_where_seats_are_chosen_without_scripts(look, windows, paths, name, dark):
    assert not look(name, scripts=False).locator("[data-map]").is_visible()
    # The rules are a script themselves: for them, the page gets an empty one in place of its own, and no picture.
    page = windows.open(dark=dark)
    page.route("**/assets/*.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(paths[name])
    page.evaluate("document.querySelector('[data-map]').remove()")
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "de", "ru"])
@pytest.mark.parametrize("name", pages.NAMES)
def test_nothing_is_wider_than_a_small_telephone(look, name, language):
    page = look(name, width=320, height=640, language=language)
    shown = page.locator("html").get_attribute("lang")
    # Pages in frames have their language in their address.
    assert shown == ("en" if name.startswith("framed") or name == "no seller" else language)
    assert fits(page), page.evaluate(WIDE)
    texts = words(shown)
    assert page.locator(".skip").inner_text() == texts["skip-to-content"]


# What sticks out.
WIDE = """[...document.querySelectorAll("body *")]
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 1)
  .map((element) => element.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("name", pages.NAMES)
def test_text_of_twice_the_size_still_fits(look, name):
    # A window of half the width is what somebody has who zooms to 200 %; 400 % of 1280 pixels are the 320 above.
    page = look(name, width=720)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert fits(page), page.evaluate(WIDE)


def test_scripts_have_no_errors_of_types():
    files = sorted(SCRIPTS.glob("*.js"))
    assert files
    ran = subprocess.run([*COMPILER, *files], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr

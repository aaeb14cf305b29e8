"""A demo and a browser for all tests."""

import os

import pytest
from playwright.sync_api import expect, sync_playwright

import pages as all_pages
from server import Demo
from shop import Shop
from windows import PATIENCE_MS, Windows

# Who tests buys more than a person does.
FLAGS = [
    flag
    for limit in (
        "limit-shop-orders",
        "limit-shop-changes",
        "limit-shop-emails",
        "limit-tickets-mails",
        "unpaid-orders-per-email",
        "unpaid-orders-per-address",
        "unpaid-tickets-per-address",
    )
    for flag in (f"--{limit}", "off")
]
BROWSER_FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-proxy-server"]

expect.set_options(timeout=PATIENCE_MS)


@pytest.fixture(scope="session")
def demo():
    demo = Demo(*FLAGS)
    yield demo
    demo.stop()


@pytest.fixture(scope="session")
def shop(demo):
    return Shop(demo)


@pytest.fixture(scope="session")
def paths(shop):
    """A path of each page that the shop has, by its name."""
    return all_pages.find(shop)


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["KASSA_CHROMIUM"], args=BROWSER_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def windows(chromium, shop):
    windows = Windows(chromium, shop.url)
    yield windows
    assert windows.close() == []

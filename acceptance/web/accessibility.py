"""What the rules of WCAG say of a page."""

import os
import pathlib

JAVASCRIPT = pathlib.Path(os.environ["KASSA_JAVASCRIPT"], "node_modules")
AXE = (JAVASCRIPT / "axe-core/axe.min.js").read_text("utf-8")
# All rules of level A and AA, of WCAG 2.0, 2.1 and 2.2.
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page):
    """What is wrong with a page, each in a line; that rules were tried at all is seen by those that hold."""
    page.evaluate(AXE)
    found = page.evaluate("rules => axe.run(document, {runOnly: {type: 'tag', values: rules}})", RULES)
    assert len(found["passes"]) > 10
    return [f"{it['id']}: {node['html']} {node['failureSummary']}" for it in found["violations"] for node in it["nodes"]]

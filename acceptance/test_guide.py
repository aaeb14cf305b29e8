"""The commands in the guide and in README.md, run as they stand there, answer what is shown."""

import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from server import Server

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent
# Commands, and right below them what they print; those without print nothing.
BLOCK = re.compile(r"^```sh\n(.*?)^```\n(?:```(json|text)\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
MARK = "----- the next block"
# Ids, keys, barcodes and times: of the same form every time, and never the same.
CHANGING = re.compile(
    r"[0-9a-f]{24,64}|\d{16}|\d{4}-\d\d-\d\d(?:T[\d:.]+\+00:00| \d\d:\d\d:\d\d)|\d{8}T\d{6}Z"
)


def blocks(page):
    """The commands of a page, each with the kind and the text of what it is said to print."""
    return BLOCK.findall((REPOSITORY / page).read_text(encoding="utf-8"))


def values(text):
    """The JSON values of a text, one after the other."""
    decoder, found = json.JSONDecoder(), []
    while text := text.strip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


class Guide(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.kill)
        # What each id on the page is called in this run.
        self.ids = {}

    def run_in_turn(self, commands):
        """What each of the commands prints; they are one script."""
        script = f"\necho; echo '{MARK}'\n".join(["set -euo pipefail", *commands])
        script = script.replace("http://127.0.0.1:8080", self.server.url)
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        return done.stdout.replace(self.server.url, "http://127.0.0.1:8080").split(MARK)[1:]

    def test_the_guide_shows_what_is_answered(self):
        # All pages are one script, in the order in which the index links them.
        index = (REPOSITORY / "docs/api.md").read_text(encoding="utf-8")
        linked = dict.fromkeys(re.findall(r"\]\((api/[a-z0-9-]+\.md)\)", index))
        pages = ["docs/api.md", *(f"docs/{path}" for path in linked)]
        page = [block for path in pages for block in blocks(path)]
        answers = self.run_in_turn([command for command, _, _ in page])
        self.assertEqual(len(answers), len(page))
        for (command, kind, shown), answer in zip(page, answers):
            with self.subTest(command=command):
                if kind == "json":
                    self.assertShows(values(shown), values(answer), "$")
                else:
                    self.assertHasLines(shown, answer)
        self.server.stop()

    def test_the_readme_sells_two_tickets(self):
        [sale] = [command for command, _, _ in blocks("README.md") if command.startswith("V1=")]
        [answer] = self.run_in_turn([sale])
        self.assertNotIn('"error"', answer)
        self.assertRegex(answer, r'"amount_vacant": 98')
        self.server.stop()

    def assertShows(self, shown, real, where):
        """All that is shown is there; fields and entries may have been left out."""
        if isinstance(shown, dict) and isinstance(real, dict):
            for key, value in shown.items():
                self.assertIn(self.ids.get(key, key), real, where)
                self.assertShows(value, real[self.ids.get(key, key)], f"{where}.{key}")
        elif isinstance(shown, list) and isinstance(real, list):
            self.assertLessEqual(len(shown), len(real), where)
            for at, (one, other) in enumerate(zip(shown, real)):
                self.assertShows(one, other, f"{where}[{at}]")
        elif isinstance(shown, str) and isinstance(real, str) and not where.endswith(".serial"):
            self.assertSame(shown, real, where)
        elif not where.endswith(".serial"):
            self.assertEqual(shown, real, where)

    def assertHasLines(self, shown, answer):
        """The lines that are shown come in this order, with others between them."""
        lines = iter(answer.strip().splitlines())
        for line in shown.strip().splitlines():
            self.assertTrue(any(line == other for other in lines), line)
        if not shown:
            self.assertEqual(answer.strip(), "")

    def assertSame(self, shown, real, where):
        """Two texts that differ in what is never the same; an id stands for one thing on all of the page."""
        self.assertEqual(CHANGING.split(shown), CHANGING.split(real), where)
        for one, other in zip(CHANGING.findall(shown), CHANGING.findall(real)):
            self.assertEqual(len(one), len(other), where)
            if len(one) == 24:
                self.assertEqual(self.ids.setdefault(one, other), other, where)


if __name__ == "__main__":
    unittest.main()

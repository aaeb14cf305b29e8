"""`kassa bench`: it measures, and its sales hold what they promise."""

import json
import os
import subprocess
import tempfile
import unittest

from server import BINARY


class Bench(unittest.TestCase):
    def test_every_quick_work_is_measured_and_sells_nothing_twice(self):
        with tempfile.TemporaryDirectory(prefix="kassa-bench-") as folder:
            figures = os.path.join(folder, "figures.json")
            # It ends with an error when an order is lost or a ticket sold twice.
            ran = subprocess.run([BINARY, "bench", "--quick", "--json", figures], capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, ran.stderr)
            with open(figures, encoding="utf-8") as file:
                document = json.load(file)
        self.assertEqual({row["row"] for row in document["rows"]}, set("acdegi"), ran.stdout)
        for row in document["rows"]:
            self.assertGreater(row["median"], 0, row)
        self.assertGreaterEqual(document["machine"]["cores"], 1)

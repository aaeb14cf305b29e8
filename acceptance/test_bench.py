"""`kassa bench`: it measures, and its sales hold what they promise."""

import glob
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest

from server import BINARY, Server

BENCH = pathlib.Path(__file__).resolve().parent.parent / "bench"
POSTGRESQL = glob.glob("/usr/lib/postgresql/*/bin/pgbench") + glob.glob("/usr/pgsql-*/bin/pgbench")


def figures(*command, **variables):
    """Runs a bench with these flags, and gives its figures by work. It ends with an error when an order is lost or
    a ticket sold twice."""
    with tempfile.TemporaryDirectory(prefix="kassa-bench-") as folder:
        file = os.path.join(folder, "figures.json")
        command = [*command, "--quick", "--json", file]
        ran = subprocess.run(command, env=os.environ | variables, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stderr
        with open(file, encoding="utf-8") as figures:
            return json.load(figures)


class Bench(unittest.TestCase):
    def test_every_quick_work_is_measured_and_sells_nothing_twice(self):
        document = figures(BINARY, "bench")
        rows = document["rows"]
        self.assertEqual({row["row"] for row in rows}, set("abcdegijklmp" if POSTGRESQL else "acdegijlm"), rows)
        for row in rows:
            # Memory may have gone back to the system meanwhile, more than so few streams take.
            if not (row["row"] == "l" and row["unit"] == "MiB"):
                self.assertGreater(row["median"], 0, row)
        self.assertGreaterEqual(document["machine"]["cores"], 1)

    @unittest.skipUnless(POSTGRESQL, "there is no PostgreSQL")
    def test_no_cluster_outlives_an_interrupted_bench(self):
        with tempfile.TemporaryDirectory(prefix="kassa-bench-") as folder:
            # The server of the cluster is another user than root.
            os.chmod(folder, 0o755)
            bench = subprocess.Popen(
                [BINARY, "bench", "--rows", "b"], env=os.environ | {"TMPDIR": folder}, stderr=subprocess.PIPE, text=True
            )
            with bench:
                for line in bench.stderr:
                    if "orders on PostgreSQL, round 1" in line:
                        break
                [pid] = glob.glob(f"{folder}/*/postgres/data/postmaster.pid")
                postmaster = int(pathlib.Path(pid).read_text(encoding="ascii").split()[0])
                os.kill(postmaster, 0)
                bench.send_signal(signal.SIGINT)
                bench.stderr.read()
            self.assertEqual(bench.returncode, 1)
            self.assertEqual(os.listdir(folder), [])
        with self.assertRaises(ProcessLookupError):
            os.kill(postmaster, 0)


class Compare(unittest.TestCase):
    """Another server beside ours."""

    def compare(self, adapter, url):
        rows = figures(BENCH / "compare", str(adapter), url, "--tickets", "500", KASSA_BINARY=BINARY)["rows"]
        return {row["what"].split(",")[0]: row for row in rows}

    def test_our_own_server_sells_as_much_as_ours(self):
        server = Server()
        self.addCleanup(server.kill)
        rows = self.compare(BENCH / "adapters" / "kassa.json", server.url)
        sold = rows["tickets sold of these"]
        self.assertEqual((sold["median"], sold["beside"]), (500, 500))
        self.assertGreater(rows["time to sell 500 contested tickets"]["beside"], 0)
        refused = rows['answers that were neither an order nor "sold out"']
        self.assertEqual((refused["median"], refused["beside"]), (0, 0))
        server.stop()

    def test_a_server_that_never_sells_out_has_no_contest(self):
        echo = subprocess.Popen([BINARY, "echo"], stderr=subprocess.PIPE, text=True)
        with echo:
            self.addCleanup(echo.kill)
            url = echo.stderr.readline().split("url=")[1].strip()
            order = {"method": "POST", "path": "/orders", "json": {"buyer": "buyer-{n}@kassa.test"}}
            answer = {"method": "PUT", "path": "/orders", "text": '{"id": "{run}"}'}
            rows = self.compared({"name": "Echo", "setup": [answer], "order": order}, url)
            self.assertGreater(rows["orders"]["beside"], rows["orders"]["median"])
            self.assertNotIn("tickets sold of these", rows)
            echo.kill()

    def compared(self, adapter, url):
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file:
            json.dump(adapter, file)
            file.flush()
            return self.compare(file.name, url)


class Profile(unittest.TestCase):
    """What bench/profile makes of stacks, innermost function first."""

    def test_the_innermost_function_that_says_what_is_done_decides(self):
        loader = importlib.machinery.SourceFileLoader("profile", str(BENCH / "profile"))
        profile = importlib.util.module_from_spec(importlib.util.spec_from_loader("profile", loader))
        loader.exec_module(profile)
        text = (
            "lane \n\t  7f00 memcpy\n\t  5a0 <kassa_domain::order::create::CreateOrder as "
            "kassa_domain::command::Command>::decide\n\t  5b0 kassa_store::sqlite::writer::SqliteWriter::transact\n\n"
            "lane \n\t  ff00 __x64_sys_fdatasync\n\t  7f01 fdatasync\n\n"
            "tokio-rt-worker \n\t  5c0 nobody_knows\n"
        ).splitlines()
        stages = [profile.stage_of(stack) for stack in profile.stacks(text)]
        self.assertEqual(stages, ["decide", "fsync", "other"])

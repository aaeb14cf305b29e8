"""Thousands of strange requests, made of the OpenAPI documents: no answer is a failure of the server, and
each is as its document says.

The requests are the same in each run, but for ids, which the server makes. They are sent by a partner with its key, and by
a user with the cookie of a session: each time to a new demo, so that none finds what another has left.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import requests

from server import Demo

HERE = pathlib.Path(__file__).parent
# What all runs have in common.
CONFIG = """
hooks = "strange_requests"
continue-on-failure = true
color = false
warnings = false

[generation]
deterministic = true
no-shrink = true

[phases.stateful]
enabled = false
"""
# A caller that takes its own credential away would hear of nothing else from there on. And a stream has no end.
EXCLUDED = {"key": "remove_api_key", "cookie": "log_out"}
ENDLESS = ["stream_changes", "stream_availability"]
# Random requests for each operation, and as many that are wrong by design; those that go through all
# edges of what the document says come on top.
EXAMPLES = int(os.environ.get("KASSA_STRANGE_REQUESTS", "5"))


class StrangeRequests(unittest.TestCase):
    def test_version_1_with_a_key(self):
        self.send("/openapi.json", "organizer", "key", 8000)

    def test_version_1_with_a_cookie(self):
        self.send("/openapi.json", "agent", "cookie", 8000)

    def test_version_2_with_a_key(self):
        self.send("/v2/openapi.json", "agent", "key", 1200)

    def test_version_2_with_a_cookie(self):
        self.send("/v2/openapi.json", "organizer", "cookie", 1200)

    def send(self, document, role, caller, least):
        """Sends them all as a partner with this role and this kind of credential; they are at least so many."""
        demo = Demo(KASSA_RATE_LIMIT="off")
        self.addCleanup(demo.stop)
        command = [sys.executable, "-m", "schemathesis.cli"]
        command += ["run", demo.url + document, "--max-examples", str(EXAMPLES)]
        for operation in [EXCLUDED[caller], *ENDLESS]:
            command += ["--exclude-operation-id", operation]
        variables = os.environ | {"CALLER": caller, "PYTHONPATH": str(HERE)}
        with tempfile.TemporaryDirectory() as folder:
            config = pathlib.Path(folder, "schemathesis.toml")
            config.write_text(CONFIG + credential(demo, role, caller))
            ran = subprocess.run(command, env=variables, capture_output=True, text=True, cwd=folder)
        said = "\n".join(line[:1000] for line in (ran.stdout + ran.stderr).splitlines())
        self.assertEqual(ran.returncode, 0, said)
        sent = int(re.search(r"(\d+) generated", ran.stdout)[1])
        self.assertGreater(sent, least, said)


def credential(demo, role, caller):
    """How a partner of the demo shows who it is."""
    email, value = demo.credentials(role)
    if caller == "key":
        value = f"key {value}"
    else:
        account = {"email": email, "password": "kassa-demo"}
        value = requests.post(f"{demo.url}/v1/services/whoami", json=account).cookies["auth_tkt"]
    return f'[auth.openapi]\n{caller} = {{ api_key = "{value}" }}\n'

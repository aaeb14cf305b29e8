"""Backups that a server makes in a bucket of a server that speaks S3."""

import os
import pathlib
import re
import subprocess
import tempfile
import time
import unittest

import requests

from catalogue import Partner
from s3 import S3
from server import BINARY, Server

BUCKET = "backups"
NAME = re.compile(r"kassa/kassa-[0-9a-f]{8}-\d{8}T\d{6}Z\.tar")
# Of another installation, which has the same prefix.
FOREIGN = "kassa/kassa-ffffffff-20200101T000000Z.tar"


class Backups(unittest.TestCase):
    tls = False

    def setUp(self):
        self.s3 = S3(self.tls)
        self.addCleanup(self.s3.stop)

    def wait_for(self, what, look):
        """Looks until there is something, and gives it."""
        deadline = time.monotonic() + 60
        while not (found := look()):
            self.assertLess(time.monotonic(), deadline, f"not within a minute: {what}")
            time.sleep(0.05)
        return found

    def objects(self):
        listed = self.s3.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])
        return {entry["Key"]: entry["Size"] for entry in listed}

    def test_backups_go_there_and_can_be_restored(self):
        place = ("--backup-every", "1s", "--backup-keep", "1h", "--backup-to", f"s3://{BUCKET}/kassa")
        server = Server(*place, "--s3-endpoint", self.s3.endpoint, **self.s3.variables)
        self.addCleanup(server.kill)
        self.wait_for("the bucket is missed", lambda: [line for line in server.log if "there is no new backup" in line])
        self.s3.client.create_bucket(Bucket=BUCKET)
        self.s3.client.put_object(Bucket=BUCKET, Key=FOREIGN, Body=b"of somebody else")
        self.wait_for("it is found", lambda: [line for line in server.log if "backups can be made again" in line])

        partner = Partner(server.url, "Harbour Hall", "org")
        event = partner.event("Concert")
        # Together they are more than a part of an upload.
        contents = [os.urandom(12_000_001) for _ in range(2)]
        headers = partner.authorization | {"Content-Type": "application/pdf"}
        for content in contents:
            made = requests.post(f"{partner.url}/v1/resources/attachments", data=content, headers=headers)
            self.assertEqual(made.status_code, 200, made.text)
        backups = lambda: [key for key, size in self.objects().items() if size > 24_000_000]
        [name, *_] = self.wait_for("one has both", backups)
        self.assertRegex(name, NAME)
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            file, data = folder / "backup.tar", folder / "data"
            self.wait_for("it is there to read", lambda: self.download(backups, file))
            self.kassa("restore", "--verify", str(file))
            data.mkdir()
            (data / "secret").write_bytes((pathlib.Path(server.folder.name) / "secret").read_bytes())
            # One that is not replaced by the next while it is read.
            self.s3.client.upload_file(str(file), BUCKET, "kept/monday.tar")
            kept = (f"s3://{BUCKET}/kept/monday.tar", "--data", str(data), "--s3-endpoint", self.s3.endpoint)
            self.kassa("restore", "--verify", *kept)
            self.kassa("restore", *kept)
            self.kassa("verify", "--data", str(data))
            orders = self.kassa("changes", "--data", str(data), "--event", event["id"])
            self.assertIn("event.created", orders)
            stored = {path.read_bytes() for path in (data / "files").rglob("*") if path.is_file()}
            self.assertEqual(stored, set(contents))
        server.stop()
        left = self.objects()
        # One of each hour, and two where an hour has ended meanwhile.
        self.assertIn(len([key for key in left if NAME.fullmatch(key) and key != FOREIGN]), (1, 2), left)
        self.assertIn(FOREIGN, left)
        log = [line for line in server.log if " backup" in line and " WARN " in line]
        self.assertEqual(len(log), 1, log)

    def download(self, backups, file):
        """The newest of them, unless the next one has taken its place meanwhile."""
        try:
            self.s3.client.download_file(BUCKET, sorted(backups())[-1], str(file))
            return True
        except (IndexError, self.s3.client.exceptions.ClientError):
            return False

    def kassa(self, *words):
        done = subprocess.run([BINARY, *words], env=os.environ | self.s3.variables, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


if __name__ == "__main__":
    unittest.main()

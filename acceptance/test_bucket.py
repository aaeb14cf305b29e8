"""Attachments in a bucket of a server that speaks S3."""

import hashlib
import os
import subprocess
import unittest

import requests

from catalogue import Partner
from s3 import S3
from server import Server

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUCKET = "attachments"


class Bucket(unittest.TestCase):
    """Over plain HTTP."""

    tls = False

    @classmethod
    def setUpClass(cls):
        cls.s3 = S3(cls.tls)
        cls.addClassCleanup(cls.s3.stop)
        cls.s3.client.create_bucket(Bucket=BUCKET)

    def serve(self, bucket=BUCKET):
        """The program with its files in a bucket, and a partner on it."""
        flags = ("--files", f"s3://{bucket}/kassa", "--s3-endpoint", self.s3.endpoint)
        server = Server(*flags, **self.s3.variables)
        self.addCleanup(server.kill)
        return server, Partner(server.url, "Harbour Hall", "org")

    def upload(self, partner, content, content_type):
        headers = partner.authorization | {"Content-Type": content_type}
        return requests.post(f"{partner.url}/v1/resources/attachments", data=content, headers=headers)

    def test_an_attachment_goes_there_and_comes_back(self):
        server, partner = self.serve()
        # The second is sent to the bucket in three parts.
        for content in (b"a ticket", os.urandom(12_000_001)):
            made = self.upload(partner, content, "application/pdf")
            self.assertEqual(made.status_code, 200, made.text)
            attachment = made.json()
            md5 = hashlib.md5(content).hexdigest()
            self.assertEqual((attachment["length"], attachment["md5"]), (len(content), md5))
            self.assertIsInBucket(attachment["url"], content)
            self.assertIsServed(attachment["url"], content, md5)
        server.stop()

    def assertIsInBucket(self, url, content):
        token = url.rsplit("/", 1)[1]
        stored = self.s3.client.get_object(Bucket=BUCKET, Key=f"kassa/{token[:2]}/{token}")
        self.assertEqual(stored["Body"].read(), content)

    def assertIsServed(self, url, content, md5):
        whole = requests.get(url)
        self.assertEqual((whole.status_code, whole.headers["ETag"]), (200, f'"{md5}"'))
        self.assertEqual(whole.content, content)
        head = requests.head(url)
        self.assertEqual((head.status_code, head.headers["Content-Length"]), (200, str(len(content))))
        self.assertEqual((head.headers["Content-Type"], head.content), ("application/pdf", b""))
        middle = len(content) // 2
        for wanted, part in ((f"{middle}-", content[middle:]), ("1-3", content[1:4]), ("-2", content[-2:])):
            ranged = requests.get(url, headers={"Range": f"bytes={wanted}"})
            self.assertEqual((ranged.status_code, ranged.content), (206, part), wanted)
        beyond = requests.get(url, headers={"Range": f"bytes={len(content)}-"})
        self.assertEqual((beyond.status_code, beyond.json()["code"]), (416, "range"))
        known = requests.get(url, headers={"If-None-Match": f'"{md5}"'})
        self.assertEqual((known.status_code, known.content), (304, b""))

    def test_without_the_bucket_uploads_are_refused_and_all_else_works(self):
        server, partner = self.serve("no-such-bucket")
        refused = self.upload(partner, b"a ticket", "text/plain")
        self.assertEqual((refused.status_code, refused.json()["code"]), (503, "unavailable"))
        self.assertEqual(partner.event("Concert")["status"], "public")
        server.stop()

    def test_the_suite_for_every_place_of_files_passes(self):
        suite = ["cargo", "test", "--quiet", "--workspace", "--test", "files"]
        place = {"KASSA_TEST_FILES_S3": f"{self.s3.endpoint}/{BUCKET}"}
        environment = os.environ | self.s3.variables | place
        done = subprocess.run(suite, cwd=REPOSITORY, env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


class BucketOverTls(Bucket):
    """Over TLS, under an authority that SSL_CERT_FILE names."""

    tls = True


if __name__ == "__main__":
    unittest.main()

"""What an order's holder receives, as programs of others read it: Poppler a PDF, ZBar its barcodes."""

import email
import email.policy
import pathlib
import subprocess
import tempfile
import time
from dataclasses import dataclass

PATIENCE_SECONDS = 60


def run(*command):
    # Poppler prints titles of headings as they stand in the file, in UTF-16.
    output = subprocess.run(command, check=True, capture_output=True).stdout
    return output.decode("utf-8", errors="replace")


@dataclass
class Pdf:
    """A PDF as it was read: what is said of it, its structure, and of each page the barcodes and the text."""

    info: dict
    structure: str
    barcodes: list
    texts: list

    @classmethod
    def read(cls, contents):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "tickets.pdf")
            path.write_bytes(contents)
            lines = (line.split(":", 1) for line in run("pdfinfo", path).splitlines() if ":" in line)
            info = {name: value.strip() for name, value in lines}
            run("pdftoppm", "-r", "100", "-gray", "-png", path, pathlib.Path(folder, "page"))
            pages = sorted(pathlib.Path(folder).glob("page*.png"))
            barcodes = [run("zbarimg", "--quiet", "--raw", "-S*.disable", "-Sqrcode.enable", page).split() for page in pages]
            numbers = (str(number) for number in range(1, len(pages) + 1))
            texts = [run("pdftotext", "-f", number, "-l", number, path, "-") for number in numbers]
            return cls(info, run("pdfinfo", "-struct-text", path), barcodes, texts)


def mail_to(outbox, address):
    """Waits for a mail with tickets to somebody, and gives its files by name."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        files = (path.read_bytes() for path in pathlib.Path(outbox).glob("*.eml"))
        for mail in (email.message_from_bytes(file, policy=email.policy.default) for file in files):
            attached = {part.get_filename(): part.get_payload(decode=True) for part in mail.iter_attachments()}
            if mail["To"] == address and attached:
                return attached
        time.sleep(0.1)
    raise AssertionError(f"no tickets were mailed to {address} within {PATIENCE_SECONDS} s")

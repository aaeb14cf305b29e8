//! The digest of an archive: SHA-256 over all bytes before its last entry, which holds it.

use std::io::{self, Read, Write};

use kassa_domain::hex;
use sha2::{Digest as _, Sha256};

/// Writes, and knows the digest of what was written.
pub(super) struct DigestWriter<W> {
    inner: W,
    digest: Sha256,
}

impl<W: Write> DigestWriter<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, digest: Sha256::new() }
    }

    /// Of all that was written until now, in hexadecimal digits.
    pub(super) fn hex_digest(&self) -> String {
        hex::encode(&self.digest.clone().finalize())
    }

    pub(super) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for DigestWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Of so many bytes.
pub(super) fn digest_of_prefix(bytes: impl Read, length: u64) -> io::Result<String> {
    let mut digested = DigestWriter::new(io::sink());
    io::copy(&mut bytes.take(length), &mut digested)?;
    Ok(digested.hex_digest())
}

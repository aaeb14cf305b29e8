//! The digest of an archive: SHA-256 over all bytes before its last entry, which holds it.

use std::io::{self, Read, Write};

use kassa_domain::hex;
use sha2::{Digest as _, Sha256};

/// Writes, and knows the digest of what was written.
pub(super) struct Digested<W> {
    inner: W,
    digest: Sha256,
}

impl<W: Write> Digested<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, digest: Sha256::new() }
    }

    /// Of all that was written until now, in hexadecimal digits.
    pub(super) fn so_far(&self) -> String {
        hex::text(&self.digest.clone().finalize())
    }

    pub(super) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for Digested<W> {
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
pub(super) fn of(bytes: impl Read, length: u64) -> io::Result<String> {
    let mut digested = Digested::new(io::sink());
    io::copy(&mut bytes.take(length), &mut digested)?;
    Ok(digested.so_far())
}

//! The digest of an archive: SHA-256 over all bytes before its last entry, which holds it.

use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

use kassa_domain::hex;
use sha2::{Digest as _, Sha256};

/// What comes before each entry of an archive, in bytes.
const HEADER_BYTES: usize = 512;

/// Writes, and knows the digest and the number of what was written.
pub(super) struct DigestWriter<W> {
    inner: W,
    digest: Sha256,
    length: u64,
}

impl<W: Write> DigestWriter<W> {
    pub(super) fn new(inner: W) -> Self {
        Self { inner, digest: Sha256::new(), length: 0 }
    }

    /// Of all that was written until now, in hexadecimal digits.
    pub(super) fn hex_digest(&self) -> String {
        hex::encode(&self.digest.clone().finalize())
    }

    /// How many bytes were written.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    pub(super) fn into_inner(self) -> W {
        self.inner
    }
}

impl<W: Write> Write for DigestWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.digest.update(&bytes[..written]);
        self.length += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Reads, and knows the digest of what was read, but for its last [`HEADER_BYTES`]: once the head of the last entry was read,
/// that of all before it.
pub(super) struct DigestReader<R> {
    inner: R,
    digest: SharedDigest,
}

/// The digest of a reader that somebody else holds.
#[derive(Clone, Default)]
pub(super) struct SharedDigest(Rc<RefCell<LaggingDigest>>);

#[derive(Default)]
struct LaggingDigest {
    digest: Sha256,
    length: u64,
    /// What was read last, and is not in the digest.
    tail: Vec<u8>,
}

impl<R: Read> DigestReader<R> {
    pub(super) fn new(inner: R) -> (Self, SharedDigest) {
        let digest = SharedDigest::default();
        (Self { inner, digest: digest.clone() }, digest)
    }
}

impl SharedDigest {
    /// The digest of the bytes before this position, if the head there is the last that was read.
    pub(super) fn hex_digest_before(&self, position: u64) -> Option<String> {
        let state = self.0.borrow();
        (state.length == position).then(|| hex::encode(&state.digest.clone().finalize()))
    }
}

impl<R: Read> Read for DigestReader<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        let mut state = self.digest.0.borrow_mut();
        state.tail.extend_from_slice(&bytes[..read]);
        let settled = state.tail.len().saturating_sub(HEADER_BYTES);
        let tail = state.tail.split_off(settled);
        let settled = std::mem::replace(&mut state.tail, tail);
        state.digest.update(&settled);
        state.length += settled.len() as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reader_knows_the_digest_of_what_is_before_the_last_head() {
        let bytes: Vec<u8> = (0..=255).cycle().take(5_000).collect();
        for before in [0, 1, 511, 512, 1_024, 4_488] {
            let (mut reader, digest) = DigestReader::new(&bytes[..before + HEADER_BYTES]);
            io::copy(&mut reader, &mut io::sink()).unwrap();
            let mut writer = DigestWriter::new(io::sink());
            writer.write_all(&bytes[..before]).unwrap();
            assert_eq!(digest.hex_digest_before(before as u64), Some(writer.hex_digest()), "{before}");
            assert_eq!(digest.hex_digest_before(before as u64 + 1), None);
        }
    }
}

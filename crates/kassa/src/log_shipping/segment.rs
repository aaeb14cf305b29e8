//! A segment as bytes: what was written, with a digest of all before it.
//!
//! All numbers are little-endian: [`MAGIC`], the length of a page (u32), the pages of the database (u32), how many pages
//! follow (u32); each page with its number before it (u32); SHA-256 of all before.

use std::collections::BTreeMap;

use kassa_store::sqlite::LogPages;
use sha2::{Digest as _, Sha256};

const MAGIC: &[u8] = b"kassa pages 1\n";
const DIGEST_BYTES: usize = 32;
const NUMBER_BYTES: usize = size_of::<u32>();

/// What is no segment, or not as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is damaged: it holds other bytes than were written")]
pub(super) struct DamagedSegment;

pub(super) fn encode(pages: &LogPages) -> Vec<u8> {
    let page_bytes = pages.page_bytes;
    let count = pages.pages.len();
    let mut bytes = Vec::with_capacity(MAGIC.len() + 64 + count * (NUMBER_BYTES + page_bytes));
    bytes.extend_from_slice(MAGIC);
    for number in [short(page_bytes), pages.database_pages, short(count)] {
        bytes.extend_from_slice(&number.to_le_bytes());
    }
    for (number, page) in &pages.pages {
        bytes.extend_from_slice(&number.to_le_bytes());
        bytes.extend_from_slice(page);
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend_from_slice(&digest);
    bytes
}

pub(super) fn decode(bytes: &[u8]) -> Result<LogPages, DamagedSegment> {
    let (content, digest) = bytes.split_last_chunk::<DIGEST_BYTES>().ok_or(DamagedSegment)?;
    if Sha256::digest(content).as_slice() != digest {
        return Err(DamagedSegment);
    }
    let mut rest = content.strip_prefix(MAGIC).ok_or(DamagedSegment)?;
    let number = |rest: &mut &[u8]| {
        let (number, others) = rest.split_first_chunk().ok_or(DamagedSegment)?;
        *rest = others;
        Ok(u32::from_le_bytes(*number))
    };
    let (page_bytes, database_pages, count) = (number(&mut rest)?, number(&mut rest)?, number(&mut rest)?);
    let page_bytes = usize::try_from(page_bytes).map_err(|_| DamagedSegment)?;
    let mut pages = BTreeMap::new();
    for _ in 0..count {
        let page = number(&mut rest)?;
        let (bytes, others) = rest.split_at_checked(page_bytes).ok_or(DamagedSegment)?;
        pages.insert(page, bytes.into());
        rest = others;
    }
    if rest.is_empty() { Ok(LogPages { page_bytes, database_pages, pages }) } else { Err(DamagedSegment) }
}

/// Lengths of pages and counts of them are below 2^32, as SQLite has them.
fn short(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_is_read_as_it_was_written_or_not_at_all() {
        let pages = [(1, vec![1; 512].into()), (900, vec![9; 512].into())].into();
        let pages = LogPages { page_bytes: 512, database_pages: 901, pages };
        let bytes = encode(&pages);
        assert_eq!(decode(&bytes), Ok(pages));
        for cut in [0, 10, bytes.len() - 1] {
            assert_eq!(decode(&bytes[..cut]), Err(DamagedSegment), "{cut}");
        }
        for at in [0, 20, 600, bytes.len() - 1] {
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_eq!(decode(&other), Err(DamagedSegment), "{at}");
        }
    }
}

//! Columns whose bytes repeat themselves, compressed: what a batch writes is copied into the file once more, and whoever waits
//! for a commit meanwhile waits for that.

use std::borrow::Cow;

use crate::cell::Cell;
use crate::error::StoreError;

/// Stands before bytes that are compressed. A program from before step 17 of the schema reads it as a number of changes that no
/// batch has, and says so; what such a program has written never begins with it.
const COMPRESSED: [u8; 5] = [0xff, 0xff, 0xff, 0xff, 0x0f];
/// LZ4 makes no more of a byte.
const RATIO_MAX: usize = 255;

/// A cell as it is stored.
pub(super) fn compress(cell: &Cell<'_>) -> Cell<'static> {
    let Cell::Blob(bytes) = cell else { return cell.borrowed().into_owned() };
    let mut stored = COMPRESSED.to_vec();
    stored.extend(lz4_flex::compress_prepend_size(bytes));
    Cell::Blob(stored.into())
}

/// The bytes of a cell.
pub(super) fn decompress(stored: &[u8]) -> Result<Cow<'_, [u8]>, StoreError> {
    let Some(compressed) = stored.strip_prefix(&COMPRESSED) else { return Ok(stored.into()) };
    let corrupt = |reason: &str| StoreError::Corrupt(format!("compressed bytes: {reason}"));
    let (length, block) = compressed.split_first_chunk().ok_or_else(|| corrupt("too few"))?;
    let length = u32::from_le_bytes(*length) as usize;
    if length > block.len().saturating_mul(RATIO_MAX) {
        return Err(corrupt("too few for what they should be"));
    }
    let bytes = lz4_flex::decompress(block, length).map_err(|error| corrupt(&error.to_string()))?;
    if bytes.len() == length { Ok(bytes.into()) } else { Err(corrupt("fewer than they should be")) }
}

#[cfg(test)]
mod tests {
    use kassa_domain::change::Change;

    use super::*;

    fn compressed(bytes: &[u8]) -> Vec<u8> {
        let Cell::Blob(stored) = compress(&bytes.into()) else { panic!("no bytes") };
        stored.into_owned()
    }

    #[test]
    fn what_is_compressed_is_read_as_it_was() {
        let long: Vec<u8> = (0..5_000_u32).flat_map(|at| [7, 7, 7, at.to_le_bytes()[0] / 100]).collect();
        for bytes in [&[][..], &[0], &[1, 2, 3], &COMPRESSED, &long, &vec![0; 100_000]] {
            assert_eq!(decompress(&compressed(bytes)).unwrap(), bytes);
        }
        assert!(compressed(&long).len() * 3 < long.len());
    }

    #[test]
    fn what_was_written_before_is_read_as_it_is() {
        for stored in [&[][..], &[1, 0, 9], &[0xff, 0xff, 0xff, 0xff]] {
            assert_eq!(decompress(stored).unwrap(), stored);
        }
    }

    #[test]
    fn a_program_that_does_not_know_it_reads_no_changes() {
        let changes: Vec<Change> = Vec::new();
        let stored = compressed(&postcard::to_allocvec(&changes).unwrap());
        assert!(postcard::from_bytes::<Vec<Change>>(&stored).is_err());
    }

    #[test]
    fn what_is_not_whole_is_corrupt() {
        let whole = compressed(&[7; 100]);
        let mut longer = whole.clone();
        longer[COMPRESSED.len()] += 1;
        let mut huge = whole.clone();
        huge[COMPRESSED.len() + 3] = 0xff;
        for stored in [&whole[..COMPRESSED.len()], &whole[..8], &whole[..whole.len() - 1], &longer, &huge] {
            assert!(matches!(decompress(stored), Err(StoreError::Corrupt(_))), "{stored:?}");
        }
    }
}

//! Columns whose bytes repeat themselves, compressed: what a batch writes is copied into the file once more, and whoever waits
//! for a commit meanwhile waits for that.

use std::borrow::Cow;

use crate::cell::Cell;
use crate::error::StoreError;

/// Stands before bytes that are compressed. What was written before step 17 of the schema begins with the number of its changes,
/// one at least.
const COMPRESSED: u8 = 0;
/// The length of what is compressed, as it stands before it.
const LENGTH_BYTES: usize = size_of::<u32>();
/// More than any batch states.
const UNPACKED_BYTES_MAX: usize = 256 * 1024 * 1024;

/// A cell as it is stored.
pub(super) fn pack(cell: &Cell<'_>) -> Cell<'static> {
    let Cell::Blob(bytes) = cell else { return cell.borrowed().into_owned() };
    let mut packed = vec![COMPRESSED];
    packed.extend(lz4_flex::compress_prepend_size(bytes));
    Cell::Blob(packed.into())
}

/// The bytes of a cell.
pub(super) fn unpack(stored: &[u8]) -> Result<Cow<'_, [u8]>, StoreError> {
    let Some((&COMPRESSED, packed)) = stored.split_first() else { return Ok(stored.into()) };
    let corrupt = |reason: &str| StoreError::Corrupt(format!("packed bytes: {reason}"));
    let length = packed.first_chunk::<LENGTH_BYTES>().ok_or_else(|| corrupt("too few"))?;
    if u32::from_le_bytes(*length) as usize > UNPACKED_BYTES_MAX {
        return Err(corrupt("too many"));
    }
    let bytes = lz4_flex::decompress_size_prepended(packed).map_err(|error| corrupt(&error.to_string()))?;
    Ok(bytes.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let Cell::Blob(packed) = pack(&bytes.into()) else { panic!("no bytes") };
        packed.into_owned()
    }

    #[test]
    fn what_is_packed_is_read_as_it_was() {
        let long: Vec<u8> = (0..5_000_u32).flat_map(|at| [7, 7, 7, at.to_le_bytes()[0] / 100]).collect();
        for bytes in [&[][..], &[0], &[1, 2, 3], &long] {
            assert_eq!(unpack(&packed(bytes)).unwrap(), bytes);
        }
        assert!(packed(&long).len() * 3 < long.len());
    }

    #[test]
    fn what_was_written_before_is_read_as_it_is() {
        assert_eq!(unpack(&[1, 0, 9]).unwrap(), &[1, 0, 9][..]);
        assert!(unpack(&[]).unwrap().is_empty());
    }

    #[test]
    fn what_is_no_packed_bytes_is_corrupt() {
        let mut broken = packed(&[7; 100]);
        broken.truncate(8);
        for stored in [&[0][..], &[0, 1, 2], &[0, 255, 255, 255, 255, 1], &broken] {
            assert!(matches!(unpack(stored), Err(StoreError::Corrupt(_))), "{stored:?}");
        }
    }
}

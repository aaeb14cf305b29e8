//! Barcodes as QR codes.

use qrcodegen::{QrCode, QrCodeEcc};

/// Modules of white that readers want around a code.
pub(crate) const QUIET_MODULES: u8 = 4;

/// Dark modules that lie beside each other in a row: row, first, count.
pub(crate) type Run = (u16, u16, u16);

/// The side of the code of a barcode, in modules, and its dark ones; `None` when it is too long for one.
pub(crate) fn modules(barcode: &str) -> Option<(u16, Vec<Run>)> {
    let code = QrCode::encode_text(barcode, QrCodeEcc::Quartile).ok()?;
    let side = u16::try_from(code.size()).ok()?;
    let is_dark = |x: u16, y: u16| code.get_module(i32::from(x), i32::from(y));
    let mut runs: Vec<Run> = Vec::new();
    for y in 0..side {
        for x in (0..side).filter(|x| is_dark(*x, y)) {
            match runs.last_mut() {
                Some((row, first, count)) if *row == y && *first + *count == x => *count += 1,
                _ => runs.push((y, x, 1)),
            }
        }
    }
    Some((side, runs))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_dark_modules() {
        let barcode = "6291041500213042";
        let (side, runs) = modules(barcode).unwrap();
        let code = QrCode::encode_text(barcode, QrCodeEcc::Quartile).unwrap();
        let dark = |x: u16, y: u16| runs.iter().any(|(row, first, n)| *row == y && (*first..first + n).contains(&x));
        assert_eq!(i32::from(side), code.size());
        for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
            assert_eq!(dark(x, y), code.get_module(i32::from(x), i32::from(y)), "{x} {y}");
        }
        assert!(modules(&"x".repeat(5_000)).is_none());
    }
}

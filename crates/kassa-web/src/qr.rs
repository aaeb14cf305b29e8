//! A text as a QR code: a picture of the page's own.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// Modules of white that readers want around a code.
const QUIET: i32 = 4;

/// A QR code, as the path of an SVG whose unit is a module.
#[derive(Debug)]
pub(crate) struct QrPicture {
    /// The side with what is white around it, in modules.
    pub(crate) side: i32,
    pub(crate) path: String,
}

/// The code of a text; `None` if it is too long for one.
pub(crate) fn qr_of(text: &str) -> Option<QrPicture> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).ok()?;
    let mut path = String::new();
    for y in 0..code.size() {
        for x in (0..code.size()).filter(|x| code.get_module(*x, y)) {
            // Writing to a string cannot fail.
            let _ = write!(path, "M{} {}h1v1h-1z", x + QUIET, y + QUIET);
        }
    }
    Some(QrPicture { side: code.size() + 2 * QUIET, path })
}

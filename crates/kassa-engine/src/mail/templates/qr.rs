//! Barcodes as QR codes, in pictures that every mail program shows: PNG, black and white, one bit
//! for each dot.

use std::io::{self, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use qrcodegen::{QrCode, QrCodeEcc};

/// Dots of one module, each way.
const SCALE: usize = 8;
/// Modules of white that readers want around a code.
const MARGIN: usize = 4;

/// The picture of a barcode; `None` when it is too long for one.
pub(super) fn png_of_barcode(barcode: &str) -> Option<Vec<u8>> {
    let code = QrCode::encode_text(barcode, QrCodeEcc::Quartile).ok()?;
    let side = (usize::try_from(code.size()).ok()? + 2 * MARGIN) * SCALE;
    let module = |dot: usize| i32::try_from(dot / SCALE).unwrap_or(0) - i32::try_from(MARGIN).unwrap_or(0);
    // Modules outside of the code are light.
    let light = |x, y| !code.get_module(module(x), module(y));
    encode_png(side, light).ok()
}

/// A square picture of dots that are light or dark.
fn encode_png(side: usize, light: impl Fn(usize, usize) -> bool) -> io::Result<Vec<u8>> {
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::default());
    for y in 0..side {
        // Each row begins with its filter: none.
        let mut row = vec![0];
        for first in (0..side).step_by(8) {
            let bit = |at: usize| u8::from(first + at < side && light(first + at, y)) << (7 - at);
            row.push((0..8).map(bit).sum());
        }
        pixels.write_all(&row)?;
    }
    let side = u32::try_from(side).map_err(io::Error::other)?.to_be_bytes();
    // One bit for each dot, shades of grey; then compression, filters and interlacing as usual.
    let header = [&side[..], &side, &[1, 0, 0, 0, 0]].concat();
    let parts = [png_chunk(*b"IHDR", &header)?, png_chunk(*b"IDAT", &pixels.finish()?)?, png_chunk(*b"IEND", &[])?];
    Ok([b"\x89PNG\r\n\x1a\n".to_vec(), parts.concat()].concat())
}

/// A part of a picture: its length, its kind, its bytes, and the checksum of the latter two.
fn png_chunk(kind: [u8; 4], bytes: &[u8]) -> io::Result<Vec<u8>> {
    let length = u32::try_from(bytes.len()).map_err(io::Error::other)?;
    let body = [&kind[..], bytes].concat();
    let mut crc = Crc::new();
    crc.update(&body);
    Ok([&length.to_be_bytes()[..], &body, &crc.sum().to_be_bytes()].concat())
}

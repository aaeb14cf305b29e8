//! Pictures for covers and logos: a light in a sky that fades from one colour into another.

use std::io::{self, Write as _};

use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

const LIGHT: Colour = [255, 236, 179];

/// Draws a PNG (RFC 2083) of so many pixels.
pub(super) fn draw_png(width: u32, height: u32, sky: [Colour; 2]) -> io::Result<Vec<u8>> {
    // Eight bits each of red, green and blue; no interlacing.
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let mut pixels = ZlibEncoder::new(Vec::new(), Compression::fast());
    for y in 0..height {
        // Each row begins with its filter: none.
        pixels.write_all(&[0])?;
        let background = blend(sky, y, height);
        for x in 0..width {
            pixels.write_all(if is_light(x, y, width, height) { &LIGHT } else { &background })?;
        }
    }
    let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, data) in [(b"IHDR", header), (b"IDAT", pixels.finish()?), (b"IEND", Vec::new())] {
        write_chunk(&mut png, *kind, &data)?;
    }
    Ok(png)
}

/// The colour at a height.
fn blend([top, bottom]: [Colour; 2], y: u32, height: u32) -> Colour {
    let part = |top: u8, bottom: u8| {
        let sum = u32::from(top) * (height - y) + u32::from(bottom) * y;
        u8::try_from(sum / height).unwrap_or(bottom)
    };
    [part(top[0], bottom[0]), part(top[1], bottom[1]), part(top[2], bottom[2])]
}

/// A round light in the middle, a sixth of the height in radius.
fn is_light(x: u32, y: u32, width: u32, height: u32) -> bool {
    let (across, down) = (x.abs_diff(width / 2), y.abs_diff(height / 2));
    across * across + down * down <= (height / 6) * (height / 6)
}

fn write_chunk(png: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) -> io::Result<()> {
    let length = u32::try_from(data.len()).map_err(io::Error::other)?;
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    png.extend([&length.to_be_bytes()[..], &kind, data, &sum.sum().to_be_bytes()].concat());
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    /// The chunks of a PNG: kind, data, checksum.
    fn chunks(png: &[u8]) -> Vec<(&[u8], &[u8], u32)> {
        let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n").unwrap();
        let number = |bytes: &[u8]| u32::from_be_bytes(bytes.try_into().unwrap());
        let mut found = Vec::new();
        while !rest.is_empty() {
            let end = 8 + usize::try_from(number(&rest[..4])).unwrap();
            found.push((&rest[4..8], &rest[8..end], number(&rest[end..end + 4])));
            rest = &rest[end + 4..];
        }
        found
    }

    #[test]
    fn a_picture_is_a_png() {
        let png = draw_png(1, 1, [[0; 3]; 2]).unwrap();
        let found = chunks(&png);
        let kinds: Vec<&[u8]> = found.iter().map(|chunk| chunk.0).collect();
        assert_eq!(kinds, [b"IHDR", b"IDAT", b"IEND"]);
        assert_eq!(found[0].1, [0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0]);
        // As every picture of one pixel in true colour has them.
        assert_eq!((found[0].2, found[2].2), (0x9077_53de, 0xae42_6082));
    }

    #[test]
    fn a_light_is_in_the_middle_of_its_sky() {
        let (top, bottom) = ([10, 20, 30], [30, 40, 50]);
        let png = draw_png(16, 12, [top, bottom]).unwrap();
        let mut pixels = Vec::new();
        ZlibDecoder::new(chunks(&png)[1].1).read_to_end(&mut pixels).unwrap();
        let rows: Vec<&[u8]> = pixels.chunks(1 + 16 * 3).collect();
        assert!(rows.len() == 12 && rows.iter().all(|row| row[0] == 0), "{rows:?}");
        assert_eq!((&rows[0][1..4], &rows[6][1..4]), (&top[..], &[20, 30, 40][..]));
        assert_eq!(&rows[6][1 + 8 * 3..][..3], LIGHT);
    }
}

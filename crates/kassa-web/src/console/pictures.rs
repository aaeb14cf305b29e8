//! Pictures that somebody uploads, made anew for pages: cut to their shape, in two sizes, upright, and without what cameras
//! write into them, such as where they were.

use std::io::Cursor;

use bytes::Bytes;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::PngEncoder;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{
    DynamicImage, GenericImageView as _, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader, ImageResult,
    Limits,
};
use tokio::sync::Semaphore;

/// The kinds that are read.
const FORMATS: [ImageFormat; 4] = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif];
/// The longest side, and the most pixels of a picture: what it says of itself, before any of it is unpacked.
const SIDE_MAX: u32 = 16_384;
const PIXELS_MAX: u64 = 30_000_000;
/// Memory that a picture may take once it is unpacked, in bytes.
const UNPACKED_BYTES_MAX: u64 = 128 * 1024 * 1024;
/// Pictures that are made at a time.
const AT_A_TIME: usize = 1;
/// The shape of covers, and how wide they are: what the pages of the shop ask for.
const SHAPE: (u32, u32) = (16, 9);
const COVER_WIDTH: u32 = 1280;
const SMALL_WIDTH: u32 = 640;
/// The longest side of a picture that is kept as a whole.
const WHOLE_SIDE_MAX: u32 = 2560;
const JPEG_QUALITY: u8 = 84;
/// The longest description of colours that goes along, in bytes.
const PROFILE_BYTES_MAX: usize = 64 * 1024;

static TURNS: Semaphore = Semaphore::const_new(AT_A_TIME);

/// A picture, ready to be sent.
#[derive(Debug)]
pub(crate) struct MadePicture {
    pub(crate) content_type: &'static str,
    pub(crate) bytes: Vec<u8>,
}

/// What is made of a picture.
#[derive(Debug)]
pub(crate) struct MadePictures {
    pub(crate) cover: MadePicture,
    pub(crate) small: MadePicture,
    /// All of it.
    pub(crate) whole: MadePicture,
}

/// Why nothing is made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PictureFault {
    /// It is no picture that can be read.
    Unreadable,
    /// It has too many pixels.
    TooLarge,
}

/// Makes what pages show of a picture.
pub(crate) async fn make(bytes: Bytes) -> Result<MadePictures, PictureFault> {
    in_turn(move || read(&bytes).and_then(Source::pictures)).await?
}

/// Does something with a picture when it is its turn, which lasts until it is done, whether or not somebody still waits for it.
async fn in_turn<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, PictureFault> {
    // The turns are never closed.
    let turn = TURNS.acquire().await.map_err(|_| PictureFault::Unreadable)?;
    let done = tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    });
    done.await.map_err(|error| {
        tracing::error!(%error, "a picture could not be made");
        PictureFault::Unreadable
    })
}

/// A picture that was unpacked.
struct Source {
    image: DynamicImage,
    /// How its colours are meant.
    profile: Option<Vec<u8>>,
}

/// Unpacks a picture, unless it says that it is too large for that.
fn read(bytes: &[u8]) -> Result<Source, PictureFault> {
    let unreadable = |error: ImageError| match error {
        ImageError::Limits(_) => PictureFault::TooLarge,
        ImageError::Decoding(_)
        | ImageError::Encoding(_)
        | ImageError::Parameter(_)
        | ImageError::Unsupported(_)
        | ImageError::IoError(_) => PictureFault::Unreadable,
    };
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|_| PictureFault::Unreadable)?;
    if !reader.format().is_some_and(|format| FORMATS.contains(&format)) {
        return Err(PictureFault::Unreadable);
    }
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(UNPACKED_BYTES_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(unreadable)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > PIXELS_MAX || decoder.total_bytes() > UNPACKED_BYTES_MAX {
        return Err(PictureFault::TooLarge);
    }
    // A picture whose notes cannot be read is shown as it lies.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let profile = decoder.icc_profile().unwrap_or_default().filter(|profile| is_profile_of_rgb(profile));
    let mut image = DynamicImage::from_decoder(decoder).map_err(unreadable)?;
    image.apply_orientation(orientation);
    Ok(Source { image, profile })
}

/// Whether a profile (ICC.1, section 7.2) says what red, green and blue are: pictures are made of these.
fn is_profile_of_rgb(profile: &[u8]) -> bool {
    profile.len() <= PROFILE_BYTES_MAX && profile.get(16..20) == Some(b"RGB ")
}

impl Source {
    fn pictures(mut self) -> Result<MadePictures, PictureFault> {
        let is_clear = is_clear(&self.image);
        if self.image.width().max(self.image.height()) > WHOLE_SIDE_MAX {
            // The only step that has all pixels beside their source: this way of it needs no further copy.
            self.image = self.image.thumbnail(WHOLE_SIDE_MAX, WHOLE_SIDE_MAX);
        }
        let encoded = |image: &DynamicImage| self.encoded(image, is_clear).map_err(|_| PictureFault::Unreadable);
        let cover = narrowed(&self.shaped(), COVER_WIDTH);
        let small = narrowed(&cover, SMALL_WIDTH);
        Ok(MadePictures { cover: encoded(&cover)?, small: encoded(&small)?, whole: encoded(&self.image)? })
    }

    /// The largest part around the middle that has the shape of covers.
    fn shaped(&self) -> DynamicImage {
        let (width, height) = (self.image.width(), self.image.height());
        let (across, down) = SHAPE;
        let wide = (height * across / down).clamp(1, width);
        let high = (width * down / across).clamp(1, height);
        self.image.crop_imm((width - wide) / 2, (height - high) / 2, wide, high)
    }

    /// As a photograph is sent, or as a picture that can be seen through.
    fn encoded(&self, image: &DynamicImage, is_clear: bool) -> ImageResult<MadePicture> {
        let mut bytes = Vec::new();
        let profile = || self.profile.clone();
        if is_clear {
            let mut encoder = PngEncoder::new(&mut bytes);
            if let Some(profile) = profile() {
                encoder.set_icc_profile(profile).map_err(ImageError::Unsupported)?;
            }
            image.to_rgba8().write_with_encoder(encoder)?;
            return Ok(MadePicture { content_type: "image/png", bytes });
        }
        let mut encoder = JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY);
        if let Some(profile) = profile() {
            encoder.set_icc_profile(profile).map_err(ImageError::Unsupported)?;
        }
        image.to_rgb8().write_with_encoder(encoder)?;
        Ok(MadePicture { content_type: "image/jpeg", bytes })
    }
}

/// Whether anything can be seen through it.
fn is_clear(image: &DynamicImage) -> bool {
    image.color().has_alpha() && image.pixels().any(|(.., pixel)| pixel.0[3] < u8::MAX)
}

/// The same, no wider than that.
fn narrowed(image: &DynamicImage, width: u32) -> DynamicImage {
    if image.width() <= width {
        return image.clone();
    }
    let height = (image.height() * width / image.width()).max(1);
    image.resize_exact(width, height, FilterType::CatmullRom)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage, Rgba, RgbaImage};

    use super::*;

    fn packed(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn made(bytes: &[u8]) -> Result<MadePictures, PictureFault> {
        read(bytes).and_then(Source::pictures)
    }

    fn size(picture: &MadePicture) -> (u32, u32) {
        let image = image::load_from_memory(&picture.bytes).unwrap();
        (image.width(), image.height())
    }

    /// A JPEG with a block of what a camera notes (Exif 2.32, section 4.6): it lies on its side.
    fn with_notes(jpeg: &[u8]) -> Vec<u8> {
        let mut tiff = b"MM\0\x2a\0\0\0\x08\0\x01".to_vec();
        tiff.extend(b"\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0");
        let notes = [b"Exif\0\0".as_slice(), &tiff, b"51.5 N, 0.1 W"].concat();
        let length = u16::try_from(notes.len() + 2).unwrap().to_be_bytes();
        [&jpeg[..2], b"\xff\xe1", &length, &notes, &jpeg[2..]].concat()
    }

    #[test]
    fn covers_have_their_shape_and_sizes_and_nothing_grows() {
        let photo = DynamicImage::ImageRgb8(RgbImage::from_pixel(1500, 1400, Rgb([200, 90, 9])));
        let pictures = made(&packed(&photo, ImageFormat::Jpeg)).unwrap();
        assert_eq!([size(&pictures.cover), size(&pictures.small)], [(1280, 719), (640, 359)]);
        assert_eq!((size(&pictures.whole), pictures.cover.content_type), ((1500, 1400), "image/jpeg"));
        let small = DynamicImage::ImageRgb8(RgbImage::new(160, 10));
        let pictures = made(&packed(&small, ImageFormat::Png)).unwrap();
        assert_eq!([size(&pictures.cover), size(&pictures.small)], [(17, 10), (17, 10)]);
        let dot = made(&packed(&DynamicImage::ImageRgb8(RgbImage::new(1, 1)), ImageFormat::Gif)).unwrap();
        assert_eq!(size(&dot.cover), (1, 1));
    }

    #[test]
    fn what_can_be_seen_through_stays_so() {
        let clear = DynamicImage::ImageRgba8(RgbaImage::from_pixel(64, 36, Rgba([1, 2, 3, 0])));
        assert_eq!(made(&packed(&clear, ImageFormat::WebP)).unwrap().cover.content_type, "image/png");
        let solid = DynamicImage::ImageRgba8(RgbaImage::from_pixel(64, 36, Rgba([1, 2, 3, 255])));
        assert_eq!(made(&packed(&solid, ImageFormat::Png)).unwrap().cover.content_type, "image/jpeg");
    }

    #[test]
    fn a_camera_that_lay_on_its_side_and_knew_where_is_forgotten() {
        let photo = packed(&DynamicImage::ImageRgb8(RgbImage::new(300, 200)), ImageFormat::Jpeg);
        let photo = with_notes(&photo);
        let pictures = made(&photo).unwrap();
        assert_eq!(size(&pictures.whole), (200, 300), "it stands upright");
        let is_known = |bytes: &[u8]| bytes.windows(6).any(|part| part == b"51.5 N");
        assert!(is_known(&photo));
        for picture in [&pictures.cover, &pictures.small, &pictures.whole] {
            assert!(!is_known(&picture.bytes));
        }
    }

    #[test]
    fn bombs_are_not_unpacked() {
        let png = packed(&DynamicImage::ImageRgb8(RgbImage::new(1, 1)), ImageFormat::Png);
        // The size stands behind the name of the first block, and its checksum behind the block (PNG, section 11.2.1).
        let sized = |width: u32, height: u32| {
            let mut bomb = png.clone();
            bomb[16..20].copy_from_slice(&width.to_be_bytes());
            bomb[20..24].copy_from_slice(&height.to_be_bytes());
            let sum = checksum(&bomb[12..29]);
            bomb[29..33].copy_from_slice(&sum.to_be_bytes());
            bomb
        };
        assert_eq!(made(&sized(16_000, 16_000)).unwrap_err(), PictureFault::TooLarge);
        assert_eq!(made(&sized(100_000, 1)).unwrap_err(), PictureFault::TooLarge);
        assert_eq!(made(&sized(2, 2)).unwrap_err(), PictureFault::Unreadable, "it has less than it says");
        assert_eq!(made(b"<svg/>").unwrap_err(), PictureFault::Unreadable);
        assert_eq!(made(b"").unwrap_err(), PictureFault::Unreadable);
    }

    /// CRC-32, as PNG has it (annex D).
    fn checksum(bytes: &[u8]) -> u32 {
        let step = |sum: u32, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 };
        !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
    }
    #[tokio::test]
    async fn a_turn_lasts_until_the_work_is_done_and_not_until_nobody_waits_for_it() {
        let (begun, has_begun) = tokio::sync::oneshot::channel();
        let (finish, may_finish) = std::sync::mpsc::sync_channel(1);
        let work = in_turn(move || {
            begun.send(()).unwrap();
            may_finish.recv().unwrap();
        });
        tokio::select! {
            _ = work => panic!("nobody has let it finish"),
            begun = has_begun => begun.unwrap(),
        }
        assert!(TURNS.try_acquire().is_err(), "somebody else's turn has come");
        finish.send(()).unwrap();
        drop(TURNS.acquire().await.unwrap());
    }
}

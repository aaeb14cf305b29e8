//! Fonts of documents: Noto Sans, which the program carries, and others that an operator adds for what it lacks.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use harfrust::{FontRef, ShaperData};
use krilla::text::Font;
use parking_lot::Mutex;
use skrifa::MetadataProvider as _;
use skrifa::raw::FileRef;

/// Noto Sans: see `fonts/README.md`.
const REGULAR: &[u8] = include_bytes!("../fonts/NotoSans-Regular.ttf");
const BOLD: &[u8] = include_bytes!("../fonts/NotoSans-Bold.ttf");

/// Bytes of all fonts that an operator adds: they stay in memory.
const ADDED_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// Characters without a glyph that are logged, each once.
const LOGGED_CHARACTERS_MAX: usize = 1_000;
/// From this weight on a font is bold.
const BOLD_WEIGHT: f32 = 600.0;

/// The fonts of all documents. Clones share them.
#[derive(Clone)]
pub struct Fonts(Arc<Inner>);

struct Inner {
    faces: Vec<Face>,
    missing: AtomicU64,
    logged: Mutex<HashSet<char>>,
}

/// One font.
pub(crate) struct Face {
    bytes: FontBytes,
    index: u32,
    /// The same as documents embed it.
    pub(crate) font: Font,
    pub(crate) shaper_data: ShaperData,
    is_bold: bool,
}

/// A font's bytes, which several faces may share.
#[derive(Clone)]
enum FontBytes {
    Embedded(&'static [u8]),
    Added(Arc<Vec<u8>>),
}

/// Fonts cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FontError {
    /// A file or the folder cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no font, or one that cannot be embedded.
    #[error("{}: is no font that can be embedded", .0.display())]
    Malformed(PathBuf),
    /// There is nothing to add.
    #[error("{}: has no fonts: files that end with .ttf, .otf, .ttc or .otc", .0.display())]
    NoFonts(PathBuf),
    /// There is too much to add.
    #[error("{}: has more than {} MiB of fonts: leave only those in it that are needed", .0.display(), ADDED_BYTES_MAX >> 20)]
    TooLarge(PathBuf),
}

impl FontBytes {
    fn as_slice(&self) -> &[u8] {
        match self {
            Self::Embedded(bytes) => bytes,
            Self::Added(bytes) => bytes,
        }
    }

    fn to_data(&self) -> krilla::Data {
        match self {
            Self::Embedded(bytes) => (*bytes).into(),
            Self::Added(bytes) => Arc::clone(bytes).into(),
        }
    }
}

impl Face {
    fn new(bytes: FontBytes, index: u32) -> Option<Self> {
        let font = Font::new(bytes.to_data(), index)?;
        let face = FontRef::from_index(bytes.as_slice(), index).ok()?;
        let (shaper_data, is_bold) = (ShaperData::new(&face), face.attributes().weight.value() >= BOLD_WEIGHT);
        Some(Self { bytes, index, font, shaper_data, is_bold })
    }

    /// The font's tables; `None` never happens for what was read before.
    pub(crate) fn tables(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(self.bytes.as_slice(), self.index).ok()
    }
}

impl Fonts {
    /// The fonts that the program carries.
    pub fn embedded() -> Self {
        Self::with(Vec::new())
    }

    /// The same, and those in a folder, by their names, for characters that the ones before lack.
    pub fn with_folder(folder: &Path) -> Result<Self, FontError> {
        let unreadable = |path: &Path| {
            let path = path.to_owned();
            |source| FontError::Unreadable { path, source }
        };
        let entries = fs::read_dir(folder).map_err(unreadable(folder))?;
        let mut paths =
            entries.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>().map_err(unreadable(folder))?;
        paths.retain(|path| is_font_name(path));
        paths.sort_unstable();
        let (mut faces, mut total) = (Vec::new(), 0);
        for path in paths {
            total += fs::metadata(&path).map_err(unreadable(&path))?.len();
            if total > ADDED_BYTES_MAX {
                return Err(FontError::TooLarge(folder.to_owned()));
            }
            let bytes = fs::read(&path).map_err(unreadable(&path))?;
            faces.extend(faces_of_file(bytes).ok_or(FontError::Malformed(path))?);
        }
        if faces.is_empty() { Err(FontError::NoFonts(folder.to_owned())) } else { Ok(Self::with(faces)) }
    }

    fn with(added: Vec<Face>) -> Self {
        // They are part of the program, and a test reads both: they cannot be broken here only.
        let embedded = [REGULAR, BOLD].into_iter().filter_map(|bytes| Face::new(FontBytes::Embedded(bytes), 0));
        let faces = embedded.chain(added).collect();
        Self(Arc::new(Inner { faces, missing: AtomicU64::new(0), logged: Mutex::default() }))
    }

    /// How many characters were left out of documents because no font has them: each once in a document.
    pub fn missing_glyphs(&self) -> u64 {
        self.0.missing.load(Ordering::Relaxed)
    }

    /// All fonts in the order in which they are looked through.
    pub(crate) fn faces(&self) -> &[Face] {
        &self.0.faces
    }

    /// The places of all fonts in the order in which they are looked through for a weight: those of the weight come first
    /// where others have the same characters.
    pub(crate) fn order_for(&self, is_bold: bool) -> Vec<usize> {
        let places = |wanted: bool| {
            let of_weight = move |(_, face): &(usize, &Face)| face.is_bold == wanted;
            self.0.faces.iter().enumerate().filter(of_weight).map(|(place, _)| place)
        };
        places(is_bold).chain(places(!is_bold)).collect()
    }

    /// Counts a character that no font has, and logs it when it is met first.
    pub(crate) fn note_missing(&self, c: char) {
        self.0.missing.fetch_add(1, Ordering::Relaxed);
        let mut logged = self.0.logged.lock();
        if logged.len() < LOGGED_CHARACTERS_MAX && logged.insert(c) {
            drop(logged);
            let code_point = format!("U+{:04X}", u32::from(c));
            tracing::warn!(character = %c, code_point, "no font has this character; add one by --fonts");
        }
    }
}

fn is_font_name(path: &Path) -> bool {
    let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["ttf", "otf", "ttc", "otc"].iter().any(|known| ending.eq_ignore_ascii_case(known))
}

/// The fonts of a file, which may be a collection; `None` if one of them is of no use.
fn faces_of_file(bytes: Vec<u8>) -> Option<Vec<Face>> {
    let bytes = Arc::new(bytes);
    let count = match FileRef::new(&bytes).ok()? {
        FileRef::Font(_) => 1,
        FileRef::Collection(fonts) => fonts.len(),
    };
    (0..count).map(|index| Face::new(FontBytes::Added(Arc::clone(&bytes)), index)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_carries_two_weights_of_three_scripts() {
        let fonts = Fonts::embedded();
        assert_eq!(fonts.order_for(true), [1, 0]);
        for face in fonts.faces() {
            let characters = face.tables().unwrap();
            for c in "Aß€Ωώжёў₽№–…«»\u{a0}\u{fffd}".chars() {
                assert!(characters.charmap().map(c).is_some(), "{c:?}");
            }
        }
    }

    #[test]
    fn a_folder_is_of_fonts() {
        let error = |path: &str| Fonts::with_folder(Path::new(path)).err().unwrap().to_string();
        assert!(error("/nowhere").starts_with("/nowhere: No such file"));
        assert!(error("src").starts_with("src: has no fonts"));
        assert_eq!(Fonts::with_folder(Path::new("fonts")).unwrap().faces().len(), 4);
    }
}

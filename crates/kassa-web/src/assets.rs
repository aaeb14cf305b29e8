//! What pages load besides pictures: kept in memory, packed once, under names that change with what is in them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

/// The path before each name.
pub(crate) const FOLDER: &str = "/assets/";

/// Name, extension, media type, contents. A script may import those above it: `from "./name.js"`.
const FILES: [(&str, &str, &str, &[u8]); 18] = [
    ("shop", "css", "text/css; charset=utf-8", include_bytes!("../assets/shop.css")),
    ("console", "css", "text/css; charset=utf-8", include_bytes!("../assets/console.css")),
    ("console", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/console.js")),
    ("event", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/event.js")),
    ("order", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/order.js")),
    ("sale", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/sale.js")),
    ("framed", "css", "text/css; charset=utf-8", include_bytes!("../assets/framed.css")),
    ("framed", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/framed.js")),
    ("seats_model", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/seats_model.js")),
    ("hall_numbers", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/hall_numbers.js")),
    ("hall_painter", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/hall_painter.js")),
    ("hall_marks", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/hall_marks.js")),
    ("hall_map", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/hall_map.js")),
    ("hall_hands", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/hall_hands.js")),
    ("hall_view", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/hall_view.js")),
    ("seats", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/seats.js")),
    ("console_seats", "js", "text/javascript; charset=utf-8", include_bytes!("../assets/console_seats.js")),
    ("icon", "svg", "image/svg+xml", include_bytes!("../assets/icon.svg")),
];

/// A file.
#[derive(Clone, Debug)]
pub(crate) struct Asset {
    pub(crate) content_type: &'static str,
    /// The digest of its contents.
    pub(crate) hash: String,
    pub(crate) plain: Bytes,
    pub(crate) gzipped: Bytes,
}

/// All files.
#[derive(Debug)]
pub(crate) struct Assets {
    by_file_name: BTreeMap<String, Asset>,
    /// By plain name, such as `shop.css`.
    paths: BTreeMap<String, String>,
}

impl Assets {
    /// Reads and packs them.
    pub(crate) fn load() -> Self {
        let (mut by_file_name, mut paths) = (BTreeMap::new(), BTreeMap::new());
        for (name, extension, content_type, contents) in FILES {
            let contents = with_hashed_imports(contents, extension, &paths);
            let hash = short_digest(&contents);
            let file_name = format!("{name}.{hash}.{extension}");
            paths.insert(format!("{name}.{extension}"), format!("{FOLDER}{file_name}"));
            let gzipped = gzip(&contents, Compression::best());
            let asset = Asset { content_type, hash, plain: contents.into(), gzipped };
            by_file_name.insert(file_name, asset);
        }
        Self { by_file_name, paths }
    }

    /// The file with a hashed name.
    pub(crate) fn find(&self, file_name: &str) -> Option<&Asset> {
        self.by_file_name.get(file_name)
    }

    /// Where a file is, by its plain name.
    pub(crate) fn path(&self, name: &str) -> &str {
        let path = self.paths.get(name);
        debug_assert!(path.is_some(), "there is no {name}");
        path.map_or("", String::as_str)
    }
}

/// A script with the names that its imports have here.
fn with_hashed_imports(contents: &[u8], extension: &str, paths: &BTreeMap<String, String>) -> Vec<u8> {
    let Some(text) = std::str::from_utf8(contents).ok().filter(|_| extension == "js") else { return contents.to_vec() };
    let mut text = text.to_owned();
    for (name, path) in paths {
        text = text.replace(&format!("\"./{name}\""), &format!("\"{path}\""));
    }
    text.into_bytes()
}

/// The digest of some bytes, as addresses and entity tags have it: 64 bits in hexadecimal digits.
pub(crate) fn short_digest(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(16);
    for byte in &Sha256::digest(bytes)[..8] {
        // A text takes all that is written to it.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

/// Bytes, packed.
pub(crate) fn gzip(bytes: &[u8], level: Compression) -> Bytes {
    let mut packer = GzEncoder::new(Vec::new(), level);
    // Memory takes all that is written to it.
    let written = packer.write_all(bytes).and_then(|()| packer.finish());
    written.unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a page may load without a hall, packed, in bytes.
    const STYLE_BYTES_MAX: usize = 15 * 1024;
    const SCRIPT_BYTES_MAX: usize = 30 * 1024;
    /// Those of a hall.
    const HALL_SCRIPTS: [&str; 3] = ["hall_", "seats.", "seats_model."];
    const HALL_SCRIPT_BYTES_MAX: usize = 24 * 1024;

    #[test]
    fn styles_and_scripts_stay_small() {
        let assets = Assets::load();
        let packed = |extension: &str, is_hall: bool| -> usize {
            let is_of_hall = |name: &str| HALL_SCRIPTS.iter().any(|script| name.starts_with(script));
            let files = assets.by_file_name.iter();
            let files = files.filter(|(name, _)| name.ends_with(extension) && is_of_hall(name) == is_hall);
            files.map(|(_, asset)| asset.gzipped.len()).sum()
        };
        let (styles, scripts) = (packed(".css", false), packed(".js", false));
        let of_hall = packed(".js", true);
        assert!((1..=HALL_SCRIPT_BYTES_MAX).contains(&of_hall), "{of_hall}");
        assert!((1..=STYLE_BYTES_MAX).contains(&styles), "{styles}");
        assert!((1..=SCRIPT_BYTES_MAX).contains(&scripts), "{scripts}");
    }

    #[test]
    fn a_script_imports_others_by_the_names_that_they_have_here() {
        let paths = BTreeMap::from([("live.js".to_owned(), "/assets/live.0a.js".to_owned())]);
        let text = b"import { follow } from \"./live.js\";";
        assert_eq!(with_hashed_imports(text, "js", &paths), b"import { follow } from \"/assets/live.0a.js\";");
        assert_eq!(with_hashed_imports(text, "css", &paths), text);
    }
}

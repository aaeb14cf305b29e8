//! A seller's colour as a style sheet: made darker where pages are light, and lighter where they are dark, until texts in it
//! and on it can be read (WCAG 2.2 AA).

/// What stands before the colour in the name of its file, and behind.
const PREFIX: &str = "accent-";
const SUFFIX: &str = ".css";
/// The paper of light pages on which the least contrast is, and that of dark ones.
const LIGHT_PAPER: [u8; 3] = [0xf1, 0xee, 0xe7];
const DARK_PAPER: [u8; 3] = [0x22, 0x25, 0x2d];
/// Contrast of texts: AA wants 4.5, and what is pressed gets a little lighter.
const CONTRAST_MIN: f64 = 5.0;
/// How much of the way to black or to white one step goes.
const STEP: f64 = 0.04;

/// The path of the style sheet of a colour, `#rrggbb`.
pub(crate) fn path_of(colour: &str) -> Option<String> {
    let digits = colour.strip_prefix('#').filter(|digits| parse(digits).is_some())?;
    Some(format!("{}{PREFIX}{digits}{SUFFIX}", crate::assets::FOLDER))
}

/// The style sheet in a file of this name.
pub(crate) fn style_of(file: &str) -> Option<String> {
    let colour = parse(file.strip_prefix(PREFIX)?.strip_suffix(SUFFIX)?)?;
    let light = readable(colour, LIGHT_PAPER, 0.0);
    let dark = readable(colour, DARK_PAPER, 255.0);
    Some(format!(
        "@layer tokens {{\n  :root {{ --accent: {}; --on-accent: #fff; }}\n  @media (prefers-color-scheme: dark) {{\n    \
         :root {{ --accent: {}; --on-accent: #0d0e12; }}\n  }}\n}}\n",
        hex(light),
        hex(dark)
    ))
}

fn parse(digits: &str) -> Option<[u8; 3]> {
    let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    if digits.len() != 6 || !is_plain {
        return None;
    }
    let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
    Some([byte(0)?, byte(2)?, byte(4)?])
}

fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// The colour, moved towards black (0) or white (255) until it can be read on a paper.
fn readable(colour: [u8; 3], paper: [u8; 3], goal: f64) -> [u8; 3] {
    let mut shares = (0..=25).map(|step| (f64::from(step) * STEP).min(1.0));
    let found = shares.find_map(|share| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it lies between two bytes")]
        let moved = colour.map(|part| (f64::from(part) + (goal - f64::from(part)) * share).round() as u8);
        (contrast(moved, paper) >= CONTRAST_MIN).then_some(moved)
    });
    // Black and white can be read on either paper.
    found.unwrap_or(if goal == 0.0 { [0; 3] } else { [255; 3] })
}

/// As WCAG 2.2 defines it: 1 to 21.
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

fn luminance(colour: [u8; 3]) -> f64 {
    let [red, green, blue] = colour.map(|part| {
        let part = f64::from(part) / 255.0;
        if part <= 0.040_45 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What stands on the accent in light pages, and in dark ones.
    const ON_LIGHT: [u8; 3] = [255; 3];
    const ON_DARK: [u8; 3] = [0x0d, 0x0e, 0x12];

    #[test]
    fn each_colour_can_be_read_on_light_and_on_dark_pages() {
        let parts = [0, 51, 102, 153, 204, 255];
        for colour in parts.iter().flat_map(|r| parts.iter().flat_map(|g| parts.map(|b| [*r, *g, b]))) {
            let (light, dark) = (readable(colour, LIGHT_PAPER, 0.0), readable(colour, DARK_PAPER, 255.0));
            for (one, other) in [(light, LIGHT_PAPER), (light, ON_LIGHT), (dark, DARK_PAPER), (dark, ON_DARK)] {
                assert!(contrast(one, other) >= 4.5, "{colour:?}: {one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_colour_that_can_be_read_stays_as_it_is() {
        assert_eq!(path_of("#1f6f6b"), Some("/assets/accent-1f6f6b.css".to_owned()));
        let style = style_of("accent-1f6f6b.css").unwrap();
        assert!(style.contains(":root { --accent: #1f6f6b; --on-accent: #fff; }"), "{style}");
        for bad in ["accent-red.css", "accent-1f6f6.css", "accent-1F6F6B.css", "accent-1f6f6b", "shop.css"] {
            assert_eq!(style_of(bad), None, "{bad}");
        }
    }
}

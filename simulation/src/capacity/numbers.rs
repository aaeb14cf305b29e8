//! Between counts and fractions.

/// A count as a fraction. Counts here are below 2^52.
#[expect(clippy::cast_precision_loss, reason = "counts and microseconds below 2^52")]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}

/// A length as a count.
pub(super) fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

/// A fraction as a count, rounded; what is below zero is zero.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
pub(super) fn rounded(value: f64) -> u64 {
    value.round() as u64
}

/// A part of a whole; zero of nothing.
pub(super) fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { float(part) / float(whole) }
}

/// How many there are in a second, of so many in some microseconds.
pub(super) fn per_second(done: u64, in_us: u64) -> f64 {
    share(done, in_us) * float(super::SECOND)
}

//! Ids: a time-ordered `i64` inside, 24 hexadecimal digits outside.
//!
//! ```text
//! inside    second since 2020 (31 bits) | millisecond (10) | node (10) | sequence (12)
//! outside   UNIX second (32 bits) | shard tag (32) | millisecond, node, sequence (32)
//! ```
//!
//! The outside form is public and for ever. It maps one to one to `(tag, key)`, so that parsing
//! needs no look-up and a sharded database finds an order by its id alone. The tag of whatever
//! hangs on an event (set, ticket, order …) is the event's tag; of other things it is a hash of
//! their own key. Binary formats have tag and key as they are. Any 24 lowercase hexadecimal digits are well-formed: those with a second outside
//! 2020–2088 become negative keys, which are never made and so are simply unknown.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::marker::PhantomData;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

use super::time::Timestamp;
use crate::values::hex;

/// The UNIX second of 2020-01-01T00:00:00Z, from which keys count.
const EPOCH_UNIX_S: u32 = 1_577_836_800;

/// Digits of the outside form.
const DIGITS: usize = 24;

const NODE_BITS: u32 = 10;

const SEQUENCE_BITS: u32 = 12;

const SEQUENCE_MAX: i64 = KEYS_PER_NODE_AND_MS - 1;

const MS_SHIFT: u32 = NODE_BITS + SEQUENCE_BITS;

/// Keys that a node can make in a millisecond. A key is of the node `key / KEYS_PER_NODE_AND_MS % NODES_MAX`.
pub const KEYS_PER_NODE_AND_MS: i64 = 1 << SEQUENCE_BITS;

/// Nodes that can make ids at the same time.
pub const NODES_MAX: u16 = 1 << NODE_BITS;

/// The shard that a row lives on: a hash that is part of the outside form of its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ShardTag(u32);

impl ShardTag {
    /// The tag of a thing that hangs on nothing else: the upper half of the `SplitMix64` finalizer
    /// over its key. This function is part of the public form of ids and must never change.
    #[expect(clippy::cast_sign_loss, reason = "a hash takes the bits as they are")]
    pub const fn of_key(key: i64) -> Self {
        let mut z = key as u64;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        Self(((z ^ (z >> 31)) >> 32) as u32)
    }

    /// As stored: an unsigned number of 32 bits.
    pub const fn to_i64(self) -> i64 {
        self.0 as i64
    }

    /// From storage; `None` where the number is not a tag.
    pub fn from_i64(raw: i64) -> Option<Self> {
        u32::try_from(raw).ok().map(Self)
    }
}

/// The id of a `K`. `K` only marks the kind, so that an order's id is never taken for a ticket's.
pub struct Id<K> {
    key: i64,
    tag: ShardTag,
    kind: PhantomData<fn() -> K>,
}

/// What ids of a kind of their own name.
pub trait Identified {
    /// The kind of those ids.
    type Kind;
}

impl<K> Id<K> {
    /// The id of a thing that hangs on nothing else: user, partner, event.
    pub const fn root(key: i64) -> Self {
        Self::with_tag(ShardTag::of_key(key), key)
    }

    /// The id of a thing that lives on the shard `tag`, such as an order on its event's.
    pub const fn with_tag(tag: ShardTag, key: i64) -> Self {
        Self { key, tag, kind: PhantomData }
    }

    /// The `i64` inside.
    pub const fn key(self) -> i64 {
        self.key
    }

    /// The shard tag.
    pub const fn tag(self) -> ShardTag {
        self.tag
    }

    /// When the id was made, to the millisecond.
    pub fn created_at(self) -> Timestamp {
        let second = (self.key >> 32) + i64::from(EPOCH_UNIX_S);
        let ms = (self.key >> MS_SHIFT) & 0x3ff;
        Timestamp::from_ms(second * 1000 + ms)
    }
}

impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        (self.key, self.tag) == (other.key, other.tag)
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.key, self.tag).cmp(&(other.key, other.tag))
    }
}

impl<K> Hash for Id<K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Keys are unique by themselves; an id with a foreign tag only collides, it is not equal.
        self.key.hash(state);
    }
}

impl<K> Id<K> {
    /// The outside form, as ASCII.
    #[expect(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "bit fields")]
    fn hex_digits(&self) -> [u8; DIGITS] {
        let unix_s = ((self.key >> 32) as u32).wrapping_add(EPOCH_UNIX_S);
        let low = self.key as u32;
        let mut digits = [0_u8; DIGITS];
        for (part, word) in digits.chunks_exact_mut(8).zip([unix_s, self.tag.0, low]) {
            for (pair, byte) in part.chunks_exact_mut(2).zip(word.to_be_bytes()) {
                pair.copy_from_slice(&hex::byte_digits(byte));
            }
        }
        digits
    }
}

impl<K> fmt::Display for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(str::from_utf8(&self.hex_digits()).map_err(|_| fmt::Error)?)
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not 24 lowercase hexadecimal digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be 24 lowercase hexadecimal digits")]
pub struct MalformedId;

impl<K> FromStr for Id<K> {
    type Err = MalformedId;

    fn from_str(text: &str) -> Result<Self, MalformedId> {
        let digits = text.as_bytes();
        if digits.len() != 24 {
            return Err(MalformedId);
        }
        let word = |at: usize| {
            digits[at..at + 8].iter().try_fold(0_u32, |word, digit| {
                let nibble = match digit {
                    b'0'..=b'9' => digit - b'0',
                    b'a'..=b'f' => digit - b'a' + 10,
                    _ => return Err(MalformedId),
                };
                Ok((word << 4) | u32::from(nibble))
            })
        };
        let (unix_s, tag, low) = (word(0)?, word(8)?, word(16)?);
        let second = unix_s.wrapping_sub(EPOCH_UNIX_S);
        let key = ((u64::from(second) << 32) | u64::from(low)).cast_signed();
        Ok(Self::with_tag(ShardTag(tag), key))
    }
}

impl<K> Serialize for Id<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !serializer.is_human_readable() {
            return (self.tag, self.key).serialize(serializer);
        }
        // Answers and rows are full of ids: the way through `fmt` takes twice as long.
        serializer.serialize_str(str::from_utf8(&self.hex_digits()).map_err(ser::Error::custom)?)
    }
}

impl<'de, K> Deserialize<'de> for Id<K> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<K>(PhantomData<fn() -> K>);
        impl<K> de::Visitor<'_> for Visitor<K> {
            type Value = Id<K>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("24 lowercase hexadecimal digits")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Id<K>, E> {
                text.parse().map_err(E::custom)
            }
        }
        if !deserializer.is_human_readable() {
            let (tag, key) = Deserialize::deserialize(deserializer)?;
            return Ok(Self::with_tag(tag, key));
        }
        deserializer.deserialize_str(Visitor(PhantomData))
    }
}

/// The key that `node` makes at `now`, if that is above everything it has made (`mark`), else the
/// next free one: the generator may run ahead of the clock, but it never repeats.
pub fn next_key(mark: i64, node: u16, now: Timestamp) -> i64 {
    let fresh = first_key_at(now, node);
    if fresh > mark { fresh } else { successor(mark, node) }
}

fn first_key_at(now: Timestamp, node: u16) -> i64 {
    let second = (now.ms().div_euclid(1000) - i64::from(EPOCH_UNIX_S)).clamp(0, (1 << 31) - 1);
    let ms = now.ms().rem_euclid(1000);
    (second << 32) | (ms << MS_SHIFT) | (i64::from(node) << SEQUENCE_BITS)
}

fn successor(mark: i64, node: u16) -> i64 {
    if mark & SEQUENCE_MAX < SEQUENCE_MAX {
        return mark + 1;
    }
    let (second, ms) = (mark >> 32, (mark >> MS_SHIFT) & 0x3ff);
    let (second, ms) = if ms >= 999 { (second + 1, 0) } else { (second, ms + 1) };
    (second << 32) | (ms << MS_SHIFT) | (i64::from(node) << SEQUENCE_BITS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    enum Thing {}

    #[test]
    fn external_form_of_an_id_never_changes() {
        // 2026-01-02T03:04:05.678Z, node 5, second id of that millisecond.
        let now = Timestamp::from_ms(1_767_323_045_678);
        let key = next_key(first_key_at(now, 5), 5, now);
        let id = Id::<Thing>::root(key);
        assert_eq!(id.to_string(), "695735a53bbe430ba9805001");
        assert_eq!(id.created_at(), now);
        assert_eq!(u32::from_str_radix(&id.to_string()[..8], 16), Ok(1_767_323_045));
    }

    #[test]
    fn malformed_texts_are_refused() {
        for text in [
            "",
            "abc",
            "695735A5fdbd1ebfa9805001",
            "695735a5fdbd1ebfa98050010",
            "695735a5fdbd1ebfa980500g",
            "ффффффффффффффффффффффф",
        ] {
            assert_eq!(text.parse::<Id<Thing>>(), Err(MalformedId), "{text}");
        }
    }

    #[test]
    fn no_key_repeats_when_the_clock_goes_back() {
        let late = Timestamp::from_ms(1_767_323_045_999);
        let mut mark = first_key_at(late, 1023);
        for now in [late, Timestamp::from_ms(late.ms() - 5_000), late] {
            for _ in 0..10_000 {
                let next = next_key(mark, 1023, now);
                assert!(next > mark);
                assert_eq!((next >> SEQUENCE_BITS) & 0x3ff, 1023, "the node stays in its bits");
                mark = next;
            }
        }
    }

    proptest! {
        #[test]
        fn any_24_digits_come_back_as_they_were(text in "[0-9a-f]{24}") {
            let id: Id<Thing> = text.parse()?;
            prop_assert_eq!(id.to_string(), text.clone());
            let second = u32::from_str_radix(&text[..8], 16).unwrap();
            let known = (EPOCH_UNIX_S..EPOCH_UNIX_S + (1 << 31)).contains(&second);
            prop_assert_eq!(id.key() >= 0, known);
        }
    }
}

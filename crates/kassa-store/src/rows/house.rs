//! The house's own rows: writers, counters, jobs.

use kassa_domain::job::Job;
use kassa_domain::node::{Counter, CounterName, Fact, FactName, Node};
use kassa_domain::{Id, Tag, Timestamp};

use super::{Key, Mapped, columns};
use crate::cell::{Cell, Source, json};
use crate::error::StoreError;
use crate::rows::Column;

impl Key for u16 {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(i64::from(*self).into());
    }
}

impl Mapped for Node {
    const TABLE: &'static str = "nodes";
    const COLUMNS: &'static [Column] = columns![
        Key Int "node",
        Free Int "id_mark",
        Free Int "number_next",
        Free Int "number_end",
        Free Int "epoch",
        Free Int "lease_till",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.node.write(out);
        out.extend([
            self.id_mark.into(),
            self.number_next.into(),
            self.number_end.into(),
            self.epoch.into(),
            self.lease_till.ms().into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        Ok(Self {
            node: source.small()?,
            id_mark: source.int()?,
            number_next: source.int()?,
            number_end: source.int()?,
            epoch: source.int()?,
            lease_till: read_time(source)?,
        })
    }
}

impl Key for CounterName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let text = match self {
            Self::OrderNumber => "order_number",
        };
        out.push(text.into());
    }
}

impl Mapped for Counter {
    const TABLE: &'static str = "counters";
    const COLUMNS: &'static [Column] = columns![
        Key Text "name",
        Free Int "next",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.name.write(out);
        out.push(self.next.into());
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let name = match source.text()?.as_str() {
            "order_number" => CounterName::OrderNumber,
            other => return Err(StoreError::Corrupt(format!("counter {other}"))),
        };
        Ok(Self { name, next: source.int()? })
    }
}

impl Key for FactName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let text = match self {
            Self::SecretFingerprint => "secret_fingerprint",
        };
        out.push(text.into());
    }
}

impl Mapped for Fact {
    const TABLE: &'static str = "facts";
    const COLUMNS: &'static [Column] = columns![
        Key Text "name",
        Free Text "value",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.name.write(out);
        out.push(self.value.as_str().into());
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let name = match source.text()?.as_str() {
            "secret_fingerprint" => FactName::SecretFingerprint,
            other => return Err(StoreError::Corrupt(format!("fact {other}"))),
        };
        Ok(Self { name, value: source.text()? })
    }
}

impl Mapped for Job {
    const TABLE: &'static str = "jobs";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Free Json "work",
        Free Int "lease_node",
        Free Int "lease_till",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.id.tag().to_i64().into(),
            json(&self.work),
            self.lease_node.map(i64::from).into(),
            self.lease_till.ms().into(),
        ]);
    }

    fn read(source: &mut dyn Source) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let work = source.json()?;
        let lease_node = source.int_or_null()?.and_then(|node| u16::try_from(node).ok());
        Ok(Self { id: Id::under(tag, key), work, lease_node, lease_till: read_time(source)? })
    }
}

pub(super) fn read_tag(source: &mut dyn Source) -> Result<Tag, StoreError> {
    let raw = source.int()?;
    Tag::from_i64(raw).ok_or_else(|| StoreError::Corrupt(format!("tag {raw}")))
}

pub(super) fn read_time(source: &mut dyn Source) -> Result<Timestamp, StoreError> {
    source.int().map(Timestamp::from_ms)
}

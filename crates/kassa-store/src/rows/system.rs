//! The house's own rows: writers, counters, jobs.

use kassa_domain::job::Job;
use kassa_domain::node::{InstallationSetting, InstallationSettingName, Node, SharedCounter, SharedCounterName};
use kassa_domain::{Id, ShardTag, Timestamp};

use super::{MappedRow, RowKey, columns};
use crate::cell::{Cell, RowReader, json_cell};
use crate::error::StoreError;
use crate::rows::Column;

impl RowKey for u16 {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        out.push(i64::from(*self).into());
    }
}

impl MappedRow for Node {
    const TABLE: &'static str = "nodes";
    const COLUMNS: &'static [Column] = columns![
        Key Int "number",
        Mutable Int "last_id",
        Mutable Int "next_order_number",
        Mutable Int "order_numbers_end",
        Mutable Int "epoch",
        Mutable Int "lease_till",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.number.write(out);
        out.extend([
            self.last_id.into(),
            self.next_order_number.into(),
            self.order_numbers_end.into(),
            self.epoch.into(),
            self.lease_till.ms().into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        Ok(Self {
            number: source.int_as()?,
            last_id: source.int()?,
            next_order_number: source.int()?,
            order_numbers_end: source.int()?,
            epoch: source.int()?,
            lease_till: read_time(source)?,
        })
    }
}

impl RowKey for SharedCounterName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let text = match self {
            Self::OrderNumber => "order_number",
        };
        out.push(text.into());
    }
}

impl MappedRow for SharedCounter {
    const TABLE: &'static str = "counters";
    const COLUMNS: &'static [Column] = columns![
        Key Text "name",
        Mutable Int "next",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.name.write(out);
        out.push(self.next.into());
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let name = match source.text()?.as_str() {
            "order_number" => SharedCounterName::OrderNumber,
            other => return Err(StoreError::Corrupt(format!("counter {other}"))),
        };
        Ok(Self { name, next: source.int()? })
    }
}

impl RowKey for InstallationSettingName {
    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        let text = match self {
            Self::SecretFingerprint => "secret_fingerprint",
        };
        out.push(text.into());
    }
}

impl MappedRow for InstallationSetting {
    const TABLE: &'static str = "installation_settings";
    const COLUMNS: &'static [Column] = columns![
        Key Text "name",
        Mutable Text "value",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.name.write(out);
        out.push(self.value.as_str().into());
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let name = match source.text()?.as_str() {
            "secret_fingerprint" => InstallationSettingName::SecretFingerprint,
            other => return Err(StoreError::Corrupt(format!("fact {other}"))),
        };
        Ok(Self { name, value: source.text()? })
    }
}

impl MappedRow for Job {
    const TABLE: &'static str = "jobs";
    const COLUMNS: &'static [Column] = columns![
        Key Int "id",
        Tag Int "tag",
        Mutable Json "kind",
        Mutable Int "lease_node",
        Mutable Int "lease_till",
    ];

    fn write<'a>(&'a self, out: &mut Vec<Cell<'a>>) {
        self.id.write(out);
        out.extend([
            self.id.tag().to_i64().into(),
            json_cell(&self.kind),
            self.lease_node.map(i64::from).into(),
            self.lease_till.ms().into(),
        ]);
    }

    fn read(source: &mut dyn RowReader) -> Result<Self, StoreError> {
        let key = source.int()?;
        let tag = read_tag(source)?;
        let work = source.json()?;
        let lease_node = source.int_or_null()?.and_then(|node| u16::try_from(node).ok());
        Ok(Self { id: Id::with_tag(tag, key), kind: work, lease_node, lease_till: read_time(source)? })
    }
}

pub(super) fn read_tag(source: &mut dyn RowReader) -> Result<ShardTag, StoreError> {
    let raw = source.int()?;
    ShardTag::from_i64(raw).ok_or_else(|| StoreError::Corrupt(format!("tag {raw}")))
}

pub(super) fn read_time(source: &mut dyn RowReader) -> Result<Timestamp, StoreError> {
    source.int().map(Timestamp::from_ms)
}
